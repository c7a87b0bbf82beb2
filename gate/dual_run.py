"""One dual run, from settings to report: both sides materialised, every fixture run on both, compared and judged.

    settings -> ledger, corpus -> two sides -> a pair of workers a target -> comparisons -> confirmation -> verdicts -> report

What is invalid (ledger, corpus) is said before anything runs, so that exit 2 comes before exit 3. Every non-match is
run again alone before it becomes a divergence, so that a fixture never answers for what another left behind
(design, section 7). This module starts processes and reads files; every decision is made by the pure modules below it.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate import corpus, pins, provenance
from gate.canonical.contract import contract_rules
from gate.comparer import Comparer
from gate.confirm import blamed_on_the_batch, confirm, kind_of_end, run_alone
from gate.corpus.choose import Chosen, choose, no_fixture
from gate.enforcement import refused
from gate.errors import NothingRanError
from gate.observed import Observed
from gate.progress import Progress
from gate.purity import Purity, apply
from gate.runner import RETURNED, Pair
from gate.scratch import pycache_folder, scratch_folder
from gate.types import IMPORT_ID, Comparison, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from gate.attribution import Attribution
    from gate.canonical.rules import Rule
    from gate.confirm import Again
    from gate.pins import Sides
    from gate.report.model import Report
    from gate.types import Divergence, Settings, Target


_SILENT = Progress()
_TIMED_OUT = '{"timed_out":true}'


def run(settings: Settings, *, command: Sequence[str] = (), progress: Progress = _SILENT) -> Report:
    """The whole gate. Raises UsageError kinds (exit 2) first, then UndecidedError kinds (exit 3); else returns a report."""
    from gate.ledger.read import read_ledger
    from gate.report.build import build, divergences

    started = time.time()
    attributed = _attributor(settings)
    ledger = read_ledger(settings.ledger, settings.ledger_folder)
    listing = corpus.list_fixtures(settings.corpus, settings.targets)
    chosen = choose(listing, settings.only)
    if not len(listing):
        raise no_fixture(settings.corpus)
    with scratch_folder() as scratch, contract_rules(settings, scratch) as rules:
        progress.phase("materialise")
        sides = pins.materialise(settings, scratch)
        progress.phase("run", len(listing) if chosen is None else len(chosen))
        facts = {"command": list(command), "started": started}
        digest = corpus.CorpusDigest()
        observed = [
            _observe(
                settings,
                sides,
                target,
                Chosen(listing, target if len(settings.targets) > 1 else None, chosen, digest),
                rules=rules,
                scratch=scratch,
                progress=progress,
            )
            for target in settings.targets
        ]
        for seen in observed:
            if seen.reuse is not None:
                seen.reuse.save()
    if not digest.count:
        raise NothingRanError("no fixture belongs to a target", remedy="fixtures of several targets lie in corpus/<target name>/")
    found = None
    if attributed is not None:
        progress.phase("attribute")
        found = attributed(divergences(observed))
    return build(settings, sides, listing, ledger, observed, digest=digest, rules=rules, facts=facts, attribution=found)


def _attributor(settings: Settings) -> Callable[[Sequence[Divergence]], Attribution] | None:
    """What says whose the divergences are, where that was asked for. Its commit is looked up at once, so that exit 2 comes first."""
    if settings.attribute is None:
        return None
    from gate.attribution import attribute, find_commit

    commit = find_commit(settings, settings.attribute)
    return lambda rows: attribute(settings, commit, rows, rerun)


def code_digests(settings: Settings) -> tuple[str, str]:
    """Digests of the code of both sides as it is now, baseline first: whether a report is still about this code."""
    with scratch_folder() as scratch:
        sides = pins.materialise(settings, scratch)
        return sides.baseline.code_digest, sides.candidate.code_digest


def rerun(settings: Settings, ids: Sequence[str]) -> dict[str, Comparison]:
    """Run these fixtures again, each alone, in freshly materialised sides; the comparison of each by id, ``@import`` included."""
    listing = corpus.list_fixtures(settings.corpus, settings.targets)
    items = listing.pick(fixture_id for fixture_id in ids if fixture_id != IMPORT_ID)
    out: dict[str, Comparison] = {}
    with scratch_folder() as scratch, contract_rules(settings, scratch) as rules:
        sides = pins.materialise(settings, scratch)
        for target in settings.targets:
            mine = [item for item in items if item.target.name == target.name]
            if not mine and IMPORT_ID not in ids:
                continue
            with _pair(settings, sides, target, scratch) as pair:
                comparer = Comparer(settings, rules, pair)
                if IMPORT_ID in ids:
                    out[IMPORT_ID] = _joined(out.get(IMPORT_ID), comparer.at_import())
                for fixture, one, other in pair.run(map(corpus.read, mine), batch=1):
                    out[fixture.id] = comparer(fixture, one, other)
    return out


def _joined(one: Comparison | None, other: Comparison) -> Comparison:
    """Effects at import of several targets, as one comparison."""
    if one is None:
        return other
    return Comparison(
        id=IMPORT_ID, status=other.status, divergences=(*one.divergences, *other.divergences), noted=(*one.noted, *other.noted)
    )


@contextmanager
def _pair(settings: Settings, sides: Sides, target: Target, scratch: Path) -> Iterator[Pair]:
    both = (sides.baseline, sides.candidate)
    limits, around = settings.limits, settings.conditions
    with Pair(both, target, limits, scratch, pycache_folder(), conditions=around, require=settings.enforce, strict=settings.strict) as pair:
        provenance.check(both, pair.hellos, target, tree=settings.checkout)
        yield pair
        provenance.check_late(both, pair.late, target, tree=settings.checkout)


def _observe(
    settings: Settings, sides: Sides, target: Target, chosen: Chosen, *, rules: Sequence[Rule], scratch: Path, progress: Progress
) -> Observed:
    """Run one target's fixtures on both sides, then confirm what did not match."""
    seen = Observed(target=target)
    with _pair(settings, sides, target, scratch) as pair:
        seen.hello = pair.hellos[0]
        seen.hellos = pair.hellos
        seen.threads = any(hello["spawns"] for hello in pair.hellos)
        comparer = Comparer(settings, rules, pair)
        seen.at_import = comparer.at_import()
        again: list[str] = []
        alike: dict[bytes, dict[str, int]] = {}
        if settings.reuse:
            from gate.reuse import Reuse

            seen.reuse = Reuse(settings, pair, scratch)
        for fixture, one, other in comparer.ahead(progress.each("run", (seen.reuse or pair).run(chosen))):
            seen.fixtures += 1
            if one[0] == other[0] and (act := refused(one[0], seen.hello)):
                seen.refused[fixture.id] = act
            if one == other and one[0].startswith(RETURNED):
                seen.plain += 1
                seen.returned = True
                continue
            comparison = comparer(fixture, one, other)
            seen.book(comparison)
            if comparison.status == "diverging":
                again.append(fixture.id)
                continue
            if comparison.status in {"match", "trivial"} and one[0] == other[0]:
                alike.setdefault(kind_of_end(one[0]), {})[fixture.id] = seen.fixtures
            if not seen.failure:
                seen.failure = _failure(fixture.id, one[0])
        seen.failing = sum(map(len, alike.values()))
        seen.leaked, seen.alone_for_leaks = pair.leaked, pair.again
        if seen.fixtures:
            provenance.check_reached((sides.baseline, sides.candidate), pair.reached, target)
        once_more = progress.again("confirm", chosen.again)
        confirm(seen, pair, comparer, once_more, again)
        # Alone, however many: in a second batch they would fail alike again.
        run_alone(seen, pair, comparer, once_more, blamed_on_the_batch(pair, once_more, alike))
        _purify(settings, rules, pair, seen, chosen, again=progress.again("purity", chosen.again))
    return seen


