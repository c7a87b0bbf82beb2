"""Values on a line below their name: YAML, a wrapped assignment, a name and its value on lines of their own.

    password:          "token":         String secret =        Your temporary password:
      ..                 ".."               "..";              ..

Deeper than the name or in quotes any value will do under a name that leaves no doubt; beside the margin it must look like a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.assignments import dotted
from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.values import FIGURES, keylike, opaque, plausible, secret_parts
from redaction.placeholder import WALL
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_QUOTED = r"\"(?P<v>[^\"\n]{1,1024})\"|'(?P<w>[^'\n]{1,1024})'"
_NAME = r"(?P<name>[A-Za-z_][\w.-]{1,79}+)"
_TAG = r"(?:!!?[\w:./-]{1,60}|&[\w-]{1,60})"
_BARE = r"(?P<x>[^\s\"'`:{}\[\]#>|&*!,;=()][^\s\"'`{}\[\],;()]{1,1023}+)(?<!:)"
_BELOW = (
    rf"(?m)(?<![\w.]){_NAME}[\"'`]?\]?[ \t]{{0,4}}(?P<sign>:=?|=|=>)[ \t]{{0,4}}(?:{_TAG}|\\|\()?[ \t]{{0,4}}\r?\n(?:[ \t]{{0,16}}\r?\n)?"
    rf"(?P<margin>[ \t]{{0,64}})(?:{_QUOTED}|{_BARE})[ \t]{{0,4}}[,;)}}\]]{{0,3}}[ \t]{{0,4}}(?:\r?$|\Z)"
)
_TAGGED = rf"(?m)(?<![\w.]){_NAME}[\"']?:[ \t]{{1,4}}{_TAG}[ \t]{{1,4}}(?:{_QUOTED}|(?P<x>[^\s\"'#{{\[&*!]{{1,1024}}))[ \t]*\r?$"
_ITEM = r"(?:\"([^\"\n]{1,1024})\"|'([^'\n]{1,1024})')[ \t]*(?:\r?\n|\Z)"
_ITEMS = (
    rf"(?m)^(?P<margin>[ \t]{{0,32}})(?:- )?[\"']?{_NAME}[\"']?:[ \t]*\r?\n"
    r"(?P<items>(?:(?P=margin)[ \t]{0,32}- {1,4}(?:\"[^\"\n]{1,1024}\"|'[^'\n]{1,1024}')[ \t]*(?:\r?\n|\Z)){1,512})"
)
_PAIR = r"[\w.-]{1,80}:[ \t]{1,4}[\"']?([^\s\"':][^\s\"']{0,1023})[\"']?[ \t]*\r?(?:\n|\Z)"
_MAP = (
    rf"(?m)^(?P<margin>[ \t]{{0,32}})[\"']?{_NAME}[\"']?:[ \t]*\r?\n"
    r"(?P<items>(?:(?P=margin)[ \t]{1,32}[\w.-]{1,80}:[ \t]{1,4}[^\s:][^\n]{0,1024}(?:\n|\Z)){1,128})"
)
# A heading, a prompt, a message: a line that ends in the name, and the value alone on the next.
_HEADED = (
    r"(?mi)^[^\n]{0,60}?(?<![\w.-])"
    r"(?P<name>(?:api|access|secret|private)[ _-]?key|\w{0,24}(?:password|passwort|passphrase|passwd|secret|token))"
    r"[\"'*`]{0,2}:?[\"'*`]{0,2}[ \t]*\r?\n"
    r"(?:[ \t]*\r?\n)?[ \t>*`]{0,8}(?P<x>[^\s\"'`:=#|<>(){}\[\],;]{6,512}+)`?[ \t]*\r?$"
)
_IDENTIFIER = r"[a-z][a-z_-]*\d{0,3}|[A-Z][A-Z_-]*\d{0,3}"


def below(text: str) -> Iterator[Span]:
    """Every such value in the text."""
    if ":" in text or "=" in text:
        for match in compiled(_BELOW).finditer(text):
            yield from _value(text, match)
        if "!" in text or "&" in text:
            for match in compiled(_TAGGED).finditer(text):
                yield from _tagged(match)
    if "\n" not in text:
        return
    yield from _lists(text)
    for match in compiled(_HEADED).finditer(text):
        kind, value = kind_of_name(match.group("name")), match.group("x").rstrip(".")
        if kind is not None and _stands_out(kind, value):
            yield from _parts(kind, value, match.start("x"))


def _lists(text: str) -> Iterator[Span]:
    if "- " in text:
        for match in compiled(_ITEMS).finditer(text):
            kind = kind_of_name(match.group("name"))
            for item in compiled(_ITEM).finditer(text, match.start("items"), match.end("items")) if kind else ():
                at = item.lastindex or 1
                if plausible(item.group(at)):
                    yield from _parts(kind or "", item.group(at), item.start(at))
    for match in compiled(_MAP).finditer(text) if ":" in text else ():
        kind = kind_of_name(match.group("name"))
        for item in compiled(_PAIR).finditer(text, match.start("items"), match.end("items")) if kind in STRONG else ():
            if opaque(item.group(1)) or (keylike(item.group(1)) and not dotted(item.group(1))):
                yield from _parts(kind or "", item.group(1), item.start(1))


def _value(text: str, match: re.Match[str]) -> Iterator[Span]:
    kind = kind_of_name(match.group("name"))
    if kind is None:
        return
    group = next(name for name in "vwx" if match.group(name) is not None)
    value = match.group(group)
    deeper = match.group("sign") == ":" and _deeper(text, match)
    if group == "x":
        value = value.rstrip(",;")
        if value.endswith(":") or (kind in STRONG and not deeper and not _stands_out(kind, value)):
            return
        if kind not in STRONG and not (keylike(value) or opaque(value) or kind in FIGURES):
            return
        if dotted(value):
            return
    elif kind not in STRONG and not plausible(value):
        return
    yield from _parts(kind, value, match.start(group))


def _deeper(text: str, match: re.Match[str]) -> bool:
    """Whether the value stands farther from the margin than its name."""
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    margin = before[: len(before) - len(before.lstrip(" \t-\"'"))]
    return len(match.group("margin").expandtabs(8)) > len(margin.expandtabs(8))


def _tagged(match: re.Match[str]) -> Iterator[Span]:
    kind = kind_of_name(match.group("name"))
    group = next(name for name in "vwx" if match.group(name) is not None)
    if kind is not None and (kind in STRONG or plausible(match.group(group))):
        yield from _parts(kind, match.group(group), match.start(group))


def _stands_out(kind: str, value: str) -> bool:
    if kind not in STRONG:
        return keylike(value) or opaque(value)
    word = compiled(r"[^\W_]").search(value) is not None and compiled(_IDENTIFIER).fullmatch(value) is None
    return word and plausible(value) and not dotted(value)


def _parts(kind: str, value: str, start: int) -> Iterator[Span]:
    if WALL in value:  # part of it is hidden already
        return
    for first, last in secret_parts(kind, value):
        yield Span(start + first, start + last, kind, value[first:last])
