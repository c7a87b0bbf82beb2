"""What programs print of their values: PHP's dumps, Lisp's pairs, ``COPY .. FROM stdin``, pairs of elements.

["password"]=>          [token:User:private] => ..      s:8:"password";s:2:"..";      <name>password</name><value>..</value>
string(2) ".."
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.values import plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from redaction.types import Span

_FORMS = (
    r"\[\"(?P<name>[\w.-]{2,80}+)\"(?::[\w\":\\]{1,120})?\][ \t]{0,2}=>\s{1,16}string\(\d{1,8}\) \"(?P<x>[^\"\n]{1,4096})\"",
    r"\[(?P<name>[\w.-]{2,80}+):[\w:\\]{1,120}\][ \t]{0,2}=>[ \t]{1,4}(?P<x>\S[^\n]{0,4095})",
    r"s:\d{1,6}:\\?\"(?P<name>[^\"\\\n]{2,80}+)\\?\";s:\d{1,8}:\\?\"(?P<x>[^\"\n]{1,4096}?)\\?\";",
    r"\([ \t]{0,2}[\"':]?(?P<name>[A-Za-z][\w-]{1,80}+)\"?[ \t]{1,4}\.[ \t]{1,4}\"(?P<x>[^\"\n]{1,4096})\"",
)
_ELEMENTS = (
    r"<(?P<tag>[A-Za-z][\w:.-]{0,40})(?:[ \t][^<>]{0,200})?>[ \t]{0,4}(?P<name>[A-Za-z][\w. -]{1,60})[ \t]{0,4}:?</(?P=tag)>\s{0,64}"
    r"(?:<[A-Za-z][\w:.-]{0,40}(?:[ \t][^<>]{0,200})?>\s{0,64}){1,2}(?P<x>[^<\s][^<]{0,4095})</"
)
_INSIDE = (
    r"<[A-Za-z][\w:.-]{0,40}[ \t][^<>]{0,100}\b(?:name|key|id)=[\"'](?P<name>[\w.-]{2,80})[\"'][^<>]{0,100}>\s{0,64}"
    r"<value>(?P<x>[^<]{1,4096})</"
)
_VALUES = ("value", "val", "param-value", "string", "data")
_COPY = r"(?i)(?<!\w)copy[ \t]{1,4}[^\s(]{1,128}[ \t]{0,4}\(([^()]{1,4096})\)[ \t]{1,4}from[ \t]{1,4}stdin([^\n]{0,200})\n"
_MOST = 4096


def dumps(text: str) -> Iterator[Span]:
    """Every such value in the text."""
    if "=>" in text or ";s:" in text or " . " in text:
        for pattern in _FORMS:
            for match in compiled(pattern).finditer(text):
                kind = kind_of_name(match.group("name").split("\0")[-1])
                if kind is not None and (kind in STRONG or plausible(match.group("x"))):
                    yield from value_spans(kind, match.group("x"), match.start("x"))
    if "</" in text:
        yield from _elements(text)
    lower = text.lower()
    if "copy" in lower and "stdin" in lower:
        yield from _copied(text)


def _elements(text: str) -> Iterator[Span]:
    for pattern in (_ELEMENTS, _INSIDE):
        for match in compiled(pattern).finditer(text):
            kind, value = kind_of_name(match.group("name")), match.group("x").strip()
            opened = text[max(match.start(), match.start("x") - 48) : match.start("x")]
            sure = kind in STRONG and any(f"<{tag}" in opened for tag in _VALUES)
            if kind is not None and (sure or (plausible(value) and " " not in value)):
                yield from value_spans(kind, value, match.start("x"))


def _copied(text: str) -> Iterator[Span]:
    """The rows of a dump: fields apart by tabs, or as ``csv`` by commas, down to a lone dot."""
    for match in compiled(_COPY).finditer(text):
        kinds = {at: kind for at, name in enumerate(match.group(1).split(",")) if (kind := kind_of_name(name.strip(' "\t\n')))}
        mark = "," if "csv" in match.group(2).lower() else "\t"
        start = match.end()
        while kinds and start < len(text) and not text[start : start + 5].lower().startswith(("\\.", ".\n", "copy ")):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            yield from _fields(text, start, end, mark, kinds)
            start = end + 1


def _fields(text: str, start: int, end: int, mark: str, kinds: Mapping[int, str]) -> Iterator[Span]:
    for at, field in enumerate(text[start:end].split(mark)[:_MOST]):
        if at in kinds and field.strip() not in {"\\N", "N", ""}:
            yield from value_spans(kinds[at], field, start)
        start += len(field) + 1
