"""Keys of services without a shape of their own, in free text: the service's name, a word for a secret, and what looks random.

datadog SECRET 0f1e..   mediastack-key-0f1e..   toggl token: 0f1e..   weatherbitKEY 0f1e..
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redaction.detectors.names import PUBLIC, names_vendor, segments
from redaction.detectors.values import covered, keylike
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = ("secret", "private", "access", "key", "token")
# The value is looked at and not taken, so that the next word for a secret is found inside it.
_BESIDE = (
    r"(?:secret|private|access|key|token)[\"'`]?(?:[\s:=_.,>-]|[\"'`](?=[\s:=,])){1,8}[\"'`]?(?=([A-Za-z0-9][A-Za-z0-9_.+/-]{11,199}))"
)
ANOTHER = r"(?i)(?:secret|private|access|key|token)s?[-_.=]"  # `access-key-0f1e`: the value begins behind the last word
MORE = r"[A-Za-z0-9_.+/-]*+={0,2}"
_BEFORE = 40  # characters in which the service is named
_NEAR = 5  # segments


def services(text: str) -> Iterator[Span]:
    """What looks random behind a service's name and a word for a secret."""
    lower = text.lower()
    if not any(word in lower for word in _WORDS):
        return
    done = 0
    # Small letters are searched many times faster than either; but one Turkish letter becomes two of them.
    same = len(lower) == len(text)
    for match in compiled(_BESIDE, 0 if same else re.IGNORECASE).finditer(lower if same else text):
        start, end = match.span(1)
        if start < done or not keylike(text[start:end]) or compiled(ANOTHER).match(text, start) or not _named(text, match.start()):
            continue
        more = compiled(MORE).match(text, end)
        value = text[start : more.end() if more else end].rstrip(".")
        if not covered(value):
            done = start + len(value)
            yield Span(start, done, "service-key", value)


def _named(text: str, start: int) -> bool:
    near = segments(text[max(0, start - _BEFORE) : start])[-_NEAR:]
    return names_vendor(near) and PUBLIC.isdisjoint(near)
