"""Figures of one contestant on the set: recall, leaks, false alarms, pairs, speed, hostile texts. Times are CPU seconds of the process."""

import math
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

from benchmarks.redaction import hostile, pairs, payloads
from benchmarks.redaction.contestants.interface import Contestant
from benchmarks.redaction.items import Item
from benchmarks.redaction.judge import Verdicts, verdicts

LIMIT = 10.0  # seconds for one hostile text; who needs more is stopped
LONG = 3600.0
SIZES = (500_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Slow:
    """A hostile shape: seconds at each size; endless where the limit stopped it."""

    shape: str
    seconds: tuple[float, ...]

    @property
    def factor(self) -> float:
        return self.seconds[-1] / max(self.seconds[0], 0.1)  # of less than that the machine is the measure


@dataclass
class Figures:
    """What is printed of one contestant."""

    name: str
    verdicts: Verdicts
    pairs_kept: int = 0
    pairs_lost: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    payloads: int = 0
    speed: float = 0.0
    median_ms: float = math.nan
    slow: list[Slow] = field(default_factory=list)


def measure(contestant: Contestant, items: list[Item], *, seed: int, harmless: int, sizes: tuple[int, ...] = ()) -> Figures:
    """All figures; `harmless` payloads for speed and touched share; hostile texts of `sizes`, none without."""
    figures = Figures(contestant.name, verdicts(items, contestant.redact([item.text for item in items], limit=LONG).outs))
    for item in pairs.pairs(seed):
        if pairs.kept(item, contestant.redact_pair):
            figures.pairs_kept += 1
        else:
            figures.pairs_lost.append(item.id)
    _speed(contestant, list(payloads.payloads(harmless, seed)), figures)
    figures.slow = [_slow(contestant, shape, sizes, seed) for shape in hostile.SHAPES if sizes]
    return figures


def _speed(contestant: Contestant, texts: list[str], figures: Figures) -> None:
    if not texts:
        return
    batch = contestant.redact(texts, limit=LONG)
    figures.touched = [text for text, out in zip(texts, batch.outs, strict=True) if out != text]
    figures.payloads = len(texts)
    figures.speed = sum(len(text.encode()) for text in texts) / 1e6 / sum(batch.seconds)
    if len(batch.seconds) == len(texts):
        figures.median_ms = 1000 * statistics.median(batch.seconds)


def _slow(contestant: Contestant, shape: str, sizes: tuple[int, ...], seed: int) -> Slow:
    seconds: list[float] = []
    for size in sizes:
        try:
            text = hostile.hostile(shape, size, seed)
            once = sum(contestant.redact([text], limit=LIMIT).seconds)
            again = sum(contestant.redact([text], limit=LIMIT).seconds) if once < 1 else once
            seconds.append(min(once, again))
        except TimeoutError:
            seconds.append(math.inf)
            break  # twice the length would take longer still
    return Slow(shape, tuple(seconds))


def import_seconds(module: str = "redaction", *, rounds: int = 5) -> float:
    """CPU seconds of importing a module in an interpreter of its own, the least of some rounds, without the interpreter's start."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    return min(
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout) for _ in range(rounds)
    )
