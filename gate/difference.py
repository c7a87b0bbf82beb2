"""Where inside two JSON texts the sides differ: a bounded list of changes, found in linear time.

Objects are compared key by key, lists place by place, texts of several lines line by line, sets by membership. Items that
only moved up or down because others came or went before them are no changes: where what both lists hold stands in one
order, only the rest is listed. To see that, every container in such a pair gets a mark, equal for equal subtrees, so
nothing is looked at twice. No edit distance is ever computed: the quadratic diff of two long lists is a known way to hang
a gate (study/gate.md, 37). Types count: ``1``, ``1.0`` and ``true`` are three things.

Where a change stands is a JSON pointer, and behind it the line in a text (``/a line 3``, counted from 1). What stands on one
side only has its place on that side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import compress, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from gate.canonical.visible_json import escape, visible, visible_raw
from gate.canonical.walk import SETS, tagged
from gate.types import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHANGES = 20
MAX_TEXT = 200
MAX_POINTER = 300
_BEFORE = 40  # characters shown before the first difference of two long texts
_CUT = "\u2026"
# The end of a cut text: the first half of a pair of escapes, the beginning of one, or both.
_BROKEN_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)(?:\\ud[89ab][0-9a-f]{2})?(?:\\(?:u[0-9a-f]{0,3})?)?$")

Place = tuple[
    "Place | None", str | int
]  # keys and indexes, last a line: a linked list of pointer tokens: building texts on the way down would be quadratic
Pair = tuple["Place | None", Any, Any, "_Same | None"]
_Marks = tuple[list[Any], list[Any]]  # of the items of both lists
_Token = Callable[[int], "str | int"]  # an index as it stands in a place


class _Absent:
    __slots__ = ()


_ABSENT = _Absent()


def _mark(scalar: Any) -> Any:
    """Equal for equal scalars. 1, 1.0 and True are equal to Python, and so are 0.0 and -0.0; ``repr`` tells them apart."""
    return (repr(scalar),) if type(scalar) is float or type(scalar) is bool else scalar


class _Same:
    """A mark for every subtree of two trees, equal for equal subtrees on whichever side they stand.

    Marks of containers are objects of their own, so that they equal no scalar.
    """

    def __init__(self, *trees: list[Any]) -> None:
        self._known: dict[Any, object] = {}
        self._of: dict[int, object] = {}
        containers: list[Any] = [*trees]
        for node in containers:  # grows while it is walked: every container comes before those inside it
            containers += [item for item in (node.values() if type(node) is dict else node) if type(item) is dict or type(item) is list]
        for node in reversed(containers):
            marks = [self(item) for item in (node.values() if type(node) is dict else node)]
            key = frozenset(zip(node, marks, strict=True)) if type(node) is dict else tuple(marks)
            self._of[id(node)] = self._known.setdefault(key, object())

    def __call__(self, node: Any) -> Any:
        return self._of[id(node)] if type(node) is dict or type(node) is list else _mark(node)


def changes(baseline: Any, candidate: Any, *, limit: int = MAX_CHANGES) -> tuple[Change, ...]:
    """At most ``limit`` changes, in the order of the document; none only for equal trees."""
    return changes_and_more(baseline, candidate, limit=limit)[0]


def changes_and_more(baseline: Any, candidate: Any, *, limit: int = MAX_CHANGES) -> tuple[tuple[Change, ...], int]:
    """The same, and how many more there are."""
    found: list[Change] = []
    count = 0
    todo: list[Pair] = [(None, baseline, candidate, None)]
    while todo:
        place, left, right, same = todo.pop()
        if _plainly_equal(left, right) or (same and left is not _ABSENT and right is not _ABSENT and same(left) == same(right)):
            continue
        below = _below(place, left, right, same)
        if below is None:
            count += 1
            if len(found) < limit:
                found.append(_change(place, left, right))
        else:
            todo += reversed(below)
    if not found:
        for place, left, right in _orders(baseline, candidate):
            count += 1
            if len(found) < limit:
                found.append(_from_texts(_pointer(place), visible_raw(left), visible_raw(right)))
    return tuple(found), count - len(found)


def _orders(baseline: Any, candidate: Any) -> Iterator[tuple[Place | None, Any, Any]]:
    """Where two trees that are equal otherwise have the keys of an object in another order, outermost only."""
    todo: list[tuple[Place | None, Any, Any]] = [(None, baseline, candidate)]
    while todo:
        place, left, right = todo.pop()
        if type(left) is dict and type(right) is dict and left.keys() == right.keys():
            if list(left) != list(right):
                yield place, left, right
            else:
                todo += reversed([((place, key), left[key], right[key]) for key in left])
        elif type(left) is list and type(right) is list and len(left) == len(right):
            todo += reversed([((place, str(at)), one, other) for at, (one, other) in enumerate(zip(left, right, strict=True))])


def _plainly_equal(left: Any, right: Any) -> bool:
    """Equal scalars; containers are never plain."""
    kind = type(left)
    return kind is type(right) and kind is not dict and kind is not list and _mark(left) == _mark(right)


def _below(place: Place | None, left: Any, right: Any, same: _Same | None) -> list[Pair] | None:
    """The parts in which two containers of one kind may differ; None where the two are one change as a whole."""
    if type(left) is dict and type(right) is dict:
        tag = tagged(left)
        if tag != tagged(right):
            return None
        if tag in SETS and type(left[tag]) is list and type(right[tag]) is list:
            return _members((place, tag), left[tag], right[tag], same or _Same(left[tag], right[tag]))
        keys = left if left.keys() == right.keys() else left.keys() | right.keys()
        pairs = ((key, left.get(key, _ABSENT), right.get(key, _ABSENT)) for key in sorted(keys))
        return [((place, key), one, other, same) for key, one, other in pairs if not _plainly_equal(one, other)]
    if type(left) is list and type(right) is list:
        return _items(place, left, right, same, str)
    if type(left) is str and type(right) is str and ("\n" in left[:-1] or "\n" in right[:-1]):
        return _items(place, _lines(left), _lines(right), None, _line)
    return None


def _lines(text: str) -> list[Any]:
    """Split at line feeds only; other ends of lines belong to the text and are shown by their code points."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _line(at: int) -> int:
    return at + 1


