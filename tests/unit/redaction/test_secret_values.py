"""What of an environment is secret: by its name, by its look, or in part."""

import pytest

from redaction import Policy, redact_text, secret_values

KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nQEFAASCBKcwggSjAgEAAo\n-----END PRIVATE KEY-----"
HIDDEN = {
    "by its name": ("API_TOKEN", "correct-horse-battery", ["correct-horse-battery"]),
    "a name in camel case": ("dbPassword", "sunshine99", ["sunshine99"]),
    "with spaces around": ("API_TOKEN", "  abcdefgh  ", ["abcdefgh"]),
    "password of a URL": ("DATABASE_URL", "postgres://app:s3cr3t-pw@db.internal/app", ["s3cr3t-pw"]),
    "password of a URL, percent-encoded": ("DATABASE_URL", "postgres://app:s3cr%40t-pw@db/app", ["s3cr%40t-pw", "s3cr@t-pw"]),
    "without meaning": ("ANYTHING", "Zk39QmB7xT2pLw8RvN4cYh6J", ["Zk39QmB7xT2pLw8RvN4cYh6J"]),
    "a key inside JSON": ("CONFIG", '{"password":"abcdefgh1","user":"me"}', ["abcdefgh1"]),
    "a connection string": ("CONN", "Server=db;User Id=me;Password=hunter2222;", ["hunter2222"]),
    "a key in several lines": ("APP_PRIVATE_KEY", KEY, [KEY, "MIIEvQIBADANBgkqhkiG9w0", "QEFAASCBKcwggSjAgEAAo"]),
}
LEFT = {
    "an ordinary word": ("DB_PASSWORD", "production"),
    "another": ("DB_PASSWORD", "Localhost"),
    "a short value": ("API_TOKEN", "abc1234"),
    "a path": ("SSH_AUTH_SOCK", "/tmp/ssh-abcdef/agent.12"),
    "a template": ("API_TOKEN", "${OTHER_TOKEN}"),
    "what to fill in": ("API_TOKEN", "<your token here>"),
    "one letter": ("API_TOKEN", "xxxxxxxxxxxx"),
    "a fact about a token": ("TOKEN_URL", "https://example.org/oauth/token"),
    "the working directory": ("PWD", "/somewhere/else/or/other"),
    "a commit": ("GIT_SHA", "843d363a0b1c2d3e4f5061728394a5b6c7d8e9f0"),
    "an identifier": ("RUN_ID", "550e8400-e29b-41d4-a716-446655440000"),
    "colours": ("LS_COLORS", "rs=0:di=01;34:ln=01;36:mh=00:pi=40;33"),
    "a mail address": ("GIT_AUTHOR_EMAIL", "someone@example.org"),
    "a placeholder": ("API_TOKEN", "REDACTED-token-1x"),
}


@pytest.mark.parametrize(("name", "text", "values"), HIDDEN.values(), ids=HIDDEN)
def test_what_is_secret(name, text, values):
    found = secret_values([("LANG", "C.UTF-8"), (name, text)])
    assert set(values) <= set(found)
    out = redact_text(f"it says {values[0]} here", policy=Policy(exact=found)).text
    assert values[0] not in out


@pytest.mark.parametrize(("name", "text"), LEFT.values(), ids=LEFT)
def test_what_is_not(name, text):
    assert secret_values([(name, text)]) == ()


def test_each_value_once_and_in_order():
    pairs = [("A_TOKEN", "abcdefgh1"), ("B_TOKEN", "zyxwvuts9"), ("C_TOKEN", "abcdefgh1")]
    assert secret_values(pairs) == ("abcdefgh1", "zyxwvuts9")
