"""Is there anything to compare? A gate that compares the baseline with itself is always green (fault 1 of section 13).

The rule (design, section 4): equal sides are exit 3 and never a pass. One case of equal code is honest: two *different*
commits that do not differ below the import roots ("no code change", say a change of the docs), and a patch that touches
only what lies elsewhere. Where the candidate is the working tree, its HEAD must be that other commit and the tree must
hold HEAD's files: a job that checked the baseline out over the working tree has HEAD's name and the baseline's files.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import SameSidesError
from gate.pins.snapshot import scan, within

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    left, right, equal = baseline.draft, candidate.draft, baseline.digest == candidate.digest
    if place.repository is None or left.commit is None or right.commit is None:
        return _not_equal(equal, f"{left.pin} and {right.pin} hold the same code"), []
    if right.pin.kind == "patch":
        return _judge_patch(place, left, right, equal=equal), []
    if left.commit == right.commit:
        if right.pin.kind == "tree":
            what = f"there is no candidate: the working tree is at the baseline commit {left.commit} and holds its code unchanged"
            return _not_equal(equal, what), []
        raise SameSidesError(f"baseline and candidate are the same commit {left.commit}")
    if right.pin.kind == "tree":
        _refuse_reverted(place, baseline, candidate)
    from gate.pins import git

    notices = []
    if not git.is_ancestor(place.repository, left.commit, right.commit):
        far = " as far as this shallow clone reaches" if place.repository.shallow else ""
        notices.append(
            f"the baseline {left.commit[:12]} is no ancestor of the candidate {right.commit[:12]}{far}: a difference may come from either"
        )
    return equal, notices


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


def _refuse_reverted(place: Place, baseline: Ready, candidate: Ready) -> None:
    """Fault 1 of section 13: HEAD is another commit, but the working tree holds the baseline's files.

    Its sign, also where HEAD added files (``git checkout BASELINE -- .`` leaves those) and a job left its own: HEAD
    changed or removed files of the baseline, and the tree has every file of the baseline as the baseline has it. The
    same of the Python files alone is enough: ``git checkout BASELINE -- pkg`` leaves HEAD's documents beside them.
    """
    left, right = baseline.draft, candidate.draft
    if place.repository is None or left.commit is None or right.commit is None:
        return
    from gate.pins import git

    listed = git.changed(place.repository, left.commit, right.commit)
    code = {name: how for name, how in listed.items() if any(within(name, top) for top in (*left.roots, *right.roots))}
    code = {name: how for name, how in code.items() if place.contract is None or not within(name, place.contract)}
    old, new = left.entries or {}, right.entries or {}
    if baseline.digest == candidate.digest:
        back = bool(code) or _other_lines(place, listed, right.commit, baseline)
    else:
        back = baseline.lines == candidate.lines and any(
            any(how != "A" and name.endswith(suffix) for name, how in code.items())
            and all(new.get(name) == what for name, what in old.items() if name.endswith(suffix))
            for suffix in ("", ".py")
        )
    if back:
        head = right.commit[:12]
        what = f"the working tree holds the baseline's files, its HEAD {head} has others: was the baseline checked out over it?"
        remedy = f"restore the tree (`git checkout HEAD -- .`), or name the commit: --candidate git:{right.commit}"
        raise SameSidesError(what, remedy=remedy)


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
