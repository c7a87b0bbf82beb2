"""A command in a warm fork is, to the byte, what a fresh process is; and whatever is no program of Python's is a fresh process."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gate.errors import WorkerError
from gate.runner import Pair
from gate.runner.process import environment
from gate.types import Conditions, Limits, Pin, Side, Target
from tests.unit.gate.pairing import INTERPRETER, fixture
from tests.unit.gate.test_worker_versions import FEW, find

ASSETS = Path(__file__).parents[2] / "assets" / "targets" / "cli"
LIMITS = Limits(seconds=20.0)


@pytest.fixture(scope="module", params=FEW)
def interpreter(request):
    found = find(request.param)
    if found is None:
        pytest.skip(f"no CPython {request.param} on this machine: commands were NOT tried under it")
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Both sides' copies of the programs."""
    root = tmp_path_factory.mktemp("commands")
    for name in ("baseline", "candidate"):
        shutil.copytree(ASSETS, root / name)
    return root


def open_command(place, words, interpreter=INTERPRETER, *, limits=LIMITS, scratch="scratch"):
    sides = tuple(
        Side(
            name=name,
            pin=Pin(kind="dir", value=name),
            root=place / name,
            roots=(place / name,),
            packages=(),
            interpreter=interpreter,
            code_digest=name,
            facts={},
        )
        for name in ("baseline", "candidate")
    )
    target = Target(name="t", entry=" ".join(words), kind="command", command=tuple(words), payload="bytes")
    return Pair(sides, target, limits, place / scratch, place / "pycache")


def run(pair, plans):
    """(code or record, stdout, stderr) of the baseline for each plan."""
    fixtures = [fixture(str(at), plan, kind="bytes" if isinstance(plan, bytes) else "call") for at, plan in enumerate(plans)]
    out = []
    for _, (record, stdout, stderr), _other in pair.run(fixtures):
        made = json.loads(record)
        out.append((made["code"] if made["out"] == "exited" else made.get("signal") or made, stdout, stderr))
    return out


def fresh(place, words, interpreter, plan):
    """The same by a process of its own, as a shell would start it."""
    plan = {"stdin": plan} if isinstance(plan, bytes) else plan
    home = place / "fresh"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    for name, text in plan.get("files", {}).items():
        (home / name).write_text(text)
    root = place / "baseline"
    env = environment(home, Conditions()) | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"} | plan.get("env", {})
    stdin = plan.get("stdin", b"")
    stdin = stdin if isinstance(stdin, bytes) else stdin.encode()
    command = [
        str(interpreter.executable),
        "-s",
        *(str(root / word) if word.endswith(".py") else word for word in words[1:]),
        *plan.get("argv", []),
    ]
    done = subprocess.run(command, cwd=home, env=env, input=stdin, capture_output=True, check=False, timeout=60)
    code = done.returncode
    return (code if code >= 0 else {-2: "SIGINT", -15: "SIGTERM"}[code]), done.stdout, done.stderr


ENDS = {
    "usage error": {"argv": ["usage", "--count", "x"]},
    "usage choice": {"argv": ["usage", "--count", "7", "file"]},
    "usage help": {"argv": ["usage", "--help"]},
    "usage fine": {"argv": ["usage", "--count", "2"]},
    "help with columns": {"argv": ["usage", "--help"], "env": {"COLUMNS": "40"}},
    "text": {"argv": ["text"]},
    "number": {"argv": ["number", "3"]},
    "large number": {"argv": ["number", "258"]},
    "negative number": {"argv": ["number", "-1"]},
    "nothing": {"argv": ["nothing"]},
    "odd": {"argv": ["odd"]},
    "builtin exit": {"argv": ["builtin"]},
    "bytes": {"argv": ["copy"], "stdin": "a\r\n\u00e9"},
    "no stdin": {"argv": ["copy"]},
    "lines": {"argv": ["lines"], "stdin": "a\r\nb\rc\n\u00e9"},
    "ask": {"argv": ["ask"], "stdin": "Ada\n"},
    "ask nobody": {"argv": ["ask"]},
    "no newline": {"argv": ["bare"]},
    "atexit": {"argv": ["late"]},
    "atexit fails": {"argv": ["late_failure"]},
    "traceback": {"argv": ["crash"]},
    "no words": {"argv": ["wordless"]},
    "hook": {"argv": ["hook"]},
    "argv": {"argv": ["words", "a b", "", "\u00e9"]},
    "order": {"argv": ["order"]},
    "os._exit": {"argv": ["hard"]},
    "terminal": {"argv": ["terminal"]},
    "logging": {"argv": ["logs"]},
    "unittest": {"argv": ["tests"]},
    "threads": {"argv": ["threads"]},
    "deleted at the end": {"argv": ["deleted"]},
    "warnings": {"argv": ["warned"]},
    "closed stdout": {"argv": ["closed"]},
    "flush that fails": {"argv": ["unflushed"]},
    "interrupted": {"argv": ["interrupted"]},
    "killed": {"argv": ["killed"]},
    "handled signal": {"argv": ["handled"]},
    "forked": {"argv": ["forked"]},
    "exec": {"argv": ["replaced"]},
    "recursion": {"argv": ["deep"]},
    "files": {"argv": ["files"], "files": {"a.txt": "A", "b.txt": "B"}, "env": {"GIVEN": "x"}},
}


