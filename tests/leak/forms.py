"""How a canary may be written: 14 forms. Each takes the text and a source of chance, and gives what is written."""

import base64
import re
import unicodedata

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
COLOURS = ("\x1b[31m", "\x1b[0m", "\x1b[1;32m")
MARK = "\u0301"


def _quoted(text, rng):
    sign = rng.choice("\"'`")
    return sign + text.replace("\\", "\\\\").replace(sign, "\\" + sign) + sign


def _inserted(text, rng, choices, times):
    """Something between two characters, at some places inside. Not beside a line end, where it would stand alone."""
    places = [at for at in range(1, len(text)) if text[at - 1] not in "\r\n" and text[at] not in "\r\n"]
    for at in sorted(rng.sample(places, min(times, len(places))), reverse=True):
        text = text[:at] + rng.choice(choices) + text[at:]
    return text


def _split(text, rng):
    places = [found.start() + 1 for found in re.finditer(r"[A-Za-z0-9_-](?=[A-Za-z0-9_-])", text)] or [len(text) // 2]
    at = rng.choice(places)
    return text[:at] + rng.choice(("\n", "\r\n", "\n    ")) + text[at:]


def _nfd(text, rng):
    apart = unicodedata.normalize("NFD", text)
    letters = [at for at in range(1, len(text)) if text[at - 1].isalpha()]
    if apart != text or not letters:
        return apart
    at = rng.choice(letters)
    return text[:at] + MARK + text[at:]


def _escaped(text, rng):
    every = rng.random() < 0.5
    points = (ord(char) for char in text)
    return "".join(f"\\u{point:04x}" if every or rng.random() < 0.3 or chr(point) in '\\"\n\r' else chr(point) for point in points)


def _percent(text, rng):
    every = rng.random() < 0.5
    return "".join(
        "".join(f"%{byte:02X}" for byte in char.encode()) if every or not char.isalnum() or not char.isascii() else char for char in text
    )


def _base64(text, rng):
    """At each of the three alignments, in both alphabets, with or without padding."""
    encode = rng.choice((base64.b64encode, base64.urlsafe_b64encode))
    made = encode((rng.choice(("", "x ", "to: ")) + text).encode()).decode()
    return made if rng.random() < 0.7 else made.rstrip("=")


def kept(text):
    """What a cut may take away: a quarter, and always so much less that twelve characters stay."""
    return max(1, min(len(text) // 4, len(text) - 12))


FORMS = {
    "plain": lambda text, rng: text,
    "quoted": _quoted,
    "escaped": _escaped,
    "percent": _percent,
    "hex": lambda text, rng: text.encode().hex() if rng.random() < 0.7 else text.encode().hex().upper(),
    "base64": _base64,
    "base64 twice": lambda text, rng: _base64(_base64(text, rng), rng),
    "split": _split,
    "nul": lambda text, rng: _inserted(text, rng, ("\0",), rng.randrange(1, 4)),
    "zero width": lambda text, rng: _inserted(text, rng, INVISIBLE, rng.randrange(1, 4)),
    "ansi": lambda text, rng: _inserted(text, rng, COLOURS, rng.randrange(1, 3)),
    "nfd": _nfd,
    "cut head": lambda text, rng: text[rng.randrange(1, kept(text) + 1) :],
    "cut tail": lambda text, rng: text[: -rng.randrange(1, kept(text) + 1)],
}
CUTS = ("cut head", "cut tail")
