"""Read ``shadow.toml``: every fault of the file at once, each with its line and the edit that mends it (design, sections 3 and 4).

What a later version of shadow will do and this one cannot is refused by name, never skipped: a contract that says
more than what is checked would promise what nobody holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gate.config.find import CONFIG_NAME
from gate.config.toml_lines import line_of, lines_of
from gate.config.words import did_you_mean, printable, shown
from gate.errors import ConfigError
from gate.types import Fault, Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from gate.config.schema import File

_SECRET_KEY = re.compile(r"(?:^|[_-])(?:key|keys|token|secret|password|passwd|credentials?|authorization|bearer)$|apikey$", re.IGNORECASE)
_SECRET_TEXT = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_[A-Za-z0-9]{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
    r"|\bBearer\s+[\w.+/=-]{16,}|://[^/\s\"'@]*:[^/\s\"'@]*@|[?&](?:api[_-]?)?(?:key|token)=[^&\s\"']+",
)
_NO_KEYS = "take it out, and revoke it if it was ever committed: a key is read from the environment only, never from a file"
_KINDS = ("entry", "command", "asgi", "wsgi")
# Keys that say something of a function only, and why not of the others.
_OF_FUNCTIONS = {
    "adapter": "an adapter stands around a function",
    "types": "only calls of functions are handed objects",
    "payload": "a command gets a fixture's bytes on stdin, a web app a request",
}
_EXAMPLES = {
    "version": "`version = 1` as the first line",
    "target": 'a [[target]] table: name = "main" and entry = "yourpkg.transform:run"',
    "name": '`name = "main"`',
}
# (path of the key, what is wrong, remedy)
Problem = tuple[tuple[str | int, ...], str, str]
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A ``shadow.toml`` without faults. ``digest`` is the sha256 of its bytes.

    ``require_line`` is where ``[trust] require`` is written, ``python_line`` where ``[sides] python`` is.
    """

    path: Path
    file: File
    digest: str
    require_line: int | None = None
    python_line: int | None = None


def load(folder: Path, *, cwd: Path | None = None) -> Config:
    """Read ``folder/shadow.toml``."""
    return load_file(folder / CONFIG_NAME, cwd=cwd)


def load_file(path: Path, *, cwd: Path | None = None) -> Config:
    """Read one file; relative paths in it are relative to the folder that it lies in."""
    from hashlib import sha256

    name = shown(path, cwd=cwd)
    data, text, raw = _parse(path, name)
    lines = lines_of(text)
    problems = list(_beyond_shape(raw, path.parent))
    taken = {where for where, _, _ in problems}
    file, shape = _shape(raw)
    problems += [problem for problem in shape if problem[0] not in taken]
    faults = [Fault(what=what, place=Place(file=name, line=line_of(lines, where)), remedy=remedy) for where, what, remedy in problems]
    faults += _keys_in(text, name)
    if faults or file is None:
        raise ConfigError(faults)
    require_line = line_of(lines, ("trust", "require")) if "require" in raw.get("trust", {}) else None
    return Config(
        path=path,
        file=file,
        digest=sha256(data).hexdigest(),
        require_line=require_line,
        python_line=line_of(lines, ("sides", "python")) if file.sides.python is not None else None,
    )


def _parse(path: Path, name: str) -> tuple[bytes, str, dict[str, Any]]:
    import tomllib

    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            [_whole(name, f"cannot be read: {error.strerror}", "run `shadow init`, or name the file with --config")]
        ) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(file=name, line=data.count(b"\n", 0, error.start) + 1)
        raise ConfigError([Fault(what="is not UTF-8", place=place, remedy="save the file as UTF-8")]) from None
    try:
        return data, text, tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        at = _AT_LINE.search(str(error))
        line = None if at is None else int(at[1]) if at[1] else max(1, len(text.splitlines()))
        what = "nested too deep" if isinstance(error, RecursionError) else _AT_LINE.sub("", str(error))
        place = Place(file=name, line=line)
        raise ConfigError([Fault(what=f"is not TOML: {what}", place=place, remedy="mend this line; the rest is read after it")]) from None


def _whole(name: str, what: str, remedy: str) -> Fault:
    return Fault(what=what, place=Place(file=name), remedy=remedy)


def _keys_in(text: str, name: str) -> Iterator[Fault]:
    """Lines that hold something like an API key, comments included. The text itself is not repeated: logs are public."""
    for number, line in enumerate(text.split("\n"), 1):
        if _SECRET_TEXT.search(line):
            yield Fault(what="holds what looks like an API key or password", place=Place(file=name, line=number), remedy=_NO_KEYS)


def _beyond_shape(raw: Mapping[str, Any], folder: Path) -> Iterator[Problem]:
    """What the shape alone cannot see. Runs on unchecked values, so that these faults come together with those of the shape."""
    for where, key in _every_key(raw, ()):
        if _SECRET_KEY.search(key):
            yield where, f"{_label(where)}: a file in the repository is no place for a key", _NO_KEYS
    trust = raw.get("trust")
    if isinstance(trust, dict) and trust.get("require") in ("signed", "touched"):
        what = f"[trust] require: this build cannot check {trust['require']!r}, and a lower level would be less than the contract says"
        yield ("trust", "require"), what, 'set require = "named", or use a version of shadow that checks signatures'
    targets = raw.get("target")
    seen: dict[str, int] = {}
    for at, target in enumerate(targets if isinstance(targets, list) else []):
        if isinstance(target, dict):
            yield from _target(target, at, folder, seen)


