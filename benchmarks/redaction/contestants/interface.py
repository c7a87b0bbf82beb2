"""What a contestant offers: a text in, the text without what it found out."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

MASK = "REDACTED"


class Contestant(Protocol):
    """One way of hiding secrets. `redact` returns an equal text where it finds nothing."""

    name: str

    def redact(self, text: str) -> str: ...

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]: ...


@dataclass(frozen=True, slots=True)
class Missing:
    """A contestant that cannot take part here, and why."""

    name: str
    why: str


def masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the union of the spans (offsets in code points) replaced by a mask."""
    made, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            made += [text[at:start], MASK] if start >= at else []
            at = end
    return "".join([*made, text[at:]])


def spans_of(text: str, values: Iterable[str]) -> list[tuple[int, int]]:
    """All places of the values in the text: for tools that report what they found, but not where."""
    found = []
    for value in {value for value in values if value}:
        at = text.find(value)
        while at >= 0:
            found.append((at, at + len(value)))
            at = text.find(value, at + len(value))
    return found
