"""``shadow signoff``: a named person decides each unclassified divergence of a report, on a terminal.

    terminal? no CI, no agent? -> report, ledger -> a sitting (``session``) -> exit code

Advice is computed here from the report; ``out/advice.json`` is never read, whatever it claims. This is the one module that
knows both the rules and the sitting, and it hands the sitting a function that answers with words to show.

A terminal proves nothing: a program can drive one. The checks here are for honesty; what a row must show to count is
``[trust] require``, which the gate checks. Source: design, section 11; the sign-off study, 4.10.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from gate.config import environ
from gate.errors import EXIT_INTERRUPTED, ReportError, SameSidesError, SideError
from prelabel import terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gate.report.model import Entry, Report
    from prelabel.sitting import Revealed


def run(*, report_path: Path, as_name: str | None, cwd: Path) -> int:
    """The whole command; its exit code. Refusals and faults are raised, an interrupt is 130 with the draft kept."""
    around = environ()
    terminal.refuse_if_unattended(variables=[name for name in (around.ci(), around.agent()) if name])
    with terminal.open_terminal(around.variables, sys.stdout.encoding) as screen:
        from gate.dual_run import rerun
        from gate.report.read import read_report
        from prelabel.session import Session
        from prelabel.work import plan

        report = read_report(report_path)
        check_tree(report)
        session = Session(screen=screen, work=plan(report, report_path), report=report, advise=adviser(report), rerun=rerun)
        try:
            return session.run(as_name=as_name, cwd=cwd)
        except (KeyboardInterrupt, terminal.HungUpError):
            session.interrupted()
            return EXIT_INTERRUPTED


def check_tree(report: Report) -> None:
    """Raise ReportError where the report is about other code than what stands here: nobody decides rows that cannot be written.

    Where the sides cannot be had here at all, the sitting says so itself.
    """
    from gate.config import settings_from_json
    from gate.dual_run import code_digests

    try:
        now = code_digests(settings_from_json(report.run.get("settings") or {}))
    except SameSidesError as error:
        raise ReportError(f"this report is about other code than what stands here: {error.what}") from error
    except (SideError, OSError):
        return
    for name, side, digest in zip(("baseline", "candidate"), (report.baseline, report.candidate), now, strict=True):
        if side.get("digest") != digest:
            what = f"this report is about another {name} than the one that stands here now"
            raise ReportError(what, remedy="run `shadow compare` again, then sign off")


def adviser(report: Report) -> Callable[[Entry], Revealed]:
    """What the rules say of one divergence of the report, in the words that are shown."""
    from prelabel.advise import advise
    from prelabel.sitting import Revealed

    def reveal(entry: Entry) -> Revealed:
        one = advise(replace(report, divergences=(entry,)))[0]
        return Revealed(label=one.label, rule=one.rule, reason=one.reason, source=one.source)

    return reveal
