"""What is wrong with one ``.call.json``, or with the ``call`` of a ``.jsonl`` line: said before anything runs (rules in ``gate.corpus``).

A call is an object of the keys below, all optional. The arguments may use the tags that the worker makes values of; whether
a tag's content makes one is found when it runs (``error``). Only corpora that have calls come here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from gate.config.words import did_you_mean, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.types import TargetKind

KEYS = ("args", "kwargs", "now", "env", "files", "stdin", "argv")
# As `_MAKERS` in gate/worker/worker.py; tests/unit/gate/test_calls.py holds them equal.
_PLAIN_TAGS = ("tuple", "set", "frozenset", "dict", "str", "bytes", "bytearray", "memoryview", "float", "complex", "range", "constant")
_OTHER_TAGS = ("datetime", "time", "date", "timedelta", "timezone", "decimal", "fraction", "uuid", "path", "enum", "object")
TAGS = frozenset(f"!{name}" for name in (*_PLAIN_TAGS, *_OTHER_TAGS))
_TAKES: dict[TargetKind, tuple[str, ...]] = {
    "function": KEYS,
    "command": ("argv", "stdin", "env", "files", "now"),
    "asgi": ("args", "env", "files", "now"),
    "wsgi": ("args", "env", "files", "now"),
}
_KINDS = {"function": "a function", "command": "a command", "asgi": "a web app", "wsgi": "a web app"}
_CONTENT = 'write a text, or {"!bytes": "..."} with other bytes as \\xNN'
# What the clock of the worker reads; no zone is UTC.
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
# (what is wrong, remedy, the key it stands at or None)
Flaw = tuple[str, str, str | None]


def flaws(raw: bytes, kind: TargetKind) -> Iterator[Flaw]:
    """Everything that is wrong with the text of a call for a target of this kind."""
    try:
        plan, keys = _parsed(raw)
    except ValueError as error:
        yield str(error), "mend it; what JSON cannot say has tags, and an adapter makes anything", None
        return
    if not isinstance(plan, dict):
        yield "a call should be an object", f"write an object with any of these keys: {', '.join(_TAKES[kind])}", None
        return
    if len(plan) < len(keys):
        yield from ((f"has {printable(key)!a} twice", "keep one of them", key) for key in plan if keys.count(key) > 1)
    for key, value in plan.items():
        if key not in KEYS:
            yield f"unknown key: {printable(key)!a}", did_you_mean(key, _TAKES[kind]), key
        elif key not in _TAKES[kind]:
            yield f"{_KINDS[kind]} takes no `{key}`", f"it takes {', '.join(_TAKES[kind])}", key
        else:
            yield from ((f"`{key}` {what}", remedy, key) for what, remedy in _CHECKS[key](value))
    if kind in ("asgi", "wsgi") and not _one_request(plan.get("args")):
        yield "`args` should hold the one request of a web app", 'write "args": [{"method": "GET", "path": "/"}]', "args"


def _parsed(raw: bytes) -> tuple[Any, list[str]]:
    """The value and, where it is an object, its keys as written. Raises ValueError that says what it is not."""
    keys: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        keys[:] = [key for key, _ in items]  # objects end from the inside out, so in the end these are the outermost ones
        return dict(items)

    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=pairs, parse_int=_number), keys
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from None


def _number(text: str) -> int:
    """Numbers of any length are fine in a payload; for a check their size does not matter."""
    return int(text[:300])


def _one_request(args: Any) -> bool:
    return isinstance(args, list) and len(args) == 1 and isinstance(args[0], dict)


def _args(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, list):
        yield "should be a list", 'one item an argument: "args": [1, 2]'
    yield from _tags(value)


def _kwargs(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield "should be an object", '"kwargs": {"name": value}'
    yield from _tags(value)


def _tags(value: Any) -> Iterator[tuple[str, str]]:
    """Objects whose key starts with ``!`` and is no tag."""
    todo = [value]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            for key in here:
                if key.startswith("!") and key not in TAGS:
                    yield f"has the unknown tag {printable(key)!a}", did_you_mean(key, TAGS)
                elif key.startswith("!") and len(here) > 1:
                    yield f"has other keys beside the tag {key}", 'write an object with such a key as {"!dict": [[key, value], ..]}'
            todo.extend(here.values())
        elif isinstance(here, list):
            todo.extend(here)


def _now(value: Any) -> Iterator[tuple[str, str]]:
    remedy = 'write seconds since 1970, or "2026-01-31T12:00:00Z"'
    if isinstance(value, str):
        from datetime import datetime

        try:
            datetime.fromisoformat(value if _ISO.fullmatch(value) else "")
        except ValueError:
            yield f"is no moment: {printable(value[:60])!a}", remedy
    elif isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2e11:
        yield "should be a moment", remedy


def _env(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield "should be an object", '"env": {"NAME": "text"}, null to take a name away'
        return
    for name, text in value.items():
        if not name or "=" in name or "\0" in name:
            yield f"has a name that no variable can have: {printable(name)!a}", "rename it"
        if text is not None and (not isinstance(text, str) or "\0" in text):
            yield f"should say a text for {printable(name)!a}", "put it in quotes; null takes the name away"


def _files(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield "should be an object", '"files": {"data/in.csv": "content"}'
        return
    for path, content in value.items():
        parts = path.split("/")
        if "\0" in path or ".." in parts or path.startswith(("/", "~")) or not all(part not in ("", ".") for part in parts):
            yield f"names a path that is not below the temp root: {printable(path)!a}", "write a relative path with `/`, without `..`"
        elif any("/".join(parts[:at]) in value for at in range(1, len(parts))):
            yield f"has {printable(path)!a} below another file", "a name is a file or a folder"
        yield from ((f"{printable(path)!a} {what}", remedy) for what, remedy in _content(content))


def _content(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and set(value) == {"!bytes"}:
        value = value["!bytes"]
    if not isinstance(value, str):
        yield "should be a text or bytes", _CONTENT


def _argv(value: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(value, list) or not all(isinstance(word, str) and "\0" not in word for word in value):
        yield "should be a list of texts", '"argv": ["--count", "3"]; the name of the program is not part of it'


_CHECKS: dict[str, Callable[[Any], Iterator[tuple[str, str]]]] = {
    "args": _args,
    "kwargs": _kwargs,
    "now": _now,
    "env": _env,
    "files": _files,
    "stdin": _content,
    "argv": _argv,
}


def line_of(raw: bytes, key: str | None) -> int | None:
    """The line on which a key of the outermost object stands first, as far as its spelling tells; None for the whole file."""
    if key is None:
        return None
    at = raw.find(json.dumps(key, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return raw.count(b"\n", 0, at) + 1 if at >= 0 else None
