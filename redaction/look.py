"""Looking without rewriting: what would be hidden in a text and where, and whether what was hidden still shows.

``look`` is for people who have to mend a text (a typed reason, a fixture). ``leaks`` is the last look at a text before it leaves:
what the detectors find in it, what is known beforehand, and every value that was found in the raw texts from which it was made. It
trusts no memory of the scope that made the text. Source: study of redaction, section 8 ("Last gate in the product itself").
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from redaction.parts import unhidden
from redaction.placeholder import placeholders
from redaction.policy import STRICT
from redaction.scan import Scanner, merged
from redaction.scope import LARGEST
from redaction.spread import Known
from redaction.types import ScanLimitError, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redaction.policy import Policy

UNSCANNED = "unscanned"
_NOTHING = Known()


class Seen(NamedTuple):
    """One place that would be hidden: its kind, and where it stands, in code points."""

    kind: str
    start: int
    end: int


def spans_of(text: str, *, policy: Policy, known: Known = _NOTHING, detect: bool = True, composed: bool = False) -> list[Span]:
    """What is found in a text, in order. ``composed``: it holds redacted parts. ``ScanLimitError`` where one could not look."""
    if len(text) > LARGEST:
        raise ScanLimitError("the text is too long")
    spans = Scanner(known, policy, detect=detect, until=monotonic() + policy.seconds).scan(text)
    return merged(text, unhidden(text, spans) if composed else spans)


def look(text: str, *, policy: Policy = STRICT) -> tuple[Seen, ...]:
    """Every place of a text that would be hidden; the whole of it as ``unscanned`` where one could not look."""
    try:
        found = spans_of(text, policy=policy, known=Known(policy.exact))
    except Exception:  # noqa: BLE001 - whatever went wrong, nobody has looked
        return (Seen(UNSCANNED, 0, len(text)),)
    return tuple(Seen(span.kind, span.start, span.end) for span in found)


def finds(text: str, *, policy: Policy = STRICT) -> tuple[str, ...]:
    """The kinds that redaction finds in a text, in order of appearance; ``unscanned`` where it could not look."""
    return tuple(dict.fromkeys(seen.kind for seen in look(text, policy=policy)))


def leaks(out: Iterable[str], raw: Iterable[str] = (), *, policy: Policy = STRICT, composed: bool = False) -> tuple[str, ...]:
    """The kinds that still show in texts that are about to leave; ``raw`` are the texts that they were made from.

    ``composed``: they were put together line by line (``redaction.composed``). ``unscanned`` where one could not look.
    """
    try:
        leaving = tuple(dict.fromkeys(line for text in out for line in (text.split("\n") if composed else (text,))))
        known, found = Known(policy.exact), Known()
        kinds = [span.kind for text in leaving for span in spans_of(text, policy=policy, known=known, composed=composed)]
        for text in dict.fromkeys(raw):
            if len(text) <= LARGEST:  # a longer one is not sent at all
                found.add(_real(spans_of(text, policy=policy)))
        if found:
            kinds += [span.kind for text in leaving for span in spans_of(text, policy=policy, known=found, detect=False)]
    except Exception:  # noqa: BLE001 - as above
        return (UNSCANNED,)
    return tuple(dict.fromkeys(kinds))


def _real(spans: Iterable[Span]) -> Iterable[Span]:
    """Without those whose value is a placeholder: a text may be redacted twice."""
    return (span for span in spans if not any(placeholders(span.value)))
