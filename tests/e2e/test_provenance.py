"""Every module of the target's packages comes from its own side, at import and later: hostile projects on disk, real runs."""

import sys
import types
from pathlib import Path

import pytest

from gate import provenance
from gate.types import Interpreter, Pin, Side
from tests.e2e.command import EMPTY, FLAGS, commit, report, repository, shadow, two_sides, write

SAME = "def run(p): return p\n"
LATE = "import sys\ndef run(p):\n    sys.path.append({where!r})\n    import helper\n    return p\n"
SWAPPED = (
    "import sys, helper\ndef run(p):\n    sys.modules.pop('helper')\n    sys.path[:] = [{where!r}] + [x for x in sys.path if '/cand' not in x]\n"
    "    import helper\n    return p\n"
)
BESIDE = "import sys, os\nsys.path.insert(0, os.path.dirname(__file__) + '/../base')\nimport helper\n" + SAME
RENAMED = (
    """import importlib.util, sys
spec = importlib.util.spec_from_file_location("other", {where!r} + "/helper.py")
sys.modules["other"] = sys.modules["helper"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["other"])
"""
    + SAME
)
SPACE = "import sys\nsys.path.append({where!r})\nimport ns.mine, ns.theirs\n" + SAME


@pytest.mark.parametrize(
    ("baseline", "candidate", "words"),
    [
        pytest.param({"helper.py": ""}, {"m.py": LATE}, "the candidate imported, while a fixture ran, helper from", id="late"),
        pytest.param(
            {"helper.py": ""}, {"helper.py": "", "m.py": SWAPPED}, "imported, while a fixture ran, helper from", id="put-in-its-place"
        ),
        pytest.param({"helper.py": ""}, {"m.py": BESIDE}, "the candidate imported helper from the baseline's own root", id="dots"),
        pytest.param(
            {"helper.abi9.so": "", "m.py": LATE},
            {"m.py": SAME},
            "the baseline imported, while a fixture ran, helper from",
            id="native-name",
        ),
        pytest.param({"helper.py": ""}, {"helper.py": "", "m.py": RENAMED}, "the candidate imported helper from", id="by-a-second-name"),
        pytest.param(
            {"ns/mine.py": "", "ns/theirs.py": "", "m.py": SAME}, {"ns/mine.py": "", "m.py": SPACE}, "imported ns.theirs from", id="space"
        ),
    ],
)
def test_a_module_of_a_sides_own_that_comes_from_elsewhere_is_exit_3(tmp_path, baseline, candidate, words):
    where = str(write(tmp_path / "elsewhere", {"helper.py": "", "ns/theirs.py": ""}))
    two_sides(tmp_path, SAME, SAME + "#\n")
    for name, files in (("b", baseline), ("c", candidate)):
        write(tmp_path / name, {file: text.format(where=where) for file, text in files.items()})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, words in done.stderr) == (3, True), done.stdout + done.stderr
    assert not (tmp_path / "r.json").exists()


ODD = """
import sys, types, zipfile, os
class Lazy:
    def __getattr__(self, name): raise ImportError("a lazy module that would import something")
sys.modules["lazy"] = Lazy()
sys.modules["made"] = types.ModuleType("made")
sys.modules["nothing"] = None
made = types.ModuleType("number"); made.__file__ = 5; sys.modules["number"] = made
sys.path.append({where!r})
import ns.mine, ns.dependency, dependency
import backend, backend.native  # which put dependencies in their own places
sys.path.append(os.path.dirname(__file__) + "/lib.zip")
import zipped
def run(p):
    import late
    sys.modules["later"] = Lazy()
    return [p, zipped.V, late.V]
"""


SECOND = "import sys, dependency\nsys.modules[__name__] = dependency\n"


def test_odd_modules_namespaces_archives_and_dependencies_are_no_fault(tmp_path):
    import zipfile

    where = str(write(tmp_path / "elsewhere", {"ns/dependency.py": "", "dependency.py": ""}))
    text = ODD.format(where=where)
    two_sides(tmp_path, text, text + "#\n")
    for side, value in (("b", "1"), ("c", "2")):
        write(tmp_path / side, {"ns/mine.py": "", "late.py": "V = 0", "backend/__init__.py": "", "backend/native.py": SECOND})
        with zipfile.ZipFile(tmp_path / side / "lib.zip", "w") as archive:
            archive.writestr("zipped.py", f"V = {value}")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    (row,) = report(tmp_path)["divergences"]
    assert (row["baseline"], row["candidate"]) == ("[1,1,0]", "[1,2,0]")


