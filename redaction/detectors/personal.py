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
    import re
    from collections.abc import Iterator

_EMAIL = r"(?<![\w.%+-])([\w.%+-]{1,64}+|\"[^\"\\\n@]{1,64}\")@((?:[\w-]{1,63}\.){1,8}(?:[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59}))(?![^\W_]|-)"
_NOT_TLD = words(
    "png jpg jpeg gif svg webp ico css js mjs json jsonl ndjson py pyc ts tsx jsx html htm txt md yml yaml toml xml csv tsv pdf "
    "zip gz bz2 xz tar whl "
    "log bak parquet sqlite db eml vcf xls xlsx doc docx sql pem key crt"
)
_OF_MAIL = words(
    "com org net edu gov io info biz int mil example ac ae ai ar at au be bg br by ca cc ch cl cn co cz de dk ee eg es eu fi fr gr "
    "hk hr hu id ie "
    "il in is it jp ke kr lt lu lv ma me mt mx my ng nl no nz pe ph pk pl pt ro rs ru sa se sg si sk th tn tr tv tw ua uk us uy ve vn za"
)
_CARD = r"(?<![\w.+-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\w-]|\.\d)"
_ISSUERS = (
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}"
)
_CARD_GROUPS = r"\d+|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{6}[ -]\d{13}"
_IBAN = r"(?<![A-Za-z0-9-])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9-])"
_IBAN_SMALL = r"(?<![A-Za-z0-9-])[a-z]{2}\d{2}(?:[ -]?[a-z0-9]){11,30}(?![A-Za-z0-9-])"
# How these begin where every letter is an `a`, every figure a `0` and every sign but a dash a blank: a look that costs little.
_SHAPE = bytes(
    ord("0" if sign.isdigit() else "a" if sign.islower() else "A" if sign.isupper() else "-" if sign == "-" else " ")
    for sign in map(chr, range(256))
)
_BEGINS = r" aa00(?:0{7}|aaaa0|a0|[ -])"
_LIKE_A_DIGEST = words("ad ae ba be de ee")
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
# Part and order numbers have this form, too: round ones, and those that say so.
_ROUND = r"\d\d0-\d0-\d000"
_OTHER_NUMBER = (
    r"(?i)(?<![a-z])(?:part|sku|item|article|art|model|order|invoice|ticket|serial|catalog(?:ue)?|case|product|bug|issue|version"
    r"|batch|lot|p/n|s/?n|isbn|rev(?:ision)?|ref(?:erence)?|range)"
    r"s?(?:[ _-]?(?:number|no|nr|num|id|code))?[.:#=\"' ]{1,4}$"
)
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
            if not compiled(_ROUND).fullmatch(match.group()) and not numbers_a_thing(text[max(0, match.start() - 32) : match.start()]):
                yield Span(*match.span(), "ssn", match.group())
    yield from _phones(text)


def numbers_a_thing(before: str) -> bool:
    """Whether a name says that the number behind it is that of an order, a part, a case."""
    return compiled(_OTHER_NUMBER).search(before) is not None


def small_ibans(text: str) -> Iterator[Span]:
    """Accounts in small letters. In the countries whose code could begin a digest all the rest is figures, as it is there."""
    if text.isascii() and compiled(_BEGINS).search((" " + text).encode().translate(_SHAPE).decode()) is None:
        return
    for match in compiled(_IBAN_SMALL).finditer(text):
        for span in _ibans_in(match):
            number = span.value.replace(" ", "").replace("-", "")
            rest = number[4:12] if number.startswith("ad") else number[4:]
            if rest.isdigit() or (number[:2] not in _LIKE_A_DIGEST and 2 * sum(map(str.isdigit, number)) >= len(number)):
                yield span


def _emails(text: str) -> Iterator[Span]:
    for match in compiled(_EMAIL).finditer(text):
        host, filed = match.group(2), text[match.end() : match.end() + 1] == "_"
        while host.rpartition(".")[2].lower() in _NOT_TLD:  # `jo@bank.example.json` names a file of that person
            host, filed = host.rpartition(".")[0], True
        if filed and not _is_domain(host):
            host = host.partition("_")[0]
        if (filed and not _is_domain(host)) or match.group(1).lower() == "git" or _in_address(text, match.start()):
            continue
        end = match.start(2) + len(host)
        yield Span(match.start(), end, "email", text[match.start() : end])


def _is_domain(host: str) -> bool:
    """Whether a name of several parts ends as those of mail do, and not as names of files (``app.min``, ``dark.small``)."""
    return "." in host and host.rpartition(".")[2].lower() in _OF_MAIL


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
        yield from _ibans_in(match)


def _ibans_in(match: re.Match[str]) -> Iterator[Span]:
    written = match.group()
    wanted = int(_IBAN_LENGTHS.get(written[:2].upper(), "0"))
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
