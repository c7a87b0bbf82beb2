"""What a text shows at a glance: which detectors are worth running on it, or on any part of it.

A sign is a necessary condition that costs little on a whole text and holds for each of its parts: where it is missing, its detector
can find nothing in any string of the text. So a payload that shows no sign is not walked at all, and one that shows some is walked
with those detectors only. Signs say nothing of what stands in the text in another form: where a string is escaped, percent-encoded
or broken by invisible characters, the decoded text has signs of its own (``redaction.scan``). A law in the tests compares both ways.
"""

from __future__ import annotations

import unicodedata
from functools import cache, cached_property
from typing import TYPE_CHECKING

from redaction.detectors.names import WORDS, kind_of_name
from redaction.detectors.services import services
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = r"[\w.-]{2,}+"
_FIGURES = r"(?<![a-z0-9_.-])\d[\d ().,/-]{3,}\d|[A-Z]{6}\d\d|[A-Z]{2}\d\d[ -]?[A-Z0-9]{4}"
_DATE = r"\d{4}-\d\d-\d\d(?: \d\d)?|\d{0,12}\.\d*|1[5-9]\d{11}"
_PLAIN = r"[0-9a-fA-FTZ.-]+"
_LONGEST_WORD = 80  # a longer one is read from a place within it
# Of names in several words.
_LAST = words("key keyid id code codes secret token pass pw phrase number num no pem security cookie authorization")
_SQUASH: Mapping[int, None] = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())
_SPACED: Mapping[int, str] = dict.fromkeys((code for code in _SQUASH if chr(code) not in "_.-"), " ")


class Signs:
    """The signs of one text, each looked for once and only if asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lower(self) -> str:
        """The text in small letters."""
        return self.text.lower()

    @cached_property
    def squashed(self) -> str:
        """Its letters and digits only, in small letters and without accents: a name as it reads in whatever way it is written."""
        lower = self.lower
        if not lower.isascii():
            lower = "".join(one for one in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(one))
        return lower.translate(_SQUASH)

    @cached_property
    def figures(self) -> bool:
        """Whether a number stands in the text that is long enough for one of a person, in one piece or in groups; or a tax code."""
        return any(compiled(_DATE).fullmatch(number) is None for number in compiled(_FIGURES).findall(self.text))

    @cached_property
    def beside(self) -> bool:
        """Whether what looks random stands behind the name of a service and a word for a secret."""
        return next(services(self.text), None) is not None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The words of the text that announce a secret.

        An empty word, which stands in every part, where a name may be written in several (``API key``) or within a longer one.
        """
        if self.beside or self._spaced():
            return ("",)
        words = set(self.text.translate(_SPACED).split() if self.text.isascii() else compiled(_WORD).findall(self.text))
        if any(len(word) > _LONGEST_WORD for word in words):
            return ("",)
        return tuple(word for word in words if not _is_plain(word) and kind_of_name(word))

    def _spaced(self) -> bool:
        parts, names = _compounds()
        return any(part in self.lower for part in parts) and any(name in self.squashed for name in names)


def _is_plain(word: str) -> bool:
    """A number, digest, UUID or time, which is no name. Others may be too; these are each seen once, so it is not worth looking up."""
    return (word[0].isdigit() or len(word) > 24) and compiled(_PLAIN).fullmatch(word) is not None


@cache
def _compounds() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that people also write in several words, and some part of each. One word that is secret by itself is found as a word."""
    parts: dict[str, None] = {}
    names: list[str] = []
    for word in WORDS:
        last = max((last for last in _LAST if word.endswith(last) and word != last), key=len, default="")
        if last and len(word) - len(last) > 1:
            names.append(word)
            parts[last if len(last) > 2 else word.removesuffix(last)] = None
    return tuple(parts), tuple(names)
