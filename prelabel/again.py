"""Before a row is written its fixture runs again: the divergence must appear once more, with the same texts.

A report is a file, and files can be old or made up; what is signed must be what happens here and now. Where the sides
cannot be run here that is said and recorded, never passed over. Source: design, section 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gate.canonical.visible_json import escape
from gate.errors import SameSidesError, ShadowError
from gate.types import replace
from gate.verdict import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gate.report.model import Entry
    from gate.types import Comparison, Settings

# What is held back while a fixture runs again. Where the kernel cannot, the worker stops before it imports the target.
REQUIRED = ("net", "fs")
SANDBOX = "network and files are held (seccomp, Landlock); where they cannot be, no fixture is run again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What running one fixture again showed. ``why`` is a sentence for ``gone`` and ``not run``."""

    status: Literal["same", "gone", "not run"]
    why: str = ""

    def __str__(self) -> str:
        return f"{self.status}: {self.why}" if self.why else self.status


def run_again(
    settings: Settings, entries: Iterable[Entry], rerun: Callable[[Settings, Sequence[str]], Mapping[str, Comparison]]
) -> dict[str, Again]:
    """By identity, what became of each divergence. Nothing is run where network and files cannot be held."""
    chosen = list(entries)
    settings = replace(settings, enforce=tuple(dict.fromkeys((*settings.enforce, *REQUIRED))))
    try:
        found = rerun(settings, sorted({entry.id for entry in chosen}))
    except SameSidesError as error:
        return {identity(entry): Again(status="gone", why=escape(error.what)) for entry in chosen}
    except (ShadowError, OSError) as error:
        why = escape(error.what if isinstance(error, ShadowError) else str(error))
        return {identity(entry): Again(status="not run", why=why) for entry in chosen}
    return {identity(entry): _compared(entry, found.get(entry.id)) for entry in chosen}


def _compared(entry: Entry, now: Comparison | None) -> Again:
    if now is None:
        return Again(status="not run", why="this build did not run it")
    same_field = [one for one in now.divergences if one.field == entry.field]
    for one in same_field:
        if (one.baseline, one.candidate) == (entry.baseline, entry.candidate):
            if one.fixture_sha256 != entry.fixture_sha256:
                return Again(status="gone", why="its fixture was edited since the report")
            return Again(status="same")
    if same_field:
        return Again(status="gone", why="it differs in this field with other texts than in the report")
    if now.status in {"error", "undecided", "impure"}:
        return Again(status="gone", why=f"the fixture is now {now.status}" + (f" ({escape(now.cause)})" if now.cause else ""))
    return Again(status="gone", why="both sides now agree in this field")
