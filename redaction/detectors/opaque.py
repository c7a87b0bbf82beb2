"""Opaque tokens, for what leaves the house (profile ``strict``): too eager for a local report.

Two signs count: a word for a secret right before what looks drawn at random, whoever issued it; and a run
that is long, mixes capitals, small letters and figures, and repeats little. Digests, UUIDs, SRI and base64 of
text have no such mixture, or are told apart by what stands before them.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from functools import cache
from math import log2
from typing import TYPE_CHECKING

from redaction.detectors.names import PUBLIC, segments
from redaction.detectors.pack import RULES
from redaction.detectors.services import ANOTHER, MORE
from redaction.detectors.values import CONTRACT, covered, keylike
from redaction.types import Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_WORDS = ("secret", "private", "access", "key", "token", "auth", "pat", "credential", "signature")
_NAMED = (
    r"(?i)(?:" + "|".join(_WORDS) + r")s?(?: (?:is|was|of|for|value)){0,2}[\"'`]?"
    r"(?:[ \t:=_,>-]|[\"'`](?=[ \t:=,])){1,8}[\"'`]?(?=([A-Za-z0-9][A-Za-z0-9_.+/=-]{11,199}))"
)
_RUN = (
    r"(?<![A-Za-z0-9_+/-])(?<![A-Za-z0-9_+/-]\.)"
    r"(?=[A-Za-z0-9_+/.-]{20})[A-Za-z0-9_+/-]++(?:\.[A-Za-z0-9_+/-]++){0,64}+={0,2}(?![A-Za-z0-9])"
)
_IDENTIFIER = r"(?i)(?:id|h1|sha-?\d{0,3}|md5|digest|integrity|checksum|etag|hash|cursor|nonce|version|revision)[\"']?[\W_]{0,4}$"
# A picture, a sound, a font in a `data:` URL; and what a tool has encrypted, which says so.
_MEDIA = (
    r"(?i)(?:/(?:png|jpe?g|gif|webp|bmp|avif|ico|x-icon|woff2?|ttf|otf|mp[34]|ogg|wav|webm)|\+xml|octet-stream);base64,$"
    r"|ENC\[[\w-]{2,12},(?:data:)?$|,(?:iv|tag):$|ENC\($"
)
_INTEGRITY = r"sha(?:1|256|384|512)-"
_LONGEST_GLUED = 80
_MOST_GLUED = 4
_SHORTEST_GLUED = 8
_GLUED_BEFORE = r"([:!@/|$])([A-Za-z0-9_.-]{5,64})(?![A-Za-z0-9_.-])"  # read backwards
_GLUED_BEHIND = r"([:!@/|$])([A-Za-z0-9_-]{5,64}+)"
_FILE = r"(?s).*\.[A-Za-z]{1,5}[0-9]?"
_ABOUT_NO_SECRET = PUBLIC | words(
    "cache idempotency dedup correlation request trace object lookup group map storage asset file page cursor next"
)
_SHORTEST = 20  # of a run
_BITS = 3.7  # per character
LONGEST_KEY = 256  # what is longer is data: nobody can read it, and it may hold anything
_ORDINARY = words("test live key api token secret local public sdk mob sat pat sandbox polar hawk ion signkey")  # begin names as well
_STEP = r"v?[0-9]{1,6}|[a-z][a-z_.-]*[0-9]?|(?:[a-z0-9-]+\.)+[a-z]{2,}"  # or a host
_ANOTHER_NAME = r"[A-Za-z]{1,16}="
_NAME_PART = r"[A-Z][a-z]{2,}|[a-z]{3,}"
_MOST_NAMED = 0.6  # the share that such parts have in names such as `JsonReader2`; in random words it is a fifth
_SHOWN = 256  # characters that are judged


def may_be_opaque(lower: str, long: Iterable[str]) -> bool:
    """Whether a word for a secret stands in the text (in small letters), or one of its long words mixes its characters."""
    return any(word in lower for word in _WORDS) or any(len(word) >= _SHORTEST and _mixes(word) for word in long)


def opaque_tokens(text: str) -> Iterator[Span]:
    """What looks like a secret of an unknown kind."""
    from redaction.detectors.messages import sealed

    done = 0
    for match in compiled(_NAMED).finditer(text):
        start, end = match.span(1)
        if (
            start < done
            or not keylike(match.group(1))
            or compiled(ANOTHER).match(text, start)
            or compiled(_ANOTHER_NAME).match(text, start)
        ):
            continue
        if compiled(_FILE).fullmatch(match.group(1)) or compiled(CONTRACT).fullmatch(match.group(1)) or sealed(match.group(1)):
            continue
        if not _ABOUT_NO_SECRET.isdisjoint(segments(text[max(0, match.start() - 24) : match.start()])[-2:]):
            continue
        more = compiled(MORE).match(text, end)
        done = more.end() if more else end
        yield from _span(text, start, done)
    for match in compiled(_RUN).finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        if compiled(_INTEGRITY).match(match.group()) or any(compiled(sign).search(before) for sign in (_IDENTIFIER, _MEDIA)):
            continue
        dotted = match.group().count(".")
        for start, word in _words(match):
            if random_run(word) and (not dotted or _has_random_part(word)) and not _is_text(word):
                yield from _span(text, *_glued(text, start, start + len(word)))


def _glued(text: str, start: int, end: int) -> tuple[int, int]:
    """Start and end with what a sign glues to it and looks drawn too: `<number>:<token>`, `<id>@<id>/<token>`, `<token>/<digest>`."""
    for _ in range(_MOST_GLUED):
        before = compiled(_GLUED_BEFORE).match(text[max(start - _LONGEST_GLUED, 0) : start][::-1])
        if before is None or not _drawn(before.group(2)[::-1], before.group(1)):
            break
        start -= len(before.group())
    for _ in range(_MOST_GLUED):
        behind = compiled(_GLUED_BEHIND).match(text, end)
        if behind is None or not _drawn(behind.group(2), behind.group(1)):
            break
        end = behind.end()
    return start, end


def _drawn(word: str, sign: str) -> bool:
    if sign in "!$" or keylike(word) or (word.isdigit() and sign != "/"):
        return True
    if sign == "/" or len(word) < _SHORTEST_GLUED:
        return len(word) >= 2 * _SHORTEST_GLUED and _mixes(word) and not named(word)
    return compiled(r"\d").search(word) is not None or (compiled(r"[a-z][A-Z]").search(word) is not None and not named(word))


def _has_random_part(word: str) -> bool:
    """Whether a part of a dotted word looks drawn: names of packages, files and versions have dots too."""
    return any(
        (len(part) >= 16 and compiled(r"[0-9a-f]+").fullmatch(part) is not None)
        or (len(part) >= 20 and sum(map(str.isdigit, part)) >= 4 and keylike(part))
        or (len(part) >= 8 and _mixes(part) and _named_share(part) < _MOST_NAMED)
        for part in compiled(r"[._/-]").split(word)
    )


def _words(match: re.Match[str]) -> list[tuple[int, str]]:
    """The long steps of a path; all of it, without the signs around it, where it is none."""
    steps = list(compiled(r"[^/]+").finditer(match.group()))
    if all(len(step.group()) >= 20 or compiled(_STEP).fullmatch(step.group()) for step in steps):
        return [(match.start() + step.start(), step.group()) for step in steps]
    word = match.group().lstrip("/_+-.")
    return [(match.end() - len(word), word.rstrip("/_+-"))]


def _span(text: str, start: int, end: int) -> Iterator[Span]:
    value = text[start:end].rstrip(".")
    if not covered(value):
        yield Span(start, start + len(value), "blob" if len(value) > LONGEST_KEY else "opaque", value)


def random_run(run: str) -> bool:
    """Whether a run mixes its characters as a generator does, and as no name, path or number does."""
    seen = run[:_SHOWN]
    return len(seen) >= _SHORTEST and _mixes(seen) and entropy(seen) >= _BITS and (not named(seen) or seen.startswith(_heads()))


@cache
def _heads() -> tuple[str, ...]:
    """How tokens of some issuer begin and no names do: letters and a sign behind them."""
    return tuple(
        trigger
        for rule in RULES
        for trigger in rule.triggers
        if len(trigger) >= 4 and trigger[-1] in "_-." and trigger[:-1] not in _ORDINARY
    )


def _mixes(text: str) -> bool:
    return all(compiled(part).search(text) for part in (r"[A-Z]", r"[a-z]", r"[0-9]"))


def named(word: str) -> bool:
    """Whether most of a word is made of parts that names are made of (``JsonReader``)."""
    return _named_share(word) >= _MOST_NAMED


def drawn_letters(word: str) -> bool:
    """Whether a word of letters mixes capitals and small ones as no name does: behind what announces a secret it is one."""
    return len(word) >= 8 and word.isascii() and word.isalpha() and len(compiled(r"[a-z][A-Z]").findall(word)) >= 2 and not named(word)


def _named_share(text: str) -> float:
    parts = compiled(_NAME_PART).findall(text)
    return sum(len(part) for part in parts if 5 * len(compiled(r"[aeiouyAEIOUY]").findall(part)) >= len(part)) / len(text)


def _is_text(run: str) -> bool:
    """Whether base64 of harmless text stands here: what is in it was looked at already."""
    bare = run.rstrip("=").translate(str.maketrans("-_", "+/"))[:_SHOWN]
    try:
        return b64decode(bare[: len(bare) // 4 * 4]).isascii()
    except (binascii.Error, ValueError):  # pragma: no cover - the run holds only letters of the alphabet
        return False


def entropy(text: str) -> float:
    """Shannon's measure over the characters, in bits a character."""
    counts = [text.count(one) for one in set(text)]
    return -sum(count / len(text) * log2(count / len(text)) for count in counts)
