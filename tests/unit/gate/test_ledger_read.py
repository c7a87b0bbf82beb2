import gc
import json
from pathlib import Path

import pytest

from gate.errors import LedgerError
from gate.ledger.read import ledger_of, read_bytes, read_ledger
from gate.types import LedgerRow, Place, replace

HEX = "ab" * 32
ARTICLE = """# human-owned
version: 1
entries:
  - id: 002_unicode.json
    field: value
    baseline: '{"s":"café"}'
    candidate: '{"s":"cafe\\u0301"}'
    decision: accept
    reason: NFC vs NFD; we normalize at the HTTP edge, not here
  - id: 003_nested_null.json
    field: value
    baseline: '{"a":null}'
    candidate: '{"a":[]}'
    decision: reject
    reason: empty array is not JSON null; downstream SQL bind changes
"""
GOOD = "  - id: {}\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: meant\n"
FLOW = {"id": "a.json", "field": "value", "baseline": "1", "candidate": "2", "decision": "accept", "reason": "meant"}


def rows(*texts):
    return "version: 1\nentries:\n" + "".join(texts)


def flow(**keys):
    return f"  - {json.dumps(FLOW | keys)}\n"


@pytest.fixture(params=["C parser", "Python parser"])
def parser(request, monkeypatch):
    """Both of PyYAML's parsers must read a ledger alike."""
    import yaml

    if request.param == "Python parser":
        monkeypatch.delattr(yaml, "CSafeLoader")
    return request.param


def read(text, name="l.yaml"):
    return read_bytes(text if isinstance(text, bytes) else text.encode(), name)


# -- what loads, and as what --------------------------------------------------------------------------------


def test_the_article_loads_and_means_the_same(parser):
    got = read(ARTICLE)
    assert got.faults == ()
    first, second = got.rows
    assert first == LedgerRow(
        id="002_unicode.json",
        field="value",
        baseline='{"s":"café"}',
        candidate='{"s":"cafe\\u0301"}',
        decision="accept",
        reason="NFC vs NFD; we normalize at the HTTP edge, not here",
        place=Place(file="l.yaml", line=4),
    )
    assert (second.decision, str(second.place)) == ("reject", "l.yaml:10")


@pytest.mark.parametrize(
    "written", ["no", "001", "12:30", "1_000", "1e3", "0x10", "2026-01-02", "true", "null", "~", "=", "1.50", "café", "a#b"]
)
def test_scalars_load_as_written(written, parser):
    got = read(rows(GOOD.format("a").replace("'1'", written).replace("meant", f"{written}x")))
    assert got.faults == ()
    assert (got.rows[0].baseline, got.rows[0].reason) == (written, f"{written}x")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("version: 1\nentries: []\n", 0, id="empty list"),
        pytest.param("version: 1\nentries:\n", 0, id="nothing"),
        pytest.param("version: 1\nentries: null\n", 0, id="null"),
        pytest.param("entries: []\nversion: 1", 0, id="no final newline, other order"),
        pytest.param("# a\n\nversion: 1  # b\nentries: [ ]  # c\n# d\n", 0, id="comments"),
        pytest.param("\ufeffversion: 1\nentries:\n" + GOOD.format("a"), 1, id="byte order mark"),
        pytest.param(rows(GOOD.format("a")).replace("\n", "\r\n"), 1, id="CRLF"),
        pytest.param("---\n" + rows(GOOD.format("a")) + "...\n", 1, id="document marks"),
        pytest.param("%YAML 1.1\n---\n" + rows(GOOD.format("a")), 1, id="YAML directive"),
        pytest.param(rows(flow(id="a"), flow(id="b")), 2, id="rows in braces"),
        pytest.param(json.dumps({"version": 1, "entries": [FLOW]}, indent=1), 1, id="a JSON file"),
        pytest.param("version: 1\nentries:\n" + GOOD.format("a").replace("\n  ", "\n").replace("  -", "-", 1), 1, id="no indent"),
        pytest.param(rows(GOOD.format("'@import'").replace("value", "effects.env")), 1, id="@import"),
        pytest.param(rows(GOOD.format("'@contract/corpus/a.json'").replace("value", "digest")), 1, id="@contract digest"),
        pytest.param(rows(GOOD.format("'@contract/delta_ledger.yaml'").replace("value", "row:0123456789ab")), 1, id="@contract row"),
        pytest.param(rows(GOOD.format("a").replace("'1'", "''")), 1, id="the empty text"),
        pytest.param(rows(GOOD.format("a").replace("meant", ">-\n      two\n      lines")), 1, id="a folded reason"),
    ],
)
def test_these_load(text, count, parser):
    got = read(text)
    assert (got.faults, len(got.rows)) == ((), count)


