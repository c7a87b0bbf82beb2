"""Every way out, as a function that makes the program use it and gives back every byte that came out there.

`SINKS` is the table: a new sink is a line in it, and is then searched and has a leak planted. What a person sees on their own
machine (`report.json`, the screen outside CI, the terminal of a sign-off) is raw on purpose, and no sink.
"""

import contextlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from tests.e2e.command import EMPTY, FLAGS, write
from tests.e2e.terminal import Terminal, environment
from tests.leak.world import PLAY, clean, files_below

REPORT = ("--report", "r.json")  # of `show`; the others take it as their argument
ELSEWHERE = (*FLAGS, "--report", "e.json")  # a run that fails takes its report away
FOLDERS = ("--baseline", "b", "--candidate", "c", "--corpus", "corpus", "--ledger", "ledger.yaml", "--entry", "m:run")
# Where a bug of ours could strike with raw texts in its hands: each is made to raise with all of its arguments in the message.
STAGES = {
    "reading the fixtures": ("gate.comparer:Comparer.__call__", ("compare", *ELSEWHERE)),
    "judging": ("gate.report.build:_entry", ("compare", *ELSEWHERE)),
    "the screen": ("gate.report.screen:_Screen._change", ("show", *REPORT)),
    "the public report": ("prelabel.publish.report:public_entry", ("show", *REPORT)),
    "advice": ("prelabel.advise:_advice", ("prelabel", "r.json")),
    "the block": ("prelabel.publish:_row", ("annotate", "r.json")),
    "redaction": ("redaction.scope:Scope.rewrite", ("annotate", "r.json")),
}


def screen(world):
    return world.run("compare", *FLAGS)


def shown(world):
    return world.run("show", *REPORT)


def one_by_one(world):
    ids = [entry["id"] for entry in json.loads((world.root / "r.json").read_text())["divergences"]]
    return b"\n".join(world.run("show", one, *REPORT) for one in (*ids[::25], ids[-1]))


def as_json(world):
    return world.run("show", "--format", "json", *REPORT)


def as_markdown(world):
    return world.run("show", "--format", "markdown", *REPORT, CI="")


def block(world):
    return world.run("annotate", "r.json", CI="")


def block_file(world):
    return world.run("annotate", "r.json", "--output", "block.md") + (world.root / "block.md").read_bytes()


def job_summary(world):
    return world.run("annotate", "r.json", GITHUB_STEP_SUMMARY=str(world.root / "summary.md")) + (world.root / "summary.md").read_bytes()


def advice(world):
    return world.run("prelabel", "r.json") + (world.root / "advice.json").read_bytes()


def public_report(world):
    world.run("compare", *FOLDERS, "--report", "p.json", "--redact")
    return (world.root / "p.public.json").read_bytes()


def redact_text(world):
    (world.root / "text.txt").write_text("\n".join(world.texts), encoding="utf-8")
    return world.run("redact", "text.txt", CI="")


def redact_report(world):
    return world.run("redact", "--report", "r.json", CI="")


def errors(world):
    """Inputs that are wrong, with something planted in what is wrong about them."""
    said = []
    for at, secret in enumerate(world.tokens):
        write(world.root, {"bad.toml": f'version = 1\npassword = "{secret}"\n[[target]]\nname = "{secret}"\n'})
        write(world.root, {"bad.yaml": f"version: 1\nentries:\n  - id: {json.dumps(secret)}\n    password: {json.dumps(secret)}\n"})
        write(world.root, {f"bad{at}/x.json": f'{{"password": "{secret}",, }}'})
        said += [
            world.run("compare", "--config", "bad.toml"),
            world.run("compare", *ELSEWHERE, "--ledger", "bad.yaml"),
            world.run("compare", *ELSEWHERE, "--corpus", f"bad{at}"),
            world.run("compare", *ELSEWHERE, "--password", secret),
            world.run("show", secret, "--report", f"{secret}.json"),
        ]
    return b"\n".join(said)


def crashes(world):
    """Standard error and the file of the bug, at each stage. A stage that did not crash would prove nothing."""
    out = []
    for name, (place, command) in STAGES.items():
        clean(world.temporary())
        said = world.run(*command, LEAK_CRASH=place)
        assert b"a bug in shadow" in said, (name, said[-500:])
        out += [said, files_below(world.temporary())]
    clean(world.temporary())
    return b"\n".join(out)


def temporary_files(world):
    """What a run leaves behind in the folder for temporary files."""
    clean(world.temporary())
    world.run("compare", *FLAGS)
    world.run("annotate", "r.json")
    return files_below(world.temporary()) + b"\n".join(str(path).encode() for path in world.temporary().rglob("*"))


def children(world):
    """Command lines of everything that is started, and the variables that each of them is given."""
    told = world.root / "told.txt"
    told.unlink(missing_ok=True)
    world.run("compare", *FLAGS, LEAK_TOLD=str(told))
    assert told.stat().st_size > 200
    return told.read_bytes()


def ledger(world):
    """Rows that a person signs: the texts of a divergence stand in them as an excerpt."""
    write(world.root, {"ledger.yaml": EMPTY})
    some = [option for at in range(world.signed) for option in ("--only", f"{at:03}.json")]
    world.run("compare", *FOLDERS, "--report", "l.json", *some, CI="")
    env = environment(LEAK_RAW=world.env.get("LEAK_RAW", "")) | {name: world.env[name] for name in ("HOME", "TMPDIR")} | world.known
    ada = "Ada Example"
    with Terminal(sys.executable, PLAY, "signoff", "l.json", "--as", f"{ada} <ada@example.org>", cwd=world.root, env=env) as person:
        person.answer("Type the name", ada)
        for _ in range(world.signed):
            person.answer("decide:", "r").answer("why reject", "callers depend on it").answer("k keep", "k")
        person.answer("Type write", "write")
        assert person.end() == 0, person.said[-800:]
    written = (world.root / "ledger.yaml").read_bytes()
    assert written.count(b"signed_off_by") == world.signed
    return written


class _Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(self.requestline.encode() + b"\n" + bytes(self.headers) + b"\n" + body)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        """Nothing on standard error."""


@contextlib.contextmanager
def listening():
    """A real server on this machine; what arrives is in `got`, headers and body."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Listener)
    server.got = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def request(world):
    """What a model would be sent of each divergence, as it arrives."""
    documents = json.loads(world.run("redact", "--report", "r.json", "--format", "json", CI="").rpartition(b"]")[0] + b"]")
    with listening() as server, httpx.Client(base_url=f"http://127.0.0.1:{server.server_port}", trust_env=False) as client:
        for document in documents:
            client.post("/v1/messages", content=json.dumps(document).encode(), headers={"content-type": "application/json"})
    assert len(server.got) == len(documents) > 100
    return b"\n".join(server.got)


SINKS = {
    "screen under CI": screen,
    "show under CI": shown,
    "show of one divergence under CI": one_by_one,
    "show as JSON under CI": as_json,
    "show as Markdown": as_markdown,
    "block": block,
    "block in a file": block_file,
    "job summary": job_summary,
    "advice": advice,
    "public report": public_report,
    "errors under CI": errors,
    "crashes": crashes,
    "temporary files": temporary_files,
    "child processes": children,
    "ledger": ledger,
    "redact of a text": redact_text,
    "redact of a report": redact_report,
    "request": request,
}
# Nothing of a payload ever gets there, with or without redaction.
NEVER = {"temporary files", "child processes"}
