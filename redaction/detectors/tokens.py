"""Finds what the rules of ``redaction.detectors.pack`` describe."""

from __future__ import annotations

from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING

from redaction.detectors.pack import RULES
from redaction.detectors.rule import PLAIN_WORD, SHORTEST_WORD, WORD
from redaction.types import Span
from redaction.views import BREAK, compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from redaction.detectors.rule import Rule

    _Waiting = tuple[tuple[str, Rule], ...]

_CUT = rf"{WORD}(?:{BREAK}{WORD})+"
_SIGNS = ("$", "|")
_FEW = 512  # characters, up to which looking for the first two of each trigger is quicker


@cache
def _triggers() -> tuple[_Waiting, _Waiting, _Waiting]:
    """Every trigger with its rule: of tokens that are one long word, those of them that a plain word can hold, and all others."""
    words: list[tuple[str, Rule]] = []
    others: list[tuple[str, Rule]] = []
    for rule in RULES:
        (words if rule.is_word() else others).extend((trigger, rule) for trigger in rule.triggers)
    return tuple(words), tuple((trigger, rule) for trigger, rule in words if compiled(PLAIN_WORD).fullmatch(trigger)), tuple(others)


@cache
def _others() -> tuple[tuple[str, ...], Mapping[str, _Waiting]]:
    """Of the triggers that are no part of a long word: the word in each of them, or else some sign with those that it stands in."""
    words: dict[str, None] = {}
    rest: dict[str, _Waiting] = {}
    for trigger, rule in _triggers()[2]:
        word = max(compiled(WORD).findall(trigger), key=len, default="")
        sign = next((sign for sign in _SIGNS if sign in trigger), trigger if compiled(PLAIN_WORD).fullmatch(word) else "")
        if sign:
            rest[sign] = (*rest.get(sign, ()), (trigger, rule))
        else:
            words[word] = None
    return tuple(words), rest


def announced(odd: Iterable[str]) -> bool:
    """Whether one of the words stands in a trigger that is more than a word."""
    text = "\n".join(odd)
    return bool(text) and any(word in text for word in _others()[0])


@cache
def _starts() -> Mapping[str, _Waiting]:
    """The triggers of long words by their first two characters."""
    found: dict[str, _Waiting] = {}
    for trigger, rule in _triggers()[0]:
        found[trigger[:2]] = (*found.get(trigger[:2], ()), (trigger, rule))
    return found


@cache
def _fast() -> Callable[[str], set[int]] | None:
    from redaction.extras.fast import finder as fast

    return fast([trigger for trigger, _ in _triggers()[0]])


def triggered(odd: Iterable[str]) -> set[str]:
    """The ids of the rules of which a trigger stands in one of the words."""
    text = "\n".join(odd)
    if not text:
        return set()
    fast = _fast() if text.isascii() else None
    if fast is not None:
        return {_triggers()[0][number][1].id for number in fast(text)}
    if len(text) > _FEW:
        return {rule.id for trigger, rule in _triggers()[0] if trigger in text}
    pairs = _starts().keys() & {text[at : at + 2] for at in range(len(text))}.union(text)  # some triggers have one character
    return {rule.id for pair in pairs for trigger, rule in _starts()[pair] if trigger in text}


def rules_for(text: str, odd: Sequence[str], plain: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of which a trigger stands in the text, in the order of the pack.

    ``odd`` and ``plain``: its words, but for those that are known to hold no trigger (``redaction.vocabulary``).
    """
    _, in_plain, others = _triggers()
    hit = triggered(word for word in odd if len(word) >= SHORTEST_WORD)
    digits = "\n".join(plain)
    if digits:
        hit.update(rule.id for trigger, rule in in_plain if trigger in digits and compiled(rule.pattern).search(digits) is not None)
    if announced(odd):
        hit.update(rule.id for trigger, rule in others if trigger in text)
    else:
        hit.update(rule.id for sign, rest in _others()[1].items() if sign in text for trigger, rule in rest if trigger in text)
    return tuple(rule for rule in RULES if rule.id in hit) if hit else ()


def finder(text: str, odd: Sequence[str], plain: Sequence[str]) -> Callable[[str], Iterator[Span]] | None:
    """What finds the tokens of this text in any part of it; None where there can be none. The words are those of ``rules_for``."""
    waiting = rules_for(text, odd, plain)
    if "\n" in text and compiled(BREAK).search(text) is not None:  # it may cut a token, or its trigger, in two
        words = ("".join(cut.split()) for cut in compiled(_CUT).findall(text))
        rules = tuple(dict.fromkeys((*waiting, *rules_for(compiled(BREAK).sub("", text), tuple(words), ()))))
    else:
        rules = tuple(rule for rule in waiting if compiled(rule.pattern).search(text) is not None)
    return partial(_find, rules) if rules else None


@cache
def usual_length(kind: str) -> int | None:
    """How many characters a token of that kind has as its issuer makes them; None if no rule says it."""
    rule = next((rule for rule in RULES if rule.id == kind), None)
    found = compiled(rule.pattern).search(rule.make(itemgetter(-1))) if rule is not None else None
    return len(found.group(rule.group)) if rule is not None and found is not None else None


def tokens(text: str) -> Iterator[Span]:
    """Everything in the text that a token rule covers."""
    find = finder(text, compiled(WORD).findall(text), ())
    if find is not None:
        yield from find(text)


def _find(rules: tuple[Rule, ...], text: str) -> Iterator[Span]:
    for rule in rules:
        if any(trigger in text for trigger in rule.triggers):
            done = 0
            for match in compiled(rule.pattern).finditer(text):
                start, end = match.span(rule.group)
                if end <= done:  # the rest of the word belongs to the token before: it is read once
                    continue
                end += len(compiled(r"[A-Za-z0-9]*").match(text, end).group())  # type: ignore[union-attr]  # it always matches
                done = end
                yield Span(start, end, rule.id, text[start:end])
