"""Opaque tokens: what the strict profile adds. Each table has its harmless twin."""

import base64

import pytest

from redaction.detectors.opaque import opaque_tokens

HEX = "951bc382db9abad29c68634761dd6e19"
MIXED = "xT9qLm2RfW7vKz4NbYc8HsGd"
FOUND = {
    "a key of nobody": (f"widget_key = {HEX}", [HEX]),
    "said": (f"the secret {HEX} was sent", [HEX]),
    "uuid beside a word for it": ("x-access-key-123e4567-e89b-12d3-a456-426614174000", ["123e4567-e89b-12d3-a456-426614174000"]),
    "quoted": (f'"tok_key": "{HEX}"', [HEX]),
    "long": (f"key={HEX * 8}", [HEX * 8]),
    "alone": (f"sent {MIXED} to it", [MIXED]),
    "alone in base64": ("got q83vEjRWeJq8zd7wASNFZ4mrze8SNFZ4mrzN3g==", ["q83vEjRWeJq8zd7wASNFZ4mrze8SNFZ4mrzN3g=="]),
    "behind a dot": (f"'.{MIXED}'", [MIXED]),
    "glued to a number": (f"7464357296:{MIXED}", [f"7464357296:{MIXED}"]),
    "glued to an identifier": (f"b27163ec-671f-c21e@{MIXED}/{HEX}", [f"b27163ec-671f-c21e@{MIXED}/{HEX}"]),
    "step behind a host": (f"board.example/api/v1/{MIXED}/telemetry", [MIXED]),
    "no word is glued": (f"documentation/{MIXED}/telemetry:settings", [MIXED]),
    "end of a sentence": (f"It was key {HEX}.", [HEX]),
}
HARMLESS = {
    "digest": f"commit {HEX} sha256:{HEX * 2}",
    "uuid": "550e8400-e29b-41d4-a716-446655440000",
    "integrity": "sha512-" + base64.b64encode(bytes(range(64))).decode(),
    "named digest": f"digest: {MIXED} etag={MIXED} request_id={MIXED}",
    "keys of caches and rows": f"cache_key={HEX} primary key {HEX} idempotency-key: {HEX}",
    "file": f"s3_key=a/{HEX}.png",
    "text in base64": base64.b64encode(b"Just A harmless Sentence 1, nothing Else 2").decode(),
    "words": "getElementByIdAndClassName2 Utf8JsonReaderExtensions AbstractSingletonProxyFactoryBean test_parse_RFC3339_With_Offset",
    "path": "/usr/lib/python3/dist-packages/Crypto/PublicKey/RSA2048Tests",
    "numbers": "1700000000123456789012345 3.14159265358979323846",
    "time": "20240501T102030Z-20240501T102031Z key 20240501T102030Z",
    "words behind a key": "key performance-indicators token-based-authentication",
    "placeholder": "key=REDACTED-api-key-1x",
}


@pytest.mark.parametrize(("text", "wanted"), FOUND.values(), ids=FOUND)
def test_found(text, wanted):
    spans = {span.value for span in opaque_tokens(text)}
    assert spans == set(wanted)
    assert all(text[span.start : span.end] == span.value for span in opaque_tokens(text))


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_harmless(text):
    assert list(opaque_tokens(text)) == []
