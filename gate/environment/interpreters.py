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

from gate.errors import SideError, UsageError
from gate.types import Interpreter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

OLDEST = (3, 8)
_VERSION = re.compile(r"\d+(?:\.\d+){0,2}")
# Runs under any Python, so that an old one can say which it is. Folders come from `site` itself, which distributions patch.
_PROBE = """\
import sys
print(sys.version.split()[0])
print(sys.executable)
try:
    import site
    for folder in site.getsitepackages(sorted({sys.base_prefix, sys.base_exec_prefix})):
        print(folder)
except Exception:
    pass
"""


def find_interpreter(python: str | None = None, *, near: Path | None = None) -> Interpreter:
    """The interpreter that ``python`` (a version, a path or nothing) names; relative paths also count from ``near``."""
    if python is None:
        return _own()
    if _VERSION.fullmatch(python) is None:
        return _at(_path(python, near), named=python)
    own = _own()
    if _fits(own.version, python):
        return own
    for file in _installed(python, _variables()):
        found = _ask(file)
        if found is not None and _fits(found.version, python) and _venv(found.executable) is None:
            return _checked(found)
    raise SideError(
        f"there is no Python {python} on PATH, among pyenv's versions or uv's",
        remedy=f"install it (`uv python install {python}`), or name one by its path: --python /path/to/python",
    )


def pth_files(folders: Iterable[Path]) -> tuple[str, ...]:
    """The names of the ``.pth`` files in these folders: code that a usual start would run, and we do not."""
    return tuple(sorted({name for folder in folders for name in os.listdir(folder) if name.endswith(".pth")}))  # noqa: PTH208


def _variables() -> Mapping[str, str]:
    from gate.config import environ

    return environ().variables


def _own() -> Interpreter:
    base = getattr(sys, "_base_executable", None) or sys.executable
    return Interpreter(executable=Path(base), version=sys.version.split()[0], packages=_own_packages())


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
    """The file that ``python`` names; a bare word is a program on ``PATH``."""
    from gate.process import find_program

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
    if found is None:
        raise SideError(f"--python {named}: it would not start", remedy=f"run `{named} --version` to see why")
    settings = _venv(found.executable)
    if settings is None:
        return _checked(found)
    prefix, name = found.executable.parent.parent, ".".join(found.version.split(".")[:2])
    own = sorted(
        {at.resolve() for lib in ("lib", "lib64") for at in prefix.glob(f"{lib}/python{name}*/site-packages")}
    )  # lib64 may link to lib
    shared = settings.get("include-system-site-packages", "").lower() == "true"
    base = _ask(Path(settings.get("home", "")) / f"python{name}") if shared else None
    below = base.packages if base is not None else ()
    return _checked(Interpreter(executable=found.executable, version=found.version, packages=(*own, *below)))


def _checked(found: Interpreter) -> Interpreter:
    numbers = tuple(int(part) for part in re.findall(r"\d+", found.version)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise UsageError(
            f"{found.executable} is Python {found.version}; targets need {oldest} or newer", remedy="name a newer one with --python"
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


def _ask(file: Path) -> Interpreter | None:
    """What an interpreter says of itself, None where it does not start. Behind a shim stands another executable: that one is meant."""
    from gate.process import run

    variables = _variables()
    env = {name: variables[name] for name in ("PATH", "HOME", "PYENV_ROOT") if name in variables}
    try:
        done = run([file, "-E", "-s", "-S", "-c", _PROBE], env=env)
    except OSError:
        return None
    lines = done.text().split("\n")
    if done.code or len(lines) < 2 or re.match(r"\d+\.\d+", lines[0]) is None:
        return None
    return Interpreter(executable=Path(lines[1] or file), version=lines[0], packages=_present(lines[2:]))


def _fits(version: str, wanted: str) -> bool:
    return (
        version == wanted or version.startswith(wanted + ".") or re.fullmatch(re.escape(wanted) + r"(?:a|b|rc)\d+\+?", version) is not None
    )


def _installed(wanted: str, variables: Mapping[str, str]) -> Iterator[Path]:
    """Interpreters that may be of the wanted version: on ``PATH`` (plain ones), then in the folders of pyenv and of uv."""
    short = ".".join(wanted.split(".")[:2])
    home = Path(variables.get("HOME", "/"))
    pyenv = Path(variables.get("PYENV_ROOT") or home / ".pyenv")
    uv = Path(variables.get("UV_PYTHON_INSTALL_DIR") or Path(variables.get("XDG_DATA_HOME") or home / ".local/share") / "uv/python")
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


def _by_number(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", folder.name)[:3])
