"""Real worker processes: what is sent, seen, limited and cleared away. Hostile targets have a table of their own (test_hostile_targets)."""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from gate.errors import WorkerError
from gate.types import Limits
from tests.unit.gate.pairing import PLAIN, fixture, open_pair, records


def test_each_side_gets_its_own_payload_and_mutation_is_seen(tmp_path):
    mutates = "def run(p):\n    p.append(1)\n    return len(p)\n"
    with open_pair(tmp_path, mutates, "def run(p):\n    return 1 + len(p)\n") as pair:
        left, right = records(pair, [fixture("a", [])])["a"]
    assert (left["value"], right["value"]) == (1, 1)
    assert left["arg"] == [1]
    assert "arg" not in right


def test_mutation_that_equality_does_not_see(tmp_path):
    with open_pair(tmp_path, "def run(p):\n    p['x'] = 1.0\n") as pair:
        assert records(pair, [fixture("a", {"x": 1})])["a"][0]["arg"] == {"x": 1.0}


def test_stdout_belongs_to_its_fixture(tmp_path):
    source = "import os\ndef run(p):\n    print(p)\n    os.write(1, b'raw') if p == 'b' else None\n    os.system('echo shell') if p == 'c' else None\n"
    with open_pair(tmp_path, source) as pair:
        got = records(pair, [fixture(name, name) for name in "abcd"])
    assert [got[name][0]["stdout"] for name in "ad"] == ["a\n", "d\n"]
    assert sorted(got["b"][0]["stdout"]) == sorted("b\nraw")
    assert sorted(got["c"][0]["stdout"].split()) == ["c", "shell"]


def test_output_survives_what_happens_to_descriptors(tmp_path):
    source = """
import os
def run(p):
    if p == 'close': os.closerange(3, 64); print('kept'); return 1
    if p == 'open many': os.closerange(3, 64); [open('/dev/null') for _ in range(8)]; print('kept too'); return 1
    if p == 'truncate': open('/dev/stdout', 'w').write('zz'); return 1
    print(p); return 1
"""
    names = ["a", "close", "b", "truncate", "c", "open many", "d"]
    with open_pair(tmp_path, source) as pair:
        got = records(pair, [fixture(name, name) for name in names])
    assert {name: got[name][0]["stdout"] for name in names} == {
        "a": "a\n", "close": "kept\n", "b": "b\n", "truncate": "zz", "c": "c\n", "open many": "kept too\n", "d": "d\n",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        ("'X' * (3 << 30)", {"out": "over", "limit": "memory"}),
        ("open('big', 'wb').write(b'x' * (80 << 20))", {"out": "over", "limit": "output"}),
        ("exec('raise ExceptionGroup(\\'g\\', [ValueError(1)])')", {"out": "raised"}),
        ("__import__('sys').exit(True)", {"out": "exited", "code": 1}),
        ("__import__('resource').setrlimit(1, (1 << 20, 1 << 20))", {"out": "returned"}),
    ],
    ids=["one large allocation", "one large file", "a group", "true", "a limit of the target's own"],
)
def test_limits_and_kin_are_no_common_outcome(tmp_path, act, expected):
    with open_pair(tmp_path, f"def run(p): return {act}\n") as pair:
        got = records(pair, [fixture("a", 1), fixture("b", 2)])
    for name in "ab":
        assert got[name][0].items() >= expected.items()
    if "Group" in act:
        assert got["a"][0]["exc"]["type"] == "ExceptionGroup[builtins.ValueError]"


def test_lower_limits_of_the_user_are_kept(tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 24, before[1]))
    try:
        with open_pair(tmp_path, "def run(p): return p\n") as pair:
            assert records(pair, [fixture("a", 1)])["a"][0]["value"] == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_no_fixture_of_a_batch_finds_the_files_of_another(tmp_path):
    source = "import os\ndef run(p):\n    os.mkdir('work')\n    return os.listdir()\n"
    with open_pair(tmp_path, source) as pair:
        got = records(pair, [fixture(name, name) for name in "abc"])
    assert [got[name][0]["value"] for name in "abc"] == [["work"]] * 3


