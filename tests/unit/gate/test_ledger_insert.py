import json
import os
import stat
import threading
import time
from pathlib import Path

import pytest
import yaml

from gate.errors import LedgerError, UsageError
from gate.ledger import insert, write
from gate.ledger.insert import find_clashes, insert_rows
from gate.ledger.read import read_ledger
from gate.ledger.text import render, scalar
from gate.ledger.values import digest_of, digest_text, key, parse_relies_on, same
from gate.types import LedgerRow, Place, replace

NOWHERE = Place(file="new")
HEX = "ab" * 32
HEAD = "version: 1\nentries:\n"
OLD = "  - id: {}\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: meant\n"
NEW = "  - id: {}\n    field: value\n    baseline: '\"é\"'\n    candidate: '\"e\\u0301\"'\n    decision: accept\n    reason: new\n"


def new(row_id="m", **keys):
    base = {"id": row_id, "field": "value", "baseline": '"é"', "candidate": r'"e\u0301"', "decision": "accept", "reason": "new"}
    return LedgerRow(place=NOWHERE, **(base | keys))


def bare(rows):
    return [replace(row, place=NOWHERE) for row in rows]


def into(tmp_path, before, *rows):
    """The bytes of a ledger after an insertion that must have kept every byte and every row."""
    file = tmp_path / "l.yaml"
    before = before if isinstance(before, bytes) else before.encode()
    file.write_bytes(before)
    old = read_ledger(file, None).rows
    assert insert_rows(file=file, folder=None, rows=rows, sitting="s") == file
    after = file.read_bytes()
    assert sorted(map(repr, bare(read_ledger(file, None).rows))) == sorted(map(repr, bare([*old, *rows])))
    left = iter(after)
    assert all(byte in left for byte in before.replace(b"[]", b"").replace(b"[ ]", b"")), "a byte that was there is gone"
    assert [path.name for path in tmp_path.iterdir()] == ["l.yaml"], "something was left behind"
    return after.decode()


