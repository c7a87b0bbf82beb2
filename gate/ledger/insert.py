"""Signed rows into the ledger, without touching a byte that a person wrote.

A row goes behind the last row with a smaller or equal id, in the indentation and with the line ends of
its neighbours, so that two branches that sign different fixtures seldom meet in one place. Where
``delta_ledger.d/`` exists, the rows of one sitting are a new file in it and meet nowhere. The document is
never dumped: comments, quotes and order stay as they are, and what cannot be inserted into is refused.
Source: design, section 8.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from gate.errors import LedgerError, UsageError
from gate.ledger import write
from gate.ledger.events import Layout, Loaded, loader_for
from gate.ledger.read import clashes, display, ledger_of, read_bytes, read_file, read_ledger
from gate.ledger.rows import KEYS, make_row
from gate.ledger.text import render
from gate.types import Fault, LedgerRow, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from gate.ledger.read import Ledger

_HEAD = "version: 1\nentries:\n"
_SMALL = 1000
_content = attrgetter(*KEYS)


def insert_rows(*, file: Path, folder: Path | None, rows: Sequence[LedgerRow], sitting: str) -> Path:
    """Writes rows and returns the file they are in. ``LedgerError`` and nothing written where that cannot be done."""
    if not rows:
        raise UsageError("no rows to insert", remedy="decide at least one divergence")
    _check(rows)
    if folder is not None and folder.is_dir():
        with write.locked(folder):
            _refuse_clashes(read_ledger(file, folder), rows)
            return _new_file(folder, rows, sitting)
    if not file.parent.is_dir():
        raise LedgerError(read_file(file).faults)
    with write.locked(file.resolve().parent):
        _insert(file, rows)
    return file


def find_clashes(ledger: Ledger, rows: Iterable[LedgerRow]) -> tuple[Fault, ...]:
    """What keeps new rows out: a row that already stands for the same divergence, whether it counts or not."""
    faults: list[Fault] = []
    for row in rows:
        for old in ledger.by_key.get((row.id, row.field), ()):
            if any(clashes((old, row))):
                what = f"a row for this divergence of {row.id} ({row.field}) already stands here, and says {old.decision}"
                faults.append(Fault(what=what, place=old.place, remedy="remove it if it is to be replaced, then sign again"))
    return tuple(faults)


def compose(data: bytes, loaded: Loaded, rows: Sequence[LedgerRow], name: str) -> bytes:
    """The bytes of a ledger with new rows in their places. Pure."""
    layout = loaded.layout
    lines = data.split(b"\n")  # a carriage return stays at the end of its line
    if layout is None or not layout.top_is_block or layout.style in {"flow", "word"}:
        raise _uninsertable(name, layout)
    newline = "\r\n" if lines[0].endswith(b"\r") else "\n"
    if layout.style != "block":
        text = "".join(
            render(row, dash=layout.key[1] + 2, key=layout.key[1] + 4, newline=newline) for row in sorted(rows, key=attrgetter("id"))
        )
        return _into_empty(lines, layout, text, newline, name)
    body = _Body(lines, loaded, layout, newline, name)
    places: dict[int, list[LedgerRow]] = {}
    for row in sorted(rows, key=attrgetter("id")):
        places.setdefault(body.behind(row.id), []).append(row)
    blocks = [body.block(index, group) for index, group in sorted(places.items())]
    for at, block in reversed(blocks):  # from below, so that the lines above stay where they are
        _splice(lines, at, block, newline)
    return b"\n".join(lines)


def _splice(lines: list[bytes], at: int, block: str, newline: str) -> None:
    """Puts a block before line ``at``. Where the last line has no end yet, one is added, and the block ends in one."""
    new = block.encode().split(b"\n")[:-1]
    if at == len(lines):
        if newline == "\r\n":
            lines[-1] += b"\r"
        new.append(b"")
    lines[at:at] = new


class _Body:
    """The lines of a block sequence of rows, and where each row begins and ends in them."""

    def __init__(self, lines: list[bytes], loaded: Loaded, layout: Layout, newline: str, name: str) -> None:
        self.lines, self.rows, self.layout, self.newline, self.name = lines, loaded.rows, layout, newline, name

    def behind(self, row_id: str) -> int:
        """Index of the last row with a smaller or equal id, -1 where there is none."""
        return next((at for at in range(len(self.rows) - 1, -1, -1) if self.rows[at].id <= row_id), -1)

    def start(self, index: int) -> int:
        """The line of a row's dash."""
        column, at = self.layout.start[1], (self.rows[index].place.line or 1) - 1
        while at >= self.layout.start[0]:
            line = self.lines[at]
            if line[column : column + 1] == b"-" and not line[:column].strip(b" "):
                return at
            at -= 1
        raise _uninsertable(self.name, self.layout)

    def end(self, index: int) -> int:
        """The line behind a row and the comments that are indented as part of it."""
        start = self.start(index)
        stop = self.start(index + 1) if index + 1 < len(self.rows) else len(self.lines)
        text = b"\n".join(self.lines[start:stop]) + (b"\n" if stop < len(self.lines) else b"")
        at = start + _row_length(text.decode())
        while at < stop and (found := re.match(rb" *(?=#)", self.lines[at])) and found.end() > self.layout.start[1]:
            at += 1
        return at

    def block(self, index: int, group: Sequence[LedgerRow]) -> tuple[int, str]:
        """The line and the text with which rows go behind the row at ``index``, or before all rows."""
        dash = self.layout.start[1]
        first = re.match(rb" *-( +)[^ #\r]", self.lines[self.start(max(index, 0))])
        key = dash + 1 + (len(first[1]) if first else 1)
        text = "".join(render(row, dash=dash, key=key, newline=self.newline) for row in group)
        at = self.end(index) if index >= 0 else self.top()
        if len(self.rows) > _SMALL:
            self.prove(index, at, text, group)
        return at, text

    def top(self) -> int:
        """The line before the first row and the comments directly above it."""
        at = self.start(0)
        while at > self.layout.key[0] + 1 and self.lines[at - 1].lstrip(b" ").startswith(b"#"):
            at -= 1
        return at

    def prove(self, index: int, at: int, block: str, group: Sequence[LedgerRow]) -> None:
        """Loads the new rows between their neighbours. A block sequence carries nothing else from row to row."""
        after = self.rows[index + 1 : index + 2]
        end = self.end(index + 1) if after else at
        head = self.lines[self.start(index) : at] if index >= 0 else []
        # The line end behind the window is the file's own: the last text may hang on it.
        tail = b"\n".join(self.lines[at:end]) + (b"\n" if end < len(self.lines) else b"")
        window = b"".join([_HEAD.encode(), *(line + b"\n" for line in head), block.encode(), tail])
        _prove(window, (*(self.rows[index : index + 1] if index >= 0 else ()), *group, *after), self.name)


