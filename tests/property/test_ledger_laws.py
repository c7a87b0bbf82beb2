"""What must hold of the ledger whatever stands in it (design, section 8)."""

import re
import tempfile
from datetime import date
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import LedgerError, UsageError
from gate.ledger.insert import insert_rows
from gate.ledger.life import lint
from gate.ledger.read import ledger_of, read_bytes, read_ledger
from gate.ledger.rows import KEYS
from gate.ledger.text import scalar
from gate.types import FIELDS, Divergence, LedgerRow, Place, replace
from gate.verdict import judge, stale

no_deadline = settings(deadline=None)  # a busy machine is no fault of the law
NOWHERE = Place(file="x", line=1)
TODAY = date(2026, 11, 30)
ids = st.sampled_from(["a", "b"])
fields = st.sampled_from(["value", "type"])
# Texts that are equal in several ways, and some that only look equal.
texts = st.sampled_from(
    ["1", " 1", "1.0", "true", "x", '"x"', '"x "', '{"a":null,"b":1}', '{"b": 1, "a": null}', '"e\\u0301"', '"e\u0301"', '"\u00e9"', "NaN"]
)
canonical = st.sampled_from(["1", "1.0", "true", '"x"', '"x "', '{"a":null,"b":1}', '"e\\u0301"', '"\u00e9"', '"NaN"'])
signers = st.sampled_from([None, "Ada Example <ada@example.org>"])
expiries = st.sampled_from([None, "2026-11-29", "2026-11-30"])
digests = st.sampled_from([None, "ab" * 32, "cd" * 32])


@st.composite
def some_row(draw):
    return LedgerRow(
        id=draw(ids), field=draw(fields), baseline=draw(texts), candidate=draw(texts), decision=draw(st.sampled_from(["accept", "reject"])),
        reason="meant", place=Place(file="l.yaml", line=draw(st.integers(1, 99))), signed_off_by=draw(signers), expires=draw(expiries),
        fixture_sha256=draw(digests), relies_on=draw(st.sampled_from([None, "holds", "gone"])),
    )  # fmt: skip


@st.composite
def some_divergence(draw):
    return Divergence(id=draw(ids), field=draw(fields), baseline=draw(canonical), candidate=draw(canonical), fixture_sha256=draw(digests))


rows = st.lists(some_row(), max_size=8)
divergences = st.lists(some_divergence(), max_size=4)
levels = st.sampled_from(["none", "named"])


def verdicts(seen, ledger_rows, require):
    ledger = ledger_of(ledger_rows)
    return [judge(divergence, ledger, require=require, today=TODAY, relies_on=lambda text: text == "holds") for divergence in seen]


def passes(seen, ledger_rows, require):
    gone, _ = stale(
        ledger_of(ledger_rows),
        seen=seen,
        ran=lambda _: True,
        exists=lambda _: True,
        sha256=lambda _: "ab" * 32,
        relies_on=lambda text: text == "holds",
    )
    return not gone and all(judged.verdict == "accept" for judged in verdicts(seen, ledger_rows, require))


