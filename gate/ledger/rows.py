"""From the texts of one row to a ``LedgerRow``, or to everything that is wrong with it.

The article's six keys are required; those beyond it are optional on load. Shapes are checked where a
mistake would otherwise switch a guard off in silence (an ``expires`` that is no date would never expire).
Source: design, section 8.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from gate.ledger.faults import QUOTED_JSON, advise, nearest, shown
from gate.ledger.values import is_broken_digest, parse_relies_on
from gate.types import FIELDS, IMPORT_ID, Fault, LedgerRow, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

REQUIRED = ("id", "field", "baseline", "candidate", "decision", "reason")
OPTIONAL = ("fixture_sha256", "signed_off_by", "signed_off_on", "category", "expires", "relies_on", "signature")
KEYS = (*REQUIRED, *OPTIONAL)
DECISIONS = ("accept", "reject")
CONTRACT = "@contract/"

# First characters of what may have been meant for a digest: such texts are looked at.
_DIGEST_STARTS = frozenset("sS \t\n\r")
_REQUIRED = frozenset(REQUIRED)
_KEYS = frozenset(KEYS)
_FIELDS = frozenset(FIELDS)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
# A reason may be a block of several lines.
_CONTROL_IN_REASON = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTRACT_FIELD = re.compile(r"digest|row:[0-9a-f]{12}")


# Letters by their category that are drawn blank: Hangul fillers, empty hieroglyphs. A name or reason of these names nobody.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\U00013441\U00013442")


def visible_letters(text: str) -> Iterator[str]:
    """The letters and digits of a text that a reader can see."""
    return (char for char in text if char.isalnum() and char not in _BLANK_LETTERS)


def _has_letters(text: str) -> bool:
    return next(visible_letters(text), None) is not None


def _is_date(text: str) -> bool:
    # `fromisoformat` alone takes week dates and dates without dashes too.
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_signer(text: str) -> bool:
    found = re.fullmatch(r"(?P<name>[^\s<>](?:[^<>]*[^\s<>])?) <[^\s<>@]+@[^\s<>@]+>", text)
    return found is not None and _CONTROL.search(text) is None and _has_letters(found["name"])


def _is_hex(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def _is_slug(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", text) is not None


def _is_relies_on(text: str) -> bool:
    return _CONTROL.search(text) is None and parse_relies_on(text) is not None


def _is_signature(text: str) -> bool:
    return re.fullmatch(r"(?:sha256:)?[0-9a-f]{64}", text) is not None


# key -> (test, what it must be)
_SHAPES: Mapping[str, tuple[Callable[[str], bool], str]] = {
    "fixture_sha256": (_is_hex, "64 lower-case hex digits: the SHA-256 of the fixture's bytes"),
    "signed_off_by": (_is_signer, "a name and an address: Ada Example <ada@example.org>"),
    "signed_off_on": (_is_date, "a date: YYYY-MM-DD"),
    "category": (_is_slug, "a slug: lower-case letters, digits and single dashes"),
    "expires": (_is_date, "a date: YYYY-MM-DD"),
    "relies_on": (_is_relies_on, "a path inside the checkout and its digest: path sha256:<64 hex digits>"),
    "signature": (_is_signature, "the SHA-256 of the envelope: 64 lower-case hex digits"),
}


def make_row(
    values: Mapping[str, str], *, place: Place, line_of: Callable[[str], int], skip: Collection[str]
) -> LedgerRow | tuple[Fault, ...]:
    """One row from its texts as written, or all its faults.

    ``line_of`` gives the line of a key; ``skip`` names keys that already have a fault of their own.
    """
    faults = tuple(_faults(values, place, line_of, skip)) if skip or not _is_plain(values) else ()
    if faults or skip:
        return faults
    return LedgerRow(place=place, **values)  # type: ignore[arg-type]  # the check above is what narrows the texts


def _is_plain(values: Mapping[str, str]) -> bool:
    """The article's six keys with nothing wrong: nearly every row, so it is decided with few steps."""
    return (
        values.keys() == _REQUIRED
        and values["decision"] in DECISIONS
        and values["field"] in _FIELDS
        and values["id"][:1] not in {"", "@"}
        and values["id"].isprintable()
        and values["reason"].isprintable()
        and _has_letters(values["reason"])
        and values["baseline"][:1] not in _DIGEST_STARTS
        and values["candidate"][:1] not in _DIGEST_STARTS
    )


def _faults(values: Mapping[str, str], place: Place, line_of: Callable[[str], int], skip: Collection[str]) -> Iterator[Fault]:
    def fault(key: str, what: str, remedy: str) -> Fault:
        return Fault(what=what, place=Place(file=place.file, line=line_of(key)), remedy=remedy)

    meant: set[str] = set()
    for key in (key for key in values if key not in _KEYS):
        meant.add(nearest(key, KEYS) or "")
        yield fault(key, f"unknown key {shown(key)}", advise(key, KEYS))
    # A key that is only misspelt is one mistake, not two.
    missing = [key for key in REQUIRED if key not in values and key not in meant]
    if missing:
        needed = f"a row needs {', '.join(REQUIRED)}"
        yield Fault(what=f"this row has no {', '.join(f'`{key}`' for key in missing)}", place=place, remedy=needed)
    yield from (fault(key, what, remedy) for key, what, remedy in _word_faults(values) if key not in skip)
    for key, (holds, shape) in _SHAPES.items():
        if key in values and key not in skip and not holds(values[key]):
            yield fault(key, f"`{key}` is {shown(values[key])}", f"write {shape}")


def _word_faults(values: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(key, what, remedy) for the keys whose texts are words of ours, and for what no text may be."""
    named: Any = values.get("id")
    if named == "":
        yield "id", "`id` is empty", "write the fixture's path below the corpus"
    elif named is not None and named.startswith("@") and named != IMPORT_ID and not (named.startswith(CONTRACT) and named != CONTRACT):
        yield "id", f"no fixture id starts with `@`: {shown(named)}", f"only `{IMPORT_ID}` and `{CONTRACT}<path>` are known"
    field = values.get("field")
    if field is not None:
        if named is not None and named.startswith(CONTRACT):
            if not _CONTRACT_FIELD.fullmatch(field):
                yield "field", f"unknown field {shown(field)} of a contract row", "write `digest`, or `row:` and 12 hex digits"
        elif field not in _FIELDS:
            yield "field", f"unknown field {shown(field)}", advise(field, FIELDS)
    decision = values.get("decision")
    if decision is not None and decision not in DECISIONS:
        yield "decision", f"unknown decision {shown(decision)}", advise(decision, DECISIONS)
    yield from _text_faults(values)


def _text_faults(values: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    reason = values.get("reason")
    if reason is not None and not _has_letters(reason):
        said = "is empty" if not reason.strip() else "holds no letter or digit that can be seen"
        yield "reason", f"`reason` {said}", "say in one line why this change is meant, or why it is refused"
    for key, pattern in (("id", _CONTROL), ("reason", _CONTROL_IN_REASON)):
        found = pattern.search(values.get(key) or "")
        if found:
            yield key, f"`{key}` holds a control character, U+{ord(found[0]):04X}", "remove it: no reader would see it"
    for key in ("baseline", "candidate"):
        if is_broken_digest(values.get(key) or ""):
            what = f"`{key}` looks like a digest and is none: {shown(values[key])}"
            yield key, what, f"write `sha256:`, 64 lower-case hex digits, a space and the byte count; or, for a plain text, {QUOTED_JSON}"
