"""What a model would be sent about one divergence: one ASCII JSON document, facts and windows.

    raw texts -> facts (words of our own, types, counts)          never a character of a payload
              -> one scope -> windows around the differences      ``Redacted`` only

Facts come first and from raw values, so that redaction can neither hide a class nor invent one. Counts of characters are told only
of texts in which nothing was hidden: a length is a part of a secret. Where one could not look (a fault, a time-out, a size), or the
last look still found something, ``payload`` is null and ``why`` says so; the facts still stand. Source: study of redaction, section 7.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import redaction
from gate.canonical.visible_json import parse_or_text
from gate.errors import LeakError
from prelabel import view
from prelabel.places import ABSENT, Spot, kind_of, spots
from prelabel.publish.release import check, of_json
from prelabel.relations import edges, relation

if TYPE_CHECKING:
    from gate.report.model import Entry
    from prelabel.types import TargetKind
    from redaction import Pair, Policy

VERSION = 1
SINK = "request"
_PLACES = 5
_UNSCANNED = "it could not be looked through: a fault, a time-out or a size limit"
_TYPES = {type(None): "null", bool: "boolean", int: "integer", float: "float", str: "string", list: "array", dict: "object"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One document. ``pair`` is None where no payload may leave; ``why`` says why."""

    facts: dict[str, Any]
    pair: Pair | None
    why: str | None

    def document(self, policy: Policy) -> str:
        """One line of ASCII JSON. Looked at a last time: a hit leaves the facts alone."""
        try:
            return of_json(SINK, policy)(self.json())
        except LeakError as held:
            return Request(facts=self.facts, pair=None, why=self.why or held.what).json()

    def json(self) -> str:
        """The document as it is, before that look."""
        return json.dumps({"version": VERSION, "facts": self.facts, "payload": self.payload(), "why": self.why}, separators=(",", ":"))

    def payload(self) -> dict[str, Any] | None:
        """The windows by name, and the legend; None where none may leave."""
        if self.pair is None:
            return None
        more = {name: str(text) for name, text in self.pair.more.items()}
        places = [more[name] for name in sorted(more) if name.startswith("place ")]
        return {
            "id": more["id"],
            "places": places,
            "input": more.get("input"),
            "baseline": str(self.pair.baseline),
            "candidate": str(self.pair.candidate),
            "cut": self.pair.truncated,
            "legend": str(self.pair.legend),
        }


def request(entry: Entry, *, target: TargetKind, policy: Policy, payload: str | None = None) -> Request:
    """The document about one divergence. ``payload`` is its fixture as text, None where that is not here."""
    found = _spots(entry)
    facts = _facts(entry, target, found)
    more = {"id": entry.id, **{f"place {at}": spot.pointer for at, spot in enumerate(found)}}
    if payload is not None:
        more["input"] = payload
    try:
        pair = redaction.redact_pair(entry.baseline, entry.candidate, more=more, policy=policy)
        if not pair.scanned:
            return Request(facts=facts, pair=None, why=_UNSCANNED)
        if _hidden(pair):
            texts = [str(text) for text in (pair.baseline, pair.candidate, *pair.more.values())]
            check(texts, SINK, policy=policy, raw=(entry.baseline, entry.candidate, *more.values()))
        else:
            facts |= _counts(entry)
    except LeakError as held:
        return Request(facts=facts, pair=None, why=held.what)
    except Exception:  # noqa: BLE001 - whatever went wrong, no payload leaves
        return Request(facts=facts, pair=None, why=_UNSCANNED)
    return Request(facts=facts, pair=pair, why=None)


def _hidden(pair: Pair) -> bool:
    return any(text.kinds for text in (pair.baseline, pair.candidate, *pair.more.values()))


def _spots(entry: Entry) -> list[Spot]:
    try:
        return list(islice(spots(parse_or_text(entry.baseline), parse_or_text(entry.candidate)), _PLACES))
    except ValueError:
        return []


def _facts(entry: Entry, target: TargetKind, found: list[Spot]) -> dict[str, Any]:
    return {
        "target": target,
        "field": entry.field,
        "class": view.kind(entry.baseline, entry.candidate, field=entry.field),
        "differences": [_difference(spot) for spot in found],
    }


def _difference(spot: Spot) -> dict[str, Any]:
    both = (spot.baseline, spot.candidate)
    strings = isinstance(spot.baseline, str) and isinstance(spot.candidate, str)
    return {
        "class": kind_of(spot),
        "types": [_type(value) for value in both],
        "relation": (relation(spot.baseline, spot.candidate) or "other") if strings else None,
        "empty": [value in ("", [], {}) for value in both],
    }


def _type(value: object) -> str:
    """As JSON says it; what is written as a tag of ours by that tag."""
    if value is ABSENT:
        return "absent"
    if isinstance(value, dict) and len(value) == 1 and (key := next(iter(value))).startswith("!") and key[1:].isalpha():
        return key[1:] if len(key) <= 16 else "object"
    return _TYPES.get(type(value), "other")


def _counts(entry: Entry) -> dict[str, Any]:
    start, _ = edges(entry.baseline, entry.candidate)
    return {"equal_before": start, "characters": [len(entry.baseline), len(entry.candidate)]}
