"""The two workers of one target, fed the same fixtures in step."""

from __future__ import annotations

import select
from collections import deque
from typing import TYPE_CHECKING, Any

from gate.errors import WorkerError
from gate.interrupt import held
from gate.runner.process import START_SECONDS, Worker, request
from gate.types import Conditions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from gate.runner.process import RawWire
    from gate.types import Fixture, Limits, Side, Target

# A fork costs about what forty small fixtures cost: at 256 it is still felt, at 1024 no more. Large payloads fill a batch sooner.
BATCH = 1024
BATCH_BYTES = 1 << 20
LONGEST_WAIT = 1e6  # seconds: what the system takes, and more than anybody waits
WINDOW = 2  # batches under way: one in work, one waiting; what was answered is dealt with in less time than one takes
TOGETHER = 32  # fixtures of one request at least, even where each has a fork of its own: a request wakes up two processes


class Pair:
    """The workers of one target, one a side, started together. Use as a context; leaving it leaves no process behind."""

    def __init__(
        self,
        sides: Sequence[Side],
        target: Target,
        limits: Limits,
        scratch: Path,
        pycache: Path,
        *,
        conditions: Conditions | None = None,
        require: tuple[str, ...] = (),
        strict: bool = False,
    ) -> None:
        self.limits, self.borrowed, self.strict = limits, 0, strict
        around = conditions or Conditions()
        self.workers: list[Worker] = []
        self.start(Worker(side, target, limits, around, scratch=scratch, pycache=pycache / side.name, require=require) for side in sides)

    @classmethod
    def beside(cls, worker: Worker, conditions: Conditions) -> Self:
        """A worker that is running, borrowed, and its own side and target once more in another process, under other conditions."""
        pair = cls.__new__(cls)
        pair.limits, pair.borrowed, pair.workers, pair.strict = worker.limits, 1, [worker], False
        pair.start([worker.twin(conditions)])
        return pair

    def start(self, workers: Iterable[Worker]) -> None:
        """Take on workers and wait until each has loaded the target; where one cannot, none is left."""
        try:
            with held():
                self.workers.extend(workers)
            for worker in self.workers[self.borrowed :]:
                worker.push()
            for worker in self.workers[self.borrowed :]:
                worker.await_hello()
        except BaseException:
            self.close(kill=True)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: object, trace: object) -> None:
        self.close(kill=kind is not None)

    @property
    def hellos(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """What both workers say they obtained, baseline first."""
        return self.workers[0].hello, self.workers[1].hello

    @property
    def reached(self) -> tuple[bool, bool]:
        """Whether each side has loaded a module of its own by now, baseline first."""
        return self.workers[0].reached, self.workers[1].reached

    @property
    def late(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Modules that fixtures have brought in after the hello, with the file of each, baseline first."""
        return self.workers[0].late, self.workers[1].late

    @property
    def leaked(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What batches left changed in their process, baseline first; each fixture of such a batch was run again alone."""
        return tuple(self.workers[0].leaked), tuple(self.workers[1].leaked)

    @property
    def again(self) -> int:
        """How many fixtures were run again alone for that, on the side that had more of them."""
        return max(worker.again for worker in self.workers)

    def close(self, *, kill: bool = False) -> None:
        """Stop the workers that are its own."""
        with held():
            for worker in self.workers[self.borrowed :]:
                worker.stop(kill=kill)

    def run(self, fixtures: Iterable[Fixture], *, batch: int = BATCH) -> Iterator[tuple[Fixture, RawWire, RawWire]]:
        """Both observations of every fixture, in order. ``batch`` fixtures share a fork; 1, or a strict pair, isolates each.

        Where each has a fork of its own, long values cross whole (docs/adr/0023).
        """
        batch = 1 if self.strict else batch
        waiting: deque[Fixture] = deque()
        source = iter(fixtures)
        baseline, candidate = self.workers
        baseline.together = candidate.together = batch
        size = max(batch, TOGETHER)
        patience = 30 + 2.4 * size * self.limits.seconds + START_SECONDS  # a fixture whose output is too much for a pipe runs twice
        more = True
        while True:
            while more and max(len(baseline.frames), len(candidate.frames)) < WINDOW and len(waiting) < 4 * WINDOW * size:
                group, more = _take(source, size)
                if group:
                    waiting.extend(group)
                    frame = request(group, batch)
                    for worker in self.workers:
                        worker.send(group, frame)
            while baseline.results and candidate.results:
                yield waiting.popleft(), baseline.results.popleft(), candidate.results.popleft()
            if not waiting and not more:
                return
            if waiting:
                self._exchange(patience)

    def run_apart(self, fixtures: Iterable[Fixture], known: Mapping[str, RawWire]) -> Iterator[tuple[Fixture, RawWire, RawWire]]:
        """As ``run``, but the second worker gets each batch in the opposite order, and the first only what is not ``known`` of it."""
        source = iter(fixtures)
        one, other = self.workers
        one.together = other.together = BATCH
        patience = 30 + 2.4 * BATCH * self.limits.seconds + START_SECONDS
        more = True
        while more:
            group, more = _take(source, BATCH)
            if not group:
                return
            new = [fixture for fixture in group if fixture.id not in known]
            if new:
                one.send(new)
            other.send(group[::-1])
            while len(one.results) < len(new) or len(other.results) < len(group):
                one.held = other.held = 0  # the first of one side waits for the last of the other
                self._exchange(patience)
            backwards = [other.results.popleft() for _ in group]
            for fixture in group:
                yield fixture, known.get(fixture.id) or one.results.popleft(), backwards.pop()

    def _exchange(self, patience: float) -> None:
        """Move bytes until at least one answer or death has been dealt with."""
        told, waiting = select.poll(), dict[int, Worker]()
        for worker in self.workers:
            worker.push()
            if worker.frames and not worker.full:
                told.register(worker.process.reads, select.POLLIN)
                waiting[worker.process.reads] = worker
            if worker.outbox:
                told.register(worker.process.writes, select.POLLOUT)
                waiting[worker.process.writes] = worker
        ready = told.poll(1000 * min(patience, LONGEST_WAIT))
        if not ready:
            raise WorkerError(f"no worker answered for {patience:.0f} s")
        for file, _ in ready:
            worker = waiting[file]
            if file == worker.process.writes:
                worker.push()
            elif worker.pull():
                while (frame := worker.take_frame()) is not None:
                    worker.accept(frame)
            else:
                worker.revive()


def _take(source: Iterator[Fixture], batch: int) -> tuple[list[Fixture], bool]:
    """The next batch, by count or by bytes, and whether there may be more."""
    group: list[Fixture] = []
    size = 0
    for fixture in source:
        group.append(fixture)
        size += len(fixture.payload)
        if len(group) >= batch or size >= BATCH_BYTES:
            return group, True
    return group, False
