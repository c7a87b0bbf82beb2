"""Both sides from real pins: git repositories of every awkward kind, a real wheel, real installs. No network.

The question behind most tests: is the user's repository byte for byte, and to the nanosecond, what it was before?
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from gate.errors import PinError, SameSidesError, SideError
from gate.pins import materialise, parse_pin
from gate.types import Pin, Settings

ENV = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}
TREE = Pin(kind="tree", value=".")


class Repo:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def git(self, *args: str, codes: tuple[int, ...] = (0,)) -> str:
        argv = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always", *args]
        done = subprocess.run(argv, cwd=self.path, env=ENV, check=False, capture_output=True, text=True)
        assert done.returncode in codes, done.stderr
        return done.stdout.strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, text in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, files: dict[str, str | bytes] | None = None) -> str:
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")

    def state(self) -> dict[str, object]:
        """Everything that must not change: every file below .git and in the tree, with its time of change."""
        found = {str(p): (p.lstat().st_mtime_ns, p.read_bytes() if p.is_file() else None) for p in self.path.rglob("*")}
        return found | {"worktrees": self.git("worktree", "list")}


@pytest.fixture
def repo(tmp_path):
    made = Repo(tmp_path / "repo")
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def sides(repo: Repo, baseline: str, candidate: str | Pin = TREE, *, scratch: str = "scratch", **more):
    side = candidate if isinstance(candidate, Pin) else parse_pin(candidate, side="candidate")
    return materialise(
        Settings(
            baseline=parse_pin(baseline, side="baseline"),
            candidate=side,
            corpus=repo.path / "corpus",
            ledger=repo.path / "ledger.yaml",
            ledger_folder=None,
            report=repo.path / "report.json",
            targets=(),
            checkout=repo.path,
            **more,
        ),
        repo.path.parent / scratch,
    )


def files(root: Path) -> dict[str, str]:
    return {str(p.relative_to(root)): p.read_text() for p in sorted(root.rglob("*")) if p.is_file()}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- commits and the working tree --------------------------------------------------------------------------------------


def test_nothing_of_the_users_changes_whatever_his_configuration_would_do(repo, tmp_path, monkeypatch):
    one = repo.commit({"m.py": "1", "old.py": "o"})
    repo.commit({"m.py": "2"})
    repo.git("replace", one, "HEAD")  # a replace ref must not change what a pin means
    marker = tmp_path / "marker"
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-commit"):
        path = repo.path / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {hook} >> {marker}\n")
        path.chmod(0o755)
    repo.git("config", "core.splitIndex", "true")
    repo.git("config", "core.fsmonitor", f"echo fsmonitor >> {marker}; false")
    repo.write({"m.py": "3", "new.py": "n"})
    os.utime(repo.path / "m.py", (1, 1))  # the index would like to be refreshed
    marker.unlink(missing_ok=True)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "wrong"))
    before = repo.state()
    marker.unlink(missing_ok=True)  # `git worktree list` above may run a hook; what counts comes now
    found = sides(repo, f"git:{one}")
    assert not marker.exists()
    assert repo.state() == before
    assert files(found.baseline.root) == {"m.py": "1", "old.py": "o"}
    assert files(found.candidate.root) == {"m.py": "3", "old.py": "o", "new.py": "n"}
    assert names(tmp_path / "scratch") == ["base", "cand"]
    assert found.candidate.facts["dirty"] is True
    assert found.notices == ()


def test_the_tree_is_what_git_add_would_take_without_contract_and_report(repo):
    one = repo.commit(
        {"m.py": "1", ".gitignore": "*.log\nshadow/out/\n", "gone.py": "", "shadow/shadow.toml": "", "shadow/corpus/a.json": "1"}
    )
    (repo.path / "gone.py").unlink()
    (repo.path / "link.py").symlink_to("m.py")
    repo.write({"new.py": "n", "x.log": "ignored", "shadow/out/report.json": "r", "report.json": "ours", "*run": "#!"})
    (repo.path / "*run").chmod(0o755)
    found = sides(repo, f"git:{one}", folder=repo.path / "shadow")
    assert names(found.candidate.root) == ["*run", ".gitignore", "link.py", "m.py", "new.py"]
    assert (found.candidate.root / "link.py").readlink() == Path("m.py")
    assert os.access(found.candidate.root / "*run", os.X_OK)
    assert names(found.baseline.root) == [".gitignore", "gone.py", "m.py"]


def test_names_that_shells_and_lists_trip_over(repo):
    odd = ["new\nline.py", "tab\t.py", "-rf", "ünï.py", "a b.py", '"q".py']
    one = repo.commit(dict.fromkeys(odd, "1"))
    (repo.path / "-rf").rename(repo.path / os.fsdecode(b"\xff.py"))
    found = sides(repo, f"git:{one}")
    assert names(found.baseline.root) == sorted(odd)
    assert names(found.candidate.root) == sorted({*odd, "\udcff.py"} - {"-rf"})


def test_attributes_are_those_of_the_commit(repo):
    one = repo.commit({".gitattributes": "*.txt eol=crlf\n", "a.txt": "x\r\n"})
    repo.write({".gitattributes": ""})
    assert (sides(repo, f"git:{one}").baseline.root / "a.txt").read_bytes() == b"x\r\n"


def test_files_are_those_of_the_commit_and_not_of_an_archive_of_it(repo):
    one = repo.commit({".gitattributes": "a.py export-ignore\nv.py export-subst\n", "a.py": "1\n", "v.py": "'$Format:%H$'\n"})
    repo.write({"a.py": "2\n"})
    root = sides(repo, f"git:{one}").baseline.root
    assert [(root / name).read_text() for name in ("a.py", "v.py")] == ["1\n", "'$Format:%H$'\n"]


def test_a_linked_worktree_and_a_tag_object_work(repo, tmp_path):
    one = repo.commit({"m.py": "1"})
    repo.git("tag", "--annotate", "--message", "x", "v1")
    tag = repo.git("rev-parse", "v1")
    assert tag != one
    repo.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    linked.write({"m.py": "2"})
    before = repo.state(), linked.state()
    found = sides(linked, f"git:{tag}")
    assert (repo.state(), linked.state()) == before
    assert found.baseline.facts["commit"] == one
    assert files(found.candidate.root)["m.py"] == "2"


def test_a_repository_without_commits_still_has_a_tree(repo, tmp_path):
    Repo(tmp_path / "b").write({"m.py": "1"})
    repo.write({"m.py": "2"})
    found = sides(repo, f"dir:{tmp_path / 'b'}")
    assert files(found.candidate.root) == {"m.py": "2"}
    assert found.candidate.facts["commit"] is None


def test_a_conflicted_and_a_sparse_tree_are_copied_as_they_lie(repo):
    one = repo.commit({"m.py": "1", "docs/d": "d"})
    repo.git("checkout", "--quiet", "-b", "x")
    repo.commit({"m.py": "2"})
    repo.git("checkout", "--quiet", "main")
    repo.commit({"m.py": "3"})
    repo.git("merge", "--quiet", "x", codes=(1,))
    assert "<<<<<<<" in files(sides(repo, f"git:{one}").candidate.root)["m.py"]
    repo.git("merge", "--abort")
    repo.git("sparse-checkout", "set", "--cone", "src")
    found = sides(repo, f"git:{one}", scratch="s2")
    assert found.notices == ("candidate: tracked files are left out by a sparse checkout: docs/d",)
    assert files(found.baseline.root) == {"m.py": "1", "docs/d": "d"}


def test_a_project_below_the_root_counts_from_its_own_contract(repo):
    one = repo.commit({"pkg/src/m.py": "1", "pkg/shadow/shadow.toml": "", "other/shadow/x.py": "x", "src/m.py": "another project"})
    repo.write({"pkg/src/m.py": "2", "pkg/shadow/out/report.json": "{}"})
    found = sides(repo, f"git:{one}", folder=repo.path / "pkg/shadow")
    assert found.baseline.roots == (found.baseline.root / "pkg/src",)
    assert found.baseline.facts["roots"] == ["src"]
    assert not (found.candidate.root / "pkg/shadow").exists()
    assert (found.candidate.root / "other/shadow/x.py").exists()


def test_a_commit_that_is_not_here_names_the_fetch(repo, tmp_path):
    one = repo.commit({"m.py": "1"})
    repo.commit({"m.py": "2"})
    with pytest.raises(SideError) as caught:
        sides(repo, "git:" + "0" * 40)
    assert f"git fetch origin {'0' * 40}" in caught.value.remedy
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "--quiet", "--depth", "1", f"file://{repo.path}", ".")
    with pytest.raises(SideError) as caught:
        sides(clone, f"git:{one}", scratch="s2")
    assert "this clone is shallow: `git fetch --unshallow`" in caught.value.remedy


def test_a_partial_clone_is_not_filled_behind_the_users_back(repo, tmp_path):
    one = repo.commit({"m.py": "1"})
    repo.commit({"m.py": "2"})
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "--quiet", "--filter=blob:none", f"file://{repo.path}", ".")
    before = clone.state()
    with pytest.raises(SideError) as caught:
        sides(clone, f"git:{one}")
    assert clone.state() == before
    command = caught.value.remedy.split("`")[1]
    clone.git(*command.split()[1:])  # the remedy works as it is written
    assert files(sides(clone, f"git:{one}", scratch="s2").baseline.root) == {"m.py": "1"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_names_the_command_that_trusts_it(repo):
    one = repo.commit({"m.py": "1"})
    for path in (repo.path, repo.path / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(SideError) as caught:
        sides(repo, f"git:{one}")
    assert caught.value.remedy.endswith(f"git config --global --add safe.directory {repo.path}")


def test_submodules_are_said_and_one_that_changed_below_the_roots_is_never_passed_over(repo, tmp_path):
    module = Repo(tmp_path / "module")
    module.git("init", "--quiet")
    module.commit({"s.py": "1"})
    repo.git("submodule", "--quiet", "add", f"file://{module.path}", "sub")
    one = repo.commit({"m.py": "1"})
    docs = repo.commit({"src/x": ""})
    found = sides(repo, f"git:{one}", side_paths=(".",))
    notice = "submodules are not checked out, only their commits are compared: sub"
    assert found.notices == (f"baseline: {notice}", f"candidate: {notice}")
    assert found.candidate.facts["dirty"] is False
    sub = Repo(repo.path / "sub")
    sub.write({"__pycache__/s.pyc": ""})  # untracked: nobody's change
    assert sides(repo, f"git:{one}", scratch="s1", side_paths=(".",)).candidate.facts["dirty"] is False
    for scratch, change in (("s2", sub.write), ("s3", sub.commit)):  # dirty, then at another commit than the index says
        change({"s.py": "2"})
        with pytest.raises(SideError, match=r"candidate: a submodule below the import roots holds changes, .*: sub") as caught:
            sides(repo, f"git:{one}", scratch=scratch, side_paths=(".",))
        assert "pin the package as a wheel or as requirements" in caught.value.remedy
        with pytest.raises(SameSidesError, match="there is no candidate"):  # beside the roots it is no code
            sides(repo, f"git:{docs}", scratch=scratch + "src", side_paths=("src",))
    two = repo.commit()
    for scratch, candidate in (("s4", TREE), ("s5", f"git:{two}")):
        with pytest.raises(SideError, match="has another commit than the baseline's"):
            sides(repo, f"git:{docs}", candidate, scratch=scratch, side_paths=(".",))
        assert sides(repo, f"git:{docs}", candidate, scratch=scratch + "src", side_paths=("src",)).no_code_change is True


def test_large_files_come_from_the_local_store_and_never_from_the_network(repo, tmp_path):
    marker = tmp_path / "marker"
    repo.git("config", "filter.lfs.smudge", f"touch {marker}; cat")
    repo.git("config", "filter.lfs.process", f"touch {marker}; false")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 3\n"
    here, away = hashlib.sha256(b"big").hexdigest(), "c" * 64
    one = repo.commit({"here.bin": pointer.format(here), "away.bin": pointer.format(away), "m.py": "1"})
    two = repo.commit({"m.py": "2"})
    repo.write({".git/info/attributes": "*.bin filter=lfs\n", f".git/lfs/objects/{here[:2]}/{here[2:4]}/{here}": b"big"})
    found = sides(repo, f"git:{one}", f"git:{two}")
    assert not marker.exists()
    assert (found.baseline.root / "here.bin").read_bytes() == b"big"
    assert found.notices[0].endswith("(`git lfs fetch` brings them): away.bin")


def test_a_link_out_of_a_commit_is_a_fault_below_the_roots_and_dropped_beside_them(repo):
    repo.write({"src/m.py": "1"})
    (repo.path / "peek").symlink_to("../cand/src/m.py")
    one = repo.commit()
    repo.write({"src/m.py": "2"})
    found = sides(repo, f"git:{one}")
    assert found.notices[0] == "baseline: symbolic links that lead out of the side are left out: peek"
    assert not (found.baseline.root / "peek").is_symlink()
    with pytest.raises(SideError, match="baseline: a symbolic link leads out of the side: peek"):
        sides(repo, f"git:{one}", scratch="s2", side_paths=(".",))


# --- is there anything to compare? -------------------------------------------------------------------------------------


BACK = {"src/p/m.py": "1", "src/p/t.json": "1"}


@pytest.fixture
def history(repo):
    """one -> docs (README only) -> code (changes and adds below src); the tree is clean at `code`."""
    repo.one = repo.commit({"src/p/m.py": "1", "src/p/same.py": "s", "src/p/t.json": "1", "README": "1", "shadow/shadow.toml": ""})
    repo.docs = repo.commit({"README": "2"})
    repo.code = repo.commit({"src/p/m.py": "2", "src/p/t.json": "2", "src/p/added.py": "a"})
    return repo


def test_two_commits_that_differ_only_beside_the_roots_are_no_code_change(history):
    found = sides(history, f"git:{history.one}", f"git:{history.docs}")
    assert found.no_code_change is True
    assert found.baseline.code_digest == found.candidate.code_digest
    assert sides(history, f"git:{history.one}", f"git:{history.code}", scratch="s2").no_code_change is False


def test_a_clean_tree_at_another_commit_of_equal_code_is_no_code_change(history):
    history.git("checkout", "--quiet", history.docs)
    assert sides(history, f"git:{history.one}").no_code_change is True
    history.write({"README": "uncommitted", "shadow/delta_ledger.yaml": "x"})
    assert sides(history, f"git:{history.one}", scratch="s2", folder=history.path / "shadow").no_code_change is True


@pytest.mark.parametrize(
    ("at", "changes", "says"),
    [
        pytest.param("one", {}, "there is no candidate", id="clean at the baseline"),
        pytest.param("one", {"README": "new", "junk": ""}, "there is no candidate", id="at the baseline, changes beside the roots"),
        pytest.param("one", {"shadow/corpus/x.json": ""}, "there is no candidate", id="at the baseline, changes to the contract"),
        pytest.param("code", {**BACK, "src/p/added.py": None}, "was the baseline checked out over it", id="all of it is back"),
        pytest.param("code", BACK, "was the baseline checked out over it", id="back, but for what was added"),
        pytest.param("code", {**BACK, "src/junk.xml": "x"}, "was the baseline checked out over it", id="back, and a job left files"),
        pytest.param("code", {**BACK, "src/p/same.py": "new"}, "was the baseline checked out over it", id="back, and one is made anew"),
        pytest.param("code", {"src/p/m.py": "1"}, "was the baseline checked out over it", id="only its Python files are back"),
    ],
)
def test_a_tree_that_is_the_baseline_is_never_compared(history, at, changes, says):
    history.git("checkout", "--quiet", getattr(history, at))
    history.write({name: text for name, text in changes.items() if text is not None})
    for name in (name for name, text in changes.items() if text is None):
        (history.path / name).unlink()
    with pytest.raises(SameSidesError, match=says):
        sides(history, f"git:{history.one}", folder=history.path / "shadow")


def test_the_articles_job_that_checks_the_baseline_out_over_the_tree_is_caught(history):
    """Fault 1 of the design's section 13, as the article's workflow does it."""
    history.git("checkout", history.one, "--", ".")
    with pytest.raises(SameSidesError, match="was the baseline checked out over it") as caught:
        sides(history, f"git:{history.one}")
    assert f"--candidate git:{history.code}" in caught.value.remedy
    assert sides(history, f"git:{history.one}", f"git:{history.code}", scratch="s2").no_code_change is False


def test_a_deletion_and_an_edit_of_ones_own_are_candidates(history):
    (history.path / "src/p/same.py").write_text("edited")
    assert sides(history, f"git:{history.one}").notices == ()
    (history.path / "src/p/t.json").write_text("1")  # HEAD's data are undone, its code is not
    said = "files stand in the working tree as in the baseline, although HEAD changed them"
    assert sides(history, f"git:{history.one}", scratch="s0").notices == (f"candidate: {said}: src/p/t.json",)
    history.git("checkout", "--quiet", "--force", history.one)
    history.commit({"src/p/only_added.py": ""})  # HEAD changed nothing of the baseline's, so nothing can be undone
    assert sides(history, f"git:{history.one}", scratch="s3").no_code_change is False
    history.git("checkout", "--quiet", "--force", history.one)
    (history.path / "src/p/same.py").unlink()
    assert sides(history, f"git:{history.one}", scratch="s2").no_code_change is False


JUNK = [
    "p/__pycache__/m.cpython-311.pyc",
    "junit.xml",
    "coverage.xml",
    ".pytest_cache/v/x",
    "x.egg-info/PKG-INFO",
    ".coverage",
    ".DS_Store",
    "p/.DS_Store",
    "build/lib/p/m.py",
    "dist/x.whl",
    "venv/pyvenv.cfg",
    "venv/lib/python3.11/site-packages/q.py",
]
FLAT = {"p/__init__.py": "", "p/m.py": "1", "p/n.py": "1", "tests/test_m.py": "1", "setup.py": "1", "shadow/shadow.toml": ""}


def test_what_jobs_leave_in_a_flat_tree_is_no_candidate(repo, monkeypatch):
    one = repo.commit(FLAT)
    repo.write(dict.fromkeys(JUNK, "z"))
    (repo.path / "venv/python").symlink_to("/usr/bin/env")
    with pytest.raises(SameSidesError, match="there is no candidate"):
        sides(repo, f"git:{one}")
    with pytest.raises(SameSidesError, match="hold the same code"):
        sides(repo, f"dir:{repo.path}", f"git:{one}", scratch="s1", folder=repo.path / "shadow")
    repo.write({"p/table.json": "1", "tool.py": ""})
    found = sides(repo, f"git:{one}", scratch="s2")
    assert found.notices == (
        "candidate: virtual environments are no part of a side and left out: venv",
        "candidate: the sides differ in nothing but untracked files: p/table.json, tool.py",
    )
    assert not {"__pycache__", "venv", ".pytest_cache", ".DS_Store"}.intersection(path.name for path in found.candidate.root.rglob("*"))
    repo.write({"p/m.py": "2"})
    assert len(sides(repo, f"git:{one}", scratch="s3").notices) == 1


def test_byte_code_in_the_tree_does_not_change_its_digest(repo):
    one = repo.commit(FLAT)
    repo.write({"p/m.py": "2"})
    before = sides(repo, f"git:{one}").candidate.code_digest
    repo.write({"p/__pycache__/m.cpython-311.pyc": "z", ".mypy_cache/x": "z"})
    assert sides(repo, f"git:{one}", scratch="s2").candidate.code_digest == before


def test_our_scratch_inside_the_repository_is_no_part_of_the_tree(repo):
    one = repo.commit(FLAT)
    (repo.path / "tmp").mkdir()
    with pytest.raises(SameSidesError, match="there is no candidate"):
        sides(repo, f"git:{one}", scratch="repo/tmp/one")
    repo.write({"p/m.py": "2"})
    two = repo.commit({".gitignore": "tmp/one/\n"})
    found = sides(repo, f"git:{one}", scratch="repo/tmp/two")
    assert not (found.candidate.root / "tmp").exists()
    assert found.candidate.facts == {**found.candidate.facts, "commit": two, "dirty": False}


@pytest.mark.parametrize(
    ("head", "back", "caught"),
    [
        pytest.param({"p/m.py": "2", "tests/test_m.py": "2"}, ["p"], True, id="only the package is checked out"),
        pytest.param({"p/m.py": "2", "setup.py": "2", "p/added.py": ""}, ["p"], True, id="a build script is not"),
        pytest.param({"p/t.json": "2", "README": "2"}, ["p"], True, id="only data changed"),
        pytest.param({"tests/test_m.py": "2"}, ["tests"], True, id="only tests changed"),
        pytest.param({"p/m.py": "2", "p/n.py": "2"}, ["p/m.py"], False, id="some of the code"),
        pytest.param({"p/m.py": "2", "tests/test_m.py": "2"}, ["tests"], False, id="only the tests"),
    ],
)
@pytest.mark.parametrize("more", [{}, {"p/same.py": "made anew", "junit.xml": "x"}], ids=["alone", "and a job made a tracked file anew"])
def test_a_baseline_checked_out_over_a_part_of_a_flat_tree_is_caught_or_said(repo, head, back, caught, more):
    one = repo.commit({**FLAT, "p/t.json": "1", "p/same.py": "1", "README": "1"})
    repo.commit(head)
    repo.git("checkout", one, "--", *back)
    repo.write(more)
    if caught:
        with pytest.raises(SameSidesError, match="was the baseline checked out over it"):
            sides(repo, f"git:{one}")
    else:
        said = next(name for name in head if any(name.startswith(path) for path in back))
        notice = f"candidate: files stand in the working tree as in the baseline, although HEAD changed them: {said}"
        assert sides(repo, f"git:{one}").notices == (notice,)


@pytest.mark.parametrize("pair", [("one", "one"), ("one", "tag")])
def test_the_same_commit_is_never_compared(history, pair):
    history.git("tag", "--annotate", "--message", "x", "tag", history.one)
    history.tag = history.git("rev-parse", "tag")
    with pytest.raises(SameSidesError):
        sides(history, f"git:{getattr(history, pair[0])}", f"git:{getattr(history, pair[1])}")


def test_a_folder_that_equals_the_commit_is_never_compared(history, tmp_path):
    copy = Repo(tmp_path / "copy")
    copy.write({"src/p/m.py": "1", "src/p/same.py": "s", "src/p/t.json": "1"})
    with pytest.raises(SameSidesError, match="hold the same code"):
        sides(history, f"git:{history.one}", f"dir:{copy.path}")


def test_a_baseline_that_is_no_ancestor_is_said(history):
    found = sides(history, f"git:{history.code}", f"git:{history.one}")
    assert found.notices == (
        f"the baseline {history.code[:12]} is no ancestor of the candidate {history.one[:12]}: a difference may come from either",
    )


# --- patches -----------------------------------------------------------------------------------------------------------


def patch(repo: Repo, text: str, name: str = "x.patch") -> str:
    (repo.path.parent / name).write_text(text)
    return f"patch:{repo.path.parent / name}"


def test_a_patch_is_applied_to_the_baselines_commit_and_nowhere_else(history):
    text = history.git("diff", "--binary", history.one, history.code) + "\n"
    history.git("checkout", "--quiet", history.docs)
    (history.path / "scratch").mkdir()
    before = history.state()
    # The scratch folder lies inside the repository: git must not find that and patch the user's tree.
    found = sides(history, f"git:{history.one}", patch(history, text), scratch="repo/scratch/new")
    inside = str(history.path / "scratch")
    assert {at: what for at, what in history.state().items() if not at.startswith(inside)} == {
        at: what for at, what in before.items() if at != inside
    }
    assert files(found.candidate.root)["src/p/m.py"] == "2"
    assert files(found.baseline.root)["src/p/m.py"] == "1"
    assert found.candidate.code_digest == sides(history, f"git:{history.one}", f"git:{history.code}").candidate.code_digest
    assert found.candidate.facts["commit"] == history.one
    assert found.candidate.facts["patch"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_patch_beside_the_roots_is_no_code_change(history):
    text = history.git("diff", history.one, history.docs) + "\n"
    assert sides(history, f"git:{history.one}", patch(history, text)).no_code_change is True
    ledger = "--- /dev/null\n+++ b/shadow/new.yaml\n@@ -0,0 +1 @@\n+x\n"
    found = sides(history, f"git:{history.one}", patch(history, ledger), scratch="s2", folder=history.path / "shadow")
    assert found.no_code_change is True
    assert not (found.candidate.root / "shadow").exists()


@pytest.mark.parametrize(
    "text",
    ["", "\n", "--- a/src/p/m.py\n+++ b/src/p/m.py\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n\\ No newline at end of file\n"],
)
def test_a_patch_that_changes_nothing_is_never_compared(history, text):
    with pytest.raises(SameSidesError, match="changes nothing"):
        sides(history, f"git:{history.one}", patch(history, text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("--- a/src/p/m.py\n+++ b/src/p/m.py\n@@ -1 +1 @@\n-other\n+2\n", "patch does not apply", id="other lines"),
        pytest.param("no patch at all\n", "No valid patches", id="no patch"),
        pytest.param("--- /dev/null\n+++ b/../../escape\n@@ -0,0 +1 @@\n+x\n", "invalid path", id="a path out of the root"),
        pytest.param("--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n", "invalid path", id="a path into .git"),
    ],
)
def test_a_patch_that_does_not_apply_says_why_in_gits_words(history, tmp_path, text, says):
    with pytest.raises(SideError, match=says):
        sides(history, f"git:{history.one}", patch(history, text))
    assert not (tmp_path / "escape").exists()


def test_a_patch_that_lays_a_link_out_is_a_fault(history):
    text = "diff --git a/src/l b/src/l\nnew file mode 120000\n--- /dev/null\n+++ b/src/l\n@@ -0,0 +1 @@\n+../../base/src\n\\ No newline at end of file\n"
    with pytest.raises(SideError, match="a symbolic link leads out of the side: src/l"):
        sides(history, f"git:{history.one}", patch(history, text))


def test_a_patch_needs_a_commit_and_must_exist(history):
    with pytest.raises(PinError, match="stands on the baseline's commit"):
        sides(history, f"dir:{history.path}", patch(history, "x"))
    with pytest.raises(SideError, match=r"candidate: No such file or directory: .*nope\.patch"):
        sides(history, f"git:{history.one}", f"patch:{history.path}/nope.patch", scratch="s2")


# --- wheels and requirements -------------------------------------------------------------------------------------------


def build_wheel(
    folder: Path, name: str, version: str, files: dict[str, str | bytes], *, tag: str = "py3-none-any", needs: str = ""
) -> Path:
    """A real wheel by hand: the archive of the wheel format with its RECORD."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-{tag}.whl"
    info = f"{name}-{version}.dist-info"
    pure = "true" if tag.endswith("none-any") else "false"
    parts = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: {pure}\nTag: {tag}\n",
    }
    rows = []
    for part, text in parts.items():
        data = text if isinstance(text, bytes) else text.encode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{part},sha256={digest},{len(data)}\n")
    with zipfile.ZipFile(path, "w") as archive:
        for part, text in {**parts, f"{info}/RECORD": "".join([*rows, f"{info}/RECORD,,\n"])}.items():
            archive.writestr(part, text)
    return path


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of wheels that is the only index, for pip and for uv."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, text in {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_FIND_LINKS": str(folder),
    }.items():
        monkeypatch.setenv(name, text)
    return folder


