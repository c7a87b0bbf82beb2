"""The worker under every CPython it promises: the same fixtures, the same trees and the same typed outcomes.

A version that is not on this machine is skipped by name. Found are `pythonX.Y` on the path and the interpreters that
lie beside the one that runs the tests, which is how version managers and hosted runners lay them out.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gate.canonical.visible_json import visible
from gate.canonical.walk import sort_sets
from gate.types import Interpreter, Limits
from tests.traced import interpreter as traced
from tests.unit.gate.golden_values import PRELUDE, SINCE, VALUES
from tests.unit.gate.pairing import fixture, open_pair, records

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"
FEW = tuple(dict.fromkeys((VERSIONS[0], OWN, VERSIONS[-1])))  # the ends, and the one in which coverage is measured
LIMITS = Limits(seconds=1.0, memory_mib=256)
ASK = "import sys; print(sys.implementation.name, sys.version.split()[0], sys.executable, sep='\\n')"

TARGET = (
    PRELUDE
    + """
import signal, socket, subprocess, warnings

def chained():
    try:
        {}["x"]
    except KeyError as exc:
        raise ValueError("outer") from exc

def forever():
    while True:
        pass

def hostile():
    import builtins, json
    builtins.len = lambda x: 7
    builtins.type = builtins.isinstance = None
    os.write = os._exit = json.dumps = lambda *a, **k: None
    return {"k": ["v"]}

def connect():
    try:
        socket.create_connection(("127.0.0.1", 9), 0.1)
    except OSError:
        pass

def files():
    open("own", "w").close()
    os.mkdir("folder")
    open("/etc/passwd").close()
    os.listdir("/etc")
    try:
        os.remove("/nowhere/at/all")
    except OSError:
        pass
"""
)

# {expression: what the record must hold beside anything else it says}
OUTCOMES = {
    "later(1)": {"out": "returned", "value": 1},
    "10 ** 10_000": {"out": "returned", "value": 10**10_000},
    "deep(10_000)": {"out": "returned"},
    "sets(300)": {"out": "returned"},
    "{}['x']": {"out": "raised", "exc": {"type": "KeyError", "module": "builtins", "msg": "'x'"}},
    "chained()": {"out": "raised", "chain": [{"type": "KeyError", "module": "builtins", "msg": "'x'"}]},
    "(_ for _ in ()).throw(Odd, 'x')": {
        "out": "raised",
        "exc": {"type": "Odd", "module": "target", "msg": "x", "bases": ["builtins.Exception", "builtins.BaseException"]},
    },
    "os.kill(os.getpid(), signal.SIGSEGV)": {"out": "signalled", "signal": "SIGSEGV"},
    "os.abort()": {"out": "signalled", "signal": "SIGABRT"},
    "sys.exit(3)": {"out": "exited", "code": 3},
    "os._exit(4)": {"out": "exited", "code": 4, "hard": True},
    "forever()": {"out": "timed_out"},
    "bytearray(1 << 40)": {"out": "over", "limit": "memory"},
    "print('y' * 3_000_000)": {"out": "over", "limit": "output"},
    "open(os.devnull)": {"out": "error", "where": "value"},
    "print('said')": {"out": "returned", "stdout": "said\n"},
    "os.system('echo shell')": {"out": "returned", "stdout": "shell\n"},
    "os.environ.get('A_NAME')": {"out": "returned", "env": ["A_NAME"]},
    "os.getenv('B_NAME')": {"out": "returned", "env": ["B_NAME"]},
    "os.environb.get(b'C_NAME')": {"out": "returned", "env": ["C_NAME"]},
    "'D_NAME' in os.environ": {"out": "returned", "env": ["D_NAME"]},
    "len(dict(os.environ))": {"out": "returned", "env": ["*"]},
    "os.environ.pop('E_NAME', None)": {"out": "returned", "env": ["E_NAME"]},
    "warnings.warn('careful')": {"out": "returned", "warnings": [{"type": "builtins.UserWarning", "msg": "careful"}]},
    "files()": {"out": "returned", "files": ["list /etc", "read /etc/passwd", "remove /nowhere/at/all"]},
    "connect()": {"out": "returned", "net": ["getaddrinfo ('127.0.0.1', 9)", "socket AF_INET"]},
    "__import__('wave') and None": {"out": "returned", "value": None},
    "changed": {"out": "returned", "arg": {"a": 1, "seen": 1}},
    "hostile()": {"out": "returned", "value": {"k": ["v"]}},  # last: what it replaces stays replaced for the rest of its fork
}


def folders():
    """Where interpreters lie beside the one that runs the tests, nearest first: siblings, and siblings of its parent."""
    base = Path(sys.base_prefix).resolve()
    yield base / "bin"
    for parent, pattern in ((base.parent, "*/bin"), (base.parent.parent, "*/*/bin")):
        if parent != Path(parent.anchor):
            yield from sorted(parent.glob(pattern))


def find(version, *, measured=True):
    """The interpreter of that version, by its own word; None where there is none. A version manager's shim may refuse to run."""
    name, own = f"python{version}", measured and version == OWN
    for candidate in filter(None, (*(shutil.which(name, path=folder) for folder in folders()), shutil.which(name))):
        done = subprocess.run([candidate, "-I", "-c", ASK], capture_output=True, text=True, check=False, timeout=20)
        if done.returncode == 0:
            kind, exact, executable = done.stdout.splitlines()
            if kind == "cpython" and exact.startswith(f"{version}."):
                return Interpreter(executable=traced(Path(executable)) if own else Path(executable), version=exact)
    return None


