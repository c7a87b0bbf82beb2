"""Values that were found once are hidden wherever they stand again in the scope.

The search runs in every reading that the detectors use (unescaped, percent-decoded, base64, hexadecimal),
so a password that one side prints and the other encodes is hidden on both. Short values and ordinary
words are not spread: hiding each ``required`` would hide the difference and protect nothing.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from redaction.cuts import Heads, Pieces, mixed, starts
from redaction.placeholder import WALL
from redaction.types import ScanLimitError, Span
from redaction.views import compiled, readings, unwrap, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SHORTEST = 8
SHORTEST_MIXED = 6  # letters and digits, at word boundaries
EXACT = "known-value"  # the kind of what was known beforehand and has no shape of its own
_HEAD = 6
_LONGEST = 4096  # a longer value is a document, and every place where it could start would be compared with all of it
_NEXT_PAIR = r"&\w{1,40}="
_ENCODED = frozenset({"base64", "base32", "hex", "codes"})
WRAP = r"(?<=\S)\r?\n[ \t]{0,16}(?=\S)"
_MOST_VALUES = 50_000
_REMEMBERED = 4
_MOST_LENGTHS = 64  # of values that share their first characters
_ORDINARY = words(
    "password passphrase username authorization credentials credential anonymous localhost database undefined required "
    "optional disabled enabled production development security customer response request identity internal external "
    "standard password1 administrator application"
)


class Known:
    """The values of a scope, searched in linear time however many there are."""

    __slots__ = ("_exact", "_kinds", "_lengths", "_memory", "_pieces")

    def __init__(self, exact: Iterable[str] = ()) -> None:
        """``exact``: values known beforehand. They are hidden inside longer words too: what follows a key may be glued to it."""
        self._kinds: dict[str, str] = {}
        self._lengths: Heads[int] = Heads()
        self._memory: dict[tuple[bool, str], tuple[Span, ...]] = {}  # what was found in the last few texts
        self._pieces = Pieces()  # of long values: one may have been cut
        for value in exact:
            self._keep(value, _plain(value), EXACT)
        self._exact = frozenset(self._kinds)

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, spans: Iterable[Span]) -> bool:
        """Keep what is worth spreading, as it is written and as it reads when decoded; True if something was new."""
        before = len(self._kinds)
        fresh: dict[str, Span] = {}
        for span in spans:
            fresh.setdefault(span.value, span)
        for span in fresh.values():
            if WALL in span.value:  # part of it is hidden already
                continue
            for value in _ways(span.value):
                key = _plain(value)
                if key not in self._kinds and _spreads(value):
                    # Encoded texts that begin alike, as documents do, share long stretches and no secret.
                    self._keep(value, key, span.kind, middles=span.form not in _ENCODED)
        return len(self._kinds) > before

    def _keep(self, value: str, key: str, kind: str, *, middles: bool = True) -> None:
        self._kinds[key] = kind
        self._memory.clear()
        lengths = self._lengths.under(key[:_HEAD])
        if len(value) not in lengths:
            lengths.append(len(value))
            lengths.sort(reverse=True)
        self._pieces.keep(key, middles=middles)
        if len(lengths) > _MOST_LENGTHS or len(self._kinds) > _MOST_VALUES:
            raise ScanLimitError("too many values to hide")

    def kind(self, value: str) -> str | None:
        """The kind of a value that is known as a whole."""
        return self._kinds.get(_plain(value))

    def search(self, text: str) -> Iterator[Span]:
        """Every known value in the text, longest first where several start together; then what is left of values that were cut."""
        return self._remembered(text, self._search, broken=False)

    def broken(self, text: str) -> Iterator[Span]:
        """Known values that a line end cuts in two."""
        return self._remembered(text, self._broken, broken=True)

    def _remembered(self, text: str, find: Callable[[str], Iterator[Span]], *, broken: bool) -> Iterator[Span]:
        """One text is asked for several times in a row: whether it holds anything, whether all of it is covered, and for what it holds."""
        if not self._kinds:
            return iter(())
        found = self._memory.get((broken, text))
        if found is None:
            if len(self._memory) >= _REMEMBERED:
                del self._memory[next(iter(self._memory))]
            found = self._memory[broken, text] = tuple(find(text))
        return iter(found)

    def _search(self, text: str, *, joined: bool = False) -> Iterator[Span]:
        if len(text) < _HEAD:
            return
        position = 0
        plain = _plain(text)
        for start in starts(plain, self._lengths):
            if start < position:
                continue
            for length in self._lengths[plain[start : start + _HEAD]]:
                value = text[start : start + length]
                key = plain[start : start + length]
                kind = self._kinds.get(key)
                if kind is not None and (key in self._exact or _bounded(text, start, value)):
                    position = start + len(value)  # the text may end before `length`
                    yield Span(start, position, kind, value)
                    break
        for start, end, key in self._pieces.search(plain, joined=joined):
            yield Span(start, end, self._kinds[key], text[start:end])

    def _broken(self, text: str) -> Iterator[Span]:
        if "\n" not in text:
            return
        joined = unwrap(text, WRAP)
        for span in joined.lift(self._search(joined.text, joined=True)):
            if "\n" in text[span.start : span.end]:
                yield span


def _ways(value: str) -> Iterator[str]:
    """A value as it is written and as it reads when decoded; and without the next pair of a query, which a decoder glued to it."""
    for way in (value, *(view.text for view in readings(value))):
        yield way.strip()
        glued = compiled(_NEXT_PAIR).search(way)
        if glued is not None:
            yield way[: glued.start()].strip()


def _plain(text: str) -> str:
    """In small letters without accents, position by position."""
    if text.isascii():
        return text.lower()
    return "".join(map(_plain_character, text))


@lru_cache(maxsize=1024)
def _plain_character(character: str) -> str:
    base, *marks = list(unicodedata.normalize("NFD", character))
    if not marks or not all(map(unicodedata.combining, marks)):
        base = character
    small = base.lower()
    return small if len(small) == 1 else base


def _spreads(value: str) -> bool:
    if not SHORTEST_MIXED <= len(value) <= _LONGEST or value.lower() in _ORDINARY:
        return False
    if len(value) >= SHORTEST:
        return len(set(value)) > 1
    return mixed(value)


def _bounded(text: str, start: int, value: str) -> bool:
    """Whether a plain word or number, or a short value, stands here as a whole word."""
    if len(value) >= SHORTEST and not value.isalpha() and not value.isdigit():
        return True
    before, after = text[max(0, start - 1) : start], text[start + len(value) : start + len(value) + 1]
    return not (before.isalnum() or after.isalnum())