def test_every_optional_key_loads():
    keys = {
        "fixture_sha256": HEX,
        "signed_off_by": "Ada Example <ada@example.org>",
        "signed_off_on": "2026-11-30",
        "category": "http-edge",
        "expires": "2028-02-29",
        "relies_on": f"src/edge layer.py sha256:{HEX}",
        "signature": HEX,
    }
    row = read(rows(flow(**keys))).rows[0]
    assert {key: getattr(row, key) for key in keys} == keys


def test_rows_in_braces_know_their_lines():
    got = read(rows(flow(id="a"), "  # between\n", flow(id="b")))
    assert [row.place.line for row in got.rows] == [3, 5]


def test_an_empty_ledger_does_not_import_yaml(tmp_path):
    import subprocess
    import sys

    (tmp_path / "l.yaml").write_text("# human-owned\nversion: 1\n\nentries: []  # none yet\n")
    code = "import sys, pathlib; from gate.ledger.read import read_ledger; read_ledger(pathlib.Path('l.yaml'), None); print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_collector_is_left_as_it_was(parser):
    read(ARTICLE)
    read("version: 1\nentries: {")
    assert gc.isenabled()
    gc.disable()
    try:
        read(ARTICLE)
        assert not gc.isenabled()
    finally:
        gc.enable()


# -- what does not load: one fault, its line, its words -----------------------------------------------------

