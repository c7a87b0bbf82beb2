"""Laws of the worker's trees: what is written can be read back, so no two values share a text; and the work is linear."""

import importlib.util
import json
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gate.runner
from gate.canonical.visible_json import parse, visible
from gate.canonical.walk import sort_sets
from tests.timing import within

_spec = importlib.util.spec_from_file_location("shadow_worker_laws", gate.runner.WORKER)
worker = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(worker)

TEXTS = st.text(alphabet=st.sampled_from('ab!é\u0301\u200b\ud83d\ude00\\"\n\x00'), max_size=4)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, -0.0, 1.0, float("nan"), float("inf"), 10**30, 1j, 1 << 330000, ..., range(2)]),
    TEXTS,
    st.sampled_from(["!set", "!tuple", '{"!tuple":[]}', "null", "1"]),
    st.binary(max_size=3),
    st.binary(max_size=2).map(bytearray),
)
HASHABLE = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), TEXTS, st.sampled_from([0.5, float("nan")]), st.tuples(TEXTS))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(HASHABLE, inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "!set", "!dict", "!str"]), inner, max_size=3),
        st.sets(HASHABLE, max_size=3),
        st.frozensets(HASHABLE, max_size=3),
    ),
    max_leaves=12,
)


def shape(value):
    """An independent form: equal only for values of one type and content. NaN equals NaN, the order of a dict counts."""
    kind = type(value).__name__
    if isinstance(value, dict):
        return (kind, tuple((shape(key), shape(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return (kind, tuple(map(shape, value)))
    if isinstance(value, set | frozenset):
        return (kind, tuple(sorted(map(repr, map(shape, value)))))
    if isinstance(value, int) and abs(value) > 10**4000:
        return (kind, hex(value))
    return (kind, repr(value))


def read(tree):
    """The value behind a tree: what `encode` wrote, by a reader that knows only the reference page."""
    if isinstance(tree, list):
        return [read(item) for item in tree]
    if not isinstance(tree, dict) or not tree:
        return tree
    tag, *more = tree
    if more or not tag.startswith("!"):
        return {key: read(item) for key, item in tree.items()}
    inner = tree[tag]
    unescaped = lambda text: eval(f"b'{text}'".replace("\\\\", "\\x5c")) if "'" not in text else bytes(text, "latin-1")  # noqa: E731, S307
    return {
        "!tuple": lambda: tuple(map(read, inner)),
        "!set": lambda: set(map(read, inner)),
        "!frozenset": lambda: frozenset(map(read, inner)),
        "!dict": lambda: {read(key): read(item) for key, item in inner},
        "!str": lambda: "".join(map(chr, inner)),
        "!float": lambda: float(inner),
        "!int": lambda: int(inner, 16),
        "!complex": lambda: complex(*map(read, inner)),
        "!constant": lambda: ...,
        "!range": lambda: range(*inner),
        "!bytes": lambda: unescaped(inner),
        "!bytearray": lambda: bytearray(unescaped(inner)),
    }[tag]()


@given(VALUES)
@example({"": 1, "!": 2})
@example([{"!set": [1]}, {1}, {"!dict": []}])
@example([b"\\x41", b"A", b"'", b'"', bytearray(b"\\")])
def test_what_is_written_can_be_read_back(value):
    text = worker.encode(value)
    assert text.isascii()
    assert shape(read(json.loads(text))) == shape(value)


@given(VALUES, VALUES)
@example(1, True)
@example((), [])
@example({"!tuple": []}, ())
@example("\ud83d\ude00", "\U0001f600")
@example({1: 2}, {"1": 2})
def test_one_text_is_one_value(one, other):
    assert (worker.encode(one) == worker.encode(other)) == (shape(one) == shape(other))


@given(VALUES)
def test_the_fast_way_writes_what_the_thorough_way_writes(value):
    assert worker.encode(value) == worker._Writer().write(value)


@given(VALUES)
def test_the_canonical_text_of_a_value_is_a_fixed_point(value):
    text = visible(sort_sets(parse(worker.encode(value))))
    assert visible(sort_sets(parse(text))) == text


class Node:
    def __init__(self, *parts):
        self.parts = parts


def chain(length):
    value = None
    for _ in range(length):
        value = Node(value, {length: {1}})
    return value


def forest(depth):
    value = frozenset()
    for _ in range(depth):
        value = frozenset((value,))
    return value


def generators(depth):
    value = iter(())
    for _ in range(depth):
        value = iter([value, 1])
    return value


LARGE = {
    "objects in objects": lambda: chain(10_000),
    "sets in sets": lambda: forest(10_000),
    "iterators in iterators": lambda: generators(10_000),
    "many rows": lambda: [{"a": i, "b": (i,)} for i in range(30_000)],
    "many plain rows": lambda: [{"a": i, "b": [i]} for i in range(200_000)],
    "a large set": lambda: set(range(100_000)),
    "text": lambda: "\u0301" * 5_000_000,
    "bytes": lambda: bytes(5_000_000),
    "digits": lambda: 1 << 20_000_000,
}


@pytest.mark.no_cover
@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_time_is_linear_and_depth_no_matter(make):
    value = make()
    with within(60):
        worker.encode(value)
    while isinstance(value, frozenset) and value:  # or the interpreter takes it down by recursion
        (value,) = value


def test_a_cycle_is_found_soon():
    loop = []
    loop.append(loop)
    with within(10):
        assert worker.encode(loop) == '[{"!cycle":1}]'
        assert worker.encode({"a": loop, "b": sys.maxsize}) == f'{{"a":[{{"!cycle":1}}],"b":{sys.maxsize}}}'
