"""What the target touches outside its arguments, under the oldest and the newest CPython: every way of touching it."""

import re

import pytest

from gate.types import Limits
from tests.unit.gate.pairing import fixture, lacking, open_pair, records
from tests.unit.gate.test_worker_versions import FEW, find

TARGET = """
import builtins, copy, getpass, linecache, locale, mmap, multiprocessing, os, pathlib, pkgutil, posix, shutil, signal, socket, sqlite3
import subprocess, sys, syslog, tempfile
from os import _exit
os.environ["AT_IMPORT"] = "kept"
os.environ.setdefault("GONE", "soon")

def quietly(call, *args, **kwargs):
    try:
        return call(*args, **kwargs) and None
    except (OSError, NotImplementedError, sqlite3.Error):
        pass

def udp(host="127.0.0.1"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", (host, 9))
        quietly(one.sendmsg, [b"x"], [], 0, (host, 9))

def talk():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with socket.socket() as client:
            client.connect(server.getsockname())
            one, _ = server.accept()
            one.close()

def connect(address):
    with socket.socket() as one:
        one.settimeout(0.05)
        quietly(one.connect, address)

def unix():
    one, other = socket.socketpair()
    one.close(), other.close()

def forked():
    pid = os.fork()
    if not pid:
        os.environ.get("OF_THE_CHILD")
        os._exit(0)
    os.waitpid(pid, 0)

def multi(way="fork"):
    process = multiprocessing.get_context(way).Process(target=int)
    process.start()
    process.join()

class Liar(str):
    def __str__(self): return "/nowhere"
    def startswith(self, *_): return True
    def endswith(self, *_): return True
    def split(self, *_): return []
    def encode(self, *_): return b"/nowhere"

class BytesLiar(bytes):
    def decode(self, *_): return "/nowhere"

def below_path():
    sys.path.append("/etc")
    try:
        open("/etc/hostname").close()
    finally:
        sys.path.remove("/etc")

def shown():
    # What the parts of C see, and what a child gets.
    names = [b"SET", b"PUT", b"GONE", b"AT_IMPORT"]
    child = subprocess.run(["/usr/bin/env"], stdout=subprocess.PIPE, env=None).stdout
    return [sorted(line.split(b"=")[0] for line in child.splitlines() if line.split(b"=")[0] in names), os.getcwd()]

def change():
    os.environ["SET"] = "1"
    os.environ["AT_IMPORT"] = "lost"
    del os.environ["GONE"]
    os.putenv("PUT", "1")
    os.chdir("/")

def run(text):
    payload = text if isinstance(text, dict) else None
    exec(text["do"] if payload else "value = " + text, globals(), {"p": payload} if payload else globals())
    return None if payload else value if text.startswith("shown") else None
"""

