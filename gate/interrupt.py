"""Ctrl-C, SIGTERM and SIGHUP end a run once, and what it then cleans up it cleans up whole.

The rule (issue 3, item 12): no process, folder or half-written file stays behind, however often a person presses the
keys. So the first signal raises ``KeyboardInterrupt`` and later ones do nothing; and where a process has been started
that nobody knows yet, or is just being ended, the first one waits for the end of that act. Signals are not blocked for
it: a child would inherit that.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ROUNDS = 5


class _Heard:
    """What has been heard; one a process, as signals are."""

    active = False
    ended = False
    waiting = False
    depth = 0


_heard = _Heard()


@contextmanager
def once() -> Iterator[None]:
    """Within, the first signal raises KeyboardInterrupt and the others are ignored. One that whoever started us ignores stays so."""
    if _heard.active or not _is_main_thread():
        yield
        return
    _heard.active, _heard.ended, _heard.waiting = True, False, False
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        for number, act in before.items():
            if act is not signal.SIG_IGN:
                signal.signal(number, _hear)
        yield
    except Exception as error:
        if _heard.ended:  # somebody in between has made another error of it
            raise KeyboardInterrupt from error
        raise
    else:
        if _heard.ended:  # or has swallowed it: a finaliser, a callback
            raise KeyboardInterrupt
    finally:
        for number, act in before.items():
            if act is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL if act is None else act)
        _heard.active = False


def _is_main_thread() -> bool:
    """Whether signals reach this thread, and it may say what they do. Where nobody has loaded `threading` there is no other."""
    threading = sys.modules.get("threading")
    return threading is None or threading.current_thread() is threading.main_thread()


@contextmanager
def held() -> Iterator[None]:
    """An act that is not left half done: a signal that comes within ``once`` while it lasts counts at its end."""
    _heard.depth += 1
    try:
        yield
    finally:
        _heard.depth -= 1
        if _heard.waiting and not _heard.depth:
            _heard.waiting, _heard.ended = False, True
            raise KeyboardInterrupt


def _hear(_signal: int, _frame: object) -> None:
    if _heard.ended:
        return
    if _heard.depth:
        _heard.waiting = True
        return
    _heard.ended = True
    raise KeyboardInterrupt


def end_survivors(folder: Path) -> None:
    """Kill every process that has ``folder`` in its environment, or works in it: what a target detached from all that we know.

    Looks at each process of the machine, so it is for interrupted runs, where nothing else is going to end it.
    """
    mark = os.fsencode(folder)
    for _ in range(_ROUNDS):
        found = [number for number in map(int, filter(str.isdigit, os.listdir("/proc"))) if number != os.getpid() and _marked(number, mark)]  # noqa: PTH208
        if not found:
            return
        for number in found:
            with suppress(OSError):
                os.kill(number, signal.SIGKILL)


def _marked(number: int, mark: bytes) -> bool:
    try:
        if b"%s/" % mark in os.readlink(b"/proc/%d/cwd" % number) + b"/":  # noqa: PTH115
            return True
        with open(f"/proc/{number}/environ", "rb") as file:  # noqa: PTH123
            return mark + b"/" in file.read()
    except OSError:  # it has ended, or is another user's
        return False
