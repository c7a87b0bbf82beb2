"""Folders of ours: one that a run may fill and that is gone afterwards, and one for byte code that stays."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import cache_home
from gate.interrupt import end_survivors, held, once

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder of this run's own; gone afterwards, and with an interrupted run whatever still works in it."""
    scratch = None
    with once():
        try:
            with held():
                scratch = Path(tempfile.mkdtemp(prefix="shadow-")).resolve()
            yield scratch
        except BaseException:  # an import that ends its own process leaves what it started, too
            if scratch is not None:
                end_survivors(scratch)
            raise
        finally:
            if scratch is not None:
                with held():
                    _remove(scratch)


def _remove(folder: Path) -> None:
    """The folder and all below it; ``rm`` has no depth at which it gives up."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        from gate.process import run

        run(["rm", "-rf", "--", folder], env={})


def pycache_folder() -> Path:
    """Byte code of the worker, kept between runs: a folder a side, so that one side cannot poison the other."""
    return cache_home() / "pycache"
