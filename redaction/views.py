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
_SEAM = rf"(?<=[\w+/=.@:-])([\"'])[ \t]{{0,8}}(?:[+.&][ \t]{{0,8}}{_LINE_END}?|{_LINE_END}(?:[+.&][ \t]{{0,8}})?)\1(?=[\w+/=.@:-])"
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


class View:
    """A decoded text. Pieces map to the outer text one to one, or (``width``) one decoded piece to a longer escape."""

    __slots__ = ("_form", "_inner", "_outer", "_quote", "_width", "text")

    def __init__(self, text: str, form: str, quote: Callable[[str], str]) -> None:
        self.text = text
        self._form = form
        self._quote = quote
        self._inner = [0]
        self._outer = [0]
        self._width = [0]

    def piece(self, inner: int, outer: int, width: int) -> None:
        """Say that ``text[inner]`` on stands at ``outer`` on."""
        self._inner.append(inner)
        self._outer.append(outer)
        self._width.append(width)

    def start(self, position: int) -> int:
        """Where the character at ``position`` starts in the outer text."""
        at = bisect_right(self._inner, position) - 1
        return self._outer[at] + (0 if self._width[at] else position - self._inner[at])

    def end(self, position: int) -> int:
        """Where the character before ``position`` ends in the outer text."""
        at = bisect_left(self._inner, position) - 1
        return self._outer[at] + (self._width[at] or position - self._inner[at])

    def lift(self, spans: Iterable[Span]) -> Iterator[Span]:
        """The spans of the decoded text, in the outer text."""
        for span in spans:
            form = span.form or self._form
            yield Span(self.start(span.start), self.end(span.end), span.kind, span.value, form, self._quote(span.quote))


def _view(text: str, pattern: str, plain: Callable[[re.Match[str]], str], form: str, quote: Callable[[str], str]) -> View:
    parts: list[str] = []
    view = View("", form, quote)
    position = length = 0
    for match in compiled(pattern, re.DOTALL).finditer(text):
        start, end = match.span()
        parts.append(text[position:start])
        length += start - position
        decoded = plain(match)
        if decoded:
            view.piece(length, start, end - start)
            parts.append(decoded)
            length += len(decoded)
        view.piece(length, end, 0)
        position = end
    parts.append(text[position:])
    view.text = "".join(parts)
    return view


def readings(text: str) -> list[View]:
    """The other readings of a text that has any: what stands in it escaped or encoded."""
    return [view for view in (unescape(text), percent(text), entities(text), quoted_printable(text), joined(text)) if view is not None]


def fold(text: str) -> View | None:
    """The text without its invisible characters; None if it has none."""
    if text.isascii() and text.isprintable():
        return None
    if compiled(_CONTROL if text.isascii() else _FOLD).search(text) is None:
        return None
    return _view(text, _FOLD, _plain_fold, "broken", str)


def _plain_fold(match: re.Match[str]) -> str:
    return chr(ord(match.group()) - 0xFEE0) if "\uff01" <= match.group()[0] <= "\uff5e" else ""


def _plain_escape(match: re.Match[str]) -> str:
    body = match.group()[1:]
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


def _plain_percent(match: re.Match[str]) -> str:
    return bytes.fromhex(match.group().replace("%", "")).decode("utf-8", "replace")


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


def _plain_quoted(match: re.Match[str]) -> str:
    digits = match.group().strip().replace("=", "")
    return bytes.fromhex(digits).decode("utf-8", "replace")


def joined(text: str) -> View | None:
    """The text with the seams taken out that join two literals in code (``"ab" + "cd"``); None if it has none."""
    if not _may_join(text) or compiled(_SEAM).search(text) is None:
        return None
    return _view(text, _SEAM, lambda _: "", "broken", lambda quote: quote)


def _may_join(text: str) -> bool:
    """Whether a seam may stand in the text: a line end, or a sign right behind a blank or a quote."""
    return "\n" in text or any(sign in text and any(left + sign in text for left in "\"' \t") for sign in "+.&")


def unwrap(text: str, pattern: str = BREAK, *, keep: Callable[[], bool] = lambda: False) -> View:
    """The text with the line ends taken out that stand between two words; but for those of which ``keep``, asked in turn, says so."""
    return _view(text, pattern, lambda match: match.group() if keep() else "", "broken", str)


def _plain_entity(match: re.Match[str]) -> str:
    body = match.group()[1:-1]
    if body[0] != "#":
        return _ENTITIES[body]
    code = int(f"0{body[1:]}", 0) if body[1] in "xX" else int(body[1:])
    return chr(code) if 0 < code <= 0x10FFFF else "?"


def entities(text: str) -> View | None:
    """The text with the character references of HTML decoded; None if it has none."""
    if "&" not in text or compiled(_ENTITY).search(text) is None:
        return None
    return _view(text, _ENTITY, _plain_entity, "escaped", lambda quote: quote.replace('"', "&quot;"))