def _items(place: Place | None, left: list[Any], right: list[Any], same: _Same | None, token: Callable[[int], str | int]) -> list[Pair]:
    """Pairs of items by place, or fewer that say as much: what came and went between those that stayed."""
    pairs: list[Pair] = [
        ((place, token(at)), one, other, same)
        for at, (one, other) in enumerate(zip_longest(left, right, fillvalue=_ABSENT))
        if not _plainly_equal(one, other)
    ]
    if len(pairs) < 2:
        return pairs
    same = same or _Same(left, right)
    marks = [same(item) for item in left], [same(item) for item in right]
    if len(left) == len(right):
        pairs = [
            ((place, token(at)), left[at], right[at], same) for at, (one, other) in enumerate(zip(*marks, strict=True)) if one != other
        ]
    else:
        pairs = _middle(place, left, right, marks, same, token)
    fewer = _moved_apart(place, left, right, marks, same, token) if len(pairs) > 1 else None
    return fewer if fewer is not None and len(fewer) < len(pairs) + (len(left) != len(right)) else pairs


def _middle(place: Place | None, left: list[Any], right: list[Any], marks: _Marks, same: _Same, token: _Token) -> list[Pair]:  # noqa: PLR0917  # the two lists with what is known of them
    """Lists of different length: what is left by place when the common head and tail are off."""
    shorter = min(len(left), len(right))
    head = tail = 0
    while head < shorter and marks[0][head] == marks[1][head]:
        head += 1
    while tail < shorter - head and marks[0][-1 - tail] == marks[1][-1 - tail]:
        tail += 1
    last_left, last_right = len(left) - tail, len(right) - tail
    return [
        ((place, token(at)), left[at] if at < last_left else _ABSENT, right[at] if at < last_right else _ABSENT, same)
        for at in range(head, max(last_left, last_right))
    ]


def _moved_apart(place: Place | None, left: list[Any], right: list[Any], marks: _Marks, same: _Same, token: _Token) -> list[Pair] | None:  # noqa: PLR0917  # as above
    """What came and went, if what both lists hold stands in one order; None where it does not, or is nothing."""
    if set(marks[0]).isdisjoint(marks[1]):
        return None
    both = Counter(marks[0]) & Counter(marks[1])
    stays = _first(marks[0], both), _first(marks[1], both)
    kept = [list(compress(side, stay)) for side, stay in zip(marks, stays, strict=True)]
    if kept[0] != kept[1]:
        return None
    pairs: list[Pair] = []
    one = other = 0
    while one < len(left) or other < len(right):
        ends = _next(stays[0], one), _next(stays[1], other)
        if one == other:  # a gap at one place on both sides: its items are each other's
            gap = zip_longest(left[one : ends[0]], right[other : ends[1]], fillvalue=_ABSENT)
            pairs += [((place, token(at)), *items, same) for at, items in enumerate(gap, one)]
        else:
            went = [(at, left[at], _ABSENT) for at in range(one, ends[0])]
            came = [(at, _ABSENT, right[at]) for at in range(other, ends[1])]
            pairs += [((place, token(at)), gone, new, same) for at, gone, new in sorted(went + came, key=itemgetter(0))]
        one, other = ends[0] + 1, ends[1] + 1
    return pairs


