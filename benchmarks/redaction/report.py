"""The figures as text."""

from benchmarks.redaction.items import CORE, LOOSE
from benchmarks.redaction.judge import Outcome
from benchmarks.redaction.measure import Figures, Slow

_SHOWN = 400


def table(figures: Figures) -> str:
    """Recall by group, false alarms by kind, and the rest in lines."""
    found = figures.verdicts
    lines = [f"\n== {figures.name}"]
    for group in (*CORE, "core", "encoded", "pii", *LOOSE):
        tally = found.groups[group]
        lines.append(f"{group:16} recall {tally.recall:.3f}  ({tally.total - tally.bad}/{tally.total}), partial leaks {tally.partial}")
    alarms = found.groups["negative"]
    kinds = [f"{kind} {tally.bad}/{tally.total}" for (group, kind), tally in found.kinds.items() if group == "negative" and tally.bad]
    lines.append(f"{'negatives':16} flagged {alarms.bad}/{alarms.total}  {', '.join(kinds)}")
    lines.append(f"{'pairs':16} kept {figures.pairs_kept}  {', '.join(figures.pairs_lost)}")
    if figures.payloads:
        share = 100 * len(figures.touched) / figures.payloads
        lines.append(
            f"{'harmless':16} touched {share:.2f} % of {figures.payloads}, {figures.speed:.2f} MB/s, median {figures.median_ms:.3f} ms"
        )
    return "\n".join(lines + [_slow(slow) for slow in sorted(figures.slow, key=lambda slow: -slow.seconds[-1])[:8]])


def _slow(slow: Slow) -> str:
    return f"{'hostile':16} {slow.shape:16} {' -> '.join(f'{seconds:.2f}' for seconds in slow.seconds)} s, factor {slow.factor:.1f}"


def misses(figures: Figures) -> str:
    """Every miss, partial leak and false alarm, grouped, with text and what came out."""
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
