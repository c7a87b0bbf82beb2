import subprocess
from pathlib import Path

import pytest
import yaml

from gate.config.load import load
from gate.corpus import list_fixtures
from gate.errors import ConfigError, UsageError
from gate.hostile import MINIMUM
from gate.scaffold import init
from gate.types import Target

FILES = {"shadow/shadow.toml", "shadow/delta_ledger.yaml", "shadow/.gitattributes", "shadow/.gitignore", ".github/workflows/shadow.yml"}


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def files(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file() and ".git/" not in path.as_posix()}


def test_init_writes_a_contract_that_loads(repo):
    got = init(repo, entry="pkg.mod:run")
    assert files(repo) == FILES | {f"shadow/corpus/{fixture.name}" for fixture in MINIMUM}
    assert {path.relative_to(repo).as_posix() for path in got.written} == files(repo)
    assert got.kept == ()
    config = load(repo / "shadow").file
    assert [(one.name, one.entry, one.payload) for one in config.target] == [("main", "pkg.mod:run", "json")]
    assert config.trust.require == "named"
    assert len(list_fixtures(repo / "shadow/corpus", (Target(name="main", entry="pkg.mod:run"),))) == len(MINIMUM)


def test_every_commented_key_of_the_config_is_a_known_one(repo):
    init(repo, entry="pkg.mod:run")
    path = repo / "shadow/shadow.toml"
    (repo / "shadow/adapter.py").write_text("")
    text = path.read_text()
    head, _, body = text.partition("[[target]]")
    live = "\n".join(
        line[2:] if line.startswith("# ") and ("=" in line or line.startswith("# [")) and "[..]" not in line else line
        for line in body.split("\n")
    )
    assert live.count("\n# ") == body.count("[..]")
    path.write_text(f"{head}[[target]]{live}")
    config = load(repo / "shadow").file
    assert (config.target[0].adapter, config.sides.path, config.limits.output_kib) == ("adapter.py", ["src"], 1024)
    assert config.compare.rules == ["key-order", "object-ids", "temp-root"]


def test_the_ledger_is_empty_and_loads(repo):
    init(repo)
    assert yaml.safe_load((repo / "shadow/delta_ledger.yaml").read_text()) == {"version": 1, "entries": []}


def test_without_an_entry_every_command_names_the_line_to_edit(repo):
    init(repo)
    with pytest.raises(ConfigError, match="still the placeholder") as caught:
        load(repo / "shadow")
    line = (repo / "shadow/shadow.toml").read_text().split("\n")[caught.value.place.line - 1]
    assert line.startswith("entry = ")
    assert len(caught.value.faults) == 1


def test_a_wrong_entry_writes_nothing(repo):
    with pytest.raises(UsageError, match="--entry"):
        init(repo, entry="pkg.mod")
    assert files(repo) == set()


def test_nothing_is_ever_overwritten(repo):
    init(repo, entry="pkg.mod:run")
    before = {name: (repo / name).read_bytes() for name in files(repo)}
    got = init(repo, entry="other:run")
    assert got.written == ()
    assert {path.relative_to(repo).as_posix() for path in got.kept} == FILES | {"shadow/corpus"}
    assert {name: (repo / name).read_bytes() for name in files(repo)} == before


def test_what_is_missing_is_added_and_what_is_there_is_kept(repo):
    (repo / "shadow").mkdir()
    (repo / "shadow/delta_ledger.yaml").write_text("mine")
    (repo / "shadow/.gitignore").symlink_to("nowhere")
    got = init(repo, entry="a:b")
    assert (repo / "shadow/delta_ledger.yaml").read_text() == "mine"
    assert {path.name for path in got.kept} == {"delta_ledger.yaml", ".gitignore"}
    assert not (repo / "shadow/nowhere").exists()
    assert list(got)[:1] == ["wrote shadow/shadow.toml"]
    assert "kept shadow/delta_ledger.yaml (it was there)" in list(got)


def test_a_trimmed_corpus_does_not_grow_back(repo):
    init(repo, entry="a:b")
    for path in sorted((repo / "shadow/corpus").iterdir())[1:]:
        path.unlink()
    init(repo, entry="a:b")
    assert len(list((repo / "shadow/corpus").iterdir())) == 1


@pytest.mark.parametrize("name", ["shadow", ".github", ".github/workflows"])
def test_a_file_where_a_folder_should_be_is_named(repo, name):
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text("x")
    with pytest.raises(UsageError, match=f"^{name} is no folder") as caught:
        init(repo, entry="a:b")
    assert "move it away" in caught.value.remedy
    assert (repo / name).read_text() == "x"


