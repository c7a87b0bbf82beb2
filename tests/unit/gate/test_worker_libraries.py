"""Values of numpy and pandas, with the real libraries: an expression, and the canonical text that its value has.

numpy comes with the development tools; pandas is large, so `make test-values` brings it.
"""

import importlib.util
import re
import sysconfig
from pathlib import Path

import pytest

from gate.canonical.visible_json import visible
from gate.types import replace
from tests.unit.gate.golden_values import VALUES
from tests.unit.gate.pairing import INTERPRETER, fixture, open_pair, records

PRELUDE = """
import numpy as np

try:
    import pandas as pd
except ImportError:
    pd = None


class Tagged(np.ndarray):
    pass


class Money(np.float64):
    pass


class Liar(np.ndarray):
    dtype = shape = size = property(lambda self: 1 / 0)

    def tolist(self):
        return 1 / 0

    astype = tolist


class Lie(np.float64):
    dtype = property(lambda self: 1 / 0)

    def item(self):
        return 1 / 0

    astype = __str__ = item


class Masked(np.ma.MaskedArray):
    mask = fill_value = property(lambda self: 1 / 0)

    def tolist(self):
        return 1 / 0


def many(*bits):
    # Over 2,000,000 numbers, the first of which have these bits: there are many NaN.
    made = np.zeros(2000001)
    made[: len(bits)] = np.array(bits, dtype="u8").view("f8")
    return made


tagged = np.array([1.0, 2.0]).view(Tagged)
tagged.note = "x"
knot = np.array([None], dtype=object)
knot[0] = knot

if pd is not None:

    class Frame(pd.DataFrame):
        pass


def run(text):
    return eval(text)
"""

