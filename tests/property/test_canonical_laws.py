"""Laws of the canonical form, of differences and of comparison, over generated trees."""

import json
import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from gate.canonical import visible_json
from gate.canonical.rules import DEFAULT_RULES, Context, canonicalise, make_rules
from gate.canonical.visible_json import ascii_json, digest, escape, parse, parse_or_text, visible, visible_raw
from gate.compare import compare, same
from gate.difference import changes, changes_and_more
from gate.types import GATED, Fixture, Wire

ROOTS = ("/tmp/run-b/tmp", "/tmp/run-c/tmp")
CONTEXT = Context(temp_root=ROOTS[0])
EVERY_RULE = (
    *DEFAULT_RULES,
    "newlines",
    "trailing-space",
    "float:3:/f",
    "drop:/*/d",
    "unordered:/u",
    "unordered:/*/u",
    "float:7:",
    "drop:/d",
    "drop:/u/*/a",
    "unordered:",
    "float:2:/u/*",
)


def no_pairs(text):
    """The worker tags a string that holds a high and a low surrogate in a row, so no tree holds one."""
    return not any("\ud800" <= one <= "\udbff" and "\udc00" <= other <= "\udfff" for one, other in pairwise(text))


PIECES = st.sampled_from(
    ["<F object at 0x7f12ab34cd56>", "<F at 0x", "at 0x7f12ab34cd56", "&lt;F object at 0x7f12ab34cd56&gt;", "<", ">", "'", '"', "\r\n", "\r", "\n", " ", "\t", "\\", "\\u0301",
     ROOTS[0], "/", ".", "x", "<temp>", "0x...", "\u0301", "\u200b", "\ud800", "\udc00", "\U000e0041", "é", "漢", "!set", "!dict", "\x7f", "\x00"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=8), st.lists(PIECES, max_size=8).map("".join)).filter(no_pairs)
NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0, 1, 0.0, -0.0, 1.0, 10**30, 1e22]))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
KEYS = st.one_of(st.sampled_from(["a", "b", "u", "f", "d", "unchanged"]), TEXTS.filter(lambda text: not text.startswith("!")))


def tag(name, items):
    """Items under a tag, as a worker sends them: no key of a `!dict` twice."""
    if name == "!dict":
        return {name: [[key, items[-1 - at]] for at, key in enumerate({visible(item): item for item in items}.values())]}
    return {name: items} if name.startswith("!") else {"!sub": [name, items[0] if items else {}]}


def tagged(children):
    names = st.sampled_from(["!set", "!tuple", "!dict", "m.L", "collections.OrderedDict"])
    return st.tuples(names, st.lists(children, max_size=3)).map(lambda made: tag(*made))


TREES = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4), tagged(inner)), max_leaves=12
)


def shape(tree):
    """An independent form in which trees are equal only if they are the same value: types, signs of zero and all."""
    if isinstance(tree, dict):
        return ("dict", frozenset((key, shape(item)) for key, item in tree.items()))
    if isinstance(tree, list):
        return ("list", tuple(map(shape, tree)))
    return (type(tree).__name__, repr(tree))


def shuffled(tree, draw):
    """The same tree with the keys of every object in another order, but for those of an OrderedDict."""
    if isinstance(tree, dict) and isinstance(inner := tree.get("!sub"), list) and inner[0] == "collections.OrderedDict":
        return tree
    if isinstance(tree, dict):
        return {key: shuffled(tree[key], draw) for key in draw(st.permutations(list(tree)))}
    return [shuffled(item, draw) for item in tree] if isinstance(tree, list) else tree


@given(TREES)
def test_visible_text_is_a_fixed_point_and_loses_nothing(tree):
    shown = visible(tree)
    assert visible(parse(shown)) == shown
    assert shape(parse(shown)) == shape(tree)
    assert shape(parse(visible_raw(tree))) == shape(tree)
    assert shape(parse(json.dumps(tree))) == shape(tree)
    assert list(map(str, json.loads(shown))) == list(map(str, parse(shown))) if isinstance(tree, list | dict) else True


@given(TREES)
def test_visible_text_is_one_safe_line(tree):
    shown = visible(tree)
    assert escape(shown) == shown
    assert len(shown.splitlines()) <= 1
    assert not any(char.isspace() and char != " " for char in shown)
    shown.encode("utf-8")


