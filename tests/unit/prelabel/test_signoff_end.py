"""The end of a sitting: fixtures again, drafts, the last screen, and what reaches the ledger and what never does."""

import json
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gate.errors import ReportError, SameSidesError, SideError, UsageError
from gate.types import Comparison, replace
from prelabel import signed, sitting
from prelabel.session import Session
from prelabel.signoff import adviser, check_contract
from prelabel.terminal import HungUpError
from prelabel.work import plan
from tests.unit.prelabel.bench import ADA, NAME, WRITE, Bench, Person, accept, reject


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_anything_but_write_keeps_the_draft_and_the_ledger(bench):
    before = bench.ledger.read_bytes()
    for answer in ("yes", "w", "n"):
        code, person = bench.sit(
            NAME,
            *([("Type resume", "new")] if bench.root.joinpath("out/shadow-out").exists() else []),
            *reject(),
            ("decide", "q"),
            ("Type write", ""),
            ("Type write", answer),
        )
        assert code == 0
        assert "Nothing was written" in person.text
        assert bench.ledger.read_bytes() == before
    assert [record["state"] for record in bench.records()].count("draft") == 1


@pytest.mark.parametrize("end", [KeyboardInterrupt, HungUpError])
def test_an_interrupt_keeps_what_was_confirmed_and_resuming_takes_it_up(bench, end):
    before = bench.ledger.read_bytes()
    with pytest.raises(end):
        bench.sit(NAME, *reject(), ("decide", "a"), ("why accept", end))
    assert bench.ledger.read_bytes() == before
    code, person = bench.sit(NAME, ("Type resume", ""), ("Type resume", "resume"), *reject(), *accept(), ("decide", "s"), WRITE)
    assert code == 0
    assert "no: callers break" in person.text
    assert [(row.id, row.decision) for row in bench.read()] == [("003_nested_null.json", "accept"), ("004_boom.json", "reject")]
    (record,) = bench.records()
    assert record["state"] == "written"
    assert "1 divergence left unclassified" in person.text


def test_a_draft_is_only_for_its_signer_and_for_what_still_stands(bench):
    with pytest.raises(KeyboardInterrupt):
        bench.sit(NAME, *reject(), ("decide", KeyboardInterrupt))
    bench.sit(("Type the name", "Bo"), ("decide", "q"), as_name="Bo <bo@example.org>")
    entries = tuple(replace(one, candidate='"new"') for one in bench.report.divergences)
    bench.report = replace(bench.report, divergences=entries)
    bench.sit(NAME, ("decide", "q"))


def test_a_draft_that_was_tampered_with_is_passed_over(bench):
    with pytest.raises(KeyboardInterrupt):
        bench.sit(NAME, *reject(), ("decide", KeyboardInterrupt))
    (path,) = (bench.root / "out" / "shadow-out" / "sittings").glob("*.json")
    whole = json.loads(path.read_text())
    for broken in (
        "not json",
        "[]",
        json.dumps(whole | {"version": 99}),
        json.dumps(whole | {"decided": [whole["decided"][0] | {"final": {"decision": "accept", "reason": "ok"}}]}),
        json.dumps(whole | {"more": 1}),
    ):
        path.write_text(broken)
        bench.sit(NAME, ("decide", "q"))


def test_a_divergence_that_does_not_appear_again_is_refused(bench):
    def rerun(_, ids):
        return bench.rerun(_, ids) | {"004_boom.json": Comparison(id="004_boom.json", status="match")}

    _, person = bench.sit(NAME, *reject(), *accept(), ("decide", "q"), WRITE, rerun=rerun)
    assert [row.id for row in bench.read()] == ["003_nested_null.json"]
    assert "Refused: 004_boom.json (exc.type): both sides now agree in this field. Its row is not written." in person.text
    assert {one["again"] for one in bench.records()[0]["decided"]} == {"same", "gone: both sides now agree in this field"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: replace(d, candidate='"KeyError"'), "other texts"),
        (lambda d: replace(d, fixture_sha256="0" * 64), "edited since"),
        (lambda d: replace(d, field="stdout"), "agree in this field"),
    ],
)
def test_another_divergence_is_not_the_one_that_was_signed(bench, change, why):
    before = bench.ledger.read_bytes()
    (old,) = [d for d in bench.divergences if d.id == "004_boom.json"]
    again = {"004_boom.json": Comparison(id="004_boom.json", status="diverging", divergences=(change(old),))}
    _, person = bench.sit(NAME, *reject(), ("decide", "q"), rerun=lambda *_: again)
    assert why in person.text
    assert "No row can be written" in person.text
    assert bench.ledger.read_bytes() == before


