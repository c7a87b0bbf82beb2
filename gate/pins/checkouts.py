"""Sides that git knows: a commit, the working tree, a patch on a commit. Each becomes plain files in a fresh root.

The rule: nothing of the user's is written to, no tree, index, branch or object (design, sections 4 and 13, fault 1).
The contract (``shadow/``) is no code: it is left out of every checkout.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import PinError, SameSidesError, SideError
from gate.pins import git
from gate.pins.draft import Draft, below_checkout, drop_foreign, import_roots, listed, refuse_submodules
from gate.pins.junk import environments
from gate.pins.snapshot import Entries, copy_files, is_cache, scan, walk, within
from gate.types import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.pins.draft import Place
    from gate.types import Pin, SideName

_NOT_HERE = "submodules are not checked out, only their commits are compared"
_LFS = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_MOST = 1024


def from_commit(place: Place, name: SideName, pin: Pin, root: Path, sha: str) -> Draft:
    """The files of a commit, with large files where this clone has them."""
    repository = _repository(place, name, pin)
    commit = git.find_commit(repository, sha)
    if commit is None:
        raise git.missing(repository, sha, side=name)
    submodules = git.write_commit(repository, commit, root, index=place.scratch / f"{name}.index", without=place.contract)
    roots = import_roots(place.settings, name, root, place.base)
    absent = _large_files(repository, root, roots)
    entries = scan(root, below=roots) | _submodules(submodules)
    notices = [*listed(name, _NOT_HERE, sorted(submodules))]
    notices += listed(name, "files are pointers to large files that are not in this clone (`git lfs fetch` brings them)", absent)
    draft = Draft(name=name, pin=pin, root=root, base=place.base, roots=roots, entries=entries, commit=commit, facts={"commit": commit})
    return replace(draft, notices=(*notices, *drop_foreign(draft)))


def from_tree(place: Place, pin: Pin, root: Path) -> Draft:
    """A copy of the working tree's tracked and unignored files, but for our own report."""
    repository, settings = _repository(place, "candidate", pin), place.settings
    found = git.list_tree(repository)
    ours = [path for path in (place.contract, below_checkout(settings, settings.report), below_checkout(settings, place.scratch)) if path]
    installed = environments(found.untracked)
    names = [name for name in found.files if not any(within(name, path) for path in (*ours, *installed))]
    names = [name for name in names if name not in found.untracked or not is_cache(name)]
    entries = copy_files(repository.checkout, names, root) | _submodules(found.submodules)
    roots = import_roots(settings, "candidate", root, place.base)
    head = git.find_commit(repository, "HEAD")
    unclean = git.unclean(repository, without=ours)
    refuse_submodules("candidate", roots, [path for path in unclean if path in found.submodules], "holds changes")
    notices = [*listed("candidate", _NOT_HERE, sorted(found.submodules))]
    notices += listed("candidate", "virtual environments are no part of a side and left out", sorted(installed))
    notices += listed("candidate", "repositories inside the working tree are not copied", found.nested)
    notices += listed("candidate", "tracked files are left out by a sparse checkout", found.sparse)
    draft = Draft(
        name="candidate",
        pin=pin,
        root=root,
        base=place.base,
        roots=roots,
        entries=entries,
        commit=head,
        facts={"commit": head, "dirty": bool(unclean)},
        untracked=found.untracked.intersection(entries),
    )
    return replace(draft, notices=(*notices, *drop_foreign(draft)))


def from_patch(place: Place, pin: Pin, root: Path) -> Draft:
    """The baseline's commit with a patch applied to its plain files."""
    baseline = place.settings.baseline
    if baseline.kind != "git":
        raise PinError(
            f"patch:{pin.value} stands on the baseline's commit, but the baseline is {baseline}",
            remedy="pin a commit: --baseline git:<40 hex digits>",
        )
    patch = Path(pin.value).expanduser().read_bytes()
    if not patch.strip():
        raise SameSidesError(f"the patch {pin.value} is empty: it changes nothing")
    draft = from_commit(place, "candidate", pin, root, baseline.value)
    named = git.patched_files(patch, root)
    applied = git.apply_patch(patch, root, without=place.contract)
    for done in (named, applied):
        if done.code:
            what = f"the patch {pin.value} does not apply to {baseline.value}: {done.words()}"
            raise SideError(what, remedy="make it with `git diff` against the baseline's commit, from the root of the repository")
    touched = tuple(sorted({record.split("\t", 2)[2] for record in os.fsdecode(named.stdout).split("\0") if record.count("\t") >= 2}))
    roots = import_roots(place.settings, "candidate", root, place.base)
    from hashlib import sha256

    facts = {"commit": draft.commit, "patch": sha256(patch).hexdigest()}
    submodules = {path: what for path, what in (draft.entries or {}).items() if what.startswith("m ")}
    draft = replace(draft, roots=roots, entries=scan(root, below=roots) | submodules, touched=touched, facts=facts)
    return replace(draft, notices=(*draft.notices, *drop_foreign(draft)))


def _repository(place: Place, name: SideName, pin: Pin) -> git.Repository:
    if place.repository is None:
        what = f"{name} {pin}: there is no git work tree around the current folder"
        raise PinError(what, remedy="run shadow inside the repository, or name a folder: dir:<path>")
    return place.repository


def _large_files(repository: git.Repository, root: Path, roots: Sequence[str]) -> list[str]:
    """Put large files in from the local store of git-lfs (never the network); those that it does not hold."""
    absent: list[str] = []
    attributes = [repository.common / "info" / "attributes", *(root / name for name in walk(root) if name.endswith(".gitattributes"))]
    if not any(file.is_file() and b"filter=lfs" in file.read_bytes() for file in attributes):
        return absent
    for name in {name for top in roots for name in walk(root, top)}:
        file = root / name
        found = file.lstat()
        if found.st_size > _LFS_MOST or file.is_symlink():
            continue
        pointer = file.read_bytes()
        if not pointer.startswith(_LFS):
            continue
        oid = next((line[11:].decode("ascii", "replace") for line in pointer.splitlines() if line.startswith(b"oid sha256:")), "")
        stored = repository.common / "lfs" / "objects" / oid[:2] / oid[2:4] / oid
        if oid.isalnum() and stored.is_file():
            file.write_bytes(stored.read_bytes())
        else:
            absent.append(name)
    return sorted(absent)


def _submodules(commits: Mapping[str, str]) -> Entries:
    return {path: f"m {sha}" for path, sha in commits.items()}
