"""Two different texts that say the same in another order of members, or with other digits of the same numbers.

Pure and linear: a text that would take long is a ``TooMuchError``, never a hang. The texts come from a
target, so every pattern here is free of backtracking that grows faster than its input.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from prelabel.subject import TooMuchError

# order inside a text


def same_members(left: str, right: str) -> bool:
    """Equal once the members between each pair of braces are sorted, of equal length, and not equal before: only order differs."""
    if len(left) != len(right) or "{" not in left:
        return False
    return _members(left, sort=True) == _members(right, sort=True) and _members(left, sort=False) != _members(right, sort=False)


_LEXEME = re.compile(r"""\\.|[\\"'{}\[\](),]|[^\\"'{}\[\](),]+""", re.DOTALL)
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_DEPTH = 100


def _members(text: str, *, sort: bool) -> str:
    """The text of JSON, of a dict or a set, with the members of every ``{..}`` trimmed and, on wish, sorted."""
    # Each open bracket with its members so far, a member being a list of lexemes. The first level is the text
    # around all brackets; one that is never closed is joined unsorted.
    levels: list[tuple[str, list[list[str]]]] = [("", [[]])]
    quote = ""
    for lexeme in _LEXEME.findall(text):
        opened, members = levels[-1]
        if quote or (opened and lexeme in {'"', "'"}):
            members[-1].append(lexeme)
            quote = "" if lexeme == quote else quote or lexeme
        elif lexeme in _CLOSING:
            levels.append((lexeme, [[]]))
            if len(levels) > _DEPTH:
                raise TooMuchError("brackets")
        elif opened and lexeme == _CLOSING[opened]:
            levels.pop()
            levels[-1][1][-1].append(_joined(opened, members, lexeme, sort=sort))
        elif opened and lexeme == ",":
            members.append([])
        else:
            members[-1].append(lexeme)
    while len(levels) > 1:
        opened, members = levels.pop()
        levels[-1][1][-1].append(_joined(opened, members, "", sort=sort))
    return "".join(levels[0][1][0])


def _joined(opened: str, members: list[list[str]], closed: str, *, sort: bool) -> str:
    texts = ["".join(member) for member in members]
    if closed == "}":
        texts = [text.strip() for text in texts]
        texts = sorted(texts) if sort else texts
    return opened + ",".join(texts) + closed


# digits of numbers

# A number that is no part of a word, a version or an address. Lengths are bounded so that no text takes long.
_NUMBER = re.compile(r"(?<![\w.])([-+]?\d{1,400}(?:\.\d{1,400})?(?:[eE][-+]?\d{1,3})?)(?!\w|\.\w)", re.ASCII)
# A computed double prints 15 to 17 significant digits; %f and %g print 6.
_COMPUTED, _PRINTED = 15, 6


def same_but_digits(left: str, right: str) -> bool:
    """Equal outside their numbers, and every two numbers that differ are close."""
    one, other = _NUMBER.split(left), _NUMBER.split(right)
    # With one group, every second piece is a number and the others are what stands between.
    if one[::2] != other[::2]:
        return False
    return all(first == second or close(first, second) for first, second in zip(one[1::2], other[1::2], strict=True))


def close(left: str, right: str) -> bool:
    """One number printed twice: equal, apart by rounding errors, or the finer text rounded to the digits of the coarser.

    Rounding counts where it is how floats are printed: from the full digits of a double, or to six and
    more. So 0.3333333333333333 -> 0.33 is print precision, and 0.31 -> 0.3 is another number.
    """
    if not (_is_float(left) or _is_float(right)) or (left[0] == "-") != (right[0] == "-"):
        return False
    one, other = float(left), float(right)
    if math.isinf(one) or math.isinf(other) or (one == 0.0) != (other == 0.0):
        return False
    if math.isclose(one, other, rel_tol=1e-12):
        return True
    fine, coarse = sorted((left, right), key=_exponent)
    counted = _digits(fine.rstrip("0")) >= _COMPUTED or _digits(coarse) >= _PRINTED
    return counted and _is_float(coarse) and abs(Decimal(fine) - Decimal(coarse)) * 2 <= Decimal(1).scaleb(_exponent(coarse))


def same_value(left: str, right: str) -> bool:
    """As ``same_but_digits``, for texts that are values: one that is a number itself was rounded before it became text."""
    if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
        return close(left, right) and same_number(float(left), float(right))
    return same_but_digits(left, right)


def same_number(left: float, right: float) -> bool:
    """Two values apart by rounding errors at most: a value with fewer digits was computed, not printed."""
    return math.copysign(1.0, left) == math.copysign(1.0, right) and math.isclose(left, right, rel_tol=1e-12)


def _is_float(number: str) -> bool:
    return not number.lstrip("+-").isdigit()


def _exponent(number: str) -> int:
    """The power of ten of the last digit."""
    return int(Decimal(number).as_tuple().exponent)


def _digits(number: str) -> int:
    """Significant digits as printed."""
    return len(Decimal(number).as_tuple().digits)
