"""Environments: a folder of installed packages for one list of exact pins or one wheel, made once and kept in the cache.

The rule: installed as listed, without dependency resolution (``installers`` does it). A finished environment is found
again by the digest of interpreter and pins. It is made under a temporary name and renamed, so that a killed install never
counts; and it carries stamps over its files, so that one which anything has written to is made again: at each use the
quick one (no file was touched since), and where that disagrees, as in a cache that was copied, the one over their bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gate.environment.installers import install_into
from gate.environment.requirements import Requirement, normalise
from gate.errors import SideError
from gate.files import remove, write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gate.types import Interpreter

# Part of every digest: raised when the layout or the way of installing changes.
_FORMAT = 2
_PACKAGES, _RECORD = "packages", "environment.json"
_STALE_SECONDS = 24 * 3600
_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """An installed folder. ``dists`` say name, version and a digest of each."""

    folder: Path
    dists: tuple[Mapping[str, str], ...]


def install(requirements: Sequence[Requirement], interpreter: Interpreter, *, what: str) -> Environment:
    """The environment that holds exactly ``requirements``; ``what`` names them in errors."""
    lines = [str(one) for one in requirements]
    hashed = any(one.hashes for one in requirements)
    return _cached(lines, interpreter, what=what, names=[one.name for one in requirements], hashed=hashed)


def install_wheel(wheel: Path, sha256: str, interpreter: Interpreter, *, what: str) -> Environment:
    """The environment that holds one wheel. The caller has checked its digest; the file's name must be the original one."""
    return _cached([f"wheel sha256:{sha256}"], interpreter, what=what, names=[normalise(wheel.name.split("-")[0])], wheel=wheel)


def _cached(
    lines: Sequence[str], interpreter: Interpreter, *, what: str, names: Sequence[str], hashed: bool = False, wheel: Path | None = None
) -> Environment:
    from gate.config import cache_home

    home = cache_home() / "environments"
    final = home / _key(lines, interpreter)
    found = _load(final)
    if found is not None:
        return found
    home.mkdir(parents=True, exist_ok=True)
    _sweep(home)
    draft = home / f".{final.name}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        _make(draft, lines, interpreter, what=what, names=names, hashed=hashed, wheel=wheel)
        return _place(draft, final)
    except OSError as error:
        raise SideError(f"{what}: the environment could not be written: {error}", remedy="free some space, or set XDG_CACHE_HOME") from None
    finally:
        remove(draft)


def _key(lines: Sequence[str], interpreter: Interpreter) -> str:
    from hashlib import sha256

    system = os.uname()
    about = [
        _FORMAT,
        interpreter.version,
        interpreter.build,
        os.path.realpath(interpreter.executable),
        system.sysname,
        system.machine,
        *lines,
    ]
    return sha256(json.dumps(about).encode()).hexdigest()


def _load(folder: Path) -> Environment | None:
    """A finished environment whose files are as they were, else None."""
    try:
        record = json.loads((folder / _RECORD).read_bytes())
        packages = folder / _PACKAGES
        quick = _touched(packages)
        if record["touched"] != quick:
            if record["content"] != _content(packages):
                return None
            with contextlib.suppress(OSError):  # a cache that may only be read is asked for its bytes each time
                write_atomic(folder / _RECORD, json.dumps({**record, "touched": quick}).encode())
        return Environment(folder=packages, dists=tuple(record["dists"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _make(
    draft: Path, lines: Sequence[str], interpreter: Interpreter, *, what: str, names: Sequence[str], hashed: bool, wheel: Path | None
) -> None:
    packages = draft / _PACKAGES
    packages.mkdir(parents=True)
    report: dict[str, dict[str, str]] = {}
    if names:
        if wheel is None:
            listed = draft / "requirements.txt"
            listed.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            wanted = ["-r", os.fspath(listed), *(["--require-hashes"] if hashed else [])]
        else:
            wanted = ["--no-index", os.fspath(wheel)]
        report = install_into(packages, wanted, interpreter, what=what)
        (packages / ".lock").unlink(missing_ok=True)  # uv's
        _compile(packages, interpreter)
    dists = sorted((_dist(folder, report) for folder in packages.glob("*.dist-info")), key=lambda dist: dist["name"])
    absent = sorted(set(names) - {dist["name"] for dist in dists})
    if absent:
        raise SideError(
            f"{what}: the installer ended well, but {', '.join(absent)} is not there",
            remedy="install it by hand with `pip install --target` to see why",
        )
    record = {"dists": dists, "content": _content(packages), "touched": _touched(packages)}
    (draft / _RECORD).write_text(json.dumps(record), encoding="utf-8")


def _dist(folder: Path, report: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    from hashlib import sha256

    name, _, version = folder.name.removesuffix(".dist-info").rpartition("-")
    name = normalise(name)
    record = folder / "RECORD"
    own = {"sha256": sha256(record.read_bytes()).hexdigest(), "of": "RECORD"} if record.exists() else {}
    return {"name": name, "version": version, **report.get(name, own)}


def _compile(packages: Path, interpreter: Interpreter) -> None:
    """Byte-compile once, for every later run. Files that do not compile are none of our business: the target may never import them.

    What an archive brought as byte code of its sources goes first: it need not be what they say.
    """
    from gate.process import run

    for folder in list(packages.rglob("__pycache__")):
        remove(folder)

    how = ["-I", "-S", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    run([interpreter.executable, *how, packages], env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"})


def _touched(packages: Path) -> str:
    """Over path, size and time of the last touch of every file. That time no program can set, unlike the time of change."""
    from hashlib import sha256

    hashed = sha256()
    for path in _files(packages):
        found = os.lstat(path)
        hashed.update(os.fsencode(f"{os.path.relpath(path, packages)}\0{found.st_size}\0{found.st_ctime_ns}\0"))
    return hashed.hexdigest()


def _content(packages: Path) -> str:
    """Over path and bytes of every file. Byte code counts: it is run unchecked, and nobody writes it later."""
    from hashlib import sha256

    hashed = sha256()
    for path in _files(packages):
        data = os.fsencode(os.readlink(path)) if os.path.islink(path) else Path(path).read_bytes()  # noqa: PTH114, PTH115
        hashed.update(os.fsencode(f"{os.path.relpath(path, packages)}\0") + sha256(data).digest())
    return hashed.hexdigest()


def _files(packages: Path) -> Iterator[str]:
    for here, folders, files in os.walk(packages):
        folders.sort()
        links = [name for name in folders if os.path.islink(f"{here}/{name}")]  # noqa: PTH114
        yield from (f"{here}/{name}" for name in sorted((*files, *links)))


def _place(draft: Path, final: Path) -> Environment:
    """Give the draft its final name. Another process may have been faster, more than once: then its environment is as good."""
    for _ in range(_TRIES):
        try:
            draft.rename(final)
        except OSError:
            if (found := _load(final)) is not None:
                return found
            aside = draft.with_name(f"{draft.name}.old")
            with contextlib.suppress(FileNotFoundError):  # the other one has just moved it away itself
                final.rename(aside)
            remove(aside)
        else:
            break
    found = _load(final)
    if found is None:
        raise SideError(f"the environment {final.name} changed while it was made", remedy="run the command again")
    return found


def _sweep(home: Path) -> None:
    """Remove what killed installs left behind a day ago or earlier."""
    for folder in home.glob(".*"):
        if folder.is_dir() and folder.stat().st_mtime < time.time() - _STALE_SECONDS:
            remove(folder)
