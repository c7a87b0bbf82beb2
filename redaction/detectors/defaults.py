"""Defaults in code and in templates: what a program takes where the environment or a setting says nothing.

process.env.DB_PASSWORD || ".."   os.environ.get("DB_PASSWORD", "..")   getenv('X') ?: '..'   ${DB_PASSWORD:-..}
env::var("TOKEN").unwrap_or("..")   add_argument("--password", default="..")   .Values.password | default ".."
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.messages import message
from redaction.detectors.names import STRONG, WORDS, segments
from redaction.detectors.values import plausible, value_spans
from redaction.views import compiled, words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.detectors.late import Name
    from redaction.types import Span

_QUOTED = r"[bu]?(?:\"(?P<v>[^\"\n]{1,1024})\"|'(?P<w>[^'\n]{1,1024})')"
_CLOSED = r"[\"'`]?[\])}]{0,4}"
_METHODS = r"unwrap_or(?:_else)?|orElse|or_else|getOrElse|or|fallback|default|withDefault|with_default|valueOr|value_or|ifEmpty"
# What fills in a form.
_FILLS = r"send_keys|sendKeys|type|fill|setValue|set_value|clear_and_type"
# X || "..", X ?? "..", X or "..", X ?: "..", X | default "..", X if X else ".."
_OTHERWISE = (
    rf"{_CLOSED}[ \t]{{0,4}}(?:\|\|=?|\?\?=?|\?:|(?:\|[ \t]{{0,2}})?\b(?:or|default|else)\b)[ \t]{{0,4}}\(?[ \t]{{0,2}}{_QUOTED}"
    r"(?![ \t]{0,4}[=!]=)"
)
# X.unwrap_or(".."), X.orElse(".."), fetch("X") { ".." }
_METHOD = rf"{_CLOSED}(?:[ \t]{{0,4}}\{{|\??\.(?:{_METHODS})\([ \t]{{0,2}}(?:\|_?\|)?)[ \t]{{0,4}}{_QUOTED}"
# get("X", ".."), add_argument("--x", .., default="..")
_CALLED = r"(?P<call>[\w.:]{0,60})\([ \t]{0,4}[bu]?[\"'][-#.\[\w= ]{0,30}$"
_FILLED = rf"{_CLOSED}\.(?:{_FILLS})\([ \t]{{0,2}}{_QUOTED}"
# coalesce(var.x, ".."), password: str = Field("..")
_FIRST = r"(?i)(?:coalesce|try|nvl|ifnull|or_?else|first_?non_?null|default)\([ \t]{0,4}[\w.]{0,40}$"
_SECOND = rf"[ \t]{{0,2}},[ \t]{{0,4}}{_QUOTED}"
_TYPED = rf"[ \t]{{0,2}}:[ \t]{{0,2}}[\w\[\]., |]{{1,40}}=[ \t]{{0,2}}\w{{1,30}}\((?:default=)?{_QUOTED}"
_CALL = (
    r"\]?[\"'][ \t]{0,4},[ \t\n]{0,8}"
    r"(?P<rest>[^()\"'\n]{0,80}(?:[\"'][^\"'\n]{0,80}[\"'],[^()\"'\n]{0,40}){0,3}\bdefault[ \t]{0,2}[=:][ \t]{0,2})?" + _QUOTED
)
_SHELL = r"(?::?[-=]|:)(?P<x>[^\s}?+$\"'{-][^\s}\"'{]{0,1023}+)\}"
_ASKS = words(
    "getenv env environ get fetch config getordefault getproperty setdefault lookup option setting settings param str string default "
    "getstring getvalue secret secrets argument fill type"
)


def defaults(text: str, names: list[Name]) -> Iterator[Span]:
    """Every such value behind the names."""
    for start, end, kind in names:
        if text[start - 2 : start] == "${":
            yield from _of_shell(text, end, kind)
        name = text[start:end]
        for pattern in (_OTHERWISE, _METHOD):
            match = compiled(pattern).match(text, end)
            if match is not None:
                yield from _found(match, kind, reads=name.rpartition(".")[2].isupper() or _is_setting(text, start))
        for pattern in (_FILLED, _TYPED, _SECOND):
            match = compiled(pattern).match(text, end)
            if match is not None and (pattern is not _SECOND or compiled(_FIRST).search(text[max(0, start - 60) : start])):
                yield from _found(match, kind, reads=pattern is not _TYPED)
        match = compiled(_CALL).match(text, end)
        called = compiled(_CALLED).search(text[max(0, start - 70) : start]) if match is not None else None
        if match is not None and called is not None:
            call = called.group("call")
            reads = not _ASKS.isdisjoint(segments(call)) or call.rpartition(".")[2].lower() in _ASKS or bool(match.group("rest"))
            yield from _found(match, kind, reads=reads)


def _is_setting(text: str, start: int) -> bool:
    return compiled(r"(?i)(?:config\w*|settings?|options?|env\w*)[.\[(\"']{1,3}$").search(text[max(0, start - 24) : start]) is not None


def _of_shell(text: str, end: int, kind: str) -> Iterator[Span]:
    match = compiled(_SHELL).match(text, end)
    if match is not None and (kind in STRONG or plausible(match.group("x"))):
        yield from value_spans(kind, match.group("x"), match.start("x"))


def _found(match: re.Match[str], kind: str, *, reads: bool) -> Iterator[Span]:
    """``reads``: the environment or a setting is read here, so that even a word is the secret."""
    group = "v" if match.group("v") is not None else "w"
    value = match.group(group)
    if not message(value) and (plausible(value) or (kind in STRONG and reads and not _named(value))):
        yield from value_spans(kind, value, match.start(group))


def _named(value: str) -> bool:
    """`password` as a default is what everybody writes."""
    return value.lower() in WORDS
