"""The ledger: ``delta_ledger.yaml`` and, where it exists, every ``*.yaml`` in ``delta_ledger.d/``.

Nothing is read from a ledger with one bad row, and all faults of all its files come at once. Rows that
contradict or repeat each other are found across files. Source: design, section 8.

The order of rows never decides anything, so two rows that could decide one divergence differently are a
fault, not a choice; a repeated row is one too, since it outlives the deletion of its twin.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

from gate.canonical.visible_json import escape
from gate.errors import LedgerError
from gate.ledger.events import Loaded, load
from gate.ledger.values import key
from gate.types import Fault, LedgerRow, Place, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

# What YAML takes for the end of a line and no editor shows as one: a row could hide behind a comment.
_HIDDEN_BREAK = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
# Bytes of an empty ledger: no tabs, no carriage returns of their own, nothing that needs a parser to be judged.
_PLAIN = re.compile(rb"(?:[\n\x20-\x7e]|\r\n)*")
_MARKERS = ("<" * 7, "=" * 7, ">" * 7)
_MANY = 500


@cache
def _unfit() -> re.Pattern[str]:
    """What YAML refuses to hold raw; the same set in both of PyYAML's parsers. Costs milliseconds to compile, and is for faults only."""
    return re.compile("[^\x09\x0a\x0d\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Ledger(Value):
    """All rows, in file order, and the same rows by (fixture id, field): the only way that a verdict looks them up."""

    rows: tuple[LedgerRow, ...]
    files: tuple[Path, ...]
    by_key: Mapping[tuple[str, str], tuple[LedgerRow, ...]]
    notices: tuple[str, ...] = ()


def ledger_of(rows: Iterable[LedgerRow], files: Iterable[Path] = (), notices: tuple[str, ...] = ()) -> Ledger:
    """A ledger from rows that were checked already."""
    kept = tuple(rows)
    groups: dict[tuple[str, str], tuple[LedgerRow, ...]] = {}
    for row in kept:
        at = (row.id, row.field)
        # Nearly every group has one row: a tuple at once spares ten thousand lists.
        groups[at] = (*groups[at], row) if at in groups else (row,)
    return Ledger(rows=kept, files=tuple(files), by_key=groups, notices=notices)


def read_ledger(file: Path, folder: Path | None) -> Ledger:
    """The whole ledger, or ``LedgerError`` with every fault of every file."""
    has_folder = folder is not None and folder.is_dir()
    rows: list[LedgerRow] = []
    faults: list[Fault] = []
    files: list[Path] = []
    if os.path.lexists(file) or not has_folder:
        files.append(file)
    if has_folder and folder is not None:
        parts, strays = _parts(folder)
        files += parts
        faults += strays
    for path in files:
        loaded = read_file(path)
        rows += loaded.rows
        faults += loaded.faults
    faults += clashes(rows)
    if faults:
        raise LedgerError(faults)
    return ledger_of(rows, files, _notices(len(rows)))


def read_file(path: Path) -> Loaded:
    """One file: its rows, its layout and its faults, without looking at other files."""
    name = display(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return _refused(name, "there is no such ledger", "run `shadow init`, or write `version: 1` and below it `entries: []`")
    except OSError as error:
        return _refused(name, f"the ledger cannot be read: {error.strerror}", "make it a readable file")
    return read_bytes(data, name)


def read_bytes(data: bytes, name: str, *, layout: bool = False) -> Loaded:
    """One file's bytes. YAML is only imported where there is more than an empty ledger, or where the layout is asked for."""
    if not layout and _is_trivial(data):
        return Loaded(rows=(), faults=())
    text, faults = clean(data, name)
    if text is None:
        return Loaded(rows=(), faults=faults)
    from yaml.reader import ReaderError

    try:
        loaded = load(text, name)
    except ReaderError:
        faults += _each_line(text, _unfit(), name, "a character that YAML cannot hold", r"write it as an escape, \u001b in visible JSON")
        loaded = load(_unfit().sub("\ufffd", text), name)
    if not faults:
        return loaded
    return Loaded(rows=loaded.rows, faults=(*faults, *loaded.faults), layout=loaded.layout)


def display(path: Path) -> str:
    """A path as a person wrote it, but relative to the current folder when below it; for people, so made safe for one line."""
    here = os.getcwd() + os.sep  # noqa: PTH109  # the text is wanted, and this runs at every start
    whole = os.path.abspath(path)  # noqa: PTH100  # links are kept as the user wrote them
    said = escape(whole[len(here) :] if whole.startswith(here) else str(path))
    # A line that begins with `::` or `##[` is a command to a service that runs us.
    return f"./{said}" if said.startswith((":", "##")) else said


def clashes(rows: Iterable[LedgerRow]) -> Iterator[Fault]:
    """Rows that stand for one divergence twice. Only rows that share (id, field) are parsed."""
    groups = (group for group in ledger_of(rows).by_key.values() if len(group) > 1)
    for group in groups:
        seen: dict[tuple[str, str], LedgerRow] = {}
        for row in group:
            first = seen.setdefault((key(row.baseline), key(row.candidate)), row)
            if first is row:
                continue
            if first.decision != row.decision:
                what = f"this row says {row.decision} and {first.place} says {first.decision} of the same divergence"
                yield Fault(what=what, place=row.place, remedy="keep the one that is meant; the order of rows decides nothing")
            else:
                what = f"this row repeats {first.place}: same id, field, baseline and candidate"
                yield Fault(what=what, place=row.place, remedy="keep one of the two")


def clean(data: bytes, name: str) -> tuple[str | None, tuple[Fault, ...]]:
    """The text that YAML may see, and what is wrong with the bytes. None where reading on would only make noise."""
    faults: list[Fault] = []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, (Fault(what="the ledger is UTF-16", place=Place(file=name, line=1), remedy="save it as UTF-8"),)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        faults += _bad_bytes(data, name)
        text = data.decode(errors="replace")
    if _MARKERS[0] in text and (conflicts := tuple(_conflicts(text, name))):
        return None, (*faults, *conflicts)
    if "\r" in text or (not text.isascii() and any(char in text for char in "\x85\u2028\u2029")):
        found = _each_line(
            text, _HIDDEN_BREAK, name, "a line break that editors do not show as one", r"end lines with a newline; in a value write \u2028"
        )
        faults += found
        text = _HIDDEN_BREAK.sub("\ufffd", text) if found else text
    return text, tuple(faults)


def _refused(name: str, what: str, remedy: str) -> Loaded:
    return Loaded(rows=(), faults=(Fault(what=what, place=Place(file=name), remedy=remedy),))


def _parts(folder: Path) -> tuple[list[Path], list[Fault]]:
    """The files of the folder in sorted order, and those that would be passed over in silence."""
    parts: list[Path] = []
    strays: list[Fault] = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith("."):
            continue
        if path.suffix == ".yaml":
            parts.append(path)
        elif path.suffix.lower() in {".yml", ".yaml"}:
            place = Place(file=display(path))
            strays.append(
                Fault(what="this file is not read: its name does not end in .yaml", place=place, remedy="rename it, or move it elsewhere")
            )
    return parts, strays


def _is_trivial(data: bytes) -> bool:
    """Whether the bytes are an empty ledger as `init` writes it, comments aside. Only sure things count."""
    if len(data) > 1 << 16 or not _PLAIN.fullmatch(data):
        return False
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    # Version first: the other order would be right too, but is left to the full reader.
    said = [line.split(b" #", 1)[0].rstrip(b" ") for line in lines if line and not line.startswith(b"#")]
    return said in ([b"version: 1", b"entries:"], [b"version: 1", b"entries: []"])


def _bad_bytes(data: bytes, name: str) -> Iterator[Fault]:
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            what = f"byte {error.object[error.start]:#04x} is not UTF-8"
            yield Fault(what=what, place=Place(file=name, line=number), remedy="save the file as UTF-8")


def _each_line(text: str, pattern: re.Pattern[str], name: str, what: str, remedy: str) -> tuple[Fault, ...]:
    """One fault for each line that holds a match; the first character of each is named."""
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), 1):
        found = pattern.search(line.removesuffix("\r"))
        if found:
            faults.append(Fault(what=f"{what}: U+{ord(found[0]):04X}", place=Place(file=name, line=number), remedy=remedy))
    return tuple(faults)


def _conflicts(text: str, name: str) -> Iterator[Fault]:
    """Whole sets of merge markers at the start of their lines. YAML would call them anything but that."""
    opened = middle = 0
    for number, line in enumerate(text.split("\n"), 1):
        word = line.rstrip("\r").split(" ", 1)[0]
        if word == _MARKERS[0]:
            opened, middle = number, 0
        elif word == _MARKERS[1] and opened and not middle:
            middle = number
        elif word == _MARKERS[2] and middle:
            what = f"an unresolved merge conflict, lines {opened} to {number}"
            remedy = (
                f"keep the whole rows of both sides without lines {opened}, {middle} and {number} (`git show :2:./FILE` and `:3:./FILE` "
                "print the sides); with a folder `delta_ledger.d` beside the ledger, sign-offs do not meet"
            )
            yield Fault(what=what, place=Place(file=name, line=opened), remedy=remedy)
            opened = middle = 0


def _notices(rows: int) -> tuple[str, ...]:
    if rows < _MANY:
        return ()
    import yaml

    if hasattr(yaml, "CSafeLoader"):
        return ()
    return ("PyYAML is installed without its C parser, so a large ledger loads slowly; a wheel of PyYAML for this platform has it",)
