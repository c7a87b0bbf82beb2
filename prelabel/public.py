"""How things are shown where everybody reads: the gate's reader, with redaction.

Made at most once a command, and only where somebody reads along: a run on one's own machine loads none of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.config import environ
from gate.terminal import Reader
from prelabel import policy
from prelabel.publish.log import public_log
from prelabel.publish.release import of_json
from prelabel.publish.report import public_change, public_entry, public_report

if TYPE_CHECKING:
    from gate.report.model import Entry, Report


class Public(Reader):
    """``config`` is what ``--config`` says. Raises where the contract names what cannot be had."""

    def __init__(self, config: str | None = None) -> None:
        self._policy = policy.public(config)
        self._leaving = of_json("report", self._policy)

    def text(self, text: str) -> str:
        """See ``Reader``."""
        return str(public_log(text, self._policy))

    def change(self, path: str) -> str:
        """See ``Reader``: what its pointer names is secret, and of what was cut nothing is shown."""
        return public_change(path, self._policy)

    def entry(self, entry: Entry) -> Entry:
        """See ``Reader``: one scope, so that the same value is the same placeholder on both sides, and different ones differ."""
        return public_entry(entry, self._policy)

    def report(self, report: Report) -> Report:
        """See ``Reader``."""
        return public_report(report, self._policy, home=environ().variables.get("HOME", ""))

    def leaving(self, piece: str) -> str:
        """See ``Reader``."""
        return self._leaving(piece)
