"""Names with a value in XML and HTML.

<password>..</password>   <password value=".."/>   <password><![CDATA[..]]></password>   <input type="password" value="..">
<entry key="password">..</entry>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.names import STRONG, kind_of_name
from redaction.detectors.values import plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from redaction.types import Span

_ELEMENT = r"<([A-Za-z][\w:.-]{1,79}+)(?:[ \t][^<>]{0,200})?>(?:<!\[CDATA\[([^\]]{1,4096}+)\]\]>|([^<]{1,4096}+)</)"
_TAG = r"<([A-Za-z][\w:.-]{1,79}+)([ \t\r\n][^<>]{1,4096}+)>"
_VALUE = r"(?i)(?<![\w-])(?:value|content)[ \t]{0,4}=[ \t]{0,4}(?:\"([^\"]{1,4096})\"|'([^']{1,4096})')"
_PLIST = r"<key>([\w.:-]{1,80})</key>\s{0,64}<string>([^<]{1,4096}+)</string>"
_RSA = r"<(D|P|Q|DP|DQ|InverseQ)>([^<]{1,8192}+)</"
_INNER = r"([^<]{1,4096}+)</"
_SAYS = r"(?i)(?<![\w-])(?:type|name|id|key)[ \t]{0,4}=[ \t]{0,4}[\"']([\w.:-]{1,80})[\"']"


def markup(text: str) -> Iterator[Span]:
    """Every value in an element or an attribute ``value`` whose tag, type or name says that it is secret."""
    if "<" not in text or ">" not in text:
        return
    for match in compiled(_ELEMENT).finditer(text):
        kind = kind_of_name(match.group(1).rpartition(":")[2])
        if kind is not None:
            at = match.lastindex or 1
            yield from value_spans(kind, match.group(at), match.start(at))
    yield from _documents(text)
    for match in compiled(_TAG).finditer(text):
        names = [match.group(1).rpartition(":")[2], *compiled(_SAYS).findall(match.group(2))]
        kind = next((kind for name in names if (kind := kind_of_name(name)) is not None), None)
        if kind is not None:
            yield from _tagged(text, match, kind)


def _documents(text: str) -> Iterator[Span]:
    """Property lists, where the name stands in an element of its own, and RSA keys of .NET."""
    if "<key>" in text:
        for match in compiled(_PLIST).finditer(text):
            named = kind_of_name(match.group(1))
            if named is not None:
                yield from value_spans(named, match.group(2), match.start(2))
    if "RSAKeyValue" in text:
        for match in compiled(_RSA).finditer(text):
            yield from value_spans("private-key", match.group(2), match.start(2))


def _tagged(text: str, match: re.Match[str], kind: str) -> Iterator[Span]:
    """The attribute ``value``, or else the text of the element: a label may stand there, so it must look like a secret."""
    value = compiled(_VALUE).search(match.group(2))
    if value is not None:
        at = value.lastindex or 1
        if kind in STRONG or plausible(value.group(at)):
            yield from value_spans(kind, value.group(at), match.start(2) + value.start(at))
        return
    inner = compiled(_INNER).match(text, match.end())
    if inner is not None and plausible(inner.group(1)) and " " not in inner.group(1).strip():
        yield from value_spans(kind, inner.group(1), inner.start(1))
