"""Values that a statement of some language gives to a name: SQL, shells, Docker, Terraform, PowerShell, typed code, forms.

CREATE USER x IDENTIFIED BY '..'   ENV TOKEN ..   variable "token" { default = ".." }   setPassword("..")
let token: &str = "..";   host:5432:db:user:..   PWD={..}   name="password" in multipart/form-data
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from redaction.detectors.names import STRONG, kind_of_name, segments
from redaction.detectors.values import plausible, trivial, value_spans
from redaction.views import compiled, words

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.types import Span

_QUOTED = r"(?:\"(?P<v>[^\"\n]{1,1024})\"|'(?:'(?=[^'\s]))?(?P<w>[^'\n]{1,1024})')"
_OPENED = rf"(?:{_QUOTED}|[\"'](?P<x>[^\"'\s]{{6,1024}}+)(?=[\s;\"'`]|$))"  # or a quote whose end was cut off
_MASTER = r"(?i)(?<!\w)identified[ \t\r\n]{1,8}(?:with[ \t]{1,4}\S{1,80}[ \t]{1,4})?(?:by|as)[ \t\r\n]{1,8}(?:password[ \t]{1,4})?"
_TYPE = r"[ \t]{0,2}:[ \t]{0,2}&?(?:'[a-z]{1,16} )?[A-Za-z_][\w.\[\]<>|?]{0,40}+[ \t]{0,2}=[ \t]{0,2}[bNuUrR]?"
_FORM = r"form-data;[ \t]{0,4}name=\"(?P<name>[\w.\[\]-]{1,80})\"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n(?P<x>[^\r\n]{1,4096})"
_PGPASS = (
    r"(?m)^(?:[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}|localhost|\*):(?:\d{1,5}|\*):(?![0-9]+:)[^\s:]{1,63}:(?![0-9]+:)[^\s:]{1,63}:"
    r"(?P<x>[^\s:]{4,256})[ \t]*$"
)


class _Form(NamedTuple):
    """``needle`` stands in the text in small letters. ``kind`` is fixed, or a group ``name`` says it. ``sure``: any value will do."""

    needle: str
    pattern: str
    kind: str = ""
    sure: bool = True


_FORMS = (
    _Form("identified", _MASTER + _OPENED, "password"),
    _Form("convertto-securestring", r"(?i)ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?" + _QUOTED, "password"),
    _Form("variable", r"variable[ \t]{1,4}\"(?P<name>[\w-]{1,80})\"[ \t]{0,4}\{[^{}]{0,400}?default[ \t]{0,40}=[ \t]{0,4}" + _QUOTED),
    _Form(
        "env ",
        r"(?m)^[ \t]{0,16}(?:ENV|ARG|setenv|SetEnv)[ \t]{1,4}(?P<name>\w{1,80})[ \t]{1,4}(?:" + _QUOTED + r"|(?P<x>[^\s\"'=]\S{0,1023}))",
    ),
    _Form("setx ", r"(?mi)^[ \t]{0,16}setx[ \t]{1,4}(?P<name>\w{1,80})[ \t]{1,4}(?:" + _QUOTED + r"|(?P<x>[^\s\"']\S{0,1023}))"),
    _Form(
        " --", r"(?<!\w)(?P<name>[A-Z][A-Z0-9_]{2,60})[ \t]{1,4}--(?:body|value)[ \t=]{1,4}(?:" + _QUOTED + r"|(?P<x>[^\s\"'-]\S{0,1023}))"
    ),
    _Form("=", r"(?<![\w.])(?:\w{1,40}\.){0,4}(?P<name>[A-Za-z_]\w{1,79}+)" + _TYPE + _QUOTED, sure=False),
    _Form("(", r"(?<!\w)(?P<name>[A-Za-z_]\w{2,60}+)\([ \t]{0,2}[bNuUrR@]?" + _QUOTED + r"[ \t]{0,2}[,)]", sure=False),
    _Form("form-data;", _FORM),
    _Form("={", r"(?i)(?<!\w)(?:pwd|password)=\{(?P<x>[^{}\n]{1,256})\}", "password"),
    _Form(":", _PGPASS, "password", sure=False),
)
# What gives a value to no name of its own: where none of these stands, a statement needs a name that announces a secret.
UNNAMED = ("identified", "convertto-securestring", "={")
PGPASS_LINE = r":(?:\d{1,5}|\*):[^\s:]{1,63}:[^\s:]{1,63}:[^\s:]{4}"
_READING = words("get find read load fetch lookup require has is contains delete remove resolve find env")


def statements(text: str) -> Iterator[Span]:
    """Every value that a statement gives to a secret name."""
    lower = text.lower()
    for form in _FORMS:
        if form.needle in lower:
            for match in compiled(form.pattern).finditer(text):
                yield from _found(form, match)


def _found(form: _Form, match: re.Match[str]) -> Iterator[Span]:
    groups = match.groupdict()
    group = next(name for name in ("v", "w", "x") if groups.get(name) is not None)
    value, kind = match.group(group), form.kind or kind_of_name(groups["name"])
    if kind is None or (kind not in STRONG and not plausible(value)):
        return
    if not form.sure and (not plausible(value) or (not form.kind and not _READING.isdisjoint(segments(groups["name"])[:1]))):
        return
    if form.needle == "={" and trivial("{" + value + "}"):  # `PWD={password}` is a template
        return
    yield from value_spans(kind, value, match.start(group), sure=form.sure)
