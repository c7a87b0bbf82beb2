"""Divergences grouped by cause, for the screen: a cause is a verdict, a field and the kind of change (design, section 12).

Two divergences with one cause most likely have one line of the patch behind them; a person looks at one example of
each. Only words that the comparison already found are used (texts and the first changed place): grouping ten thousand
divergences must cost nothing. A kind that is guessed wrong moves an example, never a verdict.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.report.model import Entry
    from gate.types import VerdictWord

_ABSENT = "(absent)"
_SHORT = 60
_LOOKED_AT = 4  # places of one divergence
_SMALL = frozenset({"null", "true", "false", "[]", "{}", '""'})
_TAG = re.compile(r'\{"!(\w+)":')
_WORDS = {'"': "text", "[": "array", "{": "object"}
_CLOSED = {'"': '"', "[": "]", "{": "}"}
# Stands where a text of a change was cut, before or behind it.
_CUT = "\u2026"


class Group(Value):
    """Divergences of one cause, in the order of the report."""

    verdict: VerdictWord
    field: str
    kind: str
    entries: tuple[Entry, ...]


def group(entries: Iterable[Entry], verdict: VerdictWord) -> list[Group]:
    """The causes behind the entries of one verdict: the most frequent first, then in the order in which they appear."""
    found: dict[tuple[str, str, str | None], list[Entry]] = {}
    for entry in entries:
        if entry.verdict == verdict:
            # Rejects are told apart by the reason that is stored with them: it is what the screen has to say.
            found.setdefault((entry.field, kind_of(entry), entry.reason if verdict == "reject" else None), []).append(entry)
    groups = [Group(verdict=verdict, field=field, kind=kind, entries=tuple(some)) for (field, kind, _), some in found.items()]
    return sorted(groups, key=lambda one: -len(one.entries))


def kind_of(entry: Entry) -> str:
    """What changed, in a few words that other divergences may share."""
    baseline, candidate = entry.baseline, entry.candidate
    if entry.field == "ok":
        return f"{_outcome(baseline)} -> {_outcome(candidate)}"
    if entry.field.startswith(("exc.", "effects.")) or entry.field == "type":
        line = f"{baseline} -> {candidate}"
        return line if len(line) <= _SHORT else "changed"
    if entry.field in ("stdout", "stderr") and _without_ends(baseline) == _without_ends(candidate):
        return "newlines at the end"
    if entry.field == "arg" and '{"unchanged":true}' in (baseline, candidate):
        return "the call now changes its argument" if baseline == '{"unchanged":true}' else "the call no longer changes its argument"
    changes = [change for change in map(split, entry.paths[:_LOOKED_AT]) if change is not None]
    kinds = {_change(left, right) for _, left, right in changes} or {_change(baseline, candidate)}
    return kinds.pop() if len(kinds) == 1 else "several kinds of difference"


def split(path: str) -> tuple[str, str, str] | None:
    """The parts of a change's text, ``pointer: baseline -> candidate``. Keys and values may hold any of its signs.

    So every place is tried, and the first is taken where both sides look like whole values.
    """
    for colon in re.finditer(": ", path):
        for arrow in re.finditer(" -> ", path[colon.end() :]):
            left = path[colon.end() : colon.end() + arrow.start()]
            right = path[colon.end() + arrow.end() :]
            if _is_value(left) and _is_value(right):
                return path[: colon.start()], left, right
    return None


def _change(left: str, right: str) -> str:
    before, after = _name(left), _name(right)
    if before == _ABSENT:
        return f"{after} added"
    if after == _ABSENT:
        return f"{before} removed"
    return f"{after} changed" if before == after else f"{before} -> {after}"


def _name(text: str) -> str:
    """A small value itself, of anything else the kind of value."""
    if text in _SMALL or text == _ABSENT:
        return text
    if text.startswith(_CUT):
        return "text" if text[1:2] == '"' else "value"
    if (tag := _TAG.match(text)) is not None:
        return tag[1]
    return _WORDS.get(text[:1], "number")


def _is_value(text: str) -> bool:
    """Whether ``text`` could be a value that is there as a whole, or cut at its end."""
    if text == _ABSENT or text in _SMALL or text.startswith(_CUT):
        return True
    if text[:1] in _CLOSED:
        return (len(text) > 1 and text.endswith(_CLOSED[text[0]])) or text.endswith(_CUT)
    return text[:1].isdigit() or text[:1] == "-"


def _without_ends(text: str) -> str:
    r"""A JSON string without the ``\n`` at its end."""
    inner = text[1:-1]
    while inner.endswith("\\n"):
        inner = inner[:-2]
    return inner


def _outcome(text: str) -> str:
    """An outcome without its value: ``{"raised":"pkg.Error"}`` is ``raised pkg.Error``."""
    word, _, rest = text.removeprefix('{"').partition('":')
    detail = rest.removesuffix("}").strip('"')
    if word in ("returned", "timed_out"):
        return word.replace("_", " ")
    return f"{word} {detail}" if len(detail) <= _SHORT else word
