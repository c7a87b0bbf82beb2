"""Where ``shadow demo`` plays: a folder, a git repository in it, and an environment that is built, not inherited.

Neither the user's git configuration nor a CI variable reaches a command that runs here, and nothing outside the folder is
written. What a command prints is what is shown; long output is cut, and says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import environ
from gate.errors import EXIT_BUG, EXIT_PASS, SideError, UsageError
from gate.process import find_program
from gate.terminal import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gate.report.model import Report

WIDTH = 80


class UnexpectedError(Exception):
    """A step of the demo did not come out as it was announced."""


@dataclass(slots=True)
class Stage:
    """Where the demo plays: the example's repository, the environment of every command, and the number of the next step."""

    project: Path
    variables: Mapping[str, str]
    number: int = field(default=0)

    def step(self, title: str, *lines: str) -> None:
        """A heading, and what happens in this step."""
        self.number += 1
        emit(f"\n== {self.number}. {title} {'=' * (WIDTH - 7 - len(title))}")
        for line in lines:
            emit(line)

    def shadow(self, *arguments: str, code: int = EXIT_PASS, head: int = 0, whole: bool = False) -> str:
        """Run one command of shadow, show it and what it prints.

        Long lines are folded at blanks, unless ``whole``; with ``head``, only so many lines and the last are shown.
        """
        emit(f"\n$ shadow {' '.join(arguments)}")
        done = self._run(sys.executable, "-P", "-m", "prelabel", *arguments)
        text = (done.stdout + done.stderr).rstrip("\n")
        lines = [part for line in text.split("\n") for part in ([line] if whole else _folded(line))]
        if head and len(lines) > head + 2:
            last = _folded(text.rpartition("\n")[2])
            lines = [*lines[:head], f"[.. {len(lines) - head - len(last)} more lines ..]", *last]
        emit("\n".join(lines))
        if done.returncode == EXIT_BUG:  # the file that the message names goes with the scratch folder; it quotes the example only
            for trace in Path(self.variables["TMPDIR"]).glob("shadow-bug-*.txt"):
                print(trace.read_text("utf-8"), file=sys.stderr)
        expect(done.returncode == code, f"`shadow {' '.join(arguments)}` ended with {done.returncode}, not with {code}")
        return text

    def git(self, *arguments: str) -> str:
        """Run git in the example's repository, unseen."""
        done = self._run("git", *arguments)
        expect(done.returncode == 0, f"`git {' '.join(arguments)}`: {done.stderr.strip()}")
        return done.stdout.removesuffix("\n")

    def commit(self, message: str) -> None:
        """Commit everything that lies in the repository."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def tests(self) -> None:
        """The example's own tests, which must pass before and after the patch."""
        emit("\n$ python -m unittest")
        done = self._run(sys.executable, "-B", "-m", "unittest", more={"PYTHONPATH": ""})
        lines = done.stderr.split("\n")
        emit("\n".join(line.partition(" in ")[0] for line in lines if line.startswith(("Ran ", "OK", "FAILED", "ERROR"))))
        expect(done.returncode == 0 and "OK" in lines, f"the example's own tests fail:\n{done.stderr}")

    def report(self) -> Report:
        """What `shadow compare` wrote."""
        from gate.report.read import read_report

        return read_report(self.out / "report.json")

    @property
    def out(self) -> Path:
        """Where shadow puts its results."""
        return self.project / "shadow" / "out"

    def _run(self, *command: str, more: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        env = {**self.variables, **(more or {})}
        return subprocess.run(
            command,
            cwd=self.project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
        )


@contextmanager
def open_stage(keep: Path | None) -> Iterator[Stage]:
    """A folder for the example, and one beside it, always temporary, for whatever its commands keep elsewhere."""
    if find_program("git", environ().variables.get("PATH", "")) is None:
        raise SideError("git was not found, and the demo needs a repository", remedy="install git, then run `shadow demo` again")
    with tempfile.TemporaryDirectory(prefix="shadow-demo-") as name:
        scratch = Path(name).resolve()
        project = scratch / "pricelabel" if keep is None else keep.resolve()
        try:
            project.mkdir(parents=True)
        except FileExistsError:
            raise UsageError(f"{keep} is already there", remedy="name a new folder: `shadow demo --keep DIR`") from None
        except OSError as error:
            raise UsageError(f"{keep} cannot be made: {error.strerror}", remedy="name a new folder: `shadow demo --keep DIR`") from None
        for folder in ("home", "tmp"):
            (scratch / folder).mkdir()
        yield Stage(project=project, variables=_variables(scratch))


def _variables(scratch: Path) -> dict[str, str]:
    """The environment of every command. A fixed author and date make the example's commits the same everywhere."""
    person = {"NAME": "Example Author", "EMAIL": "author@example.org", "DATE": "2026-09-05T12:00:00+0000"}
    return {
        "PATH": environ().variables.get("PATH", ""),
        "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        **{f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER") for what, text in person.items()},
    }


def _folded(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def expect(holds: object, otherwise: str) -> None:
    """Stop the demo, red, unless this holds."""
    if not holds:
        raise UnexpectedError(otherwise)
