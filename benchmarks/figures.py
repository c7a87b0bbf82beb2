"""The figures: each function runs what it compares in turn, and returns a ratio (or megabytes, or milliseconds)."""

import json
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import measure
import target
import workload

HERE = Path(__file__).resolve().parent
WORKER = HERE.parent / "gate" / "worker" / "worker.py"
PLAIN_LOAD = "import sys, yaml; yaml.load(open(sys.argv[1], 'rb'), Loader=yaml.CSafeLoader)"
ROWS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    name: str
    value: float
    bar: float
    unit: str
    about: str

    @property
    def holds(self):
        return self.value <= self.bar


@dataclass
class Bench:
    """Where the benchmarks run, and what they generated so far: every corpus and ledger is made once, when first asked for."""

    folder: Path
    rounds: int
    sides: list[Path] = field(default_factory=list)
    peaks: dict[Path, list[float]] = field(default_factory=dict)

    def __post_init__(self):
        self.env = measure.environment(self.folder / "home")
        self.sides = target.write_sides(self.folder)
        self.python = sys.executable
        script = Path(sys.executable).with_name("shadow")
        self.shadow = [str(script)] if script.is_file() else [self.python, "-P", "-m", "prelabel"]

    def corpus(self, count, *, diverging=workload.DIVERGING):
        path = self.folder / f"corpus_{count}_{diverging}"
        if not path.is_dir():
            workload.write_corpus(path, count, diverging=diverging)
        return path

    def ledger(self, rows):
        path = self.folder / f"ledger_{rows}.yaml"
        if not path.is_file():
            workload.write_ledger(path, rows)
        return path

    def run(self, *command, codes=(0,), output="output"):
        return measure.run(command, env=self.env, stdout=self.folder / output, codes=codes)

    def compare(self, corpus, *more, rows=0, candidate=1):
        """One `shadow compare` by flags, as a user would type it. `candidate` 2 does what the baseline does."""
        flags = {
            "--baseline": self.sides[0],
            "--candidate": self.sides[candidate],
            "--corpus": corpus,
            "--ledger": self.ledger(rows),
            "--report": self.folder / "report.json",
            "--entry": target.ENTRY,
        }
        flags = [part for pair in flags.items() for part in pair]
        cost = self.run(*self.shadow, "compare", *flags, *more, codes=(1 if candidate == 1 else 0,))
        self.peaks.setdefault(corpus, []).append(cost.peak_mb)
        return cost

    def golden(self, corpus, *, candidate=1):
        """The yardstick as a person types it into a shell, and as the project's performance harness has it: two dumps, diff, count."""
        dumps = [self.folder / "baseline.jsonl", self.folder / "candidate.jsonl"]
        steps = [
            shlex.join(map(str, (self.python, "-I", HERE / "golden.py", side, corpus, target.ENTRY))) + f" >{shlex.quote(str(dump))}"
            for side, dump in zip((self.sides[0], self.sides[candidate]), dumps, strict=True)
        ]
        diff = shlex.quote(str(self.folder / "diff"))
        steps[1] += f"; {shlex.join(map(str, ('diff', *dumps)))} >{diff}; grep -c '^<' {diff} || true"
        return self.run("sh", "-c", steps[0], output="shell") + self.run("sh", "-c", steps[1], output="shell")

    def number(self, *command):
        """The number that a command prints."""
        self.run(*command, output="number")
        return float((self.folder / "number").read_text(encoding="utf-8"))

    def ratio(self, corpus, rounds, *, candidate=1, what="cpu"):
        """CPU (or wall time) of compare over that of the yardstick, in turn; both must find the same number of fixtures."""
        ratios = []
        for _ in range(rounds):
            compared, yardstick = self.compare(corpus, candidate=candidate), self.golden(corpus, candidate=candidate)
            ratios.append(getattr(compared, what) / getattr(yardstick, what))
        self.check_answer()
        return measure.median(ratios)

    def check_answer(self):
        """A quick answer that misses divergences is no answer."""
        with (self.folder / "diff").open(encoding="utf-8") as file:
            wanted = sum(line.startswith("<") for line in file)
        # In a process of its own: a big report read here would raise the floor under every peak measured afterwards.
        code = "import json, sys; print(json.load(open(sys.argv[1]))['counts']['diverging'])"
        self.run(self.python, "-I", "-c", code, self.folder / "report.json", output="count")
        found = int((self.folder / "count").read_text(encoding="utf-8"))
        if found != wanted:
            raise measure.FailedError(f"compare found {found} diverging fixtures, the yardstick {wanted}")


def throughput(bench, size=10_000):
    value = bench.ratio(bench.corpus(size), min(bench.rounds, 3))
    return Figure(name="throughput", value=value, bar=2.0, unit="x", about=f"CPU / golden-diff, {size:,} fixtures")


def unchanged(bench):
    value = bench.ratio(bench.corpus(10_000), min(bench.rounds, 3), candidate=2)
    return Figure(name="unchanged", value=value, bar=1.5, unit="x", about="the same where nothing diverges: other bytes, equal behaviour")


def wall(bench):
    value = bench.ratio(bench.corpus(10_000), min(bench.rounds, 3), what="wall")
    about = "wall / golden-diff, 10,000 fixtures; means something only while two processors are free"
    return Figure(name="wall", value=value, bar=1.1, unit="x", about=about)


def strict(bench):
    few, many = bench.corpus(20), bench.corpus(1_000)
    fork = (bench.python, "-I", HERE / "forks.py", WORKER, bench.sides[0], target.ENTRY.partition(":")[0], 1_000)
    ratios = []
    for _ in range(min(bench.rounds, 3)):
        each = (bench.compare(many, "--strict").cpu - bench.compare(few, "--strict").cpu) / (2 * 980)
        ratios.append(each / bench.number(*fork))
    about = "CPU of one fixture and side under --strict / a bare fork and wait of the same process"
    return Figure(name="strict", value=measure.median(ratios), bar=3.5, unit="x", about=about)