def test_equal_sides_refuse_every_row(bench):
    def rerun(*_):
        raise SameSidesError("both sides now hold the same code: the divergence is gone")

    _, person = bench.sit(NAME, *reject(), ("decide", "q"), rerun=rerun)
    assert "No row can be written" in person.text
    assert bench.read() == ()


def test_where_the_sides_are_not_here_it_is_said_recorded_and_asked(bench):
    def rerun(*_):
        raise SideError("commit 1111 is not here")

    _, person = bench.sit(NAME, *reject(), ("decide", "q"), ("Type unverified", ""), ("Type unverified", "leave"), rerun=rerun)
    assert bench.read() == ()
    _, person = bench.sit(
        NAME, ("Type resume", "resume"), *reject(), ("decide", "q"), ("Type unverified", "unverified"), WRITE, rerun=rerun
    )
    assert "could not be run again here: commit 1111 is not here" in person.text
    assert [row.id for row in bench.read()] == ["004_boom.json"]
    assert bench.records()[0]["decided"][0]["again"] == "not run: commit 1111 is not here"


def test_an_edited_or_removed_fixture_cannot_be_decided(bench):
    (bench.root / "corpus" / "004_boom.json").write_text("{}")
    (bench.root / "corpus" / "003_nested_null.json").unlink()
    _, person = bench.sit(NAME, ("decide", "b"), ("decide", "s"))
    assert "004_boom.json: its fixture was edited since the report" in person.text
    assert "003_nested_null.json: its fixture is no longer in the corpus" in person.text


def test_a_row_that_does_not_count_bars_its_divergence_and_a_signed_one_settles_it(tmp_path):
    bare = "version: 1\nentries:\n  - id: 004_boom.json\n    field: exc.type\n    baseline: ValueError\n    candidate: AssertionError\n    decision: accept\n    reason: meant\n"
    bench = Bench(tmp_path, ledger=bare)
    _, person = bench.sit(NAME, ("decide", "q"))
    assert "Cannot be signed now: 004_boom.json (exc.type): the accept row at" in person.text
    assert "1 of 2" in person.text
    bench.ledger.write_text(bare + "    signed_off_by: A <a@example.org>\n")
    _, person = bench.sit(NAME, ("decide", "q"))
    assert "Decided since the report was made: 1 divergence." in person.text
    assert "Cannot be signed" not in person.text


def test_nothing_to_sign_asks_nothing(tmp_path):
    bench = Bench(tmp_path, rows=())
    code, person = bench.sit()
    assert code == 0
    assert "Nothing to sign" in person.text


def test_a_cut_row_is_opened_to_its_end_before_it_is_accepted(tmp_path):
    long = "a" * 3_000
    bench = Bench(tmp_path, rows=(("big.json", "value", f'"{long}x"', f'"{long}y"'),))
    _, person = bench.sit(
        NAME,
        ("decide", "a"),
        ("decide", "o"),
        ("more lines", "e"),
        ("decide", "a"),
        ("decide", "o"),
        *[("more lines", "n")] * 3,
        *accept("the tail is padding nobody reads", category=None),
        WRITE,
        width=80,
    )
    assert person.text.count("open it in full (o) and read it to its end") == 2
    assert "characters are not shown" in person.text
    opened = "".join(line.strip() for line in person.said if set(line.strip()) <= set('a"xy') and line.strip())
    assert opened.count("a") >= 6_000
    (row,) = bench.read()
    assert row.baseline.startswith("sha256:")
    assert (bench.root / "out" / "shadow-out" / "values").is_dir()
    hexes = row.baseline.split()[0].removeprefix("sha256:")
    assert (bench.root / "out" / "shadow-out" / "values" / f"{hexes}.json").read_text() == f'"{long}x"'
    assert bench.records()[0]["decided"][0]["opened"] is True


def test_a_reject_needs_no_opening(tmp_path):
    bench = Bench(tmp_path, rows=(("big.json", "value", '"' + "a" * 3_000 + 'x"', '"' + "a" * 3_000 + 'y"'),))
    bench.sit(NAME, *reject(category=None), WRITE)
    assert [row.decision for row in bench.read()] == ["reject"]


def test_a_secret_text_stands_by_its_digest_and_still_decides(tmp_path):
    secret = "ghp_" + "a1B2" * 9
    bench = Bench(tmp_path, rows=(("s.json", "value", json.dumps({"token": secret}), json.dumps({"token": "none"})),))
    bench.sit(NAME, *reject(category=None), WRITE)
    assert secret not in bench.ledger.read_text()
    assert bench.read()[0].baseline.startswith("sha256:")
    assert plan(bench.report, bench.settings.report).settled == 1


