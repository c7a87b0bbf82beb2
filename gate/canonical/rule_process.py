"""The processes in which the functions of ``canonicalize.py`` run: never ours, which decides, and never a side's.

Each answer comes from two processes that differ in their hash seed and are asked in opposite order; a function whose
answer hangs on either is at fault. What they say is data: length-checked, shape-checked, parsed by the strict reader.
``rule_child.py`` is what runs in them, and its docstring is the protocol.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import struct
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.canonical.visible_json import parse, visible_raw
from gate.errors import RuleError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gate.types import Place

CHILD = Path(__file__).with_name("rule_child.py")
HASH_SEEDS = ("0", "1001")
START_SECONDS = 20.0
LAST_WORDS_SECONDS = 2.0
LARGEST_ANSWER = 1 << 26
# Answers about short texts are kept: confirming a divergence asks the same again, and `collecting` asks ahead.
_KEPT, _SHORT = 1 << 14, 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What both processes are started with. ``name`` is how messages call the file, ``folder`` an empty one to work in."""

    interpreter: Path
    name: str
    source: bytes
    folder: Path
    seconds: float
    memory: int


class _EndedError(Exception):
    """The process is no longer of use; the text says why."""


class _Process:
    """One process, started and told the file. ``hello`` is what the file registered."""

    def __init__(self, setup: Setup, hash_seed: str) -> None:
        self.setup = setup
        command = [str(setup.interpreter), "-S", "-s", "-B", str(CHILD)]
        home = str(setup.folder)
        env = {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env=env | {"PYTHONHASHSEED": hash_seed},
                start_new_session=True,
                bufsize=0,
            )
        except OSError as exc:
            raise WorkerError(f"{command[0]} does not start for {setup.name}: {exc.strerror}") from exc
        assert self.process.stdin is not None  # noqa: S101  # asked for above
        assert self.process.stdout is not None  # noqa: S101
        self.inlet, self.outlet = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.inlet, False)
        try:
            head = json.dumps({"name": setup.name, "memory": setup.memory, "seconds": setup.seconds}).encode()
            deadline = time.monotonic() + START_SECONDS + setup.seconds
            self.send(head, deadline)
            self.send(setup.source, deadline)
            self.hello = self.receive(deadline)
        except BaseException:
            self.kill()
            raise

    def send(self, data: bytes, deadline: float) -> None:
        """Write one frame."""
        rest = memoryview(struct.pack(">I", len(data)) + data)
        while rest:
            self._wait(self.inlet, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self.inlet, rest) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise _EndedError(self._words()) from None

    def receive(self, deadline: float) -> dict[str, Any]:
        """Read one answer."""
        (length,) = struct.unpack(">I", self._exactly(4, deadline))
        if length > LARGEST_ANSWER:
            raise _EndedError(f"answered with {length} bytes; at most {LARGEST_ANSWER} are read")
        try:
            answer = json.loads(self._exactly(length, deadline))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise _EndedError("broke the protocol: an answer that is no object")
        return answer

    def kill(self) -> None:
        """End the process and whatever it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def _exactly(self, length: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < length:
            self._wait(self.outlet, select.POLLIN, deadline)
            part = os.read(self.outlet, min(length - len(data), 1 << 20))
            if not part:
                raise _EndedError(self._words())
            data += part
        return bytes(data)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        poller = select.poll()
        poller.register(descriptor, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poller.poll(left * 1000):
            raise _EndedError("ran into the time limit ([limits] seconds)")

    def _words(self) -> str:
        try:
            code = self.process.wait(LAST_WORDS_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its process's end of the protocol"
        return f"ended its process with status {code}" if code >= 0 else f"ended its process by signal {-code}"


class Runner:
    """Asks the functions of one file. Close it: its processes live until then."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._processes: list[_Process] = []
        self._known: dict[tuple[int, str], Any] = {}
        self._broken: dict[int, str] = {}
        self._wanted: dict[tuple[int, str], Any] | None = None
        self._singly: set[int] = set()

    def load(self) -> Mapping[str, Any]:
        """What the file registers, as ``rule_child.py`` says it. Raises RuleError where it comes to no end."""
        hello = self._started(1)[0].hello
        if not _is_hello(hello):
            raise RuleError(f"{self.setup.name} broke the protocol: what it registers has no shape")
        return hello

    def ask(self, rule: int, name: str, place: Place, values: Sequence[Any]) -> list[Any]:
        """The new value of each. Raises RuleError, and again for every further question where the function cost a process."""
        try:
            return self._ask(rule, values)
        except _EndedError as exc:
            self.close()
            self._broken[rule] = str(exc)
            what = str(exc)
        except _FaultError as exc:
            what = str(exc)
        raise RuleError(f"rule {name} {what}", place=place)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Within, questions get their own values for answers; at its end all of them are asked at once, and the answers kept.

        A group on which a function fails says nothing: its questions will be asked one at a time, to see what failed on which.
        """
        self._wanted = {}
        try:
            yield
        finally:
            wanted, self._wanted = self._wanted, None
        for rule in dict.fromkeys(rule for rule, _ in wanted):
            mine = {key: value for key, value in wanted.items() if key[0] == rule}
            try:
                self._keep(dict(zip(mine, self._answers(rule, list(mine.values())), strict=True)))
            except _EndedError:
                self.close()
                self._singly.add(rule)
            except _FaultError:
                continue

    def close(self) -> None:
        """End both processes; the next question starts others."""
        while self._processes:
            self._processes.pop().kill()

    def _ask(self, rule: int, values: Sequence[Any]) -> list[Any]:
        if rule in self._broken:
            raise _FaultError(self._broken[rule])
        keys = [(rule, visible_raw(value)) for value in values]
        unknown = {key: value for key, value in zip(keys, values, strict=True) if key not in self._known}
        if self._wanted is not None:
            if rule not in self._singly:
                self._wanted |= {key: value for key, value in unknown.items() if len(key[1]) <= _SHORT}
            return [self._known.get(key, value) for key, value in zip(keys, values, strict=True)]
        fresh = dict(zip(unknown, self._answers(rule, list(unknown.values())), strict=True)) if unknown else {}
        made = [fresh[key] if key in fresh else self._known[key] for key in keys]
        self._keep(fresh)
        return made

    def _keep(self, fresh: Mapping[tuple[int, str], Any]) -> None:
        if len(self._known) > _KEPT:
            self._known.clear()
        self._known |= {key: value for key, value in fresh.items() if len(key[1]) <= _SHORT}

    def _answers(self, rule: int, values: list[Any]) -> list[Any]:
        try:
            questions = [json.dumps({"rule": rule, "values": values, "turned": turned}).encode() for turned in (False, True)]
        except RecursionError:
            raise _FaultError("cannot be asked about a value nested so deep") from None
        processes = self._started(len(HASH_SEEDS))
        deadline = time.monotonic() + self.setup.seconds
        for process, question in zip(processes, questions, strict=True):
            process.send(question, deadline)
        answers = [process.receive(deadline) for process in processes]  # all of them, or the next question would get an old one
        one, other = (_texts(answer, len(values)) for answer in answers)
        for text, differs in zip(one, other, strict=True):
            if text != differs:
                raise _FaultError(f"does not always give the same answer: {text[:100]} and {differs[:100]}")
        try:
            return [parse(text) for text in one]
        except ValueError as exc:
            raise _FaultError(f"returned no JSON: {exc}") from None

    def _started(self, count: int) -> list[_Process]:
        while len(self._processes) < count:
            try:
                self._processes.append(_Process(self.setup, HASH_SEEDS[len(self._processes)]))
            except _EndedError as exc:
                self.close()
                raise RuleError(f"{self.setup.name} {exc} while it was loaded") from None
        if any(process.hello != self._processes[0].hello for process in self._processes):
            self.close()
            raise RuleError(f"{self.setup.name} does not register the same rules every time it is loaded")
        return self._processes


class _FaultError(Exception):
    """What a function did that makes its answer useless; the text says it."""


_ENTRY = {"line": int, "names": list, "options": dict, "applied": bool, "takes_one": bool}


def _is_hello(said: Mapping[str, Any]) -> bool:
    """Is this what ``rule_child.py`` says of a file? The file ran in that process and may have spoken in its name."""
    rules, failed = said.get("rules"), said.get("failed", "")
    if not isinstance(rules, list) or not isinstance(failed, dict | None):
        return False
    whole = failed is None or (isinstance(failed.get("what"), str) and isinstance(failed.get("line"), int | None))
    return whole and all(isinstance(one, dict) and all(type(one.get(key)) is kind for key, kind in _ENTRY.items()) for one in rules)


def _texts(answer: Mapping[str, Any], count: int) -> list[str]:
    if isinstance(answer.get("what"), str):
        raise _FaultError(answer["what"])
    texts = answer.get("texts")
    if not isinstance(texts, list) or len(texts) != count or not all(isinstance(text, str) for text in texts):
        raise _EndedError("broke the protocol: not one answer for each question")
    return texts
