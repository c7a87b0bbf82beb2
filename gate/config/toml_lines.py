"""Line numbers for a TOML text that has already parsed: which line writes the key ``limits.seconds``?

``tomllib`` gives values without places. One scan collects the line of every table header and key; what stands inside
an inline table or a list is found at the line of the key that holds it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Path_ = tuple[str | int, ...]

_KEY = r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
_KEYS = rf"(?:{_KEY})(?:[ \t]*\.[ \t]*(?:{_KEY}))*"
_HEAD = re.compile(rf"[ \t]*(?P<open>\[\[?)?[ \t]*(?P<keys>{_KEYS})[ \t]*(?:\]\]?|=)")
_PART = re.compile(_KEY)
# A value up to its end: strings and comments hide brackets, brackets hide newlines. `"""x""""` ends at its last quotes.
_TOKEN = re.compile(
    r'''"""(?:\\[\s\S]|[^\\])*?"""(?!")|\'\'\'[\s\S]*?\'\'\'(?!')|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[\]{}\n]|[^"'\#\[\]{}\n]+|.''',
)


def lines_of(text: str) -> dict[Path_, int]:
    """Every header and key of ``text`` with its line, counted from 1. An array of tables counts its tables from 0."""
    found: dict[Path_, int] = {}
    tables: dict[Path_, int] = {}
    current: Path_ = ()
    at, line = 0, 1
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is not None:
            keys = tuple(_plain(part) for part in _PART.findall(head["keys"]))
            if head["open"]:
                current = _absolute(keys, tables)
                if head["open"] == "[[":
                    tables[current] = tables.get(current, -1) + 1
                    current = (*current, tables[current])
                path = current
            else:
                path = (*current, *keys)
            for length in range(1, len(path) + 1):
                found.setdefault(path[:length], line)
            at = head.end()
        at, line = _skip(text, at, line)
    return found


def line_of(lines: Mapping[Path_, int], path: Sequence[str | int]) -> int | None:
    """The line of ``path``, or of the nearest table or key around it; None for what only the whole file holds."""
    for length in range(len(path), 0, -1):
        if (line := lines.get(tuple(path[:length]))) is not None:
            return line
    return None


def _plain(key: str) -> str:
    """A key as ``tomllib`` reads it."""
    if key[0] == '"' and "\\" in key:
        import tomllib

        unquoted: str = tomllib.loads(f"key = {key}")["key"]
        return unquoted
    return key[1:-1] if key[0] in "\"'" else key


def _absolute(keys: tuple[str, ...], tables: Mapping[Path_, int]) -> Path_:
    """``[target.x]`` below an array of tables belongs to the table that was opened last."""
    path: Path_ = ()
    for at, key in enumerate(keys):
        path = (*path, key)
        if at < len(keys) - 1 and path in tables:
            path = (*path, tables[path])
    return path


def _skip(text: str, at: int, line: int) -> tuple[int, int]:
    """The place behind the newline that ends the statement at ``at``, and its line."""
    depth = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        piece = token.group() if token else text[at]
        at += len(piece)
        line += piece.count("\n")
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
        elif piece == "\n" and depth <= 0:
            break
    return at, line