@given(TREES, TREES)
@example(1, True)
@example(1, 1.0)
@example(0.0, -0.0)
@example([], {})
@example(None, "null")
@example({"!tuple": [1]}, [1])
def test_different_trees_never_share_a_text_or_digest(one, other):
    assert (visible(one) == visible(other)) == (shape(one) == shape(other))
    assert (digest(visible(one)) == digest(visible(other))) == (shape(one) == shape(other))


@given(TEXTS, TEXTS)
def test_different_strings_are_shown_differently(one, other):
    assert (visible(one) == visible(other)) == (one == other)


@given(TREES)
def test_the_iterative_reader_and_writer_agree_with_the_fast_ones(tree):
    assert visible_json._write(tree, visible_json.encode_basestring_ascii, in_order=True) == ascii_json(tree)
    text = json.dumps(tree, indent=1)
    assert shape(visible_json._Reader(text).read()) == shape(parse(text)) == shape(tree)


@given(st.one_of(st.text(), st.text(alphabet='[]{},:"\\ \t\n0129-+.eEtrufalsn\ud83d\ude00\u0301')))
def test_both_readers_take_and_refuse_the_same_texts(text):
    def attempt(read):
        try:
            return shape(read(text))
        except ValueError as error:
            return isinstance(error, visible_json.Unparsable)

    if no_pairs(text) and not any("\ud800" <= char <= "\udfff" for char in text):
        assert attempt(parse) == attempt(lambda given_text: visible_json._Reader(given_text).read())
    assert attempt(parse_or_text) is not False  # anything is a value, or too large for one


@given(TREES, st.sampled_from(["value", "arg", "stdout", "exc.chain", "effects.files", "type"]))
def test_canonicalising_twice_equals_once(tree, field):
    rules = make_rules(EVERY_RULE)
    once, _ = canonicalise(tree, field, rules, CONTEXT)
    twice, fired = canonicalise(once, field, rules, CONTEXT)
    assert (visible_raw(twice), fired) == (visible_raw(once), ())
    assert visible(once) == visible_raw(once) or field in ("effects.files", "type")


@given(st.data(), TREES)
def test_items_in_any_order_with_keys_in_any_order_agree_under_both_rules(data, tree):
    rules = make_rules(["key-order", "unordered:"])
    items = [{"!dict": [[1, tree], [2, 0]]}, {"!dict": [[1, tree], [2, 1]]}, {"a": 1, "b": tree}]
    turned = [{"!dict": [[2, 0], [1, tree]]}, {"!dict": [[2, 1], [1, tree]]}, {"b": tree, "a": 1}]
    one, _ = canonicalise(items, "value", rules, CONTEXT)
    other, _ = canonicalise(data.draw(st.permutations(turned)), "value", rules, CONTEXT)
    assert visible_raw(one) == visible_raw(other)


@given(TREES, st.lists(st.sampled_from(EVERY_RULE), min_size=1, unique=True), st.data())
def test_any_rules_in_any_order_are_idempotent_and_agree(tree, names, data):
    rules = make_rules(names)
    once, fired = canonicalise(tree, "value", rules, CONTEXT)
    twice, again = canonicalise(once, "value", rules, CONTEXT)
    assert (visible_raw(twice), again) == (visible_raw(once), ())
    other, fired_other = canonicalise(tree, "value", make_rules(data.draw(st.permutations(names))), CONTEXT)
    assert (visible_raw(other), fired_other) == (visible_raw(once), fired)
    assert set(fired) <= set(names)


@given(TREES)
def test_what_fired_is_what_changed_something(tree):
    before = visible_raw(tree)
    made, fired = canonicalise(tree, "value", make_rules(DEFAULT_RULES), CONTEXT)
    assert visible_raw(tree) == before, "a rule edited its input"
    assert bool(fired) == (visible_raw(made) != visible_raw(canonicalise(tree, "value", (), CONTEXT)[0]))


@given(st.data(), TREES)
def test_the_order_of_keys_never_matters_under_key_order(data, tree):
    rules = make_rules(DEFAULT_RULES)
    one, _ = canonicalise(tree, "value", rules, CONTEXT)
    other, _ = canonicalise(shuffled(tree, data.draw), "value", rules, CONTEXT)
    assert visible_raw(one) == visible_raw(other) == visible(other)


@given(TEXTS)
def test_without_an_address_or_temp_root_the_default_rules_hide_nothing(text):
    if "0x" not in text and ROOTS[0] not in text:
        assert canonicalise(text, "value", make_rules(DEFAULT_RULES), CONTEXT) == (text, ())


