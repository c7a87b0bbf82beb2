"""Advice as a value: one line that is safe in every medium, and no other form."""

from __future__ import annotations

import unicodedata
from dataclasses import FrozenInstanceError, replace

import pytest

from prelabel.types import REASON_LIMIT, Advice, one_line
from tests.timing import within

ADVICE = Advice(
    id="a.json", field="value", fingerprint="0123456789ab", label="reject", rule="null-empty", reason="Missing is not empty.", source="rule"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("Plain words, and more; is it? (yes) don't - 1.5", "Plain words, and more; is it? (yes) don't - 1.5", id="plain"),
        pytest.param("a\nb\r\nc\td\x0be\x85f\u2028g", "a b c d e f g", id="lines"),
        pytest.param("a\x00b\x1b[31mc\x7f\x9bd", "a b 31mc d", id="controls"),
        pytest.param("a\u202eb\u2066c\u200ed\u061ce", "a b c d e", id="bidi"),
        pytest.param("a\u200bb\u200dc\ufeffd\u2060e\u00adf", "a b c d e f", id="zero width"),
        pytest.param("a\u3164b\u115fc\uffa0d\u2800e\u00a0f\u3000g", "a b c d e f g", id="blank letters and spaces"),
        pytest.param("a\u0301\u0301\u0301b\u20ddc\ufe0fd", "á b c d", id="combining"),
        pytest.param("a\U000e0041b\U0001f600c\ue000d\ud800e\u0378f", "a b c d e f", id="tags, emoji, private, surrogate, unassigned"),
        pytest.param("`code` ```x", "code x", id="backticks"),
        pytest.param("<b>x</b> <!-- y -->", "b x b - y -", id="HTML"),
        pytest.param("a | b || c", "a b c", id="table"),
        pytest.param("![x](y) [z][1]", "x (y) z 1", id="links"),
        pytest.param("@octocat and a@b.example", "octocat and a b.example", id="mentions"),
        pytest.param("#1 org/repo#2 GH-3 gh-4 GH--5 !6 ~7 $8 %9", "1 org repo 2 GH 3 gh 4 GH 5 6 7 8 9", id="issues"),
        pytest.param("https://x.example/?a=b ftp://y www.z.example WWW.Q", "https x.example ?a b ftp y www z.example WWW Q", id="URLs"),
        pytest.param("::error file=x::y ##[group]", "error file x y group", id="workflow commands"),
        pytest.param("*a* _b_ ~~c~~ \\d {e} &amp; ^f =g", "a b c d e amp; f g", id="markup"),
        pytest.param('say "x" : y', "say x y", id="quotes and colons"),
        pytest.param("- item", "item", id="list"),
        pytest.param("--- \n...", "", id="document ends"),
        pytest.param("1. item", "1 item", id="numbered"),
        pytest.param("12) item", "12 item", id="numbered with bracket"),
        pytest.param("(1) item", "1 item", id="in brackets"),
        pytest.param("1.5 seconds", "1.5 seconds", id="a number stays"),
        pytest.param("? key", "key", id="YAML key"),
        pytest.param("'quoted", "quoted", id="YAML quote"),
        pytest.param("!tag &anchor *alias %dir", "tag anchor alias dir", id="YAML indicators"),
        pytest.param("> quote", "quote", id="quote"),
        pytest.param("/close", "close", id="quick action"),
        pytest.param("x --> y ---- z", "x - y - z", id="dashes"),
        pytest.param("שלום שלום ok", "ok", id="right to left"),
        pytest.param("größer, 大きい, больше", "größer, 大きい, больше", id="other scripts"),
        pytest.param("e\u0301", "é", id="composed"),
        pytest.param("", "", id="empty"),
        pytest.param("\u202e\u200b", "", id="nothing left"),
    ],
)
def test_one_line(text, line):
    assert one_line(text) == unicodedata.normalize("NFC", line)
    assert one_line(one_line(text)) == one_line(text)


@pytest.mark.parametrize("text", ["word " * 60, "x" * 121, "x" * 100_000, "a. " * 90, "x" + "\u0301\u0323" * 50_000])
def test_a_long_line_is_cut(text):
    with within(40):
        line = one_line(text)
        assert len(line) <= REASON_LIMIT
        assert one_line(line) == line


def test_what_is_cut_says_so():
    assert one_line("x" * 120) == "x" * 120
    assert one_line("x" * 121) == "x" * 116 + " ..."


# the value


def test_advice_cannot_be_edited():
    with pytest.raises(FrozenInstanceError):
        ADVICE.label = "accept"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"label": "ignore"}, "unknown label"),
        ({"label": "Reject"}, "unknown label"),
        ({"source": "model"}, "unknown source"),
        ({"rule": None}, "a rule is named exactly"),
        ({"source": "none"}, "a rule is named exactly"),
        ({"fingerprint": "0123456789AB"}, "12 hex digits"),
        ({"fingerprint": "0123456789ab0"}, "12 hex digits"),
        ({"fingerprint": "0123456789ab\n"}, "12 hex digits"),
        ({"reason": ""}, "one plain line"),
        ({"reason": "a\nb"}, "one plain line"),
        ({"reason": "see `x`"}, "one plain line"),
        ({"reason": "x" * 121}, "one plain line"),
        ({"reason": " x"}, "one plain line"),
    ],
    ids=str,
)
def test_no_advice_in_another_form(change, says):
    with pytest.raises(ValueError, match=says):
        replace(ADVICE, **change)