ONE = GOOD.format("a")
FAULTS = {
    "unknown key": (rows(ONE, "    raeson: x\n"), 9, "unknown key `raeson`", "did you mean `reason`?"),
    "unknown key in place of a known one": (rows(ONE.replace("reason", "raeson")), 8, "unknown key `raeson`", "did you mean `reason`?"),
    "unknown key like none": (rows(ONE, "    zzzzz: x\n"), 9, "unknown key `zzzzz`", "known: id, field, baseline"),
    "duplicate key": (rows(ONE, "    decision: reject\n"), 9, "key `decision` twice: the first is on line 7", "keep one"),
    "alias as a row": (rows(ONE, "  - *x\n"), 9, "a row is an alias, *x", "write the text out"),
    "alias as a value": (rows(ONE.replace("meant", "*x")), 8, "`reason` is an alias, *x", "single quotes"),
    "alias as a key": (rows(ONE, "    *x : y\n"), 9, "a key is an alias, *x", "write the text out"),
    "anchor on a value": (rows(GOOD.format("&x a")), 3, "`id` has an anchor, &x", "remove the anchor"),
    "anchor on a row": (rows("  - &x {", json.dumps(FLOW)[1:], "\n"), 3, "a row has an anchor, &x", "remove the anchor"),
    "anchor on a key": (rows(ONE.replace("field:", "&x field:")), 4, "the key `field` has an anchor, &x", "remove the anchor"),
    "anchor on the list": ("version: 1\nentries: &x\n" + ONE, 2, "`entries` has an anchor, &x", "remove the anchor"),
    "anchor on the ledger": ("&x\nversion: 1\nentries: []\n", 1, "the ledger has an anchor, &x", "remove the anchor"),
    "tag on a value": (rows(ONE.replace("meant", "!!str meant")), 8, "`reason` has a tag, `tag:yaml.org,2002:str`", "remove the tag"),
    "tag on an empty value": (rows(ONE.replace("meant", "!!null")), 8, "`reason` has a tag, `tag:yaml.org,2002:null`", "remove the tag"),
    "tag without a name": (rows(ONE.replace("meant", "! meant")), 8, "`reason` has a tag, `!`", "remove the tag"),
    "tag on the version": ("version: !!int 1\nentries: []\n", 1, "`version` has a tag", "remove the tag"),
    "merge key": (rows(ONE, "    <<: {reason: y}\n"), 9, "a merge key `<<`", "write the keys out"),
    "key that is no text": (rows(ONE, "    ? [a]\n    : b\n"), 9, "a key that is no text", "write plain keys"),
    "second document": (rows(ONE, "---\nversion: 1\n"), 9, "a second document starts here", "keep one document"),
    "unknown decision": (rows(ONE.replace("accept", "acept")), 7, "unknown decision `acept`", "did you mean `accept`?"),
    "decision in capitals": (rows(ONE.replace("accept", "Reject")), 7, "unknown decision `Reject`", "did you mean `reject`?"),
    "empty decision": (rows(ONE.replace("accept", "''")), 7, "unknown decision ``", "known: accept, reject"),
    "missing key": (rows(ONE.replace("    reason: meant\n", "")), 3, "this row has no `reason`", "a row needs id, field"),
    "two missing keys": (
        rows("  - id: a\n    field: value\n    decision: accept\n    reason: x\n"),
        3,
        "no `baseline`, `candidate`",
        "a row needs",
    ),
    "empty reason": (rows(ONE.replace("meant", "''")), 8, "`reason` is empty", "say in one line why"),
    "blank reason": (rows(ONE.replace("meant", "'  \t '")), 8, "`reason` is empty", "say in one line why"),
    "no reason behind the colon": (rows(ONE.replace(" meant", "")), 8, "`reason` has no value", "write one"),
    "no text behind the colon": (rows(ONE.replace(" '1'", "")), 5, "`baseline` has no value", "`baseline: ''`"),
    "empty id": (rows(GOOD.format("''")), 3, "`id` is empty", "below the corpus"),
    "nested list": (rows(ONE.replace("'1'", "[1]")), 5, "`baseline` is nested where a text is due", "single quotes"),
    "nested mapping": (rows(ONE.replace("'2'", "{a: {b: [c]}}")), 6, "`candidate` is nested where a text is due", "single quotes"),
    "unknown field": (rows(ONE.replace("value", "valeu")), 4, "unknown field `valeu`", "did you mean `value`?"),
    "field of a contract row elsewhere": (rows(ONE.replace("value", "digest")), 4, "unknown field `digest`", ""),
    "field of a fixture in a contract row": (rows(GOOD.format("'@contract/a'")), 4, "unknown field `value` of a contract row", "`digest`"),
    "id with @": (rows(GOOD.format("'@imports'")), 3, "no fixture id starts with `@`: `@imports`", "`@import` and `@contract/<path>`"),
    "contract id without a path": (
        rows(GOOD.format("'@contract/'").replace("value", "digest")),
        3,
        "no fixture id starts with `@`",
        "`@contract/<path>`",
    ),
    "signer without an address": (rows(ONE, "    signed_off_by: Ada\n"), 9, "`signed_off_by` is `Ada`", "Ada Example <ada@example.org>"),
    "signer without a name": (rows(ONE, "    signed_off_by: <a@b.org>\n"), 9, "`signed_off_by` is", "a name and an address"),
    "signer of two lines": (
        rows(ONE, '    signed_off_by: "A\\nB <a@b.org>"\n'),
        9,
        "`signed_off_by` is `A\\nB <a@b.org>`",
        "a name and an address",
    ),
    "date that is none": (rows(ONE, "    expires: 2027-02-29\n"), 9, "`expires` is `2027-02-29`", "YYYY-MM-DD"),
    "date in another form": (rows(ONE, "    signed_off_on: 20261130\n"), 9, "`signed_off_on` is `20261130`", "YYYY-MM-DD"),
    "date with a time": (rows(ONE, "    signed_off_on: 2026-11-30T10:00\n"), 9, "`signed_off_on` is", "YYYY-MM-DD"),
    "digest too short": (rows(ONE, "    fixture_sha256: abc\n"), 9, "`fixture_sha256` is `abc`", "64 lower-case hex digits"),
    "digest in capitals": (rows(ONE, f"    fixture_sha256: {HEX.upper()}\n"), 9, "`fixture_sha256` is", "64 lower-case hex digits"),
    "signature": (rows(ONE, "    signature: yes\n"), 9, "`signature` is `yes`", "64 lower-case hex digits"),
    "relies_on without a digest": (rows(ONE, "    relies_on: src/a.py\n"), 9, "`relies_on` is `src/a.py`", "path sha256:"),
    "relies_on outside": (rows(ONE, f"    relies_on: ../a sha256:{HEX}\n"), 9, "`relies_on` is", "inside the checkout"),
    "relies_on from the root": (rows(ONE, f"    relies_on: /a sha256:{HEX}\n"), 9, "`relies_on` is", "inside the checkout"),
    "relies_on with a NUL": (rows(ONE, f'    relies_on: "a\\0b sha256:{HEX}"\n'), 9, "`relies_on` is `a\\u0000b", "inside the checkout"),
    "id with a NUL": (rows(GOOD.format('"a\\0b"')), 3, "`id` holds a control character, U+0000", "remove it"),
    "id with a line break": (rows(GOOD.format('"a\\nb"')), 3, "`id` holds a control character, U+000A", "remove it"),
    "reason with an escape": (rows(ONE.replace("meant", '"red \\e[31m"')), 8, "`reason` holds a control character, U+001B", "remove it"),
    "reason of nothing to see": (
        rows(ONE.replace("meant", '"\u200b\u3164\u2800"')),
        8,
        "`reason` holds no letter or digit",
        "say in one line",
    ),
    "reason of marks": (rows(ONE.replace("meant", "'...'")), 8, "`reason` holds no letter or digit", "say in one line"),
    "signer of nothing to see": (
        rows(ONE, "    signed_off_by: \u3164\u200b <a@b.org>\n"),
        9,
        "`signed_off_by` is",
        "a name and an address",
    ),
    "quote closed two lines below": (
        rows(ONE.replace("meant", '"me\n      an\n      t"')),
        8,
        "`reason` spans lines 8 to 10",
        "on one line",
    ),
    "quote that swallows a row": (
        rows(ONE.replace("meant", '"fine'), ONE.replace("id: a", "id: b").replace("meant", 'this"')),
        8,
        "`reason` spans lines 8 to 14",
        "close its quote",
    ),
    "text without quotes on two lines": (rows(ONE.replace("'1'", "one\n      two")), 5, "`baseline` spans lines 5 to 6", "on one line"),
    "digest in capitals as a text": (
        rows(ONE.replace("'1'", f"'sha256:{HEX.upper()} 5'")),
        5,
        "`baseline` looks like a digest",
        "byte count",
    ),
    "digest without a count": (rows(ONE.replace("'2'", f"'sha256:{HEX}'")), 6, "`candidate` looks like a digest", "byte count"),
    "digest with another word in capitals": (
        rows(ONE.replace("'2'", f"'SHA256:{HEX} 5'")),
        6,
        "`candidate` looks like a digest",
        "byte count",
    ),
    "digest with a digit too few": (rows(ONE.replace("'2'", f"'sha256:{HEX[1:]} 5'")), 6, "`candidate` looks like a digest", "byte count"),
    "digest behind a space": (rows(ONE.replace("'2'", f"' sha256:{HEX} 5'")), 6, "`candidate` looks like a digest", "byte count"),
    "category": (rows(ONE, "    category: HTTP edge\n"), 9, "`category` is `HTTP edge`", "a slug"),
    "wrong version": ("version: 2\nentries: []\n", 1, "version `2` is not known", "`version: 1`"),
    "version that is a list": ("version: [1]\nentries: []\n", 1, "a version that is no number is not known", "`version: 1`"),
    "no version": ("# x\nentries: []\n", 2, "the ledger has no `version`", "`version: 1`"),
    "no entries": ("version: 1\n", 1, "the ledger has no `entries`", "`entries: []`"),
    "unknown top-level key": ("version: 1\nentires: []\nentries: []\n", 2, "unknown top-level key `entires`", "did you mean `entries`?"),
    "duplicate top-level key": ("version: 1\nentries: []\nversion: 1\n", 3, "key `version` twice: the first is on line 1", "keep one"),
    "entries that are no list": ("version: 1\nentries: x\n", 2, "`entries` is no list", "`entries: []`"),
    "entries that are a mapping": ("version: 1\nentries: {a: {b: c}}\n", 2, "`entries` is no list", "`entries: []`"),
    "a row that is a text": (rows("  - x\n", ONE), 3, "this entry is no row", "write a mapping"),
    "a row that is nothing": (rows("  -\n", ONE), 3, "this entry is no row", "write a mapping"),
    "a row that is a list": (rows("  - [[a], {b: c}]\n", ONE), 3, "this entry is no row", "write a mapping"),
    "a ledger that is a list": ("- a\n- {b: c}\n", 1, "the ledger is no mapping", "`version: 1`"),
    "an empty file": ("", 1, "the ledger is empty", "`version: 1`"),
    "open quote": (rows(ONE.replace("meant", "'meant")), 8, "bad YAML: found unexpected end of stream", "close the quote"),
    "colon in plain text": (rows(ONE.replace("meant", "a: b")), 8, "bad YAML: mapping values are not allowed", "single quotes"),
    "tab": (rows(ONE.replace("    field", "\tfield")), 4, "bad YAML: found", "indent with spaces"),
    "pair of escapes": (rows(ONE.replace("meant", '"\\ud83d\\ude00"')), 8, "", "put the value in single quotes"),
    "half a pair of escapes": (rows(ONE.replace("meant", '"\\ud83d"')), 8, "", "put the value in single quotes"),
    "unknown escape": (rows(ONE.replace("meant", '"\\d"')), 8, "bad YAML: found unknown escape character", "a backslash escapes"),
    "NUL": (rows(ONE.replace("meant", "me\0nt")), 8, "a character that YAML cannot hold: U+0000", "write it as an escape"),
    "escape character": (rows(ONE.replace("meant", "'\x1b[31m'")), 8, "a character that YAML cannot hold: U+001B", "write it as an escape"),
    "hidden line break in a comment": (rows("  # x\u2028  - id: y\n", ONE), 3, "editors do not show as one: U+2028", "in a value write"),
    "carriage return alone": (rows("  # x\r  - id: y\n", ONE), 3, "editors do not show as one: U+000D", "end lines with a newline"),
    "next line": (rows(ONE.replace("meant", "'a\x85b'")), 8, "editors do not show as one: U+0085", "in a value write"),
    "not UTF-8": (rows(ONE).encode().replace(b"meant", b"caf\xe9"), 8, "byte 0xe9 is not UTF-8", "save the file as UTF-8"),
    "UTF-16": (rows(ONE).encode("utf-16"), 1, "the ledger is UTF-16", "save it as UTF-8"),
    "conflict": (
        rows(ONE, "<<<<<<< HEAD\n", ONE, "=======\n", ONE, ">>>>>>> b\n"),
        9,
        "unresolved merge conflict, lines 9 to 23",
        "without lines 9, 16 and 23",
    ),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS)
