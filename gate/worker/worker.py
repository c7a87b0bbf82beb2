"""One side of a dual run: imports the target once, then runs each batch of fixtures in a fork of itself.

Standard library only, one file, alone in its folder; runs under CPython 3.8 and newer *inside the target's
interpreter*. It knows nothing of the other side, of the ledger or of verdicts. This docstring is the protocol. The
file is long because it must stand alone: it may import nothing of ours.

Descriptors. 0 brings requests, 1 takes answers; both are moved out of the target's reach before the target is
imported. Every frame is a big-endian u32 length and that many bytes. End of file on 0 ends the worker.

First request, JSON: {"roots": [..], "packages": [..], "side_root": "..", "own": [..], "run_root": "..", "temp_root": "..",
    "kind": "function" | "command" | "asgi" | "wsgi", "entry": "module:name", "words": [words of a command],
    "types": ["module:Class" that fixtures may name, ..],
    "adapter": path or null, "seconds": 5.0, "memory": bytes, "output": bytes, "now": seconds since 1970, "seed": 0,
    "command": [how this process was started], "require": what must be enforced before the target is imported ["net", "fs", "signals"]}
First answer, JSON (the hello), what was obtained rather than what was asked for:
    {"hello": 1, "python": "3.11.7", "implementation": "cpython", "cache_tag": "..", "hash": hash("shadow"),
     "build": sys.version, "executable": real path, "flags": {..}, "clock": "frozen" | null, "modules": {name: file},
     "threads": n, "import": {"env": [..], "net": [..], "files": [..], "process": [..]},
     "enforced": {"net": "seccomp", "fs": "landlock-7", "signals": "landlock"} (null for what is not), "why": {"fs": why not},
     "spawns": whether batches run in fresh processes because threads run, "stdout": tree, "stderr": tree}          or
    {"hello": 1, "failed": "import" | "entry" | "adapter", "type": "module.qualname", "msg": text, "trace": text}          or
    {"hello": 1, "failed": "sandbox", "missing": {"net": why not}}: nothing of the target was run

Every later request is a batch: u32 count, u32 how many of them may share a fork, then count times (u8 kind, u32 length),
then the payloads end to end.
    kind 0: JSON (decoded as Python's json does), 1: text (UTF-8), 2: bytes, 3: a call, JSON {"args": [..], "kwargs": {..},
    "now": seconds or ISO text, "env": {..}, "files": {path: content}, "stdin": content, "argv": [..]}, every key optional;
    arguments may use the tags that `untag` lists, a content is text or {"!bytes": ..}; plus 128 where values are to cross
    whole up to WHOLE instead of LONGEST characters (what is longer crosses as `!long`: length, digest and head).
Its answer, in one frame or in several that follow each other: u32 count, then count times (u32 record, u32 stdout,
    u32 stderr) lengths, then those bytes end to end in the same order, then one byte: 1 if by now a module of the side's
    own ("own") was loaded, u32: how many of these fixtures were run again alone, u16 length of ASCII words, separated by
    ", ", and these: what made it so, something that a fixture left changed for the next (umask, a patched module ..); then
    nothing or a JSON object {name: file}: modules that fixtures have brought in or put in another's place and that were
    not told before.

A record is one ASCII JSON object, dict order as the target gave it; keys stand only where they say something:
    "out": "returned"  + "value": tree, "type": "module.qualname"
           "raised"    + "exc": {"type", "module", "msg", "bases": ["module.qualname", ..] (not of builtins)}, "chain": [..],
                         "at_call": true (a TypeError of the call itself)
           "exited"    + "code", "hard": true when the process ended without SystemExit, "done": true when a command ended with 0
           "signalled" + "signal" | "timed_out" | "over" + "limit": "memory" | "output"
           "error"     + "where", "why": a fault of fixture or harness, never the target's outcome
    any:   "cut": true (first of all: an iterator went on beyond ITEMS) or false (first of all: there is "shared"),
           "shared": [files in memory that were opened by a name that the other side sees as well],
           "arg": tree (only if the call changed its argument; of a call {"args": [..], "kwargs": {..}}),
           "env", "net", "files", "process": sorted lists, "warnings": [{"type", "msg"}, ..]

How results cross. The fork writes records into anonymous shared memory, not to a descriptor: a target that closes
or scribbles on descriptors cannot hurt them, and the records of a batch that dies half-way survive. The server
then forks again from the next fixture, so that a crash, exit or time-out costs exactly one fixture.

Trees are JSON with one-key tags for what JSON cannot say; `encode` below lists them (source: design, section 6).
"""

from __future__ import annotations

import builtins

# A private copy: a target that replaces builtins.len does not reach the code below.
__builtins__ = dict(vars(builtins))  # type: ignore[assignment]  # declared as the module; CPython takes a dict as well

import _io
import _json
import _locale
import _operator
import _signal  # type: ignore[import-not-found]  # typeshed leaves it out; `signal` makes enumerations of it, and of each answer
import _thread
import _weakref
import errno
import gc
import importlib
import marshal
import mmap
import os
import re
import resource
import select
import struct
import sys
import time
import types
import warnings

TYPE_CHECKING = False  # as `typing` has it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Target = Callable[[Any], Any]
    Answer = tuple[bytes, bytes, bytes]  # record, stdout, stderr
    Pairs = list[tuple[Any, Any]]
    Parts = list[Any]  # of the work stack of a `_Writer`: values still to be written, and texts that are ready
    Maker = Callable[[Any], str | Parts]
    Makers = dict[Any, Maker]  # by exact type


class _Scanning:
    """What the C scanner wants to know: JSON as `json.loads` decodes it."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__


# The C half of `json` and nothing else of it: no second copy has to be loaded, and nothing that a target
# replaces in `json` reaches us.
_scan = _json.make_scanner(_Scanning())  # type: ignore[arg-type]  # CPython takes any object with these attributes
_quote: Callable[[str], str] = _json.encode_basestring_ascii
_encode = _json.make_encoder(None, repr, _quote, None, ":", ",", False, False, False)


def _loads(text: str) -> Any:
    """`json.loads` of text."""
    start = len(text) - len(text.lstrip(" \t\n\r"))
    try:
        value, end = _scan(text, start)
    except (StopIteration, SystemError):  # without `json.decoder` the C half cannot even name its error
        value, end = None, start
    if end > start and not text[end:].strip(" \t\n\r"):
        return value
    from json.decoder import JSONDecoder

    return JSONDecoder().decode(text)  # says what is wrong, and where


def _dumps(value: Any) -> str:
    """Compact ASCII JSON of a plain value. Raises ValueError on nan and infinity, RecursionError on depth."""
    return "".join(_encode(value, 0))


# Bound before the target can replace them.
_read, _write, _pread, _fstat, _exit, _fork = os.read, os.write, os.pread, os.fstat, os._exit, os.fork
_kill, _killpg, _waitpid, _waitid, _getpid, _setsid, _close = (
    os.kill,
    os.killpg,
    os.waitpid,
    os.waitid,
    os.getpid,
    os.setsid,
    os.close,
)
_getcwd, _join, _normpath, _fsdecode = os.getcwd, os.path.join, os.path.normpath, os.fsdecode
_mono, _marshal = time.monotonic, marshal.dumps
_gmtime, _localtime, _urandom, _warn = time.gmtime, time.localtime, os.urandom, warnings.warn
_pack_into, _unpack_from = struct.pack_into, struct.unpack_from
_truncate, _seek, _get_blocking, _set_blocking = os.ftruncate, os.lseek, os.get_blocking, os.set_blocking
_chdir, _putenv, _unsetenv, _utime = os.chdir, os.putenv, os.unsetenv, os.utime
_settrace, _setprofile = sys.settrace, sys.setprofile
_getrecursionlimit, _setrecursionlimit = sys.getrecursionlimit, sys.setrecursionlimit
_setrlimit, _sigwait = resource.setrlimit, getattr(_signal, "sigtimedwait", None)
_mask = _signal.pthread_sigmask
_frame = sys._getframe
_modules, _attribute = sys.modules, object.__getattribute__  # the import system keeps this dict, whatever sys.modules becomes
_pack, _unpack = struct.pack, struct.unpack
_count, _sleep, _stat, _is, _dup, _getrlimit = _thread._count, time.sleep, os.stat, _operator.is_, os.dup, resource.getrlimit

# What any start of Python loads before the first line of a program: a side's own module of such a name is never seen.
_PLAIN = (
    " _abc _codecs _collections_abc _frozen_importlib _frozen_importlib_external _io _signal _sitebuiltins _stat _thread abc builtins"
    " codecs encodings genericpath io marshal os posix posixpath site stat sys time zipimport __main__ "
)
_LIBRARY, _OURS = os.path.dirname(os.__file__), (lambda: None).__code__.co_filename
LATE = 1 << 22  # address space for the names and files of modules that fixtures bring in

SHARED = 1 << 26  # address space; only what a batch writes becomes memory
LONGEST = 1 << 20  # an encoded value longer than this crosses as size, digest and head
WHOLE = 1 << 24  # the same, where the request asks for whole values
NODES = 2000000  # one value's budget: a small graph can stand for an endless text
ITEMS = 100000  # how far an iterator is drained
FRAME = 1 << 20  # an answer is not kept back to be sent with later ones once it has so many bytes
FLOOD = 1 << 26  # hard stop for what a fixture may write to one file
PATIENCE = 0.1  # seconds for a thread to end by itself; once it was waited for in vain, no more in this fork
STARTING = 60.0  # seconds for a fresh process to import the target

# ------------------------------------------------------------------ values to trees

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LOW, _HIGH = -(1 << 330000), 1 << 330000  # an integer beyond these has more digits than a reader of numbers takes (100,000)
_NoneType = type(None)
# What a class says of itself, past anything that its metaclass puts in the way.
_module_of, _qualname_of = type.__dict__["__module__"].__get__, type.__dict__["__qualname__"].__get__
_mro_of, _vars_of = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
_short_name_of = type.__dict__["__name__"].__get__
_flags_of = type.__dict__["__flags__"].__get__
_size_of, _dict_at, _weakref_at = (type.__dict__[name].__get__ for name in ("__basicsize__", "__dictoffset__", "__weakrefoffset__"))
_items_at = type.__dict__["__itemsize__"].__get__


class Unencodable(Exception):  # noqa: N818  # the name says what the value is; nothing went wrong
    """A value that no tag describes. Becomes an `error` on the fixture, never the target's outcome."""


def names_of(kind: Any) -> tuple[str, str]:
    """(module, qualified name) of a class; no code of a metaclass is run."""
    try:
        module, name = _module_of(kind), _qualname_of(kind)
    except Exception:  # a class without a module
        return "?", "?"
    return module if type(module) is str else "?", name if type(name) is str else str.__str__(name)


def name_of(kind: Any) -> str:
    """`module.qualname` of a class or function."""
    if issubclass(type(kind), type):
        return "%s.%s" % names_of(kind)
    try:
        module, name = kind.__module__, kind.__qualname__
    except Exception:  # a callable of the target's own making
        return "?"
    return "%s.%s" % (module, name) if type(module) is str and type(name) is str else "?"


def plain(value: Any) -> bool:
    """True if `value` is JSON but for keys that may read as tags: exact types, keys that are text. Calls no method of the target's.

    A value of many parts must be a tree: what is met twice may be a cycle, or a small graph that stands for an endless text.
    """
    # One test after the other, by identity: a set of types would ask a metaclass for its hash.
    kind = type(value)
    if kind is str or kind is _NoneType or kind is bool or kind is float or (kind is int and _LOW < value < _HIGH):
        return True
    parts, seen, found = 0, set(), [value]
    inner: Any
    for one in found:  # which grows on the way
        if type(one) is dict:
            for key in one:
                if type(key) is not str:
                    return False
            inner = one.values()
        elif type(one) is list:
            inner = one
        else:
            return False
        parts += len(one) + 1
        if parts > 50000:
            if id(one) in seen:
                return False
            seen.add(id(one))
        for item in inner:
            kind = type(item)
            if kind is str:
                continue
            if kind is int:
                if not _LOW < item < _HIGH:
                    return False
            elif kind is not _NoneType and kind is not bool and kind is not float:
                found.append(item)
    return True


def encode(value: Any) -> str:
    """The tree of any value, as ASCII JSON text. Raises Unencodable."""
    text = None
    if plain(value):
        try:
            text = _dumps(value)
        except (ValueError, RecursionError):  # nan or infinity, too deep for the C encoder, or the target lowered the limit on digits
            text = None
        # `\ud` marks a surrogate in the escaped text: an adjacent pair of them must not read as one character, nor a key as a tag.
        if text is not None and (("\\ud" in text and _has_pair(value)) or ('"!' in text and _has_tag(value))):
            text = None
    if text is None:
        return _Writer().write(value)
    return text if len(text) <= _longest[0] else _long((text,))


_cut = [False]  # whether an iterator of this fixture went on beyond ITEMS
_longest = [LONGEST]  # or WHOLE while a fixture is run whose request asks for that


def _long(texts: Iterable[str]) -> str:
    """What crosses of a text that is too long, given in pieces: its length, its digest, its head."""
    import hashlib

    digest, size, head = hashlib.sha256(), 0, ""
    for text in texts:
        head = (head + text[:500])[:500]
        size += len(text)
        for start in range(0, len(text), 1 << 20):  # the whole as bytes would be a second copy of it
            digest.update(text[start : start + (1 << 20)].encode("ascii"))
    return '{"!long":[%d,"%s",%s]}' % (size, digest.hexdigest(), _quote(head))


def _has_pair(value: Any) -> bool:
    stack = [value]
    while stack:
        value = stack.pop()
        if type(value) is str:
            if _PAIR.search(value):
                return True
        elif type(value) is dict:
            stack.extend(value)
            stack.extend(value.values())
        elif type(value) is list:
            stack.extend(value)
    return False


def _has_tag(value: Any) -> bool:
    stack = [value]
    while stack:
        value = stack.pop()
        if type(value) is dict:
            if any(key[:1] == "!" for key in value):
                return True
            stack.extend(value.values())
        elif type(value) is list:
            stack.extend(value)
    return False


class _Text(str):
    """Output that is ready, on the work stack of a `_Writer`."""

    __slots__ = ()


class _Leave:
    """On the work stack of a `_Writer`: the value with this id has been written whole."""

    __slots__ = ("ident",)

    def __init__(self, ident: int) -> None:
        self.ident = ident


class _Mark:
    """Something to be done, on the work stack of a `_Writer`: the name of a method of it, and what that takes."""

    __slots__ = ("act", "what")

    def __init__(self, act: str, what: Any = None) -> None:
        self.act, self.what = act, what


_COMMA, _CLOSE = _Text(","), _Text("]}")
_OPEN_SET, _CUT_SET, _CLOSE_SET = _Mark("open_set"), _Mark("cut_set"), _Mark("close_set")


