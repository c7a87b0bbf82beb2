"""The bytes of one fixture, and one digest over all of them (rules in ``gate.corpus``)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config.words import shown
from gate.digest import sha256
from gate.errors import CorpusError
from gate.types import Fault, Fixture, Place

if TYPE_CHECKING:
    from gate.corpus.listing import Item


PIECE = 1 << 16  # holds nearly every fixture whole
# Read into, always the same: what `os.read` asks for and gives back leaves holes between fixtures that are kept.
_VIEW = memoryview(bytearray(PIECE))


def read(item: Item) -> Fixture:
    """The bytes of one fixture and their digest."""
    try:
        raw = _bytes(item.path, item.offset, item.size)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise CorpusError([Fault(what=what, place=Place(file=shown(Path(item.path))), remedy="mend or remove it")]) from None
    payload = raw
    if item.offset >= 0 and item.kind not in {"json", "call"}:
        from gate.corpus.lines import text_of

        payload = text_of(raw)
    return Fixture(id=item.id, payload=payload, sha256=sha256(raw).hexdigest(), kind=item.kind)


def _bytes(path: str, offset: int, size: int) -> bytes:
    """The whole file, or ``size`` bytes from ``offset`` on. A file object for each fixture would cost more than the read."""
    fd = os.open(path, os.O_RDONLY)
    try:
        if offset < 0:
            size = sys.maxsize
        else:
            os.lseek(fd, offset, os.SEEK_SET)
        parts = []
        while size and (length := os.readv(fd, (_VIEW if size >= PIECE else _VIEW[:size],))):
            parts.append(bytes(_VIEW[:length]))
            size -= length
    finally:
        os.close(fd)
    return b"".join(parts)


class CorpusDigest:
    """One digest over the ids and digests of all fixtures, fed in the order of the listing as they are read."""

    __slots__ = ("_hash", "count")

    def __init__(self) -> None:
        self._hash = sha256()
        self.count = 0

    def add(self, fixture_id: str, digest: str) -> None:
        """One fixture. Lengths go in too, so that no other list of fixtures gives the same bytes."""
        raw = fixture_id.encode("utf-8", "surrogatepass")
        self._hash.update(b"%d:%b%b" % (len(raw), raw, digest.encode("ascii")))
        self.count += 1

    def hexdigest(self) -> str:
        """The digest of what was added so far."""
        return self._hash.hexdigest()
