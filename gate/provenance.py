"""Did every module come from where its side says?

Source: design, section 7; the article's "pin PYTHONPATH, pin the interpreter".
A comparison in which one side imported the other's code, or an installed copy, compares nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.errors import ProvenanceError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gate.types import Side, Target


def check(sides: tuple[Side, Side], hellos: tuple[Mapping[str, Any], Mapping[str, Any]], target: Target) -> None:
    """Raise ProvenanceError for a module outside its side, WorkerError where the two interpreters are not the same."""
    for key in ("python", "implementation", "cache_tag", "hash", "flags"):
        if hellos[0].get(key) != hellos[1].get(key):
            what = f"the sides do not run alike: {key} is {hellos[0].get(key)} for the baseline and {hellos[1].get(key)} for the candidate"
            raise WorkerError(what, remedy="give both sides one interpreter with --python")
    for side, other, hello in ((sides[0], sides[1], hellos[0]), (sides[1], sides[0], hellos[1])):
        modules = hello.get("modules")
        if not isinstance(modules, dict):
            raise WorkerError(f"the {side.name}'s worker broke the protocol: it does not say which modules it loaded")
        _check_side(side, other, {str(name): str(file) for name, file in modules.items()}, target)


def check_reached(sides: tuple[Side, Side], reached: tuple[bool, bool], target: Target) -> None:
    """After the run: each side must have loaded code of its own, or two copies of something else were compared."""
    for side, did in zip(sides, reached, strict=True):
        if not did:
            what = f"the {side.name} ran no code of its own: {target.entry} loaded no module from its import roots"
            remedy = "name an entry of the package that the patch changes, or mend the adapter so that it calls it"
            raise ProvenanceError(what, remedy=remedy)


def _check_side(side: Side, other: Side, modules: Mapping[str, str], target: Target) -> None:
    # What either side has is looked for on both: a module that the patch removed must not be served from elsewhere.
    own = _packages_below(side) | _packages_below(other)
    if target.adapter is None:
        own.add(target.entry.partition(":")[0].partition(".")[0])
    adapter = target.adapter.stem if target.adapter else None
    if adapter in own:
        what = f"the adapter {adapter}.py hides the module {adapter} of the {side.name}'s own"
        raise ProvenanceError(what, remedy="give the adapter's file another name")
    for name, file in modules.items():
        if _below(file, other.root):
            raise ProvenanceError(f"the {side.name} imported {name} from the {other.name}'s own root")
        top = name.partition(".")[0]
        if top in own and top != adapter and not any(_below(file, root) for root in (side.root, *side.roots)):
            raise ProvenanceError(f"the {side.name} imported {name} from {file}, which is not below its own root")


def _below(file: str, folder: Path) -> bool:
    return file.startswith(f"{folder}/")


def _packages_below(side: Side) -> set[str]:
    """Names of the packages and modules that stand directly in the side's import roots."""
    names: set[str] = set()
    for root in side.roots:
        if root.is_dir():
            for entry in root.iterdir():
                if entry.is_dir() and entry.name.isidentifier():
                    if any(entry.glob("*.py")):  # a folder of data may have the name of an installed package
                        names.add(entry.name)
                elif entry.suffix == ".py":
                    names.add(entry.stem)
    return names
