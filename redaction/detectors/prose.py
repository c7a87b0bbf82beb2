"""Secrets that stand beside their name without a sign between them.

bad password 'hunter2'   token a1B2c3D4e5F6 is expired   name: DB_PASSWORD, value: ..   ('X-Api-Key', '..')
<input name="password" value="..">   machine .. login .. password ..
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.assignments import dotted
from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.opaque import drawn_letters
from redaction.detectors.values import keylike, opaque, plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.types import Span

_SAID = (
    r"(?i)(?<!\w)(password|passphrase|passwd|secret|token|api[ _-]?key|access[ _-]?key)"
    r"(?: (?:is|was|used|given|provided|value)){0,2}:?[ \t]{1,4}"
    r"(?:\"\"?([^\"\s]{4,512})(?:\"|$|(?=\s))|''?([^'\s]{4,512})(?:'|$|(?=\s))|`([^`\s]{4,512})`|([^\s\"'`,;]{8,512}+))"
)
_NETRC = (
    r"(?<!\w)(?:(machine[ \t\r\n]{1,8}\S{1,253}|default)[ \t\r\n]{1,8})?"
    r"login[ \t\r\n]{1,8}\S{1,128}[ \t\r\n]{1,8}password[ \t\r\n]{1,8}(\S+)"
)
_NAMED = (
    r"(?i)(?<!\w)(?:name|key)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?([\w.-]{2,80}+)[\"']?[\s,]{1,40}[\"']?value[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
    r"(?:\"([^\"]{0,4096})\"|'([^']{0,4096})'|([^\s\"'<>,;]{1,4096}+))"
)
_PAIR = r"[\"'](-{0,2}[A-Za-z][\w-]{1,60})[\"'][ \t]?,[ \t]?(?=[bu]?(?:\"([^\"]{1,4096})\"|'([^']{1,4096})'))"

# ('password', '..'), ["password", ".."]
_EXACT_PAIR = r"[(\[] ?[bu]?[\"']([A-Za-z]\w{1,60})[\"'],[ \t]{0,8}[bu]?(?:\"([^\"\n]{1,4096})\"|'([^'\n]{1,4096})'),? ?[)\]]"
_CALL = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\(|ENC[\[(]"  # `password: z.string().min(8)`, and what was encrypted
_OTHER = r"(?i)(?:var)?(?:char|binary)\d?\(\d|\w{1,40}="  # `password VARCHAR(255)`, and another name with its value


def prose(text: str) -> Iterator[Span]:
    """Values that only their place in a sentence, a tag or a pair gives away."""
    lower = text.lower()
    if any(word in lower for word in ("pass", "secret", "token", "key")):
        yield from _said(text)
    if "login" in lower:
        for match in compiled(_NETRC).finditer(text):
            if match.group(1) or plausible(match.group(2)):  # not in "login failed, password wrong"
                yield from value_spans("password", match.group(2), match.start(2))
    if "value" in lower:
        for match in compiled(_NAMED).finditer(text):
            kind = kind_of_name(match.group(1))
            at = match.lastindex or 1
            if kind is not None and at > 1:
                yield from value_spans(kind, match.group(at), match.start(at))
    if "," in text:
        yield from _pairs(text)


def _pairs(text: str) -> Iterator[Span]:
    if "-" in text:
        for match in compiled(_PAIR).finditer(text):
            kind = kind_of_name(match.group(1)) if "-" in match.group(1) else None
            at = match.lastindex or 1
            if kind in STRONG or kind == "token":
                yield from value_spans(kind, match.group(at), match.start(at))
    # A name without a dash may be one of two words, so the value must look like a secret.
    for match in compiled(_EXACT_PAIR).finditer(text):
        kind = kind_of_name(match.group(1))
        at = match.lastindex or 1
        if (kind in STRONG or kind == "token") and plausible(match.group(at)):
            yield from value_spans(kind, match.group(at), match.start(at))


def _said(text: str) -> Iterator[Span]:
    for match in compiled(_SAID).finditer(text):
        at = match.lastindex or 1
        value = match.group(at).rstrip(".:)")
        if _told(match.group(1).lower(), value, quoted=at < 5):
            kind = kind_of_name(match.group(1)) or "password"
            yield from value_spans(kind, value, match.start(at))


def _told(name: str, value: str, *, quoted: bool) -> bool:
    """Whether a value behind a word in a sentence looks like what the word says. A bare digest behind ``token`` may be none."""
    if name.startswith("pass") or (name == "secret" and quoted):
        if quoted and drawn_letters(value.rstrip("\"'`})],;")):
            return True
        return plausible(value) and (quoted or not (dotted(value) or compiled(_OTHER).match(value) or compiled(_CALL).match(value)))
    if not quoted and compiled(r"\w{1,40}=").match(value):  # `the token at=1f..` is another name
        return False
    return opaque(value) or ("key" in name and keylike(value))
