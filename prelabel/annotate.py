"""``shadow annotate``: the advisory block of a pull request, printed or put into a file.

In a file the block is put in the place of the one that is there, between its own markers; every other byte stays. The
block is a view of the report and of ``advice.json``; it is redacted and never evidence. Source: design, sections 9 and 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import ReportError, UsageError
from gate.files import is_special, write_through
from gate.types import Place

if TYPE_CHECKING:
    from pathlib import Path

    from gate.report.model import Report
    from prelabel.types import Advice
    from redaction import Redacted

ADVICE = "advice.json"


def block(report: Report, report_path: Path) -> Redacted:
    """The block for a report: with the advice that lies beside it, and what the rules say now where that is silent or untrue.

    A file that cannot be read is passed over with a notice; an entry that says what the decision table does not say is replaced.
    """
    from prelabel.advise import advise, read_advice
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
    chosen = [_honest(kept.get((one.id, one.field, one.fingerprint), one), one) for one in fresh]
    return render(public(report, chosen, notices=notices))


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


def annotate(report: Report, report_path: Path, *, output: Path | None = None) -> tuple[str, ...]:
    """Lines to print: the block itself, or what was written where (``output``, else ``$GITHUB_STEP_SUMMARY``)."""
    from gate.config import environ

    text = block(report, report_path)
    file = output or environ().step_summary
    if file is None:
        return (str(text),)
    done = put(file, text)
    return (f"{done} the block in {file} (advisory, redacted; not evidence)",)


def put(file: Path, text: Redacted) -> str:
    """Put the block into a file; "replaced", "appended" or "wrote". Bytes outside the markers stay as they are."""
    from prelabel.publish.markdown import BEGIN, END

    new = str(text).encode("utf-8", "backslashreplace")
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
        return _write(file, old[:start] + new.rstrip(b"\n") + old[end + len(END.encode()) :], "replaced")
    gap = b"" if not old or old.endswith(b"\n\n") else b"\n" if old.endswith(b"\n") else b"\n\n"
    return _write(file, old + gap + new, "appended" if old else "wrote")


def _write(file: Path, data: bytes, done: str) -> str:
    """All or nothing, through links, with the mode of the file that was there; a device or pipe is written in place."""
    try:
        write_through(file, data)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", place=Place(file=str(file)), remedy="name a file in a writable folder"
        ) from error
    return done
