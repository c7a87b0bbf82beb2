"""Requirements files as lists of exact pins, read strictly: ``name==version``, hashes, comments, nothing else.

The rule (design, section 4): what is installed is what is listed, without dependency resolution. A range, a marker, an
extra, a link or an option would need a resolver or a look at the machine, so each is a fault with its line, all of them
at once. Only the grammar of ``pip``'s requirements files is followed here; ``pip`` or ``uv`` does the installing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.errors import RequirementsError
from gate.types import Fault, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names and versions as the packaging standards spell them; `==1.*` is a range and does not match.
_PIN = re.compile(r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*==\s*(?P<version>[A-Za-z0-9](?:[A-Za-z0-9.!+_-]*[A-Za-z0-9])?)")
_HASH = re.compile(r"--hash[=\s]\s*(?P<hash>(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}))(?=\s|$)")
_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One exact pin. ``name`` is normalised, ``hashes`` are sorted: equal requirements are equal values."""

    name: str
    version: str
    hashes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([f"{self.name}=={self.version}", *(f"--hash={each}" for each in self.hashes)])


def normalise(name: str) -> str:
    """A project's name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def parse_requirements(data: bytes, *, file: str) -> tuple[Requirement, ...]:
    """The pins of a requirements file, sorted by name. ``RequirementsError`` with every line that is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RequirementsError([_fault("is not UTF-8", file, line, "save the file as UTF-8")]) from None
    found: dict[str, Requirement] = {}
    at: dict[str, int] = {}
    faults: list[Fault] = []
    for line, words in _logical_lines(text):
        one = _requirement(words)
        if isinstance(one, str):
            shown = words if len(words) <= _SHOWN else words[:_SHOWN] + " .."
            faults.append(_fault(f"{shown!r} {one}", file, line, "write name==version; `pip freeze` and `uv pip compile` print such lines"))
        elif one.name in found:
            faults.append(_fault(f"{one.name} is listed again (first in line {at[one.name]})", file, line, "keep one of the two lines"))
        else:
            found[one.name], at[one.name] = one, line
    if any(one.hashes for one in found.values()):
        bare = [one.name for one in found.values() if not one.hashes]
        remedy = "give every line its --hash, or none"
        faults.extend(_fault(f"{name} has no --hash, but other lines have", file, at[name], remedy) for name in bare)
    if faults:
        raise RequirementsError(faults)
    return tuple(found[name] for name in sorted(found))


def _requirement(words: str) -> Requirement | str:
    """The pin that a line holds, or what is wrong with it."""
    pin = _PIN.match(words)
    if pin is None:
        return _why_not(words)
    hashes, end = [], pin.end()
    while rest := words[end:].strip():
        option = _HASH.match(words, end + (len(words[end:]) - len(words[end:].lstrip())))
        if option is None:
            return _why_not(words) if not rest.startswith("--hash") else "has a --hash that is no sha256, sha384 or sha512 digest"
        hashes.append(option["hash"])
        end = option.end()
    return Requirement(name=normalise(pin["name"]), version=pin["version"], hashes=tuple(sorted(set(hashes))))


def _why_not(words: str) -> str:
    if words.startswith("-"):
        return "is an option; only pins may stand here"
    if ";" in words:
        return "has an environment marker; list what this environment holds, without markers"
    if "[" in words:
        return "has extras; without dependency resolution they mean nothing: list the packages themselves"
    if "://" in words or " @ " in words or words.startswith((".", "/")):
        return "is a link or a path, no pin; name a built wheel with the pin wheel:<file>#sha256=<hex>"
    return "is not name==version"


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers: comments away, continuations joined, blank ones left out. The number is the first line's."""
    start, held = 0, ""
    for number, raw in enumerate([*text.split("\n"), ""], 1):
        line = re.sub(r"(^|\s)#.*$", "", raw.rstrip("\r"))
        # A comment ends a continuation, as in pip's own reader.
        goes_on = line.endswith("\\") and line == raw.rstrip("\r")
        start = start or number
        held += line[:-1] + " " if goes_on else line
        if goes_on:
            continue
        if held.strip():
            yield start, " ".join(held.split())
        start, held = 0, ""


def _fault(what: str, file: str, line: int, remedy: str) -> Fault:
    return Fault(what=what, place=Place(file=file, line=line), remedy=remedy)
