"""The words of a text, without those that show nothing: the keys and phrases that all payloads share are judged once.

A word is what tokens, names and base64 are written in without a break. Numbers, digests, UUIDs and times are *plain*: they are no
names, and each is seen once, so they are told by their shape. What was judged harmless is remembered (short words, and longer ones
of small letters only; a bounded number of them), so that a set difference leaves the few words of a payload that are worth a look.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from redaction.detectors.blobs import SHORTEST_KNOWN, may_hold
from redaction.detectors.names import WORDS, kind_of_name
from redaction.detectors.rule import PLAIN_WORD, WORD
from redaction.detectors.tokens import announced, triggered
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Mapping

_BREAKS: Mapping[int, str] = dict.fromkeys((code for code in range(128) if compiled(WORD).fullmatch(chr(code)) is None), " ")
_NAME = r"[\w.-]{2,}"
_LETTERS = r"[a-z]+(?:[/_.-][a-z]+)*"
_LONGEST_NAME = 80  # a longer one is read from a place within it
_LONG = SHORTEST_KNOWN[0]  # what is shorter is no token, and nothing in base64
_LONGEST_KEPT = 256
_MOST = 65_536
# Of names in several words.
_LAST = words(
    "key keyid id code codes secret token pass pw phrase number num no pem security cookie authorization account card birth birthdate date "
    "day insurance license licence fiscale answer words seed request response art session oauth"
)
_ALONE = 3  # characters; the shorter ones are everywhere, so the word before them is looked for
_HARMLESS: set[str] = set()


class _Shown(NamedTuple):
    """``names``: the parts of a word that announce a secret. ``compounds``: names in several words that it may be a part of."""

    names: tuple[str, ...]
    compounds: tuple[str, ...]


class Words:
    """``odd`` ones may show something; ``plain`` ones are numbers and digests, of which only the long ones are kept."""

    def __init__(self, text: str) -> None:
        found = text.translate(_BREAKS).split() if text.isascii() else compiled(WORD).findall(text)
        self.odd: list[str] = []
        self.plain: list[str] = []
        for word in set(found) - _HARMLESS:
            if (word[0].isdigit() or len(word) > 24) and compiled(PLAIN_WORD).fullmatch(word) is not None:
                if len(word) >= _LONG:
                    self.plain.append(word)
            elif not _learned(word):
                self.odd.append(word)

    @cached_property
    def long(self) -> list[str]:
        """Those of the odd ones that are long enough for a token."""
        return [word for word in self.odd if len(word) >= _LONG]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that announce a secret, as they are written."""
        return tuple(name for word in self.odd for name in _shown(word).names)

    @property
    def compounds(self) -> set[str]:
        """The names in several words of which a part stands among the words."""
        return {name for word in self.odd for name in _shown(word).compounds}

    @property
    def overlong(self) -> bool:
        """Whether a word is longer than names are read."""
        return any(len(part) > _LONGEST_NAME for word in self.odd if len(word) > _LONGEST_NAME for part in compiled(_NAME).findall(word))


def _learned(word: str) -> bool:
    """Whether a word shows nothing, now and wherever it is met again."""
    if len(word) >= _LONG and (len(word) > _LONGEST_NAME or compiled(_LETTERS).fullmatch(word) is None):
        return False
    if any(_shown(word)) or announced([word]) or (len(word) >= _LONG and (triggered([word]) or may_hold([word], *SHORTEST_KNOWN))):
        return False
    if len(_HARMLESS) >= _MOST:
        _HARMLESS.clear()
    _HARMLESS.add(word)
    return True


def _shown(word: str) -> _Shown:
    return _judged(word) if len(word) <= _LONGEST_KEPT else _judged.__wrapped__(word)


@lru_cache(maxsize=_MOST)
def _judged(word: str) -> _Shown:
    lower = word.lower()
    return _Shown(
        names=tuple(part for part in compiled(_NAME).findall(word) if kind_of_name(part)),
        compounds=tuple(name for part, names in _compounds().items() if part in lower for name in names),
    )


@cache
def _compounds() -> Mapping[str, tuple[str, ...]]:
    """Names that people also write in several words, by some part of each. One word that is secret by itself is found as a word."""
    found: dict[str, tuple[str, ...]] = {}
    for word in WORDS:
        last = max((last for last in _LAST if word.endswith(last) and word != last), key=len, default="")
        if last and len(word) - len(last) > 1:
            part = last if len(last) >= _ALONE or last == "pw" else word.removesuffix(last)
            found[part] = (*found.get(part, ()), word)
    return found
