import re

import pytest

from gate.report.causes import group, kind_of, split
from gate.report.layout import columns, crop, crop_left, pair, wrap
from gate.report.screen import render
from gate.terminal import Reader
from tests.unit.gate.report_values import Replacing, entry, make


def screen(report, **more):
    return render(report, **{"reader": Reader(), **more})


def lines_of(report, **more):
    return screen(report, **more).split("\n")


# -- causes ---------------------------------------------------------------------------------------------------

KINDS = {
    "null to list": ("value", '{"a":null}', '{"a":[]}', "/a: null -> []", "null -> []"),
    "text": ("value", '"a"', '"b"', '/: "a" -> "b"', "text changed"),
    "number": ("value", "1", "1.0", "/: 1 -> 1.0", "number changed"),
    "type": ("value", "1", '"1"', '/: 1 -> "1"', "number -> text"),
    "added": ("value", "{}", '{"a":1}', "/a: (absent) -> 1", "number added"),
    "removed": ("value", '{"a":{"b":1}}', "{}", '/a: {"b":1} -> (absent)', "object removed"),
    "tag": ("value", '{"!tuple":[1]}', "[1]", '/: {"!tuple":[1]} -> [1]', "tuple -> array"),
    "cut text": ("value", '"x"', '"y"', '/: \u2026"x"\u2026 -> \u2026"y"', "text changed"),
    "cut object": ("value", "{}", "{}", "/: \u2026:1} -> \u2026:2}", "value changed"),
    "no place": ("value", "true", '"x"', None, "true -> text"),
    "error": ("exc.type", '"ValueError"', '"AssertionError"', '/: "ValueError" -> "AssertionError"', '"ValueError" -> "AssertionError"'),
    "long error": ("exc.type", '"' + "a" * 60 + '"', '"b"', None, "changed"),
    "outcome": ("ok", '{"returned":{"a":1}}', '{"raised":"pkg.Bad"}', None, "returned -> raised pkg.Bad"),
    "exit": ("ok", '{"timed_out":true}', '{"exited":1}', None, "timed out -> exited 1"),
    "signal": ("ok", '{"signalled":"SIGSEGV"}', '{"over":"memory"}', None, "signalled SIGSEGV -> over memory"),
    "newline": ("stdout", '"x\\n"', '"x\\n\\n"', '/: "x\\n" -> "x\\n\\n"', "newlines at the end"),
    "output": ("stdout", '"x\\n"', '"y\\n"', '/: "x\\n" -> "y\\n"', "text changed"),
    "mutation": ("arg", '{"unchanged":true}', "[1]", None, "the call now changes its argument"),
    "environment": ("effects.env", "[]", '["HOME"]', '/0: (absent) -> "HOME"', '[] -> ["HOME"]'),
}


@pytest.mark.parametrize(("field", "baseline", "candidate", "path", "kind"), KINDS.values(), ids=KINDS)
def test_the_kind_of_a_change(field, baseline, candidate, path, kind):
    assert kind_of(entry("x", field, baseline, candidate, paths=() if path is None else (path,))) == kind


SPLITS = {
    "plain": ("/a: 1 -> 2", ("/a", "1", "2")),
    "arrow in the left text": ('/a: "x -> y" -> "z"', ("/a", '"x -> y"', '"z"')),
    "arrow in the right text": ('/a: "z" -> "x -> y"', ("/a", '"z"', '"x -> y"')),
    "colon in the key": ('/a: b: "z" -> null', ("/a: b", '"z"', "null")),
    "absent": ("/a: (absent) -> {}", ("/a", "(absent)", "{}")),
    "nothing": ("what", None),
}


@pytest.mark.parametrize(("path", "parts"), SPLITS.values(), ids=SPLITS)
def test_the_parts_of_a_change(path, parts):
    assert split(path) == parts


def test_groups_are_causes_the_largest_first():
    entries = [
        entry("1", "ok", '{"returned":1}', '{"raised":"E"}'),
        *(entry(f"v{at}", "value", "null", "[]") for at in range(3)),
        entry("a", "value", "null", "[]", verdict="accept"),
        entry("r1", "value", "null", "[]", verdict="reject", reason="no"),
        entry("r2", "value", "null", "[]", verdict="reject", reason="never"),
        entry("r3", "value", "null", "[]", verdict="reject", reason="no"),
    ]
    assert [(one.kind, len(one.entries)) for one in group(entries, "unclassified")] == [("null -> []", 3), ("returned -> raised E", 1)]
    assert [[one.id for one in some.entries] for some in group(entries, "reject")] == [["r1", "r3"], ["r2"]]


# -- layout ---------------------------------------------------------------------------------------------------


