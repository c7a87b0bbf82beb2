"""What the sandbox holds and what it leaves alone, on this kernel and on kernels that lack parts of it."""

import os
import shlex
import socket
import subprocess
import time

import pytest

from gate.errors import SandboxError, WorkerError
from gate.types import Interpreter, Limits
from tests.unit.gate.pairing import INTERPRETER, fixture, lacking, open_pair, records

FULL = ("net", "fs", "signals")

TARGET = """
import asyncio, ctypes, multiprocessing, os, signal, socket, subprocess, sys, tempfile, threading

libc = ctypes.CDLL(None, use_errno=True)

def call(number, *args):
    return ctypes.get_errno() if libc.syscall(number, *args) < 0 else "done"

def connect(kind, address):
    with socket.socket(socket.AF_UNIX, kind) as one:
        one.connect(address)

def send(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.sendmsg([b"x"], [], 0, address)

def pair():
    one, other = socket.socketpair()
    one.send(b"x")
    return other.recv(1)

def child(code):
    return subprocess.run([sys.executable, "-S", "-c", code], stderr=subprocess.PIPE, text=True).stderr.strip().splitlines()[-1:]

def write(path):
    with open(path, "w") as file:
        file.write("x")
    return os.path.getsize(path)

def threads():
    found = []
    many = [threading.Thread(target=lambda name=name: found.append(write(name))) for name in "abc"]  # a file each: they run at once
    for one in many: one.start()
    for one in many: one.join()
    return found

def pool():
    with multiprocessing.get_context("fork").Pool(2) as many:
        return many.map(abs, [-1, 2])

def kill_child():
    child = subprocess.Popen(["/bin/sleep", "60"])
    child.kill()
    return child.wait()

async def later():
    await asyncio.sleep(0)
    return 3

def run(p):
    return eval(p["do"], globals(), p)
"""

DENIED = {
    "tcp": "socket.create_connection(('127.0.0.1', 9), 1)",
    "tcp 6": "socket.socket(socket.AF_INET6)",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "raw": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a socket in the file system": "connect(socket.SOCK_STREAM, outside + '/listener')",
    "an abstract socket": "connect(socket.SOCK_STREAM, '\\0' + outside)",
    "a datagram to a path": "send('/dev/log')",
    "a pair of datagram sockets": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "write": "write(outside + '/new')",
    "overwrite": "write(outside + '/kept')",
    "append": "open(outside + '/kept', 'a')",
    "truncate": "os.truncate(outside + '/kept', 0)",
    "remove": "os.remove(outside + '/kept')",
    "rename": "os.rename(outside + '/kept', outside + '/other')",
    "move in": "os.rename(outside + '/kept', 'kept')",
    "link": "os.symlink('x', outside + '/link')",
    "folder": "os.mkdir(outside + '/folder')",
    "through a link": "(os.symlink(outside, 'way'), write('way/new'))",
    "own code": "write(__import__('target').__file__)",
    "a process outside": "os.kill(gate, 0)",
    "its worker": "os.kill(os.getppid(), signal.SIGTERM)",
}
ALLOWED = {
    "read": ("open(outside + '/kept').read()", "before"),
    "temp root": ("write('own')", 1),
    "home": ("write(os.path.expanduser('~/own'))", 1),
    "temporary file": ("tempfile.TemporaryFile().write(b'xx')", 2),
    "move about": ("(os.mkdir('a'), write('a/b'), os.rename('a/b', 'c'))[1]", 1),
    "null": ("write(os.devnull)", 0),
    "pair": ("pair()", {"!bytes": "x"}),
    "asyncio": ("asyncio.run(later())", 3),
    "threads": ("threads()", [1, 1, 1]),
    "a pool of processes": ("pool()", [1, 2]),
    "its own child": ("kill_child()", -9),
    "itself": ("os.kill(os.getpid(), 0)", None),
    "io_uring is absent": ("call(425, 1, None)", 38),
    "so is x32": ("call(0x40000000 | 41, 2, 1, 0) if os.uname().machine == 'x86_64' else 38", 38),
    "a child program": ("child('import socket; socket.socket()')", ["PermissionError: [Errno 13] Permission denied"]),
}


@pytest.fixture(scope="module")
def listener(tmp_path_factory):
    """A folder outside every temp root, with a file and two sockets on which somebody listens."""
    outside = tmp_path_factory.mktemp("s")
    (outside / "kept").write_text("before")
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        one.bind(str(outside / "listener"))
        other.bind("\0" + str(outside))
        one.listen()
        other.listen()
        yield outside


def ask(name, text, outside):
    return fixture(name, {"do": text, "outside": str(outside), "gate": os.getpid()})


@pytest.fixture(scope="module")
def seen(listener, tmp_path_factory):
    acts = {**DENIED, **{name: text for name, (text, _) in ALLOWED.items()}}
    with open_pair(tmp_path_factory.mktemp("sandbox"), TARGET, limits=Limits(seconds=20)) as pair:
        hello = pair.hellos[0]
        got = records(pair, [ask(name, text, listener) for name, text in acts.items()], batch=1)
    missing = [word for word in FULL if not hello["enforced"][word]]
    if missing:
        pytest.skip(f"this kernel does not enforce {missing}: the sandbox was NOT tried ({hello['why']})")
    return got


@pytest.mark.parametrize("name", DENIED)
def test_denied(seen, name):
    for record in seen[name]:
        assert (record["out"], record["exc"]["type"]) == ("raised", "PermissionError")


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(seen, name):
    for record in seen[name]:
        assert (record["out"], record.get("value")) == ("returned", ALLOWED[name][1])


