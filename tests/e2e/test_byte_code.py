"""Byte code that is not what its source says, planted wherever a side could read it: what runs is the source."""

import hashlib
import os
import py_compile
import sys

import pytest

from tests.e2e.command import EMPTY, FLAGS, commit, git, report, repository, shadow, write
from tests.e2e.test_materialise import build_wheel

SOURCE = """
import pkg.part
try:
    import pkg.gone
    gone = pkg.gone.V
except ImportError:
    gone = "absent"
def run(p): return [pkg.part.V, gone, __import__("sys").dont_write_bytecode]
"""
TAG = sys.implementation.cache_tag


def byte_code(tmp_path, value):
    """Byte code that Python takes without a look at any source."""
    source = tmp_path / "poison.py"
    source.write_text(f"V = {value!r}\n")
    py_compile.compile(
        str(source), str(tmp_path / "poison.pyc"), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    return (tmp_path / "poison.pyc").read_bytes()


def package(value, tmp_path, *, poison=True):
    files = {"pkg/__init__.py": "", "pkg/part.py": f"V = {value!r}\n", "m.py": SOURCE}
    planted = byte_code(tmp_path, "poison")
    return files | ({f"pkg/__pycache__/part.{TAG}.pyc": planted, "pkg/part.pyc": planted, "pkg/gone.pyc": planted} if poison else {})


def values(root, name="r.json"):
    (row,) = [row for row in report(root, name)["divergences"] if row["field"] == "value"]
    return row["baseline"], row["candidate"]


WITHOUT = ('["old","absent",true]', '["new","absent",true]')


def test_of_folders(tmp_path):
    write(tmp_path, {"corpus/a.json": "1", "ledger.yaml": EMPTY})
    write(tmp_path / "b", package("old", tmp_path))
    write(tmp_path / "c", package("new", tmp_path))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, values(tmp_path)) == (1, WITHOUT), done.stderr
    assert "loose byte code" in done.stdout


@pytest.mark.parametrize("candidate", ["tree", "untracked", "commit", "patch"])
def test_of_commits_trees_and_patches(tmp_path, candidate):
    root = tmp_path / "repo"
    old, new = package("old", tmp_path), package("new", tmp_path)
    one = repository(root, old)
    write(root, {"corpus/a.json": "1", "ledger.yaml": EMPTY, ".git/info/exclude": "/corpus\n/*.yaml\n/*.json\n"})
    if candidate == "untracked":
        git(root, "rm", "-q", "--cached", f"pkg/__pycache__/part.{TAG}.pyc", "pkg/part.pyc", "pkg/gone.pyc")
        git(root, "commit", "-qm", "no byte code")
    changed = {name: data if isinstance(data, str) else data.replace(b"poison", b"potion") for name, data in new.items()}
    write(root, changed)
    where = {"tree": "tree:", "untracked": "tree:", "patch": "patch:x.patch"}.get(candidate)
    if candidate == "patch":
        (root / "x.patch").write_text(git(root, "diff", "--binary") + "\n")
        git(root, "checkout", "-q", ".")
    where = where or f"git:{commit(root, changed)}"
    flags = ["--baseline", f"git:{one}", "--candidate", where, *FLAGS[4:]]
    done = shadow("compare", *flags, cwd=root)
    assert (done.returncode, values(root)) == (1, WITHOUT), done.stderr


def test_a_commit_of_byte_code_alone_is_no_code_change(tmp_path):
    root = tmp_path / "repo"
    one = repository(root, package("old", tmp_path))
    write(root, {"corpus/a.json": "1", "ledger.yaml": EMPTY, ".git/info/exclude": "/corpus\n/*.yaml\n/*.json\n"})
    commit(root, {"pkg/gone.pyc": b"other"})
    done = shadow("compare", "--baseline", f"git:{one}", "--candidate", "tree:", *FLAGS[4:], cwd=root)
    assert (done.returncode, "no code change" in done.stdout) == (0, True), done.stdout + done.stderr


BROKEN = """
def run(p):
    try:
        import pkg.broken
        return pkg.broken.V
    except SyntaxError:
        return "as its source says"
"""


def test_of_wheels_what_stands_for_a_source_goes_and_a_module_without_source_is_the_wheels_code(tmp_path):
    for version, value in (("1", "old"), ("2", "new")):
        # Of a source that does not compile the install makes no byte code: what the archive brought would stay.
        broken = {
            "broken.py": BROKEN + f"# {value}",
            "pkg/broken.py": "V = (",
            f"pkg/__pycache__/broken.{TAG}.pyc": byte_code(tmp_path, "poison"),
        }
        build_wheel(tmp_path, "demo", version, package(value, tmp_path) | broken)
    pins = [f"wheel:{path.name}#sha256={hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(tmp_path.glob("*.whl"))]
    write(tmp_path, {"corpus/a.json": "1", "ledger.yaml": EMPTY})
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    flags = ["--baseline", pins[0], "--candidate", pins[1], *FLAGS[4:-1]]
    done = shadow("compare", *flags, "m:run", cwd=tmp_path, env=env)
    assert (done.returncode, values(tmp_path)) == (1, ('["old","poison",true]', '["new","poison",true]')), done.stderr
    build_wheel(tmp_path, "demo", "3", {"m.py": SOURCE, "pkg/__init__.py": "", "broken.py": "def run(p): return 1\n"})
    third = tmp_path / "demo-3-py3-none-any.whl"
    flags = [
        "--baseline",
        pins[0],
        "--candidate",
        f"wheel:{third.name}#sha256={hashlib.sha256(third.read_bytes()).hexdigest()}",
        *FLAGS[4:-1],
    ]
    done = shadow("compare", *flags, "broken:run", cwd=tmp_path, env=env)
    assert report(tmp_path)["divergences"][0]["baseline"] == '"as its source says"', done.stdout
