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
HIDDEN = (*apart.KEYED, "addresses-apart", "codes", *personal_apart.PII)
HARMLESS = tuple(negatives_apart.NEGATIVES)
EXACT = {
    "compared": (
        "password mismatch: expected x7Hq2mZt but got y7Hq2mZt",
        "password mismatch: expected REDACTED-password-1x but got REDACTED-password-2x",
    ),
    "compared in code": ("if (token !== 'x7Hq2mZtAAb1') {", "if (token !== 'REDACTED-token-1x') {"),
    "value first": ("assert 'x7Hq2mZt' == user.password", "assert 'REDACTED-password-1x' == user.password"),
    "what changed": ("password changed from x7Hq2mZt to y7Hq2mZt", "password changed from REDACTED-password-1x to REDACTED-password-2x"),
    "line below": ("db:\n  password:\n    rosebud\n  user: x\n", "db:\n  password:\n    REDACTED-password-1x\n  user: x\n"),
    "nested in yaml": ("db:\n  password: rosebud\n  user: x\n", "db:\n  password: REDACTED-password-1x\n  user: x\n"),
    "bold in markdown": ("**Password:** `x7Hq2mZt`", "**Password:** `REDACTED-password-1x`"),
    "typed into a form": (
        "find(By.ID, 'password').send_keys('x7Hq2mZt')",
        "find(By.ID, 'password').send_keys('REDACTED-password-1x')",
    ),
    "piece of json": ('"password":\n  "rosebud",\n', '"password":\n  "REDACTED-password-1x",\n'),
    "default": ("getenv('DB_PASSWORD') ?: 'rosebud'", "getenv('DB_PASSWORD') ?: 'REDACTED-password-1x'"),
    "default of a shell": ("${DB_PASSWORD:-rosebud}", "${DB_PASSWORD:-REDACTED-password-1x}"),
    "second argument": ("requests.get(u, auth=('bob', 'x7Hq2mZt'))", "requests.get(u, auth=('bob', 'REDACTED-password-1x'))"),
    "any argument of basic": ("HTTPBasicAuth('bob', 'rosebud')", "HTTPBasicAuth('bob', 'REDACTED-password-1x')"),
    "option of a program": ("mysql -uroot -prosebud app", "mysql -uroot -pREDACTED-password-1x app"),
    "option in a list": ('["redis-cli", "-a", "rosebud"]', '["redis-cli", "-a", "REDACTED-password-1x"]'),
    "user and password": ("smbclient //h/s -U bob%rosebud", "smbclient //h/s -U bob%REDACTED-password-1x"),
    "drawn": ("│ user │ password │\n│ jo │ x7Hq2mZt │\n", "│ user │ password │\n│ jo │ REDACTED-password-1x │\n"),
    "elements": ("<name>password</name><value>rosebud</value>", "<name>password</name><value>REDACTED-password-1x</value>"),
    "dump of php": ('["password"]=>\n  string(7) "rosebud"', '["password"]=>\n  string(7) "REDACTED-password-1x"'),
    "dump of a data base": (
        "COPY u (id, password) FROM stdin;\n1\trosebud\n2\t\\N\n\\.\n",
        "COPY u (id, password) FROM stdin;\n1\tREDACTED-password-1x\n2\t\\N\n\\.\n",
    ),
    "manifest in json": ('{"data":{"a":"eA=="},"kind":"Secret"}', '{"data":{"a":"REDACTED-secret-1x"},"kind":"Secret"}'),
    "folded header": ("Authorization: Bearer\n  x7Hq2mZtAA\n", "Authorization: Bearer\n  REDACTED-authorization-1x\n"),
    "oracle": ("jdbc:oracle:thin:scott/tiger@h:1521:x", "jdbc:oracle:thin:scott/REDACTED-url-password-1x@h:1521:x"),
    "address without a scheme": ('src="//bob:rosebud@h/x"', 'src="//bob:REDACTED-url-password-1x@h/x"'),
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


HARMLESS_TOO = {
    "types of fields": "class A:\n    password: SecretStr\n    passwd: str\n",
    "ports": "kpasswd\t\t464/tcp\n",
    "decorator below": "return self._secret\n\n    @property\n",
    "assertion about code": "assertRaises(SyntaxError, exec, 'def f(a): pass')\nassertRaises(E, f, 'a1 = b2')\n",
    "due to a report": "credential delegation is off due to CVE-2011-2192",
    "expression": "r'Error_InvalidPassword|Error_2Module|'\nr'Error_A1b2C3d4|Error_Xy9|'\n",
    "rules of a form": '{"password":"required|string|min:8"}',
}


@pytest.fixture(scope="module")
def hidden():
    return [item for seed in SEEDS for items in (apart.items, personal_apart.items) for item in items(Random(seed))]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("kind", HIDDEN)
def test_no_part_of_a_secret_is_left(hidden, kind, policy):
    items = [item for item in hidden if item.kind == kind]
    outcomes = [judge.judge(item, redact_text(item.text, policy=policy).text) for item in items]
    assert len(items) >= len(SEEDS) * 8
    assert [outcome.item.text for outcome in outcomes if outcome.bad or outcome.partial] == []


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("kind", HARMLESS)
def test_what_has_the_same_shape_stays(kind, policy):
    items = [item for seed in SEEDS for item in rows("negative", kind, negatives_apart.NEGATIVES[kind], Random(seed), fill)]
    assert len(items) >= len(SEEDS) * 8
    assert [item.text for item in items if redact_text(item.text, policy=policy).text != item.text] == []


@pytest.mark.parametrize(("text", "wanted"), EXACT.values(), ids=EXACT)
def test_only_the_value_goes(text, wanted):
    assert redact_text(text).text == wanted
    assert finds(wanted, policy=BALANCED) == ()


@pytest.mark.parametrize("text", HARMLESS_TOO.values(), ids=HARMLESS_TOO)
def test_what_real_files_say_stays(text):
    assert finds(text, policy=BALANCED) == ()


@pytest.mark.parametrize(
    "text",
    ["password:\n  REDACTED-email-1x-fA7omYwXM0QZ\n", 'password = \n  "REDACTED-email-1x hunter2Xq9zR"\n'],
    ids=["yaml", "wrapped"],
)
def test_what_looks_like_a_placeholder_switches_nothing_off(text):
    shown = redact_text(text, policy=BALANCED).text
    assert "fA7omYwX" not in shown
    assert "hunter2" not in shown
