"""Ways in which the gate once passed although the sides differ, each as small as it was found."""

import pytest

from tests.e2e.command import FLAGS, report, shadow, two_sides, write

IMPORTED_FOLDER = """
import tempfile
D = tempfile.mkdtemp()
open(D + "/table", "w").write("1")
def run(x):
    try:
        t = open(D + "/table").read()
    except OSError:
        return None
    return [t, x]
"""
CHILD = """
import os, subprocess, sys
ANSWER = 1
def run(x):
    done = subprocess.run([sys.executable, START], env=ENV, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None
if __name__ == "__main__":
    print(ANSWER)
"""


def child(start, env="None"):
    """Both sides start their own code in an interpreter of its own, by its name."""
    text = CHILD.replace("START", start).replace("ENV", env)
    return text, text.replace("ANSWER = 1", "ANSWER = 2"), "value"


CASES = {
    "a child by -m": child("'-m', 'm'"),
    "a child by -c": child("'-c', 'import m; print(m.ANSWER)'"),
    "a child with a copy of the environment": child("'-m', 'm'", "dict(os.environ)"),
    "a child with an environment that adds a name": child("'-m', 'm'", "{**os.environ, 'MODE': '1'}"),
    "a child of a child": child("'-c', 'import subprocess, sys; subprocess.run([sys.executable, \"-m\", \"m\"], check=True)'"),
    "what the import put into the temp root": (IMPORTED_FOLDER, IMPORTED_FOLDER.replace("[t, x]", "[t, x + 1]"), "value"),
    "a function that is now awaited": ("def run(x): return x\n", "async def run(x): return x\n", "type"),
    "a socket behind a look-up": (
        "import socket\ndef run(x): return socket.gethostbyname('localhost')\n",
        (
            "import socket\ndef run(x):\n    try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n    except OSError: pass\n"
            "    return socket.gethostbyname('localhost')\n"
        ),
        "effects.net",
    ),
    "bytes printed at import": (
        "import os\nos.write(1, b'\\xff')\ndef run(x): return x\n",
        "import os\nos.write(1, b'\\xfe')\ndef run(x): return x\n",
        "stdout",
    ),
    "much printed at import": (
        "print('a' * 100001)\ndef run(x): return x\n",
        "print('a' * 100000 + 'b')\ndef run(x): return x\n",
        "stdout",
    ),
}


@pytest.mark.parametrize("more", [(), ("--strict",)], ids=["default", "strict"])
@pytest.mark.parametrize(("baseline", "candidate", "field"), CASES.values(), ids=CASES)
def test_it_is_red(tmp_path, baseline, candidate, field, more):
    two_sides(tmp_path, baseline, candidate, {"a.json": "1", "b.json": "2"})
    done = shadow("compare", *FLAGS, *more, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    found = report(tmp_path)["divergences"]
    assert {one["field"] for one in found} == {field}
    assert {one["id"] for one in found} in ({"a.json", "b.json"}, {"@import"})


def test_an_argument_that_became_bytes_is_changed(tmp_path):
    source = "def run(d): return 1\n"
    two_sides(
        tmp_path,
        source,
        "def run(d):\n    d['x'] = bytes(d['x'])\n    return 1\n",
        {"a.call.json": '{"args": [{"x": {"!bytearray": "ab"}}]}'},
    )
    assert (shadow("compare", *FLAGS, cwd=tmp_path).returncode, report(tmp_path)["divergences"][0]["field"]) == (1, "arg")


def test_a_request_that_cannot_be_sent_is_an_error_and_no_match(tmp_path):
    app = "async def app(scope, receive, send):\n    await send({'type': 'http.response.start', 'status': 200})\n    await send({'type': 'http.response.body'})\n"
    bodies = [
        '{"headers": {"x": "\\u0141"}}',
        '{"path": "/\\ud800"}',
        '{"headers": [["a"]]}',
        '{"headers": [1]}',
        '{"query": {"a": "\\ud800"}}',
        '{"query": "\\ud800"}',
    ]
    files = {f"shadow/corpus/{at}.json": text for at, text in enumerate(bodies)}
    toml = 'version = 1\n[[target]]\nname = "m"\nasgi = "m:app"\n'
    write(
        tmp_path,
        {
            "b/m.py": app,
            "c/m.py": app.replace("200", "500"),
            "shadow/shadow.toml": toml,
            "shadow/delta_ledger.yaml": "version: 1\nentries: []\n",
            **files,
        },
    )
    done = shadow("compare", "--baseline", "dir:b", "--candidate", "dir:c", cwd=tmp_path)
    assert (done.returncode, report(tmp_path, "shadow/out/report.json")["counts"]["error"]) == (3, len(bodies)), done.stdout


def test_a_long_time_limit_is_no_bug(tmp_path):
    two_sides(tmp_path, "def run(x): return 1\n", "def run(x): return 2\n")
    assert shadow("compare", *FLAGS, "--timeout", "86400", cwd=tmp_path).returncode == 1


def test_folders_of_any_depth_are_gone_afterwards(tmp_path):
    source = "import os\ndef run(x):\n    for _ in range(1100):\n        os.mkdir('a')\n        os.chdir('a')\n    return 1\n"
    two_sides(tmp_path, source, source.replace("return 1", "return 2"), {"a.json": "1", "b.json": "2"})
    (tmp_path / "tmp").mkdir()
    done = shadow("compare", *FLAGS, cwd=tmp_path, env={"TMPDIR": str(tmp_path / "tmp")})
    assert (done.returncode, list((tmp_path / "tmp").iterdir())) == (1, []), done.stderr


def test_a_folder_that_no_child_could_find_is_refused(tmp_path):
    baseline, candidate, _ = child("'-m', 'm'")
    two_sides(tmp_path, baseline, candidate, {"a.json": "1"})
    (tmp_path / "a:b").mkdir()
    done = shadow("compare", *FLAGS, cwd=tmp_path, env={"TMPDIR": str(tmp_path / "a:b")})
    assert (done.returncode, "set TMPDIR" in done.stderr, list((tmp_path / "a:b").iterdir())) == (3, True, []), done.stdout + done.stderr