def test_one_fault_with_its_line_and_remedy(case, parser):
    text, line, what, remedy = case
    faults = read(text).faults
    assert [fault.place for fault in faults] == [Place(file="l.yaml", line=line)]
    assert what in faults[0].what
    assert remedy in faults[0].remedy
    assert faults[0].remedy


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_a_file_refuses_the_ledger(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, line, _, _ = case
    Path("l.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(LedgerError) as caught:
        read_ledger(Path("l.yaml"), None)
    assert caught.value.exit_code == 2
    assert caught.value.lines()[0].startswith(f"l.yaml:{line}: ")


def test_whole_conflicts_only_count_at_the_start_of_lines(parser):
    quoted = ONE.replace("meant", "|\n      <<<<<<< a\n      =======\n      >>>>>>> b")
    assert read(rows(quoted)).faults == ()
    assert "conflict" not in read(rows(ONE, "<<<<<<< HEAD\n", ONE)).faults[0].what


def test_diff3_markers_and_two_conflicts_are_each_named():
    one = "<<<<<<< a\n  - id: x\n||||||| base\n=======\n  - id: y\n>>>>>>> b\n"
    assert [fault.place.line for fault in read(rows(one, GOOD.format("m"), one)).faults] == [3, 15]


def test_all_faults_come_at_once(parser):
    text = (
        "version: 3\n"
        + rows(ONE.replace("accept", "acept").replace("value", "valeu"), GOOD.format("b").replace("'1'", "[1]"), "  - x\n").split("\n", 1)[
            1
        ]
    )
    assert sorted(fault.place.line for fault in read(text).faults) == [1, 4, 7, 11, 15]


def test_faults_before_broken_syntax_are_told_with_it(parser):
    text = rows(ONE.replace("accept", "acept"), "  - id: b: c\n")
    assert [fault.place.line for fault in read(text).faults] == [7, 9]


def test_bad_bytes_do_not_hide_other_faults():
    text = rows(ONE.replace("accept", "acept").replace("meant", "me\0nt"), GOOD.format("b"), "    foo: bar\n").encode() + b"# \xff\n"
    assert sorted(fault.place.line for fault in read(text).faults) == [7, 8, 15, 16]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("  - &x {" + json.dumps(FLOW)[1:] + "\n", id="anchor on the row"),
        pytest.param(ONE.replace("field:", "!t field:"), id="tag on a key"),
        pytest.param(ONE + "    <<: {}\n", id="merge key"),
        pytest.param(ONE + "    reason: y\n", id="duplicate key"),
        pytest.param(ONE.replace("accept", "acept"), id="unknown decision"),
    ],
)
def test_a_broken_row_is_never_handed_out(broken, parser):
    got = read(rows(broken, GOOD.format("b")))
    assert len(got.faults) == 1
    assert [row.id for row in got.rows] == ["b"]