class _Writer:
    """Writes one value, without recursion: depth is bounded by memory only."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.stack: Parts = []
        self.open: dict[int, int] = {}  # ids of the values being written, with their depth
        self.alive: list[Any] = []  # parts are often made on the fly; they stay referenced so that no id is used twice
        self.sets: list[list[int]] = []  # of each open set, where in `out` its members begin and end
        self.kept: list[str] = []  # what was taken from `out` in one piece
        self.size = 0

    def write(self, root: Any) -> str:
        """The text of `root`."""
        out, stack, opened = self.out, self.stack, self.open
        stack.append(root)
        budget = NODES
        while stack:
            value = stack.pop()
            kind = type(value)
            if kind is _Text:
                out.append(value)
                continue
            if kind is _Leave:
                del opened[value.ident]
                continue
            if kind is _Mark:
                getattr(self, value.act)(value.what)
                continue
            budget -= 1
            if budget < 0:
                raise Unencodable("the value has more than %d parts; return less, or use an adapter" % NODES)
            made: Any = (_makers.get(id(kind)) or _maker_of(kind))(value)
            if type(made) is str:
                out.append(made)
                if len(made) > 65536:
                    self.gather()
                continue
            ident = id(value)
            if ident in opened:
                out.append('{"!cycle":%d}' % (len(opened) - opened[ident]))
                continue
            opened[ident] = len(opened)
            self.alive.append(value)
            stack.append(_Leave(ident))
            made.reverse()
            stack.extend(made)
        self.gather()
        return "".join(self.kept) if self.size <= _longest[0] else _long(self.kept)

    def gather(self) -> None:
        """Make one piece of many, where no set is open that has to be sorted yet."""
        if not self.sets:
            self.kept.append("".join(self.out))
            self.size += len(self.kept[-1])
            self.out.clear()

    def open_set(self, _: None) -> None:
        """Members follow, in chance order."""
        self.sets.append([len(self.out)])

    def cut_set(self, _: None) -> None:
        """One member has been written."""
        self.sets[-1].append(len(self.out))

    def close_set(self, _: None) -> None:
        """Put the members in the order of their texts: `sorted` on the members themselves may be a partial order."""
        cuts = self.sets.pop()
        if len(cuts) > 2:
            texts = ["".join(self.out[start:end]) for start, end in zip(cuts, cuts[1:])]
            del self.out[cuts[0] :]
            self.out.append(",".join(sorted(texts)))

    def step(self, what: list[Any]) -> None:
        """Take one item of an iterator and write it before the next is asked for: it may hand out one list again and again.

        What the iterator raises is part of what it does, so it is part of the value.
        """
        iterator, count = what
        comma: Parts = [_COMMA] if count else []
        try:
            iterator = iterator if count else iter(iterator)
            item = next(iterator)
        except StopIteration as exc:
            value = _value_of(exc)
            if value is not None:  # what a generator returned
                self.stack.extend((_Text("}"), value, _Text('{"!returned":'), *comma))
            return
        except (Unencodable, MemoryError):
            raise
        except BaseException as exc:
            text = '{"!raised":[%s,%s]}' % (_quote(name_of(type(exc))), _quote(message_of(exc)))
            self.stack.extend((_Text(text), *comma))
            return
        if count == ITEMS:
            _cut[0] = True
            self.stack.extend((_Text('{"!more":true}'), *comma))
        else:
            self.stack.extend((_Mark("step", [iterator, count + 1]), item, *comma))


# Texts and parts of values, by class. A maker gives the text of a value, or a list of parts for the work stack.


def _text(value: str) -> str:
    if _PAIR.search(value):
        return '{"!str":[%s]}' % ",".join(str(ord(c)) for c in value)
    return _quote(value)


def _int(value: int) -> str:
    return _digits(value) if _LOW < value < _HIGH else '{"!int":"%s"}' % _digits(value)


def _digits(value: int) -> str:
    if not _LOW < value < _HIGH:
        return hex(value)  # in linear time
    try:
        return int.__repr__(value)
    except ValueError:  # the target lowered the limit on digits
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return int.__repr__(value)
        finally:
            sys.set_int_max_str_digits(limit)


def _float(value: float) -> str:
    if value != value:
        return '{"!float":"nan"}'
    if value in (float("inf"), float("-inf")):
        return '{"!float":"%s"}' % ("inf" if value > 0 else "-inf")
    return float.__repr__(value)


_shown_bytes: list[str] = []


def _bytes(value: bytes | bytearray) -> str:
    r"""A JSON string: printable ASCII raw, backslash doubled, the rest as `\xNN`."""
    if not _shown_bytes:
        shown = ["\\\\" if b == 92 else chr(b) if 32 <= b < 127 else "\\x%02x" % b for b in range(256)]
        _shown_bytes.extend(_quote(text)[1:-1] for text in shown)
    # In slices: a list of as many texts as there are bytes would take eight times their room.
    slices = ["".join(map(_shown_bytes.__getitem__, value[start : start + 65536])) for start in range(0, len(value), 65536)]
    return '"%s"' % "".join(slices)


def _memoryview(value: memoryview) -> str:
    try:
        data = _bytes(value.tobytes())
    except (ValueError, NotImplementedError):
        raise Unencodable("a memoryview that was released, or that cannot be read; return bytes") from None
    if value.format == "B" and value.ndim == 1:
        return '{"!memoryview":%s}' % data
    return '{"!memoryview":[%s,%s,%s]}' % (_quote(value.format), _dumps([*(value.shape or ())]), data)


def _builtin(value: Any) -> str | Parts:
    """A function of an extension module by its name; a method that is bound to a value with that value."""
    owner = type(value.__self__)
    return '{"!function":%s}' % _quote(name_of(value)) if owner is types.ModuleType or owner is _NoneType else _reduced(value, type(value))


def _module(value: Any) -> str:
    name = vars(value).get("__name__")
    return '{"!module":%s}' % _quote(name if type(name) is str else "?")


def _listed(tag: str | None, items: Iterable[Any]) -> Parts:
    """Work-stack parts of `{"tag":[item,..]}`, or of a plain list where `tag` is None."""
    parts: Parts = [_Text('{"%s":[' % tag if tag else "[")]
    for item in items:
        parts += (item, _COMMA)
    if len(parts) > 1:
        parts.pop()
    parts.append(_CLOSE if tag else _Text("]"))
    return parts


def _mapped(pairs: Pairs) -> Parts:
    """Parts of a mapping given as pairs: an object where the keys allow it, else `!dict` with the pairs in order."""
    if all(type(key) is str and key[:1] != "!" and not _PAIR.search(key) for key, _ in pairs):
        parts: Parts = [_Text("{")]
        for i, (key, item) in enumerate(pairs):
            parts += (_Text((",%s:" if i else "%s:") % _quote(key)), item)
        parts.append(_Text("}"))
        return parts
    parts = [_Text('{"!dict":[')]
    for i, (key, item) in enumerate(pairs):
        parts += (_Text(",[" if i else "["), key, _COMMA, item, _Text("]"))
    parts.append(_CLOSE)
    return parts


def _members(tag: str, members: Iterable[Any]) -> Parts:
    """Parts of a set."""
    parts: Parts = [_Text('{"%s":[' % tag), _OPEN_SET]
    for member in members:
        parts += (member, _CUT_SET)
    parts += (_CLOSE_SET, _CLOSE)
    return parts


def _named(tag: str, kind: Any, *parts: Parts) -> Parts:
    """Parts of `{"tag":["module.qualname",part,..]}`; each part is a list of work-stack parts."""
    out: Parts = [_Text('{"%s":[%s' % (tag, _quote(name_of(kind))))]
    for part in parts:
        out.append(_COMMA)
        out += part
    out.append(_CLOSE)
    return out


_VIEWS: tuple[Any, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_BUILTINS: dict[Any, Maker] = {
    _NoneType: lambda _: "null",
    bool: lambda v: "true" if v else "false",
    int: _int,
    str: _text,
    float: _float,
    bytes: lambda v: '{"!bytes":%s}' % _bytes(v),
    bytearray: lambda v: '{"!bytearray":%s}' % _bytes(v),
    memoryview: _memoryview,
    complex: lambda v: '{"!complex":[%s,%s]}' % (_float(v.real), _float(v.imag)),
    range: lambda v: '{"!range":[%s,%s,%s]}' % (_int(v.start), _int(v.stop), _int(v.step)),
    type(Ellipsis): lambda _: '{"!constant":"Ellipsis"}',
    type(NotImplemented): lambda _: '{"!constant":"NotImplemented"}',
    types.FunctionType: lambda v: '{"!function":%s}' % _quote(name_of(v)),
    types.BuiltinFunctionType: _builtin,
    types.ModuleType: _module,
    list: lambda v: _listed(None, v),
    dict: lambda v: _mapped(list(v.items())),
    tuple: lambda v: _listed("!tuple", v),
    set: lambda v: _members("!set", v),
    frozenset: lambda v: _members("!frozenset", v),
    _weakref.ReferenceType: lambda v: [_Text('{"!weakref":'), v(), _Text("}")],
    types.MappingProxyType: lambda v: _named("!sub", types.MappingProxyType, _mapped(list(v.items()))),
}
_makers: dict[int, Maker] = {id(kind): maker for kind, maker in _BUILTINS.items()}  # by id: a metaclass may have a `__hash__` of its own
_alive: list[Any] = []  # the classes behind these ids


def _maker_of(kind: Any) -> Maker:
    """How values of a class are written, found out once for each class."""
    maker = _known(kind) or _maker_by_base(kind, _mro_of(kind))
    _alive.append(kind)
    _makers[id(kind)] = maker
    return maker


_of_standard: dict[int, Maker] = {}


def _known(kind: Any) -> Maker | None:
    """The maker for an exact type of a known library. One that is not loaded cannot have made a value, so none is imported."""
    package = names_of(kind)[0].partition(".")[0]
    for name in (package, package + ".ma"):  # numpy loads that part when it is first used
        if name in _STANDARD and name in sys.modules:
            found = _STANDARD.pop(name)(sys.modules[name])
            _alive.extend(found)
            _of_standard.update((id(known), maker) for known, maker in found.items())
    return _of_standard.get(id(kind))


def _maker_by_base(kind: Any, mro: tuple[Any, ...]) -> Maker:
    """How values of a class are written that is in no table: by what it is derived from, else by what it is made of."""
    if issubclass(kind, type):
        return lambda v: '{"!type":%s}' % _quote(name_of(v))
    if issubclass(kind, types.ModuleType):
        return _module
    state = _state_of(kind, mro)
    if "enum" in sys.modules and issubclass(kind, sys.modules["enum"].Enum):
        return lambda v: _enum(kind, state(v))
    if issubclass(kind, BaseException):
        return lambda v: _named("!object", kind, _mapped([("args", list(_args_of(v))), *_hidden(v, kind), *state(v)]))
    for base in mro[1:]:
        made = _known(base)
        if made is not None:
            return _derived(kind, base, made, state)
    inner = _plain_of(kind, mro)
    if inner is not None:
        return _substitute(kind, mro, inner, state)
    if _find(mro, "fileno") is not None:
        return _file(kind, state)
    if issubclass(kind, _VIEWS):
        return lambda v: _named("!iter", kind, _listed(None, v))
    if _find(mro, "__next__") is not None and _find(mro, "__iter__") is not None:
        return lambda v: _named("!iter", kind, [_Text("["), _Mark("step", [v, 0]), _Text("]")])
    if _is_compiled(kind, mro):
        return lambda v: _reduced(v, kind)
    return lambda v: _named("!object", kind, _mapped(state(v)))


def _find(mro: tuple[Any, ...], name: str) -> Any:
    """A class attribute as it stands, or None."""
    for base in mro:
        own = _vars_of(base)
        if name in own:
            return own[name]
    return None


def _slots_of(mro: tuple[Any, ...]) -> Pairs:
    """(name, descriptor) of every slot that a class statement made, with the name as it stands there.

    Where two classes have slots of one name, the second is told by the name that the interpreter made of it, or with its class.
    """
    found: Pairs = []
    names: set[str] = set()
    for base in mro:
        own = _vars_of(base)
        if "__slots__" in own:
            private = "_%s__" % _short_name_of(base).lstrip("_")
            for name, member in own.items():
                if type(member) is types.MemberDescriptorType:
                    choices = [name[len(private) - 2 :] if name.startswith(private) else name, name, "%s.%s" % (_short_name_of(base), name)]
                    while choices[0] in names:
                        choices = choices[1:] or [choices[0] + "'"]
                    names.add(choices[0])
                    found.append((choices[0], member))
    return found


def _state_of(kind: Any, mro: tuple[Any, ...]) -> Callable[[Any], Pairs]:
    """What reads the attributes and slots of instances, as pairs. It calls nothing of the target's that can be left out."""
    slots, attributes = _slots_of(mro), None
    if _dict_at(kind):
        attributes = _find(mro, "__dict__")
        if type(attributes) not in (types.GetSetDescriptorType, types.MemberDescriptorType):  # the class put something else in its place
            attributes = None

    def state(value: Any) -> Pairs:
        pairs: Pairs = []
        if _dict_at(kind):
            try:
                own = attributes.__get__(value) if attributes is not None else object.__getattribute__(value, "__dict__")
            except Exception:
                own = None
            if not issubclass(type(own), dict):
                raise Unencodable("a %s hides its attributes; return plain data, or use an adapter" % name_of(kind))
            pairs += dict.items(own)
        for name, member in slots:
            try:
                item = member.__get__(value)
            except AttributeError:  # a slot that was never set
                continue
            taken = any(type(key) is str and key == name for key, _ in pairs)  # written past the slot, into the attributes
            pairs.append(("slot " + name if taken else name, item))
        return pairs

    return state


def _is_compiled(kind: Any, mro: tuple[Any, ...]) -> bool:
    """Whether instances keep state that no attribute shows: they are larger than their slots, a dict and a weak reference need."""
    words = len(_slots_of(mro)) + (_dict_at(kind) > 0) + (_weakref_at(kind) > 0)
    return bool(_items_at(kind) or _size_of(kind) > object.__basicsize__ + words * _POINTER)


_POINTER = struct.calcsize("P")


def _enum(kind: Any, state: Pairs) -> Parts:
    """Class, name and value of a member, and what its class hung on it besides."""
    own = dict(state)
    more = [(name, item) for name, item in state if type(name) is str and not (name[:1] == "_" and name[-1:] == "_")]
    return _named("!enum", kind, [own.get("_name_")], [own.get("_value_")], *([_mapped(more)] if more else []))


_args_of, _cause_of = BaseException.__dict__["args"].__get__, BaseException.__dict__["__cause__"].__get__
_value_of: Callable[[Any], Any] = StopIteration.__dict__["value"].__get__


def _hidden(value: Any, kind: Any) -> Pairs:
    """What exceptions keep beside their arguments and attributes."""
    found: Pairs = []
    for base, names in ((OSError, ("filename", "filename2")), (ImportError, ("name", "path"))):
        if issubclass(kind, base):
            found += [(name, vars(base)[name].__get__(value)) for name in names]
    for missing in (NameError, AttributeError):  # since 3.10; what it was looked for in may be anything, so only its class is told
        if issubclass(kind, missing):
            sought = [(name, vars(missing)[name].__get__(value)) for name in ("name", "obj") if name in vars(missing)]
            found += [(name, type(item) if name == "obj" else item) for name, item in sought if item is not None]
    cause = _cause_of(value)
    return found if cause is None else [*found, ("__cause__", cause)]


def _added(kind: Any, pairs: Pairs) -> Pairs:
    """What a subclass adds to a plain value: public attributes that are plain data themselves.

    Private ones are how it works; others lead elsewhere: from a text to its page, from a token to all kinds of tokens. So does
    a container on a value that cannot change: whoever fills it does so for all who hold the value.
    """
    grows = issubclass(kind, (list, dict, set, bytearray))
    found: Pairs = []
    for name, item in pairs:
        if type(name) is not str or name[:1] == "_":
            continue
        shape = type(item)  # by identity: a set would ask a metaclass for its hash
        if any(shape is one for one in _SCALARS) or (grows and _is_plain(item)):
            found.append((name, item))
    return found


_SCALARS = (_NoneType, bool, int, float, complex, str, bytes)


def _is_plain(value: Any) -> bool:
    """Whether there is nothing in it but scalars and the builtin containers; marshal knows exact types only, and no cycles."""
    try:
        _marshal(value)
    except ValueError:
        return False
    return True


def _derived(kind: Any, base: Any, maker: Maker, state: Callable[[Any], Pairs]) -> Maker:
    """A subclass of a type that is known: as that, by that type's own methods, and what the subclass adds."""
    package = names_of(base)[0].partition(".")[0]
    own, library = names_of(kind)[0].partition(".")[0] == package, package in ("numpy", "pandas")
    if own and id(base) in _families:
        return maker

    def make(value: Any) -> Parts:
        made: Any = maker(value)
        more = [] if library and own else _added(kind, state(value))
        return _named("!sub", kind, [_Text(made)] if type(made) is str else made, *([_mapped(more)] if more else []))

    return make


def _plain_of(kind: Any, mro: tuple[Any, ...]) -> Callable[[Any], Any] | None:
    """What gives the builtin value inside an instance of a subclass of a builtin, through the base's own methods; or None."""
    bases: tuple[Any, ...] = (list, tuple, set, frozenset)
    for base in bases:
        if issubclass(kind, base):
            items = base.__iter__
            return lambda v: base(items(v))
    if issubclass(kind, dict):
        ordered: Any = getattr(sys.modules.get("collections"), "OrderedDict", None)
        if any(base is ordered for base in mro):
            # Its order is not that of the dict below it. A subclass is written as one that holds an OrderedDict: `==` looks at the order.
            within: Any = dict if kind is ordered else ordered
            return lambda v: within(ordered.items(v))
        return lambda v: dict(dict.items(v))
    if issubclass(kind, str):
        return str.__str__
    if issubclass(kind, int):
        return int.__int__
    if issubclass(kind, float):
        return float.__float__
    if issubclass(kind, complex):
        return lambda v: complex(complex.real.__get__(v), complex.imag.__get__(v))
    if issubclass(kind, (bytes, bytearray)):
        return lambda v: bytes(memoryview(v))
    return None


def _substitute(kind: Any, mro: tuple[Any, ...], inner: Callable[[Any], Any], state: Callable[[Any], Pairs]) -> Maker:
    """A subclass of a builtin: its name, the builtin value, and what it keeps besides."""
    fields = _find(mro, "_fields") if issubclass(kind, tuple) else None
    names = fields if type(fields) is tuple and all(type(name) is str for name in fields) else None
    sequence = issubclass(kind, tuple) and type(_find(mro, "n_sequence_fields")) is int
    factory = getattr(sys.modules.get("_collections"), "defaultdict", None)
    factory = vars(factory)["default_factory"].__get__ if factory is not None and issubclass(kind, factory) else None

    def make(value: Any) -> Parts:
        plain_value, more = inner(value), _added(kind, state(value))
        if sequence:  # of the system's, with fields beyond those of the tuple
            more = [*kind.__reduce__(value)[1][1].items(), *more]
        if factory is not None and factory(value) is not None:
            more = [("default_factory", factory(value)), *more]
        rest = [_mapped(more)] if more else []
        if names is not None and len(names) == len(plain_value):
            return _named("!namedtuple", kind, *([*_listed(None, pair)] for pair in zip(names, plain_value)), *rest)
        return _named("!sub", kind, [plain_value], *rest)

    return make


def _file(kind: Any, state: Callable[[Any], Pairs]) -> Maker:
    """Files and sockets are no values, but for those in memory."""
    io: Any = sys.modules["_io"]
    for base in (io.BytesIO, io.StringIO):
        if issubclass(kind, base):
            return _in_memory(kind, base, state)

    def refuse(_: Any) -> Parts:
        raise Unencodable("a %s is a live resource, not a value; return what was read from it, or use an adapter" % name_of(kind))

    return refuse


def _in_memory(kind: Any, base: Any, state: Callable[[Any], Pairs]) -> Maker:
    def make(value: Any) -> Parts:
        more = state(value)
        return _named("!object", kind, [base.getvalue(value)], [base.tell(value)], *([_mapped(more)] if more else []))

    return make


def _reduced(value: Any, kind: Any) -> str | Parts:
    """A compiled type without attributes: what it tells `copy` of itself. Nothing is ever loaded from it."""
    try:
        known = sys.modules["copyreg"].dispatch_table.get(kind) if "copyreg" in sys.modules else None
        made = _find(_mro_of(kind), "__reduce_ex__")(value, 2) if known is None else known(value)
        if type(made) is str:
            return '{"!name":%s}' % _quote(made)
        parts = [*made[1:3], *(list(part) for part in made[3:5] if part is not None)]
    except Exception:
        raise Unencodable("a %s has no state that can be read; return plain data, or use an adapter" % name_of(kind)) from None
    return _named("!object", kind, _listed(None, parts))


def message_of(exc: Any) -> str:
    """`str(exc)`, whatever the class does to it."""
    try:
        text = str(exc)
    except BaseException:
        return "<str() failed>"
    return str.__str__(text)


def _zoned(value: Any, iso: str) -> str:
    zone = value.tzinfo
    name = "" if zone is None else "[%s %s]" % (name_of(type(zone)), str(zone))
    return iso + name + (" fold=1" if value.fold else "")


def _datetime_makers(module: Any) -> Makers:
    date, clock, stamp = module.date, module.time, module.datetime
    return {
        stamp: lambda v: '{"!datetime":%s}' % _quote(_zoned(v, stamp.isoformat(v))),
        clock: lambda v: '{"!time":%s}' % _quote(_zoned(v, clock.isoformat(v))),
        date: lambda v: '{"!date":%s}' % _quote(date.isoformat(v)),
        module.timedelta: lambda v: '{"!timedelta":[%d,%d,%d]}' % (v.days, v.seconds, v.microseconds),
        module.timezone: lambda v: '{"!timezone":[%s,%s]}' % (_quote(str(v)), _quote(str(v.utcoffset(None)))),
    }


def _path_makers(module: Any) -> Makers:
    def make(kind: Any) -> Maker:
        return lambda v: '{"!path":["%s",%s]}' % (kind.__name__, _quote(module.PurePath.__str__(v)))

    return {kind: make(kind) for kind in (module.PurePosixPath, module.PureWindowsPath, module.PosixPath)}


def _ip_makers(module: Any) -> Makers:
    def make(kind: Any) -> Maker:
        return lambda v: '{"!ip":["%s",%s]}' % (kind.__name__, _quote(kind.__str__(v)))

    return {
        getattr(module, "IPv%d%s" % (n, what)): make(getattr(module, "IPv%d%s" % (n, what)))
        for n in (4, 6)
        for what in ("Address", "Network", "Interface")
    }


def _match(value: Any) -> Parts:
    found = [("pattern", value.re), ("string", value.string), ("spans", value.regs), ("within", (value.pos, value.endpos))]
    return _named("!object", type(value), _mapped(found))


_families: set[int] = set()  # ids of types whose subclasses in the same library need no name of their own


def _numpy_makers(np: Any) -> Makers:
    """Arrays and scalars: dtype, shape and content; how they lie in memory is nobody's business."""
    as_numbers = _json.make_encoder(None, repr, _quote, None, ":", ",", False, False, True)
    _families.update((id(np.generic), id(np.dtype)))

    def dtype(kind: Any) -> Any:
        if kind.names is not None:
            return [*([name, dtype(kind.fields[name][0]), kind.fields[name][1]] for name in kind.names), kind.itemsize]
        if kind.subdtype is not None:
            return [dtype(kind.subdtype[0]), list(kind.subdtype[1])]
        standard = issubclass(type(kind.type), type) and names_of(kind.type)[0] == "numpy" and kind.kind in "biufcSUmMOV"
        return kind.str if standard else "%s %s" % (name_of(type(kind)), kind)

    # What an array says of itself, past what a subclass puts in the way.
    dtype_of, shape_of, size_of = (vars(np.ndarray)[name].__get__ for name in ("dtype", "shape", "size"))

    def content(value: Any, base: Any) -> Any:
        """Nested lists, or one ready text."""
        kind, itemsize = dtype_of(value).kind, dtype_of(value).itemsize
        if size_of(value) > NODES and kind in "biufcSUmM" and itemsize != 16 + 16 * (kind == "c"):
            import hashlib

            flat = np.array(value, order="C", subok=False, copy=kind in "fc").reshape(-1)
            if kind in "fc":  # of the many NaN there are, and each is equal to each
                parts = flat.view(dtype_of(flat).str.replace("c", "f").replace(str(itemsize), str(itemsize >> 1)) if kind == "c" else None)
                parts[np.isnan(parts)] = np.nan
            return {"sha256": hashlib.sha256(flat.view("V1")).hexdigest()}
        if kind == "M":
            return base.tolist(base.astype(value, "U"))  # the items themselves would be numbers or dates, as the unit has it
        items = base.tolist(base.astype(value, "i8") if kind == "m" else value)
        if kind in "biuf" and itemsize <= 8:
            text = "".join(as_numbers(items, 0))  # no texts inside, so these words are numbers
            if "N" in text or "I" in text:
                text = (
                    text.replace("NaN", '{"!float":"nan"}')
                    .replace("-Infinity", '{"!float":"-inf"}')
                    .replace("Infinity", '{"!float":"inf"}')
                )
            return _Text(text)
        return items

    def array(value: Any, base: Any = np.ndarray) -> Parts:
        return _listed("!array", [dtype(dtype_of(value)), list(shape_of(value)), content(value, base)])

    scalar_of, item_of, number_of = vars(np.generic)["dtype"].__get__, np.generic.item, np.generic.astype

    def scalar(value: Any) -> Parts:
        own = scalar_of(value)
        kind = own.kind
        if kind in "Mm":
            item = own.type.__str__(value) if kind == "M" else int(number_of(value, "i8"))
        elif own.itemsize > (16 if kind == "c" else 8) and kind in "fc":
            item = own.type.__str__(value)
        else:
            item = item_of(value)
        return _listed("!scalar", [dtype(own), item])

    return {np.ndarray: array, np.generic: scalar, np.dtype: lambda v: _listed("!dtype", [dtype(v)])}


def _masked_makers(ma: Any) -> Makers:
    """Arrays with holes: null stands for what is masked, and whatever lies below the mask is no part of the value."""
    array: Any = _of_standard[id(sys.modules["numpy"].ndarray)]

    kind = ma.MaskedArray
    fill_of, mask_of = (vars(kind)[name].__get__ for name in ("fill_value", "mask"))

    def masked(value: Any) -> Parts:
        mask = mask_of(value)
        more = [("fill_value", fill_of(value))]
        if mask.any():
            more.append(("mask", ma.getmaskarray(value)))
        return [_Text('{"!masked":['), *array(value, kind), _COMMA, *_mapped(more), _CLOSE]

    return {ma.MaskedArray: masked, type(ma.masked): lambda _: '{"!constant":"numpy.ma.masked"}'}


def _pandas_makers(pd: Any) -> Makers:
    """Frames, series and indexes by their labels, dtypes and content; stamps and missing values."""
    extension, index = pd.api.extensions.ExtensionArray, pd.Index
    _families.update((id(extension), id(index), id(pd.api.extensions.ExtensionDtype)))

    def dtype(kind: Any) -> Any:
        if type(kind) is pd.CategoricalDtype:
            return ["category", bool(kind.ordered), kind.categories]
        return str(kind)

    def array(value: Any) -> Parts:
        return _listed("!array", [dtype(value.dtype), [len(value)], list(value)])

    def values(value: Any) -> Any:
        """A column as numpy has it, where that says all."""
        return value.to_numpy() if issubclass(type(value.dtype), sys.modules["numpy"].dtype) else value.array

    def indexed(value: Any) -> Parts:
        kind = type(value)
        if kind is pd.RangeIndex:
            rest: Parts = [value.name, [value.start, value.stop, value.step]]
        elif kind is pd.MultiIndex:
            rest = [list(value.names), value.tolist(), list(map(values, value.levels))]
        else:
            rest = [value.name, values(value), *filter(None, [getattr(value, "freqstr", None)])]
        return _listed("!index", [_short_name_of(kind), *rest])

    def series(value: Any) -> Parts:
        return _listed("!series", [value.name, value.index, values(value), *filter(None, [value.attrs])])

    def frame(value: Any) -> Parts:
        columns = [values(value.iloc[:, at]) for at in range(len(value.columns))]
        return _listed("!frame", [value.columns, value.index, columns, *filter(None, [value.attrs])])

    return {
        pd.DataFrame: frame,
        pd.Series: series,
        index: indexed,
        extension: array,
        pd.api.extensions.ExtensionDtype: lambda v: _listed("!dtype", [dtype(v)]),
        pd.Timestamp: lambda v: _listed("!timestamp", [_zoned(v, v.isoformat()), getattr(v, "unit", "ns")]),
        pd.Timedelta: lambda v: _listed("!timedelta", [v.value, getattr(v, "unit", "ns")]),
        pd.Period: lambda v: _listed("!period", [str(v), v.freqstr]),
        pd.Interval: lambda v: _listed("!interval", [v.left, v.right, v.closed]),
        type(pd.NaT): lambda _: '{"!constant":"pandas.NaT"}',
        type(pd.NA): lambda _: '{"!constant":"pandas.NA"}',
    }


