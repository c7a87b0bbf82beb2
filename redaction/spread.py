"""Values that were found once are hidden wherever they stand again in the scope.

The search runs in every reading that the detectors use (unescaped, percent-decoded, base64, hexadecimal),
so a password that one side prints and the other encodes is hidden on both. Short values and ordinary
words are not spread: hiding each ``required`` would hide the difference and protect nothing.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

from redaction.placeholder import WALL
from redaction.types import ScanLimitError, Span
from redaction.views import compiled, readings, unwrap, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SHORTEST = 8
SHORTEST_MIXED = 6  # letters and digits, at word boundaries
EXACT = "known-value"  # the kind of what was known beforehand and has no shape of its own
_HEAD = 6
_PIECE = 8
_LONGEST = 4096  # a longer value is a document, and every place where it could start would be compared with all of it
_SHORTEST_CUT = 12
_LONGEST_CUT = 256  # a longer one is a document: pieces of it may be what everybody says
WRAP = r"(?<=\S)\r?\n[ \t]{0,16}(?=\S)"
_MOST_VALUES = 50_000
_FEW = 16  # values: each is looked for by itself
_REMEMBERED = 4
_MOST_LENGTHS = 64  # of values that share their first characters
_ORDINARY = words(
    "password passphrase username authorization credentials credential anonymous localhost database undefined required "
    "optional disabled enabled production development security customer response request identity internal external "
    "standard password1 administrator application"
)


class Known:
    """The values of a scope, searched in linear time however many there are."""

    __slots__ = ("_exact", "_grams", "_heads", "_kinds", "_lengths", "_memory", "_tails")

    def __init__(self, exact: Iterable[str] = ()) -> None:
        """``exact``: values known beforehand. They are hidden inside longer words too: what follows a key may be glued to it."""
        self._kinds: dict[str, str] = {}
        self._lengths: dict[str, list[int]] = {}
        self._heads: dict[str, str] = {}  # the first characters of long values, and the value: it may have been cut
        self._tails: dict[str, str] = {}
        self._grams: set[int] = set()  # of the heads and tails, as `_grams` reads them
        self._memory: dict[tuple[bool, str], tuple[Span, ...]] = {}  # what was found in the last few texts
        for value in exact:
            self._keep(value, _plain(value), EXACT)
        self._exact = frozenset(self._kinds)

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, spans: Iterable[Span]) -> bool:
        """Keep what is worth spreading, as it is written and as it reads when decoded; True if something was new."""
        before = len(self._kinds)
        kinds: dict[str, str] = {}
        for span in spans:
            kinds.setdefault(span.value, span.kind)
        for written, kind in kinds.items():
            if WALL in written:  # part of it is hidden already
                continue
            for value in (written.strip(), *(view.text.strip() for view in readings(written))):
                key = _plain(value)
                if key not in self._kinds and _spreads(value):
                    self._keep(value, key, kind)
        return len(self._kinds) > before

    def _keep(self, value: str, key: str, kind: str) -> None:
        self._kinds[key] = kind
        self._memory.clear()
        self._grams.update(_grams(key[:_HEAD], 0)[:1], _grams(key[:_HEAD], 1)[:1])
        lengths = self._lengths.setdefault(key[:_HEAD], [])
        if len(value) not in lengths:
            lengths.append(len(value))
            lengths.sort(reverse=True)
        if _SHORTEST_CUT <= len(value) <= _LONGEST_CUT and "\n" not in value:
            self._heads.setdefault(key[:_PIECE], key)
            self._tails.setdefault(key[-_PIECE:], key)
            self._grams.update(_grams(key[-_PIECE:], 0)[:1], _grams(key[-_PIECE:], 1)[:1])
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

    def _search(self, text: str) -> Iterator[Span]:
        if len(text) < _HEAD:
            return
        position = 0
        plain = _plain(text)
        places = self._places(plain)
        for start in places:
            if start < position or (lengths := self._lengths.get(plain[start : start + _HEAD])) is None:
                continue
            for length in lengths:
                value = text[start : start + length]
                key = plain[start : start + length]
                kind = self._kinds.get(key)
                if kind is not None and (key in self._exact or _bounded(text, start, value)):
                    position = start + len(value)  # the text may end before `length`
                    yield Span(start, position, kind, value)
                    break
        yield from self._cut(text, plain, places)

    def _places(self, plain: str) -> list[int]:
        """Where a value may start, and where the tail of one may: some more than do."""
        if len(self._kinds) <= _FEW:
            return sorted({start for heads in (self._lengths, self._tails) for head in heads for start in _finds(plain, head)})
        grams = self._grams
        found = {
            at + 2 * shift for shift in (0, 1) for at, gram in zip(count(0, 4), _grams(plain, 2 * shift), strict=False) if gram in grams
        }
        return sorted(found | {at - 1 for at in found if at})

    def _broken(self, text: str) -> Iterator[Span]:
        if "\n" not in text:
            return
        joined = unwrap(text, WRAP)
        for span in joined.lift(self._search(joined.text)):
            if "\n" in text[span.start : span.end]:
                yield span

    def _cut(self, text: str, plain: str, places: Iterable[int]) -> Iterator[Span]:
        """A head or a tail of a value, as far as it agrees, where it ends as a word does and is none. No character is compared often."""
        done = 0
        for start in places:
            if start < done or (value := self._heads.get(plain[start : start + _PIECE])) is None:
                continue
            end = start + _PIECE
            while end < len(plain) and end - start < len(value) and plain[end] == value[end - start]:
                end += 1
            done = end - _PIECE + 1
            inside = end - start < len(value) and plain[end - 1].isalnum() and value[end - start].isalnum()
            if _tells(plain[start:end], inside=inside) and not _joins(text, end):
                yield Span(start, end, self._kinds[value], text[start:end])
        done = 0
        for found in places:
            if (value := self._tails.get(plain[found : found + _PIECE])) is None:
                continue
            start, end = found, found + _PIECE
            while start > done and end - start < len(value) and plain[start - 1] == value[start - end - 1]:
                start -= 1
            done = found
            inside = end - start < len(value) and plain[start].isalnum() and value[start - end - 1].isalnum()
            if _tells(plain[start:end], inside=inside) and not _joins(text, start - 1):
                yield Span(start, end, self._kinds[value], text[start:end])


def _finds(text: str, head: str) -> Iterator[int]:
    start = text.find(head)
    while start >= 0:
        yield start
        start = text.find(head, start + 1)


def _grams(text: str, first: int) -> memoryview:
    """Four characters at a time from ``first`` on, each four as one number; equal texts have equal numbers, and a few others too.

    Of a text, those from its first and from its third character on are read: of any five characters in a row, the first four or the
    last four are among them. It takes a tenth of the time of looking up every slice.
    """
    data = memoryview(text.encode("latin-1", "replace"))
    return data[first : first + (len(data) - first) // 4 * 4].cast("I")


def _tells(piece: str, *, inside: bool) -> bool:
    """Whether a piece of a value tells something of it: a cut inside a word, letters and figures, or a long one. A word may be anyone's."""
    return inside or _mixed(piece) or (len(piece) >= 2 * _PIECE and not piece.isalpha())


def _joins(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isalnum()


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
    return _mixed(value)


def _mixed(value: str) -> bool:
    return compiled(r"\d").search(value) is not None and compiled(r"[^\W\d_]").search(value) is not None


def _bounded(text: str, start: int, value: str) -> bool:
    """Whether a plain word or number, or a short value, stands here as a whole word."""
    if len(value) >= SHORTEST and not value.isalpha() and not value.isdigit():
        return True
    before, after = text[max(0, start - 1) : start], text[start + len(value) : start + len(value) + 1]
    return not (before.isalnum() or after.isalnum())
