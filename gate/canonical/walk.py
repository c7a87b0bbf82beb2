"""Going over parsed trees without recursion: depth 10,000 is a case, not an accident (design, section 6)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from gate.canonical.visible_json import visible

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

SETS = ("!set", "!frozenset")


def fold(tree: Any, leaf: Callable[[Any], T], node: Callable[[Any, list[T]], T]) -> T:
    """Bottom-up: ``leaf`` of every scalar, ``node`` of every container with the results of its items in order."""
    done: list[T] = []
    todo: list[tuple[bool, Any]] = [(False, tree)]  # (are its items done?, subtree)
    while todo:
        complete, here = todo.pop()
        if complete:
            first = len(done) - len(here)
            items = done[first:]
            del done[first:]
            done.append(node(here, items))
        elif isinstance(here, list):
            todo.append((True, here))
            todo.extend([(False, item) for item in reversed(here)])
        elif isinstance(here, dict):
            todo.append((True, here))
            todo.extend([(False, item) for item in reversed(here.values())])
        else:
            done.append(leaf(here))
    return done[0]


def rewrite(tree: Any, leaf: Callable[[Any], Any], node: Callable[[Any], Any] = lambda made: made) -> Any:
    """A new tree: ``leaf`` of every scalar, ``node`` of every rebuilt container; keys stay."""

    def rebuild(here: Any, items: list[Any]) -> Any:
        return node(dict(zip(here, items, strict=True)) if isinstance(here, dict) else items)

    return fold(tree, leaf, rebuild)


def rewrite_texts(tree: Any, text: Callable[[str], str]) -> Any:
    """A new tree with ``text`` applied to every string, keys too.

    Where two keys of one object become the same, no entry may be lost: the object becomes the pairs of a
    ``!dict``, sorted, which the worker never sends with a key twice.
    """

    def rebuild(here: Any, items: list[Any]) -> Any:
        if isinstance(here, list):
            return items
        keys = [text(key) for key in here]
        if len(set(keys)) == len(keys):
            return dict(zip(keys, items, strict=True))
        return {"!dict": sorted_pairs([[key, item] for key, item in zip(keys, items, strict=True)])}

    return fold(tree, lambda scalar: text(scalar) if isinstance(scalar, str) else scalar, rebuild)


def sorted_pairs(pairs: list[Any]) -> list[Any]:
    """The pairs of a ``!dict`` in the order of their canonical texts.

    That is the order of their keys; only where two keys have one text are the items written out. To write out every pair at
    every level would be quadratic in the depth.
    """
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):  # no worker sends that
        return sorted(pairs, key=visible)
    keyed = [(visible(pair[0]), pair) for pair in pairs]
    times = Counter(text for text, _ in keyed)
    keyed.sort(key=lambda one: (f"{one[0]},", visible(one[1][1]) if times[one[0]] > 1 else ""))
    return [pair for _, pair in keyed]


def tagged(node: Any) -> str | None:
    """The tag of a one-key object such as ``{"!tuple": ..}``."""
    if isinstance(node, dict) and len(node) == 1:
        tag: str = next(iter(node))
        return tag if tag.startswith("!") else None
    return None


def sort_sets(tree: Any) -> Any:
    """The members of every set in the order of their canonical texts: part of the form, not a rule."""

    def node(made: Any) -> Any:
        tag = tagged(made)
        if tag in SETS and isinstance(made[tag], list) and len(made[tag]) > 1:
            return {tag: sorted(made[tag], key=visible)}
        return made

    return rewrite(tree, lambda scalar: scalar, node)


def has_sets(text: str) -> bool:
    """May the tree of this canonical text hold a set? Inside a string the quotes would be escaped."""
    return '"!set"' in text or '"!frozenset"' in text
