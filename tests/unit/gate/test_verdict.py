import hashlib
from datetime import date

import pytest

from gate.ledger.read import ledger_of
from gate.ledger.values import digest_text
from gate.types import IMPORT_ID, Divergence, LedgerRow, Place
from gate.verdict import fingerprint, judge, stale

TODAY = date(2026, 11, 30)
HEX, OTHER = "ab" * 32, "cd" * 32
SIGNER = "Ada Example <ada@example.org>"
NULL, LIST = '{"a":null}', '{"a":[]}'


def divergence(**keys):
    return Divergence(**({"id": "a.json", "field": "value", "baseline": NULL, "candidate": LIST} | keys))


def row(line=4, **keys):
    base = {"id": "a.json", "field": "value", "baseline": NULL, "candidate": LIST, "decision": "accept", "reason": "meant"}
    return LedgerRow(place=Place(file="l.yaml", line=line), **(base | keys))


def says(rows, *, require="none", holds=True, today=TODAY, **keys):
    return judge(divergence(**keys), ledger_of(rows), require=require, today=today, relies_on=lambda _: holds)


# -- which rows match ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param(NULL, NULL, id="exactly"),
        pytest.param(NULL, '{ "a" : null }', id="space"),
        pytest.param('{"a":1,"b":2}', '{"b":2,"a":1}', id="key order"),
        pytest.param('{"s":"cafe\\u0301"}', '{"s":"cafe\u0301"}', id="raw combining mark"),
        pytest.param('{"s":"caf\u00e9"}', '{"s":"caf\\u00e9"}', id="escaped letter"),
        pytest.param('"ValueError"', "ValueError", id="a name as the article writes it"),
        pytest.param('""', "", id="the empty text"),
        pytest.param('"{\\"a\\":1,\\"a\\":2}"', '{"a":1,"a":2}', id="a key twice is the text of itself"),
        pytest.param('"NaN"', "NaN", id="NaN is the text of itself"),
        pytest.param('"[" ', "[", id="broken JSON is the text of itself"),
        pytest.param('"' + "x" * 3000 + '"', digest_text('"' + "x" * 3000 + '"', "xxx.."), id="a digest"),
        pytest.param("[" * 5000 + "]" * 5000, " " + "[" * 5000 + "]" * 5000, id="deep"),
    ],
)
def test_texts_match_exactly_or_by_value(text, written):
    assert says([row(baseline=written)], baseline=text).verdict == "accept"
    assert says([row(candidate=written)], candidate=text).verdict == "accept"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param('"caf\u00e9"', '"cafe\\u0301"', id="NFC is not NFD"),
        pytest.param("1", "1.0", id="integer is not float"),
        pytest.param("1", "true", id="integer is not boolean"),
        pytest.param("0.0", "-0.0", id="signed zero"),
        pytest.param("null", '"null"', id="null is not its name"),
        pytest.param('"x"', '"x "', id="a blank behind"),
        pytest.param('"x"', '"X"', id="case"),
        pytest.param("[1,2]", "[2,1]", id="order"),
        pytest.param("1" * 200_000, " " + "1" * 200_000, id="too many digits: exactly only"),
        pytest.param('{"!float":"nan"}', "NaN", id="NaN is no JSON"),
        pytest.param('"x"', digest_text('"y"', '"x"'), id="the excerpt of a digest decides nothing"),
    ],
)
def test_other_texts_do_not_match(text, written):
    assert says([row(baseline=written)], baseline=text).verdict == "unclassified"
    assert says([row(candidate=written)], candidate=text).verdict == "unclassified"


@pytest.mark.parametrize("keys", [{"id": "b.json"}, {"id": "A.json"}, {"field": "type"}])
def test_id_and_field_match_exactly(keys):
    got = says([row(**keys)])
    assert (got.verdict, got.near, got.why) == ("unclassified", None, "no row has this fixture id and field")


# -- precedence, and what an accept row must show ------------------------------------------------------------


@pytest.mark.parametrize("turned", [False, True])
def test_a_reject_beats_an_accept_in_any_order(turned):
    rows = [row(4), row(9, decision="reject", reason="SQL bind", baseline='{"a": null}')]
    got = says(reversed(rows) if turned else rows)
    assert (got.verdict, got.row) == ("reject", rows[1])
    assert got.why == "the row at l.yaml:9 rejects it: SQL bind"


def test_an_accept_says_where_and_by_whom():
    got = says([row(signed_off_by=SIGNER)], require="named")
    assert (got.verdict, got.row.place.line, got.near) == ("accept", 4, None)
    assert got.why == f"the row at l.yaml:4 (signed off by {SIGNER}) accepts it: meant"


