"""Did every module come from where its side says?

Source: design, section 7; the article's "pin PYTHONPATH, pin the interpreter".
A comparison in which one side imported the other's code, or an installed copy, compares nothing. Asked twice: of what is
loaded when the target has been imported, and after the run of what fixtures brought in.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import ProvenanceError, WorkerError
from gate.runner.process import own_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from gate.types import Side, Target

_ALIKE = ("python", "implementation", "cache_tag", "build", "executable", "hash", "flags")
_CODE = (".py", ".so", ".pyd", ".pyc")
# An `__init__` that says so shares its name with other distributions; beyond this size it is a package of its own.
_SHARING = (b"extend_path", b"declare_namespace")
_SHARING_MOST = 4096


def check(
    sides: tuple[Side, Side], hellos: tuple[Mapping[str, Any], Mapping[str, Any]], target: Target, *, tree: Path | None = None
) -> None:
    """Raise ProvenanceError for a module outside its side, WorkerError where the two interpreters are not the same.

    ``tree`` is the user's own checkout: it moves, so that nothing but the contract may be imported from it.
    """
    for key in _ALIKE:
        if hellos[0].get(key) != hellos[1].get(key):
            what = f"the sides do not run alike: {key} is {hellos[0].get(key)} for the baseline and {hellos[1].get(key)} for the candidate"
            raise WorkerError(what, remedy="give both sides one interpreter with --python")
    found = []
    for side, hello in zip(sides, hellos, strict=True):
        modules = hello.get("modules")
        if not isinstance(modules, dict):
            raise WorkerError(f"the {side.name}'s worker broke the protocol: it does not say which modules it loaded")
        found.append({str(name): str(file) for name, file in modules.items()})
    own = _own_names(sides)
    if target.adapter is not None:
        _check_adapter(target.adapter, own, found)
    _check_both(sides, (found[0], found[1]), own, target, tree, how="imported")


def check_late(
    sides: tuple[Side, Side], late: tuple[Mapping[str, str], Mapping[str, str]], target: Target, *, tree: Path | None = None
) -> None:
    """After the run: the same of every module that a fixture brought in or put in another's place, and of files of code it opened."""
    if late[0] or late[1]:
        _check_both(sides, late, _own_names(sides), target, tree, how="imported, while a fixture ran,")


def check_reached(sides: tuple[Side, Side], reached: tuple[bool, bool], target: Target) -> None:
    """After the run: each side must have loaded code of its own, or two copies of something else were compared."""
    for side, did in zip(sides, reached, strict=True):
        if not did:
            what = f"the {side.name} ran no code of its own: {target.entry} loaded no module from its import roots"
            remedy = "name an entry of the package that the patch changes, or mend the adapter so that it calls it"
            raise ProvenanceError(what, remedy=remedy)


def _check_adapter(adapter: Path, own: set[str], modules: Iterable[Mapping[str, str]]) -> None:
    """The adapter is the contract's file, and nothing else has its name."""
    name = adapter.stem
    if name in own or name in sys.stdlib_module_names:
        whose = "the sides' own" if name in own else "the standard library's"
        raise ProvenanceError(f"the adapter {adapter.name} hides {whose} module {name}", remedy="give the adapter's file another name")
    for found in modules:
        if (file := found.get(name)) is not None and os.path.realpath(file) != os.path.realpath(adapter):
            what = f"the module {name} came from {file}, not from the adapter {adapter}"
            raise ProvenanceError(what, remedy="give the adapter's file a name that no module has")


