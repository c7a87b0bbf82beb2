"""Ways from ``Redacted`` to ``Redacted``, for the code that writes comments, pages and requests.

A publisher needs words of its own between redacted parts, and escaping for its medium. Each of these scans its result again: what is
found in it is hidden, so no careless argument makes a hole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.scope import Scope
from redaction.types import Redacted, mint

if TYPE_CHECKING:
    from collections.abc import Callable

    from redaction.policy import Policy


def composed(text: str, policy: Policy) -> Redacted:
    """A text of ours in lines, in which parts stand that were redacted before: each line is looked at by itself.

    So no value that stands open in one part swallows the words and parts that follow it. A payload of several lines must have been
    hidden as a whole, or be written on one line.
    """
    lines = text.split("\n")
    once = dict.fromkeys(lines, "")
    scope = Scope(once, policy=policy, composed=True)
    outs = dict(zip(once, scope.rewrite(once), strict=True))
    whole = None if None in outs.values() else "\n".join(outs[line] or "" for line in lines)
    return scope.minted(text, whole)


def render(part: Redacted, escape: Callable[[str], str]) -> Redacted:
    """The part escaped for a medium: ``render(part, html.escape)``."""
    if type(part) is not Redacted:
        raise TypeError(f"only Redacted may be published, not {type(part).__name__}")
    return _again(escape(part.text), dict(part.kinds), part.policy)


def _again(text: str, kinds: dict[str, int], policy: Policy) -> Redacted:
    scope = Scope((text,), policy=policy)
    (out,) = scope.rewrite({text: ""})
    if out == text:
        return mint(text, kinds, policy)
    return scope.minted(text, out)
