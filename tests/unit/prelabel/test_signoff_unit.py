"""The questions of a sitting, with a scripted person: what is asked, what is shown when, and what is no answer."""

from datetime import UTC, datetime

import pytest

from gate.types import replace
from prelabel import ask
from tests.unit.prelabel.bench import ADA, NAME, REASON, WRITE, Bench, accept, reject


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_riskiest_field_first_and_all_rows_written_at_once(bench):
    code, person = bench.sit(NAME, *reject(), *accept(), *accept("both letters mean the same here", category=None), WRITE)
    assert code == 0
    rows = bench.read()
    assert [(row.id, row.field, row.decision, row.category) for row in rows] == [
        ("003_nested_null.json", "value", "accept", "null-empty"),
        ("004_boom.json", "exc.type", "reject", "exception-type"),
        ("005_plain.json", "value", "accept", "other"),
    ]
    first = rows[0]
    assert (first.baseline, first.candidate, first.reason) == ('{"a":null}', '{"a":[]}', REASON)
    assert first.signed_off_by == ADA
    assert first.signed_off_on == datetime.now(UTC).date().isoformat()
    assert first.fixture_sha256 == bench.divergences[0].fixture_sha256
    assert person.text.index("004_boom.json") < person.text.index("003_nested_null.json") < person.text.index("005_plain.json")
    assert bench.ledger.read_text().startswith("# ours\nversion: 1\nentries:")
    assert bench.asked == [["003_nested_null.json", "004_boom.json", "005_plain.json"]]
    assert "next: shadow compare" in person.text
    assert "0 divergences left unclassified" in person.text


def test_advice_is_not_seen_before_the_decision_and_both_choices_are_kept(bench):
    code, person = bench.sit(
        NAME,
        ("decide", "r"),
        ("why reject", "callers break"),
        ("keep", "c"),
        ("decide", "a"),
        ("why accept", REASON),
        ("category", "2"),
        ("decide", "q"),
        WRITE,
    )
    assert code == 0
    decided = person.text.index("You decided: reject. Now the advice, which is not evidence: reject")
    assert "exception-type" not in person.text[:decided]
    assert "Callers catch errors by type" not in person.text[:decided]
    (record,) = bench.records()
    assert record["state"] == "written"
    (one,) = record["decided"]
    assert (one["first"]["decision"], one["final"]["decision"], one["changed"]) == ("reject", "accept", True)
    assert (one["revealed"]["label"], one["revealed"]["rule"], one["revealed"]["source"]) == ("reject", "exception-type", "rule")
    assert one["again"] == "same"
    assert record["enforced"].startswith("sandbox: network and files are held")
    assert [row.category for row in bench.read()] == ["other"]


def test_lying_advice_file_is_never_read(bench):
    out = bench.root / "out" / "shadow-out"
    out.mkdir(parents=True)
    (out / "advice.json").write_text('{"version": 1, "advice": "lies"}')
    _, person = bench.sit(NAME, *reject(), ("decide", "q"), WRITE)
    assert "not evidence: reject (by the rule exception-type)" in person.text


def test_enter_and_unknown_keys_do_nothing(bench):
    before = bench.ledger.read_bytes()
    code, person = bench.sit(
        NAME,
        ("decide", ""),
        ("decide", ""),
        ("decide", "y"),
        ("decide", "A"),
        ("why accept", ""),
        ("why accept", "b"),
        ("decide", "s"),
        ("decide", "s"),
        ("decide", "s"),
    )
    assert code == 0
    assert "'y' is none of" in person.text
    assert "3 divergences left unclassified" in person.text
    assert bench.ledger.read_bytes() == before
    assert bench.asked == []


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("ok", "at least 10"),
        ("..............", "in words"),
        ("aaaaaaaaaaaaaaaa", "in words"),
        ("fine with\tus all", "control"),
        ("fine with us\u202e", "control"),
        ("fine with us \udc80", "control"),
        ("x" * 501 + "abc", "at most 500"),
        ("\u3164\uffa0\u115f\u1160" * 4, "in words"),
        ("callers CATCH errors by type code that catches the old type lets the new one through", "text of the advice"),
    ],
)
def test_a_reason_to_accept_is_in_words_of_ones_own(bench, reason, fault):
    _, person = bench.sit(
        NAME,
        ("decide", "a"),
        ("why accept", reason),
        ("why accept", "it is caught as Exception everywhere"),
        ("keep", "k"),
        ("category", "1"),
        ("decide", "q"),
        WRITE,
    )
    assert fault in person.text
    assert [row.reason for row in bench.read()] == ["it is caught as Exception everywhere"]


