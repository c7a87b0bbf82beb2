"""``shadow corpus add``: a file becomes a fixture, unless something in it looks secret. What is in the repository is read by everybody.

There is no way to add it all the same: a made-up value does the same work in a fixture, and one that slipped in stays in the history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import CorpusError, SecretError, UsageError
from gate.types import Fault, Place
from prelabel import policy
from prelabel.seen import fixture_faults, seen_in

if TYPE_CHECKING:
    from pathlib import Path

_AGAIN = "name another with --id"


def add(file: Path, *, fixture_id: str | None, config: str | None, cwd: Path) -> Path:
    """Copy ``file`` into the corpus of the contract; the path that was written. Nothing is written where anything is wrong."""
    from gate import corpus
    from gate.config import shown
    from gate.config.merge import contract_corpus

    root, targets = contract_corpus(config, cwd)
    known = corpus.list_fixtures(root, targets) if root.is_dir() else None  # what is wrong already is said as such
    name = _checked_id(fixture_id or file.name)
    looking = policy.local(config)
    if seen := seen_in(name, looking):
        raise SecretError([Fault(what=f"the fixture's id holds {seen}", place=Place(file=shown(root)), remedy=_AGAIN)])
    goal = root / name
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", place=Place(file=str(file)), remedy="name a file") from error
    faults = fixture_faults(data, shown(file), looking)
    if faults:
        raise SecretError(faults)
    if known is not None and name in known:
        raise UsageError(f"there is a fixture {name} already", remedy=_AGAIN)
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        with goal.open("xb") as out:
            out.write(data)
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise UsageError(what, place=Place(file=shown(goal)), remedy=_AGAIN) from error
    try:
        taken = any(one == name or one.startswith(f"{name}#") for one in corpus.list_fixtures(root, targets).ids)
    except CorpusError:
        goal.unlink()
        raise
    if not taken:
        goal.unlink()
        raise UsageError(f"no target takes a fixture of the name {name}", remedy=_AGAIN)
    return goal


def _checked_id(name: str) -> str:
    parts = name.split("/")
    if not name or name.startswith(("/", "@")) or any(part in {"", ".", ".."} for part in parts) or not name.isprintable():
        raise UsageError(f"{name!a} is no fixture id", remedy="an id is a path below the corpus, like orders/001_empty.json")
    return name
