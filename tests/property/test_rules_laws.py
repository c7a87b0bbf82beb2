"""Laws of the rules: total, strictest first, blind to direction and order, and nothing hides a null that became empty."""

from __future__ import annotations

import json
import random
import unicodedata
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import prompts
from gate.canonical.visible_json import visible
from gate.types import FIELDS
from prelabel.advise import read_advice, write_advice
from prelabel.rules import PREDICATES, STRICTNESS, label
from prelabel.subject import parse, subject
from prelabel.types import REASON_LIMIT, Advice, one_line

SYMMETRIC = [rule for rule in PREDICATES if rule != "environment-read"]
# Small alphabets, so that sides meet: digits, marks, quotes, brackets, newlines.
TEXTS = st.text(st.sampled_from("ab01.-e{}[],:'\"\\ \né\u0301\u0323\uac01\ufb01\ud800"), max_size=12) | st.text(max_size=8)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TEXTS, inner, max_size=4)
        | st.tuples(st.sampled_from(["!tuple", "!set", "!iter"]), st.lists(inner, max_size=3)).map(lambda tag: {tag[0]: tag[1]})
        | st.lists(st.tuples(NUMBERS, inner).map(list), max_size=3).map(lambda pairs: {"!dict": pairs})
    ),
    max_leaves=12,
)
KINDS = st.sampled_from(["function", "command"])
FIELD = st.sampled_from(FIELDS)


def found(baseline, candidate, field="value", kind="function", **more):
    return label(subject(target_kind=kind, field=field, baseline=baseline, candidate=candidate), **more)


@given(st.text() | TREES.map(visible), st.text() | TREES.map(visible), FIELD, KINDS)
def test_every_pair_of_texts_has_one_label_and_a_showable_reason(baseline, candidate, field, kind):
    finding = found(baseline, candidate, field, kind)
    assert finding == found(baseline, candidate, field, kind)
    assert finding.label in {"reject", "abstain"}
    assert finding.reason == one_line(finding.reason) != ""
    assert finding.rule is not None or finding.label == "abstain"


@given(TREES, TREES)
@example(1, True)
@example(1, 1.0)
@example(0.0, -0.0)
@example([0.0], [-0.0])
@example({"!tuple": []}, [])
@example([1], [1, 1])
def test_differences_are_found_exactly_where_canonical_texts_differ(one, two):
    assert bool(parse(visible(one), visible(two)).differences) == (visible(one) != visible(two))
    assert parse(visible(one), visible(one)).differences == ()


@given(TREES, TREES, KINDS, FIELD)
def test_direction_changes_nothing_but_who_reads_the_environment(one, two, kind, field):
    assume(field != "effects.env")
    assert found(visible(one), visible(two), field, kind) == found(visible(two), visible(one), field, kind)


def somewhere(tree, leaf, rng):
    """The tree with one more list item or key at a random place, holding the leaf."""
    if isinstance(tree, list) and tree and rng.random() < 0.7:
        spot = rng.randrange(len(tree))
        return [*tree[:spot], somewhere(tree[spot], leaf, rng), *tree[spot + 1 :]]
    if isinstance(tree, dict) and tree and not next(iter(tree)).startswith("!"):
        key = rng.choice(sorted(tree))
        return tree | {key: somewhere(tree[key], leaf, rng)}
    return [tree, leaf]


@given(TREES, st.integers(), st.sampled_from([[], {}, {"!tuple": []}, {"!set": []}]), st.booleans())
def test_null_to_empty_is_rejected_wherever_it_stands(tree, seed, empty, back):
    sides = [visible(somewhere(tree, leaf, random.Random(seed))) for leaf in (None, empty)]  # no secret
    finding = found(*(reversed(sides) if back else sides))
    assert (finding.label, finding.rule) == ("reject", "null-empty")


def reform(tree, form):
    if isinstance(tree, str):
        return unicodedata.normalize(form, tree)
    if isinstance(tree, list):
        return [reform(item, form) for item in tree]
    return {reform(key, form): reform(value, form) for key, value in tree.items()} if isinstance(tree, dict) else tree


@given(TREES, st.permutations(["NFC", "NFD", "NFKC", "NFKD"]))
def test_another_normal_form_of_everything_is_a_question_if_it_is_canonically_equivalent(tree, forms):
    # The text tells all four forms apart.
    one, two = (reform([tree, "\u00e9\ufb01"], form) for form in forms[:2])
    # Two keys of one form would fall into one: that is a lost key, not another form.
    assume(keys(one) == keys(two) == keys(reform(one, "NFKC")))
    equivalent = forms[0].replace("K", "") != forms[1].replace("K", "") and ("K" in forms[0]) == ("K" in forms[1])
    assert found(visible(one), visible(two)).rule == ("unicode-form" if equivalent else None)


def keys(tree):
    if isinstance(tree, dict):
        return len(tree) + sum(keys(value) for value in tree.values())
    return sum(keys(item) for item in tree) if isinstance(tree, list) else 0


