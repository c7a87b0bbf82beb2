"""There is one `/dev/shm` for both sides: what a target keeps there under a name of its own, the other side sees."""

import pytest

from gate.types import Limits
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import find

SOURCE = """
import multiprocessing, os
from multiprocessing import shared_memory
def used(**how):
    one = shared_memory.SharedMemory(size=8, **how)
    one.close(); one.unlink()
def again():
    one = shared_memory.SharedMemory(create=True, size=8)
    shared_memory.SharedMemory(one.name).close()
    one.close(); one.unlink()
def missing():
    try: shared_memory.SharedMemory("shadow-test-missing")
    except FileNotFoundError: pass
def seen():
    try: open("/dev/shm/shadow-test-file").close()
    except FileNotFoundError: pass
def lock():
    one = multiprocessing.get_context("spawn").Lock()
    with one: pass
    return one._semlock.name
def run(p): return eval(p)
"""
WAYS = {
    "used(create=True)": None,
    "again()": None,
    "missing()": "/dev/shm/shadow-test-missing",
    "seen()": "/dev/shm/shadow-test-file",
    "used(create=True, name='shadow-test-%d' % os.getpid())": "own",
    "lock()": None,
    "os.listdir('/dev/shm') and None": None,
    "multiprocessing.get_context('spawn').Array('i', 3)[0]": None,
}


@pytest.mark.parametrize("version", ["3.8", "3.13"])
def test_names_of_its_own_are_told_and_locks_of_the_sides_never_meet(tmp_path, version):
    interpreter = find(version)
    if interpreter is None:
        pytest.skip(f"no CPython {version} on this machine: shared memory was NOT tried under it")
    with open_pair(tmp_path, SOURCE, interpreter=interpreter, limits=Limits(seconds=10)) as pair:
        got = records(pair, [fixture(way, way) for way in WAYS])
    for way, name in WAYS.items():
        one, other = got[way]
        assert (one["out"], other["out"]) == ("returned", "returned"), (way, one)
        told = one.get("shared", [])
        assert told == ([] if name is None else told if name == "own" else [name]), way
        assert [file for file in one.get("files", []) if "shadow-test" in file] == [
            ("read " if way == "seen()" else "write ") + file for file in told
        ]
    assert got["used(create=True, name='shadow-test-%d' % os.getpid())"][0]["shared"]
    names = [record["value"] for record in got["lock()"]]
    assert names[0][:11] != names[1][:11], names
    array = got["multiprocessing.get_context('spawn').Array('i', 3)[0]"]
    assert array[0]["files"] == array[1]["files"] != [], "whose number stands in the names is no matter"
