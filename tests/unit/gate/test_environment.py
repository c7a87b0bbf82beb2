"""Requirements as exact pins, interpreters, and the life of a cached environment (installers are played by a script)."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import textwrap
from pathlib import Path

import pytest

from gate.environment.install import install
from gate.environment.installers import install_into
from gate.environment.interpreters import find_interpreter
from gate.environment.requirements import Requirement, parse_requirements
from gate.environment.startup import startup
from gate.errors import EXIT_INVALID, RequirementsError, SideError, UsageError
from gate.types import Interpreter

H = "sha256:" + "a" * 64
H2 = "sha512:" + "b" * 128


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- requirements ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("# only\n\n   \n", [], id="comments and blank lines"),
        pytest.param("idna==3.7", ["idna==3.7"], id="no last newline"),
        pytest.param("idna == 3.7  # why\r\nSix==1.16.0\r\n", ["idna==3.7", "six==1.16.0"], id="blanks, comment, CRLF"),
        pytest.param(
            "zope.interface==6.1\nA_b--C==1!2.0.post1+local.x\n", ["a-b-c==1!2.0.post1+local.x", "zope-interface==6.1"], id="names"
        ),
        pytest.param("\ufeffx==1\n", ["x==1"], id="byte order mark"),
        pytest.param(f"x==1 \\\n    --hash={H} \\\n    --hash={H2}\n", [f"x==1 --hash={H} --hash={H2}"], id="continued hashes"),
        pytest.param(f"x==1 --hash={H2} --hash={H} --hash={H}", [f"x==1 --hash={H} --hash={H2}"], id="hashes sorted, once"),
        pytest.param(f"x==1 --hash {H}", [f"x==1 --hash={H}"], id="hash after a blank"),
        pytest.param(
            f"x==1 \\\n  --hash={H}\n    # via y\ny==2 --hash={H}\n", [f"x==1 --hash={H}", f"y==2 --hash={H}"], id="as pip-compile writes"
        ),
    ],
)
def test_exact_pins_are_read(text, lines):
    assert [str(one) for one in parse_requirements(text.encode(), file="r.txt")] == lines


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("idna", "is not name==version"),
        ("idna>=3.7", "is not name==version"),
        ("idna==3.*", "is not name==version"),
        ("idna===3.7", "is not name==version"),
        ("idna==3.7,!=3.6", "is not name==version"),
        ("idna==3.7 junk", "is not name==version"),
        ("idna==", "is not name==version"),
        ("==3.7", "is not name==version"),
        ("idna[x]==3.7", "has extras"),
        ('idna==3.7 ; python_version < "3.12"', "has an environment marker"),
        ("idna==3.7;os_name=='nt'", "has an environment marker"),
        ("-e .", "is an option"),
        ("-r other.txt", "is an option"),
        ("--index-url https://example.org/simple", "is an option"),
        ("idna @ https://example.org/idna.whl", "is a link or a path"),
        ("https://example.org/idna.whl", "is a link or a path"),
        ("./idna", "is a link or a path"),
        ("idna==3.7 --hash=md5:abc", "no sha256"),
        (f"idna==3.7 --hash={H}x", "no sha256"),
    ],
)
def test_every_other_line_is_a_fault(line, says):
    with pytest.raises(RequirementsError) as caught:
        parse_requirements(f"# first\n{line}\n".encode(), file="r.txt")
    assert caught.value.exit_code == EXIT_INVALID
    (fault,) = caught.value.faults
    assert (fault.place.file, fault.place.line) == ("r.txt", 2)
    assert says in fault.what


def test_all_faults_come_at_once_with_their_lines():
    text = f"a==1 \\\n --hash={H}\nb>=2\n\nA==2 --hash={H}\nc==3\n-e .\n"
    with pytest.raises(RequirementsError) as caught:
        parse_requirements(text.encode(), file="r.txt")
    found = [(fault.place.line, fault.what.split(" ")[0]) for fault in caught.value.faults]
    assert found == [(3, "'b>=2'"), (5, "a"), (6, "c"), (7, "'-e")]
    assert len(caught.value.lines()) == 8


def test_a_file_that_is_no_text_is_a_fault_with_its_line():
    with pytest.raises(RequirementsError) as caught:
        parse_requirements(b"a==1\n\xff\xfe\n", file="r.txt")
    assert str(caught.value.place) == "r.txt:2"


# --- interpreters ------------------------------------------------------------------------------------------------------


def test_the_default_is_the_base_interpreter_and_starts_nothing(monkeypatch):
    monkeypatch.setattr("gate.process.run", lambda *_, **__: pytest.fail("a program was started"))
    found = find_interpreter()
    assert found.executable == Path(sys._base_executable)
    assert found.version == sys.version.split()[0]
    if sys.prefix != sys.base_prefix:
        assert not any(str(folder).startswith(sys.prefix + os.sep) for folder in found.packages)
    short = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert find_interpreter(short) == find_interpreter(found.version) == found


def test_what_is_computed_for_our_own_base_is_what_it_says_itself():
    own = find_interpreter()
    asked = find_interpreter(str(own.executable))
    assert (asked.version, set(asked.packages)) == (own.version, set(own.packages))


@pytest.fixture
def venv(tmp_path):
    import venv as maker

    maker.create(tmp_path / "env", with_pip=False, symlinks=True)
    return tmp_path / "env"


def test_the_packages_of_a_named_virtual_environment_are_its_own(venv, monkeypatch):
    (site,) = venv.glob("lib/python*/site-packages")
    for name in (venv, venv / "bin/python"):
        found = find_interpreter(str(name))
        assert found.packages == (site,)
        assert found.executable.parent == venv / "bin"
    monkeypatch.chdir(venv.parent)
    assert find_interpreter("env/bin/python").packages == (site,)
    monkeypatch.chdir("/")
    assert find_interpreter("env/bin/python", near=venv.parent).packages == (site,)


def test_a_virtual_environment_may_share_its_base_packages(venv):
    config = venv / "pyvenv.cfg"
    config.write_text(config.read_text().replace("include-system-site-packages = false", "include-system-site-packages = true"))
    found = find_interpreter(str(venv))
    assert found.packages[0].is_relative_to(venv)
    assert set(found.packages[1:]) == set(find_interpreter().packages)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n" + textwrap.dedent(text))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def fake_python(path: Path, version: str, kind: str = "cpython") -> Path:
    return script(path, f"print({version!r}, {str(path)!r}, {kind!r}, '{version} (build)', sep='\\n')")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        pytest.param("9.1", "path/python9.1", id="on PATH"),
        pytest.param("9.2", "pyenv/versions/9.2.10/bin/python9.2", id="pyenv, the newest"),
        pytest.param("9.2.9", "pyenv/versions/9.2.9/bin/python9.2", id="pyenv, exactly"),
        pytest.param("9.3", "uv/cpython-9.3.1-linux-x86_64-gnu/bin/python9.3", id="uv"),
        pytest.param("9.4", "pyenv/versions/9.4.0rc2/bin/python9.4", id="a release candidate"),
        pytest.param("9.5", None, id="only in a virtual environment, only a shim, or a liar"),
    ],
)
def test_a_version_is_looked_for_on_path_and_in_the_folders_of_pyenv_and_uv(tmp_path, monkeypatch, wanted, found):
    fake_python(tmp_path / "path/python9.1", "9.1.4")
    fake_python(tmp_path / "pyenv/versions/9.1.7/bin/python9.1", "9.1.7")
    for version in ("9.2.9", "9.2.10"):
        fake_python(tmp_path / f"pyenv/versions/{version}/bin/python9.2", version)
    fake_python(tmp_path / "pyenv/versions/9.4.0rc2/bin/python9.4", "9.4rc2")
    fake_python(tmp_path / "uv/cpython-9.3.1-linux-x86_64-gnu/bin/python9.3", "9.3.1")
    fake_python(tmp_path / "env/bin/python9.5", "9.5.0")
    (tmp_path / "env/pyvenv.cfg").write_text("home = /x\n")
    script(tmp_path / "pyenv/shims/python9.5", "raise SystemExit(127)")
    fake_python(tmp_path / "path/python9.5", "9.6.0")
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / name) for name in ("env/bin", "pyenv/shims", "path")))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv"))
    if found is None:
        with pytest.raises(SideError) as caught:
            find_interpreter(wanted)
        assert "uv python install 9.5" in caught.value.remedy
        for one in (
            "3.",
            "9.1.7 (pyenv), 9.2.9 (pyenv), 9.2.10 (pyenv)",
            "cpython-9.3.1-linux-x86_64-gnu (uv)",
            str(tmp_path / "path/python9.1"),
        ):
            assert one in caught.value.what
        assert "shims" not in caught.value.what
    else:
        assert find_interpreter(wanted).executable == tmp_path / found


def test_an_interpreter_that_is_not_there_does_not_start_or_is_too_old(tmp_path):
    with pytest.raises(UsageError, match="there is no such interpreter"):
        find_interpreter(str(tmp_path / "nope"))
    with pytest.raises(SideError, match="it would not start"):
        find_interpreter(str(script(tmp_path / "broken", "raise SystemExit(1)")))
    with pytest.raises(UsageError, match=r"is Python 3\.7\.1; targets need 3\.8 or newer"):
        find_interpreter(str(fake_python(tmp_path / "old", "3.7.1")))
    with pytest.raises(UsageError, match=r"it is pypy \(3\.10\.13\); targets run under CPython"):
        find_interpreter(str(fake_python(tmp_path / "pypy3", "3.10.13", "pypy")))
    with pytest.raises(SideError, match="it would not start: it is no Python"):
        find_interpreter(str(script(tmp_path / "other", "print('hello')")))
    (tmp_path / "text").write_text("")
    with pytest.raises(SideError, match="it would not start: Permission denied"):
        find_interpreter(str(tmp_path / "text"))


def test_an_interpreter_that_hangs_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("gate.environment.interpreters.PROBE_SECONDS", 0.5)
    with pytest.raises(SideError, match=r"it would not start: it did not end within 0\.5 s"):
        find_interpreter(str(script(tmp_path / "slow", "import time; time.sleep(60)")))


@pytest.mark.parametrize("name", ["python9.5", "python3", "python9"])
def test_a_shim_that_refuses_stands_for_the_version_in_its_name(tmp_path, monkeypatch, name):
    script(tmp_path / "pyenv/shims" / name, "raise SystemExit('pyenv: not selected here')")
    found = fake_python(tmp_path / "pyenv/versions/9.5.1/bin/python9.5", "9.5.1")
    monkeypatch.setenv("PATH", str(tmp_path / "pyenv/shims"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    if name == "python9.5":
        assert find_interpreter(name).executable == found
    elif name == "python3":
        assert find_interpreter(name) == find_interpreter()
    else:
        with pytest.raises(SideError, match=r"--python 9: there is none .* 9\.5\.1 \(pyenv\)"):
            find_interpreter(name)


def test_of_one_version_the_plain_build_comes_first(tmp_path, monkeypatch):
    for build in ("9.5.1t", "9.5.1"):
        fake_python(tmp_path / f"pyenv/versions/{build}/bin/python9.5", "9.5.1")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert find_interpreter("9.5").executable == tmp_path / "pyenv/versions/9.5.1/bin/python9.5"


@pytest.mark.parametrize("version", ["3.6", "2.7", "3.8", "3.13"])
def test_real_interpreters_are_found_by_version_or_refused(version, monkeypatch):
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    if not list((pyenv / "versions").glob(f"{version}.*")):
        pytest.skip(f"pyenv has no {version} on this machine")
    monkeypatch.setenv("PATH", f"{pyenv}/shims:/usr/bin:/bin")
    for name in (version, f"python{version}"):
        if version in {"3.6", "2.7"}:
            with pytest.raises(UsageError, match=rf"is Python {version}\.\d+; targets need 3.8 or newer"):
                find_interpreter(name)
        else:
            found = find_interpreter(name)
            assert found.version.startswith(version + ".")
            assert found.build.startswith(found.version + " ")
            assert [folder.name for folder in found.packages] == ["site-packages"]


def test_an_error_says_where_the_interpreter_is_named(tmp_path):
    for source, place, start in (
        ("", None, "--python 9.9: there is none"),
        ("shadow/shadow.toml:7", "shadow/shadow.toml:7", "[sides] python: 9.9: there is none"),
    ):
        with pytest.raises(SideError) as caught:
            find_interpreter("9.9", source=source)
        assert (str(caught.value.place) if caught.value.place else None, caught.value.what[: len(start)]) == (place, start)


# --- the cache ---------------------------------------------------------------------------------------------------------

# Plays pip: notes that it ran and with which variables, then writes what was asked for into the target.
INSTALLER = """
import json, os, pathlib, sys
if "compileall" in sys.argv:
    raise SystemExit(0)
