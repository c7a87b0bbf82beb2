"""Two different strings, said in words: what became what, and in which sense they are still equal.

Every character that a person could miss is named with its code point and its Unicode name. A relation
is only claimed where it explains the *whole* difference. Source: design, section 11; the list of
relations is that of the sign-off study, section 4.11.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from gate.canonical.visible_json import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Longest piece that is spelt out code point by code point, and how many pieces one sentence holds.
_SPELT = 8
_PIECES = 3
# Beyond this many characters between the first and the last difference, pieces are not told apart.
_ALIGNED = 400
_NAMED = 6
_QUOTED = 40
# Normalising is quadratic in a run of combining marks; a longer text with a longer run gets no claim about forms.
_SMALL, _MARKS = 4096, 100
_UNPLAIN = re.compile("[^!-~]")

# Controls have no name in the Unicode database; these are their names in its alias list.
_CONTROLS = {
    0x00: "NULL",
    0x07: "BELL",
    0x08: "BACKSPACE",
    0x09: "TAB",
    0x0A: "LINE FEED",
    0x0B: "VERTICAL TAB",
    0x0C: "FORM FEED",
    0x0D: "CARRIAGE RETURN",
    0x1B: "ESCAPE",
    0x7F: "DELETE",
    0x85: "NEXT LINE",
}
_UNNAMED = {"Cc": "CONTROL CHARACTER", "Cs": "SURROGATE", "Co": "PRIVATE USE", "Cn": "UNASSIGNED"}
# Drawn blank or not at all, whatever their category says: joiners, Hangul fillers, braille blank, variation selectors.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U000e0100-\U000e01ef]")


def name_of(character: str) -> str:
    """``U+0301 COMBINING ACUTE ACCENT``: the code point, and a name for every one."""
    point = ord(character)
    name = _CONTROLS.get(point) or unicodedata.name(character, "") or _UNNAMED.get(unicodedata.category(character), "NO NAME")
    return f"U+{point:04X} {name}"


def points(text: str) -> str:
    """``U+0065 U+0301``: the code points of a short text."""
    return " ".join(f"U+{ord(character):04X}" for character in text)


def edges(left: str, right: str) -> tuple[int, int]:
    """How many characters are equal at the start and, behind that, at the end of two texts."""
    shorter = min(len(left), len(right))
    if left[:shorter] == right[:shorter]:
        return shorter, 0
    start = _reach(shorter, lambda n: left[:n] == right[:n])
    return start, _reach(shorter - start, lambda n: left[len(left) - n :] == right[len(right) - n :])


def _reach(most: int, equal: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if equal(middle) else (low, middle - 1)
    return low


def _plain(text: str) -> bool:
    return bool(text.strip(" ")) and text.isascii() and text.isprintable()


def _without_format(text: str) -> str:
    return _BLANK.sub("", "".join(character for character in text if unicodedata.category(character) != "Cf"))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _number(text: str) -> float | None:
    if len(text) > 400 or not text.isascii() or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if any(character.isdigit() for character in text) else None  # `nan` and `inf` are words here


def _takes_long(text: str) -> bool:
    if len(text) <= _SMALL or text.isascii():
        return False
    marks = [character for character in set(text) if unicodedata.combining(unicodedata.normalize("NFKD", character)[0])]
    return bool(marks) and re.search(f"[{re.escape(''.join(marks))}]{{{_MARKS}}}", text) is not None


def _forms(left: str, right: str) -> str:
    if _takes_long(left) or _takes_long(right):
        return ""
    if unicodedata.normalize("NFC", left) == unicodedata.normalize("NFC", right):
        return "equal under NFC"
    return "equal under NFKC, not under NFC" if unicodedata.normalize("NFKC", left) == unicodedata.normalize("NFKC", right) else ""


def _space(left: str, right: str) -> str:
    if _lines(left) == _lines(right):
        return "line endings only"
    if left.rstrip("\r\n") == right.rstrip("\r\n"):
        return "trailing newlines only"
    if left.rstrip() == right.rstrip():
        return "trailing white space only"
    return "white space only" if "".join(left.split()) == "".join(right.split()) else ""


def relation(left: str, right: str) -> str:
    """In which sense two different strings are still equal, or "". The narrowest sense that holds wins."""
    said = _space(left, right)
    if not said and not (left.isascii() and right.isascii()):
        said = _forms(left, right) or ("format characters only" if _without_format(left) == _without_format(right) else "")
    if said:
        return said
    if left.casefold() == right.casefold() or left.lower() == right.lower():
        return "letter case only"
    number = _number(left)
    return "both read as the same number" if number is not None and number == _number(right) else ""


def pieces(left: str, right: str) -> tuple[tuple[int, str, str], ...]:
    """The places that differ: (offset in ``left``, text there, text in ``right``); equal edges are cut off."""
    start, end = edges(left, right)
    first, second = left[start : len(left) - end], right[start : len(right) - end]
    if max(len(first), len(second)) <= _SPELT or len(first) + len(second) > _ALIGNED or not (first and second):
        return ((start, first, second),)
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return tuple((start + i, first[i:j], second[k:m]) for tag, i, j, k, m in codes if tag != "equal")


def quoted(text: str, longest: int = _QUOTED) -> str:
    """A string for a sentence: escaped, in double quotes, cut where it is long."""
    if len(text) <= longest:
        return f'"{escape(text)}"'
    return f'"{escape(text[: longest - 4])}.." ({len(text):,} characters)'


def _spell(text: str) -> str:
    return points(text) if not _plain(text) and len(text) <= _SPELT else quoted(text)


def _piece(offset: int, before: str, after: str, *, length: int) -> str:
    if before and after:
        if _plain(before) != _plain(after) and max(len(before), len(after)) <= _SPELT:
            # One side is plain, the other is not: both in code points, so that they can be compared.
            return f"{points(before)} became {points(after)}"
        return f"{_spell(before)} became {_spell(after)}"
    where = "at the end" if offset + len(before) == length else "at the start" if offset == 0 else f"after {offset:,} characters"
    return f"{_spell(after)} added {where}" if after else f"{_spell(before)} removed {where}"


def _odd(found: Iterable[tuple[int, str, str]]) -> Iterator[str]:
    """Every character in the pieces that is not plain visible ASCII, once."""
    seen: set[str] = set()
    for _, before, after in found:
        for character in _UNPLAIN.findall(before + after):
            if character not in seen:
                seen.add(character)
                yield character


def string_words(left: str, right: str) -> tuple[str, ...]:
    """One sentence that says what became what and the relation, and one that names the characters a person could miss."""
    found = pieces(left, right)
    if len(found) > 1 and max(len(left), len(right)) <= _QUOTED and _plain(left) and _plain(right):
        found = ((0, left, right),)
    said = [_piece(*piece, length=len(left)) for piece in found[:_PIECES]]
    if len(found) > _PIECES:
        left_out = len(found) - _PIECES
        said.append(f"and {left_out} more {'place' if left_out == 1 else 'places'}")
    sense = relation(left, right)
    odd = list(_odd(found))
    sentence = "; ".join([", ".join(said), *([sense] if sense else [])])
    if not odd:
        return (sentence,)
    more = f", and {len(odd) - _NAMED} other characters" if len(odd) > _NAMED else ""
    return (sentence, ", ".join(name_of(character) for character in odd[:_NAMED]) + more)
