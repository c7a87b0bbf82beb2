"""Runs the functions of ``canonicalize.py`` in a process of their own, and nowhere else.

Standard library only, and nothing of ours: it runs under the run's interpreter, CPython 3.8 and newer. Frames are a
big-endian u32 length and that many bytes, on descriptors 0 and 1. End of file on 0 ends the process.

First two requests: JSON {"name": "shadow/canonicalize.py", "memory": bytes, "seconds": 5.0}, then the file's bytes.
First answer: {"rules": [{"line": n, "names": [..], "options": {..}, "applied": bool, "takes_one": bool}, ..],
    "failed": null or {"line": n or null, "what": text}}; what is no text or None among names and options is {"repr": text}.
Every later request: {"rule": n, "values": [..], "turned": bool}. Each value is given to the function, and its answer once
    more; with ``turned`` the last value comes first, which shows functions that remember.
Its answer: {"texts": [JSON of each new value, ..]}, or {"what": text} for the first value that the function failed on.

A rule works on its argument alone: whatever would make its answer depend on something that no digest covers (files
outside the standard library, the network, other processes) is refused by an audit hook. That keeps honest rules honest;
it is no wall against a hostile one.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import types

TYPE_CHECKING = False  # as `typing` has it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Function = Callable[[Any], Any]

MODULE = "shadow_rules"
# An answer is asked for within `seconds`; this much later a process whose parent is gone ends by itself.
GRACE = 10.0
NODES = 1000000
DIGITS = 100000  # as the reader of the answers: printing more takes a time that grows with their square
_REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.spawn", "ctypes.dlopen")
_LISTS = ("os.listdir", "os.scandir")
_PLAIN = (str, int, bool, type(None))

registered: list[dict[str, Any]] = []
functions: list[Any] = []


def rule(*names: Any, **options: Any) -> Callable[[Any], Any]:
    """What ``from shadow_rules import rule`` gets: ``@rule("name", field="value", path="/a/b", target="main")``."""
    at = len(registered)
    bare = len(names) == 1 and not options and isinstance(names[0], types.FunctionType)
    registered.append(
        {
            "line": sys._getframe(1).f_lineno,
            "names": [_shown(name) for name in names],
            "options": {key: _shown(value) for key, value in options.items()},
            "applied": bare,
            "takes_one": True,
        }
    )
    functions.append(None)

    def register(function: Any) -> Any:
        functions[at] = function
        registered[at]["applied"] = True
        registered[at]["takes_one"] = _takes_one(function)
        return function

    return names[0] if bare else register


def _shown(value: Any) -> Any:
    return value if value is None or type(value) is str else {"repr": ascii(value)[:60]}


def _takes_one(function: Any) -> bool:
    import inspect

    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


# -- frames ---------------------------------------------------------------------------------------------------


def _read(inlet: int) -> bytes:
    """One frame; the process ends at the end of the file."""
    (length,) = struct.unpack(">I", _exactly(inlet, 4))
    return _exactly(inlet, length)


def _exactly(inlet: int, length: int) -> bytes:
    parts = []
    while length:
        part = os.read(inlet, min(length, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _write(outlet: int, answer: dict[str, Any]) -> None:
    data = json.dumps(answer).encode("ascii")
    rest = memoryview(struct.pack(">I", len(data)) + data)
    while rest:
        rest = rest[os.write(outlet, rest) :]


# -- loading --------------------------------------------------------------------------------------------------


def load(name: str, source: bytes) -> dict[str, Any]:
    """Execute the file; what it registered, and why it failed where it did."""
    module = types.ModuleType(MODULE)
    module.__dict__["rule"] = rule
    sys.modules[MODULE] = module
    made = types.ModuleType("canonicalize")
    made.__file__ = name
    sys.modules["canonicalize"] = made
    failed = None
    try:
        exec(compile(source, name, "exec", dont_inherit=True), made.__dict__)
    except SyntaxError as exc:
        failed = {"line": exc.lineno if exc.filename == name else _line(exc, name), "what": "does not parse: %s" % exc.msg}
    except BaseException as exc:
        failed = {"line": _line(exc, name), "what": "fails while it is loaded: %s" % _said(exc)}
    return {"rules": registered, "failed": failed}


def _line(exc: BaseException, name: str) -> int | None:
    """The innermost line of the file that led to an exception."""
    found, trace = None, exc.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


def _said(exc: BaseException) -> str:
    try:
        text = str(exc)
    except BaseException:
        text = "<str() failed>"
    return ("%s: %s" % (type(exc).__name__, text) if text else type(exc).__name__)[:300]


# -- asking ---------------------------------------------------------------------------------------------------


def answer(function: Function, values: list[Any], turned: bool, name: str) -> dict[str, Any]:
    """The new text of every value; what is wrong with the function where it fails on one."""
    texts = [""] * len(values)
    for at in reversed(range(len(values))) if turned else range(len(values)):
        try:
            made = function(values[at])
            text = _text(made)
            again = _text(function(json.loads(text)))
        except _UnusableError as exc:
            return {"what": str(exc)}
        except BaseException as exc:
            line = _line(exc, name)
            return {"what": "raised %s%s" % (_said(exc), "" if line is None else " (line %d)" % line)}
        if again != text:
            return {"what": "is not idempotent: its own answer %s became %s the second time" % (_cut(text), _cut(again))}
        texts[at] = text
    return {"texts": texts}


class _UnusableError(Exception):
    """An answer that JSON cannot hold."""


def _text(value: Any) -> str:
    """JSON of an answer, if it is that to the letter: what `json` would quietly turn into something else is refused."""
    todo, seen = [value], 0
    while todo:
        here = todo.pop()
        seen += 1
        wrong = "a value of more than %d parts" % NODES if seen > NODES else _no_json(here)  # a list may hold itself
        if wrong is not None:
            raise _UnusableError("returned no JSON: %s" % wrong)
        if type(here) is dict:
            todo.extend(here.values())
        elif type(here) is list:
            todo.extend(here)
    try:
        return json.dumps(value, allow_nan=False, check_circular=False, separators=(",", ":"))
    except (ValueError, RecursionError) as exc:
        raise _UnusableError("returned no JSON: %s" % exc) from None


def _no_json(here: Any) -> str | None:
    """Why this part of an answer is no JSON; None where it is, whatever it holds."""
    kind = type(here)
    if kind is dict:
        wrong = [key for key in here if type(key) is not str]
        return "a key of type %s" % type(wrong[0]).__name__ if wrong else None
    if kind is float:
        return "the float %r" % here if here != here or here in (float("inf"), float("-inf")) else None
    return None if kind is list or kind in _PLAIN else "a value of type %s" % kind.__name__


def _cut(text: str) -> str:
    return text if len(text) <= 100 else text[:97] + "..."


# -- the process ----------------------------------------------------------------------------------------------


def refuse_outside() -> None:
    """From here on, nothing but the standard library is opened, and nobody is talked to."""
    library = os.path.dirname(os.__file__) + os.sep

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = args
            writes = type(flags) is int and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
            if type(path) is int or (not writes and type(path) is str and path.startswith(library)):
                return
            raise PermissionError("a rule may not open %r: it works on its argument alone" % (path,))
        if event in _LISTS:
            if type(args[0]) is str and (args[0] + os.sep).startswith(library):
                return
            raise PermissionError("a rule may not list %r: it works on its argument alone" % (args[0],))
        if event.startswith(_REFUSED):
            raise PermissionError("a rule may not use %s: it works on its argument alone" % event)

    sys.addaudithook(hook)


def main() -> None:
    """Serve until the parent closes descriptor 0."""
    inlet, outlet = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    sys.path[:] = [path for path in sys.path[1:] if path]  # the first is our own folder
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(DIGITS)
    setup = json.loads(_read(inlet))
    source = _read(inlet)
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (setup["memory"], setup["memory"]))
    refuse_outside()
    _write(outlet, load(setup["name"], source))
    while True:
        request = _read(inlet)
        signal.setitimer(signal.ITIMER_REAL, setup["seconds"] + GRACE)
        try:
            asked = json.loads(request)
        except (RecursionError, MemoryError) as exc:
            _write(outlet, {"what": "cannot be asked about a value so large or deep: %s" % _said(exc)})
        else:
            _write(outlet, answer(functions[asked["rule"]], asked["values"], asked["turned"], setup["name"]))
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main()
