"""Golden vectors of the worker's trees: what a target returns, and the JSON text that crosses (design, section 6)."""

import ast
import collections
import ctypes
import datetime as dt
import functools
import importlib.util
import json
import pathlib
import random
import sys
import threading
import types

import pytest

import gate.runner
from gate.canonical.visible_json import parse, visible
from gate.canonical.walk import sort_sets
from gate.types import Limits
from tests.unit.gate.golden_values import PRELUDE, VALUES
from tests.unit.gate.pairing import fixture, open_pair


@pytest.fixture(scope="module")
def worker():
    spec = importlib.util.spec_from_file_location("shadow_worker", gate.runner.WORKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # as the worker's start does
    yield module
    sys.set_int_max_str_digits(digits)


@pytest.fixture(scope="module")
def evaluate():
    """The value of an expression of the golden table."""
    target = types.ModuleType("target")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "target", target)
        exec(PRELUDE, target.__dict__)  # noqa: S102 - our own table
        yield lambda text: eval(text, target.__dict__)  # noqa: S307 - our own table


@pytest.mark.parametrize("text", VALUES)
def test_golden(worker, evaluate, text):
    assert canonical(worker.encode(evaluate(text))) == VALUES[text]


def canonical(tree):
    return visible(sort_sets(parse(tree)))


def test_no_two_values_share_a_text():
    assert len(set(VALUES.values())) == len(VALUES)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"y": 1, "x": 2}, '{"y":1,"x":2}'),
        ({"y": 1, "x": (2,)}, '{"y":1,"x":{"!tuple":[2]}}'),
        ({3, 1, 20}, '{"!set":[1,20,3]}'),
        ({"\u00e9": "\U0001f600"}, '{"\\u00e9":"\\ud83d\\ude00"}'),
    ],
    ids=["order of keys", "order of keys beside a tag", "members by text", "ASCII"],
)
def test_what_crosses(worker, value, text):
    assert worker.encode(value) == text


class Stamp(dt.datetime):
    pass


def reused():
    seen = []
    for number in (1, 2, 3):
        seen[:] = [number]
        yield seen


DIFFERENT = {
    "subclass of datetime": (Stamp(2026, 1, 2), Stamp(2026, 1, 3)),
    "partial": (functools.partial(int, "1"), functools.partial(max, 3)),
    "random": (random.Random(1), random.Random(2)),
    "ctypes": (ctypes.c_int(1), ctypes.c_int(2)),
    "default dict": (collections.defaultdict(list), collections.defaultdict(int)),
    "default dict and dict": (collections.defaultdict(None), {}),
    "file of an error": (OSError(2, "x", "one"), OSError(2, "x", "two")),
    "named zones": (dt.timezone(dt.timedelta(hours=1), "X"), dt.timezone(dt.timedelta(hours=2), "X")),
    "a list handed out again and again": (reused(), iter([[3], [3], [3]])),
    "simple namespaces": (types.SimpleNamespace(a=1), types.SimpleNamespace(a=2)),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_state_gives_different_texts(worker, one, other):
    assert worker.encode(one) != worker.encode(other)


def test_depth_and_digits(worker):
    deep = 1
    for _ in range(10_000):
        deep = [deep]
    assert worker.encode(deep) == "[" * 10_000 + "1" + "]" * 10_000
    assert worker.encode(10**10_000) == "1" + "0" * 10_000


def test_cycles_end(worker):
    loop = [1]
    loop.append({"again": loop})
    assert worker.encode(loop) == '[1,{"again":{"!cycle":2}}]'
    same = []
    assert worker.encode([same, same]) == "[[],[]]"


def test_an_endless_iterator_is_bounded(worker):
    import itertools

    name, items = json.loads(worker.encode(itertools.count()))["!iter"]
    assert name == "itertools.count"
    assert items == [*range(worker.ITEMS), {"!more": True}]


def test_a_long_value_crosses_as_digest(worker):
    tree = json.loads(worker.encode("x" * (worker.LONGEST + 1)))
    assert tree["!long"][0] == worker.LONGEST + 3
    assert worker.encode("x" * (worker.LONGEST + 1)) != worker.encode("x" * worker.LONGEST + "y")


def test_a_small_graph_with_an_endless_text_is_refused(worker, monkeypatch):
    monkeypatch.setattr(worker, "NODES", 50_000)  # so many are soon there
    laughs = (1,)
    for _ in range(40):
        laughs = (laughs, laughs)
    with pytest.raises(worker.Unencodable, match="parts"):
        worker.encode(laughs)


@pytest.mark.parametrize("value", [threading.Lock(), sys._getframe()], ids=["lock", "frame"])
def test_live_resources_are_no_values(worker, value):
    with pytest.raises(worker.Unencodable):
        worker.encode(value)


def test_an_open_file_is_no_value(worker):
    with pathlib.Path(__file__).open("rb") as file, pytest.raises(worker.Unencodable):
        worker.encode(file)


class RunTimeImports(ast.NodeVisitor):
    """Names of the modules that a file imports when it runs: what stands below `if TYPE_CHECKING` is for readers."""

    def __init__(self):
        self.names = set()

    def visit_If(self, node):
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Import(self, node):
        self.names |= {name.name for name in node.names}

    def visit_ImportFrom(self, node):
        self.names.add(node.module)


def test_the_file_parses_as_python_3_8_and_imports_only_the_standard_library():
    tree = ast.parse(gate.runner.WORKER.read_text("utf-8"), feature_version=(3, 8))
    imports = RunTimeImports()
    imports.visit(tree)
    assert {name.partition(".")[0] for name in imports.names} <= sys.stdlib_module_names
    # Each of these costs a start more than it brings, and would stand in every target's sys.modules.
    assert not imports.names & {"typing", "pathlib", "contextlib", "collections.abc", "json"}
    # A file without it evaluates its annotations, and most of ours are newer than 3.8.
    assert isinstance(tree.body[1], ast.ImportFrom)
    assert tree.body[1].module == "__future__"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no groups")
def test_the_members_of_a_group_are_named_however_deep(worker):
    group = ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [KeyError(2), OSError(3)]), TypeError(4)])
    head = json.loads(worker.raised(group, 0) + "}")
    inner = "builtins.ExceptionGroup[builtins.KeyError,builtins.OSError]"
    assert head["exc"]["type"] == f"ExceptionGroup[builtins.ValueError,{inner},builtins.TypeError]"
    assert worker._members_of(ValueError(1)) == ""


def test_iterators_are_cut_beyond_the_bound_only(tmp_path, worker):
    source = """
import itertools
def late(n): yield from range(n)
async def waited(n):
    for at in range(n): yield at
def run(p): return eval(p)
"""
    most = worker.ITEMS
    wanted = {
        f"late({most})": False,
        f"late({most} + 1)": True,
        "itertools.repeat(1)": True,
        "[1, map(str, itertools.count())]": True,
        f"waited({most})": False,
        f"waited({most} + 5)": True,
        f"dict.fromkeys(range({most} + 9)).keys()": False,
        "1": False,
        "(itertools.count(), print)[1:]": False,
        "(itertools.count(), (x for x in [1]), lambda: 1, __import__('threading').Lock())": None,
        "2": False,
    }
    fixtures = [fixture(text, text) for text in wanted]
    with open_pair(tmp_path, source, limits=Limits(seconds=10)) as pair:
        got = {one.id: left[0] for one, left, _ in pair.run(fixtures)}
    for text, cut in wanted.items():
        assert got[text].startswith({True: b'{"cut":true,"out":"returned"', False: b'{"out":"returned"', None: b'{"out":"error"'}[cut]), (
            text
        )
