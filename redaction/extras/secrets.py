"""kingfisher's rules as a second opinion: its plain scanner, on this machine, and nothing else of it.

It is never asked to validate or revoke anything, so nothing reaches a network; comments in a text that tell scanners to look away
belong to its other scanner. It reads bytes: what UTF-8 cannot hold, and what it would take for another encoding (NUL, a byte order
mark), is put in other characters first, and its byte offsets are counted in code points. Compiling its rules takes seconds, so they
are kept in a folder of our own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from redaction.policy import Extra

_SECONDS = 10.0  # a text; it raises then, and the scope closes
_UNLIKE = "[\x00\ufeff\ud800-\udfff]"
_KIND = "other"


def secrets(folder: Path) -> Extra:
    """The detector; ``ImportError`` without the package."""
    from kingfisher_sdk import Rules, Scanner

    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    scanner = Scanner(Rules(cache_dir=os.fspath(folder)))

    def look(text: str) -> Iterator[tuple[int, int, str]]:
        data = compiled(_UNLIKE).sub("\x01", text).encode("utf-8")
        found = [one.location for one in scanner.scan(data, timeout=_SECONDS) if one.visible]
        spans = [_whole(data, one["start_offset"], one["end_offset"]) for one in found]
        at = _points(data, sorted({offset for span in spans for offset in span}))
        return ((at[start], at[end], _KIND) for start, end in spans if start < end)

    return look


def _whole(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Without half a character at either end."""
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return start, end


def _points(data: bytes, offsets: Sequence[int]) -> dict[int, int]:
    """Byte offset -> code points before it, in one pass."""
    out: dict[int, int] = {}
    last = count = 0
    for offset in offsets:
        count += len(data[last:offset].decode("utf-8"))
        out[offset] = count
        last = offset
    return out