EFFECTS = """
import os, socket, subprocess, warnings
def run(p):
    if p == "get": return os.environ.get("A_NAME")
    if p == "getenv": return os.getenv("B_NAME")
    if p == "in": return "C_NAME" in os.environ
    if p == "environb": return os.environb.get(b"D_NAME")
    if p == "iterate": return len(dict(os.environ))
    if p == "read": open("/etc/hostname").read()
    if p == "write":
        for act in (lambda: open("/tmp/shadow-effect-probe", "w"), lambda: os.remove("/tmp/shadow-effect-probe")):
            try: act()
            except PermissionError: pass
    if p == "own temp": open("x", "w").close(); open(os.path.expanduser("~/y"), "w").close()
    if p == "net":
        try: socket.create_connection(("127.0.0.1", 9), 0.1)
        except OSError: pass
    if p == "process": subprocess.run(["/bin/true"])
    if p == "import": import wave
    if p == "warn": warnings.warn("careful", UserWarning)
    return None
"""


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        ("get", {"env": ["A_NAME"]}),
        ("getenv", {"env": ["B_NAME"]}),
        ("in", {"env": ["C_NAME"]}),
        ("environb", {"env": ["D_NAME"]}),
        ("iterate", {"env": ["*"]}),
        ("read", {"files": ["read /etc/hostname"]}),
        ("write", {"files": ["remove /tmp/shadow-effect-probe", "write /tmp/shadow-effect-probe"]}),
        ("own temp", {"env": ["HOME"]}),
        ("process", {"process": ["subprocess.Popen /bin/true"]}),
        ("import", {}),
        ("warn", {"warnings": [{"type": "builtins.UserWarning", "msg": "careful"}]}),
        ("nothing", {}),
    ],
)
def test_effects(tmp_path, act, expected):
    with open_pair(tmp_path, EFFECTS) as pair:
        record = records(pair, [fixture("a", act)])["a"][0]
    got = {key: record[key] for key in ("env", "net", "files", "process", "warnings") if key in record}
    if act == "process":  # how subprocess starts a child differs between builds
        got = {"process": [text for text in got["process"] if text.startswith("subprocess")]}
    assert got == expected


def test_network_attempts_are_seen(tmp_path):
    with open_pair(tmp_path, EFFECTS) as pair:
        record = records(pair, [fixture("a", "net")])["a"][0]
    assert record["net"] == ["getaddrinfo ('127.0.0.1', 9)", "socket AF_INET"]


def test_effects_at_import_belong_to_the_hello(tmp_path):
    with open_pair(tmp_path, "import os\nDEBUG = os.environ.get('DEBUG')\ndef run(p): pass\n") as pair:
        assert pair.hellos[0]["import"]["env"] == ["DEBUG"]


def test_files_of_one_fork_do_not_reach_the_next(tmp_path):
    source = (
        "import os\ndef run(p):\n    seen = sorted(os.listdir())\n    os.makedirs('d/e'); open('d/e/f', 'w').close()\n    return seen\n"
    )
    with open_pair(tmp_path, source) as pair:
        got = records(pair, [fixture("a", 1), fixture("b", 2)], batch=1)
    assert got["b"][0]["value"] == []


