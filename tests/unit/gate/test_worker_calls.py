"""Call fixtures in real workers, on the oldest and the newest interpreter there is: arguments, the scene, and what it leaves behind."""

import json

import pytest

from gate.types import NOW, Limits
from tests.unit.gate.loading import load_worker
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import FEW, find

TARGET = """
import dataclasses, datetime, enum, functools, os, pathlib, sys, time

class Colour(enum.Enum):
    RED = "r"

class Bits(enum.IntFlag):
    A = 1
    B = 2

@dataclasses.dataclass
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)

class Slots:
    __slots__ = ("__hidden", "x")

class Plain:
    class Inner:
        pass

def run(*args, **kwargs):
    return [list(args), kwargs]

def dated():
    return os.stat("d/a").st_mtime

def two(left, right=0):
    return left - right

def change(items, more=None):
    items.append(1)
    if more is not None:
        more["seen"] = True

def shout(*args):
    raise TypeError("from inside")

def scene(names=(), path=None):
    here = sorted(os.path.join(where, name)[2:] for where, _, found in os.walk(".") for name in found)
    return {
        "env": {name: os.environ.get(name) for name in names},
        "files": {name: open(name, "rb").read() for name in here},
        "argv": sys.argv[1:],
        "stdin": sys.stdin.read(),
        "name": sys.stdin.name,
    }

def raw():
    return [os.read(0, 100), sys.stdin.buffer.read()]

def zone():
    return time.localtime(0).tm_hour

def moment():
    return time.time()

class Tool:
    def __init__(self, by=2):
        self.by = by
    def method(self, value):
        return value * self.by
    @classmethod
    def of_class(cls, value):
        return [cls.__name__, value]
    @staticmethod
    def static(value):
        return value + 1
    def __call__(self, value, extra=0):
        return value * self.by + extra

class Later:
    async def __call__(self, value):
        return value + 1

class Promise:
    def __await__(self):
        yield from ()
        return "kept"

async def stream(count):
    for i in range(count):
        yield i
    if count == 2:
        raise ValueError("dry")

async def later(value):
    return value + 1

def promise(_):
    return Promise()

tool = Tool(3)
holder = {"a": 1}
half = functools.partial(two, right=10)
half_later = functools.partial(later)
later_tool = Later()
"""
TYPES = ("target:Colour", "target:Bits", "target:Point", "target:Slots", "target:Plain.Inner", "fractions:Fraction")


@pytest.fixture(scope="module", params=FEW)
def interpreter(request):
    found = find(request.param)
    if found is None:
        pytest.skip(f"no CPython {request.param} on this machine: the worker was NOT tried under it")
    return found


def observe(tmp_path, interpreter, plans, **how):
    """The baseline's record of each plan, all in one batch."""
    with open_pair(tmp_path, TARGET, interpreter=interpreter, limits=Limits(seconds=5.0), **how) as pair:
        found = records(pair, [fixture(str(at), plan, kind=how_of(plan)) for at, plan in enumerate(plans)])
    assert all(left == right for left, right in found.values())
    return [found[str(at)][0] for at in range(len(plans))]


def how_of(plan):
    return "call" if isinstance(plan, dict) else "json"


def values(made):
    return [record.get("value", record) for record in made]


