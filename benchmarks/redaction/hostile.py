"""Long strings that make careless patterns slow: each shape at any size."""

from collections.abc import Callable
from random import Random

from benchmarks.redaction import makers
from benchmarks.redaction import values as v


def _repeat(piece: str) -> Callable[[int, Random], str]:
    return lambda size, _rng: (piece * (size // len(piece) + 1))[:size]


def _many(make: Callable[[Random], str]) -> Callable[[int, Random], str]:
    def built(size: int, rng: Random) -> str:
        pieces, total = [], 0
        while total < size:
            pieces.append(make(rng))
            total += len(pieces[-1])
        return "".join(pieces)[:size]

    return built


SHAPES: dict[str, Callable[[int, Random], str]] = {
    "one letter": _repeat("a"),
    "one digit": _repeat("1"),
    "base64 noise": lambda size, rng: v.b64(v.noise(size * 3 // 4, rng)),
    "hex noise": lambda size, rng: v.noise(size // 2, rng).hex(),
    "key=": _repeat("key="),
    "password=": _repeat("password="),
    '"password":"': _repeat('"password":"'),
    "://a:b@": _repeat("://a:b@"),
    "http://": _repeat("http://"),
    "PEM heads": _repeat("-----BEGIN " + "PRIVATE KEY-----\n"),
    "quotes": _repeat('"'),
    "backslashes": _repeat("\\"),
    "a@a.": _repeat("a@a."),
    "spaced digits": _repeat("4 1 2 7 "),
    "dashed digits": _many(lambda rng: v.run("d", 4, rng) + "-"),
    "phone signs": _repeat("+1 ("),
    "token heads": _repeat("ghp_"),
    "JWT heads": _repeat("eyJhbGciOi."),
    "brackets": _repeat("{["),
    "percent": _repeat("%41"),
    "\\u": _repeat("\\u0061"),
    "NUL": _repeat("a\0"),
    "zero-width": _repeat("\u200b"),
    "spaces": _repeat(" "),
    "newlines": _repeat("\n"),
    "many tokens": _many(lambda rng: makers.fill("ghp", rng) + " "),
    "many keyed": _many(lambda rng: f'"password":"{makers.fill("pwplain", rng)}",'),
    "many mails": _many(lambda rng: makers.fill("mail", rng) + " "),
    "cookie": _repeat("Cookie: a=b; "),
    "xml": _repeat("<password>"),
    "concatenation": _repeat('"a" + '),
    "iban": _repeat("DE89 3704 "),
}


def hostile(shape: str, size: int, seed: int) -> str:
    return SHAPES[shape](size, Random(f"{seed}/{shape}"))
