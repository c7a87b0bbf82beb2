"""Base64, base32 and hexadecimal runs: decoded, unpacked, and hidden whole if what they hold would be hidden.

Harmless content stays, and so do digests, UUIDs and identifiers, because they decode to no text. A run may
start in the middle of a group of four (a path before it, a slice of it), so all four starts are tried. What
is packed (gzip, zlib) is read as far as the budget goes; what is longer was not looked at, so it is hidden.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b32decode, b64decode
from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    Scan = Callable[[str], list[Span]]

_RUN = r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{%d,}+={0,6}"
# Wrapped as mail, PEM and `base64` wrap it: whole lines of one alphabet, then a shorter one.
_WRAPPED = r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{20,76}[ \t]{0,4}\r?\n[ \t]{0,16})++[A-Za-z0-9+/]{0,76}+={0,2}"
_BYTES = r"(?<![A-Za-z0-9])(?:(?:0x)?[0-9A-Fa-f]{2}[ :,-] ?){11,}+(?:(?:0x)?[0-9A-Fa-f]{2}(?![A-Za-z0-9]))?"
_FEW_BYTES = r"[ :,-](?<=[0-9A-Fa-f]{2}.) ?(?:0x)?[0-9A-Fa-f]{2}[ :,-] ?(?:0x)?[0-9A-Fa-f]{2}[ :,-]"
_HEX_STEP = r"(?<=/)[0-9a-fA-F]{16,}+(?![A-Za-z0-9+_-])"
_URLSAFE = str.maketrans("-_", "+/")
_PRINTABLE = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]{%d,}+"
# Of each byte: printable in ASCII, the lead of a longer character, what continues one, nothing.
_KINDS_OF_BYTES = bytes(
    ord("a" if code in b"\t\n\r" or 32 <= code < 127 else "l" if 0xC2 <= code <= 0xF4 else "c" if 128 <= code < 192 else " ")
    for code in range(256)
)
_PACKED = (b"\x1f\x8b\x08", b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
SHORTEST = (14, 10)  # characters of a run, and of the text in it
SHORTEST_KNOWN = (11, 8)  # a known value may be shorter than any token
_PACKED_RUN = r".{0,3}?(?:H4sI|e[AFJN])"
_APART = "AQEB"  # three controls
_BUDGET = 64 * 1024  # bytes that all packed runs of one text may unfold to


def blobs(text: str, scan: Scan, *, shortest: int, shortest_text: int) -> Iterator[Span]:
    """Runs of at least ``shortest`` whose decoded content ``scan`` would hide."""
    budget = _BUDGET
    for match in _runs(text, shortest):
        for decoded, form in _readings("".join(match.group().split()), shortest_text):
            whole, budget = _unpacked(decoded, budget)
            if whole is None:
                yield Span(match.start(), match.end(), "secret", match.group(), form)
                break
            span = _judged(match, whole, form, scan, shortest_text)
            if span is not None:
                yield span
                break


def may_hold(words: Iterable[str], shortest: int, shortest_text: int) -> bool:
    """Whether any of the words decodes to something that reads as text, or was packed: no other run can hold anything."""
    for word in words:
        if len(word) >= shortest and not _is_digest(word, shortest_text):
            for match in _runs(word, shortest):
                for decoded, _ in _readings(match.group(), shortest_text):
                    if decoded.startswith(_PACKED) or next(_texts(decoded, shortest_text), None) is not None:
                        return True
    return False


def _is_digest(word: str, shortest_text: int) -> bool:
    """Whether this is a digest, a UUID or a number that spells nothing: the long words of most texts, told by fewer looks.

    Figures that base32 has too are none, here.
    """
    whole, point, digits = word.rpartition(".")
    digits = digits.replace("-", "")
    if compiled(r"[0-9a-f]{2,}").fullmatch(digits) is None or (point and not whole.isdigit()) or compiled("[2-7]{16,}").fullmatch(digits):
        return False
    if len(digits) % 2:
        return True
    data = bytes.fromhex(digits)
    return 0 not in data and not data.startswith(_PACKED) and not _reads(data, shortest_text)


def spelled(text: str) -> bool:
    """Whether bytes may be written in the text with a space after each, or base64 in lines: more than words."""
    return "\n" in text or compiled(_FEW_BYTES).search(text) is not None


def _runs(text: str, shortest: int) -> Iterator[re.Match[str]]:
    for match in compiled(_RUN % shortest).finditer(text):
        yield match
        if "/" in match.group():  # of a path
            yield from compiled(_HEX_STEP).finditer(text, match.start(), match.end())
    if "\n" in text:
        yield from compiled(_WRAPPED).finditer(text)
    if compiled(_FEW_BYTES).search(text) is not None:
        yield from compiled(_BYTES).finditer(text)


def _judged(match: re.Match[str], decoded: bytes, form: str, scan: Scan, shortest_text: int) -> Span | None:
    for plain in _texts(decoded, shortest_text):
        inner = scan(plain)
        if inner:
            whole = (inner[0].start, inner[0].end) == (0, len(plain))
            return Span(match.start(), match.end(), inner[0].kind, inner[0].value if whole else plain, form)
    return None


def _readings(run: str, shortest_text: int) -> Iterator[tuple[bytes, str]]:
    """What the run decodes to, but for what nobody could read: it is neither packed nor has so many printable characters in a row."""
    bare = run.rstrip("=")
    digits = bare if bare.isalnum() and "x" not in bare and "X" not in bare else compiled(r"0[xX]|[ :,-]").sub("", bare)
    if len(digits) % 2 == 0 and compiled("[0-9a-fA-F]+").fullmatch(digits):
        yield bytes.fromhex(digits), "hex"
    if not compiled("[a-z]").search(bare) and compiled("[A-Z2-7]{16,}").fullmatch(bare):
        part = bare[: len(bare) - (len(bare) % 8 in {1, 3, 6})]
        yield b32decode(part + "=" * (-len(part) % 8)), "base32"
    if compiled("[0-9a-f-]+").fullmatch(bare) is not None or compiled("[A-Za-z0-9+/_-]+").fullmatch(bare) is None:
        return  # a digest or a UUID would be a chance in a thousand million
    standard = bare.translate(_URLSAFE) if "-" in bare or "_" in bare else bare
    if not _says_anything(standard, shortest_text):
        return
    for shift in range(4):
        part = standard[shift:]
        if len(part) % 4 == 1:
            part = part[:-1]
        try:
            yield b64decode(part + "=" * (-len(part) % 4)), "base64"
        except (binascii.Error, ValueError):  # pragma: no cover - the run holds only letters of the alphabet
            continue


def _says_anything(run: str, shortest_text: int) -> bool:
    """Whether base64 from any of the four starts may be packed or text, all of them decoded at once: of most runs, none is."""
    if compiled(_PACKED_RUN).match(run) is not None:
        return True
    ends = [(len(run) - shift) // -4 * -4 for shift in range(4)]  # filled up with ones, which read as nothing
    parts = [run[shift:].ljust(end, "/") for shift, end in enumerate(ends)]
    data = binascii.a2b_base64(_APART.join(parts))
    return data.count(0) * 4 >= len(run) * 3 // 4 - 4 or _reads(data, shortest_text)


def _unpacked(decoded: bytes, budget: int) -> tuple[bytes | None, int]:
    """What gzip or zlib packed, and what is left of the budget; None if it is longer than that."""
    if not decoded.startswith(_PACKED):
        return decoded, budget
    if budget <= 0:
        return None, 0
    unpack = zlib.decompressobj(47)  # either of both headers
    try:
        plain = unpack.decompress(decoded, budget)
    except zlib.error:
        return decoded, budget
    return (None if unpack.unconsumed_tail else plain), budget - len(plain)


def _reads(data: bytes, shortest: int) -> bool:
    """Whether as many printable characters in UTF-8 stand in a row, or what is nearly that. A pattern would take four times as long."""
    return b"a" * shortest in data.translate(_KINDS_OF_BYTES).replace(b"lccc", b"a").replace(b"lcc", b"a").replace(b"lc", b"a")


def _texts(decoded: bytes, shortest: int) -> Iterator[str]:
    """The printable runs in the bytes, a line each: all of it where it is text; and without the NULs of UTF-16."""
    forms = (decoded, decoded.replace(b"\0", b"")) if decoded.count(0) * 4 >= len(decoded) > 0 else (decoded,)
    for form in forms:
        if not _reads(form, shortest):
            continue
        plain = "\n".join(compiled(_PRINTABLE % shortest).findall(form.decode("utf-8", "replace")))
        if plain:
            yield plain