def test_where_the_folder_exists_a_sitting_is_a_new_file_in_it(tmp_path):
    bench = Bench(tmp_path, parts=True)
    before = bench.ledger.read_bytes()
    _, person = bench.sit(NAME, *reject(), ("decide", "q"), WRITE)
    (path,) = (tmp_path / "delta_ledger.d").iterdir()
    assert path.stem == bench.records()[0]["name"]
    assert path.name in person.text
    assert bench.ledger.read_bytes() == before


def test_what_happens_at_import_has_no_fixture_and_can_be_signed(tmp_path):
    bench = Bench(tmp_path, rows=(("@import", "effects.env", "[]", '["HOME"]'),))
    _, person = bench.sit(NAME, *accept("the default home is documented"), WRITE)
    assert "there is no fixture" in person.text
    (row,) = bench.read()
    assert (row.id, row.fixture_sha256) == ("@import", None)


def test_results_keep_themselves_out_of_git(bench):
    bench.sit(NAME, *reject(), ("decide", "q"), WRITE)
    assert (bench.root / "out" / "shadow-out" / ".gitignore").read_text() == "*\n"


def test_ctrl_c_during_the_write_comes_after_it(bench, monkeypatch):
    real, at_once = signed.write, []

    def slow(*args, **more):
        os.kill(os.getpid(), signal.SIGINT)
        at_once.append(bench.read())
        return real(*args, **more)

    monkeypatch.setattr(signed, "write", slow)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        person = Person(NAME, *reject(), ("decide", "q"), WRITE)
        session = Session(
            screen=person,
            work=plan(bench.report, bench.settings.report),
            report=bench.report,
            advise=adviser(bench.report),
            rerun=bench.rerun,
        )
        with pytest.raises(KeyboardInterrupt):
            session.run(as_name=ADA, cwd=bench.root)
        session.interrupted()
    finally:
        signal.signal(signal.SIGINT, before)
    assert at_once == [()]
    assert [row.id for row in bench.read()] == ["004_boom.json"]
    assert bench.records()[0]["state"] == "written"
    assert "Interrupted after the write: the rows stand in" in person.text


def test_a_file_in_the_place_of_the_folder_is_a_fault_that_names_it(bench):
    (bench.root / "out").mkdir()
    (bench.root / "out" / "shadow-out").write_text("")
    with pytest.raises(UsageError, match="cannot be kept"):
        bench.sit(NAME, *reject())
    assert bench.read() == ()


def test_names_of_sittings_are_files_and_never_meet():
    now = datetime(2026, 11, 30, 10, 15, tzinfo=UTC)
    names = {sitting.begin(signer=ADA, name="Zoë / ../ Ex", now=now, enforced="").name for _ in range(20)}
    assert len(names) == 20
    assert all(name.startswith("20261130T101500Z-zoe-ex-") and Path(name).name == name for name in names)
    assert "-signer-" in sitting.begin(signer=ADA, name="王", now=now, enforced="").name


def test_what_makes_rows_cannot_see_advice():
    import grimp

    graph = grimp.build_graph("gate", "redaction", "prelabel", "prompts", cache_dir=None)
    makers = {"prelabel.signed", "prelabel.work", "prelabel.session", "prelabel.ask", "prelabel.again"}
    advisers = {"prelabel.advise", "prelabel.rules", "prelabel.types", "prelabel.subject", "prompts"}
    for maker in makers:
        for one in advisers:
            assert graph.find_shortest_chain(maker, one) is None, (maker, one)
    for one in advisers:
        for maker in (*makers, "gate.ledger.insert"):
            assert graph.find_shortest_chain(one, maker) is None, (one, maker)


# -- one key for everything that is signed -------------------------------------------------------------------


def test_rows_whose_fingerprints_meet_are_told_apart(tmp_path):
    """Twelve digits can be made to meet; a decision on one row must never sign the other."""
    bench = Bench(tmp_path, rows=(("a.json", "value", "1", "2"), ("b.json", "value", "1", "3"), ("c.json", "value", "1", "4")))
    bench.report = replace(bench.report, divergences=tuple(replace(one, fingerprint="0" * 12) for one in bench.report.divergences))
    _, person = bench.sit(
        NAME, *accept("two is what we want", category=None), *reject("three is wrong", category=None), ("decide", "s"), WRITE
    )
    assert [(row.id, row.candidate, row.decision) for row in bench.read()] == [("a.json", "2", "accept"), ("b.json", "3", "reject")]
    last = person.text[person.text.index("2 rows to be written") :]
    assert last.index("accept  a.json") < last.index("1 became 2") < last.index("reject  b.json") < last.index("1 became 3")


