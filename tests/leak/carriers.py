"""Where a canary may stand: in which text of a program. Each writes its content as the grammar of that text demands.

``named``: whether the place can say a name (`password`). ``hides``: whatever stands there is secret. ``lines``: whether a
value may hold a line end there; where not, the line end is written as an escape by those that have one. ``json``: whether
the whole text is JSON.
"""

import html
import json
import shlex
import traceback
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

PLAIN = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    id: str
    wrap: Callable
    named: bool = True
    hides: bool = False
    lines: bool = True
    json: bool = False


def dumps(tree, rng):
    """JSON as different writers write it: with `\\u` for all that is not ASCII, without, and with spaces or not."""
    return json.dumps(tree, ensure_ascii=rng.random() < 0.5, separators=rng.choice(((",", ":"), (", ", ": "))))


def _spelled(text, name, rng):
    """Every character of the value as an escape, as some serialisers write what they hold unsafe."""
    units = text.encode("utf-16-be", "surrogatepass")
    body = "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return f'{{"{name}":"{body}"}}'


def _one_line(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n")


def _object(text, name, rng):
    made = namedtuple("Config", ["host", name.replace("-", "_"), "port"])  # noqa: PYI024 - the field's name is data
    return repr(made("h.example", text, 5))


def _raised(text, name, rng):
    try:
        raise ValueError(f"cannot use {name}={text!r}")  # noqa: TRY301 - its traceback is what is wanted
    except ValueError:
        return traceback.format_exc()


def _chained(text, name, rng):
    try:
        try:
            raise KeyError({name: text})  # noqa: TRY301
        except KeyError as error:
            raise RuntimeError("the call failed") from error
    except RuntimeError:
        return traceback.format_exc()


def _locals(text, name, rng):
    scope = {name.replace("-", "_"): text}
    try:
        exec("raise LookupError('gone')", scope)  # noqa: S102 - a frame whose variable has that name
    except LookupError as error:
        del scope["__builtins__"]
        inner = error.__traceback__.tb_next  # our own frame holds addresses, which differ from run to run
        return "".join(traceback.TracebackException(type(error), error, inner, capture_locals=True).format())


def _header(text, name, rng):
    folded = text.replace("\r\n", "\n").replace("\n", "\r\n ")
    return f"GET /v1 HTTP/1.1\r\nHost: h.example\r\n{name}: {folded}\r\nAccept: */*\r\n\r\n"


def _block(text, name, rng):
    lines = text.replace("\r\n", "\n").split("\n")
    return f"a: b\n{name}: |\n" + "".join(f"  {line}\n" for line in lines) + "c: d\n"


def _patch(text, name, rng):
    lines = f"{name}: {json.dumps(text, ensure_ascii=False)}".split("\n")
    return "--- a/app.yaml\n+++ b/app.yaml\n@@ -1,2 +1,2 @@\n a: b\n" + "".join(f"+{line}\n" for line in lines)


def _cell(text, name, rng):
    return f"id,{PLAIN},z\n7,{json.dumps(text, ensure_ascii=False)},x\n"


def _log(text, name, rng):
    return f"2024-05-01T10:00:00Z INFO app sent {dumps({'id': 7, name: text}, rng)} in 3 ms"


def _sql(text, name, rng):
    return "UPDATE users SET {} = '{}' WHERE id = 7".format(name.replace("-", "_"), text.replace("'", "''"))  # noqa: S608 - no database


def _carrier(key, wrap, **more):
    return Carrier(id=key, wrap=wrap, **more)


_JSON = (
    _carrier("json value", lambda text, name, rng: dumps({"id": 7, "data": {name: text, "z": None}}, rng), json=True),
    _carrier("json escapes", _spelled, json=True),
    _carrier("json key", lambda text, name, rng: dumps({"a": {text: 1}}, rng), json=True, named=False),
    _carrier("json list", lambda text, name, rng: dumps({"a": True, name: ["x", text, 1.5]}, rng), json=True),
    _carrier("json in json", lambda text, name, rng: dumps({"body": dumps({"id": 7, name: text}, rng)}, rng), json=True),
    _carrier("json twice in json", lambda text, name, rng: dumps([dumps({"a": dumps({name: text}, rng)}, rng)], rng), json=True),
    _carrier("json number", lambda text, name, rng: f'{{"id":7,"{name}":{text},"z":null}}', json=True),
    _carrier("name and value", lambda text, name, rng: dumps({"fields": [{"name": name, "value": text}]}, rng), json=True),
    _carrier("header pairs", lambda text, name, rng: dumps({"headers": [["Accept", "*/*"], [name, text]]}, rng), json=True),
    _carrier("canonical pairs", lambda text, name, rng: dumps({"!dict": [["id", 7], [name, text]]}, rng), json=True),
)
_PYTHON = (
    _carrier("repr of a dict", lambda text, name, rng: repr({"id": 7, name: text, "z": (None, b"x")})),
    _carrier("repr of bytes", lambda text, name, rng: repr({name: text.encode()})),
    _carrier("repr of an object", _object),
    _carrier("exception", _raised),
    _carrier("chained exception", _chained),
    _carrier("traceback with locals", _locals),
    _carrier("log line", _log),
)
_WEB = (
    _carrier("url password", lambda text, name, rng: f"see https://jo:{quote(text, safe='')}@h.example/v1", hides=True),
    _carrier("url query", lambda text, name, rng: f"GET https://h.example/?a=b&{name}={quote(text, safe='')}&c=d"),
    _carrier("url path", lambda text, name, rng: f"GET https://h.example/v1/{quote(text, safe='')}/x", named=False),
    _carrier("form", lambda text, name, rng: f"a=b&{name}={quote(text, safe='')}&c=d"),
    _carrier("header", _header, lines=False),
    _carrier("bearer", lambda text, name, rng: f"Authorization: Bearer {quote(text, safe='')}", hides=True),
    _carrier("cookie", lambda text, name, rng: f"Cookie: theme=dark; {name}={quote(text, safe='')}; lang=de", hides=True),
    _carrier("xml", lambda text, name, rng: f"<a><id>7</id><{name}>{html.escape(text)}</{name}></a>"),
    _carrier("xml attribute", lambda text, name, rng: f'<input type="hidden" name="{name}" value="{html.escape(text)}"/>'),
    _carrier("markdown", lambda text, name, rng: f"- `{name}`: `{text.replace('`', '&#96;')}`\n- **b**\n"),
)
_FILES = (
    _carrier("yaml", lambda text, name, rng: f"a: b\n{name}: {json.dumps(text)}\nc: d\n"),
    _carrier("yaml block", _block),
    _carrier("environment", lambda text, name, rng: f'A=b\nexport {name.upper().replace("-", "_")}="{_one_line(text)}"\nC=d\n'),
    _carrier("ini", lambda text, name, rng: f"[main]\na = b\n{name} = {text}\nc = d\n", lines=False),
    _carrier("command line", lambda text, name, rng: f"tool --{name.replace('_', '-')} {shlex.quote(text)} --verbose"),
    _carrier("sql", _sql),
    _carrier("csv", _cell, named=False),
    _carrier("patch", _patch),
)
CARRIERS = {one.id: one for one in (*_JSON, *_PYTHON, *_WEB, *_FILES)}
