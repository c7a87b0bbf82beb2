"""`shadow signoff` as a person meets it: the installed script on a real pseudo-terminal, over a real report of a real repository."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.e2e.terminal import SHADOW, Terminal, environment, escapes

ADA = "Ada Example <ada@example.org>"
OLD = """def run(p):
    if "s" in p:
        return {"s": "caf\\u00e9"}
    if "a" in p:
        return {"a": None}
    if "boom" in p:
        raise ValueError("bad boom")
    return p
"""
NEW = OLD.replace("caf\\u00e9", "cafe\\u0301").replace('{"a": None}', '{"a": []}').replace("ValueError", "AssertionError")
CORPUS = {"002_unicode.json": '{"s": 1}', "003_nested_null.json": '{"a": 1}', "004_boom.json": '{"boom": 1}', "005_same.json": "{}"}


class Project:
    """A repository with a red report; every test finds ledger, code and results as they were after `compare`."""

    def __init__(self, root):
        self.root = root
        self.ledger = root / "shadow" / "delta_ledger.yaml"
        self.out = root / "shadow" / "out"
        (root / "pkg").mkdir(parents=True)
        (root / "pkg" / "__init__.py").write_text("")
        (root / "pkg" / "mod.py").write_text(OLD)
        self.git("init", "-q", "-b", "main")
        self.commit("one")
        self.shadow("init", "--entry", "pkg.mod:run")
        shutil.rmtree(root / "shadow" / "corpus")
        (root / "shadow" / "corpus").mkdir()
        for name, text in CORPUS.items():
            (root / "shadow" / "corpus" / name).write_text(text)
        self.shadow("freeze", "HEAD")
        (root / "pkg" / "mod.py").write_text(NEW)
        self.commit("patch")
        assert self.shadow("compare").returncode == 1
        self.before, self.report = self.ledger.read_bytes(), (self.out / "report.json").read_bytes()

    def git(self, *args):
        who = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        return subprocess.run(["git", *who, *args], cwd=self.root, env=environment(), check=True, capture_output=True, text=True).stdout

    def commit(self, message):
        self.git("add", ".")
        self.git("commit", "-qm", message)

    def shadow(self, *args, **more):
        return subprocess.run(
            [SHADOW, *args], cwd=self.root, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more
        )

    def reset(self):
        self.ledger.write_bytes(self.before)
        (self.out / "report.json").write_bytes(self.report)
        (self.root / "pkg" / "mod.py").write_text(NEW)
        for name, text in CORPUS.items():
            (self.root / "shadow" / "corpus" / name).write_text(text)
        shutil.rmtree(self.out / "sittings", ignore_errors=True)

    def signoff(self, *args, as_name=ADA, **env):
        return Terminal(SHADOW, "signoff", *(("--as", as_name) if as_name else ()), *args, cwd=self.root, env=environment(**env))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("signoff") / "repo")


@pytest.fixture
def project(built):
    built.reset()
    return built


def name(terminal):
    return terminal.expect(ADA).answer("Type the name", "Ada Example")


def test_a_person_signs_two_rows_and_the_gate_counts_them(project):
    with project.signoff() as t:
        name(t).expect("004_boom.json").expect("decide:").type("r").answer("why reject", "callers catch ValueError").expect(
            "not evidence: reject"
        ).answer("k keep", "k")
        t.answer("category (1", "1").expect("U+00E9 became U+0065 U+0301; equal under NFC")
        t.answer("decide:", "a").answer("why accept", "normalised again at the HTTP edge").expect("not evidence: abstain").answer(
            "k keep", "k"
        )
        t.answer("category (1", "2").expect("003_nested_null.json").answer("decide:", "s").answer("Type write", "write").expect(
            "1 divergence left unclassified"
        )
        assert t.end() == 0
    kept = project.ledger.read_bytes()
    for line in project.before.replace(b"entries: []", b"entries:").splitlines():
        assert line in kept.splitlines()
    text = kept.decode()
    assert text.count(f"signed_off_by: {ADA}") == 2
    assert "category: exception-type" in text
    assert "category: other" in text
    assert project.shadow("ledger", "lint").returncode == 0
    after = project.shadow("compare")
    assert after.returncode == 1
    assert "callers catch ValueError" in after.stdout
    assert "1 unclassified" in after.stdout


@pytest.mark.parametrize("question", ["Type the name", "decide:", "why accept", "k keep", "category (1", "Type write"])
def test_ctrl_c_at_any_question_is_130_and_leaves_the_ledger(project, question):
    steps = [
        ("Type the name", "Ada Example"),
        ("decide:", "a"),
        ("why accept", "it is caught as Exception"),
        ("k keep", "k"),
        ("category (1", "1"),
        ("decide:", "q"),
        ("Type write", "write"),
    ]
    with project.signoff() as t:
        for asked, answer in steps:
            t.expect(asked)
            if asked == question:
                t.interrupt()
                break
            t.type(answer)
        assert t.end() == 130
        assert "nothing was written" in t.said
    assert project.ledger.read_bytes() == project.before


def test_what_was_confirmed_is_taken_up_again(project):
    with project.signoff() as t:
        name(t).answer("decide:", "r").answer("why reject", "callers catch ValueError").answer("k keep", "k").answer(
            "category (1", "1"
        ).expect("decide:").interrupt()
        assert t.end() == 130
        assert "1 confirmed decision" in " ".join(t.said.split())
    with project.signoff() as t:
        name(t).expect("callers catch ValueError").answer("Type resume", "resume").expect("1 of 3").expect(
            "Earlier you decided: reject"
        ).answer("decide:", "r").answer("why reject", "callers catch ValueError").answer("k keep", "k").answer("category (1", "1").expect(
            "2 of 3"
        ).answer("decide:", "q").answer("Type write", "write")
        assert t.end() == 0
    assert "callers catch ValueError" in project.ledger.read_text()


def test_end_of_input_is_like_ctrl_c(project):
    with project.signoff() as t:
        t.expect("Type the name").hang_up()
        assert t.end() == 130
    assert project.ledger.read_bytes() == project.before


def test_an_ignored_interrupt_still_interrupts(project):
    """A shell without job control starts its background jobs with Ctrl-C ignored, and a handler is inherited as "ignore"."""
    code = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    with Terminal(sys.executable, "-c", code, SHADOW, "signoff", "--as", ADA, cwd=project.root) as t:
        t.expect("Type the name").interrupt()
        assert t.end() == 130


@pytest.mark.parametrize("variable", ["CI", "GITHUB_ACTIONS", "CLAUDECODE"])
def test_ci_and_agents_are_refused_on_a_terminal_too(project, variable):
    with project.signoff(**{variable: "true"}) as t:
        assert t.end() == 4
        assert variable in t.said
        assert "shadow show --format json" in t.said
        assert "Type the name" not in t.said
    assert project.ledger.read_bytes() == project.before


def test_without_a_terminal_it_is_refused(project):
    done = project.shadow("signoff", "--as", ADA)
    assert done.returncode == 4
    assert "shadow show --format json" in done.stderr
    assert project.ledger.read_bytes() == project.before


@pytest.mark.parametrize("piped", ["stdin", "stdout"])
def test_half_a_terminal_is_refused(project, piped):
    redirect = "echo 'Ada Example' | " if piped == "stdin" else ""
    sink = " | cat" if piped == "stdout" else ""
    script = f"set -o pipefail; {redirect}'{SHADOW}' signoff --as '{ADA}'{sink}"
    with Terminal("bash", "-c", script, cwd=project.root) as t:
        assert t.end() == 4
        assert f"none on {piped}" in t.said


def test_without_a_controlling_terminal_it_is_refused(project):
    """stdin and stdout are a terminal, but /dev/tty is not there: nobody can have been meant to answer."""
    main, side = os.openpty()
    try:
        code = subprocess.run(
            [SHADOW, "signoff", "--as", ADA],
            cwd=project.root,
            env=environment(),
            stdin=side,
            stdout=side,
            stderr=subprocess.PIPE,
            start_new_session=True,
            timeout=30,
            check=False,
        )
    finally:
        os.close(main)
        os.close(side)
    assert code.returncode == 4
    assert b"/dev/tty" in code.stderr


def test_an_unconfirmed_name_signs_nothing(project):
    with project.signoff() as t:
        for wrong in ("", "Ada", "yes"):
            t.answer("Type the name", wrong)
        assert t.end() == 4
    assert project.ledger.read_bytes() == project.before


def test_without_a_name_git_is_asked_and_no_name_at_all_is_refused(project, tmp_path):
    with project.signoff(as_name=None, HOME=str(tmp_path), GIT_CONFIG_NOSYSTEM="1") as t:
        assert t.end() == 4
        assert "--as" in t.said
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada Example\n\temail = ada@example.org\n")
    with project.signoff(as_name=None, HOME=str(tmp_path), GIT_CONFIG_NOSYSTEM="1") as t:
        t.expect(ADA).expect("Type the name").interrupt()
        assert t.end() == 130


def test_what_is_typed_ahead_answers_no_question(project):
    with project.signoff() as t:
        t.expect("Type the name").type("Ada Example\na\nanything at all\nk\n1")
        t.expect("decide:")
        time.sleep(0.3)
        t.interrupt()
        assert t.end() == 130
        assert "why accept" not in t.said


@pytest.mark.parametrize("variables", [{"TERM": "dumb", "LANG": "C"}, {"LC_ALL": "POSIX"}], ids=["dumb", "posix"])
def test_a_plain_terminal_gets_plain_ascii(project, variables):
    with project.signoff(**variables) as t:
        name(t).answer("decide:", "s").expect('{"s":"caf\\u00e9"}').expect('{"s":"cafe\\u0301"}').expect("decide:").interrupt()
        assert t.end() == 130
        assert t.said.isascii()
        assert escapes(t.said) == []


def test_a_report_about_other_code_is_refused_before_anybody_decides(project):
    (project.root / "pkg" / "mod.py").write_text(NEW.replace("AssertionError", "KeyError"))
    with project.signoff() as t:
        t.expect("another candidate than the one that stands here").expect("shadow compare")
        assert t.end() == 2
    assert project.ledger.read_bytes() == project.before


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            lambda shadow: (shadow / "shadow.toml").write_text((shadow / "shadow.toml").read_text() + "# new\n"),
            "shadow.toml was changed since",
        ),
        (lambda shadow: (shadow / "canonicalize.py").write_text("#"), "canonicalize.py was changed since this report"),
        (lambda shadow: (shadow / "BASELINE_SHA").write_text("1" * 40 + "\n"), "another baseline than the one that is pinned here now"),
        (
            lambda shadow: (shadow / "out" / "report.json").write_text(
                (shadow / "out" / "report.json")
                .read_text()
                .replace('"require": "named", "require_source"', '"require": "none", "require_source"')
            ),
            "the settings in this report are not those of shadow.toml",
        ),
    ],
    ids=["config", "rules", "pin", "settings"],
)
def test_a_report_of_another_contract_is_refused_before_anybody_decides(project, edit, said):
    kept = {path: path.read_bytes() for path in (project.root / "shadow").iterdir() if path.is_file()}
    try:
        edit(project.root / "shadow")
        with project.signoff() as t:
            t.expect("shadow compare")
            assert t.end() == 2
            assert said in " ".join(t.said.split())
            assert "Type the name" not in t.said
    finally:
        (project.root / "shadow" / "canonicalize.py").unlink(missing_ok=True)
        for path, data in kept.items():
            path.write_bytes(data)


def test_the_first_screen_names_both_sides(project):
    with project.signoff() as t:
        t.expect("Baseline: git:").expect("Candidate: the working tree").expect("Type the name").interrupt()
        assert t.end() == 130


def test_a_fixture_that_was_edited_since_the_report_is_not_signed(project):
    (project.root / "shadow" / "corpus" / "004_boom.json").write_text("1")
    with project.signoff() as t:
        name(t).expect("004_boom.json: its fixture was edited since the report").answer("decide:", "q")
        assert t.end() == 0
    assert project.ledger.read_bytes() == project.before


def test_lies_in_the_advice_file_are_not_shown(project):
    assert project.shadow("prelabel").returncode == 0
    path = project.out / "advice.json"
    path.write_text(path.read_text().replace('"reject"', '"accept"'))
    with project.signoff() as t:
        name(t).answer("decide:", "r").answer("why reject", "callers catch ValueError").expect("not evidence: reject").expect(
            "k keep"
        ).interrupt()
        assert t.end() == 130


def test_termination_in_the_middle_leaves_the_ledger_whole(project):
    with project.signoff() as t:
        name(t).expect("decide:")
        t.process.send_signal(signal.SIGTERM)
        assert t.end() == 130
    assert project.ledger.read_bytes() == project.before
