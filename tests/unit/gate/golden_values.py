"""Golden vectors: an expression of Python, and the canonical text that its value has, under every CPython that the worker promises.

``docs/reference/canonical-form.md`` is held to this table, and so are the workers (``test_worker_encode.py`` in this process,
``test_worker_versions.py`` under each interpreter). A text that changes here changes ledgers in the field: raise
``CANONICAL_VERSION`` and say **canonical** in the changelog.
"""

# The module `target`, in which the expressions are evaluated.
PRELUDE = r"""
import array, asyncio, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, io, ipaddress, itertools
import math, operator, os, pathlib, re, sys, time, types, uuid, weakref

try:
    import zoneinfo
except ImportError:  # before 3.9
    zoneinfo = None


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Bits(enum.Flag):
    A = 1
    B = 2


class Planet(enum.Enum):
    EARTH = 3

    def __init__(self, order):
        self.label = "third"


class Word(str, enum.Enum):
    YES = "yes"


class Slots:
    __slots__ = ("__hidden", "never", "x")

    def __init__(self):
        self.x, self.__hidden = 1, 2


class MoreSlots(Slots):
    __slots__ = ("y",)


class SlotsAndDict(Slots):
    pass


class NoSlots:
    __slots__ = ()


@dataclasses.dataclass
class Point:
    x: int
    y: list


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: int


class Plain:
    def __init__(self):
        self.b, self.a = 1, "x"

    def method(self):
        pass


class Meta(type):
    # Every answer is a lie; equal without a hash is what an honest one may be.

    __hash__ = None

    def __eq__(cls, other):
        return True

    def __getattribute__(cls, name):
        raise RuntimeError(name)

    def __instancecheck__(cls, one):
        return True

    def __subclasscheck__(cls, one):
        return True


class Metaed(metaclass=Meta):
    def __init__(self):
        self.a = 1


class Liar:
    # Everything about it lies, and calling any of it is an error.

    __class__ = dict

    def _lie(self, *args):
        raise BaseException("called")

    __eq__ = __hash__ = __repr__ = __str__ = __len__ = __iter__ = __getattr__ = __getattribute__ = __bool__ = _lie
    __reduce__ = __reduce_ex__ = __getstate__ = __dir__ = __sizeof__ = __format__ = __copy__ = __deepcopy__ = _lie


class LyingList(list):
    __iter__ = __len__ = __getitem__ = __eq__ = __repr__ = __class__ = Liar._lie
    __hash__ = Liar._lie


class LyingDict(dict):
    __iter__ = __len__ = __getitem__ = keys = items = values = __eq__ = __repr__ = Liar._lie


class LyingText(str):
    __str__ = __repr__ = __eq__ = __len__ = encode = Liar._lie
    __hash__ = Liar._lie


class LyingInt(int):
    __str__ = __repr__ = __int__ = __index__ = __eq__ = __hash__ = Liar._lie


class LyingFloat(float):
    __str__ = __repr__ = __float__ = __eq__ = __hash__ = Liar._lie


class Shadowed:
    # A class whose instances have no attributes, and a property in their place.

    __slots__ = ("x",)
    __dict__ = property(Liar._lie)

    def __init__(self):
        self.x = 1


Pair = collections.namedtuple("Pair", "left right")
Riap = collections.namedtuple("Pair", "right left")


class Bytes(bytes):
    pass


class Complex(complex):
    pass


class Text(str):
    pass


class Labelled(list):
    def __init__(self, items, label):
        super().__init__(items)
        self.label = label


class Token(str):
    # What is plain on it belongs to the value; what is private, or leads elsewhere, does not.
    def __new__(cls, text, kind):
        made = super().__new__(cls, text)
        made.kind, made.line, made._cache, made.page, made.kinds, made.parent = kind, 1, "x", Plain(), set(), made
        return made


class Answer(dict):
    # A container may have containers of plain data beside its items.
    def __init__(self, *args):
        super().__init__(*args)
        self.errors, self._private, self.owner, self.objects, self.all = {"at": [1, (2, None)]}, 1, Plain(), [Plain()], [self]


class Stamp(datetime.datetime):
    def isoformat(self):
        return "always the same"

    __str__ = isoformat


class Money(decimal.Decimal):
    def __str__(self):
        return "a lot"


def giving(value):
    yield 1
    return (value,)

def generator():
    yield 1
    yield "two"


def failing():
    yield 1
    raise ValueError("late")


def leaving():
    yield 1
    raise SystemExit(3)


def reused():
    seen = []
    for number in (1, 2):
        seen[:] = [number]
        yield seen


class Odd(Exception):
    def __init__(self, *args):
        super().__init__(*args)
        self.code = 7


def caused():
    error = ValueError("outer")
    error.__cause__ = KeyError("x")
    return error


def deep(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def loop():
    value = [1]
    value.append({"again": value})
    return value


def loop_of_objects():
    one, other = Plain(), Plain()
    one.a, other.a = other, one
    return one


def shared():
    value = []
    return [value, value]


def moved():
    value = collections.OrderedDict(a=1, b=2)
    value.move_to_end("a")
    return value


class Twice:
    __slots__ = ("__x", "y")

    def __init__(self):
        self.__x, self.y = 1, 2


class TwiceMore(Twice):
    __slots__ = ("__x", "y")

    def __init__(self):
        super().__init__()
        self.__x, self.y = 3, 4
        Twice.y.__set__(self, 5)


class Past:
    __slots__ = ("__dict__", "x")

    def __init__(self):
        self.x = 1
        self.__dict__["x"] = 2


def lacking(act):
    try:
        act()
    except Exception as exc:
        return exc


class Ordered(collections.OrderedDict):
    pass


class MoreOrdered(Ordered):
    def __iter__(self):
        return iter(())

    items = keys = __iter__


def marked(value):
    value.mark = 1
    return value


def sets(levels):
    value = frozenset()
    for level in range(levels):
        value = frozenset((value, level))
    return value


async def later(value):
    await asyncio.sleep(0)
    return value


PLAIN = Plain()


def run(payload):
    if isinstance(payload, str):
        return eval(payload)
    payload["seen"] = len(payload)
"""

