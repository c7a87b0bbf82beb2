"""Reports to test with: ``make`` fills in what a test does not say."""

from typing import Any

from gate.report.model import COUNT_KEYS, Entry, Report
from gate.terminal import Reader
from gate.types import Divergence
from gate.verdict import fingerprint


def entry(fixture_id: str, field: str = "value", baseline: str = "1", candidate: str = "2", **more: Any) -> Entry:
    values: dict[str, Any] = {
        "verdict": "unclassified",
        "fingerprint": fingerprint(Divergence(id=fixture_id, field=field, baseline=baseline, candidate=candidate)),
        "fixture_sha256": "ab" * 32,
        "row": None,
        "reason": None,
        "paths": (f"/: {baseline} -> {candidate}",),
        "near": None,
        "why": "no row has this fixture id and field",
    }
    return Entry(id=fixture_id, field=field, baseline=baseline, candidate=candidate, **(values | more))


class Replacing(Reader):
    """Shows no secret, and takes care of nothing else."""

    def text(self, text: str) -> str:
        return text.replace("secret", "X")


def make(*entries: Entry, counts: dict[str, int] | None = None, **more: Any) -> Report:
    """A report whose counts agree with its lists; statuses are made up to fit."""
    found = dict.fromkeys(COUNT_KEYS, 0)
    for one in entries:
        found[one.verdict] += 1
    found["diverging"] = len({one.id for one in entries})
    for key, name in (
        ("stale", "stale"),
        ("smoothed", "smoothed"),
        ("noted", "noted"),
        ("error", "errors"),
        ("undecided", "undecided"),
        ("impure", "impure"),
    ):
        found[key] = len(more.get(name, ()))
    found["match"] = 5
    found["fixtures"] = sum(found[key] for key in ("match", "diverging", "error", "undecided", "impure"))
    found |= counts or {}
    values: dict[str, Any] = {
        "passed": not any(found[key] for key in ("unclassified", "reject", "stale", "error", "undecided", "impure")),
        "baseline": {"pin": "git:0123456789abcdef0123456789abcdef01234567"},
        "candidate": {"pin": "tree:."},
        "corpus": {"digest": "cd" * 32, "count": found["fixtures"], "seed": None},
        "canonical": {"digest": "ef" * 32, "fired": {}},
        "config": {"digest": None},
        "trust": {"require": "none", "source": "no shadow.toml"},
        "run": {"command": ["shadow", "compare"], "seconds": 1.5},
    }
    return Report(counts=found, divergences=entries, **(values | more))
