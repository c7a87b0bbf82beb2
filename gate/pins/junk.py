"""What lies in a folder and is no code: byte code, caches, virtual environments, and what a job leaves behind.

The rule: byte code, caches and virtual environments are never part of a side. Reports, builds and the metadata of an
editable install may lie there, but they make no candidate: sides that differ in nothing else are the same code. Of the
untracked files of a work tree only importable code, and data inside a package, make one.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from gate.pins.snapshot import is_cache, within

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

IMPORTABLE = (".py", ".so", ".pyd", ".pyx")
_TOPS = frozenset({"build", "dist", "htmlcov", "node_modules"})
_ANYWHERE = (".coverage", ".coverage.*", "*.egg-info", "*.dist-info", "*.egg-link")
_AT_THE_TOP = ("coverage.xml", "coverage.json", "junit*.xml")
_BESIDE = frozenset({"benchmarks", "doc", "docs", "examples", "test", "tests"})
_BESIDE_FILES = ("test_*.py", "*_test.py", "conftest.py", "noxfile.py", "setup.py")


def importable(name: str) -> bool:
    """Whether Python, or the build of an extension, would take this file as code."""
    return name.endswith(IMPORTABLE)


def is_beside(name: str) -> bool:
    """Whether a file is a test, an example or a script of the build rather than the code."""
    folder, _, file = name.rpartition("/")
    return not _BESIDE.isdisjoint(folder.split("/")) or any(fnmatchcase(file, pattern) for pattern in _BESIDE_FILES)


def environments(names: Iterable[str]) -> tuple[str, ...]:
    """The folders among ``names`` that are virtual environments."""
    return tuple(name.removesuffix("/pyvenv.cfg") for name in names if name.endswith("/pyvenv.cfg"))


def leftovers(names: Collection[str], roots: Sequence[str]) -> set[str]:
    """Those of ``names`` that tools leave behind, by their name alone. A package that is called ``build`` is none."""
    return {name for name in names if (rest := _below(name, roots)) is not None and _left_over(name, rest, names)}


def uncounted(untracked: Collection[str], names: Collection[str], roots: Sequence[str]) -> set[str]:
    """Those of the untracked files that make no candidate; ``names`` are all files of the side."""
    homes = {name.rpartition("/")[0] for name in names if importable(name)}
    out = leftovers(untracked, roots)
    for name in untracked:
        rest = _below(name, roots)
        if rest is None or name in out or importable(name):
            continue
        parts, top = rest.split("/"), name[: len(name) - len(rest)]
        folders = (top + "/".join(parts[:count]) for count in range(1, len(parts)))
        if any(part.startswith(".") for part in parts) or not any(folder in homes for folder in folders):
            out.add(name)
    return out


def _left_over(name: str, rest: str, names: Collection[str]) -> bool:
    parts = rest.split("/")
    if is_cache(rest) or any(fnmatchcase(part, pattern) for part in parts for pattern in _ANYWHERE):
        return True
    if len(parts) == 1:
        return any(fnmatchcase(rest, pattern) for pattern in _AT_THE_TOP)
    return parts[0] in _TOPS and f"{name[: len(name) - len(rest)]}{parts[0]}/__init__.py" not in names


def _below(name: str, roots: Sequence[str]) -> str | None:
    """``name`` as it counts from the import root that holds it (the innermost), None where none does."""
    tops = [top for top in roots if within(name, top)]
    if not tops:
        return None
    top = max(tops, key=len)
    return name[len(top) + 1 :] if top else name
