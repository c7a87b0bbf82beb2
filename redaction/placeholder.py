"""What stands where a secret stood: ``REDACTED-<kind>-<N>x``.

Rules (design, section 9; study of redaction, "Placeholder"): one written form, one placeholder, in all
texts of a scope; two written forms never share one, so redaction cannot make different texts equal. The
number belongs to the value, so the same value in another form (base64, escaped ..) shows the same number
and names its form. No hash, length or character of the value. Letters, digits and ``-`` only, ended by
``x``, so that it stays one scalar in JSON, YAML, URLs, shells and Markdown. A scope whose texts already
hold the word uses another word. A placeholder that stands in a text is a wall: no detector reads it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from redaction.detectors.kinds import KINDS
from redaction.types import ScanLimitError
from redaction.views import compiled, entities, fold, percent, unescape

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

WORDS = ("REDACTED", "MASKED", "HIDDEN", "WITHHELD", *(f"REDACTED{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
FORMS = ("plain", "escaped", "percent", "base64", "base32", "hex", "broken", "number", "codes")
WALL = "\0"  # no folded text holds it
_STEMS = ("REDACTED", *(f"{word}-" for word in WORDS[1:4]))
_SHAPE = r"(?:REDACTED[A-Z]?|MASKED|HIDDEN|WITHHELD)-([a-z][a-z0-9]{0,23}+(?:-[a-z][a-z0-9]{0,23}+){0,5}+)-([1-9][0-9]{0,6})x"
_PREFIX = r"(?:REDACTED[A-Z]?|MASKED|HIDDEN|WITHHELD)-"


def kind_of(name: str) -> str | None:
    """The kind in a placeholder's middle part, without its form; None if it is none of ours."""
    if name in KINDS:
        return name
    kind, _, form = name.rpartition("-")
    return kind if form in FORMS and kind in KINDS else None


def placeholders(text: str) -> Iterator[re.Match[str]]:
    """Every placeholder in a text. The kinds are a closed list, so nothing can hide in one."""
    if not any(word in text for word in _STEMS):
        return
    for match in compiled(_SHAPE).finditer(text):
        if kind_of(match.group(1)) is not None:
            yield match


def walls(text: str) -> str:
    """The text with every placeholder overwritten, position by position."""
    parts: list[str] = []
    position = 0
    for match in placeholders(text):
        parts += (text[position : match.start()], WALL * (match.end() - match.start()))
        position = match.end()
    return "".join((*parts, text[position:])) if parts else text


def count_kinds(text: str) -> Counter[str]:
    """How many values of each kind the placeholders of a text stand for."""
    values = {(kind_of(match.group(1)) or "", match.group(2)) for match in placeholders(text)}
    return Counter(kind for kind, _ in sorted(values))


def _readings(text: str) -> Iterator[str]:
    yield text
    for view in (fold(text), unescape(text), percent(text), entities(text)):
        if view is not None:
            yield view.text


def choose_word(texts: Sequence[str]) -> str:
    """The first word that no text of the scope holds, in any reading."""
    held: set[str] = set()
    for text in texts:
        for reading in _readings(text):
            held |= {match.group().upper() for match in compiled("(?i)" + _PREFIX).finditer(reading)}
    for word in WORDS:
        if word + "-" not in held:
            return word
    raise ScanLimitError("every placeholder word already stands in the text")


class Table:
    """Written form -> placeholder, for one scope. Injective, and filled in the order of first appearance."""

    __slots__ = ("_names", "_next", "_numbers", "_taken", "word")

    def __init__(self, word: str) -> None:
        self.word = word
        self._names: dict[tuple[str, bool], str] = {}
        self._numbers: dict[str, tuple[int, str]] = {}
        self._taken: set[str] = set()
        self._next = 1

    def __bool__(self) -> bool:
        return bool(self._names)

    def name(self, *, raw: str, kind: str, value: str, form: str, quote: str) -> str:
        """The placeholder for ``raw``. A number and a string that read alike are two forms (``quote``)."""
        key = (raw, bool(quote))
        known = self._names.get(key)
        if known is None:
            known = self._names[key] = self._fresh(kind, value, form)
        return known

    def _fresh(self, kind: str, value: str, form: str) -> str:
        number, kind = self._numbers.get(value, (0, kind))
        if number:
            form = form or "plain"
        elif form == "escaped":  # in JSON that is how it has to be written; the form is told only beside another one
            form = ""
        middle = f"{kind}-{form}" if form else kind
        name = f"{self.word}-{middle}-{number}x"
        if not number or name in self._taken:
            number, self._next = self._next, self._next + 1
            self._numbers.setdefault(value, (number, kind))
            name = f"{self.word}-{middle}-{number}x"
        self._taken.add(name)
        return name
