"""`make bench`: what shadow costs, against what people use instead. Prints a table; exit 1 if a bar is missed.

    run.py [--only NAME ..] [--rounds N] [--large]

Standalone: target, fixtures and ledgers are generated from a fixed seed into a temporary folder. Everything compared runs
in turn within this one run, and a figure is the median over its rounds, so that figures hold on a busy machine too.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

import figures
import measure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument(
        "--only", nargs="+", choices=list(figures.ALL), default=list(figures.ALL), metavar="NAME", help="some of: %(choices)s"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the short figures; the long ones take at most 3 (default: 5)")
    parser.add_argument(
        "--large", action="store_true", help="throughput and memory at 100,000 fixtures and a million lines too (some minutes more)"
    )
    options = parser.parse_args()
    if shutil.which("diff") is None:
        parser.error("the yardstick needs `diff` (diffutils)")
    started = time.monotonic()
    print(machine(), flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix="shadow-bench-") as folder:
            bench = figures.Bench(folder=Path(folder).resolve(), rounds=max(options.rounds, 1))
            bench.compare(bench.corpus(20))  # caches of byte code are made here, not in a round
            results = [report(figure) for figure in work(bench, options)]
    except measure.FailedError as error:
        sys.exit(f"nothing to measure: {error}")
    missed = [figure.name for figure in results if not figure.holds]
    print(f"{len(results) - len(missed)} of {len(results)} bars hold; {time.monotonic() - started:.0f} s")
    sys.exit(1 if missed else 0)


def work(bench, options):
    """The figures as they come."""
    print(f"\n{'figure':<12}{'measured':>12}{'bar':>10}        what")
    for name in options.only:
        yield figures.ALL[name](bench)
    if options.large:
        for name, figure in figures.LARGE.items():
            if name in options.only or name not in figures.ALL:
                yield figure(bench)


def report(figure):
    said = "holds" if figure.holds else "MISSED"
    print(f"{figure.name:<12}{figure.value:>9.2f} {figure.unit:<2}{figure.bar:>7g} {figure.unit:<2} {said:<7}{figure.about}", flush=True)
    return figure


def machine():
    load = f"{os.getloadavg()[0]:.1f}"
    return f"{os.cpu_count()} cores, load {load}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"


if __name__ == "__main__":
    main()
