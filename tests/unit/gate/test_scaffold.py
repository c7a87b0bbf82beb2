import subprocess

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


def test_the_workflow_compares_without_touching_the_tree(repo):
    init(repo, entry="a:b")
    text = (repo / ".github/workflows/shadow.yml").read_text()
    job = yaml.safe_load(text)
    assert job[True] == "pull_request"  # YAML 1.1 reads `on` so; GitHub does not
    assert job["permissions"] == {"contents": "read"}
    steps = job["jobs"]["compare"]["steps"]
    assert steps[0]["with"] == {"fetch-depth": 0, "persist-credentials": False}
    runs = [step["run"] for step in steps if "run" in step]
    assert "shadow compare" in runs
    assert not any("git checkout" in run for run in runs)
    assert "defaults" not in job["jobs"]["compare"]


def test_in_a_folder_of_a_larger_repository_the_workflow_still_stands_at_its_root(repo):
    below = repo / "libs/it's"
    below.mkdir(parents=True)
    init(below, entry="a:b")
    job = yaml.safe_load((repo / ".github/workflows/shadow.yml").read_text())["jobs"]["compare"]
    assert job["defaults"] == {"run": {"working-directory": "libs/it's"}}
    assert job["steps"][-1]["if"] == "failure() && hashFiles('libs/it''s/shadow/out/report.json') != ''"
    assert "/libs/it's/shadow/" in (below / "shadow/shadow.toml").read_text()
