"""Encoded and packed content, and other ways to write a text. Each table has its harmless twin."""

import base64
import gzip
import quopri
import zlib

import pytest

from redaction import BALANCED, finds, redact_text
from redaction.views import joined, quoted_printable

SECRET = "user=jo password=hunter2x and more"
PLAIN = "just a harmless sentence, nothing else in it"
KEY = "sk_live_" + "a1B2" * 6


def b64(data):
    return base64.b64encode(data if isinstance(data, bytes) else data.encode()).decode()


ENCODED = {
    "gzip": (lambda text: b64(gzip.compress(text.encode(), mtime=0)), "password-base64"),
    "zlib": (lambda text: b64(zlib.compress(text.encode())), "password-base64"),
    "base64 of base64": (lambda text: b64(b64(text)), "password-base64"),
    "base64 of gzip of base64": (lambda text: b64(gzip.compress(b64(text).encode(), mtime=0)), "password-base64"),
    "base32": (lambda text: base64.b32encode(text.encode()).decode(), "password-base32"),
    "utf-16 in base64": (lambda text: b64(text.encode("utf-16-le")), "password-base64"),
    "utf-16, other end first": (lambda text: b64(text.encode("utf-16-be")), "password-base64"),
    "utf-16 in hex": (lambda text: text.encode("utf-16-le").hex(), "password-hex"),
    "hex in capitals": (lambda text: "0x" + text.encode().hex().upper(), "password-hex"),
    "hex in pairs": (lambda text: text.encode().hex(" "), "password-hex"),
    "hex with colons": (lambda text: text.encode().hex(":"), "password-hex"),
    "hex as a list": (lambda text: ", ".join(f"0x{byte:02x}" for byte in text.encode()), "password-hex"),
    "short lines": (lambda text: "\r\n".join(b64(text * 3)[at : at + 32] for at in range(0, 140, 32)), "password-base64"),
}


@pytest.mark.parametrize(("encode", "kind"), ENCODED.values(), ids=ENCODED)
def test_hidden_whole(encode, kind):
    assert redact_text(encode(SECRET)).text == f"REDACTED-{kind}-1x"


@pytest.mark.parametrize(("encode", "kind"), ENCODED.values(), ids=ENCODED)
def test_harmless_content_stays(encode, kind):
    assert finds(encode(PLAIN), policy=BALANCED) == ()


def test_a_bomb_is_not_unfolded_and_not_shown():
    bomb = b64(gzip.compress(b"a" * 10_000_000, mtime=0))
    assert redact_text(f"see {bomb} and").text == "see REDACTED-secret-1x and"


def test_all_packed_runs_share_one_budget():
    runs = " ".join(b64(zlib.compress(f"{PLAIN} {number} ".encode() * 500)) for number in range(6))
    out = redact_text(runs, policy=BALANCED)
    assert out.kinds == {"secret": 4}
    assert out.text.startswith(runs.split()[0] + " " + runs.split()[1] + " ")


def test_what_only_looks_packed_stays():
    assert finds(b64(b"\x1f\x8b\x08 but no gzip behind it at all"), policy=BALANCED) == ()


WRITTEN = {
    "octal": "".join(f"\\{ord(c):03o}" for c in KEY),
    "braces": "".join(f"\\u{{{ord(c):x}}}" for c in KEY),
    "nul between": "\0".join(KEY),
    "full width": "".join(chr(ord(c) + 0xFEE0) for c in KEY),
    "plus": f'"{KEY[:14]}" + "{KEY[14:]}"',
    "dot": f"'{KEY[:14]}' . '{KEY[14:]}'",
    "two lines": f'"{KEY[:14]}"\n    "{KEY[14:]}"',
    "plus at the end": f"'{KEY[:14]}' +\n  '{KEY[14:]}'",
    "plus at the start": f"'{KEY[:14]}'\n  + '{KEY[14:]}'",
    "line goes on": f"{KEY[:14]}\\\n{KEY[14:]}",
    "mail": "x" * 60 + f" {KEY[:14]}=\r\n{KEY[14:]}",
    "mail with signs": quopri.encodestring(f"a=b&{KEY}".encode()).decode().replace("_", "=5F"),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_no_piece_stays(text):
    out = redact_text(text)
    assert out.kinds == {"stripe-key": 1}
    assert "a1B2" not in out.text
    assert out.text.endswith("x") or out.text[-1] in "\"'\n"


@pytest.mark.parametrize(
    "text",
    ['"a", "b"', '{"a":\n"b"}', "'a' - 'b'", "it's 'a' + b", '- "a"\n- "b"', 'say "a" and "b"', '"" + ""'],
)
def test_no_seam(text):
    assert joined(text) is None


@pytest.mark.parametrize("text", ["YjE=\ntype: x", "a=41&b=42", "x = 3\n"])
def test_no_quoted_printable(text):
    assert quoted_printable(text) is None


PEM = "-----BEGIN PRIVATE KEY-----\n" + "\n".join(["Ab1/" * 16] * 4) + "\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize("at", [28, 60, 150, 260])
def test_a_key_without_its_head(at):
    assert redact_text(PEM[at:] + " more").text == "REDACTED-private-key-1x more"


def test_other_ends():
    text = "a line\n" + "\n".join(PEM.replace("PRIVATE KEY", "CERTIFICATE").split("\n")[2:])
    assert finds(text, policy=BALANCED) == ()
    assert redact_text("no key\n-----END PRIVATE KEY-----").text == "no key\n-----END PRIVATE KEY-----"
