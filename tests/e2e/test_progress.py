"""What is told while a run lasts: on a real terminal, in CI, into a pipe."""

import os
import re
import sys
import time

import pytest

from gate.progress import Bar, Lines, Progress, Telling, _time, progress
from tests.e2e.command import FLAGS, shadow, two_sides
from tests.e2e.terminal import Terminal, environment

SLOW = "import select\ndef run(p):\n    select.select([], [], [], 0.03)\n    return p{more}\n"


@pytest.fixture
def slow(tmp_path):
    """80 fixtures of 30 ms, of which one diverges."""
    corpus = {f"{number:03}.json": str(number) for number in range(80)}
    return two_sides(tmp_path, SLOW.format(more=""), SLOW.format(more=" or 1"), corpus)


def test_a_terminal_gets_a_bar_that_is_gone_afterwards_and_nothing_to_restore(slow):
    with Terminal(sys.executable, "-m", "prelabel", "compare", *FLAGS, cwd=slow, env=environment(COLUMNS="100")) as terminal:
        terminal.expect("run")
        terminal.expect("0/80, ")
        assert terminal.end() == 1
    told, _, screen = terminal.said.rpartition("\x1b[2K")
    assert "FAIL  1 unclassified" in screen
    assert "\x1b" not in screen
    assert "\x1b[?25l" not in told
    assert "80/80" not in screen


@pytest.mark.parametrize(
    ("flags", "more"),
    [pytest.param(["--quiet"], {}, id="quiet"), pytest.param([], {"TERM": "dumb"}, id="a terminal without control sequences")],
)
def test_a_terminal_that_wants_or_takes_no_bar_gets_none(slow, flags, more):
    with Terminal(sys.executable, "-m", "prelabel", "compare", *FLAGS, *flags, cwd=slow, env=environment(**more)) as terminal:
        assert terminal.end() == 1
    assert "\x1b" not in terminal.said
    assert ("FAIL" in terminal.said) is not bool(flags)
    assert "left" not in terminal.said


@pytest.mark.parametrize("env", [{}, {"CI": "1"}], ids=["a pipe", "a short run in CI"])
def test_nothing_is_told_of_a_short_run_or_into_a_pipe(slow, env):
    done = shadow("compare", *FLAGS, cwd=slow, env=env)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_short_run_on_a_terminal_does_not_load_rich(tmp_path):
    two_sides(tmp_path, "def run(p): return p\n", "def run(p): return p\n#\n")
    code = "import sys, prelabel.__main__ as m; code = m.run(sys.argv[1:]); print('rich' in sys.modules, code)"
    with Terminal(sys.executable, "-c", code, "compare", *FLAGS, "--quiet", cwd=tmp_path) as terminal:
        terminal.expect("False 0")
    with Terminal(sys.executable, "-c", code.replace("'rich'", "'gate.progress'"), "compare", *FLAGS, cwd=tmp_path) as terminal:
        terminal.expect("True 0")


def lines_of(tmp_path, items, **how):
    with (tmp_path / "log").open("w+", encoding="utf-8") as file:
        with Lines(file, after=how.get("after", 0.05), every=how.get("every", 0.1)) as told:
            told.phase("materialise")
            time.sleep(how.get("first", 0))
            told.phase("run", 3 * items)
            for _ in range(2):
                for _ in told.each("run", range(items)):
                    time.sleep(0.02)
            for _ in told.again("confirm", iter)(["a", "b"]):
                time.sleep(0.06)
        file.seek(0)
        return file.read().splitlines()


def test_lines_are_few_and_whole(tmp_path):
    start = time.monotonic()
    lines = lines_of(tmp_path, 10, first=0.08)
    assert 2 <= len(lines) <= (time.monotonic() - start) / 0.1 + 1
    known = re.compile(r"\d+ (a second|s each), \d+ s left|\d+ s so far")
    counts = []
    for line in lines:
        phase, percent, done, words = re.fullmatch(r"shadow: (\w+)(?: \((\d+) %\): (\d+)/\d+,|:) (.*)", line).groups()
        assert known.fullmatch(words), line
        if phase == "run":
            counts.append(int(done))
            assert int(percent) == 100 * int(done) // 30
    assert counts == sorted(counts)
    assert counts[-1] > 0


def test_a_run_that_ends_early_is_not_told(tmp_path):
    assert lines_of(tmp_path, 1, after=5) == []


def test_who_stops_reading_stops_nothing(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as file, Lines(file, after=0.0, every=0.01) as told:
        assert list(told.each("run", range(3), more=3)) == [0, 1, 2]
        time.sleep(0.05)
        assert not told._thread.is_alive()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writer)  # what is left in the buffer can go


@pytest.mark.parametrize(
    ("done", "total", "seconds", "words"),
    [
        (0, 0, 75, "1 min 15 s so far"),
        (0, 1000, 3, "0/1,000, 3 s so far"),
        (500, 1000, 5, "500/1,000, 100 a second, 5 s left"),
        (10, 20, 40, "10/20, 4 s each, 40 s left"),
        (1000, 1_000_000, 10, "1,000/1,000,000, 100 a second, 2 h 46 min left"),
    ],
)
def test_words(monkeypatch, done, total, seconds, words):
    told = Telling(sys.stderr, after=1, every=1)
    told.done, told.total, told.began = done, total, time.monotonic() - seconds
    assert told.words() == words
    if done:  # in the midst of a batch nothing new is known, and time goes by
        told.began, told._looked = told.began - 2, (done, told._looked[1] - 2)
        assert told.words().rpartition(", ")[0] == words.rpartition(", ")[0]
        assert told.words() != words or seconds < 2 or total > 100_000
    assert _time(0.4) == "0 s"


def test_what_suits_standard_error(monkeypatch):
    class Stream:
        def __init__(self, terminal):
            self.terminal = terminal

        def isatty(self):
            if self.terminal is None:
                raise ValueError("closed")
            return self.terminal

    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for terminal, kind in ((True, Bar), (False, Progress), (None, Progress)):
        monkeypatch.setattr("gate.progress.sys.stderr", Stream(terminal))
        assert type(progress(quiet=False)) is kind
        assert type(progress(quiet=True)) is Progress
    monkeypatch.setenv("CI", "true")
    assert type(progress(quiet=False)) is Lines


def test_silence_costs_nothing():
    items, again = [1, 2], iter
    with Progress() as silent:
        silent.phase("run", 2)
        assert list(silent.each("run", items)) == items
        assert silent.again("confirm", again) is again
