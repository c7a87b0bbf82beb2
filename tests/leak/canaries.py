"""What is planted: secrets of every kind that redaction promises to hide, made anew for each case.

A kind is a way to make a `Canary`. Every rule of the pack is one, so a new rule is covered from its first day; the
others are names, addresses, structures, personal data, and values that are secret only because they are known.
"""

import base64
import re
import string
from dataclasses import dataclass

from redaction.detectors.pack import RULES
from redaction.views import compiled

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
DIGITS = string.digits
# Syllables, so that a word has no shape, no digit, and is none that stands in any filler of ours.
SYLLABLES = [
    "bra",
    "cle",
    "dro",
    "fen",
    "gru",
    "hib",
    "jav",
    "kol",
    "lum",
    "mek",
    "nop",
    "pliv",
    "qua",
    "rost",
    "sil",
    "tov",
    "urb",
    "vex",
    "wim",
    "yad",
    "zor",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """``secrets`` are the parts of ``text`` that nobody may see. ``name`` announces it from outside, ``marker`` from inside."""

    kind: str
    family: str
    text: str
    secrets: tuple[str, ...]
    name: str = ""
    marker: str = ""
    rule: object = None


def some(rng, alphabet, count):
    return "".join(rng.choice(alphabet) for _ in range(count))


def mixed(rng, alphabet, count):
    """As `some`, with a small letter, a capital and a digit in it: what no such value lacks by chance in the real world."""
    made = some(rng, alphabet, count - 3) + rng.choice(string.ascii_lowercase) + rng.choice(string.ascii_uppercase) + rng.choice(DIGITS)
    return "".join(rng.sample(made, len(made)))


def word(rng, syllables=3):
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables))


# --- tokens: one kind a rule -------------------------------------------------------------------------------------------------


def _without(literals, secret):
    """The secret cut where the vendor's own letters stand: a piece of nothing else is no secret."""
    for literal in literals:
        head, found, tail = secret.partition(literal if len(literal) >= 8 else "\0")
        if found:
            parts = (head + found[:7] if head else "", found[-7:] + tail)
            return tuple(one for part in parts if len(part) >= 8 for one in _without(literals, part))
    return (secret,)


def token(rule):
    def make(rng):
        text = rule.make(rng.choice)
        secret = compiled(rule.pattern).search(text).group(rule.group)
        if "\n" in secret:  # of a file of lines the head, the foot and the names are no secret
            secret = "\n".join(line for line in secret.split("\n") if line and not set(line) & set(" :") and not line.startswith("--"))
        secrets = _without(re.split(r"\{\w+:\d+\}", rule.example), secret)
        marker = next(trigger for trigger in rule.triggers if trigger in text)
        return Canary(kind=rule.id, family="token", text=text, secrets=secrets, marker=marker, rule=rule)

    return make


# --- keyed: the name says it -------------------------------------------------------------------------------------------------


def password(rng):
    return mixed(rng, ALNUM, 10) + rng.choice("!#%+*~^") + some(rng, ALNUM, 4)


def passphrase(rng):
    return " ".join(word(rng) for _ in range(4))


def accented(rng):
    return word(rng) + "é" + some(rng, DIGITS, 3) + "Å" + word(rng) + "ü" + some(rng, ALNUM, 3)


def luhn(rng, prefix, length):
    body = prefix + some(rng, DIGITS, length - len(prefix) - 1)
    total = sum(sum(divmod(2 * int(digit), 10)) if at % 2 == 0 else int(digit) for at, digit in enumerate(reversed(body)))
    return body + str(-total % 10)


def social(rng, sign="-"):
    return f"{rng.randrange(100, 665)}{sign}{rng.randrange(10, 99)}{sign}{rng.randrange(1000, 9999)}"