ENV = {
    "os.environ['PATH']": ["PATH"],
    "os.environ.get('A')": ["A"],
    "os.environ.get('A', 'x')": ["A"],
    "'A' in os.environ": ["A"],
    "'A' not in os.environ": ["A"],
    "os.getenv('A')": ["A"],
    "os.getenvb(b'A')": ["A"],
    "os.environb[b'PATH']": ["PATH"],
    "os.environb.get(b'A')": ["A"],
    "b'A' in os.environb": ["A"],
    "list(os.environ)": ["*"],
    "[k for k in os.environ]": ["*"],
    "os.environ.keys() and len(os.environ.keys())": ["*"],
    "list(os.environ.items())": ["*"],
    "list(os.environ.values())": ["*"],
    "list(os.environb)": ["*"],
    "dict(os.environ)": ["*"],
    "{**os.environ}": ["*"],
    "os.environ.copy()": ["*"],
    "copy.copy(os.environ).get('A')": ["A"],
    "len(copy.deepcopy(os.environ))": ["*"],
    "repr(os.environ)": ["*"],
    "os.environ == {}": ["*"],
    "len(os.environ)": ["*"],
    "bool(os.environ)": ["*"],
    "[dict(os.environ), os.environ.get('A')]": ["*", "A"],
    "os.environ.pop('A', None)": ["A"],
    "os.environ.pop('GONE')": ["GONE", "GONE="],
    "os.environ.setdefault('A', '1')": ["A", "A="],
    "os.environ.__setitem__('A', '1')": ["A="],
    "os.environ.update(A='1', B='2')": ["A=", "B="],
    "os.environb.__setitem__(b'A', b'1')": ["A="],
    "os.putenv('A', '1')": ["A="],
    "os.unsetenv('A')": ["A="],
    "os.path.expanduser('~')": ["HOME"],
    "pathlib.Path.home()": ["HOME"],
    "os.path.expandvars('$A/x')": ["A"],
    "shutil.get_terminal_size()": ["COLUMNS", "LINES"],
    "shutil.which('x')": ["PATH"],
    "getpass.getuser()": ["LNAME", "LOGNAME", "USER", "USERNAME"],
    "tempfile.gettempdir()": ["TEMP", "TMP", "TMPDIR"],
    "subprocess.run(['/bin/true'])": ["*"],
    "subprocess.run(['/bin/true'], env={})": [],
    "subprocess.run(['/bin/true'], env=dict(os.environ))": ["*"],
    "os.system('true')": ["*"],
    "forked()": [],
    "posix.environ[b'PATH']": ["PATH"],
    "posix.environ.get(b'A')": ["A"],
    "dict(posix.environ)": ["*"],
    "os.environ._data.pop(b'A', None)": ["A"],
    "repr(os.environ._data)": ["*"],
    "os.environ._data == {}": ["*"],
}
NEWER = {"os.environ | {}": ["*"], "{} | os.environ": ["*"], "os.environ.__ior__({'A': '1'})": ["A="]}  # 3.9
FILES = {
    "open('/etc/hostname').close()": ["read /etc/hostname"],
    "open(b'/etc/hostname').close()": ["read /etc/hostname"],
    "pathlib.Path('/etc/hostname').read_bytes()": ["read /etc/hostname"],
    "os.close(os.open('/etc/hostname', os.O_RDONLY))": ["read /etc/hostname"],
    "quietly(open, '/nowhere/at/all')": ["read /nowhere/at/all"],
    "quietly(open, '/nowhere/at/all', 'w')": ["write /nowhere/at/all"],
    "quietly(open, '/nowhere/at/all', 'r+')": ["write /nowhere/at/all"],
    "mmap.mmap(os.open('/etc/hostname', os.O_RDONLY), 0, prot=mmap.PROT_READ)": ["read /etc/hostname"],
    "quietly(os.mkdir, '/nowhere/a')": ["mkdir /nowhere/a"],
    "quietly(os.rmdir, '/nowhere/a')": ["rmdir /nowhere/a"],
    "quietly(os.replace, '/nowhere/a', '/nowhere/b')": ["rename /nowhere/a", "rename /nowhere/b"],
    "quietly(os.symlink, '/etc', 'link')": ["symlink /etc"],
    "quietly(os.link, '/nowhere/a', 'link')": ["link /nowhere/a"],
    "quietly(os.chmod, '/nowhere/a', 0)": ["chmod /nowhere/a"],
    "quietly(os.setxattr, '/nowhere/a', 'user.x', b'')": ["setxattr /nowhere/a"],
    "quietly(shutil.copy, '/etc/hostname', 'own')": ["read /etc/hostname"],
    "quietly(sqlite3.connect, '/nowhere/a.db')": ["write /nowhere/a.db"],
    "sqlite3.connect(':memory:').close()": [],
    "os.chdir('/etc')": ["chdir /etc"],
    "[os.mkdir('d'), os.chdir('d'), open('x', 'w').close()]": [],
    "open(os.devnull, 'w').close()": [],
    "os.listdir('/etc')": ["list /etc"],
    "next(os.walk('/etc'))": ["list /etc"],
    "open(Liar('/etc/hostname')).close()": ["read /etc/hostname"],
    "open(BytesLiar(b'/etc/hostname')).close()": ["read /etc/hostname"],
    "quietly(os.mkdir, Liar('/nowhere/a'))": ["mkdir /nowhere/a"],
    "quietly(os.rename, pathlib.Path('/nowhere/a'), BytesLiar(b'/nowhere/b'))": ["rename /nowhere/a", "rename /nowhere/b"],
    "os.listdir(pathlib.Path('/etc'))": ["list /etc"],
    "os.listdir()": [],
    "quietly(os.chdir, Liar('/nowhere'))": ["chdir /nowhere"],
    "quietly(open, '/etc/settings.py')": ["read /etc/settings.py"],
    "quietly(open, '/etc/settings.pth')": ["read /etc/settings.pth"],
    "below_path()": ["read /etc/hostname"],
    "open(__file__).close()": ["read <side>/target.py"],
    "exec(open(__file__).read(), {'__name__': 'x', '__file__': __file__})": ["read <side>/target.py"],
    "linecache.getline(__file__, 1)": [],
    "list(pkgutil.iter_modules(sys.path))": [],
    "__import__('wave')": [],
    "open(os.__file__).close()": [],
    "quietly(sqlite3.connect, pathlib.Path('/nowhere/a.db')) if sys.version_info > (3, 7) else None": ["write /nowhere/a.db"],
    "quietly(sqlite3.connect, 'file:/nowhere/a%20b.db?mode=rwc', uri=True)": ["write /nowhere/a b.db"],
    "quietly(sqlite3.connect, 'file:///nowhere/a.db?mode=ro', uri=True)": ["read /nowhere/a.db"],
    "sqlite3.connect('file:x?mode=memory&cache=shared', uri=True).close()": [],
    "sqlite3.connect('own.db').close()": [],
    "os.stat('/etc/hostname')": [],  # the system does not tell: in the docs
    "os.path.exists('/etc/hostname')": [],
}
NET = {
    "connect(('127.0.0.1', 9))": ["connect ('127.0.0.1', 9)"],
    "udp()": ["sendmsg ('127.0.0.1', 9)", "sendto ('127.0.0.1', 9)"],
    "talk()": ["bind ('127.0.0.1', 0)", "connect ('127.0.0.1', '<port>')"],
    "socket.getaddrinfo('127.0.0.1', 80)": ["getaddrinfo ('127.0.0.1', 80)"],
    "socket.getaddrinfo(b'127.0.0.1', 80)": ["getaddrinfo (b'127.0.0.1', 80)"],
    "socket.gethostbyname('127.0.0.1')": ["gethostbyname ('127.0.0.1',)"],
    "quietly(socket.gethostbyaddr, '127.0.0.1')": ["gethostbyaddr ('127.0.0.1',)"],
    "socket.getnameinfo(('127.0.0.1', 9), socket.NI_NUMERICHOST)": ["getnameinfo ('127.0.0.1', 9)"],
    "socket.socket().close()": ["socket AF_INET"],
    "quietly(socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)": ["socket AF_INET6"],
    "unix()": [],
    "quietly(socket.socket, socket.AF_UNIX, socket.SOCK_DGRAM)": ["socket AF_UNIX for datagrams"],
    "quietly(socket.socket, socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)": ["socket AF_UNIX for datagrams"],
    "[one.close() for one in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)]": [],
    "socket.socket(socket.AF_UNIX).close()": [],
    "syslog.syslog('x')": ["syslog with priority 6"],
    "syslog.syslog(syslog.LOG_ERR, 'x')": ["syslog with priority 3"],
}
PROCESS = {
    "subprocess.run(['/bin/true'])": ["subprocess.Popen /bin/true"],
    "os.system('true')": ["os.system true"],
    "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)": ["os.posix_spawn /bin/true"],
    "os.spawnv(os.P_WAIT, '/bin/true', ['true'])": ["os.fork"],
    "os.popen('true').close()": ["subprocess.Popen /bin/sh"],
    "forked()": ["os.fork"],
    "multi()": ["os.fork"],
    "multi('spawn')": ["multiprocessing PYTHON"],
    "os.kill(os.getpid(), 0)": ["os.kill with signal 0"],
}
ARG = {
    "p['a']['b'].append(1)": {"a": {"b": [1]}},
    "p['a']['b'] = ()": {"a": {"b": {"!tuple": []}}},
    "p['a'] = 1.0": {"a": 1.0},
    "p.pop('a')": {},
    "p.update(sorted(p.items())[::-1])": None,
    "p['a'] = dict(p['a'])": None,
    "p['self'] = p": {"a": {"b": []}, "self": {"!cycle": 1}},
}


