"""What the worker writes of a value, a call fixture can say: decoding and encoding again changes nothing."""

import datetime as dt
import enum
import json
import pathlib
import sys
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.corpus import calls
from tests.unit.gate.loading import load_worker


class Colour(enum.Enum):
    RED = "r"
    BLUE = (1, 2)


class Bits(enum.Flag):
    A = 1
    B = 2


class Plain:
    pass


class Slots:
    __slots__ = ("__hidden", "x")

    def __init__(self, hidden, x):
        self.__hidden, self.x = hidden, x


@pytest.fixture(scope="module")
def worker():
    module = load_worker()
    for kind in (Colour, Bits, Plain, Slots):
        module._allowed[module.name_of(kind)] = kind
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield module
    sys.set_int_max_str_digits(digits)


def plain(state):
    made = Plain()
    vars(made).update(state)
    return made


OFFSETS = st.timedeltas(min_value=dt.timedelta(hours=-23, minutes=-59), max_value=dt.timedelta(hours=23, minutes=59))
ZONES = st.one_of(
    st.builds(dt.timezone, OFFSETS),
    st.builds(dt.timezone, OFFSETS, st.text(max_size=5).filter(lambda text: "\n" not in text)),
    st.sampled_from(["Europe/Paris", "UTC", "America/St_Johns"]).map(zoneinfo.ZoneInfo),
)
FOLDS = st.integers(0, 1)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(10**400, 10**401),
    st.floats(),
    st.text(st.characters(exclude_categories=())),
    st.binary(),
    st.binary().map(bytearray),
    st.complex_numbers(),
    st.decimals(),
    st.fractions(),
    st.uuids(),
    st.builds(range, st.integers(-9, 9), st.integers(), st.integers(1, 9)),
    st.builds(lambda moment, zone, fold: moment.replace(tzinfo=zone, fold=fold), st.datetimes(), st.none() | ZONES, FOLDS),
    st.builds(lambda moment, zone, fold: moment.replace(tzinfo=zone, fold=fold), st.times(), st.none() | ZONES, FOLDS),
    st.dates(),
    st.timedeltas(),
    ZONES.filter(lambda zone: isinstance(zone, dt.timezone)),
    st.lists(st.sampled_from(["a", "b c", "ü"]), min_size=1).map(lambda parts: pathlib.Path(*parts)),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).map(pathlib.PureWindowsPath),
    st.sampled_from([*Colour, *Bits, Bits.A | Bits.B, ...]),
)
KEYS = st.one_of(st.text(max_size=3), st.integers(), st.sampled_from(["!x", "!set", Colour.RED, ("a", 1)]))
NAMES = st.sampled_from(["a", "b", "_c", "d1"])


def branches(inner):
    return st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.dictionaries(KEYS, inner),
        st.frozensets(st.integers() | st.text(max_size=3) | st.tuples(st.integers())),
        st.sets(st.decimals(allow_nan=False)),
        st.dictionaries(NAMES, inner).map(plain),
        st.builds(Slots, inner, inner),
    )


VALUES = st.recursive(LEAVES, branches, max_leaves=20)


@pytest.mark.no_cover
@given(VALUES)
def test_a_value_comes_back_as_it_was(worker, value):
    tree = worker.encode(value)
    assert worker.encode(worker.untag(json.loads(tree))) == tree


@pytest.mark.no_cover
@given(VALUES)
def test_what_is_written_is_a_sound_call(worker, value):
    assert list(calls.flaws(f'{{"args": [{worker.encode(value)}]}}'.encode(), "function")) == []


@pytest.mark.no_cover
@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text().filter(lambda key: key[:1] != "!"), inner),
    )
)
def test_plain_json_stands_for_itself(worker, value):
    assert worker.untag(json.loads(json.dumps(value))) == value


@given(st.binary())
def test_bytes_come_back(worker, data):
    assert worker._bytes_of(json.loads(worker.encode(data))["!bytes"]) == data


def test_depth_is_no_matter(worker):
    value = 1
    for _ in range(10_000):
        value = {"a": [value]}
    assert worker.untag(value) is value
