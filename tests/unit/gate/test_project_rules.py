"""Rules of the project: what `canonicalize.py` may say, and every way in which it can be wrong."""

import os
import sys
from pathlib import Path

import pytest

from gate.canonical import rule_process
from gate.canonical.contract import contract_rules
from gate.compare import compare_import
from gate.config import settings_from_json, settings_json
from gate.errors import ProjectRulesError, RuleError, WorkerError
from gate.types import GATED
from tests.unit.gate.comparing import ROOTS, raised, returned, rows, wire
from tests.unit.gate.project_rules import HEAD, between, opened, settings_of
from tests.unit.gate.test_worker_versions import VERSIONS, find

BUILD = '@rule("build", path="/b")\ndef build(value): return "<b>"\n'


def hidden(result):
    return [(one.field, one.rules, [str(path) for path in one.paths]) for one in result.smoothed]


# -- what it does ---------------------------------------------------------------------------------------------

DOES = [
    ("a place", BUILD, returned({"b": 1, "c": 1}), returned({"b": 2, "c": 1}), [("value", ("build",), ["/b: 1 -> 2"])]),
    ("every place", '@rule("x", path="/*/b")\ndef x(v): return v.lower()\n', returned([{"b": "A"}, {"b": "c"}]), returned([{"b": "a"}, {"b": "C"}]), [("value", ("x",), ['/0/b: "A" -> "a"', '/1/b: "c" -> "C"'])]),
    ("the whole value", '@rule("x")\ndef x(v): return None\n', returned([1]), returned([2]), [("value", ("x",), ["/0: 1 -> 2"])]),
    ("under a tag", '@rule("x", path="/0")\ndef x(v): return {"!tuple": sorted(v["!tuple"])}\n', returned([{"!tuple": [2, 1]}]), returned([{"!tuple": [1, 2]}]), [("value", ("x",), ["/0/!tuple/0: 2 -> 1", "/0/!tuple/1: 1 -> 2"])]),
    ("tags are seen", '@rule("x", path="/0/!decimal")\ndef x(v): return v.rstrip("0")\n', returned([{"!decimal": "1.10"}]), returned([{"!decimal": "1.1"}]), [("value", ("x",), ['/0/!decimal: "1.10" -> "1.1"'])]),
    ("a message", 'import re\n@rule("x", field="exc.msg")\ndef x(v): return re.sub(r"\\d+", "<n>", v)\n', raised(msg="at 12"), raised(msg="at 7"), [("exc.msg", ("x",), ['/: "at 12" -> "at 7"'])]),
    ("output", '@rule("x", field="stdout")\ndef x(v): return v.lower()\n', wire(returned(1), b"A"), wire(returned(1), b"a"), [("stdout", ("x",), ['/: "A" -> "a"'])]),
    ("bytes of output", '@rule("x", field="stdout")\ndef x(v): return "" if isinstance(v, dict) else v\n', wire(returned(1), b"\xff"), wire(returned(1), b""), [("stdout", ("x",), ['/: {"!bytes":"\\\\xff"} -> ""'])]),
    ("effects", '@rule("x", field="effects.files", path="/*")\ndef x(v): return v[:5]\n', returned(1, files=["write /a"]), returned(1, files=["write /b"]), [("effects.files", ("x",), ['/0: "write /a" -> "write /b"'])]),
    ("effects as a list", '@rule("x", field="effects.files")\ndef x(v): return []\n', returned(1, files=["write /a"]), returned(1, files=["write /b", "write /c"]), [("effects.files", ("x",), ['/0: "write /a" -> "write /b"', '/1: (absent) -> "write /c"'])]),
    ("an argument", '@rule("x", field="arg", path="/t")\ndef x(v): return 0\n', returned(1, arg={"t": 1}), returned(1, arg={"t": 2}), [("arg", ("x",), ["/t: 1 -> 2"])]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "one", "other", "listed"), [pytest.param(*case[1:], id=case[0]) for case in DOES])
def test_a_rule_hides_a_difference_and_is_listed_for_it(tmp_path, source, one, other, listed):
    with opened(tmp_path, source) as rules:
        result = between(rules, one, other)
        assert (result.status, result.divergences, result.noted, hidden(result)) == ("match", (), (), listed)
        assert result.fired == listed[0][1]
    without = between([rule for rule in rules if rule.place is None], one, other)
    assert without.divergences or without.noted


