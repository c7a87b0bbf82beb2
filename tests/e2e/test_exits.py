"""Everything that leaves, read back after real command lines in a real repository: no planted secret is in any of it."""

import json
import re
import subprocess
import sys

import pytest

from tests.e2e.command import FLAGS, environment, shadow, two_sides, write

TOKEN = "ghp_" + "x7Kq2mZ9aB4cD1eF8gH3jL5nP6rS0tUvWwYz"
OTHER = "ghp_" + "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"
MAIL = "ada.lovelace@bank.example.net"
PIN = "4711"
FROM_ENV = "sunny-side-up-77"
FROM_FILE = "breakfast at nine"
SECRETS = (TOKEN, OTHER, MAIL, FROM_ENV, FROM_FILE)
ENV = {"SERVICE_PASSWORD": FROM_ENV}
CI = {"CI": "true", **ENV}
BASELINE = f"""
def run(p):
    if p == "pin":
        return {{"pin": "{PIN}", "n": 1}}
    if p == "raise":
        raise ValueError("bad {TOKEN} for {MAIL}")
    if p == "known":
        return ["{FROM_ENV}", "{FROM_FILE}"]
    return {{"token": "{TOKEN}", "ok": True}}
"""
CANDIDATE = (
    BASELINE.replace(f'"token": "{TOKEN}"', f'"token": "{OTHER}"')
    .replace(f'"pin": "{PIN}"', '"pin": "0815"')
    .replace("raise ValueError", "raise TypeError")
    .replace("return [", "return [None, ")
)
CORPUS = {
    "a.json": '"plain"',
    "b_pin.json": '"pin"',
    "c_raise.json": '"raise"',
    "d_known.json": '"known"',
    f"{MAIL}/e.json": '"mail"',
}


@pytest.fixture
def project(tmp_path):
    two_sides(tmp_path, BASELINE, CANDIDATE, CORPUS)
    return write(tmp_path, {".env": f"A=1\nAPP_SECRET='{FROM_FILE}'\n"})


def leaked(*texts):
    return [secret for secret in SECRETS for text in texts if secret in text]


def sides(text):
    """Texts of both sides in lines such as `"x" -> "y"`."""
    return re.findall(r'("REDACTED-[^"]*"|REDACTED\S*) -> ("REDACTED-[^"]*"|REDACTED\S*)', text)


def test_the_screen_under_ci_and_what_show_prints(project):
    done = shadow("compare", *FLAGS, cwd=project, env=CI)
    assert done.returncode == 1, done.stderr
    assert "FAIL  5 unclassified" in done.stdout
    assert leaked(done.stdout, done.stderr) == []
    assert '"4711"' not in done.stdout
    pairs = sides(done.stdout)
    assert pairs
    assert all(left != right for left, right in pairs)
    raw = json.loads((project / "r.json").read_text())
    for which in (None, *(one["fingerprint"] for one in raw["divergences"])):
        for output in ("terminal", "json"):
            shown = shadow("show", *([which] if which else []), "--report", "r.json", "--format", output, cwd=project, env=CI)
            assert shown.returncode == 0, shown.stderr
            assert leaked(shown.stdout, shown.stderr) == []
            assert PIN not in shown.stdout
    assert json.loads(shadow("show", "--report", "r.json", "--format", "json", cwd=project, env=CI).stdout)["redacted"] is True
    assert leaked(shadow("show", "--report", "r.json", "--format", "json", cwd=project, env=ENV).stdout) == list(SECRETS)


def test_a_redacted_report_lies_beside_the_raw_one(project):
    done = shadow("compare", *FLAGS, "--redact", cwd=project, env=ENV)
    assert done.returncode == 1, done.stderr
    assert "wrote r.public.json" in done.stdout
    first = (project / "r.public.json").read_text()
    raw, public = json.loads((project / "r.json").read_text()), json.loads(first)
    assert leaked(first) == []
    assert '\\"4711\\"' not in first
    assert str(project) not in first
    assert public["redacted"] is True
    assert "redacted" not in raw
    assert "settings" not in public["run"]
    assert public["counts"] == raw["counts"]
    assert [one["fingerprint"] for one in public["divergences"]] == [one["fingerprint"] for one in raw["divergences"]]
    assert len({one["id"] for one in public["divergences"]}) == len({one["id"] for one in raw["divergences"]})
    for one, other in zip(public["divergences"], raw["divergences"], strict=True):
        assert one["baseline"] != one["candidate"]
        assert type(json.loads(one["baseline"])) is type(json.loads(other["baseline"]))
    shadow("compare", *FLAGS, "--redact", cwd=project, env=ENV)
    second = (project / "r.public.json").read_text()
    assert first.partition('"run"')[0] == second.partition('"run"')[0]


