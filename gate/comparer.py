"""`compare.compare` for the workers of one run: from what came over the wire to a comparison."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from gate import compare
from gate.canonical.rules import Context
from gate.errors import WorkerError
from gate.types import Wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.canonical.rules import Rule
    from gate.runner import Pair, RawWire
    from gate.types import Comparison, Fixture, Settings


class Comparer:
    """Everything that stays the same while one pair of workers runs."""

    def __init__(self, settings: Settings, rules: Sequence[Rule], pair: Pair) -> None:
        self.rules = [rule for rule in rules if rule.target in {None, pair.workers[0].target.name}]
        self.gated = frozenset(settings.gated)
        one, other = (Context(temp_root=str(worker.temp_root), side_root=str(worker.side.root)) for worker in pair.workers)
        self.contexts = one, other
        self.pair = pair
        self.diverged: dict[str, tuple[bytes, Comparison]] = {}

    def __call__(self, fixture: Fixture, one: RawWire, other: RawWire) -> Comparison:
        """Compare, but for what diverged before to the byte as it does now: mostly that is what the second run of a divergence shows."""
        parts = (fixture.sha256.encode("ascii"), *one, *other)
        digest = sha256(b"".join([b"%d:%b" % (len(part), part) for part in parts])).digest()
        before = self.diverged.get(fixture.id)
        if before is not None and before[0] == digest:
            return before[1]
        made = self._compare(fixture, one, other)
        if made.divergences:
            self.diverged[fixture.id] = digest, made
        return made

    def _compare(self, fixture: Fixture, one: RawWire, other: RawWire) -> Comparison:
        try:
            return compare.compare(
                fixture=fixture,
                baseline=Wire(record=one[0], stdout=one[1], stderr=one[2]),
                candidate=Wire(record=other[0], stdout=other[1], stderr=other[2]),
                rules=self.rules,
                gated=self.gated,
                contexts=self.contexts,
            )
        except (KeyError, TypeError, ValueError) as exc:
            # A record is data from a process that ran foreign code: what is not in shape is a protocol error, not a crash of ours.
            raise WorkerError(f"a worker broke the protocol on {fixture.id}: {type(exc).__name__}: {exc}") from exc

    def at_import(self) -> Comparison:
        """Compare what happened while the target was imported: effects, and what was printed."""
        one, other = (
            {**hello["import"], "stdout": hello.get("stdout", ""), "stderr": hello.get("stderr", "")} for hello in self.pair.hellos
        )
        return compare.compare_import(baseline=one, candidate=other, gated=self.gated, rules=self.rules, contexts=self.contexts)
