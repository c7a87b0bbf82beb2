"""``shadow annotate``: the advisory block of a pull request, printed or put into a file.

In a file the block is put in the place of the one that is there, between its own markers; every other byte stays. The
block is a view of the report and of ``advice.json``; it is redacted and never evidence. Source: design, sections 9 and 10.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError
from gate.types import Place

if TYPE_CHECKING:
    from gate.report.model import Report
    from redaction import Redacted

ADVICE = "advice.json"


def block(report: Report, report_path: Path) -> Redacted:
    """The block for a report: with the advice that lies beside it, and what the rules say now where that is silent."""
    from prelabel.advise import advise, read_advice
    from prelabel.publish import public
    from prelabel.publish.markdown import render

    path = report_path.parent / ADVICE
    kept = {one.fingerprint: one for one in read_advice(path)} if path.is_file() else {}
    return render(public(report, [kept.get(one.fingerprint, one) for one in advise(report)]))


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
        old = file.read_bytes()
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
    """All or nothing, through links, with the mode of the file that was there."""
    target = Path(os.path.realpath(file))
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    try:
        draft.write_bytes(data)
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o7777)
        draft.replace(target)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror}", place=Place(file=str(file)), remedy="name a file in a writable folder"
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return done


def _fault(file: Path, what: str) -> UsageError:
    return UsageError(what, place=Place(file=str(file)), remedy="name a file that can be written, or leave --output out to print the block")
