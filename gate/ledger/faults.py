"""The words of the ledger's faults: what a user wrote, made safe to show, and the edit that mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.canonical.visible_json import escape
from gate.types import Fault, Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yaml.error import MarkedYAMLError

QUOTE = "put the text in single quotes, where '' stands for one '"
SURROGATE = r"YAML has no pairs of \u escapes: put the value in single quotes, or write the character raw or as \U0001F600"
# Words in PyYAML's message -> the edit that mends it. The first that fits.
_REMEDIES = (
    ("Unicode character escape", SURROGATE),
    ("escape", f"in double quotes a backslash escapes: {QUOTE}"),
    ("mapping values are not allowed", f"the text holds `: `: {QUOTE}"),
    ("tab", "indent with spaces"),
    ("\\t", "indent with spaces"),
    ("unexpected end of stream", "close the quote; inside single quotes '' stands for one '"),
    ("document start", "this file holds one document only: remove what follows it"),
)
_SHOWN = 80
QUOTED_JSON = "put it in double quotes inside the single ones: '\"..\"'"


def shown(text: str) -> str:
    """A user's text inside a message: in backticks, made visible, bounded."""
    safe = escape(text)
    return f"`{safe}`" if len(safe) <= _SHOWN else f"`{safe[:_SHOWN]}..`"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` most looks like, if any does."""
    from difflib import get_close_matches  # only where there is a fault to explain

    return next(iter(get_close_matches(word[:100], list(known), n=1, cutoff=0.5)), None)


def advise(word: str, known: Iterable[str]) -> str:
    """The remedy for a word that is not known: the nearest one, or else all of them."""
    words = list(known)
    near = nearest(word, words)
    return f"did you mean `{near}`?" if near else f"known: {', '.join(words)}"


def syntax_fault(error: MarkedYAMLError, file: str) -> Fault:
    """What PyYAML says of broken syntax, at the line to mend, with the edit that usually does."""
    problem, context = error.problem or "cannot be parsed", error.context or ""
    # An open quote is only noticed far below: the line where it was opened is the one to mend.
    opened = error.context_mark if "quoted scalar" in context and error.context_mark else None
    mark = opened or error.problem_mark or error.context_mark
    what = f"bad YAML: {problem}" + (f", {context}" if context else "")
    fallback = f"indent with spaces, and {QUOTE}"
    remedy = next((remedy for words, remedy in _REMEDIES if words in problem), fallback)
    return Fault(what=what, place=Place(file=file, line=mark.line + 1 if mark else None), remedy=remedy)
