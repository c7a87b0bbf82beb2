"""How a row is written: one line a key, canonical texts in single quotes, and never folded.

Our reader takes every scalar as written, but people and other tools read the file too: a reason or name
is quoted wherever some YAML loader would make a number, a date or ``false`` of it. Characters that a
reader would miss never stand raw; they force double quotes, in which they are escaped.
Source: design, section 8; the sign-off study, 4.3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.canonical.visible_json import escape
from gate.errors import UsageError
from gate.ledger.rows import KEYS, REQUIRED

if TYPE_CHECKING:
    from gate.types import LedgerRow

# Texts that stand in quotes whatever they hold, so that all rows of a ledger look alike.
_QUOTED = frozenset({"baseline", "candidate", "fixture_sha256", "signed_off_on", "expires", "signature"})
# What YAML 1.1 or 1.2 loaders take for something else than text: numbers in all their spellings, times, dates ..
_NUMBER = re.compile(r"[-+.0-9][-+.:,_0-9a-fA-FxoOT ZtzeE]*|[-+.]*(?:inf|nan)", re.IGNORECASE)
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_SHORT = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\x1b": "\\e", '"': '\\"', "\\": "\\\\"}


def scalar(text: str, *, quote: bool = False) -> str:
    """One YAML scalar on one line that every loader reads as exactly this text."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(
            f"YAML cannot hold half of a surrogate pair: `{escape(text)[:80]}`",
            remedy=r"give the text as visible JSON, where it reads \ud800",
        )
    if escape(text) != text:
        return '"' + "".join(map(_double, text)) + '"'
    if quote or not _is_plain(text):
        return "'" + text.replace("'", "''") + "'"
    return text


def render(row: LedgerRow, *, dash: int, key: int, newline: str) -> str:
    """A row as lines. ``dash`` and ``key`` are the columns of the dash and of the keys below it."""
    lead = " " * dash + "-" + " " * (key - dash - 1)
    lines: list[str] = []
    for name in KEYS:
        text = getattr(row, name)
        if text is not None or name in REQUIRED:
            lines.append(f"{lead}{name}: {scalar(text, quote=name in _QUOTED)}{newline}")
            lead = " " * key
    return "".join(lines)


def _is_plain(text: str) -> bool:
    """Whether a text may stand without quotes. Conservative: quotes are never wrong."""
    if not text or not (text[0].isalnum() or text[0] in "_/(") or text[-1] in " :":
        return False
    if ": " in text or " #" in text or text.lower() in _WORDS:
        return False
    return not _NUMBER.fullmatch(text)


def _double(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if escape(char) == char:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
