"""``.env`` files: names and values, for what redaction has to know. Nothing is put into any environment.

Read as the common readers do: ``export``, single, double and back quotes, values over several lines, comments. A file that is there
and cannot be understood whole is a fault with its line, never its text: what stands in it would be hidden nowhere. A line that is
commented out counts too, an old key in it may still open something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.config.words import shown
from gate.errors import EnvFileError
from gate.types import Fault, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

LARGEST = 1 << 20
_NAME = r"(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)"
_LINE = re.compile(rf"[ \t]*(?:{_NAME}[ \t]*(?:=|:(?=[ \t]))[ \t]*|(?P<bare>(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*(?:#[^\n]*)?(?=\n|\Z)))")
_BLANK = re.compile(r"[ \t]*(?:#(?P<comment>[^\n]*))?(?:\n|\Z)")
_QUOTED = {
    "'": re.compile(r"'((?:\\'|[^'])*+)'"),
    '"': re.compile(r'"((?:\\.|[^"\\])*+)"', re.DOTALL),
    "`": re.compile(r"`([^`]*+)`"),
}
_BARE = re.compile(r"(?:(?!\s#)[^\n])*+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t"}
# Shown to everybody in the repository: what stands in them is made up.
_EXAMPLES = (".example", ".sample", ".template", ".dist", ".defaults", ".schema")
_LEAVE_OUT = "mend it, or leave the file out: `!` before its name in `[redaction] env_files` of shadow.toml"


def read_env_files(root: Path, patterns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Names and values of all files below ``root`` that the patterns name. ``EnvFileError`` with every fault of every file."""
    pairs: list[tuple[str, str]] = []
    faults: list[Fault] = []
    for path in _files(root, patterns):
        try:
            pairs += parse(_text(path), str(shown(path)))
        except EnvFileError as error:
            faults += error.faults
    if faults:
        raise EnvFileError(faults)
    return tuple(pairs)


def parse(text: str, name: str) -> list[tuple[str, str]]:
    """Names and values of one file."""
    pairs: list[tuple[str, str]] = []
    faults: list[Fault] = []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    at, line = 0, 1
    while at < len(text):
        end, found, fault = _entry(text, at)
        pairs += found
        if fault:
            faults.append(Fault(what=fault, place=Place(file=name, line=line), remedy=_LEAVE_OUT))
        line += text.count("\n", at, end)
        at = end
    if faults:
        raise EnvFileError(faults)
    return pairs


def _entry(text: str, at: int) -> tuple[int, list[tuple[str, str]], str]:
    """Where the entry at ``at`` ends, what it says, and what is wrong with it."""
    blank = _BLANK.match(text, at)
    if blank is not None and blank.end() > at:
        return blank.end(), _commented(blank["comment"] or ""), ""
    match = _LINE.match(text, at)
    if match is None:
        return _next_line(text, at), [], "is no NAME=value"
    if match["name"] is None:
        return _next_line(text, match.end()), [], ""
    return _value(text, match.end(), match["name"])


def _value(text: str, at: int, name: str) -> tuple[int, list[tuple[str, str]], str]:
    quoted = _QUOTED.get(text[at : at + 1])
    if quoted is None:
        bare = _BARE.match(text, at)
        return _next_line(text, at), [(name, bare[0].strip() if bare else "")], ""
    value = quoted.match(text, at)
    if value is None:
        return _next_line(text, at), [], "has a quote that is not closed"
    if (rest := _BLANK.match(text, value.end())) is None:
        return _next_line(text, value.end()), [], "goes on behind its closing quote"
    written = value[1]
    read = _ESCAPE.sub(lambda found: _SIMPLE.get(found[1], found[1]), written) if value[0][0] == '"' else written
    return rest.end(), [(name, one) for one in dict.fromkeys((read, written))], ""


def _commented(comment: str) -> list[tuple[str, str]]:
    match = _LINE.match(comment.lstrip("# \t"))
    if match is None or match["name"] is None:
        return []
    rest = comment.lstrip("# \t")[match.end() :].strip()
    return [(match["name"], rest.strip("'\"`"))]


def _next_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _files(root: Path, patterns: Sequence[str]) -> Iterator[Path]:
    seen = {path for pattern in patterns if pattern.startswith("!") for path in root.glob(pattern[1:])}
    for pattern in patterns:
        for path in sorted(root.glob(pattern)) if not pattern.startswith("!") else ():
            named = "*" not in pattern and "?" not in pattern
            folder = path.is_dir() and (not named or pattern == ".env")  # `.env/` is an environment
            if path not in seen and not folder and (named or not path.name.endswith(_EXAMPLES)):
                seen.add(path)
                yield path


def _text(path: Path) -> str:
    what = "is no ordinary file, and is not read"  # a pipe may wait for ever
    line = None
    try:
        if path.is_file():
            data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
            what = f"is larger than {LARGEST:,} bytes"
            if data or not path.stat().st_size:
                return data.decode("utf-8")
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        what, line = "is not UTF-8", error.object[: error.start].count(b"\n") + 1
    raise EnvFileError([Fault(what=what, place=Place(file=str(shown(path)), line=line), remedy=_LEAVE_OUT)])