def test_the_environment_is_built_and_the_hash_seed_fixed(tmp_path, monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    monkeypatch.setenv("PYTHONHASHSEED", "77")
    source = "import os\ndef run(p):\n    return [sorted(os.environ), str({'alpha', 'beta', 'gamma', 'delta'})]\n"
    with open_pair(tmp_path, source) as pair:
        left, right = records(pair, [fixture("a", 1)])["a"]
    assert "LEAK" not in left["value"][0]
    assert left["value"] == right["value"]
    assert pair.hellos[0]["hash"] == pair.hellos[1]["hash"]


KINDS = [
    ("json", b'{"a": 1, "a": 2}', {"a": 2}),
    ("json", b"NaN", {"!float": "nan"}),
    ("text", "é\r\n".encode(), "é\r\n"),
    ("bytes", b"\xff", {"!bytes": "\\xff"}),
]


@pytest.mark.parametrize(("kind", "raw", "value"), KINDS)
def test_payload_kinds(tmp_path, kind, raw, value):
    with open_pair(tmp_path, "def run(p): return p\n") as pair:
        assert records(pair, [fixture("a", raw, kind)])["a"][0]["value"] == value


def test_a_payload_that_cannot_be_decoded_is_no_outcome_of_the_target(tmp_path):
    with open_pair(tmp_path, "def run(p): return p\n") as pair:
        got = records(pair, [fixture("a", b"{"), fixture("b", b"\xff", "text")])
    assert [got[name][0]["where"] for name in "ab"] == ["payload", "payload"]


def test_large_payloads_and_values_do_not_block(tmp_path):
    with open_pair(tmp_path, "def run(p): return [p, p]\n") as pair:
        got = records(pair, [fixture(str(i), "x" * 300_000) for i in range(12)], batch=4)
    assert all(len(got[str(i)][0]["value"][0]) == 300_000 for i in range(12))


def test_async_targets_are_awaited(tmp_path):
    with open_pair(tmp_path, "async def run(p): return [p]\n", "def run(p): return [p]\n") as pair:
        left, right = records(pair, [fixture("a", 1)])["a"]
    assert left["value"] == right["value"] == [1]
    assert (left["type"], right["type"]) == ("awaited builtins.list", "builtins.list")


def test_the_call_itself_raised(tmp_path):
    with open_pair(tmp_path, "def run(): pass\n", "def run(p): return {}['x']\n") as pair:
        left, right = records(pair, [fixture("a", 1)])["a"]
    assert left["at_call"] is True
    assert "at_call" not in right


@pytest.mark.parametrize(
    ("source", "entry", "words"),
    [
        ("def run(p): pass\n", "target:nope", "nope"),
        ("def run(p): pass\n", "nowhere:run", "nowhere"),
        ("run = 3\n", "target:run", "cannot be called"),
        ("def run(p)\n", "target:run", "SyntaxError"),
        ("import os; os._exit(9)\n", "target:run", "exited with status 9"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n", "target:run", "SIGSEGV"),
        ("raise SystemExit(0)\n", "target:run", "SystemExit"),
    ],
    ids=["attribute", "module", "not callable", "syntax", "exit", "crash", "SystemExit"],
)
def test_a_side_that_does_not_start_is_no_outcome(tmp_path, source, entry, words):
    with pytest.raises(WorkerError, match=words):
        open_pair(tmp_path, source, entry=entry)


def test_adapters(tmp_path):
    source = "def run(a, b): return [a, b]\n"
    around = tmp_path / "around.py"
    around.write_text("def call(target, payload): return target(*payload)\n")
    own = tmp_path / "own.py"
    own.write_text("import target\ndef go(payload): return target.run(payload, __file__)\n")
    with open_pair(tmp_path / "one", source, adapter=around) as pair:
        assert records(pair, [fixture("a", [1, 2])])["a"][0]["value"] == [1, 2]
    with open_pair(tmp_path / "two", source, entry="own:go", adapter=own) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == [1, str(own)]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("import target\nBy = target.lost\ndef call(t, p): return t(p)\n", 'adapter.py", line 2.*with the baseline the adapter fails'),
        ("def cal(t, p): return t(p)\n", "an adapter defines `call"),
    ],
    ids=["one side lacks a name", "no call"],
)
def test_an_adapter_that_fails_is_told_from_one_that_is_none(tmp_path, text, remedy):
    adapter = tmp_path / "adapter.py"
    adapter.write_text(text)
    with pytest.raises(WorkerError) as error:
        open_pair(tmp_path / "sides", "def run(p): return p\n", "lost = 1\ndef run(p): return p\n", adapter=adapter)
    assert re.search(remedy, str(error.value.remedy), re.DOTALL)