@pytest.fixture
def plain(tmp_path):
    return Repo(tmp_path / "repo")


def wheel_pin(path: Path) -> str:
    return f"wheel:{path}#sha256={hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_two_wheels_are_installed_each_into_a_root_of_its_own(plain, index):
    one = build_wheel(
        index, "demo_pkg", "1.0", {"demo/__init__.py": "V = 1\n", "demo_pkg-1.0.data/purelib/more.py": "", "x.pth": "import os"}
    )
    two = build_wheel(index, "demo_pkg", "2.0", {"demo/__init__.py": "V = 2\n"}, needs="Requires-Dist: missing-everywhere\n")
    found = sides(plain, wheel_pin(one), wheel_pin(two))
    root = found.baseline.roots[0]
    assert (root / "demo/__init__.py").read_text() == "V = 1\n"
    assert (root / "more.py").exists()
    assert (root / "demo_pkg-1.0.dist-info/METADATA").exists()
    assert list((root / "demo/__pycache__").glob("*.pyc"))
    assert (found.candidate.roots[0] / "demo/__init__.py").read_text() == "V = 2\n"
    assert found.baseline.packages == found.candidate.packages == found.baseline.interpreter.packages == ()
    facts = found.baseline.facts
    assert (facts["pin"], facts["interpreter_packages"], facts["pth"]) == (wheel_pin(one), False, ["x.pth"])
    assert facts["wheel"] == hashlib.sha256(one.read_bytes()).hexdigest()
    assert [(dist["name"], dist["version"]) for dist in facts["dists"]] == [("demo-pkg", "1.0")]
    assert found.baseline.code_digest != found.candidate.code_digest