def test_git_keeps_fixtures_as_bytes_and_ignores_the_output(repo):
    init(repo, entry="a:b")
    attributes = subprocess.run(
        [
            "git",
            "check-attr",
            "text",
            "eol",
            "--",
            "shadow/corpus/a.json",
            "shadow/corpus/x/y.txt",
            "shadow/delta_ledger.yaml",
            "shadow/baseline_wheel/p.whl",
        ],
        cwd=repo,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "shadow/corpus/a.json: text: unset" in attributes
    assert "shadow/corpus/x/y.txt: text: unset" in attributes
    assert "shadow/baseline_wheel/p.whl: text: unset" in attributes
    assert "shadow/delta_ledger.yaml: text: auto" in attributes
    assert "shadow/delta_ledger.yaml: eol: lf" in attributes
    assert subprocess.run(["git", "check-ignore", "-q", "shadow/out/report.json"], cwd=repo, check=False).returncode == 0
    assert subprocess.run(["git", "check-ignore", "-q", "shadow/corpus/out/a.json"], cwd=repo, check=False).returncode == 1


def workflow(repo):
    return (repo / ".github/workflows/shadow.yml").read_text()


def test_the_workflow_compares_without_touching_the_tree(repo):
    init(repo, entry="a:b")
    job = yaml.safe_load(workflow(repo))
    assert job["permissions"] == {"contents": "read"}
    steps = job["jobs"]["compare"]["steps"]
    assert not any("permissions" in part for part in (job["jobs"]["compare"], *steps))
    assert [step["uses"].partition("@")[0] for step in steps if "uses" in step] == ["actions/checkout", "actions/setup-python"]
    assert steps[0]["with"] == {"fetch-depth": 0, "persist-credentials": False}
    runs = [step["run"] for step in steps if "run" in step]
    assert "shadow compare" in runs
    assert not any("git " in run for run in runs)
    assert "defaults" not in job["jobs"]["compare"]


def test_the_workflow_runs_where_a_change_can_reach_the_default_branch(repo):
    init(repo, entry="a:b")
    when = yaml.safe_load(workflow(repo))[True]  # YAML 1.1 reads `on` so; GitHub does not
    assert when == {"pull_request": None, "merge_group": None, "push": {"branches": ["main"]}}


def test_nothing_but_a_comparison_decides(repo):
    init(repo, entry="a:b")
    steps = yaml.safe_load(workflow(repo))["jobs"]["compare"]["steps"]
    assert [step["run"] for step in steps if step.get("if", "").startswith("failure()")] == ["shadow prelabel && shadow annotate"]
    assert not any(key in step for step in steps for key in ("continue-on-error", "shell"))


@pytest.mark.parametrize("below", ["", "libs/parse"])
def test_the_hint_for_the_target_can_be_taken_out_of_its_comment(repo, below):
    (repo / below).mkdir(parents=True, exist_ok=True)
    init(repo / below, entry="a:b")
    lines = workflow(repo).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("      # - name: Install what the target imports"))
    lines[at : at + 2] = [line.replace("# ", "", 1) for line in lines[at : at + 2]]
    before = yaml.safe_load(workflow(repo))["jobs"]["compare"]["steps"]
    after = yaml.safe_load("\n".join(lines))["jobs"]["compare"]["steps"]
    new = [step for step in after if step not in before]
    assert [step["run"] for step in new] == ["python -m venv .venv && .venv/bin/python -m pip install -r requirements.txt"]
    assert after.index(new[0]) == [step.get("run") for step in after].index("shadow compare") - 1


def test_the_install_line_fails_until_it_is_edited_and_names_no_package_that_nobody_owns(repo):
    init(repo, entry="a:b")
    (install,) = [line.strip() for line in workflow(repo).split("\n") if "RUNNER_TEMP/shadow/bin/python" in line]
    assert install == '"$RUNNER_TEMP/shadow/bin/python" -m pip install "git+https://<host>/<owner>/<repository>@<40 hex digits>"'
    assert [line.strip()[0] for line in workflow(repo).split("\n") if "shadow-prelabel" in line] == ["#"]


def test_the_workflow_in_the_docs_is_the_one_that_is_written(repo):
    init(repo, entry="a:b")
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "ci.md").read_text("utf-8")
    written = workflow(repo).partition("name: shadow\n")  # the two comments above it are the page's own words
    assert f"```yaml\n{written[1]}{written[2]}```" in page


def test_in_a_folder_of_a_larger_repository_the_workflow_still_stands_at_its_root(repo):
    below = repo / "libs/it's"
    below.mkdir(parents=True)
    init(below, entry="a:b")
    job = yaml.safe_load((repo / ".github/workflows/shadow.yml").read_text())["jobs"]["compare"]
    assert job["defaults"] == {"run": {"working-directory": "libs/it's"}}
    assert job["steps"][-1]["if"] == "failure() && hashFiles('libs/it''s/shadow/out/report.json') != ''"
    assert "/libs/it's/shadow/" in (below / "shadow/shadow.toml").read_text()


def test_a_corpus_that_cannot_be_read_is_named(repo):
    (repo / "shadow").mkdir()
    (repo / "shadow/corpus").symlink_to("corpus")
    with pytest.raises(UsageError, match=r"^shadow/corpus cannot be read: Too many levels"):
        init(repo, entry="a:b")


def test_what_cannot_be_written_is_named_and_the_rest_can_follow():
    with pytest.raises(UsageError, match="cannot be written") as caught:
        init(Path("/proc"), entry="a:b")
    assert "goes on where it stopped" in caught.value.remedy