def test_a_misspelt_key_is_one_fault_not_two():
    assert len(read(rows(ONE.replace("reason", "raeson"))).faults) == 1


@pytest.mark.no_cover
def test_deep_nesting_ends_in_faults_not_in_a_crash(parser):
    deep = "[" * 900 + "]" * 900
    assert [fault.place.line for fault in read(rows(ONE.replace("'1'", deep), GOOD.format("b"), "    foo: bar\n")).faults] == [5, 15]


def test_users_words_are_made_visible_and_bounded():
    hostile = read(rows(ONE.replace("value", '"\\e[31m' + "x" * 500 + '"'))).faults[0]
    assert "\x1b" not in hostile.what
    assert r"\u001b[31mxxx" in hostile.what
    assert len(hostile.what) < 150


# -- rows that stand for one divergence twice ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param('\'{"s":"cafe\\u0301"}\'', '\'{"s":"cafe\u0301"}\'', id="another escape style"),
        pytest.param('\'{"s":"cafe\\u0301"}\'', '"{\\"s\\":\\"cafe\\u0301\\"}"', id="an escape of YAML"),
        pytest.param("ValueError", "'\"ValueError\"'", id="a text and its JSON string"),
        pytest.param('\'{"a":1,"b":2}\'', '\'{ "b": 2, "a": 1 }\'', id="key order and space"),
        pytest.param("'1'", "1", id="another quoting"),
        pytest.param("'100.0'", "1e2", id="another number text"),
        pytest.param("''", "'\"\"'", id="the empty text"),
    ],
)
def test_equal_by_value_is_equal(first, second, tmp_path):
    text = rows(ONE.replace("'1'", first), ONE.replace("'1'", second).replace("accept", "reject"))
    (tmp_path / "l.yaml").write_text(text)
    with pytest.raises(LedgerError) as caught:
        read_ledger(tmp_path / "l.yaml", None)
    assert [fault.place.line for fault in caught.value.faults] == [9]
    assert "says accept of the same divergence" in caught.value.faults[0].what
    (tmp_path / "l.yaml").write_text(text.replace("reject", "accept"))
    with pytest.raises(LedgerError) as caught:
        read_ledger(tmp_path / "l.yaml", None)
    assert "repeats" in caught.value.faults[0].what


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("'1'", "'1.0'", id="integer and float"),
        pytest.param("'1'", "'true'", id="integer and boolean"),
        pytest.param("'null'", "'\"null\"'", id="null and its name"),
        pytest.param("'0.0'", "'-0.0'", id="signed zero"),
        pytest.param("'\"caf\u00e9\"'", "'\"cafe\\u0301\"'", id="NFC and NFD"),
        pytest.param("NaN", '\'{"!float":"nan"}\'', id="NaN is not JSON"),
        pytest.param("'[1,2]'", "'[2,1]'", id="order of a list"),
        pytest.param('\'{"a":1,"a":1}\'', "'{\"a\":1}'", id="a key twice is not JSON"),
        pytest.param("1" * 200_000, "1" * 199_999 + "2", id="too many digits to parse"),
    ],
)
def test_unequal_values_are_two_rows(first, second, tmp_path):
    (tmp_path / "l.yaml").write_text(rows(ONE.replace("'1'", first), ONE.replace("'1'", second).replace("accept", "reject")))
    assert len(read_ledger(tmp_path / "l.yaml", None).rows) == 2