def test_a_wheel_is_refused_when_it_is_another_the_same_or_for_another_platform(plain, index):
    one = build_wheel(index, "demo", "1.0", {"demo.py": "V = 1\n"})
    pin = wheel_pin(one)
    with pytest.raises(SameSidesError):
        sides(plain, pin, wheel_pin(Path(str(one.rename(index / "demo-1.0-1-py3-none-any.whl")))))
    other = build_wheel(index, "demo", "1.0", {"demo.py": "V = 2\n"})
    with pytest.raises(SideError, match=r"digest of .* is not the pinned one") as caught:
        sides(plain, pin, wheel_pin(other), scratch="s2")
    assert wheel_pin(other).split("=")[1] in caught.value.what
    alien = build_wheel(index, "demo", "3.0", {"demo.py": ""}, tag="cp27-cp27m-win32")
    with pytest.raises(SideError, match=r"candidate: the wheel demo-3\.0-cp27-cp27m-win32\.whl could not be installed"):
        sides(plain, wheel_pin(other), wheel_pin(alien), scratch="s3")


def test_requirements_are_installed_as_listed_once_and_found_again(plain, index, monkeypatch):
    a1 = build_wheel(index, "a_b", "1", {"ab.py": "V = 1\n"}, needs="Requires-Dist: c\n")
    build_wheel(index, "a_b", "2", {"ab.py": "V = 2\n"})
    build_wheel(index, "c", "1", {"c.py": "", "e.pth": "import c"})
    digest = hashlib.sha256(a1.read_bytes()).hexdigest()
    plain.write({"old.txt": f"A.B==1 --hash=sha256:{digest}\n", "new.txt": "# two\nc==1\na-b==2\n"})
    plain.write(dict.fromkeys(["json.py", "runpy.py", "typing.py"], "raise SystemExit('a module of the current folder was imported')"))
    monkeypatch.chdir(plain.path)
    pins = "requirements:old.txt", "requirements:new.txt"
    found = sides(plain, *pins)
    old, new = found.baseline, found.candidate
    assert (old.roots[0] / "ab.py").read_text() == "V = 1\n"
    assert not (old.roots[0] / "c.py").exists()
    assert (new.roots[0] / "ab.py").read_text() == "V = 2\n"
    assert (old.packages, new.packages) == ((), ())
    assert old.facts["requirements"] == [f"a-b==1 --hash=sha256:{digest}"]
    assert new.facts["pth"] == ["e.pth"]
    assert [dist["name"] for dist in new.facts["dists"]] == ["a-b", "c"]
    assert str(index) not in json.dumps(dict(old.facts))
    monkeypatch.setattr("gate.process.run", lambda *_, **__: pytest.fail("something was started"))
    again = sides(plain, *pins, scratch="s2")
    assert (again.baseline.roots, again.baseline.facts) == (old.roots, old.facts)


