"""The report as values: what ``report.json`` holds (design, section 12), and the way from and to JSON.

``to_json``/``from_json`` are the only places that know the file's key names. Everything outside ``run``
is byte-identical for identical inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.errors import EXIT_FAIL, EXIT_PASS, EXIT_UNDECIDED
from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.types import VerdictWord

VERSION = 1
COUNT_KEYS = (
    "fixtures",
    "match",
    "trivial",
    "diverging",
    "impure",
    "undecided",
    "error",
    "accept",
    "reject",
    "unclassified",
    "stale",
    "smoothed",
    "noted",
)


def side_words(side: Mapping[str, Any]) -> str:
    """What a side is, for people: its pin, but for the default candidate."""
    return "the working tree" if side.get("kind") == "tree" else str(side.get("pin", "?"))


_NOTHING: Mapping[str, Any] = {}


class Entry(Value):
    """One divergence with its verdict. ``row`` is the deciding row's ``file:line``; ``near`` that of a near miss; ``why`` one sentence.

    ``attribution`` whose it is (``yours``, ``already there``), where that was asked for.
    """

    id: str
    field: str
    baseline: str
    candidate: str
    verdict: VerdictWord
    fingerprint: str
    fixture_sha256: str | None
    row: str | None
    reason: str | None
    paths: tuple[str, ...]
    near: str | None = None
    why: str = ""
    attribution: str | None = None


class Report(Value):
    """One finished comparison. The lists hold JSON-shaped mappings with the keys the design names.

    ``redacted``: as everybody may read it, and nothing can be decided from it.
    ``noted``: id, field, baseline, candidate. ``smoothed``: id, field, rules, paths. ``impure``: id, field, cause.
    ``undecided`` and ``errors``: id, cause. ``stale`` and ``standing``: id, field, row, why.
    ``redacted``: as everybody may read it, and nothing can be decided from it.
    """

    passed: bool
    counts: Mapping[str, int]
    baseline: Mapping[str, Any]
    candidate: Mapping[str, Any]
    corpus: Mapping[str, Any]
    canonical: Mapping[str, Any]
    config: Mapping[str, Any]
    trust: Mapping[str, Any]
    divergences: tuple[Entry, ...] = ()
    noted: tuple[Mapping[str, Any], ...] = ()
    smoothed: tuple[Mapping[str, Any], ...] = ()
    impure: tuple[Mapping[str, Any], ...] = ()
    undecided: tuple[Mapping[str, Any], ...] = ()
    errors: tuple[Mapping[str, Any], ...] = ()
    stale: tuple[Mapping[str, Any], ...] = ()
    standing: tuple[Mapping[str, Any], ...] = ()
    notices: tuple[str, ...] = ()
    run: Mapping[str, Any] = _NOTHING
    redacted: bool = False

    @property
    def unclassified(self) -> int:
        """Number of divergences that no counted row classifies."""
        return self.counts["unclassified"]

    def exit_code(self) -> int:
        """0 pass, 1 fail, 3 where single fixtures could not be decided and nothing fails (design, section 4)."""
        if self.counts["unclassified"] or self.counts["reject"] or self.counts["stale"]:
            return EXIT_FAIL
        return EXIT_PASS if self.passed else EXIT_UNDECIDED
