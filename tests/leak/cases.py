"""One case: a canary of some kind, in some form, in some carrier, somewhere in a text, and on some sides.

A case is made from a seed and an index, and from nothing else, so `python -m tests.leak --case SEED:INDEX` shows it again.
`CROSS` indices meet every kind in every form in every carrier, what is no token twice; any stretch of them meets all evenly.
Everything else (place, sides, profile, values) is drawn.
"""

import random
from dataclasses import dataclass, field, replace

from redaction import Policy
from redaction.views import compiled
from tests.leak.canaries import ALNUM, KINDS, Canary, some
from tests.leak.carriers import CARRIERS, PLAIN, Carrier
from tests.leak.forms import FORMS
from tests.leak.holds import why_not
from tests.leak.oracle import PIECE

TURNS = [*KINDS, *(kind for kind, make in KINDS.items() if make(random.Random(0)).family != "token")]
CROSS = len(TURNS) * len(FORMS) * len(CARRIERS)
DRAWS = 20  # of a second canary
STEP = 104_729  # a prime, so that it comes round to all of them
BEFORE, BEHIND, HEAD, TAIL, WHOLE = 240, 400, 960, 480, 1600  # of the truncation, as the design states them
LONG = 2200
EDGES = ("before", "behind", "head", "tail", "whole")
SIDES = ("baseline", "candidate", "both", "difference", "nearly", "nested", "spread")
FILLER = "the quick brown fox jumps over a lazy dog, and then it sits down to rest under an old tree. "


@dataclass(slots=True)
class Case:
    seed: int
    index: int
    canary: Canary
    form: str
    carrier: Carrier
    profile: str
    sides: str
    edge: str  # "" where the text is not cut
    elsewhere: str = ""  # the form in which a text that says nothing of it holds the secret once more
    written: str = ""
    baseline: str = ""
    candidate: str = ""
    more: dict[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)

    @property
    def coordinates(self):
        place = f"edge={self.edge or 'none'} sides={self.sides} profile={self.profile}"
        form = self.form + (f", elsewhere {self.elsewhere}" if self.elsewhere else "")
        return f"{self.seed}:{self.index} [{self.canary.kind} | {form} | {self.carrier.id}] {place}"

    @property
    def json(self):
        return self.carrier.json


def pick(index):
    """Kind, form and carrier of an index; see the module's words."""
    index, kind = divmod(index * STEP % CROSS, len(TURNS))
    index, form = divmod(index, len(FORMS))
    return TURNS[kind], list(FORMS)[form], list(CARRIERS)[index]


def make(seed, index):
    """The case of that seed and index, and why it promises nothing (None: it must hold)."""
    kind, form, carrier = pick(index + random.Random(seed).randrange(CROSS))
    rng = random.Random(f"{seed}:{index}")
    case = Case(
        seed=seed,
        index=index,
        canary=KINDS[kind](rng),
        form=form,
        carrier=CARRIERS[carrier],
        profile="strict" if rng.random() < 0.7 else "balanced",
        sides=rng.choice(SIDES),
        edge=rng.choice(EDGES) if rng.random() < 0.4 else "",
    )
    if case.sides == "spread":  # found once in its plain form, it is known, and hidden in every other form elsewhere
        case.form, case.elsewhere = "plain", case.form
    case.written = FORMS[case.form](case.canary.text, rng)
    reason = why_not(case)
    if reason is None:
        _place(case, rng)
    return case, reason


def _place(case, rng):
    """Fill in the texts."""
    canary = case.canary
    name = canary.name or PLAIN
    secrets = [*canary.secrets]

    def carried(written):
        return case.carrier.wrap(written, name, random.Random(f"{case.seed}:{case.index}:carrier"))

    first = carried(case.written)
    second = first
    if case.sides in {"baseline", "candidate"}:
        second = carried("74" if case.carrier.id == "json number" else "nothing to see")
    elif case.sides not in {"both", "spread"}:
        other, written = _second(case, rng)
        second = carried(written)
        secrets += other.secrets
    case.secrets = tuple(dict.fromkeys(secrets))
    case.policy = Policy(profile=case.profile, exact=case.secrets if canary.family == "exact" else ())
    if case.edge:
        first, second, case.more = _beside_an_edge(case, first, second, rng)
    elif first == second:
        first, second = _apart(case, first, second)
    if case.sides == "candidate":
        first, second = second, first
    if case.elsewhere and min(map(len, canary.secrets)) >= PIECE:
        value = canary.text if canary.rule is not None and canary.rule.group == 0 else canary.secrets[0]
        case.more |= {"elsewhere": f"and then {FORMS[case.elsewhere](value, rng)} was said"}
    case.baseline, case.candidate = first, second
    case.more |= {"same": first}