NUMPY = {
    "np.array([1.5, 2.5]).view(Liar)": '{"!sub":["target.Liar",{"!array":["<f8",[2],[1.5,2.5]]}]}',
    "Lie(1.5)": '{"!sub":["target.Lie",{"!scalar":["<f8",1.5]}]}',
    "np.ma.MaskedArray([1, 2], mask=[0, 1]).view(Masked)": '{"!sub":["target.Masked",{"!masked":[{"!array":["<i8",[2],[1,null]]},{"fill_value":{"!scalar":["<i8",999999]},"mask":{"!array":["|b1",[2],[false,true]]}}]}]}',
    "np.array([[1,2],[3,4]])": '{"!array":["<i8",[2,2],[[1,2],[3,4]]]}',
    'np.array([[1,2],[3,4]], order="F")': '{"!array":["<i8",[2,2],[[1,2],[3,4]]]}',
    'np.array([[1,2],[3,4]], dtype="int32")': '{"!array":["<i4",[2,2],[[1,2],[3,4]]]}',
    "np.array([1.5,np.nan,-np.inf,-0.0])": '{"!array":["<f8",[4],[1.5,{"!float":"nan"},{"!float":"-inf"},-0.0]]}',
    'np.array([1.5], dtype="float32")': '{"!array":["<f4",[1],[1.5]]}',
    'np.array([1.1], dtype=">f8")': '{"!array":[">f8",[1],[1.1]]}',
    "np.array(3)": '{"!array":["<i8",[],3]}',
    "np.array([])": '{"!array":["<f8",[0],[]]}',
    "np.zeros((2,0))": '{"!array":["<f8",[2,0],[[],[]]]}',
    "np.array([True,False])": '{"!array":["|b1",[2],[true,false]]}',
    'np.array(["a","é"])': '{"!array":["<U1",[2],["a","é"]]}',
    'np.array([b"a",b"\\xff"])': '{"!array":["|S1",[2],[{"!bytes":"a"},{"!bytes":"\\\\xff"}]]}',
    "np.array([1+2j])": '{"!array":["<c16",[1],[{"!complex":[1.0,2.0]}]]}',
    "np.array([np.longdouble(1)/3])": '{"!array":["<f16",[1],[{"!scalar":["<f16","0.33333333333333333334"]}]]}',
    'np.array(["2026-01-01","NaT"], dtype="M8[ns]")': '{"!array":["<M8[ns]",[2],["2026-01-01T00:00:00.000000000","NaT"]]}',
    'np.array(["2026-01-01"], dtype="M8[D]")': '{"!array":["<M8[D]",[1],["2026-01-01"]]}',
    'np.array([1,2], dtype="m8[s]")': '{"!array":["<m8[s]",[2],[1,2]]}',
    'np.array([1,"a",None,[1]], dtype=object)': '{"!array":["|O",[4],[1,"a",null,[1]]]}',
    'np.array([(1,2.5)], dtype=[("a","<i4"),("b","<f8")])': '{"!array":[[["a","<i4",0],["b","<f8",4],12],[1],[{"!tuple":[1,2.5]}]]}',
    'np.array([(1,2.5)], dtype=np.dtype([("a","<i4"),("b","<f8")], align=True))': '{"!array":[[["a","<i4",0],["b","<f8",8],16],[1],[{"!tuple":[1,2.5]}]]}',
    'np.array([(1,[1,2])], dtype=[("a","<i4"),("b","<f8",(2,))])': '{"!array":[[["a","<i4",0],["b",["<f8",[2]],4],20],[1],[{"!tuple":[1,{"!array":["<f8",[2],[1.0,2.0]]}]}]]}',
    "np.ma.array([1,2,3], mask=[0,1,0])": '{"!masked":[{"!array":["<i8",[3],[1,null,3]]},{"fill_value":{"!scalar":["<i8",999999]},"mask":{"!array":["|b1",[3],[false,true,false]]}}]}',
    "np.ma.array([1,2,3])": '{"!masked":[{"!array":["<i8",[3],[1,2,3]]},{"fill_value":{"!scalar":["<i8",999999]}}]}',
    "np.ma.masked": '{"!constant":"numpy.ma.masked"}',
    "np.matrix([[1,2]])": '{"!sub":["numpy.matrix",{"!array":["<i8",[1,2],[[1,2]]]}]}',
    "tagged": '{"!sub":["target.Tagged",{"!array":["<f8",[2],[1.0,2.0]]},{"note":"x"}]}',
    "np.int64(5)": '{"!scalar":["<i8",5]}',
    "np.float64(1.5)": '{"!scalar":["<f8",1.5]}',
    "np.float32(0.1)": '{"!scalar":["<f4",0.10000000149011612]}',
    "np.bool_(True)": '{"!scalar":["|b1",true]}',
    'np.str_("x")': '{"!scalar":["<U1","x"]}',
    'np.bytes_(b"x")': '{"!scalar":["|S1",{"!bytes":"x"}]}',
    'np.datetime64("2026-01-01T00","h")': '{"!scalar":["<M8[h]","2026-01-01T00"]}',
    'np.timedelta64(3,"D")': '{"!scalar":["<m8[D]",3]}',
    "np.complex64(1)": '{"!scalar":["<c8",{"!complex":[1.0,0.0]}]}',
    "Money(1.5)": '{"!sub":["target.Money",{"!scalar":["<f8",1.5]}]}',
    'np.void(b"ab")': '{"!scalar":["|V2",{"!bytes":"ab"}]}',
    'np.array([(1,2.5)], dtype=[("a","<i4"),("b","<f8")])[0]': '{"!scalar":[[["a","<i4",0],["b","<f8",4],12],{"!tuple":[1,2.5]}]}',
    'np.dtype("f8")': '{"!dtype":["<f8"]}',
    "np.float64": '{"!type":"numpy.float64"}',
    "np.add": '{"!name":"add"}',
    "[np.float64(1.0)]": '[{"!scalar":["<f8",1.0]}]',
    '{"a":np.array([1])}': '{"a":{"!array":["<i8",[1],[1]]}}',
    "np.arange(5)[::2]": '{"!array":["<i8",[3],[0,2,4]]}',
    "np.broadcast_to(np.array([1]), (3,))": '{"!array":["<i8",[3],[1,1,1]]}',
    "knot": '{"!array":["|O",[1],[{"!cycle":2}]]}',
    "np.zeros(3_000_000)": '{"!array":["<f8",[3000000],{"sha256":"83917435f6d90d1d6376c90eef82c1360b22c0c74415be2acf61718e1facc8ac"}]}',
    "[np.nan, {'a': np.float32(np.inf)}]": '[{"!float":"nan"},{"a":{"!scalar":["<f4",{"!float":"inf"}]}}]',
}

