"""Folders of ours: one that a run may fill and that is gone afterwards, and one for byte code that stays."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gate.config import cache_home, environ
from gate.files import remove
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
                scratch = _make()
            yield scratch
        except BaseException:  # an import that ends its own process leaves what it started, too
            if scratch is not None:
                end_survivors(scratch)
            raise
        finally:
            if scratch is not None:
                with held():
                    _remove(scratch)


def _make() -> Path:
    """A new folder, where `tempfile` would make it; that costs a short run more than it does."""
    named = map(environ().variables.get, ("TMPDIR", "TEMP", "TMP"))
    failed: OSError | None = None
    for place in (*filter(None, named), "/tmp", "/var/tmp", "/usr/tmp", "."):  # noqa: S108  # the name is made up
        path = Path(place, f"shadow-{os.urandom(6).hex()}")
        try:
            path.mkdir(0o700)
        except OSError as error:
            failed = failed or error
        else:
            return path.resolve()
    raise failed or OSError


def _remove(folder: Path) -> None:
    """The folder and all below it, or what can be removed of it; ``rm`` has no depth at which it gives up."""
    try:
        remove(folder)
    except (OSError, RecursionError):
        from gate.process import run

        with suppress(OSError):
            run(["rm", "-rf", "--", folder], env={})


def pycache_folder() -> Path:
    """Byte code of the worker, kept between runs: a folder a side, so that one side cannot poison the other."""
    return cache_home() / "pycache"