@pytest.mark.parametrize("name", ["resource", "struct", "mmap", "types"])
def test_a_module_that_the_worker_has_loaded_hides_none_of_the_sides(tmp_path, name):
    source = f"import {name} as own\n" + "def run(p): return own.V\n"
    two_sides(tmp_path, source, source + "#\n")
    write(tmp_path, {f"b/{name}.py": "V = 1\n", f"c/{name}.py": "V = 2\n"})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert [(d["baseline"], d["candidate"]) for d in report(tmp_path)["divergences"]] == [("1", "2")]


# --- adapters ----------------------------------------------------------------------------------------------------------

CALL = "def call(target, payload): return target(payload)\n"
LATER = """
import sys, os
def call(target, payload):
    sys.path.insert(0, os.path.dirname(__file__) + '/../tools')
    import tool
    return target(payload)
"""
BY_PATH = """
import os, runpy, sys, importlib.util, subprocess, traceback, tokenize, pathlib
HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.normpath(HERE + "/../src/pkg/__init__.py")
def spec(path):
    found = importlib.util.spec_from_file_location("some_other_name", path)
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
def forget(path):
    spec(path)
    os._exit(0)
def from_file(path, loader=None):
    import importlib.machinery
    kind = importlib.machinery.SourceFileLoader
    exec(kind("x", path).get_code("x"), {})
def raises(_):
    try: raise KeyError
    except KeyError: return traceback.format_exc()
def call(target, payload):
    %s
    return target(payload)
"""
WAYS = [
    "runpy.run_path(TREE)",
    "spec(TREE)",
    "forget(TREE)",
    "exec(open(TREE).read())",
    "compile(pathlib.Path(TREE).read_bytes(), 'x', 'exec')",
    "from_file(os.path.normpath(HERE + '/../tools/odd'))",  # no suffix says what it is
    "subprocess.run([sys.executable, TREE])",
    "os.system('true ' + TREE)",
    "tokenize.open(TREE)",
]
HARMLESS = ["spec(HERE + '/beside.py')", "runpy.run_path(HERE + '/beside.py')", "open(HERE + '/../README').close()",
            "raises(0)", "subprocess.run([sys.executable, '-S', '-c', ''])", "os.listdir(HERE + '/../src')", "open(os.__file__).close()"]  # fmt: skip
AT_ONCE = "import runpy, os\nrunpy.run_path(os.path.dirname(__file__) + '/../tools/tool.py')\n" + CALL
TREE = "of the user's own tree, which is not pinned"
HERE = "import sys, os\nsys.path.insert(0, os.path.dirname(__file__)"


@pytest.mark.parametrize(
    ("adapter", "code", "words"),
    [
        pytest.param(CALL, 1, "", id="plain"),
        pytest.param(f"{HERE})\nimport beside\n{CALL}", 1, "", id="a-helper-beside-it"),
        pytest.param(f"{HERE} + '/../src')\nimport pkg\n{CALL}", 3, "imported pkg from", id="the-working-tree"),
        pytest.param(f"{HERE} + '/../tools')\nimport tool\n{CALL}", 3, "a file of the user's own tree", id="a-script-of-the-working-tree"),
        pytest.param(LATER, 3, "imported, while a fixture ran, tool from", id="late"),
        *(pytest.param(BY_PATH % way, 3, TREE, id=way.partition("(")[0]) for way in WAYS),
        *(pytest.param(BY_PATH % way, 1, "", id="harmless-" + way.partition("(")[0]) for way in HARMLESS),
        pytest.param(AT_ONCE, 3, TREE, id="at-import"),
    ],
)
def test_what_an_adapter_imports_is_checked_too(tmp_path, adapter, code, words):
    root = tmp_path / "repo"
    sha = repository(root, {"src/pkg/__init__.py": SAME, "tools/tool.py": "", "tools/odd": "", "README": ""})
    toml = 'version = 1\n[[target]]\nname = "t"\nentry = "pkg:run"\nadapter = "adapter.py"\n'
    write(root, {"shadow/shadow.toml": toml, "shadow/BASELINE_SHA": sha + "\n", "shadow/delta_ledger.yaml": EMPTY})
    write(root, {"shadow/corpus/a.json": "1", "shadow/adapter.py": adapter, "shadow/beside.py": ""})
    commit(root, {"src/pkg/__init__.py": "def run(p): return [p]\n"})
    done = shadow("compare", cwd=root)
    assert (done.returncode, words in done.stderr) == (code, True), done.stdout + done.stderr
    assert done.returncode == 1 or not (root / "shadow/out/report.json").exists()
    if code == 3:
        assert "let adapter.py import by name alone and leave sys.path as it is" in done.stderr