def test_columns_and_cuts():
    assert [columns(text) for text in ("abc", "é", "日本", "😀")] == [3, 1, 4, 2]
    assert crop("日本語テキスト", 7) == "日本語…"
    assert crop("abc", 3) == "abc"
    assert crop_left("a/long/path.json", 10) == "…path.json"
    assert crop("abc", 0) == ""


def test_a_long_pair_is_cut_around_the_difference():
    line = pair("x" * 500 + "é" + "y" * 500, "x" * 500 + "e" + "y" * 500, 60)
    assert columns(line) <= 60
    left, right = line.split(" -> ")
    assert "é" in left
    assert "é" not in right
    assert pair("1", "2", 60) == "1 -> 2"
    assert pair("a" * 100, "a" * 100 + "END", 60).endswith("END")


def test_wrapping_keeps_every_word_while_there_is_room():
    text = "one two three four five six seven"
    assert wrap(text, 15, 9) == ["one two three", "four five six", "seven"]
    assert wrap(text, 15, 2) == ["one two three", "four five six …"]
    assert wrap("a" * 40, 15, 9) == ["a" * 15, "a" * 15, "a" * 10]
    assert wrap("", 15, 2) == []


# -- the screen -----------------------------------------------------------------------------------------------

CROWDED = make(
    *(entry(f"n{at}.json", "value", '{"a":null}', '{"a":[]}', paths=("/a: null -> []",)) for at in range(9)),
    entry("near.json", "stdout", '"' + "x" * 400 + 'a"', '"' + "x" * 400 + 'b"', near="delta_ledger.yaml:4", why="no row matches"),
    entry(
        "trust.json",
        "exc.type",
        '"A"',
        '"B"',
        why="the accept row at shadow/delta_ledger.yaml:7 does not count: no named person signed it (`signed_off_by`)",
    ),
    *(entry(f"k{at}.json", "exc.type", '"A"', f'"B{at}"') for at in range(30)),
    *(
        entry(f"r{at}.json", "value", "null", "[]", verdict="reject", row=f"l.yaml:{at}", reason=f"reason {at} " + "that goes on " * 12)
        for at in range(30)
    ),
    stale=({"id": "old.json", "field": "value", "row": "l.yaml:20", "why": "its fixture ran and the divergence did not appear"},) * 3,
    errors=({"id": "bad.json", "cause": "the payload is not JSON"},),
    undecided=({"id": "slow.json", "cause": "both sides ran over 5 s"},),
    impure=({"id": "rnd.json", "field": "value", "cause": "hash seed"},),
    smoothed=({"id": "o.json", "field": "value", "rules": ["key-order"]},),
    noted=({"id": "m.json", "field": "exc.msg", "baseline": "1", "candidate": "2"},),
    notices=("packages of the interpreter are visible", "second", "third"),
)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_red_screen_is_at_most_24_lines_and_never_too_wide(width):
    lines = lines_of(CROWDED, width=width, report_path="some/where/r.json")
    assert len(lines) <= 24
    assert max(map(columns, lines)) <= width


def test_a_crowded_screen_still_says_everything_once():
    text = screen(CROWDED)
    first, *_, last = text.split("\n")
    assert first == "FAIL  41 unclassified, 30 reject, 3 stale"
    assert last == "exit 1: 41 unclassified, 30 reject, 3 stale (each must be 0)"
    for part in (
        "fixtures  79: 5 match, 71 diverging, 1 impure, 1 undecided, 1 error",
        "9 x value: null -> []   (e.g. n0.json)",
        '{"a":null} -> {"a":[]}',
        "value: reason 0 that goes on",
        "stale     l.yaml:20 for old.json: ",
        "(and 2 more)",
        "error     bad.json: the payload is not JSON",
        "undecided slow.json",
        "impure    rnd.json value: hash seed",
        "1 smoothed by key-order; 1 noted (exc.msg)",
        "note      packages of the interpreter are visible (and 2 more)",
        f"shadow show {CROWDED.divergences[0].fingerprint}",
        "shadow compare --only n0.json",
        "shadow signoff",
        "shown, all in shadow/out/report.json)",
    ):
        assert part in text, part
    assert text.index("unclassified: 41") < text.index("reject: 30") < text.index("stale     ")


def test_a_small_screen_shows_examples_near_misses_and_rows_that_do_not_count():
    text = screen(make(*(one for one in CROWDED.divergences if one.id in ("n1.json", "near.json", "trust.json", "r1.json"))))
    assert "near miss: delta_ledger.yaml:4 has this id and field, but another text" in text
    assert "does not count: no named" in text
    assert re.search(r"\u2026x+a\" -> \u2026x+b\"", text)
    assert "r1.json: null -> []   (l.yaml:1)" in text


