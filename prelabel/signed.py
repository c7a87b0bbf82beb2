"""From a person's choice to a ledger row: the only place in the product that makes rows to be written.

It takes a divergence, the choice that a person typed and the name they confirmed, and nothing else. It cannot see
advice, and nothing that makes advice can see it (tests walk the imports). A text over 2 KiB, or one in which redaction
finds anything, stands in the row by its digest; the full text lies in ``out/values/``. Source: design, sections 8 and 11.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gate.canonical.visible_json import escape
from gate.errors import UsageError
from gate.ledger.insert import insert_rows
from gate.ledger.values import digest_of, digest_text
from gate.types import IMPORT_ID, LedgerRow, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from pathlib import Path

    from gate.report.model import Entry
    from gate.types import Decision, Settings

LONGEST = 2048
_EXCERPT = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A text as it stands in a row. ``full`` is what the digest form leaves out, by its digest; None where nothing is left out."""

    text: str
    full: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """One row to be written, with the full texts that do not stand in it."""

    row: LedgerRow
    values: tuple[tuple[str, str], ...] = ()


def ledger_text(text: str, *, finds: Callable[[str], object], excerpt: Callable[[], str]) -> Written:
    """A canonical text as a row holds it. ``ValueError`` for the rare text that needs a digest and cannot be parsed for one."""
    if len(text.encode("utf-8", "surrogatepass")) <= LONGEST and not finds(text):
        return Written(text=text)
    short = escape(excerpt())
    written = digest_text(text, short if len(short) <= _EXCERPT else f"{short[: _EXCERPT - 2]}..")
    return Written(text=written, full=(digest_of(written) or "", text))


def sign(
    entry: Entry,
    *,
    decision: Decision,
    reason: str,
    category: str,
    signer: str,
    on: date,
    place: Place,
    finds: Callable[[str], object],
    excerpts: Callable[[str, str], tuple[str, str]],
) -> Signed:
    """The row for one divergence. ``excerpts`` gives what everybody may read of both sides: different texts differ."""
    both = cache(lambda: excerpts(entry.baseline, entry.candidate))
    baseline, candidate = (
        ledger_text(text, finds=finds, excerpt=lambda at=at: both()[at])  # type: ignore[misc]  # a default value binds it
        for at, text in enumerate((entry.baseline, entry.candidate))
    )
    row = LedgerRow(
        id=entry.id,
        field=entry.field,
        baseline=baseline.text,
        candidate=candidate.text,
        decision=decision,
        reason=reason,
        place=place,
        fixture_sha256=None if entry.id == IMPORT_ID else entry.fixture_sha256,
        signed_off_by=signer,
        signed_off_on=on.isoformat(),
        category=category,
    )
    return Signed(row=row, values=tuple(one.full for one in (baseline, candidate) if one.full))


def write(signed: Sequence[Signed], *, settings: Settings, out: Path, sitting: str) -> Path:
    """All rows of one sitting in one write; the ledger file that holds them. Full texts go first: alone they do no harm."""
    try:
        for hexes, text in (value for one in signed for value in one.values):
            _keep(out / "values", hexes, text)
        return insert_rows(file=settings.ledger, folder=settings.ledger_folder, rows=[one.row for one in signed], sitting=sitting)
    except OSError as error:
        what = f"the ledger cannot be written: {error.strerror}"
        remedy = "mend that and run `shadow signoff` again: the draft is kept"
        raise UsageError(what, place=Place(file=error.filename or str(settings.ledger)), remedy=remedy) from error


def _keep(folder: Path, hexes: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{hexes}.{os.getpid()}"
    draft.write_text(text, encoding="utf-8", errors="surrogatepass")
    draft.replace(folder / f"{hexes}.json")