def test_leaving_the_pair_leaves_no_process(tmp_path):
    pids = []
    with pytest.raises(KeyboardInterrupt):
        _interrupt_in_mid_run(tmp_path, pids)
    assert len(pids) == 4  # a worker and its fork on each side
    deadline = time.monotonic() + 3
    while any(map(_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(_alive, pids))


def _interrupt_in_mid_run(tmp_path, pids):
    """What Ctrl-C does while both sides are busy. Adds the processes that were at work to ``pids``."""
    source = "def run(p):\n    while True: pass\n"
    with open_pair(tmp_path, source, limits=Limits(seconds=30)) as pair:
        workers = [worker.process.pid for worker in pair.workers]
        for worker in pair.workers:
            worker.send([fixture("a", 1)])
            worker.push()
        time.sleep(0.3)
        pids += [*workers, *(child for pid in workers for child in _children(pid))]
        raise KeyboardInterrupt


def _children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_worker_that_is_stopped_by_hand_is_no_hang(tmp_path):
    with open_pair(tmp_path, "def run(p): return p\n") as pair:
        os.kill(pair.workers[0].process.pid, signal.SIGKILL)
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == 1


def test_what_is_known_of_the_first_side_is_not_run_there_again(tmp_path):
    source = "def run(p, seen=[]):\n    seen.append(p)\n    return seen\n"
    known = {"b": (b"known", b"", b"")}
    with open_pair(tmp_path, source) as pair:
        got = [
            (one.id, *map(value_of, (left, right))) for one, left, right in pair.run_apart([fixture(name, name) for name in "abc"], known)
        ]
    assert got == [("a", ["a"], ["c", "b", "a"]), ("b", None, ["c", "b"]), ("c", ["a", "c"], ["c"])]


def value_of(wire):
    return None if wire[0] == b"known" else json.loads(wire[0])["value"]


RARE = """
import os, signal, sys, threading
print("y" * 100_001)
data = os.environ._data  # what some libraries reach for
class Mute(Exception):
    def __str__(self): raise RuntimeError
async def endless():
    at = 0
    while True:
        yield at
        at += 1
def released():
    view = memoryview(b"x")
    view.release()
    return view
def lowered():
    if hasattr(sys, "set_int_max_str_digits"): sys.set_int_max_str_digits(640)
    return 10 ** 700
def run(p):
    if p == ["lock"]: return p.append(threading.Lock())
    return eval(p)
"""
RARELY = {
    "os.kill(os.getpid(), 50)": {"out": "signalled", "signal": "SIG50"},
    "endless()": {"out": "returned", "type": "builtins.async_generator", "last": {"!more": True}},
    "released()": {"out": "error", "where": "value", "why": "a memoryview that was released, or that cannot be read; return bytes"},
    "os": {"out": "returned", "value": {"!module": "os"}},
    "lowered()": {"out": "returned", "value": 10**700},
    "exec('raise Mute')": {
        "out": "raised",
        "exc": {"type": "Mute", "module": "target", "msg": "<str() failed>", "bases": ["builtins.Exception", "builtins.BaseException"]},
    },
    "data.get(b'A')": {"out": "returned", "value": None, "env": ["A"]},
    "b'B' in data": {"out": "returned", "value": False, "env": ["B"]},
    "len(data.keys()) == len(data.values()) == len(data.copy())": {"out": "returned", "value": True, "env": ["*"]},
    "b'TZ' in data.keys()": {"out": "returned", "value": True, "env": ["*"]},
}


def test_what_is_rare_has_its_record_too(tmp_path):
    acts = [fixture("lock", ["lock"]), *(fixture(act, act) for act in RARELY)]
    with open_pair(tmp_path, RARE, limits=Limits(seconds=20.0)) as pair:
        printed, seen = pair.hellos[0]["stdout"], records(pair, acts, batch=3)
    assert printed["!long"][0] == 100_002
    assert seen["lock"][0]["why"].startswith("the changed argument: ")
    for act, expected in RARELY.items():
        for record in seen[act]:
            last = record["value"]["!iter"][1][-1] if "last" in expected else None
            assert {key: last if key == "last" else record.get(key) for key in expected} == expected


def test_nothing_is_imported_from_where_shadow_works(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    for name in ("sys", "posix", "encodings", "site", "os", "re", "mmap", "struct", "_frozen_importlib_external"):
        (tmp_path / f"here/{name}.py").write_text("raise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path / "here")
    source = "import os\ndef run(p):\n    mask = os.umask(0)\n    os.umask(mask)\n    return [os.getcwd() == os.environ['TMPDIR'], mask]\n"
    with open_pair(tmp_path, source, interpreter=PLAIN) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == [True, 0o022]
