"""What a line end cuts in two: the text is read with its line ends taken out, and what reaches over one counts if it goes on there.

Where the first line holds a secret by itself already, only what looks like the rest of it is taken from the next: a line of figures
and letters, or of letters in a mix that no word has. Otherwise any next line is, because only both together were found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import BREAK, compiled, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    Detector = Callable[[str], Iterator[Span]]

_REST = r"(?=[A-Za-z_+/=.-]*[0-9])(?=[0-9_+/=.-]*[A-Za-z])[A-Za-z0-9_+/=.-]{5,}|[0-9_-]{12,}"
_SHORTEST_LETTERS = 16
_AS_LONG_AS_IT_IS = frozenset({"url-password"})  # it ends at a sign of its own


def wrapped(text: str, detectors: Iterable[Detector], *, only_rests: Container[Detector]) -> Iterator[Span]:
    """What the detectors find over line ends. ``only_rests``: those that read names, which two lines make by chance."""
    if "\n" not in text or compiled(BREAK).search(text) is None:
        return
    joined = unwrap(text)
    for detect in detectors:
        whole = [span for span in joined.lift(detect(joined.text)) if "\n" in text[span.start : span.end]]
        alone = {span.start for span in detect(text)} if whole else set()
        for span in whole:
            if span.start not in alone and detect in only_rests:
                continue
            end = span.end if span.kind in _AS_LONG_AS_IT_IS else _end(text, span, found=span.start in alone)
            if "\n" in text[span.start : end]:
                yield Span(span.start, end, span.kind, compiled(BREAK).sub("", text[span.start : end]), "broken")


def _end(text: str, span: Span, *, found: bool) -> int:
    """Where the last line ends that belongs to it."""
    end = text.index("\n", span.start)
    for line in compiled(r"\n[ \t]*([^\r\n]*)\r?").finditer(text, end, span.end):
        if found and not _goes_on(line.group(1)):
            break
        found, end = True, line.end(1)
    return end


def _goes_on(line: str) -> bool:
    if compiled(_REST).fullmatch(line) is not None:
        return True
    flips = sum(one.islower() and two.isupper() for one, two in pairwise(line))
    return len(line) >= _SHORTEST_LETTERS and line.isalpha() and line.isascii() and flips >= 3