# Arguments that come back as they were written: what the worker makes of a tag is encoded as that tag.
SAME = {
    "json": [1, -0.0, "é", None, True, {"a": [{}]}],
    "tuple": {"!tuple": [1, {"!tuple": []}]},
    "set": {"!set": [1, 2, {"!frozenset": ["a"]}]},
    "dict": {"!dict": [[1, "a"], [{"!tuple": [2]}, {"!dict": [["!x", 0]]}]]},
    "str": {"!str": [0xD83D, 0xDE00]},
    "bytes": {"!bytes": "a\\\\\\x00\\xff"},
    "bytearray": {"!bytearray": ""},
    "float": [{"!float": "nan"}, {"!float": "inf"}, {"!float": "-inf"}],
    "complex": {"!complex": [1.5, {"!float": "nan"}]},
    "range": {"!range": [0, 10, 3]},
    "constant": {"!constant": "Ellipsis"},
    "datetime": [{"!datetime": "2026-01-02T03:04:05.000006"}, {"!datetime": "2026-01-02T03:00:00 fold=1"}],
    "zoned": {"!datetime": "2026-01-02T00:00:00+00:00[datetime.timezone UTC]"},
    "named zone": {"!datetime": "2026-01-02T00:00:00+01:00[datetime.timezone CET]"},
    "time": {"!time": "03:04:05+02:00[datetime.timezone UTC+02:00]"},
    "date": {"!date": "2026-01-02"},
    "timedelta": {"!timedelta": [-1, 2, 3]},
    "timezone": [{"!timezone": ["UTC", "0:00:00"]}, {"!timezone": ["X", "-1 day, 23:00:00"]}],
    "decimal": [{"!decimal": "1.50"}, {"!decimal": "-Infinity"}, {"!decimal": "sNaN123"}],
    "fraction": {"!fraction": "-1/3"},
    "uuid": {"!uuid": "00000000-0000-0000-0000-000000000001"},
    "path": [{"!path": ["PosixPath", "a/b"]}, {"!path": ["PureWindowsPath", "C:\\x"]}, {"!path": ["PurePosixPath", "/x"]}],
    "enum": {"!enum": ["target.Colour", "RED", "r"]},
    "object": {"!object": ["target.Point", {"x": 1, "y": [{"!set": []}]}]},
    "slots": {"!object": ["target.Slots", {"__hidden": 2, "x": 1}]},
    "inner class": {"!object": ["target.Plain.Inner", {"a": {"!tuple": []}}]},
}
# What a person may write more shortly: (written, as it comes back)
SHORT = {
    "Z": ({"!datetime": "2026-01-02T03:00:00Z"}, {"!datetime": "2026-01-02T03:00:00+00:00[datetime.timezone UTC]"}),
    "offset": ({"!datetime": "2026-01-02 03:00+01:00"}, {"!datetime": "2026-01-02T03:00:00+01:00[datetime.timezone UTC+01:00]"}),
    "zone": ({"!timezone": "+01:00"}, {"!timezone": ["UTC+01:00", "1:00:00"]}),
    "utc": ({"!timezone": "UTC"}, {"!timezone": ["UTC", "0:00:00"]}),
    "days": ({"!timedelta": [1]}, {"!timedelta": [1, 0, 0]}),
    "path": ({"!path": "in.csv"}, {"!path": ["PosixPath", "in.csv"]}),
    "enum": ({"!enum": ["target:Colour", "RED"]}, {"!enum": ["target.Colour", "RED", "r"]}),
    "object": ({"!object": ["target:Point", {"x": 1}]}, {"!object": ["target.Point", {"x": 1, "y": []}]}),
    "flags": ({"!enum": ["target:Bits", "A", 1]}, {"!enum": ["target.Bits", "A", 1]}),
    "hex": ({"!bytes": "\\xFF"}, {"!bytes": "\\xff"}),
}
# {what cannot be made: what is said of it}
WRONG = {
    '{"!decimal": "x"}': "!decimal: ",
    '{"!decimal": 1}': "!decimal: a text is wanted",
    '{"!bytes": "\\\\"}': "!bytes: a backslash is written twice, another byte as \\xNN",
    '{"!bytes": "é"}': "!bytes: ",
    '{"!set": [[]]}': "!set: unhashable type: 'list'",
    '{"!path": "../x"}': "!path: ../x leaves the temp root",
    '{"!path": "/etc"}': "!path: /etc leaves the temp root",
    '{"!path": ["Path", "x"]}': "!path: Path is no class of paths",
    '{"!enum": ["target:Colour", "BLUE"]}': "!enum: 'BLUE'",
    '{"!enum": ["target:Tool", "X"]}': '!enum: target:Tool is not allowed: add it as "module:Class" to `types` of the target in shadow.toml',
    '{"!object": ["os:stat_result", {}]}': "!object: os:stat_result is not allowed",
    '{"!datetime": "2026-01-02T00:00:00[pytz.X X]"}': "!datetime: a zone of the class pytz.X cannot be made",
    '{"!float": "1.0"}': "!float: '1.0'",
    '{"!iter": [1]}': "!iter is no tag that makes a value",
    '{"!set": [], "a": 1}': "!set is no tag that makes a value",
}


def test_arguments_are_values_of_python(tmp_path, interpreter):
    plans = [{"args": [value]} for value in SAME.values()]
    assert values(observe(tmp_path, interpreter, plans, types=TYPES)) == [[[value], {}] for value in SAME.values()]