KEYED = {
    "password": ("password", password),
    "db password": ("DB_PASSWORD", password),
    "passphrase": ("passphrase", passphrase),
    "accented password": ("userPassword", accented),
    "numeric password": ("password", lambda rng: rng.choice("123456789") + some(rng, DIGITS, 11)),
    "client secret": ("client_secret", lambda rng: mixed(rng, ALNUM, 32)),
    "webhook secret": ("webhookSecret", lambda rng: some(rng, HEX, 48)),
    "api key": ("api_key", lambda rng: mixed(rng, ALNUM, 32)),
    "api key camel": ("apiKey", lambda rng: some(rng, HEX, 32)),
    "api key header": ("X-Api-Key", lambda rng: mixed(rng, ALNUM, 40)),
    "queue token": ("CACHE_AUTH_TOKEN", lambda rng: mixed(rng, ALNUM, 14)),
    "aws secret": ("AWS_SECRET_ACCESS_KEY", lambda rng: mixed(rng, ALNUM, 19) + "/" + mixed(rng, ALNUM + "+/", 20)),
    "signing key": ("signing_key", lambda rng: base64.b64encode(rng.randbytes(33)).decode()),
    "credentials": ("credentials", lambda rng: mixed(rng, ALNUM, 20)),
    "access token": ("access_token", lambda rng: mixed(rng, ALNUM, 36)),
    "refresh token": ("refreshToken", lambda rng: mixed(rng, ALNUM + "-_", 43)),
    "auth token": ("X-Auth-Token", lambda rng: some(rng, HEX, 39) + rng.choice("abcdef") + rng.choice(DIGITS)),
    "session id": ("session_id", lambda rng: mixed(rng, ALNUM, 26)),
    "pin": ("pin", lambda rng: rng.choice("123456789") + some(rng, DIGITS, 5)),
    "otp": ("otp", lambda rng: rng.choice("123456789") + some(rng, DIGITS, 5)),
    "cvv": ("cvv", lambda rng: rng.choice("123456789") + some(rng, DIGITS, 2)),
    "bare ssn": ("ssn", lambda rng: social(rng, "")),
    "bare card": ("card_number", lambda rng: luhn(rng, "4", 16)),
    "bare phone": ("phone_number", lambda rng: "49151" + some(rng, DIGITS, 8)),
}


def keyed(kind):
    name, make_value = KEYED[kind]

    def make(rng):
        value = make_value(rng)
        return Canary(kind=kind, family="keyed", text=value, secrets=(value,), name=name)

    return make


# --- addresses, structures, personal data: they say it themselves ------------------------------------------------------------


def iban(rng):
    country, length = rng.choice((("DE", 22), ("FR", 27), ("GB", 22), ("NL", 18)))
    letters = {"GB": 4, "NL": 4}.get(country, 0)
    body = some(rng, string.ascii_uppercase, letters) + some(rng, DIGITS, length - 4 - letters)
    number = int("".join(str(int(char, 36)) for char in body + country + "00"))
    return f"{country}{98 - number % 97:02}{body}"


def spelled(template, secret, marker):
    """A text with its secret in it."""
    return template.replace("SECRET", secret), (secret,), marker


def _basic(rng):
    return spelled("Authorization: Basic SECRET", base64.b64encode(f"jo:{password(rng)}".encode()).decode(), "Basic ")


def insee(rng):
    """As France gives it to a person: sex, year, month, place, number, and what is left of 97."""
    body = f"{rng.choice('12')} {rng.randrange(30, 99)} {rng.randrange(1, 13):02} {rng.randrange(21, 95)} {some(rng, '123456789', 3)} {some(rng, DIGITS, 3)}"
    return f"{body} {97 - int(body.replace(' ', '')) % 97:02}"


def _grouped(number):
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


