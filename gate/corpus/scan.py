"""Which files below the corpus are fixtures, and what is wrong with the others (rules in ``gate.corpus``)."""

from __future__ import annotations

import os
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

from gate.config.words import printable, shown
from gate.types import Fault, PayloadKind, Place, Target, TargetKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

JSONL = ".jsonl"
# More faults than a person reads: the wrong folder was named. The rest is counted.
MOST_FAULTS = 200


class Found:
    """What a scan collects. ``lines`` holds three numbers an id, once the first ``.jsonl`` file was met."""

    __slots__ = ("faults", "files", "ids", "lines", "root", "takes")

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ids: list[str] = []
        self.files: list[str] = []
        self.lines = array("q")
        self.faults: list[Fault] = []
        self.takes: TargetKind = "function"  # the kind of target whose fixtures are scanned now

    def fault(self, name: str, what: str, remedy: str, line: int | None = None) -> None:
        """Something that is no fixture; ``name`` is its path below the corpus."""
        place = Place(file=shown(self.root / name if name else self.root), line=line)
        self.faults.append(Fault(what=what, place=place, remedy=remedy))

    def add(self, fixture_id: str) -> None:
        """A file."""
        self.ids.append(fixture_id)
        if self.files:
            self.lines.extend((-1, -1, -1))

    def add_line(self, fixture_id: str, offset: int, size: int, *, call: bool = False) -> None:
        """A line of the file that was opened last. The size of a call is kept as its complement, which tells it from a payload."""
        self.ids.append(fixture_id)
        self.lines.extend((len(self.files) - 1, offset, ~size if call else size))

    def open_lines(self, name: str) -> None:
        """A ``.jsonl`` file begins."""
        if not self.files:
            self.lines.extend([-1] * (3 * len(self.ids)))
        self.files.append(name)


def scan_targets(found: Found, targets: Sequence[Target]) -> None:
    """Several targets: each has its own folder below the corpus, and nothing lies outside of them."""
    names = {target.corpus: target for target in targets}
    try:
        entries = sorted(os.scandir(found.root), key=lambda entry: entry.name)
    except OSError as error:
        found.fault("", f"cannot be read: {error.strerror}", "mend its permissions")
        return
    for entry in entries:
        if entry.name not in names and not _ignored(entry.name, "json"):
            listed = ", ".join(sorted(names))
            found.fault(entry.name, "belongs to no target", f"move it into the folder of its target ({listed}), or add a [[target]]")
    for target in targets:
        folder, before = found.root / target.corpus, len(found.ids) + len(found.faults)
        if folder.is_symlink():
            found.fault(target.corpus, "is a link to a folder", "copy the folder in place of the link")
        elif folder.is_dir():
            found.takes = target.kind
            scan(found, f"{target.corpus}/", target.payload, os.path.realpath(found.root))
        if len(found.ids) + len(found.faults) == before:
            found.fault(target.corpus, "the target has no fixtures", "put at least one into this folder, or take the [[target]] out")


