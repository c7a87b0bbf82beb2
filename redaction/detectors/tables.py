"""Values below the name of their column: CSV, TSV, and the rows of an SQL ``INSERT``; and the data of a Kubernetes ``Secret``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.names import kind_of_name
from redaction.detectors.values import value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from redaction.types import Span

_NAME = r" {0,4}\"?[A-Za-z_][\w .-]{0,40}\"? {0,4}"
_HEADER = rf"\s{{0,16}}\|?{_NAME}(?:([,;\t|])(?:{_NAME}| {{0,4}})){{1,64}}\r?\n"
_PARAMETER = r"\?|[:@$]\w{1,60}"
_FIELD = r" {0,16}(?:\"((?:[^\"\n]|\"\"){0,4096}+)\"|'((?:[^'\n\\]|''|\\.){0,4096}+)'|([^%s\r\n\"']{0,4096}+)) {0,16}"
_INSERT = r"(?i)insert[ \t\r\n]{1,8}into[ \t\r\n]{1,8}[^\s(]{1,128}[ \t\r\n]{0,8}\(([^()]{1,2048})\)[ \t\r\n]{0,8}values[ \t\r\n]{0,8}"
_ROW_START = r"[ \t\r\n,]{0,16}\("
_KUBERNETES = r"(?m)^[ \t-]{0,16}kind:[ \t]{0,4}[\"']?Secret[\"']?[ \t]*$"
_DATA = r"(?m)^([ ]{0,16})(?:data|stringData):[ \t]*\r?\n"
_PAIR = r"([ ]{1,32})[\"']?[\w.-]{1,253}[\"']?:[ \t]{1,4}[\"']?([^\s\"'|>][^\r\n\"']{0,65536}+)[\"']?[ \t]*(?:\r?\n|$)"
# A value on the lines below its name: those that stand deeper.
_BLOCK = (
    r"([ ]{1,32})[\"']?[\w.-]{1,253}[\"']?:[ \t]{1,4}[|>][+-]?[1-9]?[+-]?[ \t]*\r?\n((?:\1 [^\n]{0,65536}+(?:\n|$)|[ \t]*\r?\n){1,4096}+)"
)


def tables(text: str) -> Iterator[Span]:
    """Values under a secret column, and the data of a Secret."""
    if "\n" in text:
        yield from _separated(text)
        if "kind:" in text and "Secret" in text:
            yield from _manifests(text)
    lower = text.lower()
    if "insert" in lower and "values" in lower:
        yield from _inserts(text)


def _secret_columns(names: list[str]) -> dict[int, str]:
    kinds = {at: kind_of_name(name.strip(" \t\r\n\"'`[]")) for at, name in enumerate(names)}
    return {at: kind for at, kind in kinds.items() if kind}


def _separated(text: str) -> Iterator[Span]:
    """A first line of names, and lines with as many separators. Only the text's first line can be a header."""
    header = compiled(_HEADER).match(text)
    if header is None:
        return
    mark = header.group(1)
    columns = _secret_columns(header.group().split(mark))
    if not columns:
        return
    start, marks = header.end(), header.group().count(mark)
    while text.count(mark, start, _line_end(text, start)) >= marks:
        start = yield from _row(text, start, mark, columns)
        start = _line_end(text, start) + 1


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _row(text: str, start: int, stops: str, columns: Mapping[int, str]) -> Generator[Span, None, int]:
    """One row, whose fields end at one of the stops; the first of them separates fields. Returns where it ends."""
    field = compiled(_FIELD % stops)
    for column in range(max(columns) + 1):
        match = field.match(text, start)
        if match is None:
            return start
        at = match.lastindex or 3
        kind = columns.get(column)
        if kind is not None and compiled(_PARAMETER).fullmatch(match.group(at).strip()) is None:
            yield from value_spans(kind, match.group(at), match.start(at))
        start = match.end()
        if text[start : start + 1] != stops[0]:
            return start
        start += 1
    return start


def _inserts(text: str) -> Iterator[Span]:
    for match in compiled(_INSERT).finditer(text):
        columns = _secret_columns(match.group(1).split(","))
        start = match.end()
        while columns and (opened := compiled(_ROW_START).match(text, start)) is not None:
            start = yield from _row(text, opened.end(), ",)", columns)
            closed = compiled(r"[^()\n]{0,4096}+\)").match(text, start)
            if closed is None:
                break
            start = closed.end()


def _manifests(text: str) -> Iterator[Span]:
    if compiled(_KUBERNETES).search(text) is None:
        return
    for head in compiled(_DATA).finditer(text):
        start = head.end()
        while (pair := compiled(_PAIR).match(text, start) or compiled(_BLOCK).match(text, start)) and len(pair.group(1)) > len(
            head.group(1)
        ):
            yield from value_spans("secret", pair.group(2), pair.start(2))
            start = pair.end()
