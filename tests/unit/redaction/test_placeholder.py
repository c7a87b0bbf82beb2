"""Placeholders: injective by written form, numbered by value, walls for every detector."""

import pytest

from redaction import Scope, finds, redact_pair, redact_text
from redaction.detectors.kinds import KINDS
from redaction.placeholder import FORMS, WORDS, Table, choose_word, count_kinds, placeholders
from redaction.types import ScanLimitError


def named(table, raw, value=None, form="", *, kind="email", quote=""):
    return table.name(raw=raw, kind=kind, value=raw if value is None else value, form=form, quote=quote)


def test_one_written_form_one_name_and_one_value_one_number():
    table = Table("REDACTED")
    assert named(table, "a") == "REDACTED-email-1x"
    assert named(table, "b") == "REDACTED-email-2x"
    assert named(table, "a", kind="card") == "REDACTED-email-1x"
    assert named(table, "YQ==", "a", "base64") == "REDACTED-email-base64-1x"
    assert named(table, "%61", "a", "percent") == "REDACTED-email-percent-1x"
    assert named(table, "%61%", "a", "percent") == "REDACTED-email-3x".replace("email", "email-percent")
    assert named(table, "a", quote='"', form="number") == "REDACTED-email-number-1x"


def test_an_escaped_value_that_comes_first_needs_no_form():
    table = Table("REDACTED")
    assert named(table, r"a\n", "a\n", "escaped") == "REDACTED-email-1x"
    assert named(table, "a\n") == "REDACTED-email-plain-1x"


def test_every_name_is_recognised_again():
    for word in WORDS:
        for kind in KINDS:
            for form in ("", *FORMS):
                name = f"{word}-{kind}{'-' if form else ''}{form}-12x"
                assert [match.group() for match in placeholders(f"a{name}5")] == [name]
                assert count_kinds(name) == {kind: 1}


@pytest.mark.parametrize(
    "text",
    ["REDACTED-hunter-1x", "REDACTED-email-x", "REDACTED-email-0x", "REDACTED-email-hunter-1x", "redacted-email-1x", "SECRET-email-1x"],
)
def test_what_is_none_of_ours(text):
    assert list(placeholders(text)) == []
    assert redact_text(f"password='{text}'").text != f"password='{text}'"


def test_no_placeholder_is_a_finding():
    for kind in KINDS:
        for text in (
            f"REDACTED-{kind}-1x",
            f"password=REDACTED-{kind}-1x",
            f'{{"password":"REDACTED-{kind}-1x"}}',
            f"a://u:REDACTED-{kind}-1x@h",
            f"REDACTED-{kind}-1x@example.org",
        ):
            assert finds(text) == (), text


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["plain"], "REDACTED"),
        (["REDACTED without a dash"], "REDACTED"),
        (["a", "xREDACTED-1"], "MASKED"),
        (["redacted-email-1x", "MASKED-"], "HIDDEN"),
        ([r"\u0052EDACTED-x"], "MASKED"),
        (["RED\u200bACTED-x"], "MASKED"),
        (["REDACTED%2dx"], "MASKED"),
        ([f"{word}-" for word in WORDS[:4]], "REDACTEDA"),
    ],
)
def test_a_scope_takes_a_word_that_no_text_holds(texts, word):
    assert choose_word(texts) == word


def test_without_a_free_word_nothing_is_sent():
    text = " ".join(f"{word}-" for word in WORDS) + " jo@example.org"
    with pytest.raises(ScanLimitError):
        choose_word([text])
    assert redact_text(text).text == f"UNSCANNED-{len(text)}-bytes-1x"


def test_a_text_cannot_imitate_a_placeholder():
    pair = redact_pair('{"email":"jo@example.org"}', '{"email":"REDACTED-email-1x"}')
    assert pair.baseline.text == '{"email":"MASKED-email-1x"}'
    assert pair.candidate.text == '{"email":"REDACTED-email-1x"}'


def test_nor_one_that_comes_later():
    scope = Scope()
    first = scope.redact("jo@example.org")
    late = scope.redact("REDACTED-email-1x")
    assert first.text == "REDACTED-email-1x"
    assert late.text == "REDACTED-word-2xemail-1x"


def test_an_earlier_text_without_findings_keeps_its_word():
    scope = Scope()
    early = scope.redact("REDACTED-email-1x")
    assert early.text == "REDACTED-email-1x"
    assert scope.redact("jo@example.org").text == "MASKED-email-1x"


def test_numbers_follow_first_appearance_over_all_kinds():
    out = redact_text("b@example.org a@example.org password=zz1 b@example.org").text
    assert out == "REDACTED-email-1x REDACTED-email-2x password=REDACTED-password-3x REDACTED-email-1x"
