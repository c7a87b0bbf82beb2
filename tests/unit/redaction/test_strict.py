"""Long words without meaning, which only the profile `strict` hides."""

import random
import string

import pytest

from redaction import BALANCED, STRICT, finds, redact_text

ALPHABETS = {
    "letters and figures": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "base64url": string.ascii_letters + string.digits + "-_",
}
STAYS = {
    "sha1": "3f2a9c0b1d4e5f6a7b8c9d0e1f2a3b4c5d6e7f80",
    "uuid": "cd613e30-d8f1-6adf-91b7-584a2265b1f5",
    "upper uuid": "CD613E30-D8F1-6ADF-91B7-584A2265B1F5",
    "integrity": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "labelled digest": "token sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "base64 of text": "aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA==",
    "class": "Utf8JsonStreamReaderImpl2",
    "dotted class": "com.example.MyServiceFactoryBean2Impl",
    "path": "src/Main/JavaUtil2/SomeThing/Other3",
    "pod": "kubernetes-deployment-7d9f8b6c5d-x2x4z",
    "time": "2026-11-25T10:28:00Z",
    "test name": "TestRedactionLaws2026ForEveryText",
    "exception": "HTTP2StreamClosedError500Internal",
    "media type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "product": "iPhone15Pro256GBSpaceBlack",
    "build": "v1.2.3-rc.4+build.2026ABC",
    "error text": "Unexpected token } in JSON at position 4096",
}
HIDDEN = {
    "identifier behind a secret word": ("the token 3f2a9c0b1d4e5f6a is bad", "the token REDACTED-opaque-1x is bad"),
    "uuid behind a secret word": ("the secret was 550e8400-e29b-41d4-a716-446655440000.", "the secret was REDACTED-opaque-1x."),
    "within a path": ("/v1/x9Kp2mQvL8nR4tYw7ZbC1/items", "/v1/REDACTED-opaque-1x/items"),
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_what_has_a_meaning_stays(text):
    assert redact_text(text, policy=STRICT).text == text


@pytest.mark.parametrize(("text", "wanted"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_in_strict_only(text, wanted):
    assert redact_text(text, policy=STRICT).text == wanted
    assert redact_text(text, policy=STRICT).kinds == {"opaque": 1}


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize(("length", "least"), [(24, 180), (40, 194), (64, 197)])
def test_random_words_are_hidden_in_strict_and_stay_in_balanced(alphabet, length, least):
    drawn = random.Random(7)
    words = ["".join(drawn.choices(alphabet, k=length)) for _ in range(200)]
    assert sum(finds(f"at {word} now", policy=STRICT) in {("opaque",), ("opaque", "opaque")} for word in words) >= least
    assert sum(bool(finds(f"at {word} now", policy=BALANCED)) for word in words) <= 4


def test_long_data_is_a_blob():
    data = "".join(random.Random(1).choices(ALPHABETS["base64"], k=400))
    assert redact_text(f"<{data}>").text == "<REDACTED-blob-1x>"


def test_a_number_that_is_a_cards_is_hidden_where_others_read():
    card, other = "4111" + "1" * 12, "4111" + "1" * 11 + "2"
    text = f'{{"number":{card},"more":[{other}]}}'
    assert redact_text(text, policy=STRICT).text == f'{{"number":"REDACTED-card-number-1x","more":[{other}]}}'
    assert redact_text(text, policy=BALANCED).text == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("see https://docs.example.com/document/d/{}/edit", "see https://docs.example.com/document/d/REDACTED-opaque-1x/edit"),
        ("AWS_ACCESS_KEY_ID={}", "AWS_ACCESS_KEY_ID=REDACTED-api-key-1x"),
    ],
)
def test_what_stands_around_it_stays(text, wanted):
    assert redact_text(text.format("1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv"), policy=STRICT).text == wanted
