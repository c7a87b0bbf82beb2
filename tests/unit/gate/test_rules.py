"""The named rules: what each hides, and above all what none of them may hide."""

import pytest

from gate.canonical.paths import found, parse_path, replaced
from gate.canonical.rules import DEFAULT_RULES, Context, canonicalise, known_words, make_rules
from gate.canonical.visible_json import parse, visible, visible_raw
from tests.timing import within

ROOT = "/tmp/shadow-x1/baseline/tmp"


def apply(names, wire, field="value", root=ROOT):
    """Canonical text and fired rules; and the second time changes nothing."""
    rules = make_rules([names] if isinstance(names, str) else names)
    tree, fired = canonicalise(parse(wire), field, rules, Context(temp_root=root))
    again, fired_again = canonicalise(tree, field, rules, Context(temp_root=root))
    assert (visible_raw(again), fired_again) == (visible_raw(tree), ())
    return visible_raw(tree), fired


@pytest.mark.parametrize(
    ("wire", "made"),
    [
        ('{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'),
        ('{"!dict":[[2,1],[1,{"b":1,"a":2}]]}', '{"!dict":[[1,{"a":2,"b":1}],[2,1]]}'),
        ("[2,1]", "[2,1]"),
        ('{"!tuple":[2,1]}', '{"!tuple":[2,1]}'),
        ('[["b",1],["a",2]]', '[["b",1],["a",2]]'),
        ('"{\\"b\\":1,\\"a\\":2}"', '"{\\"b\\":1,\\"a\\":2}"'),
        ('{"!sub":["collections.defaultdict",{"b":1,"a":2}]}', '{"!sub":["collections.defaultdict",{"a":2,"b":1}]}'),
        ('{"!sub":["collections.OrderedDict",{"b":{"z":1,"y":2},"a":3}]}', '{"!sub":["collections.OrderedDict",{"!dict":[["b",{"y":2,"z":1}],["a",3]]}]}'),
        ('{"!sub":["collections.OrderedDict",{"!dict":[[2,1],[1,{"b":1,"a":2}]]}]}', '{"!sub":["collections.OrderedDict",{"!dict":[[2,1],[1,{"a":2,"b":1}]]}]}'),
        ('{"!sub":["m.Own",{"!sub":["collections.OrderedDict",{"b":1,"a":2}]}]}', '{"!sub":["m.Own",{"!sub":["collections.OrderedDict",{"!dict":[["b",1],["a",2]]}]}]}'),
        ('{"!dict":[[10,1],[1,{"!dict":[[2,0],[1.5,0]]}],["1",2]]}', '{"!dict":[["1",2],[1,{"!dict":[[1.5,0],[2,0]]}],[10,1]]}'),
        ('{"!dict":[[{"!float":"nan"},2],[{"!float":"nan"},1],[0,{"b":1,"a":2}]]}', '{"!dict":[[0,{"a":2,"b":1}],[{"!float":"nan"},1],[{"!float":"nan"},2]]}'),
        ('{"!dict":[[2,1],[1]]}', '{"!dict":[[1],[2,1]]}'),
        ('["collections.OrderedDict",{"b":1,"a":2}]', '["collections.OrderedDict",{"a":2,"b":1}]'),
        ('[{"!sub":["collections.OrderedDict",[1]]},{"b":1,"a":{"!dict":[[2,1],[1,1]]}}]', '[{"!sub":["collections.OrderedDict",[1]]},{"a":{"!dict":[[1,1],[2,1]]},"b":1}]'),
        ('{"!sub":["collections.OrderedDict",{"b":1,"a":2},{"z":1,"y":2}]}', '{"!sub":["collections.OrderedDict",{"!dict":[["b",1],["a",2]]},{"y":2,"z":1}]}'),
        ('[{"!sub":["collections.OrderedDict",{"b":1}]},{"!sub":["m.D",{"b":1,"a":2}]}]', '[{"!sub":["collections.OrderedDict",{"!dict":[["b",1]]}]},{"!sub":["m.D",{"a":2,"b":1}]}]'),
        ('[{"!sub":["collections.OrderedDict"]},["collections.OrderedDict",{"b":1,"a":2}]]', '[{"!sub":["collections.OrderedDict"]},["collections.OrderedDict",{"a":2,"b":1}]]'),
    ],
)  # fmt: skip
def test_key_order_touches_dicts_only(wire, made):
    assert apply("key-order", wire) == (made, ("key-order",) if wire != made else ())