# -- where a row goes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(HEAD + OLD.format("a") + OLD.format("z"), HEAD + OLD.format("a") + NEW + OLD.format("z"), id="between"),
        pytest.param(HEAD + OLD.format("a"), HEAD + OLD.format("a") + NEW, id="behind all"),
        pytest.param(HEAD + OLD.format("z"), HEAD + NEW + OLD.format("z"), id="before all"),
        pytest.param(HEAD + OLD.format("m"), HEAD + OLD.format("m") + NEW, id="behind an equal id"),
        pytest.param(
            HEAD + OLD.format("z") + OLD.format("b") + OLD.format("y"),
            HEAD + OLD.format("z") + OLD.format("b") + NEW + OLD.format("y"),
            id="unsorted: behind the last smaller one",
        ),
        pytest.param(HEAD + OLD.format("a").rstrip("\n"), HEAD + OLD.format("a") + NEW, id="no final newline"),
        pytest.param(
            (HEAD + OLD.format("a") + OLD.format("z")).replace("\n", "\r\n"),
            (HEAD + OLD.format("a") + NEW + OLD.format("z")).replace("\n", "\r\n"),
            id="CRLF",
        ),
        pytest.param(
            (HEAD + OLD.format("a")).rstrip("\n").replace("\n", "\r\n"), (HEAD + OLD.format("a") + NEW).replace("\n", "\r\n"), id="CRLF, no final newline"
        ),
        pytest.param("\ufeff" + HEAD + OLD.format("a"), "\ufeff" + HEAD + OLD.format("a") + NEW, id="byte order mark"),
        pytest.param("entries:\n" + OLD.format("a") + "version: 1\n", "entries:\n" + OLD.format("a") + NEW + "version: 1\n", id="version below"),
        pytest.param("---\n" + HEAD + OLD.format("a") + "...\n", "---\n" + HEAD + OLD.format("a") + NEW + "...\n", id="document marks"),
        pytest.param(
            HEAD + OLD.format("a") + "    # of a\n  # of z\n" + OLD.format("z"),
            HEAD + OLD.format("a") + "    # of a\n" + NEW + "  # of z\n" + OLD.format("z"),
            id="comments stay with their rows",
        ),
        pytest.param(HEAD + OLD.format("a") + "\n# the end\n", HEAD + OLD.format("a") + NEW + "\n# the end\n", id="trailing comment"),
        pytest.param(
            HEAD + "  # all rows\n\n  # of z\n" + OLD.format("z"), HEAD + "  # all rows\n\n" + NEW + "  # of z\n" + OLD.format("z"), id="before all, with comments"
        ),
        pytest.param(
            HEAD + OLD.format("a").replace("meant", "|\n      one\n\n      two") + "\n" + OLD.format("z"),
            HEAD + OLD.format("a").replace("meant", "|\n      one\n\n      two") + NEW + "\n" + OLD.format("z"),
            id="a block text and a blank line",
        ),
        pytest.param(
            HEAD + OLD.format("a").replace("meant", "|+\n      one\n\n") + OLD.format("z"),
            HEAD + OLD.format("a").replace("meant", "|+\n      one\n\n") + NEW + OLD.format("z"),
            id="a block text that keeps its blank lines",
        ),
        pytest.param(
            HEAD + OLD.format("a").replace("meant", ">-  # why\n      one\n      two") + OLD.format("z"),
            HEAD + OLD.format("a").replace("meant", ">-  # why\n      one\n      two") + NEW + OLD.format("z"),
            id="a text of two lines",
        ),
        pytest.param(HEAD + "  -\n    # x\n" + OLD.format("a").replace("  - ", "    "), HEAD + "  -\n    # x\n" + OLD.format("a").replace("  - ", "    ") + NEW, id="a dash on its own line"),
        pytest.param(
            'version: 1\n"entries" :   # rows\n' + OLD.format("a"), 'version: 1\n"entries" :   # rows\n' + OLD.format("a") + NEW, id="a quoted key"
        ),
    ],
)  # fmt: skip
def test_a_row_goes_behind_the_last_smaller_or_equal_id(before, after, tmp_path):
    assert into(tmp_path, before, new()) == after.replace("{}", "m")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("version: 1\nentries: []\n", HEAD + NEW, id="brackets"),
        pytest.param("version: 1\nentries: []", HEAD + NEW, id="brackets, no final newline"),
        pytest.param(
            "version: 1\nentries: [ ]  # none yet\n# end\n",
            "version: 1\nentries:   # none yet\n" + NEW + "# end\n",
            id="brackets and comments",
        ),
        pytest.param("entries: []\nversion: 1\n", "entries:\n" + NEW + "version: 1\n", id="brackets above"),
        pytest.param("\ufeffentries: []\nversion: 1\n", "\ufeffentries:\n" + NEW + "version: 1\n", id="byte order mark"),
        pytest.param("version: 1\r\nentries: []\r\n", (HEAD + NEW).replace("\n", "\r\n"), id="CRLF"),
        pytest.param("version: 1\r\nentries: []", (HEAD + NEW).replace("\n", "\r\n"), id="CRLF, no final newline"),
        pytest.param(HEAD, HEAD + NEW, id="nothing"),
        pytest.param("version: 1\nentries:", HEAD + NEW, id="nothing, no final newline"),
        pytest.param(HEAD + "# none yet\n", HEAD + NEW + "# none yet\n", id="nothing but a comment"),
    ],
)
def test_the_first_row(before, after, tmp_path):
    assert into(tmp_path, before, new()) == after.replace("{}", "m")


@pytest.mark.parametrize(
    ("dash", "gap"),
    [pytest.param(0, 1, id="no indent"), pytest.param(4, 1, id="four"), pytest.param(2, 3, id="wide dash"), pytest.param(1, 1, id="one")],
)
def test_the_files_own_indent(dash, gap, tmp_path):
    shift = "\n" + " " * (dash + 1 + gap)
    body = (" " * dash + "-" + " " * gap + OLD.format("a")[4:]).rstrip("\n").replace("\n    ", shift) + "\n"
    want = (" " * dash + "-" + " " * gap + NEW.format("m")[4:]).rstrip("\n").replace("\n    ", shift) + "\n"
    assert into(tmp_path, HEAD + body, new()) == HEAD + body + want


