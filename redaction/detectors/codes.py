# ruff: noqa: RUF002 - letters of other scripts are what some of these are about
"""Codes that a person is sent to prove who they are: six figures that only the sentence around them gives away.

    Your verification code is ..   .. is your login code   Use code .. to sign in   OTP: ..   Ihr Bestätigungscode lautet ..   验证码：..

`code` alone is a status, an error, a country: it counts where the sentence says whose it is or what it is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_KIND = (
    r"verification|verify|confirmation|authenti[ck]ation|authori[sz]ation|activation|security|access|login|log-?in|sign-?in"
    r"|sign-?up|one-?time|single-?use|"
    r"2fa|mfa|two-?factor|2-?step|two-?step|recovery|reset|backup|temporary|sms|otp|pass|unlock|pairing|invite|device|auth|"
    r"bestätigungs|verifizierungs|sicherheits|anmelde|zugangs|einmal|freischalt"
)
# `Your verification code`, `OTP`, `one-time password`, `Ihr Bestätigungscode`; `code` by itself only with `your`.
_NAME = (
    rf"(?:(?:{_KIND})[ _-]?(?:code|pin|password|passwort|passcode|kennwort)|(?:one[ -]time|single[ -]use|log[ -]in"
    rf"|sign[ -]in) (?:code|pin|password|passcode)|"
    r"passcode|\b(?:m?otp|[a-z]{0,3}-?tan|totp|pin)\b(?![ -]?\d{1,2}\b)|"
    r"(?:your|dein|ihr|votre|ton|tu|su|seu|il tuo|uw|je)(?: [^\W\d_]{1,14}){0,2}[ -]code|"
    r"code? de (?:vérification|sécurité|confirmation|connexion)|c[oó]digo de (?:verifica|seguran|segurid|confirma|acces"
    r"|acesso)[^\W\d_]{0,6}|"
    r"codice di (?:verifica|sicurezza|conferma|accesso)|код(?: подтверждения| безопасности| доступа)?|"
    r"验证码|驗證碼|校验码|动态码|認証コード|確認コード|認証番号|인증번호|인증 ?코드)"
)
_CODE = (
    r"(?P<code>(?:[A-Z]{1,2}-)?\d{3,4}[ -]\d{3,4}|(?:[A-Z]{1,2}-)?\d{4,10})(?![\w%]|[.,:-]\d| ?(?:lines|bytes|char|rows|words|ms"
    r"|kb|mb|times|of)\b)"
)
_IS = (
    r"(?:[ \t]{1,3}(?:is|for|lautet|ist|est|es|é|è|e|is now|was|are)(?=[ \t:]))?"
    r"(?: (?:[^\W\d_]{2,14}(?=[ \t])|number|code|pin))?(?: (?:is|ist|est))?"
)
_BEHIND = rf"(?i)(?<![a-z0-9]){_NAME}[\"']?{_IS}(?: ?[是为為は:=#]{{1,2}})?[ \t:\"'*]{{0,4}}{_CODE}"
_BEFORE = (
    rf"(?i)(?<![\w.,:+-]){_CODE}[\"'*]? (?:is|ist|est|es|é|è) (?:your|dein|ihr|votre|ton|tu|su|seu|il tuo"
    rf"|the)(?: [^\W\d_]{{1,14}}){{0,3}}?"
    rf"[ -]?(?:{_KIND})?[ -]?(?:code|pin|otp|passcode|password)\b"
)
_USE = (
    rf"(?i)(?<![a-z])(?:use|enter|type|utilisez|saisissez|geben sie|ingresa|usa)(?: (?:the|this|code|your|pin|otp"
    rf"|following)){{0,3}}[ :\"']{{1,3}}{_CODE}"
    r"[\"']? (?:to (?:sign|log|verify|confirm|complete|authenticate|reset|access|continue|activate|finish)|as your|(?:for|zum|pour"
    r"|para) (?:login|log|sign|verif|confirm))"
)
_FOLLOWING = rf"(?i)(?:following|this|below)[^\n.:]{{0,24}} (?:code|pin|otp|passcode)[^\n:\d]{{0,48}}:\s{{1,4}}{_CODE}"
_LONE = rf"(?i)(?<![\w ])code:? {{0,2}}{_CODE}\.? (?:it |this )?(?:valid|expires|do not|don't|never)"
# Letters and figures: recovery and reset codes.
_LETTERS = (
    r"(?i)(?<![a-z])(?:recovery|backup|reset|verification|login|activation|invite|access|unlock) codes?(?: (?:is"
    r"|are))?[ :]{1,3}(?P<code>(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{4,10}(?:-[A-Z0-9]{3,10}){0,5})(?![\w-])"
)
_FIGURES = r"(?<![\w.,:+])(?:[A-Z]{1,2}-)?\d{3,10}(?![\w%]|[.,:]\d)"
_NEAR = 100
_OTHER = (
    r"(?i)(?:exit|status|error|country|zip|postal|area|product|response|return|discount|promo|coupon|source|bar|qr|sort|sort-"
    r"|time ?zone|line)[ _-]?code"
)


def sent(text: str) -> Iterator[Span]:
    """Every such code in the text."""
    done = 0
    for figures in compiled(_FIGURES).finditer(text):
        if figures.start() >= done:
            low, done = max(0, figures.start() - _NEAR), min(len(text), figures.end() + _NEAR)
            yield from _found(text, low, done, _BEHIND, _BEFORE, _USE, _FOLLOWING, _LONE)
    if "code" in text.lower():
        yield from _found(text, 0, len(text), _LETTERS)


def _found(text: str, low: int, high: int, *patterns: str) -> Iterator[Span]:
    for pattern in patterns:
        for match in compiled(pattern).finditer(text, low, high):
            if compiled(_OTHER).search(match.group()) is None:
                yield Span(*match.span("code"), "otp", match.group("code"))
