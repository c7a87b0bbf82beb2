"""The evaluation set: written from public knowledge of what secrets look like, without sight of the detectors it measures.

Deterministic: the same seed makes the same items, on every machine and Python. Several seeds make several sets of other
values in the same templates; a detector that lives on the luck of one draw shows there.
"""

from random import Random

from benchmarks.redaction import (
    apart,
    encoded,
    keyed,
    keyed_more,
    negatives,
    negatives_apart,
    negatives_more,
    personal,
    personal_apart,
    prefixed,
    reports,
    structured,
    urls,
)
from benchmarks.redaction.items import Item, rows
from benchmarks.redaction.makers import fill

SEED = 20261
_MAKERS = {
    "prefixed": prefixed.items,
    "keyed": keyed.items,
    "keyed-more": keyed_more.items,
    "url": urls.items,
    "structured": structured.items,
    "reports": reports.items,
    "encoded": encoded.items,
    "personal": personal.items,
    "apart": apart.items,
    "personal-apart": personal_apart.items,
}


def generate(seed: int = SEED) -> list[Item]:
    """All labelled texts: positives of all groups, then negatives."""
    made: list[Item] = []
    for name, maker in _MAKERS.items():
        made += maker(Random(f"{seed}/{name}"))
    rng = Random(f"{seed}/negatives")
    for kind, templates in (negatives.NEGATIVES | negatives_more.NEGATIVES | negatives_apart.NEGATIVES).items():
        made += rows("negative", kind, templates, rng, fill)
    return made


def faults(items: list[Item]) -> list[str]:
    """What is wrong with the set itself: a part of a secret that does not stand in its text, a negative with a secret, equal ids."""
    wrong = [
        f"{item.id}: {part!r} is not in its text" for item in items for parts in item.secrets for part in parts if part not in item.text
    ]
    wrong += [f"{item.id}: no secret" for item in items if item.group != "negative" and not any(map(any, item.secrets))]
    wrong += [f"{item.id}: a negative with a secret" for item in items if item.group == "negative" and item.secrets]
    ids = [item.id for item in items]
    return wrong + [f"{name}: twice" for name in sorted({name for name in ids if ids.count(name) > 1})]