def test_what_it_does_not_make_equal_is_a_row_with_what_it_made(tmp_path):
    with opened(tmp_path, '@rule("x", path="/t")\ndef x(v): return v.strip()\n') as rules:
        result = between(rules, returned({"t": " a "}), returned({"t": " b"}))
    assert rows(result.divergences) == [("value", '{"t":"a"}', '{"t":"b"}')]
    assert result.fired == ("x",)


def test_it_sees_texts_behind_the_named_rules_and_its_lists_and_keys_are_put_in_order(tmp_path):
    source = '@rule("x", path="/t")\ndef x(v): return v if isinstance(v, dict) else {"z": v.upper(), "a": 1}\n'
    with opened(tmp_path, source) as rules:
        result = between(rules, returned({"t": f"{ROOTS[0]}/f", "b": 1}), returned({"t": f"{ROOTS[1]}/F", "b": 2}))
    assert rows(result.divergences) == [("value", '{"b":1,"t":{"a":1,"z":"<TEMP>/F"}}', '{"b":2,"t":{"a":1,"z":"<TEMP>/F"}}')]


def test_a_rule_of_another_target_is_not_asked(tmp_path):
    with opened(tmp_path, '@rule("x", target="two")\ndef x(v): raise SystemExit\n', targets=("one", "two")) as rules:
        assert [(rule.name, rule.target) for rule in rules if rule.place] == [("x", "two")]


def test_where_a_rule_is_written(tmp_path):
    with opened(tmp_path, "\n" + BUILD) as rules:
        (rule,) = [rule for rule in rules if rule.place]
    assert str(rule.place).endswith("shadow/canonicalize.py:3")


def test_without_the_path_nothing_is_asked(tmp_path):
    with opened(tmp_path, '@rule("x", path="/nowhere")\ndef x(v): raise ValueError\n') as rules:
        result = between(rules, returned({"a": 1}), returned({"a": 2}))
    assert (result.status, result.fired) == ("diverging", ())


def test_a_file_without_rules_is_no_fault(tmp_path):
    with opened(tmp_path, "") as rules:
        assert [rule for rule in rules if rule.place] == []


def test_without_a_file_no_process_and_no_module_of_it(tmp_path):
    settings = settings_of(tmp_path, "", canonicalize=None)
    with contract_rules(settings, tmp_path / "nowhere") as rules:
        assert {rule.name for rule in rules} == {"key-order", "object-ids", "temp-root"}


def test_processes_end_with_the_context_whatever_ends_it(tmp_path):
    def children():
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split())

    before = children()
    started = []

    def interrupted():
        with opened(tmp_path, BUILD) as rules:
            between(rules, returned({"b": 1}), returned({"b": 2}))
            started.extend(children() - before)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (len(started), children()) == (2, before)


@pytest.mark.parametrize("version", VERSIONS)
def test_rules_run_under_the_interpreter_of_the_run(tmp_path, version):
    found = find(version)
    if found is None:
        pytest.skip(f"no CPython {version} on this machine: rules were NOT tried under it")
    source = 'import sys, re, datetime\n@rule("x")\ndef x(v): return "%d.%d" % sys.version_info[:2]\n'
    with opened(tmp_path, source, python=str(found.executable)) as rules:
        assert hidden(between(rules, returned(1), returned([2]))) == [("value", ("x",), ["/: 1 -> [2]"])]
        rule = next(rule for rule in rules if rule.place)
        assert rule.apply(0, "0", None) == version


# -- what is wrong with the file ------------------------------------------------------------------------------