def test_requirements_see_no_package_of_the_interpreter_even_beside_a_folder_that_does(plain, index):
    build_wheel(index, "a", "1", {"a.py": ""})
    plain.write({"old.txt": "a==1", "new/a.py": "2"})
    found = sides(plain, f"requirements:{plain.path}/old.txt", f"dir:{plain.path}/new")
    assert found.baseline.packages == ()
    assert found.candidate.packages == found.candidate.interpreter.packages == found.baseline.interpreter.packages
    assert (found.baseline.facts["interpreter_packages"], found.candidate.facts["interpreter_packages"]) == (False, True)
    assert found.baseline.root == found.baseline.roots[0]


def test_a_wrong_hash_is_never_installed(plain, index):
    build_wheel(index, "a", "1", {"a.py": ""})
    build_wheel(index, "b", "1", {"b.py": ""})
    plain.write({"old.txt": "a==1 --hash=sha256:" + "0" * 64, "new.txt": "b==1"})
    with pytest.raises(SideError, match=r"(?is)baseline: the requirements could not be installed.*hash"):
        sides(plain, f"requirements:{plain.path}/old.txt", f"requirements:{plain.path}/new.txt")


def test_the_same_requirements_in_other_words_are_never_compared(plain, index):
    plain.write({"old.txt": "a==1\nb==2\n", "new.txt": "b == 2 # later\nA==1", "empty.txt": "# none"})
    with pytest.raises(SameSidesError):
        sides(plain, f"requirements:{plain.path}/old.txt", f"requirements:{plain.path}/new.txt")
    with pytest.raises(PinError, match="lists no package"):
        sides(plain, f"requirements:{plain.path}/empty.txt", f"requirements:{plain.path}/new.txt", scratch="s2")


