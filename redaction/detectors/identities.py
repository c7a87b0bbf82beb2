"""Numbers that states give to people: written in their usual form and with a check that fits, or beside their name.

Forms that other numbers share (nine or ten figures, three groups of three) count only beside the name.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from redaction.types import Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_SIDES = (r"[\w.+/-]", r"(?![\w/-]|[.,]\d)")  # what must not stand before a number, and what not behind it
_SIDES_CHECKED = (r"[\w.+-]", r"(?![\w-]|[.,/]\d)")  # as a step of a path too
_RIGHT = _SIDES[1]
# `tax id no. 12..`, `"nhs": "..`: what may stand between the name and the number.
_BETWEEN = r"(?:[ _-]?(?:number|no|nr|num|id))?\.?[\"']?[ \t]{0,4}[:=#]?[ \t]{0,4}[\"']?"
_TAX_CODE = r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"
_INSEE = r"[12] \d\d (?:0[1-9]|1[0-2]|[2-9]\d) (?:\d\d|2[AB]) \d{3} \d{3} \d\d"
_INSURED = r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"


def verhoeff(digits: str) -> bool:
    """The check digit of Aadhaar numbers."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        figure = int(digit)
        for _ in range(place % 8):
            figure = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[figure]
        check = _times(check, figure)
    return check == 0


def _times(one: int, two: int) -> int:
    """The product in the group of the turns and flips of a pentagon."""
    if one < 5:
        return (one + two) % 5 if two < 5 else (one + two) % 5 + 5
    return (one - two) % 5 + 5 if two < 5 else (one - two) % 5


def luhn(number: str) -> bool:
    """The check digit of card numbers, and of Canada's."""
    digits = [int(digit) for digit in reversed(number)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])) % 10 == 0


def _weighted(digits: str, first: int) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, range(first, 0, -1), strict=False))


def _aadhaar(digits: str) -> bool:
    return digits[0] in "23456789" and verhoeff(digits)


def _cpf(digits: str) -> bool:
    return len(set(digits)) > 1 and all(_weighted(digits[:size], size + 1) * 10 % 11 % 10 == int(digits[size]) for size in (9, 10))


def _nhs(digits: str) -> bool:
    return (11 - _weighted(digits[:9], 10) % 11) % 11 == int(digits[9])


def _dni(written: str) -> bool:
    bare = written.upper().translate(str.maketrans("", "", " -."))
    number = bare[0].translate(str.maketrans("XYZ", "012")) + bare[1:]  # the last letter may be one of these, too
    return number[:-1].isdigit() and number[-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[int(number[:-1]) % 23]


def _tax_code(written: str) -> bool:
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    places = [int(sign) if sign.isdigit() else ord(sign) - 65 for sign in written]
    return (sum(odd[place] for place in places[:15:2]) + sum(places[1:15:2])) % 26 == places[15]


def _insee(written: str) -> bool:
    number = written.replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number[:13]) % 97 == int(number[13:])


class _Number(NamedTuple):
    """``names``: without one of them before it the number does not count; empty if its form and check are enough."""

    names: str
    pattern: str
    check: Callable[[str], bool] | None


_NUMBERS = (
    _Number("", r"[2-9]\d{3} \d{4} \d{4}", _aadhaar),
    _Number("", r"\d{3}\.\d{3}\.\d{3}-\d\d", _cpf),
    _Number("", _TAX_CODE, _tax_code),
    _Number("", _INSURED + r" \d\d \d\d \d\d [A-D]", None),
    _Number("", _INSEE, _insee),
    _Number("aadhaar|aadhar", r"[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}", None),
    _Number("nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", _nhs),
    _Number("sin|social insurance", r"\d{3}[ -]?\d{3}[ -]?\d{3}", luhn),
    _Number("ssn|social security", r"\d{3}[ -]\d\d[ -]\d{4}", None),
    _Number("cpf", r"\d{11}", _cpf),
    _Number("dni|nif|nie", r"[XYZ]?\d{7,8}-?[A-Z]", _dni),
    _Number("nino|ni|national insurance", _INSURED + r" ?\d\d ?\d\d ?\d\d ?[A-D]", None),
    _Number("nir|insee|sécurité sociale", _INSEE.replace(" ", " ?"), _insee),
    _Number("passport|passeport|reisepass", r"[A-Z]{0,2}\d{6,9}", None),
    _Number("pesel|bsn|cf|codice fiscale|steuer-?id|tax", r"(?:" + _TAX_CODE + r"|\d{2,3}[ -]?\d{2,3}[ -]?\d{3,7})", None),
)

# A cheap look, because most texts hold no such number.
_FORM = r"\d{4} \d{4} \d{4}|\d\.\d{3}\.\d{3}-\d|[A-Z]{6}\d\d[A-Z]\d|[A-Z]{2} \d\d \d\d |[12] \d\d \d\d "
_NAMED = tuple(number for number in _NUMBERS if number.names)
# Where a name starts; the group says whose. What starts with a set is searched many times faster than what starts with a look behind.
_FIRST = "".join(sorted({name[0] for number in _NAMED for name in number.names.split("|")}))
_NAME = (
    rf"[{_FIRST}{_FIRST.upper()}](?<![A-Za-z].)(?<=(?=(?i:" + "|".join(f"({number.names})" for number in _NAMED) + r")(?=[^\n]{1,28}\d)).)"
)

# Some part of each name, in small letters: a look without a pattern before the look with one.
_SAID = words("aadha nhs social ssn cpf dni nif nie nino national nir insee sécurité pass pesel bsn codice steuer tax")
_NI = r"[ncs](?<![a-z0-9].)(?:(?<=n)i|(?<=c)f|(?<=s)in)(?![a-z0-9])"


def identities(text: str) -> Iterator[Span]:
    """National numbers in the text."""
    if compiled(_FORM).search(text) is not None:
        for number in _NUMBERS:
            if not number.names:
                yield from _checked(number, compiled(_bare(number.pattern, checked=number.check is not None)).finditer(text))
    lower = text.lower()
    if any(name in lower for name in _SAID) or compiled(_NI).search(lower):
        for place in compiled(_NAME).finditer(text):
            for number in _read_there((place.lastindex or 1) - 1):
                match = compiled(_beside(number)).match(text, place.start())
                yield from _checked(number, () if match is None else (match,))


@cache
def _read_there(at: int) -> tuple[_Number, ...]:
    """The numbers that may be named where a name of this one stands: `ni` is also how `nif` starts."""
    names = _NAMED[at].names.split("|")
    return tuple(
        number
        for number in _NAMED
        if any(one.startswith(other) or other.startswith(one) for one in names for other in number.names.split("|"))
    )


@cache
def _bare(pattern: str, *, checked: bool) -> str:
    """The pattern with the look at what stands before it behind its first character."""
    first, times, rest = re.findall(r"(?s)(\[[^]]+\]|\\d)(?:\{(\d)\})?(.*)", pattern)[0]
    more = f"{first}{{{int(times) - 1}}}" if times else ""
    before, behind = _SIDES_CHECKED if checked else _SIDES
    return rf"({first}(?<!{before}.){more}{rest}){behind}"


@cache
def _beside(number: _Number) -> str:
    return rf"(?i:(?:{number.names}){_BETWEEN})({number.pattern}){_RIGHT}"


def _checked(number: _Number, matches: Iterable[re.Match[str]]) -> Iterator[Span]:
    for match in matches:
        bare = compiled(r"[ .-]").sub("", match.group(1))
        if number.check is None or number.check(bare):
            yield Span(*match.span(1), "national-id", match.group(1))
