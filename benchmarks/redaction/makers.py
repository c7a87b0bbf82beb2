"""Named values of the templates: passwords of all tastes, keys, tokens with an inner structure, personal numbers, filling."""

import json
import urllib.parse
from collections.abc import Callable
from random import Random

from benchmarks.redaction import values as v

_PEM_KINDS = {
    "rsa": "RSA PRIVATE KEY",
    "pkcs8": "PRIVATE KEY",
    "ec": "EC PRIVATE KEY",
    "dsa": "DSA PRIVATE KEY",
    "openssh": "OPENSSH PRIVATE KEY",
    "encrypted": "ENCRYPTED PRIVATE KEY",
    "pgp": "PGP PRIVATE KEY BLOCK",
    "ssh2": "SSH2 ENCRYPTED PRIVATE KEY",
}


def pem(kind: str, rng: Random, *, lines: int = 12) -> str:
    """A private key of a PEM kind: the right markers round noise that begins as such keys do."""
    name = _PEM_KINDS[kind]
    start = {"openssh": b"openssh-key-v1\0", "pgp": b"\x95\x01\xd8"}.get(kind, b"\x30\x82\x04\xa3\x02\x01\x00")
    body = v.wrap(v.b64(start + v.noise(48 * lines - 13, rng)), 64)
    inner = f"\n{body}\n={v.pattern('[b4]', rng)}" if kind == "pgp" else body
    dash = "---- " if kind == "ssh2" else "-----"
    back = " ----" if kind == "ssh2" else "-----"
    return f"{dash}BEGIN {name}{back}\n{inner}\n{dash}END {name}{back}"


def jwt(rng: Random, alg: str = "HS256") -> str:
    head = v.b64url(json.dumps({"alg": alg, "typ": "JWT"}, separators=(",", ":")))
    body = v.b64url(json.dumps({"sub": v.run("d", 10, rng), "name": v.word(rng), "iat": 1516239022}, separators=(",", ":")))
    return f"{head}.{body}.{v.b64url(v.noise(32 if alg == 'HS256' else 256, rng))}"


def jwe(rng: Random) -> str:
    head = v.b64url('{"alg":"RSA-OAEP","enc":"A256GCM"}')
    return ".".join([head, *(v.b64url(v.noise(n, rng)) for n in (256, 12, 64, 16))])


def human(rng: Random) -> str:
    return f"{v.word(rng).title()}-{v.word(rng).title()}-{rng.randint(1950, 2025)}!"


def spaced(rng: Random) -> str:
    return f"{v.word(rng)} {v.word(rng)} {v.word(rng)} {v.word(rng)}"


def unicode_password(rng: Random) -> str:
    return v.pattern("[A5]", rng) + rng.choice("éüßñø") + v.pattern("[A4]", rng) + rng.choice("密код한") + v.pattern("[d3]", rng)


def percent(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def basic(rng: Random) -> str:
    return v.b64(f"{v.word(rng)}:{v.pattern('[q14]', rng)}")


MAKERS: dict[str, Callable[[Random], str]] = {
    "pw": lambda r: v.pattern("[A3][q9-14][d2]", r),
    "pwplain": lambda r: v.pattern("[A12-18]", r),
    "pwshort": lambda r: v.pattern("[L3][d3][L2]", r),
    "pwhuman": human,
    "pwword": lambda r: v.word(r) + v.word(r),
    "pwspace": spaced,
    "pwat": lambda r: v.pattern("[A5]@[A4]@[A3]", r),
    "pwslash": lambda r: v.pattern("[A5]/[A4]/[A4]", r),
    "pwcolon": lambda r: v.pattern("[A5]:[A4]:[A4]", r),
    "pwquotej": lambda r: v.pattern('[A5]\\"[A6]', r),
    "pwback": lambda r: v.pattern("[A5]\\\\[A6]", r),
    "pwapos": lambda r: v.pattern("[A5]'[A6]", r),
    "pwcomma": lambda r: v.pattern("[A5],[A3];[A4]", r),
    "pwhash": lambda r: v.pattern("[A5]#[A3]$[A4]", r),
    "pwpct": lambda r: percent(v.pattern("[A4]@[A3]#[A4]/", r)),
    "pwuni": unicode_password,
    "pwamp": lambda r: v.pattern("[A5]&amp;[A6]&lt;[A3]", r),
    "secret": lambda r: v.pattern("[A32-40]", r),
    "secret64": lambda r: v.b64(v.noise(32, r)),
    "secreturl": lambda r: v.pattern("[u43]", r),
    "hex32": lambda r: v.run("h", 32, r),
    "hex40": lambda r: v.run("h", 40, r),
    "hex64": lambda r: v.run("h", 64, r),
    "b64pw": lambda r: v.b64(v.pattern("[A4][s12]", r)),
    "b64key": lambda r: v.b64(v.noise(32, r)),
    "basic": basic,
    "awssecret": lambda r: v.pattern("[A20][b20]", r),
    "awsid": lambda r: v.pattern("AKIA[k16]", r),
    "jwt": jwt,
    "jwtrs": lambda r: jwt(r, "RS256"),
    "jwe": jwe,
    "ghp": lambda r: v.pattern("ghp_[A36]", r),
    "azsig": lambda r: percent(v.b64(v.noise(32, r))),
    "azkey": lambda r: v.b64(v.noise(64, r)),
    "pemrsa": lambda r: pem("rsa", r),
    "pemesc": lambda r: pem("pkcs8", r).replace("\n", "\\n"),
    "dockerauth": basic,
    "mail": lambda r: f"{v.word(r)}.{v.word(r)}@{v.word(r)}-{v.word(r)}.{r.choice(('example', 'example.com', 'example.org'))}",
    "uuid": v.uuid,
    "sha1": lambda r: v.fake_hash(r, "sha1"),
    "sha256": v.fake_hash,
    "md5": lambda r: v.fake_hash(r, "md5"),
    "word": v.word,
    "time": lambda r: f"2026-0{r.randint(1, 9)}-{r.randint(10, 28)}T{r.randint(10, 23)}:{r.randint(10, 59)}:{r.randint(10, 59)}Z",
    "n": lambda r: str(r.randint(2, 9999)),
    "host": lambda r: f"{v.word(r)}.{v.word(r)}.internal",
}


def fill(spec: str, rng: Random) -> str:
    """The value of a mark in a template: a maker's, else a pattern's."""
    if spec in MAKERS:
        return MAKERS[spec](rng)
    if "[" not in spec:
        raise ValueError(f"neither a maker nor a pattern: {spec}")
    return v.pattern(spec, rng)
