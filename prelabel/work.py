"""What a sitting has to decide: the unclassified divergences of a report, against the ledger as it is now.

Riskiest field first, while attention is fresh. Rows may have been signed since the report was made, and a row that does
not count (no signer, expired, fixture edited) still stands in the way of a new one: both are said before anything is asked.
Source: design, sections 8 and 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gate import corpus
from gate.canonical.visible_json import escape
from gate.config import settings_from_json
from gate.errors import CorpusError
from gate.ledger.insert import find_clashes
from gate.ledger.read import read_ledger
from gate.types import IMPORT_ID, Divergence, LedgerRow, Place
from gate.verdict import identity, judge
from prelabel import view
from prelabel.ask import Case

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gate.report.model import Entry, Report
    from gate.types import Settings

# The order in which rows are put before a person: what breaks callers hardest comes while attention is fresh.
_RISK = ("ok", "exc.type", "exc.module", "value", "type", "arg", "effects.", "exit", "stdout", "stderr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What there is to decide. ``barred`` are divergences that cannot be signed now, each with the sentence that says why.

    ``near`` is the near miss of a divergence, by its identity: fingerprints can be made to meet.
    """

    settings: Settings
    entries: tuple[Entry, ...]
    barred: tuple[tuple[Entry, str], ...]
    settled: int
    out: Path
    near: Mapping[str, LedgerRow]


def risk(entry: Entry) -> tuple[int, str, str]:
    """Sort key: risk of the field, then id."""
    rank = next(
        (at for at, name in enumerate(_RISK) if entry.field == name or (name[-1] == "." and entry.field.startswith(name))), len(_RISK)
    )
    return rank, entry.id, entry.field


def out_folder(settings: Settings, report_path: Path) -> Path:
    """Where drafts and full texts go: ``shadow/out/``, else ``shadow-out/`` beside the report."""
    if settings.folder is not None:
        return settings.folder / "out"
    return report_path.resolve().parent / "shadow-out"


def plan(report: Report, report_path: Path) -> Work:
    """What stands to be decided, against the ledger as it is now: rows may have been signed since the report."""
    settings = settings_from_json(report.run.get("settings") or {})
    ledger = read_ledger(settings.ledger, settings.ledger_folder)
    entries: list[Entry] = []
    barred: list[tuple[Entry, str]] = []
    near: dict[str, LedgerRow] = {}
    settled = 0
    today = datetime.now(UTC).date()
    for entry in sorted((one for one in report.divergences if one.verdict == "unclassified"), key=risk):
        divergence = Divergence(
            id=entry.id, field=entry.field, baseline=entry.baseline, candidate=entry.candidate, fixture_sha256=entry.fixture_sha256
        )
        clash = next(iter(find_clashes(ledger, [_probe(divergence)])), None)
        judged = judge(divergence, ledger, require=settings.require, today=today, relies_on=lambda _: True)
        if clash is None:
            entries.append(entry)
            if judged.near is not None:
                near[identity(entry)] = judged.near
        elif judged.verdict != "unclassified":
            settled += 1
        else:
            barred.append((entry, f"{judged.why}; remove that row at {clash.place}, run `shadow compare`, then sign again"))
    out = out_folder(settings, report_path)
    return Work(settings=settings, entries=tuple(entries), barred=tuple(barred), settled=settled, out=out, near=near)


class Cases:
    """The rows as they are put before a person, each with its fixture as it lies here. The corpus is listed once, when first needed."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._listing: corpus.Listing | None = None

    def __call__(self, entry: Entry) -> Case | str:
        """The row, or why it cannot be decided."""
        near = self._work.near.get(identity(entry))
        if entry.id == IMPORT_ID:
            return Case(entry=entry, payload=None, note="this happens while the target is imported; there is no fixture", near=near)
        try:
            if self._listing is None:
                self._listing = corpus.list_fixtures(self._work.settings.corpus, self._work.settings.targets)
            item = self._listing.find(entry.id)
            fixture = None if item is None else corpus.read(item)
        except CorpusError as error:
            return f"its fixture cannot be read ({escape(error.what)}), so it cannot be signed now"
        if fixture is None:
            return "its fixture is no longer in the corpus; run `shadow compare` again"
        if fixture.sha256 != entry.fixture_sha256:
            return "its fixture was edited since the report; run `shadow compare` again"
        return Case(entry=entry, payload=view.payload_text(fixture.payload), near=near)


def _probe(divergence: Divergence) -> LedgerRow:
    """Any row for this divergence: to ask whether one stands already."""
    return LedgerRow(
        id=divergence.id,
        field=divergence.field,
        baseline=divergence.baseline,
        candidate=divergence.candidate,
        decision="reject",
        reason="-",
        place=Place(file="-"),
    )
