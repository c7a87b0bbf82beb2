"""What is left of a known value that was cut. Each table has its harmless twin."""

import time

import pytest

from redaction import BALANCED, Policy, redact_pair
from redaction.cuts import Pieces

TOKEN = "k9Qz-7Hm2xW4vB8nRtY-5LcJp3sD"
PHRASE = "vexhib brapliv javqua drobkol drobkol"
LEFT = {
    "head": (TOKEN, "k9Qz-7Hm2xW4"),
    "tail": (TOKEN, "tY-5LcJp3sD"),
    "tail of a phrase that repeats itself": (PHRASE, "qua drobkol drobkol"),
    "middle": (TOKEN, "7Hm2xW4vB8nRt"),
    "middle, in capitals": (TOKEN, "7HM2XW4VB8NRT"),
    "all but the last character": (TOKEN, TOKEN[:-1] + "x"),
    "all but the first character": (TOKEN, "x" + TOKEN[1:]),
    "value found with a pair behind it": ("nH4kQz7Wx2mV9b&c=d", "4kQz7Wx2mV9b"),
    "middle with a sign": ("xAOBK0tMm@iUgIs1y", "BK0tMm@iUgIs1"),
    "figures without their last": ("477396174", "47739617"),
    "groups without the last one": ("2 34 11 79 915 405 44", "2 34 11 79 915 405"),
    "groups without the sign": ("+49 151 33411396", "49 151 33411396"),
}
NOTHING = {
    "a word of a phrase": (PHRASE, "a drobkol b"),
    "a word that a short value begins with": ("basement1", "the basement is dry"),
    "a stretch within another word": (TOKEN, "aa7Hm2xW4vB8bb"),
    "letters out of the middle": ("first-abcdefghijklmnopq-last", "abcdefghijklmnopq"),
    "seven characters": (TOKEN, "k9Qz-7H"),
}


def said(value, piece, profile):
    return redact_pair("a", "b", more={"said": f"and {piece} was said"}, policy=Policy(profile=profile, exact=(value,))).more["said"].text


@pytest.mark.parametrize("profile", ["balanced", "strict"])
@pytest.mark.parametrize(("value", "piece"), LEFT.values(), ids=LEFT)
def test_a_piece_is_hidden(value, piece, profile):
    out = said(value, piece, profile)
    assert out.startswith("and REDACTED-")
    assert out.endswith("x was said")
    assert piece.lower() not in out.lower()


@pytest.mark.parametrize(("value", "text"), NOTHING.values(), ids=NOTHING)
def test_what_says_nothing_stays(value, text):
    assert said(value, text, "balanced") == f"and {text} was said"


def test_values_that_end_alike_are_all_compared():
    pieces = Pieces()
    for value in (f"{TOKEN}%20{TOKEN[::-1]}", f"{TOKEN} {TOKEN[::-1]}"):
        pieces.keep(value.lower())
    text = f"{TOKEN[8:]} {TOKEN[::-1]}".lower()
    assert (0, len(text)) in {(cut.start, cut.end) for cut in pieces.search(text)}


def test_encoded_documents_that_begin_alike_are_not_one():
    head = "eyJ0eXBlIjoidXNlciIsImNpdHkiOiJCZXJs"  # {"type":"user","city":"Berl
    hidden, open_one = head + "aW4iLCJwYXNzd29yZCI6Imh1bnRlcjJ4In0=", head + "aW4iLCJuYW1lIjoiSm8ifQ=="
    pair = redact_pair(hidden, open_one, policy=BALANCED)
    assert pair.baseline.text == "REDACTED-password-base64-1x"
    assert pair.candidate.text == open_one


@pytest.mark.parametrize("unit", ["ab1", "abab1abab1", TOKEN[:12].lower(), "abcdefgh1 "])
def test_linear_however_often_a_piece_stands_there(unit):
    pieces = Pieces()
    for value in (unit * (240 // len(unit)), unit * 2 + "x", "x" + unit * 9):
        pieces.keep(value)

    def seconds(text):
        least = 9.0
        for _ in range(4):
            begin = time.process_time()
            assert sum(1 for _ in pieces.search(text)) >= 0
            least = min(least, time.process_time() - begin)
        return least

    assert seconds(unit * (160_000 // len(unit))) <= 8 * max(seconds(unit * (40_000 // len(unit))), 0.002)
