"""The last look: what still shows in a text that is about to leave, and where a person has to mend one."""

import pytest

from gate.hostile import MINIMUM
from prelabel.seen import fixture_faults
from redaction import Policy, Seen, leaks, look, redact_pair, redact_text
from redaction import look as look_at
from redaction.look import LARGEST

TOKEN = "ghp_" + "a1B2" * 9


def test_look_says_kind_and_place():
    text = f"call jo@example.org with {TOKEN}"
    assert look(text) == (Seen("email", 5, 19), Seen("github-token", 25, 65))
    assert look_at("nothing here") == ()


@pytest.mark.parametrize(
    ("out", "raw", "kinds"),
    [
        pytest.param("REDACTED-github-token-1x", [TOKEN], (), id="hidden"),
        pytest.param(f"x {TOKEN}", [], ("github-token",), id="found-by-its-shape"),
        pytest.param("sunshine77 it is", ['{"password":"sunshine77"}'], ("password",), id="found-where-it-came-from"),
        pytest.param("c3Vuc2hpbmU3NyBpdCBpcw==", ['{"password":"sunshine77"}'], ("password",), id="in-base64"),
        pytest.param("known-to-us-1", [], ("known-value",), id="known-beforehand"),
        pytest.param("x" * (LARGEST + 1), [], ("unscanned",), id="too-long-to-look"),
    ],
)
def test_what_still_shows(out, raw, kinds):
    assert leaks([out], raw, policy=Policy(exact=("known-to-us-1",))) == kinds


def test_an_extra_that_fails_is_no_clean_look():
    def broken(_text):
        raise RuntimeError

    assert leaks(["harmless text"], policy=Policy(extras=(broken,))) == ("unscanned",)
    assert look("harmless text", policy=Policy(extras=(broken,)))[0].kind == "unscanned"
    assert not redact_pair("harmless text", "other text", policy=Policy(extras=(broken,))).scanned


def test_what_was_redacted_before_is_no_leak():
    once = redact_text('{"password":"sunshine77"}').text
    assert leaks([redact_text(once).text], [once, '{"password":"sunshine77"}']) == ()


@pytest.mark.parametrize("fixture", [pytest.param(one, id=one.name) for one in MINIMUM])
def test_what_init_writes_into_a_corpus_holds_nothing(fixture):
    assert fixture_faults(fixture.payload, fixture.name, Policy()) == []