def test_rows_in_braces_take_a_row_between_them(tmp_path):
    one = {"id": "a", "field": "value", "baseline": "1", "candidate": "2", "decision": "accept", "reason": "x"}
    lines = [
        f"  - {json.dumps(one | {'id': row_id}, indent=row_id == 'a')}\n".replace("\n ", "\n      ").replace("\n}", "\n    }")
        for row_id in "az"
    ]
    assert into(tmp_path, HEAD + "".join(lines), new()) == HEAD + lines[0] + NEW.format("m") + lines[1]


def test_many_rows_each_go_to_their_place(tmp_path):
    text = into(
        tmp_path, HEAD + OLD.format("b") + "  # c\n" + OLD.format("d"), new("e"), new("a"), new("c2"), new("c1"), new("b", field="type")
    )
    rows = yaml.safe_load(text)["entries"]
    assert [row["id"] for row in rows] == ["a", "b", "b", "c1", "c2", "d", "e"]


def test_a_large_ledger_is_proven_around_the_new_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(insert, "_SMALL", 2)
    proven = []
    prove = insert._prove
    monkeypatch.setattr(insert, "_prove", lambda data, rows, name: (proven.append(data.decode()), prove(data, rows, name)))
    before = HEAD + "".join(OLD.format(row_id) + f"    # of {row_id}\n\n" for row_id in "bdfh")
    text = into(tmp_path, before, new("a"), new("c"), new("g1"), new("g2"), new("z"))
    assert [row["id"] for row in yaml.safe_load(text)["entries"]] == ["a", "b", "c", "d", "f", "g1", "g2", "h", "z"]
    assert [[row["id"] for row in yaml.safe_load(window)["entries"]] for window in proven] == [
        ["a", "b"], ["b", "c", "d"], ["f", "g1", "g2", "h"], ["h", "z"],
    ]  # fmt: skip


def test_a_window_that_would_not_load_the_same_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(insert, "_SMALL", 0)
    (tmp_path / "l.yaml").write_text(HEAD + OLD.format("a").replace("meant", "|\n      kept").rstrip("\n"))
    before = (tmp_path / "l.yaml").read_bytes()
    with pytest.raises(LedgerError, match="cannot be inserted"):  # the text would get a line end that it did not have
        insert_rows(file=tmp_path / "l.yaml", folder=None, rows=[new()], sitting="s")
    assert (tmp_path / "l.yaml").read_bytes() == before


# -- what is refused, with nothing written ------------------------------------------------------------------


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("version: 1\nentries: [{}]\n".format(json.dumps({"id": "a", "field": "value", "baseline": "1", "candidate": "2", "decision": "accept", "reason": "x"})), id="flow list"),
        pytest.param('{"version": 1, "entries": []}\n', id="JSON"),
        pytest.param("version: 1\nentries: null\n", id="a word"),
        pytest.param("version: 1\nentries:\n  []\n", id="brackets below"),
        pytest.param("version: 1\nentries: [\n]\n", id="brackets on two lines"),
        pytest.param("version: 1\nentries: [ # none\n ]\n", id="brackets around a comment"),
        pytest.param("version: 1\n? entries\n: - id: a\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: x\n", id="an explicit key"),
        pytest.param("version: 1\n? entries\n", id="an explicit key alone"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("row_id", ["0", "m"])
def test_a_layout_that_cannot_be_inserted_into(before, row_id, tmp_path):
    file = tmp_path / "l.yaml"
    file.write_text(before)
    read_ledger(file, None)
    with pytest.raises(LedgerError, match="cannot be inserted") as caught:
        insert_rows(file=file, folder=None, rows=[new(row_id)], sitting="s")
    assert "shadow ledger fmt" in caught.value.faults[0].remedy
    assert "by hand" in caught.value.faults[0].remedy
    assert file.read_text() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("before", "keys", "says"),
    [
        pytest.param(HEAD + OLD.format("m"), {"baseline": "1", "candidate": "2"}, "says accept", id="a row that is there"),
        pytest.param(
            HEAD + OLD.format("m"), {"baseline": "1", "candidate": "2", "decision": "reject"}, "says accept", id="a row that says otherwise"
        ),
        pytest.param(HEAD + NEW.format("m").replace("é", "\\u00e9"), {}, "already stands", id="a row that is there by value"),
        pytest.param(HEAD + OLD.format("m").replace("accept", "acept"), {}, "unknown decision", id="a ledger with faults"),
        pytest.param(HEAD + "<<<<<<< a\n=======\n>>>>>>> b\n", {}, "merge conflict", id="a ledger in conflict"),
    ],
)
def test_a_ledger_that_may_not_take_the_row(before, keys, says, tmp_path):
    file = tmp_path / "l.yaml"
    file.write_text(before)
    with pytest.raises(LedgerError, match=says):
        insert_rows(file=file, folder=None, rows=[new(**keys)], sitting="s")
    assert file.read_text() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        pytest.param([], "no rows", id="none"),
        pytest.param([new(), new(reason="other")], "two new rows", id="twice"),
        pytest.param([new(), new(decision="reject")], "two new rows", id="contradictory"),
        pytest.param([new(reason=" ")], "`reason` is empty", id="no reason"),
        pytest.param([new(signed_off_by="Ada")], "`signed_off_by`", id="no address"),
        pytest.param([new(field="nope")], "unknown field", id="unknown field"),
        pytest.param([new(reason="half \ud800")], "half of a surrogate pair", id="lone surrogate"),
    ],
)
def test_rows_that_could_not_be_read_back_are_refused(rows, says, tmp_path):
    (tmp_path / "l.yaml").write_text(HEAD)
    with pytest.raises(UsageError, match=says):
        insert_rows(file=tmp_path / "l.yaml", folder=None, rows=rows, sitting="s")
    assert (tmp_path / "l.yaml").read_text() == HEAD


