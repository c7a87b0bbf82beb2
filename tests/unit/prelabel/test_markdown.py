"""The pull-request block: counts that add up, nothing raw, and nothing in a payload that acts where it is read."""

import json
import re
import types
import typing
from dataclasses import fields

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import redaction
from gate.canonical.visible_json import parse, visible
from gate.report.model import COUNT_KEYS, Entry, Report
from prelabel import publish
from prelabel.advise import advise
from prelabel.publish import markdown, public
from prelabel.types import Advice

HEX = "0123456789abcdef"


def entry(name="a.json", field="value", baseline='"a"', candidate='"b"', verdict="unclassified", *, number=0, **more):
    base = {
        "id": name,
        "field": field,
        "baseline": baseline,
        "candidate": candidate,
        "verdict": verdict,
        "fingerprint": f"{number:012x}",
        "fixture_sha256": None,
        "row": None,
        "reason": None,
        "paths": (),
    }
    return Entry(**(base | more))


def report(*entries, **more):
    counts = dict.fromkeys(COUNT_KEYS, 0) | {"fixtures": len(entries) + 2, "match": 2, "diverging": len(entries)}
    for one in entries:
        counts[one.verdict] += 1
    base = {
        "passed": not entries,
        "counts": counts,
        "baseline": {"pin": "git:" + "0123456789" * 4},
        "candidate": {"pin": "tree:"},
        "corpus": {},
        "canonical": {},
        "config": {},
        "trust": {},
        "divergences": entries,
    }
    return Report(**(base | more))


def block(made, advice=None):
    return str(markdown.render(public(made, advise(made) if advice is None else advice)))


THREE = (
    entry("002_unicode.json", "value", '{"s":"café"}', '{"s":"cafe\\u0301"}', number=1),
    entry("003_nested_null.json", "value", '{"a":null}', '{"a":[]}', number=2, near="delta_ledger.yaml:14"),
    entry(
        "004_boom.json",
        "exc.type",
        '"ValueError"',
        '"AssertionError"',
        "reject",
        number=3,
        row="delta_ledger.yaml:20",
        reason="callers catch it",
    ),
)


def test_the_block_says_what_a_reviewer_needs():
    text = block(report(*THREE))
    assert text.startswith(markdown.BEGIN + "\n### shadow: fail, 2 unclassified, 1 reject\n")
    assert text.endswith(markdown.END + "\n")
    assert text.count(markdown.BEGIN) == text.count(markdown.END) == 1
    for said in (
        "`002_unicode.json` at `/s`",
        '  - {"s":"café"}',
        '  + {"s":"cafe\\u0301"}',
        "`equal under NFC`",
        "`null became an empty list`",
        "near miss: `delta_ledger.yaml:14`",
        "rejected by `delta_ledger.yaml:20`: `callers catch it`",
        "shadow signoff",
        "`000000000001`",
        "git:" + "0123456789" * 4,
    ):
        assert said in text, said


def test_nothing_benign_is_redacted():
    made = markdown.render(public(report(*THREE), advise(report(*THREE))))
    assert dict(made.kinds) == {}


def test_counts_add_up():
    text = block(report(*THREE))
    fixtures, statuses = re.search(r"- ([\d,]+) fixtures: (.*)", text).groups()
    assert int(fixtures) == sum(int(one.split()[0]) for one in statuses.split(", ")) == 5
    found, verdicts = re.search(r"- ([\d,]+) divergences: (.*)", text).groups()
    assert int(found) == sum(int(one.split()[0]) for one in verdicts.split(", ")) == 3


def test_advice_stands_only_in_the_collapsed_part_and_is_called_what_it_is():
    text = block(report(*THREE))
    before, _, rest = text.partition("<details>")
    inside, _, after = rest.partition("</details>")
    assert "<summary>not evidence" in inside
    assert "`null-empty`" in inside
    assert "null-empty" not in before + after
    assert "Missing and empty are different answers" not in before + after
    assert text.count("<details>") == text.count("</details>") == 1


def test_advice_on_what_is_not_in_the_report_is_left_out():
    lie = Advice(id="other.json", field="value", fingerprint="f" * 12, label="accept", rule="null-empty", reason="All good.", source="rule")
    assert "All good" not in block(report(*THREE), [lie])
    assert "<details>" not in block(report(*THREE), [])


def test_a_green_report_asks_for_nothing():
    text = block(report())
    assert "### shadow: pass, nothing unclassified" in text
    assert "shadow signoff" not in text
    assert "<details>" not in text


TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.no_cover
@given(TREE)
@example(["@user", "a](b", "http://x", "![", "`", "<b>", "a|b", "::x", "##[x", "www.x", "gh-1"])
def test_a_canonical_text_still_says_the_same(tree):
    text = visible(tree)
    shown = redaction.redact_text(text)
    if shown.kinds:
        return
    assert parse(markdown.defused(shown, 10_000)) == parse(text)


