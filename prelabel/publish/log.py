"""Text for the log of a CI job, which everybody may read and whose runner obeys some of its lines."""

from __future__ import annotations

import re

from gate.canonical.visible_json import escape
from redaction import redact_text

# What a GitHub runner takes for a command: `::name ..` where a line starts, `##[name]` anywhere in it.
_COMMAND = re.compile(r"(?m)^(\s*):(?=:)|##(?=\[)")


def public_log(text: str) -> str:
    """The text redacted, control characters written out line by line, and without commands to the runner."""
    redacted = str(redact_text(text))
    shown = "\n".join(escape(line) for line in redacted.split("\n"))
    return _COMMAND.sub(lambda found: f"{found[1]}\\:" if found[1] is not None else "#\\#", shown)
