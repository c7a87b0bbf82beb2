"""Faults of other redactors, reported in public (study of redaction, section 9), as cases that must not happen here."""

import base64
import json

import pytest

from redaction import BALANCED, redact_pair, redact_text
from redaction.scope import LARGEST

GHP = "ghp_" + "a1B2" * 9
GHP2 = "ghp_" + "c3D4" * 9


def test_two_tokens_with_one_prefix_are_two_values():  # Yelp/detect-secrets#858
    assert redact_text(f"{GHP} {GHP2}").text == "REDACTED-github-token-1x REDACTED-github-token-2x"


def test_the_second_secret_goes_too_and_nothing_doubles():  # protectai/llm-guard#305
    out = redact_text(f"use {GHP}, then {GHP2}, then {GHP}").text
    assert out == "use REDACTED-github-token-1x, then REDACTED-github-token-2x, then REDACTED-github-token-1x"


def test_a_changed_secret_stays_a_difference():  # coinbase/terraform-landscape#68
    pair = redact_pair('{"password":"a1"}', '{"password":"b1"}')
    assert pair.baseline != pair.candidate


def test_an_unchanged_line_is_masked_alike():  # kirodotdev/KiroCrew#9541
    line = f"token={GHP} user=jo@example.org"
    pair = redact_pair(f"{line}\nold {GHP2}", f"{line}\nnew al@example.org {GHP2}")
    assert pair.baseline.text.splitlines()[0] == pair.candidate.text.splitlines()[0]


def test_overlaps_give_the_same_bytes_each_time():  # BerriAI/litellm#39879
    text = f'{{"password":"{GHP}","url":"https://jo:{GHP}@h/?token={GHP}"}}'
    assert len({redact_text(text).text for _ in range(20)}) == 1


def test_no_placeholder_is_rewritten():  # browser-use/browser-use#5248
    pair = redact_pair('{"secret":"secret","b":"password is secret","password":"REDACTED"}', "1")
    assert redact_text(pair.baseline.text).text == pair.baseline.text
    assert "REDACTED-secret-1x" in pair.baseline.text


@pytest.mark.parametrize("text", ["task-0123456789abcdefghij", "disk-0123456789abcdefghij", "job task-1 on disk-2"])
def test_nothing_inside_words(text):  # mikehasa/agentacct#31
    assert redact_text(text, policy=BALANCED).text == text


def test_names_are_numbered_and_not_hashed():  # data-privacy-stack/presidio#1102, #1845
    out = redact_text("a@example.org b@example.org a@example.org").text
    assert out == "REDACTED-email-1x REDACTED-email-2x REDACTED-email-1x"


@pytest.mark.parametrize(
    "text",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "12345678-9012-3456-7890-123456789012",
        "id 123456789, 1234567890, 1700000000",
        "7f9c2ba4e88f827d616045507605853ed73b8093",
        "1.2.3.4",
    ],
)
def test_ids_are_no_personal_data(text):  # presidio#71, pentect#398, datafog-python#158, llmgateway#3641
    assert redact_text(text, policy=BALANCED).text == text
    assert redact_text(json.dumps({"x": text})).text == json.dumps({"x": text})


@pytest.mark.parametrize("value", [["a1", "b1"], 1234, {"x": "a1"}, 'a"1', "a\\1", "a\n1"])
def test_json_stays_json(value):  # labsai/EDDI#703, kurrent-io/kcap-cli#681, NousResearch/hermes-agent#69196
    out = json.loads(redact_text(json.dumps({"password": value, "n": 1})).text)
    assert out["n"] == 1
    assert "1" not in json.dumps(out["password"]).replace("-1x", "").replace("-2x", "")


def test_json_in_a_string_is_read():  # vshulcz/deja-vu#1765
    inner = json.dumps({"password": 'a"1', "n": 1})
    out = json.loads(json.loads(redact_text(json.dumps(inner)).text))
    assert out == {"password": "REDACTED-password-1x", "n": 1}


