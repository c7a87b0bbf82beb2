"""Values on a line below their name: YAML, a wrapped assignment, a name and its value on lines of their own.

    password:          "token":         String secret =        Your temporary password:
      ..                 ".."               "..";              ..

Deeper than the name or in quotes any value will do under a name that leaves no doubt; beside the margin it must look like a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.assignments import dotted
from redaction.detectors.names import STRONG
from redaction.detectors.values import FIGURES, covered, keylike, opaque, plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.detectors.late import Name
    from redaction.types import Span

_QUOTED = r"\"(?P<v>[^\"\n]{1,1024})\"|'(?P<w>[^'\n]{1,1024})'"
_TAG = r"(?:!!?[\w:./-]{1,60}|&[\w-]{1,60})"
_BARE = r"(?P<x>[^\s\"'`:{}\[\]#>|&*!,;=()][^\s\"'`{}\[\],;()]{1,1023}+)(?<!:)"
_BELOW = (
    rf"[\"'`]?\]?[ \t]{{0,4}}(?P<sign>:=?|=|=>)[ \t]{{0,4}}(?:{_TAG}|\\|\()?[ \t]{{0,4}}(?:#[^\n]{{0,120}})?\r?\n(?:[ \t]{{0,16}}\r?\n)?"
    rf"(?P<margin>[ \t]{{0,64}})(?:{_QUOTED}|{_BARE})[ \t]{{0,4}}[,;)}}\]]{{0,3}}[ \t]{{0,4}}(?=\r?(?:\n|\Z))"
)
_TAGGED = rf"[\"']?:[ \t]{{1,4}}{_TAG}[ \t]{{1,4}}(?:{_QUOTED}|(?P<x>[^\s\"'#{{\[&*!]{{1,1024}}))[ \t]*(?=\r?(?:\n|\Z))"
_HEAD_OF_LINES = r"[\"']?:[ \t]*\r?\n"
_LINE = (
    rf"(?P<margin>[ \t]{{0,64}})(?:(?P<item>- {{1,4}})|[\w.-]{{1,80}}:[ \t]{{1,4}})(?:{_QUOTED}|(?P<x>[^\s\"'][^\s\"']{{0,1023}}))"
    r"[ \t]*\r?(?:\n|\Z)"
)
# `**Password:** ..`, `Password ..... ..`, `DB_PASSWORD    ..`
_BESIDE = (
    r"(?:(?:\*\*|__)?:(?:\*\*|__)[ \t]{1,4}|\*\*:?[ \t]{1,4}|__:?[ \t]{1,4}|[ \t]{2,40}|\t|[ \t]?\.{3,60}[ \t]?)`?"
    r"(?P<x>[^\s\"'`:=#|<>(){}\[\],;]{6,512}+)`?[ \t]*(?=\r?(?:\n|\Z))"
)
_MIXED = r"[A-Za-z]\d|\d[A-Za-z]"
_MOST = 512  # lines
# A heading, a prompt, a message: a line that ends in the name, and the value alone on the next.
_HEADED = (
    r"[\"'*`]{0,2}:?[\"'*`]{0,2}[ \t]*\r?\n(?:[ \t]*\r?\n)?[ \t>*`]{0,8}"
    r"(?![@+*/.-])(?P<x>[^\s\"'`:=#|<>(){}\[\],;]{6,512}+)`?[ \t]*(?=\r?(?:\n|\Z))"
)
_HEADING = r"(?i)(?:key|password|passwort|passphrase|passwd|secret|token)$"
_HEAD = 100  # characters of that line
_IDENTIFIER = r"[a-z][a-z_-]*\d{0,3}|[A-Z][A-Z_-]*\d{0,3}"


def below(text: str, names: list[Name]) -> Iterator[Span]:
    """Every such value below the names."""
    for start, end, kind in names:
        after = text[end : end + 12]
        beside = compiled(_BESIDE).match(text, end)
        if beside is not None and (
            beside.group().startswith((":", "*", "_")) or not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t-*#")
        ):
            if compiled(_MIXED).search(beside.group("x")) and _stands_out(kind, beside.group("x")):
                yield from _parts(kind, beside.group("x"), beside.start("x"))
            continue
        if not any(sign in after for sign in "\n!&#"):
            continue
        match = compiled(_BELOW).match(text, end)
        if match is not None:
            yield from _value(text, match, start, kind)
            continue
        match = compiled(_TAGGED).match(text, end)
        if match is not None:
            yield from _tagged(match, kind)
            continue
        yield from _lists(text, start, end, kind)
        match = compiled(_HEADED).match(text, end)
        if match is not None and start - text.rfind("\n", 0, start) <= _HEAD and compiled(_HEADING).search(text, start, end):
            value = match.group("x").rstrip(".")
            if _stands_out(kind, value):
                yield from _parts(kind, value, match.start("x"))


def _lists(text: str, start: int, end: int, kind: str) -> Iterator[Span]:
    """The items of a list in quotes, the pairs of a mapping: lines below that stand deeper."""
    head = compiled(_HEAD_OF_LINES).match(text, end)
    if head is None:
        return
    margin = _margin(text, start)
    at = head.end()
    for _ in range(_MOST):
        line = compiled(_LINE).match(text, at)
        if line is None:
            return
        deep = len(line.group("margin").expandtabs(8))
        if deep < margin or (deep == margin and not line.group("item")):
            return
        group = _group(line)
        value = line.group(group)
        sure = (
            plausible(value)
            if line.group("item") and group != "x"
            else _like_a_key(value) and (kind in STRONG or opaque(value)) and not line.group("item")
        )
        if sure:
            yield from _parts(kind, value, line.start(group))
        at = line.end()


def _group(match: re.Match[str]) -> str:
    """Which of the groups for a value holds it: the first two are for those in quotes."""
    return next(name for name in "vwx" if match.group(name) is not None)


def _like_a_key(value: str) -> bool:
    return opaque(value) or (keylike(value) and not dotted(value))


def _margin(text: str, start: int) -> int:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return len(before[: len(before) - len(before.lstrip(" \t-\"'"))].expandtabs(8))


def _value(text: str, match: re.Match[str], start: int, kind: str) -> Iterator[Span]:
    group = _group(match)
    value = match.group(group)
    deeper = match.group("sign") == ":" and len(match.group("margin").expandtabs(8)) > _margin(text, start)
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


def _tagged(match: re.Match[str], kind: str) -> Iterator[Span]:
    group = _group(match)
    if kind in STRONG or plausible(match.group(group)):
        yield from _parts(kind, match.group(group), match.start(group))


def _stands_out(kind: str, value: str) -> bool:
    if kind not in STRONG:
        return keylike(value) or opaque(value)
    word = compiled(r"[^\W_]").search(value) is not None and compiled(_IDENTIFIER).fullmatch(value) is None
    return word and plausible(value) and not dotted(value)


def _parts(kind: str, value: str, start: int) -> Iterator[Span]:
    if covered(value):
        return
    yield from value_spans(kind, value, start)
