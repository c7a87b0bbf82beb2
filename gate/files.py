"""Two small acts on files that several parts need, without the weight of ``shutil`` and ``tempfile``."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder and all below it, links themselves and not what they lead to; nothing where there is none.

    By descriptors: who puts a link in the place of a folder meanwhile leads nowhere.
    """
    if not folder.is_dir():
        return
    for _, folders, files, here in os.fwalk(folder, topdown=False):
        for name in files:
            os.unlink(name, dir_fd=here)
        for name in folders:
            try:
                os.rmdir(name, dir_fd=here)
            except NotADirectoryError:  # a link to a folder
                os.unlink(name, dir_fd=here)
    folder.rmdir()


def write_atomic(file: Path, data: bytes, *, mode: int | None = None) -> None:
    """Replace ``file`` by ``data`` in one step: a reader, or a kill, sees the old bytes or the new ones. ``mode``: its permissions."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with draft.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if mode is not None:
            draft.chmod(mode)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def is_special(file: Path) -> bool:
    """Whether a device, pipe or socket lies there, also behind a link: it is written to, and neither read nor replaced."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def write_through(file: Path, data: bytes) -> None:
    """As ``write_atomic``, but to the file that a link leads to, with the mode of that file; a device or pipe is written in place."""
    if is_special(file):
        with file.open("wb") as out:
            out.write(data)
        return
    goal = Path(os.path.realpath(file))
    write_atomic(goal, data, mode=stat.S_IMODE(goal.stat().st_mode) if goal.exists() else None)