def test_a_lock_bump_is_a_change_of_the_checkout(repo, index):
    for version in "12":
        build_wheel(index, "dep", version, {"dep.py": f"V = {version}\n"})
    one = repo.commit({"src/m.py": "import dep", "lock.txt": "dep==1\n"})
    docs = repo.commit({"README": "", "lock.txt": "# a comment is no change\ndep==1\n"})
    assert sides(repo, f"git:{one}", f"git:{docs}", requirements="lock.txt").no_code_change is True
    assert sides(repo, f"git:{one}", requirements="lock.txt", scratch="s1").no_code_change is True
    repo.write({"lock.txt": "dep==2\n"})
    found = sides(repo, f"git:{docs}", requirements="lock.txt", scratch="s2")
    assert found.no_code_change is False
    assert [(side.packages[0] / "dep.py").read_text() for side in (found.baseline, found.candidate)] == ["V = 1\n", "V = 2\n"]
    assert len(found.baseline.packages) == 1
    assert found.baseline.facts["interpreter_packages"] is False
    bumped = repo.commit()
    repo.git("checkout", docs, "--", "lock.txt")
    with pytest.raises(SameSidesError, match=f"its HEAD {bumped[:12]} has others"):
        sides(repo, f"git:{docs}", requirements="lock.txt", scratch="s3")


