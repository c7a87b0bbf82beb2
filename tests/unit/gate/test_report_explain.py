import re

import pytest

from gate.errors import ReportError
from gate.report.explain import explain
from gate.report.find import find
from gate.terminal import Reader
from tests.unit.gate.report_values import Replacing, entry, make

LONG = '"' + "x" * 3000 + '"'
REPORT = make(
    entry(
        "002_unicode.json",
        "value",
        '"café"',
        '"cafe\\u0301"',
        fingerprint="aaaa00000001",
        near="l.yaml:4",
        why="no row matches; the accept row is near",
    ),
    entry("002_unicode.json", "stdout", '"a"', LONG, fingerprint="aaaa00000002", paths=("/: 1 -> 2", "/x: 3 -> 4")),
    entry(
        "003_null.json",
        "value",
        '{"a":null}',
        '{"a":[]}',
        fingerprint="bbbb00000001",
        verdict="reject",
        row="l.yaml:9",
        reason="SQL bind",
        why="the row at l.yaml:9 rejects it",
    ),
    entry("@import", "effects.env", "[]", '["HOME"]', fingerprint="cccc00000001", why=""),
    entry("beef", fingerprint="dddd00000001", verdict="accept"),
    errors=({"id": "bad.json", "cause": "the payload is not JSON"},),
    smoothed=({"id": "o.json", "field": "value", "rules": ["key-order", "temp-root"], "paths": ["/a: 1 -> 2", "/b: \x1b -> 4"]},),
    noted=({"id": "002_unicode.json", "field": "exc.msg", "baseline": '"a"', "candidate": '"b"'},),
    run={"command": ["shadow", "compare", "--baseline", "b", "--only", "x"]},
)


def said(wanted, **more):
    return explain(REPORT, wanted, **{"reader": Reader(), **more})


def test_one_divergence_by_its_fingerprint():
    assert said("bbbb00000001") == (
        "003_null.json  value  reject\n"
        "  fingerprint  bbbb00000001\n"
        "  why          the row at l.yaml:9 rejects it\n"
        "  row          l.yaml:9\n"
        "  reason       SQL bind\n"
        '  baseline     {"a":null}\n'
        '  candidate    {"a":[]}\n'
        '  changed at   /: {"a":null} -> {"a":[]}\n'
        f"  fixture      sha256 {'ab' * 32}\n"
        "\n"
        "  run it here  shadow compare --baseline b --only 003_null.json"
    )


def test_a_fixture_shows_all_that_is_known_of_it_in_full():
    text = said("002_unicode.json", report_path="r.json")
    assert text.count("002_unicode.json  ") == 3
    assert "near miss    l.yaml:4 has the same id and field, but another text" in text
    assert LONG in text
    assert '"cafe\\u0301"' in text
    assert "  changed at   /: 1 -> 2\n               /x: 3 -> 4\n" in text
    assert "exc.msg  noted: a difference in a field that does not gate" in text
    assert "run it here  shadow compare --baseline b --only 002_unicode.json" in text
    assert "accept it    shadow signoff r.json   (a named person, on a terminal)" in text


def test_what_is_no_divergence_is_explained_too():
    assert "bad.json  error: a fault of the fixture or the harness, not of the target\n  cause        the payload is not JSON\n" in said(
        "bad.json"
    )
    assert (
        "o.json  value  smoothed: raw texts differ, and rules made them agree\n"
        "  rules        key-order, temp-root\n"
        "  hidden at    /a: 1 -> 2\n"
        "               /b: \\u001b -> 4\n"
    ) in said("o.json")


def test_import_is_seen_by_every_run_and_why_is_never_empty():
    text = said("@import")
    assert "run it here  shadow compare --baseline b\n" in text
    assert "why          no row of the ledger has this fixture id, field and both texts" in text


FOUND = {
    "a fingerprint": ("aaaa00000002", ["aaaa00000002"]),
    "its beginning": ("bbbb", ["bbbb00000001"]),
    "upper case": ("BBBB0", ["bbbb00000001"]),
    "an id": ("002_unicode.json", ["aaaa00000001", "aaaa00000002"]),
    "an id that could be a fingerprint": ("beef", ["dddd00000001"]),
}


@pytest.mark.parametrize(("wanted", "marks"), FOUND.values(), ids=FOUND)
def test_what_is_found(wanted, marks):
    assert [one.fingerprint for one in find(REPORT, wanted).divergences] == marks


LOST = {
    "a typing error": ("002_unicod.json", "did you mean 002_unicode.json?"),
    "nothing near": ("zzzz", "it lists: 002_unicode.json"),
    "too short a beginning": ("aaa", "it lists"),
    "several": ("aaaa", "aaaa00000001, aaaa00000002"),
}


@pytest.mark.parametrize(("wanted", "remedy"), LOST.values(), ids=LOST)
def test_what_is_not_found_names_what_is_near(wanted, remedy):
    with pytest.raises(ReportError) as caught:
        said(wanted)
    assert remedy in caught.value.remedy
    assert caught.value.exit_code == 2


def test_in_an_empty_report_there_is_nothing_near():
    with pytest.raises(ReportError) as caught:
        explain(make(), "a.json", reader=Reader())
    assert caught.value.remedy == "nothing diverged in it"


def test_untrusted_text_is_shown_harmless():
    evil = "\x1b[2J\u202esecret\n"
    report = make(
        entry(
            evil,
            evil,
            evil,
            evil,
            fingerprint="eeee00000001",
            near=evil,
            why=evil,
            paths=(evil,),
            row=evil,
            reason=evil,
            fixture_sha256=evil,
        ),
        errors=({"id": evil, "cause": evil, "more": [evil]},),
        run={"command": ["shadow", "compare", evil]},
    )
    text = explain(report, evil, reader=Replacing(), report_path=evil)
    assert not re.search(r"[^\x20-\x7e\n]", text)
    assert "secret" not in text