def test_a_reason_that_holds_a_secret_is_asked_again(bench):
    secret = "token " + "ghp_" + "a1B2" * 9
    _, person = bench.sit(
        NAME, ("decide", "a"), ("why accept", secret), ("why accept", REASON), ("keep", "k"), ("category", "1"), ("decide", "q"), WRITE
    )
    assert secret not in bench.ledger.read_text()
    said = " ".join(person.text.split())
    assert "a secret or an address: github-token at character 7 (`token REDACTED-github-token-1x`)" in said
    assert "say it without the value" in said
    assert secret not in said


def test_a_short_reason_is_enough_to_reject(bench):
    bench.sit(NAME, *reject("bad"), ("decide", "q"), WRITE)
    assert [row.reason for row in bench.read()] == ["bad"]


def test_back_shows_the_earlier_decision_and_allows_one_change(bench):
    code, _ = bench.sit(
        NAME,
        ("decide", "b"),
        *reject(),
        ("decide", "b"),
        ("keep", "c"),
        ("decide", "a"),
        ("why accept", REASON),
        ("category", "1"),
        ("decide", "b"),
        ("keep", "c"),
        ("keep", "k"),
        ("decide", "q"),
        WRITE,
    )
    assert code == 0
    (record,) = bench.records()
    (one,) = record["decided"]
    assert (one["first"]["decision"], one["final"]["decision"], one["changed"]) == ("reject", "accept", True)


def test_a_row_can_be_left_undecided_again(bench):
    before = bench.ledger.read_bytes()
    bench.sit(NAME, *reject(), ("decide", "b"), ("keep", "u"), ("decide", "q"))
    assert bench.ledger.read_bytes() == before


def test_a_near_miss_is_shown_with_its_texts_and_reason(tmp_path):
    moved = "version: 1\nentries:\n  - id: 003_nested_null.json\n    field: value\n    baseline: '{\"a\":null}'\n    candidate: '{\"a\":{}}'\n    decision: accept\n    reason: agreed with billing\n"
    bench = Bench(tmp_path, ledger=moved)
    _, person = bench.sit(NAME, ("decide", "s"), ("decide", "q"))
    shown = person.text[person.text.index("2 of 3") :]
    assert "delta_ledger.yaml:3" in shown
    assert "accept, because: agreed with billing" in shown
    assert '{"a":{}}' in shown


@pytest.mark.parametrize("width", [20, 33, 80])
def test_broken_lines_lose_nothing(width):
    text = "one  two three " * 9 + "x" * 100 + " "
    lines = ask.broken(text, width)
    assert "".join(lines) == text
    assert max(map(len, lines)) <= width
    assert ask.broken("", width) == []


def test_untrusted_texts_are_escaped_on_the_screen(tmp_path):
    bench = Bench(tmp_path, rows=(("a.json", "value", '"\x1b[2J"', '"\u202eb"'),))
    bench.report = replace(bench.report, divergences=tuple(replace(one, near="x\x1b:1", why="why\x9b") for one in bench.report.divergences))
    _, person = bench.sit(NAME, ("decide", "q"))
    assert [character for character in person.text if character != "\n" and not character.isprintable()] == []
    assert "\\u001b[2J" in person.text
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in person.text


@pytest.mark.parametrize(("payload", "decision"), [("no", "reject"), ("ok ok ok", "reject")])
def test_reasons_to_reject_may_be_short_but_not_empty(payload, decision):
    fault = ask.reason_fault(payload, decision, advice="", finds=lambda _: False)
    assert (fault is None) == (payload != "no")
