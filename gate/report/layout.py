"""Text for a terminal of a given width: measured in columns, cut where it does not fit, never split over an escape's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CUT = "\u2026"


def safe(show: Callable[[str], str]) -> Callable[[str], str]:
    """``show``, and what it left in that a terminal would act on escaped: a redactor need not know about terminals."""
    from gate.canonical.visible_json import escape

    return lambda text: escape(show(text))


def columns(text: str) -> int:
    """How wide a terminal shows ``text``; East Asian wide characters take two columns."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def crop(text: str, width: int) -> str:
    """``text`` in at most ``width`` columns; what is left out is marked."""
    if columns(text) <= width:
        return text
    return _head(text, width - len(CUT)) + CUT if width > len(CUT) else CUT[:width]


def crop_left(text: str, width: int) -> str:
    """The same, with the end kept: for paths, whose last part says most."""
    if columns(text) <= width:
        return text
    return CUT + _head(text[::-1], width - len(CUT))[::-1] if width > len(CUT) else CUT[:width]


def pair(baseline: str, candidate: str, width: int) -> str:
    """``baseline -> candidate`` on one line, both cut around the place where they begin to differ."""
    line = f"{baseline} -> {candidate}"
    if columns(line) <= width:
        return line
    each = max(8, (width - len(" -> ")) // 2)
    start = max(0, _common(baseline, candidate) - each // 3)
    return crop(f"{_window(baseline, start, each)} -> {_window(candidate, start, each)}", width)


def wrap(text: str, width: int, most: int) -> list[str]:
    """``text`` in at most ``most`` lines, broken at spaces where there are any, the last one cut."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < most - 1 and columns(rest) > width:
        head = _head(rest, width)
        space = head.rfind(" ")
        head = head if space <= width // 3 else head[:space]
        lines.append(head)
        rest = rest[len(head) :].lstrip(" ")
    return [*lines, crop(rest, width)] if rest else lines


def _window(text: str, start: int, width: int) -> str:
    """``width`` columns of ``text`` from ``start``; a text that fits is shown whole."""
    if columns(text) <= width or start <= len(CUT):
        return crop(text, width)
    # The end of a text is shown whole rather than cut again.
    start = min(start, max(0, len(text) - width + len(CUT)))
    return CUT + crop(text[start:], width - len(CUT))


def _common(left: str, right: str) -> int:
    """Length of the common beginning. Slices are compared, not characters: texts may be megabytes."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _head(text: str, width: int) -> str:
    if text.isascii():
        return text[: max(0, width)]
    taken = 0
    for at, char in enumerate(text):
        taken += columns(char)
        if taken > width:
            return text[:at]
    return text