SPOKEN = {
    "url": {
        "postgres url": lambda rng: spelled("postgres://app:SECRET@db.example:5432/main", mixed(rng, ALNUM, 18), "://app:"),
        "url with signs": lambda rng: spelled("https://jo:SECRET@h.example/x", mixed(rng, ALNUM, 8) + "@" + some(rng, ALNUM, 6), "://jo:"),
        "redis url": lambda rng: spelled("redis://:SECRET@cache.example:6379/0", mixed(rng, ALNUM, 24), "://:"),
        "git url": lambda rng: spelled("https://SECRET@git.example/o/r.git", mixed(rng, ALNUM, 40), "://"),
        "go dsn": lambda rng: spelled("root:SECRET@tcp(db.example:3306)/main", mixed(rng, ALNUM, 16), "@tcp("),
        "sas url": lambda rng: spelled("https://s.example/c?sv=2&sig=SECRET", mixed(rng, ALNUM, 43), "&sig="),
        "presigned url": lambda rng: spelled("https://s.example/k?X-Amz-Signature=SECRET", some(rng, HEX, 64), "X-Amz-Signature="),
        "query token": lambda rng: spelled("https://h.example/?access_token=SECRET", mixed(rng, ALNUM, 30), "access_token="),
    },
    "structured": {
        "bearer": lambda rng: spelled("Authorization: Bearer SECRET", mixed(rng, ALNUM, 40), "Bearer "),
        "basic": _basic,
        "cookie": lambda rng: spelled("Cookie: theme=dark; sid=SECRET", mixed(rng, ALNUM, 32), "sid="),
        "set-cookie": lambda rng: spelled("Set-Cookie: auth=SECRET; Path=/; HttpOnly", mixed(rng, ALNUM, 32), "Set-Cookie: "),
        "env line": lambda rng: spelled("DB_PASSWORD=SECRET", mixed(rng, ALNUM, 18), "PASSWORD="),
        "netrc": lambda rng: spelled("machine h.example login jo password SECRET", mixed(rng, ALNUM, 16), "password "),
        "curl": lambda rng: spelled("curl -u jo:SECRET https://h.example", mixed(rng, ALNUM, 16), "-u jo:"),
        "connection string": lambda rng: spelled("Server=db;User Id=sa;Password=SECRET;", mixed(rng, ALNUM, 18), "Password="),
        "element": lambda rng: spelled("<password>SECRET</password>", mixed(rng, ALNUM, 18), "<password>"),
        "table": lambda rng: spelled("id,user,password\n7,jo,SECRET\n", mixed(rng, ALNUM, 14), "password\n7,jo,"),
        "statement": lambda rng: spelled("CREATE USER app IDENTIFIED BY 'SECRET'", mixed(rng, ALNUM, 14), "IDENTIFIED BY '"),
        "service key": lambda rng: spelled("datadog key SECRET", some(rng, HEX, 30) + "a1", "datadog key "),
        "spoken": lambda rng: spelled("bad password 'SECRET'", mixed(rng, ALNUM, 14), "password '"),
    },
    "personal": {
        "e-mail": lambda rng: spelled("SECRET", f"{word(rng)}.{word(rng)}@{word(rng)}.net", "@"),
        "card": lambda rng: spelled("SECRET", luhn(rng, rng.choice(("4", "51", "2221")), 16), ""),
        "card in groups": lambda rng: spelled("SECRET", _grouped(luhn(rng, "4", 16)), ""),
        "iban": lambda rng: spelled("SECRET", iban(rng), ""),
        "iban in groups": lambda rng: spelled("SECRET", _grouped(iban(rng)), ""),
        "ssn": lambda rng: spelled("SECRET", social(rng), ""),
        "national number": lambda rng: spelled("SECRET", insee(rng), ""),
        "phone": lambda rng: spelled("SECRET", "+49 151 " + some(rng, DIGITS, 8), "+"),
        "us phone": lambda rng: spelled("SECRET", f"({rng.randrange(201, 989)}) {rng.randrange(201, 989)}-{rng.randrange(1000, 9999)}", ""),
    },
}  # fmt: skip


def spoken(family, kind):
    def make(rng):
        text, secrets, marker = SPOKEN[family][kind](rng)
        return Canary(kind=kind, family=family, text=text, secrets=secrets, marker=marker)

    return make


# --- exact: secret because it is known, whatever it looks like ---------------------------------------------------------------

EXACT = {
    "known word": lambda rng: word(rng, 4),
    "known words": lambda rng: " ".join(word(rng) for _ in range(3)),
    "known words with dashes": lambda rng: "-".join(word(rng) for _ in range(3)),
    "known number": lambda rng: rng.choice("123456789") + some(rng, DIGITS, 11),
    "known path": lambda rng: f"/srv/{word(rng)}/{word(rng)}.d",
    "known signs": lambda rng: f'{word(rng)}"{word(rng)}&{word(rng)}\\{word(rng)}',
    "known accents": lambda rng: f"{word(rng)}é{word(rng)}Å{word(rng)}",
}


def exact(kind):
    def make(rng):
        value = EXACT[kind](rng)
        return Canary(kind=kind, family="exact", text=value, secrets=(value,))

    return make


KINDS = (
    {rule.id: token(rule) for rule in RULES}
    | {kind: keyed(kind) for kind in KEYED}
    | {kind: spoken(family, kind) for family, kinds in SPOKEN.items() for kind in kinds}
    | {kind: exact(kind) for kind in EXACT}
)