FUNCTION = "\ndef f(v): return v\n"
FAULTS = [
    ("it does not parse", "def\n", 2, "does not parse", "mend"),
    ("it raises", "1/0\n", 2, "ZeroDivisionError", "mend"),
    ("it raises further down", "def g():\n    raise KeyError('x')\ng()\n", 3, "KeyError: 'x'", "mend"),
    ("it ends the process", "raise SystemExit(3)\n", 2, "SystemExit: 3", "mend"),
    ("it imports what is beside it", "import helper\n", 2, "ModuleNotFoundError", "standard library"),
    ("it imports shadow", "import gate\n", 2, "ModuleNotFoundError", "standard library"),
    ("it reads a file", "open('/etc/hostname').read()\n", 2, "may not open '/etc/hostname'", "mend"),
    ("it lists a folder", "import os\nos.listdir('/')\n", 3, "may not list", "mend"),
    ("it writes into the library", "import os\nopen(os.__file__, 'a')\n", 3, "may not open", "mend"),
    ("it talks", "import socket\nsocket.create_connection(('127.0.0.1', 9))\n", 3, "may not use socket", "mend"),
    ("it starts a program", "import subprocess\nsubprocess.run(['true'])\n", 3, "may not use subprocess.Popen", "mend"),
    ("it forks", "import os\nos.fork()\n", 3, "may not use os.fork", "mend"),
    ("no name", "@rule()" + FUNCTION, 2, "a rule has one name", '@rule("build-id"'),
    ("two names", "@rule('a', 'b')" + FUNCTION, 2, "a rule has one name", '@rule("build-id"'),
    ("no call", "@rule" + FUNCTION, 2, "a rule has one name", '@rule("build-id"'),
    ("a number for a name", "@rule(3)" + FUNCTION, 2, "a rule has one name", '@rule("build-id"'),
    ("a bad name", "@rule('Build_Id')" + FUNCTION, 2, "'Build_Id' is no name", "lower-case"),
    ("a long name", "@rule('" + "a" * 61 + "')" + FUNCTION, 2, "is no name", "at most 60"),
    ("a name of ours", "@rule('key-order')" + FUNCTION, 2, "shadow has itself", "another name"),
    ("a beginning of ours", "@rule('drop')" + FUNCTION, 2, "shadow has itself", "another name"),
    ("a name twice", "@rule('a')" + FUNCTION + "@rule('a')" + FUNCTION, 4, "the rule of line 2", "of its own"),
    ("an unknown option", "@rule('a', feild='value')" + FUNCTION, 2, "unknown option feild", "did you mean `field`"),
    ("an unknown field", "@rule('a', field='stdot')" + FUNCTION, 2, "'stdot' is no field", "did you mean `stdout`"),
    ("a field that is a name", "@rule('a', field='exc.type')" + FUNCTION, 2, "no rule speaks about exc.type", "known: arg"),
    ("a field that is no text", "@rule('a', field=1)" + FUNCTION, 2, "field should be a text", "found: 1"),
    ("no path", "@rule('a', path=None)" + FUNCTION, 2, "path should be a text", "found: None"),
    ("a bad path", "@rule('a', path='b')" + FUNCTION, 2, "must start with /", "JSON pointer"),
    ("a path in a text", "@rule('a', field='stdout', path='/b')" + FUNCTION, 2, "stdout is one text", "take `path` out"),
    ("a path into what is put in order", "@rule('a', path='/l/0')" + FUNCTION, 2, "the path '/l/0' names a place", "`*`"),
    ("an unknown target", "@rule('a', target='mian')" + FUNCTION, 2, "no target 'mian'", "did you mean `main`"),
    ("no function", "rule('a')\n", 2, "has no function", '@rule("build-id"'),
    ("two arguments", "@rule('a')\ndef f(v, w): return v\n", 2, "takes one argument", "def build_id"),
    ("no function at all", "@rule('a')\nclass C:\n    def __init__(self): pass\n", 2, "takes one argument", "def build_id"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line", "what", "remedy"), [pytest.param(*case[1:], id=case[0]) for case in FAULTS])
def test_what_is_wrong_with_the_file_is_exit_2_with_its_line(tmp_path, source, line, what, remedy):
    with pytest.raises(ProjectRulesError) as caught, opened(tmp_path, source, rules=("unordered:/l",)):
        pass
    (fault,) = caught.value.faults
    assert (fault.place.file.rpartition("/")[2], fault.place.line) == ("canonicalize.py", line)
    assert what in fault.what
    assert remedy in fault.remedy
    assert caught.value.exit_code == 2


def test_all_faults_of_the_file_come_at_once(tmp_path):
    source = "@rule('A', feild=1)" + FUNCTION + "@rule('b', path='x', field='y', target='z')" + FUNCTION + "1/0\n"
    with pytest.raises(ProjectRulesError) as caught, opened(tmp_path, source):
        pass
    assert [fault.place.line for fault in caught.value.faults] == [2, 2, 4, 4, 4, 6]


def test_a_file_that_changed_behind_our_back_is_not_run(tmp_path):
    with pytest.raises(ProjectRulesError, match="was changed"), opened(tmp_path, "", canonicalize="0" * 64):
        pass


def test_a_file_that_never_ends_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(rule_process, "START_SECONDS", 0.2)
    with pytest.raises(RuleError, match=r"time limit.*while it was loaded"), opened(tmp_path, "while True: pass\n", seconds=0.1):
        pass


def test_a_file_that_kills_its_process_is_named(tmp_path):
    with pytest.raises(RuleError, match=r"canonicalize.py ended its process with status 5"), opened(tmp_path, "import os\nos._exit(5)\n"):
        pass


def test_an_interpreter_that_does_not_start_is_named(tmp_path):
    setup = rule_process.Setup(interpreter=tmp_path / "python", name="c.py", source=b"", folder=tmp_path, seconds=1.0, memory=1 << 30)
    with pytest.raises(WorkerError, match=r"does not start for c.py"):
        rule_process.Runner(setup).load()


def test_other_rules_under_another_hash_seed_are_refused(tmp_path):
    probe = '@rule("p%d" % abs(hash("shadow")))\ndef p(value): return value\n'
    with pytest.raises(RuleError, match="same rules every time"), opened(tmp_path, probe) as rules:
        next(rule for rule in rules if rule.place).apply([1], "[1]", None)


# -- what is wrong with a function ----------------------------------------------------------------------------

WRONG = [
    ("it raises", "def f(v): return v['x']", "raised TypeError", "(line 3)"),
    ("it exits", "def f(v): raise SystemExit(4)", "raised SystemExit: 4", "(line 3)"),
    ("it is interrupted", "def f(v): raise KeyboardInterrupt", "raised KeyboardInterrupt", "(line 3)"),
    ("its exception has no text", "class E(Exception):\n    def __str__(self): return 1\ndef f(v): raise E", None, None),
    ("it returns bytes", "def f(v): return b''", "no JSON: a value of type bytes", ""),
    ("it returns a tuple", "def f(v): return [(1, 2)]", "no JSON: a value of type tuple", ""),
    ("it returns NaN", "def f(v): return float('nan')", "no JSON: the float nan", ""),
    ("it returns infinity", "def f(v): return [-float('inf')]", "no JSON: the float -inf", ""),
    ("it returns integer keys", "def f(v): return {1: 2}", "no JSON: a key of type int", ""),
    ("it returns an object", "def f(v): return f", "no JSON: a value of type function", ""),
    ("it returns a coroutine", "async def f(v): return 1", "no JSON: a value of type coroutine", ""),
    ("it returns a list that holds itself", "def f(v):\n    a = [1, 2, 3]\n    a.append(a)\n    return a", "no JSON: a value of more than", ""),
    ("it returns too many digits", "def f(v): return 10 ** 200000", "no JSON: Exceeds the limit", ""),
    ("it returns what is too deep", "def f(v):\n    for _ in range(100000): v = [v]\n    return v", "no JSON: maximum recursion depth", ""),
    ("it is not idempotent", "def f(v): return [v]", "is not idempotent: its own answer [1] became [[1]] the second time", ""),
    ("it counts", "n = []\ndef f(v):\n    n.append(1)\n    return len(n)", "is not idempotent", ""),
    ("it hangs on the hash seed", "def f(v): return sorted({'a', 'b', 'c', 'd', 'e', 'f'}, key=hash)", "does not always give the same answer", ""),
    ("it remembers", "seen = []\ndef f(v):\n    if v not in seen and isinstance(v, int): seen.append(v)\n    return 's%d' % seen.index(v) if v in seen else v", "does not always give the same answer", ""),
    ("it opens a file", "def f(v): return open('/etc/hostname').read()", "may not open '/etc/hostname'", "(line 3)"),
    ("it needs too much memory", "def f(v): return len(bytearray(1 << 29))", "raised MemoryError", "(line 3)"),
    ("it ends the process", "import os\ndef f(v): os._exit(0)", "ended its process with status 0", ""),
    ("it dies", "import os\ndef f(v): os.kill(os.getpid(), 9)", "ended its process by signal 9", ""),
    ("it never ends", "def f(v):\n    while True: pass", "ran into the time limit", ""),
    ("it prints", "import os\ndef f(v):\n    print('x'); os.write(1, b'yy'); os.close(0)\n    return v['x']", "raised TypeError", ""),
]  # fmt: skip


@pytest.mark.parametrize(("function", "what", "more"), [pytest.param(*case[1:], id=case[0]) for case in WRONG])
def test_a_function_that_fails_is_an_error_of_the_fixture_and_hides_nothing(tmp_path, function, what, more):
    lines = function.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(("def f", "async def f")))
    lines.insert(at, "@rule('wrong', path='/*')")
    with opened(tmp_path, "\n".join(lines) + "\n", seconds=1.5 if what and "limit" in what else 10.0, memory_mib=256) as rules:
        result = between(rules, returned([1, 2]), returned([2, 1]))
        assert (result.status, result.smoothed, result.divergences) == ("error", (), ())
        assert f"canonicalize.py:{at + 2}: rule wrong " in result.cause
        assert what is None or what in result.cause
        assert more is None or more in result.cause
        # The next question is answered, whatever became of the process.
        again = between(rules, returned([1, 2]), returned([2, 1]))
        assert again.status == "error"


def test_a_function_that_cost_a_process_is_not_asked_again_and_others_are(tmp_path):
    source = "import os\n@rule('dies', path='/d')\ndef dies(v): os._exit(1)\n" + BUILD
    with opened(tmp_path, source) as rules:
        assert between(rules, returned({"d": 1}), returned({"d": 2})).status == "error"
        assert between(rules, returned({"b": 1}), returned({"b": 2})).status == "match"
        assert between(rules, returned({"d": 3}), returned({"d": 4})).cause.endswith("rule dies ended its process with status 1")


def test_an_answer_that_is_too_long_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(rule_process, "LARGEST_ANSWER", 1000)
    with opened(tmp_path, "@rule('x')\ndef x(v): return 'x' * 2000\n") as rules:
        assert "at most 1000 are read" in between(rules, returned(1), returned(2)).cause


def test_a_value_that_is_too_deep_to_ask_about_is_an_error(tmp_path):
    deep = "[" * 9000 + "1" + "]" * 9000
    records = [wire('{"out":"returned","type":"builtins.list","value":' + text + "}") for text in (deep, deep.replace("1", "2"))]
    with opened(tmp_path, "@rule('x')\ndef x(v): return v\n") as rules:
        result = between(rules, *records)
    assert result.status == "error"
    assert "deep" in result.cause


def test_effects_stay_a_list_of_texts(tmp_path):
    with opened(tmp_path, "@rule('x', field='effects.files')\ndef x(v): return 'none'\n") as rules:
        result = between(rules, returned(1, files=["write /a"]), returned(1, files=["write /b"]))
    assert (result.status, "a list of texts" in result.cause) == ("error", True)


def test_a_fault_at_import_is_borne_by_the_run(tmp_path):
    with opened(tmp_path, "@rule('x', field='stdout')\ndef x(v): return 1/0\n") as rules, pytest.raises(RuleError) as caught:
        compare_import(baseline={"stdout": "a"}, candidate={"stdout": "b"}, gated=frozenset(GATED), rules=rules)
    assert (caught.value.exit_code, caught.value.place.line) == (3, 2)
    assert "ZeroDivisionError: division by zero (line 3) (on @import)" in caught.value.what


def test_the_same_question_is_asked_once(tmp_path, monkeypatch):
    asked = []
    real = rule_process.Runner._answers
    monkeypatch.setattr(rule_process.Runner, "_answers", lambda self, rule, values: asked.append(values) or real(self, rule, values))
    with opened(tmp_path, BUILD) as rules:
        for _ in range(3):
            assert between(rules, returned({"b": 1}), returned({"b": 2})).status == "match"
        assert asked == [[1], [2]]
        monkeypatch.setattr(rule_process, "_KEPT", 1)
        between(rules, returned({"b": 1}), returned({"b": 3}))
        between(rules, returned({"b": 1}), returned({"b": 3}))
    assert asked == [[1], [2], [3], [1]]


# -- what runs in the process, here ---------------------------------------------------------------------------


@pytest.fixture
def child(monkeypatch):
    from gate.canonical import rule_child

    monkeypatch.setattr(rule_child, "registered", [])
    monkeypatch.setattr(rule_child, "functions", [])
    for name in (rule_child.MODULE, "canonicalize"):
        monkeypatch.setitem(sys.modules, name, None)
    return rule_child


def test_what_a_file_registers_in_the_words_of_the_protocol(child):
    source = b"from shadow_rules import rule\n@rule('a', path='/b', x=1)\ndef f(v): return v\n@rule\ndef g(v): return v\nrule('c')\n1/0\n"
    said = child.load("c.py", source)
    assert said["failed"] == {"line": 7, "what": "fails while it is loaded: ZeroDivisionError: division by zero"}
    assert [(one["line"], one["options"], one["applied"]) for one in said["rules"]] == [
        (2, {"path": "/b", "x": {"repr": "1"}}, True),
        (4, {}, True),
        (6, {}, False),
    ]
    assert child.load("c.py", b"def")["failed"] == {"line": 1, "what": "does not parse: invalid syntax"}
    assert child.load("c.py", b"compile('x x', 'other', 'exec')")["failed"]["line"] == 1


ANSWERS = [
    (lambda v: v.upper(), ["a", "b"], {"texts": ['"A"', '"B"']}),
    (lambda v: {"k": [v, 1, 1.5, None, True]} if isinstance(v, str) else v, ["a"], {"texts": ['{"k":["a",1,1.5,null,true]}']}),
    (lambda v: [v], [1], {"what": "is not idempotent: its own answer [1] became [[1]] the second time"}),
    (lambda v: v * 200, ["x"], {"what": 'is not idempotent: its own answer "' + "x" * 96 + '... became "' + "x" * 96 + "... the second time"}),
    (lambda v: {(): 1}, [1], {"what": "returned no JSON: a key of type tuple"}),
    (lambda v: float("inf"), [1], {"what": "returned no JSON: the float inf"}),
    (lambda v: b"", [1], {"what": "returned no JSON: a value of type bytes"}),
    (lambda v: {}[v], [1], {"what": "raised KeyError: 1"}),
]  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("function", "values", "said"), ANSWERS)
def test_answers_in_the_words_of_the_protocol(child, function, values, said, turned):
    assert child.answer(function, values, turned, "c.py") == said


