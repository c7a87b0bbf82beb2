"""How to look: the profile, what is known beforehand, and what looks besides our own detectors.

``balanced`` is for reports on one's own machine: what has the shape, the name or the place of a secret. ``strict`` is for what
leaves the machine or is read by everybody, and the default wherever nobody says otherwise: it also hides long words without
meaning. Source: study of redaction, section 6 ("Profiles") and section 5 ("Exact values first").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    # A detector of someone else: positions in code points and a kind. It can only add spans. Entry point `shadow.detectors`.
    Extra = Callable[[str], Iterable[tuple[int, int, str]]]

Profile = Literal["balanced", "strict"]
SHORTEST_EXACT = 8  # a shorter value would hide half the text (actions/runner#326)


class _Fields(NamedTuple):
    profile: Profile
    exact: tuple[str, ...]
    extras: tuple[Extra, ...]
    seconds: float


class Policy(_Fields):
    """One way of looking. ``exact``: values that are secret whatever they look like, at least eight characters each.

    ``seconds`` is what one scope may take; a scope that takes longer is closed. ``ValueError`` for a value that is too short.
    """

    __slots__ = ()

    def __new__(  # noqa: D102 - the class says it
        cls, *, profile: Profile = "strict", exact: tuple[str, ...] = (), extras: tuple[Extra, ...] = (), seconds: float = 20.0
    ) -> Self:
        if any(len(value) < SHORTEST_EXACT for value in exact):
            raise ValueError(f"an exact value has at least {SHORTEST_EXACT} characters")
        return super().__new__(cls, profile, exact, extras, seconds)

    def __repr__(self) -> str:
        return f"Policy({self.profile}, {len(self.exact)} exact values, {len(self.extras)} extras)"

    def with_profile(self, profile: Profile) -> Policy:
        """The same knowledge under another profile."""
        return Policy(profile=profile, exact=self.exact, extras=self.extras, seconds=self.seconds)


STRICT = Policy()
BALANCED = Policy(profile="balanced")
