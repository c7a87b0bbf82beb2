"""Base64 and hexadecimal runs: decoded, and hidden whole if what they hold would be hidden.

Harmless content stays, and so do digests, UUIDs and identifiers, because they decode to no text. A run may
start in the middle of a group of four (a path before it, a slice of it), so all four starts are tried.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_RUN = r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{%d,}+={0,2}"
# Wrapped as mail, PEM and `base64` wrap it: whole lines of one alphabet, then a shorter one.
_WRAPPED = r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{48,76}+[ \t]{0,4}\r?\n[ \t]{0,16})++[A-Za-z0-9+/]{0,76}+={0,2}"
_URLSAFE = str.maketrans("-_", "+/")
_PRINTABLE = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]{%d,}+"


def blobs(text: str, scan: Callable[[str], list[Span]], *, shortest: int, shortest_text: int) -> Iterator[Span]:
    """Runs of at least ``shortest`` whose decoded content ``scan`` would hide."""
    patterns = (_RUN % shortest, _WRAPPED) if "\n" in text else (_RUN % shortest,)
    for match in (match for pattern in patterns for match in compiled(pattern).finditer(text)):
        run = "".join(match.group().split())
        for decoded, form in _readings(run):
            plain = _text(decoded, shortest_text)
            inner = scan(plain) if plain else []
            if inner:
                whole = (inner[0].start, inner[0].end) == (0, len(plain))
                yield Span(match.start(), match.end(), inner[0].kind, inner[0].value if whole else plain, form)
                break


def _readings(run: str) -> Iterator[tuple[bytes, str]]:
    bare = run.rstrip("=")
    if len(bare) % 2 == 0 and compiled("[0-9a-fA-F]+").fullmatch(bare):
        yield bytes.fromhex(bare), "hex"
    standard = bare.translate(_URLSAFE)
    for shift in range(4):
        part = standard[shift:]
        if len(part) % 4 == 1:
            part = part[:-1]
        try:
            yield b64decode(part + "=" * (-len(part) % 4)), "base64"
        except (binascii.Error, ValueError):  # pragma: no cover - the run holds only letters of the alphabet
            continue


def _text(decoded: bytes, shortest: int) -> str:
    """The printable runs in the bytes, a line each: all of it where it is text."""
    return "\n".join(compiled(_PRINTABLE % shortest).findall(decoded.decode("utf-8", "replace")))
