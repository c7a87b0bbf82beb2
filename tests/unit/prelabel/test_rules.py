"""Which rule wins, what a failing rule does, and what hostile texts cost."""

from __future__ import annotations

import pytest

import prompts
from prelabel.rules import STRICTNESS, label
from prelabel.subject import MAX_CHARS, MAX_MARKS, MAX_STEPS, subject
from tests.timing import within


def found(field, baseline, candidate, **more):
    return label(subject(target_kind="function", field=field, baseline=baseline, candidate=candidate), **more)


# precedence


def row(name, action, fields=("value",)):
    question = "Is it meant?" if action == "abstain" else None
    return prompts.TableRow(id=name, observation="o", cause="c", action=action, fields=fields, why=f"why {name}", question=question)


def yes(_):
    return True


def broken(_):
    raise RecursionError


@pytest.mark.parametrize(
    ("actions", "wins"),
    [
        (("accept", "abstain", "reject"), "r2"),
        (("reject", "abstain", "accept"), "r0"),
        (("abstain", "accept"), "r0"),
        (("accept", "abstain"), "r1"),
        (("accept", "accept"), "r0"),
        (("reject", "reject"), "r0"),
        (("accept",), "r0"),
    ],
)
def test_strictest_wins_then_the_first(actions, wins):
    table = [row(f"r{number}", action) for number, action in enumerate(actions)]
    finding = found("value", "1", "2", table=table, predicates=dict.fromkeys(("r0", "r1", "r2"), yes))
    assert finding.rule == wins
    assert STRICTNESS.index(finding.label) == min(STRICTNESS.index(action) for action in actions)


def test_reason_is_the_question_or_the_why():
    assert found("value", "1", "2", table=[row("a", "abstain")], predicates={"a": yes}).reason == "Is it meant?"
    assert found("value", "1", "2", table=[row("a", "reject")], predicates={"a": yes}).reason == "why a"


def test_a_row_is_silent_on_fields_it_does_not_read():
    assert found("stdout", "1", "2", table=[row("a", "reject")], predicates={"a": yes}).rule is None


@pytest.mark.parametrize("error", [ValueError("x"), RecursionError(), MemoryError(), KeyError("x"), AssertionError()])
def test_a_failing_predicate_never_leaves_an_accept(error):
    def fails(_):
        raise error

    table = [row("fails", "reject"), row("fine", "accept")]
    finding = found("value", "1", "2", table=table, predicates={"fails": fails, "fine": yes})
    assert (finding.label, finding.rule, finding.failed) == ("abstain", None, ("fails",))
    assert "fails" in finding.reason


def test_a_failing_predicate_does_not_soften_a_reject():
    table = [row("fails", "accept"), row("fine", "reject")]
    finding = found("value", "1", "2", table=table, predicates={"fails": broken, "fine": yes})
    assert (finding.label, finding.rule, finding.failed) == ("reject", "fine", ("fails",))


def test_a_row_without_predicate_counts_as_failed():
    finding = found("value", "1", "2", table=[row("new", "reject"), row("fine", "accept")], predicates={"fine": yes})
    assert (finding.label, finding.failed) == ("abstain", ("new",))


# what cannot be read


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        pytest.param("null", "not json", id="no JSON"),
        pytest.param("null", '{"a":1,"a":2}', id="duplicate key"),
        pytest.param("null", '"' + "x" * MAX_CHARS + '"', id="too long"),
        pytest.param("[" + "1," * MAX_STEPS + "1]", "[" + "2," * MAX_STEPS + "1]", id="too many places"),
        pytest.param('{"é":null}', '{"%s":[]}' % ("\\u0301" * MAX_MARKS), id="key with too many marks"),
    ],
)
def test_what_cannot_be_read_is_an_abstention_that_says_so(baseline, candidate):
    finding = found("value", baseline, candidate)
    assert (finding.label, finding.rule) == ("abstain", None)
    assert "null-empty" in finding.failed
    assert "could not look" in finding.reason


def test_a_type_changes_even_where_it_cannot_be_read():
    assert found("exc.type", '"A"', '"' + "x" * MAX_CHARS + '"').rule == "exception-type"


def test_too_many_marks_fail_one_rule_only():
    text = '"x%s"' % ("\\u0301\\u0323" * MAX_MARKS)
    assert found("value", '"x"', text).failed == ("unicode-form",)


DEEP = 5_000


@pytest.mark.parametrize(
    ("baseline", "candidate", "rule"),
    [
        pytest.param("[" * DEEP + "null" + "]" * DEEP, "[" * DEEP + "[]" + "]" * DEEP, "null-empty", id="deep"),
        pytest.param("1" * 9_000, "2" * 9_000, None, id="many digits"),
        pytest.param('"' + "{" * 400_000 + '"', '"' + "{" * 399_999 + ',"', None, id="brackets"),
        pytest.param('"' + '{\\\\\\"' * 90_000 + '"', '"' + '{\\\\\\"' * 89_999 + ',{{{"', None, id="quotes"),
        pytest.param('"' + "\\u0f73" * 50_000 + '"', '"' + "\\u0344" * 50_000 + '"', None, id="marks that look like letters"),
        pytest.param('"' + "1" * 300_000 + '.5"', '"' + "1" * 300_000 + '.50"', None, id="one number"),
        pytest.param('"' + "1.5 " * 90_000 + '"', '"' + "1.50 " * 90_000 + '"', "float-text", id="many numbers"),
        pytest.param('"' + "\\n" * 300_000 + 'x"', '"' + "\\n" * 300_000 + '"', None, id="newlines"),
        pytest.param("[" + "[1,2]," * 20_000 + "0]", "[" + "[1,2]," * 19_999 + "0]", None, id="long lists of two lengths"),
        pytest.param("[1," * DEEP + "]" * DEEP, "[1,1," * DEEP + "]" * DEEP, None, id="no JSON, deep"),
        pytest.param("[0," * DEEP + "0" + "]" * DEEP, "[0,1," * DEEP + "0" + "]" * DEEP, None, id="two lengths at every depth"),
    ],
)
def test_hostile_texts_take_no_time(baseline, candidate, rule):
    with within(120):
        for field in ("value", "stdout"):
            assert found(field, baseline, candidate).rule == rule
