"""From two pins to two sides: fresh roots, what must be installed beside them, and what the report says of each.

The rule (design, sections 4 and 7): both sides run under one interpreter. Its own packages are visible to checkouts
without ``[sides] requirements`` and to what is compared with them, and the report says so; pinned requirements stand in
an environment of their own. No path of this machine goes into the facts: equal inputs give an equal report.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.environment.interpreters import find_interpreter
from gate.environment.startup import startup
from gate.errors import PinError, SideError
from gate.pins.draft import Draft, Place, Ready, listed
from gate.pins.fetch import fetch, open_place
from gate.pins.same import judge, refuse_same_pins
from gate.pins.snapshot import below, code_digest
from gate.types import Pin, Side, Value, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.environment.install import Environment
    from gate.environment.requirements import Requirement
    from gate.types import Interpreter, Settings, SideName

_TREE_KINDS = {"git": "commit", "tree": "working tree", "patch": "commit and patch", "dir": "folder"}


class Sides(Value):
    """Both sides, ready to run. With ``no_code_change`` there is nothing to run: two commits hold equal code."""

    baseline: Side
    candidate: Side
    no_code_change: bool
    notices: tuple[str, ...] = ()


def materialise(settings: Settings, scratch: Path) -> Sides:
    """Bring both sides into fresh roots below ``scratch``; the caller removes ``scratch``, whatever happens."""
    found = _interpreter(settings)
    refuse_same_pins(settings)
    place = open_place(settings, scratch)
    baseline, candidate = _ready(place, "baseline"), _ready(place, "candidate")
    same, notices = judge(place, _reference(place, baseline), candidate)
    same = same and settings.baseline.kind == "git"
    # One rule for both sides: a wheel is compared with a checkout under the same packages.
    shared = settings.requirements is None and any(one.draft.entries is not None for one in (baseline, candidate))
    interpreter = found if shared else replace(found, packages=())
    old, new = (_side(one, interpreter, shared=shared) for one in (baseline, candidate))
    return Sides(
        baseline=old,
        candidate=new,
        no_code_change=same,
        notices=(*baseline.draft.notices, *candidate.draft.notices, *notices, *_other_start(old, new)),
    )


def materialise_baseline(settings: Settings, scratch: Path) -> Side:
    """The baseline alone, for what needs no candidate: it is compared with itself."""
    baseline = _ready(open_place(settings, scratch), "baseline")
    shared = settings.requirements is None and baseline.draft.entries is not None
    found = _interpreter(settings)
    return _side(baseline, found if shared else replace(found, packages=()), shared=shared)


def _interpreter(settings: Settings) -> Interpreter:
    """The one that both sides run under, looked for from the project."""
    project = settings.folder.parent if settings.folder is not None else settings.checkout
    return find_interpreter(settings.python, near=project, source=settings.python_source)


def _other_start(old: Side, new: Side) -> tuple[str, ...]:
    """Start-up code never runs here, so a change of it shows in no fixture: it is said."""
    before, after = old.facts["startup"], new.facts["startup"]
    files = sorted({one["file"] for one in (*before, *after) if (one in before) != (one in after)})
    return listed("candidate", "start-up code, which is not run here, differs from the baseline's (`startup` in the report)", files)


def _ready(place: Place, name: SideName) -> Ready:
    draft = fetch(place, name)
    lines = _requirements(place, draft)
    return Ready(draft=draft, shown=_shown(place, draft.pin), lines=lines, digest=_digest(draft, lines))


def _reference(place: Place, baseline: Ready) -> Ready:
    """What the candidate must differ from. For the wheel that ``shadow freeze --wheel`` pinned: the commit that it was built from.

    A wheel never equals a checkout, so without this a tree that *is* the baseline would be compared with itself, and pass.
    """
    folder, repository = place.settings.folder, place.repository
    if baseline.draft.pin.kind != "wheel" or folder is None or repository is None:
        return baseline
    from gate.pins import git
    from gate.pins.checkouts import from_commit

    file = folder / "BASELINE_SHA"
    commit = git.find_commit(repository, file.read_text(encoding="utf-8").strip()) if file.is_file() else None
    if commit is None or below(Path(baseline.draft.pin.value), folder) is None:
        return baseline  # no wheel of ours, or a clone without that commit: then nothing here can be a checkout of it
    draft = from_commit(place, "baseline", Pin(kind="git", value=commit), place.scratch / "frozen", commit)
    lines = baseline.lines
    return Ready(draft=draft, shown="", lines=lines, digest=_digest(draft, lines))


def _digest(draft: Draft, lines: tuple[Requirement, ...] | None) -> str:
    more = [f"wheel {draft.pin.sha256}"] if draft.pin.kind == "wheel" else []
    more += [] if lines is None else ["requirements", *map(str, lines)]
    return code_digest(draft.entries or {}, below=draft.roots, base=draft.base, more=more)


def _shown(place: Place, pin: Pin) -> str:
    """The pin as the user wrote it; a path that we made absolute (the pinned wheel) counts from the project again."""
    project = place.settings.folder.parent if place.settings.folder is not None else None
    if pin.kind == "git" or project is None or not os.path.isabs(pin.value) or not Path(pin.value).is_relative_to(project):  # noqa: PTH117
        return str(pin)
    return str(replace(pin, value=Path(pin.value).relative_to(project).as_posix()))


def _requirements(place: Place, draft: Draft) -> tuple[Requirement, ...] | None:
    """What must be installed beside the code: the pin itself, or ``[sides] requirements`` as that side's checkout has it."""
    if draft.pin.kind != "requirements" and place.settings.requirements is None:
        return None
    from gate.environment.requirements import parse_requirements

    if draft.pin.kind == "requirements":
        path = draft.pin.value
        lines = parse_requirements(_read(Path(path).expanduser(), draft.name, path), file=path)
        if not lines:
            raise PinError(f"{path} lists no package", remedy="write one name==version per line")
        return lines
    name = place.settings.requirements or ""
    if draft.entries is not None:
        return parse_requirements(_read(draft.root / draft.base / name, draft.name, name), file=f"{name} ({draft.name})")
    return _beside_wheel(place, draft, name)


