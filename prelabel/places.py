"""Where two parsed texts differ, and what the difference at one place is, in words.

A place is a JSON pointer with the value of each side; types count as in the canonical form, so ``1``, ``1.0``
and ``true`` differ. The walk is iterative and bounded. ``Said.kind`` names the kind of difference without
a character of the payload: it may stand in a public comment and group rows by cause. Source: design, section 11.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gate.canonical.visible_json import ascii_json, escape, visible
from gate.canonical.walk import tagged
from prelabel.relations import edges, quoted, relation, string_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EXCERPT = 60
# Lists of different length are aligned by the texts of their items while these are at most so many characters in all.
_ALIGNED = 1 << 20
_DIGITS = 40
# How much is shown before and behind the first difference of two values whose excerpts read alike.
_BEFORE, _BEHIND = 16, 24


class _Absent:
    """What one side has at a place that only the other side has."""


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One place. ``what`` is "value", "key" (a key changed its spelling) or "order" (the same items in another order)."""

    at: tuple[str, ...]
    baseline: Any
    candidate: Any
    what: str = "value"

    @property
    def pointer(self) -> str:
        """The JSON pointer, escaped for one line; the root is ``/``."""
        steps = (step.replace("~", "~0").replace("/", "~1") for step in self.at)
        return escape("".join(f"/{step}" for step in steps)) or "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One place in words. ``kind`` holds nothing of the payload; ``sentences`` do, escaped and bounded."""

    kind: str
    sentences: tuple[str, ...]


def spots(baseline: Any, candidate: Any) -> Iterator[Spot]:
    """Every place that differs, in the order of the canonical text."""
    budget = [_ALIGNED]
    todo: list[Spot] = [Spot(at=(), baseline=baseline, candidate=candidate)]
    while todo:
        here = todo.pop()
        left, right = here.baseline, here.candidate
        if here.what == "key" or left is ABSENT or right is ABSENT:
            yield here
        elif isinstance(left, dict) and isinstance(right, dict) and tagged(left) == tagged(right):
            todo.extend(reversed(_members(here.at, left, right)))
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) == len(right) and _same_items(left, right, budget):
                yield Spot(at=here.at, baseline=left, candidate=right, what="order")
            else:
                todo.extend(reversed(_items(here.at, left, right, budget)))
        elif type(left) is not type(right) or left != right or (isinstance(left, float) and repr(left) != repr(right)):
            yield here


def _members(at: tuple[str, ...], left: dict[str, Any], right: dict[str, Any]) -> list[Spot]:
    gone, new = [key for key in left if key not in right], [key for key in right if key not in left]
    twins: dict[str, str] = {}
    if gone and new and len(gone) * len(new) <= 64:
        for key in gone:
            alike = [other for other in new if relation(key, other)]
            if len(alike) == 1 and alike[0] not in twins.values():
                twins[key] = alike[0]
    found: list[Spot] = []
    renamed = set(twins.values())
    for key in sorted({*left, *right}):
        if key in twins:
            found.append(Spot(at=at, baseline=key, candidate=twins[key], what="key"))
            found.append(Spot(at=(*at, key), baseline=left[key], candidate=right[twins[key]]))
        elif key not in renamed:
            found.append(Spot(at=(*at, key), baseline=left.get(key, ABSENT), candidate=right.get(key, ABSENT)))
    return found


def _texts(items: Sequence[Any], budget: list[int]) -> list[str] | None:
    """The text of each item, or None once the work for aligning lists is used up."""
    texts: list[str] = []
    for item in items:
        if budget[0] <= 0:
            return None
        texts.append(ascii_json(item))
        budget[0] -= len(texts[-1])
    return texts


def _same_items(left: list[Any], right: list[Any], budget: list[int]) -> bool:
    """Whether both hold the same items in two orders."""
    if len(left) < 2:
        return False
    one = _texts(left, budget)
    other = _texts(right, budget) if one is not None else None
    return one is not None and other is not None and one != other and sorted(one) == sorted(other)


def _items(at: tuple[str, ...], left: list[Any], right: list[Any], budget: list[int]) -> list[Spot]:
    """Item by item; where lengths differ, equal items at both ends are set aside first so that one inserted item shifts nothing."""
    start = end = 0
    if len(left) != len(right):
        one = _texts(left, budget)
        other = _texts(right, budget) if one is not None else None
        if one is not None and other is not None:
            shorter = min(len(one), len(other))
            while start < shorter and one[start] == other[start]:
                start += 1
            while end < shorter - start and one[-1 - end] == other[-1 - end]:
                end += 1
    longer, stop = max(len(left), len(right)) - end, (len(left) - end, len(right) - end)
    return [
        Spot(at=(*at, str(i)), baseline=left[i] if i < stop[0] else ABSENT, candidate=right[i] if i < stop[1] else ABSENT)
        for i in range(start, longer)
    ]


# -- one place in words -------------------------------------------------------------------------------------


