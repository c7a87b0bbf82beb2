r"""Rules about one string: pure functions, text in, text out, each doing nothing the second time.

``object-ids`` follows what ``repr`` writes: ``<Foo object at 0x7f..>``, ``<bound method Foo.f of <Foo object
at 0x..>>``, ``<function <lambda> at 0x..>``, ``<weakref at 0x..; to 'Foo' at 0x..>``, the same behind ``&lt;``
in HTML. So an address is `` at 0x`` with 6 to 16 hex digits inside a closed ``<Name ..>``, outside quotes, not
beyond a line end. ``0x1f2f3f4f`` anywhere else is data and stays.
"""

from __future__ import annotations

import re
from functools import lru_cache

ADDRESS = "0x..."
TEMP_ROOT = "<temp>"
SIDE_ROOT = "<side>"

_TOKEN = re.compile(
    r"(?P<open>(?:<|&lt;|&#60;)(?=[^\W\d]))|(?P<close>>|&gt;|&#62;)|(?P<quote>\\?[\"'])|(?P<line>[\r\n])"
    r"|(?P<address>(?<= at )0x[0-9a-fA-F]{6,16}(?![0-9A-Za-z_]))"
)
_LINE_END_BLANKS = re.compile(r"(?<![ \t])[ \t]++(?=[\r\n]|\Z)")
_LINE_END = re.compile(r"\r\n?")


def object_ids(text: str) -> str:
    """Every address inside an object's repr becomes the same mark. One pass, linear in the text."""
    if " at 0x" not in text:
        return text
    found: list[tuple[int, int]] = []
    reprs: list[_Repr] = []
    line = -1
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            reprs.append(_Repr(token.start()))
        elif kind == "line":
            line = token.start()
        elif not reprs:
            continue
        elif kind == "close":
            found += reprs.pop().addresses
        elif kind == "quote":
            reprs[-1].quote(token[0])
        elif not reprs[-1].quoted and reprs[-1].start > line:
            reprs[-1].addresses.append(token.span())
    pieces: list[str] = []
    at = 0
    for start, end in sorted(found):
        pieces += (text[at:start], ADDRESS)
        at = end
    return "".join([*pieces, text[at:]])


class _Repr:
    """One ``<Name ..`` whose end has not been met."""

    __slots__ = ("addresses", "quoted", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.quoted = ""
        self.addresses: list[tuple[int, int]] = []

    def quote(self, mark: str) -> None:
        if not self.quoted:
            self.quoted = mark
        elif self.quoted == mark:
            self.quoted = ""


def temp_root(text: str, root: str, mark: str = TEMP_ROOT) -> str:
    """A folder that the run made, as an exact prefix of a path, becomes its mark; the rest of the path stays."""
    return _root_pattern(root, mark).sub(mark, text) if root in text else text


@lru_cache(maxsize=64)
def _root_pattern(root: str, mark: str) -> re.Pattern[str]:
    # Before: not in the middle of another path (`/x/tmp/run`), but `file:///tmp/run` counts. Behind: not a
    # longer name (`/tmp/run2`, `/tmp/run.txt`), but a full stop that ends a sentence may follow. Not behind
    # our own mark: the second time must find nothing.
    return re.compile(rf"(?:(?<=://)|(?<![\w./~-]))(?<!{mark}){re.escape(root)}(?![\w~+@-]|\.\w)")


def newlines(text: str) -> str:
    """CRLF and CR become LF."""
    return _LINE_END.sub("\n", text)


def trailing_space(text: str) -> str:
    """Blanks and tabs at the end of each line go; the line ends stay."""
    return _LINE_END_BLANKS.sub("", text)
