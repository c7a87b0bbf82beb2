"""Web apps as functions of a request, in real workers on the oldest and the newest interpreter: no socket, no server."""

import ast
from pathlib import Path

import pytest

from gate.errors import WorkerError
from tests.unit.gate.pairing import fixture, open_pair, records
from tests.unit.gate.test_worker_versions import FEW, find

WEB = Path(__file__).parents[2] / "assets" / "targets" / "web"
SOURCES = {kind: (WEB / f"{kind}_app.py").read_text("utf-8") for kind in ("asgi", "wsgi")}


@pytest.fixture(scope="module", params=FEW)
def interpreter(request):
    found = find(request.param)
    if found is None:
        pytest.skip(f"no CPython {request.param} on this machine: web apps were NOT tried under it")
    return found


def ask(tmp_path, interpreter, kind, plans, *, app="app"):
    """The baseline's record of each request, all in one batch."""
    with open_pair(tmp_path, SOURCES[kind], entry=f"target:{app}", kind=kind, interpreter=interpreter) as pair:
        kinds = ["call" if isinstance(plan, dict) and "args" in plan else "json" for plan in plans]
        found = records(pair, [fixture(str(at), plan, kind=one) for at, (plan, one) in enumerate(zip(plans, kinds, strict=True))])
    assert all(left == right for left, right in found.values())
    return [found[str(at)][0] for at in range(len(plans))]


def responses(made):
    return [record.get("value") or record.get("exc", record) for record in made]


FULL = {
    "method": "post",
    "path": "/a%20b",
    "query": {"q": ["1", "a b"], "r": "é"},
    "headers": {"X-Many": ["1", "2"], "Content-Type": "text/plain"},
    "body": {"!bytes": "\\xff"},
}


def test_asgi_gets_the_whole_request_and_its_lifespan(tmp_path, interpreter):
    [made] = ask(tmp_path, interpreter, "asgi", [FULL])
    value = made["value"]
    assert (made["out"], made["type"], list(value)) == ("returned", "awaited builtins.dict", ["status", "headers", "body"])
    assert (value["status"], value["headers"]) == (201, [["x-one", "1"], ["x-one", "2"], ["content-type", "text/plain"]])
    assert dict(ast.literal_eval(value["body"])) == {
        "method": "POST",
        "path": "/a b",
        "raw_path": b"/a%20b",
        "query_string": b"q=1&q=a+b&r=%C3%A9",
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
        "headers": [
            (b"x-many", b"1"),
            (b"x-many", b"2"),
            (b"content-type", b"text/plain"),
            (b"host", b"testserver"),
            (b"content-length", b"1"),
        ],
        "body": b"\xff",
        "state": {"greeting": "hello"},
        "events": ["up"],
    }
    assert not set(made) & {"env", "net", "files", "process"}


def test_wsgi_gets_the_whole_request(tmp_path, interpreter):
    made, bare = ask(tmp_path, interpreter, "wsgi", [FULL | {"path": "/echo"}, {"path": "/%C3%A9", "headers": [["Host", "me"]]}])
    assert {key: made["value"][key] for key in ("status", "reason", "headers")} == {
        "status": 201,
        "reason": "Created",
        "headers": [["X-One", "1"], ["X-One", "2"]],
    }
    seen, body = ast.literal_eval(made["value"]["body"])
    assert body == b"\xff"
    assert seen == {
        "CONTENT_LENGTH": "1",
        "CONTENT_TYPE": "text/plain",
        "HTTP_HOST": "testserver",
        "HTTP_X_MANY": "1,2",
        "PATH_INFO": "/echo",
        "QUERY_STRING": "q=1&q=a+b&r=%C3%A9",
        "REMOTE_ADDR": "127.0.0.1",
        "REQUEST_METHOD": "post",
        "SCRIPT_NAME": "",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.multiprocess": False,
        "wsgi.multithread": False,
        "wsgi.run_once": False,
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
    }
    seen, body = ast.literal_eval(bare["value"]["body"])
    assert (seen["PATH_INFO"], seen["HTTP_HOST"], "CONTENT_LENGTH" in seen, body) == ("/\xc3\xa9", "me", False, b"")


