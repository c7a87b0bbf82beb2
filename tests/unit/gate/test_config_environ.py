import subprocess
import sys
from pathlib import Path

import pytest

from gate.config import Environ, environ
from gate.config.words import nearest, printable, shown
from gate.errors import UsageError

# -- environment ----------------------------------------------------------------------------------------------

CI = {"CI": "true", "GITHUB_ACTIONS": "true", "GITLAB_CI": "true", "BUILDKITE": "1", "JENKINS_URL": "http://x", "TF_BUILD": "True"}


@pytest.mark.parametrize(("name", "value"), CI.items(), ids=CI)
def test_continuous_integration_is_seen(name, value):
    assert Environ(variables={name: value}).is_ci()


@pytest.mark.parametrize("value", ["", "0", "false", "False", "no"])
def test_ci_that_is_off_is_off(value):
    assert not Environ(variables={"CI": value}).is_ci()


@pytest.mark.parametrize(
    "name",
    [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "OPENCODE",
        "OPENCODE_PID",
        "AGENT",
        "AI_AGENT",
    ],
)
def test_agents_are_seen(name):
    assert Environ(variables={"PATH": "x", name: "1"}).agent() == name


@pytest.mark.parametrize(
    "name",
    [
        "CODEX_HOME",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
        "CURSOR_TRACE_ID",
        "OPENCODE_CONFIG",
    ],
)
def test_settings_of_people_are_no_agents(name):
    assert Environ(variables={name: "1"}).agent() is None


def test_an_ordinary_shell_is_no_agent():
    assert (
        Environ(variables={"SSH_AUTH_SOCK": "/x", "SSH_AGENT_PID": "1", "GPG_AGENT_INFO": "x", "TERM": "xterm", "AGENT": ""}).agent()
        is None
    )


def test_cache_home(tmp_path):
    assert Environ(variables={"XDG_CACHE_HOME": "/c", "HOME": "/h"}).cache_home() == Path("/c/shadow-prelabel")
    assert Environ(variables={"XDG_CACHE_HOME": "c", "HOME": "/h"}).cache_home() == Path("/h/.cache/shadow-prelabel")


def test_the_environment_is_read_when_asked(monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/s")
    monkeypatch.setenv("NO_COLOR", "1")
    assert environ().step_summary == Path("/s")
    assert environ().no_color
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert environ().step_summary is None


# -- words ----------------------------------------------------------------------------------------------------


def test_words(tmp_path):
    assert shown(tmp_path / "a/b", cwd=tmp_path) == "a/b"
    assert shown(tmp_path, cwd=tmp_path / "x") == tmp_path.as_posix()
    assert nearest("vlaue", ["value", "type"]) == "value"
    assert nearest("zzz", ["value", "type"]) is None
    assert printable("a\x1b\u202e\udc80") == "a\\x1b\\u202e\\udc80"


def test_without_a_config_nothing_heavy_is_imported():
    code = "import sys, gate.config, gate.corpus, gate.report.screen, gate.report.read; print(sorted({'pydantic', 'tomllib', 'yaml', 'typing_extensions', 'difflib', 'tempfile'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    "variables", [{}, {"HOME": "relative"}, {"HOME": "relative", "XDG_CACHE_HOME": "c"}], ids=["nothing", "relative", "both"]
)
def test_without_a_home_there_is_no_cache(monkeypatch, variables):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)  # as for a user that no list knows
    with pytest.raises(UsageError, match="no home folder") as caught:
        Environ(variables=variables).cache_home()
    assert "set HOME" in caught.value.remedy