def test_too_many_digits_still_match_exactly(tmp_path):
    one = ONE.replace("'1'", "1" * 200_000)
    (tmp_path / "l.yaml").write_text(rows(one, one))
    with pytest.raises(LedgerError, match="repeats"):
        read_ledger(tmp_path / "l.yaml", None)


def test_a_digest_stands_for_its_value(tmp_path):
    from gate.ledger.values import digest_text

    long = digest_text('{"a":null}', "excerpt")
    (tmp_path / "l.yaml").write_text(
        rows(ONE.replace("'1'", f"'{long}'"), ONE.replace("'1'", "'{\"a\": null}'").replace("accept", "reject"))
    )
    with pytest.raises(LedgerError, match="of the same divergence"):
        read_ledger(tmp_path / "l.yaml", None)


def test_clashes_are_found_across_files_and_told_with_all_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("d")
    folder.mkdir()
    Path("l.yaml").write_text(rows(GOOD.format("m"), GOOD.format("a")))
    (folder / "2.yaml").write_text(rows(GOOD.format("b"), GOOD.format("m").replace("accept", "reject")))
    (folder / "1.yaml").write_text(rows(GOOD.format("b"), GOOD.format("c").replace("value", "nope")))
    with pytest.raises(LedgerError) as caught:
        read_ledger(Path("l.yaml"), folder)
    assert [(str(fault.place), fault.what.split(":")[0][:14]) for fault in caught.value.faults] == [
        ("d/1.yaml:10", "unknown field "),
        ("d/2.yaml:3", "this row repea"),
        ("d/2.yaml:9", "this row says "),
    ]


