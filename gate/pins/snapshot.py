"""Plain files: copied into a fresh root and digested in one pass; nothing here knows git.

``Entries`` says what a root holds: path below the root (``/``-separated) -> ``f``, ``x`` (executable) or ``l`` (symbolic
link) and the SHA-256 of the bytes or of the link's text; ``m`` and a commit for a submodule, whose files are not here. Two
roots with equal entries hold the same code. ``shutil`` is avoided: its import costs more than the copy of a small
project, and start-up is measured.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from gate.digest import sha256

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Entries = dict[str, str]

# Of other tools, not of the code: never part of a side, never part of its digest.
CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".tox", ".nox", ".DS_Store"})
_BYTE_CODE = (".pyc", ".pyo")
_QUIET = CACHES | {".git", ".hg"}
_SAID = frozenset({".venv", "node_modules"})
_PIECE = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def is_cache(name: str) -> bool:
    """Whether a path is byte code or lies in a cache of some tool."""
    return name.endswith(_BYTE_CODE) or not CACHES.isdisjoint(name.split("/"))


def is_byte_code(name: str) -> bool:
    """Whether a path is byte code, in its folder or loose."""
    return name.endswith(_BYTE_CODE) or "__pycache__" in name.split("/")


def copy_folder(
    source: Path, root: Path, *, without: Iterable[str] = (), scratch: Path | None = None, left_out: list[str] | None = None
) -> Entries:
    """Copy all files below ``source``; ``without`` are paths below it, ``scratch`` our own folder should it lie inside.

    What is not copied although it could be code (installed packages, byte code that may lack its source) goes to ``left_out``.
    """
    skip, entries = set(without), Entries()
    ours = _identity(scratch) if scratch is not None else None
    root.mkdir(parents=True)
    todo = [("", os.fspath(source), os.fspath(root))]
    while todo:
        prefix, here, there = todo.pop()
        with os.scandir(here) as listing:
            for entry in listing:
                name = prefix + entry.name
                if entry.name in _QUIET or name in skip:
                    continue
                if entry.name in _SAID or entry.name.endswith(_BYTE_CODE) or os.path.isfile(f"{entry.path}/pyvenv.cfg"):  # noqa: PTH113
                    if left_out is not None:
                        left_out.append(name)
                    continue
                target = f"{there}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    if ours is None or entry.inode() != ours[1] or _identity(Path(entry.path)) != ours:
                        os.mkdir(target)  # noqa: PTH102 - one of the hot lines
                        todo.append((name + "/", entry.path, target))
                elif (found := copy_file(entry.path, target)) is not None:
                    entries[name] = found
    return entries


def copy_files(source: Path, names: Iterable[str], root: Path) -> Entries:
    """Copy the files called ``names`` that exist. What lies behind a link to a folder is not below ``source``: left out."""
    entries, real, made = Entries(), {"": True}, {""}
    root.mkdir(parents=True)
    base, into = os.fspath(source), os.fspath(root)
    for name in names:
        folder = name.rpartition("/")[0]
        if not _is_real(base, folder, real):
            continue
        if folder not in made:
            os.makedirs(f"{into}/{folder}", exist_ok=True)  # noqa: PTH103 - one of the hot lines
            made.add(folder)
        if (found := copy_file(f"{base}/{name}", f"{into}/{name}")) is not None:
            entries[name] = found
    return entries


def copy_file(source: str, target: str | None) -> str | None:
    """Copy one file or link and say what it is; None where there is nothing to copy (gone, a folder, a socket ..).

    Without a ``target`` it is only digested.
    """
    try:
        found = os.lstat(source)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(found.st_mode):
        text = os.readlink(source)  # noqa: PTH115 - the text, as it stands
        if target is not None:
            os.symlink(text, target)  # noqa: PTH211
        return "l " + sha256(os.fsencode(text)).hexdigest()
    if not stat.S_ISREG(found.st_mode):
        return None
    hashed = sha256(more=found.st_size)
    reader = os.open(source, _READ)
    try:
        run_it = bool(found.st_mode & stat.S_IXUSR)
        writer = None if target is None else os.open(target, _WRITE, 0o755 if run_it else 0o644)
        try:
            while piece := os.read(reader, _PIECE):
                hashed.update(piece)
                if writer is not None:
                    _write_all(writer, piece)
        finally:
            if writer is not None:
                os.close(writer)
    finally:
        os.close(reader)
    return ("x " if run_it else "f ") + hashed.hexdigest()


def scan(root: Path, *, below: Sequence[str] = ("",)) -> Entries:
    """The entries of a root that is already filled; ``below`` are folders in it ("" for all)."""
    entries = Entries()
    for top in below:
        for name in walk(root, top):
            if name not in entries and (found := copy_file(f"{root}/{name}", None)) is not None:
                entries[name] = found
    return entries


def walk(root: Path, top: str = "") -> Iterator[str]:
    """Every file and link below ``root/top``, as paths below ``root``. Links to folders are not followed."""
    todo = [top]
    while todo:
        folder = todo.pop()
        with os.scandir(root / folder) as listing:
            for entry in listing:
                name = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    todo.append(name)
                else:
                    yield name


def links_out(root: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Those of ``names`` that are links out of the root, where the other side or the user's own tree could lie."""
    real = os.path.realpath(root)
    return tuple(sorted(name for name in names if os.path.islink(f"{real}/{name}") and not _leads_inside(real, name)))  # noqa: PTH114


def within(name: str, folder: str) -> bool:
    """Whether the path ``name`` is ``folder`` or lies below it; "" is the root."""
    return not folder or name == folder or name.startswith(folder + "/")


def below(path: Path, folder: Path) -> str | None:
    """``path`` as it stands below ``folder``, links resolved; "" for the folder itself, None for what lies elsewhere."""
    found = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return "" if found == "." else None if found == ".." or found.startswith("../") else found


def code_digest(entries: Entries, *, below: Sequence[str], base: str = "", more: Iterable[str] = ()) -> str:
    """SHA-256 over path, kind and bytes of every entry below the import roots, then over ``more`` (requirement lines ..).

    Paths count from ``base`` (the project inside its checkout), so that a folder and a commit of it agree. Every part
    ends with NUL, which no path can hold: no two different lists run together to the same bytes.
    """
    start = len(base) + 1 if base else 0
    hashed = sha256()
    for name in sorted(name for name in entries if any(within(name, top) for top in below)):
        hashed.update(os.fsencode(f"{name[start:]}\0{entries[name]}\0"))
    for text in more:
        hashed.update(f"\0{text}\0".encode())
    return hashed.hexdigest()


def _write_all(writer: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(writer, rest) :]


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _is_real(base: str, folder: str, known: dict[str, bool]) -> bool:
    """Whether every part of ``folder`` below ``base`` is a folder itself, no link to one."""
    if folder not in known:
        try:
            plain = stat.S_ISDIR(os.lstat(f"{base}/{folder}").st_mode)
        except OSError:
            plain = False
        known[folder] = plain and _is_real(base, folder.rpartition("/")[0], known)
    return known[folder]


def _leads_inside(real: str, name: str) -> bool:
    path = f"{real}/{name}"
    if os.path.isabs(os.readlink(path)):  # noqa: PTH115, PTH117
        return False  # it leads into the tree it was copied from, or past it
    end = os.path.realpath(path)
    return end == real or end.startswith(real + os.sep)
