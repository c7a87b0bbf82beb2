"""One dual run, from settings to report: both sides materialised, every fixture run on both, compared and judged.

    settings -> ledger, corpus -> two sides -> a pair of workers a target -> comparisons -> confirmation -> verdicts -> report

What is invalid (ledger, corpus) is said before anything runs, so that exit 2 comes before exit 3. Every non-match is
run again alone before it becomes a divergence, so that a fixture never answers for what another left behind
(design, section 7). This module starts processes and reads files; every decision is made by the pure modules below it.
"""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
import time
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from gate import corpus, pins, provenance
from gate.canonical.rules import make_rules
from gate.comparer import Comparer
from gate.config import cache_home, shown
from gate.confirm import blamed_on_the_batch, confirm, kind_of_end, run_alone
from gate.errors import NothingRanError, UsageError
from gate.observed import Observed
from gate.runner import Pair
from gate.types import IMPORT_ID, Comparison

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gate.canonical.rules import Rule
    from gate.corpus import Listing
    from gate.pins import Sides
    from gate.report.model import Report
    from gate.types import Fixture, Settings, Target


def run(settings: Settings, *, command: Sequence[str] = ()) -> Report:
    """The whole gate. Raises UsageError kinds (exit 2) first, then UndecidedError kinds (exit 3); else returns a report."""
    from gate.ledger.read import read_ledger
    from gate.report.build import build

    started = time.time()
    rules = make_rules(settings.rules)
    ledger = read_ledger(settings.ledger, settings.ledger_folder)
    listing = corpus.list_fixtures(settings.corpus, settings.targets)
    chosen = choose(listing, settings.only)
    if not len(listing):
        raise NothingRanError(
            f"there is no fixture below {shown(settings.corpus)}", remedy="add one: `shadow init` writes a first hostile set"
        )
    with _scratch() as scratch:
        sides = pins.materialise(settings, scratch)
        facts = {"command": list(command), "started": started}
        digest = corpus.CorpusDigest()
        observed = [
            _observe(
                settings,
                sides,
                target,
                _Chosen(listing, target if len(settings.targets) > 1 else None, chosen, digest),
                rules=rules,
                scratch=scratch,
            )
            for target in settings.targets
        ]
    if not digest.count:
        raise NothingRanError("no fixture belongs to a target", remedy="fixtures of several targets lie in corpus/<target name>/")
    return build(settings, sides, listing, ledger, observed, digest=digest, facts=facts)


def code_digests(settings: Settings) -> tuple[str, str]:
    """Digests of the code of both sides as it is now, baseline first: whether a report is still about this code."""
    with _scratch() as scratch:
        sides = pins.materialise(settings, scratch)
        return sides.baseline.code_digest, sides.candidate.code_digest


def rerun(settings: Settings, ids: Sequence[str]) -> dict[str, Comparison]:
    """Run these fixtures again, each alone, in freshly materialised sides; the comparison of each by id, ``@import`` included."""
    rules = make_rules(settings.rules)
    listing = corpus.list_fixtures(settings.corpus, settings.targets)
    items = listing.pick(fixture_id for fixture_id in ids if fixture_id != IMPORT_ID)
    out: dict[str, Comparison] = {}
    with _scratch() as scratch:
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


def choose(listing: Listing, only: Sequence[str]) -> Sequence[str] | None:
    """Ids of the fixtures that run; None for all. ``only`` holds ids and patterns, each of which must match something."""
    if not only:
        return None
    exact = [pattern for pattern in only if pattern in listing or not set(pattern) & set("*?[")]
    found = {item.id for item in listing.pick(exact)}
    for pattern in only:
        if pattern not in exact:
            hits = [fixture_id for fixture_id in listing.ids if fnmatchcase(fixture_id, pattern)]
            if not hits:
                raise UsageError(f"--only {pattern} matches no fixture", remedy="ids are paths below the corpus; `*` stands for any text")
            found.update(hits)
    return sorted(found)


class _Chosen:
    """The fixtures of one target that run, read one at a time and fed to the corpus digest on the way."""

    def __init__(self, listing: Listing, target: Target | None, ids: Sequence[str] | None, digest: corpus.CorpusDigest) -> None:
        self._listing, self._target, self._ids, self._digest = listing, target, ids, digest

    def __iter__(self) -> Iterator[Fixture]:
        items = self._listing if self._ids is None else filter(None, map(self._listing.find, self._ids))
        for item in items:
            if self._target is None or item.target.name == self._target.name:
                fixture = corpus.read(item)
                self._digest.add(fixture.id, fixture.sha256)
                yield fixture

    def again(self, ids: Iterable[str]) -> Iterator[Fixture]:
        """These fixtures once more, in this order."""
        return (corpus.read(item) for item in map(self._listing.find, ids) if item is not None)


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder of this run's own; gone afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix="shadow-")).resolve()
    try:
        yield scratch
    finally:
        # A second Ctrl-C must not leave half of it behind.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        shutil.rmtree(scratch, ignore_errors=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _pycache() -> Path:
    """Byte code of the worker, kept between runs: a folder a side, so that one side cannot poison the other."""
    return cache_home() / "pycache"


@contextmanager
def _pair(settings: Settings, sides: Sides, target: Target, scratch: Path) -> Iterator[Pair]:
    both = (sides.baseline, sides.candidate)
    with Pair(both, target, settings.limits, scratch, _pycache()) as pair:
        provenance.check(both, pair.hellos, target)
        yield pair


def _observe(settings: Settings, sides: Sides, target: Target, chosen: _Chosen, *, rules: Sequence[Rule], scratch: Path) -> Observed:
    """Run one target's fixtures on both sides, then confirm what did not match."""
    seen = Observed(target=target)
    with _pair(settings, sides, target, scratch) as pair:
        seen.hello = pair.hellos[0]
        seen.threads = any(hello.get("threads") for hello in pair.hellos)
        comparer = Comparer(settings, rules, pair)
        seen.at_import = comparer.at_import()
        again: list[str] = []
        alike: dict[bytes, dict[str, int]] = {}
        for fixture, one, other in pair.run(chosen):
            seen.fixtures += 1
            if one == other and one[0].startswith(b'{"out":"returned"'):
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
        if seen.fixtures:
            provenance.check_reached((sides.baseline, sides.candidate), pair.reached, target)
        confirm(seen, pair, comparer, chosen.again, again)
        # Alone, however many: in a second batch they would fail alike again.
        run_alone(seen, pair, comparer, chosen.again, blamed_on_the_batch(pair, chosen.again, alike))
    return seen


def _failure(fixture_id: str, record: bytes) -> str:
    """The first exception that both sides raised, in words: what a person needs to mend a target on which nothing returns."""
    exc = json.loads(record).get("exc") if record.startswith(b'{"out":"raised"') else None
    return f"{fixture_id}: {exc['type']}: {str(exc['msg'])[:200]}" if isinstance(exc, dict) else ""
