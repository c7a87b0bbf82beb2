"""Ways from ``Redacted`` to ``Redacted``, for the code that writes comments, pages and requests.

A publisher needs words of its own between fragments, escaping for its medium, and shorter texts. Each of
these scans its result again: what is found in it is hidden, so no seam between two harmless fragments and
no careless argument makes a hole. ``literal`` is for words that stand in our source, and refuses any text
in which something is found; all uses are found by searching for ``redaction.literal``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, LiteralString

from redaction.look import finds
from redaction.policy import BALANCED, strictest
from redaction.scope import Scope
from redaction.truncate import choose_phrase, cut_one
from redaction.types import Redacted, mint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from redaction.policy import Policy


@lru_cache(maxsize=512)
def literal(text: LiteralString) -> Redacted:
    """Words that our own code wrote. Never for text that came from a user, a target, a file or a model."""
    if found := finds(text):
        raise ValueError(f"not a literal of ours: redaction finds {', '.join(found)} in it")
    return mint(text, {}, BALANCED)  # so that it makes nothing stricter that it is joined to


def join(separator: LiteralString, parts: Iterable[Redacted]) -> Redacted:
    """The parts with a literal between them."""
    fragments = tuple(parts)
    _only_redacted(fragments)
    kinds: dict[str, int] = {}
    for part in fragments:
        for kind, number in part.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + number
    return _again(literal(separator).text.join(part.text for part in fragments), kinds, strictest(part.policy for part in fragments))


def render(part: Redacted, escape: Callable[[str], str]) -> Redacted:
    """The part escaped for a medium: ``render(part, html.escape)``."""
    _only_redacted((part,))
    return _again(escape(part.text), dict(part.kinds), part.policy)


def shorten(part: Redacted, limit: int) -> Redacted:
    """Head and tail of the part, about ``limit`` characters and the count of what was left out."""
    _only_redacted((part,))
    return _again(cut_one(part.text, choose_phrase([part.text]), limit=limit), dict(part.kinds), part.policy)


def _only_redacted(parts: Iterable[object]) -> None:
    for part in parts:
        if type(part) is not Redacted:
            raise TypeError(f"only Redacted may be published, not {type(part).__name__}")


def _again(text: str, kinds: dict[str, int], policy: Policy) -> Redacted:
    scope = Scope((text,), policy=policy)
    (out,) = scope.rewrite({text: ""})
    if out == text:
        return mint(text, kinds, policy)
    return scope.minted(text, out)
