"""Secrets whose name stands apart, and personal data that only a sentence or a country's habit gives away; each kind with its harmless twin.

The texts are templates of the evaluation set (`benchmarks/redaction/apart.py`, written before the rules were), with values drawn anew.
"""

from random import Random

import pytest

from benchmarks.redaction import apart, judge, negatives_apart, personal_apart
from benchmarks.redaction.items import rows
from benchmarks.redaction.makers import fill
from redaction import BALANCED, STRICT, finds, redact_text

POLICIES = {"balanced": BALANCED, "strict": STRICT}
SEEDS = range(3)
HIDDEN = ("languages", "codes", "iban-small", "phone-national", "mail-in-file")
HARMLESS = ("apart-languages", "apart-codes", "apart-masked", "apart-numbers")
EXACT = {
    "cyrillic": ("Ваш пароль: a1b2c3d4", "Ваш пароль: REDACTED-password-1x"),
    "chinese, wide colon": ("密码：a1b2c3d4", "密码：REDACTED-password-1x"),
    "name of two words": ("mot de passe : a1b2c3d4", "mot de passe : REDACTED-password-1x"),
    "polish key": ('{"hasło":"róża"}', '{"hasło":"REDACTED-password-1x"}'),
    "code in a sentence": ("Your code is 482913.", "Your code is REDACTED-otp-1x."),
    "code before its name": ("482913 is your login code", "REDACTED-otp-1x is your login code"),
    "account in small letters": ("to de89370400440532013000.", "to REDACTED-iban-1x."),
    "mobile of Germany": ("unter 0170 1234567 an", "unter REDACTED-phone-1x an"),
    "file of a person": ("jo@bank.com.json", "REDACTED-email-1x.json"),
}


@pytest.fixture(scope="module")
def hidden():
    return [item for seed in SEEDS for items in (apart.items, personal_apart.items) for item in items(Random(seed))]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("kind", HIDDEN)
def test_no_part_of_a_secret_is_left(hidden, kind, policy):
    items = [item for item in hidden if item.kind == kind]
    outcomes = [judge.judge(item, redact_text(item.text, policy=policy).text) for item in items]
    assert len(items) >= 3 * 8
    assert [outcome.item.text for outcome in outcomes if outcome.bad or outcome.partial] == []


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("kind", HARMLESS)
def test_what_has_the_same_shape_stays(kind, policy):
    items = [item for seed in SEEDS for item in rows("negative", kind, negatives_apart.NEGATIVES[kind], Random(seed), fill)]
    assert len(items) >= 3 * 8
    assert [item.text for item in items if redact_text(item.text, policy=policy).text != item.text] == []


@pytest.mark.parametrize(("text", "wanted"), EXACT.values(), ids=EXACT)
def test_only_the_value_goes(text, wanted):
    assert redact_text(text).text == wanted
    assert finds(wanted, policy=BALANCED) == ()
