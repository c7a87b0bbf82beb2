"""Pairs, scopes and failures: equality and difference survive, and whatever fails sends nothing."""

import json
import sys

import pytest

import redaction.scope
from redaction import BALANCED, Scope, finds, redact_pair, redact_text
from redaction.scan import MOST
from redaction.scope import LARGEST

SECRET = "ghp_" + "a1B2" * 9
PAIRS = {
    "equal": ('{"a":1}', '{"a":1}'),
    "other value": ('{"a":1}', '{"a":2}'),
    "secret became another": ('{"password":"one1"}', '{"password":"two2"}'),
    "secret became null": ('{"password":"one1"}', '{"password":null}'),
    "secret became empty": ('{"password":"one1"}', '{"password":""}'),
    "secret became a number": ('{"pin":"1234"}', '{"pin":1234}'),
    "secret became its base64": ('{"x":"jo@example.org"}', '{"x":"am9AZXhhbXBsZS5vcmc="}'),
    "secret became its hex": ('{"x":"jo@example.org"}', '{"x":"6a6f406578616d706c652e6f7267"}'),
    "secret became percent-encoded": ('{"x":"jo@example.org"}', '{"x":"jo%40example.org"}'),
    "other hex case": ('{"x":"jo%4fx@example.org"}', '{"x":"jo%4Fx@example.org"}'),
    "secret lost its case": ('{"password":"Abcdefg1"}', '{"password":"abcdefg1"}'),
    "secret got a blank": ('{"password":"abcdefg1"}', '{"password":"abcdefg1 "}'),
    "secret got an invisible character": (f'{{"x":"{SECRET}"}}', f'{{"x":"{SECRET[:9]}\\u200b{SECRET[9:]}"}}'),
    "secret changed its Unicode form": ('{"password":"caf\\u00e9 1"}', '{"password":"cafe\\u0301 1"}'),
    "secret got an escape": ('{"password":"a\\n1"}', '{"password":"a\\\\n1"}'),
    "secret moved": ('{"a":"jo@example.org","b":""}', '{"a":"","b":"jo@example.org"}'),
    "secret doubled": ('["jo@example.org"]', '["jo@example.org","jo@example.org"]'),
    "secret glued": (f'["{SECRET}"]', f'["{SECRET}1"]'),
    "only one side is a secret": ('{"x":"jo@example.org"}', '{"x":"jo at example.org"}'),
    "imitates a placeholder": ('{"x":"jo@example.org"}', '{"x":"REDACTED-email-1x"}'),
    "imitates a cut": ("x" * 5000, "x" * 960 + " .. 3560 characters left out .. " + "x" * 480),
    "wrapped by a list": ('"jo@example.org"', '["jo@example.org"]'),
    "key became another": ('{"jo@example.org":1}', '{"al@example.org":1}'),
    "long, and differs in a secret": (f'["{"x " * 3000}","{SECRET}"]', f'["{"x " * 3000}","{SECRET[:-1]}9"]'),
    "long, and differs at the end": ("[" + "1," * 5000 + "1]", "[" + "1," * 5000 + "2]"),
    "long, and one goes on": ("ab " * 2000, "ab " * 2001),
    "not JSON": ("password: hunter2x", "password: hunter3x"),
    "both too large": ("x" * (LARGEST + 1), "y" * (LARGEST + 1)),
    "one too large": ("x" * (LARGEST + 1), "UNSCANNED-4194305-bytes-1x"),
    "surrogates": ('"\ud800"', '"\udc00"'),
}


@pytest.mark.parametrize(("baseline", "candidate"), PAIRS.values(), ids=PAIRS)
def test_pairs_keep_equality_and_difference(baseline, candidate):
    pair = redact_pair(baseline, candidate, more={"input": baseline, "other": candidate})
    assert (pair.baseline == pair.candidate) == (baseline == candidate)
    assert pair.more["input"] == pair.baseline
    assert pair.more["other"] == pair.candidate
    turned = redact_pair(candidate, baseline)
    assert (turned.baseline == turned.candidate) == (baseline == candidate)


def test_one_value_has_one_number_in_all_texts():
    pair = redact_pair(
        '{"error":"unknown jo@example.org"}',
        '{"user":"jo@example.org","mail":"al@example.org"}',
        more={"fixture": '{"login":"jo@example.org"}', "message": "jo@example.org, al@example.org"},
    )
    assert pair.more["fixture"].text == '{"login":"REDACTED-email-1x"}'
    assert pair.baseline.text == '{"error":"unknown REDACTED-email-1x"}'
    assert pair.candidate.text == '{"user":"REDACTED-email-1x","mail":"REDACTED-email-2x"}'
    assert pair.more["message"].text == "REDACTED-email-1x, REDACTED-email-2x"
    assert pair.legend.text == "Hidden: 2 email. One number is one value; other numbers are other values."
    assert pair.legend.kinds == {"email": 2}
    assert pair.scanned
    assert not pair.truncated


def test_the_same_value_in_another_form_shows_its_number_and_form():
    pair = redact_pair('{"x":"jo@example.org"}', '{"x":"jo%40example.org"}')
    assert pair.baseline.text == '{"x":"REDACTED-email-1x"}'
    assert pair.candidate.text == '{"x":"REDACTED-email-percent-1x"}'


def test_a_harmless_pair_says_so():
    pair = redact_pair("1", "2")
    assert (pair.baseline.text, pair.candidate.text, pair.legend.text) == ("1", "2", "Nothing was hidden.")