_STANDARD: dict[str, Callable[[Any], Makers]] = {
    "datetime": _datetime_makers,
    "decimal": lambda m: {m.Decimal: lambda v: '{"!decimal":%s}' % _quote(m.Decimal.__str__(v))},
    "fractions": lambda m: {m.Fraction: lambda v: '{"!fraction":"%s/%s"}' % (_digits(v._numerator), _digits(v._denominator))},
    "ipaddress": _ip_makers,
    "numpy": _numpy_makers,
    "numpy.ma": _masked_makers,
    "pandas": _pandas_makers,
    "pathlib": _path_makers,
    "re": lambda m: {m.Match: _match},
    "uuid": lambda m: {m.UUID: lambda v: '{"!uuid":%s}' % _quote(m.UUID.__str__(v))},
}


# ------------------------------------------------------------------ effects


def _text_of(path: Any) -> str:
    """The text of a path of whatever kind: of subclasses of `str` and `bytes` what the system gets, whatever they say of themselves."""
    kind = type(path)
    if issubclass(kind, str):
        return str.__str__(path)
    return _fsdecode(bytes(memoryview(path)) if issubclass(kind, (bytes, bytearray, memoryview)) else path)


def _whole(path: str) -> str:
    """The path from the root on. Where it begins there, the current folder may be gone."""
    return _normpath(path if path.startswith(os.sep) else _join(_getcwd(), path))


def _path_entries() -> Iterator[str]:
    """Folders of `sys.path`, in which the import system passes over what is no text."""
    return (_normpath(entry) + os.sep for entry in sys.path if type(entry) is str and entry.startswith(os.sep))


def _of_library() -> bool:
    """Whether the standard library reads the environment for itself: a module of it while it is imported, or gettext the language."""
    frame: Any = _frame(3)  # past the watch's own
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        if not file.startswith("<frozen ") and (not file.startswith(_LIBRARY) or "-packages" in file):
            return False
        if code.co_name == "<module>" or file.endswith("gettext.py"):
            return True
        frame = frame.f_back
    return False


class Effects:
    """What the target touched outside its arguments, per fixture. Filled by an environment watch and one audit hook."""

    LOOKUPS = frozenset(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"))
    NET = frozenset(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getnameinfo"))
    INTERNET = {2: "AF_INET", 10: "AF_INET6"}  # noqa: RUF012  # `ClassVar` would be an import of `typing`
    ENV = frozenset(("os.putenv", "os.unsetenv"))
    PROCESS = frozenset(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn"))
    INHERITS = frozenset(("subprocess.Popen", "os.exec"))  # their last argument is the environment; None hands all of it on
    SIGNALS = frozenset(("os.kill", "os.killpg"))
    CHANGES = frozenset(
        ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime")
    ) | {"os.setxattr", "os.removexattr", "os.chflags"}
    TWO_PATHS = frozenset(("os.rename", "os.link", "os.symlink"))
    LISTS = frozenset(("os.listdir", "os.scandir"))
    CODE = (".py", ".pyc", ".so", ".pyd", ".pth")
    IMPORTERS = ("<frozen importlib", "<frozen zipimport", _LIBRARY + "/importlib/", _LIBRARY + "/zipimport.py", _LIBRARY + "/pkgutil.py")

    def __init__(self, side_root: str, temp_root: str, denied: bool = False, run_root: str = "") -> None:
        self.on = False
        self.busy = False
        self.touched = False  # something was written into the temp root
        self.patience = PATIENCE
        self.threads = 0  # that ran when the fixture began
        self.brought = False  # code was imported or executed: modules may stand where others stood
        self.side_root = side_root + os.sep
        self.temp_root, self.run_root = temp_root + os.sep, run_root + os.sep
        self.env: set[str] = set()
        self.net: set[str] = set()
        self.files: set[str] = set()
        self.process: set[str] = set()
        self.sockets: set[str] = set()
        self.denied = denied  # whether the sandbox refuses sockets
        self.any_port = self.any_port_at_import = False  # something was bound to a port of the system's choice
        self.written: set[bytes] = set()  # names in the environment that the fixture set or removed
        self.moved = False  # the current folder is another
        self.warnings: list[str] = []
        self.leaving: Callable[[], None] = lambda: None  # called before this process ends, or gives itself to another program
        self.lingered = False  # a thread was left running in this fork; it may have ended before anybody looks
        self.shared: set[str] = set()  # files in memory that every process of this machine sees by these names
        self.code: dict[str, str] = {}  # files of code that were opened, loaded or handed to a child, from outside what is known below
        self.library: tuple[str, ...] = ()  # where what is installed lies
        self.known: tuple[str, ...] = ()  # and where code may come from besides

    def clear(self) -> None:
        """Forget what the last fixture did."""
        found: set[str] | list[str]
        for found in (self.env, self.net, self.files, self.process, self.sockets, self.warnings, self.shared):
            if found:
                found.clear()
        self.any_port = self.any_port_at_import
        self.threads = _count()

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """Hear of one audit event; what it says of the target is kept."""
        self.busy = True  # what the lines below open or look up is not the target's
        try:
            if event == "open":
                self.opened(*args)
            elif event in ("import", "exec"):
                self.brought = True
                if event == "import" and type(args[1]) is str:  # compiled
                    self.runs(args[1])
            elif event in self.LISTS or event in self.CHANGES:
                for path in args[: 2 if event in self.TWO_PATHS else 1]:
                    if path is not None and not issubclass(type(path), int):  # None is the current folder, a number was named before
                        self.file("list" if event in self.LISTS else event[3:], path, event in self.LISTS)
            elif event == "sqlite3.connect":
                self.database(_text_of(args[0]))
            elif event == "syslog.syslog":
                self.net.add("syslog with priority %s" % self.shown(args[0]))
            elif event in self.LOOKUPS:
                self.net.add("%s %s" % (event[7:], self.shown(args[:2])))
            elif event in self.NET:
                self.net.add("%s %s" % (event[7:], self.shown(self.address(event, args[-1]))))
            elif event == "socket.__new__" and args[1] != -1:  # -1 takes over what is there
                if args[1] != 1:
                    self.sockets.add("socket %s" % self.INTERNET.get(args[1], "of family %d" % args[1]))
                elif args[2] & 0xF == 2 and _frame(2).f_locals.get("fileno") is None:
                    # Streams lead nowhere. `socket`, two frames up behind the hook, wraps both ends of a pair.
                    self.sockets.add("socket AF_UNIX for datagrams")
            elif event in self.ENV:
                self.written.add(args[0])
                self.env.add(_fsdecode(args[0]) + "=")
            elif event == "os.chdir":
                self.moved = True
                if not issubclass(type(args[0]), int):
                    self.file("chdir", args[0], False)
            elif event == "ctypes.dlopen":
                if args[0] is not None:
                    self.runs(_text_of(args[0]))
            elif event in self.SIGNALS:  # whom it hits is chance
                self.process.add("%s with signal %s" % (event, self.shown(args[1])))
            elif event in self.PROCESS:
                self.process.add(("%s %s" % (event, self.shown(args[0]) if args else "")).strip())
                if event == "os.system" or (event in self.INHERITS and args[-1] is None):
                    self.env.add("*")
                self.starts(args)
                if event == "os.exec":
                    self.leaving()
        except Exception:  # a hook that raises would change what the target sees
            what = [" %s" % one for one in args[:1] if type(one) is str]  # two that cannot be read are not one
            self.files.add("unreadable %s%s" % (event, "".join(what)))
        finally:
            self.busy = False

    def shown(self, what: Any) -> str:
        """An argument of an event, as text."""
        return _text_of(what) if isinstance(what, (str, bytes, os.PathLike)) else repr(what)[:200]

    def address(self, event: str, address: Any) -> Any:
        """An address without what is chance: a port that the system chose, seen when the target talks to itself."""
        if type(address) is not tuple or len(address) < 2 or type(address[1]) is not int:
            return address
        host, port = address[:2]
        if event == "socket.bind" and port == 0:
            self.any_port = True
        elif self.any_port and (host in ("localhost", "::1", "::", "") or str(host).startswith(("127.", "0."))):
            try:
                with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
                    low, high = map(int, file.read().split())
            except OSError:  # another system, or out of the sandbox's reach
                low, high = 32768, 60999
            if low <= port <= high:
                return (host, "<port>", *address[2:])
        return address

    def opened(self, path: Any, _mode: Any, flags: Any) -> None:
        """A file was opened by name; what is opened by descriptor was named before."""
        if issubclass(type(path), int):
            return
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)) if type(flags) is int else False
        self.file("write" if writes else "read", path, not writes)

    def file(self, act: str, path: Any, reads: bool) -> None:
        """Something was done to a path. Reads by the import system are not the target's, nor is anything in its temp root."""
        path = _whole(_text_of(path))
        if (path + os.sep).startswith(self.temp_root) or path == os.devnull:
            self.touched = self.touched or not reads
            return
        if reads and ((path + os.sep).startswith(self.library) or self.imports(path) or self.above(path)):
            return
        if path.startswith(self.side_root):
            path = "<side>/" + path[len(self.side_root) :]
        if path.startswith("/dev/shm/"):  # noqa: S108  # the place, not a file of ours
            heap = "/dev/shm/pym-%d-" % _getpid()  # noqa: S108  # where `multiprocessing` keeps values that are shared
            if path.startswith(heap):
                path = "/dev/shm/pym-<pid>-" + path[len(heap) :]  # noqa: S108  # nobody else's: the number is this process's
            else:
                self.shared.add(path)
        self.files.add("%s %s" % (act, path))

    def imports(self, path: str) -> bool:
        """True if the import system looks there, or `linecache` for the lines of a traceback; of a side's own also metadata and folders."""
        frame: Any = _frame(1)
        depth = 1
        while frame.f_code.co_filename == _OURS and depth < 5:  # up to whoever did it
            frame, depth = frame.f_back, depth + 1
        name = frame.f_code.co_filename
        if name == _LIBRARY + "/tokenize.py":
            name = frame.f_back.f_code.co_filename
        if name == _LIBRARY + "/linecache.py":
            return True
        loads = name == _OURS or name.startswith(self.IMPORTERS)
        if loads or path.endswith(self.CODE):
            self.runs(path)
        return loads or (
            path.startswith(self.side_root)
            and (".dist-info" in path or ".egg-info" in path or os.path.isdir(path) or self.in_package(path))
            and (path + os.sep).startswith(tuple(_path_entries()))
        )

    def in_package(self, path: str) -> bool:
        """Whether a file lies inside a package: its data are compared as its code is."""
        for entry in _path_entries():
            package = path[: path.find(os.sep, len(entry)) + 1] if path.startswith(entry) else ""
            if package and os.path.isfile(package + "__init__.py"):
                return True
        return False

    def runs(self, path: str) -> None:
        """A file of code is opened or loaded. From where, the gate has to know: it may be the other side's, which has no name here."""
        path = _whole(path)
        if not path.startswith(self.known) and os.path.isfile(path) and len(self.code) < 1000:
            self.code[path] = path
            self.brought = True

    def starts(self, args: tuple[Any, ...]) -> None:
        """A process is started: the program, and the files of code among its words."""
        words: list[Any] = []
        for one in args[:2]:
            words += one if type(one) in (list, tuple) else [one]
        for at, word in enumerate(words):
            if word is None or issubclass(type(word), int):
                continue
            text = _text_of(word)
            if at == 0 and "/" in text:
                self.runs(text)
            for part in text.split():
                if part.strip("'\"").endswith(self.CODE):
                    self.runs(part.strip("'\""))

    def database(self, name: str) -> None:
        """A database of SQLite is opened, by a path or by a `file:` address."""
        reads = False
        if name.startswith("file:"):
            from urllib.parse import unquote

            path, _, query = name[5:].partition("#")[0].partition("?")
            options = query.split("&")
            if "mode=memory" in options:
                return
            reads = "mode=ro" in options or "immutable=1" in options
            name = unquote("/" + path[2:].partition("/")[2] if path.startswith("//") else path)
        if name not in (":memory:", ""):
            self.file("read" if reads else "write", name, reads)

    def above(self, path: str) -> bool:
        """True in the folders of ours that the temp root lies in: who looks for settings in all folders above meets them by chance."""
        return any(
            one.startswith(self.run_root) and self.temp_root.startswith(one) for one in (path + os.sep, os.path.dirname(path) + os.sep)
        )

    def warned(self, message: Any, category: Any, filename: Any, lineno: Any, file: Any = None, line: Any = None) -> None:  # noqa: ARG002, PLR0917  # the signature of warnings.showwarning
        """Stands in for `warnings.showwarning`."""
        if len(self.warnings) < 100:
            self.warnings.append('{"type":%s,"msg":%s}' % (_quote(name_of(category)), _quote(message_of(message)[:2000])))

    def install(self, setup: Any) -> None:
        """Watch from here on. The hook cannot be removed again, so it is gated by `on`."""
        self.pid = _getpid()
        env = self.env

        def read(key: Any) -> None:
            if not _of_library():
                env.add(_fsdecode(key))

        def read_all() -> None:
            if not _of_library():
                env.add("*")

        class Watched(dict):  # type: ignore[type-arg]  # `dict[..]` as a base would be evaluated, which 3.8 cannot
            """The data behind os.environ, which tells what was read. Iterating reads everything: `*`."""

            def __getitem__(self, key: Any) -> Any:
                read(key)
                return dict.__getitem__(self, key)

            def __contains__(self, key: Any) -> bool:
                read(key)
                return dict.__contains__(self, key)

            def get(self, key: Any, default: Any = None) -> Any:
                read(key)
                return dict.get(self, key, default)

            def __iter__(self) -> Iterator[Any]:
                read_all()
                return dict.__iter__(self)

            def __len__(self) -> int:
                read_all()
                return dict.__len__(self)

            def keys(self) -> Any:
                read_all()
                return dict.keys(self)

            def items(self) -> Any:
                read_all()
                return dict.items(self)

            def values(self) -> Any:
                read_all()
                return dict.values(self)

            def copy(self) -> Any:
                read_all()
                return dict(dict.items(self))

            def pop(self, key: Any, *default: Any) -> Any:
                read(key)
                return dict.pop(self, key, *default)

            def __repr__(self) -> str:
                read_all()
                return dict.__repr__(self)

            def __eq__(self, other: object) -> bool:
                read_all()
                return dict.__eq__(self, other)

            __hash__ = None

        system: Any = sys.modules[os.name]
        system.environ = Watched(system.environ)  # what the process began with, to which `os.environ` is no door
        environ: Any = os.environ
        self.data = frozenset(environ._data)
        data = self.environ = Watched(environ._data)
        # os.environb holds a reference of its own to the same data.
        environ._data = data
        if hasattr(os, "environb"):
            environb: Any = os.environb
            environb._data = data
        self.showwarning, warnings.showwarning = warnings.showwarning, self.warned
        for module in (os, system):
            Stand(module, "_exit", self.leave)  # for whoever takes it now, too
        acts = {"util": self.spawned, "process": self.name_locks}
        _chance.after.update({"multiprocessing." + name: act for name, act in acts.items()}, _posixshmem=self.name_memory)
        self.place(setup)

        def heard(event: str, args: tuple[Any, ...]) -> None:
            # A function and no method: of its hooks Python asks an attribute that a method lacks, by an exception each time.
            if self.on and not self.busy and _getpid() == self.pid:
                self.hook(event, args)

        sys.addaudithook(heard)

    def leave(self, status: Any) -> None:
        """Stands in for `os._exit`, past which nothing else would run."""
        if _getpid() == self.pid and issubclass(type(status), int):
            self.leaving()
        _exit(status)

    def spawned(self, module: Any) -> None:
        """What `multiprocessing` starts by `spawn` or through its server: it asks the system without an event."""
        start = module.spawnv_passfds

        def spawnv_passfds(path: Any, args: Any, passfds: Any) -> Any:
            if self.on and _getpid() == self.pid:
                self.process.add("multiprocessing %s" % self.shown(path))
                self.env.add("*")
            return start(path, args, passfds)

        module.spawnv_passfds = spawnv_passfds

    def name_locks(self, module: Any) -> None:
        """Locks of `multiprocessing` get names for a moment, made up from our random numbers: those of the sides must not be the same."""
        side = "%08x" % (hash(self.temp_root) & 0xFFFFFFFF)
        module.current_process()._config["semprefix"] = "/mp" + side

    def name_memory(self, module: Any) -> None:
        """Shared memory is opened by name without an event. Names that are made up are nobody else's."""
        real = module.shm_open

        def shm_open(path: Any, flags: Any, mode: Any = 0o777) -> Any:
            if self.on and _getpid() == self.pid:
                name = _text_of(path)
                if not name.startswith(("/psm_", "/mp")):
                    self.shared.add("/dev/shm" + name)  # noqa: S108  # where it lies
                    self.files.add("write /dev/shm" + name)
            return real(path, flags, mode)

        module.shm_open = shm_open

    def place(self, setup: Any) -> None:
        """Where the code of this side, of what is installed and of the contract lies."""
        roots = setup["roots"]
        self.library = tuple(entry + os.sep for entry in [*sys.path, _LIBRARY] if entry not in roots)
        places = {*roots, *setup["own"], sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(sys.executable))}
        if setup["adapter"]:
            places.add(os.path.dirname(setup["adapter"]))
        self.known = (*self.library, self.side_root, self.temp_root, *(place + os.sep for place in places))

    def await_threads(self) -> None:
        """Threads that a fixture started and left running are an effect; one that ends by itself in a moment was not left."""
        while _count() > self.threads:
            if self.patience <= 0:
                self.process.add("thread left running")
                self.lingered = True
                return
            _sleep(0.002)
            self.patience -= 0.002
        self.patience = PATIENCE

    def settle(self) -> None:
        """The target is imported: what it made of environment and current folder is where every fixture starts."""
        self.base, self.cwd = dict(dict.items(self.environ)), _getcwd()
        self.data, self.any_port_at_import = frozenset(self.base), self.any_port
        self.written.clear()
        self.moved = self.brought = False

    def restore(self) -> None:
        """After a fixture: put environment and current folder back, so that the next one finds nothing of it."""
        for name in self.written:
            value = self.base.get(name)
            if value is None:
                _unsetenv(name)
                dict.pop(self.environ, name, None)
            else:
                _putenv(name, value)
                dict.__setitem__(self.environ, name, value)
        self.written.clear()
        if self.moved:
            self.moved = False
            try:
                _chdir(self.cwd)
            except OSError:  # it was removed; the next fixture will say so
                pass

    def seen(self) -> Iterator[tuple[str, set[str]]]:
        """What there is to say, by its key in the record."""
        env = self.env
        if "*" in env:  # whoever goes through all names has read every name that is there
            env = {name for name in env if name == "*" or name.encode("utf-8", "surrogateescape") not in self.data}
        # Where the network is denied, a socket is denied before anything more is known of it; else what it was for says more.
        net = self.net | self.sockets if self.denied else self.net or self.sockets
        return zip(("env", "net", "files", "process"), (env, net, self.files, self.process))

    def text(self) -> str:
        """Record keys for what was seen, each with its leading comma."""
        if _count() > self.threads:
            self.await_threads()
        out = ""
        for key, found in self.seen():
            if found:
                out += ',"%s":[%s]' % (key, ",".join(map(_quote, sorted(found))))
        if self.shared:
            out += ',"shared":[%s]' % ",".join(map(_quote, sorted(self.shared)))
        if self.warnings:
            out += ',"warnings":[%s]' % ",".join(self.warnings)
        return out


# ------------------------------------------------------------------ time and chance


