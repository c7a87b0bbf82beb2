"""What a contestant offers: texts in, the texts without what it found out. Standard library only: others' interpreters load it too."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

MASK = "REDACTED"


@dataclass(frozen=True, slots=True)
class Batch:
    """What came out, and the CPU seconds of each text (of all together where a tool takes many at once)."""

    outs: tuple[str, ...]
    seconds: tuple[float, ...]


class Contestant(Protocol):
    """One way of hiding secrets. A text in which it finds nothing comes out as it went in."""

    name: str

    def redact(self, texts: Sequence[str], *, limit: float) -> Batch:
        """The texts redacted. Raises TimeoutError after `limit` seconds if it can."""
        ...

    def redact_pair(self, baseline: str, candidate: str) -> tuple[str, str]: ...


def one_by_one(texts: Iterable[str], redact: Callable[[str], str]) -> Batch:
    """A batch of a function of one text."""
    outs, seconds = [], []
    for text in texts:
        started = time.process_time()
        outs.append(redact(text))
        seconds.append(time.process_time() - started)
    return Batch(tuple(outs), tuple(seconds))


def masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the union of the spans (offsets in code points) replaced by a mask each."""
    made, at = [], 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        if start >= at:
            made += [text[at:start], MASK]
        at = end
    return "".join([*made, text[at:]])


def spans_of(text: str, values: Iterable[str]) -> list[tuple[int, int]]:
    """All places of the values in the text: for tools that report what they found, but not where."""
    head = 4  # thousands of values in a long text: looked up by how they begin, in one pass
    heads: dict[str, list[str]] = {}
    for value in {value for value in values if value}:
        heads.setdefault(value[:head], []).append(value)
    found = []
    for size in {len(start) for start in heads}:
        for at in range(len(text)):
            found += [(at, at + len(value)) for value in heads.get(text[at : at + size], ()) if text.startswith(value, at)]
    return sorted(found)


def serve(redact: Callable[[Sequence[str]], Batch]) -> None:
    """The child's side of the protocol: a line is a JSON list of texts, the answer a line with outs and seconds."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    for line in sys.stdin:
        batch = redact(json.loads(line))
        print(json.dumps({"outs": batch.outs, "seconds": batch.seconds}), file=answers, flush=True)
