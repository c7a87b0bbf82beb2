"""The predicate: what the ledger says of a divergence, and which rows have outlived theirs. Pure.

Order-free precedence on (fixture id, field, baseline, candidate): reject > accept; nothing -> unclassified.
A reject row always counts. An accept row counts only while everything it was signed under still holds; one
that does not is passed over, and the sentence in ``why`` says where it stands and what it lacks.
Source: design, sections 8 and 11.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol

from gate import digest
from gate.canonical.visible_json import escape
from gate.ledger.rows import CONTRACT
from gate.ledger.values import same
from gate.types import IMPORT_ID, Judged, StaleRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gate.ledger.read import Ledger
    from gate.types import Divergence, LedgerRow, TrustLevel


class _Identified(Protocol):
    """Whatever has the identity of a divergence: a divergence, a report's entry, a row."""

    @property
    def id(self) -> str: ...
    @property
    def field(self) -> str: ...
    @property
    def baseline(self) -> str: ...
    @property
    def candidate(self) -> str: ...


def identity(divergence: _Identified) -> str:
    """The full SHA-256 of a divergence's identity. Lengths go in, so that no two identities run together."""
    made = digest.sha256()
    for text in (divergence.id, divergence.field, divergence.baseline, divergence.candidate):
        part = text.encode("utf-8", "surrogatepass")
        made.update(len(part).to_bytes(8, "big") + part)
    return made.hexdigest()


def fingerprint(divergence: _Identified) -> str:
    """Twelve hex digits that name a divergence to people. Texts can be chosen so that two meet: no decision hangs on it."""
    return identity(divergence)[:12]


def judge(divergence: Divergence, ledger: Ledger, *, require: TrustLevel, today: date, relies_on: Callable[[str], bool]) -> Judged:
    """The verdict on one divergence. ``today`` is a UTC date; ``relies_on`` says whether such a text still holds."""
    mark = fingerprint(divergence)
    group = ledger.by_key.get((divergence.id, divergence.field), ())
    if not group:
        return Judged(divergence=divergence, verdict="unclassified", fingerprint=mark, why="no row has this fixture id and field")
    rows = sorted((row for row in group if _matches(row, divergence)), key=_place)
    rejects = [row for row in rows if row.decision == "reject"]
    lacking = [(row, _lacks(row, divergence, require, today, relies_on)) for row in rows if row.decision == "accept"]
    accepts = [row for row, lack in lacking if lack is None]
    if rejects or accepts:
        row = (rejects or accepts)[0]
        by = f" (signed off by {escape(row.signed_off_by)})" if row.signed_off_by else ""
        why = f"the row at {row.place}{by} {row.decision}s it: {escape(row.reason)}"
        return Judged(divergence=divergence, verdict=row.decision, fingerprint=mark, row=row, why=why)
    if lacking:
        row, lack = lacking[0]
        why = f"the accept row at {row.place} does not count: {lack}"
        return Judged(divergence=divergence, verdict="unclassified", fingerprint=mark, why=why)
    near = min(group, key=lambda row: _distance(row, divergence))
    other = [side for side in ("baseline", "candidate") if not same(getattr(near, side), getattr(divergence, side))]
    why = (
        f"no row matches; the {near.decision} row at {near.place} has the same id and field but another {' and another '.join(other)} text"
    )
    return Judged(divergence=divergence, verdict="unclassified", fingerprint=mark, near=near, why=why)


def stale(
    ledger: Ledger,
    *,
    seen: Iterable[Divergence],
    ran: Callable[[str], bool],
    exists: Callable[[str], bool],
    sha256: Callable[[str], str | None],
    relies_on: Callable[[str], bool],
    partial: bool = False,
    anything_ran: bool = True,
) -> tuple[tuple[StaleRow, ...], tuple[LedgerRow, ...]]:
    """(stale accept rows, standing reject rows), both in ledger order.

    ``seen``: every divergence that appeared, noted ones too. ``ran``: the fixture was executed and decided
    (not impure, undecided or an error: what was not seen there may be there all the same). ``exists`` and
    ``sha256``: of the fixture as it is now. ``partial``: only some fixtures were meant to run, so nothing is
    called stale. What happens at import happens whenever anything runs; contract rows never go stale.
    """
    appeared: dict[tuple[str, str], list[Divergence]] = {}
    for divergence in seen:
        appeared.setdefault((divergence.id, divergence.field), []).append(divergence)
    gone: list[StaleRow] = []
    standing: list[LedgerRow] = []
    for row in ledger.rows:
        matched = any(_matches(row, divergence) for divergence in appeared.get((row.id, row.field), ()))
        did_run = anything_ran if row.id == IMPORT_ID else ran(row.id)
        if row.decision == "reject":
            if not matched and (did_run or not partial):
                standing.append(row)
        elif not partial and not row.id.startswith(CONTRACT):
            is_there = row.id == IMPORT_ID or exists(row.id)
            why = _outlived(row, sha256, relies_on) if is_there else "its fixture no longer exists"
            if why is None and did_run and not matched:
                what = "the target was imported" if row.id == IMPORT_ID else "its fixture ran"
                why = f"{what} and the divergence did not appear"
            if why is not None:
                gone.append(StaleRow(row=row, why=why))
    return tuple(gone), tuple(standing)


def _matches(row: LedgerRow, divergence: Divergence) -> bool:
    # The plain comparison first: rows that we wrote match by it, and it parses nothing.
    if row.baseline == divergence.baseline and row.candidate == divergence.candidate:
        return True
    return same(row.baseline, divergence.baseline) and same(row.candidate, divergence.candidate)


def _lacks(row: LedgerRow, divergence: Divergence, require: TrustLevel, today: date, relies_on: Callable[[str], bool]) -> str | None:
    """Why an accept row does not count; None where it does."""
    if require != "none" and row.signed_off_by is None:
        return "no named person signed it (`signed_off_by`)"
    if row.expires is not None and date.fromisoformat(row.expires) < today:
        return f"it expired at the end of {row.expires}"
    return _outlived(row, lambda _: divergence.fixture_sha256, relies_on)


def _outlived(row: LedgerRow, sha256: Callable[[str], str | None], relies_on: Callable[[str], bool]) -> str | None:
    """What an accept row was signed under and is no longer so; None where all still holds."""
    if row.fixture_sha256 is not None and row.id != IMPORT_ID and not row.id.startswith(CONTRACT):
        now = sha256(row.id)
        if now is not None and now != row.fixture_sha256:
            return "its fixture was edited after it was signed (`fixture_sha256`)"
    if row.relies_on is not None and not relies_on(row.relies_on):
        return f"what it relies on changed or is gone: {escape(row.relies_on)}"
    return None


def _distance(row: LedgerRow, divergence: Divergence) -> tuple[int, str, str, str]:
    """The nearest row has most texts in common; ties are broken by text, so that the order of rows shows nowhere."""
    shared = same(row.baseline, divergence.baseline) + same(row.candidate, divergence.candidate)
    return -shared, row.baseline, row.candidate, row.decision


def _place(row: LedgerRow) -> tuple[str, int]:
    return row.place.file, row.place.line or 0
