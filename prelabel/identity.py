"""Who signs: ``--as "Name <mail>"`` or git's identity, confirmed by typing the name (design, section 11).

A typed name is attribution, not proof: it says who takes responsibility. What a name proves and what it does not is in
the documentation; levels that prove more are set by ``[trust] require``.
"""

from __future__ import annotations

import re
import subprocess
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.errors import RefusedError, UsageError
from gate.ledger.rows import visible_letters
from prelabel.terminal import READ_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from prelabel.terminal import Screen

_SHAPE = re.compile(r"\s*(?P<name>[^<>]*?)\s*<(?P<mail>[^<>\s@]+@[^<>\s@]+)>\s*")
_LONGEST = 200
_TRIES = 3
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """A named person, as written into ``signed_off_by``."""

    name: str
    mail: str

    def __str__(self) -> str:
        return f"{self.name} <{self.mail}>"


def has_hidden(text: str) -> bool:
    """Whether ``text`` holds control, format, surrogate or unassigned characters, or line separators."""
    return any(unicodedata.category(character) in _HIDDEN for character in text)


def parse(text: str, *, source: str = "--as") -> Signer:
    """``Name <mail>`` as a ``Signer``, in NFC and with single spaces; a ``UsageError`` says what is wrong."""
    example = '--as "Ada Example <ada@example.org>"'
    if has_hidden(text) or len(text) > _LONGEST:
        raise UsageError(f"{source}: a signer is one line of at most {_LONGEST} printable characters", remedy=f"write {example}")
    found = _SHAPE.fullmatch(text)
    name = " ".join(unicodedata.normalize("NFC", found["name"]).split()) if found else ""
    if found is None or not any(visible_letters(name)):
        raise UsageError(f"{source}: a signer is written as a name and an address in angle brackets", remedy=f"write {example}")
    return Signer(name=name, mail=found["mail"])


def _git(key: str, cwd: Path) -> str:
    try:
        got = subprocess.run(["git", "config", "--get", key], cwd=cwd, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    return got.stdout.decode("utf-8", "surrogateescape").strip()


def find(as_name: str | None, cwd: Path) -> Signer:
    """The signer that the flag names, else git's ``user.name`` and ``user.email``; none is a refusal."""
    if as_name is not None:
        return parse(as_name)
    name, mail = _git("user.name", cwd), _git("user.email", cwd)
    if not name or not mail:
        raise RefusedError(
            "sign-off needs a named person; git has no user.name and user.email here",
            remedy='run `shadow signoff --as "Ada Example <ada@example.org>"` with your own name',
        )
    return parse(f"{name} <{mail}>", source="git config user.name, user.email")


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def confirm(screen: Screen, signer: Signer) -> None:
    """Have the person type the name; after three wrong answers the sitting is refused."""
    screen.say(f"You sign as {signer}. Each row you decide will carry this name.")
    for left in reversed(range(_TRIES)):
        if _folded(screen.ask(f"Type the name to confirm ({signer.name}): ")) == signer.name:
            return
        if left:
            screen.say(f"That is not the name. {left} more {'try' if left == 1 else 'tries'}.")
    raise RefusedError("the name was not confirmed; nothing was signed", remedy=READ_ONLY)
