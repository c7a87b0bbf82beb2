"""Two wire records become rows, notes, smoothed entries and one status."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.canonical.rules import DEFAULT_RULES, Context, Rule, make_rules
from gate.canonical.visible_json import visible, visible_raw
from gate.canonical.walk import sorted_pairs
from gate.compare import compare, compare_import, same
from gate.errors import RuleError
from gate.rows import LONGEST, _meets, _rewritten, is_long
from gate.types import GATED, Place
from tests.timing import within
from tests.unit.gate.comparing import FIXTURE, ROOTS, raised, returned, rows, run, wire

BASE = returned(1)
VALUES = [
    ("None and its text", "null", '"None"', "null", '"None"'),
    ("int and float", "1", "1.0", "1", "1.0"),
    ("int and bool", "1", "true", "1", "true"),
    ("zeros", "0.0", "-0.0", "0.0", "-0.0"),
    ("tuple and list", '{"!tuple":[1]}', "[1]", '{"!tuple":[1]}', "[1]"),
    ("bytes and their repr", '{"!bytes":"x"}', "\"b'x'\"", '{"!bytes":"x"}', "\"b'x'\""),
    ("keys", '{"!dict":[[1,2]]}', '{"1":2}', '{"!dict":[[1,2]]}', '{"1":2}'),
    ("blank at the end", '"x"', '"x "', '"x"', '"x "'),
    ("hex numbers", '"0x1f2f3f4f"', '"0x2f2f3f4f"', '"0x1f2f3f4f"', '"0x2f2f3f4f"'),
    ("no-break space", '"a b"', '"a\\u00a0b"', '"a b"', '"a\\u00a0b"'),
    ("normal forms", '"caf\\u00e9"', '"cafe\\u0301"', '"café"', '"cafe\\u0301"'),
    ("CRLF", '"a\\r\\n"', '"a\\n"', '"a\\r\\n"', '"a\\n"'),
    ("list order", "[1,2]", "[2,1]", "[1,2]", "[2,1]"),
    ("null and empty list", '{"a":null}', '{"a":[]}', '{"a":null}', '{"a":[]}'),
]


@pytest.mark.parametrize(("baseline", "candidate", "left", "right"), [pytest.param(*case[1:], id=case[0]) for case in VALUES])
def test_values_that_differ(baseline, candidate, left, right):
    result = run(*(f'{{"out":"returned","value":{text},"type":"t.T"}}' for text in (baseline, candidate)))
    assert rows(result.divergences) == [("value", left, right)]
    assert (result.status, result.returned, result.noted, result.smoothed) == ("diverging", True, (), ())
    assert result.divergences[0].fixture_sha256 == FIXTURE.sha256
    assert result.divergences[0].id == FIXTURE.id
    assert result.divergences[0].paths


def test_a_change_names_its_place():
    (row,) = run(returned({"a": [1, {"b": 2}]}), returned({"a": [1, {"b": 3}]})).divergences
    assert [str(change) for change in row.paths] == ["/a/1/b: 2 -> 3"]


SMOOTHED = [
    ("key order", {"x": 1, "y": 2}, {"y": 2, "x": 1}, ("key-order",)),
    ("address", ["<F object at 0x7f0000000001>"], ["<F object at 0x7f0000000002>"], ("object-ids",)),
    ("temp root", {"b": f"{ROOTS[0]}/f.txt", "a": 1}, {"b": f"{ROOTS[1]}/f.txt", "a": 1}, ("temp-root",)),
    ("key order and address", {"b": "<F object at 0x7f0000000001>", "a": 1}, {"a": 1, "b": "<F object at 0x7f0000000002>"}, ("object-ids", "key-order")),
]  # fmt: skip


@pytest.mark.parametrize(("baseline", "candidate", "names"), [pytest.param(*case[1:], id=case[0]) for case in SMOOTHED])
def test_what_a_rule_hides_is_listed_with_just_that_rule(baseline, candidate, names):
    result = run(returned(baseline), returned(candidate))
    assert [(one.id, one.field, one.rules) for one in result.smoothed] == [("a.json", "value", names)]
    assert (result.status, result.divergences, result.noted) == ("match", (), ())
    assert set(result.fired) >= set(names)


@pytest.mark.parametrize(("baseline", "candidate", "names"), [pytest.param(*case[1:], id=case[0]) for case in SMOOTHED])
def test_without_its_rule_nothing_is_hidden(baseline, candidate, names):
    for name in names:
        result = run(returned(baseline), returned(candidate), rules=[rule for rule in DEFAULT_RULES if rule != name])
        assert result.status == "diverging"
        assert [one.rules for one in result.smoothed] in ([], [tuple(rule for rule in names if rule not in {name, "key-order"})])
        assert result.divergences[0].baseline != result.divergences[0].candidate
        assert result.divergences[0].paths


def test_two_rules_that_can_stand_in_for_each_other_are_both_named():
    result = run(wire(BASE, b"a \r\n"), wire(BASE, b"a \n"), rules=["newlines", "trailing-space"])
    assert result.smoothed[0].rules == ("newlines",)
    both = run(returned([1.0001]), returned([1.0002]), rules=["float:3:", "drop:/0"])
    assert both.smoothed[0].rules == ("drop:/0",)
    either = run(returned([1.2341]), returned([1.2342]), rules=["float:3:/0", "float:2:"])
    assert either.smoothed[0].rules == ("float:3:/0", "float:2:")


def hidden(result):
    return [(one.field, one.rules, [str(path) for path in one.paths]) for one in result.smoothed]


ADDRESSES = ("<F object at 0x7f0000000001>", "<F object at 0x7f0000000002>")
HIDDEN = [
    ("place by place", {"a": ADDRESSES[0], "b": 1}, {"a": ADDRESSES[1], "b": 1}, DEFAULT_RULES, ("object-ids",), [f'/a: "{ADDRESSES[0]}" -> "{ADDRESSES[1]}"']),
    ("the order of keys", {"a": 1, "b": 2}, {"b": 2, "a": 1}, DEFAULT_RULES, ("key-order",), ['/: {"a":1,"b":2} -> {"b":2,"a":1}']),
    ("what was dropped", {"ts": 1, "v": 1}, {"v": 1}, ["drop:/ts"], ("drop:/ts",), ["/ts: 1 -> (absent)"]),
    ("what was rounded", [1.0001], [1.0002], ["float:3:"], ("float:3:",), ["/0: 1.0001 -> 1.0002"]),
    ("a long text", "x" * 5000 + "\r\n", "x" * 5000 + "\n", ["newlines"], ("newlines",), ['/: …"' + "x" * 40 + '\\r\\n" -> …"' + "x" * 40 + '\\n"']),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "names", "rules", "paths"), [pytest.param(*case[1:], id=case[0]) for case in HIDDEN])
def test_what_a_rule_hid_is_listed_with_both_raw_texts(one, other, names, rules, paths):
    assert hidden(run(returned(one), returned(other), rules=names)) == [("value", rules, paths)]


def test_of_many_hidden_places_twenty_are_listed():
    result = run(returned([f"{ROOTS[0]}/{at}" for at in range(50)]), returned([f"{ROOTS[1]}/{at}" for at in range(50)]))
    assert (result.status, len(result.smoothed[0].paths)) == ("match", 20)


BESIDE = [
    ("another place", {"a": 1, "t": ROOTS[0]}, {"a": 2, "t": ROOTS[1]}, DEFAULT_RULES, [("value", ("temp-root",), [f'/t: "{ROOTS[0]}" -> "{ROOTS[1]}"'])]),
    ("the same place", {"a": f"{ROOTS[0]} 1"}, {"a": f"{ROOTS[1]} 2"}, DEFAULT_RULES, []),
    ("a place above", {"a": [ROOTS[0]]}, {"a": [f"{ROOTS[1]}/x", 2]}, DEFAULT_RULES, []),
    ("equal on both sides", {"a": 1, "t": "x \n"}, {"a": 2, "t": "x \n"}, ["trailing-space"], []),
    ("the order of keys", {"a": 1, "b": 2}, {"b": 2, "a": 2}, DEFAULT_RULES, []),
    ("a dropped place", {"a": 1, "t": {"x": 1}}, {"a": 2, "t": {"x": 2}}, ["drop:/t", "float:3:"], [("value", ("drop:/t",), ["/t/x: 1 -> 2"])]),
    ("a name that begins alike", {"a": 1, "ab": 1.0001}, {"a": 2, "ab": 1.0002}, ["float:3:"], [("value", ("float:3:",), ["/ab: 1.0001 -> 1.0002"])]),
    ("two rules", {"a": 1, "s": f"{ROOTS[0]} ", "t": "x \n"}, {"a": 2, "s": ROOTS[1], "t": "x \n"}, ["trailing-space", "temp-root"], [("value", ("trailing-space", "temp-root"), [f'/s: "{ROOTS[0]} " -> "{ROOTS[1]}"'])]),
    ("another line of the text", {"s": f"{ROOTS[0]}\nb\n"}, {"s": f"{ROOTS[1]}\nc\n"}, DEFAULT_RULES, [("value", ("temp-root",), [f'/s line 1: "{ROOTS[0]}\\n" -> "{ROOTS[1]}\\n"'])]),
    ("the order of pairs", {"a": 1, "d": {"!dict": [[1, 1], [2, 2]]}}, {"a": 2, "d": {"!dict": [[2, 2], [1, 1]]}}, DEFAULT_RULES, []),
    ("an order of keys at the same place", {"a": 1, "o": {"t": ROOTS[0], "u": 1}}, {"a": 2, "o": {"u": 1, "t": ROOTS[1]}}, DEFAULT_RULES, [("value", ("temp-root",), [f'/o/t: "{ROOTS[0]}" -> "{ROOTS[1]}"'])]),
    ("a rule that changed both sides alike", {"a": 1, "s": "x ", "t": ROOTS[0]}, {"a": 2, "s": "x ", "t": ROOTS[1]}, ["trailing-space", "temp-root"], [("value", ("temp-root",), [f'/t: "{ROOTS[0]}" -> "{ROOTS[1]}"'])]),
    ("behind many places", {"a": [0] * 30, "t": ROOTS[0]}, {"a": [1] * 30, "t": ROOTS[1]}, DEFAULT_RULES, [("value", ("temp-root",), [f'/t: "{ROOTS[0]}" -> "{ROOTS[1]}"'])]),
    ("two rules behind many places", {"a": [0] * 30, "s": "x ", "t": ROOTS[0]}, {"a": [1] * 30, "s": "x ", "t": ROOTS[1]}, ["trailing-space", "temp-root"], [("value", ("temp-root",), [f'/t: "{ROOTS[0]}" -> "{ROOTS[1]}"'])]),
    ("inside what came and went at one place", [{"n": "a", "p": f"{ROOTS[0]}/x"}, "b"], ["c", {"n": "a", "p": f"{ROOTS[1]}/x"}], DEFAULT_RULES, [("value", ("temp-root",), [f'/0/0: "{ROOTS[0]}/x" -> "{ROOTS[1]}/x"'])]),
    ("inside a set beside another text", [{"!set": [f"{ROOTS[0]}/x", "a"]}], [f"{ROOTS[1]}/x"], DEFAULT_RULES, []),
    ("too many to look through", {"a": list(range(200)), "t": ROOTS[0]}, {"a": [-1] * 200, "t": ROOTS[1]}, DEFAULT_RULES, []),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "names", "found"), [pytest.param(*case[1:], id=case[0]) for case in BESIDE])
def test_what_a_rule_hid_beside_a_divergence_is_listed_too(one, other, names, found):
    result = run(returned(one), returned(other), rules=names)
    assert (result.status, hidden(result)) == ("diverging", found)


MEETS = [
    ("/a", ["/a"], True), ("/a", ["/ab"], False), ("/a/0", ["/a"], True), ("/a", ["/a/0"], True), ("", ["/a"], True), ("/a", [], False),
    ("/b", ["/a", "/b"], True), ("/s line 2", ["/s"], True), ("/s", ["/s line 2"], True), ("/s line 2", ["/s line 2"], True),
    ("/s line 1", ["/s line 2"], False), ("/s line 1", ["/s line 2", "/s line 1"], True), ("/s line 1", ["/t line 1"], False),
    ("line 1", ["line 2"], False), ("line 1", [""], True), ("/s/t line 1", ["/s"], True),
]  # fmt: skip


@pytest.mark.parametrize(("at", "places", "meet"), MEETS)
def test_a_line_is_below_its_text_and_beside_other_lines(at, places, meet):
    assert _meets(at, places) is meet


def test_effects_that_a_rule_hid_are_listed_beside_those_of_a_row():
    one, other = returned(1, files=[f"write {ROOTS[0]}/x"]), returned(1, files=[f"write {ROOTS[1]}/x", "write /etc/x"])
    result = run(one, other)
    assert rows(result.divergences) == [("effects.files", "[]", '["write /etc/x"]')]
    assert hidden(result) == [("effects.files", ("temp-root",), [f'/0: "write {ROOTS[0]}/x" -> "write {ROOTS[1]}/x"'])]
    both = [f"write {ROOTS[0]}/x"]
    result = run(returned(1, files=both), returned(1, files=[*both, "write /etc/x"]))
    assert hidden(result) == []
    result = run(one, returned(1, files=[f"write {ROOTS[1]}/{name}" for name in "xy"]))
    assert rows(result.divergences) == [("effects.files", "[]", '["write <temp>/y"]')]
    assert hidden(result) == [("effects.files", ("temp-root",), [f'/0: "write {ROOTS[0]}/x" -> "write {ROOTS[1]}/x"'])]


def test_effects_that_a_rule_hid_are_listed_beside_those_that_the_candidate_lost():
    one, other = (returned(1, files=[f"write {root}/{name}" for name in names]) for root, names in zip(ROOTS, ("xy", "x"), strict=True))
    result = run(one, other)
    assert rows(result.noted) == [("effects.files", '["write <temp>/y"]', "[]")]
    assert hidden(result) == [("effects.files", ("temp-root",), [f'/0: "write {ROOTS[0]}/x" -> "write {ROOTS[1]}/x"'])]
    assert run(one, returned(1, files=[])).fired == run(returned(1, files=[]), other).fired == ("temp-root",)


def test_several_effects_behind_one_text_of_a_row_are_listed():
    rule = own("effects.files", lambda items: ["write <n>" if "cache" in item else item for item in items])
    one, other = (wire(returned(1, files=files)) for files in ([], ["write cache/1", "write cache/2", "write x"]))
    result = compare(fixture=FIXTURE, baseline=one, candidate=other, rules=[rule], gated=frozenset(GATED), contexts=(Context(), Context()))
    assert rows(result.divergences) == [("effects.files", "[]", '["write <n>","write x"]')]
    assert hidden(result) == [("effects.files", ("own",), ['/0: (absent) -> "write cache/2"'])]


@pytest.mark.parametrize(
    ("one", "other", "left", "right"),
    [
        ("<temp>/x", f"{ROOTS[1]}/x", '"<temp>/x"', '"<temp\'>/x"'),
        (f"{ROOTS[0]}/x", "<temp>/x", '"<temp\'>/x"', '"<temp>/x"'),
        (["<temp>", f"{ROOTS[0]}/x"], ["<temp>", f"{ROOTS[1]}/y"], '["<temp>","<temp\'>/x"]', '["<temp>","<temp\'>/y"]'),
        (
            ["<side'>", "<temp>", ROOTS[0]],
            ["<side'>", "<temp>", "<temp'>"],
            '["<side\'>","<temp>","<temp\'\'>"]',
            '["<side\'>","<temp>","<temp\'>"]',
        ),
    ],
)
def test_a_target_that_writes_our_mark_is_no_path_of_the_run(one, other, left, right):
    result = run(returned(one), returned(other))
    assert (rows(result.divergences), hidden(result)) == ([("value", left, right)], [])


def test_our_mark_on_both_sides_hides_nothing_else():
    result = run(returned(["<temp>", ROOTS[0]]), returned(["<temp>", ROOTS[1]]))
    assert (result.status, hidden(result)) == ("match", [("value", ("temp-root",), [f'/1: "{ROOTS[0]}" -> "{ROOTS[1]}"'])])


def own(field, change):
    """A rule as a project writes it."""
    return Rule(name="own", fields=frozenset({field}), phase=(4, 0), may=lambda *_: True, apply=lambda tree, *_: change(tree))


def test_a_rule_may_take_effects_out():
    rule = own("effects.files", lambda items: [item for item in items if "cache" not in item])
    one, other = (wire(returned(1, files=files)) for files in (["write a"], ["write a", "write cache/1"]))
    result = compare(fixture=FIXTURE, baseline=one, candidate=other, rules=[rule], gated=frozenset(GATED), contexts=(Context(), Context()))
    assert (result.status, hidden(result)) == ("match", [("effects.files", ("own",), ['/0: (absent) -> "write cache/1"'])])


def test_rows_carry_the_canonical_texts():
    result = run(returned({"z": f"{ROOTS[0]}/a", "a": 1}), returned({"z": f"{ROOTS[1]}/b", "a": 1}))
    assert rows(result.divergences) == [("value", '{"a":1,"z":"<temp>/a"}', '{"a":1,"z":"<temp>/b"}')]
    assert result.fired == ("temp-root", "key-order")


def test_what_fired_in_any_field_is_told():
    one, other = (wire(returned([root], arg=f"{root} \r"), b"a\r") for root in ROOTS)
    assert run(one, other, rules=["temp-root", "newlines", "trailing-space"]).fired == ("temp-root", "newlines", "trailing-space")
    assert run(wire(BASE, b"a\r"), wire(returned(ROOTS[1]), b"a"), rules=["temp-root", "newlines"]).fired == ("temp-root", "newlines")


def test_the_type_has_a_row_only_where_the_values_agree():
    assert rows(run(returned(1, "a.A"), returned(1, "b.A")).divergences) == [("type", '"a.A"', '"b.A"')]
    assert rows(run(returned("x", "a.A"), returned("x", "b.A")).divergences) == [("type", '"a.A"', '"b.A"')]
    assert rows(run(returned(1, "a.A"), returned(2, "b.A")).divergences) == [("value", "1", "2")]
    smoothed = run(returned({"a": 1, "b": 2}, "a.A"), returned({"b": 2, "a": 1}, "b.A"))
    assert (rows(smoothed.divergences), smoothed.smoothed[0].field) == ([("type", '"a.A"', '"b.A"')], "value")


def test_exceptions_type_first_message_second():
    one = raised("A", "old", "m", chain=[{"type": "K", "module": "builtins", "msg": "x"}])
    other = raised("B", "new", "n", chain=[])
    result = run(one, other)
    assert rows(result.divergences) == [("exc.type", '"A"', '"B"'), ("exc.module", '"m"', '"n"')]
    assert rows(result.noted) == [("exc.msg", '"old"', '"new"'), ("exc.chain", '[{"module":"builtins","msg":"x","type":"K"}]', "[]")]
    only_message = run(raised(msg="old"), raised(msg="new"))
    assert (only_message.status, only_message.divergences, only_message.returned) == ("match", (), False)
    assert rows(only_message.noted) == [("exc.msg", '"old"', '"new"')]


CAUSE, WARNING = [{"type": "K", "module": "m", "msg": "x"}], [{"type": "W", "msg": "m"}]
ONE_SIDED = [
    ("exc.chain", {"chain": CAUSE}, '[{"module":"m","msg":"x","type":"K"}]', "[]"),
    ("warnings", {"warnings": WARNING}, '[{"msg":"m","type":"W"}]', "[]"),
    ("arg", {"arg": 1}, "1", '{"unchanged":true}'),
]


@pytest.mark.parametrize(("field", "more", "text", "absent"), ONE_SIDED, ids=[field for field, *_ in ONE_SIDED])
def test_what_one_side_alone_has(field, more, text, absent):
    one, other = raised(**more), raised()
    for result, found in (
        (run(one, other), [(field, text, absent)]),
        (run(other, one), [(field, absent, text)]),
        (run(one, {**one, "env": []}), []),
    ):
        assert rows(result.divergences + result.noted) == found


def test_gated_decides_what_is_a_divergence_and_what_a_note():
    result = run(raised("A", "old"), raised("B", "new"), gated=["exc.msg"])
    assert (rows(result.divergences), rows(result.noted)) == ([("exc.msg", '"old"', '"new"')], [("exc.type", '"A"', '"B"')])


def test_a_message_that_needs_a_tag():
    result = run(raised(msg={"!str": [0xD83D, 0xDE00]}), raised(msg="\U0001f600"))
    assert rows(result.noted) == [("exc.msg", '{"!str":[55357,56832]}', '"😀"')]


OUTPUTS = [
    (b"line\n", b"line\n\n", '"line\\n"', '"line\\n\\n"'),
    (b"", b"\n", '""', '"\\n"'),
    (b"caf\xc3\xa9", b"caf\xe9", '"café"', '{"!bytes":"caf\\\\xe9"}'),
    (b"\xff\\\x00", b"\xff\\", '{"!bytes":"\\\\xff\\\\\\\\\\\\x00"}', '{"!bytes":"\\\\xff\\\\\\\\"}'),
    (b"\xef\xbb\xbfa", b"a", '"\\ufeffa"', '"a"'),
    (b"a\x00", b"a", '"a\\u0000"', '"a"'),
    (b"\xff \x7f~\x1f", b"", '{"!bytes":"\\\\xff \\\\x7f~\\\\x1f"}', '""'),
    (b"\xed\xa0\x80", b"", '{"!bytes":"\\\\xed\\\\xa0\\\\x80"}', '""'),
]


@pytest.mark.parametrize(("one", "other", "left", "right"), OUTPUTS)
def test_captured_output(one, other, left, right):
    result = run(wire(BASE, one, one), wire(BASE, other, other))
    assert rows(result.divergences) == [("stdout", left, right)]
    assert rows(result.noted) == [("stderr", left, right)]


def test_smoothed_output_and_notes():
    one, other = f"{ROOTS[0]}/a".encode(), f"{ROOTS[1]}/a".encode()
    result = run(wire(raised(msg=one.decode()), one, one), wire(raised(msg=other.decode()), other, other))
    assert [(entry.field, entry.rules) for entry in result.smoothed] == [
        (field, ("temp-root",)) for field in ("stdout", "exc.msg", "stderr")
    ]
    assert result.status == "match"


def test_changed_arguments():
    assert rows(run(returned(1, arg=[1]), returned(1)).divergences) == [("arg", "[1]", '{"unchanged":true}')]
    assert rows(run(returned(1, arg=[1]), returned(1, arg=[2])).divergences) == [("arg", "[1]", "[2]")]
    assert rows(run(raised(), raised(arg={"b": 1, "a": 2})).divergences) == [("arg", '{"unchanged":true}', '{"a":2,"b":1}')]


def test_an_argument_that_became_the_mark_for_unchanged():
    result = run(returned(1), returned(1, arg={"unchanged": True}))
    assert rows(result.divergences) == [("arg", '{"unchanged":true}', '{"!dict":[["unchanged",true]]}')]


def test_effects_list_what_only_one_side_did():
    one = returned(1, env=["A", "B"], net=["connect a"], files=["r /etc/x"], process=["ls"])
    other = returned(1, env=["B", "C", "D"], net=["connect a"], process=["ls", "rm"])
    result = run(one, other)
    assert rows(result.divergences) == [("effects.env", '["A"]', '["C","D"]'), ("effects.process", "[]", '["rm"]')]
    assert rows(result.noted) == [("effects.files", '["r /etc/x"]', "[]")]


def test_what_the_candidate_no_longer_does_is_noted():
    result = run(returned(1, env=["A"]), returned(1))
    assert (result.status, result.divergences, rows(result.noted)) == ("match", (), [("effects.env", '["A"]', "[]")])


def test_effects_of_the_runs_own_temp_root_are_smoothed():
    result = run(returned(1, process=[f"ls {ROOTS[0]}/x"]), returned(1, process=[f"ls {ROOTS[1]}/x"]))
    assert (result.status, result.smoothed[0].field, result.smoothed[0].rules) == ("match", "effects.process", ("temp-root",))
    assert run(returned(1, env=["A", "B"]), returned(1, env=["B", "A"])).smoothed == ()


def test_warnings_are_noted():
    result = run(returned(1, warnings=[{"type": "DeprecationWarning", "msg": "old"}]), returned(1))
    assert (result.status, rows(result.noted)) == ("match", [("warnings", '[{"msg":"old","type":"DeprecationWarning"}]', "[]")])


def test_same_is_about_bytes():
    one = wire(BASE, b"a", b"b")
    assert same(one, wire(BASE, b"a", b"b"))
    for other in (wire(returned(2), b"a", b"b"), wire(BASE, b"", b"b"), wire(BASE, b"a", b"")):
        assert not same(one, other)


def test_rows_stand_in_the_order_of_the_fields():
    one = wire(returned(1, arg=[1], net=["n"], env=["A"], warnings=[{"type": "W", "msg": "m"}]), b"a", b"b")
    result = run(wire(returned(2)), one)
    assert [row.field for row in result.divergences] == ["value", "stdout", "arg", "effects.env", "effects.net"]
    assert [row.field for row in result.noted] == ["stderr", "warnings"]


def test_deep_values_are_compared():
    depth = 10_000
    texts = ["[" * depth + leaf + "]" * depth for leaf in ("1", "true")]
    result = run(*(f'{{"out":"returned","value":{text},"type":"builtins.list"}}' for text in texts))
    assert rows(result.divergences) == [("value", *texts)]
    (change,) = result.divergences[0].paths
    assert (change.baseline, change.candidate) == ("1", "true")


def test_effects_at_import():
    one = {"env": ["HOME", "X"], "net": [], "files": [], "process": []}
    other = {"env": ["HOME", "Y"], "net": [], "files": [], "process": ["git"]}
    result = compare_import(baseline=one, candidate=other, gated=frozenset(GATED))
    assert (result.id, result.status, result.returned) == ("@import", "diverging", False)
    assert rows(result.divergences) == [("effects.env", '["X"]', '["Y"]'), ("effects.process", "[]", '["git"]')]
    assert {row.fixture_sha256 for row in result.divergences} == {None}
    same_effects = compare_import(baseline=one, candidate=dict(one), gated=frozenset(GATED))
    assert (same_effects.status, same_effects.divergences, same_effects.noted) == ("match", (), ())
    noted = compare_import(baseline=one, candidate=other, gated=frozenset())
    assert (noted.status, len(noted.noted)) == ("match", 2)


def test_output_at_import():
    one, other = {"stdout": "a\n", "stderr": "b"}, {"stdout": "c\n"}
    result = compare_import(baseline=one, candidate=other, gated=frozenset(GATED))
    assert rows(result.divergences) == [("stdout", '"a\\n"', '"c\\n"')]
    assert rows(result.noted) == [("stderr", '"b"', '""')]


def test_effects_that_one_side_has_none_of():
    for one, other, left, right in (({}, {"net": ["a"]}, "[]", '["a"]'), ({"net": ["a"]}, {}, '["a"]', "[]")):
        result = compare_import(baseline=one, candidate=other, gated=frozenset(GATED))
        assert rows(result.divergences + result.noted) == [("effects.net", left, right)]


def test_a_rule_that_fails_at_import_says_so():
    def fail(_):
        raise RuleError("rule own raised KeyError", place=Place(file="canonicalize.py", line=3))

    with pytest.raises(RuleError) as said:
        compare_import(baseline={"stdout": "a"}, candidate={"stdout": "b"}, gated=frozenset(GATED), rules=[own("stdout", fail)])
    assert (said.value.what, str(said.value.place)) == ("rule own raised KeyError (on @import)", "canonicalize.py:3")


def test_a_rule_that_fails_is_an_error_of_its_fixture():
    def fail(tree):
        raise RuleError(tree * 400, place=Place(file="canonicalize.py", line=3))

    wires = wire(returned("one")), wire(returned("other"))
    result = compare(
        fixture=FIXTURE,
        baseline=wires[0],
        candidate=wires[1],
        rules=[own("value", fail)],
        gated=frozenset(GATED),
        contexts=(Context(), Context()),
    )
    assert (result.id, result.status, result.returned) == ("a.json", "error", True)
    assert result.cause == "canonicalize.py:3: " + ("one" * 400)[:981]


def test_a_row_says_how_many_places_it_leaves_out():
    (row,) = run(returned(list(range(50))), returned(list(range(100, 150)))).divergences
    assert (len(row.paths), row.more) == (20, 30)


def test_a_long_text_is_pinned_by_size_digest_and_head():
    edge = "x" * (LONGEST - 2)  # with its quotes as long as may be
    (row,) = run(returned(edge), returned(edge + "y")).divergences
    assert row.baseline == f'"{edge}"'
    head = '"' + "x" * 499
    assert row.candidate == visible_raw({"!long": [LONGEST + 1, sha256(f'"{edge}y"'.encode()).hexdigest(), head]})
    assert is_long(row)
    (row,) = run(returned(edge + "é"), returned(edge)).divergences
    assert is_long(row)
    assert not is_long(run(returned(1), returned(2)).divergences[0])


@pytest.mark.parametrize(("short", "is_whole"), [(13, True), (12, False), (0, False)])
def test_a_long_outcome_keeps_its_kind(short, is_whole):
    value = "x" * (LONGEST - 2 - short)  # 13 characters stand around it
    (row,) = run(returned(value), raised()).divergences
    assert row.baseline.startswith('{"returned":"xxx' if is_whole else '{"returned":{"!long":[')


@pytest.mark.no_cover
def test_10_000_divergences_cost_well_under_three_seconds():
    value = {"name": "café", "items": [{"id": i, "tags": ["x", "y"]} for i in range(3)], "a": 1}
    pairs = [
        (wire(returned(value)), wire(returned({**value, "a": 2}))),
        (wire(raised(msg="old")), wire(raised("KeyError", msg="new"))),
        (wire(BASE, b"line\n"), wire(BASE, b"line\n\n")),
        (wire(returned(value)), wire(raised())),
    ]
    rules, gated, contexts = make_rules(DEFAULT_RULES), frozenset(GATED), (Context(temp_root=ROOTS[0]), Context(temp_root=ROOTS[1]))
    with within(60):
        for _ in range(500):
            for one, other in pairs:
                result = compare(fixture=FIXTURE, baseline=one, candidate=other, rules=rules, gated=gated, contexts=contexts)
                assert result.status == "diverging"


def throw(module, kind, *bases):
    exc = {"type": kind, "module": module, "msg": "x"}
    return {"out": "raised", "exc": exc | ({"bases": list(bases)} if bases else {})}


CAUGHT = {
    "a class of its own below it": (("builtins", "ValueError"), ("p", "Bad", "builtins.ValueError", "builtins.Exception"), "builtins.ValueError still catch p.Bad"),
    "of its own, both": (("p", "Base", "builtins.Exception"), ("p", "Bad", "p.Base", "builtins.Exception"), "p.Base still catch p.Bad"),
    "both built in": (("builtins", "OSError"), ("builtins", "FileNotFoundError"), "builtins.OSError still catch builtins.FileNotFoundError"),
    "the other way round": (("p", "Bad", "builtins.ValueError"), ("builtins", "ValueError"), None),
    "beside it": (("builtins", "ValueError"), ("builtins", "TypeError"), None),
    "built in, unknown here": (("builtins", "ValueError"), ("builtins", "Newer"), None),
    "no class": (("builtins", "ValueError"), ("builtins", "print"), None),
    "the same": (("builtins", "ValueError"), ("builtins", "ValueError"), None),
    "moved": (("p", "Bad", "builtins.Exception"), ("q", "Bad", "builtins.Exception"), None),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other", "said"), CAUGHT.values(), ids=CAUGHT)
def test_a_subclass_in_place_of_its_base_is_said(one, other, said):
    result = run(throw(*one), throw(*other))
    assert result.still_caught == (said and f"handlers of {said}")
    assert run(throw(*one), returned(1)).still_caught is None


@pytest.mark.parametrize("bases", ["x", [1], None])
def test_bases_that_are_no_texts_make_no_record(bases):
    bad = {"out": "raised", "exc": {"type": "A", "module": "p", "msg": "", "bases": bases}}
    assert run(returned(1), bad).status == "error"


# --- what both sides share, what was cut, what is still caught -----------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"), [({}, {"cut": True}), ({"cut": True}, {}), ({"cut": True}, {"cut": True})], ids=["candidate", "baseline", "both"]
)
def test_an_iterator_that_goes_on_is_undecided_where_it_agrees_so_far(left, right):
    result = run(returned([1], **left), returned([1], **right))
    assert (result.id, result.status, result.returned) == ("a.json", "undecided", True)
    assert result.cause.startswith("an iterator goes on after 100,000 items")
    assert run(returned([1], **left), returned([2], **right)).status == "diverging"


def test_files_in_memory_that_both_sides_use_leave_nothing_decided():
    result = run(returned(1, shared=["/dev/shm/b", "/dev/shm/a"]), returned(2, shared=["/dev/shm/a", "/dev/shm/b"]))
    assert (result.id, result.status, result.returned) == ("a.json", "undecided", True)
    assert result.cause.startswith("both sides use /dev/shm/a, of which there is only one")
    assert run(raised(shared=["a"]), raised(msg="x", shared=["a"])).returned is False
    assert run(returned(1, shared=["a"]), returned(1, shared=["b"])).status == "match"


@pytest.mark.parametrize(
    ("record", "flaw"),
    [
        ({"out": "raised", "exc": {"type": "E", "module": "m", "msg": "", "bases": [1]}}, "exc has bases that are no texts"),
        ({"out": "raised", "exc": {"type": "E", "module": "m", "msg": "", "bases": "m.E"}}, "exc has bases that are no texts"),
        (returned(1, shared=[1]), "shared is no list of the right kind"),
        (returned(1, shared="a"), "shared is no list of the right kind"),
    ],
)
def test_a_record_of_another_shape_is_a_fault_of_its_side(record, flaw):
    assert run(returned(1), record).cause == f"candidate: worker: the record cannot be used: {flaw}"


@pytest.mark.parametrize(
    ("baseline", "candidate", "said"),
    [
        (raised("LookupError"), raised("KeyError"), "handlers of builtins.LookupError still catch builtins.KeyError"),
        (raised("BaseException"), raised("KeyError"), "handlers of builtins.BaseException still catch builtins.KeyError"),
        (raised("LookupError"), raised("KeyError", module="m"), None),
        (raised("KeyError"), raised("LookupError"), None),
        (raised("object"), raised("KeyError"), None),
        (
            raised("A", module="m"),
            {"out": "raised", "exc": {"type": "B", "module": "m", "msg": "", "bases": ["m.A"]}},
            "handlers of m.A still catch m.B",
        ),
        (raised("LookupError"), {"out": "raised", "exc": {"type": "KeyError", "module": "builtins", "msg": "", "bases": []}}, None),
        (returned(1), raised("KeyError"), None),
        (raised("KeyError"), returned(1), None),
    ],
)
def test_handlers_that_still_catch_are_named(baseline, candidate, said):
    assert run(baseline, candidate).still_caught == said


@pytest.mark.parametrize(
    ("tree", "made", "found"),
    [
        ({"a": "x ", "b": "y ", "c": ["z "]}, {"a": "x", "b": "y", "c": ["z"]}, {"x": ["x "], "y": ["y "], "z": ["z "]}),
        (["x ", "x  ", "y"], ["x", "x", "y"], {"x": ["x  ", "x "]}),
        ({"k": {"a": "x "}, "l": {"b": "y "}}, {"k": {"a": "x"}, "l": {"b": "y"}}, {"x": ["x "], "y": ["y "]}),
        ({"!dict": [["x ", 1]]}, {"!dict": [["x", 1]]}, {}),
        ({"!set": ["x "]}, {"!set": ["x"]}, {}),
        ({"!frozenset": ["x "]}, {"!frozenset": ["x"]}, {}),
        (["x "], {"x": "x"}, {}),
        ({"x": "x "}, ["x"], {}),
        (["x "], ["x", "y"], {}),
        ("x ", ["x"], {}),
        (["x"], "x ", {}),
        ({"a": "x "}, {"b": "x"}, {}),
    ],
)
def test_texts_that_rules_made_are_found_where_both_trees_have_one_shape(tree, made, found):
    assert _rewritten(tree, made) == found


@given(
    st.lists(
        st.one_of(
            st.lists(st.one_of(st.text('a,]"', max_size=3), st.integers(0, 2)), min_size=2, max_size=2),
            st.lists(st.integers(0, 2), max_size=3),
            st.text("ab", max_size=2),
        ),
        max_size=6,
    )
)
def test_pairs_are_sorted_by_their_texts(pairs):
    assert sorted_pairs(pairs) == sorted(pairs, key=visible)


def test_marks_of_a_run_stand_beside_those_of_a_target():
    context = Context(temp_root="/t", side_root="/s").beside("a <temp> b", "<side'>")
    assert context == Context(temp_root="/t", side_root="/s", marks=("<temp''>", "<side''>"))
    assert Context(temp_root="/t").beside("a", "b") == Context(temp_root="/t")
