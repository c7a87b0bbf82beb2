"""Which Python both sides run under, and its plain site-packages folders.

The rule: the base interpreter of the one that runs shadow, never shadow's own environment; ``python`` names another by
version or by path. For our own base nothing is started, since start-up is measured: its folders follow from its prefix
(``sysconfig`` would read a large table for that). Any other interpreter is asked once, without ``site``, so that no
``.pth`` file runs. A version names a plain Python, a path may name a virtual environment's: then its packages are meant.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import ShadowError, SideError, UsageError
from gate.types import Interpreter, Place, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLDEST = (3, 8)
_VERSION = re.compile(r"\d+(?:\.\d+){0,2}")
# Runs under any Python, so that an old one can say which it is. Folders come from `site` itself, which distributions patch.
_PROBE = """\
import sys
print(sys.version.split()[0])
print(sys.executable)
print("pypy" if hasattr(sys, "pypy_version_info") else getattr(getattr(sys, "implementation", None), "name", "cpython"))
print(" ".join(sys.version.split()))
try:
    import site
    for folder in site.getsitepackages(sorted({sys.base_prefix, sys.base_exec_prefix})):
        print(folder)
except Exception:
    pass
"""
# `python3.11` is a version where no program of that name starts: a shim of pyenv refuses what is not selected.
_NAMED = re.compile(r"c?python-?(?P<version>\d+(?:\.\d+){0,2})")
_SHOWN = 12
PROBE_SECONDS = 30.0


def find_interpreter(python: str | None = None, *, near: Path | None = None, source: str = "") -> Interpreter:
    """The interpreter that ``python`` (a version, a path or nothing) names; relative paths also count from ``near``.

    ``source`` is the ``file:line`` that names it, "" for the flag; errors say so.
    """
    if python is None:
        return _own()
    try:
        return _by_version(python) if _VERSION.fullmatch(python) else _at(_path(python, near), named=python)
    except ShadowError as error:
        if source:
            error.place = Place(file=source)
            error.what = f"[sides] python: {error.what.removeprefix('--python ')}"
        raise


def _by_version(version: str) -> Interpreter:
    own = _own()
    if _fits(own.version, version):
        return own
    for file in _installed(version, _variables()):
        found = _ask(file)
        if isinstance(found, Interpreter) and _fits(found.version, version) and _venv(found.executable) is None:
            return _checked(found)
    there = _there(_variables())
    more = f" and {len(there) - _SHOWN} more" if len(there) > _SHOWN else ""
    raise SideError(
        f"--python {version}: there is none on PATH, among pyenv's versions or uv's; found: {own.version} (runs shadow)"
        + "".join(f", {one}" for one in there[:_SHOWN])
        + more,
        remedy=f"name one of these, its path, or install it: `uv python install {version}`, `pyenv install {version}`",
    )


def _variables() -> Mapping[str, str]:
    from gate.config import environ

    return environ().variables


def _own() -> Interpreter:
    base = getattr(sys, "_base_executable", None) or sys.executable
    build = " ".join(sys.version.split())
    return Interpreter(executable=Path(base), version=sys.version.split()[0], packages=_own_packages(), build=build)


def _own_packages() -> tuple[Path, ...]:
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}" + ("t" if "t" in getattr(sys, "abiflags", "") else "")
    folders = [
        f"{prefix}/{lib}/{name}/site-packages"
        for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix))
        for lib in dict.fromkeys((sys.platlibdir, "lib"))
    ]
    if sys.base_prefix == "/usr":  # Debian and its kin, then Fedora's place for what pip installs
        folders[:0] = [f"/usr/local/lib/{name}/dist-packages", "/usr/lib/python3/dist-packages", f"/usr/lib/{name}/dist-packages"]
        folders[:0] = [f"/usr/local/{lib}/{name}/site-packages" for lib in dict.fromkeys((sys.platlibdir, "lib"))]
    return _present(folders)


def _present(folders: list[str]) -> tuple[Path, ...]:
    return tuple(Path(folder) for folder in dict.fromkeys(folders) if os.path.isdir(folder))  # noqa: PTH112 - start-up


def _path(python: str, near: Path | None) -> Path:
    """The file that ``python`` names; a bare word is a virtual environment here (``env`` is a program, too), else a program on ``PATH``."""
    from gate.process import find_program

    for folder in (Path.cwd(), near):
        if folder is not None and (folder / python / "pyvenv.cfg").is_file():
            return folder / python
    if "/" not in python and (found := find_program(python, _variables().get("PATH", ""))) is not None:
        return found
    file = Path(python).expanduser()
    here = Path.cwd() / file
    return near / file if near is not None and not here.exists() and (near / file).exists() else here


def _at(file: Path, *, named: str) -> Interpreter:
    if file.is_dir():
        file = next((at for at in (file / "bin/python", file / "bin/python3") if at.exists()), file)
    if not file.is_file():
        raise UsageError(
            f"--python {named}: there is no such interpreter", remedy="name a version like 3.11, or the path of a python executable"
        )
    found = _ask(file)
    if isinstance(found, str):
        meant = _NAMED.fullmatch(named)
        if meant is not None:
            return _by_version(meant["version"])
        raise SideError(f"--python {named}: it would not start: {found}", remedy=f"run `{file} --version` to see why")
    settings = _venv(found.executable)
    if settings is None:
        return _checked(found)
    prefix, name = found.executable.parent.parent, ".".join(found.version.split(".")[:2])
    own = sorted(
        {at.resolve() for lib in ("lib", "lib64") for at in prefix.glob(f"{lib}/python{name}*/site-packages")}
    )  # lib64 may link to lib
    shared = settings.get("include-system-site-packages", "").lower() == "true"
    base = _ask(Path(settings.get("home", "")) / f"python{name}") if shared else None
    below = base.packages if isinstance(base, Interpreter) else ()
    return _checked(replace(found, packages=(*own, *below)))


def _checked(found: Interpreter) -> Interpreter:
    if found.implementation != "cpython":
        raise UsageError(
            f"--python {found.executable}: it is {found.implementation} ({found.version}); targets run under CPython",
            remedy="name a CPython with --python",
        )
    numbers = tuple(int(part) for part in re.findall(r"\d+", found.version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise UsageError(
            f"--python {found.executable}: it is Python {found.version}; targets need {oldest} or newer",
            remedy="name a newer one with --python",
        )
    return found


def _venv(file: Path) -> dict[str, str] | None:
    """The settings of the virtual environment that the interpreter ``file`` belongs to, None where it is a plain one."""
    try:
        text = (file.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _ask(file: Path) -> Interpreter | str:
    """What an interpreter says of itself, or why it does not start. Behind a shim stands another executable: that one is meant."""
    from gate.process import run

    variables = _variables()
    env = {name: variables[name] for name in ("PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION") if name in variables}
    try:
        done = run([file, "-E", "-s", "-S", "-c", _PROBE], env=env, seconds=PROBE_SECONDS)
    except OSError as error:
        return error.strerror or str(error)
    lines = done.text().split("\n")
    if done.code or len(lines) < 4 or re.match(r"\d+\.\d+", lines[0]) is None:
        return done.words() if done.code else "it is no Python"
    return Interpreter(
        executable=Path(lines[1] or file), version=lines[0], packages=_present(lines[4:]), implementation=lines[2], build=lines[3]
    )


def _fits(version: str, wanted: str) -> bool:
    return (
        version == wanted or version.startswith(wanted + ".") or re.fullmatch(re.escape(wanted) + r"(?:a|b|rc)\d+\+?", version) is not None
    )


def _installed(wanted: str, variables: Mapping[str, str]) -> Iterator[Path]:
    """Interpreters that may be of the wanted version: on ``PATH`` (plain ones), then in the folders of pyenv and of uv."""
    short = ".".join(wanted.split(".")[:2])
    pyenv, uv = _stores(variables)
    for folder in variables.get("PATH", "").split(os.pathsep):
        file = Path(folder) / f"python{short}"
        shim = file.parent == pyenv / "shims"  # slow, and the folder of versions below says the same
        if folder and not shim and os.access(file, os.X_OK):
            yield file
    for place, pattern in ((pyenv / "versions", f"{wanted}*"), (uv, f"cpython-{wanted}*")):
        for version in sorted(place.glob(pattern), key=_by_number, reverse=True):
            file = version / "bin" / f"python{short}"
            if os.access(file, os.X_OK):
                yield file


def _stores(variables: Mapping[str, str]) -> tuple[Path, Path]:
    """The folders in which pyenv and uv keep what they install."""
    home = Path(variables.get("HOME", "/"))
    data = Path(variables.get("XDG_DATA_HOME") or home / ".local/share")
    return Path(variables.get("PYENV_ROOT") or home / ".pyenv"), Path(variables.get("UV_PYTHON_INSTALL_DIR") or data / "uv/python")


def _there(variables: Mapping[str, str]) -> list[str]:
    """Interpreters that have a place where versions are looked for, in words; none is started."""
    pyenv, uv = _stores(variables)
    found = [f"{place.name} (pyenv)" for place in sorted((pyenv / "versions").glob("[0-9]*"), key=_by_number)]
    found += [f"{place.name} (uv)" for place in sorted(uv.glob("cpython-*"), key=_by_number) if not place.is_symlink()]
    for folder in dict.fromkeys(variables.get("PATH", "").split(os.pathsep)):
        if folder and Path(folder) != pyenv / "shims":
            files = (file for file in Path(folder).glob("python[0-9].*") if re.fullmatch(r"python\d\.\d+", file.name))
            found += [str(file) for file in sorted(files, key=_by_number)]
    return found


def _by_number(folder: Path) -> tuple[tuple[int, ...], bool]:
    """By version, and of one version the plain build last (`3.13.0t` is the one without the lock)."""
    return tuple(int(part) for part in re.findall(r"\d+", folder.name)[:3]), not folder.name.endswith("t")
