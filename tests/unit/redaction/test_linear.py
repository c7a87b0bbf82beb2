"""Time grows with the text and not faster, whatever the text holds: four times the text, at most eight times the time.

Ratios of CPU seconds in this process, best of a few, and halfway (by factors) between linear and quadratic, so that a
busy machine does not fail the test and a quadratic rule does.
"""

import random
import time

import pytest

from redaction import redact_pair, redact_text

pytestmark = pytest.mark.no_cover  # time is the point
SMALL = 20_000
_RANDOM = random.Random(3)
BASE64 = "".join(_RANDOM.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") for _ in range(4 * SMALL))
UNITS = [
    "a", " ", "\n", "'", '"', "\\", "1", "4 ", "4111 ", "1-", "[", "]", "{", '{"a":', "a/", "a.", "a-", "-", "_", "=", "@", "a@", "a" * 63 + "@", "a@a.a.",
    "://", "://a:b@", "http://a:b/", "key=", "password=", 'password="', "password='token=\"", "password: ", "password=a.b(", "?token=", "token=$", "a=%s{}",
    "--password ", "-u a:", "login password ", "<password>", "<a </", "secret 'a", "token a ", "name=ab, value=", "name: ab value: '", "'a-','", "'--password', ", "password=['a'", "password=('", "password -> ", 'password="a" -> "', "authorization: bearer x ", "authorization: ", "cookie: a=b;", "cookie=",
    "bearer ", "basic aaaaaaaa", "-----BEGIN PRIVATE KEY-----", "-----END ", "eyJ", "eyJaaaaaaaa.", "ghp_", "sk-", "AKIA", "xoxb-", "SG.a", "M.", "AA11 ",
    "DE89", "+1111111111111111111 ", "(212) ", "%41", "%2525", "%c3", "\\u0041", "\\x41", "\\\\u0041", "a\u200b", "\0", "\x1b[1m", "\x1b[", "YWFh", "61", "aHVu ",
    "tel:", "tel:+1", "token:", "ab ", "61:", "0x61, ", "stripe key=a ", "datadog secret ", "insert into t (password) values ('a',1), ", "kind: Secret\ndata:\n  a: b\n",
    "secrets:\n  - ab12cd34\n", "password: [a1b2c3,", "ENV A b\n", 'setPassword("', 'variable "a" {', 'x: a = "', "a:1:b:c:", 'form-data; name="a"\r\n', "-----END PRIVATE KEY-----\n",
    "abc\n", "<key>a</key>", '"a" + ', '"a\n', "=\n", "=41", "\\101", "1 84 12 ", "cpf ", "nhs: 123 ", "phone: 1 ", "00 49 30 ", '"a"@', 'password="""', "-b 'a", "name,password\n", "H4sI ",
    "expected a1b2c3 ", "password -> a1b2c3 ", "password 'a1b2c3d4' == ", "password:\n", "password:\n  a1b2c3\n", "passwords:\n- 'a'\n", 'PASSWORD || "', "${PASSWORD:-", "get('password', ",
    "auth=('a', ", "login(", "mysql -p", "openssl -k ", "htpasswd -b ", "net use ", "echo a1 | ", "connect a/b@", "//a:b@", "| password |", "password | a1b2c3\n", "a  password\n", "-----  -----\n",
    "<th>a</th><tr>", "<name>password</name>", '["password"]=>', 's:8:"password";', "copy a (password) from stdin\n", "\u043f\u0430\u0440\u043e\u043b\u044c ", "\u5bc6\u7801", "mot de passe ",
    "your code is ", "1234 is your ", "use 1234 ", "06 12 ", "0170 1", "de89 ", "authorization:\n ", '{"kind":"Secret","data":{',
    "REDACTED-", "REDACTED-a-a-", "REDACTED-email-1x", "UNSCANNED-", "characters left out ", "caf\u00e9 ", "\ud800", "\U0001f600",
]  # fmt: skip
TEXTS = {
    **{repr(unit): (lambda size, unit=unit: unit * (size // len(unit))) for unit in UNITS},
    "base64": lambda size: BASE64[:size],
    "base64 runs": lambda size: " ".join(BASE64[at : at + 40] for at in range(0, size, 41)),
    "json string": lambda size: '"' + "ab " * (size // 3) + '"',
    "json of escapes": lambda size: '"' + "\\n" * (size // 2) + '"',
    "json list": lambda size: "[" + "1," * (size // 2) + "1]",
    "json nest": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "json code points": lambda size: '{"!str":[' + "97," * (size // 3) + "97]}",
    "many mailboxes": lambda size: " ".join(f"user{number}@example.org" for number in range(size // 20)),
    "many passwords": lambda size: "[" + ",".join(f'{{"password":"hunter{number}xx"}}' for number in range(size // 28)) + "]",
    "a value everywhere": lambda size: "password='abcdefgh1' " + "abcdefgh" * (size // 8),
    "a value in base64": lambda size: "password='abcdefgh1' " + "YWJjZGVmZ2gx" * (size // 12),
}


def seconds(work, *texts):
    start = time.process_time()
    work(*texts)
    return time.process_time() - start


def grows_slowly(work, small, large):
    fast = slow = 10.0**9
    for _ in range(6):
        fast = min(fast, seconds(work, *small))
        slow = min(slow, seconds(work, *large))
        if slow <= 8 * max(fast, 0.001):
            return True
    return False


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_four_times_the_text_takes_four_times_the_time(make):
    assert grows_slowly(redact_text, [make(SMALL)], [make(4 * SMALL)])


@pytest.mark.parametrize("name", ["many mailboxes", "many passwords", "'a'", "'password=\"'", "'REDACTED-'", "'\\\\'"])
def test_pairs_too(name):
    small, large = TEXTS[name](SMALL), TEXTS[name](4 * SMALL)
    assert grows_slowly(redact_pair, [small, small[:1000] + "#" + small[1001:]], [large, large[:1000] + "#" + large[1001:]])
