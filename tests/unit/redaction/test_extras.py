"""Detectors of others: the real packages, and a real plug-in found by its entry point. They add spans, or they close the scope."""

import base64
import socket
import subprocess
import sys

import pytest

from redaction import BALANCED, MissingDetectorError, Policy, detector, finds, redact_pair, redact_text
from redaction.extras import PACKAGES

TOKEN = "ghp_" + "x7Kq2mZ9aB4cD1eF8gH3jL5nP6rS0tUvWwYz"
# A form that our own rules do not name and kingfisher's do would go stale; so these are looked at by the extra alone.
SECRETS = {
    "plain": f"it is {TOKEN} here",
    "behind letters of two bytes": f"\u00e9\u00e9\u65e5 {TOKEN}",
    "behind an emoji": f"\U0001f600{TOKEN}",
    "behind NUL": f"a\0b\0c\0 {TOKEN}",
    "behind half a character": f"\ud800 {TOKEN}",
    "behind a byte order mark": f"\ufeff{TOKEN}",
    "beside a comment that says no": f"{TOKEN}  # kingfisher:ignore gitleaks:allow",
}
NUMBERS = {
    "Germany": "(030) 901820",
    "with a slash": "030/901820",
    "United States": "(212) 555-0123",
    "United States, dashes": "212-555-0123",
    "United Kingdom": "020 7946 0958",
    "France": "01 42 68 53 00",
    "Japan": "03-1234-5678",
}
NO_NUMBERS = (
    "550e8400-e29b-41d4-a716-446655440000",
    "1699999999",
    "2026-01-01 10:00:00",
    "10 000 000",
    "192.168.10.20",
    "12.345.678,90",
    "123-45-6789",
    "4111 1111 1111 1111",
    "08:00-17:00",
    "v1.20.300",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="module")
def secrets(folder):
    pytest.importorskip("kingfisher_sdk", reason="extra `secrets` is not installed")
    return detector("secrets", folder=folder)


@pytest.fixture(scope="module")
def pii(folder):
    pytest.importorskip("phonenumbers", reason="extra `pii` is not installed")
    return detector("pii", folder=folder)


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS)
def test_offsets_of_kingfisher_are_code_points(secrets, text):
    assert [text[start:end] for start, end, _ in secrets(text)] == [TOKEN]


def test_kingfisher_gives_the_whole_of_what_it_decoded(secrets):
    blob = base64.b64encode(f"secret {TOKEN} xx".encode()).decode()
    text = f"x {blob} y {TOKEN} z {TOKEN}"
    assert [text[start:end] for start, end, _ in sorted(secrets(text))] == [blob, TOKEN, TOKEN]


def test_kingfisher_keeps_its_rules_in_our_folder_and_reaches_no_network(secrets, folder, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("a socket was opened"))
    assert list(secrets("nothing here")) == []
    kept = list((folder / "kingfisher").iterdir())
    assert kept
    assert (folder / "kingfisher").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_numbers_in_national_writing(pii, number):
    text = f"\u00e9 call {number}, or {number} 77"
    assert [text[start:end] for start, end, _ in pii(text)] == [number, number]
    assert redact_text(text, policy=Policy(extras=(pii,))).text == "\u00e9 call REDACTED-phone-1x, or REDACTED-phone-1x 77"


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_groups_of_digits_that_are_no_numbers(pii, text):
    assert list(pii(f"id {text} end")) == []


def test_several_numbers_in_a_row(pii):
    text = "212-555-0123 212-555-0124"
    assert [text[start:end] for start, end, _ in pii(text)] == ["212-555-0123", "212-555-0124"]


