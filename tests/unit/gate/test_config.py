import re

import pytest

from gate.config import Flags, settings
from gate.config.load import load
from gate.config.toml_lines import line_of, lines_of
from gate.config.words import PLACEHOLDER
from gate.errors import ConfigError
from tests.unit.gate.config_values import HEAD, write_contract


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A checkout with a sound contract, and the current folder in it."""
    monkeypatch.chdir(tmp_path)
    return write_contract(tmp_path)


def faults_of(repo, text):
    (repo / "shadow/shadow.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(repo / "shadow")
    assert caught.value.exit_code == 2
    return caught.value.faults


# -- the file -------------------------------------------------------------------------------------------------


def test_every_fault_of_the_file_at_once_each_with_its_line(repo):
    faults = faults_of(
        repo,
        'version = 2\n[[target]]\nname = "a/b"\nadaptor = "x"\nentry = "foo"\n[sides]\npath = [\n  "src",\n  "../x",\n]\n'
        "[limits]\nseconds = 0\nmemory_mib = true\n[trust]\nrequire = 'signed'\n",
    )
    assert [(str(fault.place), fault.what.split(":")[0]) for fault in faults] == [
        ("shadow/shadow.toml:1", "version"),
        ("shadow/shadow.toml:3", "[[target]] name"),
        ("shadow/shadow.toml:4", "unknown key"),
        ("shadow/shadow.toml:5", "[[target]] entry"),
        ("shadow/shadow.toml:7", "[sides] path"),
        ("shadow/shadow.toml:12", "[limits] seconds"),
        ("shadow/shadow.toml:13", "[limits] memory_mib"),
        ("shadow/shadow.toml:15", "[trust] require"),
    ]
    assert all(fault.remedy for fault in faults)


UNKNOWN = {
    "top level": ("verison = 1\n" + HEAD, 1, "version"),
    "a table": (HEAD + "[limit]\nseconds = 1\n", 5, "limits"),
    "a target's key": (HEAD + 'payloads = "json"\n', 5, "payload"),
    "a key of a table": (HEAD + "[limits]\nsecond = 1\n", 6, "seconds"),
    "a dotted key": (HEAD.replace("[[", "trust.requires = 'none'\n[[", 1), 2, "require"),
    "the second target's key": (HEAD + '[[target]]\nname = "b"\nentry = "a:b"\nadapters = "x"\n', 8, "adapter"),
}


@pytest.mark.parametrize(("text", "line", "near"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_key_names_its_line_and_the_nearest_known_key(repo, text, line, near):
    (fault,) = faults_of(repo, text)
    assert "unknown key" in fault.what
    assert fault.place.line == line
    assert f"did you mean `{near}`?" in fault.remedy


KIND = HEAD.replace('entry = "pkg.mod:run"\n', "")
BAD = {
    "no version": (HEAD.replace("version = 1\n", ""), None, "version"),
    "version true": (HEAD.replace("= 1", "= true"), 1, "this build reads version 1"),
    "version 1.0": (HEAD.replace("= 1", "= 1.0"), 1, "this build reads version 1"),
    "no target": ("version = 1\n", None, "target"),
    "empty targets": ("version = 1\ntarget = []\n", 2, "[[target]]"),
    "one table, not an array": (HEAD.replace("[[target]]", "[target]"), 2, "[[target]]"),
    "no entry": (HEAD.replace('entry = "pkg.mod:run"\n', ""), 2, "has no `entry`"),
    "no name": (HEAD.replace('name = "main"\n', ""), 2, "name is missing"),
    "the placeholder": (HEAD.replace("pkg.mod:run", PLACEHOLDER), 4, "placeholder"),
    "an entry without a function": (HEAD.replace(":run", ""), 4, "package.module:callable"),
    "two targets of one name": (HEAD + '[[target]]\nname = "MAIN"\nentry = "a:b"\n', 6, "taken"),
    "no kind of target": (HEAD.replace('entry = "pkg.mod:run"\n', ""), 2, "[[target]] has no `entry`, `command`, `asgi` or `wsgi`"),
    "two kinds of target": (HEAD + 'command = ["x"]\n', 5, "[[target]] command: the target has `entry` already"),
    "two web apps": (KIND + 'asgi = "a:b"\nwsgi = "a:b"\n', 5, "[[target]] wsgi: the target has `asgi` already"),
    "no words": (KIND + "command = []\n", 4, "[[target]] command: should have at least 1 item"),
    "an empty word": (KIND + 'command = ["x", ""]\n', 4, "should be a text that is not empty"),
    "a command as text": (KIND + 'command = "python -m x"\n', 4, "[[target]] command: should be a valid list"),
    "an app that is no path": (KIND + 'wsgi = "app"\n', 4, "should be package.module:callable"),
    "an app that is called with something": (KIND + 'wsgi = "a:b(1)"\n', 4, "should be package.module:callable"),
    "payload of a command": (KIND + 'command = ["x"]\npayload = "text"\n', 5, "[[target]] payload: goes with `entry` only"),
    "adapter of an app": (KIND + 'asgi = "a:b"\nadapter = "../x.py"\n', 5, "[[target]] adapter: goes with `entry` only"),
    "types of an app": (KIND + 'asgi = "a:b"\ntypes = []\n', 5, "[[target]] types: goes with `entry` only"),
    "types": (HEAD + 'types = ["x"]\n', 5, "should be package.module:callable"),
    "inject as a text": (HEAD.replace("[[", "inject = 'now'\n[[", 1), 2, "should be a table"),
    "now is no time": (HEAD + '[inject]\nnow = "today"\n', 6, "should be a time like 2026-01-01T00:00:00Z"),
    "now is no day": (HEAD + '[inject]\nnow = "2025-02-29"\n', 6, "should be a time like"),
    "now is a number": (HEAD + "[inject]\nnow = 1767225600\n", 6, "should be a time like"),
    "now is a time of day": (HEAD + "[inject]\nnow = 12:30:00\n", 6, "should be a time like"),
    "now before clocks": (HEAD + '[inject]\nnow = "1969-12-31"\n', 6, "from 1970"),
    "a seed below zero": (HEAD + "[inject]\nseed = -1\n", 6, "greater than or equal to 0"),
    "a seed too large": (HEAD + "[inject]\nseed = 4294967296\n", 6, "less than 4294967296"),
    "a seed that is a text": (HEAD + '[inject]\nseed = "0"\n', 6, "valid integer"),
    "a seed that is true": (HEAD + "[inject]\nseed = true\n", 6, "valid integer"),
    "payload": (HEAD + 'payload = "xml"\n', 5, "'json', 'text' or 'bytes'"),
    "an adapter that is not there": (HEAD + 'adapter = "adapter.py"\n', 5, "no file"),
    "an adapter outside": (HEAD + 'adapter = "../adapter.py"\n', 5, "stays inside"),
    "an absolute root": (HEAD + '[sides]\npath = ["/src"]\n', 6, "stays inside"),
    "python as a number": (HEAD + "[sides]\npython = 3.11\n", 6, "should be a text"),
    "gated nothing": (HEAD + "[compare]\ngated = []\n", 6, "would gate nothing"),
    "gated an unknown field": (HEAD + '[compare]\ngated = ["valu"]\n', 6, "did you mean `value`"),
    "an unknown rule": (HEAD + '[compare]\nrules = ["key-oder"]\n', 6, "key-order"),
    "rules that contradict": (HEAD + '[compare]\nrules = ["unordered:/a", "drop:/a/0"]\n', 6, "names a place in the list"),
    "seconds infinite": (HEAD + "[limits]\nseconds = inf\n", 6, "finite"),
    "output zero": (HEAD + "[limits]\noutput_kib = 0\n", 6, "greater than or equal to 1"),
    "a table as a number": (HEAD.replace("[[", "limits = 3\n[[", 1), 2, "should be a table"),
    "trust signed": (HEAD + '[trust]\nrequire = "signed"\n', 6, "this build cannot check 'signed'"),
    "trust touched": (HEAD.replace("[[", "trust = {require = 'touched'}\n[[", 1), 2, "this build cannot check 'touched'"),
    "trust unknown": (HEAD + '[trust]\nrequire = "all"\n', 6, "'none', 'named'"),
    "not TOML": (HEAD + "name =\n", 5, "is not TOML"),
    "not TOML at the end": (HEAD + 'x = "', 5, "is not TOML"),
    "a key twice": (HEAD + 'name = "b"\n', 5, "is not TOML"),
}


@pytest.mark.parametrize(("text", "line", "what"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_named_at_its_line(repo, text, line, what):
    faults = faults_of(repo, text)
    assert [fault.place.line for fault in faults] == [line]
    assert what in faults[0].what + faults[0].remedy


def test_a_file_that_is_not_utf8_and_one_that_is_not_there(repo):
    (repo / "shadow/shadow.toml").write_bytes(HEAD.encode() + b'# caf\xe9\n"')
    with pytest.raises(ConfigError, match="is not UTF-8") as caught:
        load(repo / "shadow")
    assert caught.value.faults[0].place.line == 5
    with pytest.raises(ConfigError, match="cannot be read"):
        settings(flags=Flags(config="nowhere.toml"), cwd=repo)


SECRETS = {
    "a key by its name": '[prelabel]\napi_key = "x"\n',
    "a key in a known key": '[prelabel]\nmodel = "sk-abcdefghijklmnop0123"\n',
    "a key in a comment": "# ghp_0123456789abcdefghij0123\n",
    "a password in an address": '[prelabel]\nurl = "https://me:hunter22@example.org/v1"\n',
    "a key in an address": '[prelabel]\nurl = "https://example.org/v1?key=hunter22"\n',
    "a token in a table": '[prelabel]\nauth = {access_token = "hunter22"}\n',
}


@pytest.mark.parametrize("more", SECRETS.values(), ids=SECRETS)
def test_what_looks_like_a_key_is_refused_and_not_repeated(repo, more):
    faults = faults_of(repo, HEAD + more)
    said = " ".join(f"{fault.what} {fault.remedy}" for fault in faults)
    assert "environment only" in said
    assert not re.search(r"hunter22|sk-abc|ghp_0", said)


def test_names_that_only_sound_like_keys_pass(repo):
    text = HEAD.replace("main", "monkey") + '[prelabel]\nmodel = "task-force-of-one-hundred"\nbudget = 1\n'
    (repo / "shadow/shadow.toml").write_text(text)
    assert load(repo / "shadow").file.target[0].name == "monkey"


def test_an_adapter_may_not_link_out_of_the_contract(repo):
    (repo / "adapter.py").write_text("")
    (repo / "shadow/adapter.py").symlink_to(repo / "adapter.py")
    (fault,) = faults_of(repo, HEAD + 'adapter = "adapter.py"\n')
    assert "links out" in fault.what


def test_a_key_with_an_escape_sequence_is_shown_harmless(repo):
    (fault,) = faults_of(repo, HEAD + '"\\u001b[31m" = 1\n')
    assert "\x1b" not in fault.what
    assert fault.place.line == 5


# -- lines ----------------------------------------------------------------------------------------------------

LINES = """# [limits]
title = \"\"\"
[limits]
seconds = 1 \"\"\"\"
other = '''
a = 1'''
[a.b]   # c
"quoted key" = [
  "]", # ]
  {x = 1},
]
c.d = {e = "}", f = 2}
[[t]]
k = 1
[t.sub]
k = 2
[[t]]
k = 3
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("other",), 5),
        (("limits",), None),
        (("limits", "seconds"), None),
        (("a",), 7),
        (("a", "quoted key"), 8),
        (("a", "b"), 7),
        (("a", "b", "c", "d"), 12),
        (("a", "b", "c", "d", "e"), 12),
        (("t",), 13),
        (("t", 0, "k"), 14),
        (("t", 0, "sub", "k"), 16),
        (("t", 1), 17),
        (("t", 1, "k"), 18),
        (("t", 1, "missing"), 17),
    ],
)
def test_the_line_of_a_key(path, line):
    found = lines_of(LINES)
    if path == ("a", "quoted key"):
        path = ("a", "b", "quoted key")
    assert line_of(found, path) == line
