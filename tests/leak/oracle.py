"""Whether a text shows a piece of a secret: written apart from redaction, and without anything of it.

A text is read in every way that a person with a decoder could read it, several deep; then every piece of eight characters
of every secret is looked for, whatever its case. So it needs no list of what a form makes of a secret.
"""

import base64
import binascii
import html
import re
import unicodedata
from urllib.parse import unquote_to_bytes

PIECE = 8
DEPTH = 4
PLACEHOLDER = re.compile(r"(?:REDACTED[A-Z]?|MASKED|HIDDEN|WITHHELD)-[a-z0-9]+(?:-[a-z0-9]+)*-[0-9]+x|UNSCANNED-[0-9]+-bytes-[0-9]+x")
_UNSEEN = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_RUN = re.compile(r"[A-Za-z0-9+/_-]{10,}")
_HEX = re.compile(r"[0-9a-fA-F]{16,}")
_WRAPPED = re.compile(r"[ \t]*\r?\n[ \t]*")
_SPELLED = str.maketrans("-_", "+/")


def _escape(found):
    code = found[1] or found[2] or found[3]
    if code is None:
        return _SHORT.get(found[4], found[4])
    return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else "?"


def _visible(text):
    """What a reader sees: no colours, controls, marks or characters without width."""
    text = _UNSEEN.sub("", text)
    if text.isascii():
        return _CONTROLS.sub("", text)
    apart = unicodedata.normalize("NFD", text)
    return "".join(char for char in apart if char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cf", "Mn", "Cs", "Co"})


def _text(data):
    return data.decode("utf-8", "replace")


def _from_base64(text):
    for shift in range(4):
        out = []
        for run in _RUN.findall(text):
            part = run.translate(_SPELLED)[shift:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            try:
                out.append(_text(base64.b64decode(part + "=" * (-len(part) % 4))))
            except binascii.Error:  # pragma: no cover - the run holds only letters of the alphabet
                continue
        yield "\n".join(out)


def _from_hex(text):
    for shift in range(2):
        runs = (run[shift : len(run) - (len(run) - shift) % 2] for run in _HEX.findall(text))
        yield "\n".join(_text(bytes.fromhex(run)) for run in runs)


def _decoded(text):
    yield _visible(text)
    yield _WRAPPED.sub("", text)
    if "\\" in text:
        yield _ESCAPE.sub(_escape, text)
    if "%" in text:
        yield _text(unquote_to_bytes(text))
    if "&" in text:
        yield html.unescape(text)
    if _HEX.search(text):
        yield from _from_hex(text)
    if _RUN.search(text):
        yield from _from_base64(text)


def readings(text, depth=DEPTH):
    """Every way to read a text, the text itself among them. A placeholder is a wall: what stands on both sides does not join."""
    seen = {PLACEHOLDER.sub("\u00a6", text): None}
    todo = list(seen)
    for _ in range(depth):
        found = dict.fromkeys(reading for one in todo for reading in _decoded(one) if len(reading) >= PIECE)
        todo = [reading for reading in found if reading not in seen]
        seen |= dict.fromkeys(todo)
    return tuple(seen)


def folded(text):
    """As secrets and readings are compared: without case, marks, blanks at line ends, and without line ends."""
    return _WRAPPED.sub("", _visible(text)).lower()


def pieces(secret):
    """Every piece of eight characters. Of a shorter secret there is none: it is looked for as a whole, see `shown`."""
    plain = folded(secret)
    return [plain[at : at + PIECE] for at in range(len(plain) - PIECE + 1)]


def shown(secrets, text):
    """The first piece of a secret that a text shows in any reading, or None."""
    ways = readings(text)
    blob = "\n".join((*map(str.lower, ways), *(folded(way) for way in ways)))
    for secret in secrets:
        for piece in pieces(secret):
            if piece in blob:
                return piece
        if len(secret) < PIECE and any(re.search(rf"(?<![0-9A-Za-z]){re.escape(secret)}(?![0-9A-Za-z])", way) for way in ways[:6]):
            return secret
    return None


def all_shown(secrets, text, *, depth=3):
    """Of many secrets those of which a long text shows a piece, with that piece."""
    ways = readings(text, depth)
    grams = {line[at : at + PIECE] for line in {*map(str.lower, ways), *map(folded, ways)} for at in range(len(line) - PIECE + 1)}
    found = {secret: next((piece for piece in pieces(secret) if piece in grams), None) for secret in secrets}
    return {secret: piece for secret, piece in found.items() if piece is not None}