def test_the_order_of_questions_is_turned(child):
    seen = []
    child.answer(lambda v: seen.append(v) or v, [1, 2], True, "c.py")
    assert seen == [2, 2, 1, 1]


# A process that was taken over may say anything.
TAKEN_OVER = """
import json, os, struct, sys
def read():
    length, = struct.unpack(">I", os.read(0, 4))
    data = b""
    while len(data) < length: data += os.read(0, length - len(data))
    return data
def write(data): os.write(1, struct.pack(">I", len(data)) + data)
HELLO = json.dumps({"rules": [{"line": 1, "names": ["x"], "options": {}, "applied": True, "takes_one": True}], "failed": None}).encode()
"""
LIES = [
    ("no object", "read(); read(); write(b'[]')", "an answer that is no object while it was loaded"),
    ("no JSON", "read(); read(); write(b'{')", "an answer that is no object while it was loaded"),
    ("too deep", "read(); read(); write(b'[' * 200000)", "an answer that is no object while it was loaded"),
    ("a hello without rules", "read(); read(); write(b'{}'); read()", "what it registers has no shape"),
    ("a hello with other rules", "read(); read(); write(HELLO.replace(b'1', b'null')); read()", "what it registers has no shape"),
    ("a hello that failed somehow", "read(); read(); write(HELLO.replace(b'null', b'3')); read()", "what it registers has no shape"),
    ("gone at once", "os._exit(3)", "ended its process with status 3 while it was loaded"),
    ("too few answers", "read(); read(); write(HELLO); read(); write(b'{\"texts\": []}'); read()", "rule x broke the protocol: not one answer for each question"),
    ("answers of another kind", "read(); read(); write(HELLO); read(); write(b'{\"texts\": [1, 2]}'); read()", "rule x broke the protocol: not one answer"),
    ("half an answer", "read(); read(); write(HELLO); read(); os.write(1, b'\\0\\0\\0\\x09{'); os._exit(0)", "rule x ended its process with status 0"),
    ("a text that is no JSON", "read(); read(); write(HELLO); read(); write(b'{\"texts\": [\"NaN\"]}'); read()", "rule x returned no JSON: "),
    ("no reading", "read(); read(); write(HELLO); import time; time.sleep(60)", "rule x ran into the time limit"),
    ("no end of the pipe", "read(); read(); write(HELLO); os.close(1); os.close(0); import time; time.sleep(60)", "rule x "),
]  # fmt: skip


