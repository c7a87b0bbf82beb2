"""Where threads run after the import a fork could hang: batches run in processes that are started afresh, with the same outcomes."""

import pytest

from gate.types import Limits
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import VERSIONS, find

# A thread that is started by the import holds a lock and answers questions: a fork would have the lock, and not the thread.
SOURCE = """
import os, queue, sys, threading, time
asks, answers, lock = queue.Queue(), queue.Queue(), threading.Lock()
print("importing")
def keeper():
    with lock:
        while True:
            answers.put(asks.get() * 2)
threading.Thread(target=keeper, daemon=True).start()
seen = []
def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        return n
def run(p):
    if p == "exit": os._exit(4)
    if p == "kill": os.kill(os.getppid(), 9)
    if p == "loop":
        while True: pass
    if p == "environ": os.environ["LEFT"] = "1"
    if p == "lock": return lock.locked()
    if p == "deep": return deep(0)
    if p == "count": seen.append(p); return len(seen)
    print("asked", p)
    asks.put(p)
    return [answers.get(), os.getcwd() == os.environ["TMPDIR"], "LEFT" in os.environ]
"""
ACTS = ["a", "count", "exit", "lock", "kill", "loop", "count", "environ", "z", "deep"]


@pytest.fixture(
    scope="module", params=[*((version, False) for version in VERSIONS), ("3.11", True)], ids=lambda one: f"{one[0]}{' strict' * one[1]}"
)
def seen(request, tmp_path_factory):
    version, strict = request.param
    interpreter = find(version)
    if interpreter is None:
        pytest.skip(f"no CPython {version} on this machine: the worker was NOT tried under it")
    limits = Limits(seconds=2.0)
    with open_pair(tmp_path_factory.mktemp("spawn"), SOURCE, interpreter=interpreter, limits=limits, strict=strict) as pair:
        return strict, pair.hellos[0], records(pair, [fixture(f"{at}{act}", act) for at, act in enumerate(ACTS)], batch=7)


def test_threads_are_counted_and_said(seen):
    _, hello, _ = seen
    assert (hello["threads"], hello["spawns"]) == (1, True)


def test_recursion_ends_where_it_does_in_a_small_program_in_forks_too(seen, tmp_path):
    """A program whose main function calls one that calls the target; 1,000 frames in all."""
    _, _, got = seen
    assert got["9deep"][0]["value"] == 995
    forked = SOURCE.replace("threading.Thread(target=keeper, daemon=True).start()", "")
    with open_pair(tmp_path, forked) as pair:
        assert pair.hellos[0]["spawns"] is False
        assert records(pair, [fixture("a", "deep"), fixture("b", "deep")])["b"][0]["value"] == 995


def test_outcomes_are_those_of_a_fork(seen):
    strict, _, got = seen
    one = {name: left for name, (left, _) in got.items()}
    assert one["0a"]["value"] == ["aa", True, False]
    assert one["0a"]["stdout"] == "asked a\n", "what the import prints belongs to no fixture"
    assert one["2exit"].items() >= {"out": "exited", "code": 4, "hard": True}.items()
    assert one["3lock"]["value"] is True
    assert one["4kill"]["exc"]["type"] == "PermissionError"
    assert one["5loop"]["out"] == "timed_out"
    assert one["6count"]["value"] == 1, "a fresh process after each that ended"
    assert one["8z"]["value"] == ["zz", True, False], "what a batch leaks is run alone here too"
    assert [left for left, _ in got.values()] == [right for _, right in got.values()]
    assert strict or one["1count"]["value"] == 1


def test_threads_of_compiled_code_count_as_well(tmp_path):
    source = "import faulthandler\nfaulthandler.dump_traceback_later(600)\ndef run(p): return p\n"
    with open_pair(tmp_path, source) as pair:
        assert pair.hellos[0]["spawns"] is True
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == 1


SECOND = {
    "raises": ("raise RuntimeError('once only')", "builtins.RuntimeError: once only"),
    "exits": ("os._exit(3)", "a fresh process ended with wait status 768 while it imported the target"),
}


@pytest.mark.parametrize("name", SECOND)
def test_an_import_that_fails_the_second_time_is_no_outcome_of_the_target(tmp_path, name):
    act, why = SECOND[name]
    source = (
        f"import os, threading, time\nif len(os.listdir('/proc/self/task')) and os.getppid() != {{gate}}:\n    {act}\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\ndef run(p): return p\n"
    ).replace("{gate}", str(__import__("os").getpid()))
    with open_pair(tmp_path, source) as pair:
        record = records(pair, [fixture("a", 1)])["a"][0]
    assert (record["out"], record["where"], record["why"]) == ("error", "worker", why)
