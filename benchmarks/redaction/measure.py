"""Figures of one contestant on the set: recall, leaks, false alarms, pairs, speed, hostile texts. Times are CPU seconds of the process."""

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

from benchmarks.redaction import hostile, pairs, payloads
from benchmarks.redaction.contestants.interface import Contestant
from benchmarks.redaction.items import Item
from benchmarks.redaction.judge import Verdicts, verdicts

HOSTILE_SIZES = (200_000, 400_000)


@dataclass
class Slow:
    """A hostile shape: seconds at both sizes."""

    shape: str
    seconds: tuple[float, ...]

    @property
    def factor(self) -> float:
        return self.seconds[-1] / max(self.seconds[0], 0.02)  # below 20 ms the clock is the measure


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
    median_ms: float = 0.0
    slow: list[Slow] = field(default_factory=list)


def measure(contestant: Contestant, items: list[Item], *, seed: int, harmless: int, sizes: tuple[int, ...] = HOSTILE_SIZES) -> Figures:
    """All figures; `harmless` payloads for speed and touched share, no hostile texts without `sizes`."""
    figures = Figures(contestant.name, verdicts(items, contestant.redact))
    for item in pairs.pairs(seed):
        if pairs.kept(item, contestant.redact_pair):
            figures.pairs_kept += 1
        else:
            figures.pairs_lost.append(item.id)
    _speed(contestant, list(payloads.payloads(harmless, seed)), figures)
    if sizes:
        figures.slow = [
            Slow(shape, tuple(_seconds(contestant, hostile.hostile(shape, size, seed)) for size in sizes)) for shape in hostile.SHAPES
        ]
    return figures


def _speed(contestant: Contestant, texts: list[str], figures: Figures) -> None:
    times = []
    for text in texts:
        started = time.perf_counter()
        out = contestant.redact(text)
        times.append(time.perf_counter() - started)
        if out != text:
            figures.touched.append(text)
    figures.payloads = len(texts)
    figures.median_ms = 1000 * statistics.median(times) if times else 0.0
    figures.speed = sum(len(text.encode()) for text in texts) / 1e6 / sum(times) if times else 0.0


def _seconds(contestant: Contestant, text: str) -> float:
    started = time.perf_counter()
    contestant.redact(text)
    return time.perf_counter() - started


def import_seconds(module: str = "redaction", *, rounds: int = 5) -> float:
    """CPU seconds of importing a module in an interpreter of its own, the least of some rounds, without the interpreter's start."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    return min(
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout) for _ in range(rounds)
    )
