"""``shadow freeze``: names the commit that stays the baseline, and optionally builds and hashes its wheel.

The rule (design, section 4): the pin is a full commit hash, and one that the default branch can reach. A commit that only
a feature branch holds is gone after a squash merge, and with it the baseline. Pin files are written whole or not at all;
``BASELINE_SHA`` comes last, so that a failed build leaves the old pins in force. Nothing is committed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from gate.errors import SideError, UsageError
from gate.files import remove, write_atomic
from gate.pins import git
from gate.pins.snapshot import below

SHA_NAME, WHEEL_NAME, WHEEL_FOLDER = "BASELINE_SHA", "BASELINE_WHEEL.sha256", "baseline_wheel"
_REMOTE = "refs/remotes/origin/"
_LOCAL = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What was pinned: the files that were written, the commit, and what the user should know."""

    written: tuple[Path, ...]
    commit: str
    notices: tuple[str, ...] = ()


def freeze(start: Path, rev: str | None = None, *, wheel: bool = False, python: str | None = None) -> Frozen:
    """Pin ``rev`` (default: where HEAD left the default branch) in the ``shadow/`` folder at or above ``start``.

    ``python`` names the interpreter that builds the wheel; without it, ``[sides] python`` does.
    """
    from gate.config import find_checkout, find_folder
    from gate.config.load import load

    folder = find_folder(start)
    if folder is None:
        raise UsageError("there is no shadow/ folder with a shadow.toml here or above", remedy="make one with: shadow init")
    checkout = find_checkout(folder)
    if checkout is None:
        raise UsageError(
            "shadow/ lies in no git repository, so there is no commit to freeze", remedy="run `git init` and commit, then freeze"
        )
    repository = git.open_repository(checkout)
    branches = _default_branches(repository)
    commit = _resolve(repository, rev, branches)
    notices = _check_reach(repository, commit, rev, branches)
    dirty = git.unclean(repository, without=[path] if (path := below(folder, checkout)) else [])
    if dirty:
        notices.append(f"uncommitted changes are no part of the baseline: {', '.join(dirty[:5])}{' ..' if len(dirty) > 5 else ''}")
    _refuse_two_baselines(folder, commit, wheel=wheel)
    written: list[Path] = []
    if wheel:
        written = _freeze_wheel(repository, commit, folder, python or load(folder).file.sides.python, notices)
    write_atomic(folder / SHA_NAME, f"{commit}\n".encode())
    return Frozen(written=(*written, folder / SHA_NAME), commit=commit, notices=tuple(notices))


def _default_branches(repository: git.Repository) -> list[str]:
    """Refs of the default branch, as origin has it and as it is here; the one that was found first decides its name."""
    named = git.ask(repository, "symbolic-ref", "--quiet", _REMOTE + "HEAD", codes=(0, 1, 128)).text()
    wanted = [named, *(place + name for place in (_REMOTE, _LOCAL) for name in ("main", "master"))]
    present = [ref for ref in wanted if ref and git.find_commit(repository, ref) is not None]
    if not present:
        return []
    name = present[0].removeprefix(_REMOTE).removeprefix(_LOCAL)
    return [ref for ref in (_REMOTE + name, _LOCAL + name) if ref == present[0] or git.find_commit(repository, ref) is not None]


def _resolve(repository: git.Repository, rev: str | None, branches: list[str]) -> str:
    head = git.find_commit(repository, "HEAD")
    if head is None:
        raise UsageError("this repository has no commit yet", remedy="commit the code that is to be the baseline, then freeze")
    if rev is None:
        if not branches:
            return head
        base = git.ask(repository, "merge-base", head, *branches, codes=(0, 1)).text()
        if not base:
            what = f"HEAD and {_short(branches[0])} have no common commit in this clone"
            raise UsageError(what, remedy="run `git fetch --unshallow` if the clone is shallow, or name a commit: shadow freeze REV")
        return base
    commit = git.find_commit(repository, rev)
    if commit is None:
        raise UsageError(
            f"{rev!r} names no commit here", remedy="see `git log --oneline`; `git fetch --unshallow` brings what a shallow clone lacks"
        )
    return commit