def test_a_rule_that_changes_nothing_stops_no_other():
    assert apply(["key-order", "drop:/a"], '{"a":1,"b":2}') == ('{"b":2}', ("drop:/a",))
    assert apply(["newlines", "object-ids"], '"<F at 0x7f12ab34cd56> \\\\r"') == ('"<F at 0x...> \\\\r"', ("object-ids",))


def test_without_key_order_the_order_stays():
    assert apply([], '{"b":1,"a":2}') == ('{"b":1,"a":2}', ())


@pytest.mark.parametrize("wire", ['{"!set":[[2],"b",1,"a"]}', '{"!frozenset":[{"!frozenset":[2,1]},{"!frozenset":[1,0]}]}'])
def test_sets_have_no_order_even_without_rules(wire):
    text, fired = apply([], wire)
    assert fired == ()
    members = next(iter(parse(text).values()))
    assert [visible(member) for member in members] == sorted(visible(member) for member in members)


def test_sets_are_put_in_order_after_the_rules():
    wire = '{"!set":["<F object at 0x7f0000000001> b","<F object at 0x7f0000000002> a",{"!tuple":["' + ROOT + '"]}]}'
    text, fired = apply(DEFAULT_RULES, wire)
    assert text == '{"!set":["<F object at 0x...> a","<F object at 0x...> b",{"!tuple":["<temp>"]}]}'
    assert fired == ("object-ids", "temp-root")