@given(TREES, TREES)
def test_changes_are_empty_only_for_equal_trees(one, other):
    some, more = changes_and_more(one, other)
    assert (some == ()) == (visible_raw(one) == visible_raw(other))
    assert more == 0 or len(some) == 20
    assert changes_and_more(one, one) == ((), 0)
    for change in some:
        assert change.baseline != change.candidate
        assert not any("\n" in part for part in (change.at, change.baseline or "", change.candidate or ""))


@given(st.lists(SCALARS, max_size=30), st.integers(0, 30), SCALARS)
def test_one_inserted_item_is_one_change(items, at, item):
    longer = [*items[:at], item, *items[at:]]
    (added,) = changes(items, longer)
    (removed,) = changes(longer, items)
    assert (added.baseline, removed.candidate) == (None, None)


def at_place(tree, at):
    """What stands at the place that a change names; the line where it names one."""
    pointer, _, line = at.rpartition(" line ") if re.search(r"(^| )line [0-9]+$", at) and " line " in f" {at}" else (at, "", "")
    if at.startswith("line "):
        pointer, line = "", at.removeprefix("line ")
    for token in pointer.split("/")[1:]:
        tree = tree[int(token)] if isinstance(tree, list) else tree[token.replace("~1", "/").replace("~0", "~")]
    return tree.splitlines(keepends=True)[int(line) - 1] if line else tree


SIMPLE = st.recursive(
    st.one_of(st.none(), st.integers(0, 3), st.sampled_from([1.0, True, "", "a", "a\nb", "b\na\nb\n", "a\n"])),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(st.sampled_from(["a", "b", "/", "~1", ""]), inner, max_size=3)),
    max_leaves=16,
)


@given(SIMPLE, SIMPLE)
def test_a_change_quotes_what_stands_at_its_place(one, other):
    some = changes(one, other)
    for change in some:
        for tree, text in ((one, change.baseline), (other, change.candidate)):
            if text is not None and "\u2026" not in text:
                assert shape(at_place(tree, change.at)) == shape(parse(text))


@given(st.lists(st.integers(0, 5), max_size=12), st.data())
def test_what_came_and_went_is_all_there_is_to_say(items, data):
    """However many items come, and however many other items go: no change is listed for those that only moved up or down."""
    gone = data.draw(st.sets(st.integers(0, max(len(items) - 1, 0)), max_size=len(items)))
    left = [f"gone {at}" if at in gone else item for at, item in enumerate(items)]
    right = [item for at, item in enumerate(items) if at not in gone]
    for _ in range(data.draw(st.integers(0, 3))):
        right.insert(data.draw(st.integers(0, len(right))), "new")
    some, more = changes_and_more(left, right)
    assert len(some) + more <= len(gone) + right.count("new")


def observed(baseline, candidate):
    wires = [Wire(record=json.dumps({"out": "returned", "value": tree, "type": "m.T"}).encode()) for tree in (baseline, candidate)]
    contexts = (Context(temp_root=ROOTS[0]), Context(temp_root=ROOTS[1]))
    fixture = Fixture(id="a", payload=b"", sha256="0" * 64, kind="json")
    return wires, compare(
        fixture=fixture, baseline=wires[0], candidate=wires[1], rules=make_rules(DEFAULT_RULES), gated=frozenset(GATED), contexts=contexts
    )


@given(TREES, TREES)
def test_equal_observations_never_diverge_and_different_ones_are_never_silent(one, other):
    wires, result = observed(one, other)
    if same(*wires):
        assert (result.status, result.divergences, result.noted, result.smoothed) == ("match", (), (), ())
    for row in result.divergences:
        assert row.field == "value"
        assert shape(parse(row.baseline)) != shape(parse(row.candidate))
        assert row.paths
    raw = [visible_raw(canonicalise(tree, "value", (), CONTEXT)[0]) for tree in (one, other)]
    assert bool(result.divergences or result.smoothed) == (raw[0] != raw[1])
    assert all(entry.rules for entry in result.smoothed)


@given(TREES, TREES)
def test_swapping_the_sides_swaps_the_texts(one, other):
    _, there = observed(one, other)
    _, back = observed(other, one)
    if not any(root in visible([one, other]) for root in ROOTS):
        assert [(row.baseline, row.candidate) for row in there.divergences] == [(row.candidate, row.baseline) for row in back.divergences]
    assert observed(one, other)[1] == there