@pytest.mark.parametrize("name", ["secrets", "pii"])
def test_hostile_texts_cost_an_extra_little(request, name):
    extra = request.getfixturevalue(name)
    for text in ("123 456 " * 30_000, "a" * 300_000, "(" * 100_000, "eyJ" * 80_000):
        list(extra(text))


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_a_detector_whose_package_is_not_here_says_what_to_install(name, tmp_path):
    code = f"""
import sys
from pathlib import Path
sys.modules["kingfisher_sdk"] = sys.modules["phonenumbers"] = None
from redaction import MissingDetectorError, detector
try:
    detector({name!r}, folder=Path({str(tmp_path)!r}))
except MissingDetectorError as error:
    print(error.what, "|", error.remedy)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        f"the detector `{name}` needs the package {PACKAGES[name]}, which is not installed beside shadow | "
        f"python -m pip install {PACKAGES[name]}\n"
    )


# -- plug-ins -------------------------------------------------------------------------------------------------

PLUGIN = """
import re

def staff(text):
    return [(found.start(), found.end(), "email") for found in re.finditer("EMP-[0-9]{6}", text)]

def broken(text):
    raise RuntimeError("no")

def outside(text):
    return [(0, len(text) + 1, "email")]

def unknown(text):
    return ((found.start(), found.end(), "employee") for found in re.finditer("EMP-[0-9]{6}", text))

thing = 3
"""
POINTS = (
    "\n".join(f"{name} = acme_detectors:{name}" for name in ("staff", "broken", "outside", "unknown", "thing")) + "\ngone = acme_gone:f\n"
)


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    """A distribution as pip leaves it, on the path."""
    (tmp_path / "acme_detectors.py").write_text(PLUGIN)
    info = tmp_path / "acme_detectors-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-detectors\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[shadow.detectors]\n{POINTS}")
    monkeypatch.syspath_prepend(tmp_path)
    detector.cache_clear()
    yield lambda name: detector(name, folder=tmp_path)
    sys.modules.pop("acme_detectors", None)
    detector.cache_clear()


def test_a_plug_in_adds_to_what_is_hidden(plugged):
    policy = Policy(profile="balanced", extras=(plugged("staff"),))
    text = '{"by":"EMP-123456","mail":"jo@example.org","staff":["EMP-123456","EMP-654321"]}'
    assert redact_text(text, policy=policy).text == (
        '{"by":"REDACTED-email-1x","mail":"REDACTED-email-2x","staff":["REDACTED-email-1x","REDACTED-email-3x"]}'
    )
    assert finds("EMP-123456", policy=BALANCED) == ()


def test_a_kind_that_is_none_of_ours_is_other(plugged):
    assert redact_text("by EMP-123456", policy=Policy(extras=(plugged("unknown"),))).text == "by REDACTED-other-1x"


@pytest.mark.parametrize("name", ["broken", "outside"])
def test_one_that_fails_closes_the_scope(plugged, name):
    pair = redact_pair("harmless text", "another one", policy=Policy(extras=(plugged(name),)))
    assert not pair.scanned
    assert str(pair.baseline).startswith("UNSCANNED-")
    assert str(pair.baseline) != str(pair.candidate)


@pytest.mark.parametrize(
    ("name", "what"), [("gone", "cannot be loaded: ModuleNotFoundError"), ("thing", "is no function"), ("nobody", "no installed package")]
)
def test_one_that_cannot_be_had_is_said(plugged, name, what):
    with pytest.raises(MissingDetectorError) as caught:
        plugged(name)
    assert what in caught.value.what
    assert caught.value.remedy
    if name == "nobody":
        assert "`pii`" in caught.value.remedy
        assert "`staff`" in caught.value.remedy


def test_fast_finds_the_same_rules(monkeypatch):
    from benchmarks.redaction.generate import generate
    from redaction.detectors import tokens
    from redaction.vocabulary import Words

    texts = [text for item in generate(seed=3) for text in (item.text, f"{item.text} {item.text[::-1]}")]
    looked = [(text, Words(text).odd) for text in texts]
    assert tokens._fast() is not None
    with_it = [tokens.rules_for(text, words, ()) for text, words in looked]
    monkeypatch.setattr(tokens, "_fast", lambda: None)
    assert [tokens.rules_for(text, words, ()) for text, words in looked] == with_it
    assert len({rule.id for rules in with_it for rule in rules}) > 100
