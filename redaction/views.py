"""Other readings of a text, with the way back to its own positions.

A secret may be written with JSON or Python escapes, percent-encoded, or with invisible characters
inside. Detectors read the decoded text; ``View.lift`` says which part of the outer text a finding covers
(always whole escapes). Offsets are code points. A dropped character belongs to a span only if it stands
inside it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from redaction.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# What a reader does not see: controls (not tab and line ends), combining marks, format characters,
# blank-looking letters, selectors, surrogates, private use, tags. ANSI sequences count as one.
_INVISIBLE = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
    "\uffa0\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# And letters of full width, which read like the narrow ones.
_FOLD = f"\x1b\\[[0-9;?]{{0,32}}[ -/]{{0,4}}[@-~]|{_INVISIBLE}+|[\uff01-\uff5e]"
_CONTROL = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_ESCAPE = (
    r"\\(?:(?:x[CcDdEeFf][0-9A-Fa-f](?:\\x[89ABab][0-9A-Fa-f]){1,3})|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}"
    r"|x[0-9A-Fa-f]{2}|U[0-9A-Fa-f]{8}|[0-3][0-7]{2}|\r?\n|.)"
)
_PERCENT = r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f])+"
# A soft line break ends a line of mail, which is long; `=` ends shorter lines of base64.
_SOFT = r"=(?<=[^\n]{60}=)\r?\n"
_QUOTED_PRINTABLE = rf"(?:=[0-9A-F]{{2}})+|{_SOFT}"
_LINE_END = r"(?:\\?\r?\n[ \t]{0,32})"
# Groups are named where they are referred to: the whole pattern becomes a group of its own.
_BETWEEN = rf"[ \t]{{0,8}}(?:[+.&][ \t]{{0,8}}{_LINE_END}?|{_LINE_END}(?:[+.&][ \t]{{0,8}})?)"
_SEAM = rf"(?<=[\w+/=.@:-])(?P<quote>[\"']){_BETWEEN}(?P=quote)(?=[\w+/=.@:-])"
_SHELL = r"'?'(?:\"'\"|\\')''?"  # a quote inside a quoted word of a shell
_IN_SEQUENCE = frozenset("%[;?0123456789ABCDEFabcdef")
_LONGEST_SEQUENCE = 64
_SEQUENCE = (
    r"(?:(?:\x1b|\\+(?:u001[bB]|x1[bB]|033|e)|%(?:25)*1[bB])(?:\[|%(?:25)*5[bB])(?:[0-9;?]|%(?:25)*3[bBfF])*(?:%(?:25)*3?)?"
    r"|%(?:25)*[0-9A-Fa-f]?)\Z"
)
_SEQUENCE_GOES_ON = r"[0-9A-Za-z;?\[%]"
BREAK = r"(?<=[A-Za-z0-9_-])\r?\n[ \t]{0,16}(?=[A-Za-z0-9_-])"
_ENTITY = r"&(?:quot|apos|amp|lt|gt|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
_ENTITIES = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">"}
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile when first needed: compiling every pattern at import would cost more than the import."""
    return re.compile(pattern, flags)


def words(text: str) -> frozenset[str]:
    """A set of words, written as a sentence is."""
    return frozenset(text.split())


def escape_quote(quote: str) -> str:
    """A quote as it must be written one JSON string further out."""
    return quote.replace("\\", "\\\\").replace('"', '\\"')


def whole_sequence(text: str, at: int, least: int) -> int:
    """Where the percent-encoded character or the colour of a terminal starts, however written, within which ``at`` lies; else ``at``.

    A placeholder that began there would be read as the rest of it. Not before ``least``.
    """
    if text[at - 1 : at] not in _IN_SEQUENCE or at <= least:
        return at
    found = compiled(_SEQUENCE).search(text, max(at - _LONGEST_SEQUENCE, least), at)
    if found is None or compiled(_SEQUENCE_GOES_ON).match(text, at) is None:
        return at
    alone = found.group() == "%" and compiled("[0-9A-Fa-f]{2}").match(text, at) is None  # `bob%password`
    return at if alone else found.start()


