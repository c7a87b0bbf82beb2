"""Two observations of one fixture become divergences, field by field. Pure: no files, no processes, no clock.

    record, stdout, stderr -> one tree a field -> raw texts equal? -> rules -> canonical texts equal? -> row or smoothed

Rule (design, section 6): where the outcomes are of two kinds, or the signal, exit code or limit differ, one row ``ok``
pins both and replaces ``value``, ``type``, ``arg`` and ``exc.*``. The output of a side that was timed out, killed or over
a limit is chance and is not compared. A fault of harness or fixture is never compared: status ``error``.
"""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, Any

from gate.canonical.rules import Context, apply_rules, canonicalise, raw
from gate.canonical.visible_json import parse, visible_raw
from gate.canonical.walk import SETS, tagged
from gate.difference import MAX_CHANGES, changes, changes_and_more
from gate.errors import RuleError
from gate.types import FIELDS, IMPORT_ID, Comparison, Divergence, Smoothed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.canonical.rules import Rule
    from gate.types import Change, Fixture, Status, Wire

EFFECTS = ("env", "net", "files", "process")

_OUTCOMES = ("returned", "raised", "exited", "signalled", "timed_out", "over", "error")
# How much such a side wrote before its end depends on the machine.
_CUT_SHORT = frozenset({"signalled", "timed_out", "over"})
_LIMITS = {"memory": "memory limit", "output": "output limit"}
_UNCHANGED = {"unchanged": True}
_MAX_CAUSE = 1000
_CUT = "an iterator goes on after 100,000 items, and what comes then was not compared: return less of it, or use an adapter"
# Longer canonical texts are cut to size, digest and head: a run must not hold them all (docs/adr/0023).
LONGEST = 1 << 20
_OF_TEXTS = frozenset({"newlines", "trailing-space", "object-ids", "temp-root"})
_PLACES = 100  # how many differences are looked through for those that a rule hid


def same(baseline: Wire, candidate: Wire) -> bool:
    """The raw fast path: what both sides' workers said is equal to the byte."""
    return baseline.record == candidate.record and baseline.stdout == candidate.stdout and baseline.stderr == candidate.stderr


def compare(
    *, fixture: Fixture, baseline: Wire, candidate: Wire, rules: Sequence[Rule], gated: frozenset[str], contexts: tuple[Context, Context]
) -> Comparison:
    """What the two sides did differently on one fixture. ``contexts`` and all pairs: baseline first."""
    left = _read(baseline)
    right = left if candidate.record == baseline.record else _read(candidate)  # nothing below changes either
    cause = _fault(left, right)
    if cause:
        return Comparison(id=fixture.id, status="error", cause=cause)
    returned = _came_back(left) or _came_back(right)
    cause = _both_over(left, right)
    if cause:
        return Comparison(id=fixture.id, status="undecided", cause=cause)
    cause = _both_shared(left, right)
    if cause:
        return Comparison(id=fixture.id, status="undecided", cause=cause, returned=returned)
    rows = _Rows(fixture.id, fixture.sha256, rules=rules, gated=gated, contexts=contexts)
    try:
        if not same(baseline, candidate):
            _fields(rows, left, right, (baseline, candidate))
    except RuleError as error:
        return Comparison(id=fixture.id, status="error", cause=f"{error.place}: {error.what}"[:_MAX_CAUSE], returned=returned)
    if not rows.divergences and (left.get("cut") or right.get("cut")):
        return Comparison(id=fixture.id, status="undecided", cause=_CUT, returned=returned)
    still_caught = _still_caught(left, right) if rows.divergences else None
    return rows.comparison(trivial=_at_call(left) and _at_call(right), returned=returned, still_caught=still_caught)


def is_long(row: Divergence) -> bool:
    """Whether the row pins a digest. Rules did not reach into the value, unless the fixture ran alone."""
    return '"!long":[' in row.baseline or '"!long":[' in row.candidate


def _long(text: str) -> Any:
    """The tree that stands for a canonical text that is too long."""
    from hashlib import sha256  # loads OpenSSL; few runs need it here

    return {"!long": [len(text), sha256(text.encode()).hexdigest(), text[:500]]}


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
    rows = _Rows(IMPORT_ID, None, rules=rules, gated=gated, contexts=contexts)
    try:
        for name in ("stdout", "stderr"):
            rows.compare(name, baseline.get(name, ""), candidate.get(name, ""))
        for effect in EFFECTS:
            rows.effects(f"effects.{effect}", baseline.get(effect, []), candidate.get(effect, []))
    except RuleError as error:  # no fixture could bear it
        raise RuleError(f"{error.what} (on {IMPORT_ID})", place=error.place) from None
    return rows.comparison(trivial=False, returned=False)