@pytest.fixture(scope="module", params=FEW)
def opened(request, tmp_path_factory):
    interpreter = find(request.param)
    if interpreter is None:
        pytest.skip(f"no CPython {request.param} on this machine: effects were NOT tried under it")
    folder = tmp_path_factory.mktemp("effects")
    interpreter = lacking(
        folder, "seccomp", "landlock", interpreter=interpreter
    )  # so that there is more to see of the network than its refusal
    with open_pair(folder, TARGET, interpreter=interpreter, limits=Limits(seconds=10.0)) as pair:
        yield pair


@pytest.fixture(scope="module")
def runs(opened):
    """All acts in a batch, and each alone."""
    newer = () if opened.hellos[0]["python"].startswith("3.8.") else NEWER
    acts = [fixture(text, text) for text in dict.fromkeys((*ENV, *newer, *FILES, *NET, *PROCESS))]
    return records(opened, acts), records(opened, acts, batch=1)


@pytest.fixture(scope="module")
def seen(runs):
    return {text: one for text, (one, _) in runs[1].items()}


def test_every_act_returns_and_is_the_same_on_both_sides_alone_and_in_a_batch(runs):
    batched, alone = runs
    assert [(text, one) for text, (one, _) in alone.items() if one["out"] != "returned"] == []
    assert [(text, both, alone[text]) for text, both in batched.items() if both != alone[text] or both[0] != both[1]] == []