@pytest.mark.parametrize("text", ['{"max_tokens":"100","input_tokens":"5"}', "max_tokens=100&input_tokens=5"])
def test_counts_stay(text):  # buildswithpaul/Frappe_Assistant_Core#170, artokun/comfyui-mcp-panel#1929
    assert redact_text(text, policy=BALANCED).text == text


@pytest.mark.parametrize(
    "text", ['{"userPasswordNew":"a1"}', '{"a":[{"b":{"password":"a1"}}]}', '[{"password":"a1"}]', '[[{"api_key":["a1"]}]]']
)
def test_all_depths_and_shapes(text):  # stacktale/stacktale#53, getsentry/sentry-python#7620, #7543
    assert "a1" not in redact_text(text).text


@pytest.mark.parametrize("text", ["a://jo:p@s1@h/x", "https://h/?password=s1@h", "a://jo:s1@[bad/x", "cannot parse a://jo:s1@h:port/"])
def test_addresses_that_parsers_refuse(text):  # shakacode/react_on_rails#4825, google/adk-js#602, antifailure/antifailure#418
    assert "s1" not in redact_text(text).text


@pytest.mark.parametrize("text", ["http://h:8080/@x", "http://h:8080/a?b=c@d", "see http://h:8080 and jo@h"])
def test_no_invented_credential(text):  # alphaonedev/ai-memory-mcp#3667
    assert redact_text(text, policy=BALANCED).text == text


def test_base64_at_every_alignment_and_no_one_letter_secret():  # actions/runner#291, #326
    for pad in ("", "x", "xy", "xyz"):
        text = base64.b64encode(f"{pad}sunflower7 more".encode()).decode()
        pair = redact_pair('{"password":"sunflower7"}', '{"password":"x"}', more={"m": f"{text} and x and xylophone"})
        assert pair.more["m"].text == "REDACTED-password-base64-1x and x and xylophone"


@pytest.mark.parametrize("end", ["", "\n"])
def test_encoded_twice_and_the_last_line(end):  # betterleaks/betterleaks#350, gitleaks/gitleaks#1243
    twice = base64.b64encode(base64.b64encode(f"token {GHP}".encode())).decode()
    out = redact_text(f"first\n{twice}{end}")
    assert out.kinds == {"github-token": 1}
    assert twice not in out.text


def test_redact_then_cut():  # kirodotdev/KiroCrew#5582, damianvtran/local-operator#599
    for at in range(1500, 1700, 7):
        text = "x " * (at // 2) + GHP + " y" * 2000
        pair = redact_pair(text, text + "!")
        assert not any(GHP[n : n + 8] in pair.baseline.text + pair.candidate.text for n in range(len(GHP) - 8))


def test_nul_and_emoji_do_not_shift():  # Gitlawb/zero#969, sgasser/pasteguard#145
    assert redact_text(f"\U0001f600 {GHP[:9]}\0{GHP[9:]} \U0001f600").text == "\U0001f600 REDACTED-github-token-broken-1x \U0001f600"


def test_a_message_is_redacted_before_it_is_capped():  # atlanhq/application-sdk#3914
    pair = redact_pair("1", "2", more={"error": "failed: " + "z" * 1590 + GHP})
    assert "ghp_" not in pair.more["error"].text


def test_a_harmless_word_inside_does_not_save_a_secret():  # nameforjt-afk/session-knowledge#4
    assert redact_text('{"api_key":"todo-example-a1b2"}').text == '{"api_key":"REDACTED-api-key-1x"}'


def test_a_mask_is_not_reported_again():  # awslabs/ferret-scan#524
    once = redact_text(f'{{"password":"a1","x":"{GHP}"}} ').text
    assert redact_text(once, policy=BALANCED).text == once


def test_a_removed_value_is_redacted_too():  # hashicorp/terraform-provider-helm#251
    pair = redact_pair(f'{{"password":"a1","x":"{GHP}"}}', "{}")
    assert pair.baseline.text == '{"password":"REDACTED-password-1x","x":"REDACTED-github-token-2x"}'


def test_too_large_is_not_sent():  # Fubuyunhua/pi-context-vault#70
    assert redact_text("a" * (LARGEST + 1)).text == f"UNSCANNED-{LARGEST + 1}-bytes-1x"
