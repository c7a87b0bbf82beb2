"""Which findings count in a text that was put together from redacted parts (``redaction.composed``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.values import plausible
from redaction.placeholder import WALL, placeholders, walls
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from redaction.types import Span

_QUOTES = "\"'`.,;:!?()[]{}<>"


def unhidden(text: str, spans: Iterable[Span]) -> list[Span]:
    """Those spans of a text put together from redacted parts that do not begin with a placeholder.

    One that does was a whole value where it was hidden, and what follows it here is our own words, or another part: unless something
    follows that looks like a secret itself. A placeholder may be an imitation.
    """
    ends = {match.start(): match.end() for match in placeholders(text)}
    return [span for span in spans if not _is_done(text, span, ends)] if ends else list(spans)


def _is_done(text: str, span: Span, ends: Mapping[int, int]) -> bool:
    opened = compiled(r"[^\w\n]*").match(text, span.start)
    end = ends.get(opened.end() if opened else span.start)
    if end is None:
        return False
    rest = walls(text[end : span.end])
    return not any(plausible(word.strip(_QUOTES)) for word in rest.replace(WALL, " ").split()) and not compiled(r"[\w+/=-]").match(rest)
