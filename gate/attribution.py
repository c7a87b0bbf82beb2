"""Whose divergence is it? With ``--attribute COMMIT`` (in CI: the merge base) the diverging fixtures, and only they, run there as well.

What the baseline and that commit differ in with the same texts was there before the patch ("already there"); everything else is
"yours". The verdict does not change: a divergence from the baseline must be classified, whoever brought it (issue 3, item 11).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gate.errors import PinError, SameSidesError, ShadowError, UsageError
from gate.types import Pin, Value, replace
from gate.verdict import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gate.types import Comparison, Divergence, Settings

    Rerun = Callable[[Settings, Sequence[str]], Mapping[str, Comparison]]

Word = Literal["yours", "already there"]


_NOTHING: Mapping[str, Word] = {}


class Attribution(Value):
    """By identity of a divergence, whose it is. Empty, with a sentence in ``why``, where the commit could not be run."""

    commit: str
    words: Mapping[str, Word] = _NOTHING
    why: str = ""

    def notice(self) -> str:
        """What the screen says."""
        if self.why:
            return f"not attributed: {self.commit[:12]} could not be run ({self.why}); the verdict does not depend on it"
        yours = sum(word == "yours" for word in self.words.values())
        return f"attributed at {self.commit[:12]}: {yours} yours, {len(self.words) - yours} already there; the verdict is the same"


def find_commit(settings: Settings, name: str) -> str:
    """The full hash of the commit that ``--attribute`` names. Raises UsageError kinds."""
    if settings.checkout is None:
        raise UsageError("--attribute names a commit, and this is no git work tree", remedy="run it inside the repository, or leave it out")
    from gate.pins import git

    repository = git.open_repository(settings.checkout)
    found = git.find_commit(repository, name)
    if found is None:
        missing = git.missing(repository, name, side="--attribute")
        raise PinError(missing.what, remedy=missing.remedy)
    return found


def attribute(settings: Settings, commit: str, divergences: Sequence[Divergence], rerun: Rerun) -> Attribution:
    """Run what diverges at ``commit``. What goes wrong there is said and decides nothing."""
    there: Mapping[str, Comparison] = {}
    if divergences:
        try:
            there = rerun(replace(settings, candidate=Pin(kind="git", value=commit)), sorted({one.id for one in divergences}))
        except SameSidesError:  # it is the baseline, or holds its code: nothing was there before
            pass
        except ShadowError as error:
            return Attribution(commit=commit, why=error.what)
    seen = {identity(row) for comparison in there.values() for row in comparison.divergences}
    words: dict[str, Word] = {mark: "already there" if mark in seen else "yours" for mark in map(identity, divergences)}
    return Attribution(commit=commit, words=words)
