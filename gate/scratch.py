"""Folders of ours: one that a run may fill and that is gone afterwards, and one for byte code that stays."""

from __future__ import annotations

import shutil
import signal
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import cache_home

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder of this run's own; gone afterwards."""
    scratch = Path(tempfile.mkdtemp(prefix="shadow-")).resolve()
    try:
        yield scratch
    finally:
        # A second Ctrl-C must not leave half of it behind.
        held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        shutil.rmtree(scratch, ignore_errors=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def pycache_folder() -> Path:
    """Byte code of the worker, kept between runs: a folder a side, so that one side cannot poison the other."""
    return cache_home() / "pycache"
