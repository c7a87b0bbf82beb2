"""Names with a value in free text: environment lines, keyword arguments, reprs, form bodies, command lines, XML.

    password=..   'password': '..'   "api_key": ".."   --token ..   <password>..</password>   curl -u user:..

In a sentence a colon proves little (``Invalid token: }``), so there a bare value must look like a secret;
quotes, ``=`` without blanks, and a line that holds nothing else are enough by themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redaction.detectors.names import NUMBERS, STRONG, kind_of_name, kind_of_query
from redaction.detectors.values import plausible, secret_parts
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEYED = r"(?<!\w)(\w[\w.-]{1,79}+)([\"'`]?\]?)([ \t]{0,8})(=>|->|:=|={1,2}|:)(?!//)([ \t]{0,8})(?:[bBuUrRfF]{1,2}(?=[\"']))?"
_QUOTED = {quote: rf"{quote}([^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+){quote}" for quote in "\"'`"}
_BARE = r"[^\s\"'`,;&|<>(){}\[\]\\]"
_WORD = r"[^\s&\"']"
_READ = "{1,2048}"  # what is read before it is known to be a value; a value is then taken whole
_FLAG = r"(?<![\w-])--?([A-Za-z][\w-]{1,60})[ \t]{1,4}([\"']?)([^\s\"'-][^\s\"']*+)"
_BASIC_FLAG = r"(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,2}[\"']?[^\s:\"']{1,64}:([^\s\"']+)"
# A list, set or call around the values: ['a', 'b'], {'a'}, SecretStr('a'). And what a changed value became.
_OPENED = r"(?:SecretStr|SecretBytes|Secret|Password|str|bytes)?[\[({]\s{0,4}"
_ELEMENT_OF = r"[bu]?(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"|'([^'\\]*+(?:\\.[^'\\]*+)*+)')\s{0,4},?\s{0,4}"
_BECAME = r"[\"'`] -> [\"'`]([^\"'`\n]{1,4096})"
_ELEMENT = r"<([A-Za-z][\w:.-]{1,79}+)(?:[ \t][^<>]{0,200})?>([^<]{1,4096}+)</"
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"


def assignments(text: str) -> Iterator[Span]:
    """Every value in the text whose name says that it is secret."""
    if "=" in text or ":" in text or "->" in text:
        yield from _keyed(text)
    if "-" in text:
        yield from _flags(text)
    if "</" in text:
        yield from _elements(text)


def _keyed(text: str) -> Iterator[Span]:
    done = 0
    for match in compiled(_KEYED).finditer(text):
        if match.start() < done:
            continue
        query = text[match.start() - 1 : match.start()] in {"?", "&"} and match.group(4) == "="
        kind = kind_of_query(match.group(1)) if query else kind_of_name(match.group(1))
        if kind is None or kind in {"authorization", "cookie"}:  # whole header lines: redaction.detectors.headers
            continue
        opened = compiled(_OPENED).match(text, match.end())
        if opened is not None:
            for span in _elements_of(text, opened.end(), kind):
                yield span
                done = span.end
        start, end, bare = _value(text, match)
        if bare:
            if not (query or _stands_alone(text, match, kind, start, end)):
                continue
            end = _whole(text, bare, end)
        value = text[start:end]
        shouted = match.group(1).isupper() and match.group(4) == "="
        for span in _parts(kind, value, start, sure=query or shouted):
            yield span
            done = end
        became = None if bare else compiled(_BECAME).match(text, end)
        if became is not None:
            yield from _parts(kind, became.group(1), became.start(1))


def _elements_of(text: str, start: int, kind: str) -> Iterator[Span]:
    while (match := compiled(_ELEMENT_OF, re.DOTALL).match(text, start)) is not None:
        at = match.lastindex or 1
        yield from _parts(kind, match.group(at), match.start(at))
        start = match.end()


def _value(text: str, match: re.Match[str]) -> tuple[int, int, str]:
    """Start and end of the value, and the class of its characters if it has no quotes."""
    start = match.end()
    quote = text[start : start + 1]
    if quote in _QUOTED and quote == text[match.start() - 1 : match.start()] and not match.group(2):
        return start, start, _BARE  # 'Password: ' is a text that ends here
    if quote in _QUOTED:
        closed = compiled(_QUOTED[quote], re.DOTALL).match(text, start)
        if closed is not None:
            return (*closed.span(1), "")
        end = text.find("\n", start)
        return start + 1, len(text) if end < 0 else end, ""
    line_start = match.start() == 0 or text[match.start() - 1] in "\n ;"
    shouted = match.group(1).isupper() and match.group(4) == "=" and line_start
    characters = _WORD if shouted else _BARE
    bare = compiled(characters + _READ).match(text, start)
    return start, bare.end() if bare else start, characters


def _whole(text: str, characters: str, end: int) -> int:
    more = compiled(characters + "++").match(text, end)
    if more is not None:
        return more.end()
    return end - 1 if text[end - 1] in ".:" else end  # the end of a sentence


def _stands_alone(text: str, match: re.Match[str], kind: str, start: int, end: int) -> bool:
    """Whether a bare value is meant as a value, and not as a word that happens to follow."""
    value = text[start:end]
    if _is_code(text, match.group(1), value, end):
        return False
    if kind in NUMBERS and value.isdigit():
        return len(value) >= 3
    if compiled(r"[\d.,+-]+").fullmatch(value):
        return False
    if match.group(4) != ":" and not match.group(3) and not match.group(5):
        return True
    line = match.start() == 0 or text[match.start() - 1] == "\n"
    rest = text[end : end + 8].lstrip(" \t.")
    return (kind in STRONG and line and (not rest or rest[0] in "\r\n")) or plausible(value)


def _is_code(text: str, name: str, value: str, end: int) -> bool:
    """Whether a bare value is a name, an attribute or a call in source code, or the head of a reference such as ``${X}``."""
    if not value or value.lower() == name.lower() or text[end : end + 1] == "(":
        return True
    return compiled(_DOTTED).fullmatch(value) is not None or (len(value) < 3 and compiled(r"\w").search(value) is None)


def _flags(text: str) -> Iterator[Span]:
    for match in compiled(_FLAG).finditer(text):
        kind = kind_of_name(match.group(1))
        if kind in STRONG or (kind == "token" and plausible(match.group(3))):
            yield from _parts(kind, match.group(3), match.start(3))
    if "-u" in text or "-user" in text:
        for match in compiled(_BASIC_FLAG).finditer(text):
            yield from _parts("password", match.group(1), match.start(1))


def _elements(text: str) -> Iterator[Span]:
    for match in compiled(_ELEMENT).finditer(text):
        kind = kind_of_name(match.group(1).rpartition(":")[2])
        if kind is not None:
            yield from _parts(kind, match.group(2), match.start(2))


def _parts(kind: str, value: str, start: int, *, sure: bool = False) -> Iterator[Span]:
    for first, last in secret_parts(kind, value, sure=sure):
        yield Span(start + first, start + last, kind, value[first:last])
