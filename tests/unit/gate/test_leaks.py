"""What one fixture leaves changed in its process must not decide about another: the batch says so, and each runs again alone."""

import pytest

from gate.types import Limits
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import VERSIONS, find

# {what is told: (what one fixture does, what the others see of it)}
LEAKS = {
    "working directory": ("os.mkdir('x'); ctypes.CDLL(None).chdir(b'x')", "os.getcwd() == os.environ['TMPDIR']"),
    "umask": ("os.umask(0o077)", "(open('f', 'w').close(), os.stat('f').st_mode & 0o77)[1]"),
    "threads": ("threading.Thread(target=time.sleep, args=(60,), daemon=True).start()", "threading.active_count()"),
    "signal handlers": ("signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "str(signal.getsignal(signal.SIGUSR1))"),
    "blocked signals": ("signal.pthread_sigmask(signal.SIG_BLOCK, [10])", "len(signal.pthread_sigmask(signal.SIG_BLOCK, []))"),
    "timers": ("signal.setitimer(signal.ITIMER_REAL, 60)", "signal.getitimer(signal.ITIMER_REAL)[0] > 0"),
    "environ": ("dict.__setitem__(os.environ._data, b'LEFT', b'1')", "'LEFT' in os.environ"),
    "descriptors": ("globals().update(kept=open(os.devnull))", "'kept' in globals()"),
    "limits": ("resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))", "resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 50"),
    "recursion limit": ("sys.setrecursionlimit(500)", "sys.getrecursionlimit()"),
    "garbage collector": ("gc.disable()", "gc.isenabled()"),
    "child processes": ("subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)", "len(subprocess._active)"),
    "sys.path": ("sys.path.append('x')", "len(sys.path)"),
    "import hooks": ("sys.meta_path.reverse()", "str(sys.meta_path)"),
    "warning filters": ("warnings.simplefilter('error')", "len(warnings.filters)"),
    "locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL)"),
    "logging": ("logging.getLogger().setLevel(1)", "logging.getLogger().level"),
    "logging of one": ("logging.getLogger('x.y').setLevel(1)", "logging.getLogger('x.y').level"),
    "logging of known": ("logging.getLogger('known').addHandler(logging.NullHandler())", "len(logging.getLogger('known').handlers)"),
    "logging passed on": ("logging.getLogger('known').propagate = False", "logging.getLogger('known').propagate"),
    "logging filters": ("logging.getLogger('known').addFilter(print)", "len(logging.getLogger('known').filters)"),
    "standard streams": ("sys.stdout.reconfigure(errors='replace')", "sys.stdout.errors"),
    "standard streams, closed": ("sys.stdout.close()", "sys.stdout.closed"),
    "standard streams, closed below": ("sys.stderr.buffer.close()", "sys.stderr.closed"),
    "context variables": ("known.set(1)", "known.get(None)"),
    "json.encoder.JSONEncoder.default": (
        "json.JSONEncoder.default = str",
        "json.dumps({1}.__iter__) if json.JSONEncoder.default is str else ''",
    ),
    "logging.Formatter.converter": ("logging.Formatter.converter = time.gmtime", "logging.Formatter.converter is time.gmtime"),
    "subprocess.Popen.wait": ("del subprocess.Popen.wait", "hasattr(subprocess.Popen, 'wait')"),
    "decimal context": ("decimal.getcontext().prec = 3", "str(1 / decimal.Decimal(3))"),
    "json.dumps": ("json.dumps = str", "json.dumps('x')"),
    "builtins.len": ("import builtins; builtins.len = lambda x: 7", "len('')"),
    "os.getcwd": ("del os.getcwd", "hasattr(os, 'getcwd')"),
    "sys.stdout": ("sys.stdout = None", "sys.stdout is None"),
    "time.time": ("vars(time).update(time=int)", "time.time is int"),
}
SOURCE = """
import contextvars, ctypes, decimal, gc, json, locale, logging, os, resource, signal, subprocess, sys, threading, time, warnings
known = contextvars.ContextVar("known")
logging.getLogger("known")
def run(p):
    if "act" in p: exec(p["act"], globals())
    elif "see" in p: return eval(p["see"])
    elif "end" in p: os._exit(4)
"""


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_told_and_decides_about_no_other_fixture(tmp_path, name):
    act, see = LEAKS[name]
    batch = [fixture("before", {"see": see}), fixture("leak", {"act": act}), fixture("after", {"see": see})]
    with open_pair(tmp_path, SOURCE) as pair:
        got = records(pair, batch)
        told, again = pair.leaked, pair.again
        alone = records(pair, batch, batch=1)
    assert [list(words) for words in told] == [["logging" if name.startswith("logging ") else name.partition(",")[0]]] * 2
    assert again == 3
    assert got == alone
    assert got["before"][0]["value"] == got["after"][0]["value"]


def test_a_leak_is_told_of_its_side(tmp_path):
    leaky = "import sys\ndef run(p):\n    sys.setrecursionlimit(500)\n    return p\n"
    with open_pair(tmp_path, "def run(p): return p\n", leaky) as pair:
        records(pair, [fixture("a", 1), fixture("b", 2)])
        assert [list(words) for words in pair.leaked] == [[], ["recursion limit"]]
        assert pair.again == 2


