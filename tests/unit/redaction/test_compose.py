"""From `Redacted` to `Redacted`: no seam, literal or escape makes a hole."""

import html

import pytest

from redaction import Redacted, join, literal, redact_text, render, shorten


def test_join_adds_up():
    out = join(" | ", [literal("who"), redact_text("jo@example.org"), redact_text("al@example.org")])
    assert type(out) is Redacted
    assert out.text == "who | REDACTED-email-1x | REDACTED-email-1x"
    assert out.kinds == {"email": 2}
    assert join(", ", []).text == ""


@pytest.mark.parametrize("part", ["text", None, 1, b"x"])
def test_join_takes_redacted_only(part):
    with pytest.raises(TypeError):
        join("", [literal("a"), part])
    with pytest.raises(TypeError):
        render(part, str)
    with pytest.raises(TypeError):
        shorten(part, 10)


@pytest.mark.parametrize("text", ["jo@example.org", "ghp_" + "a1B2" * 9, "password=hunter2", "a://u:pw@h"])
def test_a_literal_holds_nothing_to_hide(text):
    with pytest.raises(ValueError, match="not a literal of ours"):
        literal(text)
    with pytest.raises(ValueError, match="not a literal of ours"):
        join(text, [])


def test_a_seam_is_scanned():
    halves = [redact_text("ghp_"), redact_text("a1B2" * 9)]
    assert join("", halves).text == "REDACTED-github-token-1x"
    assert join(" ", halves).text == "ghp_ " + "a1B2" * 9


def test_a_seam_does_not_rewrite_placeholders():
    out = join("", [literal("password: "), redact_text("jo@example.org"), literal(" and "), redact_text("x", at="/password")])
    assert out.text == "password: REDACTED-email-1x and REDACTED-password-1x"


def test_render_escapes_and_scans_again():
    assert render(redact_text("<b>jo@example.org</b>"), html.escape).text == "&lt;b&gt;REDACTED-email-1x&lt;/b&gt;"
    assert render(literal("x"), lambda _: "jo@example.org").text == "REDACTED-email-1x"
    assert render(redact_text("jo@example.org"), str.upper).kinds == {"email": 1}


def test_shorten_keeps_placeholders_whole():
    part = redact_text("a" * 40 + " jo@example.org " * 50)
    out = shorten(part, 200)
    assert len(out.text) < 260
    assert "characters left out" in out.text
    assert out.text.count("REDACTED") == out.text.count("REDACTED-email-1x")
    assert out.kinds == {"email": 1}
    assert shorten(literal("short"), 200).text == "short"
