"""The text of pins, plain-file snapshots, and which sides count as equal. Nothing here starts a program."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.errors import EXIT_INVALID, EXIT_UNDECIDED, PinError, SameSidesError, SideError
from gate.pins import materialise, parse_pin
from gate.pins.junk import uncounted
from gate.pins.snapshot import below, code_digest, copy_files, copy_folder, links_out, scan, within
from gate.types import Pin, Settings

SHA = "0123456789abcdef0123456789abcdef01234567"
SHA256 = "ab" * 32


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        pytest.param(f"git:{SHA}", Pin(kind="git", value=SHA), id="commit"),
        pytest.param(f"git:{SHA.upper()}", Pin(kind="git", value=SHA), id="commit in capitals"),
        pytest.param("dir:some/where", Pin(kind="dir", value="some/where"), id="folder"),
        pytest.param("some/where", Pin(kind="dir", value="some/where"), id="bare path"),
        pytest.param(".", Pin(kind="dir", value="."), id="here"),
        pytest.param("/opt/a:b", Pin(kind="dir", value="/opt/a:b"), id="bare absolute path with a colon"),
        pytest.param("dir:git:x", Pin(kind="dir", value="git:x"), id="folder that looks like a pin"),
        pytest.param("requirements:a.txt", Pin(kind="requirements", value="a.txt"), id="requirements"),
        pytest.param(
            f"wheel:d/a-1-py3-none-any.whl#sha256={SHA256.upper()}",
            Pin(kind="wheel", value="d/a-1-py3-none-any.whl", sha256=SHA256),
            id="wheel",
        ),
    ],
)
@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_pins_that_are_taken(text, pin, side):
    assert parse_pin(text, side=side) == pin


@pytest.mark.parametrize(
    ("ref", "command"),
    [
        ("main", "shadow freeze main"),
        ("HEAD", "shadow freeze HEAD"),
        ("HEAD~1", "shadow freeze 'HEAD~1'"),
        ("v1", "shadow freeze v1"),
        ("origin/main", "shadow freeze origin/main"),
        ("abc1234", "shadow freeze abc1234"),
        (SHA[:39], f"shadow freeze {SHA[:39]}"),
        ("x; rm -rf y", "shadow freeze 'x; rm -rf y'"),
    ],
)
def test_a_baseline_that_can_move_is_refused_with_the_command_that_pins_it(ref, command):
    with pytest.raises(PinError) as caught:
        parse_pin(f"git:{ref}", side="baseline")
    assert caught.value.exit_code == EXIT_INVALID
    assert caught.value.remedy.endswith(command)


@pytest.mark.parametrize("ref", ["main", "HEAD", "abc1234"])
def test_a_candidate_that_can_move_is_refused_with_the_command_that_resolves_it(ref):
    with pytest.raises(PinError) as caught:
        parse_pin(f"git:{ref}", side="candidate")
    assert f"git rev-parse '{ref}^{{commit}}'" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "names nothing", id="nothing"),
        pytest.param("git:", "names nothing", id="git, no commit"),
        pytest.param("dir:  ", "names nothing", id="blank folder"),
        pytest.param("dir:a\0b", "NUL", id="NUL"),
        pytest.param(f"git:{SHA256}", "SHA-256 repository", id="64 digits"),
        pytest.param("wheel:a.whl", "no digest", id="wheel without digest"),
        pytest.param(f"wheel:a.whl#sha256={SHA}", "not 64 hex digits", id="wheel with a short digest"),
        pytest.param(f"wheel:a.whl#md5={SHA}", "no digest", id="wheel with md5"),
        pytest.param(f"wheel:a.tar.gz#sha256={SHA256}", ".whl", id="no wheel"),
        pytest.param(f"image:a@sha256:{SHA256}", "this build cannot run images yet", id="image"),
        pytest.param("gti:abc", "did you mean git:?", id="misspelt"),
        pytest.param("https://example.org/x", "no kind of pin", id="unknown kind"),
    ],
)
@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_pins_that_are_refused(text, says, side):
    with pytest.raises(PinError) as caught:
        parse_pin(text, side=side)
    assert says in caught.value.what
    assert caught.value.remedy


@pytest.mark.parametrize(("text", "pin"), [("patch:p.diff", Pin(kind="patch", value="p.diff")), ("tree:", Pin(kind="tree", value="."))])
def test_a_patch_or_the_tree_can_only_be_the_candidate(text, pin):
    assert parse_pin(text, side="candidate") == pin
    with pytest.raises(PinError, match="the baseline cannot be"):
        parse_pin(text, side="baseline")


# --- snapshots ---------------------------------------------------------------------------------------------------------


def fill(root: Path, files: dict[str, str | bytes | None]) -> Path:
    """None makes a folder; a text that starts with `->` a link; `*` before a name an executable."""
    for name, text in files.items():
        path = root / name.removeprefix("*")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.mkdir()
        elif isinstance(text, str) and text.startswith("->"):
            path.symlink_to(text[2:])
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if name.startswith("*"):
            path.chmod(0o755)
    return root


def test_a_copied_folder_holds_the_same_files_and_nothing_of_other_tools(tmp_path):
    source = fill(
        tmp_path / "a",
        {
            "p/__init__.py": "x",
            "*run.sh": "#!/bin/sh",
            "p/link": "->__init__.py",
            "empty": None,
            "big": b"\0" * (3 << 20),
            "p/__pycache__/x.cpython-311.pyc": "no",
            "p/old.pyc": "no",
            ".git/config": "no",
            ".hg/x": "no",
            ".venv/x": "no",
            "node_modules/x": "no",
        },
    )
    os.mkfifo(source / "pipe")
    entries = copy_folder(source, tmp_path / "b")
    assert sorted(entries) == ["big", "p/__init__.py", "p/link", "run.sh"]
    assert {what[0] for name, what in entries.items() if name != "run.sh"} == {"f", "l"}
    assert entries["run.sh"].startswith("x ")
    assert (tmp_path / "b/p/link").readlink() == Path("__init__.py")
    assert os.access(tmp_path / "b/run.sh", os.X_OK)
    assert (tmp_path / "b/big").stat().st_size == 3 << 20
    assert scan(tmp_path / "b") == entries
    assert not (tmp_path / "b/pipe").exists()


def test_our_scratch_inside_the_folder_is_not_copied_into_itself(tmp_path):
    source = fill(tmp_path, {"m.py": "1"})
    scratch = tmp_path / "deep/scratch"
    scratch.mkdir(parents=True)
    assert list(copy_folder(source, scratch / "side", scratch=scratch)) == ["m.py"]


def test_files_that_are_gone_or_behind_a_linked_folder_are_left_out(tmp_path):
    outside = fill(tmp_path / "outside", {"secret.py": "s"})
    source = fill(tmp_path / "a", {"m.py": "1", "d/n.py": "2", "linked": f"->{outside}"})
    entries = copy_files(source, ["m.py", "d/n.py", "gone.py", "gone/x.py", "linked/secret.py"], tmp_path / "b")
    assert sorted(entries) == ["d/n.py", "m.py"]
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == ["d", "m.py"]


@pytest.mark.parametrize(
    ("link", "target", "out"),
    [
        ("l", "m.py", False),
        ("d/l", "../m.py", False),
        ("l", "nowhere", False),
        ("l", "../x", True),
        ("d/l", "../../x", True),
        ("l", "d/up/../../x", True),
        ("l", "/etc/hostname", True),
        ("l", "ABSOLUTE", True),
    ],
)
def test_links_are_judged_by_where_they_lead(tmp_path, link, target, out):
    root = fill(tmp_path / "r", {"m.py": "", "d/n.py": "", "d/up": "->.."})
    fill(root, {link: "->" + target.replace("ABSOLUTE", str(root / "m.py"))})
    assert links_out(root, [link]) == ((link,) if out else ())


@pytest.mark.parametrize(
    ("change", "same"),
    [
        pytest.param({}, True, id="nothing"),
        pytest.param({"docs/x": "other"}, True, id="a file outside the roots"),
        pytest.param({"src/new.py": ""}, False, id="an empty file more"),
        pytest.param({"src/m.py": "2"}, False, id="bytes"),
        pytest.param({"*src/m.py": "1"}, False, id="executable"),
        pytest.param({"src/data/x.bin": b"\xff"}, False, id="a data file"),
    ],
)
def test_the_code_digest_sees_every_file_below_the_roots_and_nothing_else(tmp_path, change, same):
    files = {"src/m.py": "1", "src/l": "->m.py", "docs/x": "d"}
    one, two = (fill(tmp_path / name, files) for name in "ab")
    fill(two, change)
    digests = {code_digest(scan(root), below=("src",)) for root in (one, two)}
    assert (len(digests) == 1) is same


def test_the_code_digest_counts_from_the_project_and_sees_requirements():
    entries = {"pkg/src/m.py": "f 1", "pkg/docs": "f 2"}
    plain = code_digest({"src/m.py": "f 1"}, below=("src",))
    assert code_digest(entries, below=("pkg/src",), base="pkg") == plain
    assert code_digest({"src/m.py": "f 1"}, below=("src",), more=["a==1"]) != plain
    assert code_digest({}, below=("",), more=["a==1", "b==1"]) != code_digest({}, below=("",), more=["a==1b==1"])


@pytest.mark.parametrize(
    ("name", "folder", "inside"),
    [("a/b", "a", True), ("a", "a", True), ("ab", "a", False), ("x", "", True), ("a", "a/b", False)],
)
def test_within_goes_by_whole_parts(name, folder, inside):
    assert within(name, folder) is inside


def test_below_takes_names_that_start_with_dots(tmp_path):
    assert below(tmp_path / "..x", tmp_path) == "..x"
    assert below(tmp_path, tmp_path) == ""
    assert below(tmp_path / "../y", tmp_path) is None


# --- folders as sides --------------------------------------------------------------------------------------------------


def settings(baseline: Pin, candidate: Pin, tmp: Path, **more) -> Settings:
    return Settings(
        baseline=baseline,
        candidate=candidate,
        corpus=tmp / "corpus",
        ledger=tmp / "ledger.yaml",
        ledger_folder=None,
        report=tmp / "report.json",
        targets=(),
        **more,
    )


def folders(tmp: Path, **more) -> Settings:
    return settings(Pin(kind="dir", value=str(tmp / "b")), Pin(kind="dir", value=str(tmp / "c")), tmp, **more)


def test_two_folders_become_two_fresh_roots(tmp_path):
    fill(tmp_path, {"b/src/m.py": "1", "c/m.py": "2", "c/docs/x": ""})
    sides = materialise(folders(tmp_path), tmp_path / "scratch")
    assert not sides.no_code_change
    assert sides.baseline.roots == (tmp_path / "scratch/base/src",)
    assert sides.candidate.roots == (tmp_path / "scratch/cand",)
    assert (sides.candidate.root / "m.py").read_text() == "2"
    assert sides.baseline.interpreter == sides.candidate.interpreter
    assert sides.baseline.packages == sides.baseline.interpreter.packages
    facts = sides.candidate.facts
    assert facts["interpreter_packages"] is True
    assert facts["digest"] == sides.candidate.code_digest != sides.baseline.code_digest
    assert (facts["pin"], facts["tree"], facts["roots"]) == (f"dir:{tmp_path / 'c'}", "folder", ["."])


def test_facts_are_the_same_in_every_run_and_name_no_scratch(tmp_path):
    fill(tmp_path, {"b/m.py": "1", "c/m.py": "2"})
    one, two = (materialise(folders(tmp_path), tmp_path / scratch) for scratch in ("s1", "s2"))
    assert (one.baseline.facts, one.candidate.facts) == (two.baseline.facts, two.candidate.facts)
    assert "s1" not in str(one.candidate.facts)


@pytest.mark.parametrize(
    ("files", "candidate"),
    [
        pytest.param({"b/m.py": "1"}, "b", id="the same folder"),
        pytest.param({"b/m.py": "1"}, "b/../b", id="the same folder, written otherwise"),
        pytest.param({"b/m.py": "1", "c": "->b"}, "c", id="a link to the same folder"),
        pytest.param({"b/m.py": "1", "c/m.py": "1"}, "c", id="a copy"),
        pytest.param({"b/src/m.py": "1", "b/x": "1", "c/src/m.py": "1"}, "c", id="equal below the roots"),
        pytest.param({"b/m.py": "1", "c/m.py": "1", "c/__pycache__/m.pyc": "z"}, "c", id="equal but for byte code"),
        *(
            pytest.param({"b/p/m.py": "1", "c/p/m.py": "1", f"c/{name}": "z"}, "c", id=f"equal but for {name}")
            for name in (
                ".DS_Store",
                "p/.DS_Store",
                ".pytest_cache/x",
                ".mypy_cache/x.json",
                ".ruff_cache/x",
                ".coverage",
                ".coverage.host.1",
                "coverage.xml",
                "junit.xml",
                "x.egg-info/PKG-INFO",
                "build/lib/p/m.py",
                "dist/x.whl",
                "venv/pyvenv.cfg",
            )
        ),
        pytest.param(
            {"b/m.py": "1", "c/m.py": "1", "c/shadow/shadow.toml": "", "c/shadow/out/report.json": "z"}, "c", id="equal but for a contract"
        ),
    ],
)
def test_equal_folders_are_never_compared(tmp_path, files, candidate):
    fill(tmp_path, files)
    pins = settings(Pin(kind="dir", value=str(tmp_path / "b")), Pin(kind="dir", value=str(tmp_path / candidate)), tmp_path)
    with pytest.raises(SameSidesError) as caught:
        materialise(pins, tmp_path / "scratch")
    assert caught.value.exit_code == EXIT_UNDECIDED


def test_a_package_that_is_called_shadow_is_code(tmp_path):
    fill(tmp_path, {"b/shadow/__init__.py": "1", "c/shadow/__init__.py": "2"})
    assert (materialise(folders(tmp_path), tmp_path / "s").candidate.root / "shadow/__init__.py").exists()


@pytest.mark.parametrize(
    ("files", "more", "says"),
    [
        pytest.param({"c/m.py": "1"}, {}, "baseline dir:{tmp}/b: there is no such folder", id="no folder"),
        pytest.param({"b": "x", "c/m.py": "1"}, {}, "baseline dir:{tmp}/b is no folder", id="a file"),
        pytest.param({"b/lib/m.py": "1", "c/m.py": "1"}, {"side_paths": ("lib",)}, "candidate: the import root 'lib'", id="no root"),
        pytest.param({"b/m.py": "1", "c/m.py": "2"}, {"side_paths": ("..",)}, "baseline: the import root '..'", id="root outside"),
        pytest.param({"b/m.py": "1", "b/l": "->../c/m.py", "c/m.py": "1"}, {}, "baseline: a symbolic link leads out", id="link out"),
        pytest.param(
            {"b/m.py": "1", "c/src": "->../b", "c/m.py": "1"}, {}, "candidate: a symbolic link leads out", id="root is a link out"
        ),
        pytest.param({"b/m.py": "1", "c/src": "->../base"}, {}, "candidate: the import root 'src'", id="root is a link to the other side"),
        pytest.param({"b/m.py": "1", "c/m.py": "2"}, {"requirements": "r.lock"}, "baseline: the requirements file r.lock", id="no lock"),
        pytest.param({"b/m.py": "1", "c/m.py": "2"}, {"python": "3.99"}, "--python 3.99: there is none", id="no such python"),
    ],
)
def test_a_side_that_cannot_be_had_is_named(tmp_path, files, more, says):
    fill(tmp_path, files)
    with pytest.raises(SideError) as caught:
        materialise(folders(tmp_path, **more), tmp_path / "scratch")
    assert caught.value.what.startswith(says.format(tmp=tmp_path))
    assert caught.value.exit_code == EXIT_UNDECIDED
    assert caught.value.remedy


def test_a_link_out_beside_the_roots_is_dropped_and_said(tmp_path):
    fill(tmp_path, {"b/src/m.py": "1", "c/src/m.py": "2", "c/build": "->../b"})
    sides = materialise(folders(tmp_path), tmp_path / "scratch")
    assert sides.notices == ("candidate: symbolic links that lead out of the side are left out: build",)
    assert not (sides.candidate.root / "build").is_symlink()


@pytest.mark.parametrize(
    "name",
    ["new.py", "data/x.json", "p/x.json", "p/coverage.xml", "build/__init__.py", "p/build/x.py", "p/venv/x.py", "environment.cfg"],
)
def test_what_may_be_code_or_data_of_a_folder_is_a_difference(tmp_path, name):
    fill(tmp_path, {"b/p/m.py": "1", "c/p/m.py": "1", f"c/{name}": "z"})
    assert materialise(folders(tmp_path), tmp_path / "s").notices == ()


def test_what_of_a_folder_is_left_out_although_it_could_be_code_is_said(tmp_path):
    quiet = dict.fromkeys(["c/.git/x", "c/__pycache__/m.pyc", "c/.mypy_cache/x"], "")
    loud = dict.fromkeys(["c/.venv/m.py", "c/node_modules/x/y.js", "c/p/old.pyc", "c/env/pyvenv.cfg", "c/env/lib/m.py"], "")
    fill(tmp_path, {"b/m.py": "1", "c/m.py": "2", **quiet, **loud})
    sides = materialise(folders(tmp_path), tmp_path / "scratch")
    said = "installed packages and loose byte code are no part of a side and left out"
    assert sides.notices == (f"candidate: {said}: .venv, env, node_modules, p/old.pyc",)
    assert sorted(scan(sides.candidate.root)) == ["m.py"]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("r/m.py", True),
        ("r/p/ext.so", True),
        ("r/p/fast.pyx", True),
        ("r/p/table.json", True),
        ("r/p/deep/table.json", True),
        ("r/table.json", False),
        ("r/plain/table.json", False),
        ("r/p/.hidden", False),
        ("r/build/lib/m.py", False),
        ("r/x.egg-info/top_level.txt", False),
        ("r/.env/x", False),
    ],
)
def test_untracked_files_that_count_are_importable_or_data_of_a_package(name, counts):
    assert (name not in uncounted({name}, {name, "r/p/__init__.py", "outside/x.py"}, ["r"])) is counts


def test_several_import_roots_keep_their_order(tmp_path):
    fill(tmp_path, {"b/z/m.py": "1", "b/a/n.py": "", "c/z/m.py": "2", "c/a/n.py": ""})
    side = materialise(folders(tmp_path, side_paths=("z", "a", "./z")), tmp_path / "s").candidate
    assert side.roots == (side.root / "z", side.root / "a")
    assert side.facts["roots"] == ["z", "a"]


def test_without_a_work_tree_there_is_no_default_candidate(tmp_path):
    fill(tmp_path, {"b/m.py": "1"})
    pins = settings(Pin(kind="dir", value=str(tmp_path / "b")), Pin(kind="tree", value="."), tmp_path)
    with pytest.raises(PinError, match="no git work tree"):
        materialise(pins, tmp_path / "scratch")