class Stand:
    """Stands in for a function that is written in C: in a class it is no method (`logging` keeps one there), and it pickles by name."""

    __module__ = "builtins"
    __qualname__ = "builtin_function_or_method"

    def __init__(self, module: Any, name: str, call: Callable[..., Any]) -> None:
        self.__module__, self.__doc__ = module.__name__, getattr(module, name).__doc__
        self.__name__ = self.__qualname__ = name
        self.call = call
        setattr(module, name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """As the real one is called."""
        return self.call(*args, **kwargs)

    def __repr__(self) -> str:
        return "<built-in function %s>" % self.__name__

    def __reduce__(self) -> str:
        return self.__name__


_makers[id(Stand)] = lambda value: '{"!function":%s}' % _quote(name_of(value))

UTCNOW = (
    "datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version. "
    "Use timezone-aware objects to represent datetimes in UTC: datetime.datetime.now(datetime.UTC)."
)
ISO = r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"


class Clock:
    """The wall clock, standing still. Monotonic clocks, time-outs and the times of files stay real.

    `time` is replaced function by function before the target can import it. The C types of `datetime` keep their
    identity: only what `now` and `utcnow` look up is replaced (`today` asks `time.time` by itself).
    """

    def __init__(self) -> None:
        self.own = self.ns = 0  # of the run, and what stands now: nanoseconds since 1970
        self.frozen = False
        self.real: tuple[Any, ...] = ()

    def set(self, now: Any = None) -> None:
        """Let it be this moment: seconds since 1970, or a text like `2026-01-01T00:00:00Z` (no zone: UTC); None: the run's own."""
        if now is None:
            self.ns = self.own
        elif type(now) is str:
            self.ns = self.parsed(now)
        elif type(now) in (int, float) and abs(now) < 2e11:
            self.ns = round(now * 10**6) * 1000
        else:
            raise ValueError("`now` should be seconds since 1970, or a text like 2026-01-01T00:00:00Z")

    def parsed(self, text: str) -> int:
        """Nanoseconds since 1970 of an ISO 8601 text. Raises ValueError."""
        found = re.fullmatch(ISO, text)
        if found is None:
            raise ValueError("`now` should be a text like 2026-01-01T00:00:00Z")
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
        # Days since 1970 in the proleptic Gregorian calendar, counted in years that start in March.
        years = year - (month < 3)
        days = years * 365 + years // 4 - years // 100 + years // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 719469
        if not self.on_calendar(days, year, month, day) or hour > 23 or minute > 59 or second > 59:
            raise ValueError("`now`: there is no such moment: %s" % text)
        zone, ahead = found.group(8), 0
        if zone and zone != "Z":
            ahead = (int(zone[1:3]) * 60 + int(zone[-2:])) * (-60 if zone[0] == "-" else 60)
        seconds = days * 86400 + hour * 3600 + minute * 60 + second - ahead
        return seconds * 10**9 + int((found.group(7) or "").ljust(9, "0"))

    def on_calendar(self, days: int, year: int, month: int, day: int) -> bool:
        """Whether this day is that date."""
        return 1 <= month <= 12 and tuple(_gmtime(days * 86400))[:3] == (year, month, day)

    def install(self, now: float) -> None:
        """Stop it here. Whatever is imported from `time` from now on is frozen."""
        self.set(now)
        self.own = self.ns
        Stand(time, "time", lambda: self.ns / 1e9)
        Stand(time, "time_ns", lambda: self.ns)
        for name in ("gmtime", "localtime", "ctime"):
            Stand(time, name, self.defaulting(getattr(time, name)))
        asctime, strftime, localtime = time.asctime, time.strftime, _localtime
        Stand(time, "asctime", lambda *args: asctime(*(args or (localtime(self.ns // 10**9),))))
        Stand(time, "strftime", lambda *args: strftime(*(args if len(args) != 1 else (args[0], localtime(self.ns // 10**9)))))
        wall = {getattr(time, name, None) for name in ("CLOCK_REALTIME", "CLOCK_TAI")} | {5}  # 5: CLOCK_REALTIME_COARSE of Linux
        for name, unit in (("clock_gettime", 1e9), ("clock_gettime_ns", 1)):
            if hasattr(time, name):
                Stand(time, name, self.choosing(getattr(time, name), wall, unit))
        self.frozen = type(gc.get_referents(int.__dict__)[0]) is dict or sys.implementation.name != "cpython"

    def defaulting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """A function of seconds that takes the frozen moment where it is given none."""
        return lambda *args: real(*(args if args and (len(args) > 1 or args[0] is not None) else (self.ns // 10**9,)))

    def choosing(self, real: Callable[..., Any], wall: Iterable[Any], unit: float) -> Callable[..., Any]:
        """`clock_gettime` in this unit: wall clocks stand still."""
        return lambda which: (self.ns / unit if unit > 1 else self.ns) if which in wall else real(which)

    def stop_datetime(self, module: Any) -> None:
        """Replace what the C type looks up. Done right after its import, before any look-up could be remembered for it."""
        kind = module.datetime
        table: Any = gc.get_referents(kind.__dict__)[0]
        if type(table["now"]) is classmethod:  # imported again: the type is the one that was changed before
            return
        # What the interpreter may remember is never let go: it remembers without counting.
        self.real = table["now"], table["utcnow"]
        made = kind.__dict__["fromtimestamp"]
        deprecated = sys.version_info >= (3, 12)

        def now(cls: Any, tz: Any = None) -> Any:
            return made.__get__(None, cls)(self.ns / 1e9, tz)

        def utcnow(cls: Any) -> Any:
            if deprecated:
                _warn(UTCNOW, DeprecationWarning, stacklevel=2)
            return cls(*tuple(_gmtime(self.ns // 10**9))[:6], self.ns % 10**9 // 1000, None)

        self.frozen = False
        table["now"], table["utcnow"] = classmethod(now), classmethod(utcnow)
        if type(kind.now) is not types.MethodType:  # the interpreter had looked it up before, and remembers
            import ctypes

            ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
        self.frozen = kind.now() == made.__get__(None, kind)(self.ns / 1e9) == kind.today()


class Then:
    """A loader that lets another one load, then does something to the module; nothing of it stays behind."""

    def __init__(self, loader: Any, act: Callable[[Any], None], chance: Chance) -> None:
        self.loader, self.act, self.chance = loader, act, chance

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)  # for whoever only looks a module up

    def exec_module(self, module: Any) -> None:
        """Load, then act. What is drawn while a module is loaded does not count: in a batch only the first fixture loads it."""
        module.__spec__.loader = module.__loader__ = self.loader
        stream, self.chance.stream = self.chance.stream, None
        try:
            self.loader.exec_module(module)
        finally:
            self.chance.stream = stream
        try:
            self.act(module)
        except Exception:  # another module of that name, or an interpreter that is built in another way
            pass


class Chance:
    """Random numbers out of one seed, the same for every fixture: alone, in a batch, in any order.

    `os.urandom` is replaced, and with it `secrets`, `uuid4` and `SystemRandom`. Modules that keep a state of their own
    are seen when they are imported, and put back before each fixture. What OpenSSL or numpy's old versions draw by
    themselves is out of reach.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seed = 0
        self.stream: Any = None  # what os.urandom draws from; made by the first draw
        self.importing = 1 << 32  # numbers that are drawn by the import do not come again in a fixture
        self.again: list[Callable[[], None]] = []  # one for each loaded module that keeps a state
        self.tempdir: Any = None
        self.after: dict[str, Callable[[Any], Any]] = {
            "_datetime": clock.stop_datetime,
            "random": self.seed_random,
            "numpy.random.mtrand": self.seed_numpy,
            "tempfile": self.reset_tempfile,
            "uuid": self.reset_uuid,
        }

    def install(self, seed: int) -> None:
        """Take over from here on."""
        self.seed = seed
        for module in (os, sys.modules[os.name]):
            Stand(module, "urandom", self.draw)
            if hasattr(module, "getrandom"):
                Stand(module, "getrandom", lambda size, flags=0: self.draw(size))  # noqa: ARG005  # as it is called
        sys.meta_path.insert(0, self)
        for name, act in self.after.items():
            if name in sys.modules:
                act(sys.modules[name])

    def reset(self) -> None:
        """Before each fixture: as if nothing had been drawn, and the run's own moment."""
        self.stream = None
        self.clock.ns = self.clock.own
        for again in self.again:
            try:
                again()
            except Exception:  # the target put something of its own in its place
                pass

    def settle(self) -> None:
        """The target is imported: what comes now are fixtures."""
        self.importing = 0
        if "tempfile" in sys.modules:
            self.tempdir = getattr(sys.modules["tempfile"], "tempdir", None)

    def draw(self, size: Any) -> bytes:
        """Stands in for `os.urandom`."""
        size = size.__index__() if hasattr(size, "__index__") else size
        if type(size) is not int or size <= 0:
            return _urandom(size)  # nothing, or its own error
        if self.stream is None:
            import _random

            self.stream = _random.Random(0)
            self.stream.seed((1 << 64) + self.importing + self.seed)  # other numbers than those of `random`
        number: int = self.stream.getrandbits(8 * size)
        return number.to_bytes(size, "little")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """As the other finders have it, with a loader that tells us when it is done."""
        act = self.after.get(name)
        if act is None:
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: Any = find and find(name, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = Then(spec.loader, act, self)
                return spec
        return None

    def seed_random(self, module: Any) -> None:
        """The module's own generator, and every one that is made without a seed."""
        inst, seed = module._inst, module.Random.seed

        def seeded(self_: Any, a: Any = None, version: int = 2) -> None:
            seed(self_, int.from_bytes(self.draw(32), "little") if a is None else a, version)

        seeded.__name__, seeded.__qualname__, seeded.__module__, seeded.__doc__ = "seed", "Random.seed", "random", seed.__doc__
        module.Random.seed = seeded
        module.seed = inst.seed
        kind = module._inst.__class__.__mro__[1]  # the C half, which is its header and its state
        size = kind.__basicsize__ - object.__basicsize__
        self.follow(lambda: seed(inst, self.seed + self.importing), module.random, id(inst) + object.__basicsize__, size)

    def seed_numpy(self, module: Any) -> None:
        """The global generator of numpy. What is made without a seed draws from `secrets`."""
        rand = module._rand
        twister = rand._bit_generator
        address = twister.ctypes.state_address
        self.follow(lambda: module.seed((self.seed + (self.importing >> 32)) % (1 << 32)), module.random, address, 2500)
        seeded = self.again.pop()

        def again() -> None:
            if rand._bit_generator is not twister:
                module.set_bit_generator(twister)
            seeded()

        self.again.append(again)

    def follow(self, seed: Callable[[], Any], draw: Callable[[], Any], address: int, size: int) -> None:
        """Seed a generator anew before each fixture, but only if it was used: seeding costs a fifth of a small fixture.

        Whether it was used is read from its memory; where that does not show, it is seeded every time.
        """
        importing, self.importing = self.importing, 0
        seed()
        again: Callable[[], Any] = seed
        try:
            look = _memory(address, size)
            untouched = look.raw
            draw()
            used = look.raw != untouched
            seed()
            if used and look.raw == untouched:

                def again() -> None:
                    if look.raw != untouched:
                        seed()

        except Exception:  # no _ctypes in this interpreter
            seed()
        self.again.append(again)
        self.importing = importing
        if importing:
            seed()

    def reset_tempfile(self, module: Any) -> None:
        """Its own generator of names, and the folder that it found first, are kept from fixture to fixture."""

        def again() -> None:
            module._name_sequence, module.tempdir = None, self.tempdir

        self.again.append(again)

    def reset_uuid(self, module: Any) -> None:
        """`uuid1` without the system's library and the machine's address: frozen clock, seeded sequence, a node of our own."""
        module._generate_time_safe = module._UuidCreate = None
        module._has_uuid_generate_time_safe = False  # 3.8 looks again otherwise
        module._node = 0x010000000000 + self.seed  # the multicast bit says: no real address
        names = [name for name in vars(module) if name.startswith("_last_timestamp")]

        def again() -> None:
            for name in names:
                setattr(module, name, None)

        self.again.append(again)


def _memory(address: int, size: int) -> Any:
    """What lies there, as an array whose `raw` copies it; read only by convention."""
    if not _byte:
        import _ctypes

        class Byte(_ctypes._SimpleCData):  # type: ignore[type-arg]  # 3.8 has no subscript here
            _type_ = "c"

        _byte.append(Byte)
    return (_byte[0] * size).from_address(address)


_byte: list[Any] = []  # one class, as each makes its own kinds of arrays, which takes longer than to read them


_clock = Clock()
_chance = Chance(_clock)
_set_now = _clock.set  # for fixtures that say when they happen; the next fixture finds the run's own moment again


# ------------------------------------------------------------------ calls: tags to values, and the scene

_environ: Any = os.environ
_allowed: dict[str, Any] = {}  # classes that fixtures may name, by `module.qualname`


def allow(names: Iterable[str]) -> None:
    """Import the classes ("module:Class") that `!object` and `!enum` may make. Raises TypeError for what is no class."""
    for name in names:
        try:
            kind = resolve(name)
        except Exception as exc:
            raise TypeError("[[target]] types: %s cannot be loaded: %s" % (name, message_of(exc))) from exc
        if not isinstance(kind, type):
            raise TypeError("[[target]] types: %s is no class" % name)
        _allowed[name.replace(":", ".")] = _allowed[name_of(kind)] = kind


def untag(value: Any) -> Any:
    """The value that a tree stands for: what `encode` wrote is made again, in place. Raises whatever the constructors raise.

    Children come before the object that holds them, without recursion. A tag is an object with one key, which starts with `!`.
    """
    box = [value]
    todo: list[tuple[Any, Any]] = [(box, 0)]
    objects = []
    while todo:
        holder, key = todo.pop()
        inner = holder[key]
        if type(inner) is dict:
            objects.append((holder, key))
            todo.extend([(inner, name) for name in inner])
        elif type(inner) is list:
            todo.extend([(inner, at) for at in range(len(inner))])
    for holder, key in reversed(objects):
        inner = holder[key]
        tags = [name for name in inner if name[:1] == "!"]
        if tags and (len(inner) > 1 or tags[0] not in _MAKERS):
            raise ValueError('%s is no tag that makes a value; write an object with such a key as {"!dict":[[key,value],..]}' % tags[0])
        if tags:
            try:
                holder[key] = _MAKERS[tags[0]](inner[tags[0]])
            except Exception as exc:
                raise ValueError("%s: %s" % (tags[0], message_of(exc) or type(exc).__name__)) from None
    return box[0]


def _bytes_of(text: str) -> bytes:
    r"""What `_bytes` wrote: a backslash doubled, other bytes as `\xNN`."""

    def byte(found: Any) -> bytes:
        if not found[1]:
            raise ValueError("a backslash is written twice, another byte as \\xNN")
        return b"\\" if found[1] == b"\\" else bytes((int(found[1][1:], 16),))

    return re.sub(rb"\\(\\|x[0-9a-fA-F]{2})?", byte, text.encode("ascii"))


def _moment(kind: str, text: str) -> Any:
    """A `datetime` or `time` as `_zoned` wrote it, or in ISO form with an offset or `Z`."""
    import datetime as dt

    module: Any = dt
    text, fold = (text[:-7], 1) if text.endswith(" fold=1") else (text, 0)
    text, _, zone = text.partition("[")
    zone_kind, _, zone_name = zone[:-1].partition(" ")
    made = getattr(module, kind).fromisoformat(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)
    if zone_kind == "zoneinfo.ZoneInfo":
        import zoneinfo

        made = made.replace(tzinfo=zoneinfo.ZoneInfo(zone_name))
    elif zone_kind == "datetime.timezone":
        if zone_name != str(made.tzinfo):
            made = made.replace(tzinfo=module.timezone(made.utcoffset(), zone_name))
    elif zone:
        raise ValueError("a zone of the class %s cannot be made" % zone_kind)
    return made.replace(fold=fold) if fold else made


def _timezone(parts: Any) -> Any:
    """A `timezone` from its name and offset as written by `str`, or from `+HH:MM`."""
    import datetime as dt

    if type(parts) is str:
        return dt.datetime.fromisoformat("2000-01-01T00:00:00" + ("+00:00" if parts in ("Z", "UTC") else parts)).tzinfo
    name, offset = parts
    found: Any = re.match(r"(?:(-?\d+) days?, )?(\d+):(\d+):(\d+)(?:\.(\d+))?\Z", offset)
    days, hours, minutes, seconds, micro = (int(part or 0) for part in found.groups())
    plain = dt.timezone(dt.timedelta(days, seconds, micro, 0, minutes, hours))
    return plain if str(plain) == name else dt.timezone(plain.utcoffset(None), name)


def _path(parts: Any) -> Any:
    """A path below the temp root, which is the working directory; a pure path may say anything."""
    kind, text = ("PosixPath", parts) if type(parts) is str else parts
    if kind not in ("PosixPath", "PurePosixPath", "PureWindowsPath"):
        raise ValueError("%s is no class of paths" % kind)
    if kind == "PosixPath" and leaves(text):
        raise ValueError("%s leaves the temp root" % text)
    return getattr(importlib.import_module("pathlib"), kind)(text)


def leaves(path: str) -> bool:
    """Whether a path would lead out of the folder that it is relative to."""
    return path.startswith("/") or ".." in path.split("/") or "\0" in path


def _class_of(name: Any) -> Any:
    kind = _allowed.get(name.replace(":", "."))
    if kind is None:
        raise ValueError('%s is not allowed: add it as "module:Class" to `types` of the target in shadow.toml' % name)
    return kind


def _member(parts: Any) -> Any:
    """A member of an enumeration by its name; what has no name of its own, as combined flags, by its value."""
    kind = _class_of(parts[0])
    return kind[parts[1]] if parts[1] in kind.__members__ or len(parts) < 3 else kind(parts[2])


def _instance(parts: Any) -> Any:
    """An instance with this state, made as `copy` makes one: `__init__` is not called. What a dataclass lacks comes from its defaults."""
    name, state = parts
    kind = _class_of(name)
    made = kind.__new__(kind)
    for field in getattr(kind, "__dataclass_fields__", {}).values():
        if field.name not in state and callable(field.default_factory):
            object.__setattr__(made, field.name, field.default_factory())
    for key, item in state.items():
        attribute = key
        if key[:2] == "__" and key[-2:] != "__":  # a private slot; attributes in a `__dict__` are told by their mangled names
            owner = next((base for base in kind.__mro__ if key in vars(base).get("__slots__", ())), kind)
            attribute = "_%s%s" % (owner.__name__.lstrip("_"), key)
        object.__setattr__(made, attribute, item)
    return made


def _standard(module: str, name: str) -> Any:
    """A maker that calls `module.name` with a text."""

    def make(text: Any) -> Any:
        if type(text) is not str:
            raise ValueError("a text is wanted")
        kind = importlib.import_module(module)
        for part in name.split("."):
            kind = getattr(kind, part)
        made: Any = kind
        return made(text)

    return make


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "!tuple": tuple,
    "!set": set,
    "!frozenset": frozenset,
    "!dict": lambda pairs: {key: item for key, item in pairs},  # noqa: C416  # `dict` would take pairs of any other shape
    "!str": lambda codes: "".join(map(chr, codes)),
    "!bytes": _bytes_of,
    "!bytearray": lambda text: bytearray(_bytes_of(text)),
    "!memoryview": lambda text: memoryview(_bytes_of(text)),
    "!float": lambda text: {"nan": float("nan"), "inf": float("inf"), "-inf": -float("inf")}[text],
    "!complex": lambda parts: complex(*parts),
    "!range": lambda parts: range(*parts),
    "!constant": lambda name: {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented}[name],
    "!datetime": lambda text: _moment("datetime", text),
    "!time": lambda text: _moment("time", text),
    "!date": _standard("datetime", "date.fromisoformat"),
    "!timedelta": lambda parts: importlib.import_module("datetime").timedelta(*parts),
    "!timezone": _timezone,
    "!decimal": _standard("decimal", "Decimal"),
    "!fraction": _standard("fractions", "Fraction"),
    "!uuid": _standard("uuid", "UUID"),
    "!path": _path,
    "!enum": _member,
    "!object": _instance,
}


def content_of(content: Any) -> bytes:
    """Bytes of a file or of stdin: a text is UTF-8, `!bytes` says them one by one."""
    content = untag(content)
    return content.encode("utf-8", "surrogateescape") if type(content) is str else bytes(memoryview(content))


class Call:
    """Arguments, and the scene in which they are handed over: `set_up` makes it, `take_back` undoes it."""

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.payload: Any = untag({"args": plan.get("args", []), "kwargs": plan.get("kwargs", {})})
        self.args, self.kwargs = self.payload["args"], self.payload["kwargs"]
        self.undo: list[Callable[[], Any]] = []

    def set_up(self, effects: Effects) -> None:
        """Clock, environment and files, for a program as for a function."""
        plan = self.plan
        if plan.get("now") is not None:
            if not _clock.frozen:
                raise ValueError("`now` cannot be set: the clock does not stand still under this interpreter")
            _set_now(plan["now"])
            self.undo.append(_set_now)
        if plan.get("env"):
            known = effects.data
            self.undo.append(lambda: setattr(effects, "data", known))
            for name, text in plan["env"].items():
                self.name(name, text)
            effects.data = known | {name.encode("utf-8", "surrogateescape") for name in plan["env"]}
        if plan.get("files"):
            os.chdir(effects.temp_root)  # an earlier fixture may have left it
            effects.touched = True
            for path, content in plan["files"].items():
                self.file(effects.temp_root, path, content_of(content))

    def file(self, temp_root: str, path: str, data: bytes) -> None:
        """Write one file below the temp root."""
        if leaves(path):
            raise ValueError("the file %s leaves the temp root" % path)
        try:
            os.makedirs(os.path.dirname(temp_root + path), exist_ok=True)
            with open(temp_root + path, "wb") as file:
                file.write(data)
            if _clock.frozen:  # programs show when their files were written
                _utime(temp_root + path, ns=(_clock.ns, _clock.ns))
        except OSError as exc:
            raise ValueError("the file %s cannot be written: %s" % (path, exc.strerror)) from None

    def name(self, name: str, text: str | None) -> None:
        """Set or, with None, take away one environment variable until `take_back`. Looking at the old one is no read."""
        old = dict.get(_environ._data, name.encode("utf-8", "surrogateescape"))

        def put(text: Any) -> None:
            if text is not None:
                _environ[name] = text
            elif dict.__contains__(_environ._data, name.encode("utf-8", "surrogateescape")):
                del _environ[name]
            if name == "TZ":
                time.tzset()

        put(text)
        self.undo.append(lambda: put(None if old is None else os.fsdecode(old)))

    def streams(self) -> None:
        """`sys.argv` and `sys.stdin` for a function."""
        argv, stdin = self.plan.get("argv"), self.plan.get("stdin")
        if argv is not None:
            words, old = sys.argv, sys.argv[:]
            words[1:] = argv
            self.undo.append(lambda: words.__setitem__(slice(None), old))
        if stdin is not None:
            before, stream = os.dup(0), sys.stdin
            feed(content_of(stdin))
            buffer: Any = _io.open(0, "rb", -1, closefd=False)
            buffer.raw.name = "<stdin>"
            sys.stdin = _io.TextIOWrapper(buffer, "utf-8", "surrogateescape", "\n")

            def put() -> None:
                sys.stdin = stream
                os.dup2(before, 0)
                os.close(before)

            self.undo.append(put)

    def take_back(self) -> None:
        """Undo the scene, last thing first; what the target has broken stays broken for the rest of its fork only."""
        while self.undo:
            try:
                self.undo.pop()()
            except Exception:
                pass


def feed(data: bytes) -> None:
    """Let descriptor 0 read these bytes."""
    fd = capture_file("stdin")
    left = memoryview(data)
    while left:
        left = left[_write(fd, left) :]
    _seek(fd, 0, 0)
    os.dup2(fd, 0)
    os.close(fd)


def call_of(plan: Any, effects: Effects) -> Call:
    """A call with its scene set up for a function. Raises ValueError, whatever went wrong, with nothing left behind."""
    call = None
    try:
        call = Call(plan)
        call.set_up(effects)
        call.streams()
    except (ValueError, RecursionError):
        if call is not None:
            call.take_back()
        raise
    except Exception as exc:
        if call is not None:
            call.take_back()
        raise ValueError("%s: %s" % (name_of(type(exc)), message_of(exc))) from None
    return call


# ------------------------------------------------------------------ one fixture


def error(where: str, why: str) -> str:
    """Record of a fault that is not the target's."""
    return '{"out":"error","where":"%s","why":%s}' % (where, _quote(why[:2000]))


def chain_of(exc: BaseException | None) -> str:
    """Causes and contexts behind an exception as record text, nearest first, at most ten."""
    out: list[str] = []
    seen: set[int] = set()
    while exc is not None and len(out) < 10:
        exc = exc.__cause__ if exc.__cause__ is not None else None if exc.__suppress_context__ else exc.__context__
        if exc is None or id(exc) in seen:
            break
        seen.add(id(exc))
        kind = type(exc)
        out.append('{"module":%s,"type":%s,"msg":%s}' % (*map(_quote, names_of(kind)), _text_tree(message_of(exc))))
    return "[%s]" % ",".join(out)


def _text_tree(text: str) -> str:
    made = _text(text)
    return made if len(made) <= _longest[0] else _long((made,))


def decode(kind: int, raw: bytes) -> Any:
    """The payload of a fixture, as its kind says; of a call, its plan."""
    if kind in (0, 3):
        return _loads(raw.decode("utf-8"))
    return raw.decode("utf-8") if kind == 1 else raw


def frozen(value: Any) -> bytes | None:
    """Bytes that change whenever the value does, made at C speed; None where only `encode` can tell."""
    try:
        return _marshal(value, 2)  # version 2: no references, so equal values give equal bytes
    except ValueError:
        return None


def deepen() -> None:
    """Raise the recursion limit by the frames of ours below the caller, so that a target has the room that a small program would leave it.

    Forks and fresh processes get here by different ways; recursion ends at the same depth in both, whichever a side runs in.
    """
    frame, ours = _frame(1), -2  # as if a program's main function had called one that calls the target
    while frame is not None:
        ours, frame = ours + 1, frame.f_back  # type: ignore[assignment]
    _setrecursionlimit(min(_getrecursionlimit() + ours, _DEEPEST))
    _deeper[0] = ours


_deeper = [0]  # by how much the limit is higher in this process than the target may see
_DEEPEST = (1 << 31) - 1  # the highest limit that there is


def hide_depth() -> None:
    """Let the target see and set the limit without our share."""

    def shown() -> int:
        limit = _getrecursionlimit()
        return limit if limit == _DEEPEST else limit - _deeper[0]

    def deeper(limit: Any) -> None:
        if issubclass(type(limit), int) and 0 < int.__int__(limit) <= _DEEPEST:  # else there is an error to be raised
            limit = min(int.__int__(limit) + _deeper[0], _DEEPEST)
        _setrecursionlimit(limit)

    Stand(sys, "getrecursionlimit", shown)
    Stand(sys, "setrecursionlimit", deeper)


def observe(target: Target, kind: int, raw: bytes, effects: Effects, limit: int) -> str:
    """Run the target on one payload; the record as text. Never raises what the target raises."""
    call, awaited, before = None, "", None
    try:
        payload = decode(kind, raw)
        if kind == 3:
            call = call_of(payload, effects)
            payload = call.payload
        if type(payload) in (dict, list):  # to `frozen` a bytearray is its bytes, and a call may hold one
            before = encode(payload) if kind == 3 else frozen(payload) or encode(payload)
    except (ValueError, RecursionError, Unencodable) as exc:
        if call is not None:
            call.take_back()
        return error("payload", "the payload cannot be decoded: %s" % message_of(exc))
    effects.clear()
    effects.on = True
    try:
        try:
            try:
                result = target(payload) if call is None else target(*call.args, **call.kwargs)
                shape = type(result)
                if id(shape) not in _PLAIN_RESULTS and (_find(_mro_of(shape), "__await__") or shape is types.AsyncGeneratorType):
                    result = _finished(result, effects)
                    shape, awaited = (type(result), "awaited ") if shape is not types.AsyncGeneratorType else (shape, "")
            finally:  # a tracer that the target left on would run inside everything below
                _settrace(None)
                _setprofile(None)
        except SystemExit as exc:
            head = '{"out":"exited","code":%s' % _code(exc.code)
        except Misfit as exc:
            return error("payload", message_of(exc))
        except BaseException as exc:
            effects.on = False  # what is looked up below is not the target's doing
            head = raised(exc, limit)
        else:
            name = _PLAIN_RESULTS.get(id(shape)) or name_of(shape)
            head = '{"out":"returned","value":%s,"type":%s' % (encode(result), _quote(awaited + name))
    except (Unencodable, RecursionError, MemoryError) as exc:
        return error("value", message_of(exc) or type(exc).__name__)
    except BaseException as exc:  # the value's own code, run by us
        return error("value", "%s while the value was read: %s" % (name_of(type(exc)), message_of(exc)))
    finally:
        effects.on = False
        if call is not None:
            call.take_back()
    if before is not None:
        after = frozen(payload) if type(before) is bytes else encode(payload)
        if after != before:
            try:
                head += ',"arg":%s' % encode(payload)
            except Unencodable as exc:
                return error("value", "the changed argument: %s" % message_of(exc))
    return complete(head, effects)


def complete(head: str, effects: Effects) -> str:
    """The record that begins so. "cut" stands first, so that equal records are not taken for equal observations."""
    text = effects.text()
    return ('{"cut":%s,' % _dumps(_cut[0]) + head[1:] if _cut[0] or effects.shared else head) + text + "}"


# Quickly told not to be awaitable; by id, since a metaclass may have a hash of its own, or none.
_PLAIN_RESULTS = {id(kind): name_of(kind) for kind in (dict, list, tuple, str, bytes, int, float, bool, type(None))}


def _finished(result: Any, effects: Effects) -> Any:
    """What an awaitable comes to; of an asynchronous generator, a plain one that goes through the same."""
    import asyncio

    async def wait() -> Any:
        return await result

    async def gather() -> Any:
        items = []
        try:
            async for item in result:
                items.append(item)
                if len(items) > ITEMS:
                    break
        except Exception as exc:
            return items, exc
        return items, None

    def again(items: list[Any], exc: Exception | None) -> Any:
        yield from items
        if exc is not None:
            raise exc

    try:
        if type(result) is types.AsyncGeneratorType:
            return again(*asyncio.run(gather()))
        return asyncio.run(result if type(result) is types.CoroutineType else wait())
    finally:  # read by our own call; a target that reads it as well is not told apart
        effects.env.discard("PYTHONASYNCIODEBUG")


def _code(code: Any) -> str:
    """An exit code as the process would see it: whole numbers of any class are numbers."""
    return str(int.__int__(code)) if isinstance(code, int) else "null" if code is None else _text_tree(message_of(code))


def _members_of(exc: Any) -> str:
    """What a group of exceptions holds, with what groups in it hold: `[builtins.ValueError,builtins.ExceptionGroup[..]]`."""
    out: list[str] = []
    stack: list[Any] = [exc]
    while stack and len(out) < ITEMS:
        one = stack.pop()
        if type(one) is str:
            out.append(one)
            continue
        kind = type(one)
        if out:
            out.append(name_of(kind))
        members = getattr(one, "exceptions", None) if "Group" in _short_name_of(kind) else None
        if type(members) is tuple and members:
            out.append("[")
            stack.append("]")
            stack += [part for member in reversed(members) for part in (member, ",")][:-1]
    return "".join(out)


def raised(exc: BaseException, limit: int) -> str:
    """Head of the record of an exception; `limit` tells a MemoryError that we caused from one of the target's own."""
    kind = type(exc)
    # Both are what our own limits look like from inside: a partial run is no outcome of the target.
    if limit and issubclass(kind, MemoryError):
        return '{"out":"over","limit":"memory"'
    if issubclass(kind, OSError) and exc.errno == errno.EFBIG:  # type: ignore[attr-defined]
        return '{"out":"over","limit":"output"'
    module, name = names_of(kind)
    inside = _members_of(exc)
    bases = "" if module == "builtins" else ',"bases":[%s]' % ",".join([_quote(name_of(base)) for base in _mro_of(kind)[1:-1]])
    head = '{"out":"raised","exc":{"type":%s,"module":%s,"msg":%s%s}' % (
        _quote(name + inside),
        _quote(module),
        _text_tree(message_of(exc)),
        bases,
    )
    chain = chain_of(exc)
    if chain != "[]":
        head += ',"chain":' + chain
    trace = exc.__traceback__
    if kind is TypeError and trace is not None and trace.tb_next is None:
        head += ',"at_call":true'
    return head


# ------------------------------------------------------------------ the sandbox


class Sandbox:
    """Keeps network, files and signals from the target as far as this kernel can; all that is forked or started inherits it.

    A seccomp filter holds the network, Landlock files and signals (Linux 5.13; signals 6.12). Both are asked for through
    `_ctypes` alone: it loads in 0.4 ms, `ctypes` in another 4. ``enforced`` says what was obtained, ``why`` what was not.
    """

    # By machine: the kernel's name for its calls, then the numbers of socket, socketpair and connect.
    MACHINES = {"x86_64": (0xC000003E, 41, 53, 42), "aarch64": (0xC00000B7, 198, 199, 203)}  # noqa: RUF012  # never written to
    CREATE, ADD, RESTRICT, IO_URING = 444, 445, 446, 425  # the same on every machine
    REFER = 1 << 13  # Landlock's right to move between folders
    WRITES = 2 | 0x1FF0  # Landlock's rights to write, remove and make; reading is never restricted
    DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
    SEMAPHORES = "/dev/shm"  # noqa: S108  # locks of `multiprocessing` lie there

    def __init__(self) -> None:
        self.enforced: dict[str, str | None] = {"net": None, "fs": None, "signals": None}
        self.why: dict[str, str] = {}
        self.forks = -1  # rules that each fork enters, so that it cannot signal this process
        self.call: Any = None
        self.char: Any = None
        self.control: Any = lambda *_: -1  # prctl
        self.resize: Any = lambda *_: -1  # fcntl, without loading that module

    def bind(self) -> bool:
        """Find the two entrances to the kernel; False where this interpreter cannot reach them."""
        try:
            _ctypes: Any = importlib.import_module("_ctypes")
            long = type("long", (_ctypes._SimpleCData,), {"_type_": "l"})
            flags = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
            function = type("function", (_ctypes.CFuncPtr,), {"_flags_": flags, "_restype_": long})
            handle = _ctypes.dlopen(None, 0)
            self.call, self.control, self.resize = (function(_ctypes.dlsym(handle, name)) for name in ("syscall", "prctl", "fcntl"))
            self.char = type("char", (_ctypes._SimpleCData,), {"_type_": "c"})
            self.address, self.errno, self.long = _ctypes.addressof, _ctypes.get_errno, long
        except Exception as exc:  # built without it, or a C library that is put together in another way
            self.why = dict.fromkeys(self.enforced, "this interpreter cannot call the kernel: %s" % message_of(exc))
            return False
        return True

    def apply(self, temp_root: str) -> None:
        """Restrict this process for good. Call it before threads run: Landlock holds the thread that asks and its children."""
        if not self.bind():
            return
        if self.control(38, 1, 0, 0, 0) != 0:
            self.why = dict.fromkeys(self.enforced, "the kernel refuses no_new_privs: %s" % os.strerror(self.errno()))
            return
        try:
            self.hold_files(temp_root)
        except OSError as exc:
            said = {errno.ENOSYS: "this kernel has no Landlock", errno.EOPNOTSUPP: "Landlock is off: the kernel was started without it"}
            self.why["fs"] = self.why["signals"] = said.get(exc.errno or 0, "Landlock was refused: %s" % exc.strerror)
        try:
            self.hold_network()
            self.enforced["net"] = "seccomp"
        except OSError as exc:
            self.why["net"] = "a seccomp filter was refused: %s" % exc.strerror
        self.guard()

    def guard(self) -> None:
        """Make the rules for forks. They may lack on kernels that say they have them; what is not taken is absent."""
        try:
            self.forks = self.rules(self.REFER, 0, 2)
            # Every set of rules denies moving files between folders, unless it says otherwise.
            self.grant(self.forks, "/", self.REFER)
            self.enforced["signals"] = "landlock"
        except OSError:
            self.why.setdefault("signals", "Landlock of this kernel does not hold signals (Linux 6.12 does)")

    def enter(self) -> None:
        """In a fork: from here on no signal reaches the process that forked it."""
        if self.forks >= 0:
            self.call(self.RESTRICT, self.forks, 0)
            os.close(self.forks)

    def check(self, result: int) -> int:
        """The result of a call; raises OSError where it failed."""
        if result < 0:
            raise OSError(self.errno(), os.strerror(self.errno()))
        return result

    def buffer(self, data: bytes) -> Any:
        """A copy of bytes that the kernel can be pointed to."""
        return (self.char * len(data)).from_buffer_copy(data)

    def rules(self, files: int, net: int, scope: int) -> int:
        """Descriptor of a new set of Landlock rules."""
        data = struct.pack("=QQQ", files, net, scope)[: 24 if scope else 16 if net else 8]
        return self.check(self.call(self.CREATE, self.buffer(data), self.long(len(data)), 0))

    def grant(self, rules: int, path: str, rights: int) -> None:
        """Allow something below a path, where there is such a path."""
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            self.check(self.call(self.ADD, rules, 1, self.buffer(struct.pack("=Qi", rights, fd)), 0))
        finally:
            os.close(fd)

    def hold_files(self, temp_root: str) -> None:
        """Writing only below the temp root and to a few devices; no TCP, and no signal to a process outside, where that can be had."""
        version = self.check(self.call(self.CREATE, None, self.long(0), 1))
        files = self.WRITES | (self.REFER if version > 1 else 0) | (1 << 14 if version > 2 else 0) | (1 << 15 if version > 4 else 0)
        wanted = [(0, 0), (3, 0), (3, 3)][: 3 if version > 5 else 2 if version > 3 else 1]
        rules = -1
        while rules < 0:
            net, scope = wanted.pop()
            try:
                rules = self.rules(files, net, scope)
            except OSError as exc:  # some kernels say they are newer than they are
                if exc.errno != errno.EINVAL or not wanted:
                    raise
        places = [(temp_root, files), (self.SEMAPHORES, files & (2 | 1 << 5 | 1 << 8 | 1 << 14))]
        places.extend((path, files & (2 | 1 << 14 | 1 << 15)) for path in self.DEVICES)
        for path, rights in places:
            self.grant(rules, path, rights)
        self.check(self.call(self.RESTRICT, rules, 0))
        os.close(rules)
        self.enforced["fs"] = "landlock-%d" % version

    def hold_network(self) -> None:
        """No sockets but pairs and streams within this machine, and no connection from those to anybody's."""
        machine = os.uname().machine
        if machine not in self.MACHINES or struct.calcsize("P") != 8:
            raise OSError(errno.ENOSYS, "no filter is written for %s" % machine)
        arch, socket, pair, connect = self.MACHINES[machine]
        load, equal, above, mask, give = 0x20, 0x15, 0x35, 0x54, 0x06
        refused, missing, fine = 0x50000 | errno.EACCES, 0x50000 | errno.ENOSYS, 0x7FFF0000
        lines = (
            (load, 0, 0, 4),  # which set of calls
            (equal, 1, 0, arch),
            (give, 0, 0, 0x80000000),  # of another machine: its numbers mean other things
            (load, 0, 0, 0),  # which call
            (above, 9, 0, 0x40000000 if machine == "x86_64" else 0xFFFFFFFF),  # x32, the same calls by other numbers
            (equal, 8, 0, self.IO_URING),  # would make sockets without the calls below
            (equal, 9, 0, connect),
            (equal, 1, 0, socket),
            (equal, 0, 8, pair),
            (load, 0, 0, 16),  # family
            (equal, 0, 5, 1),  # AF_UNIX
            (load, 0, 0, 24),  # type, without its flags; datagrams reach any path without a connection
            (mask, 0, 0, 0xF),
            (equal, 3, 1, 1),  # SOCK_STREAM
            (give, 0, 0, missing),
            (equal, 1, 0, 5),  # SOCK_SEQPACKET
            (give, 0, 0, refused),
            (give, 0, 0, fine),
        )
        program = self.buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
        head = self.buffer(struct.pack("@HP", len(lines), self.address(program)))
        if self.control(22, 2, head, 0, 0) != 0:
            raise OSError(self.errno(), os.strerror(self.errno()))


# ------------------------------------------------------------------ what a fixture leaves behind


class Leaks:
    """State of the process that the fixtures of one fork share: as it was when the server was ready, and what differs from that.

    The fork pays for each page that it writes to, and counting a reference is writing. So what was there before is kept by
    the server, and whether a module was patched is read from the memory of its table, without touching what lies in it.
    """

    MODULES = ("builtins", "sys", "os", "posixpath", "io", "time", "datetime", "math", "random", "re", "string", "json", "json.decoder",
               "json.encoder", "decimal", "locale", "logging", "socket", "subprocess", "tempfile", "warnings")  # fmt: skip
    KINDS = tuple(
        getattr(resource, "RLIMIT_" + name)
        for name in ("AS", "CORE", "CPU", "DATA", "FSIZE", "NOFILE", "STACK")
        if hasattr(resource, "RLIMIT_" + name)
    )
    CHANGING = frozenset(("tempfile._name_sequence", "tempfile.tempdir"))  # by us, before each fixture

    def __init__(self, capture: Files, tables: bool) -> None:
        self.capture = capture
        named = ((name, sys.modules.get(name)) for name in self.MODULES)
        spaces = [(name, vars(one)) for name, one in named if type(one) is types.ModuleType]
        # What a module got later is no patch; what it had is held here, so that no address is used twice.
        self.modules: list[tuple[str, Any, Pairs, Any]] = [
            (name, space, list(space.items()), _Table(space) if tables else None) for name, space in spaces
        ]
        if tables:  # elsewhere it would take too long to go through their classes
            for name, space in spaces:
                for kind in space.values():  # those that a class statement made there
                    if issubclass(type(kind), type) and _flags_of(kind) & 1 << 9 and _module_of(kind) == name:
                        own: Any = gc.get_referents(_vars_of(kind))[0]
                        if type(own) is dict:
                            self.modules.append(("%s.%s" % (name, _short_name_of(kind)), own, list(own.items()), _Tag(kind)))
        self.streams = sys.stdout, sys.stderr
        self.before = self.look()
        self.own: tuple[Any, ...] = ()

    def start(self) -> None:
        """In the fork, before its first fixture: what a fork has of its own."""
        self.own = self.look_own()

    def found(self) -> list[str]:
        """What is not as it was. A file may wait for the collector, and a thread that ended for the kernel: they get a moment."""
        own, turns = self.look_own(), 25
        while own != self.own and turns:
            if turns == 25:
                gc.collect()
            _sleep(0.002)
            own, turns = self.look_own(), turns - 1
        names = ("descriptors", "limits", "threads", "child processes")
        out = [name for name, value, was in zip(names, own, self.own) if value != was]
        now = self.look()
        out.extend(name for name, value in self.before.items() if not _alike(value, now[name]))
        for name, space, had, table in self.modules:
            if table is None or table.changed():
                changed = ("%s.%s" % (name, key) for key, value in had if space.get(key) is not value)
                out.extend(key for key in changed if key not in self.CHANGING)
        return out

    def look_own(self) -> tuple[Any, ...]:
        """Lowest free descriptor, limits, threads, whether there are children."""
        try:
            free = _dup(self.capture.reads[0])
            _close(free)
        except OSError:  # none is left, or none can be had
            free = -1
        try:
            _waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            children = True
        except OSError:
            children = False
        return (free, self.capture.own(), self.capture.blocks()), [_getrlimit(kind) for kind in self.KINDS], (_count(), tasks()), children

    def look(self) -> dict[str, Any]:
        """All else that is watched, by the name that a person is told. Lists are compared by identity, other values as such."""
        umask = os.umask(0o77)
        os.umask(umask)
        try:
            folder = _getcwd()
        except OSError:  # it was removed
            folder = ""
        environ: Any = getattr(os.environ, "_data", {})
        return {
            "working directory": folder,
            "umask": umask,
            "signal handlers": [_signal.getsignal(number) for number in range(1, 32)],
            "blocked signals": _mask(_signal.SIG_BLOCK, _DEATHS) - set(_DEATHS),
            "timers": _signal.getitimer(0)[0] > 0,
            "environ": dict(dict.items(environ)) if isinstance(environ, dict) else None,
            "recursion limit": sys.getrecursionlimit(),
            "limit of digits": getattr(sys, "get_int_max_str_digits", int)(),
            "garbage collector": (gc.isenabled(), gc.get_threshold()),
            "sys.path": list(sys.path),
            "import hooks": [*sys.meta_path, *sys.path_hooks],
            "warning filters": list(warnings.filters),
            "locale": _locale.setlocale(_locale.LC_ALL),
            "logging": _logging(),
            "decimal context": _decimal(),
            "context variables": _context(),
            "standard streams": tuple(map(_stream, self.streams)),
        }


class _Table:
    """The memory behind a module's names: while its bytes stay the same, so do the values. Reading it touches none of them."""

    POINTER = 4 * _POINTER  # where a dict of CPython 3.8 to 3.13 keeps the address of its table
    HEAD = 40  # bytes at the table's start that say how it is used, not what is in it

    def __init__(self, space: dict[str, Any]) -> None:
        self.pointer = _memory(id(space) + self.POINTER, _POINTER)
        self.place: bytes = self.pointer.raw
        size = dict.__sizeof__(space) - dict.__basicsize__ - self.HEAD
        self.table = _memory(int.from_bytes(self.place, sys.byteorder) + self.HEAD, size)
        self.was: bytes = self.table.raw

    def changed(self) -> bool:
        """Whether it was written to, or is another table now. A name that was added counts too: look for what it means."""
        return bool(self.pointer.raw != self.place or self.table.raw != self.was)


class _Tag:
    """The number by which the interpreter tells whether a class was written to since it last looked something up: cheaper than a table."""

    PLACE = 48 * _POINTER  # in a class of CPython 3.8 to 3.13

    def __init__(self, kind: Any) -> None:
        self.tag = _memory(id(kind) + self.PLACE, 4)
        self.was: bytes = self.tag.raw

    def changed(self) -> bool:
        """Whether there is another number: a first look-up makes one as well, so look for what it means."""
        return bool(self.tag.raw != self.was)


def _tables_show() -> bool:
    """Whether `_Table` and `_Tag` can be used here; tried on a dict and a class of our own."""
    if sys.implementation.name != "cpython" or sys.version_info >= (3, 14) or "t" in getattr(sys, "abiflags", ""):
        return False
    try:
        space = dict.fromkeys(("one", "two", "three"), "")
        table = _Table(space)
        before = table.changed()
        space["two"] = "2"
        kind: Any = type("Kind", (), {"one": 1})
        tags = [(kind.one, _Tag(kind))[1]]
        before = before or tags[0].changed()
        kind.one = 2
        return table.changed() and tags[0].changed() and not before
    except Exception:  # no _ctypes in this interpreter
        return False


def _alike(one: Any, other: Any) -> bool:
    if type(one) is list:
        return len(one) == len(other) and all(map(_is, one, other))
    return bool(one == other)


def tasks() -> int:
    """Threads of this process, those of compiled code included."""
    try:
        return _stat("/proc/self/task").st_nlink - 2
    except OSError:
        return _count() + 1


def _logging() -> list[Any]:
    """Levels, handlers and filters of loggers; nothing of one that is as it begins: to import it, or to ask for one, is no change."""
    root = getattr(sys.modules.get("logging"), "root", None)
    try:
        found = [] if root is None else [root.level, root.disabled, root.manager.disable, *root.handlers, *root.filters]
        found = [] if found == [30, False, 0] else found
        for name, logger in [] if root is None else list(root.manager.loggerDict.items()):
            state = _attribute(logger, "__dict__")
            if "propagate" in state:  # else it stands for loggers below it
                own = [state["level"], state["disabled"], state["propagate"], *state["handlers"], *state["filters"]]
                if own != [0, False, True]:
                    found += [name, *own]
    except Exception:
        found = [None]
    return found


def _context() -> list[Any]:
    """Context variables and their values. That of `decimal` comes with its first use, and is watched by itself."""
    module: Any = sys.modules.get("_contextvars")
    if module is None:
        return []
    return [part for pair in module.copy_context().items() if pair[0].name != "decimal_context" for part in pair]


def _stream(stream: Any) -> Any:
    """How a stream of the interpreter's own writes."""
    if type(stream) is not _io.TextIOWrapper:
        return None
    try:
        return stream.encoding, stream.errors, stream.line_buffering, stream.write_through, stream.closed
    except Exception:  # detached, or not set up
        return None


def _decimal() -> Any:
    """How `decimal` computes, None where that is as it begins; what it met so far is no matter."""
    try:
        module: Any = sys.modules["decimal"]
        found, begins = (
            (context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp, *context.traps.values())
            for context in (module.getcontext(), module.DefaultContext)
        )
    except Exception:  # not loaded, or replaced
        return None
    return None if found == begins and found[:6] == (28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0) else found


# ------------------------------------------------------------------ the fork server

_HEAD = "<IId"  # records done, 1 if the fork ended itself early, start of the running fixture (monotonic seconds)
_COMING = 2  # in place of that 1: a fresh process has not come as far as its first fixture
_REACHED = 16  # behind it: 1 once a module of the side's own was loaded
_FAILED = 20  # length of what our own fault was, 0 if there was none; its text follows
_LEFT = 528  # two numbers: which fixture, counted from 1, left what it touched before its process ended; length of that text
_LEAKED = 560  # length of the words for what was left changed; its text follows
_UNSEEN = 0xFFFFFFFF  # there: the fork ended before it looked
_LONGEST_WORDS = 400
_NOTHING = (b"", b"")
_TICK = 0.02  # seconds between two looks whether a fork is held up by a full pipe
_LOST = 0xFFFFFFFF  # in a row: the captures are out of the fork's reach
_ROW = "<III"  # lengths of record, stdout and stderr, which follow
_START = 1024
_DEATHS = (_signal.SIGCHLD,)
_FORK_WARNS = sys.version_info >= (3, 12)
_WHOLE = 128  # flag of a kind


class Files:
    """What is written to descriptors 1 and 2, in files: they take whatever comes, but whoever opens `/dev/stdout` anew empties them."""

    def __init__(self, reads: tuple[int, ...], writes: tuple[int, ...]) -> None:
        self.reads, self.writes = reads, writes
        self.idents = tuple((_fstat(fd).st_dev, _fstat(fd).st_ino) for fd in reads)
        self.places: tuple[tuple[int, ...], ...] = ((1,), (2,))

    def put(self) -> None:
        """Let every place lead here."""
        for fd, places in zip(self.writes, self.places):
            for place in places:
                os.dup2(fd, place, place < 3 or os.get_inheritable(place))

    def clear(self) -> None:
        """Forget what is there."""
        for fd in self.reads:
            if _seek(fd, 0, 2):  # to the end; where that is not the start, somebody left output
                _truncate(fd, 0)
                _seek(fd, 0, 0)

    def full(self) -> bool:
        """Whether a writer is held up until somebody reads."""
        return False

    def own(self) -> bool:
        """Whether these descriptors are what they were; the target may have closed them, and others may have got their numbers."""
        try:
            return all((one.st_dev, one.st_ino) == ident for one, ident in zip(map(_fstat, self.reads), self.idents))
        except OSError:
            return False

    def blocks(self) -> list[bool]:
        """Whether a writer that is held up waits."""
        return []

    def take(self, most: int) -> tuple[bytes, bytes] | None:
        """What was written, taken out; of what is longer than `most`, one byte more than that. None where it is out of reach."""
        if not self.own():
            return None
        out, err = (_pread(fd, min(_fstat(fd).st_size, most + 1), 0) for fd in self.reads)
        self.clear()
        return out, err


class Pipes(Files):
    """The same in pipes: whoever opens `/dev/stdout` anew adds to it, as in a shell's pipeline. They hold no more than their size."""

    SIZE = 1 << 20  # as much as the system gives without a privilege

    def __init__(self, reads: tuple[int, ...], writes: tuple[int, ...], resize: Any) -> None:
        super().__init__(reads, writes)
        poll, self.held_up = select.poll(), select.poll()
        self.polls = {}
        for source, sink in zip(reads, writes):
            resize(sink, 1031, self.SIZE)  # F_SETPIPE_SZ; where it is refused, more outputs are too long
            poll.register(source, select.POLLIN)
            self.held_up.register(sink, select.POLLOUT)
            one = select.poll()
            one.register(source, select.POLLIN)
            self.polls[source] = one.poll
        self.poll = poll.poll

    def clear(self) -> None:
        """Forget what is there, and what a fork made of the pipes: how they block belongs to whoever holds them, not to one process."""
        for fd in (*self.reads, *self.writes):
            _set_blocking(fd, fd not in self.reads)
        for fd in self.reads if self.poll(0) else ():
            self.read(fd, 2 * Pipes.SIZE)  # and no more: a thread of the import may go on writing

    def full(self) -> bool:
        """Whether a writer is held up until somebody reads: a pipe that takes nothing is not ready to be written to."""
        return len(self.held_up.poll(0)) < 2

    def blocks(self) -> list[bool]:
        """Whether a writer that is held up waits, and that a reader does not."""
        return [_get_blocking(fd) for fd in (*self.writes, *self.reads)]

    def take(self, most: int) -> tuple[bytes, bytes] | None:
        """As that of files, in one call of the system where nothing was written."""
        ready = self.poll(0)
        if not ready:
            return _NOTHING
        if not self.own():
            return None
        out, err = (self.read(fd, most + 1) for fd in self.reads)
        return out, err

    def read(self, fd: int, most: int) -> bytes:
        """What there is, up to so many bytes. Asks first: whether a read would wait is for the target to change."""
        data, poll = b"", self.polls[fd]
        try:
            while len(data) < most and poll(0):
                part = _read(fd, min(most - len(data), 65536))
                if not part:
                    break
                data += part
        except BlockingIOError:  # somebody else was faster
            pass
        return data


class Server:
    """Runs batches in forks of this process, which holds the imported target."""

    shares = True  # fixtures share a fork
    main: dict[str, str] = {}  # noqa: RUF012  # {"__main__": file} of a command; never written to

    def __init__(
        self, target: Any, effects: Effects, setup: Any, sandbox: Sandbox, *, captures: list[Files], private: tuple[int, ...], shared: int
    ) -> None:
        self.target, self.effects, self.sandbox, self.private = target, effects, sandbox, private
        self.setup, self.memory_file = setup, shared
        self.seconds, self.memory, self.output = setup["seconds"], setup["memory"], setup["output"]
        self.temp_root = setup["temp_root"]
        self.own = tuple(path + os.sep for path in setup["own"])
        self.reached = reaches(self.own)
        self.capture, self.roomy = captures[0], captures[-1]  # and what takes its place where that is too small
        self.limits = (
            limit(resource.RLIMIT_CORE, 0, for_good=True),
            limit(resource.RLIMIT_DATA, self.memory, for_good=True),
            limit(resource.RLIMIT_FSIZE, FLOOD),
        )
        self.shared = mmap.mmap(shared, SHARED)
        self.leaked: dict[str, None] = {}  # by batches since the last answer
        self.again = 0  # fixtures of theirs that were run again alone
        self.child = self.at = 0
        effects.leaving = self.report
        self.late, self.last = mmap.mmap(shared, LATE, offset=SHARED if shared >= 0 else 0), b""
        self.kept = frozenset(os.listdir(self.temp_root))  # made by the import, which is not run again
        self.known = loaded()
        tables = _tables_show()
        self.table = _Table(_modules) if tables else None
        self.told: dict[str, str] = {}
        self.fresh: dict[str, str] = {}
        self.at_import = frozenset(children())
        self.spawns = False
        self.environ: dict[str, str] = {}
        # A signal that is blocked stays pending, so no death is missed between a look and a wait.
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        self.signals = _mask(_signal.SIG_BLOCK, (_signal.SIGCHLD,))
        self.leaks = Leaks(self.capture, tables) if self.shares else None
        self.sigterm = _signal.signal(15, self.end)  # the target's own, for its forks

    def end(self, _signum: int, _frame: Any) -> None:
        """SIGTERM from our parent: leave no child behind."""
        if self.child:
            try:
                _killpg(self.child, _signal.SIGKILL)
            except OSError:
                _kill(self.child, _signal.SIGKILL)
        bury(frozenset())
        _exit(143)

    def batch(self, kinds: list[int], raws: list[bytes], together: int) -> Iterator[list[Answer]]:
        """Answers (record, stdout, stderr) in order, in groups that need not fit into memory together.

        At most `together` fixtures share a fork.
        """
        answers: list[Answer] = []
        done = size = 0
        while done < len(raws):
            got = self.apart(kinds, raws, done, together)
            done += len(got)
            answers += got
            if done < len(raws):  # one fork is enough for most batches
                size += sum(len(part) for answer in got for part in answer)
                if size < FRAME:
                    continue
            yield answers
            answers, size = [], 0

    def apart(self, kinds: list[int], raws: list[bytes], start: int, together: int) -> list[Answer]:
        """The answers of one fork if its fixtures left nothing changed; else those of each of them alone."""
        got = self.fork(kinds[start : start + together], raws[start : start + together])
        if len(got) < 2:
            return got
        end = start + len(got)
        words = self.words()
        if words is None:  # it died; so look at what came before its death once more
            again = self.fork(kinds[start : end - 1], raws[start : end - 1], look=True)
            words = self.words() if len(again) == len(got) - 1 else None
        if words == "":
            return got
        self.leaked.update(dict.fromkeys(["an early end"] if words is None else words.split(", ")))
        self.again += len(got)
        return [answer for at in range(start, end) for answer in self.fork(kinds[at : at + 1], raws[at : at + 1])]

    def words(self) -> str | None:
        """What the last fork said of what its fixtures left changed; None if it ended before it looked."""
        length = _unpack_from("<I", self.shared, _LEAKED)[0]
        return None if length == _UNSEEN else self.shared[_LEAKED + 4 : _LEAKED + 4 + length].decode("ascii")

    def fork(self, kinds: list[int], raws: list[bytes], *, look: bool = False) -> list[Answer]:
        """Run fixtures in one fork, up to the end or to the one that ends the fork: at least one answer."""
        self.capture.clear()
        _pack_into(_HEAD, self.shared, 0, 0, 0, _mono())
        _pack_into("<II", self.shared, _REACHED, 0, 0)
        _pack_into("<I", self.shared, _LEFT, 0)
        _pack_into("<I", self.late, 0, 0)
        _pack_into("<I", self.shared, _LEAKED, _UNSEEN)
        look = look or len(raws) > 1
        pid = self.child = self.stand_in(kinds, raws, look=look) if self.spawns else self.begin(kinds, raws, look=look)
        ended = self.wait(pid)
        try:
            _killpg(pid, 9)  # whatever it left behind in its session; it still counts as a member itself, so this mostly succeeds
        except OSError:
            pass
        status = _waitpid(pid, 0)[1]
        self.child = 0
        self.reached = self.reached or _unpack_from("<I", self.shared, _REACHED)[0] == 1
        self.hear()
        bury(self.at_import)
        clear_folder(self.temp_root, self.kept)
        if ended != "full":
            return self.harvest(len(raws), status, ended == "timed out")
        done = _unpack_from(_HEAD, self.shared, 0)[0]
        answers = self.harvest(done, status, timed_out=False) if done else []
        answers += self.with_room(kinds[done : done + 1], raws[done : done + 1])
        _pack_into("<I", self.shared, _LEAKED, _UNSEEN)
        return answers

    def with_room(self, kinds: list[int], raws: list[bytes]) -> list[Answer]:
        """The answer of a fixture that writes more than the pipes hold, from files."""
        pipes, self.capture = self.capture, self.roomy
        self.capture.put()
        answers = self.fork(kinds, raws)  # no `finally`: the end of a command passes through here in the fork, which still has to write
        self.capture.clear()
        self.capture = pipes
        pipes.put()
        return answers

    def begin(self, kinds: list[int], raws: list[bytes], *, look: bool) -> int:
        """Fork; the child does not come back from here."""
        if _FORK_WARNS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # where it suspects threads; we counted them
                pid = _fork()
        else:
            pid = _fork()
        if pid == 0:
            self.inside(kinds, raws, look=look)
        return pid

    def inside(self, kinds: list[int], raws: list[bytes], *, look: bool) -> None:
        """Run the fixtures in this process and end it."""
        try:
            self.run(kinds, raws, look=look)
        except BaseException as exc:
            book_fault(self.shared, exc)
        finally:
            _exit(0)

    def stand_in(self, kinds: list[int], raws: list[bytes], *, look: bool) -> int:
        """Start a fresh process that does what a fork would do. Until its first fixture starts, it has time to import the target."""
        _pack_into(_HEAD, self.shared, 0, 0, _COMING, _mono() + STARTING)
        heads = b"".join(_pack("<BI", kind, len(raw)) for kind, raw in zip(kinds, raws))
        body = _pack("<II", len(raws), len(raws)) + heads + b"".join(raws)
        first = _dumps({**self.setup, "look": look}).encode("ascii")
        requests = capture_file("requests")
        try:
            for data in (first, body):
                write_frame(requests, data)
            _seek(requests, 0, 0)
            actions = [(os.POSIX_SPAWN_DUP2, requests, 0), *((os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2))]
            handed = (*self.capture.reads, *self.capture.writes, self.memory_file)
            for fd in handed:
                os.set_inheritable(fd, True)
            command = [*self.setup["command"], *map(str, handed)]
            return os.posix_spawn(command[0], command, self.environ, file_actions=actions, setsigmask=self.signals)
        finally:
            os.close(requests)

    def wait(self, pid: int) -> str:
        """Why the fork had to be killed, "" where it ended by itself; it is dead afterwards, and not yet reaped.

        The limit is per fixture: the fork stamps each start into the shared memory. A fork that cannot go on because nobody
        reads what it writes ("full") shows by a pipe that was full twice while the same fixture ran.
        """
        left, held_up = self.seconds, -1
        while True:
            patience = max(0.0, min(left, _TICK if held_up < 0 else 0.002))  # the pipe may have filled at the last moment
            if _sigwait is None:
                time.sleep(min(patience, 0.002))
            else:
                _sigwait(_DEATHS, patience)  # a fresh process may have started its first fixture meanwhile
            if _waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return ""
            done, _, start = _unpack_from(_HEAD, self.shared, 0)
            full = self.capture.full()
            if full and held_up == done:
                _kill(pid, 9)
                return "full"
            held_up = done if full else -1
            left = self.seconds - (_mono() - start)
            if left <= 0 and not full:
                _kill(pid, 9)
                return "timed out"

    def harvest(self, wanted: int, status: int, timed_out: bool) -> list[Answer]:
        """The answers that the fork left in shared memory, and the typed end of the fixture that ended it."""
        done, early, _ = _unpack_from(_HEAD, self.shared, 0)
        if early == _COMING and not _unpack_from("<I", self.shared, _FAILED)[0]:
            ended = "took more than %d s" % STARTING if timed_out else "ended with wait status %d" % status
            return [(error("worker", "a fresh process %s while it imported the target" % ended).encode("ascii"), b"", b"")]
        answers: list[Answer] = []
        at = _START
        for _ in range(done):
            length, out, err = _unpack_from(_ROW, self.shared, at)
            at += 12
            if out == _LOST:  # the target closed every descriptor; this process still has its own
                answers.append(self.answer(self.shared[at : at + length]))
                break
            ends = at + length, at + length + out, at + length + out + err
            answers.append((self.shared[at : ends[0]], self.shared[ends[0] : ends[1]], self.shared[ends[1] : ends[2]]))
            at = ends[2]
        if done == wanted or (early and done):
            return answers
        failed = _unpack_from("<I", self.shared, _FAILED)[0]
        if failed or early:
            why = self.shared[_FAILED + 4 : _FAILED + 4 + failed].decode("ascii") or "the record is too large to cross"
            answers.append((error("worker", why).encode("ascii"), b"", b""))
        elif timed_out:
            answers.append((b'{"out":"timed_out"}', b"", b""))
        elif os.WIFSIGNALED(status):
            answers.append((b'{"out":"signalled","signal":"%s"}' % signal_name(os.WTERMSIG(status)).encode(), b"", b""))
        else:
            whose, length = _unpack_from("<II", self.shared, _LEFT)
            left = self.shared[at : at + length] if whose == done + 1 else b""
            answers.append(self.answer(b'{"out":"exited","code":%d,"hard":true%s}' % (os.WEXITSTATUS(status), left)))
        return answers

    def report(self) -> None:
        """In the fork, which is about to end or to become another program: what the fixture has touched so far."""
        threads, self.effects.threads = self.effects.threads, _count()  # they end with it
        data = self.effects.text().encode("ascii")
        self.effects.threads = threads
        if self.at + len(data) > SHARED:
            return
        self.shared[self.at : self.at + len(data)] = data
        _pack_into("<II", self.shared, _LEFT, _unpack_from(_HEAD, self.shared, 0)[0] + 1, len(data))
        self.tell()

    def answer(self, record: bytes) -> Answer:
        """A record with what stands in the captures, read from this side of the fork."""
        out, err = self.take() or _NOTHING
        if len(out) > self.output or len(err) > self.output:
            return b'{"out":"over","limit":"output"}', b"", b""
        return record, out, err

    def enter(self) -> int:
        """In the fork, before anything of the target's: a session, limits and signals of its own. Its process id."""
        _setsid()
        me = self.effects.pid = _getpid()
        self.sandbox.control(1, 9, 0, 0, 0)  # die when the server does
        self.sandbox.enter()
        _signal.signal(15, self.sigterm or _signal.SIG_DFL)
        _mask(_signal.SIG_SETMASK, self.signals)
        for fd in self.private:
            _close(fd)
        for kind, both in self.limits:
            _setrlimit(kind, both)
        return me

    def run(self, kinds: list[int], raws: list[bytes], *, look: bool) -> None:
        """In the fork: each record is in shared memory, with its output, as soon as it is there."""
        me = self.enter()
        deepen()
        shared, at, modules, effects = self.shared, _START, len(_modules), self.effects
        leaks = self.leaks if look else None
        if leaks is not None:
            leaks.start()
        for i, raw in enumerate(raws):
            _pack_into(_HEAD, shared, 0, i, 0, _mono())
            self.at = at
            _chance.reset()
            try:
                _longest[0], _cut[0] = WHOLE if kinds[i] & _WHOLE else LONGEST, False
                record = observe(self.target, kinds[i] & ~_WHOLE, raw, effects, self.memory)
            except BaseException as exc:
                record = error("worker", "%s: %s" % (name_of(type(exc)), message_of(exc)))
            if _getpid() != me:  # the target forked and both copies came back
                _exit(0)
            if len(_modules) != modules:
                modules = len(_modules)
                self.tell()
            flush()
            data, output = record.encode("ascii"), self.take() if len(raws) > 1 or self.capture.own() else None
            out, err = output or _NOTHING
            over = len(out) > self.output or len(err) > self.output
            if over:
                data, out, err = b'{"out":"over","limit":"output"}', b"", b""
            end = at + 12 + len(data)
            if end + len(out) + len(err) > SHARED:
                self.admit(leaks)
                _pack_into("<II", shared, 0, i, 1)
                _exit(0)
            _pack_into(_ROW, shared, at, len(data), _LOST if output is None else len(out), len(err))
            shared[at + 12 : end] = data
            at = end
            if out or err:
                at += len(out) + len(err)
                shared[end:at] = out + err
            _pack_into("<I", shared, 0, i + 1)
            if output is None or over:  # nothing more can be told apart in this fork
                self.admit(leaks)
                _pack_into("<I", shared, 4, 1)
                _exit(0)
            if effects.written or effects.moved:
                effects.restore()
            if effects.touched or effects.process:  # no fixture finds another's files
                clear_folder(self.temp_root, self.kept)
                effects.touched = False
        # As many modules as before need not be the same ones; looking at each costs a page fault or two.
        if effects.brought or self.table is None or self.table.changed():
            self.tell()
        self.admit(leaks)

    def tell(self) -> None:
        """In the fork: which modules have come in, and whether one of them is the side's own."""
        if not self.reached:
            self.reached = reaches(self.own)
            _pack_into("<I", self.shared, _REACHED, self.reached)
        text = _dumps({**files_of(self.known), **self.effects.code}).encode("ascii")
        _pack_into("<I", self.late, 0, 0)  # never a length without its text, wherever the fork ends
        if len(text) + 4 <= LATE:
            self.late[4 : 4 + len(text)] = text
            _pack_into("<I", self.late, 0, len(text))

    def hear(self) -> None:
        """What the fork that ended has told of its modules."""
        text = self.late[4 : 4 + _unpack_from("<I", self.late, 0)[0]]
        if text and text != self.last:  # most forks bring in what the last one did
            self.last = text
            for name, path in _loads(text.decode("ascii")).items():
                if self.told.get(name) != path:
                    self.told[name] = self.fresh[name] = path

    def news(self) -> bytes:
        """End of an answer: whether the side's own code was reached, what was left changed, and which modules were heard of since."""
        text = _dumps(self.fresh).encode("ascii") if self.fresh else b""
        self.fresh.clear()
        words = ", ".join(self.leaked).encode("ascii")[:60000]
        end = _pack("<BIH", self.reached, self.again, len(words)) + words + text
        self.leaked.clear()
        self.again = 0
        return end

    def admit(self, leaks: Leaks | None) -> None:
        """Leave in shared memory what the fixtures of this fork left changed."""
        if leaks is not None:
            words = leaks.found()
            if self.effects.lingered and "threads" not in words:
                words.append("threads")
            text = ", ".join(words).encode("ascii", "backslashreplace")[:_LONGEST_WORDS]
            self.shared[_LEAKED + 4 : _LEAKED + 4 + len(text)] = text
            _pack_into("<I", self.shared, _LEAKED, len(text))

    def take(self) -> tuple[bytes, bytes] | None:
        """What the fixture wrote, taken out of the captures so that the next one starts afresh; None where they are gone."""
        try:
            return self.capture.take(self.output)
        except OSError:
            return None


def book_fault(shared: mmap.mmap, exc: BaseException) -> None:
    """In the fork: a fault of ours. Said as such, never booked on the target."""
    text = ("%s: %s" % (name_of(type(exc)), message_of(exc))).encode("ascii", "backslashreplace")[:500]
    _pack_into("<I", shared, _FAILED, len(text))
    shared[_FAILED + 4 : _FAILED + 4 + len(text)] = text


def children() -> set[int]:
    """Processes whose parent is this one, where the system tells."""
    me = _getpid()
    try:
        fd = os.open("/proc/self/task/%d/children" % me, os.O_RDONLY)
    except OSError:
        return set()
    try:
        text = b""
        while True:
            part = _read(fd, 1 << 16)
            text += part
            if not part:
                return set(map(int, text.split()))
    finally:
        os.close(fd)


def bury(kept: frozenset[int]) -> None:
    """Kill and reap what a fork left behind, also what made a session of its own; ``kept`` was there before it."""
    until = _mono() + 5
    while _mono() < until:
        try:
            while _waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        left = children() - kept
        if not left:
            return
        for pid in left:
            try:
                _kill(pid, _signal.SIGKILL)
            except OSError:
                pass
        _sleep(0.0005)


def limit(kind: int, soft: int, for_good: bool = False) -> tuple[int, tuple[int, int]]:
    """A limit for a process and those it starts, as `setrlimit` takes it; a lower one that stands already is kept."""
    hard = resource.getrlimit(kind)[1]
    soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    return kind, (soft, soft if for_good else hard)


def signal_name(number: int) -> str:
    """As `signal` names it; real-time signals have no name."""
    names = [name for name in dir(_signal) if name.startswith("SIG") and "_" not in name and getattr(_signal, name) == number]
    return min(names, default="SIG%d" % number)


def flush() -> None:
    """Push out what the target left in its streams, whatever they are now."""
    streams: tuple[Any, ...] = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    for stream in streams[:2] if streams[0] is streams[2] and streams[1] is streams[3] else streams:
        try:
            stream.flush()
        except BaseException:  # the target may have replaced, closed or broken it
            pass


def clear_folder(path: str, kept: frozenset[str] = frozenset()) -> None:
    """Empty the temp root between forks, so that no fixture finds another's files. What the import put there (``kept``) stays.

    Folders inside folders are moved up before they are removed: no depth is too deep for that.
    """
    moved = 0
    for _ in range(100000):
        try:
            entries = [entry for entry in os.scandir(path) if entry.name not in kept]
        except OSError:
            return
        if not entries:
            return
        left = len(entries)
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    for inner in list(os.scandir(entry.path)):
                        if inner.is_dir(follow_symlinks=False):
                            moved += 1
                            os.rename(inner.path, "%s/.shadow-%d" % (path, moved))
                        else:
                            os.unlink(inner.path)
                    os.rmdir(entry.path)
                else:
                    os.unlink(entry.path)
            except OSError:
                left -= 1
        if not left:  # nothing of it can be removed
            return


# ------------------------------------------------------------------ commands


class Program:
    """A command: what it is, and the words that follow its name.

    ``kind``: "module" (`python -m name`), "script" (`python name`), "function" (a console script, `module:function`) run in a
    fork of this process; "execute" (any other program) takes the place of the fork. ``file`` is what stands in for `__main__`.
    """

    def __init__(self, kind: str, name: str, file: str, words: list[str]) -> None:
        self.kind, self.name, self.file, self.words = kind, name, file, words
        self.runs = name + ".__main__" if os.path.basename(file) == "__main__.py" and not name.endswith("__main__") else name

    def prepare(self, argv: list[str]) -> None:
        """What a fresh interpreter would have set before the first line of the program."""
        first = {"module": "-m", "script": self.file}.get(self.kind, self.name.partition("=")[0])
        sys.argv[:] = [first, *self.words, *argv]

    def run(self, main: Any) -> None:
        """Run it in the module `main`, which is `__main__` by now."""
        if self.kind == "module":
            import runpy

            runpy._run_module_as_main(self.name)  # type: ignore[attr-defined]  # what `python -m` itself calls
        elif self.kind == "script":
            spaces = vars(main)
            spaces["__file__"], spaces["__cached__"] = self.file, None
            spaces["__loader__"] = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", self.file)
            exec(self.code(), spaces)  # noqa: S102  # running it is the point
        else:
            module, _, path = self.name.partition("=")[2].partition(":")
            text = "import sys\nfrom %s import %s\nsys.exit(%s())\n" % (module, path.partition(".")[0], path)
            exec(compile(text, "<%s>" % sys.argv[0], "exec", dont_inherit=True), vars(main))  # noqa: S102

    def code(self) -> Any:
        """Code of the program's own file."""
        with open(self.file, "rb") as file:
            return compile(file.read(), self.file, "exec", dont_inherit=True)

    def preload(self) -> None:
        """Import what the program imports first of all, in its order, up to the first line that does anything else."""
        if self.kind == "function":
            importlib.import_module(self.name.partition("=")[2].partition(":")[0])
            return
        package = ""
        if self.kind == "module":
            package = self.runs.rpartition(".")[0]
            if package:
                importlib.import_module(package)
        import ast

        with open(self.file, "rb") as file:
            todo = ast.parse(file.read()).body
        while todo:
            line = todo.pop(0)
            if isinstance(line, ast.Import):
                for name in line.names:
                    __import__(name.name)
            elif isinstance(line, ast.ImportFrom):
                spaces = {"__package__": package, "__name__": "__main__"}
                __import__(line.module or "", spaces, None, [name.name for name in line.names], line.level)
            elif isinstance(line, ast.If) and ast.dump(line.test) == ast.dump(ast.parse("__name__ == '__main__'").body[0].value):  # type: ignore[attr-defined]
                todo[:] = line.body
            elif not isinstance(line, (ast.FunctionDef, ast.ClassDef)) and not (
                isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
            ):
                return


BARE = ["-S", "-s"]  # how Python with options of its own starts: no `.pth` file runs, which could lead to the user's own tree


def find_program(words: list[str], root: str) -> Program:
    """What these words run. A word that starts with `./` is a path below the side's root. Raises ImportError or OSError.

    No code of the side's runs here.
    """
    words = [os.path.join(root, word[2:]) if word.startswith("./") else word for word in words]
    first, rest = words[0], words[1:]
    if re.match(r"python(3(\.\d+)?)?\Z", first):
        if rest[:1] == ["-m"] and len(rest) > 1:
            return Program("module", rest[1], locate(rest[1]), rest[2:])
        if rest and not rest[0].startswith("-"):
            path = os.path.join(root, rest[0])
            if not os.path.isfile(path):
                raise FileNotFoundError("there is no script %s in the side's root" % rest[0])
            return Program("script", path, path, rest[1:])
        first, rest = sys.executable, [*BARE, *rest]
    elif "/" not in first:
        entry = console_script(first)
        if entry:
            return Program("function", "%s=%s" % (first, entry), locate(entry.partition(":")[0], main=False), rest)
        for folder in sys.path:
            path = os.path.join(folder, "bin", first)
            if os.path.isfile(path) and any(name.endswith(".dist-info") for name in os.listdir(folder)):  # brought by a wheel as it is
                with open(path, "rb") as file:
                    kind = "script" if re.match(rb"#!.*python", file.readline(200)) else "execute"
                return Program(kind, path, path, rest)
    for folder in [""] if "/" in first else os.get_exec_path():
        path = os.path.join(folder, first)
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            own = next((word for word in [path, *rest] if word.startswith(root + os.sep)), "")
            if path == sys.executable and "-m" in rest[:-1]:
                own = locate(rest[rest.index("-m") + 1])
            return Program("execute", path, own, rest)
    raise FileNotFoundError("%s is no program: no console script of an installed package, not on PATH, not in the side's root" % words[0])


def locate(name: str, *, main: bool = True) -> str:
    """File of a module, of a package's `__main__` where `main` is set; found without importing anything. Raises ImportError."""
    finder: Any = sys.modules["_frozen_importlib_external"].PathFinder
    path: Any = None
    spec: Any = None
    parts = name.split(".")
    for at in range(len(parts)):
        spec = finder.find_spec(".".join(parts[: at + 1]), path)
        if spec is None:
            raise ImportError("No module named %s" % ".".join(parts[: at + 1]))
        path = spec.submodule_search_locations
    if main and path is not None:
        spec = finder.find_spec(name + ".__main__", path)
        if spec is None:
            raise ImportError("No module named %s.__main__; %s is a package and cannot be run" % (name, name))
    return str(spec.origin)


def console_script(name: str) -> str:
    """`module:function` of a console script of any package on the path, "" where there is none of this name."""
    for folder in sys.path:
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for entry in entries:
            if not entry.endswith((".dist-info", ".egg-info")):
                continue
            try:
                with open(os.path.join(folder, entry, "entry_points.txt"), encoding="utf-8") as file:
                    text = file.read()
            except OSError:
                continue
            found = re.search(r"^\[console_scripts\]\s*$(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
            line = found and re.search(r"^\s*%s\s*=\s*([\w.]+)\s*:\s*([\w.]+)" % re.escape(name), found[1], re.MULTILINE)
            if line:
                return "%s:%s" % (line[1], line[2])
    return ""


class _Argv(list):  # type: ignore[type-arg]  # evaluated, which 3.8 cannot
    """`sys.argv` that tells whether anybody looks into it."""

    seen = False

    def __getitem__(self, at: Any) -> Any:
        _Argv.seen = True
        return list.__getitem__(self, at)

    def __iter__(self) -> Any:
        _Argv.seen = True
        return list.__iter__(self)

    def __len__(self) -> int:
        _Argv.seen = True
        return list.__len__(self)

    def __contains__(self, item: Any) -> bool:
        _Argv.seen = True
        return list.__contains__(self, item)


class Commands(Server):
    """Runs a command: each fixture in a fork of its own, which ends as a process of its own would, interpreter and all."""

    shares = False

    def __init__(self, program: Program, effects: Effects, *how: Any, **named: Any) -> None:
        super().__init__(program, effects, *how, **named)
        self.program = program
        self.main = {"__main__": program.file} if program.file else {}
        self.reached = program.file.startswith(self.own)  # whatever becomes of it, this is what runs
        warnings.showwarning = effects.showwarning  # what a command warns of stands on its stderr
        if program.kind == "execute":
            return
        import _sitebuiltins
        import atexit

        vars(builtins).update({name: _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)") for name in ("exit", "quit")})  # `-S` leaves them out
        atexit.register(self.report)  # first of all, so that it runs last of all; this process itself never gets there
        if program.kind == "script":
            sys.path.insert(0, os.path.dirname(program.file))
        if self.is_silent():
            effects.on = True
            program.preload()
            effects.on = False
            self.known = loaded()

    def is_silent(self) -> bool:
        """Whether the program's imports leave no trace: tried in a fork. If they leave one, each fixture imports for itself."""
        self.roomy.put()
        pid = _fork()
        if pid == 0:
            silent = False
            try:
                self.enter()
                feed(b"?")
                sys.argv = _Argv(["shadow"])
                self.effects.leaving = lambda: _exit(1)
                self.effects.on = True
                self.program.preload()
                self.effects.on = False
                flush()
                said = sum(_fstat(fd).st_size for fd in self.roomy.reads) + _seek(0, 0, os.SEEK_CUR)
                silent = not (said or _Argv.seen or self.effects.text() or self.effects.touched or tasks() > 1)
                # `runpy` warns of a module that is loaded before it runs.
                silent = silent and self.program.runs not in sys.modules
            except BaseException:  # it fails in each fixture, where it belongs
                silent = False
            finally:
                _exit(0 if silent else 1)
        status = _waitpid(pid, 0)[1]
        self.roomy.clear()
        self.capture.put()
        clear_folder(self.temp_root, self.kept)
        return bool(status == 0)

    def inside(self, kinds: list[int], raws: list[bytes], **_how: Any) -> None:
        """In the fork: become the program. For one of Python's own the end of this process is the interpreter's: it is raised."""
        _pack_into("<II", self.shared, _START, 0, 0)
        try:
            self.enter()
            _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
            _chance.reset()
            call = self.scene(kinds[0] & ~_WHOLE, raws[0])
            if self.program.kind == "execute":
                self.execute(call)
        except ValueError as exc:
            self.say(error("payload", "the payload cannot be decoded: %s" % message_of(exc)))
            _exit(0)
        except BaseException as exc:
            book_fault(self.shared, exc)
            _exit(0)
        self.become(call)

    def scene(self, kind: int, raw: bytes) -> Call:
        """Environment, files and stdin as the fixture says; a payload that is no call is what stands on stdin."""
        try:
            call = Call(decode(kind, raw) if kind == 3 else {"stdin": raw})
            call.set_up(self.effects)
            if call.plan.get("stdin") is not None:
                feed(content_of(call.plan["stdin"]))
        except Exception as exc:
            raise ValueError(message_of(exc)) from None
        return call

    def execute(self, call: Call) -> None:
        """Give this process to another program. What that one touches is not seen, but for what the sandbox refuses."""
        for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
            _signal.signal(number, _signal.SIG_DFL)
        program, environment = self.program, dict(dict.items(_environ._data))
        os.execve(program.name, [program.name, *program.words, *call.plan.get("argv", ())], environment)  # noqa: S606

    def become(self, call: Call) -> None:
        """Run the program of Python's. Raises what ends it, for the interpreter to deal with."""
        effects, main = self.effects, types.ModuleType("__main__")
        vars(main).update({"__builtins__": builtins, "__annotations__": {}})
        sys.modules["__main__"] = main
        gc.unfreeze()
        self.program.prepare(call.plan.get("argv", []))
        effects.clear()
        effects.on = True
        try:
            self.program.run(main)
        except SystemExit:
            raise
        except BaseException as exc:
            if isinstance(exc, MemoryError) or (isinstance(exc, OSError) and exc.errno == errno.EFBIG):
                self.say('{"out":"over","limit":"%s"}' % ("memory" if isinstance(exc, MemoryError) else "output"))
                _exit(0)
            shown = sys.excepthook
            sys.excepthook = lambda kind, value, trace: shown(kind, value.with_traceback(beyond(value)), beyond(value) and trace)
            raise
        raise SystemExit

    def report(self) -> None:
        """The last that this process does: what it has touched crosses, unless something was said before."""
        if _getpid() == self.effects.pid and self.effects.on:
            self.effects.on = False
            self.effects.threads = _count()  # those that still run are daemons, and end with the process
            self.say(self.effects.text())
            self.tell()

    def say(self, text: str) -> None:
        """Leave a text for the server: a whole record, or the end of one."""
        data = text.encode("ascii")[:LONGEST]
        self.shared[_START + 4 : _START + 4 + len(data)] = data
        _pack_into("<I", self.shared, _START, len(data))

    def harvest(self, wanted: int, status: int, timed_out: bool) -> list[Answer]:  # noqa: ARG002  # one at a time
        """The one answer of a process that has ended."""
        said = self.shared[_START + 4 : _START + 4 + _unpack_from("<I", self.shared, _START)[0]]
        failed = _unpack_from("<I", self.shared, _FAILED)[0]
        if failed:
            return [(error("worker", self.shared[_FAILED + 4 : _FAILED + 4 + failed].decode("ascii")).encode("ascii"), b"", b"")]
        if timed_out:
            return [(b'{"out":"timed_out"}', b"", b"")]
        if said.startswith(b"{"):
            return [(said, b"", b"")]
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            ended = (
                '{"out":"over","limit":"output"}'
                if number == _signal.SIGXFSZ
                else '{"out":"signalled","signal":"%s"}' % signal_name(number)
            )
            return [(ended.encode("ascii"), b"", b"")]
        code = os.WEXITSTATUS(status)
        return [self.answer(b'{"out":"exited","code":%d%s%s}' % (code, b"" if code else b',"done":true', said))]


def beyond(exc: BaseException) -> Any:
    """The traceback of an exception without the frames up to the last one of this file."""
    trace = start = exc.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == beyond.__code__.co_filename:
            start = trace.tb_next
        trace = trace.tb_next
    return start


# ------------------------------------------------------------------ web apps


class Misfit(Exception):  # noqa: N818  # the name says it: the fixture does not fit the target
    """A payload that is no request. Becomes an `error` on the fixture, never the app's outcome."""


class Request:
    """What a request fixture says: {"method", "path", "query", "headers", "body"}, all optional.

    The path is as it stands in a request line, percent signs and all; `query` is a text or {name: text or texts}; `headers` are
    {name: text or texts} or pairs; `body` is a text or {"!bytes": ..}. Raises Misfit.
    """

    KEYS = ("method", "path", "query", "headers", "body")

    def __init__(self, plan: Any) -> None:
        try:
            self.take(plan)
            self.raw_path, self.raw_query, self.plain_path = self.path.encode("utf-8"), self.query.encode("utf-8"), self.unquoted()
            self.raw_headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers]
        except (TypeError, ValueError) as exc:  # ours to say: the app has seen nothing of it
            raise Misfit("the request cannot be sent as HTTP: %s" % message_of(exc)) from None

    def take(self, plan: Any) -> None:
        """The parts of the plan, looked at."""
        if type(plan) is not dict:
            raise Misfit("a request is an object with any of these keys: %s" % ", ".join(self.KEYS))
        for key in plan:
            if key not in self.KEYS:
                import difflib

                near = difflib.get_close_matches(key, self.KEYS, 1)
                raise Misfit(
                    "a request has no key %s%s; known: %s" % (key, " (did you mean %s?)" % near[0] if near else "", ", ".join(self.KEYS))
                )
        self.method, self.path, query = (plan.get(key, default) for key, default in (("method", "GET"), ("path", "/"), ("query", "")))
        if type(self.method) is not str or type(self.path) is not str or self.path[:1] != "/" or "?" in self.path:
            raise Misfit("method and path are texts, and a path starts with / and has no query behind it")
        self.query = query if type(query) is str else self.urlencode(self.pairs("query", query))
        try:
            self.body = content_of(plan.get("body", ""))
        except (TypeError, ValueError):
            raise Misfit('the body is a text or {"!bytes": ..}') from None
        self.headers = self.pairs("headers", plan.get("headers", {}))
        self.default("host", "testserver")
        if self.body:
            self.default("content-length", str(len(self.body)))

    def pairs(self, what: str, given: Any) -> list[tuple[str, str]]:
        """Names and values in order, from an object or from pairs."""
        out: list[tuple[Any, Any]] = []
        for name, value in given.items() if type(given) is dict else given if type(given) is list else [(None, None)]:
            out.extend([(name, one) for one in (value if type(value) is list else [value])])
        if not all(type(name) is type(value) is str for name, value in out):
            raise Misfit("%s: every name has a text or a list of texts" % what)
        return out

    def urlencode(self, pairs: list[tuple[str, str]]) -> str:
        """A query as a form sends it."""
        from urllib.parse import urlencode

        return urlencode(pairs)

    def unquoted(self) -> bytes:
        """The path without percent signs."""
        from urllib.parse import unquote_to_bytes

        return unquote_to_bytes(self.path)

    def default(self, name: str, value: str) -> None:
        """Add a header that every client sends, unless the fixture says its own."""
        if all(one.lower() != name for one, _ in self.headers):
            self.headers.append((name, value))


def _body(data: bytes) -> str | bytes:
    """A body as text where it is UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _octets(part: Any) -> bytes:
    """Bytes that an app sent; of a number `bytes` would make as many zeros."""
    if not isinstance(part, (bytes, bytearray, memoryview)):
        raise TypeError("the app sent a %s where bytes are due" % name_of(type(part)))
    return bytes(part)


class Wsgi:
    """A WSGI app as a function of a request. No socket, no server; exceptions of the app pass through."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def __call__(self, plan: Any) -> Any:
        """The response. Raises what the app raises."""
        started: list[Any] = []
        parts: list[bytes] = []

        def start_response(status: str, headers: Any, exc_info: Any = None) -> Any:
            if started and (exc_info is None or parts):  # an error may replace what nobody has seen yet
                raise exc_info[1].with_traceback(exc_info[2]) if exc_info else AssertionError("start_response was called twice")
            started[:] = [status, headers]
            return parts.append

        result = self.app(self.environ(Request(plan)), start_response)
        try:
            for part in result:
                if not started:
                    raise AssertionError("the app sent a body before it called start_response")
                if not parts:  # with the first part the head goes out: what the app adds later nobody gets
                    started[1] = list(started[1])
                parts.append(part)
        finally:
            if hasattr(result, "close"):
                result.close()
        if not started:
            raise AssertionError("the app returned without calling start_response")
        code, _, reason = started[0].partition(" ")
        if not (len(code) == 3 and code.isascii() and code.isdigit()) or "\n" in reason or "\r" in reason:
            raise ValueError("the app's status is no three digits and a reason: %r" % started[0])
        if not all(type(part) is bytes for part in parts):
            raise TypeError("the app sent a body that is not bytes")
        return {
            "status": int(code),
            "reason": reason,
            "headers": [[name, value] for name, value in started[1]],
            "body": _body(b"".join(parts)),
        }

    def environ(self, request: Request) -> dict[str, Any]:
        """What PEP 3333 asks for, and nothing of this process."""
        import io

        made: dict[str, Any] = {
            "REQUEST_METHOD": request.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": request.plain_path.decode("latin-1"),
            "QUERY_STRING": request.query,
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(request.body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in request.headers:
            key = name.upper().replace("-", "_")
            key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else "HTTP_" + key
            made[key] = made[key] + "," + value if key in made else value
        return made


class Asgi:
    """An ASGI 3 app as a function of a request: lifespan startup, the request, lifespan shutdown, all in one event loop of its own."""

    VERSION = {"version": "3.0", "spec_version": "2.3"}  # noqa: RUF012  # copied into each scope

    def __init__(self, app: Any) -> None:
        self.app = app

    def __call__(self, plan: Any) -> Any:
        """The response, to be awaited, as `observe` does."""
        return self.serve(Request(plan))

    async def serve(self, request: Request) -> Any:
        """The response. What the app raises passes through once the lifespan has ended."""
        import asyncio

        state: dict[str, Any] = {}
        inbox: Any = asyncio.Queue()
        started, stopped = asyncio.Event(), asyncio.Event()
        failed: dict[str, str] = {}

        async def send(message: Any) -> None:
            _, act, how = message["type"].split(".")
            if how == "failed":
                failed[act] = str(message.get("message", ""))
            (started if act == "startup" else stopped).set()

        async def live() -> None:
            try:
                await self.app({"type": "lifespan", "asgi": dict(self.VERSION), "state": state}, inbox.get, send)
            except Exception as exc:
                if started.is_set():  # before that it only means that the app knows no lifespan
                    failed.setdefault("shutdown", "%s: %s" % (name_of(type(exc)), message_of(exc)))
            finally:
                started.set()
                stopped.set()

        lifespan = asyncio.ensure_future(live())
        await inbox.put({"type": "lifespan.startup"})
        await started.wait()
        if "startup" in failed:
            raise RuntimeError("lifespan.startup.failed: %s" % failed["startup"])
        try:
            response = await self.respond(request, state)
        finally:
            await inbox.put({"type": "lifespan.shutdown"})
            await stopped.wait()
            lifespan.cancel()
            await asyncio.wait([lifespan])
        if "shutdown" in failed:
            response["lifespan"] = "shutdown failed: %s" % failed["shutdown"]
        return response

    async def respond(self, request: Request, state: dict[str, Any]) -> dict[str, Any]:
        """One request, its body in one piece, and whatever the app sends until it returns."""
        import asyncio

        head: list[Any] = []
        parts: list[bytes] = []
        bodies = [{"type": "http.request", "body": request.body, "more_body": False}]
        ended = asyncio.Event()

        async def receive() -> Any:
            if bodies:
                return bodies.pop()
            await ended.wait()  # a client stays until it has everything
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            kind = message["type"]
            if kind == "http.response.start" and not head:
                head.extend((message["status"], [[_latin(part) for part in pair] for pair in message.get("headers", ())]))
            elif kind == "http.response.body" and head and not ended.is_set():
                parts.append(_octets(message.get("body", b"")))
                if not message.get("more_body", False):
                    ended.set()
            else:
                raise RuntimeError("the app sent %s out of turn" % kind)

        scope = {
            "type": "http",
            "asgi": dict(self.VERSION),
            "http_version": "1.1",
            "method": request.method.upper(),
            "scheme": "http",
            "path": request.plain_path.decode("utf-8", "replace"),
            "raw_path": request.raw_path,
            "query_string": request.raw_query,
            "root_path": "",
            "headers": list(request.raw_headers),
            "client": ("127.0.0.1", 50000),
            "server": ("testserver", 80),
            "state": dict(state),
        }
        await self.app(scope, receive, send)
        if not head:
            raise RuntimeError("the app returned without a response")
        response = {"status": head[0], "headers": head[1], "body": _body(b"".join(parts))}
        return response if ended.is_set() else {**response, "complete": False}


def _latin(part: Any) -> str:
    return _octets(part).decode("latin-1")


# ------------------------------------------------------------------ start


def read_exactly(fd: int, size: int) -> bytes | None:
    """`size` bytes, or None at the end of the file."""
    parts = []
    while size:
        part = _read(fd, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_frame(fd: int) -> bytes | None:
    """The next request, or None when there will be none."""
    head = read_exactly(fd, 4)
    return None if head is None else read_exactly(fd, _unpack(">I", head)[0])


def write_frame(fd: int, data: bytes) -> None:
    """Send one answer."""
    left = memoryview(_pack(">I", len(data)) + data)
    while left:
        left = left[_write(fd, left) :]


def capture_file(name: str) -> int:
    """Descriptor of a file that no path leads to, where the system has such."""
    return (
        os.memfd_create(name) if hasattr(os, "memfd_create") else os.open(os.path.join(os.environ["TMPDIR"], name), os.O_RDWR | os.O_CREAT)
    )


def memory_file() -> int:
    """Descriptor of shared memory that a process started afresh can be handed."""
    fd = capture_file("shared")
    _truncate(fd, SHARED + LATE)
    return fd


def resolve(entry: str) -> Any:
    """The callable behind `package.module:name.name`."""
    module, _, path = entry.partition(":")
    found = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def load_file(path: str) -> Any:
    """Import one file as a module of its own name; its folder does not come onto the path."""
    name = os.path.splitext(os.path.basename(path))[0]
    import importlib.util

    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def find_target(entry: str, adapter: str | None) -> Any:
    """What is called with the payload. With an adapter: its own function, or its `call(target, payload)` around the entry."""
    if not adapter:
        return resolve(entry)
    module = load_file(adapter)
    if entry.partition(":")[0] == module.__name__:
        return resolve(entry)
    target, call = resolve(entry), module.call
    return lambda *args, **kwargs: call(target, *args, **kwargs)


def load(setup: Any) -> Any:
    """The target: a `Program`, or something that can be called."""
    if setup["kind"] == "command":
        program = find_program(setup["words"], setup["side_root"])
        if program.words[:2] == BARE:  # without `site` this is the only way to what is installed
            os.environ["PYTHONPATH"] = os.pathsep.join(setup["roots"] + setup["packages"])
        return program
    if setup["kind"] != "function":
        entry = setup["entry"]
        app = resolve(entry[:-2])() if entry.endswith("()") else resolve(entry)
        check_callable(app, entry)
        return Asgi(app) if setup["kind"] == "asgi" else Wsgi(app)
    target = find_target(setup["entry"], setup["adapter"])
    allow(setup["types"])
    check_callable(target, setup["entry"])
    return target


def check_callable(target: Any, entry: str) -> None:
    """Raise TypeError for an entry that is no callable."""
    if not callable(target):
        raise TypeError("%s is a %s, which cannot be called" % (entry, name_of(type(target))))


def file_of(module: Any) -> str:
    """Where a module was loaded from, "" where it does not say. Runs no code of the module's, which may be any object."""
    try:
        path = _attribute(module, "__dict__").get("__file__")
    except BaseException:  # whatever stands in sys.modules need not be a module
        return ""
    return path if type(path) is str else ""


def reaches(own: tuple[str, ...]) -> bool:
    """Whether any module was loaded from below these folders: code of the side itself, by whatever way."""
    return any(file_of(module).startswith(own) for module in list(_modules.values()))


def files_of(before: dict[str, int]) -> dict[str, str]:
    """{module: file} of what was brought in since ``before`` ({module: id}), the standard library left out."""
    library = _LIBRARY + os.sep
    found: dict[str, str] = {}
    for name, module in list(_modules.items()):
        if type(name) is str and before.get(name) != id(module):
            path = file_of(module)
            if path and (not path.startswith(library) or "site-packages" in path or "dist-packages" in path):
                found[name] = path
    return found


def loaded() -> dict[str, int]:
    """The modules that are there now, by name: their ids."""
    return dict(zip(list(_modules), map(id, list(_modules.values()))))


def uncover(roots: list[str]) -> None:
    """Forget modules that only this file has loaded where a side has one of that name: the target must get its own."""
    own = set()
    for root in roots:
        try:
            own.update([name.partition(".")[0] for name in os.listdir(root)])
        except OSError:  # a root that is not there is said when the import fails
            continue
    for name in [name for name in _modules if name.partition(".")[0] in own]:
        if " %s " % name.partition(".")[0] not in _PLAIN and name not in sys.builtin_module_names:
            del _modules[name]


def failure(stage: str, exc: BaseException) -> str:
    """The hello of a target that could not be loaded."""
    import traceback

    trace = "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))[-4000:]
    return _dumps({"hello": 1, "failed": stage, "type": name_of(type(exc)), "msg": message_of(exc)[:2000], "trace": trace})


def hello(effects: Effects, modules: dict[str, str], out: int, err: int, sandbox: Sandbox) -> str:
    """The hello of a target that was loaded: what was obtained."""
    flags = {name: getattr(sys.flags, name, None) for name in ("hash_randomization", "no_site", "no_user_site", "safe_path", "utf8_mode")}
    parts = {
        "hello": 1,
        "python": sys.version.split()[0],
        "implementation": sys.implementation.name,
        "cache_tag": sys.implementation.cache_tag,
        "hash": hash("shadow"),
        "build": sys.version,
        "executable": os.path.realpath(sys.executable),
        "flags": flags,
        "clock": "frozen" if _clock.frozen else None,
        "modules": modules,
        "threads": tasks() - 1,
        "spawns": must_spawn(),
        "enforced": sandbox.enforced,
        "why": sandbox.why,
        "import": {key: sorted(found) for key, found in effects.seen()},
        "stdout": printed(out),
        "stderr": printed(err),
    }
    return _dumps(parts)


def printed(capture: int) -> Any:
    """What the import wrote: text, `!bytes` where that is no UTF-8, or `!long` with length, digest and head."""
    raw = _pread(capture, _fstat(capture).st_size, 0)
    if len(raw) > 100000:
        import hashlib

        return {"!long": [len(raw), hashlib.sha256(raw).hexdigest(), raw[:500].decode("utf-8", "replace")]}
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"!bytes": _loads(_bytes(raw))}


def must_spawn() -> bool:
    """Whether a fork of this process could hang: threads run in it, or it runs on a system whose libraries do not stand forks."""
    return tasks() > 1 or sys.platform != "linux"


def batch_of(frame: bytes) -> tuple[list[int], list[bytes], int]:
    """Kinds and payloads of one request, and how many of them may share a fork."""
    count, together = _unpack_from("<II", frame, 0)
    kinds, raws, at = [], [], 8 + 5 * count
    for i in range(count):
        kind, length = _unpack_from("<BI", frame, 8 + 5 * i)
        kinds.append(kind)
        raws.append(frame[at : at + length])
        at += length
    return kinds, raws, together


def moved(handed: list[int]) -> tuple[int, int, int, int]:
    """Both ends of the protocol out of the target's reach, and captures of what it prints in their place."""
    requests, answers = os.dup(0), os.dup(1)
    out, err = handed[2:4] if handed else (capture_file("stdout"), capture_file("stderr"))
    null = os.open(os.devnull, os.O_RDONLY)
    for fd, place in ((null, 0), (out, 1), (err, 2)):
        os.dup2(fd, place)
    os.close(null)
    return requests, answers, out, err


def captures_of(out: int, err: int, handed: list[int], sandbox: Sandbox) -> list[Files]:
    """Where fixtures write: pipes, and the files `out` and `err`, which took what the import wrote, where those are too small.

    What the import made of its descriptors 1 and 2 leads there as well.
    """
    if handed:
        sources, sinks = tuple(handed[:2]), tuple(handed[2:4])
        one = Files(sources, sinks) if sources == sinks else Pipes(sources, sinks, sandbox.resize)
        return [one]
    files = Files((out, err), (out, err))
    places: tuple[list[int], list[int]] = ([], [])
    for name in os.listdir("/proc/self/fd") if sys.platform == "linux" else ("1", "2"):
        fd = int(name)
        try:
            ident = _fstat(fd).st_dev, _fstat(fd).st_ino
        except OSError:  # that of the listing itself
            continue
        if ident in files.idents and fd not in files.writes:
            places[files.idents.index(ident)].append(fd)
    ends = os.pipe(), os.pipe()
    pipes = Pipes((ends[0][0], ends[1][0]), (ends[0][1], ends[1][1]), sandbox.resize)
    files.places = pipes.places = tuple(map(tuple, places))
    pipes.put()
    return [pipes, files]


def secured(setup: Any, *, stands_in: bool) -> Sandbox:
    """The sandbox around this process. What stands in for a fork is inside its parent's; it only has to leave that parent alone."""
    sandbox = Sandbox()
    if not stands_in:
        sandbox.apply(setup["temp_root"])
        sandbox.control(36, 1, 0, 0, 0)  # a process that loses its parent becomes our child, so that none outlives its fork
        return sandbox
    os.chdir(setup["temp_root"])  # where the import left its parent is no matter
    if sandbox.bind():
        sandbox.guard()
        sandbox.enter()  # now: it holds the thread that asks, and the import may start others
        sandbox.forks = -1
    return sandbox


def serve(server: Server, requests: int, answers: int) -> None:
    """Answer batches until there are no more."""
    while True:
        frame = read_frame(requests)
        if frame is None:
            return
        for rows in server.batch(*batch_of(frame)):
            heads = [_pack("<I", len(rows)), *[_pack("<III", len(r), len(o), len(e)) for r, o, e in rows]]
            write_frame(answers, b"".join([*heads, *(part for row in rows for part in row), server.news()]))


def lay_path(setup: Any) -> None:
    """Where this process, and each interpreter that the target starts, finds this side's code; neither leaves byte code in it.

    Without the second, `python -m package.tool` fails alike on both sides, or runs what is installed on both: green either way.
    """
    # Python's own folders only: what -c or a script's folder put first is not the target's.
    sys.path[:] = setup["roots"] + [p for p in sys.path if p.startswith((sys.base_prefix, sys.base_exec_prefix))] + setup["packages"]
    # The cache that -X pycache_prefix names is for this file and what it imports. From here on nothing is written:
    # installed packages have byte code beside them, and fresh roots have none that could be stale.
    sys.pycache_prefix, sys.dont_write_bytecode = None, True
    # The interpreter's own packages it finds by itself, behind the standard library, and one of another version must not get them.
    os.environ["PYTHONPATH"] = os.pathsep.join(setup["roots"] + [path for path in setup["packages"] if path in setup["own"]])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def main() -> None:
    """Load the target, then answer batches until there are no more."""
    handed = [int(word) for word in sys.argv[2:]]  # to a stand-in for a fork
    requests, answers, out, err = moved(handed)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    first = read_frame(requests)
    if first is None:  # the gate ended before it said anything
        return
    setup = _loads(first.decode("ascii"))
    environ = dict(os.environ)
    sandbox = secured(setup, stands_in=bool(handed))
    missing = {name: sandbox.why.get(name, "") for name in setup.get("require", ()) if not sandbox.enforced[name]}
    if missing and not handed:
        write_frame(answers, _dumps({"hello": 1, "failed": "sandbox", "missing": missing}).encode("ascii"))
        return
    lay_path(setup)
    sys.argv[:] = ["shadow"]
    uncover(setup["roots"])
    before = loaded()
    effects = Effects(setup["side_root"], setup["temp_root"], denied=sandbox.enforced["net"] is not None, run_root=setup["run_root"])
    effects.install(setup)
    _clock.install(setup["now"])
    _chance.install(setup["seed"])
    stage = "adapter" if setup["adapter"] else "import"
    try:
        effects.on = True
        try:
            target = load(setup)
        finally:
            effects.on = False
    except BaseException as exc:
        if handed:
            book_fault(mmap.mmap(handed[4], SHARED), exc)
            _exit(0)
        write_frame(answers, failure(stage, exc).encode("ascii"))
        return
    spawns = must_spawn() and not handed
    shared = handed[4] if handed else memory_file() if spawns else -1
    flush()
    captures, make = captures_of(out, err, handed, sandbox), Commands if setup["kind"] == "command" else Server
    server = make(target, effects, setup, sandbox, captures=captures, private=(requests, answers, *handed[4:]), shared=shared)
    _chance.settle()
    effects.settle()
    if handed:
        server.capture.clear()  # what the import printed is no fixture's, however much
        kinds, raws, _ = batch_of(read_frame(requests) or b"")
        server.inside(kinds, raws, look=setup["look"])
    server.spawns, server.environ = spawns, environ
    write_frame(answers, hello(effects, {**files_of(before), **effects.code, **server.main}, out, err, sandbox).encode("ascii"))
    gc.freeze()  # what is there now is shared with every fork; do not touch it by collecting
    serve(server, requests, answers)


def start() -> None:
    """What `gate.runner` calls. The process ends here: the target's atexit handlers and threads are not ours to run."""
    hide_depth()
    main()  # what stands in buffers now belongs to no fixture, and a thread of the import may hold them, held up by a full pipe
    bury(frozenset())  # what the import started
    _exit(0)
