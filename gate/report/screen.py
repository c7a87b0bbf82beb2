"""The one screen that ``compare`` prints and ``show`` repeats (design, section 12).

Red: at most 24 lines. Verdict and counts; divergences by cause, unclassified first, with one example each; rejects with
the reason that is stored in the ledger; near misses; stale rows; what hid a difference; the next commands; last the
exit code and why. Everything that comes from the target, the corpus or the ledger passes through the reader's ``text``, a divergence
through its ``entry`` first, then through the escapes of visible JSON. Plain text; ``colour`` marks the verdict word and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate import enforcement
from gate.errors import EXIT_FAIL, EXIT_PASS
from gate.report import causes
from gate.report.command import flags_of, is_default, line, run_one
from gate.report.layout import columns, crop, crop_left, pair, safe, wrap
from gate.report.model import side_words
from gate.types import IMPORT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gate.report.causes import Group
    from gate.report.model import Entry, Report
    from gate.terminal import Reader
    from gate.types import VerdictWord

LINES = 24
_WORDS = {0: ("PASS", "32"), 1: ("FAIL", "31")}
_UNDECIDED = ("UNDECIDED", "33")
_STATUSES = ("match", "diverging", "trivial", "impure", "undecided", "error")
# Columns of a label, and of the space before an example.
_LABEL, _LEFT = 10, 6
_RED: tuple[VerdictWord, ...] = ("unclassified", "reject")
_NOTES = 3
_ONLY_TRIVIAL = "a target has only trivial fixtures"


def render(
    report: Report,
    *,
    reader: Reader,
    width: int = 80,
    colour: bool = False,
    report_path: str = "shadow/out/report.json",
) -> str:
    """The screen as text without a newline at its end. ``reader`` makes what is not ours fit to be seen here."""
    return _Screen(report, reader, max(40, width), report_path).text(colour=colour)


class _Screen:
    def __init__(self, report: Report, reader: Reader, width: int, report_path: str) -> None:
        self.report, self.width, self.report_path = report, width, report_path
        self.show, self.change, self.entry = safe(reader.text), safe(reader.change), reader.entry
        self.code = report.exit_code()
        self.notices = (*enforcement.notices(report.run), *report.notices)
        self.partial = any(notice.startswith("a partial run") for notice in report.notices)
        self.groups = [one for verdict in _RED for one in causes.group(report.divergences, verdict)]

    def text(self, *, colour: bool) -> str:
        head, tail = self._head(), [*self._commands(), self._last()]
        lines = [crop(one, self.width) for one in (*head, *self._body(LINES - len(head) - len(tail)), *tail)]
        if colour:
            word, sgr = _WORDS.get(self.code, _UNDECIDED)
            lines[0] = lines[0].replace(word, f"\x1b[1;{sgr}m{word}\x1b[0m", 1)
        return "\n".join(lines)

    # -- head and end -----------------------------------------------------------------------------------------

    def _head(self) -> list[str]:
        counts = self.report.counts
        word, _ = _WORDS.get(self.code, _UNDECIDED)
        first = f"{word}  {self._why()}"
        ran = ", ".join(f"{counts[status]} {status}" for status in _STATUSES if counts[status]) or "none was run"
        return [first, f"{'fixtures':<{_LABEL}}{counts['fixtures']}: {ran}", *self._sides()]

    def _sides(self) -> list[str]:
        baseline, candidate = (self.show(side_words(side)) for side in (self.report.baseline, self.report.candidate))
        return [f"{'sides':<{_LABEL}}{pair(baseline, candidate, self.width - _LABEL)}"]

    def _why(self) -> str:
        """What the verdict rests on, in the words of the counts."""
        counts = self.report.counts
        if self.code == EXIT_FAIL:
            return ", ".join(f"{counts[key]} {key}" for key in ("unclassified", "reject", "stale") if counts[key])
        if self.code == EXIT_PASS:
            if any(notice.startswith("no code change") for notice in self.report.notices):
                return "no code change"
            return f"every divergence has an accept row ({counts['accept']})" if counts["accept"] else "no divergence"
        undecided = [f"{counts[key]} {key}" for key in ("error", "undecided", "impure") if counts[key]]
        if not counts["impure"] and self.report.impure:
            undecided.append("an impure import")
        return f"no verdict on {', '.join(undecided)}" if undecided else _ONLY_TRIVIAL

    def _last(self) -> str:
        why = self._why()
        if self.code == EXIT_FAIL:
            why += " (each must be 0)"
        return f"exit {self.code}: {why}"

    # -- what differs -----------------------------------------------------------------------------------------

    def _body(self, space: int) -> list[str]:
        """Everything in the middle, in at most ``space`` lines.

        Each verdict's largest cause comes first and in full, then one note, then every other cause in one line, then
        more notes, and what room is left goes to the examples of those causes.
        """
        groups, notes = self.groups, self.notices
        blocks = {at: self._group(one) for at, one in enumerate(groups[: 2 * LINES])}
        below = [*self._stale(), *self._undecided(), *self._also()]
        room = space - len(below) - bool(notes)
        used: dict[int, int] = {}
        firsts = [next(at for at, one in enumerate(groups) if one.verdict == verdict) for verdict in {one.verdict: 0 for one in groups}]
        for at in firsts:
            used[at] = min(len(blocks[at]), room - 1)
            room -= used[at] + 1  # its heading
        for at in blocks:
            if at not in used and room > 0:
                used[at] = 1
                room -= 1
        most = max(1, min(room + 1, _NOTES if self.code == EXIT_FAIL else room + 1))
        room -= max(0, min(most, len(notes)) - 1)
        for at, lines in used.items():
            if 0 < len(blocks[at]) - lines <= room:
                room -= len(blocks[at]) - lines
                used[at] = len(blocks[at])
        above = [*self._causes(groups, blocks, used), *below]
        return [*above, *self._notices(most, space - len(above))]

    def _causes(self, groups: Sequence[Group], blocks: Mapping[int, list[str]], used: Mapping[int, int]) -> list[str]:
        lines: list[str] = []
        for verdict in _RED:
            mine = [at for at, one in enumerate(groups) if one.verdict == verdict]
            if mine:
                number = sum(len(groups[at].entries) for at in mine)
                shown = sum(at in used for at in mine)
                several = f"in {len(mine)} causes" if len(mine) > 1 else "with one cause"
                rest = f" ({shown} shown, all in {self.show(self.report_path)})" if shown < len(mine) else ""
                lines.append(f"{verdict}: {number} {several}{rest}")
                lines += [one for at in mine if at in used for one in blocks[at][: used[at]]]
        return lines

    def _group(self, one: Group) -> list[str]:
        """A heading that says the cause, and below it one example. The heading of rejects is their stored reason."""
        yours = [entry for entry in one.entries if entry.attribution == "yours"]
        whose = "" if one.entries[0].attribution is None else f"{len(yours) or 'none'} yours, "
        entry = self.entry(next((entry for entry in one.entries if entry.near), (yours or one.entries)[0]))
        times, example = (f"{len(one.entries)} x ", "e.g. ") if len(one.entries) > 1 else ("", "")
        if one.verdict == "reject":
            reason = wrap(f"{times}{self.show(one.field)}: {self.show(entry.reason or 'no reason')}", self.width - _LEFT, 2)
            where = f"{example}{crop_left(self.show(entry.id), self.width // 3)}: "
            row = f"   ({crop_left(self.show(entry.row or 'no row'), self.width // 3)})"
            change = self._change(entry, self.width - _LEFT - len(where) - len(row))
            return [f"  {reason[0]}", *(f"{'':{_LEFT}}{line}" for line in (*reason[1:], f"{where}{change}{row}"))]
        tail = f"   ({whose}{example}{self.show(entry.id)})"
        head = crop(f"  {times}{self.show(one.field)}: {self.show(one.kind)}", max(self.width // 2, self.width - len(tail)))
        change = self._change(entry, self.width - _LEFT)
        below = [*([] if change == one.kind else [change]), *self._note(entry)]
        return [head + tail, *(f"{'':{_LEFT}}{line}" for line in below)]

    def _change(self, entry: Entry, room: int) -> str:
        """Both texts where they fit on the line, else the first changed place, else both cut around it."""
        baseline, candidate = self.show(entry.baseline), self.show(entry.candidate)
        if columns(f"{baseline} -> {candidate}") <= room or not entry.paths or (parts := causes.split(entry.paths[0])) is None:
            return pair(baseline, candidate, room)
        at = crop_left(self.show(parts[0]), room // 3)
        others = len(entry.paths) - 1
        more = f" (and {others} more {'place' if others == 1 else 'places'})" if others > 0 else ""
        return f"{at}: {pair(self.show(parts[1]), self.show(parts[2]), room - columns(at) - 2 - len(more))}{more}"

    def _note(self, entry: Entry) -> list[str]:
        """What the ledger has to do with an unclassified one, where it has: a near miss, a row that does not count."""
        if entry.near:
            return wrap(f"near miss: {self.show(entry.near)} has this id and field, but another text", self.width - _LEFT, 2)
        # What the ledger says of a divergence without any row is the same for all of them.
        return [] if not entry.why or entry.why.startswith("no row") else wrap(self.show(entry.why), self.width - _LEFT, 2)

    # -- one line each ----------------------------------------------------------------------------------------

    def _stale(self) -> list[str]:
        def said(item: Mapping[str, Any]) -> str:
            return f"{self.show(str(item.get('row')))} for {self.show(item['id'])}: {self.show(str(item.get('why')))}"

        return self._one_line("stale", self.report.stale, said)

    def _undecided(self) -> list[str]:
        def said(item: Mapping[str, Any]) -> str:
            field = f" {item['field']}" if "field" in item else ""
            paths = item.get("paths") or ()
            where = f" (at {crop(self.change(str(paths[0])), 2 * self.width)})" if paths and "field" in item else ""
            return f"{self.show(item['id'])}{field}: {self.show(str(item.get('cause')))}{where}"

        report = self.report
        named = (("error", report.errors), ("undecided", report.undecided), ("impure", report.impure))
        return [one for name, items in named for one in self._one_line(name, items, said)]

    def _one_line(self, name: str, items: Sequence[Mapping[str, Any]], said: Callable[[Mapping[str, Any]], str]) -> list[str]:
        if not items:
            return []
        more = f" (and {len(items) - 1} more: `shadow show --format json`)" if len(items) > 1 else ""
        first, *rest = wrap(said(items[0]) + more, self.width - _LABEL, 3)
        return [f"{name:<{_LABEL}}{first}", *(f"{'':<{_LABEL}}{line}" for line in rest)]

    def _also(self) -> list[str]:
        """What does not gate, and could hide something: smoothed first, with the rules that hid it."""
        report, parts = self.report, []
        if report.smoothed:
            rules = sorted({str(rule) for item in report.smoothed for rule in item.get("rules", ())})
            parts.append(f"{len(report.smoothed)} smoothed by {', '.join(rules)}")
        if report.noted:
            parts.append(f"{len(report.noted)} noted ({', '.join(sorted({str(item.get('field')) for item in report.noted}))})")
        parts += self._reused()
        if report.standing:
            number = len(report.standing)
            parts.append(f"{number} reject rows stand" if number > 1 else "1 reject row stands")
        return [f"{'also':<{_LABEL}}{self.show('; '.join(parts))}"] if parts else []

    def _reused(self) -> list[str]:
        """What of the baseline was not run, and when it was seen."""
        items = [item for item in self.report.run.get("reused", ()) if isinstance(item, dict)]
        count = sum(item["fixtures"] for item in items if isinstance(item.get("fixtures"), int))
        since = min((str(item.get("recorded")) for item in items if item.get("fixtures")), default="")
        return [
            *([f"{count} outcomes of the baseline reused from {since}"] if count else []),
            *(str(item["note"]) for item in items if item.get("note")),
        ]

    def _notices(self, most: int, space: int) -> list[str]:
        """At most ``most`` notices; whole where there is space for them, else one line each."""
        notices = self.notices
        whole = [wrap(self.show(notice), self.width - _LABEL, 4) for notice in notices]
        if self.code != EXIT_FAIL and sum(map(len, whole)) <= space:
            return [f"{'note' if not at else '':<{_LABEL}}{part}" for parts in whole for at, part in enumerate(parts)]
        lines = [f"{'note':<{_LABEL}}{self.show(notice)}" for notice in notices[:most]]
        if len(notices) > most:
            more = f" (and {len(notices) - most} more)"
            lines[-1] = crop(lines[-1], self.width - len(more)) + more
        return lines

    # -- what to type -----------------------------------------------------------------------------------------

    def _commands(self) -> list[str]:
        if self.code == EXIT_PASS:
            return []
        report = self.report
        red = [entry for one in self.groups for entry in one.entries]
        lines = [f"{'see one':<{_LABEL}}{self._show_command([red[0].fingerprint])}"] if red else []
        if (fixture := self._to_run(red)) is not None:
            lines.append(f"{'run one':<{_LABEL}}{self._run_command(fixture)}")
        if red:
            first = "change the candidate, take out stale rows, run" if report.stale else "change the candidate, then run"
            lines.append(f"{'fix':<{_LABEL}}{first} `shadow compare` again")
        elif self._why() == _ONLY_TRIVIAL and self.partial:
            lines.append(f"{'fix':<{_LABEL}}nothing here: run the whole corpus, these fixtures say little alone")
        elif self._why() == _ONLY_TRIVIAL:
            lines.append(f"{'fix':<{_LABEL}}add fixtures, or an adapter, that reach the code behind the call")
            lines.append(f"{'':<{_LABEL}}(`shadow corpus record` will take them from your tests, later)")
        elif report.impure:
            lines.append(f"{'fix':<{_LABEL}}give the fixture what moves (`now`, `env`, `files`), or let a rule")
            lines.append(f"{'':<{_LABEL}}or the adapter leave it out; `shadow corpus check` tries it")
        elif report.stale:
            lines.append(f"{'fix':<{_LABEL}}take the stale row out of the ledger, or bring its divergence back")
        if report.counts["unclassified"]:
            where = "" if is_default(self.report_path) else f" {line([self.report_path])}"
            lines.append(f"{'accept':<{_LABEL}}shadow signoff{self.show(where)}   (a named person, on a terminal)")
        return lines

    def _to_run(self, red: Sequence[Entry]) -> str | None:
        """An id that can be run alone; what happened at import cannot."""
        ids = [entry.id for entry in red]
        ids += [item["id"] for items in (self.report.errors, self.report.undecided, self.report.impure) for item in items]
        return next((fixture_id for fixture_id in ids if fixture_id != IMPORT_ID), None)

    def _run_command(self, fixture_id: str) -> str:
        whole = self.show(run_one(self.report, fixture_id))
        if len(whole) <= self.width - _LABEL or not flags_of(self.report):
            return whole
        return self.show(f"shadow compare (the same flags) {line(['--only', fixture_id])}")

    def _show_command(self, words: Sequence[str]) -> str:
        where = () if is_default(self.report_path) else ("--report", self.report_path)
        return self.show(line(["shadow", "show", *words, *where]))
