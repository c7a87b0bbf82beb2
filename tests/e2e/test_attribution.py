"""Whose divergence it is: what the merge base does as well was there already; the verdict stays (real repositories and runs)."""

import pytest

from tests.e2e.command import EMPTY, commit, report, repository, shadow

SOURCE = "def run(p):\n    return {'total': p['a'] + p['b'], 'name': p['name'], 'tags': p['tags']}\n"
FIXTURES = {
    "corpus/a.json": '{"a": 1, "b": 2, "name": "x", "tags": null}',
    "corpus/b.json": '{"a": 1, "b": 2, "name": "y", "tags": []}',
}


@pytest.fixture
def project(tmp_path):
    """A baseline, a main that has moved on (names in capitals), and a branch that changes empty tags too."""
    baseline = repository(tmp_path, {"m.py": SOURCE, "ledger.yaml": EMPTY, **FIXTURES})
    main = commit(tmp_path, {"m.py": SOURCE.replace("p['name']", "p['name'].upper()")}, "main moves on")
    mine = SOURCE.replace("p['name']", "p['name'].upper()").replace("p['tags']", "p['tags'] or []")
    return tmp_path, baseline, main, commit(tmp_path, {"m.py": mine}, "mine")


def compare(project, *more):
    root, baseline, _, candidate = project
    sides = ("--baseline", f"git:{baseline}", "--candidate", f"git:{candidate}")
    rest = ("--corpus", "corpus", "--ledger", "ledger.yaml", "--report", "r.json", "--entry", "m:run")
    return shadow("compare", *sides, *rest, *more, cwd=root)


def test_the_merge_base_takes_what_it_does_as_well(project):
    root, _, main, _ = project
    plain = compare(project)
    before = report(root)
    done = compare(project, "--attribute", main)
    found = report(root)
    assert (done.returncode, plain.returncode) == (1, 1)
    assert {one["id"]: one["attribution"] for one in found["divergences"]} == {"a.json": "yours", "b.json": "already there"}
    assert f"attributed at {main[:12]}: 1 yours, 1 already there" in done.stdout
    assert [{**one, "attribution": None} for one in found["divergences"]] == before["divergences"]
    assert (found["passed"], found["counts"]) == (before["passed"], before["counts"])
    assert "already there" in shadow("show", "b.json", "--report", "r.json", cwd=root).stdout


def test_a_name_of_the_commit_will_do(project):
    root, _, main, _ = project
    assert compare(project, "--attribute", "HEAD~1").returncode == 1
    assert any(main[:12] in notice for notice in report(root)["notices"])


def test_everything_is_yours_where_the_commit_is_the_baseline(project):
    root, baseline, _, _ = project
    compare(project, "--attribute", baseline)
    assert {one["attribution"] for one in report(root)["divergences"]} == {"yours"}


def test_a_commit_that_does_not_run_decides_nothing(project):
    root, baseline, _, candidate = project
    broken = commit(root, {"m.py": "import nowhere\n"}, "broken")
    done = compare((root, baseline, broken, candidate), "--attribute", broken)
    assert (done.returncode, {one["attribution"] for one in report(root)["divergences"]}) == (1, {None})
    assert f"not attributed: {broken[:12]} could not be run" in " ".join(report(root)["notices"])


def test_nothing_runs_there_where_nothing_diverges(project):
    root, baseline, main, _ = project
    same = commit(root, {"m.py": SOURCE + "# a comment\n"}, "same")
    done = compare((root, baseline, main, same), "--attribute", main)
    assert (done.returncode, report(root)["divergences"]) == (0, [])


@pytest.mark.parametrize("name", ["no-such-branch", "0" * 40, "--all"])
def test_an_unknown_commit_is_refused_before_anything_runs(project, name):
    root = project[0]
    done = compare(project, f"--attribute={name}")
    assert done.returncode == 2
    assert "--attribute" in done.stderr
    assert not (root / "r.json").exists()


def test_it_needs_a_work_tree(tmp_path):
    for name, source in (("b", SOURCE), ("c", SOURCE + "\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(source, encoding="utf-8")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/a.json").write_text("1", encoding="utf-8")
    (tmp_path / "ledger.yaml").write_text(EMPTY, encoding="utf-8")
    flags = ("--corpus", "corpus", "--ledger", "ledger.yaml", "--report", "r.json", "--entry", "m:run", "--attribute", "main")
    done = shadow("compare", "--baseline", "b", "--candidate", "c", *flags, cwd=tmp_path)
    assert (done.returncode, "no git work tree" in done.stderr) == (2, True)
