"""Ordinary answers of an API, about 540 bytes each: ids, a commit, times, text, nested objects. Nothing in them is secret."""

import json
from collections.abc import Iterator
from random import Random

from benchmarks.redaction import makers
from benchmarks.redaction import values as v

_TEXTS = (
    "The invoice was sent on time and the customer confirmed that everything arrived in good order.",
    "Retry after the maintenance window; the queue was drained and the workers restarted without errors.",
    "Price list updated, two items are out of stock, the others ship within three working days.",
    "Report generated from the nightly run: no difference in totals, rounding follows the contract.",
    "Please review the change, it moves the tax calculation into its own module and adds tests for it.",
)


def payloads(count: int, seed: int) -> Iterator[str]:
    """`count` payloads. Numbers are drawn as real systems draw them: some are 13 digits long, some have 16 places after the point."""
    rng = Random(seed)
    for number in range(count):
        yield json.dumps(payload(number, rng), ensure_ascii=rng.random() < 0.5)


def payload(number: int, rng: Random) -> dict[str, object]:
    return {
        "id": v.uuid(rng),
        "number": number,
        "commit": v.fake_hash(rng, "sha1"),
        "created_at": makers.fill("time", rng),
        "updated": 1_760_000_000_000 + rng.randrange(10**10),
        "status": rng.choice(("open", "paid", "shipped", "returned")),
        "total": round(rng.uniform(1, 9999), 2),
        "ratio": rng.random(),
        "text": rng.choice(_TEXTS),
        "customer": {"id": v.uuid(rng), "tier": rng.choice(("gold", "silver")), "visits": rng.randrange(1000)},
        "lines": [
            {"sku": v.pattern("AB-[d4]-[W2]", rng), "count": rng.randrange(1, 9), "price": round(rng.uniform(1, 99), 2)}
            for _ in range(rng.randrange(1, 3))
        ],
        "next": None,
    }
