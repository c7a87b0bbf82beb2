"""What is installed beside a side is that side's own: real installs from a folder of wheels, real workers."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.e2e.command import EMPTY, FLAGS, report, repository, shadow, two_sides, write
from tests.e2e.test_materialise import build_wheel

TARGET = """
import importlib.metadata as metadata, sys
import dep
from nat import _bisect

def found(name):
    try:
        return __import__(name).V
    except ImportError:
        return "absent"

def run(p):
    entries = metadata.entry_points()
    chosen = entries.select(group="demo.plugins") if hasattr(entries, "select") else entries["demo.plugins"]
    return {
        "dep": dep.V,
        "version": metadata.version("dep"),
        "plugins": [one.load()() for one in chosen],
        "dists": sorted(one.metadata["Name"] for one in metadata.distributions()),
        "gone": found("gone"),
        "shadow": [found(name) for name in ("gate", "prelabel", "typer", "pydantic", "yaml", "pytest")],
        "native": [_bisect.bisect_right([1, 2, 3], 2), _bisect.__file__.rpartition("/")[2]],
        "started": hasattr(sys, "started"),
    }
"""


@pytest.fixture
def wheels(tmp_path):
    """A folder of wheels as the only index; the environment that says so."""
    folder = tmp_path / "wheels"
    for version in "12":
        plugins = f"[demo.plugins]\nx = dep:plugin{version}\n"
        code = f"V = {version}\ndef plugin{version}(): return 'plugin {version}'\n"
        build_wheel(folder, "dep", version, {"dep.py": code, f"dep-{version}.dist-info/entry_points.txt": plugins})
        build_wheel(
            folder, "starts", version, {"starts.pth": f"import sys; sys.started = {version}\n", "starts_path.pth": "../elsewhere\n"}
        )
    build_wheel(folder, "gone", "1", {"gone.py": "V = 'here'\n"})
    native = next(Path(os.__file__).with_name("lib-dynload").glob("_bisect.*.so"), None)
    if native is None:
        pytest.skip("this interpreter has its extension modules built in")
    build_wheel(folder, "nat", "1", {f"nat/{native.name}": native.read_bytes(), "nat/__init__.py": ""})
    index = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
        "UV_OFFLINE": "1",
        "UV_FIND_LINKS": str(folder),
    }
    return {**index, "UV_NO_INDEX": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_a_lock_bump_gives_each_side_its_own_packages_metadata_and_nothing_else(tmp_path, wheels):
    root = tmp_path / "repo"
    sha = repository(root, {"src/m.py": TARGET, "lock.txt": "dep==1\ngone==1\nnat==1\nstarts==1\n"})
    toml = 'version = 1\n[[target]]\nname = "t"\nentry = "m:run"\n[sides]\nrequirements = "lock.txt"\n'
    contract = {
        "shadow/shadow.toml": toml,
        "shadow/BASELINE_SHA": sha + "\n",
        "shadow/delta_ledger.yaml": EMPTY,
        "shadow/corpus/a.json": "1",
    }
    write(root, contract | {"lock.txt": "dep==2\nnat==1\nstarts==2\n"})
    done = shadow("compare", cwd=root, env=wheels)
    assert done.returncode == 1, done.stdout + done.stderr
    found = report(root, "shadow/out/report.json")
    (row,) = found["divergences"]
    old, new = json.loads(row["baseline"]), json.loads(row["candidate"])
    native = old.pop("native")
    assert native == new.pop("native")
    assert native[0] == 2
    assert old == {
        "dep": 1,
        "version": "1",
        "plugins": ["plugin 1"],
        "dists": ["dep", "gone", "nat", "starts"],
        "gone": "here",
        "shadow": ["absent"] * 6,
        "started": False,
    }
    assert new == old | {"dep": 2, "version": "2", "plugins": ["plugin 2"], "dists": ["dep", "nat", "starts"], "gone": "absent"}
    for side, version in (("baseline", 1), ("candidate", 2)):
        assert found[side]["startup"] == [
            {"file": "starts.pth", "runs": [f"import sys; sys.started = {version}"], "paths": []},
            {"file": "starts_path.pth", "runs": [], "paths": ["../elsewhere"]},
        ]
        assert found[side]["interpreter_packages"] is False
    assert found["run"]["startup"] == []
    said = "candidate: start-up code, which is not run here, differs from the baseline's (`startup` in the report): starts.pth"
    assert said in found["notices"]


def test_without_requirements_the_interpreters_packages_are_visible_and_shadows_are_not(tmp_path):
    import venv

    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    write(site, {"theirs.py": "V = 'theirs'\n", "go.pth": "import sys; sys.started = 1\n"})
    source = "import sys\n" + TARGET[TARGET.index("def found") : TARGET.index("def run")]
    source += "def run(p): return [found('theirs'), hasattr(sys, 'started'), *map(found, ('gate', 'typer', 'pytest'))]\n"
    two_sides(tmp_path, source, source + "#\n")
    done = shadow("compare", *FLAGS, "--python", "env", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = report(tmp_path)
    assert (found["baseline"]["interpreter_packages"], found["candidate"]["interpreter_packages"]) == (True, True)
    assert found["run"]["startup"] == [{"file": "go.pth", "runs": ["import sys; sys.started = 1"], "paths": []}]
    assert (found["baseline"]["startup"], found["run"]["executable"]) == ([], os.path.realpath(tmp_path / "env/bin/python"))
    two_sides(tmp_path, source, "def run(p): return None\n")
    assert shadow("compare", *FLAGS, "--python", "env", cwd=tmp_path).returncode == 1
    assert report(tmp_path)["divergences"][0]["baseline"] == '["theirs",false,"absent","absent","absent"]'


def test_what_a_target_starts_finds_installed_packages_where_any_start_of_python_has_them(tmp_path):
    import venv

    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    write(site, {"theirs.py": "V = 'theirs'\n", "colorsys.py": "V = 'an old backport'\n"})
    look = "import colorsys, m; print(hasattr(colorsys, 'V'), m.ANSWER); import theirs"
    source = f"""