here = pathlib.Path(__file__).parent
with open(here / "runs", "a") as out:
    out.write(json.dumps({"argv": sys.argv[1:], "env": dict(os.environ)}) + "\\n")
if (here / "fail").exists():
    sys.exit((here / "fail").read_text())
if "--report" in sys.argv and (here / "old").exists():
    print("no such option: --report", file=sys.stderr)
    raise SystemExit(2)
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
for line in open(sys.argv[sys.argv.index("-r") + 1]):
    name, version = line.split()[0].split("==")
    (target / f"{name}.py").write_text(f"V = {version!r}")
    info = target / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text(line)
    if name == "evil":
        (target / "evil.pth").write_text("import os; os._exit(1)")
    if name == "ghost":
        (info / "RECORD").unlink()
        info.rmdir()
"""


@pytest.fixture
def python(tmp_path, monkeypatch):
    """An interpreter whose pip is the script above."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "no-uv-here"))
    return Interpreter(executable=script(tmp_path / "bin/python", INSTALLER), version="3.11.0")


def runs(python: Interpreter) -> list[dict]:
    file = python.executable.parent / "runs"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def pins(*lines: str) -> tuple[Requirement, ...]:
    return parse_requirements("\n".join(lines).encode(), file="r.txt")


def test_an_environment_is_installed_once(python, tmp_path):
    one = install(pins("b==2", "a==1", "evil==3"), python, what="w")
    two = install(pins("evil==3", "a==1  # same", "b==2"), python, what="w")
    assert one == two
    assert len(runs(python)) == 1
    assert one.folder.is_relative_to(tmp_path / "cache")
    assert [(dist["name"], dist["version"], dist["of"]) for dist in one.dists] == [
        ("a", "1", "RECORD"),
        ("b", "2", "RECORD"),
        ("evil", "3", "RECORD"),
    ]
    assert [(one["file"], one["runs"]) for one in startup([one.folder])] == [("evil.pth", ["import os; os._exit(1)"])]
    assert install(pins("a==1"), python, what="w").folder != one.folder
    assert [name for name in names(one.folder.parent.parent) if name.startswith(".")] == []


