"""Advice as a value, and what one line of it may hold.

    Report -> Subject -> Finding -> Advice -> (shown to people, never turned into anything)

``Advice`` carries the identity of a divergence and words of our own: no payload text, so nothing of a
target can leave the machine inside it. No function takes an ``Advice`` and makes a ledger row; none of
the modules that make advice can even import the ledger (tests hold that). Source: design, section 10.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

Label = Literal["reject", "abstain", "accept"]
Source = Literal["rule", "none"]
TargetKind = Literal["function", "command"]

REASON_LIMIT = 120

_PUNCTUATION = frozenset(".,;?'()-")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
# Letters by category that print nothing at all: the Hangul fillers.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0")
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")


def one_line(text: str) -> str:
    """Any text as one line that is safe in a terminal, in Markdown, in YAML and in a workflow log.

    An allow-list, because every medium has marks that another does not know: letters and digits of
    left-to-right scripts, the space and ``. , ; ? ' ( ) -`` stay, everything else becomes a space. So no
    control, format or combining character is left, no quote, bracket, mention, ``#1``, ``::command`` or
    ``scheme://``. What forges would still link (``www.``, ``GH-1``) is taken apart, and the line starts
    with a letter or digit, so it is no list item, heading or YAML indicator. At most 120 characters.
    """
    # Cut first: normalising is quadratic in a run of combining marks, and nothing that far behind is shown anyway.
    kept = "".join(char if _may_stay(char) else " " for char in unicodedata.normalize("NFC", text[: 10 * REASON_LIMIT]))
    kept = re.sub(r"-{2,}", "-", " ".join(kept.split()))
    kept = re.sub(r"(www\.|\bgh-(?=\d))", lambda found: found[0][:-1] + " ", kept, flags=re.IGNORECASE)
    kept = re.sub(r"^(\W*\d+)[.)](?=\s|$)", r"\1", " ".join(kept.split())).lstrip("".join(_PUNCTUATION) + " ")
    if len(kept) > REASON_LIMIT:
        kept = kept[: REASON_LIMIT - 4].rstrip(". ") + " ..."
    return kept


def _may_stay(char: str) -> bool:
    if char == " " or char in _PUNCTUATION:
        return True
    category = unicodedata.category(char)
    return (category[0] == "L" or category == "Nd") and char not in _BLANK and unicodedata.bidirectional(char) not in _RIGHT_TO_LEFT


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One suggestion about one unclassified divergence; ``rule`` is the row of the decision table, None where none applies."""

    id: str
    field: str
    fingerprint: str
    label: Label
    rule: str | None
    reason: str
    source: Source

    def __post_init__(self) -> None:
        if self.label not in get_args(Label):
            raise ValueError(f"unknown label {self.label!r}; known: {', '.join(get_args(Label))}")
        if self.source not in get_args(Source):
            raise ValueError(f"unknown source {self.source!r}; known: {', '.join(get_args(Source))}")
        if (self.rule is None) != (self.source == "none"):
            raise ValueError("a rule is named exactly where the source is a rule")
        if not _FINGERPRINT.fullmatch(self.fingerprint):
            raise ValueError(f"a fingerprint is 12 hex digits, not {self.fingerprint!r}")
        if not self.reason or self.reason != one_line(self.reason):
            raise ValueError(f"a reason is one plain line of at most {REASON_LIMIT} characters")
