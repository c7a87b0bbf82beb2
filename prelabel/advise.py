"""From a report to advice, and advice to and from ``advice.json``.

One ``Advice`` for each divergence that no counted row classifies, in the order of the report: a
divergence that a person has decided needs no suggestion. The raw texts are looked at here, on this
machine, and then dropped; what is kept is identity, label and a line of our own, so the file can be
shown as it is. Nothing reads it to decide anything: missing, broken or full of lies it leaves the
gate's verdict as it was. Source: design, sections 10 and 12.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.canonical import visible_json
from gate.errors import ReportError
from gate.files import is_special
from gate.types import Place
from prelabel.rules import STRICTNESS, label
from prelabel.subject import subject
from prelabel.types import Advice
from redaction import STRICT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gate.report.model import Entry, Report
    from prelabel.types import TargetKind
    from redaction import Policy

VERSION = 1
_KEYS = tuple(field.name for field in fields(Advice))
_REMEDY = "remove the file and run `shadow prelabel` again; it writes it anew"


def kinds_of(report: Report) -> Callable[[str], TargetKind]:
    """What kind of target a fixture id belongs to, by what the report says of its run. A web app is called like a function."""
    settings = report.run.get("settings")
    targets = settings.get("targets") if isinstance(settings, dict) else None
    commands = (
        {str(one.get("corpus")) for one in targets if isinstance(one, dict) and one.get("kind") == "command"}
        if isinstance(targets, list)
        else set()
    )
    return lambda fixture_id: "command" if commands & {"", fixture_id.partition("/")[0]} else "function"


def advise(report: Report, *, kind_of: Callable[[str], TargetKind] | None = None) -> tuple[Advice, ...]:
    """Advice on every unclassified divergence. ``kind_of`` says what kind of target a fixture id belongs to; default: the report does."""
    kind_of = kind_of or kinds_of(report)
    return tuple(_advice(entry, kind_of(entry.id)) for entry in report.divergences if entry.verdict == "unclassified")


def _advice(entry: Entry, kind: TargetKind) -> Advice:
    found = label(subject(target_kind=kind, field=entry.field, baseline=entry.baseline, candidate=entry.candidate))
    return Advice(
        id=entry.id,
        field=entry.field,
        fingerprint=entry.fingerprint,
        label=found.label,
        rule=found.rule,
        reason=found.reason,
        source="none" if found.rule is None else "rule",
    )


def summary(advice: Sequence[Advice]) -> str:
    """One line of counts: each label, strictest first, with the rules that gave it."""
    if not advice:
        return "nothing is unclassified: no advice"
    parts = []
    for word in STRICTNESS:
        rules = Counter(one.rule or "no rule" for one in advice if one.label == word)
        if rules:
            parts.append(f"{word} {rules.total()} ({', '.join(f'{rule} {count}' for rule, count in sorted(rules.items()))})")
    return f"advice on {len(advice)} unclassified: {'; '.join(parts)}"


def hide_ids(advice: Sequence[Advice], policy: Policy) -> list[Advice]:
    """The same with its ids as everybody may read them: a fixture may be named after a customer."""
    from prelabel.publish.names import public_names

    names = public_names((one.id for one in advice), policy, sink="advice")
    return [replace(one, id=names[one.id]) for one in advice]


def write_advice(path: Path, advice: Sequence[Advice], policy: Policy = STRICT) -> None:
    """All or nothing: a reader sees the old file or the new one. Equal advice makes equal bytes, ASCII only; ids are redacted.

    Links are followed and devices and pipes written in place; a file that holds anything but advice is never overwritten.
    """
    if not _may_overwrite(path):
        raise ReportError(
            "is no advice file, and is not overwritten", place=_place(path), remedy="name another file with --output, or move this one away"
        )
    from prelabel.publish.release import to_document

    document = {"version": VERSION, "advice": [asdict(one) for one in hide_ids(advice, policy)]}
    path.parent.mkdir(parents=True, exist_ok=True)
    to_document(path, json.dumps(document, indent=1) + "\n", "advice", policy)


def _may_overwrite(path: Path) -> bool:
    if is_special(path):
        return True
    if path.is_dir():
        return False
    try:
        old = path.read_bytes()
    except FileNotFoundError:
        return True
    try:
        held = json.loads(old) if old.strip() else {"advice": []}
    except (ValueError, RecursionError):
        return False
    return isinstance(held, dict) and "advice" in held


def read_advice(path: Path) -> tuple[Advice, ...]:
    """Strictly what ``write_advice`` writes, else ``ReportError``: advice that was tampered with into another shape is not shown."""
    try:
        document = visible_json.parse(path.read_bytes())
    except FileNotFoundError as error:
        raise ReportError("there is no advice yet", place=_place(path), remedy="run `shadow prelabel` first") from error
    except (OSError, ValueError, RecursionError) as error:
        raise ReportError(f"cannot be read as advice: {type(error).__name__}", place=_place(path), remedy=_REMEDY) from error
    if not isinstance(document, dict) or document.keys() != {"version", "advice"} or not isinstance(document["advice"], list):
        raise ReportError("holds no advice: expected exactly `version` and a list `advice`", place=_place(path), remedy=_REMEDY)
    if document["version"] != VERSION or isinstance(document["version"], bool | float):
        raise ReportError(f"is not version {VERSION} of the advice file", place=_place(path), remedy=_REMEDY)
    return tuple(_read_one(item, number, path) for number, item in enumerate(document["advice"]))


def _read_one(item: Any, number: int, path: Path) -> Advice:
    fault: object = None
    if not isinstance(item, dict) or item.keys() != set(_KEYS):
        fault = f"expected exactly the keys {', '.join(_KEYS)}"
    elif not all(isinstance(value, str) or (key == "rule" and value is None) for key, value in item.items()):
        fault = "every value is text (only a rule may be null)"
    else:
        try:
            return Advice(**item)
        except ValueError as error:
            fault = error
    raise ReportError(f"advice[{number}]: {fault}", place=_place(path), remedy=_REMEDY)


def _place(path: Path) -> Place:
    """The file as its user knows it: relative where it lies below the current folder."""
    here = Path.cwd()
    return Place(file=str(path.relative_to(here) if path.is_relative_to(here) else path))
