"""Two people sign on two branches; then a plain ``git merge``."""

import os
import subprocess
from pathlib import Path

import pytest

from gate.errors import LedgerError
from gate.ledger.insert import insert_rows
from gate.ledger.read import read_ledger
from gate.types import LedgerRow, Place

ROW = "  - id: {}\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: meant\n"


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "repo"
    (folder / "shadow").mkdir(parents=True)
    (folder / "shadow/delta_ledger.yaml").write_text("# human-owned\nversion: 1\nentries:\n" + "".join(map(ROW.format, "bdfhjl")))
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "start")
    return folder


def git(repo, *args, check=True):
    env = {"PATH": os.environ["PATH"], "HOME": str(repo.parent), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    named = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *named, *args], cwd=repo, env=env, check=check, capture_output=True, text=True)


def commit(repo, words):
    git(repo, "add", ".")
    git(repo, "commit", "-qm", words)


def sign(repo, branch, *ids, start="main", **keys):
    git(repo, "checkout", "-q", "-b", branch, start)
    base = {"field": "value", "baseline": '"é"', "candidate": r'"e\u0301"', "decision": "accept", "reason": "meant"} | keys
    rows = [LedgerRow(id=row_id, place=Place(file="new"), **base) for row_id in ids]
    path = insert_rows(
        file=repo / "shadow/delta_ledger.yaml", folder=repo / "shadow/delta_ledger.d", rows=rows, sitting=f"2026-11-30-{branch}"
    )
    commit(repo, f"sign on {branch}")
    return path.relative_to(repo)


def ledger(repo):
    return read_ledger(repo / "shadow/delta_ledger.yaml", repo / "shadow/delta_ledger.d")


def test_two_sittings_in_the_folder_merge(repo):
    (repo / "shadow/delta_ledger.d").mkdir()
    (repo / "shadow/delta_ledger.d/.gitkeep").write_text("")
    commit(repo, "folder")
    # The same place in the order of ids, where one file would conflict.
    paths = {sign(repo, "one", "m"), sign(repo, "two", "n")}
    assert paths == {Path("shadow/delta_ledger.d/2026-11-30-one.yaml"), Path("shadow/delta_ledger.d/2026-11-30-two.yaml")}
    git(repo, "merge", "-q", "--no-edit", "one")
    assert [row.id for row in ledger(repo).rows] == [*"bdfhjl", "m", "n"]
    assert git(repo, "diff", "--stat", "main", "--", "shadow/delta_ledger.yaml").stdout == ""


def test_two_rows_in_different_places_of_the_file_merge(repo):
    for branch, ids in (("one", "c"), ("two", "k")):
        assert sign(repo, branch, *ids) == Path("shadow/delta_ledger.yaml")
    git(repo, "merge", "-q", "--no-edit", "one")
    assert [row.id for row in ledger(repo).rows] == list("bcdfhjkl")
    assert git(repo, "diff", "--numstat", "main").stdout.split()[:2] == ["12", "0"]


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_conflict_loads_as_a_clear_fault(repo, style, monkeypatch):
    sign(repo, "one", "m", reason="one")
    sign(repo, "two", "n", reason="two")
    assert git(repo, "-c", f"merge.conflictStyle={style}", "merge", "-q", "--no-edit", "one", check=False).returncode == 1
    text = (repo / "shadow/delta_ledger.yaml").read_text()
    monkeypatch.chdir(repo)
    with pytest.raises(LedgerError) as caught:
        ledger(repo)
    # git may split one row into several conflicts, where both sides' rows have lines in common.
    lines = text.splitlines()
    opened = [at for at, line in enumerate(lines, 1) if line.startswith("<<<<<<<")]
    closed = [at for at, line in enumerate(lines, 1) if line.startswith(">>>>>>>")]
    assert [str(fault.place) for fault in caught.value.faults] == [f"shadow/delta_ledger.yaml:{line}" for line in opened]
    assert [fault.what for fault in caught.value.faults] == [
        f"an unresolved merge conflict, lines {first} to {last}" for first, last in zip(opened, closed, strict=True)
    ]
    # What the remedy says can be done: both sides are there, whole.
    ours, theirs = (git(repo, "show", f":{stage}:./shadow/delta_ledger.yaml").stdout for stage in (2, 3))
    (repo / "shadow/delta_ledger.yaml").write_text(ours + theirs.split("  - id: l\n")[1].split("meant\n", 1)[1])
    assert [row.id for row in ledger(repo).rows] == list("bdfhjlnm")


def test_two_branches_that_decide_one_divergence_differently_merge_into_a_fault(repo, monkeypatch):
    (repo / "shadow/delta_ledger.d").mkdir()
    (repo / "shadow/delta_ledger.d/.gitkeep").write_text("")
    commit(repo, "folder")
    sign(repo, "one", "m")
    sign(repo, "two", "m", decision="reject")
    git(repo, "merge", "-q", "--no-edit", "one")
    monkeypatch.chdir(repo)
    with pytest.raises(LedgerError, match="says accept of the same divergence") as caught:
        ledger(repo)
    assert str(caught.value.place) == "shadow/delta_ledger.d/2026-11-30-two.yaml:3"
