"""Tables drawn with lines or laid out in columns, anywhere in a text: psql, MySQL, boxes, Markdown, HTML; and their two-column twins.

     user | password          ┃ user ┃ token ┃        | password | .. |      <tr><th>password</th></tr>
    ------+----------         │ jo   │ ..    │                               <tr><td>..</td></tr>

Tables of documentation have such names too, so a value is one word that looks like a secret, or stands in a row that a database drew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.messages import message
from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.values import FIGURES, keylike, opaque, plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from redaction.types import Span

_BARS = "|│┃║"
_CELL = rf"[^{_BARS}\n]*"
_RULE = r"[ \t]*[|+:─━═┄┈├┝┠┡┣╞╟╠┼╇╈╋╪╫╬┤┥┨┩┫╡╢╣┌┏╔┬┳╦┐┓╗└┗╚┴┻╩┘┛╝╭╮╰╯│┃║ =_-]*[ \t]*\r?"
_LABELS = " \t*`_:\"'"
_WIDE_NAME = r"[A-Za-z_][\w.-]{1,60}"
_GAP = r"\S(?: {2,}|\t)\S"
_MOST = 200  # columns
_ROWS = r"(?is)<tr[^<>]{0,200}>(.{0,20000}?)</tr>"
_CELLS = r"(?is)<(t[hd])\b[^<>]{0,200}>([^<]{0,4096})</\1>"


def drawn(text: str) -> Iterator[Span]:
    """Every value in a column or a row of a table whose name says that it is secret."""
    if any(bar in text for bar in _BARS):
        yield from _barred(text)
    if "\n" in text:
        yield from _columns(text)
    if "<th" in text or "<TH" in text:
        yield from _html(text)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _cells(line: str) -> list[tuple[int, str]]:
    cells = [(match.start(), match.group()) for match in compiled(_CELL).finditer(line)]
    kept, at = [], 0
    for start, cell in cells:  # `finditer` gives an empty match where a bar follows
        if start >= at:
            kept.append((start, cell))
            at = start + len(cell) + 1
    return kept


def _barred(text: str) -> Iterator[Span]:
    columns: dict[int, str] = {}
    width = 0
    for offset, line in _lines(text):
        if not any(bar in line for bar in _BARS):
            if line.strip() and compiled(_RULE).fullmatch(line) is None:
                columns = {}
            continue
        if compiled(_RULE).fullmatch(line) is not None:
            continue
        cells = _cells(line)
        if len(cells) > _MOST:
            columns = {}
            continue
        if not _is_drawn(line):
            columns = {}
            continue
        if columns and len(cells) == width:
            yield from _row(cells, columns, offset)
            continue
        columns = {at: kind for at, (_, cell) in enumerate(cells) if (kind := _kind(cell))}
        width = len(cells)
        yield from _pair(cells, offset)


def _is_drawn(line: str) -> bool:
    """Whether bars stand apart from words, as they do in a table and not in an expression."""
    apart = compiled(rf"(?:^|[ \t])[{_BARS}](?:[ \t\r]|$)").search(line) is not None
    return apart and "||" not in line and compiled(r"\w\|\w").search(line) is None


def _kind(cell: str) -> str | None:
    name = cell.strip(_LABELS)
    return kind_of_name(name) if 2 <= len(name) <= 60 else None


def _row(cells: list[tuple[int, str]], columns: Mapping[int, str], offset: int) -> Iterator[Span]:
    for at, kind in columns.items():
        start, cell = cells[at]
        yield from _value(cell, kind, offset + start)


def _value(cell: str, kind: str, start: int) -> Iterator[Span]:
    value = cell.strip(" \t\r`*")
    if not value or " " in value or message(value) or (compiled(r"[A-Za-z_.-]+").fullmatch(value) and kind_of_name(value) is not None):
        return
    if kind in FIGURES or (_looks(kind, value) and compiled(r"\w{1,40}\(\d{1,8}\)").fullmatch(value) is None):
        begin = start + cell.index(value)
        yield from value_spans(kind, value, begin)


def _looks(kind: str, value: str) -> bool:
    return plausible(value) if kind in STRONG else keylike(value) or opaque(value)


def _pair(cells: list[tuple[int, str]], offset: int) -> Iterator[Span]:
    """``| password | .. |``, ``password | ..``: a name and its value, and nothing else on the line."""
    filled = [(start, cell) for start, cell in cells if cell.strip()]
    if (
        len(filled) == 2
        and len(cells) - len(filled) <= 2
        and all(cell.strip() for _, cell in cells[1:-1])
        and (kind := _kind(filled[0][1])) is not None
    ):
        yield from _value(filled[1][1], kind, offset + filled[1][0])


def _columns(text: str) -> Iterator[Span]:
    """Columns set apart by blanks. Below names, a line of rules says where they begin; without one, values are counted from the right."""
    before: tuple[str, list[str]] | None = None
    header: list[str] = []
    counted = False  # the header shows no gaps: each row begins with its number
    for offset, line in _lines(text):
        if len(line) > 2000:
            header, before = [], None
            continue
        words = line.split()
        ruled = bool(words) and all(len(word) >= 2 and set(word) <= set("-=─━") for word in words)
        if ruled and before is not None and len(before[1]) == len(words):
            header, counted = before[1], False
        elif header and not ruled and (len(words) == len(header) + 1 if counted else len(words) in {len(header), len(header) + 1}):
            if not counted or words[0].isdigit():
                yield from _laid(line, offset, header, words)
        elif not ruled:
            header = words if _is_header(line, words) else []
            counted = bool(header) and compiled(_GAP).search(line) is None
        before = (line, words)


def _is_header(line: str, words: list[str]) -> bool:
    """Whether a line is made of names only, one of them of a secret, and laid out as no sentence is."""
    laid = line.startswith("  ") or compiled(_GAP).search(line) is not None
    named = 2 <= len(words) <= _MOST and all(compiled(_WIDE_NAME).fullmatch(word) for word in words)
    return laid and named and any(kind_of_name(word) is not None for word in words)


def _laid(line: str, offset: int, header: list[str], words: list[str]) -> Iterator[Span]:
    places = [(match.start(), match.group()) for match in compiled(r"\S+").finditer(line)]
    for name, (start, word) in zip(reversed(header), reversed(places), strict=False):
        kind = kind_of_name(name)
        if kind is not None and len(words) >= len(header):
            yield from _value(word, kind, offset + start)


def _html(text: str) -> Iterator[Span]:
    columns: dict[int, str] = {}
    for row in compiled(_ROWS).finditer(text):
        cells = list(compiled(_CELLS).finditer(text, row.start(1), row.end(1)))
        if any(cell.group(1).lower() == "th" for cell in cells) and len(cells) > 1:
            columns = {at: kind for at, cell in enumerate(cells) if (kind := _kind(cell.group(2)))}
        for at, cell in enumerate(cells):
            if at in columns and cell.group(1).lower() == "td":
                yield from _value(cell.group(2), columns[at], cell.start(2))