def test_a_missing_ledger_is_no_place_to_write(tmp_path):
    for file in (tmp_path / "l.yaml", tmp_path / "none" / "l.yaml"):
        with pytest.raises(LedgerError, match="no such ledger"):
            insert_rows(file=file, folder=tmp_path / "no folder", rows=[new()], sitting="s")


def test_clashes_can_be_known_before_a_person_is_asked(tmp_path):
    (tmp_path / "l.yaml").write_text(HEAD + OLD.format("m"))
    ledger = read_ledger(tmp_path / "l.yaml", None)
    assert find_clashes(ledger, [new()]) == ()
    assert [fault.place.line for fault in find_clashes(ledger, [new(baseline="1", candidate="2")])] == [3]


# -- the folder ---------------------------------------------------------------------------------------------


def test_a_sitting_is_a_new_file_in_the_folder_and_touches_nothing(tmp_path):
    folder = tmp_path / "delta_ledger.d"
    folder.mkdir()
    file = tmp_path / "delta_ledger.yaml"
    file.write_text(HEAD + OLD.format("a"))
    path = insert_rows(file=file, folder=folder, rows=[new("z"), new("m")], sitting="2026-11-30T10:00:00Z Ada")
    assert path == folder / "2026-11-30T10-00-00Z-Ada.yaml"
    assert path.read_text() == HEAD + NEW.format("m") + NEW.format("z")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()
    assert file.read_text() == HEAD + OLD.format("a")
    assert [row.id for row in read_ledger(file, folder).rows] == ["a", "m", "z"]
    assert [child.name for child in folder.iterdir()] == [path.name]


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_sitting_never_overwrites(tmp_path):
    folder = tmp_path / "d"
    folder.mkdir()
    got = [insert_rows(file=tmp_path / "l.yaml", folder=folder, rows=[new(f"m{number}")], sitting="s").name for number in range(3)]
    assert got == ["s.yaml", "s-2.yaml", "s-3.yaml"]
    assert len(read_ledger(tmp_path / "l.yaml", folder).rows) == 3


@pytest.mark.parametrize("sitting", ["", "..", "../../x", "/etc/passwd", "a\0b", "-x", ".hidden", "é" * 300])
def test_no_sitting_leaves_the_folder_or_hides_in_it(sitting, tmp_path):
    folder = tmp_path / "d"
    folder.mkdir()
    path = insert_rows(file=tmp_path / "l.yaml", folder=folder, rows=[new()], sitting=sitting)
    assert path.parent == folder
    assert path.resolve().parent == folder.resolve()
    assert len(read_ledger(tmp_path / "l.yaml", folder).rows) == 1


