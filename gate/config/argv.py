"""Reads the plain flags of `shadow compare` without a library: to load typer is a sixth of a short run's time (docs/adr/0030).

What is not plain (help, a mistake, a value that starts with a dash ..) is left to typer, which then reads all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.config.flags import Flags

if TYPE_CHECKING:
    from collections.abc import Sequence

SWITCHES = frozenset({"--reuse", "--strict", "--redact", "--quiet"})
_FIELDS = {f"--{name}": name for name in (*Flags.__slots__, "quiet")}


def plain(arguments: Sequence[str]) -> tuple[Flags, bool] | None:
    """What `compare` was given and whether it is to be quiet; None where typer has to say what was meant.

    ``--name value`` and ``--name=value`` once each, ``--only`` as often as wanted, and switches.
    """
    given: dict[str, Any] = {}
    only: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in _FIELDS or (name in SWITCHES and equals):
            return None
        if name in SWITCHES:
            given[_FIELDS[name]] = True
            continue
        value = value if equals else next(words, "")
        if not value or (value[0] == "-" and not equals) or _FIELDS[name] in given:
            return None
        if name == "--only":
            only.append(value)
        elif name != "--timeout":
            given[_FIELDS[name]] = value
        elif value.isascii() and value.replace(".", "", 1).isdigit():
            given["timeout"] = float(value)
        else:
            return None
    quiet = given.pop("quiet", False)
    return Flags(**given, only=tuple(only)), quiet
