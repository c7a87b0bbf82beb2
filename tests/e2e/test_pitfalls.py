r"""What made other gates say "equal", "different" or nothing at all when they should not have: one project, one run.

Each case is what the baseline does and what the candidate does, and what the report must say of it. Where each was
seen is in ``docs/explanation/pitfalls.md``. All of them run in one batch, and in strict mode.
"""

import json

import pytest

from tests.e2e.command import FLAGS, report, shadow, two_sides

PRELUDE = """
import asyncio, collections, datetime, decimal, enum, hashlib, os, pickle, random, signal, sys, threading, time, traceback, types, uuid
import odd, odder, family

class Colour(enum.IntEnum):
    RED = 1
class Plain:
    def __init__(self, x): self.x = x
class Evil:
    def __init__(self): self.x = 1
    def __reduce__(self): return (os.system, ("touch /tmp/unpickled",))
class Unpicklable(Exception):
    def __reduce__(self): raise TypeError("not to be pickled")
    def __init__(self, one, two): super().__init__(one)
def cycle(last):
    x = [1, {}]; x[1]["me"] = x; x.append(last); return x
def deep(end):
    for _ in range(10000): end = [end]
    return end
def shout(text): raise ValueError(text)
def wrapped(outer):
    try: raise KeyError("k")
    except KeyError as exc:
        if outer: raise ValueError("v") from exc
        raise
def stop(): os.kill(os.getpid(), signal.SIGSEGV)
def here():
    try: raise ValueError
    except ValueError: return traceback.format_exc()
def left():
    depth = 0
    def down():
        nonlocal depth
        depth += 1
        down()
    try: down()
    except RecursionError: pass
    return depth
def threads_of(x):
    t = threading.Thread(target=lambda: None); t.start(); t.join(); return x
"""
ODD = "class Bad(Exception): pass\nclass Thing:\n    def __init__(self): self.x = 1\n"
FAMILY = "class Base(Exception): pass\nclass Narrow(Base): pass\n"

