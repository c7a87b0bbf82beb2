"""Every rule of the decision table speaks where it should, in both directions."""

from __future__ import annotations

import pytest

import prompts
from prelabel.rules import PREDICATES, label
from prelabel.subject import subject

# rule: the cases (field, baseline, candidate) where it decides, by what they show.
SPEAKS = {
    "exception-type": {
        "another builtin": ("exc.type", '"ValueError"', '"AssertionError"'),
        "a subclass is another type": ("exc.type", '"LookupError"', '"KeyError"'),
        "a nested class": ("exc.type", '"Codec.Error"', '"Codec.Fault"'),
        "case of a letter": ("exc.type", '"HttpError"', '"HTTPError"'),
        "the same name elsewhere": ("exc.module", '"pkg.errors"', '"pkg.faults"'),
        "a builtin became ours": ("exc.module", '"builtins"', '"pkg.errors"'),
        "text that is no JSON": ("exc.type", "ValueError", "TypeError"),
    },
    "null-empty": {
        "null to list": ("value", "null", "[]"),
        "null to object": ("value", "null", "{}"),
        "list to null": ("value", "[]", "null"),
        "object to null": ("value", "{}", "null"),
        "the article's row": ("value", '{"a":null}', '{"a":[]}'),
        "below a list": ("value", "[1,null,2]", "[1,{},2]"),
        "deep": ("value", '{"a":[{"b":{"c":null}}]}', '{"a":[{"b":{"c":[]}}]}'),
        "back, deep": ("value", '{"a":[{"b":{}}]}', '{"a":[{"b":null}]}'),
        "one of two": ("value", "[null,null]", "[[],null]"),
        "both directions at once": ("value", "[null,[]]", "[[],null]"),
        "beside another change": ("value", '{"a":null,"b":1}', '{"a":[],"b":2}'),
        "beside a removed key": ("value", '{"a":null,"b":1}', '{"a":[]}'),
        "before a removed item": ("value", "[1,null,2,3]", "[1,[],3]"),
        "after an appended item": ("value", "[null,1]", "[[],1,2]"),
        "inside a tuple": ("value", '{"!tuple":[null]}', '{"!tuple":[[]]}'),
        "to an empty tuple": ("value", "null", '{"!tuple":[]}'),
        "to an empty set": ("value", '{"a":null}', '{"a":{"!set":[]}}'),
        "to an empty frozenset": ("value", "null", '{"!frozenset":[]}'),
        "to an exhausted iterator": ("value", "null", '{"!iter":[]}'),
        "to an empty tagged mapping": ("value", "null", '{"!dict":[]}'),
        "to an empty subclass": ("value", "null", '{"!sub":["collections.OrderedDict",{}]}'),
        "under a key that is no text": ("value", '{"!dict":[[1,null]]}', '{"!dict":[[1,[]]]}'),
        "under such a key, reordered": ("value", '{"!dict":[[1,null],[2,0]]}', '{"!dict":[[2,0],[1,[]]]}'),
        "in an object's state": ("value", '{"!object":["pkg.A",{"x":null}]}', '{"!object":["pkg.A",{"x":{}}]}'),
        "in a subclass": ("value", '{"!sub":["pkg.A",[null]]}', '{"!sub":["pkg.A",[[]]]}'),
        "in the payload after the call": ("arg", '{"a":null}', '{"a":{}}'),
        "in printed JSON": ("stdout", '"{\\"a\\": null}\\n"', '"{\\"a\\": []}\\n"'),
        "printed JSON that is null": ("stdout", '"null\\n"', '"[]\\n"'),
        "in returned JSON text": ("value", r'{"body":"{\"a\":null}"}', r'{"body":"{\"a\":{}}"}'),
        "under a key of another Unicode form": ("value", '{"café":null}', r'{"cafe\u0301":[]}'),
        "more than twenty places in": ("value", f"[{'1,' * 30}null]", f"[{'2,' * 30}[]]"),
    },
    "key-order": {
        "printed JSON": ("stdout", r'"{\"a\": 1, \"b\": 2}\n"', r'"{\"b\": 2, \"a\": 1}\n"'),
        "printed dict": ("stdout", "\"{'a': 1, 'b': 2}\"", "\"{'b': 2, 'a': 1}\""),
        "printed set": ("stdout", '"{1, 2, 3}"', '"{3, 1, 2}"'),
        "nested": ("value", r'"{\"x\":{\"a\":1,\"b\":[2,3]}}"', r'"{\"x\":{\"b\":[2,3],\"a\":1}}"'),
        "outer and inner": ("value", '"{1: {2: 3, 4: 5}, 6: 7}"', '"{6: 7, 1: {4: 5, 2: 3}}"'),
        "indented": ("stdout", r'"{\n  \"a\": 1,\n  \"b\": 2\n}"', r'"{\n  \"b\": 2,\n  \"a\": 1\n}"'),
        "lines of JSON": ("stdout", r'"{\"a\":1,\"b\":2}\n{\"c\":3,\"d\":4}\n"', r'"{\"b\":2,\"a\":1}\n{\"d\":4,\"c\":3}\n"'),
        "text around it": ("stdout", '"got {a, b}; bye"', '"got {b, a}; bye"'),
        "commas and braces in quotes": ("value", r'"{\"a\": \"x, }\", \"b\": 2}"', r'"{\"b\": 2, \"a\": \"x, }\"}"'),
        "an escaped quote": ("value", r'"{\"a\": \"\\\", \", \"b\": 2}"', r'"{\"b\": 2, \"a\": \"\\\", \"}"'),
        "an apostrophe before it": ("stdout", '"it\'s {1, 2}"', '"it\'s {2, 1}"'),
        "pairs of a tagged mapping": ("value", '{"!dict":[[1,"a"],[2,"b"]]}', '{"!dict":[[2,"b"],[1,"a"]]}'),
        "deep pairs": ("value", '[{"!dict":[[null,1],[1.5,2]]}]', '[{"!dict":[[1.5,2],[null,1]]}]'),
        "keys of a text as written": ("value", '{"a":1,"b":2}', '{"b":2,"a":1}'),
        "a message": ("exc.msg", '"bad {1, 2}"', '"bad {2, 1}"'),
        "several texts": ("value", '["{1, 2}","{3, 4}"]', '["{2, 1}","{4, 3}"]'),
    },
    "unicode-form": {
        "the article's row": ("value", '{"s":"café"}', r'{"s":"cafe\u0301"}'),
        "back": ("value", r'"cafe\u0301"', '"café"'),
        "printed": ("stdout", r'"é\n"', r'"e\u0301\n"'),
        "a key": ("value", '{"é":1}', r'{"e\u0301":1}'),
        "keys and values": ("value", '{"é":"ü"}', r'{"e\u0301":"u\u0308"}'),
        "order of marks": ("value", r'"a\u0323\u0307"', r'"a\u0307\u0323"'),
        "Hangul": ("value", r'"\uac01"', r'"\u1100\u1161\u11a8"'),
        "Angstrom": ("value", r'"\u212b"', r'"\u00c5"'),
        "two of three": ("value", r'["é","x","ü"]', r'["e\u0301","x","u\u0308"]'),
        "inside a tuple": ("value", '{"!tuple":["é"]}', r'{"!tuple":["e\u0301"]}'),
        "beside equal bytes": ("value", '["é",{"!bytes":"x"}]', r'["e\u0301",{"!bytes":"x"}]'),
        "in the payload after the call": ("arg", '["é"]', r'["e\u0301"]'),
        "a message": ("exc.msg", '"é"', r'"e\u0301"'),
    },
    "newline-function": {
        "one more": ("stdout", r'"line\n"', r'"line\n\n"'),
        "one less": ("stdout", r'"line\n\n"', r'"line\n"'),
        "first one": ("stdout", '"line"', r'"line\n"'),
        "from nothing": ("stdout", '""', r'"\n"'),
        "to nothing": ("stdout", r'"\n"', '""'),
        "three": ("stdout", '"a"', r'"a\n\n\n"'),
        "carriage return and newline": ("stdout", '"a"', r'"a\r\n"'),
        "after other newlines": ("stdout", r'"a\nb\n"', r'"a\nb\n\n"'),
        "output that is no UTF-8": ("stdout", r'{"!bytes":"\\xff"}', r'{"!bytes":"\\xff\\x0a"}'),
    },
    "environment-read": {
        "first name": ("effects.env", "[]", '["HOME"]'),
        "two": ("effects.env", "[]", '["APP_MODE","HOME"]'),
        "other names": ("effects.env", '["LANG"]', '["HOME"]'),
        "one that is set, and one that is read": ("effects.env", "[]", '["HOME=","LANG"]'),
        "everything": ("effects.env", "[]", '["*"]'),
        "everything beside": ("effects.env", '["HOME"]', '["*"]'),
    },
    "float-text": {
        "rounding error": ("value", "0.30000000000000004", "0.3"),
        "and back": ("value", "0.3", "0.30000000000000004"),
        "deep": ("value", '{"a":[0.1,0.30000000000000004]}', '{"a":[0.1,0.3]}'),
        "a value that is the text of a sum": ("value", '"0.30000000000000004"', '"0.3"'),
        "inside a tuple": ("value", '{"!tuple":[0.1]}', '{"!tuple":[0.10000000000000002]}'),
        "second of two": ("value", '{"!tuple":[1.0,0.1]}', '{"!tuple":[1.0,0.10000000000000003]}'),
        "printed": ("stdout", r'"0.30000000000000004\n"', r'"0.3\n"'),
        "two decimals": ("stdout", '"sum 0.30000000000000004"', '"sum 0.30"'),
        "rounded from all digits": ("stdout", '"x=0.3333333333333333;"', '"x=0.33;"'),
        "%f": ("stdout", '"3.1415926"', '"3.141593"'),
        "%g": ("stdout", '"3.1415926"', '"3.14159"'),
        "a value of text, same float": ("value", '"1.10"', '"1.1"'),
        "inside a text that is a value": ("value", '"x=0.3333333333333333;"', '"x=0.33;"'),
        "trailing zero": ("stdout", '"1.50 EUR"', '"1.5 EUR"'),
        "exponent": ("stdout", '"1e-05"', '"0.00001"'),
        "point dropped": ("stdout", '"1.0"', '"1"'),
        "end of a sentence": ("stdout", '"It is 0.50."', '"It is 0.5."'),
        "negative": ("value", "-0.30000000000000004", "-0.3"),
        "several numbers": ("stdout", '"0.10 0.20 3"', '"0.1 0.2 3"'),
        "large": ("value", "1e+300", "1.0000000000000002e+300"),
        "a message": ("exc.msg", '"over 0.50"', '"over 0.5"'),
    },
}

