"""Which values of an environment or of an ``.env`` file are secret: to be known beforehand, as ``Policy.exact``.

A value counts if its name says so, if it looks like a long word without meaning, or for the part of it that our own detectors
find secret (the password in ``DATABASE_URL``, a key in a JSON document). Whoever reads the variables hands them in; nothing is
read here. Ordinary words, paths, templates and what is short would hide half of every text and protect nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.names import kind_of_name
from redaction.detectors.opaque import entropy
from redaction.look import spans_of
from redaction.placeholder import placeholders
from redaction.policy import BALANCED, SHORTEST_EXACT
from redaction.views import compiled, percent, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 64 * 1024  # of one value
_LINE = 16  # of a value in several lines, a line that is searched for alone
_LONG_WORD = 20
_ENTROPY = 3.7
_ORDINARY = words(
    "password passphrase passw0rd password1 username authorization credentials credential anonymous localhost database undefined "
    "required optional disabled enabled production development staging security customer response request identity internal "
    "external standard administrator application postgres postgresql rabbitmq elasticsearch changeme changeit change-me change_me "
    "example placeholder your-token your-secret test-secret test-token notsecret not-secret secretkey secret-key access-token"
)
# Found by shape wherever they stand, and not what makes a variable secret.
_PERSONAL = words("email phone iban card ssn pin otp cvv word opaque other")
_ROOTS = "tmp|home|usr|var|run|etc|opt|root|private|Users|mnt|srv|dev|proc|nix|app|data|bin|workspace|github"
_PATH = rf"(?:file:/*|[A-Za-z]:\\|\.{{1,2}}/|~/|/(?:{_ROOTS})/)"
_TEMPLATE = r"\$\{[^}]*\}|\$\([^)]*\)|\{\{.*\}\}|<[^<>]*>|\$[A-Za-z_]\w*|%\w+%"
_OPAQUE = r"(?!/)[A-Za-z0-9+/_=.~-]+"
_DIGEST = r"(?:[0-9a-fA-F]{2}){10,64}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


def secret_values(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """What is secret among names and their values, each value once, in order; at least eight characters each."""
    found = (value for name, text in pairs for value in _values(name, text))
    return tuple(dict.fromkeys(value for value in found if _worth(value)))


def _values(name: str, text: str) -> Iterator[str]:
    value = text.strip()
    if not SHORTEST_EXACT <= len(value) <= LONGEST or compiled(_TEMPLATE).fullmatch(value) or compiled(_PATH).match(value):
        return
    if kind_of_name(name) is not None or _opaque(value):
        yield value
        if "\n" in value:  # a key in several lines: a program may print one of them
            yield from (line.strip() for line in value.splitlines() if len(line.strip()) >= _LINE and "-----" not in line)
    # Under its own name, so that a document below it is read as one: {"password": ..}, `Server=..;Password=..`, a URL.
    for span in spans_of(value, policy=BALANCED):
        if span.kind not in _PERSONAL:
            yield span.value
            decoded = percent(span.value)
            if decoded is not None:  # a program prints the password of a URL as it is meant
                yield decoded.text


def _worth(value: str) -> bool:
    return len(value) >= SHORTEST_EXACT and len(set(value)) > 2 and value.lower() not in _ORDINARY and not any(placeholders(value))


def _opaque(value: str) -> bool:
    """A long word without meaning: no digest, no identifier, no words with signs between them."""
    if len(value) < _LONG_WORD or compiled(_OPAQUE).fullmatch(value) is None or compiled(_DIGEST).fullmatch(value) is not None:
        return False
    classes = sum(compiled(pattern).search(value) is not None for pattern in ("[a-z]", "[A-Z]", "[0-9]"))
    return classes == 3 and max(map(len, compiled(r"[/_.~=-]").split(value))) >= _LONG_WORD // 2 and entropy(value) >= _ENTROPY
