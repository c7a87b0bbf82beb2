"""One look at one text: the structured pass if it is JSON, else the text pass in every reading.

Spans are positions in the text that was given. Readings nest (JSON in a string, percent-encoding in a
URL, text in base64) to a fixed depth. Nothing in a text can switch the scan off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.addresses import addresses
from redaction.detectors.assignments import assignments
from redaction.detectors.blobs import blobs
from redaction.detectors.headers import headers
from redaction.detectors.kinds import ORDER
from redaction.detectors.markup import markup
from redaction.detectors.personal import personal
from redaction.detectors.prose import prose
from redaction.detectors.tokens import split_tokens, tokens
from redaction.detectors.values import secret_parts
from redaction.placeholder import WALL, walls
from redaction.structure import Walk, looks_like_json, number_kind
from redaction.types import Span
from redaction.views import entities, fold, percent, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from redaction.policy import Policy
    from redaction.spread import Known

    Detector = Callable[[str], Iterator[Span]]

DEPTH = 4
_DETECTORS: tuple[Detector, ...] = (tokens, split_tokens, addresses, headers, assignments, markup, prose, personal)
_SHORTEST_TEXT = 6  # a mailbox
_SHORTEST_BLOB = 16


class Scanner:
    """``detect``: look for what looks secret. ``known``: look for values that were found before."""

    __slots__ = ("_detect", "_known", "_policy")

    def __init__(self, known: Known, policy: Policy, *, detect: bool) -> None:
        self._known = known
        self._policy = policy
        self._detect = detect

    def scan(self, text: str, kind: str | None = None) -> list[Span]:
        """All spans of a text, which may overlap. ``kind`` is what its place says of the whole text."""
        return self._scan(text, kind, 0)

    def _scan(self, text: str, kind: str | None, depth: int) -> list[Span]:
        if depth < DEPTH and looks_like_json(text):
            walk = Walk(text, lambda plain, named, key: self._leaf(plain, named, depth + 1, key=key), self._number, kind)
            spans = walk.spans()
            if spans is not None:
                return spans
        return self._leaf(text, kind, depth, key=False, walked=True)

    def _leaf(self, text: str, kind: str | None, depth: int, *, key: bool, walked: bool = False) -> list[Span]:
        """A string of a JSON text, decoded, or a text that is no JSON."""
        spans: list[Span] = []
        if kind is not None and self._detect:
            written = text.replace(WALL, "\1")  # here it is a character like any other
            spans += (Span(start, end, kind, text[start:end]) for start, end in secret_parts(kind, written))
        if len(text) < _SHORTEST_TEXT or (len(text) < _SHORTEST_BLOB and text.isalpha() and not self._known):
            return spans
        if not walked and not key and depth < DEPTH and looks_like_json(text):
            return spans + self._scan(text, None, depth)
        return spans + self._plain(text, depth)

    def _plain(self, text: str, depth: int) -> list[Span]:
        folded = fold(text)
        spans = list(self._read(walls(folded.text if folded else text), depth))
        if folded:
            spans = list(folded.lift(spans))
        if depth < DEPTH:
            for view in (unescape(text), percent(text), entities(text)):
                if view is not None:
                    spans += view.lift(self._scan(view.text, None, depth + 1))
        return spans

    def _read(self, text: str, depth: int) -> Iterator[Span]:
        if self._detect:
            for detector in _DETECTORS:
                yield from detector(text)
        yield from self._known.search(text)
        if depth < DEPTH:
            shortest, printable = (11, 8) if self._known else (16, 12)  # a known value may be shorter than any token
            yield from blobs(text, lambda plain: self._scan(plain, None, depth + 1), shortest=shortest, shortest_text=printable)

    def _number(self, digits: str, kind: str | None) -> Span | None:
        known = self._known.kind(digits)
        if known is None and not (self._detect and number_kind(digits, kind)):
            return None
        return Span(0, 0, known or kind or "pin", digits, "number", '"')


def merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order: overlapping ones become one that covers all of them, of the first kind in priority."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, ORDER[span.kind])):
        if not out or span.start >= out[-1].end:
            out.append(span)
            continue
        last = out[-1]
        kind = min(last.kind, span.kind, key=ORDER.__getitem__)
        if span.end > last.end:
            out[-1] = Span(last.start, span.end, kind, text[last.start : span.end])
        elif kind != last.kind:
            out[-1] = last._replace(kind=kind)
    return [span._replace(form="") if text[span.start : span.end] == span.value and not span.quote else span for span in out]
