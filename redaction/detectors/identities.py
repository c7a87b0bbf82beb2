"""Numbers that states give to people: written in their usual form and with a check that fits, or beside their name.

Forms that other numbers share (nine or ten figures, three groups of three) count only beside the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from redaction.types import Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LEFT, _RIGHT = r"(?<![\w.+/-])", r"(?![\w/-]|[.,]\d)"
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
    number = written.upper().translate(str.maketrans("XYZ", "012", " -."))
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

# Two cheap looks, because most texts hold no such number.
_FORM = r"\d{4} \d{4} \d{4}|\d\.\d{3}\.\d{3}-\d|[A-Z]{6}\d\d[A-Z]\d|[A-Z]{2} \d\d \d\d |[12] \d\d \d\d "
_NAMED = r"(?i)(?<![A-Za-z])(?:" + "|".join(number.names for number in _NUMBERS if number.names) + r")(?=[^\n]{1,24}\d)"

# Some part of each name, in small letters: a look without a pattern before the look with one.
_SAID = words("aadha nhs social ssn cpf dni nif nie nino national nir insee sécurité pass pesel bsn codice steuer tax")
_NI = r"(?<![a-z0-9])(?:ni|cf|sin)(?![a-z0-9])"


def identities(text: str) -> Iterator[Span]:
    """National numbers in the text."""
    if compiled(_FORM).search(text) is not None:
        for number in _NUMBERS:
            if not number.names:
                yield from _found(text, _LEFT + "(" + number.pattern + ")" + _RIGHT, number)
    lower = text.lower()
    if (any(name in lower for name in _SAID) or compiled(_NI).search(lower)) and compiled(_NAMED).search(text) is not None:
        for number in _NUMBERS:
            if number.names:
                yield from _found(
                    text, r"(?i:(?<![A-Za-z])(?:" + number.names + ")" + _BETWEEN + ")(" + number.pattern + ")" + _RIGHT, number
                )


def _found(text: str, pattern: str, number: _Number) -> Iterator[Span]:
    for match in compiled(pattern).finditer(text):
        bare = compiled(r"[ .-]").sub("", match.group(1))
        if number.check is None or number.check(bare):
            yield Span(*match.span(1), "national-id", match.group(1))
