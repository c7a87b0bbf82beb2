"""Detectors of others, loaded only when named: two that we wrap, and entry points of the group ``shadow.detectors``.

    an extra: text -> iterable of (start, end, kind)      positions in code points; a kind of ours, or it becomes ``other``

The text it is given has placeholders overwritten by NUL, so that no extra reads one. Spans of an extra can only add to what is
hidden; one that raises, or gives positions outside of the text, closes the scope: nothing of it leaves. This package says what is
missing; whoever composes a policy says what follows from that.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from redaction.policy import Extra

GROUP = "shadow.detectors"
PACKAGES = {"secrets": "kingfisher-secret-scanner", "pii": "phonenumberslite"}


class MissingDetectorError(Exception):
    """A detector that was named and cannot be had: ``what`` happened, and the ``remedy``."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@cache
def detector(name: str, *, folder: Path) -> Extra:
    """The detector of this name. ``folder`` is where it may keep what it compiles; not made for one that keeps nothing."""
    if name not in PACKAGES:
        return _plugged(name)
    try:
        if name == "secrets":
            from redaction.extras.secrets import secrets

            return secrets(folder / "kingfisher")
        from redaction.extras.pii import pii

        return pii()
    except ImportError:
        what = f"the detector `{name}` needs the package {PACKAGES[name]}, which is not installed beside shadow"
        raise MissingDetectorError(what, f"python -m pip install {PACKAGES[name]}") from None


def _plugged(name: str) -> Extra:
    found = _entry_points()
    mine = found.get(name, [])
    if len(mine) != 1:
        what = f"{len(mine)} installed packages bring" if mine else "no installed package brings"
        known = ", ".join(f"`{one}`" for one in sorted({*PACKAGES, *found}))
        remedy = f"python -m pip install the package with the entry point `{name}` of the group {GROUP}, beside shadow; known here: {known}"
        raise MissingDetectorError(f"{what} the detector `{name}`", "uninstall all but one of them" if mine else remedy)
    try:
        loaded = mine[0].load()
    except Exception as error:
        what = f"the detector `{name}` ({mine[0].value}) cannot be loaded: {type(error).__name__}"
        raise MissingDetectorError(what, "mend or reinstall the package that brings it") from error
    if not callable(loaded):
        what = f"the detector `{name}` ({mine[0].value}) is no function"
        raise MissingDetectorError(what, "its entry point names a callable that takes a text and gives (start, end, kind)")
    extra: Extra = loaded
    return extra


def _entry_points() -> dict[str, list[EntryPoint]]:
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for one in dict.fromkeys(entry_points(group=GROUP)):
        found.setdefault(one.name, []).append(one)
    return found
