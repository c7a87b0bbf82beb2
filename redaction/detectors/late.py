"""Detectors that few texts need, each with its sign: they are read from disk when a text first shows it, because importing takes time.

A sign costs a microsecond or two on an ordinary payload; what it stands for is in the module of the detector.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from redaction.detectors.names import kind_of_name
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from redaction.types import Span

    Detector = Callable[[str], Iterator[Span]]
    Name = tuple[int, int, str]  # start, end, kind
    Close = Callable[[str, list[Name]], Iterator[Span]]

_NAME = r"(?:[Aa][Pp][Ii]|[Aa]ccess|[Ss]ecret|[Pp]rivate|[Ss]igning)[ -][Kk]ey|[\w.-]{2,80}+"
# Telephone numbers; a literal first, because this is looked for in every text.
_DIALLED = (r"0(?<![\w.,:+-]0)\d{1,4}\)? ?[ ./-] ?[\d(]", r"1(?<![\w.,:+-]1)[3-9]\d[ -]\d{4}[ -]", r"\([1-9]\d\) 9")
# Some part of the name of every code that a person is sent, in small letters; and in a text that is not all ASCII.
_CODES_ABROAD = ("cód", "код", "码", "碼", "コード", "番号", "인증")
# Functions that take a password by its place, and programs that take it by a letter.
_CALLS = ("auth", "login", "sign", "connect", "credential", "pdo", "mysqli", "_user", "pw_set", "jwt", "hmac", "fernet")


@cache
def _named() -> tuple[tuple[Close, ...], tuple[Detector, ...]]:
    """Those that look only near the names, and those that look at the whole text."""
    from redaction.detectors.below import below
    from redaction.detectors.compared import compared
    from redaction.detectors.defaults import defaults
    from redaction.detectors.drawn import drawn
    from redaction.detectors.dumps import dumps

    return (compared, below, defaults), (drawn, dumps)


def _names(text: str) -> list[Name]:
    words = compiled(_NAME).finditer(text)
    return [(word.start(), word.end(), kind) for word in words if (kind := kind_of_name(word.group())) is not None]


def apart(text: str) -> Iterator[Span]:
    """What stands apart from a name that announces it: compared, on the line below, by default, in a drawn table, in a dump."""
    near, whole = _named()
    names = _names(text)
    if names:
        for close in near:
            yield from close(text, names)
    for detector in whole:
        yield from detector(text)


def abroad(text: str) -> Iterator[Span]:
    """What stands behind a name in another language."""
    from redaction.detectors.languages import named

    return named(text)


def says_abroad(text: str, lower: str) -> bool:
    """Whether such a name may stand in a text that says nothing in English."""
    if not text.isascii():
        from redaction.detectors.languages import names_any

        return names_any(lower)
    # Names of several words: one word is found as any name is.
    return "passe" in lower or "kata sandi" in lower or "secreta" in lower or "segreta" in lower


def codes(text: str) -> Iterator[Span]:
    """Codes that a person is sent."""
    lower = text.lower()
    some = (
        "code" in lower
        or "otp" in lower
        or "pin " in lower
        or "password" in lower
        or "enter " in lower
        or "TAN" in text
        or " to verify" in lower
        or "codice" in lower
    )
    if some or (not text.isascii() and any(sign in lower for sign in _CODES_ABROAD)):
        from redaction.detectors.codes import sent

        yield from sent(text)


def dialled(text: str) -> Iterator[Span]:
    """Telephone numbers as people write them in their own country."""
    if any(compiled(sign).search(text) for sign in _DIALLED):
        from redaction.detectors.dialled import numbers

        yield from numbers(text)


def calls(text: str) -> Iterator[Span]:
    """Arguments of calls and options of programs, told by their place."""
    if "(" in text or "auth" in text:
        lower = text.lower()
        if any(sign in lower for sign in _CALLS):
            from redaction.detectors.calls import arguments

            yield from arguments(text)


def commands(text: str) -> Iterator[Span]:
    """Options of single programs."""
    flags = " -" in text or "'-" in text or '"-' in text or " /" in text
    if (
        flags
        or "|" in text
        or "<" in text
        or "@" in text
        or "pass" in text
        or "auth " in text.lower()
        or "_user " in text
        or "obscure" in text
    ):
        from redaction.detectors.commands import options

        yield from options(text)
