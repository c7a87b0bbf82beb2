import hashlib
import json
import re
from pathlib import Path

import pytest

from gate.config import Flags, default_report, find_checkout, find_folder, ledger_paths, settings, settings_from_json, settings_json
from gate.errors import PinError, ReportError, UsageError
from gate.types import GATED, NOW, Conditions, Limits, Pin, Settings, replace
from tests.unit.gate.config_values import HEAD, SHA, write_contract


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A checkout with a sound contract, and the current folder in it."""
    monkeypatch.chdir(tmp_path)
    return write_contract(tmp_path)


def merged(repo, text=HEAD, **flags):
    (repo / "shadow/shadow.toml").write_text(text, encoding="utf-8")
    return settings(flags=Flags(**flags), cwd=Path.cwd())


# -- merging --------------------------------------------------------------------------------------------------


def test_a_contract_alone_is_enough(repo):
    got = merged(repo)
    folder = repo / "shadow"
    assert got.baseline == Pin(kind="git", value=SHA)
    assert got.candidate.kind == "tree"
    assert (got.corpus, got.ledger, got.ledger_folder) == (folder / "corpus", folder / "delta_ledger.yaml", None)
    assert got.report == folder / "out/report.json"
    assert (got.folder, got.checkout) == (folder, repo)
    assert [(one.name, one.entry, one.payload, one.corpus) for one in got.targets] == [("main", "pkg.mod:run", "json", "")]
    assert (got.require, got.require_source) == ("named", "default with a shadow.toml")
    assert (got.gated, got.limits) == (GATED, Limits())
    assert re.fullmatch("[0-9a-f]{64}", got.config_digest)


KIND = HEAD.replace('entry = "pkg.mod:run"\n', "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            KIND + 'command = ["python", "-m", "pkg", "a b"]\n',
            ("command", "python -m pkg 'a b'", ("python", "-m", "pkg", "a b"), "bytes", ("stderr",)),
        ),
        (KIND + 'command = ["./t"]\n[compare]\ngated = ["stdout"]\n', ("command", "./t", ("./t",), "bytes", ())),
        (KIND + 'asgi = "pkg.web:app"\n', ("asgi", "pkg.web:app", (), "json", ())),
        (KIND + 'wsgi = "pkg.web:make()"\n', ("wsgi", "pkg.web:make()", (), "json", ())),
        (HEAD + 'types = ["pkg.mod:Point"]\n', ("function", "pkg.mod:run", (), "json", ())),
    ],
    ids=["command", "gated by hand", "asgi", "wsgi", "function"],
)
def test_each_kind_of_target(repo, text, shown):
    got = merged(repo, text)
    [one] = got.targets
    assert (one.kind, one.entry, one.command, one.payload, one.gated) == shown
    assert one.types == (("pkg.mod:Point",) if "types" in text else ())
    assert settings_from_json(json.loads(json.dumps(settings_json(got)))).targets == got.targets


@pytest.mark.parametrize("flag", [{"entry": "a:b"}, {"payload": "text"}])
def test_flags_of_a_function_do_not_go_with_another_target(repo, flag):
    with pytest.raises(UsageError, match=r"--\w+ goes with a function, but the target of shadow/shadow.toml is none"):
        merged(repo, KIND + 'command = ["x"]\n', **flag)


def test_the_file_is_used_key_by_key(repo):
    (repo / "shadow/adapter.py").write_text("")
    (repo / "shadow/delta_ledger.d").mkdir()
    got = merged(
        repo,
        HEAD + 'adapter = "adapter.py"\npayload = "text"\n[sides]\npath = ["lib"]\npython = "3.12"\nrequirements = "r.lock"\n'
        '[compare]\ngated = ["value", "exc.msg"]\nrules = ["key-order"]\n[limits]\nseconds = 2\nmemory_mib = 64\noutput_kib = 7\n'
        '[trust]\nrequire = "none"\n[prelabel]\nurl = "https://example.org/v1"\nmodel = "m"\n',
    )
    assert got.targets[0].adapter == repo / "shadow/adapter.py"
    assert got.targets[0].payload == "text"
    assert (got.side_paths, got.python, got.requirements) == (("lib",), "3.12", "r.lock")
    assert (got.gated, got.rules) == (("value", "exc.msg"), ("key-order",))
    assert got.limits == Limits(seconds=2, memory_mib=64, output_kib=7)
    assert (got.require, got.require_source) == ("none", "shadow.toml:19")
    assert got.ledger_folder == repo / "shadow/delta_ledger.d"
    assert any("no model is asked" in notice for notice in got.notices)


MOMENTS = {
    "": NOW,
    'now = "2020-02-29T12:34:56.789012Z"': 1582979696.789012,
    'now = "2020-02-29T13:34:56+01:00"': 1582979696.0,
    'now = "2020-02-29"': 1582934400.0,
    "now = 2020-02-29T12:34:56Z": 1582979696.0,
    "now = 2020-02-29T12:34:56": 1582979696.0,
    "now = 2020-02-29": 1582934400.0,
}


@pytest.mark.parametrize(("line", "now"), MOMENTS.items())
def test_a_moment_may_be_written_as_text_or_as_toml_has_it_and_is_utc_without_a_zone(repo, line, now):
    assert merged(repo, f"{HEAD}[inject]\n{line}\nseed = 9\n").conditions == Conditions(now=now, seed=9)


def test_flags_win_over_the_file(repo):
    (repo / "a.py").write_text("")
    got = merged(
        repo,
        baseline="dir:b",
        candidate="dir:c",
        corpus="other",
        ledger="l.yaml",
        report="r.json",
        entry="x.y:z",
        adapter="a.py",
        payload="bytes",
        timeout=0.5,
        python="3.13",
        only=("1.json",),
    )
    assert (str(got.baseline), str(got.candidate)) == ("dir:b", "dir:c")
    assert (got.corpus, got.ledger, got.ledger_folder, got.report) == (repo / "other", repo / "l.yaml", None, repo / "r.json")
    assert (got.targets[0].entry, got.targets[0].adapter, got.targets[0].payload) == ("x.y:z", repo / "a.py", "bytes")
    assert (got.limits.seconds, got.limits.memory_mib) == (0.5, 1024)
    assert (got.python, got.only) == ("3.13", ("1.json",))
    assert got.require == "named"


def test_several_targets_have_folders_and_no_flag_for_one_of_them(repo):
    text = HEAD + '[[target]]\nname = "b"\nentry = "a:b"\n'
    assert [one.corpus for one in merged(repo, text).targets] == ["main", "b"]
    with pytest.raises(UsageError, match="--entry and --payload would change one target"):
        merged(repo, text, entry="a:c", payload="text")


def test_the_baseline_file_is_exact(repo):
    sha = repo / "shadow/BASELINE_SHA"
    for bad in (SHA, SHA + "\r\n", SHA.upper() + "\n", SHA[:39] + "\n", SHA + "\n\n", "main\n"):
        sha.write_bytes(bad.encode())
        with pytest.raises(PinError) as caught:
            merged(repo)
        assert str(caught.value.place) == "shadow/BASELINE_SHA:1"
        assert "shadow freeze" in caught.value.remedy
    sha.unlink()
    with pytest.raises(UsageError, match="there is no baseline") as caught:
        merged(repo)
    assert "shadow freeze" in caught.value.remedy
    assert merged(repo, baseline=f"git:{SHA}").baseline.value == SHA


def test_a_wheel_pin_wins_over_the_commit(repo, monkeypatch):
    wheels = repo / "shadow/baseline_wheel"
    wheels.mkdir()
    (wheels / "p-1-py3-none-any.whl").write_bytes(b"x")
    pin = repo / "shadow/BASELINE_WHEEL.sha256"
    pin.write_text("a" * 64 + "  shadow/baseline_wheel/p-1-py3-none-any.whl\n")
    got = merged(repo).baseline
    assert got == Pin(kind="wheel", value="shadow/baseline_wheel/p-1-py3-none-any.whl", sha256="a" * 64)
    (repo / "sub").mkdir()
    monkeypatch.chdir(repo / "sub")
    assert merged(repo).baseline.value == "../shadow/baseline_wheel/p-1-py3-none-any.whl"
    monkeypatch.chdir(repo)
    for bad, what in (
        ("", "0 lines"),
        ("x\n", "64 hex"),
        (("a" * 64 + "  q.whl\n"), "is not there"),
        ("a" * 64 + "  p.whl\n" + "b" * 64 + "  q.whl\n", "2 lines"),
    ):
        pin.write_text(bad)
        with pytest.raises(PinError, match=what):
            merged(repo)


def test_project_rules_are_known_by_their_digest(repo):
    assert merged(repo).canonicalize is None
    (repo / "shadow/canonicalize.py").write_text("")
    assert merged(repo).canonicalize == hashlib.sha256(b"").hexdigest()
    assert merged(repo).notices == ()


def test_without_a_checkout_the_candidate_must_be_named(repo):
    (repo / ".git").rmdir()
    with pytest.raises(UsageError, match="default candidate") as caught:
        merged(repo)
    assert "--candidate" in caught.value.remedy


# -- flags alone ----------------------------------------------------------------------------------------------


def test_flags_alone_name_everything_that_is_missing(tmp_path):
    with pytest.raises(UsageError) as caught:
        settings(flags=Flags(baseline="b", ledger="l"), cwd=tmp_path)
    assert "--candidate --corpus --entry" in caught.value.what
    assert caught.value.exit_code == 2


def test_flags_alone(tmp_path):
    got = settings(flags=Flags(baseline="b", candidate="dir:c", corpus="co", ledger="l.yaml", entry="a.b:c", timeout=1), cwd=tmp_path)
    assert (str(got.baseline), got.corpus, got.ledger, got.report) == (
        "dir:b",
        tmp_path / "co",
        tmp_path / "l.yaml",
        tmp_path / "report.json",
    )
    assert (got.require, got.require_source, got.folder, got.config_digest) == ("none", "no shadow.toml", None, None)
    assert (got.limits.seconds, got.targets[0].payload, got.targets[0].corpus) == (1, "json", "")


BAD_FLAGS = {
    "entry": ({"entry": "x"}, "--entry"),
    "payload": ({"payload": "jsn"}, "did you mean `json`"),
    "timeout": ({"timeout": 0.0}, "--timeout"),
    "timeout nan": ({"timeout": float("nan")}, "--timeout"),
    "adapter": ({"adapter": "none.py"}, "--adapter"),
    "corpus": ({"corpus": ""}, "--corpus is empty"),
}


@pytest.mark.parametrize(("more", "what"), BAD_FLAGS.values(), ids=BAD_FLAGS)
def test_a_bad_flag_is_named(tmp_path, more, what):
    good = {"baseline": "b", "candidate": "c", "corpus": "co", "ledger": "l", "entry": "a:b"}
    with pytest.raises(UsageError, match=re.escape(what)):
        settings(flags=Flags(**{**good, **more}), cwd=tmp_path)


# -- walking up -----------------------------------------------------------------------------------------------


def test_the_contract_is_found_from_below_and_not_beyond_the_checkout(repo):
    deep = repo / "a/b"
    deep.mkdir(parents=True)
    assert find_folder(deep) == repo / "shadow"
    assert find_folder(repo / "shadow") == repo / "shadow"
    assert default_report(deep) == repo / "shadow/out/report.json"
    assert find_checkout(deep) == repo
    (repo / "a/.git").write_text("gitdir: elsewhere\n")
    assert find_folder(deep) is None
    assert find_checkout(deep) == repo / "a"
    assert default_report(deep) == deep / "report.json"


def test_a_folder_named_shadow_without_a_config_is_somebody_elses(tmp_path):
    (tmp_path / "shadow").mkdir()
    assert find_folder(tmp_path) is None


def test_config_names_a_file_or_its_folder(repo, tmp_path_factory):
    away = tmp_path_factory.mktemp("away")
    for given in (repo / "shadow", repo / "shadow/shadow.toml"):
        got = settings(flags=Flags(config=str(given)), cwd=away)
        assert (got.folder, got.checkout) == (repo / "shadow", repo)


def test_the_ledger_of_a_command(repo, tmp_path_factory):
    assert ledger_paths(ledger=None, config=None, cwd=repo) == (repo / "shadow/delta_ledger.yaml", None)
    (repo / "shadow/delta_ledger.d").mkdir()
    assert ledger_paths(ledger=None, config=None, cwd=repo)[1] == repo / "shadow/delta_ledger.d"
    assert ledger_paths(ledger="x.yaml", config=None, cwd=repo) == (repo / "x.yaml", None)
    with pytest.raises(UsageError, match=r"no shadow\.toml"):
        ledger_paths(ledger=None, config=None, cwd=tmp_path_factory.mktemp("none"))


# -- settings as JSON -----------------------------------------------------------------------------------------


def test_settings_survive_json(repo):
    got = merged(repo, HEAD + "[inject]\nnow = 2020-01-01\nseed = 4\n", baseline="dir:b", only=("x",))
    plain = json.loads(json.dumps(settings_json(got, cwd=repo)))
    assert settings_from_json(plain) == replace(got, baseline=Pin(kind="dir", value=str(repo / "b")))


@pytest.mark.parametrize(
    "break_it", [lambda d: d.pop("corpus"), lambda d: d.update(more=1), lambda d: d.update(targets=[1]), lambda d: d.update(limits=None)]
)
def test_settings_that_are_none_are_refused(repo, break_it):
    plain = settings_json(merged(repo))
    break_it(plain)
    with pytest.raises(ReportError, match="run a fixture again"):
        settings_from_json(plain)


def test_every_setting_is_kept(repo):
    assert set(settings_json(merged(repo))) == set(Settings.__slots__)


def test_a_partial_run_keeps_the_full_report(repo):
    assert merged(repo, only=("a.json",)).report == repo / "shadow/out/partial.json"
    assert merged(repo, only=("a.json",), report="r.json").report == repo / "r.json"
