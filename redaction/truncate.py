"""Cutting redacted texts around their differences, so that different texts stay different.

A window is 240 characters before and 400 behind the start of a difference, at most five, merged when
closer than 80. What is left out is counted in words, over the redacted text, so no secret's length shows.
The first window starts at the same place on both sides and the first difference lies inside it, so the
cut texts differ at the same place as the whole ones. Cuts never fall inside a placeholder, an escape, a
combining sequence or (within reason) a word, because half a token is a finding that nobody can explain.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from redaction.placeholder import placeholders
from redaction.types import ScanLimitError
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WHOLE = 1600  # a text no longer than this is shown whole
BEFORE = 240
BEHIND = 400
WINDOWS = 5
MERGE = 80
HEAD = 960  # of a text without a difference
TAIL = 480
_WORD = 48
_PLACEHOLDER = 160
_ANCHOR = 24
_REACH = 2048
_PHRASES = ("characters left out", "characters not shown", "characters omitted", "more characters here")
_ESCAPE_TAIL = r"u[0-9A-Fa-f]{0,4}|x[0-9A-Fa-f]{0,2}|U[0-9A-Fa-f]{0,8}|."


def choose_phrase(texts: Sequence[str]) -> str:
    """Words for what was left out that no text holds, so that no text can pretend to be cut."""
    for phrase in _PHRASES:
        if not any(phrase in text for text in texts):
            return phrase
    raise ScanLimitError("every phrase for what was left out already stands in the text")


def common(first: str, at: int, second: str, on: int) -> int:
    """How many characters agree from ``first[at]`` and ``second[on]`` on."""
    limit = min(len(first) - at, len(second) - on)
    low = 0
    step = 4096
    while low < limit:
        size = min(step, limit - low)
        if first[at + low : at + low + size] == second[on + low : on + low + size]:
            low += size
        elif size == 1:
            break
        else:
            step = size // 2
    return low


def differences(first: str, second: str) -> list[tuple[int, int]]:
    """Where differences start, on both sides; the first is exact, later ones are found by looking for common text."""
    found: list[tuple[int, int]] = []
    at = on = 0
    while len(found) < WINDOWS:
        run = common(first, at, second, on)
        at, on = at + run, on + run
        if at == len(first) and on == len(second):
            break
        found.append((at, on))
        again = _resume(first, at, second, on)
        if again is None:
            break
        at, on = again
    return found


def _resume(first: str, at: int, second: str, on: int) -> tuple[int, int] | None:
    for skipped in range(0, _REACH, 8):
        anchor = first[at + skipped : at + skipped + _ANCHOR]
        if len(anchor) < _ANCHOR:
            return None
        place = second.find(anchor, on, on + _REACH + _ANCHOR)
        if place >= 0:
            return at + skipped, place
    return None


def _back(text: str, cut: int) -> int:
    """The nearest place at or before ``cut`` where the text may be cut."""
    if cut <= 0 or cut >= len(text):
        return max(0, min(cut, len(text)))
    base = max(0, cut - _PLACEHOLDER)
    for match in placeholders(text[base : cut + _PLACEHOLDER]):
        if base + match.start() < cut < base + match.end():
            return base + match.start()
    for at in range(cut, max(0, cut - _WORD), -1):
        if not (_joins(text[at - 1]) and _joins(text[at])):
            return _sequence(text, _escape(text, at))
    return _sequence(text, _escape(text, cut))


def _joins(character: str) -> bool:
    return character.isalnum() or character in "_-+=/.@%:\\"


def _escape(text: str, cut: int) -> int:
    """The start of the escape that ``cut`` would split, or ``cut``."""
    slash = text.rfind("\\", max(0, cut - 9), cut)
    if slash >= 0:
        run = slash
        while run > 0 and text[run - 1] == "\\" and slash - run < 64:
            run -= 1
        tail = compiled(_ESCAPE_TAIL, re.DOTALL).match(text, slash + 1)
        if tail is not None and run < cut < tail.end():
            return run
    sign = text.rfind("%", max(0, cut - 2), cut)
    return sign if sign >= 0 else cut


def _sequence(text: str, cut: int) -> int:
    """Before a base character and what combines with it, and not between two surrogates."""
    for at in range(cut, max(0, cut - 32), -1):
        here = text[at]
        pair = "\udc00" <= here <= "\udfff" and "\ud800" <= text[at - 1] <= "\udbff"
        joined = here == "\u200d" or text[at - 1] == "\u200d" or unicodedata.category(here)[0] == "M"
        if not pair and not joined:
            return at
    return cut


def _windows(text: str, starts: Iterable[int]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start in starts:
        first, last = _back(text, start - BEFORE), _back(text, start + BEHIND)
        first = 0 if first < MERGE else first
        last = len(text) if len(text) - last < MERGE else last
        if out and first - out[-1][1] < MERGE:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return out


def _cut(text: str, windows: Iterable[tuple[int, int]], phrase: str) -> str:
    parts: list[str] = []
    position = 0
    for first, last in windows:
        if first > position:
            parts.append(f" .. {first - position} {phrase} .. ")
        parts.append(text[first:last])
        position = last
    if position < len(text):
        parts.append(f" .. {len(text) - position} {phrase} .. ")
    return "".join(parts)


def cut_pair(first: str, second: str, phrase: str) -> tuple[str, str]:
    """Both texts around their differences. ``phrase`` stands in neither of them."""
    if first == second:
        both = cut_one(first, phrase)
        return both, both
    if max(len(first), len(second)) <= WHOLE:
        return first, second
    found = differences(first, second)
    return (
        _cut(first, _windows(first, (at for at, _ in found)), phrase),
        _cut(second, _windows(second, (on for _, on in found)), phrase),
    )


def cut_one(text: str, phrase: str, *, limit: int = WHOLE) -> str:
    """Head and tail of a text that is longer than ``limit``."""
    if len(text) <= limit:
        return text
    head, tail = _back(text, limit * HEAD // WHOLE), _back(text, len(text) - limit * TAIL // WHOLE)
    return _cut(text, [(0, head), (tail, len(text))], phrase)
