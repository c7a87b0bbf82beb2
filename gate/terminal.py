"""What commands print, and where: shared by all of them, and free of what a command line needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.report.model import Entry, Report


class Reader:
    """How things are shown to whoever reads them here. This one is a person at their own machine: all is shown as it is.

    Where everybody reads, the composed app gives another one; the gate has no redaction of its own.
    """

    def text(self, text: str) -> str:
        """A text of the target, the corpus or the ledger, fit for a terminal."""
        from gate.canonical.visible_json import escape

        return escape(text)

    def change(self, path: str) -> str:
        """A changed place with both of its values, which may have been cut: ``pointer: baseline -> candidate``."""
        return self.text(path)

    def entry(self, entry: Entry) -> Entry:
        """One divergence, everything of it hidden that must not be read here."""
        return entry

    def report(self, report: Report) -> Report:
        """The same of a whole report."""
        return report

    def leaving(self, piece: str) -> str:
        """A piece of that report's JSON on its way out, unchanged; raises where something still shows in it."""
        return piece


class _Out:
    """Where ``emit`` leads; one a process, as standard output is."""

    through: Callable[[str], str] | None = None


def publish_through(look: Callable[[str], str] | None) -> None:
    """From now on everybody reads what is printed: ``look`` gives what may be, or raises."""
    _Out.through = look


def screen_width() -> int:
    """Columns of the terminal, at least 40; 80 where there is none."""
    if not sys.stdout.isatty():
        return 80
    import shutil

    return max(40, shutil.get_terminal_size((80, 24)).columns)


def emit(text: str) -> None:
    """Print text; where everybody reads it, what may be read."""
    write_out(text if _Out.through is None else _Out.through(text))


def write_out(text: str) -> None:
    """Print text as it is, which may hold what the terminal's encoding cannot: such characters are escaped, never lost.

    A reader that went away, or a full disk behind a redirect, changes no exit code: what was decided stays decided.
    """
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + ("" if text.endswith("\n") else "\n"))
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def shown_path(path: Path) -> str:
    """A path as a user would type it here."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)


def reader(public: Callable[[str | None], Reader], config: str | None = None) -> Reader:
    """Who reads here: everybody where logs are public, so ``public``, which is given what ``--config`` says; else one person."""
    from gate.config import is_ci

    return public(config) if is_ci() else Reader()