# {case: (baseline, candidate, {field: (baseline text, candidate text) or None for any} that diverge, rules that smoothed)}
ROW = {"value": None}
CASES = {
    # values and ordering
    "sets with a partial order only": ("{frozenset({i, 99}) for i in range(9)}", "{frozenset({99, i}) for i in range(8, -1, -1)}", {}, ()),
    "a list in another order": ("[[1], [2]]", "[[2], [1]]", ROW, ()),
    "the order of a list shown as a set would be": ("['b', 'a']", "sorted(['b', 'a'])", ROW, ()),
    "the order of keys": ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", {}, ("key-order",)),
    "the order of keys shown as text": ("str({'a': 1, 'b': 2})", "str({'b': 2, 'a': 1})", ROW, ()),
    "tuple and list": ("(1, 2)", "[1, 2]", {"value": ('{"!tuple":[1,2]}', "[1,2]")}, ()),
    "number as key and its text": ("{1: 'x'}", "{'1': 'x'}", ROW, ()),
    "keys with equal hashes": ("{True: 'x'}", "{1: 'x'}", ROW, ()),
    "null as key and its text": ("{None: 'x'}", "{'null': 'x'}", ROW, ()),
    "NaN deep inside": ("[{'a': (float('nan'),)}]", "[{'a': (float('inf') - float('inf'),)}]", {}, ()),
    "signs of zero": ("[0.0]", "[-0.0]", ROW, ()),
    "one and true": ("1", "True", {"value": ("1", "true")}, ()),
    "one and one point zero": ("1", "1.0", {"value": ("1", "1.0")}, ()),
    "an enumeration's member and its number": ("Colour.RED", "1", ROW, ()),
    "the last bit of a float": ("0.1 + 0.2", "0.3", {"value": ("0.30000000000000004", "0.3")}, ()),
    "past two to the fifty-third": ("2 ** 53 + 1", "2 ** 53", ROW, ()),
    "more digits than str() takes": ("10 ** 6000", "10 ** 6000 + 1", ROW, ()),
    "equal with more digits than str() takes": ("10 ** 6000", "10 ** 5999 * 10", {}, ()),
    "the end of a deep value": ("deep(1)", "deep(2)", ROW, ()),
    "equal cycles": ("cycle(1)", "cycle(1)", {}, ()),
    "unequal cycles": ("cycle(1)", "cycle(2)", ROW, ()),
    "None and its text": ("None", "'None'", {"value": ("null", '"None"')}, ()),
    "bytes and their repr": ("b'x'", "\"b'x'\"", ROW, ()),
    "what JSON cannot hold": ("decimal.Decimal('1.0')", "decimal.Decimal('1.00')", ROW, ()),
    "dates": ("datetime.date(2026, 1, 2)", "datetime.date(2026, 1, 3)", ROW, ()),
    "a naive and an aware moment": ("datetime.datetime(2026, 1, 2)", "datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)", ROW, ()),
    "keys that cannot be sorted": ("{1: 1, 'a': 2}", "{1: 1, 'a': 3}", ROW, ()),
    "two hexadecimal numbers": ("'0xff0000'", "'0x00ff00'", ROW, ()),
    "two addresses": ("'<Foo object at 0x7F12ab34cd50>'", "'<Foo object at 0x7f12ab34ce60>'", {}, ("object-ids",)),
    "two paths": ("'/tmp/x'", "'/tmp/aws_secret_key.txt'", ROW, ()),
    "a generator": ("(i for i in range(3))", "(i for i in range(4))", ROW, ()),
    "a generator and its list": ("(i for i in [1])", "[1]", ROW, ()),
    "types of one name": ("odd.Thing()", "odder.Thing()", ROW, ()),
    "a hash that the interpreter salts": ("hash('abc')", "hash('ab' + 'c')", {}, ()),
    # text and bytes
    "ends of lines": ("'a\\r\\nb'", "'a\\nb'", ROW, ()),
    "a newline at the end": ("'a\\n'", "'a'", ROW, ()),
    "a newline at the start": ("'\\na'", "'a'", ROW, ()),
    "a blank at the end": ("'a '", "'a'", ROW, ()),
    "a byte order mark": ("'\\ufeffa'", "'a'", {"value": ('"\\ufeffa"', '"a"')}, ()),
    "no width": ("'a\\u200bb'", "'ab'", {"value": ('"a\\u200bb"', '"ab"')}, ()),
    "writing direction": ("'a\\u202eb'", "'ab'", {"value": ('"a\\u202eb"', '"ab"')}, ()),
    "a blank that is none": ("'1\\u202f000'", "'1\\xa0000'", {"value": ('"1\\u202f000"', '"1\\u00a0000"')}, ()),
    "composed and decomposed": ("'\\xe9'", "'e\\u0301'", {"value": ('"\u00e9"', '"e\\u0301"')}, ()),
    "two halves of characters": ("'\\ud800'", "'\\ud801'", {"value": ('"\\ud800"', '"\\ud801"')}, ()),
    "half a character and its replacement": ("'\\ud800'", "'\\ufffd'", ROW, ()),
    "two halves and the whole": ("'\\ud83d' + '\\ude00'", "'\\U0001f600'", ROW, ()),
    "colours": ("'\\x1b[31mred\\x1b[0m'", "'red'", {"value": ('"\\u001b[31mred\\u001b[0m"', '"red"')}, ()),
    "colours only on a terminal": ("sys.stdout.isatty() or os.isatty(1)", "False", {}, ()),
    "printed nothing and a newline": ("print('', end='')", "print()", {"stdout": ('""', '"\\n"')}, ()),
    # how it ends
    "an exception and what wraps it": ("wrapped(False)", "wrapped(True)", {"exc.type": ('"KeyError"', '"ValueError"')}, ()),
    "exceptions of one name": ("exec('raise odd.Bad()')", "exec('raise odder.Bad()')", {"exc.module": ('"odd"', '"odder"')}, ()),
    "an exception and its base": ("exec('raise family.Base()')", "exec('raise family.Narrow()')", {"exc.type": ('"Base"', '"Narrow"')}, ()),
    "an exception that cannot be pickled": ("exec('raise Unpicklable(1, 2)')", "exec('raise Unpicklable(1, 3)')", {}, ()),
    "a value that does harm when it is unpickled": ("Evil()", "Evil()", {}, ()),
    "the value of an error": ("TypeError('x')", "exec('raise TypeError(\"x\")')", {"ok": None}, ()),
    "an exit that reports success": ("sys.exit(0)", "None", {"ok": ('{"exited":0}', '{"returned":null}')}, ()),
    "Ctrl-C from inside": ("exec('raise KeyboardInterrupt')", "1", {"ok": ('{"raised":"builtins.KeyboardInterrupt"}', '{"returned":1}')}, ()),
    "a crash of the baseline": ("stop()", "1", {"ok": ('{"signalled":"SIGSEGV"}', '{"returned":1}')}, ()),
    "a crash of both": ("stop()", "stop()", {}, ()),
    "a long message": ("shout('x' * 600000)", "shout('x' * 600000)", {}, ()),
    # what stands around
    "where the side lies": ("here()", "here()", {}, ("temp-root",)),
    "how deep it may go": ("left()", "left()", {}, ()),
    "the argument is changed": ("p.append(1)", "p.append(2)", {"arg": None}, ()),
    "the argument of one side is changed": ("p.append(1)", "None", {"arg": None}, ()),
    "the environment is read": ("1", "os.environ.get('HOME') and 1", {"effects.env": ("[]", '["HOME"]')}, ()),
    "the user's environment": ("sorted(os.environ)", "sorted(os.environ)", {}, ()),
    "what the time is": ("time.time(), datetime.datetime.now()", "time.time(), datetime.datetime.now()", {}, ()),
    "chance": ("random.random(), uuid.uuid4(), os.urandom(4)", "random.random(), uuid.uuid4(), os.urandom(4)", {}, ()),
    "the zone of the machine": ("time.localtime(0).tm_hour, time.tzname", "0, ('UTC', 'UTC')", {}, ()),
    "a thread that came and went": ("threads_of(1)", "threads_of(1)", {}, ()),
}  # fmt: skip
# Of the cases that match, each once more beside a candidate that does something else: that they agree says nothing if neither got there.
WITNESS = {case: what for case, what in CASES.items() if not what[2]}
ENDS_OTHERWISE = {"an exception that cannot be pickled", "a crash of both", "a long message"}
IDS = {case: f"{number:02}" for number, case in enumerate(CASES)}


