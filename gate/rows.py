"""The rows of one comparison: which fields differ, and what rules hid (``gate.compare`` says which fields there are)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gate.canonical.rules import Context, apply_rules, canonicalise, raw
from gate.canonical.visible_json import visible_raw
from gate.canonical.walk import SETS, tagged
from gate.difference import MAX_CHANGES, changes, changes_and_more
from gate.types import FIELDS, Comparison, Divergence, Smoothed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.canonical.rules import Rule
    from gate.types import Change, Status

# Longer canonical texts are cut to size, digest and head: a run must not hold them all (docs/adr/0023).
LONGEST = 1 << 20
_OF_TEXTS = frozenset({"newlines", "trailing-space", "object-ids", "temp-root"})
_PLACES = 100  # how many differences are looked through for those that a rule hid
_Sides = tuple[tuple[Any, str], tuple[Any, str]]  # tree and raw text of each
_Made = tuple[Any, str, tuple[str, ...]]  # canonical tree and text, rules that fired
_LINE = re.compile(r"(?:^| )line [0-9]+$")


def is_long(row: Divergence) -> bool:
    """Whether the row pins a digest. Rules did not reach into the value, unless the fixture ran alone."""
    return '"!long":[' in row.baseline or '"!long":[' in row.candidate


def _long(text: str) -> Any:
    """The tree that stands for a canonical text that is too long."""
    from hashlib import sha256  # loads OpenSSL; few runs need it here

    return {"!long": [len(text), sha256(text.encode()).hexdigest(), text[:500]]}


class Rows:
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
