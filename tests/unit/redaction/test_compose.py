"""From `Redacted` to `Redacted`: nothing that is put around it makes a hole, and nothing of it is lost."""

import html

import pytest

from redaction import STRICT, composed, leaks, redact_text, render
from redaction.scope import LARGEST

SECRET = "hunter2" + "secret"


@pytest.mark.parametrize("part", ["text", None, 1, b"x"])
def test_render_takes_redacted_only(part):
    with pytest.raises(TypeError):
        render(part, str)


def test_render_escapes_and_scans_again():
    assert render(redact_text("<b>jo@example.org</b>"), html.escape).text == "&lt;b&gt;REDACTED-email-1x&lt;/b&gt;"
    assert render(redact_text("x"), lambda _: "jo@example.org").text == "REDACTED-email-1x"
    assert render(redact_text("jo@example.org"), str.upper).kinds == {"email": 1}


COMPOSED = {
    "an open quote swallows no line": "- x password='\n+ y\n",
    "a sentence goes on behind a placeholder": "- The password is REDACTED-password-1x. and so on\n",
    "a placeholder in quotes": "a: \"K='REDACTED-secret-1x -> \"K='REDACTED-secret-2x",
    "names of two lines": "| user | password |\n| bob | builder |",
}


@pytest.mark.parametrize("text", COMPOSED.values(), ids=COMPOSED)
def test_parts_that_stand_beside_each_other_are_left_alone(text):
    assert composed(text, STRICT).text == text
    assert leaks((text,), composed=True) == ()


def test_what_stands_open_in_a_line_is_hidden():
    text = f"one\npassword={SECRET}\nREDACTED-password-1x and password={SECRET}"
    out = composed(text, STRICT)
    assert out.text == "one\npassword=MASKED-password-1x\nREDACTED-password-1x and password=MASKED-password-1x"
    assert leaks((text,), composed=True) == ("password",)


def test_a_line_that_cannot_be_looked_through_closes_all():
    assert composed("fine\n" + "x" * (LARGEST + 1), STRICT).text.startswith("UNSCANNED-")


IMITATED = {
    "quoted": 'password="REDACTED-email-1x hunter2Xq9zR"',
    "glued": "DB_PASSWORD=REDACTED-email-1x-hunter2Xq9zR",
    "in JSON": '{"password":"REDACTED-email-1x-hunter2Xq9zR"}',
    "a cookie": "Cookie: sid=REDACTED-email-1x-hunter2Xq9zR",
    "a header": "Authorization: Bearer REDACTED-email-1x-hunter2Xq9zR",
    "an address": "https://bob:REDACTED-email-1x-hunter2Xq9zR@db.internal/x",
}


@pytest.mark.parametrize("text", IMITATED.values(), ids=IMITATED)
def test_an_imitation_hides_nothing(text):
    assert "hunter2" not in composed(text, STRICT).text
    assert leaks((text,), composed=True) != ()
