"""`compare.compare` for the workers of one run: from what came over the wire to a comparison."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from gate import compare
from gate.canonical.rules import Context
from gate.digest import sha256
from gate.errors import WorkerError
from gate.types import Wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gate.canonical.rule_process import Runner
    from gate.canonical.rules import Rule
    from gate.runner import Pair, RawWire
    from gate.types import Comparison, Fixture, Settings

    Seen = tuple[Fixture, RawWire, RawWire]

GROUP = 256  # fixtures


class Comparer:
    """Everything that stays the same while one pair of workers runs."""

    def __init__(self, settings: Settings, rules: Sequence[Rule], pair: Pair) -> None:
        self.rules = [rule for rule in rules if rule.target in {None, pair.workers[0].target.name}]
        self.gated = frozenset((*settings.gated, *pair.workers[0].target.gated))
        one, other = (Context(temp_root=str(worker.temp_root), side_root=str(worker.side.root)) for worker in pair.workers)
        self.contexts = one, other
        self.pair = pair
        self.diverged: dict[str, tuple[bytes, Comparison]] = {}

    def __call__(self, fixture: Fixture, one: RawWire, other: RawWire) -> Comparison:
        """Compare, but for what diverged before to the byte as it does now: mostly that is what the second run of a divergence shows."""
        before = self.diverged.get(fixture.id)
        if before is not None and before[0] == _digest(fixture, one, other):
            return before[1]
        made = self._compare(fixture, one, other)
        if made.divergences:
            self.diverged[fixture.id] = _digest(fixture, one, other), made
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

    def ahead(self, seen: Iterable[Seen]) -> Iterable[Seen]:
        """The same, where need be in groups: rules of the project are asked about a whole group at once."""
        runner = next((rule.runner for rule in self.rules if rule.runner is not None), None)
        return seen if runner is None else self._grouped(iter(seen), runner)

    def _grouped(self, seen: Iterator[Seen], runner: Runner) -> Iterator[Seen]:
        while group := list(islice(seen, GROUP)):
            with runner.collecting():
                for fixture, one, other in group:
                    if one != other:
                        self._compare(fixture, one, other)  # for its questions; what it finds is not yet true, and not kept
            yield from group

    def at_import(self) -> Comparison:
        """Compare what happened while the target was imported: effects, and what was printed."""
        one, other = (
            {**hello["import"], "stdout": hello.get("stdout", ""), "stderr": hello.get("stderr", "")} for hello in self.pair.hellos
        )
        return compare.compare_import(baseline=one, candidate=other, gated=self.gated, rules=self.rules, contexts=self.contexts)


def _digest(fixture: Fixture, one: RawWire, other: RawWire) -> bytes:
    """Of everything that a comparison rests on."""
    parts = (fixture.sha256.encode("ascii"), *one, *other)
    return sha256(b"".join([b"%d:%b" % (len(part), part) for part in parts])).digest()
