# ruff: noqa: RUF001, RUF002 - letters of other scripts are what this file is about
"""Names of secrets in other languages and scripts, and what stands behind them in a sentence.

    пароль: ..   密码：..   パスワードは .. です   كلمة المرور: ..   mot de passe : ..   Passwort lautet ..

As keys they are names like any other (``redaction.detectors.names``). In a text a name may be of two words, and what
joins it to its value is a word or a sign of that language.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from redaction.detectors.abroad import ABROAD
from redaction.detectors.messages import message
from redaction.detectors.names import STRONG, kind_of_name, plain_letters
from redaction.detectors.values import FIGURES, plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.types import Span

_BLANK = r"[ \t\u00a0]"
_IS = r"(?:lautet|ist|is|est|es|é|è|e|jest|är|er|on|je|to|равен)(?=[ \t\u00a0])"
_JOINS = rf"(?P<sign>=>|->|[:=])|[はが是为為은는]|{_IS}|[—–-](?=[ \t])"
_VALUE = r"(?:\"(?P<v>[^\"\n]{1,512})\"|'(?P<w>[^'\n]{1,512})'|«(?P<x>[^»\n]{1,512})»|(?P<y>[^\s\"'`,;&<>«»，。]{4,512}+))"


# The first word of those in ASCII: a look without a pattern.
_LATIN = tuple({phrase.split(" ")[0] for phrase in ABROAD if phrase.isascii()})
_FIRST = tuple({phrase.split(" ")[0] for phrase in ABROAD})


@cache
def _pattern() -> str:
    phrases = "|".join(sorted((phrase.replace(" ", "[ _-]") for phrase in ABROAD), key=len, reverse=True))
    further = rf"(?:{_BLANK}[^\W\d_]{{1,16}}){{0,2}}"  # of the data base
    return rf"(?i)(?<![a-z0-9])(?P<name>{phrases}){further}(?:[\"']?{_BLANK}{{0,3}}(?:{_JOINS}){_BLANK}{{0,4}}|{_BLANK}{{1,4}}){_VALUE}"


def names_any(lower: str) -> bool:
    """Whether the first word of one of the names stands in a text that is not all ASCII, in small letters."""
    return any(word in lower for word in _FIRST)


def named(text: str) -> Iterator[Span]:
    """Every value behind a name in another language."""
    if text.isascii() and not any(word in text.lower() for word in _LATIN):
        return
    for match in compiled(_pattern()).finditer(text):
        kind = kind_of_name(match.group("name"))
        if kind is not None:
            yield from _found(match, kind)


def _found(match: re.Match[str], kind: str) -> Iterator[Span]:
    group = next(name for name in "vwxy" if match.group(name) is not None)
    value, start = match.group(group), match.start(group)
    if group == "y":
        value = value.rstrip(".:)!?")
        if not _told(match, kind, value):
            return
    elif message(value) or (value.isalpha() and kind_of_name(value) is not None):
        return
    yield from value_spans(kind, value, start)


def _told(match: re.Match[str], kind: str, value: str) -> bool:
    """Whether a value without quotes is one. Behind a sign, a word of another alphabet than the name's is."""
    if kind in FIGURES:
        return True  # it has a shape of its own
    if plausible(value):
        return True
    lone = match.end() == len(match.string) or match.string[match.end()] in "\r\n"
    return bool(kind in STRONG and match.group("sign") and lone and value.isascii() and not plain_letters(match.group("name")).isascii())