def test_a_redacted_report_of_other_inputs_does_not_stay(project):
    shadow("compare", *FLAGS, "--redact", cwd=project)
    shadow("compare", *FLAGS, cwd=project)
    assert not (project / "r.public.json").exists()
    shadow("compare", *FLAGS, "--redact", cwd=project)
    write(project, {"c/m.py": "def ("})
    assert shadow("compare", *FLAGS, cwd=project).returncode == 3
    assert not (project / "r.public.json").exists()
    done = shadow("compare", *FLAGS, "--report", "/dev/null", "--redact", cwd=project)
    assert (done.returncode, "is no file" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["prelabel", "annotate", "signoff", "redact --report"])
def test_nothing_is_decided_from_a_redacted_report(project, command):
    shadow("compare", *FLAGS, "--redact", cwd=project)
    if command == "signoff":
        from gate.errors import ReportError
        from gate.report.read import read_raw_report

        with pytest.raises(ReportError, match="redacted report"):
            read_raw_report(project / "r.public.json")
        return
    done = shadow(*command.split(), "r.public.json", cwd=project)
    assert done.returncode == 2
    assert "r.public.json: is a redacted report" in done.stderr
    assert "name the raw report" in done.stderr


def test_show_reads_a_redacted_report(project):
    shadow("compare", *FLAGS, "--redact", cwd=project)
    done = shadow("show", "--report", "r.public.json", cwd=project)
    assert (done.returncode, "FAIL  5 unclassified" in done.stdout) == (0, True)


def test_advice_block_and_summary(project):
    shadow("compare", *FLAGS, cwd=project)
    done = shadow("prelabel", "r.json", cwd=project, env=CI)
    advice = (project / "advice.json").read_text()
    printed = shadow("annotate", "r.json", cwd=project, env=CI)
    markdown = shadow("show", "--report", "r.json", "--format", "markdown", cwd=project, env=ENV)
    shadow("annotate", "r.json", cwd=project, env=CI | {"GITHUB_STEP_SUMMARY": str(project / "summary.md")})
    summary = (project / "summary.md").read_text()
    assert (done.returncode, printed.returncode, markdown.returncode) == (0, 0, 0)
    assert printed.stdout == markdown.stdout == summary
    assert leaked(done.stdout, done.stderr, advice, printed.stdout, printed.stderr) == []
    assert "REDACTED-email-1x/e.json" in advice
    assert "not evidence" in summary
    assert len(json.loads(advice)["advice"]) == 5


ERRORS = {
    "a flag": (("compare", "--timeout", TOKEN), 2),
    "a flag of another command": (("show", f"--{TOKEN}"), 2),
    "a command": ((TOKEN,), 2),
    "a pin": (("compare", *FLAGS, "--baseline", f"git:https://u:{FROM_ENV}@h"), 2),
    "a missing report": (("annotate", f"{FROM_ENV}.json"), 2),
    "an id": (("show", TOKEN, "--report", "r.json"), 2),
    "a broken ledger": (("compare", *FLAGS, "--ledger", "bad.yaml"), 2),
    "an import": (("compare", *FLAGS, "--candidate", "d"), 3),
}


@pytest.mark.parametrize(("arguments", "code"), ERRORS.values(), ids=ERRORS)
def test_errors_under_ci(project, arguments, code):
    shadow("compare", *FLAGS, cwd=project)
    write(
        project,
        {
            "bad.yaml": f"version: 1\nentries:\n  - id: {TOKEN}\n    {FROM_ENV}: 1\n",
            "d/m.py": f"raise KeyError('{TOKEN}', '{FROM_FILE}')\n",
        },
    )
    done = shadow(*arguments, cwd=project, env=CI)
    assert done.returncode == code, done.stderr
    assert done.stderr
    assert "Traceback" not in done.stderr
    assert leaked(done.stdout, done.stderr) == []


