"""Is there anything to compare? A gate that compares the baseline with itself is always green (fault 1 of section 13).

The rule (design, section 4): equal sides are exit 3 and never a pass. One case of equal code is honest: two *different*
commits that do not differ below the import roots ("no code change", say a change of the docs), and a patch that touches
only what lies elsewhere. What tools leave behind (``gate.pins.junk``) is no difference. Where the candidate is the working
tree, its HEAD must be that other commit and the tree must hold HEAD's code: a job that checked the baseline out over the
working tree has HEAD's name and the baseline's code.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import SameSidesError
from gate.pins.draft import listed, refuse_submodules
from gate.pins.junk import importable, is_beside, leftovers, uncounted
from gate.pins.snapshot import is_byte_code, scan, within

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gate.pins.draft import Draft, Place, Ready
    from gate.types import Settings


def refuse_same_pins(settings: Settings) -> None:
    """What needs no files: the same commit, path or wheel on both sides."""
    left, right = settings.baseline, settings.candidate
    if left.kind != right.kind:
        return
    if left.kind == "wheel":
        same = left.sha256 == right.sha256
    else:
        same = left.value == right.value or (left.kind != "git" and _one_path(left.value, right.value))
    if same:
        raise SameSidesError("baseline and candidate are the same: " + " and ".join(dict.fromkeys(map(str, (left, right)))))


def _one_path(left: str, right: str) -> bool:
    try:
        return Path(left).expanduser().samefile(Path(right).expanduser())
    except OSError:
        return False


def judge(place: Place, baseline: Ready, candidate: Ready) -> tuple[bool, list[str]]:
    """Whether two different commits hold equal code, and what is to be said; raises where nothing would be compared."""
    left, right = baseline.draft, candidate.draft
    found = _differing(baseline, candidate)
    equal = baseline.digest == candidate.digest or (found is not None and not found)
    if place.repository is None or left.commit is None or right.commit is None:
        return _not_equal(equal, f"{left.pin} and {right.pin} hold the same code"), _only_untracked(found, right)
    _refuse_submodules(left, right)
    if right.pin.kind == "patch":
        return _judge_patch(place, left, right, equal=equal), []
    if left.commit == right.commit:
        if right.pin.kind == "tree":
            what = f"there is no candidate: the working tree is at the baseline commit {left.commit} and holds its code unchanged"
            return _not_equal(equal, what), _only_untracked(found, right)
        raise SameSidesError(f"baseline and candidate are the same commit {left.commit}")
    notices = _only_untracked(found, right)
    if right.pin.kind == "tree":
        notices += _refuse_reverted(place, baseline, candidate, equal=equal)
    from gate.pins import git

    if not git.is_ancestor(place.repository, left.commit, right.commit):
        far = " as far as this shallow clone reaches" if place.repository.shallow else ""
        notices.append(
            f"the baseline {left.commit[:12]} is no ancestor of the candidate {right.commit[:12]}{far}: a difference may come from either"
        )
    return equal, notices


def _differing(baseline: Ready, candidate: Ready) -> set[str] | None:
    """The files below the import roots that differ and count, as the candidate names them; None where more than files differs."""
    left, right = baseline.draft, candidate.draft
    if left.entries is None or right.entries is None or baseline.lines != candidate.lines:
        return None
    # git says which files are no part of the code; where one side is a plain folder, only their names do, on both sides.
    by_name = "dir" in {left.pin.kind, right.pin.kind}
    old, new = _counted(left, by_name=by_name), _counted(right, by_name=by_name)
    start = right.base + "/" if right.base else ""
    return {start + name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _counted(draft: Draft, *, by_name: bool) -> dict[str, str]:
    """The entries that count, by their path from the project."""
    entries, start = draft.entries or {}, len(draft.base) + 1 if draft.base else 0
    out = uncounted(draft.untracked, entries, draft.roots) if draft.untracked else set()
    out |= leftovers(entries, draft.roots) if by_name else set()
    return {name[start:]: what for name, what in entries.items() if name not in out and any(within(name, top) for top in draft.roots)}


def _only_untracked(found: set[str] | None, right: Draft) -> list[str]:
    names = sorted(found or ())
    if not right.untracked.issuperset(names):
        return []
    return list(listed("candidate", "the sides differ in nothing but untracked files", names))


def _refuse_submodules(left: Draft, right: Draft) -> None:
    old, new = ({name: what for name, what in (draft.entries or {}).items() if what.startswith("m ")} for draft in (left, right))
    changed = [name for name in old.keys() | new.keys() if old.get(name) != new.get(name) or name in right.touched]
    refuse_submodules("candidate", (*left.roots, *right.roots), changed, "has another commit than the baseline's")


def _not_equal(equal: bool, what: str) -> bool:
    if equal:
        raise SameSidesError(what)
    return False


def _judge_patch(place: Place, left: Draft, right: Draft, *, equal: bool) -> bool:
    if not equal:
        return False
    contract = place.contract
    if any(contract is not None and within(name, contract) for name in right.touched) or scan(left.root) != scan(right.root):
        return True
    raise SameSidesError(f"the patch {right.pin.value} changes nothing")


def _refuse_reverted(place: Place, baseline: Ready, candidate: Ready, *, equal: bool) -> list[str]:
    """Fault 1 of section 13: HEAD is another commit, but the working tree holds the baseline's files.

    Its sign is that all importable code that HEAD changed or removed stands as the baseline has it. Tests are no part of
    that code, files that HEAD added may lie there, and others may differ: ``git checkout BASELINE -- pkg`` leaves the
    tests and what HEAD added, and a job may make a file anew. Where HEAD changed no code, the same of the data inside
    packages is the sign, and where it changed none, that all of the baseline's files are back. What is back beside that
    is said.
    """
    left, right = baseline.draft, candidate.draft
    if place.repository is None or left.commit is None or right.commit is None:
        return []
    from gate.pins import git

    changed = git.changed(place.repository, left.commit, right.commit)
    files = {name: how for name, how in changed.items() if any(within(name, top) for top in (*left.roots, *right.roots))}
    files = {name: how for name, how in files.items() if place.contract is None or not within(name, place.contract)}
    files = {name: how for name, how in files.items() if not is_byte_code(name)}
    old, new = left.entries or {}, right.entries or {}
    undone = [name for name in files if old.get(name) == new.get(name)]
    if equal:
        back = bool(files) or _other_lines(place, changed, right.commit, baseline)
    elif asked := _asked(files, old.keys() | new.keys(), (*left.roots, *right.roots)):
        back = asked.issubset(undone)
    else:
        back = baseline.lines == candidate.lines and any(how != "A" for how in files.values())
        back = back and all(new.get(name) == what for name, what in old.items())
    if back:
        head = right.commit[:12]
        what = f"the working tree holds the baseline's files, its HEAD {head} has others: was the baseline checked out over it?"
        remedy = f"restore the tree (`git checkout HEAD -- .`), or name the commit that is meant: --candidate git:{right.commit}"
        raise SameSidesError(what, remedy=remedy)
    return list(listed("candidate", "files stand in the working tree as in the baseline, although HEAD changed them", sorted(undone)))


def _asked(files: Mapping[str, str], names: Collection[str], roots: Sequence[str]) -> set[str]:
    """Of the changed files those that a checkout of the baseline would bring back: code, else the tests, else data of packages."""
    there = {name for name, how in files.items() if how != "A"}
    code, every = {name for name in there if importable(name)}, {name for name in files if importable(name)}
    if asked := {name for name in code if not is_beside(name)}:
        return asked
    if every:
        return code if all(map(is_beside, every)) else set()
    return {name for name in there - uncounted(there, names, roots) if not is_beside(name)}


def _other_lines(place: Place, listed: Mapping[str, str], head: str, baseline: Ready) -> bool:
    """Whether HEAD's own requirements file pins something else than the baseline's (a comment is no change)."""
    name = place.settings.requirements
    path = os.path.normpath(os.path.join(place.base, name)) if name is not None else ""  # noqa: PTH118
    if name is None or place.repository is None or path not in listed:
        return False
    from gate.environment.requirements import parse_requirements
    from gate.pins import git

    data = git.read_blob(place.repository, head, path)
    return data is None or parse_requirements(data, file=f"{name} (HEAD)") != baseline.lines