PATHS = [
    ("unordered:/a", '{"a":[3,1,2],"b":[2,1]}', '{"a":[1,2,3],"b":[2,1]}'),
    ("unordered:", '["b","a"]', '["a","b"]'),
    ("unordered:", '{"!tuple":["b","a"]}', '{"!tuple":["a","b"]}'),
    ("unordered:/a", '{"a":{"!sub":["m.L",["b","a"]]}}', '{"a":{"!sub":["m.L",["a","b"]]}}'),
    ("unordered:", '{"!sub":["m.L",[2,1],{"x":[2,1]}]}', '{"!sub":["m.L",[1,2],{"x":[2,1]}]}'),
    ("unordered:/*", '[[9,10],{"!tuple":[9,10]},{"!sub":["m.L",[9,10]]}]', '[[10,9],{"!tuple":[10,9]},{"!sub":["m.L",[10,9]]}]'),
    ("unordered:/*/x", '[{"x":[2,1]},{"x":[4,3]},{"y":[2,1]}]', '[{"x":[1,2]},{"x":[3,4]},{"y":[2,1]}]'),
    ("unordered:/a", '{"a":{"c":1,"b":2}}', '{"a":{"c":1,"b":2}}'),
    ("unordered:/a~1b/~0", '{"a/b":{"~":[2,1]}}', '{"a/b":{"~":[1,2]}}'),
    ("float:3:/x", '{"x":0.30000000000000004,"y":0.30000000000000004}', '{"x":0.3,"y":0.30000000000000004}'),
    ("float:3:", '[1.00049,1,true,-0.0,"1.00049",123456.0,{"!complex":[1.00049,0.0]}]', '[1.0,1,true,-0.0,"1.00049",123000.0,{"!complex":[1.0,0.0]}]'),
    ("float:3:", '{"!dict":[[1.00049,1.00049]]}', '{"!dict":[[1.00049,1.0]]}'),
    ("float:3:", '{"!dict":[1.00049]}', '{"!dict":[1.0]}'),
    ("float:3:/a:b", '{"a:b":1.00049,"b":1.00049}', '{"a:b":1.0,"b":1.00049}'),
    ("float:1:", "[1.6]", "[2.0]"),
    ("float:15:", "[0.1,1e+300]", "[0.1,1e+300]"),
    ("float:3:", "[1.7976931348623157e+308,-1.7976931348623157e+308]", "[1.7976931348623157e+308,-1.7976931348623157e+308]"),
    ("drop:/a/b", '{"a":{"b":1,"c":2}}', '{"a":{"c":2}}'),
    ("drop:/*/ts", '[{"ts":1,"v":2},{"v":3},{"!tuple":[{"ts":1}]}]', '[{"v":2},{"v":3},{"!tuple":[{"ts":1}]}]'),
    ("drop:/0", "[1,2]", '[{"!dropped":[]},2]'),
    ("drop:/*", "[1,2]", '[{"!dropped":[]},{"!dropped":[]}]'),
    ("drop:/a/0/b", '{"a":{"!tuple":[{"b":1}]}}', '{"a":{"!tuple":[{}]}}'),
    ("drop:/a/!tuple/0/b", '{"a":{"!tuple":[{"b":1}]}}', '{"a":{"!tuple":[{}]}}'),
    ("drop:/ts", '{"!object":["m.C",{"ts":1,"v":2}]}', '{"!object":["m.C",{"v":2}]}'),
    ("drop:/!object/1/ts", '{"!object":["m.C",{"ts":1,"v":2}]}', '{"!object":["m.C",{"v":2}]}'),
    ("drop:/1", '{"!dict":[[1,2],["1",3],[2,4]]}', '{"!dict":[[2,4]]}'),
    ("drop:/1/x", '{"!dict":[[1,{"x":1,"y":2}],[2,{"x":1}]]}', '{"!dict":[[1,{"y":2}],[2,{"x":1}]]}'),
    ("drop:/1/x", '{"!dict":[[1,{"!sub":["m.D",{"x":1,"y":2}]}]]}', '{"!dict":[[1,{"!sub":["m.D",{"y":2}]}]]}'),
    ("drop:/*/x", '{"!dict":[[1,{"x":1,"y":2}],["k",{"x":1}]]}', '{"!dict":[[1,{"y":2}],["k",{}]]}'),
    ("drop:/ts", '{"!sub":["m.D",{"ts":1,"v":2},{"ts":3}]}', '{"!sub":["m.D",{"v":2},{"ts":3}]}'),
    ("drop:/!any/ts", '{"!any":{"!sub":["m.D",{"ts":1,"v":2}]}}', '{"!any":{"!sub":["m.D",{"v":2}]}}'),
    ("drop:/!dict/*/1", '{"!dict":[[1,2]]}', '{"!dict":[[1,{"!dropped":[]}]]}'),
    ("drop:/*", '{"!set":[1,2]}', '{"!set":[{"!dropped":[]},{"!dropped":[]}]}'),
    ("drop:/0", '{"!set":[1,2]}', '{"!set":[1,2]}'),
    ("drop:/!set/0", '{"!set":[1,2]}', '{"!set":[1,2]}'),
    ("drop:/!dict/0", '{"!dict":[[1,2]]}', '{"!dict":[[1,2]]}'),
    ("drop:/a/b", '{"a":1}', '{"a":1}'),
    ("drop:/a/b/c", '{"a":{"b":"text"}}', '{"a":{"b":"text"}}'),
    ("drop:/", '{"":1,"a":2}', '{"a":2}'),
    ("drop:/x", '{"!bytes":"x"}', '{"!bytes":"x"}'),
    ("drop:/x", '{"!sub":["m.D"]}', '{"!sub":["m.D"]}'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wire", "made"), PATHS)
def test_rules_for_a_path(name, wire, made):
    assert apply(name, wire) == (made, (name,) if wire != made else ())


REPLACED = [
    ("", '{"a":1}', ['{"a":1}'], "0"),
    ("/a", '{"a":1,"b":1}', ["1"], '{"a":0,"b":1}'),
    ("/*", '{"a":1,"b":[2]}', ["1", "[2]"], '{"a":0,"b":1}'),
    ("/*/x", '[{"x":"one"},{"y":1},{"x":null}]', ['"one"', "null"], '[{"x":0},{"y":1},{"x":1}]'),
    ("/0/1", '{"!tuple":[{"!dict":[[1,true],["1",false]]}]}', ["true", "false"], '{"!tuple":[{"!dict":[[1,0],["1",1]]}]}'),
    ("/b", '{"a":1}', [], '{"a":1}'),
    ("/a", '{"!sub":["m.X",' * 8 + '{"a":true}' + "]}" * 8, ["true"], '{"!sub":["m.X",' * 8 + '{"a":0}' + "]}" * 8),
]  # fmt: skip


@pytest.mark.parametrize(("path", "wire", "values", "made"), REPLACED)
def test_what_is_found_is_what_is_replaced_in_the_same_order(path, wire, values, made):
    tree, tokens = parse(wire), parse_path(path)
    assert [visible(value) for value in found(tree, tokens)] == values
    assert visible_raw(replaced(tree, tokens, range(len(values)))) == made
    assert visible_raw(tree) == wire


def test_path_rules_speak_about_the_value_only():
    for field in ("arg", "stdout", "exc.chain", "warnings"):
        assert apply("drop:/a", '{"a":1}', field=field) == ('{"a":1}', ())


def test_rules_run_in_one_order_whatever_the_order_of_the_config():
    names = ["unordered:/a", "drop:/a/*/ts", "object-ids", "key-order", "float:2:/a", "unordered:/a/*/l"]
    wire = '{"b":1,"a":[{"v":"<F object at 0x7f0000000009>","ts":1,"l":[2.999,1.111]},{"v":"<F object at 0x7f0000000001>","ts":2,"l":[1.111,2.0]}]}'
    made = {apply(names, wire), apply(names[::-1], wire), apply(sorted(names), wire)}
    assert made == {('{"a":[{"l":[1.1,2.0],"v":"<F object at 0x...>"},{"l":[1.1,3.0],"v":"<F object at 0x...>"}],"b":1}',
                     ("object-ids", "key-order", "drop:/a/*/ts", "float:2:/a", "unordered:/a/*/l", "unordered:/a"))}  # fmt: skip


PLACES = {"whole": ("", ""), "key": ('{"k":', "}"), "item": ("[", "]"), "pair": ('{"!dict":[[0,', "]]}")}
EDITS = [("drop", '{"a":1}', "{}"), ("unordered", '{"a":[2,1]}', '{"a":[1,2]}'), ("float:2", '{"a":1.001}', '{"a":1.0}')]


@pytest.mark.parametrize("around", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("edit", EDITS, ids=[edit[0] for edit in EDITS])
@pytest.mark.parametrize(("depth", "reached"), [(8, True), (9, False)])
def test_eight_tags_are_seen_through_at_any_place(depth, reached, edit, around):
    (rule, leaf, edited), (before, behind) = edit, around
    wire, made = (before + '{"!sub":["m.X",' * depth + inner + "]}" * depth + behind for inner in (leaf, edited))
    assert apply(f"{rule}:/*/a" if before else f"{rule}:/a", wire)[0] == (made if reached else wire)


def test_a_chain_of_tags_costs_no_stack():
    depth = 5_000
    wire = '{"!sub":["m.X",' * depth + '{"a":1}' + "]}" * depth
    assert apply("drop:/a", wire) == (wire, ())


@pytest.mark.no_cover
def test_depth_10_000_passes_every_rule():
    depth = 10_000
    names = [*DEFAULT_RULES, "newlines", "trailing-space", "unordered:/a", "float:3:", "drop:/b/c"]
    wire = '{"b":"x \\r\\n","a":[' * depth + f'1.23456,"{ROOT}/f","<F object at 0x7f12ab34cd56>"' + ",0]}" * depth
    tree, fired = canonicalise(parse(wire), "value", make_rules(names), Context(temp_root=ROOT))
    text = visible_raw(tree)
    assert set(fired) == {"newlines", "trailing-space", "object-ids", "temp-root", "float:3:", "unordered:/a", "key-order"}
    assert text.count('{"a":[') == depth
    assert '["<F object at 0x...>"' in text or '"<temp>/f","<F object at 0x...>"' in text


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["key-oder"], "'key-oder'; the nearest is key-order"),
        (["temproot"], "nearest is temp-root"),
        (["unorderd:/a"], "nearest is unordered:<path>"),
        (["drop"], "nearest is drop:<path>"),
        (["floats:3:/a"], "nearest is float:<digits>:<path>"),
        (["ids"], "nearest is object-ids"),
        (["unordred:/" + "xyz" * 30 + ":/q"], "nearest is unordered:<path>"),
        (
            ["zzz"],
            "one of newlines, trailing-space, object-ids, temp-root, key-order, unordered:<path>, float:<digits>:<path>, drop:<path>$",
        ),
        (["drop:a"], "'drop:a' must read drop:<path>"),
        (["unordered:a/b"], "must start with /"),
        (["drop:"], "would drop the whole value"),
        (["float:/a"], "must read float:<digits>:<path>"),
        (["float:0:/a"], "1 to 15"),
        (["float:16:/a"], "1 to 15"),
        (["float:0003:/a"], "1 to 15"),
        (["float:3"], "1 to 15"),
        (["float:3:a"], "must start with /"),
        (["float:²:/a"], "1 to 15"),
        (["unordered:/a", "drop:/a/0"], "'drop:/a/0' names a place in the list that 'unordered:/a' puts in order"),
        (["float:3:/x/1/y", "unordered:/*"], "use \\*"),
        (["unordered:/a/!tuple", "drop:/a/3"], "names a place"),
        (["unordered:", "unordered:/0"], "names a place"),
    ],
)
def test_a_wrong_rule_is_refused_and_says_what_is_known(names, said):
    with pytest.raises(ValueError, match=said):
        make_rules(names)


