"""``shadow redact``: what would leave the machine, shown before anything does.

A text comes out as it would be published or sent, alone on standard output; what was hidden is counted on standard error. Of a report
each unclassified divergence comes out as the document that a model would be sent. Where one cannot look, nothing is shown.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import redaction
from gate.canonical.visible_json import escape
from gate.errors import LeakError, UsageError
from gate.terminal import emit
from gate.types import Place
from prelabel import policy
from prelabel.advise import kinds_of
from prelabel.publish.release import to_pipe
from prelabel.request import request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from gate.report.model import Report
    from prelabel.request import Request
    from redaction import Policy, Profile

PROFILES: dict[str, Profile] = {"strict": "strict", "balanced": "balanced"}
FORMATS = ("text", "json")
_SINK = "redact"


def check_words(profile: str, output_format: str) -> None:
    """Raise UsageError for a profile or format that there is none of."""
    if profile not in PROFILES:
        raise UsageError(f"--profile {profile} is unknown", remedy=f"known profiles: {', '.join(PROFILES)}")
    if output_format not in FORMATS:
        raise UsageError(f"--format {output_format} is unknown", remedy=f"known formats: {', '.join(FORMATS)}")


def look(profile: str) -> Policy:
    """How to look. Where logs are public, what is printed is public, whatever was asked for."""
    from gate.config import is_ci

    return policy.public() if is_ci() else policy.public().with_profile(PROFILES[profile])


def read_text(path: Path | None) -> str:
    """A file's text, or what standard input brings. Bytes that are no UTF-8 go through as they are."""
    try:
        data = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        place = Place(file="standard input" if path is None else str(path))
        raise UsageError(f"cannot be read: {error.strerror}", place=place, remedy="name a text file, or pipe the text in") from error
    return data.decode("utf-8", "surrogateescape")


def show_text(text: str, how: Policy, output_format: str) -> None:
    """The text as it would leave, and beside it what was hidden."""
    scope = redaction.Scope((text,), policy=how)
    (out,) = scope.rewrite({text: ""})
    if out is None:
        raise LeakError(
            "the text could not be looked through, so nothing of it is shown",
            remedy=f"a detector failed, it took over {how.seconds:g} seconds, or it has more than 4 MiB: try a part of it",
        )
    shown = scope.minted(text, out)
    legend = dict(sorted(shown.kinds.items()))
    if output_format == "json":
        held = {"version": 1, "profile": how.profile, "hidden": legend, "text": out}
        to_pipe(redaction.render(shown, lambda _: json.dumps(held) + "\n"), _SINK, raw=(text,))
        return
    to_pipe(shown, _SINK, raw=(text,))
    print(f"{how.profile}: {_legend(legend)}", file=sys.stderr)


def _legend(kinds: Mapping[str, int]) -> str:
    if not kinds:
        return "nothing was hidden; names and words without a shape are not found (docs/explanation/redaction-limits.md)"
    counted = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"hidden: {counted}. One number is one value; other numbers are other values"


def show_report(report: Report, how: Policy, output_format: str) -> None:
    """What would be sent about each unclassified divergence."""
    made = list(_requests(report, how))
    if output_format == "json":
        documents = [one.document(how) for one in made]
        emit("[" + ",\n ".join(documents) + "]")
    else:
        for number, one in enumerate(made, 1):
            emit("\n".join([f"{number} of {len(made)}", *_lines(one, how)]))
        if not made:
            emit("nothing is unclassified, so nothing would be sent")
    held = sum(one.pair is None for one in made)
    if held:
        print(f"of {held} of {len(made)} only the facts would be sent", file=sys.stderr)


def _requests(report: Report, how: Policy) -> Iterator[Request]:
    target = kinds_of(report)
    payloads = _Payloads(report)
    for entry in report.divergences:
        if entry.verdict == "unclassified":
            yield request(entry, target=target(entry.id), policy=how, payload=payloads.of(entry.id, entry.fixture_sha256))


def _lines(one: Request, how: Policy) -> Iterator[str]:
    document = json.loads(one.document(how))
    for key, value in document["facts"].items():
        yield f"  {key:<13}{value if isinstance(value, str) else json.dumps(value)}"
    if document["payload"] is None:
        yield f"  {'payload':<13}none: {document['why']}"
        return
    for key, value in document["payload"].items():
        if value not in (None, [], False):
            yield f"  {key:<13}{escape(value if isinstance(value, str) else json.dumps(value))}"


class _Payloads:
    """The fixtures of a report, where they still lie here as they were."""

    def __init__(self, report: Report) -> None:
        from gate import corpus
        from gate.config import settings_from_json
        from gate.errors import ShadowError

        try:
            made = settings_from_json(report.run.get("settings") or {})
            self._listing: corpus.Listing | None = corpus.list_fixtures(made.corpus, made.targets)
        except (ShadowError, OSError):
            self._listing = None

    def of(self, fixture_id: str, sha256: str | None) -> str | None:
        """A fixture as text; None where it is not here."""
        from gate import corpus
        from gate.errors import CorpusError
        from prelabel.view import payload_text

        item = self._listing.find(fixture_id) if self._listing is not None else None
        try:
            fixture = None if item is None else corpus.read(item)
        except CorpusError:
            fixture = None
        return payload_text(fixture.payload) if fixture is not None and fixture.sha256 == sha256 else None
