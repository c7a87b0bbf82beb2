"""Passwords that a call takes by their place: basic authentication, a login, a connection.

    HTTPBasicAuth("bob", "..")   auth=("bob", "..")   smtp.login("bob", "..")   connect(host, "root", "..")   new PDO(dsn, "root", "..")

Behind a name of authentication any second text is the password; a login or a connection may have other texts, so there
it must look like one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from redaction.detectors.messages import message
from redaction.detectors.names import WORDS
from redaction.detectors.values import plausible, value_spans
from redaction.views import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redaction.types import Span

_ARGUMENT = r"(?:[A-Za-z_]{0,12}\(?)?(?:[bu]?\"([^\"\n]{0,512})\"|[bu]?'([^'\n]{0,512})'|[\w.$>\[\]\-]{1,80})\)?"
_CLOSING = r"[\"']\)?[ \t\n]{0,4}(?:[,)\]]|$)"


class _Form(NamedTuple):
    """``name`` ends right before the bracket. ``place``: which argument is the password, from 0. ``sure``: any value will do."""

    name: str
    place: int
    sure: bool


_FORMS = (
    _Form(
        r"(?:Basic_?Auth\w{0,20}|Digest_?Auth\w{0,20}|NTLM_?Auth|NetworkCredential|PasswordCredentials?|PlainCredentials|PasswordAuthentication"
        r"|username_pw_set|Credentials\.basic|basic_authenticate_with|basic_auth|proxy_auth)(?: ?= ?)?",
        1,
        True,
    ),
    _Form(r"(?<![\w.])auth[\"']?[ \t]{0,2}[=:][ \t]{0,2}", 1, False),
    _Form(r"(?:log_?in|sign_?in|logon|authenticate|authorize|add_user|set_?credentials?|\bauth)", 1, False),
    _Form(r"(?:PlainAuth|create_?(?:super)?user|register_?user)", 2, False),
    _Form(r"(?:jwt\.(?:sign|verify|decode|encode)|create_?Hmac)", 1, False),
    _Form(r"(?:Fernet|hmac\.new)", 0, False),
    _Form(r"(?:connect\w{0,12}|\bPDO|\bmysqli|get_?Connection|new_?connection|open_?connection)", 2, False),
)
_OPENED = r"[(\[](?=[ \t\n]{0,16}[\"'\w$])|(?<=with) (?=[\"'])"
_BEFORE = 48


def arguments(text: str) -> Iterator[Span]:
    """Every such password in the text."""
    for opened in compiled(_OPENED).finditer(text):
        before = text[max(0, opened.start() - _BEFORE) : opened.start()]
        form = next((form for form in _FORMS if compiled(f"(?i){form.name}$").search(before)), None)
        if form is not None:
            yield from _taken(text, opened.end(), form)


def _taken(text: str, start: int, form: _Form) -> Iterator[Span]:
    """Reads the arguments up to the one that is meant."""
    argument = compiled(_ARGUMENT)
    last = form.place + (1 if form.place == 2 else 0)  # a port or a data base may stand before
    for at in range(last + 1):
        match = argument.match(text, start + _blank(text, start))
        if match is None:
            return
        group = match.lastindex
        if at >= form.place and group and compiled(_CLOSING).match(text, match.end(group)):
            value = match.group(group)
            if _is_one(value, sure=form.sure):
                yield from value_spans("password", value, match.start(group))
                return
        comma = compiled(r"[ \t\n]{0,4},[ \t\n]{0,16}").match(text, match.end())
        if comma is None:
            return
        start = comma.end()


def _blank(text: str, start: int) -> int:
    match = compiled(r"[ \t\n]{0,16}").match(text, start)
    return match.end() - start if match else 0


def _is_one(value: str, *, sure: bool) -> bool:
    if " " in value.strip() or message(value) or value.lower() in WORDS:
        return False
    return sure or (plausible(value) and compiled(r"[a-z_]+-?\d{1,3}|utf-?\d+|https?://.*|[\w.-]+\.[a-z]{2,6}").fullmatch(value) is None)
