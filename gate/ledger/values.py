"""Texts of ledger rows: when two of them mean the same value, and the digest form of long ones.

Two texts are the same when they are equal character by character, or when both parse to the same value;
a text that is not JSON stands for the JSON string of itself, so ``ValueError`` in a hand-written row is
``"ValueError"``. A text over 2 KiB, or one that redaction finds something in, is written as
``sha256:<hex> <bytes> <excerpt>``; digest and byte count are those of the value's ASCII JSON, so the
form stands for the value and not for one way to write it. Source: design, section 8.
"""

from __future__ import annotations

import re

from gate.canonical import visible_json

_DIGEST = re.compile(r"sha256:([0-9a-f]{64}) (0|[1-9][0-9]{0,14})(?: .*)?", re.DOTALL)
# What was meant for a digest, whatever became of its case, its spaces or a few of its digits.
_MEANT = re.compile(r"\s*sha-?256\s*[:=]\s*[0-9a-f]{32}", re.IGNORECASE)
_RELIES_ON = re.compile(r"(\S(?:.*\S)?) sha256:([0-9a-f]{64})")


def digest_text(canonical_text: str, excerpt: str) -> str:
    """The form in which a long or secret text stands in a row. ``excerpt`` is for readers; it never decides.

    Raises ``ValueError`` for the rare text that cannot be parsed for depth or digits: it has no value to digest.
    """
    size = len(visible_json.ascii_json(visible_json.parse_or_text(canonical_text)))
    head = f"sha256:{visible_json.digest(canonical_text)} {size}"
    return f"{head} {' '.join(excerpt.split())}".rstrip()


def digest_of(text: str) -> str | None:
    """The hex digits of a text in digest form, None for every other text."""
    # The test of the first letters spares nearly every text the pattern.
    found = _DIGEST.fullmatch(text) if text.startswith("sha256:") else None
    return found[1] if found else None


def is_broken_digest(text: str) -> bool:
    """Whether a text was meant for the digest form and is not: it would stand for itself, and its row for nothing."""
    # The test of the first letter spares nearly every text the pattern.
    return text.lstrip()[:1] in {"s", "S"} and _MEANT.match(text) is not None and digest_of(text) is None


def key(text: str) -> str:
    """What two texts have in common exactly when they stand for the same value: digest and byte count of its ASCII JSON.

    A text too deep or with too many digits to parse is its own key: it matches exactly only.
    """
    found = _DIGEST.fullmatch(text) if text.startswith("sha256:") else None
    if found is not None:
        return f"value:{found[1]}:{found[2]}"
    try:
        value = visible_json.ascii_json(visible_json.parse_or_text(text))
    except ValueError:
        return f"exact:{text}"
    import hashlib  # loads OpenSSL; most runs of shadow never need it here

    return f"value:{hashlib.sha256(value.encode('ascii')).hexdigest()}:{len(value)}"


def same(left: str, right: str) -> bool:
    """Whether two texts match: exactly, or else by value."""
    return left == right or key(left) == key(right)


def parse_relies_on(text: str) -> tuple[str, str] | None:
    """``path sha256:<hex>`` as (path, hex); None where it has another shape or the path leaves the checkout."""
    found = _RELIES_ON.fullmatch(text)
    if not found or found[1].startswith("/") or ".." in found[1].split("/"):
        return None
    return found[1], found[2]
