"""One row at a time: what the person sees, and the questions that lead to a decision.

Decide first; only then is the advice revealed, and the decision may be changed once. No question has a default, Enter
alone asks again, and a row that was cut on the screen must be opened in full before it can be accepted. Everything of
the report is escaped before it is shown. Source: design, section 11; the sign-off study, 4.9 to 4.11 and 6.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from gate.canonical.visible_json import escape
from gate.ledger.rows import visible_letters
from gate.verdict import identity
from prelabel import view
from prelabel.identity import has_hidden
from prelabel.sitting import OTHER, Choice, Decided, Revealed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.report.model import Entry
    from gate.types import Decision, LedgerRow
    from prelabel.terminal import Screen

ACCEPT_REASON = 10
REJECT_REASON = 3
LONGEST_REASON = 500
_LABEL = 12
_INPUT = 600

# What a person can do instead of deciding: leave it, go back one row, or end the sitting.
Step = Literal["skip", "back", "quit"]
_First = Literal["accept", "reject", "skip", "back", "quit", "open"]
_Later = Literal["keep", "change", "undecide", "back", "quit"]
_FIRST: dict[str, _First] = {"a": "accept", "r": "reject", "s": "skip", "b": "back", "o": "open", "q": "quit"}
_KEEP: dict[str, Literal["keep", "change"]] = {"k": "keep", "c": "change"}
_LATER: dict[str, _Later] = {"k": "keep", "c": "change", "u": "undecide", "b": "back", "q": "quit"}
_MORE: dict[str, Literal["next", "end"]] = {"n": "next", "e": "end"}
_LEAVE: dict[str, Step] = {"s": "skip", "b": "back", "q": "quit"}

Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One unclassified divergence as it is put before a person. ``payload`` is the fixture as text, None where it is not here."""

    entry: Entry
    payload: str | None
    note: str = ""
    near: LedgerRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in the sitting a row stands, and what was decided on it before."""

    number: int
    total: int
    before: Decided | None = None


def show(screen: Screen, case: Case, place: Place) -> bool:
    """Print one row; whether something of it was cut."""
    entry = case.entry
    both = view.sides(entry.baseline, entry.candidate)
    shown = view.bounded(case.payload, _INPUT) if case.payload is not None else None
    screen.say()
    screen.say("-" * (screen.width - 1))
    screen.say(f"{place.number} of {place.total}   {escape(entry.id)}")
    _labelled(screen, "field", escape(entry.field))
    if shown is not None:
        _labelled(screen, "input", shown.text or "(empty)")
    if case.note:
        _labelled(screen, "note", case.note)
    _labelled(screen, "baseline", both.baseline.text)
    _labelled(screen, "candidate", both.candidate.text)
    for number, sentence in enumerate(view.words(entry.baseline, entry.candidate, field=entry.field)):
        _labelled(screen, "" if number else "difference", sentence)
    if entry.why:
        _labelled(screen, "no verdict", escape(entry.why))
    if case.near is not None:
        _near(screen, case.near)
    omitted = both.baseline.omitted + both.candidate.omitted + (shown.omitted if shown else 0)
    if omitted:
        _labelled(screen, "cut", f"{omitted:,} characters are not shown; open the row in full (o) before you accept it")
    return bool(omitted)


def _near(screen: Screen, near: LedgerRow) -> None:
    """The row with the same id and field: most often the divergence that was signed before the patch moved on."""
    both = view.sides(near.baseline, near.candidate, limit=_INPUT)
    _labelled(screen, "near miss", f"{near.place}: {near.decision}, because: {escape(near.reason)}")
    _labelled(screen, "  baseline", both.baseline.text)
    _labelled(screen, "  candidate", both.candidate.text)


def _labelled(screen: Screen, label: str, text: str) -> None:
    """A label and a text, broken at the width of the screen; every character of the text is there."""
    lines = broken(text, max(screen.width - _LABEL - 1, 20)) or [""]
    for number, line in enumerate(lines):
        screen.say(f"{'' if number else label:<{_LABEL}}{line}")


def prose(screen: Screen, text: str) -> None:
    """A sentence of ours, broken at the width of the screen."""
    for line in broken(text, screen.width - 1):
        screen.say(line)


def broken(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` characters, broken behind spaces where there are any; joined they are the text again."""
    lines: list[str] = []
    while len(text) > width:
        at = text.rfind(" ", width // 2, width) + 1 or width
        lines.append(text[:at])
        text = text[at:]
    return [*lines, text] if text else lines


def open_in_full(screen: Screen, case: Case) -> bool:
    """Every character of the row, a screenful at a time; whether the person went to the end."""
    room = max(screen.width - 3, 20)
    lines: list[str] = []
    texts = [("input", case.payload), ("baseline", case.entry.baseline), ("candidate", case.entry.candidate)]
    for label, text in ((label, escape(text)) for label, text in texts if text is not None):
        lines.append(f"{label} ({len(text):,} characters)")
        lines += [f"  {text[at : at + room]}" for at in range(0, len(text), room)] or ["  (empty)"]
    step = max(screen.height - 3, 5)
    for at in range(0, len(lines), step):
        for line in lines[at : at + step]:
            screen.say(line)
        left = len(lines) - at - step
        if left > 0 and choose(screen, f"{left:,} more lines   n next   e end: ", _MORE) == "end":
            screen.say("Not read to its end, so it does not count as opened.")
            return False
    return True


def choose(screen: Screen, prompt: str, keys: Mapping[str, Word]) -> Word:
    """The word that a key (or the word itself) stands for. Enter alone, and anything else, asks again."""
    known: dict[str, Word] = {**{str(word): word for word in keys.values()}, **keys}
    while True:
        typed = screen.ask(prompt).lower()
        if typed in known:
            return known[typed]
        if typed:
            screen.say(f"'{escape(typed[:40])}' is none of: {', '.join(f'{key} ({word})' for key, word in keys.items())}")


def reason_fault(reason: str, decision: Decision, *, advice: str, finds: Callable[[str], object]) -> str | None:
    """Why a reason cannot stand in the ledger, None where it can. ``advice`` is what a reason must not merely repeat.

    ``finds`` gives what is seen in a reason, in words (`prelabel.seen`), empty where nothing is.
    """
    least, letters = (ACCEPT_REASON, 3) if decision == "accept" else (REJECT_REASON, 1)
    if has_hidden(reason):
        return "a reason is one line without control or invisible characters"
    if len(reason) > LONGEST_REASON:
        return f"a reason has at most {LONGEST_REASON} characters"
    if len(reason) < least or len(set(visible_letters(reason.casefold()))) < letters:
        return f"a reason to {decision} has at least {least} characters, in words" + (
            " (three different letters or more)" if letters > 1 else ""
        )
    if decision == "accept" and _folded(reason) == _folded(advice):
        return "that is the text of the advice; say in your own words why this change is meant"
    if seen := finds(reason):
        said = "that looks as if it held a secret or an address" + ("" if seen is True else f": {seen}")
        return f"{said}; the ledger is public to all readers of the repository, so say it without the value"
    return None


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the questions about one row need from outside. ``keep`` puts into the draft what must outlive a Ctrl-C."""

    screen: Screen
    keep: Callable[[Decided], None]
    advise: Callable[[Entry], Revealed]
    finds: Callable[[str], object]

    def row(self, case: Case, place: Place) -> Decided | Step:
        """Put one row before the person until it is decided, skipped or left."""
        started = time.monotonic()
        was_cut = show(self.screen, case, place)
        before = place.before
        if before is not None and (before.final is not None or before.changed):
            return self._later(case, before, was_cut=was_cut)
        if before is not None and before.earlier is not None:
            said = f"Earlier you decided: {before.earlier.decision}, because: {escape(before.earlier.reason)}"
            prose(self.screen, f"{said} (as a draft says; it counts only if you decide so again).")
        advice = self.advise(case.entry)
        got = self._first(case, advice, was_cut=was_cut, opened=False)
        if isinstance(got, str):
            return got
        choice, opened = got
        if before is not None and before.revealed is not None:
            # Left undecided after its advice had been seen: this is the one change, and the first choice stays on record.
            seconds = round(before.seconds + time.monotonic() - started, 3)
            return self._filed(replace(before, final=choice, changed=True, opened=opened or before.opened, seconds=seconds))
        kept = Decided(
            id=case.entry.id,
            field=case.entry.field,
            identity=identity(case.entry),
            fixture_sha256=case.entry.fixture_sha256,
            first=choice if before is None else before.first,
            earlier=choice,
        )
        # Before the advice is on the screen: no later sitting may take a choice for the first that was made after seeing it.
        self.keep(kept)
        self._reveal(advice, choice)
        final: Choice | None = choice
        if choose(self.screen, "k keep   c change (once): ", _KEEP) == "change":
            final, opened = self._change(case, advice, was_cut=was_cut, opened=opened)
        changed = final is not None and (final is not choice or final.decision != kept.first.decision)
        seconds = round(time.monotonic() - started, 3)
        return self._filed(replace(kept, final=final, revealed=advice, changed=changed, opened=opened, seconds=seconds, earlier=None))

    def _first(self, case: Case, advice: Revealed, *, was_cut: bool, opened: bool) -> tuple[Choice, bool] | Step:
        self.screen.say("a accept   r reject   s skip   b back   o open in full   q quit")
        while True:
            word = choose(self.screen, "decide: ", _FIRST)
            if word == "open":
                opened = open_in_full(self.screen, case) or opened
            elif word == "accept" and was_cut and not opened:
                prose(self.screen, "This row was cut on the screen: open it in full (o) and read it to its end before you accept it.")
            elif word == "accept" or word == "reject":  # noqa: PLR1714  # written out, the type of the word narrows
                reason = self._reason(word, advice)
                if reason is not None:
                    return Choice(decision=word, reason=reason), opened
            else:
                return word

    def _reason(self, decision: Decision, advice: Revealed) -> str | None:
        """A reason in the person's own words; None where the person took the decision back."""
        while True:
            typed = self.screen.ask(f"why {decision}? one line, in your own words (b: back to the decision): ")
            if typed.lower() == "b":
                return None
            if not typed:
                continue
            fault = reason_fault(typed, decision, advice=advice.reason, finds=self.finds)
            if fault is None:
                return typed
            prose(self.screen, f"{fault}.")

    def _reveal(self, advice: Revealed, first: Choice) -> None:
        source = f"by the rule {escape(advice.rule)}" if advice.rule else "no rule applies"
        self.screen.say()
        prose(self.screen, f"You decided: {first.decision}. Now the advice, which is not evidence: {escape(advice.label)} ({source}).")
        _labelled(self.screen, "", escape(advice.reason))

    def _change(self, case: Case, advice: Revealed, *, was_cut: bool, opened: bool) -> tuple[Choice | None, bool]:
        while True:
            got = self._first(case, advice, was_cut=was_cut, opened=opened)
            if isinstance(got, tuple):
                return got
            if got == "skip":
                return None, opened
            self.screen.say("First decide this row, or skip it to leave it undecided.")

    def _later(self, case: Case, before: Decided, *, was_cut: bool) -> Decided | Step:
        """A row that was decided earlier in this sitting."""
        final = before.final
        if final is None:
            prose(self.screen, "You changed this row once and then left it undecided: it stays so in this sitting.")
            return choose(self.screen, "s skip   b back   q quit: ", _LEAVE)
        prose(self.screen, f"You decided: {final.decision}, because: {escape(final.reason)}")
        keys = {key: word for key, word in _LATER.items() if key != "c" or not before.changed}
        once = "" if before.changed else "   c change (once)"
        word = choose(self.screen, f"k keep{once}   u leave undecided   b back   q quit: ", keys)
        if word == "back" or word == "quit":  # noqa: PLR1714  # as above
            return word
        if word == "keep":
            return "skip"
        if word == "undecide":
            return replace(before, final=None)
        advice = before.revealed or self.advise(case.entry)
        changed, opened = self._change(case, advice, was_cut=was_cut, opened=before.opened)
        return self._filed(replace(before, final=changed, changed=changed is not None, opened=opened))

    def _filed(self, decided: Decided) -> Decided:
        """With its category: the rule that speaks, or ``other``. Asked last, so that it nudges nothing."""
        rule = decided.revealed.rule if decided.revealed is not None else None
        if decided.final is None or rule is None:
            return replace(decided, category=OTHER)
        self.keep(replace(decided, category=OTHER))
        self.screen.say(f"category, for statistics: 1 {escape(rule)}   2 {OTHER}")
        return replace(decided, category=choose(self.screen, "category (1 or 2): ", {"1": rule, "2": OTHER}))
