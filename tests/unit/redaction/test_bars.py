"""What redaction must find and must leave alone, on a set that was written without sight of its rules (benchmarks/redaction).

Counts, no times: those are printed by `make bench-redaction`. A rule that falls out shows here; so does one that flags too much.
"""

import json
import os
import subprocess
import sys

import pytest

from benchmarks.redaction import hostile, items, judge, pairs, payloads, report
from benchmarks.redaction.contestants.interface import masked, spans_of
from benchmarks.redaction.contestants.shadow import POLICIES, Shadow
from benchmarks.redaction.examples import examples
from benchmarks.redaction.generate import SEED, faults, generate
from benchmarks.redaction.measure import measure

pytestmark = pytest.mark.no_cover
ZERO_KINDS = ("divergence-class", "null-empty-bool", "error-text")
FLAGGED = {"BALANCED": 2 / 183, "STRICT": 8 / 183}
HARMLESS = 1000


@pytest.fixture(scope="module")
def the_set():
    return generate(SEED)


@pytest.fixture(scope="module", params=POLICIES)
def policy(request):
    return request.param


@pytest.fixture(scope="module")
def figures(policy, the_set):
    return measure(Shadow(policy), the_set, seed=SEED, harmless=HARMLESS)


def wrong(figures, *groups):
    """Shown by pytest where a bar is missed."""
    return "\n".join(f"{outcome.item.id}: {outcome.item.text!r}"[:200] for outcome in figures.verdicts.wrong(*groups))


@pytest.mark.parametrize(("group", "bar"), [("core", 0.97), ("encoded", 0.90), ("pii", 0.95)])
def test_a_share_of_the_secrets_vanishes_wholly(figures, group, bar):
    tally = figures.verdicts.groups[group]
    assert tally.total - tally.bad >= bar * tally.total, wrong(figures, *(items.CORE if group == "core" else [group]))


def test_no_secret_is_cut_in_pieces(figures):
    partial = [outcome.item.id for outcome in figures.verdicts.outcomes if outcome.partial and outcome.item.group not in items.LOOSE]
    assert partial == []


def test_little_that_is_harmless_is_flagged(figures, policy):
    tally = figures.verdicts.groups["negative"]
    assert tally.bad <= FLAGGED[policy] * tally.total, wrong(figures, "negative")


@pytest.mark.parametrize("kind", ZERO_KINDS)
def test_what_a_reviewer_needs_is_never_flagged(figures, kind):
    tally = figures.verdicts.kinds["negative", kind]
    assert tally.total >= 20
    assert tally.bad == 0, wrong(figures, "negative")


def test_ordinary_payloads_are_left_alone(figures):
    assert figures.payloads == HARMLESS
    assert len(figures.touched) <= 0.005 * HARMLESS, figures.touched[:3]


def test_sides_stay_equal_or_different_in_all_pairs(figures):
    assert (figures.pairs_kept, figures.pairs_lost) == (64, [])


def test_what_was_json_still_is(figures):
    broken = []
    for outcome in figures.verdicts.outcomes:
        try:
            json.loads(outcome.item.text)
        except ValueError:
            continue
        try:
            json.loads(outcome.out)
        except ValueError:
            broken.append(outcome.item.id)
    assert broken == []


def test_redacting_again_changes_nothing(figures, policy):
    again = Shadow(policy)
    assert [outcome.item.id for outcome in figures.verdicts.outcomes if again.one(outcome.out) != outcome.out] == []


def test_the_set_is_what_it_claims(the_set):
    assert faults(the_set) == []
    counts = {group: sum(item.group == group for item in the_set) for group in items.GROUPS}
    assert counts["prefixed"] >= 160
    assert counts["keyed"] >= 250
    assert counts["negative"] >= 200
    assert min(counts.values()) > 5
    assert len({item.kind for item in the_set if item.group == "prefixed"}) >= 80