def test_short_forms_are_taken(tmp_path, interpreter):
    plans = [{"kwargs": {"a": value}} for value, _ in SHORT.values()]
    assert values(observe(tmp_path, interpreter, plans, types=TYPES)) == [[[], {"a": value}] for _, value in SHORT.values()]


def test_what_cannot_be_made_is_an_error_that_says_so(tmp_path, interpreter):
    plans = [*({"args": [json.loads(text)]} for text in WRONG), {"args": [1]}]
    *made, last = observe(tmp_path, interpreter, plans, types=TYPES)
    assert [(record["out"], record["where"]) for record in made] == [("error", "payload")] * len(WRONG)
    assert [(record["why"], said) for record, said in zip(made, WRONG.values(), strict=True) if said not in record["why"]] == []
    assert last["value"] == [[1], {}]


def test_a_type_that_is_none_is_said_before_anything_runs(tmp_path, interpreter):
    from gate.errors import WorkerError

    with pytest.raises(WorkerError, match=r"types: target:Nothing cannot be loaded"):
        observe(tmp_path / "a", interpreter, [], types=("target:Nothing",))
    with pytest.raises(WorkerError, match=r"types: target:run is no class"):
        observe(tmp_path / "b", interpreter, [], types=("target:run",))


def test_what_became_of_the_arguments_is_told(tmp_path, interpreter):
    plans = [
        {"args": [[]]},
        {"args": [[]], "kwargs": {"more": {"a": {"!tuple": []}}}},
        {"args": [{"!object": ["target:Point", {"x": 1}]}]},
        {"kwargs": {"items": [{"!decimal": "1"}]}},
    ]
    first, second, third, fourth = observe(tmp_path, interpreter, plans, entry="target:change", types=TYPES)
    assert first["arg"] == {"args": [[1]], "kwargs": {}}
    assert second["arg"] == {"args": [[1]], "kwargs": {"more": {"a": {"!tuple": []}, "seen": True}}}
    assert (third["out"], "arg" in third) == ("raised", False)
    assert fourth["arg"] == {"args": [], "kwargs": {"items": [{"!decimal": "1"}, 1]}}


def test_a_refused_call_is_told_from_a_type_error_inside(tmp_path, interpreter):
    refused, fine = observe(tmp_path / "a", interpreter, [{"kwargs": {"up": 1}}, {"args": [3], "kwargs": {"right": 1}}], entry="target:two")
    assert (refused["out"], refused["at_call"], fine["value"]) == ("raised", True, 2)
    [inside] = observe(tmp_path / "b", interpreter, [{"args": [1]}], entry="target:shout")
    assert (inside["exc"]["type"], "at_call" in inside) == ("TypeError", False)


def test_the_scene_is_set_for_one_fixture_only(tmp_path, interpreter):
    names = {"args": [["A", "HOME_X", "PATH"]]}
    full = names | {
        "env": {"A": "1", "HOME_X": "é", "PATH": None},
        "files": {"in.txt": "ü", "deep/er/b": {"!bytes": "\\xff"}},
        "stdin": "one\r\ntwo",
        "argv": ["-v", "x y"],
    }
    before, inside, after, bare = observe(tmp_path, interpreter, [names, full, names, {"env": {"A": ""}}], entry="target:scene")
    assert inside["value"] == {
        "env": {"A": "1", "HOME_X": "é", "PATH": None},
        "files": {"in.txt": {"!bytes": "\\xc3\\xbc"}, "deep/er/b": {"!bytes": "\\xff"}},
        "argv": ["-v", "x y"],
        "stdin": "one\r\ntwo",
        "name": "<stdin>",
    }
    assert before["value"] == after["value"]
    assert before["value"] | {"env": {}} == {"env": {}, "files": {}, "argv": [], "stdin": "", "name": "<stdin>"}
    assert (before["value"]["env"]["A"], before["value"]["env"]["PATH"] is None) == (None, False)
    assert [record["env"] for record in (before, inside, after)] == [["A", "HOME_X", "PATH"]] * 3
    assert "env" not in bare  # setting a name is no read of it
    assert "files" not in inside  # what the fixture brought was not written by the target


def test_stdin_can_be_read_at_every_level(tmp_path, interpreter):
    [made, empty] = values(observe(tmp_path, interpreter, [{"stdin": {"!bytes": "\\xff\\x00"}}, {}], entry="target:raw"))
    assert (made, empty) == ([{"!bytes": "\\xff\\x00"}, {"!bytes": ""}], [{"!bytes": ""}, {"!bytes": ""}])


