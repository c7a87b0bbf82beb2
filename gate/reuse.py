"""Outcomes of the baseline that an earlier run saw, used again (`compare --reuse`; docs/adr/0025).

    baseline, target, conditions, tools -> key -> file in the cache -> fixture by fixture: known, or run now

Only matches rest on what is reused: whatever differs from it is run again on both sides before it counts. Nothing is kept
of a fixture whose outcome says where the run was, or which hung on a limit of the machine. The file is data of the
user's own cache: each part carries its digest, and what is not whole is not used, with a note. It proves nothing to
anybody else, so it must stay off where the verdict has to be trusted (`--trust-ref`).
"""

from __future__ import annotations

import json
import os
import struct
import time
from collections import deque
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

from gate.config import cache_home
from gate.files import write_atomic
from gate.pins.snapshot import code_digest, copy_file, scan
from gate.runner.process import ENDED, WORKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from gate.runner import Pair, RawWire
    from gate.runner.process import Worker
    from gate.types import Fixture, Settings, Side, Target

FORMAT = 1
PART = 1024  # fixtures
FILES = 8  # so many files stay; the oldest go
LARGEST_PART = 1 << 28
_DIGEST = 32
_LENGTHS = struct.Struct(">II")
# What the hello says of the side's own files or of what the import did is compared afresh in every run.
_FRESH = frozenset({"modules", "import", "stdout", "stderr", "threads"})

Entry = tuple[str, str, "RawWire"]  # fixture id, digest of its bytes, outcome


class Reuse:
    """The outcomes of one target's baseline: read from the file of their key, and gathered anew where it lacks some."""

    def __init__(self, settings: Settings, pair: Pair, scratch: Path) -> None:
        worker = pair.workers[0]
        self.pair, self._whole = pair, not settings.only
        self.file = _folder() / key(settings, worker.side, worker.target, worker.hello)
        self.fixtures = 0
        self.recorded: str | None = None
        self.note: str | None = None
        self._draft_file = scratch / f"reuse-{self.file.name}"
        self._here = {os.fsencode(scratch), json.dumps(str(scratch))[1:-1].encode()}  # as output and as records spell it
        self._draft: _Writer | None = None
        self._stored = self._read(told=True)
        self._next = next(self._stored, None)

    def run(self, fixtures: Iterable[Fixture]) -> Iterator[tuple[Fixture, RawWire, RawWire]]:
        """As ``Pair.run``, but the baseline is asked only what is not known."""
        worker = self.pair.workers[0]
        self.pair.workers[0] = cast("Worker", _Remembering(worker, self))
        try:
            yield from self.pair.run(fixtures)
        finally:
            self.pair.workers[0] = worker

    def save(self) -> None:
        """Put what was gathered in the file's place: once nothing can be wrong any more with the run that saw it."""
        if self._draft is None:
            return
        try:
            data = self._draft.finish(reached=self.pair.workers[0].reached)
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(self.file, data, mode=0o600)
            for old in sorted(self.file.parent.iterdir(), key=_age)[:-FILES]:
                old.unlink(missing_ok=True)
        except OSError as error:
            self.note = f"the outcomes of the baseline could not be kept: {error.strerror}"

    def facts(self) -> dict[str, Any]:
        """For the report."""
        return {"fixtures": self.fixtures, "recorded": self.recorded, "note": self.note}

    def known(self, fixture: Fixture) -> RawWire | None:
        """What the baseline did with this fixture; None where that is to be seen. Asked in the order of ids."""
        while self._next is not None and self._next[0] < fixture.id:
            self._next = next(self._stored, None)
        if self._next is None or self._next[:2] != (fixture.id, fixture.sha256) or not self._next[2][0].startswith(ENDED):
            return None
        self.fixtures += 1
        return self._next[2]

    def seen(self, fixture: Fixture, wire: RawWire, *, new: bool) -> None:
        """Take an outcome down for the next run, once there is one that the file does not have."""
        if new and not (self._whole and wire[0].startswith(ENDED) and not any(here in part for here in self._here for part in wire)):
            return  # a partial run keeps nothing: it would lose the rest
        if self._draft is None and new:  # what was known up to here belongs to it, too
            self._draft = _Writer(self._draft_file)
            for entry in self._read(told=False):
                if entry[0] >= fixture.id:
                    break
                self._draft.add(entry)
        if self._draft is not None:
            self._draft.add((fixture.id, fixture.sha256, wire))

    def _read(self, *, told: bool) -> Iterator[Entry]:
        """Every entry of the file, in the order of ids, as far as it is whole."""
        try:
            with self.file.open("rb") as file:
                head = _head(_part(file))
                if told:
                    self.recorded = head["recorded"]
                    self.pair.workers[0].reached |= head["reached"]
                while (part := _part(file)) is not None:
                    yield from _entries(*part)
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError) as error:
            if told:
                self.note = f"kept outcomes of the baseline are damaged from some place on and were not used from there: {error}"


