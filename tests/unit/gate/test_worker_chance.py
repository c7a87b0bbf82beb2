"""Clock and randomness of the worker, under each CPython it promises: frozen, seeded, and the same for a fixture wherever it runs."""

import datetime as dt
import importlib.util
import json
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gate.runner
from gate.runner import Pair
from gate.types import Conditions, Limits, Target, replace
from tests.unit.gate.pairing import fixture, open_pair, records, side
from tests.unit.gate.test_worker_versions import VERSIONS, find

# 2020-02-29 12:34:56.789012 UTC
NOW = 1582979696.789012
AROUND = Conditions(now=NOW, seed=7)

TARGET = """
from time import time as alias
from datetime import datetime as Then
import asyncio, datetime, email.utils, logging, os, pickle, random, secrets, socket, sys, tempfile, threading, time, uuid, warnings

AT_IMPORT = [Then.now().isoformat(), random.random(), uuid.uuid4().hex, os.urandom(2)]
OWN = random.Random(3)

class Sub(Then):
    pass

class Odd(Then):
    @classmethod
    def fromtimestamp(cls, *args):
        return "not asked"

class Zone(datetime.tzinfo):
    def fromutc(self, when): return when + datetime.timedelta(hours=1)
    def utcoffset(self, when): return datetime.timedelta(hours=1)
    def dst(self, when): return None
    def tzname(self, when): return "one"

class Kept:
    time, localtime, urandom = time.time, time.localtime, os.urandom

def warned():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        Then.utcnow()
    return [[one.category.__name__, str(one.message)[:17], os.path.basename(one.filename)] for one in seen]

async def late():
    start = time.monotonic()
    try:
        await asyncio.wait_for(asyncio.sleep(30), 0.05)
    except asyncio.TimeoutError:
        return 0.04 < time.monotonic() - start < 5

def socket_waits():
    one, other = socket.socketpair()
    one.settimeout(0.05)
    try:
        one.recv(1)
    except socket.timeout:
        return True

def logged():
    record = logging.LogRecord("n", 20, "p", 1, "m", (), None)
    return logging.Formatter("%(asctime)s").format(record)

def later(value):
    "Set the moment as a fixture of its own would."
    time.time.call.__closure__[0].cell_contents.set(value)
    return Then.now().isoformat()

def made():
    handle, path = tempfile.mkstemp(prefix="n")
    return os.path.basename(path)

def fresh():
    for name in ("random", "uuid", "_datetime", "datetime"):
        sys.modules.pop(name, None)
    import datetime, random, uuid
    return [datetime.datetime.now().isoformat(), random.random(), uuid.uuid1().hex]

def run(text):
    return eval(text)
"""

# {expression: the tree that it crosses as}
CLOCK = {
    "time.time()": NOW,
    "alias()": NOW,
    "Kept().time()": NOW,
    "time.time_ns()": 1582979696789012000,
    "list(time.gmtime()[:6])": [2020, 2, 29, 12, 34, 56],
    "list(time.localtime(None)[:6])": [2020, 2, 29, 12, 34, 56],
    "list(Kept().localtime()[:6])": [2020, 2, 29, 12, 34, 56],
    "list(time.gmtime(0)[:6])": [1970, 1, 1, 0, 0, 0],
    "time.ctime()": "Sat Feb 29 12:34:56 2020",
    "time.ctime(0)": "Thu Jan  1 00:00:00 1970",
    "time.asctime()": "Sat Feb 29 12:34:56 2020",
    "time.asctime(time.gmtime(0))": "Thu Jan  1 00:00:00 1970",
    "time.strftime('%Y-%m-%d')": "2020-02-29",
    "time.strftime('%Y', time.gmtime(0))": "1970",
    "time.clock_gettime(time.CLOCK_REALTIME)": NOW,
    "time.clock_gettime_ns(time.CLOCK_REALTIME)": 1582979696789012000,
    "time.clock_gettime(time.CLOCK_MONOTONIC) > 1": True,
    "Then.now().isoformat()": "2020-02-29T12:34:56.789012",
    "Then.now(datetime.timezone.utc).isoformat()": "2020-02-29T12:34:56.789012+00:00",
    "Then.now(tz=Zone()).isoformat()": "2020-02-29T13:34:56.789012+01:00",
    "Then.utcnow().isoformat()": "2020-02-29T12:34:56.789012",
    "Then.today().isoformat()": "2020-02-29T12:34:56.789012",
    "datetime.date.today().isoformat()": "2020-02-29",
    "type(Then.now()) is Then is datetime.datetime": True,
    "type(Sub.now()) is type(Sub.utcnow()) is type(Sub.today()) is Sub": True,
    "type(Odd.now()) is Odd": True,
    "pickle.loads(pickle.dumps(Then.now())) == Then.now()": True,
    "pickle.loads(pickle.dumps(time.time)) is time.time": True,
    "time.time": {"!function": "time.time"},
    "repr(os.urandom)": "<built-in function urandom>",
    "email.utils.formatdate()": "Sat, 29 Feb 2020 12:34:56 -0000",
    "logged()": "2020-02-29 12:34:56,789",
    "os.stat(sys.executable).st_mtime == NOW if 'NOW' in globals() else os.stat(made()).st_mtime > time.time()": True,
    "late()": True,
    "socket_waits()": True,
    "threading.Event().wait(0.01)": False,
    "later('1999-12-31T23:59:59Z')": "1999-12-31T23:59:59",
    "later(86400)": "1970-01-02T00:00:00",
    "uuid.getnode()": 0x010000000007,
    "AT_IMPORT[0]": "2020-02-29T12:34:56.789012",
}
# Each is drawn from a generator that would be different in every process.
CHANCE = (
    "random.random()",
    "random.gauss(0, 1)",
    "random.choice(range(1000))",
    "[random.random(), random.getrandbits(5)]",
    "random.Random().random()",
    "random.seed() or random.random()",
    "random.SystemRandom().random()",
    "os.urandom(5)",
    "Kept().urandom(3)",
    "os.getrandom(3)",
    "[secrets.token_hex(4), os.urandom(3)]",
    "uuid.uuid4().hex",
    "uuid.uuid1().hex",
    "uuid.uuid1().int - uuid.uuid1().int",
    "tempfile.mktemp(dir='')",
    "[made(), made(), tempfile.gettempdir() == os.getcwd()]",
    "len(__import__('multiprocessing').current_process().authkey) and os.urandom(3)",
    "len(__import__('multiprocessing').current_process().name) and os.urandom(3)",
    "AT_IMPORT",
    "fresh()",
)


