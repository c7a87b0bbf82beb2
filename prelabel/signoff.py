"""``shadow signoff``: a named person decides each unclassified divergence of a report, on a terminal.

    terminal? no CI, no agent? -> report, ledger -> a sitting (``session``) -> exit code

Advice is computed here from the report; ``out/advice.json`` is never read, whatever it claims. This is the one module that
knows both the rules and the sitting, and it hands the sitting a function that answers with words to show.

A terminal proves nothing: a program can drive one. The checks here are for honesty; what a row must show to count is
``[trust] require``, which the gate checks. Source: design, section 11; the sign-off study, 4.10.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gate.config import environ
from gate.errors import EXIT_INTERRUPTED, ReportError, SameSidesError, SideError
from gate.types import replace
from prelabel import policy, terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gate.report.model import Entry, Report
    from gate.types import Pin
    from prelabel.sitting import Revealed


def run(*, report_path: Path, as_name: str | None, cwd: Path) -> int:
    """The whole command; its exit code. Refusals and faults are raised, an interrupt is 130 with the draft kept."""
    around = environ()
    terminal.refuse_if_unattended(variables=[name for name in (around.ci(), around.agent()) if name])
    with terminal.open_terminal(around.variables, sys.stdout.encoding) as screen:
        from gate.dual_run import rerun
        from gate.report.read import read_raw_report
        from prelabel.session import Session
        from prelabel.work import plan

        report = read_raw_report(report_path)
        check_contract(report, cwd)
        check_tree(report)
        known = policy.local()
        work = plan(report, report_path)
        session = Session(screen=screen, work=work, report=report, advise=adviser(report), rerun=rerun, policy=known)
        try:
            return session.run(as_name=as_name, cwd=cwd)
        except (KeyboardInterrupt, terminal.HungUpError):
            session.interrupted()
            return EXIT_INTERRUPTED


def check_contract(report: Report, cwd: Path) -> None:
    """Raise ReportError where the report was not made under the contract that stands here: sign-off runs by the report's settings.

    The contract is the ``shadow/`` folder at or above ``cwd``, else the one that the report names; by flags alone there is none.
    """
    from gate.config import Flags, find_folder, settings, settings_from_json

    made = settings_from_json(report.run.get("settings") or {})
    here = find_folder(cwd)
    if here is None and (made.folder is None or not (made.folder / "shadow.toml").is_file()):
        return
    folder = here or made.folder
    if made.folder is None or folder is None or made.folder.resolve() != folder.resolve():
        raise _other(
            "the shadow.toml that stands here was not the one of this report", "run `shadow compare` again, in the folder of its project"
        )
    # Only these can come from flags; everything else is compared as the contract says it.
    pinned = any((folder / name).exists() for name in ("BASELINE_SHA", "BASELINE_WHEEL.sha256"))
    now = settings(
        flags=Flags(
            config=str(folder / "shadow.toml"),
            baseline=None if pinned else str(made.baseline),
            candidate=str(made.candidate) if made.candidate.kind != "tree" else None,
        ),
        cwd=cwd,
    )
    if not report.config.get("digest") == made.config_digest == now.config_digest:
        raise _other("shadow.toml was changed since this report")
    if made.canonicalize != now.canonicalize:
        raise _other("canonicalize.py was changed since this report")
    for name in ("gated", "rules", "require", "side_paths", "requirements"):
        if getattr(made, name) != getattr(now, name):
            raise _other(f"the settings in this report are not those of shadow.toml (`{name}`)")
    if pinned and (
        _mark(made.baseline) != _mark(now.baseline) or (now.baseline.kind == "git" and report.baseline.get("pin") != str(now.baseline))
    ):
        raise _other(
            "this report is about another baseline than the one that is pinned here now", "run `shadow compare` again, without --baseline"
        )


def _mark(pin: Pin) -> tuple[str, str | None]:
    """What makes a pin this one, wherever its file lies."""
    return pin.kind, pin.sha256 if pin.kind == "wheel" else pin.value


def _other(what: str, remedy: str = "run `shadow compare` again, then sign off") -> ReportError:
    return ReportError(what, remedy=remedy)


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
            raise _other(what)


def adviser(report: Report) -> Callable[[Entry], Revealed]:
    """What the rules say of one divergence of the report, in the words that are shown."""
    from prelabel.advise import advise
    from prelabel.sitting import Revealed

    def reveal(entry: Entry) -> Revealed:
        one = advise(replace(report, divergences=(entry,)))[0]
        return Revealed(label=one.label, rule=one.rule, reason=one.reason, source=one.source)

    return reveal
