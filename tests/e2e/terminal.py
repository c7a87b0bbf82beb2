"""A program on a real pseudo-terminal of its own, driven as a person would: wait for a question, type a line."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.covered import VARIABLES

SHADOW = Path(sys.executable).with_name("shadow")
KEPT = ("PATH", "HOME", "TMPDIR", "PYTHONPATH")


def environment(**more):
    """Only what a plain login shell would have, so that neither CI nor an agent shows through."""
    return {name: os.environ[name] for name in KEPT if name in os.environ} | {"TERM": "xterm", "LANG": "C.UTF-8"} | VARIABLES | more


class Terminal:
    """Use as a context manager. ``said`` is everything that was printed."""

    def __init__(self, *argv, cwd, env=None, wait=30):
        self.said, self._seen, self._wait = "", 0, wait
        self._main, side = pty.openpty()
        self.process = subprocess.Popen(
            [str(one) for one in argv],
            cwd=cwd,
            env=env or environment(),
            stdin=side,
            stdout=side,
            stderr=side,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  # one call, and the tests start no threads
        )
        os.close(side)
        self._bytes = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._main)

    def expect(self, text):
        """Read until ``text`` has been printed behind what was expected before."""
        end = time.monotonic() + self._wait
        while (at := self.said.find(text, self._seen)) < 0:
            assert self._read(end - time.monotonic()), f"{text!r} did not come; the screen:\n{self.said}"
        self._seen = at + len(text)
        return self

    def type(self, line):
        os.write(self._main, line.encode() + b"\n")
        return self

    def answer(self, question, line):
        return self.expect(question).type(line)

    def interrupt(self):
        """Ctrl-C."""
        os.write(self._main, b"\x03")
        return self

    def hang_up(self):
        """End of file, as Ctrl-D at the start of a line."""
        os.write(self._main, b"\x04")
        return self

    def end(self):
        """The exit code, once everything was read."""
        stop = time.monotonic() + self._wait
        while self._read(stop - time.monotonic()):
            pass
        return self.process.wait(self._wait)

    def _read(self, seconds):
        if seconds <= 0 or not select.select([self._main], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._main, 65536)
        except OSError:  # the other end is closed
            return False
        self._bytes += piece
        self.said = self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(piece)


def escapes(text):
    """Control sequences in what was printed."""
    return re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text.replace("^C", ""))