def _row_length(text: str) -> int:
    """How many lines the first row of ``text`` takes, blank lines behind it left out."""
    from yaml import events

    get = loader_for("entries:\n" + text).get_event
    row_start: Any = events.MappingStartEvent
    row_end: Any = events.MappingEndEvent
    event: Any = None
    last: Any = None
    braces = False
    depth = 0
    while True:
        last, event = event, get()
        if type(event) is row_start:
            depth += 1
            braces = bool(event.flow_style)
        elif type(event) is row_end:
            depth -= 1
            if depth == 1:
                break
    # A row in braces ends with its brace, any other with its last text: its own end is the next row's dash.
    mark = event.end_mark if braces else last.end_mark
    length = int(mark.line) if mark.column == 0 and mark.line > last.start_mark.line else int(mark.line) + 1
    length -= 1  # the line `entries:` put before it
    lines = text.split("\n")
    # A block scalar ends behind its blank lines. They are part of the text only where it keeps them.
    while length > 1 and not lines[length - 1].strip() and not str(getattr(last, "value", "")).endswith("\n\n"):
        length -= 1
    return length


def _into_empty(lines: list[bytes], layout: Layout, text: str, newline: str, name: str) -> bytes:
    """Rows into a ledger that has none. The brackets of an empty list are the one thing that gives way."""
    (row, start), (last, end) = layout.start, layout.end
    at = layout.key[0]
    if layout.style == "brackets":
        line = lines[at].decode()
        mark = 1 if at == 0 and line.startswith("\ufeff") else 0  # columns do not count the byte order mark
        if row != at or last != at or line[start + mark : end + mark].replace(" ", "") != "[]":
            raise _uninsertable(name, layout)
        kept, rest = line[: start + mark], line[end + mark :]
        # Without a comment behind it, the blank before the brackets would be left to trail.
        lines[at] = ((kept if rest.strip() else kept.rstrip(" ")) + rest).encode()
    _splice(lines, at + 1, text, newline)
    return b"\n".join(lines)


