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
    "private-key ssh-private-key putty-key key-body age-key jwt password-hash framework-hash ldap-hash wallet-key nostr-key "
    "paseto aws-key-id aws-session-token aws-bedrock-key aws-mws-key amazon-secret amazon-token google-api-key "
    "google-auth-key google-oauth google-secret google-refresh google-hmac-id azure-secret azure-key teams-webhook "
    "alibaba-key-id tencent-key-id volcengine-key-id baidu-key yandex-key scaleway-key-id digitalocean-token "
    "digitalocean-key-id cloudflare-token cloudflare-origin-key heroku-key fly-token netlify-token vercel-token "
    "vercel-blob-token render-key supabase-key neon-key planetscale-token mongodb-secret cockroach-key aiven-password "
    "clickhouse-key pinecone-key databricks-token databricks-secret doppler-token vault-token terraform-token pulumi-token "
    "infisical-token one-password-token one-password-key tailscale-key openshift-token rancher-token harness-token "
    "octopus-key launchdarkly-key prefect-key thingsboard-token swarm-token scalingo-token zuplo-key deno-token "
    "azure-devops-token adobe-secret github-token github-pat gitlab-token bitbucket-password npm-token pypi-token "
    "rubygems-key docker-token crates-token nuget-key clojars-token artifactory-key atlassian-token circleci-token "
    "buildkite-token sonar-token sourcegraph-token snyk-token postman-key sentry-token grafana-token grafana-key "
    "new-relic-key dynatrace-token datadog-key honeycomb-key posthog-key logfire-token dependency-track-key nightfall-key "
    "maxmind-key stackhawk-key ionic-token readme-key scrapfly-key apify-token ngrok-key discord-token contentful-token "
    "hubspot-token infracost-key inngest-key polar-token permit-key trigger-key unkey-key axiom-token settlemint-token "
    "defined-key secret-token-uri anthropic-key openrouter-key langfuse-key openai-key hugging-face-token replicate-token "
    "groq-key xai-key perplexity-key cerebras-key together-key fireworks-key friendli-token nvidia-key tavily-key "
    "firecrawl-key jina-key voyage-key llama-cloud-key langsmith-key wandb-key elevenlabs-key cursor-key runpod-key modal-key "
    "sandbox-key browserbase-key memory-key anyscale-key cartesia-key humanloop-key brave-key frame-token stripe-key "
    "secret-key stytch-secret webhook-secret square-token plaid-token braintree-token flutterwave-key paddle-key razorpay-key "
    "pagarme-key shippo-token duffel-token easypost-key flexport-token fleetbase-key live-key shopify-token woocommerce-key "
    "twilio-key sendgrid-key mailgun-key mailchimp-key mandrill-key brevo-key mailersend-token resend-key telnyx-key "
    "onesignal-key pubnub-key firebase-token klaviyo-key intercom-token salesforce-session zoho-token close-key "
    "teamwork-token voiceflow-key typeform-token ubidots-token fullstory-key slack-token slack-app-token slack-webhook "
    "discord-webhook telegram-token zapier-webhook make-webhook tines-webhook ifttt-key linear-key notion-token "
    "airtable-token asana-token clickup-token trello-token figma-token dropbox-token facebook-token facebook-app-token "
    "instagram-token twitter-bearer linkedin-secret pinterest-token twitch-token adafruit-key cal-key riot-key intra-token"
)
IDS = _IDS.split()
# The vendors took a prefix that another rule reads as its own; theirs says whose token it is.
TWICE = {key: {"openai-key"} for key in ("anthropic-key", "openrouter-key", "langfuse-key")}
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


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_other_rule_covers_its_example(rule):
    """So a rule that is lost is noticed: its example would be found by none."""
    others = {
        other.id
        for seed in range(10)
        for text in [example(rule, seed)]
        for other in RULES
        if other is not rule and any(trigger in text for trigger in other.triggers) and compiled(other.pattern).search(text)
    }
    assert others == TWICE.get(rule.id, set())


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
        pytest.param("xoxo-gossip-girl-xoxo, xoxo-love-and-kisses-2007", id="hugs-and-kisses"),
        pytest.param("test_parse_RFC3339_timestamps_with_Offsets_and_2_digits", id="name-of-a-test"),
        pytest.param("session_0123456789 function_call web_7f9c2ba4 key_error api_version_2", id="words-with-a-line"),
        pytest.param("$1$2 cost $5 $6 {SHA1} {MD5} $HOME/bin", id="dollars-and-braces"),
        pytest.param("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwX5yR9kQhPzvdJcGx3Zm", id="body-of-a-public-key"),
        pytest.param("hook.js make.com tines.com/webhooks API-Gateway KEYBOARD", id="hosts"),
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


def test_a_line_end_may_stand_behind_the_word_that_tells_a_token():
    salt, digest = "HknUvL2kc3kPZhNOrjhDJz", "FaSCQXyCjxCKIv" * 3 + "/="
    text = f"note: pbkdf2_sha256$600000$Hkn\n{salt[3:]}${digest}\nnext"
    assert digest[:8] not in redact_text(text, policy=BALANCED).text
    assert salt[3:11] not in redact_text(text, policy=BALANCED).text
