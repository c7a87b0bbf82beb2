"""Personal data with a shape that can be checked: e-mail, card numbers, IBAN, US social security, phone.

Each has a check beside its shape (Luhn and issuer, mod 97 and the country's length, areas that exist), and
none may begin or end inside a longer word: a run of digits in a UUID, a digest or an epoch is no card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.identities import luhn
from redaction.types import Span
from redaction.views import compiled, words

if TYPE_CHECKING:
    from collections.abc import Iterator

_EMAIL = r"(?<![\w.%+-])([\w.%+-]{1,64}+|\"[^\"\\\n@]{1,64}\")@((?:[\w-]{1,63}\.){1,8}(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59}))(?![\w-])"
_NOT_TLD = words("png jpg jpeg gif svg webp ico css js mjs json py pyc ts tsx jsx html htm txt md yml yaml toml xml csv pdf zip gz whl")
_CARD = r"(?<![\w.+-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w-]|\.\d)"
_ISSUERS = (
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}"
)
_CARD_GROUPS = r"\d+|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{6}[ -]\d{13}"
_IBAN = r"(?<![A-Za-z0-9-])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9-])"
_IBAN_LENGTHS = dict(
    part.split(":", 1)
    for part in words(
        "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 CH:21 CR:22 CY:28 CZ:24 DE:22 DK:18 DO:28 EE:20 EG:29 ES:24 "
        "FI:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LI:21 "
        "LT:20 LU:20 LV:21 MC:27 MD:24 ME:22 MK:19 MR:27 MT:31 MU:30 NL:18 NO:15 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 SA:24 "
        "SE:24 SI:19 SK:24 SM:27 TN:24 TR:26 UA:29 VG:24 XK:20"
    )
)
_SSN = r"(?<![\w.+-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)"
_PHONE = r"(?<![\w.+-])\+[1-9]\d{0,2}+(?:[ .-]?\(?\d{1,4}+\)?){2,6}+(?![\w-]|[.:]\d)"
_PHONE_US = r"(?<![\w.+-])(?:1[-. ])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-.]\d{4}(?![\w-]|[.:]\d)"

_PHONE_ABROAD = r"(?<![\w.+-])00[1-9]\d{0,2}+(?:[ /]\(?\d{2,10}+\)?){2,5}+(?![\w-]|[.:]\d)"
# A national form beside its name: `Tel.: 089 / 97 36 07`, `phone=409 947 3569`, `tel:0301234567`.
_PHONE_NAMED = (
    r"(?i)(?<![A-Za-z])(?:phone|tele(?:ph|f)on[eo]?|tel|mobile?|cell|handy|fax)(?:[ _-]?(?:number|no|nr))?\.?"
    r"[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
    r"(\+?\(?\d(?:[ ()./-]{0,3}\d){6,14})(?![\w-]|[.:]\d)"
)


def personal(text: str) -> Iterator[Span]:
    """Personal data in the text."""
    if "@" in text:
        yield from _emails(text)
    if compiled(r"\d{2}").search(text) is None:
        return
    yield from _cards(text)
    yield from _ibans(text)
    if "-" in text:
        for match in compiled(_SSN).finditer(text):
            yield Span(*match.span(), "ssn", match.group())
    yield from _phones(text)


def _emails(text: str) -> Iterator[Span]:
    for match in compiled(_EMAIL).finditer(text):
        top = match.group(2).rpartition(".")[2].lower()
        if top in _NOT_TLD or match.group(1).lower() == "git" or _in_address(text, match.start()):
            continue
        yield Span(*match.span(), "email", match.group())


def _in_address(text: str, start: int) -> bool:
    """Whether what looks like a mailbox is the end of ``user:password@host`` in a URL."""
    head = text[max(0, start - 256) : start]
    return compiled(r"://[^\s/?#\"'<>`]*+$").search(head) is not None


def _cards(text: str) -> Iterator[Span]:
    for match in compiled(_CARD).finditer(text):
        number = match.group().replace(" ", "").replace("-", "")
        if compiled(_CARD_GROUPS).fullmatch(match.group()) and is_card(number):
            yield Span(*match.span(), "card", match.group())


def is_card(number: str) -> bool:
    """Whether these figures are the number of a card: an issuer's, with a check digit that fits."""
    return compiled(_ISSUERS).fullmatch(number) is not None and luhn(number)


def _ibans(text: str) -> Iterator[Span]:
    for match in compiled(_IBAN).finditer(text):
        written = match.group()
        wanted = int(_IBAN_LENGTHS.get(written[:2], "0"))
        end = taken = 0
        for end, character in enumerate(written, 1):  # noqa: B007 - the end is what we look for
            taken += character not in " -"
            if taken == wanted:
                break
        number = written[:end].replace(" ", "").replace("-", "")
        if len(number) == wanted and int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1:
            yield Span(match.start(), match.start() + end, "iban", written[:end])


def _phones(text: str) -> Iterator[Span]:
    lower = text.lower()
    if any(name in lower for name in ("phone", "telefon", "tel", "mobil", "cell", "handy", "fax")):
        for match in compiled(_PHONE_NAMED).finditer(text):
            yield Span(*match.span(1), "phone", match.group(1))
    patterns = ((_PHONE, "+"), (_PHONE_US, "-"), (_PHONE_US, "."), (_PHONE_ABROAD, "00"))
    for pattern in dict.fromkeys(pattern for pattern, needed in patterns if needed in text):
        for match in compiled(pattern).finditer(text):
            figures = sum(map(str.isdigit, match.group()))
            decimal = compiled(r"\+\d+\.\d+").fullmatch(match.group())
            if pattern is _PHONE_US or (9 <= figures <= 15 and not decimal):
                yield Span(*match.span(), "phone", match.group())
