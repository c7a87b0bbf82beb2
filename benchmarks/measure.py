"""Runs one command and says what it cost: CPU and memory as the kernel counted them (`os.wait4`).

CPU is user and system time of the command and of all it waited for. It bears a busy machine far better than wall time.
The peak is that of the largest single process; a child starts from its parent's size, so this process must stay small.
"""

import os
import shlex
import signal
import statistics
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SECONDS = 900  # then a command is killed, and ends with -9


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    cpu: float
    wall: float
    peak_mb: float
    code: int

    def __add__(self, other):
        return Cost(
            cpu=self.cpu + other.cpu, wall=self.wall + other.wall, peak_mb=max(self.peak_mb, other.peak_mb), code=max(self.code, other.code)
        )


class FailedError(Exception):
    """A command did not end as it must: there is nothing to measure."""


def environment(home: Path):
    """Without what would change a run: Python's own variables, continuous integration, the user's caches."""
    home.mkdir(parents=True, exist_ok=True)
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "LC_ALL": "C.UTF-8", "TMPDIR": str(home)}


def run(command, *, env, stdout: Path, codes=(0,)):
    """The cost of one command, whose output goes to a file."""
    flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY
    errors = stdout.with_suffix(".err")
    redirect = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(stdout), flags, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, str(errors), flags, 0o600),
    ]
    start = time.monotonic()
    pid = os.posix_spawnp(command[0], [str(part) for part in command], env, file_actions=redirect, setpgroup=0)
    timer = threading.Timer(SECONDS, os.killpg, (pid, signal.SIGKILL))
    timer.start()
    try:
        _, status, used = os.wait4(pid, 0)
        wall = time.monotonic() - start
    except BaseException:
        os.killpg(pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()
    code = os.waitstatus_to_exitcode(status)
    if code not in codes:
        said = errors.read_text(encoding="utf-8", errors="replace").strip()[-600:]
        raise FailedError(f"`{shlex.join(map(str, command))}` ended with {code}: {said or 'no message'}")
    return Cost(cpu=used.ru_utime + used.ru_stime, wall=wall, peak_mb=used.ru_maxrss / 1024, code=code)


def median(values):
    return statistics.median(list(values))