def test_what_is_there_alone_is_said_alone():
    only_reject = screen(make(entry("a.json", verdict="reject", row="l.yaml:9", reason="downstream SQL bind changes")))
    assert "value: downstream SQL bind changes" in only_reject
    assert "signoff" not in only_reject
    assert "unclassified" not in only_reject
    only_stale = screen(make(stale=({"id": "o.json", "field": "value", "row": "l.yaml:2", "why": "gone"},)))
    assert only_stale.split("\n")[-1] == "exit 1: 1 stale (each must be 0)"
    assert "take the stale row out of the ledger" in only_stale


GREEN = {
    "no divergence": (make(), "exit 0: no divergence"),
    "all accepted": (make(entry("a", verdict="accept"), entry("b", verdict="accept")), "exit 0: every divergence has an accept row (2)"),
    "no code change": (make(counts={"fixtures": 0, "match": 0}, notices=("no code change: ...",)), "exit 0: no code change"),
    "undecided": (make(undecided=({"id": "u", "cause": "slow"},)), "exit 3: no verdict on 1 undecided"),
    "impure": (make(impure=({"id": "u", "field": "value", "cause": "seed"},) * 2), "exit 3: no verdict on 2 impure"),
    "trivial": (make(passed=False), "exit 3: a target has only trivial fixtures"),
}


@pytest.mark.parametrize(("report", "last"), GREEN.values(), ids=GREEN)
def test_the_last_line_says_exit_code_and_why(report, last):
    lines = lines_of(report)
    assert lines[-1] == last
    assert lines[0].split("  ")[0] == {"0": "PASS", "3": "UNDECIDED"}[last[5]]
    assert len(lines) <= 8
    assert not any("signoff" in line for line in lines)


FLAGS = ["shadow", "compare", "--baseline", "b", "--entry", "m:run", "--only", "old.json", "--quiet", "--only=x", "--report", "r.json"]


def test_commands_carry_the_flags_of_the_run_and_the_report():
    text = screen(make(entry("a b.json"), run={"command": FLAGS}), report_path="r.json", width=120)
    assert "run one   shadow compare --baseline b --entry m:run --only 'a b.json'\n" in text
    assert f"see one   shadow show {entry('a b.json').fingerprint} --report r.json\n" in text
    assert "shadow signoff r.json   (a named" in text
    short = screen(make(entry("a b.json"), run={"command": [*FLAGS, "--corpus", "c" * 80]}), report_path="report.json", width=80)
    assert "run one   shadow compare (the same flags) --only 'a b.json'\n" in short
    assert f"see one   shadow show {entry('a b.json').fingerprint}\n" in short


def test_what_happened_at_import_cannot_be_run_alone():
    assert "--only" not in screen(make(entry("@import", "effects.env", "[]", '["HOME"]')))
    assert "--only a.json" in screen(make(entry("@import", "effects.env", "[]", '["HOME"]'), entry("a.json")))


def test_every_untrusted_text_goes_through_show_and_comes_out_harmless():
    evil = "\x1b[2J\u202esecret\n"
    report = make(
        entry(evil, evil, evil, evil + "2", near=evil, why=evil, paths=(evil,)),
        entry(evil, evil, evil, evil, verdict="reject", reason=evil, row=evil),
        stale=({"id": evil, "field": evil, "row": evil, "why": evil},),
        errors=({"id": evil, "cause": evil},),
        smoothed=({"id": evil, "field": evil, "rules": [evil]},),
        noted=({"id": evil, "field": evil},),
        notices=(evil,),
        baseline={"pin": evil},
        run={"command": ["shadow", "compare", "--baseline", evil]},
    )
    text = screen(report, width=2000, report_path=evil)
    assert not re.search(r"[^\x20-\x7e\n\u2026]", text)
    assert len(text.split("\n")) <= 24
    hidden = render(report, reader=Replacing(), width=2000, report_path=evil)
    assert "secret" not in hidden
    assert not re.search(r"[^\x20-\x7e\n\u2026]", hidden)


def test_colour_marks_the_verdict_and_nothing_else():
    plain, coloured = screen(CROWDED), screen(CROWDED, colour=True)
    assert coloured == plain.replace("FAIL", "\x1b[1;31mFAIL\x1b[0m", 1)
    assert "\x1b" not in plain


def test_the_example_is_one_that_this_patch_brought():
    first = entry("a.json", attribution="already there")
    mine, there = (make(first, entry(name, attribution=word)) for name, word in (("b.json", "yours"), ("c.json", "already there")))
    assert "(1 yours, e.g. b.json)" in screen(mine)
    assert "(none yours, e.g. a.json)" in screen(there)
    assert "(none yours, a.json)" in screen(make(first))
