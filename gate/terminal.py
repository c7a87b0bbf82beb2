"""What commands print, and where: shared by all of them, and free of what a command line needs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def screen_width() -> int:
    """Columns of the terminal, at least 40; 80 where there is none."""
    if not sys.stdout.isatty():
        return 80
    import shutil

    return max(40, shutil.get_terminal_size((80, 24)).columns)


def emit(text: str) -> None:
    """Print text that may hold what the terminal's encoding cannot: such characters are escaped, never lost.

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


def payload_shower(public: Callable[[str], str]) -> Callable[[str], str]:
    """How payloads are shown: escaped, or, where logs are public, by ``public``."""
    from gate.canonical.visible_json import escape
    from gate.config import is_ci

    return public if is_ci() else escape
