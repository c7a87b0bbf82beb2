"""The decision table as rules: one pure predicate per row of ``prompts/decision_table.yaml``.

A predicate says whether what the row observes is true of a subject; the row says what that means, which
fields it reads and what to tell people. Where several apply the strictest label wins, reject before
abstain before accept, and the order of the table decides among equals; where none applies the label is
abstain without a rule. A predicate that fails for any reason does not apply, and then nothing is
labelled accept: an unanswered question is no consent. Source: the article's decision table; design,
section 10.

"Only" in a name of the table is meant: such a rule applies where it explains every difference of the
two texts, so one more change of another kind silences it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import prompts
from prelabel.alike import same_but_digits, same_members, same_number, same_value
from prelabel.subject import nfc, parse
from prelabel.types import Label, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prelabel.subject import Difference, Subject

    Predicate = Callable[[Subject], bool]

# Strictest first: the order in which labels are declared.
STRICTNESS: tuple[Label, ...] = get_args(Label)

NOTHING_APPLIES = "No rule of the decision table applies; read both texts in full before you decide."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the rules say of one subject. ``rule`` is None where none applies; ``failed`` names rules that could not look."""

    label: Label
    rule: str | None
    reason: str
    failed: tuple[str, ...] = ()


def label(
    subject: Subject,
    *,
    table: Sequence[prompts.TableRow] | None = None,
    predicates: Mapping[str, Predicate] | None = None,
) -> Finding:
    """The strictest row that applies to the subject. Never raises."""
    known = PREDICATES if predicates is None else predicates
    applies: list[prompts.TableRow] = []
    failed: list[str] = []
    for row in prompts.load_table() if table is None else table:
        if subject.field not in row.fields:
            continue
        try:
            if known[row.id](subject):
                applies.append(row)
        except Exception:  # noqa: BLE001  # whatever went wrong in there, the rule has not spoken
            failed.append(row.id)
    best = min(applies, key=lambda row: STRICTNESS.index(row.action), default=None)
    if best is not None and not (failed and best.action == "accept"):
        return Finding(label=best.action, rule=best.id, reason=one_line(best.reason), failed=tuple(failed))
    reason = f"No label; some rules could not look at these texts ({', '.join(failed)})." if failed else NOTHING_APPLIES
    return Finding(label="abstain", rule=None, reason=one_line(reason), failed=tuple(failed))


def exception_type(subject: Subject) -> bool:
    """Two names of an exception class or of its module: any difference is another type. Needs no parsing."""
    return subject.baseline != subject.candidate


def null_empty(subject: Subject) -> bool:
    """At least one null stands where the other side has an empty collection, also inside a text that is JSON itself."""
    return any(_null_or_empty(place) or _inner_null_empty(place) for place in subject.seen.differences)


def key_order(subject: Subject) -> bool:
    """Every difference is the order of an object's keys, or of members between braces inside a text."""
    return _all(subject, lambda place: place.kind == "order" or _both_text(place, same_members))


def unicode_form(subject: Subject) -> bool:
    """Every difference is between two texts (or keys) that are canonically equivalent; ``x²`` and ``x2`` are not."""
    return _all(subject, lambda place: _both_text(place, lambda left, right: nfc(left) == nfc(right)))


def newline_function(subject: Subject) -> bool:
    """As ``newline_command``, for what is called as a function."""
    return subject.target_kind == "function" and _newlines_at_end(subject)


def newline_command(subject: Subject) -> bool:
    """Stdout of one side is that of the other with line ends behind it."""
    return subject.target_kind == "command" and _newlines_at_end(subject)


def _is_read(name: Any) -> bool:
    return not (isinstance(name, str) and name.endswith("="))


def environment_read(subject: Subject) -> bool:
    """The texts list the names that only that side read: the candidate's list holds one that the baseline's lacks."""
    before, after = subject.seen.baseline, subject.seen.candidate
    # "*" stands for the whole environment: a side that read that has read every name. "A=" was set or removed, not read.
    return (
        isinstance(before, list)
        and isinstance(after, list)
        and "*" not in before
        and any(_is_read(name) for name in set(after) - set(before))
    )


def float_text(subject: Subject) -> bool:
    """Every difference is between two floats as good as equal, or two texts that agree outside their numbers, which are close."""
    relation = same_value if subject.field in {"value", "arg"} else same_but_digits
    return _all(subject, lambda place: _both_floats(place) or _both_text(place, relation))


PREDICATES: Mapping[str, Predicate] = {
    "exception-type": exception_type,
    "null-empty": null_empty,
    "key-order": key_order,
    "unicode-form": unicode_form,
    "newline-function": newline_function,
    "newline-command": newline_command,
    "environment-read": environment_read,
    "float-text": float_text,
}


def _all(subject: Subject, explains: Callable[[Difference], bool]) -> bool:
    places = subject.seen.differences
    return bool(places) and all(explains(place) for place in places)


def _both_text(place: Difference, relation: Callable[[str, str], bool]) -> bool:
    left, right = place.baseline, place.candidate
    return place.kind == "changed" and isinstance(left, str) and isinstance(right, str) and relation(left, right)


def _both_floats(place: Difference) -> bool:
    left, right = place.baseline, place.candidate
    return place.kind == "changed" and isinstance(left, float) and isinstance(right, float) and same_number(left, right)


# null and empty


def _null_or_empty(place: Difference) -> bool:
    left, right = place.baseline, place.candidate
    return place.kind == "changed" and ((left is None and _empty(right)) or (right is None and _empty(left)))


def _empty(node: Any) -> bool:
    """``[]``, ``{}``, or a tagged collection (tuple, set, mapping, iterator, or a subclass of one) without items."""
    if isinstance(node, dict) and len(node) == 1:
        ((tag, held),) = node.items()
        if tag == "!sub":
            return isinstance(held, list) and len(held) == 2 and _empty(held[1])
        return tag in {"!tuple", "!set", "!frozenset", "!dict", "!iter"} and held == []
    return node in ([], {})


def _inner_null_empty(place: Difference) -> bool:
    """Two texts that are JSON documents themselves: what a command prints, or a function that returns ``json.dumps``."""
    left, right = place.baseline, place.candidate
    if place.kind != "changed" or not isinstance(left, str) or not isinstance(right, str) or "null" not in left + right:
        return False
    try:
        inner = parse(left, right)
    except ValueError:
        return False
    return any(_null_or_empty(found) for found in inner.differences)


# newlines at the end


def _newlines_at_end(subject: Subject) -> bool:
    left, right = subject.seen.baseline, subject.seen.candidate
    if isinstance(left, str) and isinstance(right, str):
        return _longer_by(left, right, r"(\r?\n)+")
    if isinstance(left, dict) and isinstance(right, dict):
        # Output that is no UTF-8: `!bytes` spells its newlines.
        return _longer_by(left["!bytes"], right["!bytes"], r"((\\x0d)?\\x0a)+")
    return False


def _longer_by(left: str, right: str, tail: str) -> bool:
    shorter, longer = sorted((left, right), key=len)
    return longer.startswith(shorter) and re.fullmatch(tail, longer[len(shorter) :]) is not None
