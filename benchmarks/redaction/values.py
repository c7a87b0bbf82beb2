"""Random values: alphabets, patterns of alphabets, and numbers with check digits. Nothing here knows any rule of `redaction`."""

import base64
import hashlib
import re
import string
from random import Random

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits

ALPHABETS = {
    "A": LOWER + UPPER + DIGITS,
    "a": LOWER + DIGITS,
    "U": UPPER + DIGITS,
    "w": LOWER,
    "W": UPPER,
    "L": LOWER + UPPER,
    "d": DIGITS,
    "p": "123456789",
    "h": DIGITS + "abcdef",
    "H": DIGITS + "ABCDEF",
    "b": LOWER + UPPER + DIGITS + "+/",
    "u": LOWER + UPPER + DIGITS + "-_",
    "k": UPPER + "234567",
    "c": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",  # bech32, of age keys
    "n": "ACDEFGHJKLMNPQRSTUVWXYZ23456789",
    "s": LOWER + UPPER + DIGITS + "!#$%*+-.:;=?@^_~",
    "q": LOWER + UPPER + DIGITS + "!#*+-._~",
}
_RUN = re.compile(r"\[([A-Za-z])(\d+)(?:-(\d+))?\]")
_WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "hazel",
    "indigo",
    "jasper",
    "koala",
    "lemon",
    "maple",
    "nectar",
    "ocean",
    "pepper",
    "quartz",
    "river",
    "saffron",
    "tulip",
    "umber",
    "velvet",
    "willow",
    "yonder",
    "zephyr",
]


def run(alphabet: str, size: int, rng: Random) -> str:
    """`size` characters that are not all of one class: what a provider hands out by chance in all but a few draws."""
    letters = ALPHABETS[alphabet]
    made = ""
    for _ in range(20):
        made = "".join(rng.choice(letters) for _ in range(size))
        mixed = any(c.isdigit() for c in made) and any(c.isalpha() for c in made)
        if mixed or size < 8 or not (set(letters) & set(DIGITS) and set(letters) & set(LOWER + UPPER)):
            return made
    return made


def pattern(spec: str, rng: Random) -> str:
    """`ghp_[A36]` -> the prefix and 36 characters of alphabet A; `[u20-27]` draws the length too."""
    return _RUN.sub(lambda m: run(m[1], rng.randint(int(m[2]), int(m[3] or m[2])), rng), spec)


def word(rng: Random) -> str:
    return rng.choice(_WORDS)


def b64(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def b64url(data: bytes | str) -> str:
    return base64.urlsafe_b64encode(data.encode() if isinstance(data, str) else data).decode().rstrip("=")


def noise(size: int, rng: Random) -> bytes:
    return rng.randbytes(size)


def wrap(text: str, width: int, glue: str = "\n") -> str:
    return glue.join(text[i : i + width] for i in range(0, len(text), width))


def luhn_digit(body: str) -> str:
    total = sum(sum(divmod(int(c) * (2 - i % 2), 10)) for i, c in enumerate(reversed(body)))
    return str(-total % 10)


def luhn_valid(number: str) -> bool:
    return luhn_digit(number[:-1]) == number[-1]


def card(prefix: str, size: int, rng: Random) -> str:
    body = prefix + run("d", size - len(prefix) - 1, rng)
    return body + luhn_digit(body)


def grouped(number: str, sizes: tuple[int, ...], glue: str) -> str:
    out, at = [], 0
    for size in sizes:
        out.append(number[at : at + size])
        at += size
    return glue.join([*out, number[at:]] if at < len(number) else out)


def iban(country: str, bban: str) -> str:
    digits = "".join(str(int(c, 36)) for c in bban + country + "00")
    return f"{country}{98 - int(digits) % 97:02d}{bban}"


_D = [
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
]
_P = ["0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"]
_INVERSE = "0432156789"


def verhoeff(body: str) -> str:
    """The check digit of Aadhaar numbers."""
    check = 0
    for i, c in enumerate(reversed(body), start=1):
        check = int(_D[check][int(_P[i % 8][int(c)])])
    return _INVERSE[check]


def aadhaar(rng: Random) -> str:
    body = pattern("[p1][d10]", rng).replace("1", "2", 1) if rng.random() < 0.5 else "7" + run("d", 10, rng)
    body = ("2" + body[1:]) if body[0] in "01" else body
    return body + verhoeff(body)


def nhs(rng: Random) -> str:
    while True:
        body = "9" + run("d", 8, rng)
        check = 11 - sum(int(c) * (10 - i) for i, c in enumerate(body)) % 11
        if check != 10:
            return body + str(check % 11)


def cpf(rng: Random) -> str:
    body = run("d", 9, rng)
    for size in (10, 11):
        body += str(sum(int(c) * (size - i) for i, c in enumerate(body)) * 10 % 11 % 10)
    return body


def sin(rng: Random) -> str:
    body = rng.choice("1245679") + run("d", 7, rng)
    return body + luhn_digit(body)


def dni(rng: Random) -> str:
    body = rng.choice("1234567") + run("d", 7, rng)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23],
        strict=True,
    )
)


def codice_fiscale(rng: Random) -> str:
    body = (
        pattern("[W6]", rng)
        + f"{rng.randint(0, 99):02d}{rng.choice('ABCDEHLMPRST')}{rng.randint(1, 28):02d}{rng.choice('ABCDEFGHIL')}{rng.randint(0, 999):03d}"
    )
    total = sum(_ODD[c] if i % 2 == 0 else int(c, 36) - (10 if c.isalpha() else 0) for i, c in enumerate(body))
    return body + UPPER[total % 26]


def fake_hash(rng: Random, name: str = "sha256") -> str:
    """A digest of noise: harmless, and of the form that digests have."""
    return hashlib.new(name, noise(16, rng)).hexdigest()


def uuid(rng: Random) -> str:
    made = run("h", 32, rng)
    made = made[:12] + "4" + made[13:16] + rng.choice("89ab") + made[17:]
    return grouped(made, (8, 4, 4, 4), "-")
