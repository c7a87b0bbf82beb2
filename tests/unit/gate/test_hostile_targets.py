"""Every hostile act between two good fixtures: a typed verdict, both neighbours intact, and nothing left behind.

The acts are functions of ``tests/assets/hostile/target.py``. Each runs in default mode, where the three share a fork, and
in strict mode, where none does; and under every CPython that the worker promises and this machine has.
"""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gate.types import Limits
from tests.unit.gate.loading import load_worker
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import VERSIONS, find

SOURCE = Path(__file__).parents[2] / "assets" / "hostile" / "target.py"
ONE = {"out": "returned", "value": 1}
DENIED = {"out": "raised", "exc": "PermissionError"}
TIMED_OUT = {"out": "timed_out"}
OVER_MEMORY, OVER_OUTPUT = {"out": "over", "limit": "memory"}, {"out": "over", "limit": "output"}


def killed(name):
    return {"out": "signalled", "signal": name}


EXPECTED = {
    "segv": killed("SIGSEGV"),
    "abort": killed("SIGABRT"),
    "hard_exit": {"out": "exited", "code": 0, "hard": True},
    "exec": {"out": "exited", "code": 0, "hard": True},
    "kill_self": killed("SIGKILL"),
    "kill_own_group": killed("SIGKILL"),
    "exit": {"out": "exited", "code": 3, "hard": None},
    "exit_text": {"out": "exited", "code": "bye", "hard": None},
    "interrupt": {"out": "raised", "exc": "KeyboardInterrupt"},
    "alarm": killed("SIGALRM"),
    "exit_in_thread": {"out": "exited", "code": 5, "hard": True},
    "c_stack": None,  # the versions differ: a crash, a RecursionError, or it is fine
    "loop": TIMED_OUT,
    "deaf_loop": TIMED_OUT,
    "stop_self": TIMED_OUT,
    "deadlock": TIMED_OUT,
    "loop_with_child": TIMED_OUT,
    "endless_flush": TIMED_OUT,
    "endless_iterator": TIMED_OUT,
    "memory": OVER_MEMORY,
    "recursion": {"out": "raised", "exc": "RecursionError"},
    "flood": OVER_OUTPUT,
    "flood_raw": OVER_OUTPUT,
    "large_value": {"out": "returned", "type": "builtins.str"},
    "large_file": OVER_OUTPUT,
    "many_threads": ONE,
    "fork_bomb": ONE,
    "thread": {**ONE, "process": ["thread left running"]},
    "children": ONE,
    "session_child": ONE,
    "daemon": ONE,
    "deaf_daemon": {"out": "exited", "code": 0, "hard": True},
    "fork_and_return": {"out": "returned", "value": "who am I", "process": ["os.fork"]},
    "fork_and_raise": {**ONE, "process": ["os.fork"]},
    "kill_parent": {**DENIED, "process": ["os.kill with signal 9"]},
    "stop_parent": DENIED,
    "kill_parents_group": DENIED,
    "signal_everybody": {"out": "returned", "value": []},
    "trace_parent": {"out": "returned", "value": -1},
    "write_to_parent": DENIED,
    "network": {**DENIED, "net": ["getaddrinfo ('127.0.0.1', 9)", "socket AF_INET"]},
    "write_outside": {**DENIED, "files": ["write <side>/target.py"]},
    "remove_temp_root": DENIED,
    "close_stdout": {"out": "raised", "exc": "OSError"},
    "close_all": {"out": "returned", "value": "still here"},
    "junk_everywhere": ONE,
    "print_junk": {**ONE, "stdout": "garbage \x00\xff{" * 20 + "\n"},
    "swap_stdout": ONE,
    "many_descriptors": ONE,
    "utf_16": ONE,
    "no_stdout": ONE,
    "raising_stdout": ONE,
    "atexit": {**ONE, "stdout": ""},
    "signals": ONE,
    "surroundings": ONE,
    "patch": {"out": "returned", "value": {"k": ["v"]}},
    "no_builtins": ONE,
    "no_modules": ONE,
    "settrace": ONE,
    "limits": ONE,
    "no_descriptors": ONE,
    "little_memory": ONE,
    "little_depth": ONE,
    "pending_alarm": ONE,
    "gc": ONE,
    "nobody": ONE,
    "new_root": ONE,
    "displayed": ONE,
    "raising_str": {"out": "raised", "exc": "do_raising_str.<locals>.E"},
    "lying_class": {"out": "returned", "type": "target.do_lying_class.<locals>.Liar"},
    "raising_repr": {"out": "returned", "type": "target.do_raising_repr.<locals>.Loud"},
    "surrogate": {"out": "returned", "value": "\ud800"},
    "resource": {"out": "error", "where": "value"},
    "value_that_exits": {"out": "exited", "code": 9, "hard": True},
}
# What never comes back is waited for as briefly as can be; all else has the time that it needs on a busy machine.
HANGS = [name for name, expected in EXPECTED.items() if expected == TIMED_OUT]
SECONDS = {"hangs": 0.5, "ends": 30.0}


