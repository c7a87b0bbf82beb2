"""The one exit: every text that leaves the machine, or that everybody may read, goes through here on its way to its sink.

Publishers make ``Redacted`` texts; here the very text that leaves is looked at once more, by the policy that it was made under and
for every value that was found in the raw texts. A hit blocks: nothing is written, the command ends in an error that names the sink
and the kind, never the value. No other module of ``prelabel.publish``, nor ``annotate``, writes (a test walks their sources).
Source: study of redaction, section 8 ("Last gate in the product itself").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import redaction
from gate.errors import LeakError
from gate.files import write_through
from gate.terminal import write_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from redaction import Pair, Policy, Redacted

# Every place that a text may leave to. A new one is a line here, or its text is refused.
SINKS = {
    "block": "the block of a pull request, printed (`annotate`, `show --format markdown`)",
    "file": "the block of a pull request, in a file or a job summary (`annotate`)",
    "screen": "what a command prints where logs are public",
    "error": "an error message where logs are public",
    "crash": "the file that a bug of ours leaves",
    "advice": "advice.json",
    "report": "the redacted report (`compare --redact`; `show --format json` where logs are public)",
    "request": "the document that a model would be sent",
    "ledger": "the excerpt in a row of the ledger",
    "redact": "what `shadow redact` prints",
}
# What is put together from redacted parts, line by line. In all others one text is one payload, or one string of it.
_COMPOSED = frozenset({"block", "file", "screen"})
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def release(out: Redacted, sink: str, *, raw: Iterable[str] = ()) -> str:
    """The text of ``out`` for this sink; ``LeakError`` where something still shows in it."""
    if type(out) is not redaction.Redacted:
        raise TypeError(f"only Redacted leaves, not {type(out).__name__}")
    check((out.text,), sink, policy=out.policy, raw=raw, composed=sink in _COMPOSED)
    return out.text


def check(texts: Iterable[str], sink: str, *, policy: Policy, raw: Iterable[str] = (), composed: bool = False) -> None:
    """Raise ``LeakError`` where something shows in the texts that would leave to this sink."""
    kinds = redaction.leaks(texts, raw, policy=policy, composed=composed)
    if kinds:
        found = "could not be looked at a last time" if kinds == ("unscanned",) else f"still showed {', '.join(kinds)}"
        raise LeakError(f"held back: what was to leave to `{sink}`, {SINKS[sink]}, {found}")


def check_pair(pair: Pair, sink: str, *, raw: Iterable[str]) -> None:
    """The same for what came out of one scope, against the raw texts that went in; only where anything was hidden in it."""
    texts = (pair.baseline, pair.candidate, *pair.more.values())
    if any(text.kinds for text in texts):
        check([text.text for text in texts], sink, policy=pair.baseline.policy, raw=raw)


def of_json(sink: str, policy: Policy) -> Callable[[str], str]:
    """For a document in pieces: gives each piece back unchanged, after a last look at every string in it.

    String by string, because names of our own (`pin`) announce secrets elsewhere; a payload's names stand inside one string.
    """
    import json

    seen: set[str] = set()

    def leaving(piece: str) -> str:
        fresh = {text for match in _STRING.finditer(piece) if len(text := json.loads(match[0], strict=False)) > 5} - seen
        check(sorted(fresh), sink, policy=policy)
        seen.update(text for text in fresh if len(text) < 200)
        return piece

    return leaving


def to_document(path: Path, text: str, sink: str, policy: Policy) -> None:
    """Write a JSON document, all or nothing."""
    write_through(path, of_json(sink, policy)(text).encode("utf-8"))


def to_screen(out: Redacted, sink: str) -> None:
    """Print it."""
    write_out(release(out, sink))


def to_pipe(out: Redacted, sink: str, *, raw: Iterable[str] = ()) -> None:
    """Print it to the byte, so that it can be piped on: nothing is escaped and no newline added."""
    import sys

    data = release(out, sink, raw=raw).encode("utf-8", "surrogateescape")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def to_file(path: Path, out: Redacted, sink: str, *, before: bytes = b"", behind: bytes | None = None) -> None:
    """Write it, all or nothing. ``before`` and ``behind`` stood there and are somebody else's: with any ``behind``, no newline is added."""
    text = release(out, sink)
    written = (text if behind is None else text.rstrip("\n")).encode("utf-8", "backslashreplace")
    write_through(path, before + written + (behind or b""))
