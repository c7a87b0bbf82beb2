"""A worker's process: started in a session of its own with a pipe to it and one from it, and waited for.

`subprocess` takes longer to import than a short run's workers take to start.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN = (signal.SIGPIPE, signal.SIGXFSZ)  # Python ignores them, and a child would inherit that
_LONGEST_NAP = 0.05
_FOR_EVER = float("inf")


class Child:
    """One process. ``writes`` leads to its stdin, ``reads`` comes from its stdout; its stderr goes nowhere."""

    def __init__(self, argv: list[str], env: Mapping[str, str]) -> None:
        requests, self.writes = os.pipe()
        self.reads, answers = os.pipe()
        theirs = (requests, answers, os.open(os.devnull, os.O_WRONLY))
        actions = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(theirs)]
        self.code: int | None = None
        try:
            self.pid = os.posix_spawn(argv[0], argv, env, file_actions=actions, setsid=True, setsigdef=_PLAIN)
        except OSError:
            self.close_writes()
            self.close_reads()
            raise
        finally:
            for file in theirs:
                os.close(file)

    def wait(self, seconds: float = _FOR_EVER) -> int | None:
        """Its exit code, that of a signal negative; None where it has not ended within ``seconds``."""
        end, nap = time.monotonic() + seconds, 0.0005
        while self.code is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # a signal came when its end was known already
                pid, status = self.pid, 0
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif (left := end - time.monotonic()) <= 0:
                break
            else:
                nap = min(2 * nap, left, _LONGEST_NAP)
                time.sleep(nap)
        return self.code

    def send(self, number: int) -> None:
        """A signal, to it alone."""
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill_session(self) -> None:
        """SIGKILL to all that it has started, and to itself."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def close_writes(self) -> None:
        """It sees the end of its requests."""
        self.writes = _closed(self.writes)

    def close_reads(self) -> None:
        """Nothing more is read of it."""
        self.reads = _closed(self.reads)


def _closed(file: int) -> int:
    if file >= 0:
        os.close(file)
    return -1