def test_a_leak_before_a_crash_is_found_out_too(tmp_path):
    act, see = LEAKS["environ"]
    batch = [fixture("leak", {"act": act}), fixture("seen", {"see": see}), fixture("end", {"end": 1}), fixture("after", {"see": see})]
    with open_pair(tmp_path, SOURCE) as pair:
        got = records(pair, batch)
        assert "environ" in pair.leaked[0]
    assert [got[name][0].get("value") for name in ("seen", "after")] == [False, False]
    assert got["end"][0]["code"] == 4


def test_a_crash_alone_is_no_leak(tmp_path):
    see = LEAKS["environ"][1]
    batch = [*(fixture(str(at), {"see": see}) for at in range(5)), fixture("end", {"end": 1}), fixture("after", {"see": see})]
    with open_pair(tmp_path, SOURCE) as pair:
        assert records(pair, batch)["end"][0]["out"] == "exited"
        assert pair.again == 0


def test_a_fork_that_ends_differently_when_it_is_looked_at_is_not_trusted(tmp_path):
    mark = tmp_path / "ends"
    source = f"import os\ndef run(p):\n    if p == 3: os._exit(1)\n    if p == 2 and {str(mark)!r} and not os.path.exists('/dev/shm/{tmp_path.name}'): os.close(os.open('/dev/shm/{tmp_path.name}', os.O_CREAT | os.O_WRONLY))\n    elif p == 2: os._exit(2)\n    return p\n"
    try:
        with open_pair(tmp_path, source) as pair:
            records(pair, [fixture(str(at), at) for at in (1, 2, 3)])
            assert "an early end" in pair.leaked[0] + pair.leaked[1]
    finally:
        (__import__("pathlib").Path("/dev/shm") / tmp_path.name).unlink(missing_ok=True)


LINGERING = """
import threading, time
def run(p):
    if p: threading.Thread(target=time.sleep, args=(p,), daemon=True).start()
    if not p: time.sleep(0.4)
"""


def test_a_thread_that_ended_before_anybody_looked_was_left_running_all_the_same(tmp_path):
    """The first is waited for in vain; the second is not waited for, and would end behind the first one's back."""
    batch = [fixture("first", 0.3), fixture("second", 0.02), fixture("last", 0)]
    with open_pair(tmp_path, LINGERING, limits=Limits(seconds=10)) as pair:
        got = records(pair, batch)
        assert [list(words) for words in pair.leaked] == [["threads"]] * 2
    assert {name: "process" in one for name, (one, _) in got.items()} == {"first": True, "second": False, "last": False}


TIDY = """
import asyncio, concurrent.futures, contextlib, contextvars, copy, csv, pickle, datetime, decimal, json, logging, os, random, re, subprocess, tempfile, threading
import uuid, warnings
def run(p):
    import http.client, sqlite3, wave
    random.random(); uuid.uuid4(); json.dumps([p]); logging.getLogger("a.b").warning("x"); random.Random(1).random()
    json.JSONEncoder(default=str).encode({1}); copy.copy(logging.Formatter()); pickle.dumps(random.Random(1)); known = contextvars.ContextVar("k")
    known.reset(known.set(1)); contextvars.copy_context().run(known.set, 2); decimal.getcontext().clear_flags(); warnings.warn("x"); decimal.Decimal(1) / 3
    os.close(tempfile.mkstemp()[0]); open("x", "w").write("1"); re.compile("a%s" % p); datetime.datetime.now()
    asyncio.run(asyncio.sleep(0)); subprocess.run(["/bin/true"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool: list(pool.map(str, range(3)))
    with warnings.catch_warnings(): warnings.simplefilter("ignore")
    with decimal.localcontext() as context: context.prec = 5
    with contextlib.redirect_stdout(None): print()
    threading.Thread(target=len, args=([],)).start()
    return p
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_what_tidy_code_does_is_no_leak(tmp_path, version):
    interpreter = find(version)
    if interpreter is None:
        pytest.skip(f"no CPython {version} on this machine: the worker was NOT tried under it")
    with open_pair(tmp_path, TIDY, interpreter=interpreter, limits=Limits(seconds=10)) as pair:
        got = records(pair, [fixture(str(at), at) for at in range(4)])
        assert pair.leaked == ((), ())
    assert all(got[str(at)][0]["value"] == at and "process" in got[str(at)][0] for at in range(4))
    assert "thread left running" not in str(got)


def test_a_thread_that_a_fixture_leaves_is_an_effect(tmp_path):
    source = (
        "import threading, time\ndef run(p):\n    thread = threading.Thread(target=time.sleep, args=(p,), daemon=True)\n"
        "    thread.start()\n    return p\n"
    )
    with open_pair(tmp_path, source) as pair:
        got = records(pair, [fixture("short", 0.01), fixture("long", 60)], batch=1)
    assert "process" not in got["short"][0]
    assert got["long"][0]["process"] == ["thread left running"]


@pytest.mark.parametrize("strict", [False, True], ids=["default", "strict"])
def test_strict_gives_each_fixture_a_process_of_its_own(tmp_path, strict):
    source = "seen = []\ndef run(p):\n    seen.append(p)\n    return len(seen)\n"
    with open_pair(tmp_path, source, strict=strict) as pair:
        got = records(pair, [fixture(str(at), at) for at in range(4)])
    assert [got[str(at)][0]["value"] for at in range(4)] == ([1] * 4 if strict else [1, 2, 3, 4])