def _first(marks: list[Any], counts: Counter[Any]) -> list[bool]:
    """Which items are among the first so many of their kind."""
    left = counts.copy()
    stays = []
    for mark in marks:
        stays.append(left[mark] > 0)
        left[mark] -= 1
    return stays


def _next(stays: list[bool], start: int) -> int:
    """Where the next item that stays is."""
    while start < len(stays) and not stays[start]:
        start += 1
    return start


def _members(place: Place, left: list[Any], right: list[Any], same: _Same) -> list[Pair]:
    """Sets: what only one side holds, in order of place."""
    marks = [same(item) for item in left], [same(item) for item in right]
    both = Counter(marks[0]) & Counter(marks[1])  # two members may have one text: NaN twice, or two objects that hold the same
    stays = _first(marks[0], both), _first(marks[1], both)
    gone: list[Pair] = [((place, str(at)), item, _ABSENT, same) for at, item in enumerate(left) if not stays[0][at]]
    new: list[Pair] = [((place, str(at)), _ABSENT, item, same) for at, item in enumerate(right) if not stays[1][at]]
    return gone + new


def _change(place: Place | None, left: Any, right: Any) -> Change:
    at = _pointer(place)
    if isinstance(left, str) and isinstance(right, str):
        start = _first_difference(left, right)
        return Change(at=at, baseline=_around(left, start), candidate=_around(right, start))
    if left is _ABSENT or right is _ABSENT:
        return Change(at=at, baseline=_head(left), candidate=_head(right))
    return _from_texts(at, visible(left), visible(right))


def _from_texts(at: str, left: str, right: str) -> Change:
    start = max(0, _first_difference(left, right) - _BEFORE)
    if start + _BEFORE < MAX_TEXT // 2:
        start = 0
    return Change(at=at, baseline=_window(left, start), candidate=_window(right, start))


def _window(text: str, start: int) -> str:
    return (_CUT if start else "") + _shorten(text[start:])


def _head(node: Any) -> str | None:
    if node is _ABSENT:
        return None
    return _around(node, 0) if isinstance(node, str) else _shorten(visible(node))


def _around(text: str, start: int) -> str:
    """The string as visible JSON, cut to the surroundings of its first difference. Marks of a cut stand outside the quotes."""
    before = min(start, _BEFORE)
    while len(_body(text[start - before : start])) > 2 * _BEFORE:  # escapes take more room than what they stand for
        before //= 2
    begin = start - before
    end = begin + MAX_TEXT
    shown = _body(text[begin:end])
    kept = _whole_escapes(shown)
    behind = _CUT if len(kept) < len(shown) or end < len(text) else ""
    return (_CUT if begin else "") + '"' + kept + '"' + behind


def _body(text: str) -> str:
    """A string as visible JSON without its quotes."""
    return visible(text)[1:-1]


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_TEXT else _whole_escapes(text) + _CUT


def _whole_escapes(text: str) -> str:
    """The first ``MAX_TEXT`` characters of visible JSON, not ending inside an escape."""
    return text if len(text) <= MAX_TEXT else _BROKEN_ESCAPE.sub(r"\1", text[:MAX_TEXT])


def _first_difference(left: str, right: str) -> int:
    """Length of the common head, by halving: comparing slices is C, comparing characters would be Python."""
    low, high = 0, min(len(left), len(right))
    if left[:high] == right[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _pointer(place: Place | None) -> str:
    tokens: list[str] = []
    line = ""
    while place is not None:
        place, token = place
        if isinstance(token, int):
            line = f" line {token}"
        else:
            tokens.append(escape(token).replace("~", "~0").replace("/", "~1"))
    text = "".join(f"/{token}" for token in reversed(tokens))
    half = MAX_POINTER // 2
    return ((text if len(text) <= MAX_POINTER else f"{text[:half]}{_CUT}{text[-half:]}") + line).lstrip(" ")