@pytest.mark.parametrize(("acts", "said"), [pytest.param(*case[1:], id=case[0]) for case in LIES])
def test_what_a_process_says_is_checked(tmp_path, monkeypatch, acts, said):
    script = tmp_path / "child.py"
    script.write_text(TAKEN_OVER + acts + "\n", encoding="utf-8")
    monkeypatch.setattr(rule_process, "CHILD", script)
    monkeypatch.setattr(rule_process, "LAST_WORDS_SECONDS", 0.2)
    with pytest.raises(RuleError) as caught, opened(tmp_path, "#" * 300_000, seconds=1.0) as rules:
        next(rule for rule in rules if rule.place).apply(["x" * 300_000], "", None)
    assert said in caught.value.what


# -- groups ---------------------------------------------------------------------------------------------------


def counted(monkeypatch):
    asked = []
    real = rule_process.Runner._answers
    monkeypatch.setattr(rule_process.Runner, "_answers", lambda self, rule, values: asked.append(len(values)) or real(self, rule, values))
    return asked


def in_a_group(rules, pairs):
    """What `Comparer.ahead` does: everything once for its questions, then once for what comes of it."""
    with next(rule.runner for rule in rules if rule.runner).collecting():
        for one, other in pairs:
            between(rules, one, other)
    return [between(rules, one, other) for one, other in pairs]