@pytest.fixture(scope="module", params=VERSIONS)
def seen(request, tmp_path_factory):
    """Everything under one interpreter: (what was asked for, hello, {expression: both records})."""
    interpreter = find(request.param)
    if interpreter is None:
        pytest.skip(f"no CPython {request.param} on this machine: the worker was NOT tried under it")
    acts = [fixture(text, {"a": 1} if text == "changed" else text) for text in (*VALUES, *OUTCOMES)]
    limits = Limits(seconds=4.0, memory_mib=256) if request.param == OWN else LIMITS  # where it is measured all takes longer
    with open_pair(tmp_path_factory.mktemp("versions"), TARGET, limits=limits, interpreter=interpreter) as pair:
        return interpreter, pair.hellos[0], records(pair, acts, batch=16)


def test_the_search_finds_what_is_there_and_nothing_else():
    own = find(f"{sys.version_info.major}.{sys.version_info.minor}")
    assert own is not None
    assert own.version == sys.version.split()[0]
    assert find("3.99") is None


def test_the_worker_runs_under_the_interpreter_that_was_asked_for(seen):
    interpreter, hello, _ = seen
    assert hello["python"] == interpreter.version
    assert hello["flags"]["hash_randomization"] == 0
    assert hello["modules"].keys() == {"target"}


@pytest.mark.parametrize("text", VALUES)
def test_a_value_has_the_same_canonical_text_everywhere(seen, text):
    interpreter, _, by_text = seen
    if tuple(map(int, interpreter.version.split(".")[:2])) < SINCE.get(text, (3, 8)):
        pytest.skip(f"Python {interpreter.version} does not know {text}")
    for record in by_text[text]:
        assert (record["out"], record.get("why")) == ("returned", None)
        assert visible(sort_sets(record["value"])) == VALUES[text]


@pytest.mark.parametrize("text", OUTCOMES)
def test_an_outcome_is_the_same_everywhere(seen, text):
    for record in seen[2][text]:
        assert {key: record.get(key) for key in OUTCOMES[text]} == OUTCOMES[text]


BRINGS_IN = """
import sys
def run(payload):
    if payload == "same":
        return payload
    if payload == "swap":
        import types
        made = types.ModuleType("swapped"); made.__file__ = "/elsewhere/swapped.py"
        del sys.modules["swapped"]
        sys.modules["swapped"] = made
        return payload
    import late
    return late.__name__
import swapped
"""


def test_modules_that_fixtures_bring_in_are_told(seen, tmp_path):
    interpreter = seen[0]
    for name in ("baseline", "candidate"):
        for module in ("late", "swapped"):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{module}.py").write_text("")
    with open_pair(tmp_path, BRINGS_IN, interpreter=interpreter, limits=LIMITS) as pair:
        records(pair, [fixture("0", "same")])
        assert pair.late == ({}, {})
        records(pair, [fixture("1", "late"), fixture("2", "swap")], batch=1)
        for side, late in zip(("baseline", "candidate"), pair.late, strict=True):
            assert late == {"late": str(tmp_path / side / "late.py"), "swapped": "/elsewhere/swapped.py"}
        assert pair.hellos[0]["build"] == pair.hellos[1]["build"]
        assert pair.hellos[0]["build"].startswith(interpreter.version)
