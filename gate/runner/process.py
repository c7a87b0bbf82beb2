"""One worker process of one side: how it is started, what is sent and read, and how it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import SandboxError, WorkerError
from gate.interrupt import held
from gate.runner.child import Child
from gate.types import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.types import Conditions, Fixture, Limits, Side, Target

# (record, stdout, stderr) as the worker sent them; `gate.types.Wire` is made only for what does not match.
RawWire = tuple[bytes, bytes, bytes]

# How records of calls that came back begin, and those of every end that would be the same on a slower machine: where two
# of them are equal, so are the observations.
RETURNED = b'{"out":"returned"'
ENDED = (RETURNED, b'{"out":"raised"', b'{"out":"exited"')

WORKER = Path(__file__).parent.parent / "worker" / "worker.py"
# A script's byte code is never cached, and compiling this one costs as much as the interpreter's start. The loader caches it.
# First of all it leaves the folder that we work in, from which `-c` would import.
BOOT = (
    "import sys, posix; posix.umask(%d); posix.chdir(posix.environ[b'HOME']); "
    "from _frozen_importlib_external import SourceFileLoader as L; w = type(sys)('shadow_worker'); "
    "w.__file__ = sys.argv[1]; exec(L('shadow_worker', w.__file__).get_code('shadow_worker'), w.__dict__); w.start()"
)
PIPE = 1 << 20
_VIEW = memoryview(bytearray(1 << 17))  # read into, always the same: a new one a read leaves holes in the heap
START_SECONDS = 60.0
_END = struct.Struct("<BIH")  # behind the outcomes: own code reached, fixtures run again alone, length of the words for why
LARGEST_FRAME = 1 << 30
_HEAD = struct.Struct("<BI").pack
# What a side lacks rather than does wrong, by the exception that says so.
_LACKS = {
    "PermissionError": "the sandbox lets a target write below its working directory alone, at import too; or mend the file's permissions",
    "ModuleNotFoundError": (
        "what a side imports besides its own code comes from the interpreter's packages (`--python .venv/bin/python` for a project's own)"
        " or from `[sides] requirements`; an editable install is not seen, since .pth files do not run"
    ),
    "PackageNotFoundError": (
        "a checkout has no metadata of its own: compare wheels (`shadow freeze --wheel`), or pins of releases (requirements:<file>)"
    ),
}
_KINDS = {"json": 0, "text": 1, "bytes": 2, "call": 3}
WHOLE = 128  # beside a kind: send the value whole, if it is not huge
HELD = 1 << 26


def environment(temp_root: Path, conditions: Conditions) -> dict[str, str]:
    """The whole environment of a worker. Built, never inherited, and equal on both sides but for the temp root."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
    home = str(temp_root)
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "TZ": conditions.zone,
        "LC_ALL": conditions.locale,
        "PYTHONHASHSEED": conditions.hash_seed,
        "PYTHONUTF8": "1",
        **threads,
    }


def own_folders(side: Side) -> tuple[Path, ...]:
    """Where code of this side's own lies: its root, its import roots, and packages that were installed for it alone."""
    return (side.root, *side.roots, *(path for path in side.packages if path not in side.interpreter.packages))


def _temp_root(scratch: Path, side: Side, conditions: Conditions) -> Path:
    """A new folder that nobody else works in: all those of one run have names of one length, but for a perturbation of the path."""
    for number in range(10000):
        path = scratch / f"temp{conditions.temp}" / f"{number:04}" / FOLDERS[side.name]
        try:
            path.parent.mkdir(parents=True)
        except FileExistsError:
            continue
        path.mkdir()
        return path
    raise WorkerError(f"there are 10,000 temp roots below {scratch} already")


