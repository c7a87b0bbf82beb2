"""What surrounds a run and must not show in what a target does: the purity check moves one of these at a time."""

from __future__ import annotations

from dataclasses import dataclass

from gate.types import Value

# The moment that targets see unless a contract or a fixture says another: 2026-01-01 00:00:00 UTC, in seconds since the epoch.
NOW = 1767225600.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Conditions(Value):
    """The same on both sides of a comparison.

    ``now``: seconds since the epoch at which the clock stands still; ``seed`` of the random number generators;
    ``zone`` and ``locale`` as in ``TZ`` and ``LC_ALL``; ``temp`` a word that becomes part of the temp root's path.
    """

    hash_seed: str = "0"
    now: float = NOW
    seed: int = 0
    zone: str = "UTC"
    locale: str = "C.UTF-8"
    umask: int = 0o022
    temp: str = ""
