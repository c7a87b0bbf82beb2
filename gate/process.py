"""Runs one helper program (git, pip, uv, an interpreter) to its end, and leaves none behind.

Every child gets a session of its own: a Ctrl-C on the terminal reaches only us, and we kill the child with all that it
started before the interrupt goes on. The environment is always given, never inherited by accident. Targets are not run
here (``gate.runner`` does that).
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LINES = 6
_WIDTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A program that ended. A negative code is the signal that ended it."""

    code: int
    stdout: bytes
    stderr: bytes

    def text(self) -> str:
        """What it printed, without the last newline; undecodable bytes survive."""
        return os.fsdecode(self.stdout).removesuffix("\n")

    def words(self) -> str:
        """What it said of its failure, short enough for a terminal: its `error` and `fatal` lines, else its last ones."""
        lines = [line.strip() for line in (self.stderr or self.stdout).decode("utf-8", "replace").splitlines() if line.strip()]
        told = [line for line in lines if line.lower().startswith(("error", "fatal", "\N{MULTIPLICATION SIGN}"))] or lines
        if (end := next((at for at, line in enumerate(lines) if "[end of output]" in line), 0)) > 0:
            told = lines[:end]  # of a build that pip ran: the reason stands at its end
        return "\n  ".join(line[:_WIDTH] for line in told[-_LINES:]) or f"it ended with {self.code} and said nothing"


def run(argv: Sequence[str | Path], *, env: Mapping[str, str], stdin: bytes = b"", seconds: float | None = None) -> Done:
    """Run ``argv`` and wait for it. ``FileNotFoundError`` and ``PermissionError`` mean that it could not start.

    ``TimeoutError``: it was killed after ``seconds``, where the system can wait for so long (Linux).
    """
    inlet, outlet, errors = (_memory() for _ in range(3))
    try:
        _fill(inlet, stdin)
        code = _run([os.fspath(part) for part in argv], env, (inlet, outlet, errors), seconds)
        return Done(code=code, stdout=_content(outlet), stderr=_content(errors))
    finally:
        for file in (inlet, outlet, errors):
            os.close(file)


def _run(argv: list[str], env: Mapping[str, str], files: tuple[int, int, int], seconds: float | None) -> int:
    """Start a program in a session of its own and wait for it.

    Signals are held back while it starts and let in under the guard below: one in between would leave a child that nobody
    knows. ``subprocess`` has that gap, and takes longer to import than most of our commands take to run.
    """
    start = os.posix_spawn if os.sep in argv[0] else os.posix_spawnp
    actions = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(files)]
    plain = (signal.SIGPIPE, signal.SIGXFSZ)  # Python ignores them, and a child would inherit that
    child = 0
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    ignored = _ends_are_told()
    try:
        child = start(argv[0], argv, dict(env), file_actions=actions, setsid=True, setsigmask=before, setsigdef=plain)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if seconds is not None:
            _await(child, seconds)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except BaseException:
        if child:
            kill_session(child)
            with suppress(ChildProcessError):  # the signal came when its end was known already
                os.waitpid(child, 0)
        raise
    finally:
        if ignored:
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _await(child: int, seconds: float) -> None:
    """Until a child has ended; it is not reaped. Raises TimeoutError."""
    if not hasattr(os, "pidfd_open"):
        return
    from select import select

    told = os.pidfd_open(child)
    try:
        if not select([told], [], [], seconds)[0]:
            raise TimeoutError(f"it did not end within {seconds:g} s")
    finally:
        os.close(told)


def _ends_are_told() -> bool:
    """Whether SIGCHLD was ignored (a program that starts us may leave it so) and no longer is.

    While it is, the kernel forgets how a child ended. Only the main thread may change that.
    """
    if signal.getsignal(signal.SIGCHLD) is not signal.SIG_IGN:
        return False
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    except ValueError:
        return False
    return True


def _memory() -> int:
    """An empty file without a name. Files and not pipes: no deadlock, and a grandchild that lives on keeps nobody waiting."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("shadow")
    from tempfile import TemporaryFile

    with TemporaryFile() as file:
        return os.dup(file.fileno())


def _fill(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.lseek(file, 0, os.SEEK_SET)


def _content(file: int) -> bytes:
    size, parts, at = os.fstat(file).st_size, [], 0
    while at < size and (piece := os.pread(file, size - at, at)):
        parts.append(piece)
        at += len(piece)
    return b"".join(parts)


def kill_session(leader: int) -> None:
    """Kill every process of the session that ``leader`` opened, itself included."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def find_program(name: str, path: str) -> Path | None:
    """The first executable ``name`` on ``path`` (the text of ``PATH``); ``shutil.which`` without the weight of shutil."""
    from pathlib import Path

    for folder in path.split(os.pathsep):
        file = Path(folder) / name
        if folder and file.is_file() and os.access(file, os.X_OK):
            return file
    return None
