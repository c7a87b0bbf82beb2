"""What a text shows at a glance: which detectors are worth running on it, or on any part of it.

A sign is a necessary condition that costs little on a whole text and holds for each of its parts: where it is missing, its detector
can find nothing in any string of the text. So a payload that shows no sign is not walked at all, and one that shows some is walked
with those detectors only. Signs say nothing of what stands in the text in another form: where a string is escaped, percent-encoded
or broken by invisible characters, the decoded text has signs of its own (``redaction.scan``). A law in the tests compares both ways.

Most signs are those of its words (``redaction.vocabulary``).
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from redaction.detectors.services import services
from redaction.views import compiled
from redaction.vocabulary import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

# A pattern that starts with a set is searched many times faster than one that starts with a look behind or with a choice.
_FIGURES = r"[0-9](?<![a-z0-9_.-][0-9])[0-9 ().,/-]{3,}[0-9](?![a-z_0-9])"
_TAX_CODE = r"[A-Z][A-Z](?:[A-Z]{4}\d\d|\d\d[ -]?[A-Z0-9]{4})"
_DATE = r"\d{4}-\d\d-\d\d(?: \d\d)?|\d{0,12}\.\d*|1[5-9]\d{11}"
_SQUASH: Mapping[int, None] = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


class Signs:
    """The signs of one text, each looked for once and only if asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> Words:
        """The words of the text that may show something."""
        return Words(self.text)

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
        return (
            any(compiled(_DATE).fullmatch(number) is None for number in compiled(_FIGURES).findall(self.text))
            or compiled(_TAX_CODE).search(self.text) is not None
        )

    @cached_property
    def beside(self) -> bool:
        """Whether what looks random stands behind the name of a service and a word for a secret."""
        return next(services(self.text), None) is not None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The words of the text that announce a secret.

        An empty word, which stands in every part, where a name may be written in several (``API key``) or within a longer one.
        """
        if self.beside or self.words.overlong or any(name in self.squashed for name in self.words.compounds):
            return ("",)
        return self.words.names