def _check_both(
    sides: tuple[Side, Side],
    modules: tuple[Mapping[str, str], Mapping[str, str]],
    own: set[str],
    target: Target,
    tree: Path | None,
    *,
    how: str,
) -> None:
    # What either side has is looked for on both: a module that the patch removed must not be served from elsewhere.
    remedy, contract = "", tuple[Path, ...]()
    entry = target.entry.partition(":")[0]
    if target.kind == "command":
        own = own | {"__main__"}
    elif target.adapter is None:
        own = own | {entry}
    else:
        own = own | {entry} - {target.adapter.stem}
        contract = (target.adapter.parent,)
        remedy = f"let {target.adapter.name} import by name alone and leave sys.path as it is; helpers of its own stand beside it"
    copied = [Path(side.pin.value).expanduser() for side in sides if side.pin.kind == "dir"]
    sources = _Folders((*([tree] if tree is not None else []), *copied))
    for side, other, found in ((sides[0], sides[1], modules[0]), (sides[1], sides[0], modules[1])):
        home, foreign, allowed = _Folders((side.root, *side.roots)), _Folders((other.root,)), _Folders((*side.packages, *contract))
        for name, file in found.items():
            # A console script may be that of a package which was installed for this side alone.
            if file in home or (name == "__main__" and file in _Folders(own_folders(side))):
                continue
            # Code that is not imported by name (a loader by path, `runpy`, `exec`, a child) goes by its path.
            if name == file and (file in foreign or (file in sources and file not in allowed)):
                whose = f"the {other.name}'s own root" if file in foreign else "the user's own tree, which is not pinned"
                what = f"the {side.name} read or ran {file}, code of {whose}"
                raise ProvenanceError(what, remedy=remedy or "reach a side's code by importing it: a path leads both sides to one tree")
            if file in foreign:
                raise ProvenanceError(f"the {side.name} {how} {name} from the {other.name}'s own root", remedy=remedy)
            if not own.isdisjoint(_prefixes(name)) and not _is_second_name(name, file, found, own):
                raise ProvenanceError(f"the {side.name} {how} {name} from {file}, which is not below its own root", remedy=remedy)
            if file in sources and file not in allowed:
                what = f"the {side.name} {how} {name} from {file}, a file of the user's own tree, which is not pinned"
                raise ProvenanceError(what, remedy=remedy or "take that folder off sys.path: both sides would run one code, and it moves")


def _is_second_name(name: str, file: str, found: Mapping[str, str], own: set[str]) -> bool:
    """Whether code of a side's has put a dependency in its own place (`sys.modules[__name__] = fastlib`), where it is known by its name."""
    return not _is_named(file, name) and any(
        path == file and _is_named(file, one) and own.isdisjoint(_prefixes(one)) for one, path in found.items()
    )


def _is_named(file: str, name: str) -> bool:
    """Whether the import system would find a module of this name in this file."""
    folder, _, base = file.rpartition("/")
    stem = base.partition(".")[0]
    return (folder.rpartition("/")[2] if stem == "__init__" else stem) == name.rpartition(".")[2]


class _Folders:
    """``file in folders``: whether a file lies below one of them, links and ``..`` resolved."""

    _real: dict[str, str] = {}  # noqa: RUF012  # of folders, for the life of the process: many modules share few

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = tuple(f"{self._resolved(str(folder))}/" for folder in folders)

    def __contains__(self, file: str) -> bool:
        folder, _, name = file.rpartition("/")
        return os.path.isabs(file) and f"{self._resolved(folder)}/{name}".startswith(self.folders)  # noqa: PTH117

    def _resolved(self, folder: str) -> str:
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return self._real[folder]


def _prefixes(name: str) -> Iterator[str]:
    """``a``, ``a.b``, ``a.b.c`` of ``a.b.c``."""
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _own_names(sides: Iterable[Side]) -> set[str]:
    """Names of the packages and modules in the sides' import roots; of a namespace those inside it, as its name is everybody's."""
    return {name for side in sides for root in side.roots for name in _names_in(root, "")}


def _names_in(folder: Path | str, prefix: str) -> Iterator[str]:
    try:
        listing = list(os.scandir(folder))
    except OSError:
        return
    for entry in listing:
        stem, dot, rest = entry.name.partition(".")
        if not stem.isidentifier():
            continue
        if dot:
            if f".{rest}".endswith(_CODE) and stem != "__init__":
                yield prefix + stem
        elif entry.is_dir(follow_symlinks=False):
            if _is_package(entry.path):
                yield prefix + stem
            else:
                yield from _names_in(entry.path, f"{prefix}{stem}.")


def _is_package(folder: str) -> bool:
    """Whether a folder has an ``__init__`` of its own that shares its name with nobody."""
    for name in os.listdir(folder):  # noqa: PTH208
        if name.startswith("__init__.") and name.endswith(_CODE):
            file = Path(folder, name)
            return file.stat().st_size > _SHARING_MOST or not any(mark in file.read_bytes() for mark in _SHARING)
    return False