def _beside_wheel(place: Place, draft: Draft, name: str) -> tuple[Requirement, ...]:
    """A wheel has no checkout. The baseline's was built from the frozen commit, so that commit's file counts; else the user's own."""
    from gate.environment.requirements import parse_requirements
    from gate.pins import git

    folder, repository = place.settings.folder, place.repository
    if draft.name == "baseline" and folder is not None and repository is not None and (folder / "BASELINE_SHA").is_file():
        commit = (folder / "BASELINE_SHA").read_text(encoding="utf-8").strip()
        data = git.read_blob(repository, commit, f"{place.base}/{name}" if place.base else name)
        if data is not None:
            return parse_requirements(data, file=f"{name} ({draft.name}, commit {commit[:12]})")
    project = folder.parent if folder is not None else place.settings.checkout or Path()
    return parse_requirements(_read(project / name, draft.name, name), file=name)


def _read(file: Path, side: SideName, shown: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        what = f"{side}: the requirements file {shown} cannot be read: {error.strerror}"
        raise SideError(what, remedy="name a file that both sides have: `[sides] requirements`, or the pin requirements:<file>") from None


def _side(ready: Ready, interpreter: Interpreter, *, shared: bool) -> Side:
    draft, kind = ready.draft, ready.draft.pin.kind
    roots = tuple(draft.root / top if top else draft.root for top in draft.roots)
    wheel, pinned = _installed(ready, interpreter)
    root = draft.root
    packages: tuple[Path, ...] = ()
    code = pinned if kind == "requirements" else wheel
    if code is not None:  # what is installed is the code: it stands in the cache, compiled, and is checked at each use
        root, roots = code.folder, (code.folder,)
    if pinned is not None and code is not pinned:
        packages = (pinned.folder,)
    own, visible = packages, shared and kind != "requirements"
    _refuse_separator(draft.name, (*roots, *own))
    if visible:
        packages = (*packages, *interpreter.packages)
    facts: dict[str, Any] = {"pin": ready.shown, "kind": kind, **draft.facts, "digest": ready.digest}
    if kind in _TREE_KINDS:
        facts |= {"tree": _TREE_KINDS[kind], "roots": [os.path.relpath(top or ".", draft.base or ".") for top in draft.roots]}
    if ready.lines is not None:
        facts["requirements"] = [str(line) for line in ready.lines]
    if wheel is not None or pinned is not None:
        facts["dists"] = [dict(dist) for one in (wheel, pinned) if one is not None for dist in one.dists]
    starts = startup((*roots, *own))
    facts |= {
        "python": interpreter.version,
        "interpreter_packages": visible,
        "pth": sorted({one["file"] for one in starts if one["file"].endswith(".pth")}),
    }
    facts["startup"] = starts
    return Side(
        name=draft.name,
        pin=draft.pin,
        root=root,
        roots=roots,
        packages=packages,
        interpreter=interpreter,
        code_digest=ready.digest,
        facts=facts,
    )


def _refuse_separator(name: SideName, folders: Iterable[Path]) -> None:
    """Interpreters that a target starts get these in PYTHONPATH; cut in two, they would find other code than the side's, or none."""
    for folder in folders:
        if os.pathsep in str(folder):
            what = f"{name}: there is a {os.pathsep} in {folder}, which no interpreter that the target starts could find by PYTHONPATH"
            raise SideError(what, remedy="set TMPDIR (and XDG_CACHE_HOME) to folders without one; an import root of such a name is renamed")


def _installed(ready: Ready, interpreter: Interpreter) -> tuple[Environment | None, Environment | None]:
    """The environment of the wheel, and that of the pinned requirements, where the side has them."""
    draft, wheel, pinned = ready.draft, None, None
    if draft.pin.kind != "wheel" and ready.lines is None:
        return None, None
    from gate.environment.install import install, install_wheel

    if draft.pin.kind == "wheel":
        file = draft.root / Path(draft.pin.value).name
        wheel = install_wheel(file, draft.pin.sha256 or "", interpreter, what=f"{draft.name}: the wheel {file.name}")
        file.unlink()
    if ready.lines is not None:
        pinned = install(ready.lines, interpreter, what=f"{draft.name}: the requirements")
    return wheel, pinned
