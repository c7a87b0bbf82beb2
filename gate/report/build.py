"""From what was observed to the report: verdicts, statuses, counts that add up. No process is started and no target runs here."""

from __future__ import annotations

import os
import time
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from gate import corpus, enforcement, verdict
from gate.canonical.rules import DEFAULT_RULES
from gate.config import settings_json
from gate.digest import sha256
from gate.purity import PERTURBATIONS
from gate.report.model import COUNT_KEYS, Entry, Report
from gate.types import FIELDS, IMPORT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gate.attribution import Attribution
    from gate.canonical.rules import Rule
    from gate.corpus import CorpusDigest, Listing
    from gate.ledger.read import Ledger
    from gate.observed import Observed
    from gate.pins import Sides
    from gate.types import Comparison, Divergence, Judged, LedgerRow, Settings, StaleRow

# Raise it whenever a rule's meaning changes: the report's canonical digest must change with it.
CANONICAL_VERSION = 2


def build(
    settings: Settings,
    sides: Sides,
    listing: Listing,
    ledger: Ledger,
    observed: Sequence[Observed],
    *,
    digest: CorpusDigest,
    rules: Sequence[Rule],
    facts: Mapping[str, Any],
    attribution: Attribution | None = None,
) -> Report:
    """The report of a finished run."""
    comparisons = _comparisons(observed)
    relies_on = _relies_on(settings)
    today = datetime.now(UTC).date()
    whose = {} if attribution is None else attribution.words
    said = () if attribution is None else (attribution.notice(),)
    judged = [verdict.judge(one, ledger, require=settings.require, today=today, relies_on=relies_on) for one in _divergences(comparisons)]
    # Equal code reproduces nothing: rows of the ledger wait for a change, they have not outlived one.
    partial = bool(settings.only) or sides.no_code_change
    stale, standing = ((), ()) if partial else _unmatched(listing, ledger, comparisons, relies_on)
    counts = _counts(observed, judged)
    counts["stale"] = len(stale)
    noted = [one for comparison in comparisons for one in comparison.noted]
    smoothed = [one for comparison in comparisons for one in comparison.smoothed]
    counts["noted"], counts["smoothed"] = len(noted), len(smoothed)
    canonical = _canonical(settings, rules, comparisons)
    # A fixture that ended in an error may have been the one that a rule is for.
    idle = () if partial or counts["error"] else _idle(canonical["fired"])
    empty = [seen.target.name for seen in observed if seen.only_trivial]
    impure = tuple(
        {"id": c.id, "field": one.field, "cause": one.cause, "paths": [str(change) for change in one.paths]}
        for c in comparisons
        for one in c.impure
    )
    bad = ("unclassified", "reject", "stale", "error", "undecided", "impure")
    return Report(
        passed=not any(counts[key] for key in bad) and not impure and not empty,
        counts={key: counts[key] for key in COUNT_KEYS},
        baseline=_side(sides, "baseline"),
        candidate=_side(sides, "candidate"),
        corpus={"digest": digest.hexdigest(), "count": digest.count, "seed": _seed(settings)},
        canonical=canonical,
        config=_config(settings),
        trust={"require": settings.require, "source": settings.require_source},
        divergences=tuple(_entry(one, whose.get(verdict.identity(one.divergence))) for one in judged),
        noted=tuple({"id": d.id, "field": d.field, "baseline": d.baseline, "candidate": d.candidate} for d in noted),
        smoothed=tuple(
            {"id": s.id, "field": s.field, "rules": list(s.rules), "paths": [str(change) for change in s.paths]} for s in smoothed
        ),
        impure=impure,
        undecided=tuple({"id": c.id, "cause": c.cause} for c in comparisons if c.status == "undecided"),
        errors=tuple({"id": c.id, "cause": c.cause} for c in comparisons if c.status == "error"),
        stale=tuple(_stale(one) for one in stale),
        standing=tuple(_standing(row) for row in standing),
        notices=(*_no_code_change(sides, judged), *said, *settings.notices, *sides.notices, *_notices(observed, empty, settings), *idle),
        run=_run(settings, sides, facts, observed),
    )


def _comparisons(observed: Sequence[Observed]) -> list[Comparison]:
    """Everything worth a line, in the order of ids; what happened at import comes first."""
    found = [seen.at_import for seen in observed if seen.at_import is not None]
    for seen in observed:
        found.extend(seen.notable.values())
    return sorted(found, key=lambda one: (one.id != IMPORT_ID, one.id))


def divergences(observed: Sequence[Observed]) -> list[Divergence]:
    """Every divergence that was seen, once, in the order of the report."""
    return _divergences(_comparisons(observed))


