"""Each kind of target through the real command line and a `shadow.toml`: what is a divergence, and what never goes green."""

import json

import pytest

from tests.e2e.command import EMPTY, report, repository, shadow, write

CLI = """
import argparse, sys

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--upper", action="store_true")
    words = parser.parse_args()
    text = sys.stdin.read()
    if text == "crash":
        raise ValueError("no such word")
    if text == "refuse":
        print("refused", file=sys.stderr)
        return 1
    print(text.upper() if words.upper else text)
    return 0

if __name__ == "__main__":
    sys.exit(main())
"""
WEB = """
def app(environ, start_response):
    size = int(environ.get("CONTENT_LENGTH", 0))
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["REQUEST_METHOD"].encode(), b" ", environ["wsgi.input"].read(size)]
"""
ASYNC = """
async def app(scope, receive, send):
    if scope["type"] != "http":
        raise TypeError("no lifespan here")
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-path", scope["raw_path"])]})
    await send({"type": "http.response.body", "body": message["body"]})
"""
CALLED = """
import dataclasses, datetime, decimal

@dataclasses.dataclass
class Order:
    price: decimal.Decimal
    due: datetime.date

def total(order, *, days=0):
    return [order.price * 2, order.due + datetime.timedelta(days)]
"""


def contract(tmp_path, target, code, corpus, patch=()):
    """A repository with a frozen baseline, and the patched working tree."""
    sha = repository(tmp_path, code)
    toml = f'version = 1\n[[target]]\nname = "main"\n{target}\n[limits]\nseconds = 20\n'
    files = {"shadow/shadow.toml": toml, "shadow/BASELINE_SHA": f"{sha}\n", "shadow/delta_ledger.yaml": EMPTY}
    write(tmp_path, files | {f"shadow/corpus/{name}": text for name, text in corpus.items()})
    for name, old, new in patch:
        before = (tmp_path / name).read_text("utf-8")
        assert old in before
        write(tmp_path, {name: before.replace(old, new)})


def compared(tmp_path, code):
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    return done, report(tmp_path, "shadow/out/report.json")


def rows(made):
    return [(one["id"], one["field"], one["baseline"], one["candidate"]) for one in made["divergences"]]


COMMAND = 'command = ["python", "-m", "tool.cli"]'
WORDS = {
    "a.txt": "ada",
    "b.call.json": '{"argv": ["--upper"], "stdin": "ada"}',
    "c.txt": "refuse",
    "d.txt": "crash",
    "e.call.json": '{"argv": ["--lower"]}',
    "f.json": '{"a": 1}',
}


def test_a_command_that_behaves_alike_matches_tracebacks_included(tmp_path):
    contract(tmp_path, COMMAND, {"src/tool/cli.py": CLI}, WORDS, [("src/tool/cli.py", "return 1\n", "return 1  # refused\n")])
    _, made = compared(tmp_path, 0)
    assert (made["passed"], made["counts"]["match"], made["divergences"], made["noted"]) == (True, 6, [], [])
    assert [(one["id"], one["field"], one["rules"]) for one in made["smoothed"]] == [("d.txt", "stderr", ["temp-root"])]


CHANGES = {
    "stdout": (("print(text.upper()", "print('<' + text.upper()"), [("b.call.json", "stdout", '"ADA\\n"', '"<ADA\\n"')]),
    "stderr": (('print("refused"', 'print("denied"'), [("c.txt", "stderr", '"refused\\n"', '"denied\\n"')]),
    "exit code": (("return 1\n", "return 4\n"), [("c.txt", "ok", '{"exited":1}', '{"exited":4}')]),
    "a flag": (('"--upper", action', '"--upper", "--lower", action'), ["e.call.json ok stdout stderr"]),
    "an exception": (("raise ValueError", "raise KeyError"), ["d.txt stderr"]),
    "the environment": (('if text == "refuse"', 'if __import__("os").environ.get("X_Y") or text == "refuse"'), ["effects.env"] * 4),
}


