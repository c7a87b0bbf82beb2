"""What of a report may be public, as ``Redacted`` values: the one input of every format that other people read.

Every text in these types is ``Redacted`` (tests hold that), so a format cannot print a raw payload by mistake. Facts that
need the raw texts, such as the kind of a difference, are worked out first and carry nothing of a payload. Only what a
format can show is redacted: the rest is counted. Source: design, section 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import redaction
from gate.report.model import side_words
from prelabel import view
from prelabel.publish.release import check_pair
from redaction import STRICT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gate.report.model import Entry, Report
    from gate.types import VerdictWord
    from prelabel.types import Advice, Label
    from redaction import Policy, Redacted

    _Text = Callable[[object], Redacted]

PER_GROUP = 5
ROWS = 100
PER_ADVICE = 8
STALE = 50
OPEN = 50
PER_OPEN = 5
Without = Literal["error", "undecided", "impure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRow:
    """One divergence. ``where`` is the pointer to its first difference; ``row`` and ``reason`` are those of the ledger row that decided."""

    id: Redacted
    fingerprint: Redacted
    where: Redacted
    baseline: Redacted
    candidate: Redacted
    row: Redacted | None
    reason: Redacted | None
    near: Redacted | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicGroup:
    """Divergences of one cause: verdict, field and kind of difference. ``rows`` are the first few of ``count``.

    ``yours`` says how many of them this patch brought, where that was asked for (``--attribute``); they come first.
    """

    verdict: VerdictWord
    field: Redacted
    kind: Redacted
    count: int
    yours: int | None
    rows: tuple[PublicRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicAdvice:
    """One suggestion, with the first few of the ``count`` fixtures that it was made for."""

    label: Label
    rule: Redacted | None
    reason: Redacted
    count: int
    ids: tuple[Redacted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicStale:
    """An accept row that has outlived its divergence."""

    id: Redacted
    field: Redacted
    row: Redacted
    why: Redacted


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicOpen:
    """Fixtures without a verdict for one reason: the first few of ``count``. ``field`` is what moved, where one field did."""

    status: Without
    field: Redacted | None
    cause: Redacted
    count: int
    ids: tuple[Redacted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicReport:
    """A report for everybody. ``counts`` has the report's own keys."""

    exit_code: Literal[0, 1, 3]
    counts: Mapping[str, int]
    baseline: Redacted
    candidate: Redacted
    groups: tuple[PublicGroup, ...]
    stale: tuple[PublicStale, ...]
    open: tuple[PublicOpen, ...]
    left_open: int  # fixtures of causes beyond those
    notices: tuple[Redacted, ...]
    advice: tuple[PublicAdvice, ...]


def public(report: Report, advice: Sequence[Advice], *, notices: Sequence[str] = (), policy: Policy = STRICT) -> PublicReport:
    """The report and its advice, redacted, with ``notices`` before its own. Advice on what is no unclassified divergence is left out."""
    code = report.exit_code()
    held = _open(report)
    text = partial(_text, policy)
    return PublicReport(
        exit_code=0 if code == 0 else 1 if code == 1 else 3,
        counts=dict(report.counts),
        baseline=text(side_words(report.baseline)),
        candidate=text(side_words(report.candidate)),
        groups=tuple(_groups(report.divergences, policy)),
        stale=tuple(_stale(one, text) for one in report.stale[:STALE]),
        open=tuple(_without(*one, text) for one in held[:OPEN]),
        left_open=sum(len(ids) for *_, ids in held[OPEN:]),
        notices=tuple(text(notice) for notice in (*notices, *report.notices)),
        advice=tuple(_advice(report, advice, text)),
    )


def _text(policy: Policy, text: object) -> Redacted:
    return redaction.redact_text(str(text), policy=policy)


def _groups(entries: Iterable[Entry], policy: Policy) -> list[PublicGroup]:
    text = partial(_text, policy)
    found: dict[tuple[VerdictWord, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.verdict != "accept":
            kind = view.kind(entry.baseline, entry.candidate, field=entry.field)
            found.setdefault((entry.verdict, entry.field, kind), []).append(entry)
    room = ROWS
    groups: list[PublicGroup] = []
    for (verdict, field, kind), some in sorted(found.items(), key=lambda item: -len(item[1])):
        # A group always shows one example, however many groups there are.
        shown = sorted(some, key=lambda entry: entry.attribution != "yours")[: max(1, min(PER_GROUP, room))]
        room -= len(shown)
        rows = tuple(_row(entry, policy) for entry in shown)
        yours = None if some[0].attribution is None else sum(entry.attribution == "yours" for entry in some)
        groups.append(PublicGroup(verdict=verdict, field=text(field), kind=text(kind), count=len(some), yours=yours, rows=rows))
    return groups


def _row(entry: Entry, policy: Policy) -> PublicRow:
    """One scope for everything of one divergence: the same value is the same placeholder in its id, its texts and its reason."""
    texts = {
        "id": entry.id,
        "where": view.where(entry.baseline, entry.candidate),
        "row": entry.row,
        "reason": entry.reason,
        "near": entry.near,
    }
    more = {name: text for name, text in texts.items() if text is not None}
    pair = redaction.redact_pair(entry.baseline, entry.candidate, more=more, policy=policy)
    check_pair(pair, "block", raw=(entry.baseline, entry.candidate, *more.values()))
    return PublicRow(
        id=pair.more["id"],
        fingerprint=_text(policy, entry.fingerprint),
        where=pair.more["where"],
        baseline=pair.baseline,
        candidate=pair.candidate,
        row=pair.more.get("row"),
        reason=pair.more.get("reason"),
        near=pair.more.get("near"),
    )


def _stale(one: Mapping[str, object], text: _Text) -> PublicStale:
    return PublicStale(id=text(one["id"]), field=text(one["field"]), row=text(one["row"]), why=text(one["why"]))


def _open(report: Report) -> list[tuple[Without, Any, Any, list[str]]]:
    """What keeps the run from a verdict, by cause: errors, then what is undecided, then what is impure; frequent ones first."""
    out: list[tuple[Without, Any, Any, list[str]]] = []
    lists: tuple[tuple[Without, Sequence[Mapping[str, Any]]], ...]
    lists = (("error", report.errors), ("undecided", report.undecided), ("impure", report.impure))
    for status, items in lists:
        found: dict[tuple[Any, Any], list[str]] = {}
        for item in items:
            found.setdefault((item.get("field"), item.get("cause")), []).append(item["id"])
        out += [(status, *key, ids) for key, ids in sorted(found.items(), key=lambda one: -len(one[1]))]
    return out


def _without(status: Without, field: str | None, cause: str, ids: Sequence[str], text: _Text) -> PublicOpen:
    named = tuple(map(text, ids[:PER_OPEN]))
    return PublicOpen(status=status, field=None if field is None else text(field), cause=text(cause), count=len(ids), ids=named)


def _advice(report: Report, advice: Sequence[Advice], text: _Text) -> list[PublicAdvice]:
    waiting = {(entry.id, entry.field, entry.fingerprint) for entry in report.divergences if entry.verdict == "unclassified"}
    found: dict[tuple[Label, str | None, str], list[Advice]] = {}
    for one in advice:
        if (one.id, one.field, one.fingerprint) in waiting:
            found.setdefault((one.label, one.rule, one.reason), []).append(one)
    return [
        PublicAdvice(
            label=label,
            rule=None if rule is None else text(rule),
            reason=text(reason),
            count=len(some),
            ids=tuple(text(one.id) for one in some[:PER_ADVICE]),
        )
        for (label, rule, reason), some in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
