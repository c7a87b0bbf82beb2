"""``shadow corpus check``: is the corpus fit to judge a patch by? The baseline runs against itself on every fixture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate import corpus, pins
from gate.canonical.contract import contract_rules
from gate.corpus.choose import Chosen, choose, no_fixture
from gate.errors import EXIT_PASS, EXIT_UNDECIDED
from gate.purity import Purity
from gate.runner import Pair
from gate.scratch import pycache_folder, scratch_folder
from gate.types import IMPORT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.types import Impure, Settings


_PLACES = 3  # of each impure field that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """``fixtures``: how many ran. ``impure`` by fixture id; ``errors`` and ``undecided``: causes by fixture id.

    ``empty``: targets of which no fixture comes back, so that agreement means nothing.
    """

    fixtures: int
    impure: dict[str, tuple[Impure, ...]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    undecided: dict[str, str] = field(default_factory=dict)
    empty: tuple[str, ...] = ()

    def exit_code(self) -> int:
        """0 where every fixture is pure, else 3."""
        return EXIT_UNDECIDED if self.impure or self.errors or self.undecided or self.empty else EXIT_PASS

    def lines(self, show: Callable[[str], str], change: Callable[[str], str]) -> Iterator[str]:
        """For a terminal. ``show`` and ``change`` are those of whoever reads it (``gate.terminal.Reader``)."""
        for fixture_id, cause in self.errors.items():
            yield f"error   {show(fixture_id)}: {show(cause)}"
        yield from (f"undecided {show(fixture_id)}: {show(cause)}" for fixture_id, cause in self.undecided.items())
        yield from (f"target {name}: no fixture comes back, so that they agree means nothing" for name in self.empty)
        for fixture_id, impure in self.impure.items():
            for one in impure:
                yield f"impure  {show(fixture_id)} {one.field}: {show(one.cause)}"
                yield from (f"        {change(str(path))}" for path in one.paths[:_PLACES])
        bad = self.impure.keys() | self.errors.keys() | self.undecided.keys()
        pure = self.fixtures - len(bad - {IMPORT_ID})
        yield (
            f"{self.fixtures} fixture{'s' if self.fixtures != 1 else ''}: {pure} pure"
            + (f", {len(self.impure)} impure" if self.impure else "")
            + (f", {len(self.errors)} error" if self.errors else "")
            + (f", {len(self.undecided)} undecided" if self.undecided else "")
        )
        if self.impure:
            yield "next: give the fixture what moves (`now`, `env`, `files`),"
            yield "or let a rule (`unordered:`, `drop:`) or an adapter leave it out"


def check(settings: Settings) -> Checked:
    """Run every chosen fixture of the baseline twice, under two sets of conditions. Raises what ``compare`` would raise of one side."""
    listing = corpus.list_fixtures(settings.corpus, settings.targets)
    chosen = choose(listing, settings.only)
    impure: dict[str, tuple[Impure, ...]] = {}
    errors: dict[str, str] = {}
    undecided: dict[str, str] = {}
    empty: list[str] = []
    digest, ran = corpus.CorpusDigest(), 0
    with scratch_folder() as scratch, contract_rules(settings, scratch) as rules:
        side = pins.materialise_baseline(settings, scratch)
        for target in settings.targets:
            mine = Chosen(listing, target, chosen, digest)
            with Pair((side,), target, settings.limits, scratch, pycache_folder(), conditions=settings.conditions) as pair:
                purity = Purity(settings, rules, pair.workers[0])
                impure |= purity.check(mine.again, mine.ids(), at_import=True, order=True)
                errors |= {fixture_id: one.cause or "" for fixture_id, one in purity.errors.items()}
                undecided |= {fixture_id: one.cause or "" for fixture_id, one in purity.undecided.items()}
                if purity.ran and not purity.returned:
                    empty.append(target.name)
                ran += purity.ran
    if not ran:
        raise no_fixture(settings.corpus)
    return Checked(
        fixtures=ran,
        impure=dict(sorted(impure.items())),
        errors=dict(sorted(errors.items())),
        undecided=dict(sorted(undecided.items())),
        empty=tuple(empty),
    )
