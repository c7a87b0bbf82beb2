"""Long words without meaning: hidden in the profile `strict`, whatever stands around them.

At least 20 characters with capitals, small letters and figures in a mix that no name has; or any identifier that stands in a sentence
behind a word for a secret. Digests, UUIDs, subresource integrity and base64 of plain text stay: they are what differences are about.
Source: study of redaction, section 6 ("strict adds opaque tokens").
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections import Counter
from math import log2
from typing import TYPE_CHECKING

from redaction.detectors.names import kind_of_name
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

LONGEST_BLOB = 120  # what is longer and no text is no key either, but data: nobody can read it, and it may hold anything
_RUN = r"(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{20,}+={0,2}"
_BEHIND = r"(?<![A-Za-z0-9+/_=.-])(?=[A-Za-z0-9+/_-]{0,4096}[0-9])(?=[A-Za-z0-9+/_-]{0,4096}[A-Za-z])[A-Za-z0-9+/_-]{12,}+={0,2}"
_REACH = 40
_LABEL = r"(?i)(?:sha|md|blake)[0-9a-z]{1,5}[-_:=]$"
_DIGEST = r"(?i)(?:[0-9a-f]{4,}+-?)++|(?:sha|md|blake|crc)[0-9a-z]{1,5}[-_:=][A-Za-z0-9+/=_-]+"
_LEAST_ENTROPY = 3.7
_STANDARD = str.maketrans("-_", "+/")
_STEP = r"v?[0-9]{1,6}|[a-z][a-z_-]+[0-9]?"
_NAME_PART = r"[A-Z][a-z]{2,}|[a-z]{3,}"
_MOST_NAMED = 0.6  # the share that such parts have in names such as `JsonReader2`; in random words it is below a half


def opaque(text: str) -> Iterator[Span]:
    """What looks like a key by itself, and identifiers behind a word for a secret."""
    for match in compiled(_RUN).finditer(text):
        if compiled(_DIGEST).fullmatch(match.group()) is not None:
            continue
        for start, word in _words(match):
            if _is_random(word) and not _reads(word):
                yield Span(start, start + len(word), "blob" if len(word) > LONGEST_BLOB else "opaque", word)
    for match in compiled(_BEHIND).finditer(text):
        before = compiled(r"[\w.-]{2,}").findall(text[max(0, match.start() - _REACH) : match.start()])
        if any(kind_of_name(word) for word in before[-3:]) and not compiled(_LABEL).search(text, max(0, match.start() - 12), match.start()):
            yield Span(*match.span(), "opaque", match.group())


def _words(match: re.Match[str]) -> list[tuple[int, str]]:
    """The long steps of a path; all of it, without the signs around it, where it is none."""
    steps = list(compiled(r"[^/]+").finditer(match.group()))
    if all(len(step.group()) >= 20 or compiled(_STEP).fullmatch(step.group()) for step in steps):
        return [(match.start() + step.start(), step.group()) for step in steps]
    word = match.group().lstrip("/_+-")
    return [(match.end() - len(word), word.rstrip("/_+-"))]


def _is_random(word: str) -> bool:
    classes = (r"[A-Z]", r"[a-z]", r"[0-9]")
    if not all(compiled(one).search(word) for one in classes):
        return False
    named = sum(map(len, compiled(_NAME_PART).findall(word))) / len(word)
    return named < _MOST_NAMED and entropy(word) >= _LEAST_ENTROPY


def entropy(word: str) -> float:
    """Shannon's measure over its characters, in bits a character."""
    return sum(-count / len(word) * log2(count / len(word)) for count in Counter(word).values())


def _reads(word: str) -> bool:
    """Whether it is base64 of plain text: what that text holds was looked at (``redaction.detectors.blobs``)."""
    bare = word.rstrip("=").translate(_STANDARD)
    try:
        plain = b64decode(bare + "=" * (-len(bare) % 4)).decode()
    except (binascii.Error, ValueError):
        return False
    return compiled(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*").fullmatch(plain) is not None
