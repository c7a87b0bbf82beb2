"""Laws of redaction that hold for every text.

Idempotent, deterministic, leak-free, JSON stays JSON, harmless stays, pairs keep equality and difference,
and no comment switches it off. Secrets come from the rules' own example generators.
"""

import base64
import json
import random
import re
import traceback
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from redaction import BALANCED, STRICT, Scope, composed, finds, redact_pair, redact_text
from redaction import leaks as still_shown
from redaction.detectors.messages import message
from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.pack import RULES
from redaction.detectors.values import sentence, trivial
from redaction.placeholder import placeholders
from redaction.views import compiled

PLACEHOLDER = r"(?:REDACTED[A-Z]?|MASKED|HIDDEN|WITHHELD)-[a-z0-9-]+-[0-9]+x"
ALLOW = (
    "",
    " # gitleaks:allow",
    " # pragma: allowlist secret",
    " // kingfisher:ignore",
    " betterleaks:allow",
    " # noqa",
    " <!-- detect-secrets:skip -->",
)


@st.composite
def tokens(draw):
    """The example of a rule, and the part that must be hidden."""
    rule = draw(st.sampled_from(RULES))
    text = rule.make(random.Random(draw(st.integers(0, 2**32))).choice)
    return text, compiled(rule.pattern).search(text).group(rule.group)


def raised(text):
    try:
        int(text + " x")
    except ValueError:
        return traceback.format_exc()


CARRIERS = {
    "plain": lambda s: s,
    "json value": lambda s: json.dumps({"a": [1, {"b": s}], "c": None}),
    "json raw": lambda s: json.dumps({"a": s}, ensure_ascii=False),
    "json key": lambda s: json.dumps({s: 1}),
    "json list": lambda s: json.dumps([s, s, "x"]),
    "nested json": lambda s: json.dumps({"body": json.dumps({"a": json.dumps({"b": s})})}),
    "exception": raised,
    "repr": lambda s: repr({"a": (s, b"x"), "b": None}),
    "bytes repr": lambda s: repr(s.encode()),
    "url path": lambda s: f"https://h.example/v1/{quote(s, safe='')}/x",
    "url query": lambda s: f"https://h.example/?a=1&q={quote(s, safe='')}&b=2",
    "url user": lambda s: f"https://jo:{quote(s, safe='')}@h.example/x",
    "header": lambda s: f"GET / HTTP/1.1\r\nX-Thing: {s}\r\n\r\n",
    "authorization": lambda s: f"Authorization: Bearer {s}",
    "cookie": lambda s: f"Cookie: a=1; b={s}; c=2",
    "environment": lambda s: f"A=1\nTHING={s}\nB=2",
    "yaml": lambda s: f"a: 1\nb: {json.dumps(s)}\n",
    "xml": lambda s: f"<a><b>{s}</b></a>",
    "markdown": lambda s: f"- `{s}`\n- **{s}**",
    "command line": lambda s: f"tool --thing '{s}' --verbose",
    "base64": lambda s: json.dumps({"a": base64.b64encode(f"see {s} there".encode()).decode()}),
    "hex": lambda s: f"see {s} there".encode().hex(),
    "escapes": lambda s: '{"a":"' + "".join(f"\\u{ord(c):04x}" for c in s) + '"}',
    "zero width": lambda s: json.dumps({"a": "\u200b".join((s[:9], s[9:20], s[20:]))}),
}


def leaks(secret, text):
    """Pieces of eight characters of a secret that a text shows outside of placeholders."""
    shown = re.sub(PLACEHOLDER, "\n", text).lower()
    return [secret[at : at + 8] for at in range(len(secret) - 7) if secret[at : at + 8].lower() in shown]


FRAGMENTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["password", "=", ": ", '"', "'", "\\", "\\n", "\\u200b", "{", "}", "[", "]", ",", "@", "://", "a://u:p@h", "jo@example.org", "token", "Bearer ",
         "Authorization: ", "Cookie: a=b", "4111111111111111", "1234", "pin", "REDACTED-", "REDACTED-email-1x", "MASKED-password-2x", "%40", "am9AZXhhbXBsZS5vcmc=",
         "&", "<password>", "</password>", "--password ", "\u200b", "\x00", "\x1b[1m", "e\u0301", "\ud83d", "characters left out", "UNSCANNED-1-bytes-1x", "x1y2z3a4", " "]
    ),
    tokens().map(lambda pair: pair[0]),
)  # fmt: skip
TEXTS = st.lists(FRAGMENTS, max_size=14).map("".join)
KEYS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(["password", "token", "api_key", "pin", "user", "max_tokens", "Authorization", "credentials", "name", "value"]),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@given(TEXTS)
@example("REDACTED-email-1x jo@example.org MASKED-")
def test_twice_is_once(text):
    once = redact_text(text)
    assert redact_text(once.text).text == once.text
    assert finds(once.text) == ()
    assert not once.text.startswith("UNSCANNED-") or text.startswith("UNSCANNED-")


@given(JSON)
def test_twice_is_once_for_json(tree):
    once = redact_text(json.dumps(tree))
    assert redact_text(once.text).text == once.text


@given(TEXTS, TEXTS)
def test_two_runs_give_equal_bytes(first, second):
    one, two = redact_pair(first, second, more={"m": first + second}), redact_pair(first, second, more={"m": first + second})
    assert (one.baseline.text, one.candidate.text, one.more["m"].text, one.legend.text) == (
        two.baseline.text,
        two.candidate.text,
        two.more["m"].text,
        two.legend.text,
    )


