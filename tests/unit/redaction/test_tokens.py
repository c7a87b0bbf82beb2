"""Token rules: every one is needed, finds its example in every carrier, and leaves harmless words alone."""

import base64
import json
import random
import re
from urllib.parse import quote

import pytest

from redaction import BALANCED, finds, redact_text
from redaction.detectors.pack import RULES
from redaction.views import compiled

_IDS = (
    "private-key putty-key age-key jwt aws-key-id github-token github-pat gitlab-token slack-token slack-app-token slack-webhook "
    "discord-webhook discord-token stripe-key webhook-secret anthropic-key openrouter-key openai-key google-api-key google-oauth "
    "google-secret google-refresh npm-token pypi-token rubygems-key docker-token crates-token nuget-key sendgrid-key twilio-key "
    "mailgun-key mailchimp-key brevo-key postman-key telegram-token hugging-face-token replicate-token groq-key xai-key perplexity-key "
    "tavily-key langsmith-key wandb-key digitalocean-token heroku-key fly-token netlify-token supabase-key planetscale-token linear-key "
    "notion-token airtable-token figma-token atlassian-token doppler-token vault-token terraform-token pulumi-token databricks-token "
    "sentry-token grafana-token new-relic-key dynatrace-token sonar-token circleci-token buildkite-token shopify-token square-token "
    "alibaba-key-id azure-secret one-password-token plaid-token dropbox-token facebook-token"
)
IDS = _IDS.split()
FORMS = {
    "plain": lambda s: f"before {s} after",
    "quoted": lambda s: f"{{'x': '{s}'}}",
    "json": lambda s: json.dumps({"x": ["a", s]}),
    "nested-json": lambda s: json.dumps({"x": json.dumps({"y": s})}),
    "key": lambda s: json.dumps({s: 1}),
    "escaped": lambda s: json.dumps({"x": "ESC"}).replace("ESC", "".join(f"\\u{ord(c):04x}" for c in s)),
    "percent": lambda s: f"https://h.example/?q={quote(s, safe='')}&r=1",
    "base64": lambda s: base64.b64encode(f"see {s} there".encode()).decode(),
    "hex": lambda s: f"see {s} there".encode().hex(),
    "zero-width": lambda s: s[:9] + "\u200b" + s[9:],
    "visible-zero-width": lambda s: json.dumps(s[:9] + "\u200b" + s[9:]),
    "nul": lambda s: s[:9] + "\0" + s[9:],
    "ansi": lambda s: s[:5] + "\x1b[31m" + s[5:],
    "comment": lambda s: f"{s} # gitleaks:allow pragma: allowlist secret kingfisher:ignore betterleaks:allow",
}


def example(rule, seed=1):
    return rule.make(random.Random(seed).choice)


def hidden(rule, text):
    """The part of an example that the rule hides."""
    found = compiled(rule.pattern).search(text)
    return found.group(rule.group)


def test_the_rules_are_these():
    assert [rule.id for rule in RULES] == IDS


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_example_is_found_by_its_own_rule(rule):
    for seed in range(20):
        text = example(rule, seed)
        assert any(trigger in text for trigger in rule.triggers)
        assert finds(text)[0] == rule.id
        assert hidden(rule, text) not in redact_text(text).text


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_eight_characters_of_it_survive(rule, form):
    text = example(rule, 7)
    secret = hidden(rule, text)
    carried = FORMS[form](text)
    out = redact_text(carried)
    plain = re.sub(r"REDACTED-[a-z0-9-]+x", "", out.text).lower()
    pieces = {secret[at : at + 8].lower() for at in range(len(secret) - 7)}
    assert out.kinds
    assert not [piece for piece in pieces if piece in plain]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("task-0123456789abcdefghijkl and disk-0123456789abcdefghijkl", id="sk-inside-words"),
        pytest.param("risk-averse-investors-are-not-tokens", id="risk"),
        pytest.param("sk-learn-is-a-common-abbreviation", id="words-behind-the-prefix"),
        pytest.param("the eyJ prefix, AKIA prefix, ghp_ prefix, xoxb- prefix", id="prefixes-alone"),
        pytest.param("7f9c2ba4e88f827d616045507605853ed73b8093", id="sha1"),
        pytest.param("sha256:" + "0f" * 32, id="sha256"),
        pytest.param("550e8400-e29b-41d4-a716-446655440000", id="uuid"),
        pytest.param("sha512-" + base64.b64encode(bytes(range(64))).decode(), id="sri"),
        pytest.param("price-us12 cio cinema npm_config_cache pypi-server hf_hub_download", id="words"),
        pytest.param("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", id="certificate"),
        pytest.param("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 user", id="public-key"),
        pytest.param("pk_live_0123456789abcdefghijABCD", id="publishable-key"),
    ],
)
def test_harmless_words_stay(text):
    assert finds(text, policy=BALANCED) == ()
    assert redact_text(text, policy=BALANCED).text == text


def test_two_tokens_of_one_kind_are_two_values():
    rule = next(rule for rule in RULES if rule.id == "github-token")
    out = redact_text(f"{example(rule, 1)} {example(rule, 2)} {example(rule, 1)}").text
    assert out == "REDACTED-github-token-1x REDACTED-github-token-2x REDACTED-github-token-1x"


def test_a_key_without_its_end_is_secret_to_the_end():
    assert redact_text("log -----BEGIN EC PRIVATE KEY-----\nMHcCAQEE" + "A1" * 400).text == "log REDACTED-private-key-1x"
