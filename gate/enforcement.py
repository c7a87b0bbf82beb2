"""What the sandbox around the targets must hold, what it was able to hold, and how both are said.

The worker applies it and tells what it obtained (``gate/worker/worker.py``, class ``Sandbox``): ``net`` is no connection to
anything outside the process tree, ``fs`` no writing outside the run's own temp root, ``signals`` no signal to shadow itself.
What a kernel lacks is said in every report and on every screen, and refused where ``--require`` names it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WORDS = ("net", "fs", "signals")


def words(text: str | None) -> tuple[str, ...]:
    """``--require net,fs`` as words, each once; unknown ones too."""
    parts = (part.strip() for part in (text or "").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def faults(text: str | None) -> list[str]:
    """What is wrong with the text of ``--require``."""
    from gate.config.words import did_you_mean

    found = [f"--require {word!a} is unknown; {did_you_mean(word, WORDS)}" for word in words(text) if word not in WORDS]
    return [*found, *(["--require is empty"] if text is not None and not words(text) else [])]


def obtained(hellos: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str | None], dict[str, str]]:
    """By word, what held every one of these workers, and why not: a word counts only where all of them have it."""
    said = list(hellos)
    enforced: dict[str, str | None] = {}
    why: dict[str, str] = {}
    for word in WORDS:
        names = {str(hello["enforced"][word]) if hello["enforced"][word] else None for hello in said}
        enforced[word] = " and ".join(sorted(filter(None, names))) if names and None not in names else None
        if enforced[word] is None:
            why[word] = next((str(hello["why"][word]) for hello in said if word in hello["why"]), "no target ran")
    return enforced, why


def notices(run: Mapping[str, Any]) -> list[str]:
    """What the screen says of a report's ``run`` where something was not enforced: one sentence, or none."""
    why = run.get("unenforced")
    if not isinstance(why, dict) or not why:
        return []
    reasons: dict[str, list[str]] = {}
    for word, reason in why.items():
        reasons.setdefault(str(reason), []).append(str(word))
    return ["not enforced here: " + "; ".join(f"{' and '.join(named)} ({reason})" for reason, named in reasons.items())]


# How a record begins to tell of what may have been refused; a cheap look before it is read.
_FILES, _NET = b',"files":["', b',"net":["'
_HARMLESS = ("read ", "list ", "chdir ")


def refused(record: bytes, hello: Mapping[str, Any]) -> str | None:
    """What the sandbox did not let a fixture do, the first of it. ``record``: raw, from a worker that said ``hello``."""
    if _FILES not in record and _NET not in record:  # asked for each fixture
        return None
    said, held = json.loads(record), hello["enforced"]
    acts = [act for act in said.get("files", ()) if held["fs"] and not act.startswith(_HARMLESS) and " /dev/" not in act]
    return next(iter([*acts, *(said.get("net", ()) if held["net"] else ())]), None)


def refusals(found: Mapping[str, str]) -> list[str]:
    """What is said of fixtures (id: act) on which the sandbox refused both sides the same: agreement says little there."""
    if not found:
        return []
    first, act = next(iter(found.items()))
    some = f"{len(found)} fixtures" if len(found) > 1 else "1 fixture"
    what = f"the sandbox refused both sides what {some} tried ({first}: {act}), and what lies behind that was not compared"
    return [f"{what}: let an adapter stand in for it, or lead it below the working directory"]


def leaks(name: str, leaked: Sequence[Iterable[str]], alone: int) -> list[str]:
    """What is said of a target that leaves the process changed. ``leaked``: words of the baseline, words of the candidate."""
    sides = [f"{', '.join(found)} ({side})" for side, found in zip(("baseline", "candidate"), map(list, leaked), strict=True) if found]
    if len(sides) > 1 and list(leaked[0]) == list(leaked[1]):
        sides = [f"{', '.join(leaked[0])} (both sides)"]
    return (
        [f"target {name} leaves changed for later calls: {'; '.join(sides)}; {alone} fixtures ran again alone, which counts"]
        if sides
        else []
    )
