"""Text in, ``Redacted`` out: the only texts that may leave the machine or reach a public comment.

    redact_pair(baseline, candidate, more={..})   both sides of a divergence, one scope, truncated
    Scope(texts).redact(text)                     texts that belong together, one by one
    redact_text(text)                             one text by itself
    finds(text)                                   the kinds that would be hidden (empty: nothing)
    look(text), leaks(text, raw)                  where something would be hidden; what still shows in a text that leaves
    secret_values(pairs)                          what is secret in an environment: to be known beforehand, as `Policy.exact`
    detector(name)                                a detector of someone else, for `Policy.extras`
    composed, render                              from Redacted to Redacted, for publishers
    Policy, BALANCED, STRICT                      how to look; every function takes ``policy``, ``STRICT`` unless told

Facts (class, path, types, first difference) are taken from raw values *before*; redaction never decides
anything. Standard library only. Design, section 9. It lowers risk and does not make production data fit
to be sent: names in prose, addresses and short dictionary passwords in sentences are not found.
"""

from redaction.compose import composed, render
from redaction.extras import MissingDetectorError, detector
from redaction.look import Seen, finds, leaks, look
from redaction.policy import BALANCED, STRICT, Policy, Profile
from redaction.scope import Scope, redact_pair, redact_text
from redaction.secret_values import secret_values
from redaction.types import Pair, Redacted

__all__ = [
    "BALANCED",
    "STRICT",
    "MissingDetectorError",
    "Pair",
    "Policy",
    "Profile",
    "Redacted",
    "Scope",
    "Seen",
    "composed",
    "detector",
    "finds",
    "leaks",
    "look",
    "redact_pair",
    "redact_text",
    "render",
    "secret_values",
]
