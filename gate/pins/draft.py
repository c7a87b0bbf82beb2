"""What a side is while it is made: a ``Draft`` in a fresh root, and what every kind of checkout shares.

The rule: import roots count from the project, the folder that holds ``shadow/``, which in a repository of several
projects lies below its root; and nothing in a root may lead out of it, where the other side or the user's tree lies.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gate.errors import SideError
from gate.pins.snapshot import Entries, below, is_byte_code, links_out, walk, within
from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gate.environment.requirements import Requirement
    from gate.pins.git import Repository
    from gate.types import Pin, Settings, SideName

_NAMED = 5


class Draft(Value):
    """One side's files. ``roots`` and ``base`` (the project) are paths below ``root``, "" for itself.

    ``entries`` are at least those below the roots; None for what is installed rather than copied. ``untracked`` are those
    of a work tree that git does not know, ``touched`` the paths that a patch names.
    """

    name: SideName
    pin: Pin
    root: Path
    base: str = ""
    roots: tuple[str, ...] = ()
    entries: Entries | None = None
    commit: str | None = None
    untracked: frozenset[str] = frozenset()
    touched: tuple[str, ...] = ()
    facts: Mapping[str, Any]
    notices: tuple[str, ...] = ()


class Place(Value):
    """Where we work: the settings, the scratch folder, and the repository around the user, opened when it is needed first."""

    settings: Settings
    scratch: Path
    repository: Repository | None

    @property
    def base(self) -> str:
        """The project's path below its checkout."""
        folder = self.settings.folder
        return "" if folder is None else below_checkout(self.settings, folder.parent) or ""

    @property
    def contract(self) -> str | None:
        """The contract's path below its checkout."""
        return None if self.settings.folder is None else below_checkout(self.settings, self.settings.folder)


def below_checkout(settings: Settings, path: Path) -> str | None:
    """``path`` below the user's checkout as git spells it, None where it lies elsewhere."""
    return None if settings.checkout is None else below(path, settings.checkout)


class Ready(Value):
    """A draft with its requirements read and its code digested: enough to compare, nothing is installed yet. ``shown`` is the pin."""

    draft: Draft
    shown: str
    lines: tuple[Requirement, ...] | None
    digest: str


def import_roots(settings: Settings, name: SideName, root: Path, base: str) -> tuple[str, ...]:
    """``[sides] path``, or ``src`` if there is one, else the project itself; each must be a folder inside the root."""
    paths = settings.side_paths or ("src" if os.path.lexists(root / base / "src") and (root / base / "src").is_dir() else ".",)
    found = []
    for path in paths:
        place = below(root / base / path, root)
        if place is None or not (root / place).is_dir():
            raise SideError(
                f"{name}: the import root {path!r} is no folder there",
                remedy="mend `[sides] path` in shadow.toml; both sides need each folder",
            )
        found.append(place)
    return tuple(dict.fromkeys(found))


def drop_foreign(draft: Draft) -> tuple[str, ...]:
    """Take away what must not stand in a root; what is said of it.

    Byte code, committed or not, could be older than its source, or other code than it: a side runs what its sources say.
    Links out of the root could lead to the other side: a fault below the import roots, taken away elsewhere.
    """
    entries = draft.entries or {}
    names = list(walk(draft.root))
    compiled = sorted(name for name in names if is_byte_code(name))
    for name in compiled:
        (draft.root / name).unlink()
        entries.pop(name, None)
    loose = [name for name in compiled if "__pycache__" not in name.split("/")]
    outside = links_out(draft.root, set(names).difference(compiled))
    bad = [link for link in outside if any(within(link, top) for top in draft.roots)]
    if bad:
        remedy = "replace it by the files themselves, or set `[sides] path` to the folders that hold the code"
        raise SideError(f"{draft.name}: a symbolic link leads out of the side: {', '.join(bad[:_NAMED])}", remedy=remedy)
    for link in outside:
        (draft.root / link).unlink()
        entries.pop(link, None)
    return (
        *listed(draft.name, "loose byte code is no part of a side and left out", loose),
        *listed(draft.name, "symbolic links that lead out of the side are left out", outside),
    )


def refuse_submodules(name: SideName, roots: Sequence[str], paths: Sequence[str], why: str) -> None:
    """A submodule below the import roots is code that is not here: where it changed there is nothing to compare."""
    changed = sorted(path for path in paths if any(within(path, top) or within(top, path) for top in roots))
    if changed:
        remedy = "pin the package as a wheel or as requirements on both sides, or set `[sides] path` to folders without the submodule"
        raise SideError(f"{name}: a submodule below the import roots {why}, and its files are not seen: {changed[0]}", remedy=remedy)


def listed(name: SideName, what: str, paths: Sequence[str]) -> tuple[str, ...]:
    """A notice that names the first of ``paths``; none where there are none."""
    if not paths:
        return ()
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return (f"{name}: {what}: {', '.join(paths[:_NAMED])}{more}",)