def _check_reach(repository: git.Repository, commit: str, rev: str | None, branches: list[str]) -> list[str]:
    """Refuse what the default branch cannot reach; notices for what it reaches only here."""
    if not branches:
        return ["no default branch was found (origin/HEAD, main, master): nobody can tell whether it will keep this commit"] if rev else []
    reaching = [ref for ref in branches if git.is_ancestor(repository, commit, ref)]
    name = _short(branches[0])
    if not reaching:
        shallow = " as far as this shallow clone reaches" if repository.shallow else ""
        remedy = "freeze without a revision to take the commit where HEAD left it: shadow freeze"
        if repository.shallow:
            remedy = f"bring the history with `git fetch --unshallow`, then: shadow freeze {quote(rev or 'HEAD')}"
        raise UsageError(f"{name} cannot reach {commit}{shallow}; a squash merge would lose the baseline", remedy=remedy)
    if branches[0].startswith(_REMOTE) and branches[0] not in reaching:
        return [f"only your local {_short(reaching[0])} has {commit[:12]}: push it before others compare with it"]
    return []


def _short(ref: str) -> str:
    return ref.removeprefix("refs/remotes/").removeprefix(_LOCAL)


def _refuse_two_baselines(folder: Path, commit: str, *, wheel: bool) -> None:
    """Where both pins exist the wheel is the baseline: moving the commit alone would change nothing."""
    if wheel or not (folder / WHEEL_NAME).exists():
        return
    sha = folder / SHA_NAME
    if not sha.exists() or sha.read_bytes() != f"{commit}\n".encode():
        what = f"{WHEEL_NAME} pins the wheel of another commit, and the wheel counts where both exist"
        raise UsageError(what, remedy=f"pin both with `shadow freeze --wheel {commit}`, or remove shadow/{WHEEL_NAME} first")


def _freeze_wheel(repository: git.Repository, commit: str, folder: Path, python: str | None, notices: list[str]) -> list[Path]:
    """Build the wheel from a fresh checkout of the commit, never from the working tree."""
    from hashlib import sha256
    from tempfile import mkdtemp

    from gate.environment.installers import build_wheel
    from gate.environment.interpreters import find_interpreter

    scratch = Path(mkdtemp(prefix="shadow-freeze-"))
    try:
        root = scratch / "checkout"
        submodules = git.write_commit(repository, commit, root, index=scratch / "index", without=None)
        if submodules:
            notices.append(f"the wheel was built without the submodules: {', '.join(sorted(submodules))}")
        project = root / (below(folder.parent, repository.checkout) or "")
        if not any((project / name).exists() for name in ("pyproject.toml", "setup.py")):
            raise SideError(
                f"commit {commit} has no pyproject.toml and no setup.py beside shadow/, so there is no wheel to build",
                remedy="freeze without --wheel",
            )
        seconds = git.ask(repository, "show", "--no-patch", "--format=%ct", commit).text()
        built = build_wheel(project, scratch / "built", find_interpreter(python, near=folder.parent), epoch=seconds)
        data = built.read_bytes()
    finally:
        remove(scratch)
    target = folder / WHEEL_FOLDER / built.name
    target.parent.mkdir(exist_ok=True)
    write_atomic(target, data)
    # As `sha256sum shadow/baseline_wheel/*.whl` writes it, so that `sha256sum -c` works from the project's folder.
    line = f"{sha256(data).hexdigest()}  {folder.name}/{WHEEL_FOLDER}/{built.name}\n"
    write_atomic(folder / WHEEL_NAME, line.encode())
    others = sorted(file.name for file in target.parent.glob("*.whl") if file != target)
    if others:
        notices.append(f"{WHEEL_FOLDER}/ still holds older wheels that nothing pins: {', '.join(others)}")
    return [target, folder / WHEEL_NAME]
