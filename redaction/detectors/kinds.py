"""The closed list of kinds: what may stand in a placeholder. Earlier kinds win where findings overlap."""

from __future__ import annotations

from redaction.detectors.pack import RULES

_TOKEN_KINDS = tuple(rule.id for rule in RULES)
_OTHER_KINDS = (
    "url-password",
    "authorization",
    "cookie",
    "password",
    "secret",
    "api-key",
    "credential",
    "service-key",
    "session",
    "token",
    "signature",
    "pin",
    "otp",
    "cvv",
    "ssn",
    "card",
    "iban",
    "national-id",
    "birth-date",
    "account",
    "phone",
    "email",
    "known-value",  # an exact value: of the environment, of `.env`
    "other",  # what a detector of someone else found, if it names none of these kinds
    "blob",  # strict: long data in base64 that is no text
    "opaque",  # strict: a long word without meaning
    "word",  # the placeholder word itself, in a text that came after it was chosen
)
# Found by looks alone: it may be a known value in another form, which says more.
WEAK = frozenset({"blob", "opaque", "other"})
ORDER = {kind: place for place, kind in enumerate((*_TOKEN_KINDS, *_OTHER_KINDS))}
KINDS = frozenset(ORDER)