def _divergences(comparisons: Iterable[Comparison]) -> list[Divergence]:
    """Each divergence once: several targets of one package share what happens at import."""
    order = {name: at for at, name in enumerate(FIELDS)}
    seen: dict[tuple[str, str, str, str], Divergence] = {}
    for comparison in comparisons:
        for one in sorted(comparison.divergences, key=lambda d: order.get(d.field, len(order))):
            seen.setdefault((one.id, one.field, one.baseline, one.candidate), one)
    return list(seen.values())


def _counts(observed: Sequence[Observed], judged: Sequence[Judged]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seen in observed:
        counts["fixtures"] += seen.fixtures
        # A target on which nothing ever returns shows nothing by agreeing (design, section 6: trivial).
        agreeing = "match" if seen.returned else "trivial"
        counts[agreeing] += seen.plain
        counts["trivial"] += seen.trivial
        for comparison in seen.notable.values():
            counts[agreeing if comparison.status == "match" else comparison.status] += 1
    counts.update(one.verdict for one in judged)
    return counts


def _unmatched(
    listing: Listing, ledger: Ledger, comparisons: Sequence[Comparison], relies_on: Callable[[str], bool]
) -> tuple[Sequence[StaleRow], Sequence[LedgerRow]]:
    """Stale accept rows and standing reject rows."""
    blind = {one.id for one in comparisons if one.status in {"undecided", "error", "impure"}}

    def digest_of(fixture_id: str) -> str | None:
        item = listing.find(fixture_id)
        return None if item is None else corpus.read(item).sha256

    return verdict.stale(
        ledger,
        seen=[divergence for one in comparisons for divergence in (*one.divergences, *one.noted)],
        ran=lambda fixture_id: fixture_id in listing and fixture_id not in blind,
        exists=lambda fixture_id: fixture_id in listing,
        sha256=digest_of,
        relies_on=relies_on,
        anything_ran=IMPORT_ID not in blind,
    )


def _relies_on(settings: Settings) -> Callable[[str], bool]:
    """Whether the file that a row leans on still has the digest that was signed. Paths are relative to the checkout."""
    from gate.ledger.values import parse_relies_on

    root = settings.checkout or (settings.folder.parent if settings.folder else settings.ledger.parent)

    def holds(text: str) -> bool:
        parsed = parse_relies_on(text)
        # A file of the project: nothing above it, no device that never ends.
        if parsed is None or parsed[0].startswith("/") or ".." in parsed[0].split("/"):
            return False
        try:
            path = root / parsed[0]
            return path.is_file() and sha256(path.read_bytes()).hexdigest() == parsed[1]
        except (OSError, ValueError):
            return False

    return holds


def _entry(one: Judged, whose: str | None) -> Entry:
    divergence = one.divergence
    return Entry(
        id=divergence.id,
        field=divergence.field,
        baseline=divergence.baseline,
        candidate=divergence.candidate,
        verdict=one.verdict,
        fingerprint=one.fingerprint,
        fixture_sha256=divergence.fixture_sha256,
        row=str(one.row.place) if one.row else None,
        reason=one.row.reason if one.row else None,
        paths=(*map(str, divergence.paths), *([f"{divergence.more} more"] if divergence.more else [])),
        near=str(one.near.place) if one.near else None,
        why=one.why,
        attribution=whose,
    )


def _stale(one: StaleRow) -> dict[str, Any]:
    return {"id": one.row.id, "field": one.row.field, "row": str(one.row.place), "why": one.why}


def _standing(row: LedgerRow) -> dict[str, Any]:
    return {"id": row.id, "field": row.field, "row": str(row.place), "why": "a reject row stands until a person takes it out"}


def _side(sides: Sides, name: str) -> dict[str, Any]:
    side = sides.baseline if name == "baseline" else sides.candidate
    return {"pin": str(side.pin), "digest": side.code_digest, **side.facts}


def _config(settings: Settings) -> dict[str, Any]:
    """The contract's digest, and the inputs that every fixture shares: what the targets' clock shows, and the seed of their chance."""
    now = datetime.fromtimestamp(settings.conditions.now, UTC).isoformat().replace("+00:00", "Z")
    return {"digest": settings.config_digest, "now": now, "seed": settings.conditions.seed}


def _canonical(settings: Settings, rules: Sequence[Rule], comparisons: Iterable[Comparison]) -> dict[str, Any]:
    fired = Counter(rule for comparison in comparisons for rule in comparison.fired)
    own = [rule for rule in rules if rule.place is not None]
    more = [f"{one.name} {list(one.gated)}" for one in settings.targets if one.gated]
    text = "\n".join((str(CANONICAL_VERSION), *settings.rules, "", *settings.gated, "", settings.canonicalize or "", *more))
    return {
        "digest": sha256(text.encode()).hexdigest(),
        "rules": list(settings.rules),
        "gated": list(settings.gated),
        "project": {"digest": settings.canonicalize, "rules": [rule.name for rule in own]} if settings.canonicalize else None,
        "fired": {name: fired[name] for name in (*settings.rules, *(rule.name for rule in own))},
    }


def _idle(fired: Mapping[str, int]) -> tuple[str, ...]:
    """What is said of rules that somebody asked for, and that changed nothing: dead ones are how a gate goes blind unseen."""
    names = [name for name, count in fired.items() if not count and name not in DEFAULT_RULES]
    if not names:
        return ()
    rules = "rules" if len(names) > 1 else "rule"
    return (f"no difference of this run was touched by the {rules} {', '.join(names)}; mend the path, or take it out",)


def _seed(settings: Settings) -> str | None:
    """What CORPUS_SEED says, where fixtures were generated."""
    path = settings.folder / "CORPUS_SEED" if settings.folder else None
    return path.read_text(encoding="utf-8", errors="replace").strip()[:200] if path and path.is_file() else None


def _no_code_change(sides: Sides, judged: Sequence[Judged]) -> tuple[str, ...]:
    """What is said where two different commits hold the same code; the fixtures ran all the same, since data may differ."""
    if not sides.no_code_change:
        return ()
    said = "no code change: import roots and requirements are equal on both sides"
    return (f"{said}, so what differs comes from files outside the import roots" if judged else said,)


def _notices(observed: Sequence[Observed], empty: Sequence[str], settings: Settings) -> list[str]:
    failures = {seen.target.name: f" ({seen.failure})" if seen.failure else "" for seen in observed}
    which = "every fixture of this partial run" if settings.only else "every fixture"
    out = [f"target {name}: {which} fails alike on both sides, so agreement means nothing{failures[name]}" for name in empty]
    for seen in observed:
        if seen.target.name not in empty and 2 * seen.failing > seen.fixtures:
            what = f"{seen.failing} of {seen.fixtures} fixtures fail alike on both sides{failures[seen.target.name]}, which compares little"
            out.append(f"target {seen.target.name}: {what}: add some that the function can work with, or an adapter")
    out += enforcement.refusals({one: act for seen in observed for one, act in seen.refused.items()})
    unsteady = sum(len(seen.unsteady) for seen in observed)
    if unsteady:
        first = next(seen.unsteady[0] for seen in observed if seen.unsteady)
        some = f"{unsteady} fixtures, for example {first}," if unsteady > 1 else first
        out.append(f"{some} differed in a batch but not in the same way alone; the lone run counts")
    caught: dict[str, list[str]] = {}
    for seen in observed:
        for one in seen.notable.values():
            if one.still_caught and one.divergences:
                caught.setdefault(one.still_caught, []).append(one.id)
    out += [f"{said} ({ids[0]}{f' and {len(ids) - 1} more' if ids[1:] else ''})" for said, ids in sorted(caught.items())]
    threads = [seen.target.name for seen in observed if seen.threads]
    if threads:
        out.append(
            f"importing {', '.join(threads)} starts threads, which a fork would not have; each batch runs in a fresh process instead"
        )
    out += [text for seen in observed for text in enforcement.leaks(seen.target.name, seen.leaked, seen.alone_for_leaks)]
    if any(seen.hello and seen.hello.get("clock") is None for seen in observed):
        out.append("the clock of this interpreter cannot be frozen: targets see the real time")
    if settings.only:
        out.append("a partial run: no row was called stale")
    return out


def _run(settings: Settings, sides: Sides, facts: Mapping[str, Any], observed: Sequence[Observed]) -> dict[str, Any]:
    """Times and host facts: the only part of the report that two equal runs may differ in."""
    from gate import __version__
    from gate.environment.startup import startup

    hello = next((seen.hello for seen in observed if seen.hello), {})
    enforced, unenforced = enforcement.obtained(hello for seen in observed for hello in seen.hellos)
    started = float(facts.get("started", time.time()))
    return {
        "shadow": __version__,
        "started": datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        "seconds": round(time.time() - started, 3),
        "system": f"{os.uname().sysname} {os.uname().machine}",
        "python": hello.get("python"),
        "build": hello.get("build"),
        "executable": hello.get("executable"),
        "startup": startup(sides.baseline.interpreter.packages),
        "flags": hello.get("flags"),
        "clock": hello.get("clock"),
        "enforced": enforced,
        "unenforced": unenforced,
        "strict": settings.strict,
        "purity": {"scope": settings.purity, "checked": sum(seen.checked for seen in observed), "perturbed": [*PERTURBATIONS, "order"]},
        **({"reused": [{"target": seen.target.name, **seen.reuse.facts()} for seen in observed if seen.reuse]} if settings.reuse else {}),
        "command": list(facts.get("command", ())),
        "settings": settings_json(settings),
    }
