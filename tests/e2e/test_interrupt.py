"""Ctrl-C, SIGTERM and SIGHUP at every moment of a run: exit 130, and nothing stays behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gate.interrupt import end_survivors, held, once
from tests.e2e.command import EMPTY, commit, environment, git, repository, shadow, write
from tests.e2e.terminal import Terminal
from tests.e2e.terminal import environment as on_terminal

WAIT = "import os, signal, subprocess\n"
# Each blocks at one moment: `pause` sleeps until a signal comes, and time does not matter to it.
TARGETS = {
    "import": WAIT + "signal.pause()\ndef run(p): return p\n",
    "run": WAIT + "def run(p): signal.pause()\n",
    "deaf": WAIT + "for one in (1, 2, 15): signal.signal(one, signal.SIG_IGN)\ndef run(p):\n    while 1: signal.pause()\n",
    # In a batch the second fixture has the first before it; alone it has not.
    "confirm": WAIT
    + "seen = []\ndef run(p):\n    seen.append(p)\n    if seen == [2]: signal.pause()\n    return [p, {side!r} if p == 2 else 0]\n",
    "purity": WAIT + "import sys, time\nif time.tzname[0] != 'UTC': signal.pause()\ndef run(p): return [p, {side!r}]\n",
    "detached": WAIT + "subprocess.Popen(['sleep', '600'], start_new_session=True)\ndef run(p): signal.pause()\n",
}
SMUDGE = "#!/bin/sh\nsleep 600 & wait\n"


@pytest.fixture
def project(tmp_path):
    """(make, folder): `make(moment)` writes a repository whose `compare` blocks there."""
    root = tmp_path / "repo"

    def make(moment):
        source = TARGETS.get(moment, "def run(p): return [p, {side!r}]\n")
        more = {".gitattributes": "src/* filter=slow\n"} if moment == "materialise" else {}
        sha = repository(root, {"src/m.py": source.replace("{side!r}", "'old'"), ".gitignore": "shadow/out/\n", **more})
        toml = 'version = 1\n[[target]]\nname = "t"\nentry = "m:run"\n[limits]\nseconds = 300.0\n'
        write(root, {"shadow/shadow.toml": toml, "shadow/BASELINE_SHA": sha + "\n", "shadow/delta_ledger.yaml": EMPTY})
        write(root, {"shadow/corpus/a.json": "1", "shadow/corpus/b.json": "2"})
        commit(root, {"src/m.py": source.replace("{side!r}", "'new'") + "# patch\n"})
        if moment == "materialise":
            write(tmp_path, {"slow": SMUDGE})
            (tmp_path / "slow").chmod(0o755)
            git(root, "config", "filter.slow.smudge", str(tmp_path / "slow"))
        return root

    (tmp_path / "tmp").mkdir()
    return make


def marked(tmp_path):
    """Processes that carry this test's folder in their environment, and what they are."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if f"{tmp_path}/".encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ")[-80:]
            except OSError:
                continue
    return found


def until(holds, seconds=20.0):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def blocked(tmp_path, moment, processes):
    """Whether everybody has come to the moment and stays there."""
    before = None
    for _ in range(3):
        now = marked(tmp_path)
        if len(now) < processes or (before is not None and now != before):
            return False
        before = now
        time.sleep(0.15)
    return True


# shadow itself; git and the filter; a worker a side; their forks; what a target has detached; the twin of the baseline.
PROCESSES = {"materialise": 4, "import": 3, "run": 5, "deaf": 5, "confirm": 5, "purity": 4, "detached": 7}


