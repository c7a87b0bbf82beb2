"""The figures as text."""

import math
from collections.abc import Sequence

from benchmarks.redaction.items import CORE, LOOSE
from benchmarks.redaction.judge import Outcome
from benchmarks.redaction.measure import Figures, Slow

_SHOWN = 400
_COLUMNS = (*CORE, "core", "encoded", "pii")


def summary(all_figures: Sequence[Figures]) -> str:
    """One line per contestant, as Markdown: recall by group, partial leaks, false alarms, pairs, payloads, speed, hostile texts."""
    head = ["contestant", *_COLUMNS, "partial", "false alarms", "pairs", "harmless", "MB/s", "worst s", "worst factor"]
    lines = [head, ["---"] * len(head)]
    for figures in all_figures:
        groups = figures.verdicts.groups
        partial = sum(groups[group].partial for group in ("core", "encoded", "pii"))
        alarms = groups["negative"]
        lines.append(
            [
                figures.name,
                *(f"{groups[group].recall:.3f}" for group in _COLUMNS),
                str(partial),
                f"{alarms.bad}/{alarms.total}",
                f"{figures.pairs_kept}/{figures.pairs_kept + len(figures.pairs_lost)}",
                f"{100 * len(figures.touched) / max(figures.payloads, 1):.2f} %",
                f"{figures.speed:.2f}",
                _seconds(max((slow.seconds[-1] for slow in figures.slow), default=math.nan)),
                _seconds(max((slow.factor for slow in figures.slow), default=math.nan)),
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def details(figures: Figures) -> str:
    """Of one contestant: counts by group, kinds with misses or false alarms, what is slow."""
    found = figures.verdicts
    lines = [f"\n== {figures.name}"]
    for group in (*_COLUMNS, *LOOSE):
        tally = found.groups[group]
        lines.append(
            f"{group:16} {tally.recall:.3f}  {tally.total - tally.bad}/{tally.total}, partial leaks {tally.partial}{_kinds(figures, group)}"
        )
    alarms = found.groups["negative"]
    lines.append(f"{'negatives':16} flagged {alarms.bad}/{alarms.total}{_kinds(figures, 'negative')}")
    lines.append(f"{'pairs':16} kept {figures.pairs_kept}/{figures.pairs_kept + len(figures.pairs_lost)}  {', '.join(figures.pairs_lost)}")
    if figures.payloads:
        share = 100 * len(figures.touched) / figures.payloads
        lines.append(
            f"{'harmless':16} touched {share:.2f} % of {figures.payloads}, {figures.speed:.2f} MB/s, median {figures.median_ms:.3f} ms"
        )
    slowest = sorted(figures.slow, key=lambda slow: -slow.seconds[-1])
    steepest = sorted(figures.slow, key=lambda slow: -slow.factor)
    return "\n".join(lines + [_slow(slow) for slow in dict.fromkeys(slowest[:6] + steepest[:3])])


def _kinds(figures: Figures, group: str) -> str:
    """The kinds of a group in which something went wrong, the worst first."""
    bad = sorted(((-tally.bad, kind, tally) for (of, kind), tally in figures.verdicts.kinds.items() if of == group and tally.bad))
    shown = ", ".join(f"{kind} {tally.bad}/{tally.total}" for _, kind, tally in bad[:14])
    return f"  wrong: {shown}{' ..' if len(bad) > 14 else ''}" if shown else ""


def _slow(slow: Slow) -> str:
    return f"{'hostile':16} {slow.shape:16} {' -> '.join(map(_seconds, slow.seconds))} s, factor {_seconds(slow.factor)}"


def _seconds(seconds: float) -> str:
    return "-" if math.isnan(seconds) else "over the limit" if math.isinf(seconds) else f"{seconds:.2f}"


def misses(figures: Figures) -> str:
    """Every miss, partial leak and false alarm, by group, with its text and what came out."""
    groups = list(dict.fromkeys(outcome.item.group for outcome in figures.verdicts.outcomes))
    lines = []
    for group in sorted(groups, key=lambda group: group in LOOSE):
        wrong = figures.verdicts.wrong(group)
        lines += [f"\n-- {figures.name}: {group}, {len(wrong)} wrong", *map(_entry, wrong)]
    lines += [f"\n-- {figures.name}: pairs", *figures.pairs_lost, f"\n-- {figures.name}: harmless", *figures.touched[:20]]
    return "\n".join(lines)


def _entry(outcome: Outcome) -> str:
    what = "PARTIAL LEAK" if outcome.partial else "miss" if outcome.item.secrets else "false alarm"
    secrets = f"\n    secret  {outcome.item.secrets!r}"[:_SHOWN] if outcome.item.secrets else ""
    same = "(unchanged)" if outcome.out == outcome.item.text else repr(outcome.out)[:_SHOWN]
    return f"{what}: {outcome.item.id}\n    text    {outcome.item.text!r}"[: 2 * _SHOWN] + f"{secrets}\n    out     {same}"