# -- one side's record ----------------------------------------------------------------------------------------


def _read(wire: Wire) -> dict[str, Any]:
    """The record, checked for the keys that its outcome needs; an ``error`` record where it has not got them."""
    try:
        record = parse(wire.record)
    except ValueError as error:
        record, flaw = {}, str(error)
    else:
        flaw = _flaw(record)
    return {"out": "error", "where": "worker", "why": f"the record cannot be used: {flaw}"} if flaw else record


_NEEDED: dict[str, tuple[str, type]] = {
    "returned": ("value", object),
    "raised": ("exc", dict),
    "exited": ("code", object),
    "signalled": ("signal", str),
    "over": ("limit", str),
}


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


def _still_caught(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """What is said where the candidate's exception is another class that handlers of the baseline's catch as well; else None."""
    if left["out"] != "raised" or right["out"] != "raised":
        return None
    one, other = (f"{side['exc']['module']}.{side['exc']['type']}" for side in (left, right))
    bases = right["exc"].get("bases")
    if bases is None:
        kind = getattr(builtins, right["exc"]["type"], None) if right["exc"]["module"] == "builtins" else None
        bases = [f"builtins.{base.__name__}" for base in kind.__mro__[1:-1]] if isinstance(kind, type) else []
    return f"handlers of {one} still catch {other}" if one in bases else None


def _fault(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Why this fixture cannot be compared: a fault of harness or fixture on either side."""
    causes = [
        f"{side.get('where', 'worker')}: {side.get('why', 'no reason given')}" if side["out"] == "error" else None for side in (left, right)
    ]
    if causes[0] and causes[0] == causes[1]:
        said = f"both sides: {causes[0]}"
    else:
        said = "; ".join(f"{name}: {cause}" for name, cause in zip(("baseline", "candidate"), causes, strict=True) if cause)
    return said[:_MAX_CAUSE] or None


def _both_over(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Two sides at the same limit say nothing about each other."""
    if left["out"] == right["out"] == "timed_out":
        return "both sides ran into the time limit"
    if left["out"] == right["out"] == "over" and left["limit"] == right["limit"]:
        return f"both sides went over the {_LIMITS.get(left['limit'], left['limit'])}"
    return None


def _both_shared(left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """Two sides that open one file in memory see each other, and run at the same time."""
    names = sorted(set(left.get("shared", [])) & set(right.get("shared", [])))
    if not names:
        return None
    return f"both sides use {names[0]}, of which there is only one: let the system make up a name, or use an adapter"[:_MAX_CAUSE]


def _kind(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """What must agree for two outcomes to be of one kind. Exit codes may be texts that rules speak about, so they come later."""
    return record["out"], record.get("signal"), record.get("limit")


def _came_back(record: Mapping[str, Any]) -> bool:
    """Whether a call returned, or a command ended with 0: what a target must do somewhere for agreement to mean anything."""
    return record["out"] == "returned" or (record["out"] == "exited" and record.get("done") is True)


def _at_call(record: Mapping[str, Any]) -> bool:
    return record["out"] == "raised" and record.get("at_call") is True and record["exc"]["type"] == "TypeError"


def _arg(record: Mapping[str, Any]) -> Any:
    """The payload after the call. A payload that became ``{"unchanged":true}`` itself must not read like one that did not change."""
    if "arg" not in record:
        return _UNCHANGED
    return record["arg"] if visible_raw(record["arg"]) != visible_raw(_UNCHANGED) else {"!dict": [["unchanged", True]]}


def _output(raw: bytes) -> Any:
    """Captured output as a tree: a string, or ``!bytes`` where it is no UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {"!bytes": "".join("\\\\" if byte == 0x5C else chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}" for byte in raw)}


# -- rows -----------------------------------------------------------------------------------------------------


def _fields(rows: _Rows, left: Mapping[str, Any], right: Mapping[str, Any], wires: tuple[Wire, Wire]) -> None:
    """Every field of two observations that are not equal to the byte."""
    if _kind(left) != _kind(right):
        rows.outcome(left, right)
    else:
        _outcome_fields(rows, left, right)
    if not {left["out"], right["out"]} & _CUT_SHORT:
        _side_fields(rows, left, right)
        for name, one, other in (("stdout", wires[0].stdout, wires[1].stdout), ("stderr", wires[0].stderr, wires[1].stderr)):
            if one != other:
                rows.compare(name, _output(one), _output(other))


def _outcome_fields(rows: _Rows, left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
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
        rows.compare("arg", _arg(left), _arg(right))


def _side_fields(rows: _Rows, left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """What was seen beside the outcome, whatever that was."""
    if "warnings" in left or "warnings" in right:
        rows.compare("warnings", left.get("warnings", []), right.get("warnings", []))
    for effect in EFFECTS:
        rows.effects(f"effects.{effect}", left.get(effect, []), right.get(effect, []))


_Sides = tuple[tuple[Any, str], tuple[Any, str]]  # tree and raw text of each
_Made = tuple[Any, str, tuple[str, ...]]  # canonical tree and text, rules that fired


class _Rows:
    """Collects what one fixture's comparison finds."""

    def __init__(
        self, fixture_id: str, sha256: str | None, *, rules: Sequence[Rule], gated: frozenset[str], contexts: tuple[Context, Context]
    ) -> None:
        self.id, self.sha256, self.rules, self.gated, self.contexts = fixture_id, sha256, rules, gated, contexts
        self.divergences: list[Divergence] = []
        self.noted: list[Divergence] = []
        self.smoothed: list[Smoothed] = []
        self.fired: dict[str, None] = {}  # an ordered set

    def compare(self, name: str, left: Any, right: Any) -> bool:
        """Compare one field; True where the canonical texts agree."""
        if type(left) is type(right) is str and left == right:
            return True
        sides = raw(left), raw(right)
        if sides[0][1] == sides[1][1]:
            return True
        mine = [rule for rule in self.rules if name in rule.fields]
        (left, left_text, left_fired), (right, right_text, right_fired) = self._apply(name, sides, mine)
        fired = self._count(left_fired, right_fired)
        if left_text == right_text:
            self._smooth(name, self._hiding(name, sides, mine, fired), changes(sides[0][0], sides[1][0]))
            return True
        self._row(name, (left, left_text), (right, right_text))
        self._beside(name, sides, mine, fired, (left, right))
        return False

    def outcome(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
        """The one row that pins two outcomes of different kinds."""
        self._row("ok", raw(self._pinned(left, self.contexts[0])), raw(self._pinned(right, self.contexts[1])))

    def exits(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
        """Compare how two processes ended; True where they agree."""
        return self.compare("ok", *(self._pinned(record, context) for record, context in zip((left, right), self.contexts, strict=True)))

    def effects(self, name: str, left: Sequence[str], right: Sequence[str]) -> None:
        """A row of what only one side did; texts are lists. Gated only where the candidate does something new."""
        if left == right:
            return
        (left_made, _, left_fired), (right_made, _, right_fired) = self._apply(name, (raw(left), raw(right)), self.rules)
        fired = self._count(left_fired, right_fired)
        only = sorted(set(left_made) - set(right_made)), sorted(set(right_made) - set(left_made))
        if only[0] or only[1]:
            # What the candidate does and the baseline did not must be classified; what it no longer does is noted.
            self._row(name, raw(only[0]), raw(only[1]), gates=bool(only[1]))
        if fired:
            hidden = _unseen(left, left_made, (right, only[0])), _unseen(right, right_made, (left, only[1]))
            self._smooth(name, fired, changes(*hidden))

    def comparison(self, *, trivial: bool, returned: bool, still_caught: str | None = None) -> Comparison:
        """Everything found, in the order of the fields, with the fixture's status."""
        status: Status = "diverging" if self.divergences else "trivial" if trivial else "match"
        return Comparison(
            id=self.id,
            status=status,
            divergences=tuple(sorted(self.divergences, key=_place)),
            noted=tuple(sorted(self.noted, key=_place)),
            smoothed=tuple(sorted(self.smoothed, key=_place)),
            returned=returned,
            fired=tuple(self.fired),
            still_caught=still_caught,
        )

    def _apply(self, name: str, sides: _Sides, rules: Sequence[Rule]) -> tuple[_Made, _Made]:
        one, other = (context.beside(sides[0][1], sides[1][1]) for context in self.contexts)
        return apply_rules(*sides[0], name, rules, one), apply_rules(*sides[1], name, rules, other)

    def _count(self, *fired: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(rule.name for rule in self.rules if any(rule.name in side for side in fired))
        self.fired |= dict.fromkeys(names)
        return names

    def _hiding(self, name: str, sides: _Sides, rules: Sequence[Rule], fired: tuple[str, ...]) -> tuple[str, ...]:
        """The rules without which the texts would still differ; all that fired where each could stand in for another."""
        if len(fired) < 2:
            return fired
        needed = []
        for one in fired:
            (_, left, _), (_, right, _) = self._apply(name, sides, [rule for rule in rules if rule.name != one])
            if left != right:
                needed.append(one)
        return tuple(needed) or fired

    def _smooth(self, name: str, rules: tuple[str, ...], paths: tuple[Change, ...]) -> None:
        if paths:
            self.smoothed.append(Smoothed(id=self.id, field=name, rules=rules, paths=paths))

    def _beside(self, name: str, sides: _Sides, rules: Sequence[Rule], fired: tuple[str, ...], made: tuple[Any, Any]) -> None:
        """List what rules hid at other places of a field that has a row. The order of keys is no place."""
        fired = tuple(rule for rule in fired if rule != "key-order")
        shown = [change.at for change in changes(*made, limit=_PLACES)] if fired else []
        if not fired or len(shown) == _PLACES:  # where as many differ, nobody looks for what does not
            return
        hidden = tuple(change for change in changes(sides[0][0], sides[1][0], limit=_PLACES) if not _meets(change.at, shown))
        if hidden:
            places = [change.at for change in hidden]
            needed = []
            for one in fired if len(fired) > 1 else ():
                (left, _, _), (right, _, _) = self._apply(name, sides, [rule for rule in rules if rule.name != one])
                if any(_meets(change.at, places) for change in changes(left, right, limit=_PLACES)):
                    needed.append(one)
            self._smooth(name, tuple(needed) or fired, hidden[:MAX_CHANGES])
        elif set(fired) <= _OF_TEXTS:
            # What came and what went at one place may hold, apart from that, what a rule made equal.
            forms = _rewritten(sides[0][0], made[0]), _rewritten(sides[1][0], made[1])
            both = [form for form in forms[0] if form in forms[1] and forms[0][form] != forms[1][form]]
            self._smooth(name, fired, changes([forms[0][form] for form in both], [forms[1][form] for form in both]))

    def _pinned(self, record: Mapping[str, Any], context: Context) -> Any:
        out = record["out"]
        if out == "returned":
            made, fired = canonicalise(record["value"], "value", self.rules, context)
            self.fired |= dict.fromkeys(fired)
            text = visible_raw(made)
            return {"returned": made if len(text) + len('{"returned":}') <= LONGEST else _long(text)}
        if out == "raised":
            return {"raised": f"{record['exc']['module']}.{record['exc']['type']}"}
        if out == "exited":
            return {"exited": {"by": "os._exit", "code": record["code"]} if record.get("hard") else record["code"]}
        return {out: {"signalled": record.get("signal"), "over": record.get("limit")}.get(out, True)}

    def _row(self, name: str, left: tuple[Any, str], right: tuple[Any, str], *, gates: bool = True) -> None:
        baseline, candidate = (text if len(text) <= LONGEST else visible_raw(_long(text)) for _, text in (left, right))
        paths, more = changes_and_more(left[0], right[0])
        divergence = Divergence(
            id=self.id, field=name, baseline=baseline, candidate=candidate, fixture_sha256=self.sha256, paths=paths, more=more
        )
        (self.divergences if gates and name in self.gated else self.noted).append(divergence)


def _rewritten(tree: Any, made: Any) -> dict[str, list[str]]:
    """The texts that rules for texts made, each with what it was made of. What has no order of its own is left out."""
    found: dict[str, list[str]] = {}
    todo = [(tree, made)]
    while todo:
        one, other = todo.pop()
        if type(one) is dict and type(other) is dict and one.keys() == other.keys() and tagged(one) not in {*SETS, "!dict"}:
            todo += [(one[key], other[key]) for key in one]
        elif type(one) is list and type(other) is list and len(one) == len(other):
            todo += zip(one, other, strict=True)
        elif type(one) is str and type(other) is str and one != other:
            found.setdefault(other, []).append(one)
    return found


def _meets(at: str, places: Sequence[str]) -> bool:
    """Is one of the places this one, above it or below it? A line of a text is below the text."""
    pointer = _LINE.sub("", at)
    for place in places:
        other = _LINE.sub("", place)
        if pointer == other and at != pointer and place != other:
            if at == place:
                return True
        elif f"{pointer}/".startswith(f"{other}/") or f"{other}/".startswith(f"{pointer}/"):
            return True
    return False


_LINE = re.compile(r"(?:^| )line [0-9]+$")


def _unseen(items: Sequence[str], made: Any, elsewhere: tuple[Sequence[str], Sequence[str]]) -> list[str]:
    """Raw effects of one side that the other has not got, and of which no row tells once the rules have been at them.

    A row tells of one: where a rule makes one text of several, the others are hidden behind it.
    """
    other, told = frozenset(elsewhere[0]), set(elsewhere[1])
    hidden = []
    for item, form in zip(items, made if len(made) == len(items) else items, strict=True):
        if item in other:
            continue
        if form in told:
            told.remove(form)
        else:
            hidden.append(item)
    return hidden


def _place(row: Divergence | Smoothed) -> int:
    return FIELDS.index(row.field)
