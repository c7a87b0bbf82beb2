"""Parameters of addresses whose name a line end cuts in two: ``?X-Amz-Sign`` at the end of a line, ``ature=..`` on the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.names import kind_of_query
from redaction.detectors.values import plausible
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_CUT = r"[?&]([\w.-]{1,60})\r?\n[ \t]{0,16}([\w.-]{0,60})=([^\s&\"'`<>]{8,2048}+)"


def cut_queries(text: str) -> Iterator[Span]:
    """Values that look like a secret behind such a name; no other two lines begin and end like that."""
    if "\n" not in text or ("?" not in text and "&" not in text):
        return
    for match in compiled(_CUT).finditer(text):
        kind = kind_of_query(match.group(1) + match.group(2))
        if kind is not None and plausible(match.group(3)):
            yield Span(*match.span(3), kind, match.group(3))