def _target(
    target: Mapping[str, Any],
    at: int,
    folder: Path,
    seen: dict[str, int],
) -> Iterator[Problem]:
    where = ("target", at)
    yield from _kind(target, where)
    name = target.get("name")
    if isinstance(name, str):
        first = seen.setdefault(name.casefold(), at)
        if first != at:
            yield (*where, "name"), f"[[target]] name: {name!r} is taken by target {first + 1}", "give each target a name of its own"
    adapter = target.get("adapter")
    if isinstance(adapter, str) and adapter and not adapter.startswith(("/", "~")) and ".." not in adapter.split("/"):
        file = folder / adapter
        if not file.is_file():
            yield (*where, "adapter"), f"[[target]] adapter: there is no file {adapter!r} beside this one", "write it, or take the key out"
        elif not file.resolve().is_relative_to(folder.resolve()):
            yield (*where, "adapter"), f"[[target]] adapter: {adapter!r} links out of the contract", "copy the file in place of the link"


def _kind(target: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Problem]:
    """What is called: one of four keys, and what may stand beside it."""
    named = [key for key in _KINDS if key in target]
    if not named:
        remedy = 'add what to compare, like entry = "yourpkg.transform:run" or command = ["python", "-m", "yourpkg"]'
        yield where, "[[target]] has no `entry`, `command`, `asgi` or `wsgi`", remedy
    for key in named[1:]:
        yield (*where, key), f"[[target]] {key}: the target has `{named[0]}` already", "give it a [[target]] table of its own"
    if named and named[0] != "entry":
        for key, why in _OF_FUNCTIONS.items():
            if key in target:
                yield (*where, key), f"[[target]] {key}: goes with `entry` only; {why}", "take it out"


def _every_key(value: Any, where: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*where, key), key
            yield from _every_key(inner, (*where, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _every_key(inner, (*where, at))


def _shape(raw: Mapping[str, Any]) -> tuple[File | None, list[Problem]]:
    from pydantic import ValidationError

    from gate.config.schema import File

    if type(raw.get("version", 1)) is not int:  # a Literal takes true and 1.0 for 1
        raw = {**raw, "version": str(raw["version"])}
    try:
        return File.model_validate(raw), []
    except ValidationError as error:
        found = [_said(dict(entry)) for entry in error.errors(include_url=False)]
        return None, list(dict.fromkeys(found))


def _said(error: Mapping[str, Any]) -> Problem:
    """One error of pydantic in our words."""
    where: tuple[str | int, ...] = error["loc"]
    label, value, last = _label(where), error["input"], str(where[-1])
    message = str(error["msg"]).removeprefix("Input ").replace("List ", "").replace("String ", "")
    what, remedy = f"{label}: {message[0].lower()}{message[1:]}", _shown_value(where, value)
    match error["type"]:
        case _ if where == ("version",):
            what, remedy = "version: this build reads version 1", "write `version = 1` as the first line"
        case "extra_forbidden":
            from gate.config.schema import KNOWN

            what, remedy = f"unknown key: {label}", did_you_mean(last, KNOWN[str(where[0]) if len(where) > 1 else ""])
        case "missing":
            what, remedy = f"{label} is missing", f"add {_EXAMPLES[last]}"
        case "value_error":
            what = f"{label}: {error['ctx']['error']}"
        case "too_short" if last == "gated":
            what, remedy = f"{label}: an empty list would gate nothing", "name the fields, or take the key out for the default"
        case "string_type" if type(value) in (int, float):
            what, remedy = f"{label}: should be a text", f'put it in quotes: {last} = "3.11"'
        case "list_type" | "too_short" if where == ("target",):
            what, remedy = "target: should be one or more [[target]] tables", f"add {_EXAMPLES['target']}"
        case "model_type" | "model_attributes_type":
            what, remedy = f"{label}: should be a table", f"write it as [{where[0]}]"
        case _:
            pass
    return where, what, remedy


def _shown_value(where: Sequence[str | int], value: Any) -> str:
    """The value as found, shortened; nothing from ``[prelabel]``, where a misplaced key is likely."""
    if where[0] == "prelabel":
        return ""
    text = ascii(value)
    return f"found: {text if len(text) <= 60 else text[:57] + '...'}"


def _label(where: Sequence[str | int]) -> str:
    """``[limits] seconds``, ``[[target]] entry``, ``version``."""
    names = [printable(part) for part in where if isinstance(part, str)]
    if len(names) < 2:
        return f"[[{names[0]}]]" if names == ["target"] else names[0] if names else "the file"
    table = f"[[{names[0]}]]" if names[0] == "target" else f"[{names[0]}]"
    return f"{table} {'.'.join(names[1:])}"