ACTIONS = {row.id: row.action for row in prompts.load_table()}


def cases(groups):
    return [pytest.param(rule, *case, id=f"{rule}: {name}") for rule, group in groups.items() for name, case in group.items()]


def found(field, baseline, candidate, kind="function", **more):
    return label(subject(target_kind=kind, field=field, baseline=baseline, candidate=candidate), **more)


@pytest.mark.parametrize(("rule", "field", "baseline", "candidate"), cases(SPEAKS))
def test_rule_speaks(rule, field, baseline, candidate):
    finding = found(field, baseline, candidate)
    assert (finding.rule, finding.label, finding.failed) == (rule, ACTIONS[rule], ())


@pytest.mark.parametrize(("field", "baseline", "candidate"), SPEAKS["newline-function"].values(), ids=SPEAKS["newline-function"])
def test_newline_of_a_command_is_a_question(field, baseline, candidate):
    finding = found(field, baseline, candidate, kind="command")
    assert (finding.rule, finding.label) == ("newline-command", "abstain")
    assert "?" in finding.reason


@pytest.mark.parametrize(("rule", "field", "baseline", "candidate"), [case for case in cases(SPEAKS) if "environment" not in case.id])
def test_direction_does_not_matter(rule, field, baseline, candidate):
    assert found(field, candidate, baseline).rule == rule


def test_every_row_has_a_predicate_and_cases():
    rows = [row.id for row in prompts.load_table()]
    assert rows == list(PREDICATES)
    assert {*SPEAKS, "newline-command"} == set(rows)
