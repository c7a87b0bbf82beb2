"""Our own redaction, in this process, with a policy by name; a build without policies has one way, which is both."""

import redaction


class Shadow:
    """`redaction.redact_text` and `redact_pair` under `redaction.BALANCED` or `redaction.STRICT`."""

    def __init__(self, policy: str) -> None:
        self.name = f"shadow {policy.lower()}"
        chosen = getattr(redaction, policy, None)
        self._more = {} if chosen is None else {"policy": chosen}

    def redact(self, text: str) -> str:
        return str(redaction.redact_text(text, **self._more))

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]:
        pair = redaction.redact_pair(baseline, candidate, **self._more)
        return str(pair.baseline), str(pair.candidate)
