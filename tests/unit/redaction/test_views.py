"""Readings of a text, and the way back to its own positions."""

import pytest

from redaction.types import Span
from redaction.views import escape_quote, fold, percent, unescape


def covered(view, text, inside):
    """What of ``text`` a finding of ``inside`` covers."""
    at = view.text.index(inside)
    (span,) = view.lift([Span(at, at + len(inside), "email", inside)])
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("read", "text", "plain", "inside", "outside"),
    [
        (fold, "ab\u200bcd\u200b.", "abcd.", "abcd", "ab\u200bcd"),
        (fold, "\0ab\0\0c\0", "abc", "abc", "ab\0\0c"),
        (fold, "x\x1b[31;1mab\x1b[0mc", "xabc", "abc", "ab\x1b[0mc"),
        (fold, "e\u0301a\ud800b", "eab", "ab", "a\ud800b"),
        (unescape, r"x\u0061\x62\nc", "xab\nc", "ab\nc", r"\u0061\x62\nc"),
        (unescape, r"a\\b\"c\q", 'a\\b"cq', '\\b"c', r"\\b\"c"),
        (unescape, "a\\", "a\\", "a", "a"),
        (unescape, r"\U0001F600\UFFFFFFFFx", "\U0001f600?x", "x", "x"),
        (percent, "a%20b%C3%A9c", "a b\u00e9c", " b\u00e9", "%20b%C3%A9"),
        (percent, "100%, a%2fb", "100%, a/b", "a/b", "a%2fb"),
    ],
)
def test_there_and_back(read, text, plain, inside, outside):
    view = read(text)
    assert view.text == plain
    assert covered(view, text, inside) == outside


@pytest.mark.parametrize(("read", "text"), [(fold, "caf\u00e9 \n\t\U0001f600"), (unescape, "a/b"), (percent, "100% sure %zz")])
def test_nothing_to_read_otherwise(read, text):
    assert read(text) is None


def test_a_quote_further_out():
    assert escape_quote('"') == '\\"'
    assert escape_quote(escape_quote('"')) == '\\\\\\"'