class _Remembering:
    """Stands for the baseline's worker: what is known is answered at once, in its place among what the worker answers."""

    def __init__(self, worker: Worker, reuse: Reuse) -> None:
        self._worker, self._reuse = worker, reuse
        self._asked: deque[tuple[Fixture, RawWire | None]] = deque()
        self._ready: deque[RawWire] = deque()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._worker, name)

    @property
    def together(self) -> int:
        """As the worker's own."""
        return self._worker.together

    @together.setter
    def together(self, wanted: int) -> None:
        self._worker.together = wanted

    def send(self, fixtures: list[Fixture], frame: bytes = b"") -> None:
        """Queue one batch, or what is not known of it."""
        known = [self._reuse.known(fixture) for fixture in fixtures]
        self._asked.extend(zip(fixtures, known, strict=True))
        unknown = [fixture for fixture, wire in zip(fixtures, known, strict=True) if wire is None]
        if unknown:
            self._worker.send(unknown, frame if len(unknown) == len(fixtures) else b"")

    @property
    def results(self) -> deque[RawWire]:
        """Outcomes in the order of the fixtures, as far as they are there."""
        asked, answers = self._asked, self._worker.results
        while asked and (asked[0][1] is not None or answers):
            fixture, known = asked.popleft()
            wire = answers.popleft() if known is None else known
            self._reuse.seen(fixture, wire, new=known is None)
            self._ready.append(wire)
        return self._ready


def key(settings: Settings, side: Side, target: Target, hello: Mapping[str, Any]) -> str:
    """The name of everything that an outcome of the baseline hangs on, but for the fixture."""
    executable = side.interpreter.executable.stat()
    parts = {
        "format": FORMAT,
        "worker": blake2b(WORKER.read_bytes()).hexdigest(),
        "code": side.code_digest,
        "root": code_digest(scan(side.root), below=("",)),  # data beside the import roots may be read as well
        "facts": {name: value for name, value in side.facts.items() if name != "pin"},
        "packages": [[str(folder), *_listing(folder)] for folder in side.packages],
        "interpreter": [str(side.interpreter.executable), executable.st_size, executable.st_mtime_ns],
        "hello": {name: value for name, value in hello.items() if name not in _FRESH},
        "target": {name: str(value) for name, value in _values(target).items()},
        "adapter": _beside(target.adapter) if target.adapter else None,
        "limits": _values(settings.limits),
        "strict": settings.strict,
        "conditions": _values(settings.conditions),
        "rules": [*settings.rules, "", *settings.gated, "", settings.canonicalize],
    }
    return blake2b(json.dumps(parts, sort_keys=True, default=str).encode(), digest_size=20).hexdigest()


