"""What a person sees of one divergence: both texts, escaped and bounded, and the difference in words.

``words`` never says "no difference" of two different texts: where no relation explains them it falls back
to offsets and code points. ``kind`` is the payload-free name of a cause. Every text that comes out is
safe for one terminal line. Source: design, section 11; the sign-off study, section 4.11.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gate.canonical.visible_json import escape, parse_or_text
from prelabel.places import Said, Spot, excerpt, excerpts, kind_of, say, spots
from prelabel.relations import edges, name_of, string_words

_PLACES = 8
_COUNTED = 100_000
_POINTER = 120
LIMIT = 1_200
_NAMES = {"exc.type": "exception type", "exc.module": "exception module", "type": "type"}
_OUTCOMES = ("returned", "raised", "exited", "signalled", "timed_out", "over")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One text for a terminal. ``omitted`` counts the characters of the escaped text that were left out."""

    text: str
    full: str
    omitted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both texts, cut at the same places."""

    baseline: Shown
    candidate: Shown

    @property
    def truncated(self) -> bool:
        """Whether anything was left out: such a row is opened in full before it can be accepted."""
        return bool(self.baseline.omitted or self.candidate.omitted)


def words(baseline: str, candidate: str, *, field: str = "") -> tuple[str, ...]:
    """The path-level difference as sentences; empty only for equal texts."""
    if baseline == candidate:
        return ()
    trees = _trees(baseline, candidate)
    if trees is None:
        return _raw(baseline, candidate)
    special = _special(*trees, field)
    if special is not None:
        return special.sentences
    found = spots(*trees)
    out: list[str] = []
    for spot in islice(found, _PLACES):
        first, *rest = say(spot).sentences
        out += [f"at {_bounded(spot)}: {first}", *rest]
    if not out:
        return ("both texts stand for the same value and are only written differently", *_raw(baseline, candidate))
    more = sum(1 for _ in islice(found, _COUNTED))
    if more:
        out.append(f"and {more:,}{' or more' if more == _COUNTED else ''} more {'place' if more == 1 else 'places'}")
    return tuple(out)


def kind(baseline: str, candidate: str, *, field: str = "") -> str:
    """The kind of difference, without a character of the payload: for grouping by cause and for public text."""
    trees = _trees(baseline, candidate)
    if trees is None:
        return "texts beyond what is taken apart"
    special = _special(*trees, field)
    if special is not None:
        return special.kind
    kinds = {kind_of(spot) for spot in islice(spots(*trees), 50)}
    if len(kinds) > 1:
        return "several kinds of difference"
    return kinds.pop() if kinds else "written differently"


def where(baseline: str, candidate: str) -> str:
    """The JSON pointer to the first difference; ``/`` where it is the whole text."""
    trees = _trees(baseline, candidate)
    first = next(spots(*trees), None) if trees is not None else None
    return _bounded(first) if first is not None else "/"


def sides(baseline: str, candidate: str, *, limit: int = LIMIT) -> Sides:
    """Both texts escaped; long ones keep their ends and the surroundings of the first and the last difference."""
    left, right = escape(baseline), escape(candidate)
    start, end = edges(left, right)
    return Sides(baseline=_cut(left, start, end, limit), candidate=_cut(right, start, end, limit))


def bounded(text: str, limit: int = LIMIT) -> Shown:
    """One text (an input, a message) escaped, cut behind its start."""
    full = escape(text)
    return _cut(full, 0, 0, limit)


def payload_text(payload: bytes) -> str:
    r"""A fixture's bytes as text: UTF-8 where they are, else ASCII with ``\xNN``."""
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError:
        return payload.decode("ascii", "backslashreplace")


def _bounded(spot: Spot) -> str:
    pointer = spot.pointer
    return pointer if len(pointer) <= _POINTER else f"{pointer[: _POINTER // 2]}..{pointer[-_POINTER // 2 :]}"


def _trees(baseline: str, candidate: str) -> tuple[Any, Any] | None:
    try:
        return parse_or_text(baseline), parse_or_text(candidate)
    except ValueError:
        return None


def _special(left: Any, right: Any, field: str) -> Said | None:
    """Fields whose texts are ours, not the target's: how a side ended, and what it left of its payload."""
    if field == "ok":
        one, other = _outcome(left), _outcome(right)
        if one and other:
            kinds = f"{one[0]} became {other[0]}"
            texts = excerpts(one[1], other[1]) if one[0] == other[0] else (excerpt(one[1]), excerpt(other[1]))
            ends = [words + shape.format(text) for (words, _, shape), text in zip((one, other), texts, strict=True)]
            return Said(kind=kinds, sentences=(f"the baseline {ends[0]}; the candidate {ends[1]}",))
    if field in _NAMES:  # a name is one thing: not "Valu" became "Typ"
        return Said(kind=f"another {_NAMES[field]}", sentences=(" became ".join(excerpts(left, right)),))
    unchanged = {"unchanged": True}
    if field == "arg" and unchanged in (left, right):
        side, other_side = ("candidate", "baseline") if left == unchanged else ("baseline", "candidate")
        said = f"the {side} changes its payload to {excerpt(right if left == unchanged else left)}; the {other_side} leaves it alone"
        return Said(kind=f"only the {side} changes its payload", sentences=(said,))
    return None


def _outcome(tree: Any) -> tuple[str, Any, str] | None:
    """How a side ended: words, the value that belongs to them, and the shape in which its excerpt follows them."""
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    key, value = next(iter(tree.items()))
    if key not in _OUTCOMES:
        return None
    if key == "timed_out":
        return "timed out", None, ""
    if key == "over":
        return "went over a limit", value, " ({})"
    if key == "signalled":
        return "ended by a signal", value, " ({})"
    return str(key), value, " {}"


def _raw(baseline: str, candidate: str) -> tuple[str, ...]:
    """Where nothing else explains two texts: lengths, the offset of the first difference, and the code points there."""
    start, _ = edges(baseline, candidate)
    here = [f"{name_of(text[start])}" if start < len(text) else "the end of the text" for text in (baseline, candidate)]
    lengths = f"{len(baseline):,} and {len(candidate):,} characters"
    return (
        f"the texts first differ after {start:,} characters ({lengths}): {here[0]} became {here[1]}",
        *string_words(baseline, candidate),
    )


def _cut(text: str, start: int, end: int, limit: int) -> Shown:
    """``start`` and ``end`` say how much of both texts is equal at either end; context around the difference is kept."""
    if len(text) <= limit:
        return Shown(text=text, full=text)
    around = limit // 6
    keep: list[tuple[int, int]] = []
    last = len(text) - end
    for first, behind in sorted(
        ((0, around), (start - around, start + around), (last - around, last + around), (len(text) - around, len(text)))
    ):
        low, high = _whole(text, max(first, 0)), _whole(text, min(behind, len(text)))
        if keep and low <= keep[-1][1]:
            keep[-1] = (keep[-1][0], max(keep[-1][1], high))
        elif low < high:
            keep.append((low, high))
    shown, at, omitted = [], 0, 0
    for low, high in [*keep, (len(text), len(text))]:
        if low > at:
            shown.append(f" [.. {low - at:,} characters omitted ..] ")
            omitted += low - at
        shown.append(text[low:high])
        at = high
    return Shown(text="".join(shown), full=text, omitted=omitted)


_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")


def _whole(text: str, at: int) -> int:
    r"""The nearest place at or before ``at`` that does not split an escape such as ``\u0301``."""
    back = max(at - 12, 0)
    for found in _ESCAPE.finditer(text, back, min(at + 6, len(text))):
        if found.start() < at < found.end():
            return found.start()
    return at
