"""What must hold of a case: no piece of a secret is shown, and what is shown says the same as the raw texts did."""

import json
import re

from redaction import Scope, redact_pair, redact_text
from tests.leak.cases import FILLER
from tests.leak.oracle import PLACEHOLDER, shown


def faults(case):
    """What does not hold, each as a line; nothing else is a pass."""
    *shown_texts, legend = leaves(case)
    raw = list(dict.fromkeys((case.baseline, case.candidate, *case.more.values())))
    scope = Scope(raw, policy=case.policy)
    whole = [scope.redact(text).text for text in raw]
    cut = dict(zip(("baseline", "candidate", *case.more), shown_texts, strict=True))
    named = {text: name for name, text in reversed(cut.items())}
    found = [
        f"leak: {name} shows {piece!r}"
        for text, name in (named | {legend: "legend"} | {text: named.get(text, "the whole text") for text in whole}).items()
        if (piece := shown(case.secrets, shorter(text))) is not None
    ]
    if any(text.startswith("UNSCANNED") for text in (*shown_texts, *whole)):
        found.append("closed: a text of a few thousand characters was not scanned")
        return found
    if (cut["baseline"] == cut["candidate"]) != (case.baseline == case.candidate) or len(set(whole)) != len(raw):
        found.append("difference: redacted texts are equal and the raw ones are not, or the other way round")
    if case.index % 3 == 0 and leaves(case) != [*shown_texts, legend]:
        found.append("again: a second run gave other bytes")
    # What a placeholder took in of the words around it makes the short way fail.
    if not one_value_each(*([shorter(text) for text in texts] for texts in (raw, whole))) and not one_value_each(raw, whole):
        found.append("mapping: no way to put one value for each placeholder gives the raw texts back")
    if any(redact_text(text, policy=case.policy).text != text for text in dict.fromkeys((*whole, *cut.values()))):
        found.append("idempotent: redaction changes its own output")
    if case.json:
        for before, after in zip(raw, whole, strict=True):
            found += same_types(before, after) if before.startswith(("{", "[")) else []
    return found


def leaves(case):
    """All that leaves of a case: both sides, what belongs to them, and the legend."""
    pair = redact_pair(case.baseline, case.candidate, more=case.more, policy=case.policy)
    return [pair.baseline.text, pair.candidate.text, *(one.text for one in pair.more.values()), pair.legend.text]


def shorter(text):
    """Without the sentences that stand around a canary: nothing else of ours is long."""
    return text.replace(FILLER, "~ ")


def one_value_each(raw, out):
    """Whether the raw texts are the redacted ones with one value for each placeholder."""
    groups, pattern = {}, []
    joined, end = "\0\0".join(out), 0
    for match in PLACEHOLDER.finditer(joined):
        pattern.append(re.escape(joined[end : match.start()]))
        number = match.group().rpartition("-number-")[1]
        name = groups.get(match.group())
        if number:  # it stands with quotes where a number stood without
            quoted = re.search(r'(?:\\\\)*"$', pattern[-1])
            pattern[-1] = pattern[-1][: quoted.start()] if quoted else pattern[-1]
        pattern.append(f"(?P={name})" if name else f"(?P<{groups.setdefault(match.group(), f'p{len(groups)}')}>.+?)")
        end = match.end()
        if number:
            end += len(re.match(r'\\*"|', joined[end:]).group())
    pattern.append(re.escape(joined[end:]))
    return re.fullmatch("".join(pattern), "\0\0".join(raw), re.DOTALL) is not None


def same_types(before, after):
    """JSON that still parses, whose values have the types that they had: a line for what is otherwise."""
    try:
        _alike(json.loads(before), json.loads(after))
    except (ValueError, AssertionError) as error:
        return [f"json: {type(error).__name__} {str(error)[:80]}"]
    return []


def _alike(before, after):
    if isinstance(before, dict):
        assert isinstance(after, dict), "an object is none any more"
        assert len(before) == len(after), "an object lost or won keys"
        for one, two in zip(before.values(), after.values(), strict=True):
            _alike(one, two)
    elif isinstance(before, list):
        assert isinstance(after, list), "a list is none any more"
        for one, two in zip(before, after, strict=True):
            _alike(one, two)
    elif isinstance(after, str) and PLACEHOLDER.fullmatch(after):
        assert type(before) in {str, int, float}, "null or a boolean was hidden"
    elif isinstance(before, str):
        assert isinstance(after, str), "a text is none any more"
        if before[:1] in {"{", "["} and _parses(before):
            _alike(json.loads(before), json.loads(after))
    else:
        assert type(after) is type(before), "a value has another type"
        assert after == before, "a value that is no text was changed"


def _parses(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
