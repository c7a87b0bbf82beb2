"""The structured pass: a walk over JSON as it is written, with positions.

Nothing is loaded and dumped, so duplicate keys, ``1.0``, key order, white space, depth and numbers of any
length stay as they are. Only the inside of strings may be edited, and numbers under names such as ``pin``.
A name says what its value is: ``{"password": ..}``, every string below it, ``{"name": "password", "value":
..}``, header pairs, ``["--password", ..]``, and the pairs of the tag ``!dict`` (design, section 6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from redaction.detectors.names import ABOUT, LONG_NUMBERS, NUMBERS, STRONG, kind_of_name, segments
from redaction.detectors.personal import is_card, numbers_a_thing
from redaction.detectors.values import opaque, plausible
from redaction.types import Span
from redaction.views import compiled, escape_quote, fold, unescape, words

if TYPE_CHECKING:
    from collections.abc import Callable

    class Leaf(Protocol):
        """Finds in one string. ``decoded``: it does not stand in the text as it is given here."""

        def __call__(self, text: str, kind: str | None, *, key: bool = False, decoded: bool = False) -> list[Span]:
            """Spans within ``text``."""

    Number = Callable[[str, str | None], Span | None]

_LEXEME = r'[ \t\n\r]*+(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"|([{}\[\]:,])|(true|false|null|NaN|-?Infinity|-?\d[\d.eE+-]*+))'
_PAIRS = words("headers params parameters form fields data query cookies env environment environ")
CODES = r",(?:\s?\d{1,3}\s?,){11}"  # characters as numbers, many enough to hold something
_BLANK = r"[ \t\n\r]*"
_NAME_KEYS = frozenset({"name", "key", "k", "id", "header", "field", "param", "variable", "path"})
_KEY_PARTS = words("d p q dp dq qi k")  # of a JSON web key, the private ones
_DATA_KEYS = words("data stringData binaryData")
_VALUE_KEYS = words("value v old new oldvalue newvalue old_value new_value before after")


class _Frame:
    """One open object or list."""

    __slots__ = (
        "codes",
        "count",
        "held",
        "inherited",
        "is_key",
        "is_manifest",
        "key",
        "last",
        "name",
        "opened",
        "pairs",
        "parts",
        "values",
    )

    def __init__(self, opened: int, inherited: str | None, key: str | None, pairs: int) -> None:
        self.opened = opened
        self.inherited = inherited  # the kind that a name further out announced
        self.key = key  # the name of the value that is read now
        self.pairs = pairs  # 2: the list of a `!dict`; 1: one of its pairs
        self.count = 0
        self.last = ""  # the string before, in a list
        self.name = ""  # {"name": .., "value": ..}
        self.values: list[tuple[int, int]] = []
        self.is_key = False  # {"kty": ..}: a JSON web key
        self.parts: list[tuple[int, int]] = []
        self.is_manifest = False  # {"kind": "Secret", "data": {..}}: of Kubernetes
        self.held: list[tuple[int, int]] = []
        self.codes = key == "!str"


class Walk:
    """One pass over one text. ``leaf`` finds in a decoded string, ``number`` judges a number's digits."""

    def __init__(self, text: str, leaf: Leaf, number: Number, kind: str | None) -> None:
        self._text = text
        self._leaf = leaf
        self._number = number
        self._root = kind
        self._stack: list[_Frame] = []
        self._arrays: list[bool] = []
        self._spans: list[Span] = []
        self.strings: list[tuple[int, int]] = []  # the inside of every string that was read

    def spans(self) -> list[Span] | None:
        """What must be hidden; None if the text is not JSON."""
        lexeme = compiled(_LEXEME, re.DOTALL)
        position, expect = 0, "v"  # v value, k key, : colon, e comma or end, z nothing more; V value or ], K key or }
        while True:
            match = lexeme.match(self._text, position)
            if match is None:
                blank = compiled(_BLANK).fullmatch(self._text, position) is not None
                return self._spans if blank and expect == "z" else None
            position = match.end()
            if match.group(2):
                expect = self._punctuation(match.group(2), match.start(2), expect)
            elif match.group(1) is not None:
                expect = self._string(match.start(1), match.end(1), expect)
            else:
                expect = self._scalar(match.group(3), match.start(3), expect)
            if not expect:
                return None

    def _after_value(self) -> str:
        if not self._stack:
            return "z"
        self._stack[-1].count += 1
        return "e"

    def _punctuation(self, mark: str, at: int, expect: str) -> str:
        if mark in "{[":
            return self._open(mark == "[", at) if expect in "vV" else ""
        if mark in "}]":
            closes = expect in ("eV" if mark == "]" else "eK") and self._stack and self._arrays[-1] == (mark == "]")
            return self._close(at + 1) if closes else ""
        if mark == ":":
            return "v" if expect == ":" else ""
        if expect != "e":
            return ""
        return "v" if self._arrays[-1] else "k"

    def _open(self, array: bool, at: int) -> str:
        kind = self._kind()
        parent = self._stack[-1] if self._stack else None
        pairs = 0
        if array and parent is not None:
            pairs = 2 if parent.key == "!dict" and not self._arrays[-1] else max(parent.pairs - 1, 0)
        self._stack.append(_Frame(at, kind, parent.key if array and parent is not None and not self._arrays[-1] else None, pairs))
        self._arrays.append(array)
        return "V" if array else "K"

    def _close(self, end: int) -> str:
        frame, array = self._stack.pop(), self._arrays.pop()
        if array and (frame.codes or compiled(CODES).search(self._text, frame.opened + 1, end)):
            self._codes(frame, end)
        for part in frame.parts if frame.is_key else ():
            self._named_value("private_key", *part)
        for part in frame.held if frame.is_manifest else ():
            self._named_value("secret", *part)
        if not array and frame.name:
            for value in frame.values:
                self._named_value(frame.name, *value)
        return self._after_value()

    def _string(self, start: int, end: int, expect: str) -> str:
        raw = self._text[start:end]
        view = unescape(raw)
        plain = view.text if view else raw
        self.strings.append((start, end))
        if expect in "kK":
            self._key(plain)
            found = self._leaf(plain, None, key=True, decoded=view is not None)
        elif expect in "vV":
            found = self._leaf(plain, self._kind() or self._kind_in_pair(plain), decoded=view is not None)
            if any(span.kind == "ssn" for span in found) and numbers_a_thing(_words_of(self._stack[-1].key if self._stack else None)):
                found = [span for span in found if span.kind != "ssn"]
            self._remember(plain, start, end)
        else:
            return ""
        for span in view.lift(found) if view else found:
            quote = span.quote if view else escape_quote(span.quote)
            self._spans.append(span._replace(start=start + span.start, end=start + span.end, quote=quote))
        return ":" if expect in "kK" else self._after_value()

    def _scalar(self, written: str, start: int, expect: str) -> str:
        if expect not in "vV":
            return ""
        if written[0] in "-0123456789":
            span = self._number(written, self._kind(number=True))
            if span is not None:
                self._spans.append(span._replace(start=start, end=start + len(written)))
        return self._after_value()

    def _key(self, plain: str) -> None:
        folded = fold(plain)
        self._stack[-1].key = folded.text if folded else plain

    def _kind(self, *, number: bool = False) -> str | None:
        """What the names around this value say of it."""
        if not self._stack:
            return self._root
        frame = self._stack[-1]
        if self._arrays[-1]:
            return frame.inherited or self._kind_in_list(frame)
        if frame.inherited and (frame.key or "").lower() in ABOUT:
            return None
        own = kind_of_name(frame.key or "")
        # Under a name that leaves no doubt, a weaker one inside takes nothing back. Numbers are hidden under few names.
        strict = frame.inherited in STRONG and own not in (NUMBERS if number else STRONG)
        return frame.inherited if strict else own or frame.inherited

    def _kind_in_list(self, frame: _Frame) -> str | None:
        """A list's second element may belong to the first: header pairs, pairs of a `!dict`, command lines."""
        if not frame.last:
            return None
        flag = frame.last.startswith("-")
        if frame.pairs != 1 and not flag and frame.count != 1:
            return None
        kind = kind_of_name(frame.last)
        header = kind in {"authorization", "cookie"} or "-" in frame.last
        return kind if frame.pairs == 1 or flag or header else None

    def _kind_in_pair(self, plain: str) -> str | None:
        """``[["password", ..]]``, ``{"!tuple": ["password", ..]}``: it may be a list of names, so the value must look like a secret."""
        if not self._stack or not self._arrays[-1]:
            return None
        frame = self._stack[-1]
        nested = frame.key == "!tuple" or (len(self._arrays) > 1 and self._arrays[-2])
        kind = kind_of_name(frame.last) if frame.count == 1 and frame.last else None
        if not nested:
            return kind if kind in STRONG and opaque(plain) else None
        if (kind in STRONG or kind in NUMBERS) and len(self._stack) > 1 and (self._stack[-2].key or "").lower() in _PAIRS:
            return kind
        return kind if (kind in STRONG or kind in {"token", "session", "signature"}) and plausible(plain) else None

    def _remember(self, plain: str, start: int, end: int) -> None:
        if not self._stack:
            return
        frame = self._stack[-1]
        if self._arrays[-1]:
            frame.last = plain if len(plain) <= 80 else ""
            return
        frame.is_key = frame.is_key or frame.key == "kty"
        frame.is_manifest = frame.is_manifest or (frame.key == "kind" and plain == "Secret")
        if len(self._stack) > 1 and not self._arrays[-2] and self._stack[-2].key in _DATA_KEYS:
            self._stack[-2].held.append((start, end))
        if frame.key in _KEY_PARTS:
            frame.parts.append((start, end))
        if frame.key and frame.key.lower() in _NAME_KEYS:
            name = plain if len(plain) <= 80 else ""
            if frame.key.lower() == "path":  # of a JSON patch
                name = name.rpartition("/")[2] if name.startswith("/") else ""
            frame.name = name or frame.name
        elif frame.key and frame.key.lower() in _VALUE_KEYS:
            frame.values.append((start, end))

    def _named_value(self, name: str, start: int, end: int) -> None:
        kind = kind_of_name(name)
        raw = self._text[start:end]
        if kind is None:
            return
        view = unescape(raw)
        found = self._leaf(view.text if view else raw, kind, decoded=view is not None)
        if kind in STRONG or kind in NUMBERS or kind in {"authorization", "cookie"} or plausible(raw):
            for span in view.lift(found) if view else found:
                self._spans.append(span._replace(start=start + span.start, end=start + span.end))

    def _codes(self, frame: _Frame, end: int) -> None:
        """``{"!str": [code points]}``: no string to edit inside, so the list becomes the placeholder."""
        written = self._text[frame.opened + 1 : end - 1].split(",")
        if not all(code.strip().isascii() and code.strip().isdigit() and len(code) < 9 for code in written):
            return
        points = [int(code) for code in written]
        if max(points) <= 0x10FFFF:
            plain = "".join(map(chr, points))
            found = self._leaf(plain, frame.inherited, decoded=True)
            if found:
                margin = 0 if frame.codes else 1  # a list stays one
                self._spans.append(Span(frame.opened + margin, end - margin, found[0].kind, found[0].value, "codes", '"'))


def _words_of(key: str | None) -> str:
    return "_".join(segments(key or "")) + ": "


def looks_like_json(text: str) -> bool:
    """A cheap look: only objects, lists and strings are worth a walk."""
    bare = text.strip(" \t\n\r")
    return len(bare) > 1 and bare[0] + bare[-1] in {"{}", "[]", '""'}


def card_kind(digits: str) -> str | None:
    """`card` for a number that is one: as a number it may be an id, so only what leaves the house is so careful."""
    return "card" if is_card(digits) else None


def number_kind(digits: str, kind: str | None) -> bool:
    """Whether a number under a name of that kind is the secret itself, and no flag or count."""
    return kind in NUMBERS and sum(map(str.isdigit, digits)) >= (7 if kind in LONG_NUMBERS else 3)