def test_a_seed_makes_one_set_on_every_run():
    code = f"import hashlib; from benchmarks.redaction.generate import generate; print(hashlib.sha256(repr(generate({SEED})).encode()).hexdigest())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_another_seed_makes_another_set_of_the_same_kinds(the_set):
    other = generate(SEED + 1)
    assert [item.id for item in other] == [item.id for item in the_set]
    assert faults(other) == []
    same = [item.id for item, twin in zip(the_set, other, strict=True) if item.secrets and item.secrets == twin.secrets]
    assert same == []


def test_payloads_are_of_the_size_that_was_agreed():
    texts = list(payloads.payloads(200, SEED))
    assert 480 < sum(map(len, texts)) / len(texts) < 600
    assert texts == list(payloads.payloads(200, SEED))


@pytest.mark.parametrize("shape", hostile.SHAPES)
def test_hostile_texts_have_their_size_and_can_be_made_again(shape):
    text = hostile.hostile(shape, 2000, SEED)
    assert 1990 <= len(text) <= 2000
    assert text == hostile.hostile(shape, 2000, SEED)


def test_pairs_are_64_of_distinct_names():
    made = pairs.pairs(SEED)
    assert len({item.id for item in made}) == 64
    assert sum(item.baseline == item.candidate for item in made) == 4


ITEM = items.Item("x", "keyed", "k", "token=abcdefghijklmnop end", (("abcdefghijklmnop",),))


@pytest.mark.parametrize(
    ("out", "bad", "partial"),
    [
        ("token=REDACTED-token-1x end", False, False),
        ("token=abcdefghijklmnop end", True, False),
        ("token=REDACTED-token-1xijklmnop end", True, True),
        ("token=REDACTED-token-1xjklmnop end", False, False),  # seven characters
        ("REDACTED", False, False),
    ],
)
def test_the_judge_sees_whole_misses_and_pieces(out, bad, partial):
    outcome = judge.judge(ITEM, out)
    assert (outcome.bad, outcome.partial) == (bad, partial)


def test_a_line_that_is_left_of_a_key_is_a_partial_leak():
    item = items.Item("x", "encoded", "k", "AAAABBBBCCCC\nDDDDEEEEFFFF", (("AAAABBBBCCCC", "DDDDEEEEFFFF"),))
    assert judge.judge(item, "REDACTED-key-1x\nDDDDEEEEFFFF").partial
    assert not judge.judge(item, item.text).partial
    assert judge.judge(item, item.text).bad


def test_what_stands_elsewhere_in_the_text_too_is_no_piece():
    item = items.Item("x", "keyed", "k", "abcdefgh: abcdefghijkl", (("abcdefghijkl",),))
    assert not judge.judge(item, "abcdefgh: REDACTED-token-1x").bad


def test_a_changed_negative_is_a_false_alarm():
    item = items.Item("x", "negative", "k", "token expired")
    assert judge.judge(item, "token REDACTED-token-1x").bad
    assert not judge.judge(item, item.text).bad


def test_spans_are_joined_and_values_found_everywhere():
    assert masked("abcdefgh", [(1, 3), (2, 5), (6, 7)]) == "aREDACTEDfREDACTEDh"
    assert spans_of("xaxbx", ["x", ""]) == [(0, 1), (2, 3), (4, 5)]


def test_an_example_of_foreign_rules_is_read_from_a_checkout(tmp_path):
    rules = tmp_path / "data" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.yml").write_text("rules:\n  - id: a.1\n    examples: ['one', 'two']\n  - id: a.2\n", "utf-8")
    assert examples(tmp_path) == [("a.1", "one"), ("a.1", "two")]


def test_the_report_names_what_is_wrong(figures):
    shown = report.details(figures)
    for outcome in figures.verdicts.wrong("negative")[:1]:
        assert outcome.item.kind in shown
        assert outcome.item.text[:20] in report.misses(figures) or repr(outcome.item.text)[1:20] in report.misses(figures)
    assert "| 64/64 |" in report.summary([figures])
