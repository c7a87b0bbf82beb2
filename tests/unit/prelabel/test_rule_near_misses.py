"""Near misses of every rule of the decision table: no rule speaks, or the one that should."""

from __future__ import annotations

import pytest

import prompts
from prelabel.rules import NOTHING_APPLIES, label
from prelabel.subject import subject

# Where no rule may speak: near misses, by the rule that they nearly are.
SILENT = {
    "exception-type": {
        "outcomes are rows of their own": ("ok", '{"returned":null}', '{"raised":"builtins.ValueError"}'),
        "two raised outcomes": ("ok", '{"raised":"a.B"}', '{"raised":"a.C"}'),
        "error became value": ("ok", '{"raised":"a.B"}', '{"returned":[]}'),
        "a returned class": ("type", '"pkg.A"', '"pkg.B"'),
        "a name as a value": ("value", '"ValueError"', '"TypeError"'),
        "a message": ("exc.msg", '"bad"', '"worse"'),
    },
    "null-empty": {
        "null to a filled list": ("value", "null", "[1]"),
        "null to a list of null": ("value", "null", "[null]"),
        "null to a filled object": ("value", "null", '{"a":1}'),
        "a text to a list": ("value", '"null"', "[]"),
        "null to empty text": ("value", "null", '""'),
        "null to zero": ("value", "null", "0"),
        "null to false": ("value", "null", "false"),
        "null to its name": ("value", "null", '"None"'),
        "list to object": ("value", "[]", "{}"),
        "list to tuple": ("value", "[]", '{"!tuple":[]}'),
        "null to a tuple with null": ("value", "null", '{"!tuple":[null]}'),
        "null to empty bytes": ("value", "null", '{"!bytes":""}'),
        "null to a text of an empty list": ("value", "null", '"[]"'),
        "a key with null went": ("value", '{"a":null}', "{}"),
        "a key with an empty list came": ("value", "{}", '{"a":[]}'),
        "an item went": ("value", "[null,[]]", "[[]]"),
        "an item came in front": ("value", "[[]]", "[null,[]]"),
        "behind an inserted item, where it is no longer the same place": ("value", "[1,null,2]", "[0,1,[],2]"),
        "an empty list emptied no null": ("value", '{"a":[1],"b":null}', '{"a":[],"b":null}'),
        "outcomes": ("ok", '{"returned":{"a":null}}', '{"raised":"a.B"}'),
        "a field the row does not read": ("exc.msg", "null", "[]"),
        "words, not JSON": ("stdout", '"a: null"', '"a: []"'),
        "a subclass with items": ("value", "null", '{"!sub":["A",[1]]}'),
    },
    "key-order": {
        "order of a list": ("value", "[1,2]", "[2,1]"),
        "order of a printed list": ("stdout", '"[1, 2]"', '"[2, 1]"'),
        "order of a tuple": ("stdout", '"(1, 2)"', '"(2, 1)"'),
        "a list inside an object": ("stdout", r'"{\"a\": [1, 2]}"', r'"{\"a\": [2, 1]}"'),
        "order and a value": ("stdout", '"{1: 2, 3: 4}"', '"{3: 4, 1: 5}"'),
        "order and spacing": ("stdout", '"{1:2,3:4}"', '"{3: 4, 1: 2}"'),
        "order and a space": ("stdout", '"{1, 2}"', '"{2,1}"'),
        "texts that say the same": ("value", "[1,2]", "[1, 2]"),
        "only spacing": ("stdout", '"{ a}"', '"{a }"'),
        "values swapped": ("stdout", '"{1: 2, 3: 4}"', '"{1: 4, 3: 2}"'),
        "words": ("stdout", '"b, a"', '"a, b"'),
        "never closed": ("stdout", '"{a, b"', '"{b, a"'),
        "inside quotes": ("value", r'"{\"a\": \"x,y\"}"', r'"{\"a\": \"y,x\"}"'),
        "pairs with another value": ("value", '{"!dict":[[1,2],[3,4]]}', '{"!dict":[[3,4],[1,5]]}'),
        "pairs of two values of one key": ("value", '{"!dict":[[1,2],[1,3]]}', '{"!dict":[[1,3],[1,2]]}'),
        "order in one place, a number in another": ("value", '["{1, 2}",1]', '["{2, 1}",2]'),
        "environment names": ("effects.env", '["A","B"]', '["B","A"]'),
    },
    "unicode-form": {
        "another accent": ("value", '"café"', r'"cafe\u0300"'),
        "accent dropped": ("value", '"café"', '"cafe"'),
        "form and another change": ("value", '{"n":1,"s":"é"}', r'{"n":2,"s":"e\u0301"}'),
        "form and another letter": ("value", '"éa"', r'"e\u0301b"'),
        "form and a newline": ("stdout", '"é"', r'"e\u0301\n"'),
        "form and a new key": ("value", '{"a":"é"}', r'{"a":"e\u0301","b":1}'),
        "form and a lost item": ("value", '["é",1]', r'["e\u0301"]'),
        "case": ("value", '"É"', '"é"'),
        "zero-width space": ("value", '"ab"', r'"a\u200bb"'),
        "a ligature": ("value", r'"\ufb01n"', '"fin"'),
        "full width": ("value", r'"\uff21\uff11"', '"A1"'),
        "full-width digits": ("value", '"0.5"', r'"\uff10.5"'),
        "no-break space": ("value", r'"a\u00a0b"', '"a b"'),
        "superscript": ("value", r'"x\u00b2"', '"x2"'),
        "ellipsis": ("value", r'"\u2026"', '"..."'),
        "homoglyph": ("value", '"a"', r'"\u0430"'),
        "a key and its value": ("value", '{"é":1}', r'{"e\u0301":2}'),
        "two keys became one": ("value", r'{"e\u0301":1,"é":1}', '{"é":1}'),
        "two forms became a third": ("value", r'{"\u212b":1,"A\u030a":1}', r'{"\u00c5":1}'),
        "text to bytes": ("value", '"é"', r'{"!bytes":"e\\xcc\\x81"}'),
        "a type's name": ("type", '"pkg.É"', r'"pkg.E\u0301"'),
        "dotless i": ("value", '"i"', '"ı"'),
    },
    "newline-function": {
        "in the middle": ("stdout", r'"a\nb"', r'"a\n\nb"'),
        "in front": ("stdout", '"a"', r'"\na"'),
        "a space at the end": ("stdout", '"a"', '"a "'),
        "a newline and a space": ("stdout", '"a"', r'"a \n"'),
        "a line": ("stdout", '""', r'"line\n"'),
        "carriage return alone": ("stdout", '"a"', r'"a\r"'),
        "line ends of Windows": ("stdout", r'"a\n"', r'"a\r\n"'),
        "newline and a change": ("stdout", '"a"', r'"b\n"'),
        "in a value": ("value", '"a"', r'"a\n"'),
        "on stderr": ("stderr", '"a"', r'"a\n"'),
        "another line separator": ("stdout", '"a"', r'"a\u2028"'),
        "written as letters": ("stdout", '"a"', r'"a\\n"'),
        "text became bytes": ("stdout", '"a"', r'{"!bytes":"\\xff\\x0a"}'),
        "bytes that spell a newline": ("stdout", r'{"!bytes":"\\xff"}', r'{"!bytes":"\\xff\\\\x0a"}'),
    },
    "environment-read": {
        "reads less": ("effects.env", '["HOME"]', "[]"),
        "reads one name instead of all": ("effects.env", '["*"]', '["HOME"]'),
        "a name that is set, not read": ("effects.env", "[]", '["HOME="]'),
        "another effect": ("effects.files", "[]", '["/etc/hosts"]'),
        "network": ("effects.net", "[]", '["connect 10.0.0.1:80"]'),
        "a value that looks so": ("value", "[]", '["HOME"]'),
        "no list": ("effects.env", '"A"', '"B"'),
    },
    "float-text": {
        "another number": ("value", "0.1", "0.2"),
        "a value rounded by round()": ("value", "3.141592653589793", "3.14"),
        "a value rounded to one digit": ("value", "0.15000000000000002", "0.2"),
        "two thirds": ("value", "0.6666666666666666", "0.7"),
        "two thirds in the payload": ("arg", '{"a":0.6666666666666666}', '{"a":0.667}'),
        "two thirds as a text": ("value", '"0.6666666666666666"', '"0.67"'),
        "beyond print precision": ("value", "0.30000000000000004", "0.31"),
        "fewer digits of a short number": ("value", "0.31", "0.3"),
        "rounded the wrong way": ("value", "0.3366666666666667", "0.33"),
        "padded, then rounded": ("stdout", '"0.310000000000000"', '"0.3"'),
        "a cent": ("value", "1000000000.01", "1000000000.02"),
        "an integer": ("value", "1.0", "1"),
        "two integers": ("value", "1", "2"),
        "integers in a text": ("stdout", '"10"', '"010"'),
        "zero": ("stdout", '"0.000000"', '"0.0000001"'),
        "rounded to nothing": ("stdout", '"0.001234567890123456"', '"0.00"'),
        "rounded to an integer": ("stdout", '"3.141592653589793"', '"3"'),
        "sign of zero": ("value", "0.0", "-0.0"),
        "sign": ("value", "0.5", "-0.5"),
        "not a number": ("value", '{"!float":"nan"}', "0.0"),
        "infinity": ("value", '{"!float":"inf"}', '{"!float":"-inf"}'),
        "precision and another word": ("stdout", '"sum 0.30"', '"Sum 0.3"'),
        "precision here, a number there": ("value", "[0.30000000000000004,1]", "[0.3,2]"),
        "a version": ("stdout", '"1.10.0"', '"1.1.0"'),
        "a name with digits": ("stdout", '"v1.10"', '"v1.1"'),
        "decimal is exact": ("value", '{"!decimal":"0.10"}', '{"!decimal":"0.1"}'),
        "number to text": ("value", "0.5", '"0.5"'),
        "true": ("value", "1.0", "true"),
        "more numbers": ("stdout", '"0.10"', '"0.1 0.2"'),
        "digits of another script": ("value", '"0.50"', r'"\u0660.\u0665"'),
        "underflow": ("stdout", '"1e-999"', '"0.5"'),
        "overflow": ("stdout", '"1e999"', '"2e999"'),
    },
}
# A near miss of one rule that another rule rightly takes.
OTHERS = {
    "trailing newline in a value that is JSON": ("value", r'"{\"a\":null}"', r'"{\"a\":[]}\n"', "null-empty", "reject"),
    "null beside a Unicode form": ("value", '["é",null]', r'["e\u0301",[]]', "null-empty", "reject"),
    "null beside order": ("value", '{"!dict":[[1,null],[2,3]]}', '{"!dict":[[2,3],[1,{}]]}', "null-empty", "reject"),
    "null beside float text": ("value", "[0.30000000000000004,null]", "[0.3,[]]", "null-empty", "reject"),
}