def test_a_wheel_beside_a_checkout_sees_the_same_packages_and_the_frozen_lock(repo, index):
    for version in "12":
        build_wheel(index, "dep", version, {"dep.py": f"V = {version}\n"})
    wheel = build_wheel(index, "demo", "1", {"m.py": "V = 1"})
    one = repo.commit({"m.py": "V = 2", "lock.txt": "dep==1\n", "shadow/shadow.toml": ""})
    shared = sides(repo, wheel_pin(wheel), folder=repo.path / "shadow")
    assert shared.baseline.packages == shared.candidate.packages == shared.baseline.interpreter.packages
    assert shared.baseline.facts["interpreter_packages"] is True
    repo.write({"shadow/BASELINE_SHA": f"{one}\n", "lock.txt": "dep==2\n", "shadow/baseline_wheel/x": ""})
    kept = wheel.rename(repo.path / "shadow/baseline_wheel" / wheel.name)
    locked = sides(repo, wheel_pin(kept), folder=repo.path / "shadow", requirements="lock.txt", scratch="s2")
    assert [(side.packages[0] / "dep.py").read_text() for side in (locked.baseline, locked.candidate)] == ["V = 1\n", "V = 2\n"]
    assert locked.baseline.facts["pin"].startswith("wheel:shadow/baseline_wheel/demo-1-py3-none-any.whl#sha256=")


