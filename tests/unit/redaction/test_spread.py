"""What was found once is hidden everywhere in the scope, in every form."""

import base64
import json
from urllib.parse import quote

import pytest

from redaction import Scope, redact_pair
from redaction.spread import Known
from redaction.types import ScanLimitError, Span

VALUE = "Xy7 p\u00e4ss/w\u00f6rd"
CARRIED = {
    "plain": VALUE,
    "glued": f"a{VALUE}b",
    "json": json.dumps({"x": [VALUE]}),
    "json raw": json.dumps({"x": [VALUE]}, ensure_ascii=False),
    "json key": json.dumps({VALUE: 1}),
    "nested json": json.dumps(json.dumps([VALUE])),
    "percent": f"https://h/?q={quote(VALUE)}",
    "percent, everything": f"q={quote(VALUE, safe='')}",
    "base64": base64.b64encode(VALUE.encode()).decode(),
    "base64, shifted by one": base64.b64encode(b"x" + VALUE.encode() + b"y").decode(),
    "base64, shifted by two": base64.b64encode(b"xy" + VALUE.encode()).decode(),
    "base64url": base64.urlsafe_b64encode(b"\xff" + VALUE.encode()).decode(),
    "hex": VALUE.encode().hex(),
    "python repr": repr(VALUE.encode("utf-16-be"))[:0] + ascii(VALUE),
    "broken": VALUE[:3] + "\u200b" + VALUE[3:],
}


@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
def test_every_form_in_another_text(text):
    pair = redact_pair(json.dumps({"password": VALUE}), json.dumps({"password": "other"}), more={"message": text})
    out = pair.more["message"]
    assert out.kinds == {"password": 1}
    assert "-1x" in out.text
    assert "p\u00e4ss" not in out.text
    assert "Xy7" not in out.text


def test_the_values_differ_also_elsewhere():
    pair = redact_pair('{"password":"first-one"}', '{"password":"other-one"}', more={"message": "first-one became other-one"})
    assert pair.more["message"].text == "REDACTED-password-1x became REDACTED-password-2x"


@pytest.mark.parametrize(
    ("value", "text", "wanted"),
    [
        pytest.param("hunter2", "bad hunter2.", "bad REDACTED-password-1x.", id="short, mixed"),
        pytest.param("hunter2", "bad hunter22", "bad hunter22", id="short, inside a word"),
        pytest.param("abc1", "bad abc1", "bad abc1", id="too short"),
        pytest.param("required!", "is required!", "is REDACTED-password-1x", id="eight characters"),
        pytest.param("password", "the password", "the password", id="an ordinary word"),
        pytest.param("sunflower", "a sunflower field", "a REDACTED-password-1x field", id="a word"),
        pytest.param("sunflower", "sunflowers", "sunflowers", id="a word inside a word"),
        pytest.param("12345678", "n=12345678, 123456789", "n=REDACTED-password-1x, 123456789", id="figures"),
        pytest.param("aaaaaaaa", "aaaaaaaaaaaa", "aaaaaaaaaaaa", id="one letter"),
    ],
)
def test_what_is_worth_spreading(value, text, wanted):
    pair = redact_pair(json.dumps({"password": value}), "null", more={"message": text})
    assert pair.more["message"].text == wanted


def test_the_longest_value_wins():
    pair = redact_pair('{"password":"abcdef12"}', '{"password":"abcdef1234"}', more={"m": "abcdef1234 abcdef12"})
    assert pair.more["m"].text == "REDACTED-password-1x REDACTED-password-2x"


def test_a_value_at_the_end_that_begins_a_longer_one():
    pair = redact_pair('{"password":"abcdef12"}', '{"password":"abcdef1234"}', more={"m": '["abcdef12"]'})
    assert pair.more["m"].text == '["REDACTED-password-1x"]'


def test_more_values_than_heads():
    values = [f"{head}{number}-secret" for head in "abcdefghijklmnopqrstuvwxyz" for number in (10, 20)]
    scope = Scope([json.dumps([{"password": value} for value in values])])
    out = scope.redact(" ".join(reversed(values))).text
    assert not any(value in out for value in values)
    assert len(set(out.split())) == len(values)


def test_a_scope_spreads_from_texts_given_at_the_start():
    scope = Scope(['{"password":"sunflower7"}'])
    assert scope.redact("sunflower7").text == "REDACTED-password-1x"


def test_too_many_lengths_close():
    known = Known()
    with pytest.raises(ScanLimitError):
        known.add(Span(0, 1, "password", "abcdef1" + "x" * n) for n in range(100))
