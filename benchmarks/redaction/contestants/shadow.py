"""Our own redaction, in this process, with a policy by name; a build without policies has one way, which is both."""

from collections.abc import Sequence

import redaction
from benchmarks.redaction.contestants.interface import Batch, one_by_one

POLICIES = ("BALANCED", "STRICT")


class Shadow:
    """`redaction.redact_text` and `redact_pair` under `redaction.BALANCED` or `redaction.STRICT`. Nothing can stop it at a limit."""

    def __init__(self, policy: str) -> None:
        self.name = f"shadow {policy.lower()}"
        chosen = getattr(redaction, policy, None)
        self._more = {} if chosen is None else {"policy": chosen}

    def one(self, text: str) -> str:
        return str(redaction.redact_text(text, **self._more))

    def redact(self, texts: Sequence[str], *, limit: float) -> Batch:  # noqa: ARG002  # see the class
        return one_by_one(texts, self.one)

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]:
        pair = redaction.redact_pair(baseline, candidate, **self._more)
        return str(pair.baseline), str(pair.candidate)
