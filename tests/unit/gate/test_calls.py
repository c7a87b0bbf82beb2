"""What is wrong with a `.call.json`, or with the `call` of a line: said at once, with the line, before anything runs."""

import json

import pytest

from gate.corpus import calls, read
from gate.types import Target
from tests.unit.gate.corpora import faults_of, listed, put
from tests.unit.gate.loading import load_worker

APP = Target(name="t", entry="a:b", kind="asgi")
COMMAND = Target(name="t", entry="python -m a", kind="command", payload="bytes")

GOOD = {
    "nothing": {},
    "arguments": {"args": [1, {"a": None}], "kwargs": {"b": [{"!tuple": []}]}},
    "every key": {"args": [], "kwargs": {}, "now": 0, "env": {"A": "b", "C": None}, "files": {"a/b": "c"}, "stdin": "", "argv": ["-x"]},
    "a moment as text": {"now": "2026-01-31T12:00:00Z"},
    "a moment before the epoch": {"now": -1.5},
    "bytes": {"files": {"a": {"!bytes": "\\xff"}}, "stdin": {"!bytes": "\\\\"}},
    "two files in one folder": {"files": {"a/b": "", "a/c": "", "ab": ""}},
    "a key like a tag": {"args": [{"!dict": [["!x", 1]]}]},
}
BAD = {
    "unknown key": ('{\n "arg": []}', [("2", "unknown key: 'arg'")]),
    "two faults": ('{"kwarg": {},\n"now": true}', [("1", "unknown key: 'kwarg'"), ("2", "`now` should be a moment")]),
    "twice": ('{"args": [1], "args": [2]}', [("1", "has 'args' twice")]),
    "not JSON": ('{"args" 1}', [("", "is not JSON: Expecting ':' delimiter: line 1 column 9 (char 8)")]),
    "not UTF-8": (b'{"args": ["\xff"]}', [("", "is not UTF-8")]),
    "too deep": ('{"args": ' + "[" * 100_000 + "]" * 100_000 + "}", [("", "is nested too deep")]),
    "no object": ("[1]", [("", "a call should be an object")]),
    "args": ('{"args": {"a": 1}}', [("1", "`args` should be a list")]),
    "kwargs": ('{"kwargs": [1]}', [("1", "`kwargs` should be an object")]),
    "tag": ('{"args": [{"!tupel": []}]}', [("1", "`args` has the unknown tag '!tupel'")]),
    "tag inside a tag": ('{"kwargs": {"a": {"!set": [{"!x": 1}]}}}', [("1", "`kwargs` has the unknown tag '!x'")]),
    "tag beside a key": ('{"args": [{"!set": [], "a": 1}]}', [("1", "`args` has other keys beside the tag !set")]),
    "moment": ('{"now": "yesterday"}', [("1", "`now` is no moment: 'yesterday'")]),
    "moment in short": ('{"now": "20260131"}', [("1", "`now` is no moment: '20260131'")]),
    "no such day": ('{"now": "2026-02-30"}', [("1", "`now` is no moment: '2026-02-30'")]),
    "moment of no calendar": ('{"now": 1e30}', [("1", "`now` should be a moment")]),
    "nan": ('{"now": NaN}', [("1", "`now` should be a moment")]),
    "env": ('{"env": ["A"]}', [("1", "`env` should be an object")]),
    "names": ('{"env": {"": "a", "A=B": "c"}}', [("1", "`env` has a name that no variable can have: ''"), ("1", "`env` has a name that no variable can have: 'A=B'")]),
    "texts": ('{"env": {"A": 1, "B": "\\u0000"}}', [("1", "`env` should say a text for 'A'"), ("1", "`env` should say a text for 'B'")]),
    "files": ('{"files": []}', [("1", "`files` should be an object")]),
    "content": ('{"files": {"a": 1}}', [("1", "`files` 'a' should be a text or bytes")]),
    "a file below a file": ('{"files": {"a": "", "a/b": ""}}', [("1", "`files` has 'a/b' below another file")]),
    "stdin": ('{"stdin": ["a"]}', [("1", "`stdin` should be a text or bytes")]),
    "argv": ('{"argv": "-x"}', [("1", "`argv` should be a list of texts")]),
    "argv of numbers": ('{"argv": [1]}', [("1", "`argv` should be a list of texts")]),
}  # fmt: skip
LEAVING = ["/etc/passwd", "../a", "a/../../b", "a//b", "", ".", "a/", "~/a", "a\\u0000b"]


