"""One ledger text, read from PyYAML's events: every scalar as written, every row with its line.

A row is a flat mapping of texts, so neither nodes nor constructors are needed. Reading events is several
times faster than loading, keeps ``no``, ``001`` and ``12:30`` as texts, and shows what a loader would
swallow in silence: a key given twice (last one wins), aliases and merge keys (a decision written far from
its row), tags, a second document. Source: design, section 8; figures in the performance study, section 3.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any, Literal

from gate.ledger.faults import QUOTE, SURROGATE, advise, shown, syntax_fault
from gate.ledger.rows import make_row
from gate.types import Fault, LedgerRow, Place, Value

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = ("version", "entries")
VERSION = "1"


class Layout(Value):
    """How ``entries`` is written: what an insertion must fit into. Lines and columns count from 0.

    ``style``: rows in ``block`` or ``flow`` style, an empty ``[]`` (``brackets``), ``nothing`` behind the
    colon, or the ``word`` null. ``start`` and ``end`` are those of the value.
    """

    style: Literal["block", "flow", "brackets", "nothing", "word"]
    key: tuple[int, int]
    start: tuple[int, int]
    end: tuple[int, int]
    top_is_block: bool


class Loaded(Value):
    """One text, read. ``layout`` is None where there was no ``entries`` to find."""

    rows: tuple[LedgerRow, ...]
    faults: tuple[Fault, ...]
    layout: Layout | None = None


def loader_for(text: str) -> Any:
    """PyYAML's C parser over a text; its Python twin where PyYAML was built without (slower, same events)."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)


def load(text: str, file: str) -> Loaded:
    """Everything in one ledger text. The text must not hold characters that YAML refuses (see ``read.clean``).

    Raises ``yaml.reader.ReaderError`` where it does.
    """
    import yaml

    reader = _Reader(text, file)
    # The events make no cycles, and the collector would walk all rows again and again: half of the time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        reader.document()
    except yaml.MarkedYAMLError as error:
        reader.faults.append(syntax_fault(error, file))
    finally:
        if was_enabled:
            gc.enable()
    return Loaded(rows=tuple(reader.rows), faults=tuple(reader.faults), layout=reader.layout)