def test_a_bug_says_and_keeps_nothing_secret(project):
    code = (
        "import sys, gate.compare_command as c, prelabel.__main__ as m\n"
        f"def broken(*a, **k): raise RuntimeError('{TOKEN} {FROM_ENV} and words')\n"
        "c.run = broken\nsys.exit(m.run(sys.argv[1:]))\n"
    )
    for env in (CI, ENV):
        done = subprocess.run(
            [sys.executable, "-c", code, "compare", *FLAGS],
            cwd=project,
            env=environment(project) | env | {"TMPDIR": str(project)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 70, done.stderr
        assert "a bug in shadow: RuntimeError" in done.stderr
        (kept,) = project.glob("shadow-bug-*.txt")
        text = kept.read_text()
        assert leaked(done.stderr, text) == []
        assert "and words" in text
        assert "dual" in text or "broken" in text
        kept.unlink()


def test_redact_shows_a_text_alone_and_what_was_hidden_beside_it(project):
    (project / "x.txt").write_text(f"token={TOKEN}\n{FROM_FILE} {FROM_ENV}\ncaf\u00e9 no newline", encoding="utf-8")
    done = shadow("redact", "x.txt", cwd=project, env=ENV)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "token=REDACTED-github-token-1x\nREDACTED-known-value-2x REDACTED-known-value-3x\ncaf\u00e9 no newline"
    assert done.stderr == "strict: hidden: 1 github-token, 2 known-value. One number is one value; other numbers are other values\n"
    as_json = json.loads(shadow("redact", "x.txt", "--format", "json", "--profile", "balanced", cwd=project, env=ENV).stdout)
    assert as_json == {
        "version": 1,
        "profile": "balanced",
        "hidden": {"github-token": 1, "known-value": 2},
        "text": done.stdout,
    }
    command = [sys.executable, "-m", "prelabel", "redact"]
    piped = subprocess.run(command, cwd=project, env=environment(project), input=b"a\xff jo@bank.test", capture_output=True, check=True)
    assert piped.stdout == b"a\xff REDACTED-email-1x"


def test_redact_closes_where_it_cannot_look(project):
    (project / "big.txt").write_text("a b " * (1 << 20) + "c")
    done = shadow("redact", "big.txt", cwd=project)
    assert (done.returncode, done.stdout) == (3, "")
    assert "could not be looked through" in done.stderr
    wrong = shadow("redact", "big.txt", "--profile", "lax", cwd=project)
    assert (wrong.returncode, "strict, balanced" in wrong.stderr) == (2, True)


def test_redact_shows_what_a_model_would_be_sent(project):
    shadow("compare", *FLAGS, cwd=project)
    done = shadow("redact", "--report", "r.json", "--format", "json", cwd=project, env=ENV)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert leaked(done.stdout) == []
    assert '\\"4711\\"' not in done.stdout
    documents = json.loads(done.stdout)
    assert len(documents) == 5
    by_class = {one["facts"]["class"]: one for one in documents}
    raised = by_class["another exception type"]
    assert raised["facts"]["field"] == "exc.type"
    assert raised["payload"]["baseline"] == '"ValueError"'
    assert {one["payload"]["input"] for one in documents} == set(CORPUS.values())
    text = shadow("redact", "--report", "r.json", cwd=project, env=ENV)
    assert leaked(text.stdout) == []
    assert "1 of 5" in text.stdout


PLUGIN = "def broken(text):\n    raise RuntimeError('no')\n"


def test_a_detector_of_the_contract_that_is_missing_or_fails(project):
    folder = project / "site"
    write(
        folder,
        {
            "acme.py": PLUGIN,
            "acme-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n",
            "acme-1.0.dist-info/entry_points.txt": "[shadow.detectors]\nbroken = acme:broken\n",
        },
    )
    toml = 'version = 1\n[[target]]\nname = "m"\nentry = "m:run"\n[redaction]\ndetectors = ["broken"]\n'
    write(project, {"shadow/shadow.toml": toml, "shadow/delta_ledger.yaml": "version: 1\nentries: []\n"})
    flags = (*FLAGS, "--config", "shadow")
    done = shadow("compare", *flags, cwd=project, env=CI)
    assert done.returncode == 2, done.stdout
    assert "no installed package brings the detector `broken`" in done.stderr
    assert "pip install" in done.stderr
    assert not (project / "r.json").exists()
    assert shadow("compare", *flags, cwd=project).returncode == 1  # nobody else reads here
    env = {"PYTHONPATH": f"{folder}:{environment(project).get('PYTHONPATH', '')}"}
    shown = shadow("redact", "--report", "r.json", "--format", "json", cwd=project, env=env)
    assert shown.returncode == 0, shown.stderr
    assert [(one["payload"], one["why"]) for one in json.loads(shown.stdout)] == 5 * [
        (None, "it could not be looked through: a fault, a time-out or a size limit")
    ]
    assert shown.stderr == "of 5 of 5 only the facts would be sent\n"
    block = shadow("annotate", "r.json", cwd=project, env=env)
    assert block.returncode in {0, 3}
    assert leaked(block.stdout, block.stderr, shown.stdout) == []


def test_an_env_file_that_cannot_be_read_is_said(project):
    (project / ".env").write_text(f"APP_SECRET='{FROM_FILE}\n")
    done = shadow("compare", *FLAGS, "--redact", cwd=project)
    assert done.returncode == 2
    assert ".env:1: has a quote that is not closed" in done.stderr
    assert "env_files" in done.stderr
    assert leaked(done.stdout, done.stderr) == []


@pytest.fixture
def contract(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert shadow("init", "--entry", "m:run", cwd=tmp_path).returncode == 0
    return tmp_path


def test_corpus_add_copies_a_file_without_secrets(contract):
    examples = (
        '{"mail": "jo@example.org", "card": "4242 4242 4242 4242", "iban": "DE89 3704 0044 0532 0130 00", "phone": "+1 202 555 0100"}'
    )
    write(contract, {"x.json": examples})
    done = shadow("corpus", "add", "x.json", cwd=contract)
    assert done.returncode == 0, done.stderr
    assert (contract / "shadow/corpus/x.json").read_bytes() == (contract / "x.json").read_bytes()
    assert "wrote shadow/corpus/x.json" in done.stdout
    assert shadow("corpus", "add", "x.json", "--id", "a/b.json", cwd=contract).returncode == 0
    assert (contract / "shadow/corpus/a/b.json").exists()


REFUSED = {
    "a token": (
        {"x.json": '{"a": [1,\n {"t": "' + TOKEN + '"}]}'},
        (),
        ["x.json:2: holds what looks like github-token at /a/1/t", "a placeholder"],
    ),
    "a real address": ({"x.json": f'["{MAIL.replace("example.net", "test-bank.com")}"]'}, (), ["email at /0"]),
    "a key in text": ({"x.json": '{"password": "hunter2222"}'}, (), ["password at /password"]),
    "what is known": ({"x.json": '{"a": "sunny-side-up-77"}'}, (), ["known-value at /a"]),
    "taken": ({"x.json": "1"}, ("--id", "001_empty_object.json"), ["already"]),
    "taken but for case": ({"x.json": "1"}, ("--id", "001_EMPTY_object.json"), ["001_"]),
    "out of the corpus": ({"x.json": "1"}, ("--id", "../x.json"), ["no fixture id"]),
    "reserved": ({"x.json": "1"}, ("--id", "@import"), ["no fixture id"]),
    "another kind": ({"x.json": "1"}, ("--id", "x.png"), ["x.png"]),
    "ignored": ({"x.json": "1"}, ("--id", "README.md"), ["no target takes"]),
    "a token for an id": ({"x.json": "1"}, ("--id", TOKEN + ".json"), ["the fixture's id holds github-token", "--id"]),
    "not there": ({}, (), ["cannot be read"]),
}


@pytest.mark.parametrize(("files", "flags", "words"), REFUSED.values(), ids=REFUSED)
def test_corpus_add_refuses_and_writes_nothing(contract, files, flags, words):
    write(contract, files)
    before = sorted(path.name for path in (contract / "shadow/corpus").rglob("*"))
    done = shadow("corpus", "add", "x.json", *flags, cwd=contract, env=ENV)
    assert done.returncode == 2, done.stdout
    for word in words:
        assert word in done.stderr
    assert leaked(done.stdout, done.stderr) == []
    assert sorted(path.name for path in (contract / "shadow/corpus").rglob("*")) == before


def test_what_was_redacted_may_be_added(contract):
    write(contract, {"x.json": '{"token": "' + TOKEN + '"}'})
    write(contract, {"y.json": shadow("redact", "x.json", cwd=contract).stdout})
    assert shadow("corpus", "add", "y.json", cwd=contract).returncode == 0
