"""``shadow annotate``: the advisory block of a pull request, printed or put into a file.

In a file the block is put in the place of the one that is there, between its own markers; every other byte stays. The
block is a view of the report and of ``advice.json``; it is redacted and never evidence. Source: design, sections 9 and 10.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gate.errors import ReportError, UsageError
from gate.files import is_special
from gate.terminal import emit
from gate.types import Place
from redaction import STRICT

if TYPE_CHECKING:
    from pathlib import Path

    from gate.report.model import Report
    from prelabel.types import Advice
    from redaction import Policy, Redacted

ADVICE = "advice.json"


def block(report: Report, report_path: Path, policy: Policy = STRICT) -> Redacted:
    """The block for a report: with the advice that lies beside it, and what the rules say now where that is silent or untrue.

    A file that cannot be read is passed over with a notice; an entry that says what the decision table does not say is replaced.
    """
    from prelabel.advise import advise, hide_ids, read_advice
    from prelabel.publish import public
    from prelabel.publish.markdown import render

    path = report_path.parent / ADVICE
    fresh = advise(report)
    kept: dict[tuple[str, str, str], Advice] = {}
    notices: tuple[str, ...] = ()
    if path.is_file():
        try:
            kept = {(one.id, one.field, one.fingerprint): one for one in read_advice(path)}
        except ReportError:
            notices = (f"{ADVICE} could not be read and was passed over; the suggestions are what the rules say now",)
    as_kept = zip(hide_ids(fresh, policy), fresh, strict=True)
    chosen = [replace(_honest(kept.get((hidden.id, one.field, one.fingerprint), one), one), id=one.id) for hidden, one in as_kept]
    return render(public(report, chosen, notices=notices, policy=policy))


def _honest(kept: Advice, fresh: Advice) -> Advice:
    """``kept`` if the decision table says the same of its rule, else ``fresh``: the file may be written by anybody."""
    from prelabel.rules import NOTHING_APPLIES
    from prelabel.types import one_line
    from prompts import load_table

    if kept.rule is None:
        return kept if kept.label == "abstain" and kept.reason == one_line(NOTHING_APPLIES) else fresh
    row = next((row for row in load_table() if row.id == kept.rule), None)
    true = row is not None and kept.field in row.fields and kept.label == row.action and kept.reason == one_line(row.reason)
    return kept if true else fresh


def annotate(report: Report, report_path: Path, *, output: Path | None = None, printed: bool = False) -> None:
    """Write the block (to ``output``, else ``$GITHUB_STEP_SUMMARY``) and say so, or print it where there is neither, or if ``printed``."""
    from gate.config import environ
    from prelabel import policy
    from prelabel.publish.release import to_screen

    text = block(report, report_path, policy.public())
    file = None if printed else output or environ().step_summary
    if file is None:
        to_screen(text, "block")
        return
    done = put(file, text)
    emit(f"{done} the block in {file} (advisory, redacted; not evidence)")


def put(file: Path, text: Redacted) -> str:
    """Put the block into a file; "replaced", "appended" or "wrote". Bytes outside the markers stay as they are."""
    from prelabel.publish.markdown import BEGIN, END

    try:
        old = b"" if is_special(file) else file.read_bytes()  # a pipe or a terminal holds nothing to keep
    except FileNotFoundError:
        old = b""
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", place=Place(file=str(file)), remedy="name a text file, or leave --output out"
        ) from error
    start = old.find(BEGIN.encode())
    end = old.find(END.encode(), start) if start >= 0 else -1
    if start >= 0 and end < 0:
        line = old.count(b"\n", 0, start) + 1
        raise UsageError(
            f"`{BEGIN}` without `{END}` behind it",
            place=Place(file=str(file), line=line),
            remedy="remove the broken block, then run `shadow annotate` again",
        )
    if start >= 0:
        return _write(file, "replaced", text, old[:start], old[end + len(END.encode()) :])
    gap = b"" if not old or old.endswith(b"\n\n") else b"\n" if old.endswith(b"\n") else b"\n\n"
    return _write(file, "appended" if old else "wrote", text, old + gap)


def _write(file: Path, done: str, text: Redacted, before: bytes, behind: bytes | None = None) -> str:
    """All or nothing, through links, with the mode of the file that was there; a device or pipe is written in place."""
    from prelabel.publish.release import to_file

    try:
        to_file(file, text, "file", before=before, behind=behind)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", place=Place(file=str(file)), remedy="name a file in a writable folder"
        ) from error
    return done
