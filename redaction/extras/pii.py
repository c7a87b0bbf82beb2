"""Telephone numbers as people write them in their own country, without ``+``: by the tables of phonenumberslite.

Our own detector takes international writing and what stands under a name such as ``phone``. Here a run of digits counts only if it
is a valid number of one of these regions *and* stands in exactly the groups in which it is written there: identifiers, dates, times
and amounts are groups of digits too.
"""

from __future__ import annotations

from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING

from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.policy import Extra

REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "AT", "CH", "SE", "PL", "IN", "AU", "JP", "BR", "MX", "ZA")
_SECONDS = 10.0
_GROUPS = 6  # of one number
_SIGN = r"[ \u00a0().\/-]"
# Groups of digits with single signs between them; no letter, digit, sign of a number, or dot with more behind it beside them.
_RUN = rf"(?<![\w.,:+/-])\(?[0-9]{{2,5}}(?:{_SIGN}{{1,2}}[0-9]{{2,8}}){{1,15}}(?![\w:/-]|[.,][0-9])"
_DATE = r"(?:19|20)[0-9]{2}[-./][0-9]{2}[-./][0-9]{2}|[0-9]{2}[-./][0-9]{2}[-./](?:19|20)[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}"


def pii() -> Extra:
    """The detector; ``ImportError`` without the package."""
    import phonenumbers  # noqa: F401 - here, so that a missing package is said before anything is looked at

    return _look


def _look(text: str) -> Iterator[tuple[int, int, str]]:
    until = monotonic() + _SECONDS
    for match in compiled(_RUN).finditer(text):
        run = match[0]
        starts, ends = _edges(run)
        at = 0
        while at < len(starts):
            if monotonic() > until:
                raise TimeoutError("too many groups of digits")
            # The longest number that starts here: several may stand in a row.
            most = range(min(len(ends), at + _GROUPS), at, -1)
            behind = next((end for end in most if _may_be(run[starts[at] : ends[end - 1]])), at)
            if behind > at:
                yield match.start() + starts[at], match.start() + ends[behind - 1], "phone"
            at = max(behind, at + 1)


def _may_be(run: str) -> bool:
    return 7 <= sum(map(len, _groups(run))) <= 13 and not compiled(_DATE).fullmatch(run) and _is_number(run)


@lru_cache(maxsize=4096)
def _is_number(run: str) -> bool:
    groups = _groups(run)
    return any(_written(run, region) == groups for region in REGIONS)


def _written(run: str, region: str) -> list[str] | None:
    """The groups in which this region writes the number; None where it has no such number."""
    import phonenumbers

    try:
        number = phonenumbers.parse(run, region)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number_for_region(number, region):
        return None
    return _groups(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL))


def _edges(run: str) -> tuple[list[int], list[int]]:
    """Where its groups of digits start and end; an opening bracket belongs to the group behind it."""
    groups = list(compiled(r"\(?[0-9]+").finditer(run))
    return [one.start() for one in groups], [one.end() for one in groups]


def _groups(text: str) -> list[str]:
    found: list[str] = compiled("[0-9]+").findall(text)
    return found