def ready(bench):
    module, ratios = target.ENTRY.partition(":")[0], []
    load = f"import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; import {module}"
    for _ in range(2 * bench.rounds):
        worker = bench.number(bench.python, "-P", HERE / "ready.py", *bench.sides[:2], target.ENTRY, bench.folder / "ready")
        bare = bench.run(bench.python, "-I", "-c", "pass").cpu
        ratios.append((worker - (bench.run(bench.python, "-I", "-c", load, bench.sides[0]).cpu - bare)) / bare)
    about = "CPU until a worker is ready, the target's import taken off / `python -I -c pass`"
    return Figure(name="ready", value=measure.median(ratios), bar=2.5, unit="x", about=about)


def startup(bench):
    value = bench.ratio(bench.corpus(20), bench.rounds)
    return Figure(name="start-up", value=value, bar=3.0, unit="x", about="CPU / golden-diff, 20 fixtures, whole command")


def version(bench):
    pairs = [(bench.run(*bench.shadow, "--version"), bench.run(bench.python, "-c", "pass")) for _ in range(2 * bench.rounds)]
    value = measure.median(ours.cpu / bare.cpu for ours, bare in pairs)
    return Figure(name="--version", value=value, bar=9.0, unit="x", about="CPU / bare interpreter (`python -c pass`)")


def memory(bench, size=10_000):
    peaks = []
    for count in (1_000, size):
        corpus = bench.corpus(count)
        while len(bench.peaks.get(corpus, ())) < 2:
            bench.compare(corpus)
        peaks.append(measure.median(bench.peaks[corpus]))
    about = f"more of the largest process: {peaks[0]:.0f} MB at 1,000 fixtures, {peaks[1]:.0f} MB at {size:,}"
    return Figure(name="memory", value=peaks[1] - peaks[0], bar=8.0, unit="MB", about=about)


def throughput_large(bench):
    return throughput(bench, size=100_000)


def memory_large(bench):
    corpus = bench.corpus(100_000)
    peak = measure.median(bench.peaks.get(corpus) or [bench.compare(corpus).peak_mb])
    return Figure(name="memory", value=peak, bar=60.0, unit="MB", about="the largest process at 100,000 fixtures")


def million(bench):
    """A million lines come to an end; how long that takes is said, and no bar but the memory of their ids."""
    corpus = bench.folder / "million"
    if not corpus.is_dir():
        workload.write_lines(corpus / "all.jsonl", 1_000_000, diverging=10_000)
    cost = bench.compare(corpus)
    size = (bench.folder / "report.json").stat().st_size / 2**20
    about = f"the largest process at 1,000,000 lines of .jsonl: {cost.cpu:.0f} s of CPU, a report of {size:.1f} MB"
    return Figure(name="million", value=cost.peak_mb, bar=200.0, unit="MB", about=about)


def reuse(bench, size=10_000):
    """The second of two runs with `--reuse`. One fixture diverges: what does is run again on both sides, and costs the same in both."""
    corpus, ratios = bench.corpus(size, diverging=size), []
    for _ in range(min(bench.rounds, 3)):
        shutil.rmtree(bench.folder / "home/.cache/shadow-prelabel/outcomes", ignore_errors=True)
        first, second = (bench.compare(corpus, "--reuse") for _ in range(2))
        ratios.append(second.cpu / first.cpu)
    return Figure(name="reuse", value=measure.median(ratios), bar=0.6, unit="x", about=f"CPU, second run / first, {size:,} fixtures")


def ledger(bench):
    corpus, ratios = bench.corpus(20), []
    for _ in range(bench.rounds):
        none, many = bench.compare(corpus), bench.compare(corpus, rows=ROWS)
        plain = bench.run(bench.python, "-I", "-c", PLAIN_LOAD, bench.ledger(ROWS))
        ratios.append((many.cpu - none.cpu) / plain.cpu)
    about = f"CPU that {ROWS:,} rows add / a plain CSafeLoader load of them"
    return Figure(name="ledger", value=measure.median(ratios), bar=0.5, unit="x", about=about)


def lookup(bench):
    corpus = bench.corpus(20)
    load = measure.median(bench.compare(corpus, rows=ROWS).cpu - bench.compare(corpus).cpu for _ in range(min(bench.rounds, 3)))
    hostile = bench.corpus(10_000, diverging=1)
    none, many = bench.compare(hostile), bench.compare(hostile, rows=ROWS)
    about = f"CPU, 10,000 divergences under {ROWS:,} rows / under none, load taken off"
    return Figure(name="look-up", value=(many.cpu - load) / none.cpu, bar=1.3, unit="x", about=about)


def append(bench):
    results = []
    for _ in range(bench.rounds):
        copy = bench.folder / "append.yaml"
        copy.write_bytes(bench.ledger(ROWS).read_bytes())
        bench.run(bench.python, "-P", HERE / "append.py", copy, output="append")
        results.append(json.loads((bench.folder / "append").read_text(encoding="utf-8")))
    if not all(one["kept"] for one in results):
        raise measure.FailedError("appending a row changed bytes that were there")
    about = f"CPU beyond the load, one row into {ROWS:,}, every other byte kept"
    return Figure(name="append", value=measure.median(one["ms"] for one in results), bar=50.0, unit="ms", about=about)


ALL = {one.__name__: one for one in (version, startup, ready, ledger, append, throughput, unchanged, reuse, wall, strict, memory, lookup)}
LARGE = {"throughput": throughput_large, "memory": memory_large, "million": million}
