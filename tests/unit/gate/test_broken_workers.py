"""What answers where a worker should: every way to break the protocol is an error that says so, and nothing is left running.

The interpreter of a side is a script that speaks the protocol itself, up to the point at which it does not.
"""

import os
import sys
import time
from pathlib import Path

import pytest

from gate.canonical.visible_json import parse
from gate.errors import WorkerError
from gate.runner import process
from gate.types import Interpreter
from tests.unit.gate.pairing import fixture, open_pair

SCRIPT = """#!{python} -S
import os, signal, struct, sys, time
def read():
    head = os.read(0, 4)
    if not head:
        os._exit(0)
    left = struct.unpack(">I", head)[0]
    while left:
        left -= len(os.read(0, left))
def say(data):
    os.write(1, struct.pack(">I", len(data)) + data)
def end(signum=signal.SIGTERM):
    os.kill(os.getpid(), signum)
HELLO, ONE = b'{{"hello": 1}}', b'{{"out":"returned","value":1}}'
BODY = struct.pack("<IIII", 1, len(ONE), 0, 0) + ONE + struct.pack("<BIH", 1, 0, 0)
read()
{what}
"""
SPEAKS = "say(HELLO)\nwhile True:\n    read()\n    "
# {name: (what it does from the first request on, what the error says)}
BREAKS = {
    "no JSON": ("say(b'{')", "the baseline's worker broke the protocol in its first answer"),
    "a frame beyond all measure": ("os.write(1, b'\\xff' * 8); read()", "broke the protocol: a frame of 4294967295 bytes"),
    "an end": ("pass", "the baseline exited with status 0 while it imported target:run"),
    "a signal": ("end(9)", "the baseline died of SIGKILL while it imported target:run"),
    "a signal without a name": ("end(50)", "the baseline died of signal 50 while it imported target:run"),
    "a closed pipe": ("os.close(1)\nread()", "the baseline closed its side of the protocol while it imported target:run"),
    "silence": ("time.sleep(60)", "did not finish importing target:run within 1 s"),
    "no lengths": (SPEAKS + "say(b'')", "an answer whose lengths do not add up"),
    "lengths beyond the frame": (SPEAKS + "say(BODY[:-1])", "an answer whose lengths do not add up"),
    "more answers than questions": (SPEAKS + "say(struct.pack('<I', 9) + bytes(9 * 12 + 7))", "an answer whose lengths do not add up"),
    "an answer that nobody asked for": (
        SPEAKS + "os.write(1, (struct.pack('>I', len(BODY)) + BODY) * 2)",
        "an answer whose lengths do not add up",
    ),
    "modules that are no JSON": (SPEAKS + "say(BODY + b'{')", "an answer whose lengths do not add up"),
    "modules without files": (SPEAKS + "say(BODY + b'[1]')", "an answer whose lengths do not add up"),
}


def speaking(folder, what):
    script = folder / "python"
    script.write_text(SCRIPT.format(python=os.path.realpath(sys._base_executable), what=what))
    script.chmod(0o755)
    return Interpreter(executable=script, version="3")


def left(folder):
    """Processes that were started as this script and are still there."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if str(folder).encode() in path.read_bytes() else []
        except OSError:
            continue
    return found


@pytest.mark.parametrize(("what", "said"), BREAKS.values(), ids=BREAKS)
def test_whatever_breaks_the_protocol_is_said(tmp_path, monkeypatch, what, said):
    monkeypatch.setattr(process, "START_SECONDS", 1.0)
    with pytest.raises(WorkerError, match=said), open_pair(tmp_path, "", interpreter=speaking(tmp_path, what)) as pair:
        list(pair.run([fixture("a", 1)]))
    assert left(tmp_path) == []


def test_one_that_dies_of_every_fixture_is_an_error_of_each(tmp_path):
    with open_pair(tmp_path, "", interpreter=speaking(tmp_path, SPEAKS + "end(9)")) as pair:
        for _, one, other in pair.run([fixture("a", 1), fixture("b", 2)]):
            assert parse(one[0])["why"] == parse(other[0])["why"]
            assert "died of SIGKILL while this fixture ran alone" in parse(one[0])["why"]


def test_one_that_will_not_end_is_killed(tmp_path):
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SPEAKS.replace("while True:\n    read()\n    ", "while True: time.sleep(60)")
    with open_pair(tmp_path, "", interpreter=speaking(tmp_path, deaf)):
        start = time.monotonic()
    assert (left(tmp_path), time.monotonic() - start < 20) == ([], True)


def test_what_does_not_start_is_named(tmp_path):
    nothing = Interpreter(executable=tmp_path / "nothing", version="3")
    with pytest.raises(WorkerError, match=r"the baseline's interpreter .*nothing does not start: No such file"):
        open_pair(tmp_path, "", interpreter=nothing)