@pytest.mark.parametrize("text", [*ENV, *NEWER])
def test_names_of_the_environment(seen, text):
    if text not in seen:
        pytest.skip("not in this version of Python")
    assert seen[text].get("env", []) == {**ENV, **NEWER}[text]


@pytest.mark.parametrize("text", FILES)
def test_files(seen, text):
    assert seen[text].get("files", []) == FILES[text]


@pytest.mark.parametrize("text", NET)
def test_network(seen, text):
    assert seen[text].get("net", []) == NET[text]


@pytest.mark.parametrize("text", PROCESS)
def test_processes(seen, text):
    found = [
        one for one in seen[text].get("process", []) if not text.startswith(("subprocess", "os.popen")) or one.startswith("subprocess")
    ]
    if text == "multi('spawn')":
        found = sorted({re.sub(r"/.*/python3[.0-9]*", "PYTHON", one) for one in found})
    assert found == PROCESS[text]


def test_effects_at_import_are_those_of_the_hello(opened):
    assert {"AT_IMPORT=", "GONE=", "GONE"} <= set(opened.hellos[0]["import"]["env"])


def test_what_a_fixture_makes_of_environment_and_folder_is_not_there_for_the_next(opened):
    got = records(opened, [fixture(at, text) for at, text in (("a", "shown()"), ("b", "change()"), ("c", "shown()"))], batch=3)
    names, folder = got["a"][0]["value"]
    assert names == [{"!bytes": "AT_IMPORT"}, {"!bytes": "GONE"}]
    assert got["c"][0]["value"] == got["a"][0]["value"]
    assert folder.endswith("base")


@pytest.mark.parametrize("text", ARG)
def test_a_changed_argument_is_seen_however_deep(opened, text):
    (record, other) = records(opened, [fixture(text, {"do": text, "a": {"b": []}})])[text]
    assert record == other
    expected = ARG[text]
    assert record.get("arg") == (None if expected is None else {"do": text, **expected})


PORTS = """
import socket
def run(p):
    with socket.socket() as one:
        one.settimeout(0.05)
        if p: one.bind(("127.0.0.1", 0))
        try: one.connect(("127.0.0.1", 50051))
        except OSError: pass
"""


def test_a_high_port_is_only_chance_where_the_system_chose_one(tmp_path):
    with open_pair(tmp_path / "sides", PORTS, interpreter=lacking(tmp_path, "seccomp", "landlock")) as pair:
        got = records(pair, [fixture("a", 1), fixture("b", 0)])
    assert got["b"][0]["net"] == ["connect ('127.0.0.1', 50051)"]
    assert "connect ('127.0.0.1', '<port>')" in got["a"][0]["net"]


ENDS = """
import os, posix
from os import _exit
def run(p):
    os.environ.get("A")
    if p == "raise": raise ValueError
    if p == "child":
        if not os.fork(): _exit(9)
        return os.wait()[1] >> 8
    if p == "failed":
        try: os.execv("/nowhere", ["x"])
        except OSError: os.environ.get("B")
        return 1
    if p == "failed, then":
        try: os.execv("/nowhere", ["x"])
        except OSError: os.environ.get("B")
        posix._exit(5)
    if p == "exec": os.execve("/bin/sh", ["sh", "-c", "exit 7"], {})
    if p == "kind":
        try: os._exit("x")
        except TypeError as exc: return str(exc)
    if p == "big":
        try: os._exit(1 << 40)
        except OverflowError: return "over"
    if p: eval(p)
"""
LAST = {
    "os._exit(3)": ("exited", 3, ["A"]),
    "_exit(3)": ("exited", 3, ["A"]),
    "posix._exit(status=3)": ("exited", 3, ["A"]),
    "os._exit(True)": ("exited", 1, ["A"]),
    "exec": ("exited", 7, ["A"]),
    "failed, then": ("exited", 5, ["*", "A", "B"]),
    "failed": ("returned", None, ["*", "A", "B"]),
    "child": ("returned", None, ["A"]),
    "kind": ("returned", None, ["A"]),
    "big": ("returned", None, ["A"]),
}


@pytest.mark.parametrize("batch", [1, 64])
def test_what_was_touched_before_a_hard_end_is_told(tmp_path, batch):
    with open_pair(tmp_path, ENDS, limits=Limits(seconds=10)) as pair:
        got = records(pair, [fixture(name, name) for name in LAST], batch=batch)
    found = {name: (one["out"], one.get("code"), one.get("env", [])) for name, (one, _) in got.items()}
    assert found == LAST
    assert (got["child"][0]["value"], got["child"][0]["process"]) == (9, ["os.fork"])
    assert got["exec"][0]["process"] == ["os.exec /bin/sh"]
    assert got["kind"][0]["value"] == "'str' object cannot be interpreted as an integer"
