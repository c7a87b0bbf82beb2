"""Our own redaction, in this process: both policies in pure Python, and `balanced` with the extra `fast`."""

from collections.abc import Sequence

import redaction
from benchmarks.redaction.contestants.interface import Batch, one_by_one
from redaction.detectors import tokens

POLICIES = ("BALANCED", "STRICT")
# Policy, and whether with the extra `fast`, which is taken where it is installed.
WAYS = (("BALANCED", False), ("STRICT", False), ("BALANCED", True))
_FAST = tokens._fast  # noqa: SLF001  # there is no switch: it changes no result


class Shadow:
    """`redaction.redact_text` and `redact_pair` under `redaction.BALANCED` or `redaction.STRICT`. Nothing can stop it at a limit."""

    def __init__(self, policy: str, *, fast: bool = False) -> None:
        self.name = f"shadow {policy.lower()}{', fast' if fast else ''}"
        self._policy: redaction.Policy = getattr(redaction, policy)
        self._fast = _FAST if fast else lambda: None

    def one(self, text: str) -> str:
        vars(tokens)["_fast"] = self._fast
        try:
            return str(redaction.redact_text(text, policy=self._policy))
        finally:
            vars(tokens)["_fast"] = _FAST

    def redact(self, texts: Sequence[str], *, limit: float) -> Batch:  # noqa: ARG002  # see the class
        return one_by_one(texts, self.one)

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]:
        pair = redaction.redact_pair(baseline, candidate, policy=self._policy)
        return str(pair.baseline), str(pair.candidate)
