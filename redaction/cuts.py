"""What is left of values that were cut: a head, a tail, or a long stretch out of the middle.

Heads and tails count from eight characters on, where they end as a word does or tell something of the value. A stretch that is
neither (the value was found with what is glued to it, or another value of the scope differs from it in a character) counts from
twelve on, and only where letters and figures are mixed in it as no word mixes them. Every search is linear in the text.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T")

PIECE = 8
_SHORTEST = 9  # of a value
_SHORTEST_LETTERS = 12  # of a value of letters only
_LONGEST = 256  # a longer one is a document: pieces of it may be what everybody says
_LONGEST_WORD = 4096  # a token may be longer
_STRIDE = 4  # between the places of a text at which a middle is looked for
_MIDDLE = 12
_CERTAIN = 16  # a stretch that no other value shares by chance: the rest of its word is part of it
_LONGEST_REST = 64
_MOST_SHARED = 8  # values that begin (end) alike and are compared with one place
_FEW = 16  # texts: each is looked for by itself
_MOST_MIDDLES = 200_000
_MIXED = r"(?=[a-z@!#%+*~^$&]*[0-9])(?=[0-9@!#%+*~^$&]*[a-z])[a-z0-9@!#%+*~^$&]{8}"


class Cut(NamedTuple):
    """``text[start:end]`` is a piece of the value that is known as ``key``."""

    start: int
    end: int
    key: str


class Heads(dict[str, list[_T]]):
    """Texts of one length, six characters or more, and a list under each. ``grams``: four characters of each, as ``_grams`` reads them."""

    __slots__ = ("grams",)

    def __init__(self) -> None:
        super().__init__()
        self.grams: set[int] = set()

    def under(self, head: str) -> list[_T]:
        """The list under that text, new if there was none."""
        if head not in self:
            self[head] = []
            self.grams.update(_grams(head, 0)[:1], _grams(head, 1)[:1])
        return self[head]


class Pieces:
    """The pieces of the values of a scope. Keys are values in small letters without accents, as the texts are given."""

    __slots__ = ("_heads", "_middles", "_tails")

    def __init__(self) -> None:
        self._heads: Heads[str] = Heads()
        self._tails: Heads[str] = Heads()
        self._middles: dict[str, tuple[str, int]] = {}

    def keep(self, key: str, *, middles: bool = True) -> None:
        """Look for pieces of that value too, if it is long enough to have any and no document. ``middles``: from within it as well."""
        if (
            not _SHORTEST <= len(key) <= _LONGEST_WORD
            or (len(key) > _LONGEST and len(key.split()) > 1)
            or "\n" in key
            or (len(key) < _SHORTEST_LETTERS and key.isalpha())
        ):
            return
        for pieces, piece in ((self._heads, key[:PIECE]), (self._tails, key[-PIECE:])):
            values = pieces.under(piece)
            if len(values) < _MOST_SHARED:
                values.append(key)
        if middles and _MIDDLE < len(key) <= _LONGEST and len(self._middles) < _MOST_MIDDLES and compiled(_MIXED).search(key) is not None:
            for at in range(len(key) - PIECE + 1):
                self._middles.setdefault(key[at : at + PIECE], (key, at))

    def search(self, plain: str, *, joined: bool = False) -> Iterator[Cut]:
        """Every piece in the text, which is in small letters without accents. ``joined``: its lines are put together, and so are words."""
        yield from self._heads_in(plain)
        yield from self._tails_in(plain)
        yield from self._middles_in(plain, joined=joined)

    def _heads_in(self, plain: str) -> Iterator[Cut]:
        done = 0  # an agreement is not measured again from every place within it
        for start in starts(plain, self._heads):
            if start < done:
                continue
            for value in self._heads[plain[start : start + PIECE]]:
                size = _agree(plain[start : start + len(value)], value)
                done = max(done, start + size - PIECE + 1)
                piece = value[:size].rstrip()
                end = start + len(piece)
                inside = size == len(piece) < len(value) and piece[-1].isalnum() and value[size].isalnum()
                if _tells(piece, value, inside=inside) and not _joins(plain, end):
                    yield Cut(start, end, value)

    def _tails_in(self, plain: str) -> Iterator[Cut]:
        done = len(plain)
        for found in reversed(list(starts(plain, self._tails))):
            end = found + PIECE
            if end > done:
                continue
            for value in self._tails[plain[found:end]]:
                size = _agree_behind(plain[max(end - len(value), 0) : end], value)
                done = min(done, end - size + PIECE - 1)
                piece = value[len(value) - size :].lstrip()
                start = end - len(piece)
                inside = size == len(piece) < len(value) and piece[0].isalnum() and value[-size - 1].isalnum()
                if _tells(piece, value, inside=inside) and not _joins(plain, start - 1):
                    yield Cut(start, end, value)

    def _middles_in(self, plain: str, *, joined: bool) -> Iterator[Cut]:
        if not self._middles:
            return
        done = 0
        for found in range(0, len(plain) - PIECE + 1, _STRIDE):
            if found < done or plain[found : found + PIECE] not in self._middles:
                continue
            value, at = self._middles[plain[found : found + PIECE]]
            start = found - _agree_behind(plain[max(found - at, done) : found], value[:at])
            done = end = found + _agree(plain[found : found + len(value) - at], value[at:])
            if end - start < _MIDDLE or compiled(_MIXED).search(plain, start, end) is None:
                continue
            if end - start >= _CERTAIN and not joined:
                start -= _word(plain[max(start - _LONGEST_REST, 0) : start][::-1])
                end += _word(plain[end : end + _LONGEST_REST])
            if not _joins(plain, start - 1) and not _joins(plain, end):
                yield Cut(start, end, value)


def starts(text: str, wanted: Heads[_T]) -> Iterator[int]:
    """Where one of those texts stands, in order."""
    if not wanted:
        return
    size = len(next(iter(wanted)))
    if len(wanted) > _FEW:
        grams = wanted.grams
        near = {at + 2 * shift for shift in (0, 1) for at, gram in zip(count(0, 4), _grams(text, 2 * shift), strict=False) if gram in grams}
        yield from (at for at in sorted(near | {at - 1 for at in near if at}) if text[at : at + size] in wanted)
        return
    found: list[int] = []
    for head in wanted:
        start = text.find(head)
        while start >= 0:
            found.append(start)
            start = text.find(head, start + 1)
    yield from sorted(found)


def _grams(text: str, first: int) -> memoryview:
    """Four characters at a time from ``first`` on, each four as one number; equal texts have equal numbers, and a few others too.

    Of a text, those from its first and from its third character on are read: of any five characters in a row, the first four or the
    last four are among them. It takes a tenth of the time of looking up every slice.
    """
    data = memoryview(text.encode("latin-1", "replace"))
    return data[first : first + (len(data) - first) // 4 * 4].cast("I")


def _agree(one: str, two: str) -> int:
    """How many characters two texts have in common at their start."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _agree_behind(one: str, two: str) -> int:
    return _agree(one[::-1], two[::-1])


def _tells(piece: str, value: str, *, inside: bool) -> bool:
    """Whether a piece tells something of its value: a cut inside a word, letters and figures, many figures, or a long one; no word does."""
    if len(piece) < PIECE or (len(value) < _SHORTEST_LETTERS and piece.isalpha()):
        return False
    return inside or mixed(piece) or sum(map(str.isdigit, piece)) >= PIECE or (len(piece) >= 2 * PIECE and not piece.isalpha())


def mixed(value: str) -> bool:
    """Whether letters and figures stand in it."""
    return compiled(r"\d").search(value) is not None and compiled(r"[^\W\d_]").search(value) is not None


def _word(text: str) -> int:
    return next((at for at, sign in enumerate(text) if not sign.isalnum()), len(text))


def _joins(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isalnum()