@no_deadline
@given(divergences, rows, levels, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_changes_a_verdict(seen, ledger_rows, require, random):
    shuffled = ledger_rows.copy()
    random.shuffle(shuffled)
    before, after = verdicts(seen, ledger_rows, require), verdicts(seen, shuffled, require)
    assert [judged.verdict for judged in before] == [judged.verdict for judged in after]
    assert passes(seen, ledger_rows, require) == passes(seen, shuffled, require)


@no_deadline
@given(divergences, rows, levels, some_row())
def test_adding_a_reject_never_turns_fail_into_pass(seen, ledger_rows, require, more):
    added = [*ledger_rows, replace(more, decision="reject")]
    assert passes(seen, ledger_rows, require) or not passes(seen, added, require)
    for before, after in zip(verdicts(seen, ledger_rows, require), verdicts(seen, added, require), strict=True):
        assert before.verdict != "reject" or after.verdict == "reject"
        assert before.verdict != "unclassified" or after.verdict != "accept"


@no_deadline
@given(divergences, rows, levels, st.integers(0, 7))
def test_deleting_an_accept_never_makes_an_accept(seen, ledger_rows, require, index):
    accepts = [at for at, row in enumerate(ledger_rows) if row.decision == "accept"]
    fewer = ledger_rows.copy()
    if accepts:
        del fewer[accepts[index % len(accepts)]]
    for before, after in zip(verdicts(seen, ledger_rows, require), verdicts(seen, fewer, require), strict=True):
        assert after.verdict == before.verdict or (before.verdict, after.verdict) == ("accept", "unclassified")


@no_deadline
@given(divergences, rows)
def test_a_stricter_level_never_accepts_more(seen, ledger_rows):
    for none, named in zip(verdicts(seen, ledger_rows, "none"), verdicts(seen, ledger_rows, "named"), strict=True):
        assert named.verdict == none.verdict or (none.verdict, named.verdict) == ("accept", "unclassified")


@no_deadline
@given(divergences, rows, levels)
def test_every_verdict_has_one_sentence_and_only_real_rows(seen, ledger_rows, require):
    for judged in verdicts(seen, ledger_rows, require):
        assert judged.why
        assert "\n" not in judged.why
        assert (judged.row is None) == (judged.verdict == "unclassified")
        assert judged.row is None or (judged.row in ledger_rows and judged.row.decision == judged.verdict)
        assert judged.near is None or (judged.near in ledger_rows and judged.row is None)


# -- the file -----------------------------------------------------------------------------------------------

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
writable = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
awkward = st.one_of(
    writable,
    st.sampled_from(
        [
            "no",
            "1_0",
            "0x1f",
            "12:30",
            "2026-01-02",
            "=",
            "<<",
            "- x",
            "? x",
            "x: y",
            "x #y",
            "'",
            '"',
            "\\",
            "''",
            "|",
            ">",
            "%",
            "@",
            "`",
            "~",
            "...",
            "---",
            "\ufeff",
            "\u2028",
            "a\r\nb",
        ]
    ),
)


@st.composite
def new_rows(draw):
    found = draw(
        st.dictionaries(
            st.tuples(awkward.filter(lambda text: text and text[0] != "@" and not CONTROL.search(text)), st.sampled_from(FIELDS)),
            st.tuples(awkward, awkward, awkward.filter(lambda text: not CONTROL.search(text.replace("\n", "").replace("\t", "")))),
            max_size=5,
        )
    )
    decisions = st.sampled_from(["accept", "reject"])
    return [
        LedgerRow(
            id=row_id, field=field, baseline=baseline, candidate=candidate, decision=draw(decisions), reason=reason + "x", place=NOWHERE,
            signed_off_by=draw(signers), expires=draw(expiries), fixture_sha256=draw(digests),
        )
        for (row_id, field), (baseline, candidate, reason) in found.items()
    ]  # fmt: skip


def bare(ledger_rows):
    return sorted((replace(row, place=NOWHERE) for row in ledger_rows), key=repr)


def is_kept(before, after):
    left = iter(after)
    return all(byte in left for byte in before.replace(b"[]", b""))


@settings(no_deadline, max_examples=40)
@given(
    new_rows(),
    new_rows(),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["version: 1\nentries: []\n", "version: 1\nentries:", "entries:\n# c\n\nversion: 1\n"]),
)
def test_load_after_insert_is_the_old_rows_and_the_new(first, second, newline, empty):
    taken = {(row.id, row.field) for row in first}
    second = [row for row in second if (row.id, row.field) not in taken]
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "l.yaml"
        file.write_bytes(empty.replace("\n", newline).encode())
        expected = []
        for group in (first, second):
            if group:
                before = file.read_bytes()
                insert_rows(file=file, folder=None, rows=group, sitting="s")
                expected += group
                assert is_kept(before, file.read_bytes())
                assert b"\n" in file.read_bytes().replace(b"\r\n", b"") or newline == "\r\n" or b"\r" not in file.read_bytes()
            assert lint(file, None) == ()
            assert bare(read_ledger(file, None).rows) == bare(expected)
        whole = yaml.safe_load(file.read_bytes())["entries"] or []
        assert sorted(map(repr, whole)) == sorted(
            repr({key: text for key in KEYS if (text := getattr(row, key)) is not None}) for row in expected
        )


@settings(no_deadline, max_examples=20)
@given(new_rows(), new_rows())
def test_a_folder_holds_the_rows_of_all_sittings(first, second):
    taken = {(row.id, row.field) for row in first}
    second = [row for row in second if (row.id, row.field) not in taken]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "d"
        folder.mkdir()
        for group in (first, second):
            if group:
                insert_rows(file=Path(place) / "l.yaml", folder=folder, rows=group, sitting="s")
        assert bare(read_ledger(Path(place) / "l.yaml", folder).rows) == bare([*first, *second])


@no_deadline
@given(awkward)
def test_a_scalar_is_one_line_that_every_loader_reads_alike(text):
    line = f"k: {scalar(text)}\nl: {scalar(text, quote=True)}\n"
    assert line.count("\n") == 2
    assert len(line.splitlines()) == 2
    assert yaml.safe_load(line) == {"k": text, "l": text}
    assert yaml.load(line, Loader=yaml.CSafeLoader) == {"k": text, "l": text}  # the safe loader's C twin


WELL = b"# c\nversion: 1\nentries:\n  - id: a\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: x\n  - {id: b, field: type, baseline: '1', candidate: x, decision: reject, reason: y}\n"
pieces = st.one_of(
    st.binary(max_size=6),
    st.sampled_from(
        [
            b"\n",
            b"  - ",
            b": ",
            b"'",
            b'"',
            b"&x ",
            b"*x",
            b"!t ",
            b"<<: ",
            b"---\n",
            b"{",
            b"]",
            b"#",
            b"\t",
            b"\0",
            b"\xe2\x80\xa8",
            b"<<<<<<< a\n",
            b"\r",
        ]
    ),
)


@settings(no_deadline, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(WELL)), st.integers(0, 12), pieces), max_size=3))
def test_no_edit_of_a_ledger_ends_in_anything_but_rows_or_faults(edits):
    data = WELL
    for at, cut, piece in edits:
        data = data[:at] + piece + data[at + cut :]
    loaded = read_bytes(data, "l.yaml")
    assert all(fault.remedy and fault.place.line and fault.place.line <= data.count(b"\n") + 2 for fault in loaded.faults)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "l.yaml"
        file.write_bytes(data)
        row = LedgerRow(id="aa", field="ok", baseline="1", candidate="2", decision="accept", reason="x", place=NOWHERE)
        try:
            insert_rows(file=file, folder=None, rows=[row], sitting="s")
        except (LedgerError, UsageError):
            assert file.read_bytes() == data
        else:
            assert loaded.faults == ()
            assert is_kept(data, file.read_bytes())
            assert bare(read_ledger(file, None).rows) == bare([*loaded.rows, row])
