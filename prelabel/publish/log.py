"""Text for the log of a CI job, which everybody may read and whose runner obeys some of its lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import redaction
from gate.canonical.visible_json import escape
from redaction import STRICT

if TYPE_CHECKING:
    from redaction import Policy, Redacted

# What a GitHub runner takes for a command: `::name ..` where a line starts, `##[name]` anywhere in it.
_COMMAND = re.compile(r"(?m)^(\s*):(?=:)|##(?=\[)")


def public_log(text: str, policy: Policy = STRICT) -> Redacted:
    """The text redacted, control characters written out line by line, and without commands to the runner."""
    return redaction.render(redaction.redact_text(text, policy=policy), _shown)


def public_screen(text: str, policy: Policy = STRICT) -> Redacted:
    """The same of a whole screen, which is ours: each line by itself, for the payloads in it were looked at before."""
    return redaction.composed(_shown(str(redaction.composed(text, policy))), policy)


def _shown(text: str) -> str:
    shown = "\n".join(escape(line) for line in text.split("\n"))
    return _COMMAND.sub(lambda found: f"{found[1]}\\:" if found[1] is not None else "#\\#", shown)
