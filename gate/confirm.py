"""Nothing that a batch showed is believed of a fixture before it was run alone (design, section 7; docs/adr/0012).

A divergence is run again in a fork of its own, and that run counts. Failures that are alike on both sides are sampled:
a fixture that broke the process for the rest of its batch breaks it on both sides, and would hide what comes after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.rows import is_long
from gate.runner import BATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gate.comparer import Comparer
    from gate.observed import Observed
    from gate.runner import Pair
    from gate.types import Fixture

    Again = Callable[[Iterable[str]], Iterator[Fixture]]  # these fixtures once more, in this order

# Above this many non-matches of a target, a second, shuffled batch run confirms instead of a fork for each.
ALONE_AT_MOST = 500


def confirm(seen: Observed, pair: Pair, comparer: Comparer, again: Again, ids: list[str]) -> None:
    """Run diverging fixtures again: alone, or, where they are many, in a shuffled batch and alone where that disagrees."""
    # What crossed as a digest crosses whole where it runs alone, so that rules reach into it.
    long = dict.fromkeys(one for one in ids if any(map(is_long, seen.notable[one].divergences)))
    if len(ids) > ALONE_AT_MOST:
        import random

        shuffled = [one for one in ids if one not in long]
        random.Random(len(ids)).shuffle(shuffled)  # noqa: S311  # an order, not a secret; seeded so that runs repeat
        ids = [
            *long,
            *(
                fixture.id
                for fixture, one, other in pair.run(again(shuffled), batch=BATCH)
                if comparer(fixture, one, other).divergences != seen.notable[fixture.id].divergences
            ),
        ]
    run_alone(seen, pair, comparer, again, ids)


def run_alone(seen: Observed, pair: Pair, comparer: Comparer, again: Again, ids: Iterable[str]) -> None:
    """Run fixtures again, each in a fork of its own; that run counts."""
    for fixture, one, other in pair.run(again(ids), batch=1):
        before = seen.unbook(fixture.id)
        alone = comparer(fixture, one, other)
        rows = before.divergences if before else ()
        if alone.divergences != rows and not any(map(is_long, rows)):
            seen.unsteady.append(fixture.id)
        seen.book(alone)
        if alone.status == "diverging":
            seen.keep(fixture.id, one)


def kind_of_end(record: bytes) -> bytes:
    """What equal failures are grouped by: the record up to its message."""
    return record.partition(b',"msg":')[0]


def blamed_on_the_batch(pair: Pair, again: Again, alike: Mapping[bytes, Mapping[str, int]]) -> list[str]:
    """Fixtures that failed alike on both sides only because of what others in their fork left behind.

    Of each kind of failure the first, the middle and the last fixture are run again, all in one fork and the last in the
    corpus first, so that none has before it what it had before it; where one ends in another way, all of its kind are run alone.
    ``alike`` has by kind the ids with their places in the corpus, in that order.
    """
    samples: dict[str, tuple[int, bytes]] = {}
    for kind, places in alike.items():
        ids = list(places)
        samples |= {ids[at]: (places[ids[at]], kind) for at in (0, len(ids) // 2, -1)}
    order = sorted(samples, key=lambda one: samples[one], reverse=True)
    blamed: dict[bytes, None] = {}
    for fixture, one, other in pair.run(again(order), batch=BATCH):
        kind = samples[fixture.id][1]
        if kind_of_end(one[0]) != kind or kind_of_end(other[0]) != kind:
            blamed[kind] = None
    return [fixture_id for kind in blamed for fixture_id in alike[kind]]
