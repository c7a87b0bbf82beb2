"""Git as a reader: commits become plain files in a fresh root, and nothing in the user's repository changes.

The rule: no command here writes below ``.git`` (index, refs, objects, worktree list, hooks) or into the work tree. A
commit is read into a private index and written by ``git checkout-index`` with the fresh root as its work tree, so that
its own ``.gitattributes`` count and not those that lie in the user's tree. Switched off: hooks, the file system monitor,
split and sparse indexes (they write beside the index), replace refs, lazy fetching and every transport. The environment
is constructed; a ``GIT_DIR`` or ``GIT_INDEX_FILE`` from a hook that started us never reaches git.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from gate.errors import SideError
from gate.process import Done, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_PASSED = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "USER", "LOGNAME", "GNUPGHOME")
_ALWAYS = {
    "LC_ALL": "C",  # we quote git's words
    "GIT_ALLOW_PROTOCOL": "",  # a partial clone would fetch what it lacks into the user's objects
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_CONFIG = tuple(
    part
    for setting in (
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.sparseCheckout=false",
        "core.splitIndex=false",
        "core.untrackedCache=false",
        "index.sparse=false",
    )
    for part in ("-c", setting)
)
# Large files are put in from the local store afterwards; git-lfs itself would go to the network.
_NO_LFS = ("-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false")
_SHA = re.compile(r"[0-9a-f]{40}")
_SUBMODULE = "160000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A git work tree: its root, its git folder (its own in a linked worktree) and the one shared by all worktrees."""

    checkout: Path
    folder: Path
    common: Path
    shallow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Paths of a work tree: files, submodules with their commits, other repositories inside, files that a sparse checkout left out.

    ``untracked`` are those of the files that git does not know.
    """

    files: tuple[str, ...]
    untracked: frozenset[str]
    submodules: Mapping[str, str]
    nested: tuple[str, ...]
    sparse: tuple[str, ...]


def open_repository(checkout: Path) -> Repository:
    """The repository whose work tree ``checkout`` is. ``SideError`` with git's own words where git refuses it."""
    done = _git("rev-parse", "--absolute-git-dir", "--git-common-dir", "--is-shallow-repository", cwd=checkout)
    folder, common, shallow = done.text().split("\n")
    return Repository(checkout=checkout, folder=Path(folder), common=(checkout / common).resolve(), shallow=shallow == "true")


def find_commit(repository: Repository, revision: str) -> str | None:
    """The commit that ``revision`` names (a tag object is peeled), None where there is none here."""
    if revision.startswith("-"):
        return None
    done = ask(repository, "rev-parse", "--quiet", "--verify", "--end-of-options", revision + "^{commit}", codes=(0, 1, 128))
    found = done.text()
    return found if done.code == 0 and _SHA.fullmatch(found) else None


def missing(repository: Repository, sha: str, *, side: str) -> SideError:
    """The error for a commit that is not in this clone."""
    shallow = (
        "this clone is shallow: `git fetch --unshallow` brings its history; "
        if repository.shallow
        else "`git fetch --unshallow` (in a shallow clone) or "
    )
    return SideError(f"{side}: commit {sha} is not in this repository", remedy=f"{shallow}`git fetch origin {sha}` brings this one commit")


def is_ancestor(repository: Repository, old: str, new: str) -> bool:
    """Whether ``new`` has ``old`` in its history, as far as this clone reaches."""
    return ask(repository, "merge-base", "--is-ancestor", old, new, codes=(0, 1, 128)).code == 0


def write_commit(repository: Repository, commit: str, root: Path, *, index: Path, without: str | None) -> dict[str, str]:
    """Write the files of ``commit`` into the new folder ``root``, but those below ``without``; the submodules and their commits."""
    root.mkdir(parents=True)
    more = {"GIT_INDEX_FILE": os.fspath(index), "GIT_DIR": os.fspath(repository.folder), "GIT_WORK_TREE": os.fspath(root)}
    _git("read-tree", commit, cwd=root, more=more)
    names: list[str] = []
    submodules: dict[str, str] = {}
    for line in _records(_git("ls-files", "-z", "--stage", cwd=root, more=more)):
        about, _, name = line.partition("\t")
        mode, sha, _ = about.split(" ")
        if without is not None and (name == without or name.startswith(without + "/")):
            continue
        if mode == _SUBMODULE:
            submodules[name] = sha
        else:
            names.append(name)
    try:
        _git(*_NO_LFS, "checkout-index", "-z", "--stdin", cwd=root, more=more, stdin=os.fsencode("".join(name + "\0" for name in names)))
    except SideError as fault:
        remedy = f"a partial clone lacks its files: `git archive --format=tar --output=/dev/null {commit}` fetches those of this commit"
        raise SideError(fault.what, remedy=remedy if "promisor" in fault.what else "") from None
    finally:
        index.unlink(missing_ok=True)
    return submodules