class Worker:
    """One process of one side. ``hello`` is what the worker says it obtained."""

    def __init__(
        self,
        side: Side,
        target: Target,
        limits: Limits,
        conditions: Conditions,
        *,
        scratch: Path,
        pycache: Path,
        require: tuple[str, ...] = (),
    ) -> None:
        self.side, self.target, self.limits, self.conditions = side, target, limits, conditions
        self.scratch, self.pycache, self.require = scratch, pycache, require
        self.temp_root = _temp_root(scratch, side, conditions)
        self.hello: Mapping[str, Any] = {}
        self.outbox, self.inbox = bytearray(), bytearray()
        self.frames: deque[list[Fixture]] = deque()
        self.results: deque[RawWire] = deque()
        self.alone: set[str] = set()
        self.together = 1  # fixtures that may share a fork
        self.held = 0  # bytes of the results that are waiting, or more
        self.reached = False
        self.late: dict[str, str] = {}
        self.leaked: dict[str, None] = {}  # what batches left changed in their process
        self.again = 0  # fixtures that the worker ran again alone for that
        self.process = self._start()

    def twin(self, conditions: Conditions) -> Worker:
        """The same side and target in another process."""
        side, target, limits = self.side, self.target, self.limits
        return Worker(side, target, limits, conditions, scratch=self.scratch, pycache=self.pycache, require=self.require)

    def _start(self) -> Child:
        # -S and an explicit path instead of -I, which would drop the hash seed (design, section 7).
        command = [str(self.side.interpreter.executable), "-S", "-s", "-X", f"pycache_prefix={self.pycache}", "-c"]
        command += [BOOT % self.conditions.umask, str(WORKER)]
        try:
            process = Child(command, environment(self.temp_root, self.conditions))
        except OSError as exc:
            raise WorkerError(f"the {self.side.name}'s interpreter {command[0]} does not start: {exc.strerror}") from exc
        setup = {
            "roots": [str(path) for path in self.side.roots],
            "packages": [str(path) for path in self.side.packages],
            "side_root": str(self.side.root),
            "own": [str(path) for path in own_folders(self.side)],
            "run_root": str(self.scratch),
            "temp_root": str(self.temp_root),
            "kind": self.target.kind,
            "entry": self.target.entry,
            "words": list(self.target.command),
            "types": list(self.target.types),
            "adapter": str(self.target.adapter) if self.target.adapter else None,
            "seconds": self.limits.seconds,
            "memory": self.limits.memory_mib << 20,
            "output": self.limits.output_kib << 10,
            "command": command,
            "require": self.require,
            "now": self.conditions.now,
            "seed": self.conditions.seed,
        }
        data = json.dumps(setup).encode()
        _widen(process)
        self.outbox[:] = struct.pack(">I", len(data)) + data
        self.inbox.clear()
        return process

    @property
    def full(self) -> bool:
        """Whether to read no more until the results that are there were taken: the other side is slower."""
        return bool(self.results) and self.held > HELD

    def await_hello(self) -> None:
        """Block until the target is imported. Raises WorkerError with the target's own words where it cannot be."""
        deadline = time.monotonic() + START_SECONDS
        while (frame := self.take_frame()) is None:
            self.push()
            left = deadline - time.monotonic()
            told = select.poll()
            told.register(self.process.reads, select.POLLIN)
            if left <= 0 or not told.poll(1000 * left):
                raise WorkerError(f"the {self.side.name} did not finish importing {self.target.entry} within {START_SECONDS:.0f} s")
            if not self.pull():
                raise WorkerError(f"the {self.side.name} {self.last_words()} while it imported {self.target.entry}")
        try:
            self.hello = json.loads(frame)
        except ValueError as exc:
            raise WorkerError(f"the {self.side.name}'s worker broke the protocol in its first answer") from exc
        if "missing" in self.hello:
            raise SandboxError(self.hello["missing"])
        if "failed" in self.hello:
            raise self._failure()

    def _failure(self) -> WorkerError:
        hello = self.hello
        what = f"the {self.side.name} cannot load {self.target.entry}: {hello['type']}: {hello['msg']}"
        ours = ("<frozen", "importlib/__init__.py", str(WORKER))
        lines = [line.strip() for line in reversed(str(hello.get("trace", "")).splitlines()) if line.lstrip().startswith("File ")]
        lines = [line for line in lines if not any(one in line for one in ours)]
        where = next((line for line in lines if str(self.side.root) in line), lines[0] if lines else "")
        where = where.replace(str(self.side.root), f"<{self.side.name}>")
        remedy = "name it as package.module:callable with --entry or in shadow.toml; import roots come from `[sides] path`"
        if self.target.kind == "command":
            remedy = "mend [[target]] command in shadow.toml: python -m MODULE, python SCRIPT, a console script, or ./PROGRAM in the root"
        elif f"<{self.side.name}>" in where:
            remedy = f"mend it there: the {self.side.name}'s own code fails while it is imported"
        elif self.target.adapter and str(self.target.adapter) in where:
            remedy = f"mend it there: with the {self.side.name} the adapter fails at its import; what one side lacks belongs into a `try`"
        elif self.target.adapter:
            name = self.target.adapter.stem
            remedy = f"an adapter defines `call(target, payload)`, or the entry names a function of its own: {name}:function"
        elif self.side.name == "candidate" and not where:
            remedy = "the baseline has it: the patch renamed, moved or took it away; what is compared keeps its name on both sides"
        kind = str(hello["type"]).rpartition(".")[2]
        if kind == "ModuleNotFoundError" and where and self.side.pin.kind == "requirements":
            remedy = f"add what it imports to {self.side.pin.value}: such a side has nothing but what its file names"
        elif where:
            remedy = _LACKS.get(kind, remedy)
        return WorkerError(what, remedy=f"{where}\n  {remedy}" if where else remedy)

    def send(self, fixtures: list[Fixture], frame: bytes = b"") -> None:
        """Queue one batch; ``frame`` is its request where that was made already."""
        self.frames.append(fixtures)
        self.outbox += frame or request(fixtures, self.together)

    def push(self) -> None:
        """Write what the pipe takes."""
        try:
            while self.outbox:
                del self.outbox[: os.write(self.process.writes, memoryview(self.outbox)[:PIPE])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the death shows on the other pipe
            self.outbox.clear()

    def pull(self) -> bool:
        """Read once; False at the end of the file."""
        length = os.readv(self.process.reads, (_VIEW,))
        self.inbox += _VIEW[:length]
        return length > 0

    def take_frame(self) -> bytes | None:
        """One whole answer, or None."""
        if len(self.inbox) < 4:
            return None
        (length,) = struct.unpack_from(">I", self.inbox)
        if length > LARGEST_FRAME:
            raise WorkerError(f"the {self.side.name}'s worker broke the protocol: a frame of {length} bytes")
        if len(self.inbox) < 4 + length:
            return None
        with memoryview(self.inbox) as view:
            frame = bytes(view[4 : 4 + length])
        del self.inbox[: 4 + length]
        return frame

    def accept(self, frame: bytes) -> None:
        """Cut an answer to a batch, or to its next part, into results. Raises WorkerError where its lengths do not add up."""
        count = int.from_bytes(frame[:4], "little")
        at = 4 + 12 * count
        lengths = struct.unpack_from(f"<{3 * count}I", frame, 4) if len(frame) >= at else ()
        if not lengths or at + sum(lengths) + _END.size > len(frame) or not self.frames or count > len(self.frames[0]):
            raise WorkerError(f"the {self.side.name}'s worker broke the protocol: an answer whose lengths do not add up")
        if count == len(self.frames[0]):
            self.frames.popleft()
        else:
            self.frames[0] = self.frames[0][count:]
        self.held = len(frame) + (self.held if self.results else 0)
        for i in range(0, len(lengths), 3):
            record, out, err = lengths[i : i + 3]
            end = at + record
            self.results.append((frame[at:end], frame[end : end + out], frame[end + out : end + out + err]))
            at = end + out + err
        reached, again, words = _END.unpack_from(frame, at)
        at += _END.size
        self.reached |= reached == 1
        self.again += again
        self.leaked.update(dict.fromkeys(filter(None, frame[at : at + words].decode("ascii", "replace").split(", "))))
        if len(frame) > at + words:
            self._more_modules(frame[at + words :])

    def _more_modules(self, text: bytes) -> None:
        """Modules that fixtures brought in, with their files."""
        try:
            self.late.update({str(name): str(file) for name, file in json.loads(text).items()})
        except (ValueError, AttributeError):
            raise WorkerError(f"the {self.side.name}'s worker broke the protocol: an answer whose lengths do not add up") from None

    def revive(self) -> None:
        """The worker died with batches under way: start another, give it those fixtures one at a time."""
        words = self.last_words()
        fixtures = [fixture for frame in self.frames for fixture in frame]
        guilty = self.frames[0]
        self.frames.clear()
        if len(guilty) == 1 and guilty[0].id in self.alone:
            why = f"the worker itself {words} while this fixture ran alone: the target ended its parent process"
            self.results.append((b'{"out":"error","where":"worker","why":%s}' % json.dumps(why).encode(), b"", b""))
            fixtures = fixtures[1:]
        self.alone.update(fixture.id for fixture in fixtures)
        with held():
            self.stop(kill=True)
            self.process = self._start()
        self.await_hello()
        for fixture in fixtures:
            self.send([fixture])

    def last_words(self) -> str:
        """How the process ended, in words."""
        code = self.process.wait(2)
        if code is None:
            return "closed its side of the protocol"
        if code >= 0:
            return f"exited with status {code}"
        try:
            return f"died of {signal.Signals(-code).name}"
        except ValueError:
            return f"died of signal {-code}"

    def stop(self, *, kill: bool = False) -> None:
        """End the process and whatever it started. By closing its requests, by SIGTERM where ``kill`` is set, in the end by SIGKILL."""
        process = self.process
        process.close_writes()
        if kill:
            process.send(signal.SIGTERM)
        if process.wait(2) is None:
            process.send(signal.SIGTERM)
            process.wait(2)
        process.kill_session()  # children that the target started while it was imported, too
        process.wait()
        process.close_reads()


def request(fixtures: list[Fixture], together: int) -> bytes:
    """The frame that asks for one batch, of which ``together`` fixtures may share a fork; both sides get the same.

    Where each has a fork of its own, long values cross whole (docs/adr/0023).
    """
    flag = WHOLE * (together == 1)
    heads = [_HEAD(_KINDS[one.kind] + flag, len(one.payload)) for one in fixtures]
    body = b"".join([struct.pack("<II", len(fixtures), together), *heads, *[one.payload for one in fixtures]])
    return struct.pack(">I", len(body)) + body


def _widen(process: Child) -> None:
    """Let a whole batch stand in each pipe, so that both ends wake up a few times a batch; ours never blocks on writing."""
    import fcntl

    for pipe in (process.writes, process.reads):
        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
        except (OSError, AttributeError):  # not Linux, or over the user's allowance: slower, no less right
            break
    os.set_blocking(process.writes, False)
