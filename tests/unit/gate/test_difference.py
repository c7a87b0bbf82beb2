"""Where two JSON texts differ: exact places, bounded texts, linear time."""

import pytest

from gate.canonical.visible_json import parse
from gate.difference import MAX_POINTER, MAX_TEXT, changes, changes_and_more
from gate.types import Change
from tests.timing import within


def found(baseline, candidate, **kw):
    return [(change.at, change.baseline, change.candidate) for change in changes(parse(baseline), parse(candidate), **kw)]


CASES = [
    ("scalars", "1", "2", [("", "1", "2")]),
    ("types of numbers", "1", "1.0", [("", "1", "1.0")]),
    ("one and true", "[1,0]", "[true,false]", [("/0", "1", "true"), ("/1", "0", "false")]),
    ("one and true, lists of two lengths", "[1]", "[true,1]", [("/0", None, "true")]),
    ("signs of zero", '{"a":0.0}', '{"a":-0.0}', [("/a", "0.0", "-0.0")]),
    ("null and empty list", '{"a":null}', '{"a":[]}', [("/a", "null", "[]")]),
    ("empty list and empty object", "[]", "{}", [("", "[]", "{}")]),
    ("null and its text", "null", '"null"', [("", "null", '"null"')]),
    ("a number and its text", '["1.0"]', "[1.0]", [("/0", '"1.0"', "1.0")]),
    ("NFC and NFD", '{"s":"caf\u00e9"}', '{"s":"cafe\u0301"}', [("/s", '"café"', '"cafe\\u0301"')]),
    ("keys", '{"a":1,"b":2}', '{"b":2,"c":3}', [("/a", "1", None), ("/c", None, "3")]),
    ("nested", '{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":1},{"b":3}]}', [("/a/1/b", "2", "3")]),
    ("inserted item", "[1,2,3,4]", "[1,9,2,3,4]", [("/1", None, "9")]),
    ("inserted first", "[1,2,3]", "[0,1,2,3]", [("/0", None, "0")]),
    ("removed item", '[{"a":1},{"b":1},{"c":1}]', '[{"a":1},{"c":1}]', [("/1", '{"b":1}', None)]),
    ("removed last", "[1,1,1]", "[1,1]", [("/2", "1", None)]),
    ("emptied", "[1,2]", "[]", [("/0", "1", None), ("/1", "2", None)]),
    ("one changed, one more", "[1,2,3]", "[1,8,9,3]", [("/1", "2", "8"), ("/2", None, "9")]),
    ("came first, went last", "[1,2,3,4,5]", "[0,1,2,3,4]", [("/0", None, "0"), ("/4", "5", None)]),
    ("two came at two places", "[1,2,3,4,5,6]", "[1,8,2,3,4,9,5,6]", [("/1", None, "8"), ("/5", None, "9")]),
    ("one went, one changed behind it", '[1,2,{"a":1},4]', '[2,{"a":2},4]', [("/0", "1", None), ("/1", None, '{"a":2}'), ("/2", '{"a":1}', None)]),
    ("two changed in their places", '[1,{"a":1},3,{"a":2},5]', '[1,{"a":7},3,{"a":8},5]', [("/1/a", "1", "7"), ("/3/a", "2", "8")]),
    ("nothing in common", "[1,2,3]", "[4,5]", [("/0", "1", "4"), ("/1", "2", "5"), ("/2", "3", None)]),
    ("the same twice", "[1,1,2]", "[1,2,2]", [("/1", "1", "2")]),
    ("swapped", "[1,2]", "[2,1]", [("/0", "1", "2"), ("/1", "2", "1")]),
    ("tuple and list", '{"!tuple":[1]}', "[1]", [("", '{"!tuple":[1]}', "[1]")]),
    ("inside a tuple", '{"!tuple":[1,2]}', '{"!tuple":[1,3]}', [("/!tuple/1", "2", "3")]),
    ("other tag", '{"!set":[]}', '{"!frozenset":[]}', [("", '{"!set":[]}', '{"!frozenset":[]}')]),
    ("members of a set", '{"!set":[1,2,3]}', '{"!set":[2,3,4]}', [("/!set/0", "1", None), ("/!set/2", None, "4")]),
    ("members with one text", '{"!set":[1,2]}', '{"!set":[1,1,2]}', [("/!set/1", None, "1")]),
    ("members that are containers", '{"!set":[{"!tuple":[1]},{"!tuple":[2]}]}', '{"!set":[{"!tuple":[2]}]}', [("/!set/0", '{"!tuple":[1]}', None)]),
    ("keys with slashes and tildes", '{"a/b":{"~":1}}', '{"a/b":{"~":2}}', [("/a~1b/~0", "1", "2")]),
    ("invisible keys", '{"\\u200b":1}', "{}", [("/\\u200b", "1", None)]),
    ("empty key", '{"":1}', '{"":2}', [("/", "1", "2")]),
    ("order of keys only", '{"a":1,"b":2}', '{"b":2,"a":1}', [("", '{"a":1,"b":2}', '{"b":2,"a":1}')]),
    ("order of keys deep", '[0,{"x":{"a":1,"b":2}}]', '[0,{"x":{"b":2,"a":1}}]', [("/1/x", '{"a":1,"b":2}', '{"b":2,"a":1}')]),
    ("lines", '"a\\nb\\nc\\n"', '"a\\nx\\nc\\n"', [("line 2", '"b\\n"', '"x\\n"')]),
    ("a line came", '{"s":"a\\nb"}', '{"s":"new\\na\\nb"}', [("/s line 1", None, '"new\\n"')]),
    ("the last end of line", '"a\\nb\\n"', '"a\\nb"', [("line 2", '"b\\n"', '"b"')]),
    ("the only end of line", '"a\\n"', '"a"', [("", '"a\\n"', '"a"')]),
    ("ends of lines", '"a\\r\\nb"', '"a\\nb"', [("line 1", '"a\\r\\n"', '"a\\n"')]),
    ("lines to none", '"a\\nb"', '""', [("line 1", '"a\\n"', None), ("line 2", '"b"', None)]),
    ("order of keys below, lists of two lengths", '[{"a":1,"b":2}]', '[0,{"b":2,"a":1}]', [("/0", None, "0")]),
    ("equal", '{"a":[1,{"!set":[1]}]}', '{"a":[1,{"!set":[1]}]}', []),
]  # fmt: skip


