"""`shadow compare` in and out of its sandbox: what is said, what `--require` refuses, what leaks and threads look like."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.command import FLAGS, environment, report, shadow, two_sides

KERNEL = Path(__file__).parents[1] / "kernel.py"
SAME = "def run(p): return p\n"
ALSO = "def run(p): return p  # the same\n"


def lacking(names, *arguments, cwd):
    """A finished `shadow` on a kernel without these."""
    command = [sys.executable, str(KERNEL), *names, "--", sys.executable, "-m", "prelabel", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment(cwd), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


def test_the_report_says_what_was_enforced(tmp_path):
    two_sides(tmp_path, SAME, ALSO)
    done = shadow("compare", *FLAGS, "--require", "net,fs", "--strict", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    run = report(tmp_path)["run"]
    assert run["enforced"]["net"] == "seccomp"
    assert run["enforced"]["fs"].startswith("landlock-")
    assert (run["strict"], run["settings"]["strict"], run["settings"]["enforce"]) == (True, True, ["net", "fs"])
    assert "not enforced" not in done.stdout or run["unenforced"]


def test_what_the_kernel_lacks_stands_on_the_screen(tmp_path):
    two_sides(tmp_path, SAME, ALSO)
    done = lacking(["landlock"], "compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "note      not enforced here: fs and signals (this kernel has no Landlock)" in done.stdout
    run = report(tmp_path)["run"]
    assert run["enforced"] == {"net": "seccomp", "fs": None, "signals": None}
    assert run["unenforced"] == dict.fromkeys(("fs", "signals"), "this kernel has no Landlock")
    assert "not enforced here" in shadow("show", "--report", "r.json", cwd=tmp_path).stdout


def test_what_is_required_and_lacks_is_exit_3_and_nothing_runs(tmp_path):
    mark = tmp_path / "imported"
    two_sides(tmp_path, f"open({os.fspath(mark)!r}, 'w')\n{SAME}", ALSO)
    done = lacking(["landlock"], "compare", *FLAGS, "--require", "fs", cwd=tmp_path)
    assert done.returncode == 3
    assert "fs cannot be enforced here: this kernel has no Landlock" in done.stderr
    assert "leave the word out of --require" in done.stderr
    assert not mark.exists()
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("text", "said"), [("nett", "did you mean `net`?"), ("net,files", "'files' is unknown"), (",", "--require is empty")]
)
def test_words_that_require_does_not_know_are_exit_2(tmp_path, text, said):
    two_sides(tmp_path, SAME, ALSO)
    done = shadow("compare", *FLAGS, "--require", text, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_an_attempt_of_the_candidate_alone_is_a_divergence(tmp_path):
    tries = "import socket\ndef run(p):\n    try: socket.create_connection(('127.0.0.1', 9), 1)\n    except PermissionError: pass\n    return p\n"
    two_sides(tmp_path, SAME, tries)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    (divergence,) = report(tmp_path)["divergences"]
    assert divergence["field"] == "effects.net"
    assert "getaddrinfo ('127.0.0.1', 9)" in divergence["candidate"]


# The first fixture makes both sides alike for all that come after it in its process.
HIDES = "import json\ndef run(p):\n    if p == 1: json.dumps = lambda x: 'patched'\n    return json.dumps({})\n"


def test_what_both_sides_are_refused_is_said_since_agreement_says_little_there(tmp_path):
    source = """
import socket
def run(p):
    if p == 'read': return open('/etc/hostname').close()
    if p == 'write': open('/var/log', 'w'); return CHANGED
    if p == 'net':
        try: socket.socket()
        except OSError: return 'offline'
        return CHANGED
    return {',"net":["': p, 'files': ['write x']}
"""
    fixtures = {f"{name}.json": json.dumps(name) for name in ("net", "plain", "read", "write")}
    two_sides(tmp_path, source.replace("CHANGED", "1"), source.replace("CHANGED", "2"), fixtures)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    (notice,) = report(tmp_path)["notices"]
    assert done.returncode == 0, done.stdout + done.stderr
    assert notice.startswith("the sandbox refused both sides what 2 fixtures tried (net.json: socket AF_INET), and what lies behind")
    assert "note      the sandbox refused both sides" in done.stdout
    lacks = lacking(["seccomp", "landlock"], "compare", *FLAGS, cwd=tmp_path)
    assert lacks.returncode == 1, lacks.stdout + lacks.stderr
    assert not any("refused both" in notice for notice in report(tmp_path)["notices"])


def test_a_leak_hides_no_divergence(tmp_path):
    corpus = {f"{at}.json": str(at) for at in (1, 2, 3)}
    two_sides(tmp_path, HIDES.format("[p]"), HIDES.format("(p, p)"), corpus)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    assert [one["id"] for one in report(tmp_path)["divergences"]] == ["2.json", "3.json"]
    told = "target m:run leaves changed for later calls: json.dumps (both sides); 3 fixtures ran again alone, which counts"
    assert told in report(tmp_path)["notices"]


def test_threads_of_the_import_are_no_hang_and_are_said(tmp_path):
    threads = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    two_sides(tmp_path, threads + SAME, threads + ALSO)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "importing m:run starts threads" in " ".join(done.stdout.split())
