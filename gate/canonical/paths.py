"""Rules for one path inside a value: ``unordered:<path>``, ``float:<digits>:<path>``, ``drop:<path>``.

A path is a JSON pointer (``/items/0/name``, ``~1`` for ``/``, ``~0`` for ``~``, "" for the whole value) with
``*`` for any key or index. Tags are seen through: ``/items/0`` reaches into a list, a tuple, a subclass of
either, the state of an object; a pointer copied from a report, tags and all (``/items/!tuple/0``), works too.
"""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from gate.canonical.visible_json import visible
from gate.canonical.walk import SETS, fold, tagged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Tokens = tuple[str, ...]

# What stands where an item of a list was dropped: the items behind it keep their places, and the count counts.
DROPPED: dict[str, Any] = {"!dropped": []}
# More digits than a float is sure to hold would not round to the same number twice.
MAX_FLOAT_DIGITS = 15
# A value wears one tag, a subclass two; a target could send a longer chain, and it must not cost our stack.
_TAGS_SEEN_THROUGH = 8
_SEQUENCES = ("!tuple", "!set", "!frozenset", "!iter")
_WRAPPERS = ("!sub", "!object")


def parse_path(path: str) -> Tokens:
    """The tokens of a path; ``ValueError`` where it neither is empty nor starts with ``/``."""
    if path and not path.startswith("/"):
        raise ValueError(f"the path {path!r} must start with / (or be empty for the whole value)")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:])


def clash(unordered_path: Tokens, other: Tokens) -> bool:
    """Does the other path name a place in the list that ``unordered`` puts in order? Which item stands there would be chance."""
    above, below = ([token for token in tokens if not token.startswith("!")] for tokens in (unordered_path, other))
    through = len(below) > len(above) and all(left == right or "*" in (left, right) for left, right in zip(above, below, strict=False))
    return through and below[len(above)].isdecimal()


def unordered(tree: Any, tokens: Tokens) -> Any:
    """The list at the path in the order of its items' canonical texts."""
    return _edit(tree, tokens, _sort, 0)


def rounded(tree: Any, tokens: Tokens, digits: int) -> Any:
    """Every float at or below the path, to so many significant digits; keys stay, and integers: their type is part of the value."""

    def leaf(scalar: Any) -> Any:
        if not isinstance(scalar, float):
            return scalar
        made = float(f"{scalar:.{digits}g}")
        return scalar if isinf(made) else made  # the largest floats would round up to infinity, which JSON cannot hold

    def rebuild(here: Any, items: list[Any]) -> Any:
        if isinstance(here, list):
            return items
        if tagged(here) == "!dict" and (pairs := _pairs(here["!dict"])) is not None:
            return {"!dict": [[key, item] for (key, _), (_, item) in zip(pairs, items[0], strict=True)]}
        return dict(zip(here, items, strict=True))

    return _edit(tree, tokens, lambda node: fold(node, leaf, rebuild), 0)


def dropped(tree: Any, tokens: Tokens) -> Any:
    """Without the entry at the path; in a list a mark stays in its place."""
    return _edit(tree, tokens, lambda _: DROPPED, 0)


def found(tree: Any, tokens: Tokens) -> list[Any]:
    """The values at the path, in the order in which ``replaced`` takes others for them."""
    values: list[Any] = []

    def see(node: Any) -> Any:
        values.append(node)
        return node

    _edit(tree, tokens, see, 0)
    return values


def replaced(tree: Any, tokens: Tokens, values: Sequence[Any]) -> Any:
    """With one value for each that ``found`` saw."""
    others = iter(values)
    return _edit(tree, tokens, lambda _: next(others), 0)


def _sort(node: Any) -> Any:
    if isinstance(node, list):
        return sorted(node, key=visible)
    tag = tagged(node)
    if tag in _SEQUENCES and isinstance(node[tag], list):
        return {tag: sorted(node[tag], key=visible)}
    if tag in _WRAPPERS and _is_wrapped(node[tag]) and isinstance(node[tag][1], list):
        return {tag: [node[tag][0], sorted(node[tag][1], key=visible), *node[tag][2:]]}
    return node


def _edit(node: Any, tokens: Tokens, change: Callable[[Any], Any], seen_through: int) -> Any:
    """The tree with ``change`` applied where the path leads; as deep in our stack as the path is long."""
    if not tokens:
        return change(node)
    token, rest = tokens[0], tokens[1:]
    if isinstance(node, list):
        return [_edit(item, rest, change, 0) if token in ("*", str(at)) else item for at, item in enumerate(node)]
    tag = tagged(node)
    if tag:
        return {tag: _edit_tagged(tag, node[tag], tokens, change, seen_through + 1)} if seen_through < _TAGS_SEEN_THROUGH else node
    if isinstance(node, dict):
        edited = ((key, _edit(item, rest, change, 0) if token in ("*", key) else item) for key, item in node.items())
        return {key: item for key, item in edited if item is not DROPPED}
    return node


def _edit_tagged(tag: str, content: Any, tokens: Tokens, change: Callable[[Any], Any], seen_through: int) -> Any:
    spelt_out = tokens[0] == tag
    inner = tokens[1:] if spelt_out else tokens
    if (tag in SETS or (tag == "!dict" and spelt_out)) and inner and inner[0] != "*":
        return content  # its items are put in order after us, so a place in it means nothing: only `*` leads inside
    if spelt_out or (tag in _SEQUENCES and isinstance(content, list)):
        return _edit(content, inner, change, seen_through)
    if tag in _WRAPPERS and _is_wrapped(content):
        return [content[0], _edit(content[1], tokens, change, seen_through), *content[2:]]
    if tag == "!dict" and (pairs := _pairs(content)) is not None:
        edited = ([key, _edit(item, tokens[1:], change, 0) if _is_key(key, tokens[0]) else item] for key, item in pairs)
        return [pair for pair in edited if pair[1] is not DROPPED]
    return content


def _is_wrapped(content: Any) -> bool:
    return isinstance(content, list) and len(content) >= 2


def _pairs(content: Any) -> list[Any] | None:
    """The pairs of a ``!dict``; None for anything else that a worker may have sent under that tag."""
    return content if isinstance(content, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in content) else None


def _is_key(key: Any, token: str) -> bool:
    """``*``, the key itself where it is a string, else its canonical text: ``/1`` is the integer 1."""
    return token in ("*", key if isinstance(key, str) else visible(key))
