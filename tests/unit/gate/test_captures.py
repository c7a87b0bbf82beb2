"""What a target writes to stdout and stderr arrives whole, whatever way it takes: by descriptor, by name, in a child, and however much."""

import time

import pytest

from gate.canonical.visible_json import parse
from gate.runner import Pair
from gate.types import Limits, Target
from tests.unit.gate.pairing import fixture, open_pair, side
from tests.unit.gate.test_worker_versions import VERSIONS, find

SOURCE = """
import os, subprocess, sys
kept = os.dup(1)
def run(p): exec(p, {**globals()})
"""
SHELL = "subprocess.run(['/bin/sh', '-c', %r])"
# {what is done: (stdout, stderr)}
WAYS = {
    "print('a'); open('/dev/stdout', 'w').write('b'); print('c')": (b"ba\nc\n", b""),
    "print('a', flush=True); open('/dev/stdout', 'w').write('b'); print('c')": (b"a\nbc\n", b""),
    "os.write(1, b'a'); open('/proc/self/fd/1', 'w').write('b')": (b"ab", b""),
    "os.write(1, b'a'); open('/dev/fd/1', 'ab').write(b'b')": (b"ab", b""),
    "os.write(2, b'a'); open('/dev/stderr', 'w').write('b'); os.write(2, b'c')": (b"", b"abc"),
    "os.write(1, b'a'); open('/dev/stdout', 'w').close()": (b"a", b""),
    SHELL % "echo a; echo b > /dev/stdout; echo c": (b"a\nb\nc\n", b""),
    SHELL % "echo a >&2; echo b > /dev/stderr; echo c > /dev/stdout": (b"c\n", b"a\nb\n"),
    SHELL % "echo a; : > /proc/self/fd/1": (b"a\n", b""),
    "file = open('/dev/stdout', 'w'); os.write(1, b'a'); file.write('b'); file.flush(); os.write(1, b'c'); file.write('d'); file.close()": (
        b"abcd",
        b"",
    ),
    "os.write(kept, b'a')": (b"a", b""),
    "os.write(1, b'x' * 1000000)": (b"x" * 1000000, b""),
    "for _ in range(500): os.write(1, b'x' * 2049)": (b"x" * 2049 * 500, b""),  # more pages than a pipe has
    SHELL % "head -c 1048576 /dev/zero": (bytes(1 << 20), b""),
    "os.write(2, b'x' * 1048576); print('a')": (b"a\n", b"x" * (1 << 20)),
    "pass": (b"", b""),
}
WAYS_AT = {str(at): way for at, way in enumerate(WAYS)}


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_written_arrives_by_whatever_way(tmp_path, version):
    interpreter = find(version)
    if interpreter is None:
        pytest.skip(f"no CPython {version} on this machine: the worker was NOT tried under it")
    fixtures = [fixture(str(at), way) for at, way in enumerate(WAYS)]
    with open_pair(tmp_path, SOURCE, interpreter=interpreter, limits=Limits(seconds=10)) as pair:
        for batch in (1, 64):
            got = {WAYS_AT[one.id]: (left, right) for one, left, right in pair.run(fixtures, batch=batch)}
            assert {way: {record[:17] for record, _, _ in both} for way, both in got.items()} == {
                way: {b'{"out":"returned"'} for way in WAYS
            }
            wrong = [way for way, both in got.items() for _, *streams in both if tuple(streams) != WAYS[way]]
            assert wrong == []


@pytest.mark.parametrize(
    "act", ["while 1: os.write(1, bytes(65536))", SHELL % "exec cat /dev/zero", "sys.stderr.write('x' * (1 << 20) + 'x')"]
)
def test_more_than_the_limit_costs_one_fixture(tmp_path, act):
    """The pipe fills, the fixture runs again with files for captures, and those have a limit of their own."""
    fixtures = [fixture("a", "print('a')"), fixture("flood", act), fixture("z", "print('z')")]
    with open_pair(tmp_path, SOURCE, limits=Limits(seconds=5)) as pair:
        got = {one.id: left for one, left, _ in pair.run(fixtures)}
    assert {name: out for name, (_, out, _) in got.items()} == {"a": b"a\n", "flood": b"", "z": b"z\n"}
    assert got["flood"][0] == b'{"out":"over","limit":"output"}'


def test_a_pipe_that_fills_when_time_runs_out_is_no_fault_of_anybody(tmp_path):
    """Between the last look and the limit: whichever comes first is what happened."""
    acts = [f"import time\ntime.sleep({0.18 + 0.005 * step}); os.write(1, bytes(2000000))" for step in range(4)]
    with open_pair(tmp_path, SOURCE, limits=Limits(seconds=0.2)) as pair:
        got = {left[0] for _, left, _ in pair.run([fixture(str(at), act) for at, act in enumerate(acts)], batch=1)}
    assert got <= {b'{"out":"over","limit":"output"}', b'{"out":"timed_out"}'}


def test_what_stood_before_a_hard_exit_is_kept(tmp_path):
    fixtures = [fixture("a", "os.write(1, b'a'); open('/dev/stdout', 'w').write('b'); os._exit(3)")]
    with open_pair(tmp_path, SOURCE) as pair:
        ((_, (record, out, _), _),) = pair.run(fixtures)
    assert (record, out) == (b'{"out":"exited","code":3,"hard":true,"files":["write /dev/stdout"]}', b"ab")


HELD = "print(os.get_blocking(1))"