def _purify(settings: Settings, rules: Sequence[Rule], pair: Pair, seen: Observed, chosen: Chosen, *, again: Again) -> None:
    """Take the rows of impure fields out of what was seen: of the fixtures that diverge, or of all that were decided."""
    full = settings.purity == "full"
    at_import = full or bool(seen.at_import and seen.at_import.divergences)
    # What ran into the time limit twice agrees with itself; waiting for it again would show nothing.
    out_of_time = {one.id for one in seen.notable.values() for row in one.divergences if row.field == "ok" and row.baseline == _TIMED_OUT}
    blind = out_of_time | {one.id for one in seen.notable.values() if one.status in {"error", "undecided"}}
    some = chosen.ids() if full else (one.id for one in seen.notable.values() if one.status == "diverging")
    ids = [fixture_id for fixture_id in some if fixture_id not in blind]
    if not ids and not at_import:
        return
    seen.checked = len(ids)
    purity = Purity(settings, rules, pair.workers[0])
    # Where each has a fork of its own, nothing runs before it.
    lone = set(ids if settings.strict else seen.unsteady)
    together = full and not settings.strict
    found = purity.check(
        again,
        (one for one in ids if together or one not in lone),
        alone=[one for one in ids if one in lone],
        known={} if full else seen.lone,
        at_import=at_import,
        order=together,
    )
    for fixture_id, impure in found.items():
        if fixture_id == IMPORT_ID and seen.at_import is not None:
            seen.at_import = apply(seen.at_import, impure)
        else:
            seen.book(apply(seen.unbook(fixture_id) or Comparison(id=fixture_id, status="match"), impure))
    for fixture_id, comparison in purity.errors.items():
        seen.unbook(fixture_id)
        seen.book(replace(comparison, cause=f"in a second run of the baseline: {comparison.cause}"))


def _failure(fixture_id: str, record: bytes) -> str:
    """The first exception that both sides raised, or exit code, in words: what a person needs to mend a target on which nothing returns."""
    if record.startswith(b'{"out":"exited"'):
        return f"{fixture_id}: exit code {str(json.loads(record)['code'])[:200]}"
    exc = json.loads(record).get("exc") if record.startswith(b'{"out":"raised"') else None
    return f"{fixture_id}: {exc['type']}: {str(exc['msg'])[:200]}" if isinstance(exc, dict) else ""
