"""What the run of one target brought, and how each comparison is booked there: kept small, since most fixtures only match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.rows import LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gate.reuse import Reuse
    from gate.runner import RawWire
    from gate.types import Comparison, Target

LONE_BYTES = 1 << 22


class Observed:
    """What the run of one target brought. Plain matches are only counted; everything else has its comparison."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.fixtures: int = 0
        self.plain: int = 0
        self.trivial_ids: set[str] = set()
        self.returned: bool = False
        self.notable: dict[str, Comparison] = {}
        self.at_import: Comparison | None = None
        self.unsteady: list[str] = []
        self.refused: dict[str, str] = {}  # by id, what the sandbox refused both sides, where they agree
        self.hello: Mapping[str, Any] = {}
        self.threads: bool = False
        self.hellos: Sequence[Mapping[str, Any]] = ()
        self.leaked: Sequence[Iterable[str]] = ((), ())
        self.alone_for_leaks: int = 0
        self.failure: str = ""
        self.failing: int = 0  # fixtures that ended in one and the same failure on both sides
        self.reuse: Reuse | None = None
        self.checked: int = 0  # fixtures on which the baseline ran against itself
        self.lone: dict[str, RawWire] = {}  # what the baseline did alone, where that diverges and is small
        self.lone_bytes: int = 0

    @property
    def trivial(self) -> int:
        """Fixtures on which both sides refused the call itself, and nothing else is to be said."""
        return len(self.trivial_ids)

    @property
    def only_trivial(self) -> bool:
        """True where green would mean nothing: fixtures ran, none diverged, and none reached the code behind the call."""
        return self.fixtures > 0 and all(one.status in {"match", "trivial"} for one in self.notable.values()) and not self.returned

    def book(self, comparison: Comparison) -> None:
        """Count what says nothing more than match or trivial; keep everything else."""
        self.returned |= comparison.returned
        if comparison.divergences or comparison.noted or comparison.smoothed or comparison.status not in {"match", "trivial"}:
            self.notable[comparison.id] = comparison
        elif comparison.status == "trivial":
            self.trivial_ids.add(comparison.id)
        else:
            self.plain += 1

    def keep(self, fixture_id: str, wire: RawWire) -> None:
        """Keep what the baseline did alone, so that it need not be run for that again; not more than memory should hold.

        What may be long is left out: in a batch it crosses as a digest.
        """
        size = sum(map(len, wire))
        if size < LONGEST and self.lone_bytes + size <= LONE_BYTES:
            self.lone_bytes += size
            self.lone[fixture_id] = wire

    def unbook(self, fixture_id: str) -> Comparison | None:
        """Take back what was booked of a fixture that is run again."""
        before = self.notable.pop(fixture_id, None)
        if before is None and fixture_id in self.trivial_ids:
            self.trivial_ids.remove(fixture_id)
        elif before is None:
            self.plain -= 1
        return before
