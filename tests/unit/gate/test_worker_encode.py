"""Golden vectors of the worker's trees: what a target returns, and the JSON text that crosses (design, section 6)."""

import ast
import collections
import ctypes
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import functools
import importlib.util
import json
import pathlib
import random
import re
import sys
import threading
import types
import uuid
import zoneinfo
from typing import NamedTuple

import pytest

import gate.runner


@pytest.fixture(scope="module")
def worker():
    spec = importlib.util.spec_from_file_location("shadow_worker", gate.runner.WORKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # as the worker's start does
    yield module
    sys.set_int_max_str_digits(digits)


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Text(str):
    __slots__ = ()


class Plain:
    def __init__(self):
        self.b, self.a = 1, "x"


class Slots:
    __slots__ = ("__hidden", "never", "x")

    def __init__(self):
        self.x, self.__hidden = 1, 2


@dataclasses.dataclass
class Point:
    x: int
    y: list


class Pair(NamedTuple):
    left: int
    right: int


class Liar:
    """Everything about it lies, and calling any of it is an error."""

    __class__ = dict

    def __eq__(self, other):
        raise AssertionError

    def __hash__(self):
        raise AssertionError

    def __repr__(self):
        raise AssertionError


def generator():
    yield 1
    yield "two"


def failing():
    yield 1
    raise ValueError("late")


HERE = __name__
VECTORS = {
    "none": (None, "null"),
    "text none": ("None", '"None"'),
    "one": (1, "1"),
    "one point zero": (1.0, "1.0"),
    "true": (True, "true"),
    "minus zero": (-0.0, "-0.0"),
    "nan": (float("nan"), '{"!float":"nan"}'),
    "nan inside": ([float("nan"), float("-inf")], '[{"!float":"nan"},{"!float":"-inf"}]'),
    "small float": (1e-07, "1e-07"),
    "tuple": ((1,), '{"!tuple":[1]}'),
    "list": ([1], "[1]"),
    "bytes": (b"a\\\xff'", '{"!bytes":"a\\\\\\\\\\\\xff\'"}'),
    "text that looks like bytes": ("b'x'", "\"b'x'\""),
    "bytearray": (bytearray(b"x"), '{"!bytearray":"x"}'),
    "memoryview": (memoryview(b"x"), '{"!memoryview":"x"}'),
    "set": ({3, 1, 20}, '{"!set":[1,20,3]}'),
    "set of frozensets": ({frozenset({2, 1}), frozenset()}, '{"!set":[{"!frozenset":[1,2]},{"!frozenset":[]}]}'),
    "int keys": ({1: 2}, '{"!dict":[[1,2]]}'),
    "text keys": ({"1": 2}, '{"1":2}'),
    "order of keys kept": ({"y": 1, "x": 2}, '{"y":1,"x":2}'),
    "a key that is a tag": ({"!set": [1]}, '{"!dict":[["!set",[1]]]}'),
    "nan key": ({float("nan"): 1}, '{"!dict":[[{"!float":"nan"},1]]}'),
    "accent": ("é", '"\\u00e9"'),
    "astral": ("\U0001f600", '"\\ud83d\\ude00"'),
    "lone surrogate": ("\ud83d", '"\\ud83d"'),
    "two surrogates that are no character": ("\ud83d\ude00", '{"!str":[55357,56832]}'),
    "that inside a list": (["\ud83d\ude00"], '[{"!str":[55357,56832]}]'),
    "that as a key": ({"\ud83d\ude00": 1}, '{"!dict":[[{"!str":[55357,56832]},1]]}'),
    "complex": (1 - 2j, '{"!complex":[1.0,-2.0]}'),
    "decimal keeps its exponent": (decimal.Decimal("1.50"), '{"!decimal":"1.50"}'),
    "fraction": (fractions.Fraction(1, 3), '{"!fraction":"1/3"}'),
    "naive": (dt.datetime(2026, 1, 2, 3), '{"!datetime":"2026-01-02T03:00:00"}'),  # noqa: DTZ001 - a value without a zone is what is meant
    "aware": (dt.datetime(2026, 1, 2, tzinfo=dt.UTC), '{"!datetime":"2026-01-02T00:00:00+00:00[datetime.timezone UTC]"}'),
    "zone": (
        dt.datetime(2026, 1, 2, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"), fold=1),
        '{"!datetime":"2026-01-02T00:00:00+01:00[zoneinfo.ZoneInfo Europe/Berlin] fold=1"}',
    ),
    "date": (dt.date(2026, 1, 2), '{"!date":"2026-01-02"}'),
    "timedelta": (dt.timedelta(-1), '{"!timedelta":[-1,0,0]}'),
    "uuid": (uuid.UUID(int=1), '{"!uuid":"00000000-0000-0000-0000-000000000001"}'),
    "path": (pathlib.PurePosixPath("/x"), '{"!path":["PurePosixPath","/x"]}'),
    "range": (range(1, 3), '{"!range":[1,3,1]}'),
    "ellipsis": (..., '{"!constant":"Ellipsis"}'),
    "enum": (Colour.RED, f'{{"!enum":["{HERE}.Colour","RED",1]}}'),
    "int enum is no int": (Level.LOW, f'{{"!enum":["{HERE}.Level","LOW",1]}}'),
    "str subclass": (Text("x"), f'{{"!sub":["{HERE}.Text","x"]}}'),
    "namedtuple": (Pair(1, 2), f'{{"!sub":["{HERE}.Pair",{{"!tuple":[1,2]}}]}}'),
    "ordered dict": (collections.OrderedDict(b=1, a=2), '{"!sub":["collections.OrderedDict",{"b":1,"a":2}]}'),
    "object": (Plain(), f'{{"!object":["{HERE}.Plain",{{"b":1,"a":"x"}}]}}'),
    "slots": (Slots(), f'{{"!object":["{HERE}.Slots",{{"__hidden":2,"x":1}}]}}'),
    "dataclass": (Point(1, []), f'{{"!object":["{HERE}.Point",{{"x":1,"y":[]}}]}}'),
    "hostile object": (Liar(), f'{{"!object":["{HERE}.Liar",{{}}]}}'),
    "exception as a value": (ValueError("x"), '{"!object":["builtins.ValueError",{"args":["x"]}]}'),
    "class": (Plain, f'{{"!type":"{HERE}.Plain"}}'),
    "function": (len, '{"!function":"builtins.len"}'),
    "deque": (collections.deque([1, 2]), '{"!object":["collections.deque",[{"!tuple":[]},null,[1,2]]]}'),
    "pattern": (re.compile("a"), '{"!object":["re.Pattern",[{"!tuple":["a",32]}]]}'),
    "generator": (generator(), '{"!iter":[1,"two"]}'),
    "generator that fails": (failing(), '{"!iter":[1,{"!raised":["builtins.ValueError","late"]}]}'),
    "dict view": ({"a": 1}.keys(), '{"!iter":["a"]}'),
}


@pytest.mark.parametrize(("value", "text"), VECTORS.values(), ids=VECTORS)
def test_vector(worker, value, text):
    assert worker.encode(value) == text
    json.loads(text)


def test_no_two_values_share_a_text():
    texts = [text for _, text in VECTORS.values()]
    assert len(set(texts)) == len(texts)


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

    tree = json.loads(worker.encode(itertools.count()))
    assert len(tree["!iter"]) == worker.ITEMS + 1
    assert tree["!iter"][-1] == {"!more": True}


def test_a_long_value_crosses_as_digest(worker):
    tree = json.loads(worker.encode("x" * (worker.LONGEST + 1)))
    assert tree["!long"][0] == worker.LONGEST + 3
    assert worker.encode("x" * (worker.LONGEST + 1)) != worker.encode("x" * worker.LONGEST + "y")


def test_a_small_graph_with_an_endless_text_is_refused(worker):
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
