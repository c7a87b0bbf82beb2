"""Who signs: the shape of a name, git's identity, and confirming by typing."""

import os
import subprocess

import pytest

from gate.errors import RefusedError, UsageError
from prelabel import identity, terminal


class Script:
    """A screen whose person answers from a list."""

    width, height = 80, 24

    def __init__(self, *answers):
        self.answers, self.said = list(answers), []

    def say(self, text=""):
        self.said.append(text)

    def ask(self, prompt):
        self.said.append(prompt)
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("text", "signer"),
    [
        ("Ada Example <ada@example.org>", "Ada Example <ada@example.org>"),
        ("  Ada   Example<ada@example.org> ", "Ada Example <ada@example.org>"),
        ("Zoe\u0308 <z@example.org>", "Zoë <z@example.org>"),
        ("王小明 <w@example.org>", "王小明 <w@example.org>"),
    ],
)
def test_a_signer_is_a_name_and_an_address(text, signer):
    assert str(identity.parse(text)) == signer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ada",
        "ada@example.org",
        "<ada@example.org>",
        "Ada <ada>",
        "Ada <a@b> x",
        "Ada <a @b>",
        "--- <a@b.org>",
        "A\x1b[31mda <a@b.org>",
        "Ada\u202e <a@b.org>",
        "Ada\n<a@b.org>",
        "A" * 200 + " <a@b.org>",
        "A<b> <a@b.org>",
        "\u3164\uffa0 <a@b.org>",
        "\u2800 <a@b.org>",
    ],
)
def test_what_is_no_signer_is_a_usage_error_with_an_example(text):
    with pytest.raises(UsageError) as caught:
        identity.parse(text)
    assert "Ada Example <ada@example.org>" in caught.value.remedy


def test_what_parses_here_is_what_the_ledger_takes():
    from gate.ledger.rows import _is_signer

    for text in ("Ada Example <ada@example.org>", "Zoë <z@example.org>", "O'Neil, Pat <p@example.org>"):
        assert _is_signer(str(identity.parse(text)))


def git(cwd, *args):
    env = {"PATH": os.environ["PATH"], "HOME": str(cwd), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *args], cwd=cwd, env=env, check=True, capture_output=True)


def test_git_names_the_signer(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    git(tmp_path, "init", "-q")
    with pytest.raises(RefusedError) as caught:
        identity.find(None, tmp_path)
    assert caught.value.exit_code == 4
    assert "--as" in caught.value.remedy
    git(tmp_path, "config", "user.name", "Ada Example")
    git(tmp_path, "config", "user.email", "ada@example.org")
    assert str(identity.find(None, tmp_path)) == "Ada Example <ada@example.org>"
    assert str(identity.find("Bo Other <bo@example.org>", tmp_path)) == "Bo Other <bo@example.org>"


ADA = identity.Signer(name="Ada Example", mail="ada@example.org")


@pytest.mark.parametrize("answers", [["Ada Example"], ["", "Ada  Example"], ["ada", "y", "Ada Example"]])
def test_the_name_is_typed_to_confirm(answers):
    screen = Script(*answers)
    identity.confirm(screen, ADA)
    assert screen.answers == []
    assert "Ada Example <ada@example.org>" in screen.said[0]


def test_after_three_wrong_answers_it_is_refused():
    screen = Script("", "Ada", "ADA EXAMPLE", "Ada Example")
    with pytest.raises(RefusedError):
        identity.confirm(screen, ADA)
    assert screen.answers == ["Ada Example"]


@pytest.mark.parametrize(
    ("variables", "stated", "encoding"),
    [
        ({"LANG": "C"}, "utf-8", "ascii"),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", "ascii"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}, "utf-8", "ascii"),
        ({"LANG": "de_DE.UTF-8"}, "utf-8", "utf-8"),
        ({}, "utf-8", "utf-8"),
        ({"LC_ALL": "C.UTF-8"}, "utf-8", "utf-8"),
        ({}, None, "ascii"),
    ],
)
def test_what_the_terminal_can_show(variables, stated, encoding):
    assert terminal.encoding_of(variables, stated) == encoding


def test_nothing_acts_on_a_terminal_and_nothing_is_lost():
    assert terminal.safe("é\x1b[2J\u202e\n", "utf-8") == "é\\u001b[2J\\u202e\n"
    assert terminal.safe("é \U0001f600", "ascii") == "\\u00e9 \\U0001f600"
    assert terminal.safe("\ud800", "utf-8") == "\\ud800"


@pytest.mark.parametrize("variables", [["CI"], ["CLAUDECODE"], ["GITHUB_ACTIONS", "AI_AGENT"]])
def test_ci_and_agents_are_refused_and_named(variables):
    with pytest.raises(RefusedError) as caught:
        terminal.refuse_if_unattended(variables=variables)
    assert all(name in caught.value.what for name in variables)
    assert "shadow show --format json" in caught.value.remedy


def test_no_terminal_is_refused(monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda number: number == 0)
    with pytest.raises(RefusedError, match="there is none on stdout"):
        terminal.refuse_if_unattended(variables=[])
