"""Header lines in free text: ``Authorization``, ``Cookie``, and credentials that stand behind their scheme's name."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING

from redaction.detectors.values import trivial, value_spans
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = r"(?i)(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie)([\"'`]?)\]?[ \t]{0,4}(?::[ \t]{0,4}([\"'`]?)|[=,][ \t]{0,4}([\"'`]))"
_REST = r"[^\r\n]++"
_REST_QUOTED = {quote: rf"[^{quote}\\\r\n]*+(?:\\.[^{quote}\\\r\n]*+)*+" for quote in "\"'`"}
_COOKIE_FLAG = r"(?<![\w-])(?:-b|--cookie)[ =]{1,2}([\"'])([^\"'\r\n]{1,4096})\1"
_ONE_WORD = r"(?i)(?:Bearer|Basic|Token|ApiKey|Bot)[ \t]{1,8}[^\s,;\"'`]++"  # more may follow on the line
# The value on the next line, with or without its scheme; and a scheme that code joins to it.
_SCHEMES = r"(?:Bearer|Basic|Token|ApiKey|Bot|Digest|Negotiate)"
_FOLDED = (
    rf"(?i)(?<![\w-])(?:proxy-)?authorization[\"']?[ \t]{{0,4}}[:=][ \t]{{0,4}}[\"']?(?:{_SCHEMES}[ \t]{{0,4}})?[\"']?\\?"
    r"[ \t]{0,4}\r?\n[ \t]{1,32}[\"']?"
    rf"(?:{_SCHEMES}[ \t]{{1,8}})?([^\s\"',;:{{}}<>\[\]]{{8,4096}}+)(?=[\"']?[ \t]*(?:\r?$|[\n,;]))"
)
_JOINED = rf"(?i)(?<![\w-]){_SCHEMES}[ \t]?[\"'][ \t]{{0,4}}[+.&][ \t]{{0,4}}[\"']([^\"'\s]{{8,4096}})[\"']"
_BEARER = r"(?i)(?<![\w-])bearer[ \t]{1,4}([A-Za-z0-9._~+/=-]{12,}+)"
_BASIC = r"(?i)(?<![\w-])basic[ \t]{1,4}([A-Za-z0-9+/]{8,}+={0,2})"


def headers(text: str) -> Iterator[Span]:
    """Credentials in header lines, and behind ``Bearer`` and ``Basic``."""
    lower = text.lower()
    if "authorization" in lower or "cookie" in lower:
        yield from _lines(text)
        yield from _folded(text)
    if "-b " in text or "--cookie" in text:
        yield from _cookie_flags(text)
    if "bearer" in lower:
        for match in compiled(_BEARER).finditer(text):
            value = match.group(1).rstrip(".")
            if compiled(r"\d").search(value):
                yield Span(match.start(1), match.start(1) + len(value), "authorization", value)
    if "basic" in lower:
        for match in compiled(_BASIC).finditer(text):
            if _is_basic(match.group(1)):
                yield Span(*match.span(1), "authorization", match.group(1))


def _lines(text: str) -> Iterator[Span]:
    done = 0
    for match in compiled(_LINE).finditer(text):
        if match.start() < done:
            continue
        quote = match.group(3) or match.group(4) or text[match.start() - 1 : match.start()]
        rest = compiled(_ONE_WORD).match(text, match.end()) or compiled(_REST_QUOTED.get(quote, _REST)).match(text, match.end())
        if rest is None:
            continue
        value = rest.group()
        kind = "cookie" if "cookie" in match.group(1).lower() else "authorization"
        yield from value_spans(kind, value, rest.start())
        done = rest.start() + len(value)


def _folded(text: str) -> Iterator[Span]:
    for pattern in (_FOLDED, _JOINED):
        for match in compiled(pattern).finditer(text):
            if compiled(r"[\d=]|[a-z][A-Z]").search(match.group(1)) and not trivial(match.group(1)):
                yield Span(*match.span(1), "authorization", match.group(1))


def _cookie_flags(text: str) -> Iterator[Span]:
    for match in compiled(_COOKIE_FLAG).finditer(text):
        yield from value_spans("cookie", match.group(2), match.start(2))


def _is_basic(value: str) -> bool:
    try:
        user, colon, _ = b64decode(value + "=" * (-len(value) % 4)).partition(b":")
    except (binascii.Error, ValueError):
        return False
    return bool(colon) and user.isascii()