def test_a_time_zone_in_env_is_in_force(tmp_path, interpreter):
    plans = [{}, {"env": {"TZ": "XYZ-5"}}, {}]
    assert values(observe(tmp_path, interpreter, plans, entry="target:zone")) == [0, 5, 0]


def test_a_scene_that_cannot_be_set_is_an_error_and_leaves_nothing(tmp_path, interpreter):
    plans = [{"env": {"A": "1"}, "files": {"x": "", "x/y": ""}}, {"args": [["A"]]}]
    failed, after = observe(tmp_path, interpreter, plans, entry="target:scene")
    assert (failed["out"], failed["where"]) == ("error", "payload")
    assert failed["why"].endswith(("the file x/y cannot be written: File exists", "the file x/y cannot be written: Not a directory"))
    assert (after["value"]["env"], after["value"]["files"]) == ({"A": None}, {})


@pytest.mark.parametrize(
    ("entry", "plan", "value"),
    [
        ("target:tool.method", {"args": [2]}, 6),
        ("target:tool.method", 2, 6),
        ("target:Tool.of_class", 1, ["Tool", 1]),
        ("target:Tool.static", 1, 2),
        ("target:Tool.method", {"args": [{"!object": ["target:Tool", {"by": 5}]}, 2]}, 10),
        ("target:tool", {"args": [1], "kwargs": {"extra": 1}}, 4),
        ("target:Point", {"kwargs": {"x": 1}}, {"!object": ["target.Point", {"x": 1, "y": []}]}),
        ("target:half", 12, 2),
        ("target:half_later", 1, 2),
        ("target:later", {"kwargs": {"value": 1}}, 2),
        ("target:later_tool", 1, 2),
        ("target:promise", 1, "kept"),
        ("target:stream", 1, {"!iter": ["builtins.generator", [0]]}),
        ("target:stream", 2, {"!iter": ["builtins.generator", [0, 1, {"!raised": ["builtins.ValueError", "dry"]}]]}),
        ("target:holder.get", {"args": ["a"]}, 1),
    ],
)  # fmt: skip
def test_everything_that_can_be_called_is_a_target(tmp_path, interpreter, entry, plan, value):
    [made] = observe(tmp_path, interpreter, [plan], entry=entry, types=("target:Tool", "target:Point"))
    assert made.get("value", made) == value


def test_the_type_of_a_stream_is_its_own(tmp_path, interpreter):
    [made] = observe(tmp_path, interpreter, [1], entry="target:stream")
    assert made["type"] == "builtins.async_generator"


def test_an_adapter_is_handed_the_arguments_of_a_call(tmp_path, interpreter):
    adapter = tmp_path / "bend.py"
    adapter.write_text("def call(target, *args, **kwargs):\n    return [target.__name__, args, kwargs]\n")
    made = values(observe(tmp_path / "s", interpreter, [{"args": [1], "kwargs": {"a": 2}}, 5], adapter=adapter))
    assert made == [["run", {"!tuple": [1]}, {"a": 2}], ["run", {"!tuple": [5]}, {}]]


def test_now_is_the_moment_of_one_fixture_only(tmp_path, interpreter):
    plans = [{}, {"now": 1.5}, {"now": "2026-01-02T00:00:00Z"}, {"now": "2026-01-02T01:00:00+01:00"}, {"now": "2026-01-02"}, {}]
    made = values(observe(tmp_path, interpreter, plans, entry="target:moment"))
    assert made == [NOW, 1.5, 1767312000.0, 1767312000.0, 1767312000.0, NOW]


def test_files_of_a_fixture_were_written_at_its_moment(tmp_path, interpreter):
    plans = [{"files": {"d/a": "x"}, **now} for now in ({}, {"now": 1.5})]
    made = values(observe(tmp_path, interpreter, plans, entry="target:dated"))
    assert made == [NOW, 1.5]


def test_a_clock_that_does_not_stand_still_cannot_be_set(monkeypatch):
    worker = load_worker()
    monkeypatch.setattr(worker._clock, "frozen", False)
    with pytest.raises(ValueError, match="`now` cannot be set"):
        worker.call_of({"now": 1}, worker.Effects("/nowhere", "/nowhere"))