import subprocess, sys
ANSWER = 1
def run(p):
    starts = ((one, subprocess.run([one, "-c", {look!r}], capture_output=True, text=True)) for one in (sys.executable, {sys._base_executable!r}))
    return [[done.stdout, done.returncode] for _, done in starts]
"""
    two_sides(tmp_path, source, source.replace("ANSWER = 1", "ANSWER = 2"))
    done = shadow("compare", *FLAGS, "--python", "env", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    (row,) = report(tmp_path)["divergences"]
    sides = [json.loads(row[side]) for side in ("baseline", "candidate")]
    assert sides == [[[f"False {answer}\n", 0], [f"False {answer}\n", 1]] for answer in (1, 2)]


def test_a_command_of_python_with_options_finds_installed_packages(tmp_path):
    import venv

    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    (site,) = (tmp_path / "env").glob("lib/python*/site-packages")
    write(site, {"theirs.py": "V = 'theirs'\n", "go.pth": "import sys; sys.started = 1\n"})
    toml = 'version = 1\n[[target]]\nname = "t"\ncommand = ["python", "-B", "-m", "m"]\n'
    source = "import sys, theirs\nprint(theirs.V, hasattr(sys, 'started'))\n"
    write(tmp_path, {"shadow/shadow.toml": toml, "shadow/delta_ledger.yaml": EMPTY, "shadow/corpus/a.json": "1"})
    write(tmp_path, {"b/m.py": source, "c/m.py": source + "print(2)\n"})
    done = shadow("compare", "--baseline", "dir:b", "--candidate", "dir:c", "--python", "env", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    (row,) = report(tmp_path, "shadow/out/report.json")["divergences"]
    assert (json.loads(row["baseline"]), json.loads(row["candidate"])) == ("theirs False\n", "theirs False\n2\n")


HOSTILE = {
    "COLUMNS": "20",
    "LANG": "C",
    "LC_ALL": "POSIX",
    "LC_CTYPE": "POSIX",
    "NO_COLOR": "1",
    "PYTHONDONTWRITEBYTECODE": "yes",
    "PYTHONIOENCODING": "latin-1",
    "PYTHONNODEBUGRANGES": "1",
    "PYTHONPATH": "/nowhere",
    "PYTHONSAFEPATH": "1",
    "PYTHONSTARTUP": "/dev/null",
    "PYTHONUNBUFFERED": "1",
    "PYTHONUTF8": "0",
    "PYTHONWARNINGS": "ignore",
    "TERM": "dumb",
    "TZ": "Asia/Tokyo",
}
LOOKS = """
import os, shutil, sys, warnings
HOSTILE = {hostile!r}
def run(p):
    print("\u00e9", shutil.get_terminal_size(), sys.stdout.encoding, sys.stdout.isatty())
    warnings.warn("told")
    leaked = [name for name, text in HOSTILE.items() if dict(os.environ).get(name) == text]
    return [leaked, sys.warnoptions, sys.getfilesystemencoding(), sys.flags.utf8_mode, sys.flags.safe_path, {value}]
