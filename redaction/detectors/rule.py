"""A rule for a token that can be told by its own shape, as data, and the generator of its example.

``triggers`` are literals of which one must stand in the text before ``pattern`` is tried. A pattern is
bounded: no attempt reads more than a fixed number of characters, or it cannot fail after an unbounded
part, so that hostile input costs linear time. ``group`` is the part that is hidden. ``example`` is a
template (``{alnum:36}``), so that no file of ours holds something that looks like a live token.
"""

from __future__ import annotations

import re
from operator import itemgetter
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_SETS = {
    "alnum": ascii_letters + digits,
    "lower": ascii_lowercase + digits,
    "upper": ascii_uppercase + digits,
    "hex": "0123456789abcdef",
    "digits": "123456789",
    "word": ascii_letters + digits + "_",
    "base": ascii_letters + digits + "+/",
    "crypt": ascii_letters + digits + "./",
    "bech": "023456789acdefghjklmnpqrstuvwxyz",
    "bitcoin": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}
WORD = r"[\w+/=.~:%@-]+"
# As tokens are written. A shorter one is no token by itself.
SHORTEST_WORD = 12
LONG_WORD = rf"{WORD[:-1]}{{{SHORTEST_WORD},}}"
PLAIN_WORD = r"[0-9a-fA-FTZ:.+-]+"  # UUIDs, digests, times, numbers
_NO_WORD = (r"\s", r"\S", r"\n", " ", '"', "'", "`", "[^", ".*", "(?i", "&", "?]", "#", "<", "(?m")
# Parts of patterns.
A = r"[A-Za-z0-9]"
W = r"[A-Za-z0-9_-]"
LEFT = r"(?<![A-Za-z0-9])"
RIGHT = r"(?![A-Za-z0-9])"
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
UUID_EXAMPLE = "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"


class Rule(NamedTuple):
    """One token shape. ``id`` is also the kind in the placeholder."""

    id: str
    triggers: tuple[str, ...]
    pattern: str
    example: str
    group: int = 0

    def is_word(self) -> bool:
        """Whether all that the pattern covers is one long word: neither it nor the example has a character that would end it."""
        if any(sign in self.pattern.replace("(?<", "(?") for sign in _NO_WORD):
            return False
        found = re.search(self.pattern, self.make(lambda alphabet: alphabet[0])) or re.search(self.pattern, self.make(itemgetter(-1)))
        return found is not None and re.fullmatch(LONG_WORD, found.group()) is not None

    def make(self, choose: Callable[[str], str]) -> str:
        """An example: ``choose`` picks one character of the alphabet it is given."""
        return re.sub(r"\{(\w+):(\d+)\}", lambda m: "".join(choose(_SETS[m[1]]) for _ in range(int(m[2]))), self.example)


def rule(kind: str, triggers: str, pattern: str, example: str, group: int = 0) -> Rule:
    """A rule, in one line of a table: the triggers are words."""
    return Rule(id=kind, triggers=tuple(triggers.split()), pattern=pattern, example=example, group=group)
