"""Two observations of one fixture become divergences, field by field. Pure: no files, no processes, no clock.

    record, stdout, stderr -> one tree a field -> raw texts equal? -> rules -> canonical texts equal? -> row or smoothed

Rule (design, section 6): where the outcomes are of two kinds, or the signal, exit code or limit differ, one row ``ok``
pins both and replaces ``value``, ``type``, ``arg`` and ``exc.*``. The output of a side that was timed out, killed or over
a limit is chance and is not compared. A fault of harness or fixture is never compared: status ``error``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.canonical.rules import Context
from gate.errors import RuleError
from gate.records import EFFECTS, MAX_CAUSE, arg_of, at_call, both_over, both_shared, came_back, fault, kind, read, still_caught_by
from gate.rows import Rows
from gate.types import IMPORT_ID, Comparison

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.canonical.rules import Rule
    from gate.types import Fixture, Wire

# How much such a side wrote before its end depends on the machine.
_CUT_SHORT = frozenset({"signalled", "timed_out", "over"})
_CUT = "an iterator goes on after 100,000 items, and what comes then was not compared: return less of it, or use an adapter"


def same(baseline: Wire, candidate: Wire) -> bool:
    """The raw fast path: what both sides' workers said is equal to the byte."""
    return baseline.record == candidate.record and baseline.stdout == candidate.stdout and baseline.stderr == candidate.stderr


def compare(
    *, fixture: Fixture, baseline: Wire, candidate: Wire, rules: Sequence[Rule], gated: frozenset[str], contexts: tuple[Context, Context]
) -> Comparison:
    """What the two sides did differently on one fixture. ``contexts`` and all pairs: baseline first."""
    left = read(baseline)
    right = left if candidate.record == baseline.record else read(candidate)  # nothing below changes either
    cause = fault(left, right)
    if cause:
        return Comparison(id=fixture.id, status="error", cause=cause)
    returned = came_back(left) or came_back(right)
    cause = both_over(left, right) or both_shared(left, right)
    if cause:
        return Comparison(id=fixture.id, status="undecided", cause=cause, returned=returned)
    rows = Rows(fixture.id, fixture.sha256, rules=rules, gated=gated, contexts=contexts)
    try:
        if not same(baseline, candidate):
            _fields(rows, left, right, (baseline, candidate))
    except RuleError as error:
        return Comparison(id=fixture.id, status="error", cause=f"{error.place}: {error.what}"[:MAX_CAUSE], returned=returned)
    if not rows.divergences and (left.get("cut") or right.get("cut")):
        return Comparison(id=fixture.id, status="undecided", cause=_CUT, returned=returned)
    still_caught = still_caught_by(left, right) if rows.divergences else None
    return rows.comparison(trivial=at_call(left) and at_call(right), returned=returned, still_caught=still_caught)


def compare_import(
    *,
    baseline: Mapping[str, Any],
    candidate: Mapping[str, Any],
    gated: frozenset[str],
    rules: Sequence[Rule] = (),
    contexts: tuple[Context, Context] = (Context(), Context()),
) -> Comparison:
    """What the sides did differently while the target was imported: effects by name, and the texts ``stdout`` and ``stderr``.

    Raises RuleError where a rule of the project fails.
    """
    rows = Rows(IMPORT_ID, None, rules=rules, gated=gated, contexts=contexts)
    try:
        for name in ("stdout", "stderr"):
            rows.compare(name, baseline.get(name, ""), candidate.get(name, ""))
        for effect in EFFECTS:
            rows.effects(f"effects.{effect}", baseline.get(effect, []), candidate.get(effect, []))
    except RuleError as error:  # no fixture could bear it
        raise RuleError(f"{error.what} (on {IMPORT_ID})", place=error.place) from None
    return rows.comparison(trivial=False, returned=False)


def _output(raw: bytes) -> Any:
    """Captured output as a tree: a string, or ``!bytes`` where it is no UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {"!bytes": "".join("\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in raw)}


def _fields(rows: Rows, left: Mapping[str, Any], right: Mapping[str, Any], wires: tuple[Wire, Wire]) -> None:
    """Every field of two observations that are not equal to the byte."""
    if kind(left) != kind(right):
        rows.outcome(left, right)
    else:
        _outcome_fields(rows, left, right)
    if not {left["out"], right["out"]} & _CUT_SHORT:
        _side_fields(rows, left, right)
        for name, one, other in (("stdout", wires[0].stdout, wires[1].stdout), ("stderr", wires[0].stderr, wires[1].stderr)):
            if one != other:
                rows.compare(name, _output(one), _output(other))


def _outcome_fields(rows: Rows, left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Fields of two outcomes of one kind."""
    if left["out"] in _CUT_SHORT or (left["out"] == "exited" and not rows.exits(left, right)):
        return
    if left["out"] == "returned" and rows.compare("value", left["value"], right["value"]):
        rows.compare("type", left.get("type"), right.get("type"))
    if left["out"] == "raised":
        if "chain" in left or "chain" in right:
            rows.compare("exc.chain", left.get("chain", []), right.get("chain", []))
        for part in ("type", "module", "msg"):
            rows.compare(f"exc.{part}", left["exc"].get(part), right["exc"].get(part))
    if "arg" in left or "arg" in right:
        rows.compare("arg", arg_of(left), arg_of(right))


def _side_fields(rows: Rows, left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """What was seen beside the outcome, whatever that was."""
    if "warnings" in left or "warnings" in right:
        rows.compare("warnings", left.get("warnings", []), right.get("warnings", []))
    for effect in EFFECTS:
        rows.effects(f"effects.{effect}", left.get(effect, []), right.get(effect, []))
