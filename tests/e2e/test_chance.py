"""A target that looks at the clock and draws random numbers, compared as a user would: equal on both sides, from run to run, alone and in a batch."""

import sys
from pathlib import Path

import pytest

from tests.e2e.command import FLAGS, report, repository, shadow, two_sides, write

DRAWS = """
import datetime, os, random, tempfile, time, uuid
BORN = datetime.datetime.now()
def run(p):
    handle, path = tempfile.mkstemp()
    return [p, time.time(), str(BORN), str(datetime.date.today()), random.random(), uuid.uuid4().hex, uuid.uuid1().hex, os.path.basename(path)]
"""
CORPUS = {f"{at}.json": str(at) for at in range(5)}


def test_chance_is_equal_on_both_sides_without_a_contract(tmp_path):
    two_sides(tmp_path, DRAWS, DRAWS + "# patched\n", CORPUS)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    got = report(tmp_path)
    assert got["config"] == {"digest": None, "now": "2026-01-01T00:00:00Z", "seed": 0}
    assert (got["run"]["clock"], got["counts"]["match"]) == ("frozen", 5)


def test_a_divergence_has_the_same_texts_in_every_run_alone_or_not(tmp_path):
    """Random numbers are no impurity: they repeat."""
    draws = "import random, uuid\ndef run(p): return [p, random.random(), uuid.uuid4().hex]\n"
    two_sides(tmp_path, draws, draws.replace("[p,", "["), CORPUS)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    first = report(tmp_path)["divergences"]
    assert shadow("compare", *FLAGS, "--only", "3.json", cwd=tmp_path).returncode == 1
    assert [one for one in first if one["id"] == "3.json"] == report(tmp_path)["divergences"]
    assert len(first) == 5


@pytest.mark.parametrize(("inject", "year", "exit_code"), [('now = "2019-07-01"', 2019, 1), ("seed = 3", 2026, 0)], ids=["now", "seed"])
def test_the_contract_says_what_the_clock_shows_and_where_chance_starts(tmp_path, inject, year, exit_code):
    """The candidate has a fault that shows before 2020 only; the baseline returns the same whatever the time, or it would be impure."""
    source = "import datetime\ndef run(p): return datetime.datetime.now().year >= {}\n"
    config = f'version = 1\n[[target]]\nname = "main"\nentry = "m:run"\n[inject]\n{inject}\n'
    files = {"m.py": source.format(0), "shadow/shadow.toml": config, "shadow/delta_ledger.yaml": "version: 1\nentries: []\n"}
    sha = repository(tmp_path, files | {"shadow/corpus/a.json": "1"})
    write(tmp_path, {"m.py": source.format(2020), "shadow/BASELINE_SHA": sha + "\n"})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == exit_code, done.stdout + done.stderr
    got = report(tmp_path, "shadow/out/report.json")
    assert (got["config"]["now"][:4], got["config"]["seed"]) == (str(year), 3 if "seed" in inject else 0)
    if exit_code:
        assert [(one["baseline"], one["candidate"]) for one in got["divergences"]] == [("true", "false")]


def test_a_moment_that_is_none_is_exit_2_at_its_line(tmp_path):
    config = 'version = 1\n[[target]]\nname = "main"\nentry = "m:run"\n[inject]\nnow = "soon"\n'
    write(tmp_path, {"shadow/shadow.toml": config})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 2
    assert "shadow/shadow.toml:6" in done.stderr
    assert "2026-01-01T00:00:00Z" in done.stderr


SHIM = """#!/bin/bash
# An interpreter whose types cannot be looked into, as of another implementation.
[ "$5" = -c ] && set -- "${@:1:5}" "import gc; gc.get_referents = lambda *of: [None]; $6" "${@:7}"
exec -a "$0" PYTHON "$@"
"""


def test_a_clock_that_cannot_be_frozen_is_said_to_run(tmp_path):
    two_sides(tmp_path, "import datetime\ndef run(p): return datetime.datetime.now().year > 2026 or p\n", "def run(p): return p\n")
    shim = tmp_path / "python"
    shim.write_text(SHIM.replace("PYTHON", str(Path(sys._base_executable).resolve())))
    shim.chmod(0o755)
    done = shadow("compare", *FLAGS, "--python", "./python", cwd=tmp_path)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert report(tmp_path)["run"]["clock"] is None
    assert "the clock of this interpreter cannot be frozen" in done.stdout