def _insert(file: Path, rows: Sequence[LedgerRow]) -> None:
    name = display(file)
    try:
        data = file.read_bytes()
    except OSError:
        raise LedgerError(read_file(file).faults) from None
    old = read_bytes(data, name, layout=True)
    if old.faults:
        raise LedgerError(old.faults)
    _refuse_clashes(ledger_of(old.rows), rows)
    new = compose(data, old, rows, name)
    if len(old.rows) <= _SMALL:
        _prove(new, (*old.rows, *rows), name)
    if file.read_bytes() != data:
        raise _changed(name)
    write.replace(file, new)
    if file.read_bytes() != new:
        raise _changed(name)


def _changed(name: str) -> LedgerError:
    return LedgerError(
        [Fault(what="the ledger changed while rows were inserted", place=Place(file=name), remedy="see `git diff`, then sign again")]
    )


def _new_file(folder: Path, rows: Sequence[LedgerRow], sitting: str) -> Path:
    text = _HEAD + "".join(render(row, dash=2, key=4, newline="\n") for row in sorted(rows, key=attrgetter("id")))
    data = text.encode()
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", sitting).strip("-.")[:100] or "sitting"
    _prove(data, rows, display(folder / f"{stem}.yaml"))
    count = 1
    while not write.create(path := folder / (f"{stem}.yaml" if count == 1 else f"{stem}-{count}.yaml"), data):
        count += 1
    return path


def _check(rows: Sequence[LedgerRow]) -> None:
    """New rows must be such as would load."""
    for row in rows:
        values = {key: text for key in KEYS if (text := getattr(row, key)) is not None}
        made = make_row(values, place=row.place, line_of=lambda _: 1, skip=())
        if not isinstance(made, LedgerRow):
            raise UsageError(f"a row for {row.id} cannot be written: {made[0].what}", remedy=made[0].remedy)
    if twice := next(clashes(rows), None):
        raise UsageError(f"two new rows for one divergence: {twice.what}", remedy=twice.remedy)


def _refuse_clashes(ledger: Ledger, rows: Sequence[LedgerRow]) -> None:
    if faults := find_clashes(ledger, rows):
        raise LedgerError(faults)


def _prove(data: bytes, rows: Iterable[LedgerRow], name: str) -> None:
    """The bytes load as exactly these rows, whatever their order; otherwise nothing is written."""
    loaded = read_bytes(data, name)
    if loaded.faults or sorted(map(_comparable, loaded.rows)) != sorted(map(_comparable, rows)):
        raise _uninsertable(name, None)


def _comparable(row: LedgerRow) -> tuple[tuple[bool, str], ...]:
    return tuple((text is not None, text or "") for text in _content(row))


def _uninsertable(name: str, layout: Layout | None) -> LedgerError:
    line = layout.key[0] + 1 if layout else None
    remedy = (
        "lay it out by hand (`shadow ledger fmt` will, in a later build): `entries:` on a line of its own, "
        "each row below it as `  - id: ..`, its other keys below `id`"
    )
    what = "rows cannot be inserted into this layout without rewriting it"
    return LedgerError([Fault(what=what, place=Place(file=name, line=line), remedy=remedy)])
