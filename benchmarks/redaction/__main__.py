"""The figures of our redaction, and of other people's tools, on the evaluation set.

make bench-redaction                               all contestants that can be installed; prints the tables
python -m benchmarks.redaction --only shadow --misses      what our detectors miss and wrongly flag, with texts
python -m benchmarks.redaction --only shadow --seed 7      another draw of the same templates
python -m benchmarks.redaction --kingfisher DIR            any finding in the examples of kingfisher's rules (a git directory or checkout)

Others' tools go into virtual environments below the cache folder, which may be thrown away. What cannot be installed is skipped,
and said on stderr. Times are CPU seconds, and figures of one run belong together.
"""

import argparse
import contextlib
import os
import platform
import sys
from collections.abc import Generator
from pathlib import Path

from benchmarks.redaction import report
from benchmarks.redaction.contestants.foreign import REQUIREMENTS, Unavailable, opened
from benchmarks.redaction.contestants.interface import Contestant
from benchmarks.redaction.contestants.shadow import WAYS, Shadow
from benchmarks.redaction.examples import examples, measure_examples
from benchmarks.redaction.generate import SEED, faults, generate
from benchmarks.redaction.items import Item
from benchmarks.redaction.measure import SIZES, Figures, import_seconds, measure


def arguments() -> argparse.Namespace:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "shadow-bench-redaction"
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.redaction", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other values for the same templates")
    names = ("shadow", *REQUIREMENTS)
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help="contestants, some of: %(choices)s")
    parser.add_argument(
        "--harmless", type=int, default=10_000, metavar="N", help="harmless payloads; a tenth for others (default: %(default)s)"
    )
    parser.add_argument("--misses", action="store_true", help="list every miss, partial leak and false alarm")
    parser.add_argument("--no-hostile", action="store_true", help="leave out the long strings, which take minutes with slow tools")
    parser.add_argument("--kingfisher", type=Path, metavar="DIR", help="measure on the examples of kingfisher's rules, and nothing else")
    parser.add_argument(
        "--cache", type=Path, default=cache, metavar="DIR", help="where others' environments are made (default: %(default)s)"
    )
    return parser.parse_args()


def contestants(options: argparse.Namespace) -> Generator[Contestant]:
    """Ours, then each of the others that can be had; theirs are ended before the next is opened."""
    if "shadow" in options.only:
        yield from (Shadow(policy, fast=fast) for policy, fast in WAYS)
    for tool in REQUIREMENTS:
        if tool in options.only:
            try:
                with opened(tool, options.cache) as contestant:
                    yield contestant
            except Unavailable as why:
                print(f"!! SKIPPED {tool}: {why}", file=sys.stderr, flush=True)


def main() -> int:
    options = arguments()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    if options.kingfisher:
        return foreign_examples(options)
    items = generate(options.seed)
    if wrong := faults(items):
        print(*wrong, sep="\n", file=sys.stderr)
        return 2
    print(f"{len(items)} items, seed {options.seed}; importing redaction takes {1000 * import_seconds():.0f} ms", flush=True)
    done: list[Figures] = []
    with contextlib.closing(contestants(options)) as running:
        for contestant in running:
            try:
                figures = _measured(contestant, items, options)
            except Unavailable as why:
                print(f"!! SKIPPED {contestant.name}: {why}", file=sys.stderr, flush=True)
                continue
            done.append(figures)
            print(report.details(figures), flush=True)
            if options.misses:
                print(report.misses(figures))
    print("\n" + report.summary(done))
    return 0


def _measured(contestant: Contestant, items: list[Item], options: argparse.Namespace) -> Figures:
    harmless = options.harmless if isinstance(contestant, Shadow) else options.harmless // 10
    return measure(contestant, items, seed=options.seed, harmless=harmless, sizes=() if options.no_hostile else SIZES)


def foreign_examples(options: argparse.Namespace) -> int:
    """Any finding in the examples of kingfisher's rules, by contestant."""
    found = examples(options.kingfisher)
    for contestant in contestants(options):
        missed = measure_examples(contestant, found)
        print(f"{contestant.name}: a finding in {len(found) - len(missed)} of {len(found)}, {1 - len(missed) / max(len(found), 1):.3f}")
        if options.misses:
            print(*(f"    {rule}: {text!r}" for rule, text in missed), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