PLAIN = st.dictionaries(st.text("abc,{}'\"\\", max_size=4), st.integers() | st.text("abc,{} '", max_size=4), min_size=2, max_size=5)


@given(PLAIN, st.randoms(use_true_random=False), st.sampled_from([repr, json.dumps, partial(json.dumps, indent=2)]))
def test_members_in_another_order_are_the_canonicalisers_matter(members, rng, write):
    items = list(members.items())
    rng.shuffle(items)
    one, two = write(members), write(dict(items))
    assume(one != two)
    assert found(visible(one), visible(two), "stdout").rule == "key-order"


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=1e-300, max_value=1e300), st.integers(0, 14))
def test_a_float_printed_with_fewer_digits_is_a_question(number, digits):
    full, short = repr(number), f"{number:.{digits}e}"
    assume(full != short)
    assume(len(full.split("e")[0].replace(".", "").strip("0")) >= 16 or digits >= 6)
    assert found(visible(f"x = {full};"), visible(f"x = {short};"), "stdout").rule == "float-text"


@given(st.decimals(-1000, 1000, places=3, allow_nan=False), st.integers(1, 9))
def test_another_short_number_is_no_print_precision(number, step):
    other = number + step * number.__class__("0.001")
    assume(number != 0 != other)
    assert found(visible(str(number)), visible(str(other)), "stdout").rule is None


@given(TEXTS, st.integers(1, 4), KINDS)
def test_newlines_at_the_end_of_stdout(text, count, kind):
    finding = found(visible(text), visible(text + "\n" * count), "stdout", kind)
    assert finding.rule == f"newline-{kind}"
    assert finding.label == ("reject" if kind == "function" else "abstain")


# precedence

ACTIONS = st.lists(st.sampled_from(STRICTNESS), min_size=1, max_size=5)


def table_of(actions):
    return tuple(
        prompts.TableRow(
            id=f"r{n}",
            observation="o",
            cause="c",
            action=action,
            fields=("value",),
            why="w",
            question="q?" if action == "abstain" else None,
        )
        for n, action in enumerate(actions)
    )


@given(ACTIONS, st.data())
def test_the_label_is_the_strictest_that_applies_in_any_order_of_rows(actions, data):
    says = data.draw(st.lists(st.sampled_from(["yes", "no", "fails"]), min_size=len(actions), max_size=len(actions)))

    def predicate(word):
        def answer(_):
            if word == "fails":
                raise ValueError
            return word == "yes"

        return answer

    table = table_of(actions)
    predicates = {row.id: predicate(word) for row, word in zip(table, says, strict=True)}
    shuffled = data.draw(st.permutations(table))
    applying = [action for action, word in zip(actions, says, strict=True) if word == "yes"]
    strictest = min(applying, key=STRICTNESS.index, default="abstain")
    expected = "abstain" if strictest == "accept" and "fails" in says else strictest
    for rows in (table, shuffled):
        assert found("1", "2", table=rows, predicates=predicates).label == expected


@given(ACTIONS, st.sampled_from(STRICTNESS))
def test_one_more_row_never_makes_a_label_laxer(actions, more):
    def strict(rows):
        return STRICTNESS.index(found("1", "2", table=rows, predicates={row.id: lambda _: True for row in rows}).label)

    assert strict(table_of([*actions, more])) <= strict(table_of(actions))


def test_strictness_is_the_designs():
    assert STRICTNESS == ("reject", "abstain", "accept")


# reasons and the file


@given(
    st.text()
    | st.lists(
        st.sampled_from(["www.", "gh-", "GH", "1", ".", ")", "-", "- ", " ", "'", "e", "\u0301", "\u1100", "\u1161"]), max_size=150
    ).map("".join)
)
def test_one_line_is_safe_short_and_stable(text):
    line = one_line(text)
    assert one_line(line) == line
    assert len(line) <= REASON_LIMIT
    assert not set(line) & set('`<>|[]{}@#*_~!&%\\/:"$^=+')
    assert all(char == " " or unicodedata.category(char)[0] in "LNP" for char in line)
    assert not line or line[0].isalnum()
    assert "  " not in line
    assert not any(a == b == "-" for a, b in pairwise(line))
    assert "www." not in line.lower()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("advice") / "advice.json"


@st.composite
def advice(draw):
    rule = draw(st.none() | st.text(min_size=1))
    return Advice(
        id=draw(st.text()),
        field=draw(FIELD),
        fingerprint=draw(st.from_regex(r"[0-9a-f]{12}", fullmatch=True)),
        label=draw(st.sampled_from(STRICTNESS)),
        rule=rule,
        reason=one_line(draw(st.text())) or "No reason.",
        source="none" if rule is None else "rule",
    )


@given(st.lists(advice(), max_size=3))
def test_reading_gives_what_was_written(file, items):
    write_advice(file, items)
    assert read_advice(file) == tuple(items)
