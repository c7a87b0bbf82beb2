"""Bytes onto the disk so that no reader sees half of them: lock, temp file beside it, fsync, rename.

The lock is on the folder, not on a file in it: it survives the rename and leaves nothing behind that git
would list. Source: design, section 8.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PATIENCE = 10.0


@contextmanager
def locked(folder: Path, *, patience: float = _PATIENCE) -> Iterator[None]:
    """Holds the folder against every other shadow that writes into it."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        end = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise UsageError(
                        f"another shadow is writing to {folder}", remedy="wait until it has ended, then run this again"
                    ) from None
                time.sleep(0.02)
            else:
                break
        yield
    finally:
        os.close(handle)  # closing releases the lock


def replace(path: Path, data: bytes) -> None:
    """Puts ``data`` in the place of an existing file, with its mode and, where we may, its owner."""
    real = path.resolve()  # a link stays a link: what it points to is rewritten
    before = real.stat()
    with _written(real, data) as temp:
        temp.chmod(stat.S_IMODE(before.st_mode))
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(PermissionError):
                os.chown(temp, before.st_uid, before.st_gid)
                temp.chmod(stat.S_IMODE(before.st_mode))  # a change of owner may clear bits
        temp.rename(real)


def create(path: Path, data: bytes) -> bool:
    """Writes a new file; False, and nothing written, where one of that name is already there."""
    with _written(path, data) as temp:
        try:
            os.link(temp, path)  # unlike a rename, this never overwrites
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}:
                raise
            # A file system without hard links: the lock keeps other shadows away between test and rename.
            if os.path.lexists(path):
                return False
            temp.rename(path)
    return True


@contextmanager
def _written(path: Path, data: bytes) -> Iterator[Path]:
    """A flushed temp file beside ``path``; afterwards it is gone and the folder is flushed."""
    temp = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns():x}.tmp")
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        yield temp
    finally:
        temp.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
