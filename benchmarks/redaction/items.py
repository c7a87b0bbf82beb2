"""What the set consists of: a text and the strings in it that must vanish.

Templates are strings with marks: ``«spec»`` is a secret, ``«~spec»`` is harmless filling. A spec is the name of a maker
(``makers.py``) or a pattern of alphabets (``ghp_[A36]``); values exist only at run time, so that no file of the repository
holds anything that a scanner of the hosting service would take for a live token.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

CORE = ("prefixed", "keyed", "url", "structured")
LOOSE = ("prefixed-loose", "keyed-loose", "other-loose", "pii-doubtful")  # reported, no bar: whether these must go is a matter of taste
GROUPS = (*CORE, "encoded", "pii", "negative", *LOOSE)

Parts = tuple[str, ...]
Fill = Callable[[str, Random], str]

_MARK = re.compile("«(~?)([^»]*)»")


@dataclass(frozen=True, slots=True)
class Item:
    """One labelled text. A secret is the tuple of its written parts: a line-wrapped key has one part per line."""

    id: str
    group: str
    kind: str
    text: str
    secrets: tuple[Parts, ...] = ()


@dataclass(frozen=True, slots=True)
class PairItem:
    """Two sides of a divergence. They are to stay equal exactly when they are equal, and their secrets are to vanish."""

    id: str
    kind: str
    baseline: str
    candidate: str
    secrets: tuple[str, ...]


def render(template: str, rng: Random, fill: Fill) -> tuple[str, tuple[Parts, ...]]:
    """The text of a template, and its secrets, one part each."""
    secrets: list[Parts] = []

    def value(match: re.Match[str]) -> str:
        made = fill(match[2], rng)
        if not match[1]:
            secrets.append(parts_of(made))
        return made

    return _MARK.sub(value, template), tuple(secrets)


def parts_of(value: str) -> Parts:
    r"""The value as one part, or its lines (real or written ``\n``) without the markers of PEM, which give nothing away."""
    lines = [line.strip(" \t\r\"'+,;") for line in re.split(r"\n|\\n", value)]
    kept = tuple(line for line in lines if len(line) > 3 and not line.startswith("-----"))
    return kept if len(lines) > 1 else (value,)


def rows(group: str, kind: str, templates: Iterable[str], rng: Random, fill: Fill) -> list[Item]:
    """One item per template; drawn again where a short secret stands in its text a second time by chance."""
    made = []
    for number, template in enumerate(templates):
        for _ in range(50):
            text, secrets = render(template, rng, fill)
            if all(text.count(part) == sum(parts.count(part) for parts in secrets) for parts in secrets for part in parts):
                break
        else:
            raise ValueError(f"{group}/{kind}: a secret of this template always stands twice: {template}")
        made.append(Item(id=f"{group}/{kind}/{number}", group=group, kind=kind, text=text, secrets=secrets))
    return made
