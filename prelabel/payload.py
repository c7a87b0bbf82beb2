"""The doors to redaction that the command line is built with, and nothing of it: loading it costs time that most runs need not spend."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.terminal import Reader
    from redaction import Policy


def public_reader(config: str | None = None) -> Reader:
    """How things are shown where everybody reads. ``config`` is what ``--config`` says."""
    from prelabel.public import Public

    return Public(config)


def public_screen() -> Callable[[str], str]:
    """Gives what may be printed where logs are public: whatever a command says, redacted, and looked at a last time."""
    known: list[Policy] = []

    def look(text: str) -> str:
        from prelabel.policy import last_resort
        from prelabel.publish.log import public_screen
        from prelabel.publish.release import release

        if not known:
            known.append(last_resort())
        return release(public_screen(text, known[0]), "screen")

    return look


def public_error(text: str) -> str:
    """What may be said on standard error where logs are public. Never raises: what is held back is said to be."""
    from gate.errors import LeakError
    from prelabel.policy import last_resort
    from prelabel.publish.log import public_log
    from prelabel.publish.release import release

    try:
        return release(public_log(text, last_resort()), "error")
    except LeakError as error:
        return f"the error that ended this command is {error.what}"


def crash_text(text: str) -> str:
    """What the file of a bug may hold: it is meant to be sent to others, wherever it was written."""
    from prelabel.policy import last_resort
    from prelabel.publish.release import release
    from redaction import redact_text

    return release(redact_text(text, policy=last_resort()), "crash")
