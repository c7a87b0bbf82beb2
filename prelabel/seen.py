"""What redaction sees in a text that a person typed or brings, in words that they can act on, and nothing of the text itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import redaction
from gate.canonical.visible_json import escape
from gate.types import Fault, Place

if TYPE_CHECKING:
    from redaction import Policy, Seen

_SHOWN = 200
# Kept free for examples (RFC 2606, RFC 6761): an address there is nobody's.
_NOBODY = ("example.com", "example.org", "example.net")
# What payment providers, banks and AWS print in their own documentation.
_PRINTED = (
    "4111111111111111 4242424242424242 4000000000000002 4012888888881881 5555555555554444 5105105105105100 2223003122003222 "
    "378282246310005 371449635398431 6011111111111117 6011000990139424 3530111333300000 3566002020360505 30569309025904 "
    "38520000023237 6200000000000005 DE89370400440532013000 GB29NWBK60161331926819 GB82WEST12345698765432 FR1420041010050500013M02606 "
    "NL91ABNA0417164300 ES9121000418450200051332 CH9300762011623852957 AT611904300234573201 BE68539007547034 AKIAIOSFODNN7EXAMPLE "
    "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
)
_EXAMPLES = frozenset(_PRINTED.split())
_FICTION = re.compile(r"[2-9]\d\d55501\d\d$")  # numbers that are kept free in North America
_NOBODYS = (".example", ".test", ".invalid", ".localhost", *(f".{name}" for name in _NOBODY))


def seen_in(text: str, policy: Policy) -> str:
    """Kinds and places of what would be hidden in one line, and the line without it; "" where nothing would."""
    found = redaction.look(text, policy=policy)
    if not found:
        return ""
    places = ", ".join(f"{one.kind} at character {one.start + 1}" for one in found)
    shown = escape(str(redaction.redact_text(text, policy=policy)))
    return f"{places} (`{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '..'}`)"


def fixture_faults(data: bytes, name: str, policy: Policy) -> list[Fault]:
    """What a fixture holds that must not get into the repository: kind and line, and in JSON the pointer. Empty where nothing is."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # byte for byte, so that lines are right
    found = [one for one in redaction.look(text, policy=policy) if not _is_nobodys(one, text)]
    return [_fault(one, text, name) for one in found]


def _fault(one: Seen, text: str, name: str) -> Fault:
    if one.kind == "unscanned":
        return Fault(what="could not be looked through", place=Place(file=name), remedy="make it smaller, or split it into several")
    from prelabel.pointer import pointer_at

    pointer = pointer_at(text, one.start)
    # A name in the pointer may be what was found: it is looked at like any other text.
    where = f" at {escape(str(redaction.redact_text(pointer)))}" if pointer else ""
    place = Place(file=name, line=text.count("\n", 0, one.start) + 1)
    remedy = "write a placeholder, or an example that is known to be one; `shadow redact FILE > FILE2` writes the file with placeholders"
    return Fault(what=f"holds what looks like {one.kind}{where}", place=place, remedy=remedy)


def _is_nobodys(one: Seen, text: str) -> bool:
    shown = text[one.start : one.end]
    if one.kind == "email":
        domain = shown.rpartition("@")[2].lower()
        return domain in _NOBODY or domain.endswith(_NOBODYS)
    bare = "".join(filter(str.isalnum, shown))
    return bare in _EXAMPLES or (one.kind == "phone" and _FICTION.search(bare) is not None)