PIECE = st.text('ab\\<@:/\u00e9\n"u03c', max_size=30)


@given(PIECE, PIECE, st.integers(0, 1_600), st.integers(0, 1_600), st.integers(20, 500))
@example("<", "\\u003c", 0, 0, 500)
@example("null", "[]", 800, 0, 500)
@example("a", "aa", 1_600, 0, 500)
def test_texts_that_differ_look_different_wherever_they_are_cut(one, other, before, behind, limit):
    texts = [redaction.redact_text("x y " * (before // 4) + piece + " z" * (behind // 2)) for piece in (one, other)]
    shown = markdown.defused_pair(*texts, limit)
    assert (shown[0] == shown[1]) == (str(texts[0]) == str(texts[1]))
    assert all("\n" not in line and "<" not in line and "@" not in line for line in shown)
    assert markdown.defused_pair(*reversed(texts), limit) == shown[::-1]


@pytest.mark.parametrize("length", [100, 490, 800, 1_500, 3_000])
def test_the_block_shows_a_late_difference_and_what_it_left_out(length):
    made = report(entry(baseline=json.dumps({"a": "x" * length, "z": None}), candidate=json.dumps({"a": "x" * length, "z": []})))
    first, second = (line for line in block(made).split("\n") if re.match("  [-+] ", line))
    assert first.endswith('"z": null}')
    assert second.endswith('"z": []}')
    assert ("characters before) .." in first or "characters left out" in first) == (length > 480)
    assert first[4:].split("null")[0] == second[4:].split("[]")[0]


@pytest.mark.parametrize(
    "text",
    [
        '{"password":{"min_length":8}}',
        '{"secrets":{"count":3}}',
        '{"token":{"kind":"identifier","pos":3}}',
        '{"properties":{"password":{"type":"string","minLength":8}}}',
        '{"passwords":["expired"]}',
    ],
)
def test_the_last_scan_leaves_harmless_texts_as_they_are(text):
    assert f"  + {text}\n" in block(report(entry(candidate=text)))


def test_code_spans_keep_their_outer_spaces_and_show_the_empty_text():
    assert markdown.code(redaction.redact_text(" a ")) == "`\\u0020a\\u0020`"
    assert markdown.code(redaction.redact_text("")) == "`(empty)`"


def test_secrets_are_not_in_the_block():
    secret = "ghp_" + "a1B2" * 9
    one = entry(f"x{secret}.json", "value", json.dumps({"token": secret}), json.dumps({"token": secret + "x"}), reason=secret, near=secret)
    text = block(report(one, notices=(f"see {secret}",), stale=({"id": secret, "field": "value", "row": secret, "why": secret},)))
    assert secret[:12] not in text
    assert "REDACTED" in text


def test_thousands_of_divergences_fit_and_the_rest_is_counted():
    entries = [
        entry(f"{at:05d}_{'x' * 200}.json", "value", json.dumps("a" * (at % 900)), json.dumps("b" * (at % 800 + 1000)), number=at)
        for at in range(5_000)
    ]
    text = block(report(*entries), ())
    assert len(text) <= 65_536
    assert "#### Unclassified: 5,000 in 1 cause" in text
    shown = text.count("```diff")
    more = sum(int(number.replace(",", "")) for number in re.findall(r"([\d,]+) more (?:of this cause|entries)", text))
    assert 0 < shown < 100
    assert shown + more == 5_000


@pytest.mark.no_cover
def test_many_causes_are_cut_and_counted():
    fields_ = [f"{at:04d}" for at in range(1_000)]
    entries = [
        entry(f"{'y' * 150}{name}.json", name, json.dumps("a" * 400), json.dumps("b" * 400), number=at) for at, name in enumerate(fields_)
    ]
    text = block(report(*entries))
    assert len(text) <= 65_536
    assert "#### Unclassified: 1,000 in 1,000 causes" in text
    more = int(re.search(r"([\d,]+) more entries do not fit", text)[1].replace(",", ""))
    assert text.count("```diff") + more == 1_000
    assert "<details>" in text


def test_each_fixture_without_a_verdict_is_named_with_its_reason():
    moved = {"field": "value", "cause": "hash seed"}
    made = report(
        errors=({"id": "e.json", "cause": "worker: lost"},),
        impure=({"id": "z.json", "field": "stdout", "cause": "time"}, *({"id": f"{at}.json", **moved} for at in range(7))),
    )
    lines = block(made).split("#### Without a verdict\n\n")[1].splitlines()[:3]
    assert lines == [
        "- error: `worker: lost` (1): `e.json`",
        "- impure `value`: `hash seed` (7): `0.json`, `1.json`, `2.json`, `3.json`, `4.json` and 2 more",
        "- impure `stdout`: `time` (1): `z.json`",
    ]


def test_what_this_patch_brought_comes_first_and_is_counted():
    there, mine = ({"attribution": word} for word in ("already there", "yours"))
    text = block(report(entry("a.json", **there, number=1), entry("b.json", **there, number=2), entry("c.json", **mine, number=3)))
    assert "(3, 1 yours)" in text
    assert [line for line in text.splitlines() if line.startswith("- `")] == [
        "- `c.json` at `/` (`000000000003`)",
        "- `a.json` at `/` (`000000000001`), already there",
        "- `b.json` at `/` (`000000000002`), already there",
    ]
    assert "yours" not in block(report(*THREE))


def test_reasons_that_do_not_fit_are_counted():
    made = report(undecided=tuple({"id": f"{at}.json", "cause": f"cause {at // 2}"} for at in range(2 * publish.OPEN + 6)))
    text = block(made)
    assert text.count("- undecided: ") == publish.OPEN
    assert "- 6 more, for other reasons: `shadow show --format json`" in text


OPEN = {
    "a sentence": "The password is Tr0ub4dor3.",
    "an open quote": '{"log":"login password=\'"}',
    "a cache": "redis://:s3cretPass9@cache:6379/0",
    "two lines of a shell": "export AWS_ACCESS_KEY_ID=x\nexport AWS_SECRET_ACCESS_KEY=hunter2hunter2",
    "a header": "Authorization: Bearer abcdefgh12345678",
    "a cookie": "Set-Cookie: sid=0123456789abcdef",
    "yaml": "db:\n  password: hunter2hunter2\n  host: x",
    "netrc": "machine h login bob password hunter2hunter2",
}


@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_no_payload_takes_anything_from_what_stands_around_it(text):
    both = (visible(text), visible(text + " "))
    lines = block(report(entry("1.json", "stdout", *both), entry("2.json", "stdout", '"x"', '"x "', number=1)), ()).split("\n")
    assert [line for line in lines if line.startswith("- `")] == [
        "- `1.json` at `/` (`000000000000`)",
        "- `2.json` at `/` (`000000000001`)",
    ]
    first, second = [[line for line in lines if line.startswith(sign)] for sign in ("  - ", "  + ")]
    assert (first[1], second[1]) == ('  - "x"', '  + "x "')
    assert (first[0].endswith('"'), second[0].endswith(' "')) == (True, True)


def test_what_redaction_cannot_scan_is_left_out(monkeypatch):
    made = public(report(*THREE), ())
    real = redaction.composed
    monkeypatch.setattr(redaction, "composed", lambda text, policy: real("UNSCANNED-1-bytes-1x" if "caf" in text else text, policy))
    text = str(markdown.render(made))
    assert text.startswith(markdown.BEGIN)
    assert text.endswith(markdown.END + "\n")
    assert "3 diverging" in text
    assert "could not be shown" in text
    assert "caf" not in text


def test_one_divergence_is_one_scope():
    secret = "ghp_" + "a1B2" * 9
    one = entry(
        "a.json",
        "value",
        json.dumps({"x": secret}),
        json.dumps({"x": secret, "y": 1}),
        reason=f"uses {secret}",
        row="r:1",
        verdict="reject",
    )
    (row,) = public(report(one), ()).groups[0].rows
    (name,) = set(re.findall(r"REDACTED-[a-z-]+-\d+x", f"{row.baseline} {row.candidate} {row.reason}"))
    assert all(name in str(text) for text in (row.baseline, row.candidate, row.reason))


def texts_of(hint):
    if hint is str:
        return [hint]
    return [found for inner in typing.get_args(hint) for found in texts_of(inner)]


@pytest.mark.parametrize(
    "made",
    [one for one in vars(publish).values() if isinstance(one, type) and one.__module__ == publish.__name__],
    ids=lambda one: one.__name__,
)
def test_public_types_hold_no_plain_text(made):
    from gate.types import VerdictWord
    from prelabel.types import Label

    names = vars(publish) | {"Redacted": redaction.Redacted, "VerdictWord": VerdictWord, "Label": Label, "Mapping": dict}
    for field in fields(made):
        hint = eval(field.type, names)  # noqa: S307
        if field.name == "counts":
            continue
        assert texts_of(hint) == [], field.name
        assert not isinstance(hint, types.GenericAlias) or str not in typing.get_args(hint)


def test_render_gives_redacted_and_the_formatters_take_it():
    assert isinstance(markdown.render(public(report(), ())), redaction.Redacted)
    hints = {
        name: typing.get_type_hints(
            getattr(markdown, name), {**vars(markdown), "Redacted": redaction.Redacted, "PublicReport": publish.PublicReport}
        )
        for name in ("code", "defused", "render")
    }
    assert hints["code"]["text"] is hints["defused"]["text"] is hints["render"]["return"] is redaction.Redacted
