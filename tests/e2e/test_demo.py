"""`shadow demo` as a user runs it: whole processes, real git. Where a step fails, the demo itself must be red."""

import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from prelabel import demo

SHADOW = (sys.executable, "-m", "prelabel")
COMMANDS = ["init --entry pricelabel.label:make_label", "freeze", "compare", "prelabel", "annotate"]
# What the environment of a CI job would do to shadow or git if it got through.
HOSTILE = {"CI": "true", "GITHUB_ACTIONS": "true", "GIT_DIR": "/nowhere", "GIT_AUTHOR_NAME": "Somebody Else", "COLUMNS": "40"}


def shadow(*arguments, cwd, **more):
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd), "TMPDIR": str(cwd), "PYTHONUTF8": "1", **more}
    return subprocess.run([*SHADOW, *arguments], cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", check=False)


def git(*arguments, cwd):
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """One run with --keep, in an environment that gets in the way."""
    cwd = tmp_path_factory.mktemp("kept")
    summary = cwd / "summary.md"
    done = shadow("demo", "--keep", "project", cwd=cwd, GITHUB_STEP_SUMMARY=str(summary), **HOSTILE)
    return cwd, done


@pytest.fixture(scope="module")
def passing(tmp_path_factory):
    """One run in a temporary folder."""
    cwd = tmp_path_factory.mktemp("passing")
    return cwd, shadow("demo", cwd=cwd)


def sections(text):
    """Title -> lines of each step."""
    parts = re.split(r"^== \d+\. (.+?) =+$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def without_hashes(text):
    return re.sub(r"\b[0-9a-f]{7,64}\b", "<hash>", text)


def test_it_plays_the_whole_flow_and_ends_green(passing):
    _, done = passing
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert re.findall(r"^\$ shadow (.+)$", done.stdout, re.MULTILINE) == COMMANDS
    assert done.stdout.count("\nRan 5 tests\nOK\n") == 2


def test_it_leaves_nothing_behind(passing):
    cwd, _ = passing
    assert list(cwd.iterdir()) == []


def test_nothing_but_hashes_changes_from_run_to_run_and_the_environment_does_not_get_through(passing, kept):
    first, second = (without_hashes(done.stdout).split("== 9.")[0].partition("== 1.")[2] for _, done in (passing, kept))
    assert kept[1].returncode == 0, kept[1].stdout + kept[1].stderr
    assert first == second


def test_the_red_screen_is_the_real_one_and_says_why(passing):
    screen = sections(passing[1].stdout)["Compare: the gate is red"]
    assert "FAIL  4 unclassified" in screen
    assert re.search(r"^exit 1: ", screen, re.MULTILINE)
    assert "Café au lait" in screen, "payloads are shown as on a developer's machine"


def test_the_block_is_redacted(passing):
    block = sections(passing[1].stdout)["Annotate: the block for the pull request"]
    assert demo.SECRET not in block
    assert "REDACTED-" in block


def test_one_row_is_shown_as_sign_off_shows_it(passing):
    screen = sections(passing[1].stdout)["Sign off: what a person would see of one row"]
    assert re.search(r"^\d of 4   102_accents\.json$", screen, re.MULTILINE)
    assert r"Cafe\u0301 au lait" in screen
    assert "U+00E9 became U+0065 U+0301; equal under NFC" in screen


def test_it_fits_80_columns(passing):
    steps = sections("== 0. Before all =\n" + passing[1].stdout)
    assert len(steps) == 10
    steps.pop("Annotate: the block for the pull request")  # Markdown is one line a paragraph
    wide = [line for lines in steps.values() for line in lines.split("\n") if len(line) > 80]
    assert wide == []


def test_keep_keeps_a_project_that_a_person_can_go_on_with(kept):
    cwd, done = kept
    assert "cd project" in done.stdout
    project = cwd / "project"
    assert sorted(path.name for path in cwd.iterdir()) == ["project"]
    assert (project / "shadow" / "out" / "report.json").is_file()
    assert git("config", "--local", "user.name", cwd=project) == ""
    assert git("log", "--format=%an", cwd=project).split("\n") == ["Example Author"] * 3
    assert git("status", "--porcelain", cwd=project).split() == [
        "M",
        "pricelabel/errors.py",
        "M",
        "pricelabel/label.py",
        "??",
        "pricelabel/text.py",
    ]


def test_it_never_signs(kept):
    ledger = kept[0] / "project" / "shadow" / "delta_ledger.yaml"
    assert "entries: []" in ledger.read_text()
    assert not (kept[0] / "project" / "shadow" / "out" / "sittings").exists()


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("kept")
    done = shadow("demo", "--keep", "mine", cwd=tmp_path)
    assert done.returncode == 2
    assert "mine is already there" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]


def test_without_git_it_says_so(tmp_path):
    done = shadow("demo", cwd=tmp_path, PATH=str(tmp_path))
    assert done.returncode == 3
    assert "git was not found" in done.stderr


def patch_of(old, new):
    """A patch that replaces a text in one file of the example."""
    name = "pricelabel/errors.py"
    before = (demo.EXAMPLE / "before" / name).read_text()
    assert old in before
    lines = (text.splitlines(keepends=True) for text in (before, before.replace(old, new)))
    return "".join(difflib.unified_diff(*lines, f"a/{name}", f"b/{name}"))


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        pytest.param(patch_of("What can", "What may"), "`shadow compare` ended with 0, not with 1", id="nothing to find"),
        pytest.param(patch_of("LabelError", "Label"), "the example's own tests fail", id="visible tests red"),
        pytest.param("nonsense\n", "`git apply", id="patch does not apply"),
    ],
)
def test_a_step_that_does_not_come_out_is_said_and_red(patch, said, tmp_path, monkeypatch, capsys):
    example = tmp_path / "example"
    shutil.copytree(demo.EXAMPLE, example)
    (example / "agent.patch").write_text(patch)
    monkeypatch.setattr(demo, "EXAMPLE", example)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert demo.play(None) == 70
    assert said in capsys.readouterr().err


def test_another_divergence_than_the_planted_ones_is_said_and_red(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "PLANTED", {key: rule for key, rule in demo.PLANTED.items() if key[1] != "stdout"})
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert demo.play(None) == 70
    assert "106_printed.json" in capsys.readouterr().err


def test_the_screen_of_the_demo_cannot_answer_a_question():
    with pytest.raises(demo.UnexpectedError):
        demo._Paper().ask("decide: ")


def test_the_example_is_complete():
    names = {path.relative_to(demo.EXAMPLE).as_posix() for path in Path(demo.EXAMPLE).rglob("*") if "__pycache__" not in path.parts}
    assert {fixture for fixture, _ in demo.PLANTED} < {name.removeprefix("fixtures/") for name in names}
    assert "agent.patch" in names