def test_a_clash_with_any_file_of_the_ledger_is_refused(tmp_path):
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "a.yaml").write_text(HEAD + NEW.format("m"))
    with pytest.raises(LedgerError, match="already stands"):
        insert_rows(file=tmp_path / "l.yaml", folder=folder, rows=[new()], sitting="s")
    assert [path.name for path in folder.iterdir()] == ["a.yaml"]


def test_without_hard_links_a_new_file_still_never_overwrites(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(1, "no links here")))
    assert write.create(tmp_path / "a", b"1") is True
    assert write.create(tmp_path / "a", b"2") is False
    assert (tmp_path / "a").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


# -- writing ------------------------------------------------------------------------------------------------


def test_mode_and_links_are_kept(tmp_path):
    real = tmp_path / "real.yaml"
    real.write_text(HEAD)
    real.chmod(0o640)
    link = tmp_path / "l.yaml"
    link.symlink_to("real.yaml")
    insert_rows(file=link, folder=None, rows=[new()], sitting="s")
    assert link.is_symlink()
    assert real.read_text() == HEAD + NEW.format("m")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_write_that_fails_leaves_the_ledger_and_no_rest(tmp_path, monkeypatch):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD)
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        insert_rows(file=file, folder=None, rows=[new()], sitting="s")
    assert file.read_text() == HEAD
    assert [path.name for path in tmp_path.iterdir()] == ["l.yaml"]


def test_the_bytes_are_on_the_disk_before_the_name_is(tmp_path, monkeypatch):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD)
    steps = []
    fsync, rename = os.fsync, Path.rename

    def flushed(handle):
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"file of {os.fstat(handle).st_size} bytes")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "rename", lambda *args: (steps.append("rename"), rename(*args))[1])
    insert_rows(file=file, folder=None, rows=[new()], sitting="s")
    assert steps == [f"file of {file.stat().st_size} bytes", "rename", "folder"]


def test_an_edit_during_the_insertion_is_not_lost(tmp_path, monkeypatch):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD)
    compose = insert.compose

    def edit_meanwhile(*args):
        file.write_text(HEAD + "# edited\n")
        return compose(*args)

    monkeypatch.setattr(insert, "compose", edit_meanwhile)
    with pytest.raises(LedgerError, match="changed while"):
        insert_rows(file=file, folder=None, rows=[new()], sitting="s")
    assert file.read_text() == HEAD + "# edited\n"


