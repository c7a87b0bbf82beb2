"""Values that a sentence or an expression compares, where a name announces what they are.

    password mismatch: expected .. but got ..   token .. != ..   assert '..' == config.api_key   expect(password).toBe("..")
    password changed from .. to ..   password: .. -> ..

The name may stand up to two lines before, as test runners print it. Bare values must look like a secret, because
``expected token IDENTIFIER but got NUMBER`` is what parsers say.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from redaction.detectors.assignments import dotted
from redaction.detectors.names import STRONG
from redaction.detectors.values import FIGURES, keylike, opaque, plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.detectors.late import Name
    from redaction.types import Span

_WORDS = (
    r"expected|expect|want|wanted|received|receive|got|have|actual|found|but was|was(?=[ \t]{0,2}[:=<])|to be|to equal|should be"
    r"|should equal|from|to|vs\.?|versus|match|equals?|equal|differs?|like|old|new|before|after|replaced by"
)
_CALLS = r"to(?:Strict)?(?:Be|Equal|Match|Eq)|is(?:Not)?EqualTo|equals(?:IgnoreCase)?|isSameAs|eql?|be_eq|should_eq|compareTo|has_value"
# One of these stands in every text that compares, in small letters.
_SIGNS = (
    *(
        "==",
        "!=",
        "<>",
        "->",
        "=>",
        "→",
        "≠",
        "expect",
        "want",
        "received",
        "got",
        "actual",
        "but was",
        "was:",
        "was=",
        "was <",
        "to be",
        "should",
    ),
    *(
        "vs",
        "versus",
        "match",
        "equal",
        "differ",
        "like",
        "replaced",
        "chang",
        "updat",
        "rotat",
        "reset",
        "switch",
        "compar",
        "wrong",
        "assert",
    ),
    *("old", "new", "verify", "check", "cmp", "have", "found", "given"),
)
_VALUE = (
    r"(?:\"(?P<v>[^\"\n]{4,512})\"|'(?P<w>[^'\n]{4,512})'|`(?P<x>[^`\n]{4,512})`|<(?P<y>[^<>\s]{4,512})>"
    r"|(?P<z>[^\s\"'`<>,;()\[\]{}|]{3,512}+))"
)
_COMPARED = (
    rf"(?:(?i:(?<!\w)(?:{_WORDS})(?:[ \t]{{0,2}}[:=][ \t]{{0,4}}|[)\]]?[ \t]{{1,4}}|:?(?=<))(?:(?:is|was|be|to be|of|value)[ \t]{{1,4}})?)"
    rf"|(?:!==?|={{2,3}}|<>|-{{1,2}}>|=>|→|≠)[ \t]{{0,4}}|\.(?:{_CALLS})\([ \t]{{0,2}}|(?<=\w),[ \t]{{1,2}}(?=[\"']))"
    rf"(?:[\w.-]{{1,40}}=)?[bu]?{_VALUE}"
)
# The value first: `'..' == config.token`.
_REVERSED = r"(?<!\w)(?:\"([^\"\n]{4,512})\"|'([^'\n]{4,512})')[ \t]{0,4}(?:!==?|={2,3}|<>|,|\)\.\w{2,24}\()[ \t]{0,4}[\w.\[\]()\"']{0,80}"
_LEFT = (
    r"(?<!\w)(?:\"(?P<v>[^\"\n]{4,512})\"|'(?P<w>[^'\n]{4,512})'|(?P<z>[^\s\"'`<>,;:=()\[\]{}|]{8,512}+))"
    r"(?=[ \t]{1,4}(?:!==?|={2,3}|<>|-{1,2}>|=>|→|≠|vs\.?|versus)[ \t])"
)
_STATEMENT = r"(?i)(?:^|\.)(?:pass|pwd)(?:$|\.)"  # of Python, and a module of it
_NEAR = 160
_LONGEST = 512
# `from .. to ..` says that something changed only beside a word that says so.
_WEAK = r"(?i)(?:from|to|found|have|after|before|given)\b"
_CHANGED = r"(?i)chang|updat|rotat|reset|replac|switch|differ|match|expect|compar|wrong"
_PUBLIC_FORM = r"0x[0-9a-fA-F]{1,8}|[A-Z]{2,5}-\d{2,5}(?:-\d{1,6})?|[@*_#].*|.*\*|\w+://.*"
# Between the name and the value: it is that of something else.
_ANOTHER = (
    r"(?i)(?<![a-z])(?:sha-?\d*|md5|digest|hash|commit|etag|uuid|id|checksum|version|type|kind|length|count|status|size|path|file|line|mode)"
    r"(?![a-z])"
)
_ASSERTS = r"(?i)(?:assert|str\w{0,4}cmp|expect|equal|compare|verify|check|should)\w{0,30}\([^()\n]{0,160}$"


def compared(text: str, names: list[Name]) -> Iterator[Span]:
    """Every such value near the names, which are in order."""
    lower = text.lower()
    if not any(sign in lower for sign in _SIGNS):
        return
    names = [name for name in names if compiled(_STATEMENT).search(text[name[0] : name[1]]) is None]
    windows = list(_windows(text, names))
    yield from _behind(text, windows, names)
    yield from _turned(text, windows, names)


def _behind(text: str, windows: list[tuple[int, int]], names: list[Name]) -> Iterator[Span]:
    """The value behind what compares."""
    starts = [start for start, _, _ in names]
    for match in _matches(text, windows, _COMPARED, _LEFT):
        group = match.lastgroup or "z"
        value = match.group(group)
        if not _may_be(value) or compiled(_PUBLIC_FORM).fullmatch(value):
            continue
        kind = _kind_near(text, match, names, starts, quoted=group != "z")
        if kind is not None and _compares(text, match):
            yield from _parts(kind, value, match.start(group), quoted=group != "z")


def _compares(text: str, match: re.Match[str]) -> bool:
    """Whether what stands before the value compares: a comma does in an assertion, and a weak word beside one that says what changed."""
    if match.group().startswith(","):
        return compiled(_ASSERTS).search(text, max(0, match.start() - 200), match.start()) is not None
    weak = compiled(_WEAK).match(match.group()) is not None
    return not weak or compiled(_CHANGED).search(text, max(0, match.start() - _NEAR), match.start()) is not None


def _turned(text: str, windows: list[tuple[int, int]], names: list[Name]) -> Iterator[Span]:
    """The value before the name: `'..' == config.token`."""
    ends = [end for _, end, _ in names]
    for match in _matches(text, windows, _REVERSED):
        group = match.lastindex or 1
        at = bisect_left(ends, match.end())
        at = at if at < len(names) and names[at][0] < match.end() else at - 1
        if at < 0 or not match.end(group) < ends[at] <= match.end() or not _may_be(match.group(group)):
            continue
        sign = text[match.end(group) + 1 : match.end()].lstrip()[:1]
        if sign != "," or compiled(_ASSERTS).search(text, max(0, match.start() - 200), match.start()) is not None:
            yield from _parts(names[at][2], match.group(group), match.start(group), quoted=True)


def _matches(text: str, windows: list[tuple[int, int]], *patterns: str) -> Iterator[re.Match[str]]:
    for low, high in windows:
        for pattern in patterns:
            yield from compiled(pattern).finditer(text, low, high)


def _windows(text: str, names: list[Name]) -> Iterator[tuple[int, int]]:
    """Where a value may stand that one of the names announces: some characters around it, which do not overlap."""
    low = high = 0
    for start, end, _ in names:
        if start - _NEAR > high and high:
            yield low, high
            low = start - _NEAR
        elif not high:
            low = max(0, start - _NEAR)
        high = min(len(text), end + _NEAR + _LONGEST)
    if high:
        yield low, high


def _kind_near(text: str, match: re.Match[str], names: list[Name], starts: list[int], *, quoted: bool) -> str | None:
    """The kind of the last name before a value; or, of a value in quotes, of the next behind it on its line."""
    at = bisect_left(starts, match.start()) - 1
    if at >= 0 and _near(text, names[at][1], match.start()):
        return names[at][2]
    at = bisect_left(starts, match.end())
    if quoted and at < len(names) and "\n" not in text[match.end() : names[at][0]] and _near(text, match.end(), names[at][0]):
        return names[at][2]
    return None


def _may_be(value: str) -> bool:
    return plausible(value) or (value.isdigit() and 3 <= len(value) <= 12)


def _near(text: str, end: int, start: int) -> bool:
    """Whether a name that ends there belongs to a value that begins here: at most two lines on, and nothing else is named between."""
    between = text[end:start]
    return len(between) <= _NEAR and between.count("\n") <= 2 and "\n\n" not in between and compiled(_ANOTHER).search(between) is None


def _parts(kind: str, value: str, start: int, *, quoted: bool) -> Iterator[Span]:
    bare = value.rstrip(".:!?") if not quoted else value
    if kind in FIGURES:
        sure = True
    elif kind in STRONG:
        sure = plausible(bare) and (quoted or not dotted(bare)) and (" " not in bare or kind == "password")
    else:
        sure = keylike(bare) or opaque(bare)
    if sure:
        yield from value_spans(kind, bare, start)
