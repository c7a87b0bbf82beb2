"""A sitting: what one signer decided on one report, kept as a draft until its last screen and as a record after it.

The file lies in ``out/sittings/``, is written anew after every confirmed decision, and holds ids, fingerprints, reasons
and the advice that was revealed, but no text of either side. It is a record for people and statistics: the gate never
reads it, and a draft is only taken up by the same signer, for divergences that stand in the report unchanged, and goes
through the same last screen. Source: design, section 11.
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
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

State = Literal["draft", "written", "dropped"]
VERSION = 1
_SLUG = 40


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
    """One row of a sitting. ``first`` was chosen before the advice was seen, ``final`` after it (None: left undecided).

    ``again`` says what came of running the fixture again: "" (not yet), "same", "gone: .." or "not run: ..".
    """

    id: str
    field: str
    fingerprint: str
    fixture_sha256: str | None
    first: Choice
    final: Choice | None
    revealed: Revealed
    category: str
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

    def of(self, fingerprint: str) -> Decided | None:
        """The decision on one divergence, if there is one."""
        return next((one for one in self.decided if one.fingerprint == fingerprint), None)

    def having(self, new: Decided) -> Sitting:
        """The same sitting with one decision added, or put in the place of the one on the same divergence."""
        if self.of(new.fingerprint) is None:
            return replace(self, decided=(*self.decided, new))
        return replace(self, decided=tuple(new if one.fingerprint == new.fingerprint else one for one in self.decided))


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
    """This signer's drafts, newest first, each cut to decisions on divergences that still stand (fingerprint, fixture digest).

    A file that is no sitting of ours is passed over: a draft is a convenience, never a condition.
    """
    alive = frozenset(standing)
    found: list[Sitting] = []
    for path in sorted((out / "sittings").glob("*.json"), reverse=True):
        try:
            one = _sitting(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            continue
        kept = tuple(row for row in one.decided if (row.fingerprint, row.fixture_sha256) in alive)
        if one.state == "draft" and one.signer == signer and one.name == path.stem and kept:
            found.append(replace(one, decided=kept))
    return tuple(found)


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
    final = data["final"]
    one = Decided(
        **{
            **data,
            "first": _choice(data["first"]),
            "final": None if final is None else _choice(final),
            "revealed": Revealed(**data["revealed"]),
            "again": "",  # a fixture is run again in the sitting that writes its row, whatever an earlier one saw
        }
    )
    texts = [getattr(one, field.name) for field in fields(Decided) if field.name in {"id", "field", "fingerprint", "category"}]
    if not all(isinstance(text, str) for text in texts) or not isinstance(one.seconds, int | float):
        raise ValueError("not a decision")
    return one


def _choice(data: dict[str, Any]) -> Choice:
    made = Choice(**data)
    if made.decision not in get_args(Decision) or not isinstance(made.reason, str):
        raise ValueError("not a choice")
    return made
