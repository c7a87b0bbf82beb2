"""Credentials in URLs and connection strings.

The password of ``scheme://user:password@host`` ends at the *last* ``@`` before the path, because passwords
hold ``@`` too. Where a password holds ``/``, ``?`` or ``#``, the ``@`` may stand behind them; a port is never
taken for a password. The user name stays, unless it is the credential (``https://<token>@host``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redaction.detectors.opaque import drawn_letters
from redaction.detectors.values import covered, plausible, trivial
from redaction.types import Span
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_AUTHORITY = r"[^\s\"'<>`/?#]{1,2048}+"
_REST = r"[^\s\"'<>`]{1,512}+"
_HOST_BEHIND = r"[\w.-]{1,253}(?::\d{1,5})?(?:[/?#,)]|$)"
_FURTHER = r"(@[^\s\"'<>`@]{0,128}+)@[\w.-]{1,253}:\d{1,5}(?:[/?#,)\s\"']|$)"
# Without a scheme: `//user:password@host`, `user:password@host:port`; and `user/password@` of Oracle.
_NO_SCHEME = r"(?<![\w:/@.-])//[\w.+%-]{1,64}:([^\s:@/\"'<>]{1,256})@(?=[A-Za-z0-9\[])"
_WITH_PORT = r"(?<![\w:/@.-])[\w.+%-]{1,64}:([^\s:@/\"'<>(){}$\\]{4,256})@(?=[A-Za-z0-9][\w.-]{0,253}(?:::?[a-z0-9]{1,16})(?!\w))"
_ORACLE = r"(?i)(?<!\w)oracle:\w{3,5}:[\w$#]{1,64}/([^\s@/\"']{1,256})@"
_DSN = r"(?<!\w)\w{1,64}:([^\s:@/\"']{1,256})@(?:tcp|unix)\("
_DSN_CUT = r"(?<![^\s:/\"'`=&])([^\s:@/\"'`=&]{8,256})@(?:tcp|unix)\("  # the user is gone; what is left may be one, or the password

# Each with what stands in a text that has one, and what its value has to be.
_WITHOUT_SCHEME: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("(", _DSN, bool),
    ("//", _NO_SCHEME, lambda value: not trivial(value)),
    (":", _WITH_PORT, lambda value: not trivial(value) and plausible(value)),
    ("/", _ORACLE, lambda value: not trivial(value)),
    ("@tcp(", _DSN_CUT, lambda value: plausible(value) or drawn_letters(value)),
    ("@unix(", _DSN_CUT, lambda value: plausible(value) or drawn_letters(value)),
)


def addresses(text: str) -> Iterator[Span]:
    """Passwords and tokens in the user part of addresses."""
    if "@" not in text:
        return
    done = 0
    for match in compiled("://").finditer(text):
        start = match.end()
        if start < done:
            continue
        end = _credentials_end(text, start)
        if end:
            done = start + end
            yield from _parts(text[start : start + end], start)
    for sign, pattern, told in _WITHOUT_SCHEME:
        for match in compiled(pattern).finditer(text) if sign in text else ():
            value = match.group(1)
            if not covered(value) and told(value):
                yield Span(*match.span(1), "url-password", value)


def _credentials_end(text: str, start: int) -> int:
    """How long the user part is that starts behind ``://``; 0 if there is none."""
    match = compiled(_AUTHORITY).match(text, start)
    authority = match.group() if match else ""
    last = authority.rfind("@")
    if last > 0:  # `app:p@ss/w0rd@db:5432`: a password may hold both signs
        further = compiled(_FURTHER).match(text, start + last) if ":" in authority[:last] else None
        return further.end(1) - start if further else last
    user, colon, after = authority.partition(":")
    rest = compiled(_REST).match(text, start) if user and colon and not after.isdigit() else None
    if rest is None:
        return 0
    last = rest.group().rfind("@")
    return last if last > 0 and compiled(_HOST_BEHIND).match(rest.group(), last + 1) else 0


def _parts(credentials: str, start: int) -> Iterator[Span]:
    user, colon, password = credentials.partition(":")
    if colon and password and not trivial(password) and not covered(password):
        yield Span(start + len(user) + 1, start + len(credentials), "url-password", password)
    long_user = len(user) >= 16 and compiled(r"\d").search(user) is not None
    if long_user and password in {"", "x-oauth-basic"} and not covered(user):
        yield Span(start, start + len(user), "url-password", user)
