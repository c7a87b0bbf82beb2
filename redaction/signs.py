"""What a text shows at a glance: which detectors are worth running on it, or on any part of it.

A sign is a necessary condition that costs little on a whole text and holds for each of its parts: where it is missing, its detector
can find nothing in any string of the text. So a payload that shows no sign is not walked at all, and one that shows some is walked
with those detectors only. Signs say nothing of what stands in the text in another form: where a string is escaped, percent-encoded
or broken by invisible characters, the decoded text has signs of its own (``redaction.scan``). A law in the tests compares both ways.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

from redaction.detectors.names import WORDS, kind_of_name
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = r"[\w.-]{2,}+"
_LONGEST_WORD = 80  # a longer one is read from a place within it
# Of names in several words.
_LAST = words("key keyid id code codes secret token pass pw phrase number num no pem security cookie authorization")
_SQUASH: Mapping[int, None] = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())


class Signs:
    """The signs of one text, each looked for once and only if asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lower(self) -> str:
        """The text in small letters."""
        return self.text.lower()

    @cached_property
    def named(self) -> bool:
        """Whether a name stands in the text that announces a secret: in one word, or in several (``API key``)."""
        return any(len(word) > _LONGEST_WORD or kind_of_name(word) for word in set(compiled(_WORD).findall(self.text))) or self._spaced()

    def _spaced(self) -> bool:
        squashed = self.lower.translate(_SQUASH)
        return any(word in squashed for word in _compounds())


@cache
def _compounds() -> tuple[str, ...]:
    """Names that people also write in several words. One word of a name, if secret by itself, is found as a word."""
    return tuple(word for word in WORDS if any(word.endswith(last) and word != last for last in _LAST))