def _beside(adapter: Path) -> list[str]:
    """Digests of an adapter and of what it may read beside itself: code, and in a contract's own folder every file but ledgers."""
    folder, listing = adapter.parent, sorted(adapter.parent.iterdir())
    contract = (folder / "shadow.toml").exists()
    files = [path for path in listing if path.is_file() and (path.suffix == ".py" or (contract and path.suffix != ".yaml"))]
    packages = [path.name for path in listing if path.is_dir() and any(path.glob("*.py"))]
    return [*(f"{path.name} {copy_file(str(path), None)}" for path in files), code_digest(scan(folder, below=packages), below=("",))]


def _values(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def _listing(folder: Path) -> list[tuple[str, int]]:
    """What is installed: an upgrade leaves another name or time. A file that is edited in place does not show."""
    with os.scandir(folder) as found:
        return sorted((entry.name, entry.stat(follow_symlinks=False).st_mtime_ns) for entry in found if entry.name != "__pycache__")


def _folder() -> Path:
    return cache_home() / "outcomes"


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


# -- the file: parts, each of a JSON head and a body, with their lengths and digest -------------------------------


class _Writer:
    """Gathers entries in a file of the scratch folder."""

    def __init__(self, draft: Path) -> None:
        self.file: BinaryIO = draft.open("w+b")
        self.entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        if len(self.entries) == PART:
            self._flush()

    def _flush(self) -> None:
        head = [[name, digest, *map(len, wire)] for name, digest, wire in self.entries]
        self.file.write(_packed(head, b"".join(piece for _, _, wire in self.entries for piece in wire)))
        self.entries.clear()

    def finish(self, *, reached: bool) -> bytes:
        """The whole file."""
        if self.entries:
            self._flush()
        head = {"recorded": datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="seconds"), "reached": reached}
        self.file.seek(0)
        with self.file:
            return _packed(head, b"") + self.file.read() + _LENGTHS.pack(0, 0)


def _packed(head: Any, body: bytes) -> bytes:
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    return _LENGTHS.pack(len(text), len(body)) + blake2b(text + body, digest_size=_DIGEST).digest() + text + body


def _part(file: BinaryIO) -> tuple[Any, bytes] | None:
    """The next part; None at the mark of the end. ``ValueError`` where it is not whole."""
    lengths = file.read(_LENGTHS.size)
    if len(lengths) != _LENGTHS.size:
        raise ValueError("it ends too early")
    head, body = _LENGTHS.unpack(lengths)
    if head == body == 0:
        return None
    if head + body > LARGEST_PART:
        raise ValueError("a part is too large")
    digest, text = file.read(_DIGEST), file.read(head)
    data = file.read(body)
    if blake2b(text + data, digest_size=_DIGEST).digest() != digest:
        raise ValueError("a part does not have its digest")
    return json.loads(text), data


def _head(part: tuple[Any, bytes] | None) -> Mapping[str, Any]:
    head = None if part is None else part[0]
    if not isinstance(head, dict) or not isinstance(head.get("recorded"), str) or not isinstance(head.get("reached"), bool):
        raise ValueError("its head has no shape")  # noqa: TRY004  # one kind for all that is wrong with a file
    return head


def _entries(head: Any, body: bytes) -> Iterator[Entry]:
    """What a part holds. Checked whole before anything of it is used."""
    texts, lengths = [entry[:2] for entry in head], [entry[2:] for entry in head]
    if not all(len(pair) == 2 and type(pair[0]) is type(pair[1]) is str for pair in texts):
        raise ValueError("an entry has no name")
    if not all(len(three) == 3 and all(type(one) is int and one >= 0 for one in three) for three in lengths):
        raise ValueError("an entry has no lengths")
    if sum(map(sum, lengths)) != len(body):
        raise ValueError("its lengths do not add up")
    at = 0
    for (name, digest), (record, out, err) in zip(texts, lengths, strict=True):
        ends = at + record, at + record + out, at + record + out + err
        yield name, digest, (body[at : ends[0]], body[ends[0] : ends[1]], body[ends[1] : ends[2]])
        at = ends[2]
