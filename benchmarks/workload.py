"""Seeded fixtures and ledgers. The same seed makes the same bytes; nothing of it is kept."""

import json
import random
from pathlib import Path

SEED = 20260905
DIVERGING = 50  # every so many fixtures, one meets a planted change
FAILING = 30  # and one of so many fails alike on both sides
WORDS = (
    "anvil",
    "basket",
    "candle",
    "drill",
    "easel",
    "flute",
    "globe",
    "hammer",
    "iron",
    "jug",
    "kettle",
    "ladder",
    "mirror",
    "needle",
    "oar",
)


def write_corpus(folder: Path, count: int, *, diverging: int = DIVERGING):
    """`count` files, some 600 bytes each. With `diverging=1` every one of them diverges."""
    rng = random.Random(f"{SEED} {count} {diverging}")
    folder.mkdir(parents=True)
    for number in range(count):
        record = _record(rng)
        if number % diverging == 0:
            _meet_a_change(record, rng, number)
        elif number % FAILING == 1:
            _spoil(record, rng)
        path = folder / f"{number:06d}_{rng.choice(WORDS)}.json"
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")


def _record(rng):
    """A record that both sides declare alike: no accents, no missing marks, no half cents, no blank lines at the end."""

    def party():
        return {
            "name": f"{rng.choice(WORDS).title()}  & {rng.choice(WORDS).title()} Ltd",
            "street": f"{rng.randint(1, 400)} {rng.choice(WORDS)} road",
            "postcode": f"{rng.randint(10, 99)}-{rng.randint(100, 999)}",
        }

    def line():
        return {
            "goods": f"{rng.choice(WORDS)} {rng.choice(WORDS)}",
            "pieces": rng.randint(1, 20),
            "weight": f"{rng.randint(0, 40)}.{rng.randint(0, 999):03d}",
            "value": f"{rng.randint(1, 900)}.{rng.randint(0, 99):02d}",
        }

    return {
        "number": f"RR{rng.randint(0, 99_999_999):08d}",
        "from": party(),
        "to": party(),
        "posted": f"20{rng.randint(10, 29)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
        "lines": [line() for _ in range(rng.randint(1, 4))],
        "marks": [f" {rng.choice(WORDS).title()}" for _ in range(rng.randint(0, 4))],
        "remark": " ".join(rng.choice(WORDS) for _ in range(rng.randint(3, 20))),
        "extras": {rng.choice(WORDS).title(): {"N": rng.randint(-9, 2**40), "F": rng.random(), "Deep": [[None], {"": ""}]}},
    }


def _meet_a_change(record, rng, number):
    change = rng.randrange(5)
    if change == 0:
        record["to"]["name"] = f"Zo\N{LATIN SMALL LETTER E WITH DIAERESIS} {number}"
    elif change == 1:
        record["marks"] = None
    elif change == 2:
        record["lines"][0]["weight"] = f"heavy {number}"
    elif change == 3:
        record["lines"][0].update(value=f"{number}.125", pieces=1)
    else:
        record["remark"] += "\n\n"


def _spoil(record, rng):
    fault = rng.randrange(3)
    if fault == 0:
        record["from"]["postcode"] = "?"
    elif fault == 1:
        del record["posted"]
    else:
        record["lines"][0]["pieces"] = 0


def write_lines(path: Path, count: int, *, diverging: int = DIVERGING):
    """A `.jsonl` corpus of one file: records of some 600 bytes, the first of which is met again and again."""
    rng = random.Random(f"{SEED} lines {count}")
    path.parent.mkdir(parents=True)
    plain = json.dumps(_record(rng))
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            record = plain
            if number % diverging == 0:
                changed = json.loads(plain)
                _meet_a_change(changed, rng, number)
                record = json.dumps(changed)
            out.write(f'{{"id": "line_{number:07d}", "payload": {record}}}\n')


def write_ledger(path: Path, count: int):
    """Rows that meet no fixture, with the comments that people leave between them."""
    rng = random.Random(f"{SEED} ledger {count}")
    with path.open("w", encoding="utf-8") as out:
        out.write("# Owned by people.\nversion: 1\nentries:\n" if count else "version: 1\nentries: []\n")
        for number in range(count):
            if number % 20 == 0:
                out.write(f"  # release {number // 200}, sheet {number // 20}\n")
            text = json.dumps({rng.choice(WORDS): f"{rng.choice(WORDS)} it's {number}" for _ in range(6)}).replace("'", "''")
            out.write(
                f"  - id: gone/{number:06d}_{rng.choice(WORDS)}.json\n    field: value\n"
                f"    baseline: '{text}'\n    candidate: '[{text}]'\n"
                f"    decision: {rng.choice(('accept', 'reject'))}\n    reason: {rng.choice(WORDS)} moved, see change {number}\n"
            )
