"""Values that were found once are hidden wherever they stand again in the scope.

The search runs in every reading that the detectors use (unescaped, percent-decoded, base64, hexadecimal),
so a password that one side prints and the other encodes is hidden on both. Short values and ordinary
words are not spread: hiding each ``required`` would hide the difference and protect nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.types import ScanLimitError, Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST = 8
SHORTEST_MIXED = 6  # letters and digits, at word boundaries
EXACT = "known-value"  # the kind of what was known beforehand and has no shape of its own
_HEAD = 6
_MOST_VALUES = 50_000
_MOST_LENGTHS = 64  # of values that share their first characters
_ORDINARY = words(
    "password passphrase username authorization credentials credential anonymous localhost database undefined required "
    "optional disabled enabled production development security customer response request identity internal external "
    "standard password1 administrator application"
)


class Known:
    """The values of a scope, searched in linear time however many there are."""

    __slots__ = ("_exact", "_kinds", "_lengths")

    def __init__(self, exact: Iterable[str] = ()) -> None:
        """``exact``: values known beforehand. They are hidden inside longer words too: what follows a key may be glued to it."""
        self._kinds: dict[str, str] = {}
        self._lengths: dict[str, list[int]] = {}
        for value in exact:
            self._keep(value, _lower(value), EXACT)
        self._exact = frozenset(self._kinds)

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, spans: Iterable[Span]) -> bool:
        """Keep what is worth spreading; True if something was new."""
        before = len(self._kinds)
        for span in spans:
            value = span.value.strip()
            key = _lower(value)
            if key not in self._kinds and _spreads(value):
                self._keep(value, key, span.kind)
        return len(self._kinds) > before

    def _keep(self, value: str, key: str, kind: str) -> None:
        self._kinds[key] = kind
        lengths = self._lengths.setdefault(key[:_HEAD], [])
        if len(value) not in lengths:
            lengths.append(len(value))
            lengths.sort(reverse=True)
        if len(lengths) > _MOST_LENGTHS or len(self._kinds) > _MOST_VALUES:
            raise ScanLimitError("too many values to hide")

    def kind(self, value: str) -> str | None:
        """The kind of a value that is known as a whole."""
        return self._kinds.get(_lower(value))

    def search(self, text: str) -> Iterator[Span]:
        """Every known value in the text, longest first where several start together."""
        if not self._kinds or len(text) < _HEAD:
            return
        position = 0
        lower = _lower(text)
        for start in self._starts(lower):
            if start < position:
                continue
            for length in self._lengths[lower[start : start + _HEAD]]:
                value = text[start : start + length]
                key = lower[start : start + length]
                kind = self._kinds.get(key)
                if kind is not None and (key in self._exact or _bounded(text, start, value)):
                    position = start + len(value)  # the text may end before `length`
                    yield Span(start, position, kind, value)
                    break

    def _starts(self, text: str) -> Iterator[int]:
        if len(self._lengths) > 16:
            heads = self._lengths
            yield from (start for start in range(len(text) - _HEAD + 1) if text[start : start + _HEAD] in heads)
            return
        found: list[int] = []
        for head in self._lengths:
            start = text.find(head)
            while start >= 0:
                found.append(start)
                start = text.find(head, start + 1)
        yield from sorted(found)


def _lower(text: str) -> str:
    """In small letters, position by position."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one if len(one := char.lower()) == 1 else char for char in text)


def _spreads(value: str) -> bool:
    if len(value) < SHORTEST_MIXED or value.lower() in _ORDINARY:
        return False
    if len(value) >= SHORTEST:
        return len(set(value)) > 1
    return _mixed(value)


def _mixed(value: str) -> bool:
    return compiled(r"\d").search(value) is not None and compiled(r"[^\W\d_]").search(value) is not None


def _bounded(text: str, start: int, value: str) -> bool:
    """Whether a plain word or number, or a short value, stands here as a whole word."""
    if len(value) >= SHORTEST and not value.isalpha() and not value.isdigit():
        return True
    before, after = text[max(0, start - 1) : start], text[start + len(value) : start + len(value) + 1]
    return not (before.isalnum() or after.isalnum())