def test_the_last_screen_shows_every_place_that_a_row_stands_for(tmp_path):
    bench = Bench(tmp_path, rows=(("a.json", "value", '{"a":1,"b":2,"c":3}', '{"a":1,"b":3,"c":4,"d":5}'),))
    _, person = bench.sit(NAME, *accept("all of it was asked for", category=None), WRITE)
    last = person.text[person.text.index("1 row to be written") :]
    assert all(place in last for place in ("at /b", "at /c", "at /d")), last


# -- a draft is a file that anybody can write ----------------------------------------------------------------


def test_a_forged_draft_decides_nothing(tmp_path):
    bench = Bench(tmp_path, rows=(("big.json", "value", '"' + "a" * 3_000 + 'x"', '"' + "a" * 3_000 + 'y"'),))
    with pytest.raises(KeyboardInterrupt):
        bench.sit(NAME, *reject(category=None)[:2], ("keep", KeyboardInterrupt))
    (path,) = (bench.root / "out" / "shadow-out" / "sittings").glob("*.json")
    whole = json.loads(path.read_text())
    lies = {"final": {"decision": "accept", "reason": "all of this is fine"}, "opened": True, "category": "forged", "changed": True}
    lies |= {"revealed": {"label": "accept", "rule": "forged", "reason": "fine", "source": "rule"}, "id": "other.json", "field": "stdout"}
    path.write_text(json.dumps(whole | {"decided": [whole["decided"][0] | lies]}))
    before = bench.ledger.read_bytes()
    _, person = bench.sit(NAME, ("Type resume", "resume"), ("decide", "a"), ("decide", "s"))
    assert "Earlier you decided: accept, because: all of this is fine" in person.text
    assert "open it in full (o)" in person.text[person.text.index("decide:") :]
    assert "other.json" not in person.text
    assert bench.ledger.read_bytes() == before
    bench.sit(NAME, ("Type resume", "resume"), *reject(category=None), WRITE)
    (record,) = bench.records()
    (one,) = record["decided"]
    assert (one["opened"], one["category"], one["revealed"]["rule"], one["id"]) == (False, "other", None, "big.json")
    assert [row.decision for row in bench.read()] == ["reject"]


@pytest.mark.parametrize("answer", ["resume", "new"])
def test_the_choice_before_the_advice_stays_the_first_one(bench, answer):
    """Ctrl-C while the advice is on the screen, and the other decision in a later sitting: the record shows both."""
    with pytest.raises(KeyboardInterrupt):
        bench.sit(NAME, *reject()[:2], ("keep", KeyboardInterrupt))
    bench.sit(NAME, ("Type resume", answer), *accept(), ("decide", "q"), WRITE)
    (one,) = (
        bench.records()[-1]["decided"] if answer == "resume" else next(r for r in bench.records() if r["state"] == "written")["decided"]
    )
    assert (one["first"]["decision"], one["final"]["decision"], one["changed"]) == ("reject", "accept", True)


def test_ctrl_c_at_the_category_keeps_the_decision(bench):
    with pytest.raises(KeyboardInterrupt):
        bench.sit(NAME, *reject()[:3], ("category", KeyboardInterrupt))
    (one,) = bench.records()[0]["decided"]
    assert (one["final"]["decision"], one["category"]) == ("reject", "other")


def test_the_first_choice_outlives_a_sitting_that_left_the_row_undecided(bench):
    bench.sit(NAME, *reject()[:2], ("keep", "c"), ("decide", "s"), *accept(), ("decide", "q"), WRITE)
    assert [row.id for row in bench.read()] == ["003_nested_null.json"]
    bench.sit(NAME, *accept(), ("decide", "q"), WRITE)
    one = next(one for record in bench.records() for one in record["decided"] if one["id"] == "004_boom.json" and one["final"])
    assert (one["first"]["decision"], one["final"]["decision"], one["changed"]) == ("reject", "accept", True)


# -- the contract of the report ------------------------------------------------------------------------------


def test_a_report_by_flags_alone_is_no_report_of_a_contract(bench):
    check_contract(bench.report, bench.root)
    (bench.root / "shadow").mkdir()
    (bench.root / "shadow" / "shadow.toml").write_text("version = 1\n")
    with pytest.raises(ReportError, match="not the one of this report"):
        check_contract(bench.report, bench.root)