def test_a_group_is_asked_at_once(tmp_path, monkeypatch):
    asked = counted(monkeypatch)
    with opened(tmp_path, BUILD + "@rule('two', path='/c')\ndef two(v): return 'c'\n") as rules:
        results = in_a_group(rules, [(returned({"b": at, "c": 0}), returned({"b": -at, "c": at})) for at in range(1, 51)])
    assert {(result.status, result.fired) for result in results} == {("match", ("build", "two"))}
    assert asked == [100, 51]


def test_what_fails_in_a_group_is_found_one_by_one(tmp_path, monkeypatch):
    asked = counted(monkeypatch)
    with opened(tmp_path, "@rule('x', path='/b')\ndef x(v): return 'b' if v != 7 else 1/0\n") as rules:
        results = in_a_group(rules, [(returned({"b": at}), returned({"b": -at})) for at in range(1, 11)])
    assert [at for at, result in enumerate(results, 1) if result.status == "error"] == [7]
    assert asked[0] == 20
    assert set(asked[1:]) == {1}


def test_a_group_that_costs_the_process_costs_it_once(tmp_path, monkeypatch):
    asked = counted(monkeypatch)
    with opened(tmp_path, "import os\n@rule('x', path='/b')\ndef x(v): return 'b' if v != 2 else os._exit(1)\n") as rules:
        pairs = [(returned({"b": at}), returned({"b": -at})) for at in (1, 2, 3)]
        results = in_a_group(rules, pairs)
    assert [result.status for result in results] == ["match", "error", "error"]
    assert asked == [6, 1, 1, 1]


def test_long_texts_are_asked_about_alone_each_time(tmp_path, monkeypatch):
    asked = counted(monkeypatch)
    with opened(tmp_path, BUILD) as rules:
        (result,) = in_a_group(rules, [(returned({"b": "x" * 9000}), returned({"b": "y" * 9000}))])
    assert (result.status, asked) == ("match", [1, 1])


# -- the contract ---------------------------------------------------------------------------------------------


def test_the_digest_goes_with_the_settings(tmp_path):
    settings = settings_of(tmp_path, HEAD)
    assert settings_from_json(settings_json(settings)).canonicalize == settings.canonicalize
    old = settings_json(settings)
    del old["canonicalize"]
    assert settings_from_json(old).canonicalize is None