def module(side):
    """One function a case; `p` is what the payload has beside the case's number."""
    made = [PRELUDE, "def run(p):\n    return globals()['case_' + p.pop(0)](p)\n"]
    for case, what in CASES.items():
        made.append(f"def case_{IDS[case]}(p):\n    return {what[side]}\n")
        made.append(f"def case_{IDS[case]}_witness(p):\n    return {what[0] if side == 0 else ['something else']}\n")
    return "\n".join(made)


@pytest.fixture(scope="module", params=[(), ("--strict",)], ids=["default", "strict"])
def said(request, tmp_path_factory):
    """The report of the run."""
    root = tmp_path_factory.mktemp("pitfalls")
    names = [*IDS.values(), *(f"{IDS[case]}_witness" for case in WITNESS)]
    two_sides(root, module(0), module(1), {f"{name}.json": json.dumps([name, float("nan")]) for name in names})
    for side in "bc":
        for name, text in (("odd", ODD), ("odder", ODD), ("family", FAMILY)):
            (root / side / f"{name}.py").write_text(text)
    env = {
        "TZ": "America/Los_Angeles",
        "PYTHONHASHSEED": "7",
        "PYTHONWARNINGS": "error",
        "LC_ALL": "C",
        "COLUMNS": "20",
        "FORCE_COLOR": "1",
    }
    done = shadow("compare", *FLAGS, *request.param, cwd=root, env=env)
    assert done.returncode in (1, 3), done.stdout + done.stderr  # 3: what the witnesses are held against hangs on clock, seed and folder
    assert (root / "r.json").stat().st_size < 100_000
    return report(root)


def of(said, name):
    """{field: texts} that diverge, and the rules that smoothed."""
    found = {one["field"]: (one["baseline"], one["candidate"]) for one in said["divergences"] if one["id"] == f"{name}.json"}
    return found, tuple(rule for one in said["smoothed"] if one["id"] == f"{name}.json" for rule in one["rules"])


@pytest.mark.parametrize("case", CASES)
def test_pitfall(said, case):
    _, _, rows, rules = CASES[case]
    found, smoothed = of(said, IDS[case])
    assert (found.keys(), smoothed) == (rows.keys(), rules)
    for field, texts in rows.items():
        assert texts in (None, found[field])
        assert found[field][0] != found[field][1]


@pytest.mark.parametrize("case", WITNESS)
def test_what_agrees_got_where_it_should(said, case):
    name = f"{IDS[case]}_witness"
    impure = {(one["field"]) for one in said["impure"] if one["id"] == f"{name}.json"}
    assert of(said, name)[0].keys() | impure == ({"ok"} if case in ENDS_OTHERWISE else {"value"})


def test_nothing_is_passed_over(said):
    counts = said["counts"]
    assert (counts["fixtures"], counts["error"], counts["undecided"]) == (len(CASES) + len(WITNESS), 0, 0)
    assert counts["match"] == len(WITNESS)
    assert {one["id"] for one in said["impure"]} <= {f"{IDS[case]}_witness.json" for case in WITNESS}