def test_every_end_is_that_of_a_fresh_process(place, interpreter):
    words = ["python", "-m", "acts"]
    with open_command(place, words, interpreter) as pair:
        warm = run(pair, ENDS.values())
    cold = [fresh(place, words, interpreter, plan) for plan in ENDS.values()]
    assert {name: one for name, one, other in zip(ENDS, warm, cold, strict=True) if settled(one) != settled(other)} == {}


def settled(end):
    """Without addresses, and without the output of what a signal ended: that is chance, and never compared."""
    code, *texts = end
    return (code,) if isinstance(code, str) else (code, *(re.sub(rb"0x[0-9a-f]{6,}", b"0x", text) for text in texts))


@pytest.mark.parametrize(
    ("words", "plans"),
    [
        (["python", "script.py"], [{"argv": []}, {"argv": ["crash"]}, {"argv": ["usage", "-h"]}, {"argv": ["number", "2"]}]),
        (["python", "./script.py", "copy"], [b"\xff\x00", {"argv": ["x"], "stdin": "é"}]),
        (["python", "unparsable.py"], [{}]),
        (["python", "-m", "acts", "copy"], [b"raw \xff bytes", b"", b"x" * 300_000]),
        (["python", "-m", "acts.ends"], [{}]),
        (["python", "-m", "noisy.use_talks"], [{}, {"argv": ["a"]}]),
        (["python", "-m", "noisy.use_reads"], [{}, {"env": {"MODE": "given"}}]),
        (["python", "-m", "noisy.use_looks"], [{}, {"argv": ["-v"]}]),
        (["python", "-m", "noisy.use_drinks"], [{"stdin": "data"}, {}]),
        (["python", "-m", "noisy.use_fails"], [{}]),
        (["python", "-m", "noisy.use_starts"], [{}]),
    ],
    ids=lambda value: " ".join(value) if value and isinstance(value[0], str) else "",
)
def test_every_way_to_name_a_program_is_that_of_a_fresh_process(place, interpreter, words, plans):
    with open_command(place, words, interpreter) as pair:
        warm = run(pair, plans)
    assert warm == [fresh(place, words, interpreter, plan) for plan in plans]


def test_what_the_program_imports_is_loaded_before_the_fork(place, interpreter):
    with open_command(place, ["python", "-m", "quiet"], interpreter) as pair:
        assert run(pair, [b"", b""]) == [(0, b"warm\n", b"")] * 2


def test_threads_that_imports_of_compiled_code_start_are_those_of_a_fresh_process(tmp_path):
    """They are not Python's own, but a fork loses them as well, and may wait for them for ever."""
    for name in ("baseline", "candidate"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "helper.py").write_text("import faulthandler\nfaulthandler.dump_traceback_later(600)\n")
        (tmp_path / name / "tool.py").write_text("import helper, os\nprint(len(os.listdir('/proc/self/task')))\n")
    with open_command(tmp_path, ["python", "tool.py"], limits=Limits(seconds=5)) as pair:
        assert run(pair, [b"", b""]) == [(0, b"2\n", b"")] * 2


# -- what is no program of Python's, and what is none at all ---------------------------------------------------


def raw(pair, plans):
    """The baseline's whole records, stdout and stderr."""
    fixtures = [fixture(str(at), plan, kind="bytes" if isinstance(plan, bytes) else "call") for at, plan in enumerate(plans)]
    return [(json.loads(record), stdout, stderr) for _, (record, stdout, stderr), _other in pair.run(fixtures)]


def test_any_program_runs_as_a_process_of_its_own(place):
    with open_command(place, ["./tool.sh", "one"]) as pair:
        plans = [{"argv": ["a b"], "stdin": "in", "env": {"GIVEN": "x"}}, b"\xff\x00"]
        assert run(pair, plans) == [(3, b"tool.sh\n2 one\nin", b"x\n"), (3, b"tool.sh\n1 one\n\xff\x00", b"\n")]
        assert pair.reached == (True, True)
        assert [hello["modules"] for hello in pair.hellos] == [
            {"__main__": str(place / name / "tool.sh")} for name in ("baseline", "candidate")
        ]


def test_a_word_below_the_root_is_found_wherever_it_stands(place):
    with open_command(place, ["sh", "./tool.sh"]) as pair:
        assert run(pair, [b""]) == [(3, b"tool.sh\n0 \n", b"\n")]
        assert pair.reached == (True, True)


def test_a_program_that_is_not_the_sides_reaches_nothing(place):
    with open_command(place, ["cat"]) as pair:
        assert run(pair, [b"x"]) == [(0, b"x", b"")]
        assert pair.reached == (False, False)
        assert pair.hellos[0]["modules"] == {}


