"""Finds what the rules of ``redaction.detectors.pack`` describe."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from redaction.detectors.pack import RULES
from redaction.detectors.rule import LONG_WORD
from redaction.types import Span
from redaction.views import BREAK, compiled, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from redaction.detectors.rule import Rule

    _Waiting = tuple[tuple[str, Rule], ...]

_PLAIN = r"[0-9a-fA-FTZ:.+-]+"  # UUIDs, digests, times, numbers


@cache
def _triggers() -> tuple[_Waiting, _Waiting, _Waiting]:
    """Every trigger with its rule: of tokens that are one long word, those of them that a plain word can hold, and all others."""
    words: list[tuple[str, Rule]] = []
    others: list[tuple[str, Rule]] = []
    for rule in RULES:
        (words if rule.is_word() else others).extend((trigger, rule) for trigger in rule.triggers)
    return tuple(words), tuple((trigger, rule) for trigger, rule in words if compiled(_PLAIN).fullmatch(trigger)), tuple(others)


@cache
def _fast() -> Callable[[str], set[int]] | None:
    from redaction.extras.fast import finder as fast

    return fast([trigger for trigger, _ in _triggers()[0]])


def rules_for(text: str) -> tuple[Rule, ...]:
    """The rules of which a trigger stands in the text, in the order of the pack."""
    words, plain, others = _triggers()
    found = compiled(LONG_WORD).findall(text)  # a few in a payload, and most of them are digests and times
    long = "\n".join(found)
    fast = _fast()
    if fast is not None and long.isascii():
        hit = {words[number][1].id for number in fast(long)} if long else set()
    else:
        odd = "\n".join(word for word in found if compiled(_PLAIN).fullmatch(word) is None)
        hit = {rule.id for trigger, rule in words if trigger in odd} if odd else set()
        hit.update(rule.id for trigger, rule in plain if trigger in long)
    hit.update(rule.id for trigger, rule in others if trigger in text)
    return tuple(rule for rule in RULES if rule.id in hit) if hit else ()


def finder(text: str) -> Callable[[str], Iterator[Span]] | None:
    """What finds the tokens of this text in any part of it; None where there can be none."""
    rules = _matching(text)
    if "\n" in text and compiled(BREAK).search(text) is not None:  # it may cut a trigger in two
        rules = tuple(dict.fromkeys((*rules, *rules_for(unwrap(text).text))))
    return partial(_find, rules) if rules else None


def _matching(text: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules_for(text) if compiled(rule.pattern).search(text) is not None)


def tokens(text: str) -> Iterator[Span]:
    """Everything in the text that a token rule covers."""
    find = finder(text)
    if find is not None:
        yield from find(text)


def _find(rules: tuple[Rule, ...], text: str) -> Iterator[Span]:
    for rule in rules:
        if any(trigger in text for trigger in rule.triggers):
            for match in compiled(rule.pattern).finditer(text):
                start, end = match.span(rule.group)
                end += len(compiled(r"[A-Za-z0-9]*").match(text, end).group())  # type: ignore[union-attr]  # it always matches
                yield Span(start, end, rule.id, text[start:end])
