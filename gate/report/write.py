"""``report.json`` out: the keys in the order of design section 12, one entry a line, never half a file.

Outside ``run`` the bytes depend on the report's values alone. Non-ASCII stands raw, so that a text pasted into the
ledger loads as YAML; what neither JSON readers nor YAML take raw (halves of characters, C1 controls, line separators)
is escaped. (A high half before a low one then reads back as the character they make: that is what JSON says.) A run
with ten thousand divergences is written entry by entry: the text is never whole in memory.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import ReportError
from gate.files import is_special
from gate.report.model import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO

    from gate.report.model import Entry, Report

OBJECTS = ("baseline", "candidate", "corpus", "canonical", "config", "trust")
# Lists of the report but ``divergences``, in the order of the file.
LISTS = ("noted", "smoothed", "impure", "undecided", "errors", "stale", "standing")
KEYS = ("version", "passed", "unclassified", "counts", *OBJECTS, "divergences", *LISTS, "notices", "run")

_RAW = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_START = f'{{\n  "version": {VERSION}'.encode()
_ENCODE = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False).encode


def public_path(path: Path, *, wanted: bool) -> tuple[Path, ...]:
    """Where the redacted report lies beside the raw one: ``report.public.json``. None for a report that is no file."""
    if path.exists() and not path.is_file():
        if wanted:
            raise ReportError(f"{path} is no file, so nothing can lie beside it", remedy="name a file with --report, or leave --redact out")
        return ()
    return (path.with_name(f"{path.stem}.public{path.suffix}"),)


@contextmanager
def replacing(*paths: Path) -> Iterator[None]:
    """Around a run that writes ``paths``: one that leaves no report leaves no older one, which would be about other inputs.

    An interrupted run has decided nothing and changes nothing: the last report stays. What is no report is kept and refused.
    """
    for path in paths:
        if path.is_file():
            with path.open("rb") as file:
                head = file.read(len(_START))
            if head not in {_START, b""}:
                raise ReportError(f"{path} exists and is no report of shadow; it was not touched", remedy="name another file with --report")
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException:
        for path in paths:
            if path.is_file():
                path.unlink()
        raise


def write_report(report: Report, path: Path, *, leaving: Callable[[str], str] = str) -> None:
    """Write ``path`` in one step: readers see the old file or the new one. Folders are made.

    ``leaving`` is given every piece of the file on its way out, and may raise: then nothing is written.
    """
    goal = Path(os.path.realpath(path))
    try:
        goal.parent.mkdir(parents=True, exist_ok=True)
        if is_special(goal):  # /dev/null, a pipe: a rename would replace the device itself
            with goal.open("wb") as file:
                _write(file, report, leaving)
            return
        draft = goal.with_name(f".{goal.name}.{os.getpid()}.tmp")
        draft.unlink(missing_ok=True)
        try:
            with draft.open("xb") as file:
                _write(file, report, leaving)
            draft.replace(goal)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        what = f"the report cannot be written to {path}: {error.strerror or error}"
        raise ReportError(what, remedy="name another file with --report") from None


def to_json(
    report: Report, *, only: str | None = None, view: Callable[[Report], Report] | None = None, leaving: Callable[[str], str] = str
) -> str:
    """The file's text; with ``only`` the lists alone, cut down to what concerns one fixture id or fingerprint.

    ``view`` is the report as its reader may see it, and ``leaving`` is given every piece on its way out.
    """
    if only is not None:
        from gate.report.find import narrowed

        report = narrowed(report, only)
    report = report if view is None else view(report)
    if only is None:
        return "".join(map(leaving, _pieces(report)))
    parts = [f'{{\n  "version": {VERSION}', *_list("divergences", map(entry_json, report.divergences))]
    for name in LISTS:
        parts += _list(name, getattr(report, name))
    return "".join(map(leaving, [*parts, "\n}\n"]))


def entry_json(entry: Entry) -> dict[str, Any]:
    """One divergence as the file holds it."""
    return {
        "id": entry.id,
        "field": entry.field,
        "baseline": entry.baseline,
        "candidate": entry.candidate,
        "verdict": entry.verdict,
        "fingerprint": entry.fingerprint,
        "fixture_sha256": entry.fixture_sha256,
        "row": entry.row,
        "reason": entry.reason,
        "paths": list(entry.paths),
        "near": entry.near,
        "why": entry.why,
        "attribution": entry.attribution,
    }


def _write(file: BinaryIO, report: Report, leaving: Callable[[str], str]) -> None:
    file.writelines(leaving(piece).encode("utf-8") for piece in _pieces(report))


def _pieces(report: Report) -> Iterator[str]:
    yield f'{{\n  "version": {VERSION}'
    if report.redacted:
        yield ',\n  "redacted": true'
    for key in ("passed", "unclassified", "counts", *OBJECTS):
        value = getattr(report, key)
        yield f',\n  "{key}": {_encode(value if isinstance(value, (bool, int)) else dict(value))}'
    yield from _list("divergences", map(entry_json, report.divergences))
    for key in LISTS:
        yield from _list(key, getattr(report, key))
    yield from _list("notices", report.notices)
    yield f',\n  "run": {_encode(dict(report.run))}\n}}\n'


def _list(key: str, items: Iterable[Mapping[str, Any] | str]) -> Iterator[str]:
    yield f',\n  "{key}": ['
    between, end = "\n    ", "]"
    for item in items:
        yield between + _encode(item if isinstance(item, str) else dict(item))
        between, end = ",\n    ", "\n  ]"
    yield end


def _encode(value: Any) -> str:
    return _RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", _ENCODE(value))