@pytest.mark.parametrize("change", [{"version": "3.11.1"}, {"executable": "other"}])
def test_another_interpreter_has_another_environment(python, tmp_path, change):
    other = Interpreter(
        executable=script(tmp_path / "bin/other", INSTALLER) if "executable" in change else python.executable,
        version=change.get("version", "3.11.0"),
    )
    assert install(pins("a==1"), python, what="w").folder != install(pins("a==1"), other, what="w").folder


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda folder: (folder / "a.py").write_text("V = 'poisoned'"), id="a file was changed"),
        pytest.param(lambda folder: disguised(folder / "a.py"), id="a file was changed, its size and times set back"),
        pytest.param(lambda folder: (folder / "more").symlink_to("/"), id="a link was added"),
        pytest.param(lambda folder: (folder / "new.py").write_text(""), id="a file was added"),
        pytest.param(lambda folder: (folder / "a.py").unlink(), id="a file was removed"),
        pytest.param(lambda folder: (folder.parent / "environment.json").write_text("{"), id="the record was cut off"),
        pytest.param(lambda folder: (folder.parent / "environment.json").write_text("[]"), id="the record is another's"),
    ],
)
def test_an_environment_that_something_wrote_to_is_made_again(python, damage):
    first = install(pins("a==1"), python, what="w")
    damage(first.folder)
    again = install(pins("a==1"), python, what="w")
    assert (again.folder / "a.py").read_text() == "V = '1'"
    assert len(runs(python)) == 2
    assert names(again.folder.parent.parent) == [again.folder.parent.name]


