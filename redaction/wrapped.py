"""What a line end cuts in two: the text is read with its line ends taken out, and what reaches over one counts if it goes on there.

Where the first line holds a secret by itself already, only what looks like the rest of it is taken from the next: a line of figures
and letters, of letters in a mix that no word has, or what gives a token just its usual length. Otherwise any next line is, because
only both together were found.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from redaction.detectors.opaque import named
from redaction.detectors.tokens import usual_length
from redaction.types import Span
from redaction.views import BREAK, compiled, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from redaction.views import View

    Detector = Callable[[str], Iterator[Span]]

_REST = r"(?=[A-Za-z_+/.-]*[0-9])(?=[0-9_+/.-]*[A-Za-z])[A-Za-z0-9_+/.-]{4,}={0,2}|[0-9_-]{12,}"
_HEX = r"[0-9a-f]{8,}"
_HEX_BEFORE = r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])(?<![0-9A-Za-z])[0-9a-f]{16,}$"
_SHORTEST_LETTERS = 12
_SHORTEST_MIX = 8
_OF_LINES = frozenset({"private-key", "ssh-private-key", "putty-key"})  # their first line is cut, and others belong to them
_AS_LONG_AS_IT_IS = frozenset({"url-password"})  # it ends at a sign of its own


def wrapped(text: str, detectors: Iterable[Detector], *, only_rests: Container[Detector]) -> Iterator[Span]:
    """What the detectors find over line ends. ``only_rests``: those that read names, which two lines make by chance."""
    if "\n" not in text or compiled(BREAK).search(text) is None:
        return
    joins: list[View] = []
    for detect in detectors:
        alone: list[Span] | None = None
        joins = joins or list(_joins(text))
        for joined in joins:
            spans = [span for span in joined.lift(detect(joined.text)) if "\n" in text[span.start : span.end] or detect not in only_rests]
            if spans and alone is None:
                alone = list(detect(text))
            yield from _over(text, spans, alone or [], needs_first=detect in only_rests)


def _joins(text: str) -> Iterator[View]:
    """Without line ends; and without every second one, because what follows a token's own line may hide where it ends."""
    yield unwrap(text)
    if text.count("\n") > 1:
        yield unwrap(text, keep=1)
        yield unwrap(text, keep=0)


def _over(text: str, spans: Iterable[Span], alone: list[Span], *, needs_first: bool) -> Iterator[Span]:
    starts = {span.start for span in alone}
    places = {(span.start, span.end) for span in alone}
    for span in spans:
        if "\n" not in text[span.start : span.end]:
            if (span.start, span.end) not in places:  # what announces it is cut, not the secret
                yield span
        elif not needs_first or span.start in starts:
            whole = span.kind in _AS_LONG_AS_IT_IS or (span.kind in _OF_LINES and span.start not in starts)
            end = span.end if whole else _end(text, span, found=span.start in starts)
            if "\n" in text[span.start : end]:
                yield Span(span.start, end, span.kind, compiled(BREAK).sub("", text[span.start : end]), "broken")


def _end(text: str, span: Span, *, found: bool) -> int:
    """Where the last line ends that belongs to it."""
    end = text.index("\n", span.start)
    for line in compiled(r"\n[ \t]*([^\r\n]*)\r?").finditer(text, end, span.end):
        before = text[max(text.rfind("\n", 0, line.start()), span.start) : line.start()]
        if found and not (_goes_on(before.strip(), line.group(1)) or _completes(text[span.start : line.end(1)], span.kind)):
            break
        found, end = True, line.end(1)
    return end


def _completes(written: str, kind: str) -> bool:
    """Whether a token is with that line just as long as its issuer makes them: then it is its last, whatever it looks like."""
    usual = usual_length(kind)
    return usual is not None and len(written) <= 2 * usual and len(compiled(BREAK).sub("", written)) == usual


def _goes_on(before: str, line: str) -> bool:
    """Whether a line looks like the rest of the secret that ends the line before."""
    if compiled(_REST).fullmatch(line) is not None or (compiled(_HEX).fullmatch(line) and compiled(_HEX_BEFORE).search(before)):
        return True
    letters = compiled(r"[+/=]").sub("", line)
    flips = sum(one.islower() and two.isupper() for one, two in pairwise(letters))
    if not flips or not letters.isalpha() or not letters.isascii():
        return False
    return (len(letters) >= _SHORTEST_LETTERS and flips >= 3) or (len(letters) >= _SHORTEST_MIX and not named(letters))
