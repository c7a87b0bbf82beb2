"""The listing of a corpus: sorted ids, from which items are made as they are asked for (rules in ``gate.corpus``)."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

from gate.config.words import nearest, printable, shown
from gate.corpus.scan import Found, ascending, bounded, check_unique, scan, scan_targets
from gate.errors import CorpusError, UsageError
from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from gate.types import PayloadKind, Target

CALL_SUFFIX = ".call.json"


class Item(Value):
    """One fixture that can be read. ``offset`` and ``size`` are the place of the payload in a ``.jsonl`` file, -1 for a whole file."""

    id: str
    target: Target
    path: str
    kind: PayloadKind
    offset: int = -1
    size: int = -1


class Listing:
    """All fixtures of a corpus in the order of their ids. Items are made as they are asked for."""

    __slots__ = ("_files", "_ids", "_lines", "_names", "_prefix", "_root", "_targets")

    def __init__(self, root: Path, targets: Sequence[Target], found: Found) -> None:
        self._root = root
        self._prefix = os.fspath(root) + "/"
        self._targets = tuple(targets)
        self._names = {target.corpus: target for target in targets}
        self._files = found.files
        # For each id: which .jsonl file, offset, size. Empty when there is no such file.
        self._ids, self._lines = found.ids, found.lines
        if not ascending(found.ids):  # as a million lines mostly are, and their order would take more room than they do
            order = sorted(range(len(found.ids)), key=found.ids.__getitem__)
            self._ids, self._lines = [found.ids[at] for at in order], array("q")
            for at in order:
                self._lines.extend(found.lines[3 * at : 3 * at + 3])

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Item]:
        return (self._item(at) for at in range(len(self._ids)))

    def __contains__(self, fixture_id: object) -> bool:
        return isinstance(fixture_id, str) and self.find(fixture_id) is not None

    @property
    def ids(self) -> Sequence[str]:
        """Every id, sorted."""
        return self._ids

    def find(self, fixture_id: str) -> Item | None:
        """The fixture of this id, None where there is none."""
        at = bisect_left(self._ids, fixture_id)
        return self._item(at) if at < len(self._ids) and self._ids[at] == fixture_id else None

    def pick(self, ids: Iterable[str]) -> list[Item]:
        """The fixtures of these ids, each once, in the order of ids. An unknown id is a ``UsageError`` that names the nearest one."""
        found: dict[str, Item] = {}
        wrong: list[str] = []
        for fixture_id in ids:
            item = self.find(fixture_id)
            if item is not None:
                found[fixture_id] = item
                continue
            near = nearest(fixture_id, self._ids[:20_000])
            wrong.append(f"there is no fixture {printable(fixture_id)}" + (f" (did you mean {near}?)" if near else ""))
        if wrong:
            raise UsageError("; ".join(wrong), remedy=f"ids are paths below {shown(self._root)}, as in the report")
        return [found[fixture_id] for fixture_id in sorted(found)]

    def _item(self, at: int) -> Item:
        fixture_id = self._ids[at]
        target = self._targets[0] if len(self._targets) == 1 else self._names[fixture_id.partition("/")[0]]
        file, offset, size = self._lines[3 * at : 3 * at + 3] if self._lines else (-1, -1, -1)
        name = fixture_id if file < 0 else self._files[file]
        call = size < -1 if file >= 0 else fixture_id[-10:].lower() == CALL_SUFFIX
        kind: PayloadKind = "call" if call else target.payload
        return Item(id=fixture_id, target=target, path=f"{self._prefix}{name}", kind=kind, offset=offset, size=~size if size < -1 else size)


def list_fixtures(corpus: Path, targets: Sequence[Target]) -> Listing:
    """Scan the corpus once. All faults at once as ``CorpusError``; an empty corpus is an empty listing."""
    found = Found(corpus)
    if not corpus.is_dir():
        found.fault("", "there is no such folder", "name the folder of fixtures with --corpus, or run `shadow init`")
    elif len(targets) == 1:
        found.takes = targets[0].kind
        scan(found, f"{targets[0].corpus}/" if targets[0].corpus else "", targets[0].payload, os.path.realpath(corpus))
    else:
        scan_targets(found, targets)
    if not found.files:
        found.ids.sort()
    check_unique(found)
    if found.faults:
        raise CorpusError(bounded(found.faults))
    return Listing(corpus, targets, found)