@pytest.mark.parametrize(("change", "found"), CHANGES.values(), ids=CHANGES)
def test_what_a_command_does_otherwise_is_a_divergence(tmp_path, change, found):
    contract(tmp_path, COMMAND, {"src/tool/cli.py": CLI}, WORDS, [("src/tool/cli.py", *change)])
    _, made = compared(tmp_path, 1)
    if isinstance(found[0], tuple):
        assert rows(made) == found
    elif len(found) == 1:
        [where, *fields] = found[0].split()
        assert [(one["id"], one["field"]) for one in made["divergences"]] == [(where, field) for field in fields]
        assert "<side>" in "".join(one["baseline"] for one in made["divergences"]) or "ok" in fields
    else:
        assert [one["field"] for one in made["divergences"]] == found


def test_stderr_of_a_command_is_noted_where_the_contract_says_what_gates(tmp_path):
    target = COMMAND + '\n[compare]\ngated = ["ok", "stdout"]'
    contract(tmp_path, target, {"src/tool/cli.py": CLI}, WORDS, [("src/tool/cli.py", 'print("refused"', 'print("denied"')])
    _, made = compared(tmp_path, 0)
    assert [(one["id"], one["field"]) for one in made["noted"]] == [("c.txt", "stderr")]


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        ({"a.call.json": '{"argv": ["--nope"]}', "b.call.json": '{"argv": ["-x"]}'}, "a.call.json: exit code 2"),
        ({"a.txt": "refuse"}, "a.txt: exit code 1"),
    ],
    ids=["usage errors", "refusals"],
)
def test_a_command_that_never_ends_well_is_never_green(tmp_path, corpus, said):
    contract(tmp_path, COMMAND, {"src/tool/cli.py": CLI}, corpus, [("src/tool/cli.py", "print(text.upper()", "print('<' + text.upper()")])
    done, made = compared(tmp_path, 3)
    assert (made["passed"], made["counts"]["trivial"], made["counts"]["match"]) == (False, len(corpus), 0)
    assert said in done.stdout


def test_a_command_that_dies_everywhere_is_red(tmp_path):
    change = ("src/tool/cli.py", "text = sys.stdin.read()", "text = sys.stdin.read(); __import__('os').abort()")
    contract(tmp_path, COMMAND, {"src/tool/cli.py": CLI}, {"a.txt": "ada"}, [change])
    _, made = compared(tmp_path, 1)
    assert rows(made) == [("a.txt", "ok", '{"exited":0}', '{"signalled":"SIGABRT"}')]


def test_a_command_of_somebody_else_is_never_green(tmp_path):
    contract(tmp_path, 'command = ["cat"]', {"src/tool/cli.py": CLI}, {"a.txt": "x"}, [("src/tool/cli.py", "return 1\n", "return 4\n")])
    done = shadow("compare", cwd=tmp_path)
    assert (done.returncode, "ran no code of its own: cat" in done.stderr) == (3, True), done.stderr


def test_a_module_that_is_installed_is_not_that_of_the_side(tmp_path):
    contract(
        tmp_path,
        'command = ["python", "-m", "json.tool"]',
        {"src/tool/cli.py": CLI},
        {"a.txt": "1"},
        [("src/tool/cli.py", "return 1\n", "return 4\n")],
    )
    done = shadow("compare", cwd=tmp_path)
    assert (done.returncode, "imported __main__ from" in done.stderr) == (3, True), done.stderr


def test_any_program_of_the_repository_can_be_compared(tmp_path):
    code = {"bin/tool": "#!/bin/sh\necho one\ncat\n"}
    contract(tmp_path, 'command = ["sh", "./bin/tool"]\n[sides]\npath = ["bin"]', code, {"a.txt": "x"}, [("bin/tool", "one", "two")])
    _, made = compared(tmp_path, 1)
    assert rows(made) == [("a.txt", "stdout", '"one\\nx"', '"two\\nx"')]


REQUESTS = {
    "get.json": '{"path": "/a%20b"}',
    "post.json": '{"method": "POST", "path": "/", "body": "caf\\u00e9"}',
    "bytes.call.json": '{"args": [{"method": "PUT", "body": {"!bytes": "\\\\xff"}}]}',
}