def test_what_was_denied_did_not_happen_and_the_attempt_is_recorded(seen, listener):
    assert sorted(path.name for path in listener.iterdir()) == ["kept", "listener"]
    assert (listener / "kept").read_text() == "before"
    assert seen["write"][0]["files"] == [f"write {listener}/new"]
    assert seen["a socket in the file system"][0]["net"] == [f"connect {listener}/listener"]
    assert seen["tcp 6"][0]["net"] == ["socket AF_INET6"]
    assert seen["its worker"][0]["process"] == ["os.kill with signal 15"]
    assert "net" not in seen["pair"][0]


@pytest.mark.parametrize("act", ["import socket; socket.socket()", "open(__file__, 'a')"], ids=["network", "writing"])
def test_the_import_is_inside_too(tmp_path, act):
    with pytest.raises(WorkerError, match="PermissionError"):
        open_pair(tmp_path, f"{act}\ndef run(p): pass\n")


# -- kernels that lack something ------------------------------------------------------------------------


LACKS = {
    "landlock": (("net",), "this kernel has no Landlock"),
    "landlock-off": (("net",), "Landlock is off"),
    "rules": (("net",), "Landlock was refused: Invalid argument"),
    "scope": (("net", "fs"), "does not hold signals"),
    "seccomp": (("fs", "signals"), "a seccomp filter was refused: Operation not permitted"),
    "no-new-privs": ((), "the kernel refuses no_new_privs"),
    "landlock seccomp": ((), "this kernel has no Landlock"),
}
ACTS = {"net": "socket.socket(socket.AF_INET).close()", "fs": "write(outside + '/new')", "signals": "os.kill(gate, 0)"}


@pytest.mark.parametrize("names", LACKS)
def test_what_a_kernel_lacks_is_said_and_the_rest_still_holds(tmp_path, listener, names):
    held, why = LACKS[names]
    acts = [ask(word, text, tmp_path) for word, text in ACTS.items()]
    with open_pair(tmp_path / "sides", TARGET, interpreter=lacking(tmp_path, *names.split())) as pair:
        hello = pair.hellos[0]
        got = records(pair, acts, batch=3)
    assert [word for word in FULL if hello["enforced"][word]] == list(held)
    assert set(hello["why"]) == set(FULL) - set(held)
    assert any(why in text for text in hello["why"].values())
    for word in FULL:
        assert got[word][0]["out"] == ("raised" if word in held else "returned")


def test_an_interpreter_without_ctypes_has_no_sandbox_and_says_so(tmp_path):
    real = INTERPRETER.executable
    wrapper = tmp_path / "python"
    code = "import sys; sys.modules['_ctypes'] = None; words = sys.argv[1:]; at = words.index('-c'); sys.argv[:] = ['-c', *words[at + 2:]]; exec(words[at + 1])"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([str(real), "-S", "-s", "-c", code])} "$@"\n')
    wrapper.chmod(0o755)
    source = "import os, subprocess\ndef run(p):\n    subprocess.Popen(['/bin/sleep', '7.8e4'])\n    return p\n"
    with open_pair(tmp_path / "sides", source, interpreter=Interpreter(executable=wrapper, version="3")) as pair:
        assert pair.hellos[0]["enforced"] == dict.fromkeys(FULL)
        assert "cannot call the kernel" in pair.hellos[0]["why"]["net"]
        assert records(pair, [fixture("a", 1), fixture("b", 2)])["b"][0]["value"] == 2


def test_without_the_scope_a_target_that_kills_its_worker_costs_one_fixture(tmp_path):
    source = "import os\ndef run(p):\n    if p == 'kill': os.kill(os.getppid(), 9)\n    return p\n"
    with open_pair(tmp_path / "sides", source, interpreter=lacking(tmp_path, "scope")) as pair:
        got = records(pair, [fixture(name, name) for name in ("a", "kill", "b", "c")])
    assert [got[name][0].get("value") for name in ("a", "b", "c")] == ["a", "b", "c"]
    assert got["kill"][0]["out"] == "error"
    assert "SIGKILL" in got["kill"][0]["why"]


@pytest.mark.parametrize("names", ["landlock", "seccomp"])
def test_what_is_required_and_lacks_stops_before_the_target_is_imported(tmp_path, names):
    source = f"open({str(tmp_path / 'imported')!r}, 'w')\ndef run(p): return p\n"
    with pytest.raises(SandboxError) as caught:
        open_pair(tmp_path / "sides", source, interpreter=lacking(tmp_path, names), require=("net", "fs"))
    assert not (tmp_path / "imported").exists()
    word = {"landlock": "fs", "seccomp": "net"}[names]
    assert caught.value.what.startswith(f"{word} cannot be enforced here: ")
    assert "Landlock" in caught.value.remedy


def test_what_is_required_and_there_runs(tmp_path):
    with open_pair(tmp_path, "def run(p): return p\n", require=FULL) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == 1


def test_a_daemon_that_the_import_started_ends_with_the_worker(tmp_path):
    source = (
        "import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: os.execv('/bin/sleep', ['sleep', '7.9e4'])\n    os._exit(0)\n"
        "os.wait()\ndef run(p): return p\n"
    )
    with open_pair(tmp_path, source) as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == 1
        assert len(_sleeping("7.9e4")) == 2  # one a side: a fork of the worker does not end what the import began
    deadline = time.monotonic() + 3
    while _sleeping("7.9e4") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert _sleeping("7.9e4") == []


def _sleeping(word):
    done = subprocess.run(
        ["/usr/bin/env", "sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"], capture_output=True, text=True, check=False
    )
    return [part for part in done.stdout.split("sleep ") if part.startswith(word + " ")]
