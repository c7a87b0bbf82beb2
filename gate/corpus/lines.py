"""One ``.jsonl`` file of the corpus: ids and the places of the payloads (rules in ``gate.corpus``).

Read one line at a time, never whole. A line is checked as JSON by the parser of the standard library, and the place of
its payload found by skipping values: strings hide brackets, brackets hide commas. So no depth is too deep here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Protocol

from gate.config.words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gate.types import PayloadKind, TargetKind

KEYS = ("id", "payload", "call")
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# One step through a value: a string, an opening or closing bracket, or anything without either.
_STEP = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|[^"\[\]{},]+|,')


# How nearly every line begins. If what follows, up to the last brace, is one value, the line is done in one parse.
_USUAL = re.compile(r'[ \t\r]*\{[ \t\r]*"id"[ \t\r]*:[ \t\r]*("[^"\\\x00-\x1f]+")[ \t\r]*,[ \t\r]*"payload"[ \t\r]*:[ \t\r]*')
# Numbers are not made: a thousand digits are fine here. NaN is fine: payloads are read as Python's json does.
_CHECK = json.JSONDecoder(parse_int=len, parse_float=len)


class Sink(Protocol):
    """Where ids and faults go: the scan of ``gate.corpus``."""

    root: Path

    def fault(self, name: str, what: str, remedy: str, line: int | None = None) -> None:
        """A line that is no fixture."""

    @property
    def takes(self) -> TargetKind:
        """The kind of target whose fixtures these are."""

    def add_line(self, fixture_id: str, offset: int, size: int, *, call: bool = False) -> None:
        """A line that is one."""


def scan_lines(found: Sink, path: str, kind: PayloadKind) -> None:
    """Every line of the file ``path`` below the corpus. Blank lines are nothing."""
    offset = 0
    with (found.root / path).open("rb") as file:
        for number, raw in enumerate(file, 1):
            start, offset = offset, offset + len(raw)
            if not raw.strip():
                continue
            try:
                fixture_id, at, size, call = _line(raw, kind)
            except _BadLineError as error:
                found.fault(path, str(error), error.remedy, number)
                continue
            if call:
                from gate.corpus.calls import flaws

                for what, remedy, _ in flaws(raw[at : at + size], found.takes):
                    found.fault(path, what, remedy, number)
            found.add_line(f"{path}#{fixture_id}", start + at, size, call=call)


def text_of(raw: bytes) -> bytes:
    """What a ``text`` or ``bytes`` target gets of a payload that is a JSON string."""
    text: str = json.loads(raw)
    return text.encode("utf-8")


class _BadLineError(Exception):
    def __init__(self, what: str, remedy: str = 'write {"id": "some_name", "payload": ...} on one line') -> None:
        super().__init__(what)
        self.remedy = remedy


def _line(raw: bytes, kind: PayloadKind) -> tuple[str, int, int, bool]:
    """Id, place and size of the payload or call in bytes, and whether it is a call."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise _BadLineError("is not UTF-8", "save the file as UTF-8") from None
    spans = _usual(text) or _spans(_checked(text))
    call = "call" in spans
    start, end = spans["call" if call else "payload"]
    payload = text[start:end]
    if kind != "json" and not call:
        _check_text(payload)
    return _id(text[slice(*spans["id"])]), _bytes(text[:start]), _bytes(payload), call


def _usual(text: str) -> dict[str, tuple[int, int]] | None:
    head, end = _USUAL.match(text), len(text.rstrip(" \t\r\n")) - 1
    if head is None or text[end] != "}":
        return None
    payload = text[head.end() : end].rstrip(" \t\r")
    try:
        _CHECK.decode(payload)
    except (ValueError, RecursionError):
        return None
    return {"id": head.span(1), "payload": (head.end(), head.end() + len(payload))}


def _checked(text: str) -> str:
    """``text``, which is JSON unless it is too deep for the standard library."""
    try:
        _CHECK.decode(text)
    except RecursionError:
        pass  # too deep for that parser, not for ours: the scan below sees brackets and strings
    except ValueError as error:
        raise _BadLineError(f"is not JSON: {error}") from None
    if text.lstrip()[0] != "{":
        raise _BadLineError("is no JSON object")
    return text


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Where the values of the two keys stand."""
    spans: dict[str, tuple[int, int]] = {}
    try:
        for key, start, end in _members(text):
            if key in spans:
                raise _BadLineError(f"has {key!a} twice")
            if key not in KEYS:
                raise _BadLineError(f"unknown key: {key!a}", did_you_mean(key, KEYS))
            spans[key] = (start, end)
    except IndexError:
        raise _BadLineError("is not JSON: it ends too early") from None
    if "call" in spans and "payload" in spans:
        raise _BadLineError("has both payload and call", "keep the one that is meant")
    missing = [key for key in KEYS[:2] if key not in spans and not (key == "payload" and "call" in spans)]
    if missing:
        raise _BadLineError(f"has no {' and no '.join(missing)}")
    return spans


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def _id(source: str) -> str:
    value = json.loads(source) if source.startswith('"') else None
    if not isinstance(value, str) or not value:
        raise _BadLineError("the id should be a text that is not empty")
    if any(char < " " or "\x7f" <= char < "\xa0" or "\ud800" <= char <= "\udfff" for char in value):
        raise _BadLineError("the id holds a control character or half of a character")
    return value


def _check_text(payload: str) -> None:
    if not payload.startswith('"'):
        raise _BadLineError("the payload of a text or bytes target should be a JSON string")
    try:
        text_of(payload.encode("utf-8"))
    except UnicodeEncodeError:
        raise _BadLineError("the payload holds half of a character, which no bytes stand for") from None


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    """Key, start and end of each value of the object that ``text`` is."""
    at = _space(text, _space(text, 0) + 1)
    while text[at] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _BadLineError("is not JSON")
        at = _space(text, _space(text, key.end()) + 1)
        end = _skip(text, at)
        yield json.loads(key.group()), at, at + len(text[at:end].rstrip())
        at = _space(text, end + 1) if text[end] == "," else end
    if text[at + 1 :].strip():
        raise _BadLineError("is not JSON: there is text behind the object")


def _skip(text: str, at: int) -> int:
    """The place of the comma or brace behind the value that starts at ``at``."""
    depth = 0
    while True:
        step = _STEP.match(text, at)
        if step is None:
            raise _BadLineError("is not JSON")
        piece = step.group()
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            if depth == 0:
                return at
            depth -= 1
        elif piece == "," and depth == 0:
            return at
        at = step.end()


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