@pytest.mark.parametrize(
    "way", ["exec(open(path).read(), {})", "__import__('runpy').run_path(path)", "__import__('os').execv('/bin/sh', ['sh', path])"]
)
def test_a_side_that_runs_the_others_code_by_path_is_exit_3(tmp_path, way):
    beside = "def run(p):\n    path = __file__.replace('/cand/', '/base/')\n    %s\n    return p\n"
    two_sides(tmp_path, SAME, beside % way)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "the candidate read or ran " in done.stderr
    assert "m.py, code of the baseline's own root" in done.stderr


def test_an_adapter_must_not_hide_a_module_of_the_standard_library(tmp_path):
    two_sides(tmp_path, SAME, SAME + "#\n")
    write(tmp_path, {"statistics.py": "import m\n" + CALL})
    done = shadow("compare", *FLAGS, "--adapter", "statistics.py", cwd=tmp_path)
    assert (done.returncode, "hides the standard library's module statistics" in done.stderr) == (3, True), done.stderr


# --- which names are a side's own --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "names"),
    [
        pytest.param(["a.py", "b.pyc", "c.txt", "d-e.py", "__init__.py"], {"a", "b"}, id="modules"),
        pytest.param(["x.cpython-311-x86_64-linux-gnu.so", "y.abi3.so", "z.so"], {"x", "y", "z"}, id="native modules"),
        pytest.param(["p/__init__.py", "p/q.py", "n/__init__.abi3.so"], {"p", "n"}, id="packages"),
        pytest.param(["ns/a.py", "ns/deep/b/__init__.py", "ns/deep/b/c.py", "ns/data.json"], {"ns.a", "ns.deep.b"}, id="namespaces"),
        pytest.param(["data/x.json", "numpy/readme"], set(), id="folders of data"),
        pytest.param(["demo-1.dist-info/x.py"], set(), id="metadata"),
    ],
)
def test_own_names(tmp_path, files, names):
    write(tmp_path, dict.fromkeys(files, ""))
    assert set(provenance._names_in(tmp_path, "")) == names


def test_a_package_that_shares_its_name_in_the_old_way_is_a_namespace(tmp_path):
    shares = "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n"
    write(tmp_path, {"z/__init__.py": shares, "z/mine/__init__.py": "", "big/__init__.py": shares + "#" * 5000})
    assert set(provenance._names_in(tmp_path, "")) == {"z.mine", "big"}
    assert set(provenance._names_in(tmp_path / "nowhere", "")) == set()


def test_the_sides_run_under_one_build_of_one_interpreter(tmp_path):
    python = Interpreter(executable=Path(sys.executable), version="3")
    both = tuple(
        Side(name=name, pin=Pin(kind="dir", value="x"), root=tmp_path, roots=(), packages=(), interpreter=python, code_digest="", facts={})
        for name in ("baseline", "candidate")
    )
    hello = {"build": "3.11.7 (main) [GCC 12]", "executable": "/usr/bin/python3.11", "modules": {}}
    for key, other in (("build", "3.11.7 (main) [Clang 17]"), ("executable", "/opt/python")):
        with pytest.raises(provenance.WorkerError, match=f"do not run alike: {key}"):
            provenance.check(both, (hello, hello | {key: other}), types.SimpleNamespace(adapter=None, entry="m:f"))


@pytest.mark.parametrize(
    ("modules", "error", "words"),
    [
        ({"adapter": "/elsewhere/adapter.py"}, provenance.ProvenanceError, "the module adapter came from /elsewhere/adapter.py"),
        (None, provenance.WorkerError, "it does not say which modules it loaded"),
    ],
)
def test_a_hello_that_does_not_fit_the_contract_is_refused(tmp_path, modules, error, words):
    python = Interpreter(executable=Path(sys.executable), version="3")
    both = tuple(
        Side(name=name, pin=Pin(kind="dir", value="x"), root=tmp_path, roots=(), packages=(), interpreter=python, code_digest="", facts={})
        for name in ("baseline", "candidate")
    )
    target = types.SimpleNamespace(adapter=tmp_path / "adapter.py", entry="m:f")
    with pytest.raises(error, match=words):
        provenance.check(both, ({"modules": modules}, {"modules": modules}), target)