VALUES = {
    "None": "null",
    "'None'": '"None"',
    "True": "true",
    "1": "1",
    "1.0": "1.0",
    "-0.0": "-0.0",
    "0.0": "0.0",
    "'1'": '"1"',
    "10 ** 400": "1" + "0" * 400,
    "1e-07": "1e-07",
    "float('nan')": '{"!float":"nan"}',
    "-float('inf')": '{"!float":"-inf"}',
    "[float('nan'), float('inf')]": '[{"!float":"nan"},{"!float":"inf"}]',
    "1 - 2j": '{"!complex":[1.0,-2.0]}',
    "complex(float('nan'), -0.0)": '{"!complex":[{"!float":"nan"},-0.0]}',
    "1 << 330000": '{"!int":"0x1' + "0" * 82500 + '"}',
    "[-(1 << 330001), 1]": '[{"!int":"-0x2' + "0" * 82500 + '"},1]',
    "'e\\u0301\\n'": '"e\\u0301\\n"',
    "'\\ud83d'": '"\\ud83d"',
    "'\\ud83d' + '\\ude00'": '{"!str":[55357,56832]}',
    "'\\U0001f600'": '"😀"',
    "['\\ud83d' + '\\ude00']": '[{"!str":[55357,56832]}]',
    "{'\\ud83d' + '\\ude00': 1}": '{"!dict":[[{"!str":[55357,56832]},1]]}',
    "b'a\\xff\\\\\\n\"'": '{"!bytes":"a\\\\xff\\\\\\\\\\\\x0a\\""}',
    "\"b'x'\"": "\"b'x'\"",
    "bytearray(b'x')": '{"!bytearray":"x"}',
    "memoryview(b'x')": '{"!memoryview":"x"}',
    "memoryview(b'abcd').cast('H')": '{"!memoryview":["H",[2],"abcd"]}',
    "memoryview(b'abcd').cast('B', (2, 2))": '{"!memoryview":["B",[2,2],"abcd"]}',
    "array.array('h', [1, -2])": '{"!object":["array.array",[{"!tuple":["h",[1,-2]]},null]]}',
    "array.array('d', [1.5])": '{"!object":["array.array",[{"!tuple":["d",[1.5]]},null]]}',
    "(1, [2])": '{"!tuple":[1,[2]]}',
    "[1]": "[1]",
    "()": '{"!tuple":[]}',
    "[]": "[]",
    "{}": "{}",
    "{3, 1, 20}": '{"!set":[1,20,3]}',
    "set()": '{"!set":[]}',
    "frozenset()": '{"!frozenset":[]}',
    "{frozenset({2, 1}), frozenset()}": '{"!set":[{"!frozenset":[1,2]},{"!frozenset":[]}]}',
    "{1, '1', (1,), 1.5}": '{"!set":["1",1,1.5,{"!tuple":[1]}]}',
    "{1: 2}": '{"!dict":[[1,2]]}',
    "{'1': 2}": '{"1":2}',
    "{'!set': 1}": '{"!dict":[["!set",1]]}',
    "{'!set': [1], 'a': 2}": '{"!dict":[["!set",[1]],["a",2]]}',
    "{'y': 1, 'x': 2}": '{"x":2,"y":1}',
    "{float('nan'): 1}": '{"!dict":[[{"!float":"nan"},1]]}',
    "{(1, 2): 'a', None: 'b', True: 'c'}": '{"!dict":[[{"!tuple":[1,2]},"a"],[null,"b"],[true,"c"]]}',
    "{frozenset({1}): 1}": '{"!dict":[[{"!frozenset":[1]},1]]}',
    "{PLAIN: 1}": '{"!dict":[[{"!object":["target.Plain",{"a":"x","b":1}]},1]]}',
    "...": '{"!constant":"Ellipsis"}',
    "NotImplemented": '{"!constant":"NotImplemented"}',
    "range(1, 3)": '{"!range":[1,3,1]}',
    "range(0, 10, 1 << 330000)": '{"!range":[0,10,{"!int":"0x1' + "0" * 82500 + '"}]}',
    "slice(1, None, 2)": '{"!object":["builtins.slice",[{"!tuple":[1,null,2]}]]}',
    "decimal.Decimal('1.50')": '{"!decimal":"1.50"}',
    "decimal.Decimal('-0')": '{"!decimal":"-0"}',
    "decimal.Decimal('NaN')": '{"!decimal":"NaN"}',
    "Money('1.5')": '{"!sub":["target.Money",{"!decimal":"1.5"}]}',
    "fractions.Fraction(1, 3)": '{"!fraction":"1/3"}',
    "datetime.datetime(2026, 1, 2, 3, fold=1)": '{"!datetime":"2026-01-02T03:00:00 fold=1"}',
    "datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)": '{"!datetime":"2026-01-02T00:00:00+00:00[datetime.timezone UTC]"}',
    "datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=1), 'X'))": '{"!datetime":"2026-01-02T00:00:00+01:00[datetime.timezone X]"}',
    "datetime.time(1, 2, 3, 4)": '{"!time":"01:02:03.000004"}',
    "datetime.date(2026, 1, 2)": '{"!date":"2026-01-02"}',
    "datetime.timedelta(-1)": '{"!timedelta":[-1,0,0]}',
    "datetime.timezone(datetime.timedelta(hours=1), 'X')": '{"!timezone":["X","1:00:00"]}',
    "Stamp(2026, 1, 2)": '{"!sub":["target.Stamp",{"!datetime":"2026-01-02T00:00:00"}]}',
    "zoneinfo.ZoneInfo('Europe/Berlin')": '{"!object":["zoneinfo.ZoneInfo",[{"!tuple":["Europe/Berlin",1]}]]}',
    "datetime.datetime(2026, 1, 2, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'))": '{"!datetime":"2026-01-02T00:00:00+01:00[zoneinfo.ZoneInfo Europe/Berlin]"}',
    "time.gmtime(0)": '{"!sub":["time.struct_time",{"!tuple":[1970,1,1,0,0,0,3,1,0]},{"tm_gmtoff":0,"tm_zone":"GMT"}]}',
    "uuid.UUID(int=1)": '{"!uuid":"00000000-0000-0000-0000-000000000001"}',
    "ipaddress.ip_address('10.0.0.1')": '{"!ip":["IPv4Address","10.0.0.1"]}',
    "ipaddress.ip_network('10.0.0.0/8')": '{"!ip":["IPv4Network","10.0.0.0/8"]}',
    "ipaddress.ip_interface('::1/64')": '{"!ip":["IPv6Interface","::1/64"]}',
    "pathlib.PurePosixPath('/x')": '{"!path":["PurePosixPath","/x"]}',
    "pathlib.Path('x')": '{"!path":["PosixPath","x"]}',
    "pathlib.PureWindowsPath('c:/x')": '{"!path":["PureWindowsPath","c:\\\\x"]}',
    "Colour.RED": '{"!enum":["target.Colour","RED",1]}',
    "Level.LOW": '{"!enum":["target.Level","LOW",1]}',
    "Bits.B": '{"!enum":["target.Bits","B",2]}',
    "Planet.EARTH": '{"!enum":["target.Planet","EARTH",3,{"label":"third"}]}',
    "Word.YES": '{"!enum":["target.Word","YES","yes"]}',
    "enum.StrEnum('E', 'A').A": '{"!enum":["target.E","A","a"]}',
    "Text('x')": '{"!sub":["target.Text","x"]}',
    "Bytes(b'x')": '{"!sub":["target.Bytes",{"!bytes":"x"}]}',
    "Complex(1)": '{"!sub":["target.Complex",{"!complex":[1.0,0.0]}]}',
    "Labelled([1], 'x')": '{"!sub":["target.Labelled",[1],{"label":"x"}]}',
    "Token('x', 'name')": '{"!sub":["target.Token","x",{"kind":"name","line":1}]}',
    "Answer({'a': 1})": '{"!sub":["target.Answer",{"a":1},{"errors":{"at":[1,{"!tuple":[2,null]}]}}]}',
    "LyingText('x')": '{"!sub":["target.LyingText","x"]}',
    "LyingInt(3)": '{"!sub":["target.LyingInt",3]}',
    "LyingFloat(1.5)": '{"!sub":["target.LyingFloat",1.5]}',
    "LyingList([1])": '{"!sub":["target.LyingList",[1]]}',
    "LyingDict(a=1)": '{"!sub":["target.LyingDict",{"a":1}]}',
    "Liar()": '{"!object":["target.Liar",{}]}',
    "Metaed()": '{"!object":["target.Metaed",{"a":1}]}',
    "Metaed": '{"!type":"target.Metaed"}',
    "Shadowed()": '{"!object":["target.Shadowed",{"x":1}]}',
    "Pair(1, 2)": '{"!namedtuple":["target.Pair",["left",1],["right",2]]}',
    "Riap(1, 2)": '{"!namedtuple":["target.Pair",["right",1],["left",2]]}',
    "collections.OrderedDict(b=1, a=2)": '{"!sub":["collections.OrderedDict",{"a":2,"b":1}]}',
    "TwiceMore()": '{"!object":["target.TwiceMore",{"Twice.y":5,"_Twice__x":1,"__x":3,"y":4}]}',
    "Past()": '{"!object":["target.Past",{"slot x":1,"x":2}]}',
    "lacking(lambda: (1).nothing)": '{"!object":["builtins.AttributeError",{"args":["\'int\' object has no attribute \'nothing\'"],"name":"nothing","obj":{"!type":"builtins.int"}}]}',
    "lacking(lambda: nothing)": '{"!object":["builtins.NameError",{"args":["name \'nothing\' is not defined"],"name":"nothing"}]}',
    "AttributeError('x')": '{"!object":["builtins.AttributeError",{"args":["x"]}]}',
    "Ordered(b=1, a=2)": '{"!sub":["target.Ordered",{"!sub":["collections.OrderedDict",{"a":2,"b":1}]}]}',
    "MoreOrdered(a=1)": '{"!sub":["target.MoreOrdered",{"!sub":["collections.OrderedDict",{"a":1}]}]}',
    "marked(Ordered({1: 2}))": '{"!sub":["target.Ordered",{"!sub":["collections.OrderedDict",{"!dict":[[1,2]]}]},{"mark":1}]}',
    "moved()": '{"!sub":["collections.OrderedDict",{"a":1,"b":2}]}',
    "collections.Counter('aab')": '{"!sub":["collections.Counter",{"a":2,"b":1}]}',
    "collections.defaultdict(list, a=1)": '{"!sub":["collections.defaultdict",{"a":1},{"default_factory":{"!type":"builtins.list"}}]}',
    "collections.defaultdict(None)": '{"!sub":["collections.defaultdict",{}]}',
    "collections.deque([1])": '{"!object":["collections.deque",[{"!tuple":[]},null,[1]]]}',
    "collections.deque([1], 3)": '{"!object":["collections.deque",[{"!tuple":[{"!tuple":[]},3]},null,[1]]]}',
    "collections.ChainMap({'a': 1}, {})": '{"!object":["collections.ChainMap",{"maps":[{"a":1},{}]}]}',
    "types.MappingProxyType({'a': 1})": '{"!sub":["builtins.mappingproxy",{"a":1}]}',
    "types.SimpleNamespace(a=1)": '{"!object":["types.SimpleNamespace",{"a":1}]}',
    "Plain()": '{"!object":["target.Plain",{"a":"x","b":1}]}',
    "object()": '{"!object":["builtins.object",{}]}',
    "NoSlots()": '{"!object":["target.NoSlots",{}]}',
    "Slots()": '{"!object":["target.Slots",{"__hidden":2,"x":1}]}',
    "MoreSlots()": '{"!object":["target.MoreSlots",{"__hidden":2,"x":1}]}',
    "SlotsAndDict()": '{"!object":["target.SlotsAndDict",{"__hidden":2,"x":1}]}',
    "Point(1, [])": '{"!object":["target.Point",{"x":1,"y":[]}]}',
    "Frozen(1)": '{"!object":["target.Frozen",{"x":1}]}',
    "ValueError('x')": '{"!object":["builtins.ValueError",{"args":["x"]}]}',
    "Odd('x')": '{"!object":["target.Odd",{"args":["x"],"code":7}]}',
    "OSError(2, 'gone', 'file')": '{"!object":["builtins.FileNotFoundError",{"args":[2,"gone"],"filename":"file","filename2":null}]}',
    "caused()": '{"!object":["builtins.ValueError",{"__cause__":{"!object":["builtins.KeyError",{"args":["x"]}]},"args":["outer"]}]}',
    "ExceptionGroup('two', [ValueError(1), ExceptionGroup('in', [KeyError('k')])])": '{"!object":["builtins.ExceptionGroup",{"args":["two",[{"!object":["builtins.ValueError",{"args":[1]}]},{"!object":["builtins.ExceptionGroup",{"args":["in",[{"!object":["builtins.KeyError",{"args":["k"]}]}]]}]}]]}]}',
    "re.compile('a')": '{"!object":["re.Pattern",[{"!tuple":["a",32]}]]}',
    "re.compile(b'a', re.I)": '{"!object":["re.Pattern",[{"!tuple":[{"!bytes":"a"},2]}]]}',
    "re.match('(a)(b)?', 'abc')": '{"!object":["re.Match",{"pattern":{"!object":["re.Pattern",[{"!tuple":["(a)(b)?",32]}]]},"spans":{"!tuple":[{"!tuple":[0,2]},{"!tuple":[0,1]},{"!tuple":[1,2]}]},"string":"abc","within":{"!tuple":[0,3]}}]}',
    "Plain": '{"!type":"target.Plain"}',
    "int": '{"!type":"builtins.int"}',
    "Colour": '{"!type":"target.Colour"}',
    "run": '{"!function":"target.run"}',
    "len": '{"!function":"builtins.len"}',
    "lambda: 1": '{"!function":"target.<lambda>"}',
    "PLAIN.method": '{"!object":["builtins.method",[{"!tuple":[{"!object":["target.Plain",{"a":"x","b":1}]},"method"]}]]}',
    "[1].append": '{"!object":["builtins.builtin_function_or_method",[{"!tuple":[[1],"append"]}]]}',
    "str.upper": '{"!object":["builtins.method_descriptor",[{"!tuple":[{"!type":"builtins.str"},"upper"]}]]}',
    "functools.partial(int, '1', base=2)": '{"!object":["functools.partial",[{"!tuple":[{"!type":"builtins.int"}]},{"!tuple":[{"!type":"builtins.int"},{"!tuple":["1"]},{"base":2},null]}]]}',
    "operator.itemgetter(1)": '{"!object":["operator.itemgetter",[{"!tuple":[1]}]]}',
    "os": '{"!module":"os"}',
    "sys": '{"!module":"sys"}',
    "iter([1])": '{"!iter":["builtins.list_iterator",[1]]}',
    "iter((1,))": '{"!iter":["builtins.tuple_iterator",[1]]}',
    "generator()": '{"!iter":["builtins.generator",[1,"two"]]}',
    "giving(3)": '{"!iter":["builtins.generator",[1,{"!returned":{"!tuple":[3]}}]]}',
    "giving(None)": '{"!iter":["builtins.generator",[1,{"!returned":{"!tuple":[null]}}]]}',
    "[giving(1), 2]": '[{"!iter":["builtins.generator",[1,{"!returned":{"!tuple":[1]}}]]},2]',
    "failing()": '{"!iter":["builtins.generator",[1,{"!raised":["builtins.ValueError","late"]}]]}',
    "leaving()": '{"!iter":["builtins.generator",[1,{"!raised":["builtins.SystemExit","3"]}]]}',
    "reused()": '{"!iter":["builtins.generator",[[1],[2]]]}',
    "map(str, [1])": '{"!iter":["builtins.map",["1"]]}',
    "zip([1], [2])": '{"!iter":["builtins.zip",[{"!tuple":[1,2]}]]}',
    "{'a': 1}.keys()": '{"!iter":["builtins.dict_keys",["a"]]}',
    "{'a': 1}.values()": '{"!iter":["builtins.dict_values",[1]]}',
    "{'a': 1}.items()": '{"!iter":["builtins.dict_items",[{"!tuple":["a",1]}]]}',
    "collections.OrderedDict(a=1).keys()": '{"!iter":["builtins.odict_keys",["a"]]}',
    "itertools.islice(itertools.count(), 2)": '{"!iter":["itertools.islice",[0,1]]}',
    "io.StringIO('text')": '{"!object":["_io.StringIO","text",0]}',
    "io.BytesIO(b'bytes')": '{"!object":["_io.BytesIO",{"!bytes":"bytes"},0]}',
    "weakref.ref(PLAIN)": '{"!weakref":{"!object":["target.Plain",{"a":"x","b":1}]}}',
    "loop()": '[1,{"again":{"!cycle":2}}]',
    "loop_of_objects()": '{"!object":["target.Plain",{"a":{"!object":["target.Plain",{"a":{"!cycle":2},"b":1}]},"b":1}]}',
    "shared()": "[[],[]]",
    "sets(2)": '{"!frozenset":[1,{"!frozenset":[0,{"!frozenset":[]}]}]}',
    "copy.copy": '{"!function":"copy.copy"}',
}

# Expressions that older versions do not know.
SINCE = {
    "lacking(lambda: (1).nothing)": (3, 10),
    "lacking(lambda: nothing)": (3, 10),
    "zoneinfo.ZoneInfo('Europe/Berlin')": (3, 9),
    "datetime.datetime(2026, 1, 2, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'))": (3, 9),
    "enum.StrEnum('E', 'A').A": (3, 11),
    "ExceptionGroup('two', [ValueError(1), ExceptionGroup('in', [KeyError('k')])])": (3, 11),
}
