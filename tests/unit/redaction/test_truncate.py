"""Cutting around differences: different stays different, and nothing is cut in half."""

import random

import pytest

from redaction import redact_pair
from redaction.truncate import WHOLE, WINDOWS, choose_phrase, common, cut_one, cut_pair, differences
from redaction.types import ScanLimitError

PHRASE = "characters left out"
FILL = "".join(f"word{number} " for number in range(2000))


def counted(text):
    """The parts that are shown, and how much the text says was left out."""
    pieces = text.split(f" {PHRASE} .. ")
    left_out = 0
    for number, piece in enumerate(pieces[:-1]):
        pieces[number], _, count = piece.rpartition(" .. ")
        left_out += int(count)
    return pieces, left_out


def test_short_texts_stay_whole():
    assert cut_pair("a" * WHOLE, "b", PHRASE) == ("a" * WHOLE, "b")
    assert cut_one("a" * WHOLE, PHRASE) == "a" * WHOLE


@pytest.mark.parametrize("at", [0, 1, 79, 240, 1000, 5000, len(FILL) - 1, len(FILL)])
def test_a_difference_anywhere_is_shown(at):
    first, second = FILL, FILL[:at] + "XYZ" + FILL[at:]
    left, right = cut_pair(first, second, PHRASE)
    assert left != right
    assert "XYZ" in right
    assert max(len(left), len(right)) < 900
    for text, cut in ((first, left), (second, right)):
        pieces, left_out = counted(cut)
        assert sum(map(len, pieces)) + left_out == len(text)
        assert all(piece in text for piece in pieces)


def test_a_few_characters_are_not_worth_leaving_out():
    left, right = cut_pair(FILL[:1900], FILL[:310] + "#" + FILL[310:1900], PHRASE)
    assert left.startswith("word0 ")
    assert right.startswith("word0 ")


def test_several_differences_get_a_window_each_and_close_ones_share():
    second = list(FILL)
    for at in (1000, 1100, 4000, 7000, 9000, 11000, 13000):
        second[at : at + 1] = "#"
    left, right = cut_pair(FILL, "".join(second), PHRASE)
    assert right.count("#") == WINDOWS
    assert left.count(PHRASE) == WINDOWS
    assert left != right


def test_one_text_that_goes_on():
    left, right = cut_pair(FILL, FILL + "x", PHRASE)
    assert right == left + "x"


def test_equal_texts_show_head_and_tail():
    left, right = cut_pair(FILL, FILL, PHRASE)
    assert left == right == cut_one(FILL, PHRASE)
    assert left.startswith("word0 word1 ")
    assert left.endswith("word1999 ")
    assert sum(map(len, counted(left)[0])) + counted(left)[1] == len(FILL)


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param("REDACTED-password-base64-12345x", id="placeholder"),
        pytest.param("\\u0301", id="escape"),
        pytest.param("\\\\u0301", id="escape in an escape"),
        pytest.param("\\n", id="short escape"),
        pytest.param("\\U0001F600", id="long escape"),
        pytest.param("%C3", id="percent"),
        pytest.param("e\u0301\u0302", id="combining"),
        pytest.param("\ud83d\ude00", id="two surrogates"),
        pytest.param("a\u200db", id="joined"),
    ],
)
def test_no_cut_inside(unit):
    for shift in range(len(unit) + 3):
        text = "." * shift + unit * 400
        left, right = cut_pair(text, text + "!", PHRASE)
        middle = cut_pair(text + "#" + text, text + "+" + text, PHRASE)
        for cut in (left, right, *middle, cut_one(text, PHRASE)):
            for piece in counted(cut)[0]:
                assert not piece.strip(".!#+").replace(unit, "").strip(".!#+")


def test_words_are_kept_whole_where_they_are_short():
    left, _ = cut_pair(FILL, FILL[:6000] + "#" + FILL[6000:], PHRASE)
    words = set(FILL.split())
    assert all(word in words for word in counted(left)[0][1].split())


def test_common_runs_are_measured_exactly():
    rng = random.Random(4)
    for _ in range(200):
        text = "".join(rng.choice("ab") for _ in range(rng.randrange(1, 10_000)))
        at = rng.randrange(len(text) + 1)
        assert common(text, 0, text[:at] + "#" + text[at:], 0) == at
        assert common(text, at, text, at) == len(text) - at


def test_differences_start_where_they_start():
    assert differences("same", "same") == []
    assert differences("abc", "abd") == [(2, 2)]
    second = FILL[:500] + "inserted " + FILL[500:3000] + FILL[3030:]
    assert differences(FILL, second)[0] == (500, 500)
    assert len(differences(FILL, second)) == 2


def test_no_text_can_pretend_to_be_cut():
    assert choose_phrase(["a .. 5 characters left out .. b"]) == "characters not shown"
    with pytest.raises(ScanLimitError):
        choose_phrase(["characters left out characters not shown characters omitted more characters here"])


@pytest.mark.parametrize("at", range(0, 700, 23))
def test_a_secret_at_every_place_of_a_window_is_covered_or_gone(at):
    secret = "ghp_" + "a1B2" * 9
    text = FILL[:3000]
    planted = text[:at] + f" {secret} " + text[at:]
    pair = redact_pair(planted + "#" + text, planted + "+" + text, more={"input": planted})
    for out in (pair.baseline.text, pair.candidate.text, pair.more["input"].text):
        assert not any(secret[n : n + 8] in out for n in range(len(secret) - 8))
    assert pair.truncated
    assert pair.scanned
