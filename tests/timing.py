"""Bounds on work as ratios: CPU time of a block against that of a fixed loop, both in this process and this moment.

A machine that is slow, busy or traced for coverage is slow for both. The bounds are wide: they are there to catch a
quadratic algorithm, not a slow one (`make bench` measures speed).
"""

import time
from contextlib import contextmanager


def loop():
    """The unit: about 50 ms of pure Python on a common machine."""
    total = 0
    for number in range(600_000):
        total += number & 3
    return total


@contextmanager
def within(units):
    """Fail if the block takes more CPU than `units` times the loop: the slowest of those before and after it, as others come and go."""
    loops = [_timed(loop), _timed(loop)]
    started = time.process_time()
    yield
    spent = time.process_time() - started
    loops += [_timed(loop), _timed(loop)]
    assert spent < units * max(loops), f"{spent:.2f} s of CPU, more than {units} times a loop of {max(loops):.3f} s"


def _timed(act):
    started = time.process_time()
    act()
    return time.process_time() - started