def list_tree(repository: Repository) -> Listed:
    """What ``git add --all`` would see: tracked files and unignored ones, whether or not they still exist."""
    done = ask(repository, "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard")
    files: dict[str, None] = {}
    submodules: dict[str, str] = {}
    untracked, nested, sparse = [], [], []
    for line in _records(done):
        if line.startswith("? "):
            name = line[2:]
            if name.endswith("/"):
                nested.append(name.rstrip("/"))
            else:
                files[name] = None
                untracked.append(name)
            continue
        about, _, name = line.partition("\t")
        tag, mode, sha, _ = about.split(" ")
        if mode == _SUBMODULE:
            submodules[name] = sha
        elif tag == "S" and not os.path.lexists(repository.checkout / name):
            sparse.append(name)
        else:
            files[name] = None  # once, though an unmerged file is listed in each of its stages
    return Listed(
        files=tuple(files),
        untracked=frozenset(untracked),
        submodules=submodules,
        nested=tuple(sorted(nested)),
        sparse=tuple(sorted(sparse)),
    )


def changed(repository: Repository, old: str, new: str) -> dict[str, str]:
    """Paths that differ between two commits, with A (added), D, M or T. A rename is a D and an A."""
    parts = _records(ask(repository, "diff-tree", "-r", "-z", "--no-renames", "--name-status", old, new))
    return dict(zip(parts[1::2], parts[::2], strict=True))


def unclean(repository: Repository, *, without: Iterable[str]) -> tuple[str, ...]:
    """Paths that differ from HEAD or are untracked, but those in ``without``; untracked files in a submodule do not count."""
    exclude = [f":(top,literal,exclude){name}" for name in without]
    how = ("--porcelain", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=untracked")
    done = ask(repository, "status", *how, "--", ":(top)", *exclude)
    return tuple(line[3:] for line in _records(done))


def read_blob(repository: Repository, commit: str, path: str) -> bytes | None:
    """The bytes of a file as committed, None where the commit has no such file."""
    done = ask(repository, "cat-file", "blob", f"{commit}:{path}", codes=(0, 128))
    return done.stdout if done.code == 0 else None


def ask(repository: Repository, *args: str, codes: Sequence[int] = (0,)) -> Done:
    """One reading command in the work tree; ``SideError`` with git's words for any exit code but ``codes``."""
    return _git(*args, cwd=repository.checkout, codes=codes)


def apply_patch(patch: bytes, root: Path, *, without: str | None) -> Done:
    """``git apply`` on plain files: no repository is found, no configuration is read, no path may leave ``root``."""
    pattern = [] if without is None else ["--exclude=" + re.sub(r"([*?[\\])", r"\\\1", without) + "/*"]
    compiled = ("--exclude=*.pyc", "--exclude=*.pyo")  # no part of a side
    return _apply(patch, root, "--whitespace=nowarn", "--no-ignore-whitespace", *compiled, *pattern)


def patched_files(patch: bytes, root: Path) -> Done:
    """The paths that a patch names, as records of added lines, removed lines and path. Nothing is applied."""
    return _apply(patch, root, "--numstat", "-z")


def _apply(patch: bytes, root: Path, *how: str) -> Done:
    alone = {
        "GIT_CEILING_DIRECTORIES": os.path.realpath(root.parent),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "HOME": os.fspath(root.parent),
        "XDG_CONFIG_HOME": os.fspath(root.parent),
    }
    return _git("apply", *how, "-", cwd=root, more=alone, stdin=patch, codes=(0, 1, 128))


def _git(*args: str, cwd: Path, more: Mapping[str, str] | None = None, stdin: bytes = b"", codes: Sequence[int] = (0,)) -> Done:
    from gate.config import environ

    variables = environ().variables
    env = {name: variables[name] for name in _PASSED if name in variables} | _ALWAYS | dict(more or {})
    try:
        done = run(["git", "-C", cwd, *_CONFIG, *args], env=env, stdin=stdin)
    except FileNotFoundError:
        raise SideError("git is not on PATH", remedy="install git, or name folders: --baseline dir:<path> --candidate dir:<path>") from None
    if done.code not in codes:
        command = next(arg for arg in args if not arg.startswith("-") and "=" not in arg)
        remedy = "run the same command by hand in the repository to see more"
        if b"dubious ownership" in done.stderr:
            remedy = (
                f"the repository belongs to another user; trust it with: git config --global --add safe.directory {quote(os.fspath(cwd))}"
            )
        raise SideError(f"git {command} failed: {done.words()}", remedy=remedy)
    return done


def _records(done: Done) -> list[str]:
    return os.fsdecode(done.stdout).split("\0")[:-1]