def cases(groups):
    return [pytest.param(rule, *case, id=f"{rule}: {name}") for rule, group in groups.items() for name, case in group.items()]


def found(field, baseline, candidate, kind="function", **more):
    return label(subject(target_kind=kind, field=field, baseline=baseline, candidate=candidate), **more)


@pytest.mark.parametrize(("rule", "field", "baseline", "candidate"), cases(SILENT))
def test_near_miss_is_no_rules_business(rule, field, baseline, candidate):
    finding = found(field, baseline, candidate)
    assert (finding.rule, finding.label, finding.reason, finding.failed) == (None, "abstain", NOTHING_APPLIES, ())


@pytest.mark.parametrize(("field", "baseline", "candidate", "rule", "said"), OTHERS.values(), ids=OTHERS)
def test_another_rule_takes_it(field, baseline, candidate, rule, said):
    finding = found(field, baseline, candidate)
    assert (finding.rule, finding.label) == (rule, said)


@pytest.mark.parametrize("case", SILENT["newline-function"].values(), ids=SILENT["newline-function"])
def test_near_miss_of_a_newline_is_one_for_commands_too(case):
    assert found(*case, kind="command").rule is None


def test_every_row_has_near_misses():
    assert {*SILENT, "newline-command"} == {row.id for row in prompts.load_table()}
