"""Names as messages write them: paths relative to where the user stands, the nearest known word, the shape of an entry."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


# What `init` writes where no entry is known: no valid entry, so that a contract nobody finished is exit 2 at its line.
PLACEHOLDER = "<package.module:function>"
_ENTRY = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def entry_fault(text: str) -> str | None:
    """What is wrong with an entry, None for ``package.module:callable``."""
    if text == PLACEHOLDER:
        return "is still the placeholder of `shadow init`; name what is compared, like 'yourpkg.transform:run'"
    if _ENTRY.fullmatch(text) is None:
        return "should be package.module:callable, like 'yourpkg.transform:run'"
    return None


def shown(path: Path, *, cwd: Path | None = None) -> str:
    """``path`` as a user would type it: relative to the current folder when it lies below it."""
    here = Path.cwd() if cwd is None else cwd
    try:
        return printable(path.relative_to(here).as_posix())
    except ValueError:
        return printable(path.as_posix())


def printable(text: str) -> str:
    """``text`` with every character escaped that a terminal would act on, or hide: names in a contract are not trusted."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` was probably meant to be, None where nothing comes near."""
    from difflib import get_close_matches

    found = get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A remedy for a wrong word: the nearest known one, and all that are known."""
    names = sorted(known)
    near = nearest(word, names)
    listed = "known: " + ", ".join(names)
    return f"did you mean `{near}`? {listed}" if near else listed