def test_two_writers_at_once_both_arrive(tmp_path):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD)
    failed = []

    def sign(number):
        try:
            insert_rows(file=file, folder=None, rows=[new(f"r{number}")], sitting="s")
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test must see it
            failed.append(error)

    threads = [threading.Thread(target=sign, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [row.id for row in read_ledger(file, None).rows] == [f"r{number}" for number in range(8)]


def test_a_lock_that_is_not_let_go_is_said(tmp_path):
    with write.locked(tmp_path):
        start = time.monotonic()
        with pytest.raises(UsageError, match="another shadow is writing"), write.locked(tmp_path, patience=0.1):
            pytest.fail("two held the lock")
        assert time.monotonic() - start < 2
    with write.locked(tmp_path, patience=0):
        pass


# -- how a row is written -----------------------------------------------------------------------------------


def test_all_keys_in_order_each_on_one_line():
    row = new(
        "a b.json", baseline="[1]", candidate="it's", reason="why: because", fixture_sha256=HEX, signed_off_by="Ada <a@b.org>", signed_off_on="2026-11-30",
        category="other", expires="2027-01-01", relies_on=f"a.py sha256:{HEX}", signature=HEX,
    )  # fmt: skip
    assert render(row, dash=2, key=4, newline="\n") == (
        "  - id: a b.json\n    field: value\n    baseline: '[1]'\n    candidate: 'it''s'\n    decision: accept\n    reason: 'why: because'\n"
        f"    fixture_sha256: '{HEX}'\n    signed_off_by: Ada <a@b.org>\n    signed_off_on: '2026-11-30'\n    category: other\n"
        f"    expires: '2027-01-01'\n    relies_on: a.py sha256:{HEX}\n    signature: '{HEX}'\n"
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words", "plain words"),
        ("002_unicode.json", "002_unicode.json"),
        ("dir/a-b.call.json", "dir/a-b.call.json"),
        ("NFC vs NFD; we normalize", "NFC vs NFD; we normalize"),
        ("café", "café"),
        ("it's \"so\"", "it's \"so\""),
        ("no", "'no'"),
        ("NULL", "'NULL'"),
        ("001", "'001'"),
        ("0o17", "'0o17'"),
        ("1_000", "'1_000'"),
        ("1e3", "'1e3'"),
        ("12:30", "'12:30'"),
        ("2026-11-30", "'2026-11-30'"),
        (".inf", "'.inf'"),
        ("", "''"),
        (" lead", "' lead'"),
        ("trail ", "'trail '"),
        ("a: b", "'a: b'"),
        ("a:", "'a:'"),
        ("a #b", "'a #b'"),
        ("#a", "'#a'"),
        ("@import", "'@import'"),
        ("'q'", "'''q'''"),
        ("- a", "'- a'"),
        ("cafe\u0301", '"cafe\\u0301"'),
        ('a\nb\tc\\d"e', '"a\\nb\\tc\\\\d\\"e"'),
        ("\x1b[31m\0\x7f\x85\u2028\ufeff", '"\\e[31m\\0\\x7f\\x85\\u2028\\ufeff"'),
        ("\u202eflip", '"\\u202eflip"'),
        ("tag \U000e0041", '"tag \\U000e0041"'),
        ("\U0001f600 smile", "'\U0001f600 smile'"),
    ],
)  # fmt: skip
def test_scalars(text, written):
    assert scalar(text) == written
    assert yaml.safe_load(f"k: {written}\n") == {"k": text}


# -- texts as values ----------------------------------------------------------------------------------------


def test_the_digest_form_stands_for_the_value_not_for_its_spelling():
    left = digest_text('{"s":"caf\u00e9","a":1}', "excerpt\nof  it")
    assert left == digest_text('{"a": 1, "s": "caf\\u00e9"}', "excerpt of it")
    assert left == f"sha256:{digest_of(left)} {len(json.dumps({'a': 1, 's': 'café'}, separators=(',', ':')))} excerpt of it"
    assert same(left, '{"a":1,"s":"café"}')
    assert not same(left, '{"a":1,"s":"cafe"}')
    assert same(left, digest_text('{"s":"café","a":1}', "another excerpt"))
    assert same(digest_text('"x"', ""), "x")


@pytest.mark.parametrize(
    "text", ["sha256:abc 1 x", f"sha256:{HEX}", f"sha256:{HEX} x", f" sha256:{HEX} 1", f"sha256:{HEX.upper()} 1 x", f"sha256:{HEX} 1x"]
)
def test_what_only_looks_like_a_digest_is_a_text(text):
    assert digest_of(text) is None
    assert same(text, json.dumps(text))


def test_a_value_that_reads_like_a_digest_form_is_not_taken_for_one():
    form = digest_text("1", "x")
    assert not same(form, json.dumps(form))
    assert key(form) == key("1")


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        (f"src/a.py sha256:{HEX}", ("src/a.py", HEX)),
        (f"a b..c sha256:{HEX}", ("a b..c", HEX)),
        (f"a/../b sha256:{HEX}", None),
        (f"/a sha256:{HEX}", None),
        (f" sha256:{HEX}", None),
        (f"a sha256:{HEX}0", None),
        (f"a\nb sha256:{HEX}", None),
    ],
)
def test_relies_on(text, parsed):
    assert parse_relies_on(text) == parsed


def test_a_disk_that_fails_is_no_file_system_without_links(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(5, "the disk is broken")))
    with pytest.raises(OSError, match="broken"):
        write.create(tmp_path / "a", b"1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(tmp_path):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD)
    file.chmod(0o4640)
    os.chown(file, 65534, 65534)
    file.chmod(0o4640)
    write.replace(file, b"1")
    found = file.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode), file.read_bytes()) == (65534, 65534, 0o4640, b"1")