def test_python_with_other_flags_is_a_fresh_interpreter(place, interpreter):
    words = ["python", "-X", "dev", "-c", "import acts.ends, sys; print(sys.flags.dev_mode, sys.argv); acts.ends.number()"]
    with open_command(place, words, interpreter) as pair:
        assert run(pair, [{"argv": ["7"]}]) == [(7, b"True ['-c', '7']\n", b"")]
        assert pair.reached == (False, False)
    assert not list((place / "baseline").rglob("__pycache__"))
    with open_command(place, ["python", "-u", "-m", "acts", "bare"], interpreter) as pair:
        assert run(pair, [b""]) == [(0, b"no newline at the end", b"")]
        assert pair.reached == (True, True)


def test_a_console_script_runs_under_its_own_name(place, interpreter):
    with open_command(place, ["tool", "--count"], interpreter) as pair:
        bad, fine = run(pair, [{"argv": ["x"]}, {"argv": ["2"]}])
    assert (bad[0], bad[1], bad[2].splitlines()[0]) == (2, b"", b"usage: tool [-h] [--count {1,2}] [file]")
    assert fine == (0, b"Namespace(count=2, file=None)\n", b"")
    with open_command(place, ["other"], interpreter) as pair:
        assert run(pair, [b""]) == [(0, b"no newline at the end", b"")]


def test_a_script_that_a_wheel_brings_is_found_beside_its_packages(place, interpreter):
    """Old wheels have scripts instead of entry points, and those of compiled programs have the program itself."""
    for name in ("baseline", "candidate"):
        (place / name / "bin").mkdir(exist_ok=True)
        (place / name / "bin" / "brought.py").write_text("#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\n")
        (place / name / "bin" / "compiled").write_text('#!/bin/sh\necho "$@"\n')
        (place / name / "bin" / "compiled").chmod(0o755)
    for word, says in (("brought.py", b"['a']\n"), ("compiled", b"a\n")):
        with open_command(place, [word], interpreter) as pair:
            assert run(pair, [{"argv": ["a"]}]) == [(0, says, b"")]
            assert pair.reached == (True, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["python", "-m", "missing"], "No module named missing"),
        (["python", "-m", "acts.missing"], "No module named acts.missing"),
        (["python", "-m", "noisy"], "No module named noisy.__main__; noisy is a package and cannot be run"),
        (["python", "missing.py"], "there is no script missing.py in the side's root"),
        (["./missing"], "is no program"),
        (["./script.py"], "is no program"),  # it is not executable
        (["none"], "none is no program: no console script of an installed package, not on PATH, not in the side's root"),
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_said_before_anything_runs(place, words, said):
    with pytest.raises(WorkerError, match=re.escape(said)) as caught:
        open_command(place, words)
    assert "[[target]] command" in caught.value.remedy


def test_effects_of_a_program_are_seen_to_its_end(place, interpreter):
    with open_command(place, ["python", "-m", "effects"], interpreter) as pair:
        made = {name: record for name, (record, _, _) in zip(EFFECTS, raw(pair, [{"argv": [name]} for name in EFFECTS]), strict=True)}
    assert {name: {key: record.get(key) for key in EFFECTS[name]} for name, record in made.items()} == EFFECTS


EFFECTS = {
    "nothing": {"out": "exited", "code": 0, "done": True, "env": None, "files": None, "process": None},
    "env": {"env": ["A_NAME"], "code": 1, "done": None},
    "atexit": {"files": ["read /etc/passwd"]},
    "hard": {"env": ["B_NAME"], "code": 4},
    "exec": {"process": ["os.exec /bin/true"], "code": 0},
    "own": {"files": None},
}


@pytest.mark.parametrize(
    ("act", "record"),
    [
        ("forever", {"out": "timed_out"}),
        ("memory", {"out": "over", "limit": "memory"}),
        ("output", {"out": "over", "limit": "output"}),
        ("segv", {"out": "signalled", "signal": "SIGSEGV"}),
    ],
)
def test_limits_hold_for_a_program(place, interpreter, act, record):
    limits = Limits(seconds=2.0, memory_mib=256)
    with open_command(place, ["python", "-m", "effects"], interpreter, limits=limits) as pair:
        before, at, after = raw(pair, [{"argv": ["nothing"]}, {"argv": [act]}, {"argv": ["nothing"]}])
    assert (at, before[0]["code"], after) == ((record, b"", b""), 0, before)


def test_limits_hold_for_any_program(place):
    with open_command(place, ["sh", "-c", "$0 $1"], limits=Limits(seconds=1.0)) as pair:
        made = raw(pair, [{"argv": ["sleep", "9"]}, {"argv": ["yes"]}, {"argv": ["kill", "-9"]}])
    assert [record["out"] for record, _, _ in made] == ["timed_out", "over", "exited"]


def test_a_scene_that_cannot_be_set_is_an_error_of_the_fixture(place):
    with open_command(place, ["python", "-m", "effects"]) as pair:
        (record, _, _), (after, _, _) = raw(pair, [{"files": {"x": "", "x/y": ""}}, {"argv": ["nothing"]}])
    assert (record["out"], record["where"], after["code"]) == ("error", "payload", 0)
