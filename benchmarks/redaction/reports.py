"""Situations that public reports about other redactors name: each was once a leak or a false alarm somewhere.

Among them: a comment that switches detection off, text after a NUL, offsets that an emoji shifts, a word such as `todo` inside
a token, a second secret that only the first one's mask hides, a phone number read into a UUID.
"""

from random import Random

from benchmarks.redaction.items import Item, rows
from benchmarks.redaction.makers import fill

POSITIVE = [
    "first «ghp» second «ghp»",
    'say «ghp» and use {"password":"«pw»"} for «awsid»',
    "token «ghp_[A14]todo[A18]» is set",
    '{"api_key":"«[A10]example[A15]»"}',
    '{"token":"«[A9]test[A9]XXXX[A6]»"}',
    'password = "«pwplain»"  # gitleaks:allow\n',
    'password = "«pw»"  # pragma: allowlist secret\n',
    '{"comment":"betterleaks:allow kingfisher:ignore","token":"«ghp»"}',
    "# nosec noqa\nAWS_SECRET_ACCESS_KEY=«awssecret»\n",
    '{"a":"\U0001f600\U0001f680 \U0001f600","token":"«secret»","b":"\U0001f600"}',
    "\U0001f600 «ghp» \U0001f680",
    '{"a":"\ud83d","token":"«secret»"}',
    "before\0after «ghp» end",
    '{"a":"x\\u0000y","password":"«pwplain»"}',
    '{"msg":"{\\"password\\":\\"«[A5]\\\\\\"[A6]»\\"}"}',
    "ValueError: Port could not be cast to integer value in 'postgres://x:«[A5]#[A4]»@«~host»:abc/db'",
    "last line without its end: «ghp»",
    "a\r\nDB_PASSWORD=«pw»\r\nb\r\n",
    "    password: «pwplain»    \n",
    '{"password":"«[d12]»","n":«~n»}',
    '{"PASSWORD":"«pwplain»"}',
    '{"Passwort-Token":{"token":"«secret»"}}',
    "PASSWORD='«pwplain»' PASSWORD2='«pwplain»'",
    '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"password":"«pw»"}}}}}}}}}',
    "[[[[{'token': '«secret»'}]]]]",
    '{"token":"«secret»","token":"«secret»"}',
    "diff\n-password: «pwplain»\n+password: «pw»\n",
    "> quoted: token=«secret»\n>> twice\n",
    '    "password"  :  "«pw»"  ,',
    "<!-- password: «pwplain» -->",
    "// apiKey: '«secret»'\n",
    "SELECT 1; -- password=«pwplain»\n",
    'print("token: «ghp»")\n',
    "_«ghp»_ **«awsid»** ~«ghp»~",
    "«ghp»,«ghp»;«ghp»|«ghp»",
    "https://«~host»/«ghp»/x",
    "«ghp».log",
    "key«~n»=«ghp»&other«~n»=«awsid»",
]

NEGATIVE = [
    "id 12345678-1234-4567-8901-234567890123",
    '{"id":"30170123-4567-4890-9123-456789012345"}',
    '{"id":"41111111-1111-4111-8111-111111111111"}',
    "REDACTED-github-token-1x",
    '{"password":"REDACTED-password-1x","token":"REDACTED-token-2x"}',
    "http://localhost:8080/a, http://x@localhost/b",
    "host:5432 and later me@host",
    "ratio 10:30@60",
    "ssh://git@github.com:22/o/r.git",
    "docker://img@sha256:«~sha256»",
    "1767225600 1767229200 1767232800",
    "«~[p1][d8]» rows, «~[p1][d9]» bytes",
    '{"a":"\ud83d lone"}',
    "\U0001f600 \U0001f680",
    "\x1b[31mError\x1b[0m: not found",
    "\0\0\0",
    "REDACTED",
    "a\u200bb",
    "# gitleaks:allow",
    "git commit -m 'rotate password'",
    "task-runner, disk-usage, risk-free, desk-top",
    '{"todo":"buy milk","secretary":"Kim","tokens_left":3}',
    "the word secret, the word secret, the word secret",
    "https://user@host/path",
    "//user:@host/",
]


def items(rng: Random) -> list[Item]:
    return rows("structured", "public-report", POSITIVE, rng, fill) + rows("negative", "public-report", NEGATIVE, rng, fill)