@pytest.fixture(scope="module", params=VERSIONS)
def pair(request, tmp_path_factory):
    """Both workers under one interpreter."""
    interpreter = find(request.param)
    if interpreter is None:
        pytest.skip(f"no CPython {request.param} on this machine: clock and randomness were NOT tried under it")
    with open_pair(tmp_path_factory.mktemp("chance"), TARGET, interpreter=interpreter, conditions=AROUND) as opened:
        yield opened


def values(pair, texts, **how):
    """{expression: value on both sides}, which must agree."""
    out = {}
    for text, (one, other) in records(pair, [fixture(text, text) for text in texts], **how).items():
        assert one["out"] == other["out"] == "returned", one
        assert one["value"] == other["value"]
        out[text] = one["value"]
    return out


@pytest.fixture(scope="module")
def told(pair):
    return values(pair, CLOCK)


def test_the_hello_says_that_the_clock_is_frozen(pair):
    assert pair.hellos[0]["clock"] == "frozen"


@pytest.mark.parametrize("text", CLOCK)
def test_what_the_clock_says(told, text):
    assert told[text] == CLOCK[text]


def test_a_fixture_that_sets_the_moment_leaves_the_next_one_the_runs_own(pair):
    assert values(pair, ["later(5)", "time.time()"], batch=2)["time.time()"] == NOW


def test_utcnow_warns_where_the_real_one_does_and_names_its_caller(pair):
    version = tuple(map(int, pair.hellos[0]["python"].split(".")[:2]))
    expected = [["DeprecationWarning", "datetime.datetime", "target.py"]] if version >= (3, 12) else []
    assert values(pair, ["warned()"]) == {"warned()": expected}


@pytest.fixture(scope="module")
def alone(pair):
    return values(pair, CHANCE, batch=1)


@settings(max_examples=8)
@given(order=st.permutations(CHANCE), batch=st.sampled_from([1, 2, 7, 256]))
def test_law_chance_is_the_same_alone_in_any_batch_and_in_any_order(pair, alone, order, batch):
    assert values(pair, order, batch=batch) == alone


def test_a_fixture_that_follows_itself_draws_the_same_again(pair, alone):
    twice = [text + blank for text in CHANCE for blank in ("", " ")]
    got = values(pair, twice, batch=len(twice))
    assert {text: (got[text], got[text + " "]) for text in CHANCE} == {text: (alone[text],) * 2 for text in CHANCE}


def test_generators_are_not_one_sequence_under_several_names(alone, pair):
    """Numbers that are drawn by different means, or before the first fixture, are not the same numbers."""
    numbers = values(pair, ["random.getrandbits(64)", "int.from_bytes(os.urandom(8), 'little')", "AT_IMPORT[1]", "random.random()"])
    assert len(set(numbers.values())) == 4
    assert alone["uuid.uuid1().int - uuid.uuid1().int"] != 0