class _Reader:
    """Walks the events once, top to bottom, and never stops at a fault that YAML itself can live with."""

    def __init__(self, text: str, file: str) -> None:
        from yaml import events

        self.get: Callable[[], Any] = loader_for(text).get_event
        # As `Any`: the stubs say that an event may lack marks, which parsed ones never do.
        self.scalar: Any = events.ScalarEvent
        self.alias: Any = events.AliasEvent
        self.map_start: Any = events.MappingStartEvent
        self.map_end: Any = events.MappingEndEvent
        self.seq_start: Any = events.SequenceStartEvent
        self.seq_end: Any = events.SequenceEndEvent
        self.document_start: Any = events.DocumentStartEvent
        self.stream_end: Any = events.StreamEndEvent
        self.file = file
        self.rows: list[LedgerRow] = []
        self.faults: list[Fault] = []
        self.layout: Layout | None = None
        self.top_is_block = True
        # Anchors and tags can only be where these characters are; without them no event need be asked.
        self.may_be_marked = "&" in text or "!" in text
        # The C parser refuses escapes that make half a character; the Python one hands them out.
        self.may_be_lone = "\\u" in text or "\\U" in text

    def fault(self, mark: Any, what: str, remedy: str) -> None:
        self.faults.append(Fault(what=what, place=Place(file=self.file, line=mark.line + 1), remedy=remedy))

    def document(self) -> None:
        self.get()  # the stream's start
        start = self.get()
        if type(start) is self.stream_end:
            self.fault(start.start_mark, "the ledger is empty", "write `version: 1` and, below it, `entries: []`")
            return
        root = self.get()
        if type(root) is self.map_start:
            self.top(root)
        else:
            self.fault(root.start_mark, "the ledger is no mapping", "write `version: 1` and, below it, `entries:` with the rows")
            self.skip(root)
        self.get()  # the document's end
        after = self.get()
        if type(after) is self.document_start:
            self.fault(
                after.start_mark, "a second document starts here", "keep one document: remove the line `---` and what repeats below it"
            )

    def top(self, root: Any) -> None:
        self.marked(root, "the ledger")
        self.top_is_block = not root.flow_style
        seen: dict[str, Any] = {}
        while type(key := self.get()) is not self.map_end:
            name = self.key_name(key)
            if name is None:
                self.skip(self.get())
                continue
            if name in seen:
                self.fault(key.start_mark, f"key {shown(name)} twice: the first is on line {seen[name].line + 1}", "keep one of the two")
            elif name not in TOP:
                self.fault(key.start_mark, f"unknown top-level key {shown(name)}", advise(name, TOP))
            if name == "entries" and name not in seen:
                self.entries(key)
            elif name == "version" and name not in seen:
                self.version()
            else:
                self.skip(self.get())
            seen[name] = key.start_mark
        for name, line in (("version", f"version: {VERSION}"), ("entries", "entries: []")):
            if name not in seen:
                self.fault(root.start_mark, f"the ledger has no `{name}`", f"add the line `{line}`")

    def version(self) -> None:
        value = self.get()
        if type(value) is not self.scalar or value.value != VERSION:
            said = f"version {shown(value.value)}" if type(value) is self.scalar else "a version that is no number"
            self.fault(value.start_mark, f"{said} is not known", f"write `version: {VERSION}`; a newer shadow may know more")
        self.marked(value, "`version`")
        self.skip(value)

    def entries(self, key: Any) -> None:
        value = self.get()
        end: Any = value
        if type(value) is self.seq_start:
            self.marked(value, "`entries`")
            empty = True
            while type(end := self.get()) is not self.seq_end:
                empty = False
                (self.entry if type(end) is self.map_start else self.stray)(end)
            flow: Literal["brackets", "flow"] = "brackets" if empty else "flow"
            self.note(key, value, end, flow if value.flow_style else "block")
        elif type(value) is self.scalar and not value.style and value.value in {"", "null", "~", "Null", "NULL"}:
            self.marked(value, "`entries`")
            self.note(key, value, end, "word" if value.value else "nothing")
        else:
            self.fault(
                value.start_mark, "`entries` is no list", "write each row as `- id: ..` below `entries:`; an empty list is `entries: []`"
            )
            self.skip(value)

    def note(self, key: Any, value: Any, end: Any, style: Literal["block", "flow", "brackets", "nothing", "word"]) -> None:
        at, start, stop = key.start_mark, value.start_mark, end.end_mark
        self.layout = Layout(
            style=style,
            key=(at.line, at.column),
            start=(start.line, start.column),
            end=(stop.line, stop.column),
            top_is_block=self.top_is_block,
        )

    def stray(self, start: Any) -> None:
        """An entry that is no mapping."""
        if not self.marked(start, "a row"):
            self.fault(start.start_mark, "this entry is no row", "write a mapping: `- id: ..`, and the other keys below `id`")
        self.skip(start)

    def entry(self, start: Any) -> None:
        """One row. The loop is written out: it runs for every key of every row."""
        get, scalar, map_end = self.get, self.scalar, self.map_end
        look = self.may_be_marked
        values: dict[str, str] = {}
        marks: dict[str, Any] = {}
        skip: set[str] = set()
        before = len(self.faults)
        if look:
            self.marked(start, "a row")
        while type(key := get()) is not map_end:
            name = key.value if type(key) is scalar and not (look and (key.anchor or key.tag)) and key.value != "<<" else self.key_name(key)
            value = get()
            if name is None or name in values:
                if name is not None:
                    first = marks[name].line + 1
                    self.fault(key.start_mark, f"key {shown(name)} twice: the first is on line {first}", "keep one of the two")
                    skip.add(name)
                self.skip(value)
                continue
            marks[name] = key.start_mark
            if type(value) is scalar and (value.value or value.style) and not (look and (value.anchor or value.tag)):
                values[name] = value.value
                if (self.may_be_lone and self.lone(value, name)) or (
                    value.start_mark.line != value.end_mark.line and self.spans(value, name)
                ):
                    skip.add(name)
            else:
                self.bad_value(name, value)
                values[name] = ""
                skip.add(name)
        place = Place(file=self.file, line=start.start_mark.line + 1)
        row = make_row(values, place=place, line_of=lambda name: int(marks[name].line) + 1, skip=skip)
        if type(row) is not LedgerRow:
            self.faults.extend(row)  # type: ignore[arg-type]  # `type(..) is` narrows only the other branch
        elif len(self.faults) == before:
            self.rows.append(row)

    def key_name(self, key: Any) -> str | None:
        """A key's text, or None where it has none to go by; what is wrong with it is noted."""
        if type(key) is self.scalar:
            self.marked(key, f"the key {shown(key.value)}")
            if key.value == "<<" and not key.style:
                self.fault(key.start_mark, "a merge key `<<`", "write the keys out: a row says everything itself")
                return None
            return str(key.value)
        if not self.marked(key, "a key"):
            self.fault(key.start_mark, "a key that is no text", "write plain keys: `id:`, `field:` ..")
        self.skip(key)
        return None

    def bad_value(self, name: str, value: Any) -> None:
        if type(value) is self.scalar and not value.value and not value.style and not value.tag and not value.anchor:
            self.fault(
                value.start_mark,
                f"{shown(name)} has no value",
                "write one" if name == "reason" else f"write one, or '' for the empty text: `{name}: ''`",
            )
        elif not self.marked(value, shown(name)):
            self.fault(value.start_mark, f"{shown(name)} is nested where a text is due", QUOTE + ", if the brackets are part of it")
        self.skip(value)

    def marked(self, event: Any, whose: str) -> bool:
        """Whether an event is an alias or carries an anchor or a tag; its fault is noted."""
        if type(event) is self.alias:
            self.fault(
                event.start_mark, f"{whose} is an alias, *{event.anchor}", "write the text out: a row says everything itself; or " + QUOTE
            )
            return True
        if event.anchor:
            self.fault(event.start_mark, f"{whose} has an anchor, &{event.anchor}", "remove the anchor; or " + QUOTE)
        if event.tag:
            self.fault(
                event.start_mark, f"{whose} has a tag, {shown(event.tag)}", "remove the tag, every text is taken as written; or " + QUOTE
            )
        return bool(event.anchor or event.tag)

    def lone(self, value: Any, name: str) -> bool:
        if value.value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value.value):
            return False
        self.fault(value.start_mark, f"{shown(name)} holds half of a surrogate pair", SURROGATE)
        return True

    def spans(self, value: Any, name: str) -> bool:
        """Whether a text in quotes or without any goes over lines: an open quote would swallow the rows below it."""
        if value.style in {"|", ">"}:
            return False
        lines = f"lines {value.start_mark.line + 1} to {value.end_mark.line + 1}"
        self.fault(value.start_mark, f"{shown(name)} spans {lines}", "write it on one line, and close its quote there")
        return True

    def skip(self, event: Any) -> None:
        """Passes over what an event starts. Iterative: nesting may be deep."""
        depth = 0
        while True:
            kind = type(event)
            if kind is self.map_start or kind is self.seq_start:
                depth += 1
            elif kind is self.map_end or kind is self.seq_end:
                depth -= 1
            if not depth:
                return
            event = self.get()