def test_at_says_what_a_part_is():
    pair = redact_pair('"hunter"', '"tiger"', at="/users/0/password", more={"note": "the input"})
    assert pair.baseline.text == '"REDACTED-password-1x"'
    assert pair.candidate.text == '"REDACTED-password-2x"'
    assert redact_text("1234", at="/card/pin").text == "REDACTED-pin-1x"
    assert redact_text("1234", at="/card/number").text == "1234"


def test_at_and_the_whole_text_agree():
    scope = Scope(['{"password":"hunter"}'])
    assert scope.redact('{"password":"hunter"}').text == '{"password":"REDACTED-password-1x"}'
    assert scope.redact('"hunter"', at="/password").text == '"REDACTED-password-1x"'


def test_at_spreads_to_texts_that_come_before():
    pair = redact_pair('"sunflower7"', '"tiger-lily7"', at="/password", more={"note": "is tiger-lily7, was sunflower7"})
    assert pair.more["note"].text == "is REDACTED-password-1x, was REDACTED-password-2x"


def test_a_cut_text_keeps_its_placeholders():
    text = "word " * 600
    pair = redact_pair(f"{text} jo@example.org, 1", f"{text} jo@example.org, 2")
    assert pair.truncated
    assert pair.baseline.text.endswith(" REDACTED-email-1x, 1")
    assert pair.candidate.text.endswith(" REDACTED-email-1x, 2")
    assert pair.legend.text.startswith("Hidden: 1 email.")


def test_an_unscanned_text_is_told_by_its_size_alone():
    large = "jo@example.org " + "\u00e9" * LARGEST
    pair = redact_pair(large, "jo@example.org")
    assert pair.baseline.text == f"UNSCANNED-{len(large.encode())}-bytes-1x"
    assert pair.candidate.text == "REDACTED-email-1x"
    assert not pair.scanned
    assert finds(large) == ("unscanned",)
    assert redact_text(large).kinds == {}


@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, AssertionError])
def test_any_fault_sends_nothing(monkeypatch, error):
    def broken(*_args, **_named):
        raise error

    for module in ("redaction.scope", "redaction.look"):
        monkeypatch.setattr(sys.modules[module], "Scanner", broken)
    pair = redact_pair("jo@example.org", "al@example.orgs", more={"input": "jo@example.org", "n": "1"})
    assert pair.baseline.text == "UNSCANNED-14-bytes-1x"
    assert pair.candidate.text == "UNSCANNED-15-bytes-3x"
    assert pair.more["n"].text == "UNSCANNED-1-bytes-2x"
    assert pair.legend.text == "Nothing was hidden. What could not be scanned is not shown."
    assert pair.more["input"] == pair.baseline
    assert not pair.scanned
    assert redact_text("jo@example.org").text == "UNSCANNED-14-bytes-1x"
    assert finds("jo@example.org") == ("unscanned",)


def test_an_interrupt_is_no_fault(monkeypatch):
    def interrupted(*_args, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr(redaction.scope, "Scanner", interrupted)
    with pytest.raises(KeyboardInterrupt):
        redact_text("x")


def test_a_fault_in_cutting_sends_nothing(monkeypatch):
    def broken(*_args):
        raise ZeroDivisionError

    monkeypatch.setattr(redaction.scope, "cut_pair", broken)
    pair = redact_pair("a" * 5000, "b" * 5000)
    assert {pair.baseline.text, pair.candidate.text} == {"UNSCANNED-5000-bytes-1x", "UNSCANNED-5000-bytes-2x"}
    assert not pair.scanned


def test_what_a_cut_lays_bare_is_hidden(monkeypatch):
    monkeypatch.setattr(
        redaction.scope, "cut_pair", lambda first, second, _: (first[:100] + " jo@example.org", second[:100] + " al@example.org")
    )
    pair = redact_pair("a " * 2000, "b " * 2000)
    assert "@" not in pair.baseline.text + pair.candidate.text
    assert pair.baseline != pair.candidate


def test_a_text_that_never_settles_is_not_sent(monkeypatch):
    real = redaction.scope.Scanner.scan

    def restless(self, text, kind=None):
        return [*real(self, text, kind), redaction.scope.Span(0, 1, "email", text[:1])]

    monkeypatch.setattr(redaction.scope.Scanner, "scan", restless)
    assert redact_text("plain").text == "UNSCANNED-5-bytes-1x"


def test_only_text_goes_in():
    with pytest.raises(TypeError):
        redact_text(b"jo@example.org")
    with pytest.raises(TypeError):
        Scope().redact(None)


def test_finds_names_kinds_in_order():
    assert finds(json.dumps({"a": "jo@example.org", "password": "x1", "b": SECRET})) == ("email", "password", "github-token")
    assert finds("nothing") == ()
    assert not finds("")


def test_two_runs_are_equal():
    text = " ".join(f"user{n % 7}@example.org token=abc{n % 5}def" for n in range(200))
    assert redact_text(text).text == redact_text(text).text


def test_a_text_that_holds_too_much_to_hide_is_closed():
    many = "\n".join(f"u{number}@bank-{number}.com" for number in range(MOST + 1))
    assert redact_text(many, policy=BALANCED).text == f"UNSCANNED-{len(many)}-bytes-1x"
    fewer = "\n".join(many.split("\n")[:2000])
    assert redact_text(fewer, policy=BALANCED).kinds == {"email": 2000}