COUNTS = {
    "unsigned under none": ({}, {}, None),
    "unsigned under named": ({}, {"require": "named"}, "no named person signed it (`signed_off_by`)"),
    "signed under named": ({"signed_off_by": SIGNER}, {"require": "named"}, None),
    "expires today": ({"expires": "2026-11-30"}, {}, None),
    "expired yesterday": ({"expires": "2026-11-29"}, {}, "it expired at the end of 2026-11-29"),
    "the fixture it was signed for": ({"fixture_sha256": HEX}, {"fixture_sha256": HEX}, None),
    "an edited fixture": (
        {"fixture_sha256": HEX},
        {"fixture_sha256": OTHER},
        "its fixture was edited after it was signed (`fixture_sha256`)",
    ),
    "no digest on the row": ({}, {"fixture_sha256": OTHER}, None),
    "what it relies on holds": ({"relies_on": f"e.py sha256:{HEX}"}, {"holds": True}, None),
    "what it relies on does not hold": (
        {"relies_on": f"e.py sha256:{HEX}"},
        {"holds": False},
        f"what it relies on changed or is gone: e.py sha256:{HEX}",
    ),
    "it relies on nothing": ({}, {"holds": False}, None),
}


@pytest.mark.parametrize(("keys", "given", "lack"), COUNTS.values(), ids=COUNTS)
def test_an_accept_counts_only_while_all_it_was_signed_under_holds(keys, given, lack):
    got = says([row(**keys)], **given)
    assert got.verdict == ("accept" if lack is None else "unclassified")
    if lack:
        assert got.why == f"the accept row at l.yaml:4 does not count: {lack}"
        assert (got.row, got.near) == (None, None)


@pytest.mark.parametrize(("keys", "given", "lack"), COUNTS.values(), ids=COUNTS)
def test_a_reject_always_counts(keys, given, lack):
    assert says([row(decision="reject", **keys)], **given).verdict == "reject"


def test_of_two_accepts_the_one_that_counts_decides():
    rows = [row(4, expires="2020-01-01"), row(9, baseline='{"a": null}')]
    assert (says(rows).verdict, says(rows).row.place.line) == ("accept", 9)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("decision", ["accept", "reject"])
def test_of_rows_that_say_the_same_the_first_in_the_file_is_named(decision, turned):
    rows = [row(4, decision=decision), row(9, decision=decision, baseline='{"a": null}')]
    assert says(reversed(rows) if turned else rows).row == rows[0]


ENDINGS = {
    "no row": [],
    "a row that decides": [row()],
    "a row that does not count": [row(expires="2020-01-01")],
    "a row with other texts": [row(baseline="0")],
}


@pytest.mark.parametrize("rows", ENDINGS.values(), ids=ENDINGS)
def test_a_verdict_carries_its_divergence_and_the_fingerprint(rows):
    got = says(rows)
    assert (got.divergence, got.fingerprint) == (divergence(), fingerprint(divergence()))


def test_a_row_is_asked_for_what_it_relies_on_itself():
    asked = []
    judge(divergence(), ledger_of([row(relies_on="e sha256:1")]), require="none", today=TODAY, relies_on=asked.append)
    assert asked == ["e sha256:1"]


def test_hostile_words_are_made_visible_in_the_sentence():
    got = says([row(reason="a\n\x1b[2Jb", signed_off_by="E\u202evil <e@x.org>")])
    assert got.why == r"the row at l.yaml:4 (signed off by E\u202evil <e@x.org>) accepts it: a\n\u001b[2Jb"


# -- the near miss ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "other"),
    [
        ({"baseline": "0"}, "another baseline text"),
        ({"candidate": "0"}, "another candidate text"),
        ({"baseline": "0", "candidate": "0"}, "another baseline and another candidate text"),
    ],
)
def test_a_row_with_other_texts_is_the_near_miss(keys, other):
    miss = row(**keys)
    got = says([miss])
    assert (got.verdict, got.row, got.near) == ("unclassified", None, miss)
    assert got.why == f"no row matches; the accept row at l.yaml:4 has the same id and field but {other}"


@pytest.mark.parametrize(
    "shared", [{"candidate": "0", "baseline": '{"a": null}'}, {"baseline": "0", "candidate": '{"a": []}'}], ids=["baseline", "candidate"]
)
def test_the_near_miss_is_the_nearest_in_any_order(shared):
    far, near = row(4, baseline="0", candidate="0"), row(9, decision="reject", **shared)
    assert says([far, near]).near == near
    assert says([near, far]).near == near


