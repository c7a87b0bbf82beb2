"""`shadow freeze` in real git repositories: which commit is taken, which is refused, what is written."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from gate.errors import EXIT_INVALID, SideError, UsageError
from gate.freeze import freeze

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = 'version = 1\n[[target]]\nname = "t"\nentry = "pkg.m:run"\n'
ENV = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


class Repo:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def git(self, *args: str) -> str:
        argv = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always", *args]
        return subprocess.run(argv, cwd=self.path, env=ENV, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")

    @property
    def pin(self) -> str:
        return (self.path / "shadow/BASELINE_SHA").read_text()


@pytest.fixture
def repo(tmp_path):
    made = Repo(tmp_path / "repo")
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


@pytest.fixture
def frozen(repo):
    """A repository with a contract and one commit on main."""
    repo.first = repo.commit({"pkg/m.py": "1", "shadow/shadow.toml": CONFIG})
    return repo


@pytest.mark.parametrize("rev", ["HEAD", None, "main", "HEAD^0", "v1", "short", "full"])
def test_a_revision_becomes_forty_digits_and_a_newline(frozen, rev):
    frozen.git("tag", "--annotate", "--message", "x", "v1")
    name = {"short": frozen.first[:9], "full": frozen.first}.get(rev, rev)
    result = freeze(frozen.path, name)
    assert frozen.pin == frozen.first + "\n"
    assert result.commit == frozen.first
    assert result.written == (frozen.path / "shadow/BASELINE_SHA",)
    assert result.notices == ()
    assert frozen.git("checkout", "--quiet", frozen.pin.strip()) == ""


def test_it_works_from_a_folder_below(frozen):
    assert freeze(frozen.path / "pkg", "HEAD").commit == frozen.first


@pytest.mark.parametrize("branch", ["trunk", "master"])
def test_without_a_default_branch_of_another_name_head_itself_is_fine(tmp_path, branch):
    repo = Repo(tmp_path / "r")
    repo.git("init", "--quiet", "--initial-branch", branch)
    commit = repo.commit({"shadow/shadow.toml": CONFIG})
    assert freeze(repo.path).commit == commit
    notices = freeze(repo.path, "HEAD").notices
    assert ("no default branch was found" in " ".join(notices)) is (branch == "trunk")


def test_on_a_feature_branch_the_merge_base_is_taken_and_its_own_commits_are_refused(frozen):
    frozen.git("checkout", "--quiet", "-b", "feature")
    own = frozen.commit({"pkg/m.py": "2"})
    assert freeze(frozen.path).commit == frozen.first
    for rev in ("HEAD", own, "feature"):
        with pytest.raises(UsageError) as caught:
            freeze(frozen.path, rev)
        assert caught.value.exit_code == EXIT_INVALID
        assert "a squash merge would lose the baseline" in caught.value.what
        assert caught.value.what.startswith(f"main cannot reach {own}")
    assert frozen.pin == frozen.first + "\n"


def test_the_branch_of_origin_counts_and_a_local_one_that_is_ahead_is_said(frozen, tmp_path):
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "--quiet", f"file://{frozen.path}", ".")
    assert freeze(clone.path).notices == ()
    ahead = clone.commit({"pkg/m.py": "2"})
    result = freeze(clone.path)
    assert result.commit == ahead
    assert f"only your local main has {ahead[:12]}" in result.notices[0]
    clone.git("checkout", "--quiet", "-b", "feature")
    clone.git("branch", "--quiet", "--force", "main", "origin/main")
    assert freeze(clone.path).commit == frozen.first
    with pytest.raises(UsageError, match="origin/main cannot reach"):
        freeze(clone.path, "HEAD")


def test_a_default_branch_of_any_name_is_known_from_origin(tmp_path):
    origin = Repo(tmp_path / "o")
    origin.git("init", "--quiet", "--initial-branch", "develop")
    first = origin.commit({"shadow/shadow.toml": CONFIG})
    clone = Repo(tmp_path / "c")
    clone.git("clone", "--quiet", f"file://{origin.path}", ".")
    clone.git("checkout", "--quiet", "-b", "feature")
    clone.commit({"x": ""})
    assert freeze(clone.path).commit == first


def test_a_shallow_clone_says_how_to_get_the_history(frozen, tmp_path):
    frozen.commit({"pkg/m.py": "2"})
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "--quiet", "--depth", "1", f"file://{frozen.path}", ".")
    with pytest.raises(UsageError) as caught:
        freeze(clone.path, frozen.first)
    assert "git fetch --unshallow" in caught.value.remedy


def test_uncommitted_changes_are_said_but_those_of_the_contract_are_not(frozen):
    (frozen.path / "shadow/delta_ledger.yaml").write_text("")
    assert freeze(frozen.path).notices == ()
    (frozen.path / "pkg/m.py").write_text("changed")
    (frozen.path / "new.py").write_text("")
    (notice,) = freeze(frozen.path).notices
    assert notice == "uncommitted changes are no part of the baseline: pkg/m.py, new.py"


@pytest.mark.parametrize(
    ("rev", "says"),
    [("nope", "'nope' names no commit here"), ("--all", "'--all' names no commit here"), ("HEAD:pkg", "'HEAD:pkg' names no commit here")],
)
def test_what_names_no_commit_is_refused(frozen, rev, says):
    with pytest.raises(UsageError, match=re.escape(says)):
        freeze(frozen.path, rev)
    assert not (frozen.path / "shadow/BASELINE_SHA").exists()


def test_without_contract_repository_or_commit_the_next_command_is_named(tmp_path, repo):
    with pytest.raises(UsageError) as caught:
        freeze(repo.path)
    assert "shadow init" in caught.value.remedy
    (repo.path / "shadow").mkdir()
    (repo.path / "shadow/shadow.toml").write_text(CONFIG)
    with pytest.raises(UsageError, match="no commit yet"):
        freeze(repo.path)
    plain = tmp_path / "plain/shadow"
    plain.mkdir(parents=True)
    (plain / "shadow.toml").write_text(CONFIG)
    with pytest.raises(UsageError) as caught:
        freeze(plain.parent)
    assert "git init" in caught.value.remedy


def test_a_wheel_pin_of_another_commit_is_not_left_in_force(frozen):
    freeze(frozen.path)
    (frozen.path / "shadow/BASELINE_WHEEL.sha256").write_text("x")
    freeze(frozen.path, frozen.first)
    second = frozen.commit({"pkg/m.py": "2"})
    with pytest.raises(UsageError) as caught:
        freeze(frozen.path)
    assert f"shadow freeze --wheel {second}" in caught.value.remedy
    assert frozen.pin == frozen.first + "\n"


def test_the_repository_itself_is_not_touched(frozen, monkeypatch):
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.setenv(name, "/nowhere/at/all")
    folder = frozen.path / ".git"
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
    freeze(frozen.path, "HEAD")
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()} == before


# A build backend that needs nothing installed: it zips the package of the folder in which it is called.
BACKEND = """
import os, zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "pkg-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.write("pkg/m.py")
        wheel.writestr("pkg-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: pkg\\nVersion: 1.0\\n")
        wheel.writestr("pkg-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("pkg-1.0.dist-info/RECORD", "")
        wheel.writestr("pkg/built_at", os.environ["SOURCE_DATE_EPOCH"])
    return name
"""
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


def test_the_wheel_is_built_from_the_commit_and_pinned_as_sha256sum_writes_it(frozen):
    commit = frozen.commit({"pyproject.toml": PROJECT, "backend.py": BACKEND, "pkg/m.py": "frozen"})
    (frozen.path / "pkg/m.py").write_text("the tree has moved on")
    result = freeze(frozen.path, wheel=True)
    wheel = frozen.path / "shadow/baseline_wheel/pkg-1.0-py3-none-any.whl"
    assert result.written == (wheel, frozen.path / "shadow/BASELINE_WHEEL.sha256", frozen.path / "shadow/BASELINE_SHA")
    assert frozen.pin == commit + "\n"
    import zipfile

    assert zipfile.ZipFile(wheel).read("pkg/m.py") == b"frozen"
    assert zipfile.ZipFile(wheel).read("pkg/built_at").decode() == frozen.git("show", "--no-patch", "--format=%ct")
    line = (frozen.path / "shadow/BASELINE_WHEEL.sha256").read_text()
    assert re.fullmatch(r"[0-9a-f]{64}  shadow/baseline_wheel/pkg-1\.0-py3-none-any\.whl\n", line)
    checked = subprocess.run(["sha256sum", "-c", "shadow/BASELINE_WHEEL.sha256"], cwd=frozen.path, capture_output=True, check=False)
    assert checked.returncode == 0, checked
    assert sorted(path.name for path in frozen.path.iterdir()) == [".git", "backend.py", "pkg", "pyproject.toml", "shadow"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"README": ""}, "has no pyproject.toml and no setup.py"),
        ({"pyproject.toml": PROJECT, "backend.py": "def build_wheel(*_): raise SystemExit('cannot build')"}, "cannot build"),
    ],
    ids=["no project", "the build fails"],
)
def test_a_wheel_that_cannot_be_built_changes_no_pin(frozen, files, says):
    freeze(frozen.path)
    frozen.commit(files)
    with pytest.raises(SideError, match=says):
        freeze(frozen.path, wheel=True)
    assert frozen.pin == frozen.first + "\n"
    assert not (frozen.path / "shadow/BASELINE_WHEEL.sha256").exists()


def test_branches_that_have_nothing_in_common_have_no_baseline(frozen):
    frozen.git("switch", "--quiet", "--orphan", "other")
    frozen.commit({"pkg/m.py": "2", "shadow/shadow.toml": CONFIG})
    with pytest.raises(UsageError, match="HEAD and main have no common commit") as caught:
        freeze(frozen.path)
    assert "name a commit" in caught.value.remedy