@pytest.mark.parametrize(("baseline", "candidate", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_changes(baseline, candidate, expected):
    assert found(baseline, candidate) == expected
    assert found(candidate, baseline) == [(at, right, left) for at, left, right in expected] or "set" in baseline


def test_a_change_reads_as_one_line():
    assert str(Change(at="/a", baseline="null", candidate=None)) == "/a: null -> (absent)"


def test_the_number_of_changes_is_bounded():
    some, more = changes_and_more(list(range(100_000)), list(range(100_000, 0, -1)), limit=7)
    assert ([change.at for change in some], more) == ([f"/{i}" for i in range(7)], 100_000 - 1 - 7)  # one stays where it is
    some, more = changes_and_more(list(range(50)), list(range(50, 100)))
    assert (len(some), more) == (20, 30)
    assert changes_and_more([1], [2])[1] == 0


def test_long_texts_are_cut_around_the_difference():
    text = "lorem ipsum " * 50_000
    (change,) = changes([text + "x" + text], [text + "\u200b" + text])
    assert change.baseline.startswith('…"')
    assert change.baseline.endswith('"…')
    assert "lorem ipsum xlorem" in change.baseline
    assert "lorem ipsum \\u200blorem" in change.candidate
    assert max(len(change.baseline), len(change.candidate)) < MAX_TEXT + 50


@pytest.mark.parametrize("at", [0, 1, 39, 40, 41, 199, 200, 201, 5000])
@pytest.mark.parametrize("around", ["a", "\u0301", "\U000e0041", "\\", '"', "漢"])
def test_the_difference_is_in_what_is_shown(at, around):
    baseline, candidate = around * at + "x" + around * 500, around * at + "y" + around * 500
    (change,) = changes(baseline, candidate)
    assert change.baseline != change.candidate
    assert change.baseline.replace("x", "y") == change.candidate
    assert len(change.baseline) <= MAX_TEXT + 4
    shown = change.baseline.strip("…")
    assert parse(shown) in baseline  # never cut inside an escape
    assert change.baseline.startswith("…") == (parse(shown) != baseline[: len(parse(shown))] or at > 40)


@pytest.mark.parametrize("length", [10, 199, 200, 201, 1000])
def test_a_text_that_only_became_longer_still_differs(length):
    (change,) = changes("\n" * length, "\n" * (length + 1))
    assert change.baseline != change.candidate


def test_other_long_texts_are_cut_too():
    (number,) = changes(int("7" * 9_999 + "1"), int("7" * 9_999 + "2"))
    assert (number.baseline[0], number.baseline[-1], number.candidate[-1]) == ("…", "1", "2")
    (whole,) = changes(["\u0301" * 1000], {"a": 1})
    assert len(whole.baseline) <= MAX_TEXT + 1
    assert whole.baseline.endswith("\\u0301…")
    (gone,) = changes({"a": "\\" * 1000}, {})
    assert gone.candidate is None
    assert parse(gone.baseline.strip("…")) == "\\" * 100


def test_pointers_are_bounded_and_of_one_line():
    (change,) = changes({"k\n" * 10_000: [1]}, {"k\n" * 10_000: [2]})
    assert len(change.at) <= MAX_POINTER + 1
    assert change.at.endswith("/0")
    assert "\n" not in change.at


def nested(depth, leaf):
    tree = leaf
    for _ in range(depth):
        tree = {"a": [tree, 1]}
    return tree


def staircase(depth, *more):
    tree = []
    for _ in range(depth):
        tree = [tree, *more]
    return tree


SIZE = 100_000
LARGE = [
    ("depth", lambda: nested(20_000, 1), lambda: nested(20_000, 2), 1),
    ("depth, other lengths", lambda: [nested(20_000, 1)], lambda: [nested(20_000, 2), 3], 2),
    ("other lengths at every depth", lambda: staircase(10_000), lambda: staircase(10_000, 1), 20),
    ("long list, one inserted", lambda: list(range(SIZE)), lambda: [*range(SIZE // 2), -1, *range(SIZE // 2, SIZE)], 1),
    ("long list, all new", lambda: list(range(SIZE)), lambda: list(range(SIZE, 3 * SIZE)), 20),
    ("long text", lambda: "x" * 5_000_000 + "a", lambda: "x" * 5_000_000 + "b", 1),
    ("many keys", lambda: {str(i): i for i in range(SIZE)}, lambda: {str(i): i + 1 for i in range(SIZE)}, 20),
    ("lists of growing lists", lambda: [[0] * i for i in range(500)], lambda: [[0] * (i + 1) for i in range(500)], 2),
    ("long list, first and last", lambda: list(range(SIZE)), lambda: list(range(1, SIZE + 1)), 2),
    ("long list, reversed", lambda: list(range(SIZE)), lambda: list(range(SIZE, 0, -1)), 20),
    (
        "rows, each changed",
        lambda: [{"a": i, "b": [i]} for i in range(SIZE // 5)],
        lambda: [{"a": i, "b": [i + 1]} for i in range(SIZE // 5)],
        20,
    ),
    ("equal rows but one", lambda: [{"a": [i]} for i in range(SIZE // 5)], lambda: [{"a": [i % 9999]} for i in range(SIZE // 5)], 20),
    ("equal lists, nested", lambda: staircase(5_000, 1, 2), lambda: staircase(5_000, 3, 4), 20),
    ("lines", lambda: "".join(f"{i}\n" for i in range(SIZE)), lambda: "".join(f"{i}\n" for i in range(1, SIZE + 1)), 2),
    ("order of keys", lambda: [{"a": i, "b": i} for i in range(SIZE // 5)], lambda: [{"b": i, "a": i} for i in range(SIZE // 5)], 20),
    ("large sets", lambda: {"!set": list(range(SIZE))}, lambda: {"!set": list(range(1, SIZE + 1))}, 2),
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("baseline", "candidate", "count"), [pytest.param(*case[1:], id=case[0]) for case in LARGE])
def test_time_is_linear(baseline, candidate, count):
    left, right = baseline(), candidate()
    with within(60):
        assert len(changes(left, right)) == count