"""


def test_nothing_of_what_surrounds_shadow_reaches_a_side(tmp_path):
    two_sides(tmp_path, *(LOOKS.replace("{hostile!r}", repr(HOSTILE)).replace("{value}", value) for value in "12"))
    seen = []
    for env in ({}, HOSTILE):
        done = shadow("compare", *FLAGS, cwd=tmp_path, env=env)
        assert done.returncode == 1, done.stdout + done.stderr
        seen.append((tmp_path / "r.json").read_text("utf-8").partition('"run":')[0])
    assert seen[0] == seen[1]
    (row,) = report(tmp_path)["divergences"]
    assert json.loads(row["baseline"]) == [[], [], "utf-8", 1, False, 1]


def test_the_length_of_what_holds_a_folder_of_the_run_is_no_difference(tmp_path):
    source = """
import os
def run(p):
    told = [os.environ["PYTHONPATH"], __file__]
    return [len(os.getcwd()) - len(os.environ["HOME"]), *map(len, told)] + [f"{__file__:<300}|"]
"""
    two_sides(tmp_path, source, source + "#\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_line_that_names_an_interpreter_is_named_with_it(tmp_path):
    sha = repository(tmp_path, {"src/m.py": "def run(p): return p\n"})
    toml = 'version = 1\n[[target]]\nname = "t"\nentry = "m:run"\n[sides]\npython = "{}"\n'
    write(tmp_path, {"shadow/BASELINE_SHA": sha + "\n", "shadow/delta_ledger.yaml": EMPTY, "shadow/corpus/a.json": "1"})
    write(tmp_path, {"src/m.py": "def run(p): return [p]\n"})
    for python, code in (("9.9", 3), ("/nowhere/python", 2), ("shadow", 2)):
        write(tmp_path, {"shadow/shadow.toml": toml.format(python)})
        done = shadow("compare", cwd=tmp_path)
        assert (done.returncode, done.stderr.startswith(f"shadow/shadow.toml:6: [sides] python: {python}")) == (code, True), done.stderr
    done = shadow("compare", "--python", "9.9", cwd=tmp_path)
    assert (done.returncode, done.stderr.startswith("--python 9.9: there is none")) == (3, True), done.stderr


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("import nowhere_to_be_found", "an editable install is not seen, since .pth files do not run"),
        (
            "import importlib.metadata; importlib.metadata.version('my-own-project')",
            "a checkout has no metadata of its own: compare wheels",
        ),
        ("import json; json.nothing", "mend it there: the baseline's own code fails while it is imported"),
        ("open('/a-file-outside', 'w')", "the sandbox lets a target write below its working directory alone, at import too"),
    ],
)
def test_what_a_side_lacks_is_told_from_what_it_does_wrong(tmp_path, line, remedy):
    two_sides(tmp_path, f"{line}\ndef run(p): return p\n", f"{line}\ndef run(p): return [p]\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, remedy in done.stderr, "<baseline>/m.py" in done.stderr) == (3, True, True), done.stderr


def test_what_the_patch_took_away_is_told_from_what_was_never_there(tmp_path):
    two_sides(tmp_path, "def run(p): return p\n", "def runs(p): return p\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, "the baseline has it: the patch renamed, moved or took it away" in done.stderr) == (3, True), done.stderr
    two_sides(tmp_path, "def runs(p): return p\n", "def runs(p): return [p]\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, "name it as package.module:callable" in done.stderr) == (3, True), done.stderr


def test_a_branch_as_a_folder_is_told_how_each_side_names_a_commit(tmp_path):
    two_sides(tmp_path, "def run(p): return p\n", "def run(p): return [p]\n")
    for flag, how in (("--baseline", "`shadow freeze main` pins"), ("--candidate", '"git:$(git rev-parse ')):
        done = shadow("compare", *FLAGS, flag, "main", cwd=tmp_path)
        assert (done.returncode, how in done.stderr) == (3, True), done.stderr
