"""Two small acts on files that several parts need, without the weight of ``shutil`` and ``tempfile``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder and all below it, links themselves and not what they lead to; nothing where there is none."""
    for here, folders, files in os.walk(folder, topdown=False):
        for name in files:
            os.unlink(f"{here}/{name}")  # noqa: PTH108
        for name in folders:
            path = f"{here}/{name}"
            os.unlink(path) if os.path.islink(path) else os.rmdir(path)  # noqa: PTH106, PTH108, PTH114
    if folder.is_dir():
        folder.rmdir()


def write_atomic(file: Path, data: bytes) -> None:
    """Replace ``file`` by ``data`` in one step: a reader, or a kill, sees the old bytes or the new ones."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with draft.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
