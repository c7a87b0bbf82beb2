"""How far a run is, on standard error: a bar on a terminal, a line now and then in CI, and nothing anywhere else.

The rule (issue 3, item 12): who waits is told, who does not pays nothing. A run only counts what it has done; a thread
looks at the count, and starts to tell after a while: most runs have ended by then, and rich is not even imported. The
cursor is never hidden, so that nothing has to be restored, whatever ends the process.
"""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self, TextIO, TypeVar

    Item = TypeVar("Item")
    Again = Callable[[Iterable[str]], Iterator[Item]]

BAR_AFTER, BAR_EVERY = 1.0, 0.2
LINES_AFTER = LINES_EVERY = 10.0  # seconds: a log is read afterwards


class Progress:
    """Says nothing. ``phase`` is one of materialise, run, confirm, purity, attribute."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def phase(self, name: str, total: int = 0) -> None:
        """A part of the run begins; ``total`` fixtures are ahead of it as far as is known."""

    def each(self, phase: str, items: Iterable[Item], *, more: int = 0) -> Iterator[Item]:
        """The same items, counted as they pass. ``more`` of them than the phase knew of."""
        del phase, more
        return iter(items)

    def again(self, phase: str, again: Again[Item]) -> Again[Item]:
        """The same function, its items counted."""
        del phase
        return again


class Telling(Progress):
    """Counts, and has a thread that tells. Once ``after`` seconds have passed ``show`` is called every ``every`` seconds."""

    def __init__(self, file: TextIO, *, after: float, every: float) -> None:
        self.file, self.after, self.every = file, after, every
        self.name, self.done, self.total, self.began = "", 0, 0, time.monotonic()
        self._looked = (0, self.began)  # the last count that was new, and when it was seen: batches come in jumps

    def __enter__(self) -> Self:
        import threading

        self._end = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def phase(self, name: str, total: int = 0) -> None:
        """See above; the same phase again goes on counting."""
        if name != self.name:
            self.done, self.total, self.began, self.name = 0, total, time.monotonic(), name

    def each(self, phase: str, items: Iterable[Item], *, more: int = 0) -> Iterator[Item]:
        """See above."""
        self.phase(phase)
        self.total += more
        if not self.done:  # starting a worker is no part of the rate
            self.began = time.monotonic()
        for item in items:
            yield item
            self.done += 1

    def again(self, phase: str, again: Again[Item]) -> Again[Item]:
        """See above."""

        def counted(ids: Iterable[str]) -> Iterator[Item]:
            wanted = list(ids)
            return self.each(phase, again(wanted), more=len(wanted))

        return counted

    def words(self) -> str:
        """The count, the rate and the time that is left, as far as they are known."""
        done, total, now = self.done, self.total, time.monotonic()
        if done != self._looked[0]:
            self._looked = done, now
        seconds = now - self.began
        if not total:
            return f"{_time(seconds)} so far"
        if not done:
            return f"0/{total:,}, {_time(seconds)} so far"
        took = max(self._looked[1] - self.began, 0.001)
        left = max(0.0, (total - done) * took / done - (now - self._looked[1]))
        rate = f"{done / took:,.0f} a second" if done > took else f"{_time(took / done)} each"
        return f"{done:,}/{total:,}, {rate}, {_time(left)} left"

    def _tell(self) -> None:
        if self._end.wait(self.after):
            return
        with contextlib.suppress(OSError, ValueError):  # nobody reads any more: the run goes on
            self.show()

    def show(self) -> None:
        """In the thread: tell until the end."""
        raise NotImplementedError


class Lines(Telling):
    """One plain line every so often."""

    def show(self) -> None:
        """See above."""
        while True:
            share = f" ({100 * self.done // self.total} %)" if self.total else ""
            self.file.write(f"shadow: {self.name}{share}: {self.words()}\n")
            self.file.flush()
            if self._end.wait(self.every):
                return


class Bar(Telling):
    """A bar in the last line of a terminal, gone afterwards."""

    def show(self) -> None:
        """See above."""
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        class Plain(Console):
            def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002  # rich calls it so
                return False

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"))
        bar = RichProgress(
            *columns, console=Plain(file=self.file), transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        with bar:
            task = bar.add_task(self.name, total=None, words="")
            while True:
                bar.update(task, description=self.name, completed=self.done, total=self.total or None, words=self.words())
                bar.refresh()
                if self._end.wait(self.every):
                    return


def progress(*, quiet: bool) -> Progress:
    """What suits standard error as it is now."""
    from gate.config import environ

    around = environ()
    if quiet:
        return Progress()
    try:
        terminal = sys.stderr.isatty()
    except ValueError:  # closed
        terminal = False
    if around.is_ci() or (terminal and around.variables.get("TERM") == "dumb"):
        return Lines(sys.stderr, after=LINES_AFTER, every=LINES_EVERY)
    return Bar(sys.stderr, after=BAR_AFTER, every=BAR_EVERY) if terminal else Progress()


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
