"""The one exit: what still shows something is held back from every sink, and nothing is written."""

import json

import pytest

import redaction
from gate.errors import EXIT_UNDECIDED, LeakError
from prelabel import advise, annotate, payload, request
from prelabel.publish import release
from prelabel.publish.report import public_report
from prelabel.session import Session
from redaction import STRICT, Policy, redact_text
from redaction.types import mint
from tests.unit.gate.report_values import entry, make

TOKEN = "ghp_" + "a1B2" * 9


def planted(text):
    """What no fault of ours should ever make: a raw text that says it is redacted."""
    return mint(text, {}, STRICT)


@pytest.mark.parametrize("sink", sorted(release.SINKS))
def test_a_planted_leak_is_held_back_from_every_sink(sink, tmp_path, capsysbinary):
    file = tmp_path / "out"
    acts = (
        lambda: release.release(planted(f"it is {TOKEN}"), sink),
        lambda: release.to_screen(planted(f"it is {TOKEN}"), sink),
        lambda: release.to_pipe(planted(f"it is {TOKEN}"), sink),
        lambda: release.to_file(file, planted(f"it is {TOKEN}"), sink),
        lambda: release.to_document(file, json.dumps({"a": f"it is {TOKEN}"}), sink, STRICT),
        lambda: release.of_json(sink, STRICT)(f',\n    {{"a": "it is {TOKEN}"}}'),
        lambda: release.release(planted("sunshine77"), sink, raw=['{"password": "sunshine77"}']),
    )
    for act in acts:
        with pytest.raises(LeakError) as caught:
            act()
        said = "\n".join(caught.value.lines())
        assert f"`{sink}`" in said
        assert TOKEN not in said
        assert "sunshine77" not in said
        assert caught.value.exit_code == EXIT_UNDECIDED
    assert list(tmp_path.iterdir()) == []
    assert capsysbinary.readouterr().out == b""


def test_only_redacted_leaves():
    with pytest.raises(TypeError):
        release.release("harmless", "screen")


def test_what_nobody_could_look_at_is_held_back():
    def broken(_text):
        raise RuntimeError

    with pytest.raises(LeakError, match="could not be looked at a last time"):
        release.release(mint("harmless text", {}, Policy(extras=(broken,))), "screen")


def test_names_of_our_own_are_no_findings():
    text = json.dumps({"baseline": {"pin": "git:" + "0" * 40}, "candidate": "the working tree"})
    assert release.of_json("report", Policy(exact=("candidate-1",)))(text) == text


def leaky(monkeypatch):
    """A redaction that hides nothing in any scope."""
    monkeypatch.setattr(redaction.Scope, "rewrite", lambda _self, texts, own=False: list(texts))


REPORT = make(entry("a.json", "value", json.dumps(TOKEN), "null"), entry(f"{TOKEN}.json"))


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda path: annotate.annotate(REPORT, path / "r.json"), id="block"),
        pytest.param(lambda path: annotate.annotate(REPORT, path / "r.json", output=path / "body.md"), id="file"),
        pytest.param(lambda path: advise.write_advice(path / "advice.json", advise.advise(REPORT)), id="advice"),
        pytest.param(
            lambda _: release.of_json("report", STRICT)(json.dumps(public_report(REPORT, STRICT).divergences[0].baseline)), id="report"
        ),
        pytest.param(lambda _: payload.public_screen()(f"it is {TOKEN}"), id="screen"),
        pytest.param(lambda _: payload.crash_text(f"it is {TOKEN}"), id="crash"),
        pytest.param(lambda _: Session._excerpts(type("S", (), {"_policy": STRICT})(), TOKEN, ""), id="ledger"),
    ],
)
def test_where_redaction_hides_nothing_the_exit_still_does(act, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    leaky(monkeypatch)
    with pytest.raises(LeakError):
        act(tmp_path)
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_is_held_back_is_said_to_be(monkeypatch):
    leaky(monkeypatch)
    said = payload.public_error(f"it is {TOKEN}")
    assert TOKEN not in said
    assert "held back: what was to leave to `error`" in said


def test_a_request_that_is_held_back_keeps_its_facts(monkeypatch):
    leaky(monkeypatch)
    made = request.request(REPORT.divergences[0], target="function", policy=STRICT)
    document = json.loads(made.document(STRICT))
    assert document["payload"] is None
    assert "github-token" in document["why"]
    assert document["facts"]["differences"] == [
        {"class": made.facts["class"], "types": ["string", "null"], "relation": None, "empty": [False, False]}
    ]


FACTS = {
    "form": ('"caf\u00e9"', '"cafe\u0301"', {"types": ["string", "string"], "relation": "equal under NFC", "empty": [False, False]}),
    "empty": ('{"a":null}', '{"a":[]}', {"types": ["null", "array"], "relation": None, "empty": [False, True]}),
    "number": ("1", "1.0", {"types": ["integer", "float"], "relation": None, "empty": [False, False]}),
    "absent": ('{"a":1}', "{}", {"types": ["integer", "absent"], "relation": None, "empty": [False, False]}),
    "tag": ('{"!tuple":[1]}', "[1]", {"types": ["tuple", "array"], "relation": None, "empty": [False, False]}),
    "case of a secret": (
        '{"password":"Sunshine77"}',
        '{"password":"sunshine77"}',
        {"types": ["string", "string"], "relation": "letter case only", "empty": [False, False]},
    ),
}


@pytest.mark.parametrize(("baseline", "candidate", "facts"), FACTS.values(), ids=FACTS)
def test_facts_are_those_of_the_raw_texts(baseline, candidate, facts):
    made = request.request(entry("a.json", "value", baseline, candidate), target="function", policy=STRICT, payload='{"q": 1}')
    document = json.loads(made.document(STRICT))
    (difference,) = document["facts"]["differences"]
    assert {key: difference[key] for key in facts} == facts
    assert made.document(STRICT).isascii()
    hidden = "REDACTED" in document["payload"]["baseline"]
    assert ("characters" in document["facts"]) is not hidden  # a length is a part of a secret
    assert document["payload"]["baseline"] != document["payload"]["candidate"]
    assert document["payload"]["input"] == '{"q": 1}'
    assert redact_text(json.dumps(document["facts"])).kinds == {}