def test_another_seed_gives_other_values_and_the_same_seed_the_same(tmp_path):
    got = []
    for at, seed in enumerate((7, 7, 8)):
        (tmp_path / str(at)).mkdir()
        with open_pair(tmp_path / str(at), TARGET, conditions=replace(AROUND, seed=seed)) as pair:
            got.append(values(pair, CHANCE))
    assert got[0] == got[1]
    assert [text for text in CHANCE if got[0][text] == got[2][text]] == []


ERRORS = {
    "os.urandom(-1)": "ValueError",
    "os.urandom('x')": "TypeError",
    "os.urandom(1.5)": "TypeError",
    "time.strftime('%Y', None)": "TypeError",
    "time.gmtime('x')": "TypeError",
    "time.asctime(None)": "TypeError",
    "Then.now(5)": "TypeError",
    "later('2026-02-30')": "ValueError",
    "later(True)": "ValueError",
    "later('tomorrow')": "ValueError",
    "later(float('nan'))": "ValueError",
}


def test_what_the_real_ones_refuse_is_refused(pair):
    got = records(pair, [fixture(text, text) for text in ERRORS])
    assert {text: got[text][0]["exc"]["type"] for text in ERRORS} == ERRORS


def test_modules_of_the_targets_own_under_such_names_are_left_alone(tmp_path):
    with open_pair(
        tmp_path, "import random, uuid, tempfile\ndef run(p): return [random.x, vars(uuid).get('_node', 1), tempfile.x]\n"
    ) as pair:
        pass  # the folders are there now
    for name in ("baseline", "candidate"):
        for module in ("random", "tempfile"):
            (tmp_path / name / f"{module}.py").write_text("x = 1\n")
        (tmp_path / name / "uuid.py").write_text("")
    sides = tuple(worker.side for worker in pair.workers)
    with Pair(sides, Target(name="t", entry="target:run"), Limits(), tmp_path / "again", tmp_path / "pycache") as pair:
        assert records(pair, [fixture("a", 1), fixture("b", 2)])["b"][0]["value"][::2] == [1, 1]


def test_a_module_that_is_only_looked_up_is_as_it_was(tmp_path):
    source = """
import importlib.util
SPEC = importlib.util.find_spec("random")
def run(p):
    import random
    return [SPEC.loader.get_filename("random") == random.__file__, type(random.__loader__).__name__, type(random.__spec__.loader).__name__]
"""
    with open_pair(tmp_path, source) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == [True, "SourceFileLoader", "SourceFileLoader"]


BREAKS = """
import random, tempfile, uuid
def run(p):
    random.seed = random.Random.seed = random._inst = uuid._node = tempfile._name_sequence = None
    return p
"""


def test_a_target_that_breaks_its_generators_costs_nobody_a_fixture(tmp_path):
    with open_pair(tmp_path, BREAKS) as pair:
        got = records(pair, [fixture(name, name) for name in "abc"])
    assert [got[name][0].get("value") for name in "abc"] == ["a", "b", "c"]


NUMPY = """
{first}
AT = float(numpy.random.rand()) if "numpy" in globals() else None
def run(text):
    import numpy, os
    return eval(text)
"""
DRAWN = (
    "float(numpy.random.rand())",
    "float(numpy.random.randn())",
    "float(numpy.random.default_rng().random())",
    "float(numpy.random.RandomState().rand())",
    "os.urandom(3)",
    "numpy.random.set_state(('MT19937', [1] * 624, 3)) or float(numpy.random.rand())",
    "numpy.random.set_bit_generator(numpy.random.PCG64(1)) if hasattr(numpy.random, 'set_bit_generator') else None",
    "AT",
)


@pytest.mark.parametrize("first", ["import numpy", ""], ids=["at import", "in the fixture"])
def test_numpys_generators_are_seeded_too(tmp_path, first):
    found = next(filter(None, map(_with_numpy, VERSIONS)), None)
    if found is None:
        pytest.skip("no interpreter on this machine has numpy: its generators were NOT tried")
    interpreter, site = found
    plain = (side(name, tmp_path, NUMPY.format(first=first), interpreter=interpreter) for name in ("baseline", "candidate"))
    sides = tuple(replace(one, packages=(site,)) for one in plain)
    with Pair(sides, Target(name="t", entry="target:run"), Limits(seconds=20.0), tmp_path / "s", tmp_path / "p") as pair:
        drawn = DRAWN if first else DRAWN[1:4]  # each fixture that runs alone imports numpy
        alone = values(pair, drawn, batch=1)
        assert values(pair, drawn) == values(pair, drawn[::-1]) == alone
    assert len(set(map(json.dumps, alone.values()))) == len(drawn)


def _with_numpy(version):
    interpreter = find(version)
    if interpreter is None:
        return None
    ask = "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"
    done = subprocess.run([interpreter.executable, "-c", ask], capture_output=True, text=True, check=False)
    return (interpreter, Path(done.stdout.strip())) if done.returncode == 0 else None


