"""``shadow show ID``: everything about one fixture or one divergence, and how to run it here.

Nothing is cut: both texts stand in full, each on a line of its own, for a person who has to decide. Everything that is
not ours passes through the reader and the escapes of visible JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.report.command import is_default, line, run_one
from gate.report.find import find
from gate.report.layout import safe
from gate.types import IMPORT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.report.model import Entry, Report
    from gate.terminal import Reader

_LABEL = 13
_LISTS = {
    "noted": "noted: a difference in a field that does not gate",
    "smoothed": "smoothed: raw texts differ, and rules made them agree",
    "impure": "impure: the baseline differs from itself (left: as in this run, right: with the cause moved)",
    "undecided": "undecided: no verdict could be reached",
    "errors": "error: a fault of the fixture or the harness, not of the target",
    "stale": "stale: an accept row that no longer holds",
    "standing": "standing: a reject row that nothing matches now",
}
_DEFAULT_WHY = {
    "unclassified": "no row of the ledger has this fixture id, field and both texts",
    "accept": "an accept row of the ledger has exactly this divergence",
    "reject": "a reject row of the ledger has exactly this divergence",
}


def explain(report: Report, wanted: str, *, reader: Reader, report_path: str = "shadow/out/report.json") -> str:
    """The answer as text, without a newline at its end. Unknown ids raise ``ReportError`` with the nearest known one."""
    found, show, change = find(report, wanted), safe(reader.text), safe(reader.change)
    blocks = [_divergence(reader.entry(entry), show) for entry in found.divergences]
    blocks += [_other(name, item, show, change) for name, items in found.others.items() for item in items]
    fixture_id = found.divergences[0].id if found.divergences else wanted
    return "\n".join("\n".join(block) for block in _spaced([*blocks, _next(report, fixture_id, show, report_path, found.divergences)]))


def _spaced(blocks: list[list[str]]) -> list[list[str]]:
    return [*([*block, ""] for block in blocks[:-1]), blocks[-1]]


def _divergence(entry: Entry, show: Callable[[str], str]) -> list[str]:
    lines = [
        f"{show(entry.id)}  {show(entry.field)}  {entry.verdict}",
        _row("fingerprint", show(entry.fingerprint)),
        _row("why", show(entry.why or _DEFAULT_WHY[entry.verdict])),
    ]
    if entry.attribution is not None:
        lines.append(_row("attribution", show(entry.attribution)))
    if entry.row is not None:
        lines.append(_row("row", show(entry.row)))
    if entry.reason is not None:
        lines.append(_row("reason", show(entry.reason)))
    if entry.near is not None:
        lines.append(_row("near miss", f"{show(entry.near)} has the same id and field, but another text"))
    lines += [_row("baseline", show(entry.baseline)), _row("candidate", show(entry.candidate))]
    for at, path in enumerate(entry.paths):
        lines.append(_row("changed at" if not at else "", show(path)))
    if entry.fixture_sha256 is not None:
        lines.append(_row("fixture", f"sha256 {show(entry.fixture_sha256)}"))
    return lines


def _other(name: str, item: Mapping[str, Any], show: Callable[[str], str], change: Callable[[str], str]) -> list[str]:
    field = item.get("field")
    lines = [f"{show(item['id'])}  {show(field) + '  ' if isinstance(field, str) else ''}{_LISTS[name]}"]
    for key, value in item.items():
        if key == "paths" and isinstance(value, list):
            label = "differs at" if name == "impure" else "hidden at"
            lines += [_row("" if at else label, change(str(path))) for at, path in enumerate(value)]
        elif key not in ("id", "field") and value is not None:
            text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            lines.append(_row(key, show(text)))
    return lines


def _next(report: Report, fixture_id: str, show: Callable[[str], str], report_path: str, entries: tuple[Entry, ...]) -> list[str]:
    """What to type now. What happened while the target was imported is seen by every run."""
    lines = [_row("run it here", show(run_one(report, None if fixture_id == IMPORT_ID else fixture_id)))]
    if any(entry.verdict == "unclassified" for entry in entries):
        where = [] if is_default(report_path) else [report_path]
        lines.append(_row("accept it", f"{show(line(['shadow', 'signoff', *where]))}   (a named person, on a terminal)"))
    return lines


def _row(label: str, text: str) -> str:
    return f"  {label:<{_LABEL}}{text}".rstrip()