def scan(found: Found, below: str, kind: PayloadKind, real: str) -> None:
    """Everything under one folder. ``below`` is the folder's path with a ``/`` behind it, or empty; ``real`` the corpus without links."""
    folders = [below]
    while folders:
        prefix = folders.pop()
        try:
            with os.scandir(f"{os.fspath(found.root)}/{prefix}") as entries:
                for entry in entries:
                    name = entry.name
                    if _ignored(name, kind) and (name[0] == "." or not entry.is_dir()):
                        continue
                    path = prefix + name
                    if not _usable(found, path, name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{path}/")
                    elif entry.is_file(follow_symlinks=False) or _link_inside(found, entry, path, real):
                        _file(found, path, name, kind)
        except OSError as error:
            found.fault(prefix.rstrip("/"), f"cannot be read: {error.strerror}", "mend its permissions, or take it out of the corpus")


def _ignored(name: str, kind: PayloadKind) -> bool:
    if name[0] == ".":
        return True
    return name[-3:].lower() == ".md" and (kind == "json" or name.lower() == "readme.md")


def _usable(found: Found, path: str, name: str) -> bool:
    if name.isascii() and name.isprintable() and name[0] != "@":
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        found.fault(path, "the name is not UTF-8", "rename it: ids stand in the ledger, which is UTF-8")
        return False
    if any(char < " " or "\x7f" <= char < "\xa0" for char in name):
        found.fault(path, "the name holds a control character", "rename it")
        return False
    if path[0] == "@":
        found.fault(path, "ids that start with @ are taken for what no fixture did, like @import", "rename it")
        return False
    return True


def _link_inside(found: Found, entry: os.DirEntry[str], path: str, real: str) -> bool:
    """Whether a link leads to a regular file of the corpus; everything else that is no file is a fault."""
    if not entry.is_symlink():
        found.fault(path, "is no regular file", "take it out of the corpus")
        return False
    goal = os.path.realpath(entry.path)
    if os.path.isdir(goal):  # noqa: PTH112 - os.path throughout: this runs once a file
        found.fault(path, "is a link to a folder", "copy the folder in place of the link")
    elif not goal.startswith(real + os.sep):
        found.fault(path, "is a link that leads out of the corpus", "copy the file in place of the link")
    elif not os.path.isfile(goal):  # noqa: PTH113
        found.fault(path, "is a link to nothing that can be read", "take it out of the corpus")
    else:
        return True
    return False


def _file(found: Found, path: str, name: str, kind: PayloadKind) -> None:
    low = name.lower()
    if low.endswith(".call.json"):
        from gate.corpus.calls import flaws, line_of

        try:
            raw = (found.root / path).read_bytes()
        except OSError as error:
            found.fault(path, f"cannot be read: {error.strerror}", "mend its permissions")
            return
        for what, remedy, key in flaws(raw, found.takes):
            found.fault(path, what, remedy, line_of(raw, key))
        found.add(path)
    elif low.endswith(JSONL):
        from gate.corpus.lines import scan_lines

        found.open_lines(path)
        try:
            scan_lines(found, path, kind)
        except OSError as error:
            found.fault(path, f"cannot be read: {error.strerror}", "mend or remove it")
    elif kind != "json" or low.endswith(".json"):
        found.add(path)
    else:
        found.fault(
            path,
            "is no fixture of a json target",
            "remove it or rename it: .json, or .jsonl with one payload a line; dot files and *.md are skipped",
        )


def ascending(ids: Sequence[str]) -> bool:
    """Whether every id is greater than the one before it; so none is there twice."""
    return all(one < other for one, other in pairwise(ids))


def check_unique(found: Found) -> None:
    """Ids that are equal, or equal under case folding: on some file systems they are one file.

    Only hashes are kept for all ids; the ids of the few equal hashes are then compared as they are. Ids in order, all in
    lower case, need not even those.
    """
    if ascending(found.ids) and all(one == one.casefold() for one in found.ids):
        return
    hashes = sorted(hash(fixture_id.casefold()) for fixture_id in found.ids)
    twice = {one for one, other in pairwise(hashes) if one == other}
    if not twice:
        return
    del hashes
    groups: dict[str, list[tuple[str, int]]] = {}
    for at, fixture_id in enumerate(found.ids):
        folded = fixture_id.casefold()
        if hash(folded) in twice:
            groups.setdefault(folded, []).append((fixture_id, at))
    for group in groups.values():
        (first, _), *others = sorted(group)
        for other, at in others:
            how = "is there twice" if other == first else f"is {printable(first)} but for upper and lower case"
            name, line = _place(found, other, at)
            found.fault(name, f"the id {printable(other)} {how}", "rename one of them: ids are unique, also under case folding", line)


def _place(found: Found, fixture_id: str, at: int) -> tuple[str, int | None]:
    """Where the id at this index was found: its file, and the line in a ``.jsonl``. Read again, as only offsets are kept."""
    file, offset = found.lines[3 * at : 3 * at + 2] if found.lines else (-1, -1)
    if file < 0:
        return fixture_id, None
    with (found.root / found.files[file]).open("rb") as lines:
        return found.files[file], lines.read(offset).count(b"\n") + 1


def bounded(faults: list[Fault]) -> list[Fault]:
    """The first faults, and the number of the others."""
    if len(faults) <= MOST_FAULTS:
        return faults
    faults.sort(key=lambda fault: (fault.place.file, fault.place.line or 0))
    rest = Fault(what=f"and {len(faults) - MOST_FAULTS} more faults", place=faults[MOST_FAULTS].place, remedy="is this the right folder?")
    return [*faults[:MOST_FAULTS], rest]