ASGI = {
    "/stream": {"status": 200, "headers": [], "body": "aé"},
    "/binary": {"status": 200, "headers": [], "body": {"!bytes": "\\xff\\x00"}},
    "/crash": {"type": "LookupError", "module": "builtins", "msg": "no such thing"},
    "/late_crash": {"type": "LookupError", "module": "builtins", "msg": "in the middle"},
    "/silent": {"type": "RuntimeError", "module": "builtins", "msg": "the app returned without a response"},
    "/half": {"status": 200, "headers": [], "body": "half", "complete": False},
    "/out_of_turn": {"type": "RuntimeError", "module": "builtins", "msg": "the app sent http.response.body out of turn"},
    "/twice": {"type": "RuntimeError", "module": "builtins", "msg": "the app sent http.response.start out of turn"},
    "/missing": {"type": "KeyError", "module": "builtins", "msg": "'/missing'"},
    "/leave": {"out": "exited", "code": 3, "stdout": ""},
}
WSGI = {
    "/stream": {"status": 200, "reason": "OK", "headers": [], "body": "written, aé"},
    "/generated": {"status": 200, "reason": "Fine indeed", "headers": [], "body": "onetwo"},
    "/binary": {"status": 200, "reason": "OK", "headers": [], "body": {"!bytes": "\\xff"}},
    "/crash": {"type": "LookupError", "module": "builtins", "msg": "no such thing"},
    "/late_crash": {"type": "LookupError", "module": "builtins", "msg": "in the middle"},
    "/mended": {"status": 500, "reason": "Oops", "headers": [], "body": "sorry"},
    "/unmendable": {"type": "ValueError", "module": "builtins", "msg": "too late"},
    "/silent": {"type": "AssertionError", "module": "builtins", "msg": "the app returned without calling start_response"},
    "/early": {"type": "AssertionError", "module": "builtins", "msg": "the app sent a body before it called start_response"},
    "/twice": {"type": "AssertionError", "module": "builtins", "msg": "start_response was called twice"},
    "/text": {"type": "TypeError", "module": "builtins", "msg": "the app sent a body that is not bytes"},
}


@pytest.mark.parametrize(("kind", "acts"), [("asgi", ASGI), ("wsgi", WSGI)])
def test_what_an_app_does_is_the_outcome(tmp_path, interpreter, kind, acts):
    made = responses(ask(tmp_path, interpreter, kind, [{"path": path} for path in acts]))
    assert dict(zip(acts, made, strict=True)) == acts


def test_a_wsgi_response_is_closed(tmp_path, interpreter):
    [made] = ask(tmp_path, interpreter, "wsgi", [{"path": "/stream"}])
    assert made["stdout"] == "closed\n"


@pytest.mark.parametrize(
    ("app", "value"),
    [
        ("plain", {"status": 200, "headers": [], "body": "plain"}),
        ("broken", {"type": "RuntimeError", "module": "builtins", "msg": "lifespan.startup.failed: no database"}),
        ("sinking", {"status": 200, "headers": [], "body": "fine", "lifespan": "shutdown failed: builtins.OSError: cannot close"}),
        ("staying", {"status": 200, "headers": [], "body": "fine"}),
        ("create_app()", {"status": 200, "headers": [], "body": "plain"}),
    ],
)
def test_every_kind_of_lifespan(tmp_path, interpreter, app, value):
    assert responses(ask(tmp_path, interpreter, "asgi", [{}, {}], app=app)) == [value, value]


@pytest.mark.parametrize(("kind", "body"), [("asgi", '["x", true]'), ("wsgi", "['x', True]")])
def test_a_call_sets_the_scene_of_a_request(tmp_path, interpreter, kind, body):
    plan = {"args": [{"path": "/env", "body": {"!bytes": "\\xff"}}], "env": {"MODE": "x"}, "files": {"in.txt": ""}}
    made, after = ask(tmp_path, interpreter, kind, [plan, {"path": "/env"}])
    assert (made["value"]["body"], after["value"]["body"]) == (
        body,
        body.replace("'x'", "None").replace('"x"', "null").replace("True", "False").replace("true", "false"),
    )
    assert made["env"] == ["MODE"]


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("/", "a request is an object with any of these keys: method, path, query, headers, body"),
        ({"methd": "GET"}, "a request has no key methd (did you mean method?); known: method, path, query, headers, body"),
        ({"zzz": 1}, "a request has no key zzz; known: method, path, query, headers, body"),
        ({"method": 1}, "method and path are texts, and a path starts with / and has no query behind it"),
        ({"path": "x"}, "method and path are texts, and a path starts with / and has no query behind it"),
        ({"path": "/?a=1"}, "method and path are texts, and a path starts with / and has no query behind it"),
        ({"query": 1}, "query: every name has a text or a list of texts"),
        ({"query": {"a": 1}}, "query: every name has a text or a list of texts"),
        ({"headers": {"a": [1]}}, "headers: every name has a text or a list of texts"),
        ({"body": 1}, 'the body is a text or {"!bytes": ..}'),
        ({"body": {"a": 1}}, 'the body is a text or {"!bytes": ..}'),
    ],
)  # fmt: skip
def test_what_is_no_request_is_an_error_of_the_fixture(tmp_path, plan, why):
    from tests.unit.gate.pairing import INTERPRETER

    for kind in ("asgi", "wsgi"):
        made, after = ask(tmp_path / kind, INTERPRETER, kind, [plan, {"path": "/binary"}])
        assert (made["out"], made["where"], made["why"]) == ("error", "payload", why)
        assert after["value"]["status"] == 200


def test_what_is_no_app_is_said_before_anything_runs(tmp_path, interpreter):
    with pytest.raises(WorkerError, match=r"target:number is a builtins.int, which cannot be called"):
        ask(tmp_path / "a", interpreter, "wsgi", [], app="number")
    with pytest.raises(WorkerError, match=r"has no attribute 'nothing'"):
        ask(tmp_path / "b", interpreter, "asgi", [], app="nothing()")
