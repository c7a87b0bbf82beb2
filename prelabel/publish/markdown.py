r"""The pull-request block as Markdown. It takes ``Redacted`` only, and nothing in a payload can act where it is read.

Payload text stands in code spans and in ``diff`` fences only, never at the start of a line, on one line, and with every
character that means something to Markdown, HTML or a workflow log written as a JSON escape (``<`` as ``\u003c``): a
canonical text still says the same, and no mention, reference, link, image, tag, comment or command is left to be found
by a renderer that looks into code. Source: design, sections 9, 10 and 12; study/gate.md, pitfall 39.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import redaction
from gate.canonical.visible_json import escape
from gate.report.model import COUNT_KEYS
from gate.types import STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prelabel.publish import PublicAdvice, PublicGroup, PublicOpen, PublicReport, PublicRow
    from redaction import Redacted

BEGIN = "<!-- shadow:begin -->"
END = "<!-- shadow:end -->"
# What GitHub takes as the body of a pull request or a comment.
LIMIT = 65_536
_TEXT = 500
_LINE = 160
# One character each, told apart by what stands around it: JSON texts keep their brackets, colons and slashes.
_ACTS = re.compile(
    r"[`<>@|\x00-\x1f\x7f]"  # code, tags and comments, mentions, tables
    r"|#(?=[\w\[#])|(?<=:)(?::|/(?=/))|(?<=[wW]{3})\.|!(?=\[)|(?<=\])[(\[:]|(?<=[gG][hH])-(?=\d)"  # #1 ##[x] :: :// www. ![ ]( ][ ]: GH-1
)


def defused(text: Redacted, limit: int = _LINE) -> str:
    """One line in which nothing acts, cut to ``limit`` characters of the visible text."""
    return _inert(_window(escape(str(text)), 0, limit))


def defused_pair(baseline: Redacted, candidate: Redacted, limit: int = _TEXT) -> tuple[str, str]:
    """Both sides, each one line in which nothing acts, cut at the same place around the first difference.

    Texts that differ look different.
    """
    pair = _around(escape(str(baseline)), escape(str(candidate)), limit)
    if pair[0] == pair[1] and str(baseline) != str(candidate):
        # One side spells as an escape what the other holds: then every backslash of the texts is doubled on both.
        first, second = (escape(str(text).replace("\\", "\\\\")) for text in (baseline, candidate))
        pair = _around(first, second, limit)
    return pair


def _around(first: str, second: str, limit: int) -> tuple[str, str]:
    start = 0
    if max(len(first), len(second)) > limit:
        shorter = min(len(first), len(second))
        differs = next((at for at in range(shorter) if first[at] != second[at]), shorter)
        start = max(0, min(differs - limit // 3, max(len(first), len(second)) - limit))
        # Not inside an escape, where one is near.
        slash = first.rfind("\\", max(0, start - 10), start)
        start = slash if slash >= 0 and first[slash - 1 : slash] != "\\" else start
    return _inert(_window(first, start, limit)), _inert(_window(second, start, limit))


def _window(shown: str, start: int, limit: int) -> str:
    before = f"({start:,} characters before) .." if start else ""
    left = len(shown) - start - limit
    return before + shown[start : start + limit] + (f".. ({left:,} more characters)" if left > 0 else "")


def _inert(shown: str) -> str:
    return _ACTS.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)


def code(text: Redacted, limit: int = _LINE) -> str:
    """A code span. No backtick is left inside, so one on each side is enough; spaces at its ends would be stripped."""
    shown = defused(text, limit)
    if shown != shown.strip():
        shown = re.sub(r"^ | $", r"\\u0020", shown)
    return f"`{shown or '(empty)'}`"


def render(view: PublicReport) -> Redacted:
    """The whole block between its markers, at most ``LIMIT`` characters; scanned once more by redaction as it goes out."""
    head, tail = "\n".join(_head(view)), "\n".join(_tail(view))
    room = LIMIT - len(head) - len(tail) - 800  # what is said around the parts below, and what the last scan may add
    rows, left = _fitting(_rows(view), room * 3 // 4)
    advice, cut = _fitting(_advice(view), max(room - len(rows), 0))
    parts = [BEGIN, head, rows]
    if left:
        parts.append(f"\n{left:,} more entries do not fit here; `shadow show` lists all.")
    if advice:
        more = f"\n\n{cut:,} more lines do not fit here; `shadow prelabel` writes all of them." if cut else ""
        parts.append(f"\n<details>\n<summary>not evidence: what the rules suggest</summary>\n\n{_PREFACE}\n\n{advice}{more}\n\n</details>")
    policy = view.baseline.policy
    text = redaction.composed("\n".join([*parts, tail, END]) + "\n", policy)
    if str(text).startswith(BEGIN) and len(str(text)) <= LIMIT:
        return text
    # Redaction could not scan it all, or it grew: the numbers alone, which are ours.
    return redaction.composed(
        "\n".join([BEGIN, *_numbers(view), "", "The rows could not be shown here; `shadow show` lists them.", tail, END]) + "\n",
        policy,
    )


_PREFACE = (
    "Suggestions of fixed rules, written before anybody decided. They count for nothing in the verdict: deleting or changing them "
    "leaves it as it is. A named person decides each divergence."
)


def _head(view: PublicReport) -> Iterator[str]:
    yield from _numbers(view)
    yield f"- baseline {code(view.baseline)}, candidate {code(view.candidate)}"
    for notice in view.notices[:10]:
        yield f"- note: {code(notice, 300)}"


def _numbers(view: PublicReport) -> Iterator[str]:
    counts = view.counts
    word = "pass" if view.exit_code == 0 else "fail" if view.exit_code == 1 else "undecided"
    causes = [f"{counts[key]:,} {key}" for key in ("unclassified", "reject", "stale", "error", "undecided", "impure") if counts[key]]
    yield f"### shadow: {word}, {', '.join(causes) or 'nothing unclassified'}"
    yield ""
    statuses = ", ".join(f"{counts[status]:,} {status}" for status in reversed(STATUSES))
    yield f"- {counts['fixtures']:,} {'fixture' if counts['fixtures'] == 1 else 'fixtures'}: {statuses}"
    found = counts["accept"] + counts["reject"] + counts["unclassified"]
    verdicts = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in ("accept", "reject", "unclassified"))
    yield f"- {found:,} {'divergence' if found == 1 else 'divergences'}: {verdicts}"
    rest = [key for key in COUNT_KEYS if key not in {*STATUSES, "fixtures", "accept", "reject", "unclassified"}]
    yield f"- {', '.join(f'{counts[key]:,} {key}' for key in rest)}; exit code {view.exit_code}"


def _rows(view: PublicReport) -> Iterator[tuple[str, int]]:
    """Blocks of text, each with the number of divergences, rows or fixtures that it stands for."""
    for verdict, title in (("unclassified", "Unclassified"), ("reject", "Rejected")):
        groups = [group for group in view.groups if group.verdict == verdict]
        if groups:
            yield (
                f"\n#### {title}: {sum(group.count for group in groups):,} in {len(groups):,} {'cause' if len(groups) == 1 else 'causes'}",
                0,
            )
        for group in groups:
            yield from _group(group)
    if view.open:
        yield "\n#### Without a verdict\n", 0
    for one in view.open:
        yield _open(one), one.count
    if view.left_open:
        yield f"- {view.left_open:,} more, for other reasons: `shadow show --format json`", view.left_open
    if view.stale:
        yield f"\n#### Stale rows: {view.counts['stale']:,}\n", 0
    for row in view.stale:
        yield f"- {code(row.id)} {code(row.field)} at {code(row.row)}: {code(row.why, 300)}", 1


def _open(one: PublicOpen) -> str:
    field = "" if one.field is None else f" {code(one.field)}"
    return f"- {one.status}{field}: {code(one.cause, 300)} ({one.count:,}): {_ids(one)}"


def _ids(one: PublicOpen | PublicAdvice) -> str:
    """The first few fixtures, and how many are not named."""
    more = f" and {one.count - len(one.ids):,} more" if one.count > len(one.ids) else ""
    return ", ".join(map(code, one.ids)) + more


def _group(group: PublicGroup) -> Iterator[tuple[str, int]]:
    yours = "" if group.yours is None else f", {group.yours:,} yours"
    yield f"\n**{code(group.field)}: {code(group.kind)}** ({group.count:,}{yours})\n", 0
    for at, row in enumerate(group.rows):
        yield "\n".join(_row(row, there=group.yours is not None and at >= group.yours)), 1
    left = group.count - len(group.rows)
    if left:
        yield f"- {left:,} more of this cause", left


def _row(row: PublicRow, *, there: bool) -> Iterator[str]:
    yield f"- {code(row.id)} at {code(row.where)} ({code(row.fingerprint)})" + (", already there" if there else "")
    if row.reason is not None and row.row is not None:
        yield f"  rejected by {code(row.row)}: {code(row.reason, 500)}"
    if row.near is not None:
        yield f"  near miss: {code(row.near)} has the same id and field, but other texts"
    yield "  ```diff"
    baseline, candidate = defused_pair(row.baseline, row.candidate)
    yield f"  - {baseline}"
    yield f"  + {candidate}"
    yield "  ```"


def _advice(view: PublicReport) -> Iterator[tuple[str, int]]:
    for one in view.advice:
        rule = f"rule {code(one.rule)}" if one.rule is not None else "no rule applies"
        yield f"- {one.label}, {rule} ({one.count:,}): {code(one.reason)}\n  {_ids(one)}", 1


def _tail(view: PublicReport) -> Iterator[str]:
    yield ""
    yield "**Look closer:** `shadow show FINGERPRINT` explains one divergence, `shadow compare --only ID` runs one fixture."
    if view.counts["unclassified"]:
        yield ""
        yield (
            "**Decide:** a named person runs `shadow signoff` on a terminal; each decision becomes a row of the ledger, "
            "to be committed with this change. No comment and no approval here does that."
        )


def _fitting(pieces: Iterable[tuple[str, int]], room: int) -> tuple[str, int]:
    """As many pieces as fit, in order, and how many entries the rest stands for."""
    kept: list[str] = []
    left = 0
    for text, stands_for in pieces:
        if left == 0 and len(text) + 1 <= room:
            kept.append(text)
            room -= len(text) + 1
        else:
            left += stands_for
            room = 0 if stands_for else room
    return "\n".join(kept), left
