"""Child: detect-secrets over the lines of a text, all plug-ins, as its `scan --string` does. It tells values, not places."""

from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings

from benchmarks.redaction.contestants.interface import masked, one_by_one, serve, spans_of


def redact(text: str) -> str:
    values = [found.secret_value for line in text.splitlines() for found in scan_line(line)]
    return masked(text, spans_of(text, values))


if __name__ == "__main__":
    with default_settings():
        serve(lambda texts: one_by_one(texts, redact))