def disguised(file: Path) -> None:
    before = file.stat()
    file.write_text(file.read_text().replace("1", "2"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def test_a_cache_that_was_copied_is_good_and_looked_through_once(python, tmp_path, monkeypatch):
    first = install(pins("a==1"), python, what="w")
    shutil.move(tmp_path / "cache", tmp_path / "away")
    shutil.copytree(tmp_path / "away", tmp_path / "cache")
    assert install(pins("a==1"), python, what="w") == first
    monkeypatch.setattr("gate.environment.install._content", lambda _: pytest.fail("every file was read again"))
    assert install(pins("a==1"), python, what="w") == first
    assert len(runs(python)) == 1


def test_processes_that_install_at_once_all_have_a_whole_environment(python, tmp_path):
    children = []
    for _ in range(6):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                found = install(pins("a==1", "b==2"), python, what="w")
                code = int((found.folder / "b.py").read_text() != "V = '2'")
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    assert [name for name in names(tmp_path / "cache/shadow-prelabel/environments") if name.startswith(".")] == []


def test_planted_byte_code_is_a_change(python):
    first = install(pins("a==1"), python, what="w")
    (first.folder / "__pycache__").mkdir()
    (first.folder / "__pycache__/a.cpython-311.pyc").write_bytes(b"x")
    again = install(pins("a==1"), python, what="w")
    assert len(runs(python)) == 2
    assert not (again.folder / "__pycache__").exists()


def test_a_failed_install_leaves_nothing_and_says_what_the_installer_said(python, tmp_path):
    (python.executable.parent / "fail").write_text("WARNING: chatter\nERROR: No matching distribution found for a==1\nnotice")
    with pytest.raises(SideError) as caught:
        install(pins("a==1"), python, what="baseline: the requirements")
    assert caught.value.what == "baseline: the requirements could not be installed: ERROR: No matching distribution found for a==1"
    assert names(tmp_path / "cache/shadow-prelabel/environments") == []


def test_an_installer_that_lies_is_found_out(python):
    with pytest.raises(SideError, match="ghost is not there"):
        install(pins("a==1", "ghost==1"), python, what="w")


def test_hashes_are_required_when_they_are_given(python):
    install(pins("a==1"), python, what="w")
    install(pins(f"a==1 --hash={H}"), python, what="w")
    plain, hashed = (run["argv"] for run in runs(python))
    assert "--require-hashes" in hashed
    assert "--require-hashes" not in plain
    assert {"--no-deps", "--target", "--no-compile", "--disable-pip-version-check"} <= set(plain)


def test_the_users_configuration_passes_and_what_contradicts_us_does_not(python, monkeypatch):
    passed = {
        "PIP_INDEX_URL": "https://index.example",
        "UV_INDEX": "u",
        "HTTPS_PROXY": "p",
        "SSL_CERT_FILE": "c",
        "PIP_CERT": "c",
        "HOME": "/h",
    }
    dropped = {"PIP_TARGET": "t", "PIP_PYTHON": "p", "PYTHONPATH": "x", "PYTHONHOME": "x", "GIT_DIR": "x", "VIRTUAL_ENV": "v"}
    for name, text in {**passed, **dropped, "PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "1"}.items():
        monkeypatch.setenv(name, text)
    # The script is started by this interpreter, which PYTHONHOME would break if it came through.
    install(pins("a==1"), python, what="w")
    (run,) = runs(python)
    assert passed.items() <= run["env"].items()
    assert not dropped.keys() & run["env"].keys()
    assert (run["env"]["PIP_USER"], run["env"]["PIP_REQUIRE_VIRTUALENV"]) == ("0", "0")


def test_an_old_pip_that_has_no_report_still_installs(python):
    (python.executable.parent / "old").touch()
    assert install(pins("a==1"), python, what="w").dists[0]["of"] == "RECORD"
    assert ["--report" in run["argv"] for run in runs(python)] == [True, False]


def test_uv_comes_first_and_pip_after_it_fails(python, tmp_path, monkeypatch):
    uv = script(tmp_path / "tools/uv", INSTALLER)
    monkeypatch.setenv("PATH", str(uv.parent))
    install(pins("a==1"), python, what="w")
    tools = Interpreter(executable=uv, version="")
    assert (len(runs(tools)), len(runs(python))) == (1, 0)
    assert runs(tools)[0]["argv"][:2] == ["pip", "install"]
    assert "copy" in runs(tools)[0]["argv"]  # a hard link would let a target write into uv's own cache
    (uv.parent / "fail").write_text("error: not in the index that uv knows")
    install(pins("b==1"), python, what="w")
    assert (len(runs(tools)), len(runs(python))) == (2, 1)
    (python.executable.parent / "fail").write_text("ERROR: not in the other either")
    with pytest.raises(SideError, match=r"uv knows\n +ERROR: not in the other"):
        install(pins("c==1"), python, what="w")


def test_without_any_installer_the_remedy_says_how_to_get_one(tmp_path, monkeypatch):
    none = script(tmp_path / "bin/python", "import sys; sys.exit('x: No module named pip')")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("gate.environment.installers.sys.executable", str(none))
    packages = tmp_path / "packages"
    packages.mkdir()
    with pytest.raises(SideError) as caught:
        install_into(packages, ["-r", "x"], Interpreter(executable=none, version=""), what="w")
    assert "neither uv nor a pip" in caught.value.what
    assert "ensurepip" in caught.value.remedy


def test_what_a_killed_install_left_a_day_ago_is_swept_and_a_running_one_is_not(python, tmp_path):
    home = tmp_path / "cache/shadow-prelabel/environments"
    for name in (".old.1.x", ".new.2.y"):
        (home / name / "packages").mkdir(parents=True)
    os.utime(home / ".old.1.x", (1, 1))
    install(pins("a==1"), python, what="w")
    assert not (home / ".old.1.x").exists()
    assert (home / ".new.2.y").exists()


def test_of_two_that_install_at_once_the_first_wins_and_both_have_it(python, tmp_path):
    from gate.environment.install import _place

    first = install(pins("a==1"), python, what="w")
    draft = tmp_path / "cache/shadow-prelabel/environments/.draft"
    (draft / "packages").mkdir(parents=True)
    assert _place(draft, first.folder.parent) == first


# --- start-up code -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "runs", "paths"),
    [
        pytest.param("a.pth", "import os; os._exit(1)\n", ["import os; os._exit(1)"], [], id="code"),
        pytest.param("a.pth", "import\tos\n", ["import\tos"], [], id="code after a tab"),
        pytest.param("a.pth", "importlib\n import os\n", [], ["importlib", " import os"], id="no code"),
        pytest.param("__editable__.p.pth", "# made by\n\n/home/me/p/src\r\n", [], ["/home/me/p/src"], id="an editable install"),
        pytest.param("a.pth", "\ufeffimport x\n../y\n", ["import x"], ["../y"], id="byte order mark"),
        pytest.param("a.pth", b"import x # \xff\n", ["import x # \\xff"], [], id="no UTF-8"),
        pytest.param("a.pth", "", [], [], id="empty"),
        pytest.param("sitecustomize.py", "x", ["import sitecustomize"], [], id="sitecustomize"),
        pytest.param("usercustomize/__init__.py", "x", ["import usercustomize"], [], id="usercustomize"),
        pytest.param("a.pth", "import " + "x" * 500, ["import " + "x" * 193 + " .. (507 characters)"], [], id="long"),
        pytest.param("a.pth", "x\n" * 12, [], ["x"] * 10 + [".. and 2 more"], id="many"),
    ],
)
def test_what_a_usual_start_would_do(tmp_path, name, text, runs, paths):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "other.txt").write_text("import os")
    assert startup([tmp_path]) == [{"file": name.partition("/")[0], "runs": runs, "paths": paths}]


def test_a_broken_link_is_no_start(tmp_path):
    (tmp_path / "a.pth").symlink_to("nowhere")
    assert startup([tmp_path]) == [{"file": "a.pth", "runs": [], "paths": []}]