PANDAS = {
    'pd.DataFrame({"a": [1, 2], "b": ["x", None]}, dtype=object, columns=pd.Index(["a", "b"], dtype=object))': '{"!frame":[{"!index":["Index",null,{"!array":["|O",[2],["a","b"]]}]},{"!index":["RangeIndex",null,[0,2,1]]},[{"!array":["|O",[2],[1,2]]},{"!array":["|O",[2],["x",null]]}]]}',
    "pd.DataFrame([[1.5], [np.nan]], index=[10, 20], columns=[7])": '{"!frame":[{"!index":["Index",null,{"!array":["<i8",[1],[7]]}]},{"!index":["Index",null,{"!array":["<i8",[2],[10,20]]}]},[{"!array":["<f8",[2],[1.5,{"!float":"nan"}]]}]]}',
    "pd.DataFrame()": '{"!frame":[{"!index":["RangeIndex",null,[0,0,1]]},{"!index":["RangeIndex",null,[0,0,1]]},[]]}',
    'pd.Series([1,2], name="n")': '{"!series":["n",{"!index":["RangeIndex",null,[0,2,1]]},{"!array":["<i8",[2],[1,2]]}]}',
    'pd.Series([1,None], dtype="Int64")': '{"!series":[null,{"!index":["RangeIndex",null,[0,2,1]]},{"!array":["Int64",[2],[{"!scalar":["<i8",1]},{"!constant":"pandas.NA"}]]}]}',
    'pd.Series([2, 1], dtype="category")': '{"!series":[null,{"!index":["RangeIndex",null,[0,2,1]]},{"!array":[["category",false,{"!index":["Index",null,{"!array":["<i8",[2],[1,2]]}]}],[2],[2,1]]}]}',
    'pd.Series(["2026-01-01", None], dtype="datetime64[ns]")': '{"!series":[null,{"!index":["RangeIndex",null,[0,2,1]]},{"!array":["<M8[ns]",[2],["2026-01-01T00:00:00.000000000","NaT"]]}]}',
    'pd.Series([pd.Timestamp("2026-01-01", tz="UTC")], dtype="datetime64[ns, UTC]")': '{"!series":[null,{"!index":["RangeIndex",null,[0,1,1]]},{"!array":["datetime64[ns, UTC]",[1],[{"!timestamp":["2026-01-01T00:00:00+00:00[datetime.timezone UTC]","ns"]}]]}]}',
    'pd.Index([1,2], name="i")': '{"!index":["Index","i",{"!array":["<i8",[2],[1,2]]}]}',
    "pd.RangeIndex(3)": '{"!index":["RangeIndex",null,[0,3,1]]}',
    'pd.MultiIndex.from_tuples([(1, 2), (2, 3)], names=["n", "l"])': '{"!index":["MultiIndex",["n","l"],[{"!tuple":[1,2]},{"!tuple":[2,3]}],[{"!array":["<i8",[2],[1,2]]},{"!array":["<i8",[2],[2,3]]}]]}',
    'pd.date_range("2026-01-01", periods=2, unit="ns")': '{"!index":["DatetimeIndex",null,{"!array":["<M8[ns]",[2],["2026-01-01T00:00:00.000000000","2026-01-02T00:00:00.000000000"]]},"D"]}',
    "pd.Categorical([2, 1], categories=[1, 2], ordered=True)": '{"!array":[["category",true,{"!index":["Index",null,{"!array":["<i8",[2],[1,2]]}]}],[2],[2,1]]}',
    'pd.Timestamp("2026-01-01T00:00:00.000000001")': '{"!timestamp":["2026-01-01T00:00:00.000000001","ns"]}',
    'pd.Timestamp("2026-01-01", tz="UTC").as_unit("s")': '{"!timestamp":["2026-01-01T00:00:00+00:00[datetime.timezone UTC]","s"]}',
    "pd.NaT": '{"!constant":"pandas.NaT"}',
    "pd.NA": '{"!constant":"pandas.NA"}',
    'pd.Timedelta("1s").as_unit("ns")': '{"!timedelta":[1000000000,"ns"]}',
    'pd.Period("2026-01","M")': '{"!period":["2026-01","M"]}',
    "pd.Interval(0,1)": '{"!interval":[0,1,"right"]}',
    "pd.IntervalIndex.from_breaks([0,1,2])": '{"!index":["IntervalIndex",null,{"!array":["interval[int64, right]",[2],[{"!interval":[{"!scalar":["<i8",0]},{"!scalar":["<i8",1]},"right"]},{"!interval":[{"!scalar":["<i8",1]},{"!scalar":["<i8",2]},"right"]}]]}]}',
    'pd.period_range("2026-01", periods=2, freq="M")': '{"!index":["PeriodIndex",null,{"!array":["period[M]",[2],[{"!period":["2026-01","M"]},{"!period":["2026-02","M"]}]]},"M"]}',
    "pd.CategoricalDtype([1])": '{"!dtype":[["category",false,{"!index":["Index",null,{"!array":["<i8",[1],[1]]}]}]]}',
    "pd.Int64Dtype()": '{"!dtype":["Int64"]}',
    "Frame([[1]])": '{"!sub":["target.Frame",{"!frame":[{"!index":["RangeIndex",null,[0,1,1]]},{"!index":["RangeIndex",null,[0,1,1]]},[{"!array":["<i8",[1],[1]]}]]}]}',
    "pd.array([1,None])": '{"!array":["Int64",[2],[{"!scalar":["<i8",1]},{"!constant":"pandas.NA"}]]}',
    'pd.Series([[1],{"a":1}])': '{"!series":[null,{"!index":["RangeIndex",null,[0,2,1]]},{"!array":["|O",[2],[[1],{"a":1}]]}]}',
    'pd.Series([1], name="n").rename_axis("i")': '{"!series":["n",{"!index":["RangeIndex","i",[0,1,1]]},{"!array":["<i8",[1],[1]]}]}',
    '(lambda frame: frame.attrs.update(unit="m") or frame)(pd.DataFrame([[1]]))': '{"!frame":[{"!index":["RangeIndex",null,[0,1,1]]},{"!index":["RangeIndex",null,[0,1,1]]},[{"!array":["<i8",[1],[1]]}],{"unit":"m"}]}',
}

