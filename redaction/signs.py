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

from redaction.detectors.blobs import may_hold, spelled
from redaction.detectors.names import kind_of_query
from redaction.detectors.opaque import may_be_opaque
from redaction.detectors.services import services
from redaction.views import compiled
from redaction.vocabulary import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

# A pattern that starts with a set is searched many times faster than one that starts with a look behind or with a choice.
_FIGURES = r"[0-9](?<![a-z0-9_.-][0-9])[0-9 ().,/-]{3,}[0-9](?![a-z_0-9])"
_FEWEST = 6  # figures of a number that a person has
_TAX_CODE = r"[A-Z][A-Z](?:[A-Z]{4}\d\d|\d\d[ -]?[A-Z0-9]{4})"
_DATE = r"\d{4}-\d\d-\d\d(?: \d\d)?|\d{0,12}\.\d*|1[5-9]\d{11}"
_QUERY = r"[?&](\w[\w.-]{0,79})[\"'`]?\]?[ \t]{0,8}="
_HEADERS = ("authorization", "cookie", "-b ")
_SCHEMES = ("bearer", "basic")
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
            any(
                sum(map(str.isdigit, number)) >= _FEWEST and compiled(_DATE).fullmatch(number) is None
                for number in compiled(_FIGURES).findall(self.text)
            )
            or compiled(_TAX_CODE).search(self.text) is not None
        )

    @property
    def headed(self) -> bool:
        """Whether the name of a header that holds credentials stands in the text, or the name of a scheme as it stands before them."""
        if any(word in self.lower for word in _HEADERS):
            return True
        return any(scheme in self.lower and compiled(scheme + r"\s").search(self.lower) is not None for scheme in _SCHEMES)

    @property
    def queried(self) -> bool:
        """Whether a name stands in a URL's query that is secret there."""
        if "=" not in self.text or ("?" not in self.text and "&" not in self.text):
            return False
        if "\n" in self.text:  # which may cut the name
            return True
        return any(kind_of_query(name) is not None for name in compiled(_QUERY).findall(self.text))

    @property
    def opaque(self) -> bool:
        """Whether a word may look random, or stand beside one for a secret."""
        return may_be_opaque(self.lower, self.words.long)

    def encoded(self, shortest: tuple[int, int]) -> bool:
        """Whether something may stand in the text in base64, base32 or hexadecimal. ``shortest``: a run, and the text in it."""
        return spelled(self.text) or may_hold((*self.words.long, *self.words.plain), *shortest)

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
