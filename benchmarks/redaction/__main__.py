"""`python -m benchmarks.redaction`: the figures of our redaction (and others') on the evaluation set."""

import argparse
import platform
import sys

from benchmarks.redaction import report
from benchmarks.redaction.contestants.shadow import Shadow
from benchmarks.redaction.generate import SEED, faults, generate
from benchmarks.redaction.measure import measure


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.redaction", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help="another seed makes another set from the same templates")
    parser.add_argument("--harmless", type=int, default=10_000, metavar="N", help="harmless payloads (default: %(default)s)")
    parser.add_argument(
        "--misses", action="store_true", help="list every miss, partial leak and false alarm with its text; no hostile texts"
    )
    options = parser.parse_args()
    items = generate(options.seed)
    if wrong := faults(items):
        print(*wrong, sep="\n", file=sys.stderr)
        return 2
    print(f"{len(items)} items, seed {options.seed}; Python {platform.python_version()}, {platform.machine()}")
    for contestant in (Shadow("BALANCED"), Shadow("STRICT")):
        sizes = () if options.misses else (200_000, 400_000)
        figures = measure(contestant, items, seed=options.seed, harmless=options.harmless, sizes=sizes)
        print(report.table(figures))
        if options.misses:
            print(report.misses(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
