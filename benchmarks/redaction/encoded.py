"""Secrets that are encoded, wrapped or split: the same credentials in some twenty written forms.

The secret of such a text is what carries it: for base64 the characters that hold bits of the secret, not the whole blob.
"""

import base64
import gzip
import html
import json
import quopri
import unicodedata
import zlib
from collections.abc import Callable
from random import Random

from benchmarks.redaction import makers, vendors
from benchmarks.redaction import values as v
from benchmarks.redaction.items import Item

Form = Callable[[str, str, str, Random], tuple[str, tuple[str, ...]]]

# Before and after the secret, within what is encoded as a whole; and what the secret is.
PLAINS = [
    ('{"token":"', "{github-pat}", '"}'),
    ("AWS_ACCESS_KEY_ID=", "{aws-id}", "\nREGION=eu\n"),
    ("", "{stripe-live}", ""),
    ("see ", "{slack-bot}", " in the log"),
    ('{"user":"x","password":"', "<pw>", '"}'),
    ("Authorization: Bearer ", "<secret>", "\r\n"),
    ("postgres://x:", "<pwplain>", "@db.internal/app"),
    ("", "{anthropic-api}", "\n"),
]


def _base(encode: Callable[[bytes], str], group: tuple[int, int]) -> Form:
    """An encoding of fixed groups: so many bytes into so many characters."""

    def form(before: str, secret: str, after: str, _rng: Random) -> tuple[str, tuple[str, ...]]:
        blob = encode((before + secret + after).encode())
        first, last = len(before.encode()), len((before + secret).encode())
        size, chars = group
        return blob, (blob[-(-first // size) * chars : last // size * chars],)

    return form


def _whole(encode: Callable[[bytes], str]) -> Form:
    """An encoding where no part of the result belongs to the secret alone."""

    def form(before: str, secret: str, after: str, _rng: Random) -> tuple[str, tuple[str, ...]]:
        blob = encode((before + secret + after).encode())
        return blob, (blob,)

    return form


def _each(encode: Callable[[str], str], glue: str = "") -> Form:
    """An encoding character by character; names and punctuation round the secret stay as they are."""

    def form(before: str, secret: str, after: str, _rng: Random) -> tuple[str, tuple[str, ...]]:
        made = glue.join(encode(c) for c in secret)
        return before + made + after, (made,)

    return form


def _spread(glue: str) -> Form:
    """Something between all characters, those round the secret too."""

    def form(before: str, secret: str, after: str, _rng: Random) -> tuple[str, tuple[str, ...]]:
        return glue.join(before + secret + after), (glue.join(secret),)

    return form


def _cut(glue: str) -> Form:
    """Something within the secret, at one place."""

    def form(before: str, secret: str, after: str, rng: Random) -> tuple[str, tuple[str, ...]]:
        at = rng.randint(len(secret) // 3, 2 * len(secret) // 3)
        return before + secret[:at] + glue + secret[at:] + after, (secret[:at], secret[at:])

    return form


def _wrapped(width: int, glue: str) -> Form:
    """Base64 in lines. The secret is what carries it in each of them, the rest of the lines is harmless."""

    def form(before: str, secret: str, after: str, rng: Random) -> tuple[str, tuple[str, ...]]:
        blob, (carrier,) = FORMS["base64"](before, secret, after + v.word(rng) * 12, rng)
        start, end = blob.index(carrier), blob.index(carrier) + len(carrier)
        pieces = (blob[max(at, start) : min(at + width, end)] for at in range(0, len(blob), width))
        return v.wrap(blob, width, glue), tuple(piece for piece in pieces if len(piece) > 3)

    return form


def _json_escape(c: str) -> str:
    return f"\\u{ord(c):04x}"


def _first_escaped(before: str, secret: str, after: str, _rng: Random) -> tuple[str, tuple[str, ...]]:
    made = _json_escape(secret[0]) + secret[1:5] + _json_escape(secret[5]).upper().replace("\\U", "\\u") + secret[6:]
    return before + made + after, (made,)


def _surrounded(form: Form, left: str, right: str) -> Form:
    def outer(before: str, secret: str, after: str, rng: Random) -> tuple[str, tuple[str, ...]]:
        text, parts = form(before, secret, after, rng)
        return left + text + right, parts

    return outer


def _b64_twice(data: bytes) -> str:
    return v.b64(v.b64(data))


FORMS: dict[str, Form] = {
    "json-u": _each(_json_escape),
    "json-u-some": _first_escaped,
    "json-in-json": lambda b, s, a, _r: (json.dumps({"body": json.dumps({"x": b + s + a})}), (s,)),
    "percent": _each(lambda c: f"%{ord(c):02X}" if not c.isalnum() else c),
    "percent-all": _each(lambda c: f"%{ord(c):02x}"),
    "percent-twice": _each(lambda c: f"%25{ord(c):02X}"),
    "hex": _base(lambda data: data.hex(), (1, 2)),
    "hex-upper": _surrounded(_base(lambda data: data.hex().upper(), (1, 2)), "payload=0x", ""),
    "hex-spaced": _whole(lambda data: data.hex(" ")),
    "hex-escape": _each(lambda c: f"\\x{ord(c):02x}"),
    "base64": _base(v.b64, (3, 4)),
    "base64-json": _surrounded(_base(v.b64, (3, 4)), '{"n":1,"blob":"', '"}'),
    "base64-1": lambda b, s, a, r: _base(v.b64, (3, 4))("\n" + b, s, a, r),
    "base64-2": lambda b, s, a, r: _base(v.b64, (3, 4))("> " + b, s, a, r),
    "base64url": _base(v.b64url, (3, 4)),
    "base64-twice": _whole(_b64_twice),
    "base64-mime": _wrapped(40, "\n"),
    "base64-crlf": _wrapped(32, "\r\n"),
    "base64-escaped-lines": _wrapped(40, "\\n"),
    "base64-data-url": _surrounded(_base(v.b64, (3, 4)), "data:text/plain;base64,", ""),
    "gzip-base64": _whole(lambda data: v.b64(gzip.compress(data, mtime=0))),
    "zlib-base64": _whole(lambda data: v.b64(zlib.compress(data))),
    "base32": _base(lambda data: base64.b32encode(data).decode(), (5, 8)),
    "utf16-base64": _whole(lambda data: v.b64(data.decode().encode("utf-16-le"))),
    "utf16-nul": _spread("\0"),
    "utf16-repr": _spread("\\x00"),
    "octal": _each(lambda c: f"\\{ord(c):03o}"),
    "html-dec": _each(lambda c: f"&#{ord(c)};"),
    "html-hex": _each(lambda c: f"&#x{ord(c):x};"),
    "html-quot": lambda b, s, a, _r: (html.escape(b + s + a), (html.escape(s),)),
    "quoted-printable": lambda b, s, a, _r: _quoted(b, s, a),
    "nul": _cut("\0"),
    "zero-width": _cut("\u200b"),
    "soft-hyphen": _cut("\u00ad"),
    "bom": _cut("\ufeff"),
    "ansi": _cut("\x1b[0m"),
    "ansi-colour": lambda b, s, a, _r: (f"{b}\x1b[1;31m{s}\x1b[0m{a}", (s,)),
    "line-wrap": _cut("\n"),
    "line-wrap-crlf": _cut("\r\n"),
    "line-wrap-indent": _cut("\n    "),
    "line-continuation": _cut("\\\n"),
    "concat": _cut('" + "'),
    "concat-lines": _cut('"\n    "'),
    "concat-js": _cut("' +\n  '"),
    "full-width": _each(lambda c: chr(ord(c) + 0xFEE0)),
    "bytes-repr": lambda b, s, a, _r: (repr((b + s + a).encode()), (s,)),
    "char-list": lambda b, s, a, _r: (repr(list((b + s + a).encode())), (", ".join(map(str, s.encode())),)),
}


def _quoted(before: str, secret: str, after: str) -> tuple[str, tuple[str, ...]]:
    text = quopri.encodestring(("x" * 60 + " " + before + secret + after).encode()).decode()
    made = quopri.encodestring(secret.encode()).decode().rstrip("=\n")
    return text, tuple(piece for line in text.split("=\n") if (piece := _longest(line, made)))


def _longest(line: str, secret: str) -> str:
    """The longest piece of the secret that stands in the line; nothing below four characters."""
    pieces = (secret[a:b] for a in range(len(secret)) for b in range(len(secret), a + 3, -1) if secret[a:b] in line)
    return max(pieces, key=len, default="")


def _draw(spec: str, rng: Random) -> str:
    if spec.startswith("{"):
        return makers.fill(vendors.PREFIXED[spec[1:-1]], rng)
    return makers.fill(spec[1:-1], rng)


def items(rng: Random) -> list[Item]:
    """Three plain texts per form, all plain texts in turn; then what is no encoding of a whole: accents taken apart, cut keys."""
    made = []
    for at, (kind, form) in enumerate(FORMS.items()):
        for turn in range(3):
            before, spec, after = PLAINS[(at + 3 * turn) % len(PLAINS)]
            text, parts = form(before, _draw(spec, rng), after, rng)
            made.append(Item(id=f"encoded/{kind}/{turn}", group="encoded", kind=kind, text=text, secrets=(parts,)))
    return made + _special(rng)


def _special(rng: Random) -> list[Item]:
    made: list[Item] = []

    def add(kind: str, text: str, *parts: str) -> None:
        made.append(Item(id=f"encoded/{kind}/{len(made)}", group="encoded", kind=kind, text=text, secrets=(parts,)))

    for template in ('{"password":"%s"}', "password=%s\n"):
        secret = unicodedata.normalize("NFD", v.pattern("[A4]é[A3]ü[A4]", rng))
        add("nfd", template % secret, secret)
    for kind in ("rsa", "openssh", "pkcs8"):
        lines = makers.pem(kind, rng).split("\n")
        add("pem-cut-tail", "key:\n" + "\n".join(lines[:6]), *lines[1:6])
        add("pem-cut-tail-mid", "\n".join(lines[:4]) + "\n" + lines[4][:20], *lines[1:4], lines[4][:20])
        add("pem-cut-head", "\n".join(lines[5:]) + "\nnext: 3\n", *lines[5:-1])
        add("pem-one-line", " ".join(lines), *lines[1:-1])
        whole = "\n".join(lines)
        add("pem-base64", "key_data: " + v.b64(whole), v.b64(whole))
    return made
