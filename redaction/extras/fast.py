"""All literals of the rule pack in one pass, by ahocorasick-rs.

Taken wherever it is installed (the extra ``fast``), since it changes no result, only the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def finder(literals: Sequence[str]) -> Callable[[str], set[int]] | None:
    """What says which of the literals stand in an ASCII text, by number; None where the package is not installed."""
    try:
        from ahocorasick_rs import AhoCorasick
    except ImportError:
        return None
    automaton = AhoCorasick(list(literals))

    def find(text: str) -> set[int]:
        return {number for number, _, _ in automaton.find_matches_as_indexes(text, overlapping=True)}

    return find
