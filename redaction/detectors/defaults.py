"""Defaults in code and in templates: what a program takes where the environment or a setting says nothing.

process.env.DB_PASSWORD || ".."   os.environ.get("DB_PASSWORD", "..")   getenv('X') ?: '..'   ${DB_PASSWORD:-..}
env::var("TOKEN").unwrap_or("..")   add_argument("--password", default="..")   .Values.password | default ".."
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.messages import message
from redaction.detectors.names import STRONG, WORDS, kind_of_name, segments
from redaction.detectors.values import plausible, secret_parts
from redaction.types import Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_QUOTED = r"[bu]?(?:\"(?P<v>[^\"\n]{1,1024})\"|'(?P<w>[^'\n]{1,1024})')"
_NAME = r"(?<![\w-])(?P<name>[A-Za-z_][\w.:-]{1,120}+)"
_CLOSED = r"[\"'`]?[\])}]{0,4}"
_METHODS = r"unwrap_or(?:_else)?|orElse|or_else|getOrElse|or|fallback|default|withDefault|with_default|valueOr|value_or|ifEmpty"
# X || "..", X ?? "..", X or "..", X ?: "..", X | default "..", X if X else ".."
_OTHERWISE = (
    rf"{_NAME}{_CLOSED}[ \t]{{0,4}}(?:\|\|=?|\?\?=?|\?:|(?:\|[ \t]{{0,2}})?\b(?:or|default|else)\b)[ \t]{{0,4}}\(?[ \t]{{0,2}}{_QUOTED}"
    r"(?![ \t]{0,4}[=!]=)"
)
# X.unwrap_or(".."), X.orElse(".."), fetch("X") { ".." }
_METHOD = rf"{_NAME}{_CLOSED}(?:[ \t]{{0,4}}\{{|\??\.(?:{_METHODS})\([ \t]{{0,2}}(?:\|_?\|)?)[ \t]{{0,4}}{_QUOTED}"
# get("X", ".."), add_argument("--x", .., default="..")
_CALL = (
    r"(?P<call>[\w.:]{0,60})\([ \t]{0,4}[bu]?[\"'](?P<name>-{0,2}[A-Za-z_][\w.-]{1,80}+)[\"'][ \t]{0,4},[ \t\n]{0,8}"
    r"(?P<rest>[^()\"'\n]{0,80}(?:[\"'][^\"'\n]{0,80}[\"'],[^()\"'\n]{0,40}){0,3}\bdefault[ \t]{0,2}[=:][ \t]{0,2})?" + _QUOTED
)
_FORMS = (_OTHERWISE, _METHOD, _CALL)
_SHELL = r"\$\{(?P<name>[A-Za-z_][\w.-]{1,80}+)(?::?[-=]|:)(?P<x>[^\s}?+$\"'{-][^\s}\"'{]{0,1023}+)\}"
_ASKS = words(
    "getenv env environ get fetch config getordefault getproperty setdefault lookup option setting settings param str string default "
    "getstring getvalue secret secrets argument"
)


def defaults(text: str) -> Iterator[Span]:
    """Every such value in the text."""
    if "${" in text:
        for match in compiled(_SHELL).finditer(text):
            kind = kind_of_name(match.group("name"))
            if kind is not None and (kind in STRONG or plausible(match.group("x"))):
                yield from _parts(kind, match.group("x"), match.start("x"))
    for pattern in _FORMS:
        for match in compiled(pattern).finditer(text):
            yield from _found(match)


def _found(match: re.Match[str]) -> Iterator[Span]:
    kind = kind_of_name(match.group("name").strip("-"))
    group = "v" if match.group("v") is not None else "w"
    value = match.group(group)
    if kind is None or message(value):
        return
    if plausible(value) or (kind in STRONG and _asks(match) and not _named(value)):
        yield from _parts(kind, value, match.start(group))


def _asks(match: re.Match[str]) -> bool:
    """Whether the environment or a setting is read here, so that even a word is the secret: a name in capitals, or a call that reads."""
    call = match.groupdict().get("call")
    if call is not None:
        return not _ASKS.isdisjoint(segments(call)) or call.rpartition(".")[2].lower() in _ASKS or bool(match.group("rest"))
    return match.group("name").rpartition(".")[2].isupper()


def _named(value: str) -> bool:
    """`password` as a default is what everybody writes."""
    return value.lower() in WORDS


def _parts(kind: str, value: str, start: int) -> Iterator[Span]:
    for first, last in secret_parts(kind, value):
        yield Span(start + first, start + last, kind, value[first:last])
