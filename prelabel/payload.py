"""How a payload is shown where everybody reads it."""

from __future__ import annotations


def public_payload(text: str) -> str:
    """A payload where logs are public: redacted."""
    from gate.canonical.visible_json import escape
    from prelabel.publish.log import public_log

    return escape(public_log(text))
