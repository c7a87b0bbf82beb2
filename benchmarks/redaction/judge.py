"""Whether a redacted text still holds what had to vanish from it."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.redaction.items import CORE, Item

PIECE = 8  # characters of a secret that are too many to be left
_PLACEHOLDER = re.compile(r"REDACTED(-[A-Za-z0-9-]+?-\d+x)?")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item, what came out, and the verdict: `bad` is a miss of a positive or a false alarm on a negative."""

    item: Item
    out: str
    bad: bool
    partial: bool


@dataclass
class Tally:
    """Counts of a group or kind."""

    total: int = 0
    bad: int = 0
    partial: int = 0

    def add(self, outcome: Outcome) -> None:
        self.total += 1
        self.bad += outcome.bad
        self.partial += outcome.partial

    @property
    def recall(self) -> float:
        return 1 - self.bad / self.total if self.total else 1.0


@dataclass
class Verdicts:
    """All outcomes of one contestant, counted by group and by (group, kind)."""

    outcomes: list[Outcome] = field(default_factory=list)
    groups: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    kinds: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        group = outcome.item.group
        for tally in (self.groups[group], self.kinds[group, outcome.item.kind], *([self.groups["core"]] if group in CORE else [])):
            tally.add(outcome)

    def wrong(self, *groups: str) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.item.group in groups and (outcome.bad or outcome.partial)]


def judge(item: Item, out: str) -> Outcome:
    """A secret is covered if no part of it is left and no 8 characters of one that do not stand elsewhere in the text too."""
    if not item.secrets:
        return Outcome(item, out, bad=out != item.text, partial=False)
    left = _PLACEHOLDER.sub("\0\0", out)
    outside = item.text
    for part in sorted((part for parts in item.secrets for part in parts), key=len, reverse=True):
        outside = outside.replace(part, "\1\1")
    covered, partial = True, False
    for parts in item.secrets:
        whole = [part in left for part in parts]
        pieces = [part in left if len(part) <= PIECE else _piece(part, left, outside) for part in parts]
        covered = covered and not any(pieces) and not any(whole)
        some = any(piece and len(part) >= PIECE for part, piece in zip(parts, pieces, strict=True))
        partial = partial or (some and not all(whole))
    return Outcome(item, out, bad=not covered, partial=partial)


def _piece(part: str, left: str, outside: str) -> bool:
    pieces = (part[at : at + PIECE] for at in range(len(part) - PIECE + 1))
    return any(piece in left and piece not in outside for piece in pieces)


def verdicts(items: Sequence[Item], outs: Sequence[str]) -> Verdicts:
    made = Verdicts()
    for item, out in zip(items, outs, strict=True):
        made.add(judge(item, out))
    return made
