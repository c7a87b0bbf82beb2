"""`shadow compare` behind its flags: settings, the run, the report, the screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import settings
from gate.dual_run import run
from gate.interrupt import once
from gate.progress import progress
from gate.report.screen import render
from gate.report.write import replacing, write_report
from gate.terminal import emit, payload_shower, screen_width, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.config import Flags


def compare(flags: Flags, *, quiet: bool, public: Callable[[str], str]) -> int:
    """The exit code of one comparison, after its report and screen. ``public`` shows a payload where everybody reads it."""
    resolved = settings(flags=flags, cwd=Path.cwd())
    with once(), replacing(resolved.report):
        with progress(quiet=quiet) as told:
            result = run(resolved, command=["shadow", *sys.argv[1:]], progress=told)
        write_report(result, resolved.report)
    if not quiet:
        emit(render(result, show=payload_shower(public), width=screen_width(), report_path=shown_path(resolved.report)))
    return result.exit_code()
