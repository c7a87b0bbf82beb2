"""Helper programs: what goes in and comes out, and that none survives an interrupt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gate.process import Done, _ends_are_told, find_program, kill_session, run

ENV = {"PATH": os.environ["PATH"]}


def python(code: str, *args: str, **more) -> Done:
    return run([sys.executable, "-I", "-S", "-c", code, *args], env=ENV, **more)


def test_bytes_go_in_and_come_out_on_both_channels():
    big = os.urandom(300_000)  # more than a pipe holds, in each direction at once
    done = python("import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d); sys.stderr.buffer.write(d[::-1])", stdin=big)
    assert (done.code, done.stdout, done.stderr) == (0, big, big[::-1])


@pytest.mark.parametrize(("code", "exit_code"), [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)])
def test_exit_codes_and_signals_are_told_apart(code, exit_code):
    assert python(code).code == exit_code


def test_the_environment_is_the_given_one_and_signals_are_as_a_shell_would_leave_them(monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    code = "import os, signal; print(sorted(os.environ), signal.pthread_sigmask(0, ()), os.getsid(0) == os.getpid())"
    text = run([sys.executable, "-I", "-c", code], env={"A": "b"}).text()
    assert text.startswith(("['A', 'LC_CTYPE'] set() True", "['A'] set() True"))
    ignored = run(["grep", "SigIgn", "/proc/self/status"], env=ENV).text().split()[1]
    assert int(ignored, 16) & (1 << (signal.SIGPIPE - 1)) == 0
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_parent_that_ignores_the_ends_of_children_changes_nothing():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert python("raise SystemExit(7)").code == 7
        with pytest.raises(FileNotFoundError):
            run(["no-such-program-anywhere"], env=ENV)
        assert signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN
        inside = "import subprocess, sys; print(subprocess.run([sys.executable, '-I', '-S', '-c', 'raise SystemExit(5)']).returncode)"
        assert python(inside).text() == "5"
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_program_that_is_not_there_is_an_error_and_leaves_no_signal_held():
    with pytest.raises(FileNotFoundError):
        run(["no-such-program-anywhere"], env=ENV)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="there is no waiting for so long here")
def test_a_program_that_takes_too_long_is_killed_with_what_it_started(tmp_path):
    with pytest.raises(TimeoutError, match=r"^it did not end within 0\.3 s$"):
        run(["sh", "-c", f"sleep 60 & echo $! >{tmp_path}/child; sleep 60"], env=ENV, seconds=0.3)
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            break
        time.sleep(0.02)
    else:
        pytest.fail("what it started lives on")
    assert python("print(1)", seconds=30).stdout == b"1\n"


def test_a_grandchild_that_lives_on_keeps_nobody_waiting():
    started = time.monotonic()
    assert run(["sh", "-c", "sleep 5 & echo done"], env=ENV).stdout == b"done\n"
    assert time.monotonic() - started < 4


def gone(pid: int) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def assert_all_gone(folder: Path) -> None:
    for name in ("child", "grandchild"):
        if (folder / name).exists() and (text := (folder / name).read_text()):
            assert gone(int(text))


SCRIPT = "sleep 60 & echo $! > {0}/grandchild; echo $$ > {0}/child; wait"


def test_an_interrupt_while_a_program_runs_kills_it_and_what_it_started(tmp_path):
    def press():
        while not (tmp_path / "child").exists():
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run(["sh", "-c", SCRIPT.format(tmp_path)], env=ENV)
    thread.join()
    assert_all_gone(tmp_path)


def test_an_interrupt_while_a_program_starts_kills_it_too(tmp_path, monkeypatch):
    started = []

    def spawn(*args, **kwargs):
        started.append(os.posix_spawn("/bin/sh", *args[1:], **kwargs))
        signal.raise_signal(signal.SIGINT)  # the child is there, and nobody has its number yet
        return started[0]

    monkeypatch.setattr(os, "posix_spawnp", spawn)
    with pytest.raises(KeyboardInterrupt):
        run(["sh", "-c", SCRIPT.format(tmp_path)], env=ENV)
    assert gone(started[0])
    assert_all_gone(tmp_path)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize(
    ("stderr", "words"),
    [
        (b"WARNING: x\nERROR: a\nnote\nfatal: b\n", "ERROR: a\n  fatal: b"),
        (b"one\n\ntwo\n", "one\n  two"),
        (
            b"  error: wrapped\n  [3 lines of output]\n  the reason\n  [end of output]\nerror: failed",
            "error: wrapped\n  [3 lines of output]\n  the reason",
        ),
        (b"", "it ended with 1 and said nothing"),
    ],
)
def test_the_words_of_a_failure_are_its_errors(stderr, words):
    assert Done(code=1, stdout=b"", stderr=stderr).words() == words


def test_a_program_is_found_on_the_given_path_only(tmp_path):
    for folder, mode in (("a", 0o644), ("b", 0o755)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool").touch(mode)
    (tmp_path / "c/tool").mkdir(parents=True)
    path = os.pathsep.join(["", *(str(tmp_path / name) for name in "cab")])
    assert find_program("tool", path) == tmp_path / "b/tool"
    assert find_program("tool", "") is None


def test_beside_the_main_thread_the_ends_of_children_are_told_as_well():
    """Where a program that ignores them starts us, only its main thread could change that; elsewhere nothing is touched."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    said = []
    try:
        thread = threading.Thread(target=lambda: said.append(_ends_are_told()))
        thread.start()
        thread.join()
        assert (said, signal.getsignal(signal.SIGCHLD)) == ([False], signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_without_memory_files_bytes_still_go_in_and_come_out(monkeypatch):
    monkeypatch.delattr(os, "memfd_create")
    assert python("import sys; sys.stdout.write(sys.stdin.read().upper())", stdin=b"abc").stdout == b"ABC"


def test_a_session_that_is_over_is_killed_without_complaint():
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", ""], start_new_session=True) as child:
        child.wait()
    kill_session(child.pid)
