"""Which combinations promise nothing, and why. Everything else must hold.

A reason speaks of what can be known from the text, never of what redaction does today. ``strict`` also hides words that
say nothing: at least 20 characters in a row with capitals, small letters and digits, and at least 3.7 bits a character.
"""

import math
import re
from collections import Counter

from redaction.views import compiled
from tests.leak.forms import CUTS


def _is_announced_by(canary, run):
    """Whether a word still begins as only tokens of its issuer do: letters and a sign behind them."""
    return len(canary.marker) >= 4 and canary.marker[-1] in "_-." and canary.marker in run


def _reads_as_a_name(run):
    """Whether six tenths of a word are parts that can be spoken, as in `Utf8JsonStreamReaderImpl2`, which must stay."""
    parts = (part for part in re.findall(r"[A-Z]?[a-z]{2,}", run) if len(part) >= 3 and re.search("[aeiouyAEIOUY]", part))
    return sum(map(len, parts)) >= 0.6 * len(run)


_RUN = re.compile(r"[A-Za-z0-9_+/=.~-]+")


def opaque(text):
    """Whether a word stands there that ``strict`` hides because it has no meaning."""
    return any(_says_nothing(run) for run in _RUN.findall(text))


def _says_nothing(run):
    # Paths and dotted names are read step by step: `AbstractFactory/<digest>` is a file of a commit, for all that anybody can know.
    if not any(all(re.search(part, step) for part in ("[a-z]", "[A-Z]", "[0-9]")) for step in re.split("[/.]", run)):
        return False
    counts = Counter(run)
    entropy = -sum(count / len(run) * math.log2(count / len(run)) for count in counts.values())
    return len(run) >= 20 and entropy >= 3.7 and all(re.search(part, run) for part in ("[a-z]", "[A-Z]", "[0-9]"))


def _is_read(case, text):
    """Whether a rule's own pattern covers what a cut left: patterns state how short a token may be."""
    rule = case.canary.rule
    found = compiled(rule.pattern).search(text) if any(trigger in text for trigger in rule.triggers) else None
    left = text[slice(*found.span(rule.group))] if found else ""
    return len(left) > len(text) - 8 or (rule.group > 0 and bool(left))


def _announced(case):
    """Whether something says that a secret follows, without any look at the secret itself."""
    canary = case.canary
    return case.carrier.hides or (canary.family == "keyed" and case.carrier.named)


def _cut_away(case):
    """Whether a cut took what gives the secret away, and left a word of which nobody can say what it is."""
    canary, left = case.canary, case.written
    if case.form not in CUTS or _announced(case) or canary.family == "exact":
        return False
    if (
        case.profile == "strict"
        and canary.family != "personal"
        and any(opaque(run) and (_is_announced_by(canary, run) or not _reads_as_a_name(run)) for run in _secret_left(canary, left))
    ):
        return False
    if canary.family == "token":
        if canary.kind in {"private-key", "putty-key"}:
            return case.form == "cut head" and "-----END" not in left
        return not _is_read(case, left)
    if canary.family == "personal":
        return case.form == "cut tail" or canary.kind != "e-mail" or not re.match(r"[\w.]+@", left)
    return canary.marker not in left


def _secret_left(canary, left):
    return [left] if canary.family == "token" else [run for run in _RUN.findall(left) if any(run in secret for secret in canary.secrets)]


def _is_numeral(canary):
    return re.fullmatch(r"[1-9][0-9]*", canary.text) is not None and canary.family != "personal" and canary.name != "phone_number"


# Reason -> whether it applies to a case. The first that applies counts.
EXCLUDED = {
    "a table inside another text: its first line is a line of names only where the text begins": lambda case: (
        case.canary.kind == "table" and (case.form != "plain" or case.elsewhere or case.carrier.id != "json value")
    ),
    "only digits are a JSON number, in one form; and under the name of a telephone a number stays": lambda case: (
        case.carrier.id == "json number" and (case.form != "plain" or not _is_numeral(case.canary))
    ),
    "a value under no name, without a shape, in a place that says nothing": lambda case: (
        case.canary.family == "keyed" and not _announced(case)
    ),
    "fewer than eight characters: there is no piece to leak, and only its name and plain form tell it from a count": lambda case: (
        len(case.canary.text) < 8 and case.form != "plain"
    ),
    "a line end ends the value there, so what follows is no part of it": lambda case: (
        case.form == "split" and _announced(case) and not case.carrier.lines
    ),
    "a line end inside a sentence, a line, a tag or an address of people: two lines are two texts": lambda case: (
        case.form == "split" and case.canary.family in {"structured", "personal"} and not case.carrier.hides
    ),
    "the cut took what gives it away, and what is left is a word like any other": _cut_away,
    "under the name of a number of fixed length, another number": lambda case: (
        case.canary.name in {"ssn", "card_number"} and case.form in {"split", *CUTS} and not case.carrier.hides
    ),
}


def why_not(case):
    """Why a case promises nothing, or None: then it must hold."""
    return next((reason for reason, applies in EXCLUDED.items() if applies(case)), None)