@pytest.mark.parametrize(
    ("at", "changes", "says"),
    [
        pytest.param("one", {}, "there is no candidate", id="clean at the frozen commit"),
        pytest.param("two", {"src/m.py": "1"}, "was the baseline checked out over it", id="checked out over the tree"),
        pytest.param("two", {}, None, id="a real candidate"),
        pytest.param("docs", {}, None, id="equal code is compared: a wheel is no checkout"),
    ],
)
def test_a_tree_that_is_the_wheels_own_commit_is_never_compared(repo, index, at, changes, says):
    commits = {"one": repo.commit({"src/m.py": "1", "README": "1", "shadow/shadow.toml": ""})}
    commits["docs"] = repo.commit({"README": "2"})
    commits["two"] = repo.commit({"src/m.py": "2", "src/added.py": ""})
    repo.git("checkout", "--quiet", commits[at])
    wheel = build_wheel(repo.path / "shadow/baseline_wheel", "demo", "1", {"m.py": "1"})
    repo.write({"shadow/BASELINE_SHA": commits["one"] + "\n", **changes})
    if says is None:
        found = sides(repo, wheel_pin(wheel), folder=repo.path / "shadow")
        assert found.no_code_change is False
        assert found.baseline.facts["kind"] == "wheel"
    else:
        with pytest.raises(SameSidesError, match=says):
            sides(repo, wheel_pin(wheel), folder=repo.path / "shadow")
    with pytest.raises(SameSidesError, match="same commit"):
        sides(repo, wheel_pin(wheel), f"git:{commits['one']}", folder=repo.path / "shadow", scratch="s2")