def test_a_wsgi_app(tmp_path):
    patch = [("src/site_app.py", '("Content-Type", "text/plain")', '("Content-Type", "text/html")'), ("src/site_app.py", 'b" "', 'b"\\n"')]
    contract(tmp_path, 'wsgi = "site_app:app"', {"src/site_app.py": WEB}, REQUESTS, patch)
    _, made = compared(tmp_path, 1)
    assert [(one["id"], one["field"]) for one in made["divergences"]] == [(name, "value") for name in sorted(REQUESTS)]
    at = {one["id"]: one for one in made["divergences"]}
    assert at["get.json"]["paths"] == ['/body: "GET " -> "GET\\n"', '/headers/0/1: "text/plain" -> "text/html"']
    assert json.loads(at["bytes.call.json"]["baseline"])["body"] == {"!bytes": "PUT \\xff"}


def test_an_asgi_app(tmp_path):
    patch = [("src/site_app.py", 'message["body"]', 'message["body"].upper()')]
    contract(tmp_path, 'asgi = "site_app:app"', {"src/site_app.py": ASYNC}, REQUESTS, patch)
    _, made = compared(tmp_path, 1)
    assert [(one["id"], one["paths"]) for one in made["divergences"]] == [("post.json", ['/body: "café" -> "CAFé"'])]


def test_a_request_that_is_none_is_an_error(tmp_path):
    patch = [("src/site_app.py", 'message["body"]', 'message["body"] + b""')]
    contract(tmp_path, 'asgi = "site_app:app"', {"src/site_app.py": ASYNC}, {**REQUESTS, "bad.json": '{"url": "/"}'}, patch)
    _, made = compared(tmp_path, 3)
    cause = "both sides: payload: a request has no key url; known: method, path, query, headers, body"
    assert made["errors"] == [{"id": "bad.json", "cause": cause}]
    assert made["counts"]["match"] == 3


ORDER = '{"!object": ["shop:Order", {"price": {"!decimal": "1.50"}, "due": {"!date": "2026-01-31"}}]}'


def test_a_function_takes_objects_that_the_contract_allows(tmp_path):
    corpus = {"a.call.json": f'{{"args": [{ORDER}], "kwargs": {{"days": 1}}}}', "b.jsonl": f'{{"id": "x", "call": {{"args": [{ORDER}]}}}}'}
    patch = [("src/shop.py", "order.price * 2", "order.price + order.price"), ("src/shop.py", "timedelta(days)", "timedelta(days + 1)")]
    contract(tmp_path, 'entry = "shop:total"\ntypes = ["shop:Order"]', {"src/shop.py": CALLED}, corpus, patch)
    _, made = compared(tmp_path, 1)
    assert rows(made)[0] == (
        "a.call.json",
        "value",
        '[{"!decimal":"3.00"},{"!date":"2026-02-01"}]',
        '[{"!decimal":"3.00"},{"!date":"2026-02-02"}]',
    )
    assert [one["id"] for one in made["divergences"]] == ["a.call.json", "b.jsonl#x"]


def test_an_object_that_the_contract_does_not_allow_is_an_error(tmp_path):
    corpus = {"a.call.json": f'{{"args": [{ORDER}]}}'}
    contract(tmp_path, 'entry = "shop:total"', {"src/shop.py": CALLED}, corpus, [("src/shop.py", "days=0", "days=1")])
    _, made = compared(tmp_path, 3)
    assert 'shop:Order is not allowed: add it as "module:Class" to `types`' in made["errors"][0]["cause"]


def test_faults_of_calls_are_exit_2_all_at_once(tmp_path):
    corpus = {"a.call.json": '{"argss": []}', "b.call.json": '{\n"files": {"../x": ""}}'}
    contract(tmp_path, 'entry = "shop:total"', {"src/shop.py": CALLED}, corpus, [("src/shop.py", "days=0", "days=1")])
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 2
    assert "shadow/corpus/a.call.json:1: unknown key: 'argss'" in done.stderr
    assert "did you mean `args`?" in done.stderr
    assert "shadow/corpus/b.call.json:2: `files` names a path that is not below the temp root: '../x'" in done.stderr