# -- files ---------------------------------------------------------------------------------------------------


def test_the_folder_is_read_in_sorted_order_after_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "delta_ledger.d"
    folder.mkdir()
    for name, row_id in (("b.yaml", "2"), ("a.yaml", "9"), ("c.yaml", "1")):
        (folder / name).write_text(rows(GOOD.format(row_id)))
    for name in (".hidden.yaml", "README.md", ".a.yaml.1.tmp"):
        (folder / name).write_text("not a ledger")
    (tmp_path / "delta_ledger.yaml").write_text(rows(GOOD.format("5")))
    got = read_ledger(tmp_path / "delta_ledger.yaml", folder)
    assert [(row.id, str(row.place)) for row in got.rows] == [
        ("5", "delta_ledger.yaml:3"),
        ("9", "delta_ledger.d/a.yaml:3"),
        ("2", "delta_ledger.d/b.yaml:3"),
        ("1", "delta_ledger.d/c.yaml:3"),
    ]
    assert [path.name for path in got.files] == ["delta_ledger.yaml", "a.yaml", "b.yaml", "c.yaml"]


def test_with_a_folder_the_file_may_be_missing(tmp_path):
    (tmp_path / "d").mkdir()
    assert read_ledger(tmp_path / "l.yaml", tmp_path / "d").rows == ()
    with pytest.raises(LedgerError, match="no such ledger") as caught:
        read_ledger(tmp_path / "l.yaml", tmp_path / "no folder")
    assert "shadow init" in caught.value.faults[0].remedy