@settings(max_examples=400)
@given(tokens(), st.sampled_from(sorted(CARRIERS)), st.sampled_from(ALLOW))
def test_no_token_survives_any_carrier(token, carrier, allow):
    text, secret = token
    carried = CARRIERS[carrier](text + allow)
    out = redact_text(carried)
    assert out.kinds
    assert leaks(secret, out.text) == []


@given(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    st.sampled_from(["password", "DB_PASSWORD", "apiKey", "client-secret", "credentials"]),
    st.sampled_from(ALLOW),
)
def test_no_value_under_a_secret_name_survives(value, name, allow):
    assume(kind_of_name(name) in STRONG)
    assume(not trivial(value) and not sentence(value) and not message(value) and not list(placeholders(value)))
    out = redact_text(json.dumps({name: value, "comment": allow}))
    kept = json.loads(out.text)[name]
    assert re.fullmatch(rf"\s*{PLACEHOLDER}\s*", kept), kept
    assert json.loads(out.text)["comment"] == allow


def alike(before, after):
    """The same tree, but for strings that were edited and numbers that became placeholders."""
    if isinstance(before, dict):
        assert isinstance(after, dict)
        assert len(after) == len(before)
        assert all(alike(one, two) for one, two in zip(before.values(), after.values(), strict=True))
    elif isinstance(before, list):
        assert isinstance(after, list)
        assert all(alike(one, two) for one, two in zip(before, after, strict=True))
    elif isinstance(after, str) and re.fullmatch(PLACEHOLDER, after):
        assert type(before) in {str, int, float}
    elif isinstance(before, str):
        assert isinstance(after, str)
    else:
        assert type(after) is type(before)
        assert after == before
    return True


@given(JSON)
def test_json_stays_json_of_the_same_types(tree):
    text = json.dumps(tree)
    assert alike(tree, json.loads(redact_text(text).text))


@given(JSON)
def test_json_in_a_string_stays_json(tree):
    text = json.dumps(json.dumps(tree))
    assert alike(tree, json.loads(json.loads(redact_text(text).text))) if json.dumps(tree)[:1] in "[{" else True


WORDS = st.sampled_from(
    [
        "task-",
        "disk-",
        "the",
        "order",
        "café",
        "status",
        "token",
        "secret",
        "keyboard",
        "AKIA",
        "sk-",
        "ghp_",
        "user",
        "at",
        "pin",
        "passed",
    ]
)
HARMLESS = st.one_of(
    st.uuids().map(str),
    st.binary(min_size=20, max_size=20).map(bytes.hex),
    st.binary(min_size=32, max_size=32).map(lambda digest: "sha256:" + digest.hex()),
    st.datetimes().map(lambda at: at.isoformat() + "Z"),
    st.integers(1_000_000_000, 1_999_999_999).map(str),
    st.lists(WORDS, min_size=1, max_size=6).map(" ".join),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["1.2.3.4", "v1.2.3-rc.4", "a/b/c.py:12", "text/html; charset=utf-8", "GET /a/b?page=2&sort=name HTTP/1.1", 'W/"0af1"', "+02:00", "null", "{}", "[]"]),
)  # fmt: skip


@pytest.mark.no_cover
@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(["id", "commit", "at", "text", "n", "digest", "etag", "parent_id"]), HARMLESS, max_size=6))
def test_harmless_payloads_are_untouched(payload):
    text = json.dumps(payload)
    assert redact_text(text, policy=BALANCED).text == text
    line = " ".join(f"{key}={value}" for key, value in payload.items())
    assert redact_text(line, policy=BALANCED).text == line


@pytest.mark.no_cover
@settings(max_examples=300)
@given(TEXTS, TEXTS)
@example("jo@example.org", "REDACTED-email-1x")
def test_pairs_keep_equality_and_difference(first, second):
    pair = redact_pair(first, second, more={"same": first, "other": second})
    assert (pair.baseline == pair.candidate) == (first == second)
    assert pair.more["same"] == pair.baseline
    assert pair.more["other"] == pair.candidate
    assert redact_pair(first, first).baseline == redact_pair(first, first).candidate


@pytest.mark.no_cover
@given(TEXTS, TEXTS, TEXTS, st.integers(0, 400), st.integers(200, 900))
def test_truncated_pairs_too(first, second, filler, before, after):
    assume(first != second)
    unit = (filler or "ab ") + "."
    head, tail = unit * (before * 8 // len(unit) + 1), unit * (after * 8 // len(unit) + 1)
    pair = redact_pair(head + first + tail, head + second + tail)
    assert pair.baseline != pair.candidate
    assert len(pair.baseline.text) < 5 * 900 + 2 * len(first) + 200


@given(tokens(), st.integers(0, 3000), st.integers(0, 60))
def test_a_token_near_a_cut_never_shows_a_piece(token, before, shift):
    text, secret = token
    planted = "lorem ipsum " * (before // 12) + "." * shift + " " + text + " " + "dolor sit " * 300
    pair = redact_pair(planted + "#" + "amet " * 300, planted + "+" + "amet " * 300, more={"m": planted})
    assert not leaks(secret, pair.baseline.text + pair.candidate.text + pair.more["m"].text)


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_scope_is_injective(texts):
    scope = Scope(texts)
    out = [scope.redact(text).text for text in texts]
    assert len(set(out)) == len(set(texts))


@given(st.lists(TEXTS, max_size=4))
def test_what_is_composed_of_redacted_parts_holds_nothing_to_find(texts):
    parts = [redact_text(text).text for text in texts]
    out = composed("\n".join(f"- {line}" for part in parts for line in part.split("\n")), STRICT).text
    assert still_shown((out,), composed=True) == ()
    assert out.count("\n") == max(sum(part.count("\n") + 1 for part in parts), 1) - 1
