"""The terminal that a person signs at: plain lines out, whole lines in, nothing by default.

Sign-off needs a terminal on stdin, on stdout and as ``/dev/tty`` (design, section 11). Lines are read in the
terminal's own line mode from ``/dev/tty``: no key acts alone, what was typed ahead of a question never answers it,
and Ctrl-C raises ``KeyboardInterrupt`` whatever signal handling was inherited. Whatever is printed, no control or
format character reaches the terminal, and a character that it cannot show is written as its escape.
"""

from __future__ import annotations

import contextlib
import os
import signal
import unicodedata
from typing import TYPE_CHECKING, Protocol

from gate.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

READ_ONLY = (
    "a named person runs `shadow signoff` on a terminal; read-only: `shadow show --format json` lists the rows, "
    "`shadow show ID` explains one, `shadow compare --only ID` runs one"
)
_SIZE = (80, 24)
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


class HungUpError(Exception):
    """The terminal went away or sent end-of-file while a question stood open."""


class Screen(Protocol):
    """What sign-off says to and asks of a person. Tests put a script in its place."""

    width: int
    height: int

    def say(self, text: str = "") -> None:
        """Print one line or several."""

    def ask(self, prompt: str) -> str:
        """Print the prompt and return the line typed, without its end and outer spaces; ``HungUpError`` at its end."""


def refuse_if_unattended(*, variables: Collection[str]) -> None:
    """Raise unless a person can be at the keyboard. ``variables`` name CI and agents found in the environment."""
    if variables:
        named = ", ".join(sorted(variables))
        raise RefusedError(f"sign-off is for a person at a terminal; the environment says CI or an agent ({named})", remedy=READ_ONLY)
    lacking = [name for number, name in enumerate(("stdin", "stdout")) if not os.isatty(number)]
    if lacking:
        raise RefusedError(f"sign-off is for a person at a terminal; there is none on {' and '.join(lacking)}", remedy=READ_ONLY)


def encoding_of(environ: Mapping[str, str], stated: str | None) -> str:
    """What the terminal can show: ASCII where the locale is plainly C, else the encoding that Python states.

    Python turns a C locale into UTF-8 for itself (and writes that to LC_CTYPE); the terminal does not follow.
    """
    first = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG", "")
    coerced = not environ.get("LC_ALL") and first == "C.UTF-8" and environ.get("LANG") in {"C", "POSIX"}
    return "ascii" if coerced or first in {"C", "POSIX"} else stated or "ascii"


def safe(text: str, encoding: str) -> str:
    """``text`` with every character that would act on the terminal, or that it cannot show, as an escape; newlines stay."""
    out: list[str] = []
    for character in text:
        hidden = character != "\n" and unicodedata.category(character) in _HIDDEN
        if not hidden:
            try:
                character.encode(encoding)
            except UnicodeEncodeError:
                hidden = True
        point = ord(character)
        out.append(character if not hidden else f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}")
    return "".join(out)


class Terminal:
    """A ``Screen`` over an open terminal descriptor."""

    def __init__(self, descriptor: int, encoding: str) -> None:
        self._descriptor = descriptor
        self._encoding = encoding
        try:
            columns, lines = os.get_terminal_size(descriptor)
        except OSError:
            columns, lines = _SIZE
        self.width = min(columns, 120) if columns >= 20 else _SIZE[0]
        self.height = lines if lines >= 10 else _SIZE[1]
        self._rest = b""

    def say(self, text: str = "") -> None:
        """Print one line or several."""
        self._write(text + "\n")

    def ask(self, prompt: str) -> str:
        """Print the prompt and return the line typed, without its end and outer spaces."""
        self._forget_typed_ahead()
        self._write(prompt)
        while b"\n" not in self._rest:
            try:
                piece = os.read(self._descriptor, 4096)
            except OSError as error:
                raise HungUpError(str(error)) from error
            if not piece:
                raise HungUpError("end of input")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8" if self._encoding == "ascii" else self._encoding, "surrogateescape").strip()

    def _forget_typed_ahead(self) -> None:
        import termios

        self._rest = b""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _write(self, text: str) -> None:
        left = safe(text, self._encoding).encode(self._encoding)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise HungUpError(str(error)) from error


@contextlib.contextmanager
def open_terminal(environ: Mapping[str, str], stated: str | None) -> Iterator[Terminal]:
    """``/dev/tty`` as a ``Terminal``, with Ctrl-C set to interrupt; both are given back at the end."""
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise RefusedError(
            f"sign-off is for a person at a terminal; /dev/tty cannot be opened ({error.strerror})", remedy=READ_ONLY
        ) from error
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield Terminal(descriptor, encoding_of(environ, stated))
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(descriptor)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C (and its kin) back while the one write of a sitting happens: it is written whole, then interrupted."""
    held: list[int] = []
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {kind: signal.signal(kind, lambda number, _: held.append(number)) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler if handler is not None else signal.SIG_DFL)
    if held:
        raise KeyboardInterrupt