def test_a_file_that_would_be_passed_over_in_silence_is_a_fault(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a.yml").write_text(rows(ONE))
    with pytest.raises(LedgerError, match="does not end in"):
        read_ledger(tmp_path / "l.yaml", tmp_path / "d")


def test_a_folder_in_the_place_of_a_file_and_a_dead_link_are_faults(tmp_path):
    (tmp_path / "l.yaml").mkdir()
    with pytest.raises(LedgerError, match="cannot be read"):
        read_ledger(tmp_path / "l.yaml", None)
    (tmp_path / "d").mkdir()
    (tmp_path / "gone.yaml").symlink_to("nowhere")
    with pytest.raises(LedgerError, match="no such ledger"):
        read_ledger(tmp_path / "gone.yaml", tmp_path / "d")


@pytest.mark.parametrize(
    ("here", "given", "shown"), [(".", "sub/l.yaml", "sub/l.yaml"), ("sub", "../sub/l.yaml", "l.yaml"), ("sub", "../l.yaml", "../l.yaml")]
)
def test_places_read_from_the_current_folder(here, given, shown, tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / here)
    Path(given).write_text(rows(ONE))
    assert str(read_ledger(Path(given), None).rows[0].place) == f"{shown}:3"
    whole = str(Path(given).resolve())
    at = read_ledger(Path(whole), None).rows[0].place.file
    assert at == (whole if shown.startswith("..") else shown)


def test_rows_are_found_by_id_and_field():
    row = read(rows(ONE)).rows[0]
    other = replace(row, candidate="3")
    field = replace(row, field="stdout")
    ledger = ledger_of([row, field, other])
    assert ledger.rows == (row, field, other)
    assert ledger.by_key == {("a", "value"): (row, other), ("a", "stdout"): (field,)}


def test_the_slow_parser_is_said_once_for_a_large_ledger(tmp_path, monkeypatch):
    import yaml

    (tmp_path / "l.yaml").write_text(rows(*(GOOD.format(f"r{number}") for number in range(500))))
    assert read_ledger(tmp_path / "l.yaml", None).notices == ()
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert len(read_ledger(tmp_path / "l.yaml", None).notices) == 1


def test_the_byte_count_of_a_digest_counts(tmp_path):
    from gate.ledger.values import digest_text, same

    right = digest_text('{"a":null}', "excerpt")
    head, size, *_ = right.split(" ")
    assert same(right, '{"a": null}')
    assert not same(f"{head} {int(size) + 1} excerpt", '{"a": null}')


def test_a_text_that_only_speaks_of_digests_is_a_text(parser):
    quoted = json.dumps(f"sha256:{HEX}")
    for text in ("sha256: see above", "some words", quoted):
        assert read(rows(ONE.replace("'1'", f"'{text}'"))).faults == ()


@pytest.mark.parametrize(
    ("name", "said"),
    [("a\n::error::b.yaml", "a\\n::error::b.yaml"), ("\x1b[2Jc.yaml", "\\u001b[2Jc.yaml"), ("::error::d.yaml", "./::error::d.yaml")],
    ids=["line break", "escape", "command"],
)
def test_names_of_files_are_shown_harmless(name, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("version: 3\nentries: []\n")
    with pytest.raises(LedgerError) as caught:
        read_ledger(Path(name), None)
    assert caught.value.lines()[0].startswith(f"{said}:1: ")