def test_rules_that_only_look_like_a_clash_are_taken():
    names = ["unordered:/a", "drop:/a/*/0", "drop:/b/0", "drop:/a/x", "unordered:/a", "float:3:/a"]
    assert len(make_rules(names)) == 5


def test_words_that_rules_of_a_project_may_not_have():
    assert known_words() == {"newlines", "trailing-space", "object-ids", "temp-root", "key-order", "unordered", "float", "drop"}


def test_the_default_rules():
    assert DEFAULT_RULES == ("key-order", "object-ids", "temp-root")
    assert {rule.name for rule in make_rules(DEFAULT_RULES)} == set(DEFAULT_RULES)


@pytest.mark.parametrize(
    ("field", "touched"),
    [
        ("value", True), ("arg", True), ("ok", True), ("stdout", True), ("stderr", True), ("exc.msg", True), ("exc.chain", True), ("warnings", True),
        ("exc.type", False), ("exc.module", False), ("type", False), ("effects.env", False), ("effects.net", True),
    ],
)  # fmt: skip
def test_rules_are_scoped_to_fields(field, touched):
    wire = visible([f"{ROOT}/x <F object at 0x7f12ab34cd56>"])
    text, fired = apply(DEFAULT_RULES, wire, field=field)
    assert (text != wire, bool(fired)) == (touched, touched)


def test_temp_roots_in_effects_are_hidden_and_nothing_else():
    for field in ("effects.files", "effects.process"):
        assert apply(DEFAULT_RULES, visible([f"{ROOT}/x <F object at 0x7f12ab34cd56>"]), field=field) == (
            '["<temp>/x <F object at 0x7f12ab34cd56>"]',
            ("temp-root",),
        )


def test_pairs_inside_pairs_are_put_in_order_in_linear_time():
    tree = 1
    for level in range(3000):
        tree = {"!dict": [[level, tree], [0.5, "x"]]}
    with within(30):  # 0.5 s where a loop takes 0.05; it was more than a minute
        made, fired = canonicalise(tree, "value", make_rules(["key-order"]), Context())
    assert (fired, made["!dict"][0]) == (("key-order",), [0.5, "x"])
