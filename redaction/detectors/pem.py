"""Private keys whose head was cut off: the lines before their last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_END = r"-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_LINE = r"[ \t>|#*\"']{0,8}[A-Za-z0-9+/=]{1,80}[\"'+,]{0,3}[ \t\r]{0,4}"


def pem_tails(text: str) -> Iterator[Span]:
    """The lines of base64 that end in the last line of a private key."""
    if "-----END" not in text:
        return
    for match in compiled(_END).finditer(text):
        start = match.start()
        while start > 0:
            line = text.rfind("\n", 0, start - 1) + 1
            if compiled(_LINE).fullmatch(text, line, start - 1) is None:
                break
            start = line
        if start < match.start():
            yield Span(start, match.end(), "private-key", text[start : match.end()])