def say(spot: Spot) -> Said:
    """What happened at one place."""
    left, right = spot.baseline, spot.candidate
    if spot.what == "order":
        return Said(kind="same items in another order", sentences=("the same items in another order",))
    if spot.what == "key":
        first, *rest = string_words(left, right)
        return Said(kind=f"key: {relation(left, right)}", sentences=(f"key {quoted(left)}: {first}", *rest))
    if left is ABSENT or right is ABSENT:
        side, value = ("candidate", right) if left is ABSENT else ("baseline", left)
        word = "added" if left is ABSENT else "removed"
        return Said(kind=f"{_slot(spot)} {word}", sentences=(f"only the {side} has {excerpt(value)}",))
    if isinstance(left, str) and isinstance(right, str):
        return Said(kind=kind_of(spot), sentences=string_words(left, right))
    return _other(left, right)


def kind_of(spot: Spot) -> str:
    """``say(spot).kind``, without the sentences where these are the work."""
    if spot.what == "value" and isinstance(spot.baseline, str) and isinstance(spot.candidate, str):
        return relation(spot.baseline, spot.candidate) or "text changed"
    return say(spot).kind


def _slot(spot: Spot) -> str:
    return "item" if spot.at and spot.at[-1].isdigit() else "key"


def _other(left: Any, right: Any) -> Said:
    became = " became ".join(excerpts(left, right))
    before, after = noun(left), noun(right)
    if _is_number(left) and _is_number(right):
        sense = _numbers(left, right)
        return Said(kind=sense or "number changed", sentences=(f"{became}; {sense}" if sense else became,))
    if before != after and ascii_json(_inner(left)) == ascii_json(_inner(right)):
        return Said(kind=f"type only: {before} became {after}", sentences=(f"{became}; type only: {before} became {after}",))
    nothing = {"null", "an empty list", "an empty object"}
    if before in nothing and after in nothing:
        return Said(kind=f"{before} became {after}", sentences=(f"{before} became {after}",))
    if isinstance(left, bool) and isinstance(right, bool):
        return Said(kind="boolean changed", sentences=(became,))
    return Said(kind=f"{before} became {after}", sentences=(f"{became}; {before} became {after}",))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(left: float, right: float) -> str:
    if type(left) is not type(right):
        return f"type only: {noun(left)} became {noun(right)}" if left == right else f"{noun(left)} became {noun(right)}"
    if left == right:
        return "sign of zero only"
    if type(left) is float and math.isclose(left, right, rel_tol=1e-12):
        return "equal but for the last digits"
    return ""


def _inner(value: Any) -> Any:
    """What a tag holds; ``true`` and ``1`` are the same content too."""
    tag = tagged(value)
    if tag is not None:
        return value[tag]
    return int(value) if isinstance(value, bool) else value


def noun(value: Any) -> str:
    """What sort of value this is, with an article, and nothing of the value itself but whether it is empty."""
    tag = tagged(value)
    if tag is not None:
        return _TAGS.get(tag, "another type")
    sort: type[Any] = type(value)
    return _EMPTY[sort] if sort in _EMPTY and not value else _NOUNS[sort]


_NOUNS: dict[type[Any], str] = {
    type(None): "null",
    bool: "a boolean",
    int: "an integer",
    float: "a float",
    str: "a text",
    list: "a list",
    dict: "an object",
}
_EMPTY: dict[type[Any], str] = {str: "an empty text", list: "an empty list", dict: "an empty object"}
_TAGS = {
    "!tuple": "a tuple",
    "!set": "a set",
    "!frozenset": "a frozenset",
    "!bytes": "bytes",
    "!bytearray": "a bytearray",
    "!float": "a float",
    "!complex": "a complex number",
    "!decimal": "a decimal",
    "!datetime": "a datetime",
    "!date": "a date",
    "!time": "a time",
    "!timedelta": "a timedelta",
    "!dict": "a dict with other keys than texts",
    "!sub": "a subclass of a builtin type",
    "!object": "an object of a class",
    "!iter": "an iterator",
    "!enum": "an enum member",
    "!path": "a path",
    "!str": "a text",
}


def excerpt(value: Any) -> str:
    """A value as visible JSON, cut with its length where it is long. Every value is shown, so ``null`` and ``""`` are too."""
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return f"an integer beyond {_DIGITS} digits"
    text = visible(value)
    return text if len(text) <= _EXCERPT else f"{escape(text[: _EXCERPT - 2])}.. ({len(text):,} characters)"


def excerpts(left: Any, right: Any) -> tuple[str, str]:
    """Both values in one sentence. Where their excerpts read alike, what stands around the first difference: they never do."""
    one, other = excerpt(left), excerpt(right)
    if one != other:
        return one, other
    texts = visible(left), visible(right)
    start, _ = edges(*texts)
    return _around(texts[0], start), _around(texts[1], start)


def _around(text: str, start: int) -> str:
    low, high = max(start - _BEFORE, 0), start + _BEHIND
    shown = f"{'..' if low else ''}{escape(text[low:high])}{'..' if high < len(text) else ''}"
    return f"{shown} (behind {low:,} of {len(text):,} characters)"
