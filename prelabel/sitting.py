"""A sitting: what one signer decided on one report, kept as a draft until its last screen and as a record after it.

The file lies in ``out/sittings/``, is written anew after every decision, and holds ids, digests of identities, reasons
and the advice that was revealed, but no text of either side. It is a record for people and statistics: the gate never
reads it, and anybody can write such a file. So a draft decides nothing: of each row that stands in the report unchanged
it brings what was chosen earlier, to look at, and the row is decided again on its own screen. Source: design, section 11.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import unicodedata
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from gate.errors import UsageError
from gate.types import Decision, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

State = Literal["draft", "written", "dropped"]
VERSION = 2
_SLUG = 40
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a person typed: a decision and the reason for it."""

    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """The advice as it was shown after the first choice. Kept for statistics; nothing is made from it."""

    label: str
    rule: str | None
    reason: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One row of a sitting. ``first`` was chosen before the advice was seen, ``final`` after it (None: not decided, or no more).

    ``identity`` is the full digest of the divergence, the only key of a decision. ``earlier`` is what a draft says was
    decided, shown and never taken for a decision. ``revealed`` is None until the advice was shown in this sitting.
    ``again`` says what came of running the fixture again: "" (not yet), "same", "gone: .." or "not run: ..".
    """

    id: str
    field: str
    identity: str
    fixture_sha256: str | None
    first: Choice
    final: Choice | None = None
    revealed: Revealed | None = None
    category: str = OTHER
    earlier: Choice | None = None
    changed: bool = False
    opened: bool = False
    seconds: float = 0.0
    again: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """All decisions of one signer on one report. ``written`` is the ledger file that the rows went to."""

    name: str
    signer: str
    started: str
    enforced: str
    state: State = "draft"
    decided: tuple[Decided, ...] = ()
    written: str | None = None

    def of(self, identity: str) -> Decided | None:
        """The decision on one divergence, if there is one."""
        return next((one for one in self.decided if one.identity == identity), None)

    def having(self, new: Decided) -> Sitting:
        """The same sitting with one decision added, or put in the place of the one on the same divergence."""
        if self.of(new.identity) is None:
            return replace(self, decided=(*self.decided, new))
        return replace(self, decided=tuple(new if one.identity == new.identity else one for one in self.decided))


def begin(*, signer: str, name: str, now: datetime, enforced: str) -> Sitting:
    """A new, empty sitting. Its name orders by time, says who, and never meets another's."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG].strip("-") or "signer"
    title = f"{now.strftime('%Y%m%dT%H%M%SZ')}-{slug}-{secrets.token_hex(3)}"
    return Sitting(name=title, signer=signer, started=now.strftime("%Y-%m-%dT%H:%M:%SZ"), enforced=enforced)


def prepare_out(out: Path) -> None:
    """Make the folder for results. One that we make ourselves keeps itself out of git: values in it may be secret."""
    if not out.is_dir():
        out.mkdir(parents=True, exist_ok=True)
        (out / ".gitignore").write_text("*\n", encoding="ascii")


def save(sitting: Sitting, out: Path) -> Path:
    """Write the sitting's file, all or nothing, and return its path."""
    try:
        return _save(sitting, out)
    except OSError as error:
        what = f"the draft of this sitting cannot be kept: {error.strerror}"
        raise UsageError(what, place=Place(file=str(out)), remedy="make that folder writable, then sign again") from error


def _save(sitting: Sitting, out: Path) -> Path:
    prepare_out(out)
    folder = out / "sittings"
    folder.mkdir(exist_ok=True)
    path = folder / f"{sitting.name}.json"
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="ascii") as file:
            json.dump({"version": VERSION, **asdict(sitting)}, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def drafts(out: Path, *, signer: str, standing: Iterable[tuple[str, str | None]]) -> tuple[Sitting, ...]:
    """This signer's drafts, newest first, each cut to divergences that still stand (identity, fixture digest)."""
    return tuple(one for one in _sittings(out, signer, standing) if one.state == "draft")


def first_choices(out: Path, *, signer: str, standing: Iterable[tuple[str, str | None]]) -> tuple[Decided, ...]:
    """What this signer once chose before any advice, in whatever sitting: the oldest choice on each divergence that still stands."""
    found = {row.identity: row for one in _sittings(out, signer, standing) for row in one.decided}
    return tuple(replace(row, earlier=None) for row in found.values())


def _sittings(out: Path, signer: str, standing: Iterable[tuple[str, str | None]]) -> Iterator[Sitting]:
    """Newest first. A file that is no sitting of ours is passed over: it is a convenience, never a condition."""
    alive = frozenset(standing)
    for path in sorted((out / "sittings").glob("*.json"), reverse=True):
        try:
            one = _sitting(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            continue
        kept = tuple({row.identity: row for row in one.decided if (row.identity, row.fixture_sha256) in alive}.values())
        if one.signer == signer and one.name == path.stem and kept:
            yield replace(one, decided=kept)


def _sitting(data: dict[str, Any]) -> Sitting:
    rest = dict(data)
    if rest.pop("version") != VERSION:
        raise ValueError("another version")
    made = Sitting(**{**rest, "decided": tuple(_decided(one) for one in rest["decided"])})
    texts = (made.name, made.signer, made.started, made.enforced)
    if made.state not in get_args(State) or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a sitting")
    return made


def _decided(data: dict[str, Any]) -> Decided:
    """What a file says of one row: which, the first choice, and the last one as ``earlier``. All else is found anew."""
    unknown = data.keys() - {field.name for field in fields(Decided)}
    said = data["final"] or data["earlier"]
    one = Decided(
        id=data["id"],
        field=data["field"],
        identity=data["identity"],
        fixture_sha256=data["fixture_sha256"],
        first=_choice(data["first"]),
        earlier=None if said is None else _choice(said),
    )
    if unknown or not all(isinstance(text, str) for text in (one.id, one.field, one.identity)):
        raise ValueError("not a decision")
    return one


def _choice(data: dict[str, Any]) -> Choice:
    made = Choice(**data)
    if made.decision not in get_args(Decision) or not isinstance(made.reason, str):
        raise ValueError("not a choice")
    return made
