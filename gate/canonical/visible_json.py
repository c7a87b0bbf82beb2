"""Visible JSON: the one form of every canonical text, and the strict reader for it.

Rule (design, section 6): keys sorted, separators ``,`` and ``:``, exact ``repr`` floats, printable characters
raw, everything a person could miss escaped (``escapes.py``). Any depth passes: CPython's encoder and decoder do
the work, and where they run into the recursion limit an iterative reader and writer take over.

Importing this module raises the process's limit on the digits of integers to ``MAX_DIGITS``. It stays
finite because CPython needs quadratic time: a target that returns a million digits would stop the gate.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from json.decoder import scanstring  # type: ignore[attr-defined]  # the C reader of one string; absent from typeshed
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import TYPE_CHECKING, Any

from gate.canonical.escapes import escape

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_DIGITS", "Unparsable", "ascii_json", "digest", "escape", "parse", "parse_or_text", "visible", "visible_raw"]

MAX_DIGITS = 100_000

if 0 < sys.get_int_max_str_digits() < MAX_DIGITS:
    sys.set_int_max_str_digits(MAX_DIGITS)


class Unparsable(ValueError):  # noqa: N818  # the name says what the text is
    """JSON that Python cannot hold exactly: more digits than ``MAX_DIGITS``, or a number beyond every float."""


# -- writing ------------------------------------------------------------------------------------------------


def _encoder(*, ascii_only: bool, in_order: bool) -> Callable[[Any], str]:
    return json.JSONEncoder(
        ensure_ascii=ascii_only, check_circular=False, allow_nan=False, sort_keys=in_order, separators=(",", ":")
    ).encode


_SORTED = _encoder(ascii_only=False, in_order=True)
_AS_GIVEN = _encoder(ascii_only=False, in_order=False)
_ASCII = _encoder(ascii_only=True, in_order=True)


def visible(tree: Any) -> str:
    """The canonical text of a parsed JSON tree."""
    try:
        return escape(_SORTED(tree))
    except RecursionError:
        return escape(_write(tree, encode_basestring, in_order=True))


def visible_raw(tree: Any) -> str:
    """Like ``visible``, but with the keys of every object in the order in which they were given."""
    try:
        return escape(_AS_GIVEN(tree))
    except RecursionError:
        return escape(_write(tree, encode_basestring, in_order=False))


def ascii_json(tree: Any) -> str:
    """Sorted, compact, ASCII only: the form that digests are over."""
    try:
        return _ASCII(tree)
    except RecursionError:
        return _write(tree, encode_basestring_ascii, in_order=True)


def digest(text: str) -> str:
    """SHA-256 (hex) of the value that a text stands for, however it was written."""
    import hashlib  # loads OpenSSL; most runs of shadow never need it here

    return hashlib.sha256(ascii_json(parse_or_text(text)).encode("ascii")).hexdigest()


def _write(tree: Any, string: Callable[[str], str], *, in_order: bool) -> str:
    """What ``json.dumps`` writes, without recursion."""
    parts: list[str] = []
    todo: list[tuple[bool, Any]] = [(False, tree)]  # (is it text of ours?, text or subtree)
    while todo:
        ours, node = todo.pop()
        if ours:
            parts.append(node)
        elif isinstance(node, str):
            parts.append(string(node))
        elif isinstance(node, list):
            steps: list[tuple[bool, Any]] = [(True, "[")]
            for item in node:
                steps += ((False, item), (True, ","))
            todo += reversed([*(steps[:-1] if node else steps), (True, "]")])
        elif isinstance(node, dict):
            steps = [(True, "{")]
            for key in sorted(node) if in_order else node:
                steps += ((True, string(key) + ":"), (False, node[key]), (True, ","))
            todo += reversed([*(steps[:-1] if node else steps), (True, "}")])
        else:
            parts.append(_ASCII(node))
    return "".join(parts)


# -- reading ------------------------------------------------------------------------------------------------


def parse(text: str | bytes) -> Any:
    """The tree of a strict JSON text; duplicate keys, NaN, Infinity and trailing text are a ``ValueError``.

    JSON says that an escaped high and low surrogate in a row are one character. Where a text holds such a pair
    as two raw code points (YAML's double-quoted escapes come out so) it means the same.
    """
    text = text.decode() if isinstance(text, bytes) else text
    if not text.isascii() and _SURROGATE.search(text):
        text = _ESCAPE_OR_SURROGATE.sub(_escape_surrogate, text)
    try:
        return _DECODER.decode(text)
    except RecursionError:
        return _Reader(text).read()
    except (json.JSONDecodeError, _DuplicateKeyError, Unparsable):
        raise
    except ValueError as error:
        raise Unparsable(str(error)) from None


def parse_or_text(text: str) -> Any:
    """The value that a ledger's text stands for: its tree, or, where it is not JSON, the text itself as a string.

    ``Unparsable`` where the text is JSON that cannot be held exactly: such a text matches exactly only.
    """
    try:
        return parse(text)
    except Unparsable:
        raise
    except ValueError:
        return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _DuplicateKeyError(ValueError):
    pass


_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPE_OR_SURROGATE = re.compile(r"\\.|[\ud800-\udfff]", re.DOTALL)  # an escape is taken whole: `\` before a surrogate stays an error
_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"(true|false|null|NaN|-?Infinity)|(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CONSTANTS = {"true": True, "false": False, "null": None}
_OPEN = object()


def _escape_surrogate(found: re.Match[str]) -> str:
    piece = found[0]
    return f"\\u{ord(piece):04x}" if len(piece) == 1 else piece


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _DuplicateKeyError(f"duplicate key: {escape(twice)[:80]}")
    return made


def _constant(word: str) -> Any:
    raise json.JSONDecodeError(f"{word} is not JSON", word, 0)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Unparsable(f"number out of range: {digits[:80]}")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


class _Reader:
    """What ``json.loads`` reads, without recursion. ``open`` holds the containers around the current place.

    An object is open as the list of its pairs, and ``keys`` holds the keys whose values are still to come.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[tuple[bool, list[Any]]] = []
        self.keys: list[str] = []

    def read(self) -> Any:
        while True:
            value = self._begin()
            while value is not _OPEN and self.open:
                value = self._put(value)
            if value is not _OPEN:
                if self._next():
                    raise self._error("Extra data")
                return value

    def _begin(self) -> Any:
        """A scalar or an empty container; ``_OPEN`` where a container with items begins."""
        char = self._next()
        if char not in ("[", "{"):
            return self._scalar(char)
        self.at += 1
        is_object = char == "{"
        if self._next() == ("}" if is_object else "]"):
            self.at += 1
            return {} if is_object else []
        self.open.append((is_object, []))
        if is_object:
            self._key()
        return _OPEN

    def _put(self, value: Any) -> Any:
        """Put a complete value into its container. The container, if that ends here; ``_OPEN`` after a comma."""
        is_object, items = self.open[-1]
        items.append((self.keys.pop(), value) if is_object else value)
        char = self._next()
        if char not in (",", "}" if is_object else "]"):
            raise self._error("Expecting ',' delimiter")
        self.at += 1
        if char != ",":
            self.open.pop()
            return _object(items) if is_object else items
        if is_object:
            self._key()
        return _OPEN

    def _key(self) -> None:
        if self._next() != '"':
            raise self._error("Expecting property name enclosed in double quotes")
        self.keys.append(self._string())
        if self._next() != ":":
            raise self._error("Expecting ':' delimiter")
        self.at += 1

    def _scalar(self, char: str) -> Any:
        if char == '"':
            return self._string()
        found = _SCALAR.match(self.text, self.at)
        if not found:
            raise self._error("Expecting value")
        self.at = found.end()
        word, whole, fraction, exponent = found.groups()
        if word:
            return _CONSTANTS[word] if word in _CONSTANTS else _constant(word)
        if fraction or exponent:
            return _float(found[0])
        try:
            return int(whole)
        except ValueError as error:
            raise Unparsable(str(error)) from None

    def _string(self) -> str:
        string, self.at = scanstring(self.text, self.at + 1, True)  # True: strict, no raw control characters
        return str(string)

    def _next(self) -> str:
        """The next character that is no space, "" at the end."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # `*` always matches
        return self.text[self.at : self.at + 1]

    def _error(self, what: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(what, self.text, self.at)
