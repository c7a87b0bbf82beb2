"""Private keys whose head was cut off: the lines before their last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_END = r"-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_LINE = r"[ \t>|#*\"']{0,8}[A-Za-z0-9+/=]{1,80}[\"'+,]{0,3}[ \t\r]{0,4}"
_FIRST = r"[ \t\r]{0,4}\n[ \t\r]{0,4}(?=[A-Za-z+/]{0,40}[0-9])[A-Za-z0-9+/=]{8,80}(?![A-Za-z0-9+/=])"  # read backwards
_LONGEST_LINE = 100


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
            # What a name or a quote stands before: the first line, of which a part was cut away.
            first = compiled(_FIRST).match(text[max(start - _LONGEST_LINE, 0) : start][::-1])
            start -= first.end() if first else 0
            yield Span(start, match.end(), "private-key", text[start : match.end()])
