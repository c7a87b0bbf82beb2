"""What the rules look at: one divergence, parsed once, with every place where its two trees differ.

``gate.difference.changes`` shows a person the first few places; a rule that says "only" needs all of
them, exactly, so they are found here. Types count as in the canonical form: ``1``, ``1.0`` and ``true``
differ, and ``0.0`` differs from ``-0.0``. Work is bounded: past the limits a divergence has no differences
to offer, the rules that need them say that they could not look, and no one guesses.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gate.canonical import visible_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prelabel.types import TargetKind

# A worker's output limit is 1 MiB by default; more than four times that is not read at all.
MAX_CHARS = 4 << 20
MAX_STEPS = 400_000
# Unicode's stream-safe format allows runs of 30 combining marks; normalising a longer run is quadratic in its length.
MAX_MARKS = 100

# Tags whose content is values of the target's own; what stands in any other tag (`!bytes`, `!float` ..) is one value.
_NESTING = frozenset({"!tuple", "!set", "!frozenset", "!iter", "!dict", "!sub", "!object"})


class TooMuchError(Exception):
    """A text is larger or stranger than the rules look into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place: a value ``changed``, the ``order`` of an object's keys, or something that ``only`` one side has (the other is None)."""

    kind: Literal["changed", "order", "only"]
    baseline: Any
    candidate: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """Both trees and every place where they differ."""

    baseline: Any
    candidate: Any
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One divergence as the rules see it. ``parsed`` is None where a text was unreadable for us or too large."""

    target_kind: TargetKind
    field: str
    baseline: str
    candidate: str
    parsed: Parsed | None

    @property
    def seen(self) -> Parsed:
        """The parsed texts, or ``TooMuchError``: a rule that cannot look must not answer."""
        if self.parsed is None:
            raise TooMuchError(self.field)
        return self.parsed


def subject(*, target_kind: TargetKind, field: str, baseline: str, candidate: str) -> Subject:
    """Never raises: what cannot be parsed or walked is a subject without ``parsed``."""
    try:
        parsed = parse(baseline, candidate)
    except Exception:  # noqa: BLE001  # any failure on a target's text means the same: the rules did not see it
        parsed = None
    return Subject(target_kind=target_kind, field=field, baseline=baseline, candidate=candidate, parsed=parsed)


def parse(baseline: str, candidate: str) -> Parsed:
    """Two JSON texts, taken apart; ``ValueError`` for what is no JSON, ``TooMuchError`` past the limits."""
    if max(len(baseline), len(candidate)) > MAX_CHARS:
        raise TooMuchError("text")
    left, right = visible_json.parse(baseline), visible_json.parse(candidate)
    return Parsed(baseline=left, candidate=right, differences=tuple(_walk(left, right, _Budget(MAX_STEPS))))


def nfc(text: str) -> str:
    """The form that canonically equivalent texts share (NFC; ``x\u00b2`` stays). ``TooMuchError`` where that would take too long."""
    if text.isascii():
        return text
    marks = [char for char in set(text) if unicodedata.combining(unicodedata.normalize("NFKD", char)[0])]
    if marks and re.search(f"[{re.escape(''.join(marks))}]{{{MAX_MARKS}}}", text):
        raise TooMuchError("combining marks")
    return unicodedata.normalize("NFC", text)


class _Budget:
    """Steps left for one divergence."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooMuchError("tree")


def _walk(baseline: Any, candidate: Any, budget: _Budget, *, align: bool = True) -> Iterator[Difference]:
    """Every difference, without recursion. Without ``align`` lists of two lengths simply differ: enough to ask "equal?"."""
    pairs: list[tuple[Any, Any]] = [(baseline, candidate)]
    while pairs:
        budget.spend()
        left, right = pairs.pop()
        if isinstance(left, dict) and isinstance(right, dict) and _tag(left) == _tag(right):
            if _tag(left) in _NESTING or _tag(left) is None:
                yield from _dicts(left, right, pairs, budget)
            elif visible_json.ascii_json(left) != visible_json.ascii_json(right):
                yield Difference(kind="changed", baseline=left, candidate=right)
        elif isinstance(left, list) and isinstance(right, list) and (align or len(left) == len(right)):
            yield from _lists(left, right, pairs, budget)
        # `repr` tells 0.0 from -0.0; the types tell 1 from 1.0 and true.
        elif type(left) is not type(right) or left != right or (isinstance(left, float) and repr(left) != repr(right)):
            yield Difference(kind="changed", baseline=left, candidate=right)


def _tag(node: dict[str, Any]) -> str | None:
    """The tag of a tagged value (design, section 6); a real dict with such a key is itself tagged `!dict`."""
    key = next(iter(node), "")
    return key if len(node) == 1 and key.startswith("!") else None


def _dicts(left: dict[str, Any], right: dict[str, Any], pairs: list[tuple[Any, Any]], budget: _Budget) -> Iterator[Difference]:
    if _tag(left) == "!dict":
        one, other = _pairs(left["!dict"]), _pairs(right["!dict"])
        if one is None or other is None:
            pairs.append((left["!dict"], right["!dict"]))
            return
        left, right = one, other
    budget.spend(len(left) + len(right))
    if left.keys() == right.keys() and list(left) != list(right):
        yield Difference(kind="order", baseline=list(left), candidate=list(right))
    pairs.extend((left[key], right[key]) for key in left if key in right)
    gone, new = [key for key in left if key not in right], [key for key in right if key not in left]
    # A key that only changed its Unicode form is that key still, and its values are compared.
    forms = {nfc(key): key for key in new} if gone and new else {}
    twins = {key: forms[form] for key, form in ((key, nfc(key)) for key in gone) if form in forms} if forms else {}
    if len(set(twins.values())) != len(twins):
        twins = {}
    for key, twin in twins.items():
        yield Difference(kind="changed", baseline=key, candidate=twin)
        pairs.append((left[key], right[twin]))
    taken = set(twins.values())
    yield from (Difference(kind="only", baseline={key: left[key]}, candidate=None) for key in gone if key not in twins)
    yield from (Difference(kind="only", baseline=None, candidate={key: right[key]}) for key in new if key not in taken)


def _pairs(items: Any) -> dict[str, Any] | None:
    """The pairs of a `!dict` by the JSON text of their keys, None where they are no pairs or keys repeat (two NaNs)."""
    if not isinstance(items, list) or not all(isinstance(item, list) and len(item) == 2 for item in items):
        return None
    mapping = {visible_json.ascii_json(key): value for key, value in items}
    return mapping if len(mapping) == len(items) else None


def _lists(left: list[Any], right: list[Any], pairs: list[tuple[Any, Any]], budget: _Budget) -> Iterator[Difference]:
    """Item by item; where lengths differ, equal items at both ends are set aside first so that an inserted item shifts nothing."""
    if len(left) != len(right):
        start, shorter = 0, min(len(left), len(right))
        while start < shorter and _same(left[start], right[start], budget):
            start += 1
        end = 0
        while end < shorter - start and _same(left[-1 - end], right[-1 - end], budget):
            end += 1
        left, right = left[start : len(left) - end], right[start : len(right) - end]
    both = min(len(left), len(right))
    pairs.extend(zip(left[:both], right[:both], strict=True))
    for item in left[both:]:
        yield Difference(kind="only", baseline=item, candidate=None)
    for item in right[both:]:
        yield Difference(kind="only", baseline=None, candidate=item)


def _same(left: Any, right: Any, budget: _Budget) -> bool:
    return next(_walk(left, right, budget, align=False), None) is None
