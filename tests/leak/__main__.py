"""`make leak-test`: many cases on some processes, with the seeds printed; or one case again, with its texts.

python -m tests.leak [--cases N] [--jobs N] [--seed N ..]
python -m tests.leak --case SEED:INDEX
"""

import argparse
import hashlib
import os
import random
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from redaction import Scope
from tests.leak.cases import CROSS, make
from tests.leak.judge import faults, leaves

FIXED = (1, 2)  # the seeds of every run; a fresh one follows
CHUNK = 500
SHOWN = 40


def run_chunk(seed, first, last):
    """Counts and failures of the cases of a seed from one index to another."""
    ran, excluded, failed = 0, Counter(), []
    for index in range(first, last):
        case, reason = make(seed, index)
        if reason is not None:
            excluded[reason] += 1
            continue
        ran += 1
        if found := faults(case):
            failed.append((case.coordinates, case.canary.family, case.elsewhere or case.form, case.carrier.id, found))
    return ran, excluded, failed


def digest(seed, first, last):
    """What the cases of a seed leave behind, as one hash."""
    out = hashlib.sha256()
    for index in range(first, last):
        case, reason = make(seed, index)
        if reason is None:
            out.update("\0".join(leaves(case)).encode("utf-8", "surrogatepass"))
    return out.hexdigest()


def _alone(name):
    """One case with everything that it is made of."""
    seed, _, index = name.partition(":")
    case, reason = make(int(seed), int(index))
    print(case.coordinates)
    if reason is not None:
        print(f"excluded: {reason}")
        return 0
    texts = {"baseline": case.baseline, "candidate": case.candidate, **case.more}
    scope = Scope(texts.values(), policy=case.policy)
    print(f"policy: {case.profile}, exact values {list(case.policy.exact)}\nsecrets: {list(case.secrets)}")
    for place, text in texts.items():
        print(f"\n{place}: {text!r}\n  -> {scope.redact(text).text!r}")
    found = faults(case)
    print("", *(found or ["holds"]), sep="\n")
    return 1 if found else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.leak")
    parser.add_argument("--cases", type=int, default=int(os.environ.get("LEAKS", "100000")))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, nargs="+", default=None)
    parser.add_argument("--case", default=None)
    parser.add_argument("--open", type=float, default=0.0, help="the share of cases that may fail: leaks that are known to be open")
    given = parser.parse_args(arguments)
    if given.case:
        return _alone(given.case)
    seeds = given.seed or [*FIXED, secrets.randbelow(2**31)]
    print(f"seeds {' '.join(map(str, seeds))}; {given.cases:,} cases; one cross of kinds, forms and carriers is {CROSS:,}", flush=True)
    return _all(seeds, given.cases, given.jobs, given.open)


def _all(seeds, wanted, jobs, still_open):
    begin = time.monotonic()
    ran, tried, excluded, failed = 0, 0, Counter(), []
    share = -(-wanted // len(seeds))
    chunks = [(seed, first, min(first + CHUNK, share)) for seed in seeds for first in range(0, share, CHUNK)]
    random.Random(0).shuffle(chunks)
    with ProcessPoolExecutor(jobs) as pool:
        for number, (some, left_out, bad) in enumerate(pool.map(run_chunk, *zip(*chunks, strict=True)), 1):
            ran, tried = ran + some, tried + some + left_out.total()
            excluded += left_out
            failed += bad
            if number % 10 == 0 or number == len(chunks):
                print(f"{tried:,} of {share * len(seeds):,}, {len(failed):,} failed, {time.monotonic() - begin:.0f} s", flush=True)
    for reason, count in excluded.most_common():
        print(f"excluded {count:,} ({count / tried:.1%}): {reason}")
    for coordinates, *_, found in failed[:SHOWN]:
        print(f"FAILED {coordinates}\n  {found[0]}")
    if failed:
        for what in (1, 2, 3):
            print(Counter(one[what] for one in failed).most_common(12))
        print(f"again: {sys.executable} -m tests.leak --case SEED:INDEX")
    print(f"{ran:,} cases held to the oracle, {len(failed):,} failed; seeds {' '.join(map(str, seeds))}")
    if failed and len(failed) <= still_open * ran:
        print(f"OPEN: {len(failed):,} leaks, {len(failed) / ran:.2%}; at most {still_open:.2%} may be")
    return 1 if len(failed) > still_open * ran else 0


if __name__ == "__main__":
    raise SystemExit(main())
