"""Which fixtures run: those that ``--only`` names, those of one target, and each of them again when it is asked for."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from gate.config.words import shown
from gate.corpus.read import read
from gate.errors import NothingRanError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from gate.corpus.listing import Item, Listing
    from gate.corpus.read import CorpusDigest
    from gate.types import Fixture, Target


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


def no_fixture(corpus: Path) -> NothingRanError:
    """What is said of a corpus without a fixture."""
    return NothingRanError(f"there is no fixture below {shown(corpus)}", remedy="add one: `shadow init` writes a first hostile set")


class Chosen:
    """The fixtures of one target that run, read one at a time and fed to the corpus digest on the way."""

    def __init__(self, listing: Listing, target: Target | None, ids: Sequence[str] | None, digest: CorpusDigest) -> None:
        self._listing, self._target, self._ids, self._digest = listing, target, ids, digest

    def __iter__(self) -> Iterator[Fixture]:
        for item in self._items():
            fixture = read(item)
            self._digest.add(fixture.id, fixture.sha256)
            yield fixture

    def _items(self) -> Iterator[Item]:
        items = self._listing if self._ids is None else filter(None, map(self._listing.find, self._ids))
        return (item for item in items if self._target is None or item.target.name == self._target.name)

    def ids(self) -> Iterator[str]:
        """The ids of these fixtures, in order."""
        return (item.id for item in self._items())

    def again(self, ids: Iterable[str]) -> Iterator[Fixture]:
        """These fixtures once more, in this order."""
        return (read(item) for item in map(self._listing.find, ids) if item is not None)