def left_behind(tmp_path, root, before):
    assert until(lambda: not marked(tmp_path), 5), marked(tmp_path)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert git(root, "worktree", "list").count("\n") == 0
    after = {path: path.read_bytes() for path in (root / "shadow").rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.parametrize("moment", PROCESSES)
def test_whatever_the_moment_nothing_stays(tmp_path, project, moment):
    root = project(moment)
    write(root, {"shadow/out/report.json": '{\n  "version": 1, "passed": "the last one"}'})
    before = {path: path.read_bytes() for path in (root / "shadow").rglob("*") if path.is_file()}
    env = environment(root, TMPDIR=str(tmp_path / "tmp"), MARK=f"{tmp_path}/")
    kind = {"materialise": signal.SIGHUP, "run": signal.SIGTERM}.get(moment, signal.SIGINT)
    process = subprocess.Popen(
        [sys.executable, "-m", "prelabel", "compare"],
        cwd=root,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert until(lambda: blocked(tmp_path, moment, PROCESSES[moment])), (marked(tmp_path), process.poll())
    process.send_signal(kind)
    for _ in range(5):  # and the impatient
        time.sleep(0.03)
        process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=20)
    assert (process.returncode, out, said) == (130, b"", b"interrupted\n")
    left_behind(tmp_path, root, before)


def test_on_a_terminal_the_bar_goes_and_the_cursor_was_never_hidden(tmp_path, project):
    root = project("run")
    before = {path: path.read_bytes() for path in (root / "shadow").rglob("*") if path.is_file()}
    env = on_terminal(TMPDIR=str(tmp_path / "tmp"), MARK=f"{tmp_path}/", COLUMNS="80")
    with Terminal(sys.executable, "-m", "prelabel", "compare", cwd=root, env=env) as terminal:
        terminal.expect("0/2, 1 s so far")
        terminal.interrupt().interrupt().interrupt()
        assert terminal.end() == 130
    assert terminal.said.rpartition("\x1b[2K")[2].replace("^C", "") == "interrupted\n"
    assert "\x1b[?25l" not in terminal.said
    left_behind(tmp_path, root, before)


def test_signals_at_any_time_are_130_or_the_verdict_and_nothing_stays(tmp_path, project):
    """Every tenth of a second of a run that would end by itself."""
    root = project("none")
    env = environment(root, TMPDIR=str(tmp_path / "tmp"), MARK=f"{tmp_path}/")
    before = None
    for step in range(6):
        process = subprocess.Popen(
            [sys.executable, "-m", "prelabel", "compare", "--quiet"], cwd=root, env=env, stderr=subprocess.PIPE, start_new_session=True
        )
        time.sleep(0.1 + step / 10)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        # In the first moments Python itself has the signal, before a line of ours has run.
        early = said.endswith(b"KeyboardInterrupt\n") and process.returncode in {1, -signal.SIGINT}
        assert process.returncode in {130, 1} or early, said
        report = root / "shadow/out/report.json"
        if report.exists():
            json.loads(report.read_text("utf-8"))
            report.unlink()
        after = {path: path.read_bytes() for path in (root / "shadow").rglob("*") if path.is_file()}
        left_behind(tmp_path, root, before or after)
        before = after


def test_a_signal_that_the_starter_ignores_stays_ignored(tmp_path, project):
    root = project("run")
    (root / "shadow/shadow.toml").write_text((root / "shadow/shadow.toml").read_text().replace("300.0", "1.0"))
    env = environment(root, TMPDIR=str(tmp_path / "tmp"), MARK=f"{tmp_path}/")
    process = subprocess.Popen(
        ["nohup", sys.executable, "-m", "prelabel", "compare"], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert until(lambda: blocked(tmp_path, "run", 5))
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=30)
    assert process.returncode == 3


def test_a_run_that_could_not_compare_leaves_no_older_report(tmp_path, project):
    root = project("none")
    write(root, {"shadow/out/report.json": '{\n  "version": 1, "passed": "the last one"}'})
    assert shadow("compare", "--entry", "m:nothing", cwd=root).returncode == 3
    assert not (root / "shadow/out/report.json").exists()


# --- the parts ---------------------------------------------------------------------------------------------------------


def holds(said):
    with once():
        with held():
            with once(), held():  # inside another it is that one
                signal.raise_signal(signal.SIGTERM)
                signal.raise_signal(signal.SIGINT)
                said.append("done")
            said.append("done, too")
        said.append("never")


def cleans_up(said):
    with once():
        try:
            signal.raise_signal(signal.SIGTERM)  # not SIGHUP: under `nohup` that stays ignored
        finally:
            signal.raise_signal(signal.SIGINT)
            said.append("cleaned up")


@pytest.mark.parametrize(("act", "said"), [(holds, ["done", "done, too"]), (cleans_up, ["cleaned up"])])
def test_the_first_signal_counts_once_and_an_act_that_is_held_is_done_first(act, said):
    found = []
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(KeyboardInterrupt):
        act(found)
    assert found == said
    assert before == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]


def test_another_thread_holds_nothing_back():
    import threading

    seen = []

    def work():
        with once(), held():
            seen.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_what_works_in_a_folder_or_was_told_of_it_is_ended_and_nothing_else(tmp_path):
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch2").mkdir()
    clean = {"PATH": os.environ["PATH"]}
    inside = subprocess.Popen(["sleep", "60"], cwd=tmp_path / "scratch", env=clean)
    told = subprocess.Popen(["sleep", "60"], cwd="/", env=clean | {"HOME": f"{tmp_path}/scratch/temp/1"})
    beside = subprocess.Popen(["sleep", "60"], cwd=tmp_path / "scratch2", env=clean | {"HOME": f"{tmp_path}/scratch2/temp"})
    try:
        time.sleep(0.1)
        end_survivors(tmp_path / "scratch")
        assert (inside.wait(5), told.wait(5), beside.poll()) == (-9, -9, None)
    finally:
        beside.kill()
        beside.wait()
