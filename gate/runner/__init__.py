"""Starts one worker a side and feeds both the same fixtures; the other half of the protocol in ``worker/worker.py``.

The parent never unpickles and never imports anything of the target: it moves length-checked frames. A target
that ends its fork costs one fixture (the worker sees to that); a target that kills the worker itself is run again
alone in a new worker, and becomes an ``error`` only if it does so twice. A worker that cannot start, or breaks the
protocol, is a WorkerError: never an outcome of the target.

Parts: ``process`` (one worker process and its half of the protocol), ``pair`` (both, fed in step).
"""

from gate.runner.pair import BATCH, Pair
from gate.runner.process import ENDED, RETURNED, WORKER, RawWire, Worker

__all__ = ["BATCH", "ENDED", "RETURNED", "WORKER", "Pair", "RawWire", "Worker"]
