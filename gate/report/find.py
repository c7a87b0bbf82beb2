"""What a report says about one fixture id, fingerprint, or beginning of a fingerprint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gate.config.words import nearest, printable
from gate.errors import ReportError
from gate.report.write import LISTS
from gate.types import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.report.model import Entry, Report

_PREFIX = re.compile(r"[0-9a-f]{4,12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Divergences, and entries of the other lists by the list's name."""

    divergences: tuple[Entry, ...]
    others: Mapping[str, Sequence[Mapping[str, Any]]]


def find(report: Report, wanted: str) -> Found:
    """Everything about a fixture, or the one divergence of a fingerprint. Unknown or ambiguous: ``ReportError``."""
    divergences = tuple(entry for entry in report.divergences if entry.id == wanted)
    others = {name: [item for item in getattr(report, name) if item["id"] == wanted] for name in LISTS}
    others = {name: items for name, items in others.items() if items}
    if divergences or others:
        return Found(divergences=divergences, others=others)
    if _PREFIX.fullmatch(wanted.lower()):
        divergences = tuple(entry for entry in report.divergences if entry.fingerprint.startswith(wanted.lower()))
        if len({entry.fingerprint for entry in divergences}) > 1:
            marks = ", ".join(sorted({entry.fingerprint for entry in divergences})[:8])
            raise ReportError(f"{wanted} is the beginning of several fingerprints", remedy=f"give more digits: {marks}")
        if divergences:
            return Found(divergences=divergences, others={})
    raise ReportError(
        f"the report says nothing about {printable(wanted)}: no fixture id or fingerprint of it, or the fixture matched",
        remedy=_nearest(report, wanted),
    )


def narrowed(report: Report, wanted: str) -> Report:
    """The report with only what ``find`` finds in its lists; its counts stay."""
    found = find(report, wanted)
    return replace(report, divergences=found.divergences, **{name: tuple(found.others.get(name, ())) for name in LISTS})


def _nearest(report: Report, wanted: str) -> str:
    ids = dict.fromkeys(entry.id for entry in report.divergences)
    for name in LISTS:
        ids |= dict.fromkeys(item["id"] for item in getattr(report, name))
    near = nearest(wanted, ids)
    if near is not None:
        return f"did you mean {printable(near)}?"
    return f"it lists: {', '.join(map(printable, list(ids)[:5]))}, ..." if ids else "nothing diverged in it"
