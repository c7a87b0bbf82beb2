"""What one side's worker said of one fixture, read and judged by itself (``gate.compare`` sets two side by side)."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from gate.canonical.visible_json import parse, visible_raw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.types import Wire

EFFECTS = ("env", "net", "files", "process")
_OUTCOMES = ("returned", "raised", "exited", "signalled", "timed_out", "over", "error")
_LIMITS = {"memory": "memory limit", "output": "output limit"}
_UNCHANGED = {"unchanged": True}
MAX_CAUSE = 1000
_NEEDED: dict[str, tuple[str, type]] = {
    "returned": ("value", object),
    "raised": ("exc", dict),
    "exited": ("code", object),
    "signalled": ("signal", str),
    "over": ("limit", str),
}


def read(wire: Wire) -> dict[str, Any]:
    """The record, checked for the keys that its outcome needs; an ``error`` record where it has not got them."""
    try:
        record = parse(wire.record)
    except ValueError as error:
        record, flaw = {}, str(error)
    else:
        flaw = _flaw(record)
    return {"out": "error", "where": "worker", "why": f"the record cannot be used: {flaw}"} if flaw else record


def _flaw(record: Any) -> str:
    """Why a record is none: it comes from a process that ran foreign code, so its shape is not taken on trust."""
    if not isinstance(record, dict) or record.get("out") not in _OUTCOMES:
        return "it names no outcome"
    key, kind = _NEEDED.get(record["out"], ("out", str))
    if key not in record or not isinstance(record[key], kind):
        return f"it lacks {key}"
    if record["out"] == "raised" and not all(isinstance(record["exc"].get(part), str) for part in ("type", "module")):
        return "exc lacks type or module"
    if record["out"] == "raised" and not _texts(record["exc"].get("bases", [])):
        return "exc has bases that are no texts"
    for key in ("chain", "warnings", "shared", *EFFECTS):
        items = record.get(key, [])
        if not isinstance(items, list) or (key in {"shared", *EFFECTS} and not _texts(items)):
            return f"{key} is no list of the right kind"
    return ""


def _texts(items: Any) -> bool:
    return isinstance(items, list) and all(isinstance(item, str) for item in items)


def still_caught_by(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """What is said where the candidate's exception is another class that handlers of the baseline's catch as well; else None."""
    if left["out"] != "raised" or right["out"] != "raised":
        return None
    one, other = (f"{side['exc']['module']}.{side['exc']['type']}" for side in (left, right))
    bases = right["exc"].get("bases")
    if bases is None:
        kind = getattr(builtins, right["exc"]["type"], None) if right["exc"]["module"] == "builtins" else None
        bases = [f"builtins.{base.__name__}" for base in kind.__mro__[1:-1]] if isinstance(kind, type) else []
    return f"handlers of {one} still catch {other}" if one in bases else None


def fault(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Why this fixture cannot be compared: a fault of harness or fixture on either side."""
    causes = [
        f"{side.get('where', 'worker')}: {side.get('why', 'no reason given')}" if side["out"] == "error" else None for side in (left, right)
    ]
    if causes[0] and causes[0] == causes[1]:
        said = f"both sides: {causes[0]}"
    else:
        said = "; ".join(f"{name}: {cause}" for name, cause in zip(("baseline", "candidate"), causes, strict=True) if cause)
    return said[:MAX_CAUSE] or None


def both_over(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Two sides at the same limit say nothing about each other."""
    if left["out"] == right["out"] == "timed_out":
        return "both sides ran into the time limit"
    if left["out"] == right["out"] == "over" and left["limit"] == right["limit"]:
        return f"both sides went over the {_LIMITS.get(left['limit'], left['limit'])}"
    return None


def both_shared(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Two sides that open one file in memory see each other, and run at the same time."""
    names = sorted(set(left.get("shared", [])) & set(right.get("shared", [])))
    if not names:
        return None
    return f"both sides use {names[0]}, of which there is only one: let the system make up a name, or use an adapter"[:MAX_CAUSE]


def kind(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """What must agree for two outcomes to be of one kind. Exit codes may be texts that rules speak about, so they come later."""
    return record["out"], record.get("signal"), record.get("limit")


def came_back(record: Mapping[str, Any]) -> bool:
    """Whether a call returned, or a command ended with 0: what a target must do somewhere for agreement to mean anything."""
    return record["out"] == "returned" or (record["out"] == "exited" and record.get("done") is True)


def at_call(record: Mapping[str, Any]) -> bool:
    """Whether the call itself was refused: the target was reached by no argument of this shape."""
    return record["out"] == "raised" and record.get("at_call") is True and record["exc"]["type"] == "TypeError"


def arg_of(record: Mapping[str, Any]) -> Any:
    """The payload after the call. A payload that became ``{"unchanged":true}`` itself must not read like one that did not change."""
    if "arg" not in record:
        return _UNCHANGED
    return record["arg"] if visible_raw(record["arg"]) != visible_raw(_UNCHANGED) else {"!dict": [["unchanged", True]]}