def _second(case, rng):
    """Another canary and how it is written: in a way that promises as much as the first does, because a cut draws anew what it takes away."""
    for _ in range(DRAWS):
        other = _other(case, rng)
        written = FORMS[case.form](other.text, rng)
        if why_not(replace(case, canary=other, written=written)) is None:
            return other, written
    return case.canary, case.written


def _other(case, rng):
    """Another canary of the kind: a fresh one, one that differs by a character, or one that holds the first."""
    canary = case.canary
    if case.sides == "difference" or canary.family in {"structured", "personal", "url"} or canary.kind in {"private-key", "putty-key"}:
        return KINDS[canary.kind](rng)
    if case.sides == "nested":
        more = some(rng, "123456789" if canary.text.isdigit() else ALNUM, 4)
        text, secret = canary.text + more, canary.secrets[0] + more
    else:
        last = canary.text[-1]
        text, secret = canary.text[:-1] + (swapped := _next(last)), canary.secrets[0][:-1] + swapped
    fits = canary.name not in {"ssn", "card_number", "cvv"}
    if canary.rule is not None:
        found = compiled(canary.rule.pattern).fullmatch(text)
        fits = found is not None and found.group(canary.rule.group) == secret
    return replace(canary, text=text, secrets=(secret,)) if fits else KINDS[canary.kind](rng)


def _next(char):
    if char.isdigit():
        return str((int(char) + 1) % 10)
    return char.swapcase() if char.isalpha() and char.isascii() else "y"


def _apart(case, first, second):
    """Two texts that differ outside of the canary, and are JSON where they were."""
    if case.json:
        return f"[{first},1]", f"[{second},2]"
    return f"{first}\nend one", f"{second}\nend two"


def _filler(count):
    return (FILLER * (count // len(FILLER) + 1))[:count]


def _beside_an_edge(case, first, second, rng):
    """Long texts whose canary stands within 64 characters of where they will be cut."""
    at = max(first.find(case.written), 0)  # escapes of the carrier may hide it: then the carrier's start counts
    size = len(case.written)
    offset = rng.randrange(-64 - size, 65)  # of the canary's start behind the edge
    if first != second:  # the difference is the canary itself: its own window's edges are what is left to meet
        return *_around(case, first, second, rng.randrange(0, 1400), 1400), {}
    if case.edge == "before":  # the edge is 240 before the difference, which stands behind the carrier
        gap = max(BEFORE - offset - (len(first) - at), 0)
        return *_around(case, first, second, 700 + rng.randrange(300), 900, gap_behind=gap), {}
    if case.edge == "behind":
        gap = max(BEHIND + offset - at, 0)
        return *_around(case, first, second, 900, 700 + rng.randrange(300), gap_before=gap), {}
    if case.edge == "whole":
        before = rng.randrange(0, 1200)
        after = max(WHOLE + rng.randrange(-64, 65) - before - len(first), 0)
        return *_around(case, first, second, before, after), {}
    edge = HEAD if case.edge == "head" else LONG - TAIL
    before = max(edge + offset - at, 0)
    alone, _ = _around(case, first, second, before, max(LONG - before - len(first), 400))
    short = _apart(case, first, second)
    return *short, {"alone": alone}


def _around(case, first, second, before, after, *, gap_behind=None, gap_before=None):
    """Both carriers between fillers; with a gap, the difference stands that far behind or before the carrier."""
    one, two = ("1", "2")
    head, tail = _filler(before), _filler(after)
    if case.json:
        parts = ['{"h":"', head, '",']
        left, right = (
            [*parts, f'"d":{mark},"g":"{_filler(gap_before)}",' if gap_before is not None else "", '"c":'] for mark in (one, two)
        )
        ends = [f',"g":"{_filler(gap_behind)}","d":{mark}' if gap_behind is not None else "" for mark in (one, two)]
        return "".join([*left, first, ends[0], ',"t":"', tail, '"}']), "".join([*right, second, ends[1], ',"t":"', tail, '"}'])
    left, right = (f"{head}\n" + (f"{mark}\n{_filler(gap_before)}\n" if gap_before is not None else "") for mark in (one, two))
    ends = [f"\n{_filler(gap_behind)}\n{mark}" if gap_behind is not None else "" for mark in (one, two)]
    return f"{left}{first}{ends[0]}\n{tail}", f"{right}{second}{ends[1]}\n{tail}"