needs_pandas = pytest.mark.skipif(
    importlib.util.find_spec("pandas") is None, reason="pandas is not installed, so its values were NOT tested: run `make test-values`"
)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """{expression: its value as one side sent it}, out of real workers that see this environment's packages."""
    interpreter = replace(INTERPRETER, packages=(Path(sysconfig.get_path("purelib")),))
    acts = [*NUMPY, *SAME, *(PANDAS if importlib.util.find_spec("pandas") else ())]
    with open_pair(tmp_path_factory.mktemp("libraries"), PRELUDE, interpreter=interpreter, packages=interpreter.packages) as pair:
        return records(pair, [fixture(text, text) for text in acts])


# Arrays that are equal however they lie in memory.
SAME = {
    "np.array([[1, 2], [3, 4]], order='F')": "np.array([[1,2],[3,4]])",
    "np.array([[1, 3], [2, 4]]).T": "np.array([[1,2],[3,4]])",
    "np.array([0, 9, 2, 9, 4])[::2]": "np.arange(5)[::2]",
}


@pytest.mark.parametrize("text", [*NUMPY, *(pytest.param(text, marks=needs_pandas) for text in PANDAS)])
def test_golden(seen, text):
    for record in seen[text]:
        assert (record["out"], record.get("why")) == ("returned", None)
        assert visible(record["value"]) == (NUMPY | PANDAS)[text]


@pytest.mark.parametrize("text", SAME)
def test_the_layout_in_memory_is_no_difference(seen, text):
    assert visible(seen[text][0]["value"]) == NUMPY[SAME[text]]


def test_no_two_values_share_a_text():
    texts = [*NUMPY.values(), *PANDAS.values()]
    twice = {text for text in texts if texts.count(text) > 1}
    assert twice == {NUMPY["np.array([[1,2],[3,4]])"]}  # once in C order, once in Fortran's


def test_the_reference_names_every_tag_and_no_other():
    page = Path(__file__).parents[3].joinpath("docs/reference/canonical-form.md").read_text("utf-8")
    written = set(re.findall(r"(?<![\\w\"])\"?(![a-z]+)", page))
    texts = " ".join([*VALUES.values(), *NUMPY.values(), *PANDAS.values()])
    assert written == {*re.findall(r'\{"(![a-z]+)":', texts), "!more", "!long"}


def test_nothing_is_imported_to_encode(tmp_path):
    with open_pair(tmp_path, "import sys\ndef run(p): return ['numpy' in sys.modules, 'pandas' in sys.modules]\n") as pair:
        assert records(pair, [fixture("a", 1)])["a"][0]["value"] == [False, False]


NAN, OTHER, LESS = 0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000000


def test_every_nan_of_a_large_array_is_one_nan_and_both_zeros_are_two(tmp_path):
    texts = [
        f"many({NAN}, {OTHER})",
        f"many({OTHER}, {LESS})",
        f"many({NAN}, {NAN}).astype('c16')",
        f"(many({LESS}, {OTHER}) + 0j)",
        "many(0, 1 << 63)",
        "many(0, 0)",
    ]
    with open_pair(tmp_path, PRELUDE, interpreter=replace(INTERPRETER), packages=(Path(sysconfig.get_path("purelib")),)) as pair:
        got = {text: visible(one["value"]) for text, (one, _) in records(pair, [fixture(text, text) for text in texts]).items()}
    assert got[texts[0]] == got[texts[1]]
    assert got[texts[4]] != got[texts[5]]
    assert got[texts[2]] == got[texts[3]]
    assert all('"sha256"' in text for text in got.values())
