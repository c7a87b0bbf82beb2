"""Which part of a value is the secret, once its name said that there is one.

Null, empty, booleans, scheme words, masks (``****``), references (``${TOKEN}``) and numbers under most
names stay: they are facts, not secrets. Where a name is also an ordinary word (``token`` in a parser,
``auth``), the value must look like a secret. Tests for harmless values match whole values only.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from redaction.detectors.names import STRONG, WORDS, segments
from redaction.placeholder import WALL, walls
from redaction.types import Span
from redaction.views import compiled, fold, readings, unwrap, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_COUNT = 24  # figures: no number of things, and no time
_SIGNS = 8  # of so many and nothing else, a password might be made
_LONGEST_NUMBER = 96
_TRIVIAL = words(
    "true false null none nil undefined nan yes no on off required optional mandatory missing invalid valid expired revoked weak "
    "enabled disabled default unset empty unknown redacted masked hidden filtered removed omitted withheld str string text "
    "int integer number bool boolean bytes object array list dict any n/a na tbd oauth oauth2 include same-origin omit "
    "strong unchanged changed changeme inherit erforderlich obligatoire obligatoria obligatorio wymagane zorunlu verplicht"
)
# A whole value: one masking character repeated, a reference to a variable, a template slot, a bracketed word.
_HARMLESS = (
    r"([*•●#.·_-])\1*|[xX]{3,}|-?\$[A-Z_]{3,80}|\$\{[A-Za-z_][\w.:-]{0,80}\}|\$?\{\{[^{}]{0,120}\}\}|%(?:\([a-z_]{0,40}\))?s"
    r"|\{[a-zA-Z_.]{0,60}\}|<[A-Za-z_ .-]{1,60}>|\[[A-Za-z_ ]{1,40}\]|#/[A-Za-z$][\w$/~.-]{1,200}"
    r"|(?i:your|enter|insert|put)[_ -][A-Za-z_ -]{2,60}|\(?(?:not )?set\)?"
    r"|(?:op|vault|ssm|awssm|gcpsm|keyring|ref\+[a-z]{2,20}):[\w./@:#?=-]{2,300}|/run/secrets/[\w./-]{1,200}"
    r"|\.{0,2}/[\w./-]{1,200}\.(?:pem|key|crt|p12|jks)|\$\([^()]{1,200}\)"
)
# Words of which a message about a field is made; two of them, and nothing that looks like a secret, make a sentence.
_SENTENCE = words(
    "a an and are at be been but by can cannot does don't for from get got has have in is it least may might not of one only or "
    "should than that the this to too was were when with you your"
)
_LABEL = words("your the a new old current confirm repeat again enter user account api access secret key client app and or optional")
# At least one of these: common words alone are a passphrase.
_VERDICT = words(
    "characters contain empty exceed expected field incorrect input invalid length long match matches missing must need null "
    "please required short string valid value wrong blank provided"
)
_SCHEME = (
    r"\s*(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Negotiate|NTLM|HMAC|OAuth|Bot|GenieKey|Apikey|Splunk|SSWS|GoogleLogin|SharedKey(?:Lite)?|AWS"
    r"|AWS4-HMAC-SHA256)[ \t]+"
)
_SLOT = r"%\(?[a-z_]{0,40}\)?[sdr]|\{\d{0,2}\}|\{[a-zA-Z_.]{1,40}\}"
_COOKIE_PAIR = r"([^\s=;,\"']{1,128})[ \t]{0,4}=[ \t]{0,4}([^;\r\n\\]*+)"
_COOKIE_ATTRIBUTES = words("path domain expires max-age samesite version priority comment secure httponly partitioned")
# Cookies that say how a page is shown: with a plain word as value they stay.
_COOKIE_TASTE = words("theme lang language locale currency timezone tz country region")
FIGURES = {
    "pin": r"\d(?:[ -]?\d){2,11}",
    "otp": r"\d(?:[ -]?\d){2,11}",
    "cvv": r"\d{3,4}",
    "ssn": r"\d{3}[- ]?\d{2}[- ]?\d{4}",
    "card": r"\d(?:[ -]?\d){11,18}",
    "phone": r"\+?(?:[ ()./-]{0,3}\d){7,20}",
    "birth-date": r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ][\d:.+Z-]{1,24})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{8}"
    r"|\d{1,2}\.? [A-Za-z]{3,9},? \d{4}|[A-Za-z]{3,9} \d{1,2},? \d{4}",
    "national-id": r"(?=(?:[A-Za-z ./-]{0,12}\d){4})[A-Za-z0-9][A-Za-z0-9 ./-]{5,22}",
    "account": r"\d(?:[ -]?\d){4,19}",
}
CONTRACT = r"0x[0-9a-fA-F]{40}"  # the address of a token that is traded; a private key is longer
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"


def covered(text: str) -> bool:
    """Whether nothing but placeholders and punctuation stands here: it was redacted before."""
    plain = walls(text)
    return WALL in plain and compiled(r"\w").search(plain) is None


def trivial(value: str) -> bool:
    """Whether a value under a secret name says nothing: whole values only."""
    bare = value.strip()
    if not bare or bare.lower() in _TRIVIAL or compiled(_HARMLESS).fullmatch(bare) is not None:
        return True
    if len(bare) < _SIGNS and bare.isprintable() and compiled(r"\w").search(bare) is None:  # quotes and brackets behind an open quote
        return True
    slots = compiled(_SLOT).sub("", bare[:200]) if "%" in bare or "{" in bare else bare
    return slots != bare and compiled(r"\w").search(slots + bare[200:]) is None


def _is_label(text: str) -> bool:
    """Whether it is what a form calls the field: the name again, in letters only."""
    if len(text) > 60 or not text[:1].isupper() or not all(character.isalpha() or character in " _-" for character in text):
        return False
    parts = segments(text)
    return any(part in WORDS for part in parts) and all(part in WORDS or part in _LABEL for part in parts)


def sentence(value: str) -> bool:
    """Whether a value is a message about the field (a validation error), not its content."""
    words = value[:400].split()
    bare = [word.strip(".,:;!?'\"()").lower() for word in words]
    said = sum(word in _VERDICT for word in bare)
    known = said + sum(word in _SENTENCE for word in bare)
    return len(words) >= 2 and known >= 2 and said > 0 and not any(plausible(word) for word in words)


def says(value: str) -> bool:
    """Whether one of the words stands there of which sentences are made, and no phrase of drawn words."""
    words = {word.strip(".,") for word in value.lower().split()}
    return not (words.isdisjoint(_SENTENCE) and words.isdisjoint(_VERDICT) and words.isdisjoint(_TRIVIAL))


def plausible(value: str) -> bool:
    """Whether a value looks like a secret and not like a word of a sentence or of a grammar."""
    if len(value) < 6:
        return False
    letters = compiled(r"[^\W\d_]").search(value) is not None
    figures = compiled(r"\d").search(value) is not None
    if letters and figures:
        return True
    if len(value) >= _NO_COUNT and value.isdigit():
        return True
    if len(value) >= 8 and " " not in value and compiled(r"[!@#$%^*+=~]").search(value) is not None:
        return True
    flips = sum(one.islower() and two.isupper() for one, two in pairwise(value))
    return " " not in value and letters and (len(value) >= 20 or (len(value) >= 12 and flips >= 3))


def opaque(value: str) -> bool:
    """Whether a value looks like a key wherever it stands: long, one word, capitals, small letters and figures."""
    classes = (r"[A-Z]", r"[a-z]", r"[0-9]")
    return (
        len(value) >= 12 and compiled(r"[\w.+/=~-]+").fullmatch(value) is not None and all(compiled(part).search(value) for part in classes)
    )


def keylike(value: str) -> bool:
    """Whether a value looks drawn at random: a UUID, or letters and figures mixed within one run. No words, dates or numbers."""
    if len(value) < 12 or compiled(r"[\w.+/=~:-]+").fullmatch(value) is None:
        return False
    if compiled(_UUID).fullmatch(value) is not None:
        return True
    runs = compiled(r"[A-Za-z0-9]{8,}").findall(value[:400])
    return any(_mixed(run) for run in runs)


def _mixed(run: str) -> bool:
    figures = sum(map(str.isdigit, run))
    if compiled(r"\d{8}T\d{4,6}Z?").fullmatch(run) is not None:
        return False
    flips = sum(one.islower() and two.isupper() for one, two in pairwise(run))
    return (figures < len(run) and figures >= 2) or (len(run) >= 20 and (figures == 1 or flips >= 3))


def secret_parts(kind: str, value: str, *, sure: bool = False) -> Iterator[tuple[int, int]]:
    """Start and end of what must be hidden in a whole value under a name of that kind.

    ``sure``: the place leaves no doubt (a URL's query, an environment line), so any value will do.
    """
    from redaction.detectors.messages import sealed  # not before a name was seen: importing takes time

    if trivial(value) or covered(value) or sealed(value):
        return
    if kind == "cookie":
        yield from _cookies(value)
    elif kind == "authorization":
        yield from _authorization(value)
    elif _hides(kind, value, sure=sure):
        start = len(value) - len(value.lstrip())
        yield start, len(value.rstrip())


def value_spans(kind: str, value: str, start: int, *, sure: bool = False) -> Iterator[Span]:
    """What of a value is the secret, where it stands: ``start`` is where the value begins in the text. See ``secret_parts``."""
    for first, last in secret_parts(kind, value, sure=sure):
        yield Span(start + first, start + last, kind, value[first:last])


def _hides(kind: str, value: str, *, sure: bool) -> bool:
    if kind in STRONG or kind == "signature":
        from redaction.detectors.messages import message

        return not sentence(value) and not message(value) and not _is_label(value.strip())
    bare = value.strip(" \t\r\n\"'`")
    if kind in FIGURES:
        shape = compiled(FIGURES[kind])
        return shape.fullmatch(bare) is not None or any(
            compiled(rf"(?<!\w)(?:{FIGURES[kind]})(?!\w)").search(reading) is not None for reading in _decoded(bare)
        )
    if kind == "service-key":
        return keylike(bare)
    if (kind == "session" and compiled(_UUID).fullmatch(bare)) or (kind == "token" and compiled(CONTRACT).fullmatch(bare)):
        return False
    return sure or plausible(bare)


def _decoded(value: str, depth: int = 0) -> Iterator[str]:
    """What a short value says where it is encoded: a number has no other sign."""
    if depth:
        yield value
    if depth == 3 or not 4 <= len(value) <= _LONGEST_NUMBER:
        return
    for view in (*readings(value), fold(value), unwrap(value) if "\n" in value else None):
        if view is not None:
            yield from _decoded(view.text, depth + 1)
    plain = []
    if compiled(r"(?:[0-9a-fA-F]{2})+").fullmatch(value):
        plain.append(bytes.fromhex(value))
    if compiled(r"[A-Za-z0-9+/_-]+={0,2}").fullmatch(value):
        bare = value.rstrip("=")
        with suppress(binascii.Error, ValueError):
            plain.append(b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_" if set("-_") & set(bare) else None))
    for decoded in plain:
        if decoded.isascii() and (text := decoded.decode()).isprintable():
            yield from _decoded(text, depth + 1)
            yield from (inner for word in text.split() if word != text for inner in _decoded(word, depth + 1))


def _authorization(value: str) -> Iterator[tuple[int, int]]:
    scheme = compiled("(?i)" + _SCHEME).match(value)
    start = scheme.end() if scheme else len(value) - len(value.lstrip())
    end = len(value.rstrip())
    rest = value[start:end]
    if rest and not trivial(rest) and not covered(rest) and (scheme is not None or (" " not in rest and plausible(rest))):
        yield start, end


def _cookies(value: str) -> Iterator[tuple[int, int]]:
    """Each cookie's value; names and attributes stay, because a changed ``SameSite`` is worth seeing."""
    pairs = False
    for match in compiled(_COOKIE_PAIR).finditer(value):
        pairs = True
        inner = match.group(2)
        if match.group(1).lower() in _COOKIE_TASTE and compiled(r"[A-Za-z]{1,12}(?:[-_/][A-Za-z]{1,12})?\s*").fullmatch(inner):
            continue
        if match.group(1).lower() not in _COOKIE_ATTRIBUTES and not trivial(inner) and not covered(inner):
            yield match.start(2), match.start(2) + len(inner.rstrip())
    if not pairs and plausible(value.strip()):
        yield 0, len(value)