@pytest.mark.parametrize(
    "act", ["os.set_blocking(1, False)", "for fd in range(64):\n try: os.set_blocking(fd, fd > 2)\n except OSError: pass"]
)
def test_how_a_fixture_makes_the_pipes_block_stays_with_it(tmp_path, act):
    """It belongs to the pipe that all forks share: what comes later would lose output, or wait for a reader that waits."""
    fixtures = [fixture("act", f"{act}\nprint('a')"), fixture("later", HELD), fixture("big", "os.write(1, b'x' * 1100000)")]
    with open_pair(tmp_path, SOURCE, limits=Limits(seconds=5, output_kib=2048)) as pair:
        for batch in (1, 64):
            got = {one.id: left[1] for one, left, _ in pair.run(fixtures, batch=batch)}
            assert got == {"act": b"a\n", "later": b"True\n", "big": b"x" * 1100000}
        assert "descriptors" in pair.leaked[0]


THREADS = SOURCE + "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"


def test_processes_in_the_place_of_forks_write_to_pipes_as_well(tmp_path):
    big = "os.write(1, b'x' * 1000); [os.write(1, b'x' * 2049) for _ in range(400)]"
    acts = {"name": "print('a', flush=True); open('/dev/stdout', 'w').write('b')", "big": big}
    with open_pair(tmp_path, THREADS, limits=Limits(seconds=10)) as pair:
        got = {one.id: left[1] for one, left, _ in pair.run([fixture(name, act) for name, act in acts.items()])}
    assert got == {"name": b"a\nb", "big": b"x" * (1000 + 2049 * 400)}


def test_a_thread_of_the_import_that_prints_for_ever_holds_up_nobody(tmp_path):
    """Its output is everybody's, and a limit's at some time; but the run ends, and soon."""
    noisy = (
        SOURCE + "import threading\ndef chat():\n    while True: print('x' * 1000)\nthreading.Thread(target=chat, daemon=True).start()\n"
    )
    with open_pair(tmp_path, noisy, limits=Limits(seconds=5)) as pair:
        ends = [left[0][:17] for _, left, _ in pair.run([fixture("a", "pass"), fixture("b", "pass")])]
        assert {*ends} <= {b'{"out":"returned"', b'{"out":"over","li'}
        time.sleep(0.1)  # until nobody reads and the pipe is full
        began = time.monotonic()
    assert time.monotonic() - began < 2


def test_what_the_import_prints_anew_in_the_place_of_a_fork_is_no_fixtures_output(tmp_path):
    noisy = THREADS + "print('x' * 5000)\n"
    with open_pair(tmp_path, noisy, limits=Limits(seconds=10, output_kib=1)) as pair:
        assert [left[1] for _, left, _ in pair.run([fixture("a", "print('a')"), fixture("b", "print('b')")])] == [b"a\n", b"b\n"]


def test_an_import_that_writes_more_than_a_pipe_holds_does_not_hang(tmp_path):
    noisy = SOURCE + "for _ in range(1000): os.write(1, b'x' * 4097)\n"
    with open_pair(tmp_path, noisy) as pair:
        assert pair.hellos[0]["stdout"]["!long"][0] == 4097000
        assert [left[1] for _, left, _ in pair.run([fixture("a", "print('a')")])] == [b"a\n"]


def test_a_script_of_the_shell_that_opens_its_outputs_by_name_loses_nothing(tmp_path):
    script = "#!/bin/sh\necho a\necho b > /dev/stdout\necho c >&2\necho d > /dev/stderr\nhead -c 700000 /dev/zero\n"
    sides = tuple(side(name, tmp_path, script, module="tool") for name in ("baseline", "candidate"))
    for one in sides:
        (one.root / "tool.py").rename(one.root / "tool").chmod(0o755)
    target = Target(name="t", entry="./tool", kind="command", command=("./tool",), payload="bytes")
    with Pair(sides, target, Limits(), tmp_path / "scratch", tmp_path / "pycache") as pair:
        ((_, (record, out, err), _),) = pair.run([fixture("a", b"", kind="bytes")])
    assert (record, out, err) == (b'{"out":"exited","code":0,"done":true}', b"a\nb\n" + bytes(700000), b"c\nd\n")


SCRIPTS = {
    "by descriptor": ("import os\nos.write(1, b'x' * 1100000)\n", (0, 1100000, 0)),
    "at the end of the interpreter": ("import sys\nsys.stdout.write('x' * 1100000)\nsys.stdout.write('x')\n", (0, 1100001, 0)),
    "after imports that say something": ("print('x')\nimport os, sys\nos.write(2, b'x' * 1100000)\nsys.exit(3)\n", (3, 2, 1100000)),
    "by a callback at the end": ("import atexit, os\natexit.register(os.write, 1, b'x' * 1100000)\nprint('x' * 8)\n", (0, 1100009, 0)),
    "interleaved": ("import sys\nfor _ in range(600):\n print('x' * 999)\n print('x' * 1999, file=sys.stderr)\n", (0, 600000, 1200000)),
}


@pytest.mark.parametrize(("script", "expected"), SCRIPTS.values(), ids=SCRIPTS)
def test_a_command_that_writes_more_than_a_pipe_holds_loses_nothing(tmp_path, script, expected):
    sides = tuple(side(name, tmp_path, script, module="tool") for name in ("baseline", "candidate"))
    target = Target(name="t", entry="python tool.py", kind="command", command=("python", "tool.py"), payload="bytes")
    with Pair(sides, target, Limits(output_kib=2048), tmp_path / "scratch", tmp_path / "pycache") as pair:
        got = [
            (*parse(record).items(), len(out), len(err))
            for _, (record, out, err), _ in pair.run([fixture(n, b"", kind="bytes") for n in "ab"])
        ]
    code, out, err = expected
    assert got == [(("out", "exited"), ("code", code), *([] if code else [("done", True)]), out, err)] * 2
