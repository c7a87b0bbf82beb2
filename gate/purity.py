"""Does the baseline agree with itself? Where it does not, a divergence would be chance (design, section 7).

The baseline runs against itself in a second process in which everything that must not matter is another: hash seed,
time, time zone, locale, temp path, umask, and the order of the fixtures. A gated field that differs is *impure*: it
gets no divergence row, cannot be classified in the ledger, and the run ends with exit 3. Only then are the causes looked
for, one perturbation at a time, so that a pure corpus costs one more worker and nothing else.

    fixtures -> baseline | baseline, all perturbed -> fields that differ -> each perturbation alone -> Impure ..

Instability of the candidate alone is no matter of this module: it is a divergence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.comparer import Comparer
from gate.confirm import ALONE_AT_MOST
from gate.rows import is_long
from gate.runner import BATCH, ENDED, RETURNED, Pair
from gate.types import IMPORT_ID, NOW, Comparison, Impure, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from gate.canonical.rules import Rule
    from gate.confirm import Again
    from gate.runner import RawWire, Worker
    from gate.types import Change, Divergence, Fixture, Settings

    Run = Callable[[Pair], Iterator[tuple[Fixture, RawWire, RawWire]]]

# Each moves what most often shows: another day, month, year, weekday, hour and minute; a zone a day's half and a quarter
# away that needs no database; the one locale beside ours that every system has; a path that is longer as well.
PERTURBATIONS: dict[str, dict[str, Any]] = {
    "hash seed": {"hash_seed": "20290317"},
    "time": {"now": 1868144645.75},
    "time zone": {"zone": "<+1245>-12:45"},
    "locale": {"locale": "C"},
    "temp path": {"temp": "-elsewhere"},
    "umask": {"umask": 0o077},
}
CHANCE = "chance: it differs from run to run"
ORDER = "order: what ran before it in the same process"
TOGETHER = "several perturbations together"

# Rows that say how a call ended; where that is chance, so is what they say.
_OUTCOME = frozenset({"ok", "value", "type", "arg", "exc.type", "exc.module", "exc.msg", "exc.chain"})
_PINNED_IN_OK = frozenset({"value", "exc.type", "exc.module"})

_READ = frozenset({"effects.env", "effects.files"})
_SETTLED = frozenset({"time zone", "locale"})

_DONE = b'"done":true'  # in the record of a command that ended with 0

Impurities = dict[str, tuple[Impure, ...]]  # by fixture id
Fields = dict[str, set[str]]  # by fixture id, the gated fields that differ


class Purity:
    """A/A runs of one baseline. ``worker`` has it loaded under the run's own conditions; further ones are started beside it.

    ``errors``: fixtures that could not be compared with themselves, with the comparison that says why; ``undecided``: those that
    ran over the same limit both times. ``ran``: how many were looked at; ``returned``: whether one of them came back.
    """

    def __init__(self, settings: Settings, rules: Sequence[Rule], worker: Worker) -> None:
        self._settings, self._rules, self._worker = settings, rules, worker
        self.errors: dict[str, Comparison] = {}
        self.undecided: dict[str, Comparison] = {}
        self.ran, self.returned = 0, False
        self._paths: dict[tuple[str, str], tuple[Change, ...]] = {}  # where it differed, when all were moved at once
        self._long: set[tuple[str, str]] = set()  # id and field of what was compared by digest

    @property
    def _perturbations(self) -> dict[str, dict[str, Any]]:
        """A moment that the contract names itself is an input, like an argument: then time is not moved."""
        given = self._worker.conditions.now != NOW
        return {name: change for name, change in PERTURBATIONS.items() if not (given and name == "time")}

    @property
    def _all(self) -> dict[str, Any]:
        return {key: value for change in self._perturbations.values() for key, value in change.items()}

    def check(
        self,
        again: Again,
        ids: Iterable[str],
        *,
        alone: Sequence[str] = (),
        known: Mapping[str, RawWire] | None = None,
        at_import: bool,
        order: bool,
    ) -> Impurities:
        """By fixture id, the impure fields with their causes.

        ``known``: what the baseline is known to do by itself under the run's own conditions; it is not run for that again.
        ``alone``: ids that are known to behave otherwise in company, so that a batch would show nothing of them.
        ``at_import``: also look at what happens at import (``@import``). ``order``: what only the company in a batch moves is
        impure as well; without it such fields are left out, since a divergence was confirmed alone.
        """

        def run(pair: Pair) -> Iterator[tuple[Fixture, RawWire, RawWire]]:
            for seen in (pair.run_apart(again(ids), known or {}), pair.run(again(alone), batch=1)):
                for one in seen:
                    self.ran += 1
                    self.returned |= one[1][0].startswith(RETURNED) or _DONE in one[1][0]
                    yield one

        found = self._differing(self._all, run, at_import=at_import)
        causes = self._causes(found, again, order=order) if found else {}
        out: dict[str, list[Impure]] = {}
        for (one, field), cause in sorted(causes.items()):
            out.setdefault(one, []).append(Impure(field=field, cause=cause, paths=self._paths.get((one, field), ())))
        return {one: tuple(impure) for one, impure in out.items()}

    def _differing(self, change: Mapping[str, Any], run: Run, *, at_import: bool) -> Fields:
        """What differs between the worker that is there and a new one under other conditions."""
        found: Fields = {}
        with Pair.beside(self._worker, replace(self._worker.conditions, **change)) as pair:
            comparer = Comparer(self._settings, self._rules, pair)
            if at_import:
                self._collect(found, comparer.at_import())
            for fixture, one, other in comparer.ahead(run(pair)):
                if one != other or not one[0].startswith(ENDED):  # of other ends the comparison says what they are
                    self._collect(found, comparer(fixture, one, other))
        return found

    def _collect(self, found: Fields, comparison: Comparison) -> None:
        if comparison.status == "error":
            self.errors[comparison.id] = comparison
        if comparison.status == "undecided":
            self.undecided[comparison.id] = comparison
        rows = (*comparison.divergences, *comparison.noted)
        self._long.update((comparison.id, one.field) for one in rows if is_long(one))
        for one in rows:
            self._paths.setdefault((comparison.id, one.field), one.paths)
        fields = {one.field for one in rows}.intersection(self._settings.gated)
        if fields:
            found.setdefault(comparison.id, set()).update(fields)

    def _causes(self, found: Fields, again: Again, *, order: bool) -> dict[tuple[str, str], str]:
        """Each perturbation by itself, on what differed; last, whether it was the company in the batch."""
        at_import = IMPORT_ID in found
        causes: dict[tuple[str, str], list[str]] = {(one, field): [] for one, fields in found.items() for field in fields}

        def look(name: str, change: Mapping[str, Any], keys: Iterable[tuple[str, str]]) -> None:
            ids = sorted({one for one, _ in keys} - {IMPORT_ID})
            batch = 1 if len(ids) <= ALONE_AT_MOST else BATCH
            moved = self._differing(change, lambda pair: pair.run(again(ids), batch=batch), at_import=at_import)
            for one, field in keys:
                if field in moved.get(one, ()):
                    causes[one, field].append(name)

        look(CHANCE, {}, causes)
        steady = {key: known for key, known in causes.items() if not known}
        for name, change in self._perturbations.items():
            if steady:  # what differs from run to run would differ under any of them
                look(name, change, steady)
        if unmoved := [key for key, known in steady.items() if not known]:
            look(TOGETHER, self._all, unmoved)
        # Of a long value only its digest was seen in company: rules may well hide what differed.
        # A cache that the library fills at its first use reads files and names once: whose fixture that is, is no matter.
        company = {key for key in causes if order and key not in self._long and not key[1].startswith("effects.")}
        return {key: _cause(known) for key, known in causes.items() if (known or key in company) and not _follows(key[1], known)}


def _follows(field: str, known: Sequence[str]) -> bool:
    """True where only what is read moves, and only with time zone or locale: another zone or language has other files and names.

    Both sides always run under the same, so no divergence could come of it; what is *made* of them is another field.
    """
    return field in _READ and bool(known) and _SETTLED.issuperset(known)


def _cause(known: Sequence[str]) -> str:
    """Chance alone where it is chance; what differs only in a batch differs by what ran before it."""
    return CHANCE if CHANCE in known else ", ".join(known) or ORDER


def apply(comparison: Comparison, impure: tuple[Impure, ...]) -> Comparison:
    """The comparison without the rows that the impure fields would have. Its status: impure, or what is worse."""
    fields = {one.field for one in impure}
    kept = tuple(one for one in comparison.divergences if not _is_chance(one, fields))
    status = comparison.status if comparison.status in {"error", "undecided"} else "impure"
    return replace(comparison, status=status, divergences=kept, impure=impure)


def _is_chance(row: Divergence, fields: set[str]) -> bool:
    if row.field == "ok":
        return bool(fields & (_PINNED_IN_OK | {"ok"}))
    return row.field in fields or ("ok" in fields and row.field in _OUTCOME)
