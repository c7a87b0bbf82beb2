"""Each kind of pin, brought into a fresh root as plain files: a ``Draft``, a side before its packages are installed."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from gate.errors import SideError
from gate.pins.draft import Draft, Place, drop_foreign, import_roots, listed
from gate.pins.snapshot import below, copy_folder
from gate.types import FOLDERS, replace

if TYPE_CHECKING:
    from gate.types import Pin, Settings, SideName

CONTRACT = "shadow"
_OF_GIT = ("git", "tree", "patch")


def open_place(settings: Settings, scratch: Path) -> Place:
    """Open the repository if a pin speaks of it."""
    if settings.checkout is None or not {settings.baseline.kind, settings.candidate.kind}.intersection(_OF_GIT):
        return Place(settings=settings, scratch=scratch, repository=None)
    from gate.pins import git

    return Place(settings=settings, scratch=scratch, repository=git.open_repository(settings.checkout))


def fetch(place: Place, name: SideName) -> Draft:
    """Materialise one side, but for what has to be installed."""
    pin = place.settings.baseline if name == "baseline" else place.settings.candidate
    root = place.scratch / FOLDERS[name]
    try:
        match pin.kind:
            case "git" | "tree" | "patch":
                from gate.pins import checkouts

                if pin.kind == "git":
                    return checkouts.from_commit(place, name, pin, root, pin.value)
                return checkouts.from_tree(place, pin, root) if pin.kind == "tree" else checkouts.from_patch(place, pin, root)
            case "dir":
                return _folder(place, name, pin, root)
            case "wheel":
                return _wheel(name, pin, root)
            case "requirements":
                root.mkdir(parents=True)
                return Draft(name=name, pin=pin, root=root, facts={})
    except OSError as error:
        raise SideError(
            f"{name}: {error.strerror or error}: {error.filename or pin.value}", remedy="check that the path exists and may be read"
        ) from None


def _folder(place: Place, name: SideName, pin: Pin, root: Path) -> Draft:
    source = Path(pin.value).expanduser()
    if not source.is_dir():
        what = f"{name} {pin}: there is no such folder" if not source.exists() else f"{name} {pin} is no folder"
        how = f"`shadow freeze {quote(pin.value)}` pins a branch or tag"
        if name == "candidate":
            how = f'of a branch or tag: "git:$(git rev-parse {quote(pin.value + "^{commit}")})"'
        raise SideError(what, remedy=f"a commit is named git:<40 hex digits>; {how}")
    left_out: list[str] = []
    entries = copy_folder(source, root, without=_contracts(place.settings, source), scratch=place.scratch, left_out=left_out)
    roots = import_roots(place.settings, name, root, "")
    draft = Draft(name=name, pin=pin, root=root, roots=roots, entries=entries, facts={})
    said = listed(name, "installed packages and loose byte code are no part of a side and left out", sorted(left_out))
    return replace(draft, notices=(*said, *drop_foreign(draft)))


def _contracts(settings: Settings, source: Path) -> list[str]:
    """Paths below a folder that are a contract and no code: its own (a ``shadow.toml`` marks it) and the one we run from."""
    found = [CONTRACT] if (source / CONTRACT / "shadow.toml").is_file() else []
    if settings.folder is not None:
        found += [path] if (path := below(settings.folder, source)) else []
    return found


def _wheel(name: SideName, pin: Pin, root: Path) -> Draft:
    """The wheel's bytes are copied first and checked after: what is installed is what was checked."""
    from hashlib import sha256

    file = Path(pin.value).expanduser()
    data = file.read_bytes()
    digest = sha256(data).hexdigest()
    if digest != pin.sha256:
        what = f"{name}: the digest of {pin.value} is not the pinned one\n  pinned {pin.sha256}\n  found  {digest}"
        freeze, other = "pin this one on purpose with `shadow freeze --wheel`", "name this one on purpose, by the digest found"
        raise SideError(what, remedy=f"bring back the wheel that was pinned, or {freeze if name == 'baseline' else other}")
    root.mkdir(parents=True)
    (root / file.name).write_bytes(data)
    return Draft(name=name, pin=pin, root=root, facts={"wheel": digest})