# -- fingerprints -------------------------------------------------------------------------------------------


def test_a_fingerprint_is_over_lengths_and_texts():
    parts = [b"a.json", b"value", NULL.encode(), LIST.encode()]
    want = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()[:12]
    assert fingerprint(divergence()) == want == says([]).fingerprint
    assert fingerprint(divergence(fixture_sha256=HEX)) == want


@pytest.mark.parametrize(
    "keys", [{"id": "a.jso", "field": "nvalue"}, {"baseline": NULL + "x"}, {"candidate": "\ud800"}, {"baseline": LIST, "candidate": NULL}]
)
def test_other_identities_have_other_fingerprints(keys):
    assert fingerprint(divergence(**keys)) != fingerprint(divergence())


# -- stale and standing -------------------------------------------------------------------------------------


def life(*rows, seen=(), ran=("a.json",), there=("a.json",), sha=HEX, holds=True, **more):
    return stale(
        ledger_of(rows),
        seen=seen,
        ran=lambda name: name in ran,
        exists=lambda name: name in there,
        sha256={"a.json": sha}.get,
        relies_on=lambda _: holds,
        **more,
    )


STALE = {
    "it appeared": ({}, {"seen": [divergence()]}, None),
    "it appeared, written otherwise": ({"baseline": '{"a": null}'}, {"seen": [divergence()]}, None),
    "another one appeared": ({}, {"seen": [divergence(candidate="0")]}, "its fixture ran and the divergence did not appear"),
    "nothing appeared": ({}, {}, "its fixture ran and the divergence did not appear"),
    "its fixture did not run": ({}, {"ran": ()}, None),
    "its fixture is gone": ({}, {"ran": (), "there": ()}, "its fixture no longer exists"),
    "its fixture was edited": (
        {"fixture_sha256": OTHER},
        {"seen": [divergence()]},
        "its fixture was edited after it was signed (`fixture_sha256`)",
    ),
    "its fixture was edited and did not run": (
        {"fixture_sha256": OTHER},
        {"ran": ()},
        "its fixture was edited after it was signed (`fixture_sha256`)",
    ),
    "its fixture is the same": ({"fixture_sha256": HEX}, {"seen": [divergence()]}, None),
    "what it relies on is gone": (
        {"relies_on": f"e sha256:{HEX}"},
        {"seen": [divergence()], "holds": False},
        f"what it relies on changed or is gone: e sha256:{HEX}",
    ),
    "expired but alive": ({"expires": "2020-01-01"}, {"seen": [divergence()]}, None),
    "unsigned but alive": ({}, {"seen": [divergence()]}, None),
    "a partial run": ({}, {"partial": True}, None),
    "a partial run without its fixture": ({"fixture_sha256": OTHER}, {"partial": True, "ran": (), "there": ()}, None),
    "at import, seen": (
        {"id": IMPORT_ID, "field": "effects.env"},
        {"seen": [divergence(id=IMPORT_ID, field="effects.env")], "there": ()},
        None,
    ),
    "at import, not seen": (
        {"id": IMPORT_ID, "field": "effects.env"},
        {"ran": (), "there": ()},
        "the target was imported and the divergence did not appear",
    ),
    "at import, nothing ran": ({"id": IMPORT_ID, "field": "effects.env"}, {"ran": (), "anything_ran": False}, None),
    "of the contract": (
        {"id": "@contract/adapter.py", "field": "digest", "relies_on": "e"},
        {"there": (), "ran": (), "holds": False},
        None,
    ),
}


@pytest.mark.parametrize(("keys", "given", "why"), STALE.values(), ids=STALE)
def test_which_accept_rows_are_stale(keys, given, why):
    one = row(**keys)
    got, standing = life(one, **given)
    assert [(entry.row, entry.why) for entry in got] == ([] if why is None else [(one, why)])
    assert standing == ()


@pytest.mark.parametrize(
    ("given", "stands"),
    [
        pytest.param({"seen": [divergence()]}, False, id="matched"),
        pytest.param({}, True, id="unmatched"),
        pytest.param({"there": (), "ran": ()}, True, id="its fixture is gone"),
        pytest.param({"partial": True}, True, id="a partial run with its fixture"),
        pytest.param({"partial": True, "ran": ()}, False, id="a partial run without its fixture"),
    ],
)
def test_a_reject_row_stands_and_is_never_stale(given, stands):
    one = row(decision="reject", fixture_sha256=OTHER, relies_on=f"e sha256:{HEX}")
    got, standing = life(one, holds=False, **given)
    assert got == ()
    assert standing == ((one,) if stands else ())
