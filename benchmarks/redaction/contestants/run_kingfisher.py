"""Child: kingfisher's plain scanner with its built-in rules. Nothing of it that validates, revokes or reaches a network is imported."""

import os
from pathlib import Path

from kingfisher_sdk.rules import Rules
from kingfisher_sdk.scanner import Scanner

from benchmarks.redaction.contestants.interface import masked, one_by_one, serve

SCANNER = Scanner(Rules(cache_dir=str(Path(os.environ["BENCH_HOME"], "rules"))))


def redact(text: str) -> str:
    data = text.encode("utf-8", "replace")

    ascii_only = len(data) == len(text)

    def point(offset: int) -> int:
        return offset if ascii_only else len(data[:offset].decode("utf-8", "ignore"))

    return masked(text, [(point(found.location["start_offset"]), point(found.location["end_offset"])) for found in SCANNER.scan(data)])


if __name__ == "__main__":
    serve(lambda texts: one_by_one(texts, redact))
