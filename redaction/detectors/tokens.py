"""Finds what the rules of ``redaction.detectors.pack`` describe, whole or cut in two by a line break."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from redaction.detectors.pack import RULES
from redaction.types import Span
from redaction.views import BREAK, compiled, unwrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.detectors.rule import Rule

_REST = r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9_+/=-]{8,}"


@cache
def _triggers() -> tuple[tuple[str, tuple[tuple[str, Rule], ...]], ...]:
    """Triggers by the mark that they hold, so that a short text is asked four questions instead of a hundred."""
    groups: dict[str, list[tuple[str, Rule]]] = {"_": [], "-": [], ".": [], "": []}
    for rule in RULES:
        for trigger in rule.triggers:
            groups[next(mark for mark in groups if mark in trigger)].append((trigger, rule))
    return tuple((mark, tuple(group)) for mark, group in groups.items())


def tokens(text: str) -> Iterator[Span]:
    """Everything in the text that a token rule covers."""
    hit = {rule.id: rule for mark, group in _triggers() if mark in text for trigger, rule in group if trigger in text}
    for rule in hit.values():
        for match in compiled(rule.pattern).finditer(text):
            start, end = match.span(rule.group)
            yield Span(start, end, rule.id, text[start:end])


def split_tokens(text: str) -> Iterator[Span]:
    """Tokens that a line break cuts in two. Behind one that is whole already, only what looks like the rest of it counts."""
    if not any(trigger in text for mark, group in _triggers() if mark in text for trigger, _ in group):
        return
    if compiled(BREAK).search(text) is None:
        return
    joined = unwrap(text)
    whole = [span for span in joined.lift(tokens(joined.text)) if "\n" in text[span.start : span.end]]
    starts = {span.start for span in tokens(text)} if whole else set()
    for span in whole:
        rest = text[span.start : span.end].rpartition("\n")[2].strip()
        if span.start not in starts or compiled(_REST).fullmatch(rest) is not None:
            yield span