class View:
    """A decoded text, and where each part of it stands in the outer text: plain parts one to one, the parts between as a whole.

    ``outer`` are both kinds of parts in turn as they are written, a plain one first and last; ``inner`` the same decoded.
    """

    __slots__ = ("_form", "_inner", "_outer", "_parts", "_quote", "text")

    def __init__(self, outer: list[str], inner: list[str], form: str, quote: Callable[[str], str]) -> None:
        self.text = "".join(inner)
        self._parts = (outer, inner)
        self._form = form
        self._quote = quote
        self._outer: list[int] = []  # where each part starts; counted when first asked for, because most texts hold nothing
        self._inner: list[int] = []

    def _count(self) -> None:
        self._outer, self._inner = (list(accumulate(map(len, parts), initial=0)) for parts in self._parts)
        self._inner.pop()  # where the last part ends is no start

    def start(self, position: int) -> int:
        """Where the character at ``position`` starts in the outer text."""
        at = bisect_right(self._inner, position) - 1
        return self._outer[at] + (0 if at % 2 else position - self._inner[at])

    def end(self, position: int) -> int:
        """Where the character before ``position`` ends in the outer text."""
        at = max(bisect_left(self._inner, position) - 1, 0)
        return self._outer[at + 1] if at % 2 else self._outer[at] + position - self._inner[at]

    def lift(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The spans of the decoded text, in the outer text."""
        for span in spans:
            if not self._inner:
                self._count()
            form = span.form or self._form
            yield Span(self.start(span.start), self.end(span.end), span.kind, span.value, form, self._quote(span.quote))


def _view(text: str, pattern: str, plain: Callable[[str], str], form: str, quote: Callable[[str], str], *, keep: int | None = None) -> View:
    """``plain`` decodes what the pattern matches. ``keep``: every second match stays as it is, from the first or the second (0, 1) on."""
    between = compiled(f"({pattern})", re.DOTALL)
    outer = between.split(text)
    if between.groups > 1:  # the pattern has a group of its own
        outer = [part for at, part in enumerate(outer) if at % (between.groups + 1) < 2]
    inner = outer.copy()
    decoded = {written: plain(written) for written in set(outer[1::2])}
    inner[1::2] = map(decoded.__getitem__, outer[1::2])
    if keep is not None:
        inner[1 + 2 * keep :: 4] = outer[1 + 2 * keep :: 4]
    return View(outer, inner, form, quote)


def readings(text: str) -> list[View]:
    """The other readings of a text that has any: what stands in it escaped or encoded."""
    return [view for read in (unescape, percent, entities, quoted_printable, joined, shell) if (view := read(text)) is not None]


def fold(text: str) -> View | None:
    """The text without its invisible characters; None if it has none."""
    if text.isascii() and text.isprintable():
        return None
    if compiled(_CONTROL if text.isascii() else _FOLD).search(text) is None:
        return None
    return _view(text, _FOLD, _plain_fold, "broken", str)


def _plain_fold(written: str) -> str:
    return chr(ord(written) - 0xFEE0) if "\uff01" <= written[0] <= "\uff5e" else ""


def _plain_escape(written: str) -> str:
    body = written[1:]
    if len(body) > 6 and body[0] == "x":  # the bytes of one character
        return _characters(bytes.fromhex(body.replace("\\x", "")[1:]))
    if body[-1] == "\n":  # the line goes on
        return ""
    if len(body) > 1:
        code = int(body, 8) if body[0] in "0123" else int(body[1:].strip("{}"), 16)
        return chr(code) if code <= 0x10FFFF else "?"
    return _SIMPLE.get(body, body)


def _characters(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def unescape(text: str) -> View | None:
    """The text with backslash escapes of JSON, Python and C decoded; None if it has no backslash."""
    if "\\" not in text:
        return None
    return _view(text, _ESCAPE, _plain_escape, "escaped", escape_quote)


def _plain_percent(written: str) -> str:
    return bytes.fromhex(written.replace("%", "")).decode("utf-8", "replace")


def percent(text: str) -> View | None:
    """The text with percent-encoding decoded; None if nothing is encoded."""
    if "%" not in text or compiled(_PERCENT).search(text) is None:
        return None
    return _view(text, _PERCENT, _plain_percent, "percent", lambda quote: quote.replace("\\", "%5C").replace('"', "%22"))


def quoted_printable(text: str) -> View | None:
    """The text with mail's quoted-printable decoded; None if no line is wrapped and no ``=`` written in it."""
    if "=3D" not in text and compiled(_SOFT).search(text) is None:
        return None
    return _view(text, _QUOTED_PRINTABLE, _plain_quoted, "escaped", lambda quote: quote)


def _plain_quoted(written: str) -> str:
    digits = written.strip().replace("=", "")
    return bytes.fromhex(digits).decode("utf-8", "replace")


def joined(text: str) -> View | None:
    """The text with the seams taken out that join two literals in code (``"ab" + "cd"``); None if it has none."""
    if not _may_join(text) or compiled(_SEAM).search(text) is None:
        return None
    return _view(text, _SEAM, lambda _: "", "broken", lambda quote: quote)


def shell(text: str) -> View | None:
    """The text with the way in which a shell writes a quote inside of quotes taken as the quote; None if it has none."""
    if "'\"'\"'" not in text and "'\\''" not in text:
        return None
    return _view(text, _SHELL, lambda _: "'", "escaped", str)


def _may_join(text: str) -> bool:
    """Whether a seam may stand in the text: a line end, or a sign right behind a blank or a quote."""
    return "\n" in text or any(sign in text and any(left + sign in text for left in "\"' \t") for sign in "+.&")


def unwrap(text: str, pattern: str = BREAK, *, keep: int | None = None) -> View:
    """The text with the line ends taken out that stand between two words; with ``keep`` but for every second, from that one on."""
    return _view(text, pattern, lambda _: "", "broken", str, keep=keep)


def _plain_entity(written: str) -> str:
    body = written[1:-1]
    if body[0] != "#":
        return _ENTITIES[body]
    code = int(f"0{body[1:]}", 0) if body[1] in "xX" else int(body[1:])
    return chr(code) if 0 < code <= 0x10FFFF else "?"


def entities(text: str) -> View | None:
    """The text with the character references of HTML decoded; None if it has none."""
    if "&" not in text or compiled(_ENTITY).search(text) is None:
        return None
    return _view(text, _ENTITY, _plain_entity, "escaped", lambda quote: quote.replace('"', "&quot;"))
