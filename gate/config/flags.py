"""What the command line gave. None means the flag was not given; nothing here is checked yet (``merge`` does)."""

from __future__ import annotations

from gate.types import Value


class Flags(Value):
    """Flags of ``shadow compare``, as typed. Paths are relative to the current folder; ``config`` is a ``shadow.toml`` or its folder."""

    baseline: str | None = None
    candidate: str | None = None
    corpus: str | None = None
    ledger: str | None = None
    report: str | None = None
    entry: str | None = None
    adapter: str | None = None
    timeout: float | None = None
    python: str | None = None
    payload: str | None = None
    only: tuple[str, ...] = ()
    purity: str = "diverging"
    attribute: str | None = None
    reuse: bool = False
    strict: bool = False
    require: str | None = None
    redact: bool = False
    config: str | None = None