def in_modes():
    yield pytest.param(("3.11", True), id="strict")
    yield from (pytest.param((version, False), id=version) for version in VERSIONS)


@pytest.fixture(scope="module", params=in_modes())
def seen(request, tmp_path_factory):
    """Every act between two good fixtures: {id: both records}."""
    version, strict = request.param
    interpreter = find(version, measured=False)  # an act that leaves a tracer would meet coverage's
    if interpreter is None:
        pytest.skip(f"no CPython {version} on this machine: the worker was NOT tried under it")
    source = SOURCE.read_text("utf-8")

    def observe(how):
        acts = [
            fixture(f"{at}{name}", name if at == "=" else at) for name in EXPECTED if (name in HANGS) == (how == "hangs") for at in "<=>"
        ]
        limits = Limits(seconds=SECONDS[how], memory_mib=480)
        with open_pair(tmp_path_factory.mktemp("hostile"), source, limits=limits, interpreter=interpreter, strict=strict) as pair:
            return records(pair, acts, batch=3)

    tmp_path_factory.getbasetemp()  # made by its first use, which two threads must not be: the second empties it
    with ThreadPoolExecutor() as both:  # what hangs is waited for while the rest runs
        hangs, ends = both.map(observe, SECONDS)
    return hangs | ends


def picked(record, expected):
    """The record as the table writes it: of an exception its type alone."""
    got = {key: record.get(key) for key in expected}
    if isinstance(got.get("exc"), dict):
        got["exc"] = got["exc"]["type"]
    return got


@pytest.mark.parametrize("name", EXPECTED)
def test_hostile_act(seen, name):
    for side in (0, 1):
        assert [seen[f"{at}{name}"][side].get("value") for at in "<>"] == [["ok", "<"], ["ok", ">"]]
        record, expected = seen[f"={name}"][side], EXPECTED[name]
        if expected is None:
            assert record["out"] in {"returned", "raised", "signalled"}
        else:
            assert picked(record, expected) == expected


def test_every_act_has_its_verdict():
    acts = {line[len("def do_") : line.index("(")] for line in SOURCE.read_text("utf-8").splitlines() if line.startswith("def do_")}
    assert acts == EXPECTED.keys()
    assert len(acts) > 35


def test_nothing_of_the_hostile_targets_is_left_running(seen, tmp_path_factory):
    here = str(tmp_path_factory.getbasetemp()).encode()  # other processes of the test run may be in the middle of theirs
    sleeping = [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if here in _bytes(path)]
    assert sleeping == []


def _bytes(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_signals_have_the_names_of_the_library():
    names = {int(one): one.name for one in signal.Signals}
    worker = load_worker()
    assert [worker.signal_name(number) for number in range(1, 65)] == [names.get(number, f"SIG{number}") for number in range(1, 65)]