DEPTH = """
import sys
def dig(levels):
    try:
        return dig(levels + 1)
    except RecursionError:
        return levels
def run(p):
    return dig(0)
"""


OTHERWISE = {
    "the same": "",
    "what it leaves makes it run again alone": "import os\nfirst = run\ndef run(p):\n    os.umask(0)\n    return first(p)\n",
    "its threads make it run in fresh processes": "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n",
}


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
@pytest.mark.parametrize("more", OTHERWISE.values(), ids=OTHERWISE)
def test_a_target_can_recurse_equally_deep_however_its_side_is_run(tmp_path, more, strict):
    frame = int("first" in more)  # of the candidate's own
    with open_pair(tmp_path, DEPTH, DEPTH + more, strict=strict) as pair:
        acts = [fixture(str(at), at) for at in range(5)]
        found = {(left["value"], right["value"] + frame) for how in (1, 2, 256) for left, right in records(pair, acts, batch=how).values()}
        assert bool(pair.workers[1].leaked) == (frame and not strict)
    ((left, right),) = found
    assert left == right > 900  # of 1,000: what is ours on the stack is little


LIMITS = """import sys
class Own(int): pass
sys.setrecursionlimit(%s)
def run(p):
    first = sys.getrecursionlimit()
    sys.setrecursionlimit(eval(p))
    return [first, sys.getrecursionlimit()]
"""


@pytest.mark.parametrize(("at_import", "first"), [("1000", 1000), ("2**31-1", 2**31 - 1), ("Own(2**31-3)", 2**31 - 3)])
def test_any_limit_of_recursion_can_be_set(tmp_path, at_import, first):
    """The highest is a common idiom; what is ours must not take it beyond what the system takes."""
    with open_pair(tmp_path, LIMITS % at_import) as pair:
        acts = {"500": 500, "Own(500)": 500, "2**31-1": 2**31 - 1, "True + 300": 301}
        got = {one: left["value"] for one, (left, _) in records(pair, [fixture(act, act) for act in acts], batch=1).items()}
        assert {act: value[1] for act, value in got.items()} == acts
        assert all(abs(value[0] - first) < 3 for value in got.values())
        bad = records(pair, [fixture(act, act) for act in ("2**31", "0", "-5", "'5'")], batch=1)
        assert [left["exc"]["type"] for left, _ in bad.values()] == ["OverflowError", "ValueError", "ValueError", "TypeError"]


TERMINAL = "import os, shutil, sys\ndef run(p): return [list(shutil.get_terminal_size()), sys.stdout.isatty(), sys.stdin.isatty(), sorted({'COLUMNS', 'LINES', 'TERM', 'NO_COLOR'} & set(os.environ))]\n"


def test_no_terminal_is_there_and_none_is_described(tmp_path, monkeypatch):
    for name in ("COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.setenv(name, "1")
    with open_pair(tmp_path, TERMINAL) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == [[80, 24], False, False, []]


# -- the clock by itself --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def worker():
    spec = importlib.util.spec_from_file_location("shadow_worker", gate.runner.WORKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EARLY, LATE = dt.datetime(1, 1, 3), dt.datetime(9999, 12, 29)  # noqa: DTZ001  # Hypothesis adds the zones
zones = st.sampled_from([dt.UTC, *(dt.timezone(dt.timedelta(minutes=minutes)) for minutes in (-720, -90, 330, 840))])


@given(moment=st.datetimes(min_value=EARLY, max_value=LATE, timezones=zones), sep=st.sampled_from("T "))
def test_law_iso_texts_are_read_as_datetime_reads_them(worker, moment, sep):
    seconds = (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1) * 1000
    assert worker.Clock().parsed(moment.isoformat(sep)) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-01-01", 1767225600),
        ("2026-01-01T00:00", 1767225600),
        ("2026-01-01T00:00:00Z", 1767225600),
        ("2026-01-01T01:00+0100", 1767225600),
    ],
)
def test_short_forms(worker, text, seconds):
    assert worker.Clock().parsed(text) == seconds * 10**9


@pytest.mark.parametrize(
    "text", ["", "2026", "2026-13-01", "2026-00-01", "2025-02-29", "2026-01-01T24:00", "2026-01-01T00:60", "2026-01-01 ", "٢026-01-01Z"]
)
def test_what_is_no_moment_is_refused(worker, text):
    with pytest.raises(ValueError, match="now"):
        worker.Clock().parsed(text)


def test_this_process_still_has_its_own_clock(worker):
    with tempfile.NamedTemporaryFile() as file:
        assert abs(dt.datetime.now(dt.UTC).timestamp() - Path(file.name).stat().st_mtime) < 60
