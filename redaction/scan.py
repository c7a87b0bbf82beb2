"""One look at one text: the structured pass if it is JSON, else the text pass in every reading.

Spans are positions in the text that was given. Readings nest (JSON in a string, percent-encoding in a
URL, text in base64) to a fixed depth. Nothing in a text can switch the scan off. A text that shows no sign
of anything is left at once, and a part of it is looked at only for what the whole shows signs of.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from redaction.detectors.addresses import addresses
from redaction.detectors.assignments import assignments
from redaction.detectors.blobs import SHORTEST, SHORTEST_KNOWN, blobs
from redaction.detectors.headers import headers
from redaction.detectors.identities import identities
from redaction.detectors.kinds import KINDS, ORDER
from redaction.detectors.late import abroad, apart, calls, codes, commands, dialled, says_abroad
from redaction.detectors.markup import markup
from redaction.detectors.opaque import opaque_tokens
from redaction.detectors.pem import pem_tails
from redaction.detectors.personal import personal, small_ibans
from redaction.detectors.prose import prose
from redaction.detectors.services import services
from redaction.detectors.statements import PGPASS_LINE, UNNAMED, statements
from redaction.detectors.tables import tables
from redaction.detectors.tokens import finder
from redaction.detectors.values import secret_parts
from redaction.placeholder import WALL, walls
from redaction.signs import Signs
from redaction.structure import CODES, Walk, card_kind, looks_like_json, number_kind
from redaction.types import ScanLimitError, Span
from redaction.views import compiled, fold, readings, whole_sequence
from redaction.wrapped import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from redaction.policy import Extra, Policy
    from redaction.spread import Known

    Detector = Callable[[str], Iterator[Span]]

DEPTH = 6
MOST = 10_000  # findings in one text: beyond that looking takes seconds, and nobody reads what is left
# What looks in a text, and the sign without which it can find nothing in any part of it.
_DETECTORS: tuple[tuple[Detector, Callable[[Signs], bool]], ...] = (
    (addresses, lambda signs: "@" in signs.text),
    (headers, lambda signs: signs.headed),
    (assignments, lambda signs: signs.queried or "-u" in signs.text),
    (personal, lambda signs: ("@" in signs.text or signs.figures) and _any(personal, signs)),
    (identities, lambda signs: signs.figures and _any(identities, signs)),
    (dialled, lambda signs: _any(dialled, signs)),
    (codes, lambda signs: _any(codes, signs)),
    (small_ibans, lambda signs: _any(small_ibans, signs)),
    (markup, lambda signs: "RSAKeyValue" in signs.text),
    (pem_tails, lambda signs: "-----END" in signs.text),
    (statements, lambda signs: any(word in signs.lower for word in UNNAMED) or compiled(PGPASS_LINE).search(signs.text) is not None),
    (services, lambda signs: signs.beside),
    (abroad, lambda signs: says_abroad(signs.text, signs.lower)),
    (calls, lambda signs: _any(calls, signs)),
    (commands, lambda signs: _any(commands, signs)),
)
# What needs a name that announces a secret, and reads in a part only where one stands in it.
_NAMED: tuple[Detector, ...] = (assignments, markup, prose, statements, tables, abroad, apart)
# Two lines that are put together make such numbers and tables by chance.
_NAMES_AND_LINES: tuple[Detector, ...] = (*_NAMED, headers, opaque_tokens)
_OF_ONE_LINE: tuple[Detector, ...] = (
    personal,
    identities,
    dialled,
    small_ibans,
    codes,
    apart,
    calls,
    commands,
    statements,
    tables,
    services,
    pem_tails,
)
_SHORTEST_TEXT = 6  # a mailbox
_SHORTEST_BLOB = 16


def _any(detector: Detector, signs: Signs) -> bool:
    return next(detector(signs.text), None) is not None


class _Look(NamedTuple):
    """What is worth doing on a text and on its parts. ``readings``: whether it says something in a form that only a walk can tell."""

    detectors: tuple[Detector, ...]
    names: tuple[str, ...]
    known: bool
    blobs: bool
    readings: bool

    def anything(self) -> bool:
        return bool(self.detectors or self.names or self.known or self.blobs or self.readings)

    def touches(self, part: str) -> bool:
        return bool(self.detectors or self.known or self.blobs or self.readings) or any(name in part for name in self.names)

    def detectors_for(self, part: str) -> Iterator[Detector]:
        yield from self.detectors
        if self.names and any(name in part for name in self.names):
            yield from (detector for detector in _NAMED if detector not in self.detectors)


class Scanner:
    """``detect``: look for what looks secret. ``known``: look for values that were found before. ``until``: on the monotonic clock."""

    __slots__ = ("_detect", "_found", "_known", "_policy", "_until")

    def __init__(self, known: Known, policy: Policy, *, detect: bool, until: float) -> None:
        self._known = known
        self._policy = policy
        self._detect = detect
        self._until = until
        self._found = 0

    def scan(self, text: str, kind: str | None = None) -> list[Span]:
        """All spans of a text, which may overlap. ``kind`` is what its place says of the whole text. ``ScanLimitError`` when time is up."""
        return self._scan(text, kind, 0)

    def _scan(self, text: str, kind: str | None, depth: int) -> list[Span]:
        if monotonic() > self._until:
            raise ScanLimitError("looking took too long")
        look = self._look(text, depth)
        if look is not None and kind is None and not look.anything():
            return []
        if depth < DEPTH and looks_like_json(text):
            walk = Walk(text, partial(self._leaf, depth=depth + 1, look=look), self._number, kind)
            spans = walk.spans()
            if spans is not None:
                return [*spans, *self._beside(text, walk.strings)]
        return self._leaf(text, kind, depth=depth, look=look, whole=True)

    def _look(self, text: str, depth: int) -> _Look | None:
        """None where invisible characters stand in the text: it has to be read without them first."""
        return None if fold(text) else self._look_at(walls(text), depth, forms=bool(readings(text)))

    def _look_at(self, text: str, depth: int, *, forms: bool) -> _Look:
        signs = Signs(text)
        return _Look(
            detectors=tuple(self._armed(signs)) if self._detect else (),
            names=signs.names if self._detect else (),
            known=next(self._known.search(text), None) is not None or next(self._known.broken(text), None) is not None,
            blobs=depth < DEPTH and signs.encoded(self._shortest()) and next(self._blobs(text, depth), None) is not None,
            readings=forms or "!str" in text or '"kty"' in text or compiled(CODES).search(text) is not None,
        )

    def _armed(self, signs: Signs) -> Iterator[Detector]:
        tokens = finder(signs.text, signs.words.odd, signs.words.plain)
        if tokens is not None:
            yield tokens
        for detector, shows in _DETECTORS:
            if shows(signs):
                yield detector
        if self._policy.profile == "strict" and signs.opaque and _any(opaque_tokens, signs):
            yield opaque_tokens
        for extra in self._policy.extras:
            yield partial(_checked, extra)

    def _leaf(
        self, text: str, kind: str | None, *, depth: int, look: _Look | None, key: bool = False, decoded: bool = False, whole: bool = False
    ) -> list[Span]:
        """A string of a JSON text, decoded, or (``whole``) a text that is no JSON. ``look`` is that of the whole text."""
        spans: list[Span] = []
        if kind is not None and self._detect:
            written = text.replace(WALL, "\1")  # here it is a character like any other
            spans += (Span(start, end, kind, text[start:end]) for start, end in secret_parts(kind, written))
        if len(text) < _SHORTEST_TEXT or (len(text) < _SHORTEST_BLOB and text.isalpha() and not self._known):
            return spans
        if not whole and not key and depth < DEPTH and looks_like_json(text):
            return spans + self._scan(text, None, depth)
        if decoded or (look is None and not whole):
            look = self._look(text, depth)
        if look is not None and not look.touches(text):
            return spans
        return spans + self._plain(text, depth, look)

    def _plain(self, text: str, depth: int, look: _Look | None) -> list[Span]:
        folded = fold(text) if look is None else None
        bare = walls(folded.text if folded else text)
        if look is None:
            look = self._look_at(bare, depth, forms=True)
        spans = list(self._read(bare, depth, look))
        if folded:
            spans = list(folded.lift(spans))
        if depth < DEPTH and look.readings:
            for view in readings(text):
                spans += view.lift(self._scan(view.text, None, depth + 1))
        return spans

    def _read(self, text: str, depth: int, look: _Look) -> Iterator[Span]:
        detectors = tuple(look.detectors_for(text))
        for detector in detectors:
            for span in detector(text):
                self._found += depth <= 1  # what stands there in another form stands there once
                if self._found > MOST:
                    raise ScanLimitError("too much to hide in one text")
                yield span
        yield from wrapped(text, (one for one in detectors if one not in _OF_ONE_LINE), only_rests=_NAMES_AND_LINES)
        if look.known:
            yield from self._known.search(text)
            yield from self._known.broken(text)
        if look.blobs:
            yield from self._blobs(text, depth)

    def _blobs(self, text: str, depth: int) -> Iterator[Span]:
        if depth < DEPTH:
            shortest, printable = self._shortest()
            yield from blobs(text, lambda plain: self._scan(plain, None, depth + 1), shortest=shortest, shortest_text=printable)

    def _shortest(self) -> tuple[int, int]:
        return SHORTEST_KNOWN if self._known else SHORTEST

    def _number(self, digits: str, kind: str | None) -> Span | None:
        known = self._known.kind(digits)
        if known is None and self._detect and self._policy.profile == "strict":
            known = card_kind(digits)
        if known is None and not (self._detect and number_kind(digits, kind)):
            return None
        return Span(0, 0, known or kind or "pin", digits, "number", '"')

    def _beside(self, text: str, strings: Sequence[tuple[int, int]]) -> Iterator[Span]:
        """What is found in a JSON text as it is written, where a name stands beside its value. Only the inside of strings may be edited."""
        if not self._detect:
            return
        bare = walls(text)
        found = list(opaque_tokens(bare)) if self._policy.profile == "strict" else []
        if '"-' in text:  # a command line as a list
            found += commands(bare)
        found += (span for extra in self._policy.extras for span in _checked(extra, bare))
        for span in found:
            first = bisect_right(strings, (span.start, len(text))) - 1
            for start, end in strings[max(first, 0) :]:
                if start >= span.end:
                    break
                inside = slice(max(start, span.start), min(end, span.end))
                if text[inside] and "\\" not in text[start:end]:  # an escape is not cut in two
                    yield Span(inside.start, inside.stop, span.kind, text[inside])


def _checked(extra: Extra, text: str) -> Iterator[Span]:
    """The spans of someone else's detector. ``ScanLimitError`` where it gives none that can be: then nothing may leave."""
    for start, end, kind in extra(text):
        if not (type(start) is int and type(end) is int and 0 <= start < end <= len(text)):
            raise ScanLimitError("a detector gave positions outside of the text")
        yield Span(start, end, kind if kind in KINDS else "other", text[start:end])


def merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order: overlapping ones become one that covers all of them, of the first kind in priority."""
    out: list[Span] = []
    for found in sorted(spans, key=lambda span: (span.start, -span.end, ORDER[span.kind])):
        start = whole_sequence(text, found.start, out[-1].end if out else 0)
        span = found if start == found.start else found._replace(start=start, form=found.form or "broken")
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
