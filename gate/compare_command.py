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
from gate.report.write import public_path, replacing, write_report
from gate.terminal import Reader, emit, reader, screen_width, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.config import Flags


def compare(flags: Flags, *, quiet: bool, public: Callable[[str | None], Reader]) -> int:
    """The exit code of one comparison, after its report and screen. ``public`` gives how things are shown where everybody reads."""
    resolved = settings(flags=flags, cwd=Path.cwd())
    # Before anything runs: what is missing for it is said at once.
    here = None if quiet else reader(public, flags.config)
    everybody = public(flags.config) if flags.redact else Reader()
    beside = public_path(resolved.report, wanted=flags.redact)
    with once(), replacing(resolved.report, *beside):
        with progress(quiet=quiet) as told:
            result = run(resolved, command=["shadow", *sys.argv[1:]], progress=told)
        write_report(result, resolved.report)
        for path in beside:  # that of an earlier run is about other inputs
            path.unlink(missing_ok=True)
    if here is not None:
        emit(render(result, reader=here, width=screen_width(), report_path=shown_path(resolved.report)))
    for path in beside if flags.redact else ():
        write_report(everybody.report(result), path, leaving=everybody.leaving)
        if here is not None:
            emit(f"wrote {shown_path(path)}: redacted, for others to read")
    return result.exit_code()