@pytest.mark.parametrize("plan", GOOD.values(), ids=GOOD)
def test_a_call_is_a_fixture_of_its_own_kind(tmp_path, plan):
    put(tmp_path, {"a.call.json": json.dumps(plan), "b.json": "1", "c/D.CALL.JSON": "{}"})
    assert [(item.id, item.kind) for item in listed(tmp_path)] == [("a.call.json", "call"), ("b.json", "json"), ("c/D.CALL.JSON", "call")]
    assert json.loads(read(listed(tmp_path).find("a.call.json")).payload) == plan


@pytest.mark.parametrize(("text", "faults"), BAD.values(), ids=BAD)
def test_every_fault_of_a_call_is_said_with_its_line(tmp_path, text, faults):
    put(tmp_path, {"a.call.json": text, "b.json": "1"})
    found = faults_of(tmp_path)
    assert [(place.partition("a.call.json")[2].removeprefix(":"), what) for place, what in found] == faults


@pytest.mark.parametrize("path", LEAVING)
def test_no_file_leaves_the_temp_root(tmp_path, path):
    put(tmp_path, {"a.call.json": f'{{"files": {{"{path}": ""}}}}'})
    [(_, what)] = faults_of(tmp_path)
    assert what.startswith("`files` names a path that is not below the temp root")


def test_the_faults_of_all_files_come_at_once(tmp_path):
    put(tmp_path, {"a.call.json": "{", "b.call.json": '{"agrs": 1}', "c.jsonl": '{"id": "x", "call": {"argw": []}}'})
    assert len(faults_of(tmp_path)) == 3


def test_a_near_key_is_named(tmp_path):
    assert next(calls.flaws(b'{"agrs": []}', "function"))[1].startswith("did you mean `args`?")
    assert next(calls.flaws(b'{"args": [{"!tuplet": 1}]}', "function"))[1].startswith("did you mean `!tuple`?")


@pytest.mark.parametrize(
    ("target", "text", "what"),
    [
        (COMMAND, '{"args": [1]}', "a command takes no `args`"),
        (COMMAND, '{"kwargs": {}}', "a command takes no `kwargs`"),
        (APP, '{"args": [{}], "argv": []}', "a web app takes no `argv`"),
        (APP, '{"args": [{}], "stdin": ""}', "a web app takes no `stdin`"),
        (APP, "{}", "`args` should hold the one request of a web app"),
        (APP, '{"args": [{}, {}]}', "`args` should hold the one request of a web app"),
        (APP, '{"args": ["/"]}', "`args` should hold the one request of a web app"),
    ],
)
def test_each_kind_of_target_takes_its_own_keys(tmp_path, target, text, what):
    put(tmp_path, {"a.call.json": text})
    assert [said for _, said in faults_of(tmp_path, target)] == [what]


def test_a_line_may_hold_a_call(tmp_path):
    lines = ['{"id": "p", "payload": "x"}', '{"id": "c", "call": {"args": [1]}}', '{"call":{},"id":"d"}']
    put(tmp_path, {"a.jsonl": "\n".join(lines), "b.txt": "y"})
    target = Target(name="t", entry="a:b", payload="text")
    items = list(listed(tmp_path, target))
    assert [(item.id, item.kind, read(item).payload) for item in items] == [
        ("a.jsonl#c", "call", b'{"args": [1]}'),
        ("a.jsonl#d", "call", b"{}"),
        ("a.jsonl#p", "text", b"x"),
        ("b.txt", "text", b"y"),
    ]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"id": "a", "call": {"argw": []}}', "unknown key: 'argw'"),
        ('{"id": "a", "call": 1}', "a call should be an object"),
        ('{"id": "a", "call": {}, "payload": 1}', "has both payload and call"),
        ('{"call": {}}', "has no id"),
        ('{"id": "a"}', "has no payload"),
    ],
)
def test_the_call_of_a_line_is_checked(tmp_path, line, what):
    put(tmp_path, {"a.jsonl": '{"id": "b", "payload": 1}\n' + line})
    [(place, said)] = faults_of(tmp_path)
    assert (place.endswith("a.jsonl:2"), said) == (True, what)


def test_what_is_checked_here_is_what_the_worker_makes():
    worker = load_worker()
    assert frozenset(worker._MAKERS) == calls.TAGS