# --- interrupted -------------------------------------------------------------------------------------------------------

RUN = """
import sys
from pathlib import Path
from gate.pins import materialise, parse_pin
from gate.types import Settings
here = Path(sys.argv[1])
pins = [parse_pin(f"requirements:{here}/{name}.txt", side="baseline") for name in ("old", "new")]
try:
    materialise(Settings(baseline=pins[0], candidate=pins[1], corpus=here, ledger=here, ledger_folder=None, report=here, targets=()), here / "scratch")
except KeyboardInterrupt:
    raise SystemExit(130)
"""
SLOW = """#!/bin/sh
while [ "$1" != "--target" ]; do shift; done
echo half > "$2/half.py"
echo $$ > "{here}/pid"
sleep 600 & echo $! > "{here}/child"
wait
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_ctrl_c_in_the_middle_of_an_install_leaves_no_process_and_no_environment(tmp_path):
    uv = tmp_path / "tools/uv"
    uv.parent.mkdir()
    uv.write_text(SLOW.format(here=tmp_path))
    uv.chmod(0o755)
    (tmp_path / "old.txt").write_text("a==1")
    (tmp_path / "new.txt").write_text("a==2")
    env = {"PATH": f"{uv.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)], env=env)
    end = time.monotonic() + 20
    while not ((tmp_path / "child").exists() and (tmp_path / "child").read_text().endswith("\n")) and time.monotonic() < end:
        time.sleep(0.02)
    pids = [int((tmp_path / name).read_text()) for name in ("pid", "child")]
    assert all(map(alive, pids))
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    end = time.monotonic() + 5
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(alive, pids))
    assert names(tmp_path / "cache/shadow-prelabel/environments") == []
