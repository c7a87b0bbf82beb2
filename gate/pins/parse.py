"""The text of a pin, read without touching disk or git. A pin is an immutable reference (design, section 4).

The rule: a baseline that can move is no baseline. Whatever git would have to resolve (a branch, ``HEAD~1``, a tag, a
short hash) is refused with the exact command that pins it.
"""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING, Literal

from gate.errors import PinError
from gate.types import Pin

if TYPE_CHECKING:
    from gate.types import SideName

KINDS = ("git", "dir", "wheel", "requirements", "patch", "image", "tree")
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?=:)")
_SHA = re.compile(r"[0-9a-fA-F]{40}")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
_HOW = "--baseline and --candidate take git:<40 hex digits>, dir:<path>, wheel:<file>#sha256=<64 hex digits> or requirements:<file>"


def parse_pin(text: str, *, side: SideName) -> Pin:
    """The pin that ``text`` names. ``str()`` of the result parses to the same pin; a bare path means ``dir:``."""
    found = _KIND.match(text)
    kind, value = (found.group(), text[found.end() + 1 :]) if found else ("dir", text)
    if not value.strip() and kind != "tree":
        raise PinError(f"the pin {text!r} of the {side} names nothing", remedy=_HOW)
    if "\0" in value:
        raise PinError(f"the pin of the {side} holds a NUL character", remedy=_HOW)
    match kind:
        case "git":
            return _git(value, side)
        case "dir" | "requirements":
            return Pin(kind="dir" if kind == "dir" else "requirements", value=value)
        case "wheel":
            return _wheel(value, side)
        case "patch" | "tree":
            return _candidate_only(kind, value, side)
        case "image":
            raise PinError(f"{text!r}: this build cannot run images yet", remedy=_HOW)
        case _:
            raise PinError(f"{kind!r} is no kind of pin; {_nearest(kind)}", remedy=f"{_HOW}; a folder with a colon in its name: dir:{text}")


def _git(value: str, side: SideName) -> Pin:
    if _SHA.fullmatch(value):
        return Pin(kind="git", value=value.lower())
    if _SHA256.fullmatch(value):
        raise PinError(f"git:{value} names a commit of a SHA-256 repository; pins hold 40 hex digits", remedy=_HOW)
    short = re.fullmatch(r"[0-9a-fA-F]{4,39}", value) is not None
    why = "is abbreviated and may come to name another commit" if short else "can move"
    if side == "baseline":
        raise PinError(
            f"git:{value} {why}; the baseline needs all 40 hex digits of a commit", remedy=f"pin it with: shadow freeze {quote(value)}"
        )
    resolve = f"git rev-parse {quote(value + '^{commit}')}"
    raise PinError(
        f"git:{value} {why}; the candidate needs all 40 hex digits of a commit", remedy=f'resolve it first: --candidate "git:$({resolve})"'
    )


def _wheel(value: str, side: SideName) -> Pin:
    file, mark, digest = value.rpartition("#sha256=")
    name = file if mark else value.partition("#")[0]
    if not name.endswith(".whl"):
        raise PinError(f"the {side} wheel:{value} does not name a .whl file", remedy="wheel:<file>.whl#sha256=<64 hex digits>")
    if not mark or _SHA256.fullmatch(digest) is None:
        why = "has a digest that is not 64 hex digits" if mark else "has no digest, so the file could change under it"
        raise PinError(
            f"the {side} wheel:{value} {why}",
            remedy=f"run `sha256sum {quote(name)}` and write wheel:{name}#sha256=<its 64 hex digits>",
        )
    return Pin(kind="wheel", value=name, sha256=digest.lower())


def _candidate_only(kind: Literal["patch", "tree"], value: str, side: SideName) -> Pin:
    if side == "baseline":
        why = "a patch needs something to stand on" if kind == "patch" else "the working tree moves with every edit"
        raise PinError(f"the baseline cannot be {kind}:{value}; {why}", remedy="pin a commit with: shadow freeze")
    return Pin(kind=kind, value=value or ".")


def _nearest(kind: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(kind.lower(), KINDS, n=1)
    return f"did you mean {near[0]}:?" if near else "known are " + ", ".join(f"{name}:" for name in KINDS if name not in {"image", "tree"})
