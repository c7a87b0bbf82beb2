"""One sitting on one screen, from the first line to the one write.

    name typed -> (row: see, decide, advice, keep or change)* -> fixtures run again -> last screen -> one write

Nothing is written before the last screen, and Ctrl-C at any question leaves the ledger untouched and the draft in
``out/sittings/``. Advice comes in as a function that is asked for what to show once a decision stands.
Source: design, section 11.
"""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import redaction
from gate.canonical.visible_json import escape
from gate.errors import EXIT_PASS, UsageError
from gate.ledger.read import display
from gate.report.model import side_words
from gate.types import Place
from gate.verdict import identity as identity_of
from prelabel import ask, identity, signed, sitting, terminal, view
from prelabel.again import SANDBOX, Again, run_again
from prelabel.publish.release import release
from prelabel.seen import seen_in
from prelabel.work import Cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gate.report.model import Entry, Report
    from gate.types import Comparison, Settings
    from prelabel.sitting import Decided, Revealed, Sitting
    from prelabel.terminal import Screen
    from prelabel.work import Work
    from redaction import Policy

    Rerun = Callable[[Settings, Sequence[str]], Mapping[str, Comparison]]


_SAID = 10


class Session:
    """One run of sign-off on one screen. Holds the sitting as it grows; every step of it is a method.

    ``policy`` decides which texts stand in a row by digest; what everybody reads (reasons, excerpts) is looked at strictly.
    """

    def __init__(
        self,
        *,
        screen: Screen,
        work: Work,
        report: Report,
        advise: Callable[[Entry], Revealed],
        rerun: Rerun,
        policy: Policy = redaction.BALANCED,
    ) -> None:
        self._policy = policy
        self.screen, self.work, self.report = screen, work, report
        self._advise, self._rerun = advise, rerun
        # By the full identity: what is decided, run again, shown at the end and written is one and the same entry.
        self._entries = {identity_of(entry): entry for entry in work.entries}
        self.sitting: Sitting | None = None
        self.written: Path | None = None

    # -- start ----------------------------------------------------------------------------------------------

    def run(self, *, as_name: str | None, cwd: Path) -> int:
        """From the first line to the exit code."""
        work, say = self.work, self._say
        if not work.entries:
            self._say_rest()
            say("Nothing to sign: no divergence of this report waits for a decision.")
            return EXIT_PASS
        signer = identity.find(as_name, cwd)
        say(f"{_many(len(work.entries), 'unclassified divergence')} to decide, one by one. Enter alone does nothing.")
        for name, side in (("Baseline", self.report.baseline), ("Candidate", self.report.candidate)):
            say(f"{name}: {escape(side_words(side))}")
        say(f"Each fixture is run again before its row is written. Sandbox: {SANDBOX}.")
        self._say_rest()
        identity.confirm(self.screen, signer)
        self.sitting = self._begun(signer)
        self._rows()
        return self._finish()

    def _say(self, text: str = "") -> None:
        if text:
            ask.prose(self.screen, text)
        else:
            self.screen.say()

    def _say_rest(self) -> None:
        if self.work.settled:
            self._say(f"Decided since the report was made: {_many(self.work.settled, 'divergence')}.")
        for entry, why in self.work.barred[:_SAID]:
            self._say(f"Cannot be signed now: {escape(entry.id)} ({escape(entry.field)}): {why}")
        if len(self.work.barred) > _SAID:
            self._say(f"Cannot be signed now either, for such reasons: {_many(len(self.work.barred) - _SAID, 'divergence')}.")

    def _begun(self, signer: identity.Signer) -> Sitting:
        """A new sitting, or a draft of this signer on these very divergences. First choices are carried on either way."""
        fresh = sitting.begin(signer=str(signer), name=signer.name, now=datetime.now(UTC), enforced=f"sandbox: {SANDBOX}")
        out, standing = self.work.out, [(key, entry.fixture_sha256) for key, entry in self._entries.items()]
        fresh = replace(fresh, decided=sitting.first_choices(out, signer=fresh.signer, standing=standing))
        found = sitting.drafts(out, signer=fresh.signer, standing=standing)
        if not found:
            return fresh
        draft = replace(found[0], enforced=fresh.enforced, decided=fresh.decided)
        for one in found[0].decided:
            draft = draft.having(self._looked_over(one))
        seen = [one for one in draft.decided if one.earlier is not None]
        if not seen:
            return draft
        self._say(f"A draft of yours, started {escape(draft.started)}, is not written yet:")
        for one in seen:
            if one.earlier is not None:
                self._list(one.earlier.decision, one, one.earlier.reason)
        self._say("A draft is a file and decides nothing: each of these rows is shown and decided again.")
        words = {"resume": "resume", "new": "new"}
        if ask.choose(self.screen, "Type resume to go on with it, or new to start afresh: ", words) == "resume":
            return draft
        sitting.save(replace(draft, state="dropped"), self.work.out)
        return fresh

    def _looked_over(self, one: Decided) -> Decided:
        """A row of a draft, named as the report names it; an earlier reason that nobody could have typed is not shown."""
        entry, said = self._entries[one.identity], one.earlier
        if said is not None and ask.reason_fault(said.reason, said.decision, advice="", finds=self._seen):
            said = None
        return replace(one, id=entry.id, field=entry.field, earlier=said)

    # -- the rows -------------------------------------------------------------------------------------------

    def _rows(self) -> None:
        """Every row in turn, back and forth, until the last one or until the person quits."""
        desk = ask.Desk(screen=self.screen, keep=self._keep, advise=self._advise, finds=self._seen)
        cases = Cases(self.work)
        entries = self.work.entries
        at, step = 0, 1
        while at < len(entries):
            case = cases(entries[at])
            if isinstance(case, str):
                self._say(f"{at + 1} of {len(entries)}   {escape(entries[at].id)}: {case}")
                at, step = (at + step, step) if at + step >= 0 else (at + 1, 1)
                continue
            before = self._current.of(identity_of(case.entry))
            got = desk.row(case, ask.Place(number=at + 1, total=len(entries), before=before))
            if got == "quit":
                return
            if got == "back":
                if at == 0:
                    self._say("This is the first row.")
                at, step = max(at - 1, 0), -1
                continue
            if not isinstance(got, str):
                self._keep(got)
            at, step = at + 1, 1

    def _keep(self, one: Decided) -> None:
        self.sitting = self._current.having(one)
        sitting.save(self.sitting, self.work.out)

    @property
    def _current(self) -> Sitting:
        if self.sitting is None:
            raise RuntimeError("no sitting yet")
        return self.sitting

    # -- the end --------------------------------------------------------------------------------------------

    def _finish(self) -> int:
        """Fixtures again, the last screen, and the one write."""
        decided = [one for one in self._current.decided if one.final is not None]
        if not decided:
            self._say(f"Nothing was decided; {self._remaining(0)}.")
            return EXIT_PASS
        self._say()
        self._say(f"Running {_many(len({one.id for one in decided}), 'fixture')} again on both sides ..")
        outcomes = run_again(self.work.settings, (self._entries[one.identity] for one in decided), self._rerun)
        for one in decided:
            self.sitting = self._current.having(replace(one, again=str(outcomes[one.identity])))
        ready = self._ready([one for one in self._current.decided if one.final is not None], outcomes)
        sitting.save(self._current, self.work.out)
        if not ready:
            self._say("No row can be written. Run `shadow compare` again: the report no longer says what happens here.")
            return EXIT_PASS
        return self._last_screen(ready)

    def _ready(self, decided: Sequence[Decided], outcomes: Mapping[str, Again]) -> list[Decided]:
        """The decisions whose rows may be written: the divergence appeared again, or the person says that it need not."""
        say = self._say
        for one in decided:
            if outcomes[one.identity].status == "gone":
                say(f"Refused: {escape(one.id)} ({escape(one.field)}): {outcomes[one.identity].why}. Its row is not written.")
        unseen = [one for one in decided if outcomes[one.identity].status == "not run"]
        if unseen:
            why = outcomes[unseen[0].identity].why
            say(f"{len(unseen)} of these could not be run again here: {why}.")
            say("Their rows would stand on the report alone. The sitting records that.")
            words = {"unverified": "unverified", "leave": "leave"}
            if ask.choose(self.screen, "Type unverified to write them all the same, or leave to leave them out: ", words) == "leave":
                unseen = []
        same = [one for one in decided if outcomes[one.identity].status == "same"]
        return [one for one in decided if one in same or one in unseen]

    def _last_screen(self, ready: Sequence[Decided]) -> int:
        say, settings = self._say, self.work.settings
        folder = settings.ledger_folder
        target = folder if folder is not None and folder.is_dir() else settings.ledger
        rows = self._rows_for(ready)
        if not rows:
            return EXIT_PASS
        say()
        say("-" * (self.screen.width - 1))
        say(f"{_many(len(rows), 'row')} to be written into {escape(display(target))}, signed by {self._current.signer}:")
        for one in ready:
            if one.identity in rows:
                # Of the row itself and of the entry that it was made from, so that what is read here is what is written.
                row, entry = rows[one.identity].row, self._entries[one.identity]
                self._list(row.decision, one, row.reason, category=row.category)
                for sentence in view.words(entry.baseline, entry.candidate, field=entry.field):
                    self._say(f"          {sentence}")
        if any(one.values for one in rows.values()):
            say(
                f"Long or secret texts stand in the rows by their digest; the full texts go to {escape(display(self.work.out / 'values'))}."
            )
        while not (typed := self.screen.ask("Type write to write them; anything else keeps the draft and writes nothing: ")):
            pass
        if typed.lower() != "write":
            say("Nothing was written. The draft is kept; `shadow signoff` offers to take it up again.")
            return EXIT_PASS
        with terminal.uninterrupted():
            self.written = signed.write(list(rows.values()), settings=settings, out=self.work.out, sitting=self._current.name)
            self.sitting = replace(self._current, state="written", written=str(self.written))
            try:
                sitting.save(self.sitting, self.work.out)
            except UsageError as error:
                say(f"The rows are written, but their record is not: {error.what}.")
        self._say_written(self.written, len(rows))
        return EXIT_PASS

    def _rows_for(self, ready: Sequence[Decided]) -> dict[str, signed.Signed]:
        """The rows by identity, today's date on them."""
        rows: dict[str, signed.Signed] = {}
        today = datetime.now(UTC).date()
        for one in ready:
            if one.final is None:
                continue
            try:
                rows[one.identity] = signed.sign(
                    self._entries[one.identity],
                    decision=one.final.decision,
                    reason=one.final.reason,
                    category=one.category,
                    signer=self._current.signer,
                    on=today,
                    place=Place(file=str(self.work.settings.ledger)),
                    finds=self._finds,
                    excerpts=self._excerpts,
                )
            except ValueError as error:
                self._say(
                    f"Refused: {escape(one.id)} ({escape(one.field)}): its text can neither stand in a row nor be digested ({error})."
                )
        return rows

    def _seen(self, reason: str) -> str:
        """What stands in a typed reason that everybody would read, in words."""
        return seen_in(reason, self._policy.with_profile("strict"))

    def _finds(self, text: str) -> tuple[str, ...]:
        """What makes a text stand in its row by digest. A row matches its divergence in either form, so this decides no verdict."""
        return redaction.finds(text, policy=self._policy)

    def _excerpts(self, baseline: str, candidate: str) -> tuple[str, str]:
        """What everybody reads of texts that stand in their row by digest."""
        both = (baseline, candidate)
        scope = redaction.Scope(both, policy=self._policy.with_profile("strict"))
        shown = [release(scope.redact(text), "ledger", raw=both) for text in both]
        return shown[0], shown[1]

    def _say_written(self, path: Path, count: int) -> None:
        command = self.report.run.get("command") or ["shadow", "compare"]
        say = self._say
        say(f"Wrote {_many(count, 'row')} to {escape(display(path))}; {self._remaining(count)}.")
        say(f"next: {escape(shlex.join(str(word) for word in command))[:400]}")

    def _remaining(self, written: int) -> str:
        left = len(self.work.entries) + len(self.work.barred) - written
        return f"{_many(left, 'divergence')} left unclassified"

    def _list(self, decision: str, one: Decided, reason: str, *, category: str | None = None) -> None:
        entry = self._entries[one.identity]
        self._say(f"  {decision}  {escape(entry.id)}  {escape(entry.field)}" + (f"  [{escape(category)}]" if category else ""))
        self._say(f"          {escape(reason)}")
        if one.again and one.again != "same":
            self._say(f"          {escape(one.again)}")

    def interrupted(self) -> None:
        """The last words after Ctrl-C or a lost terminal, where anybody still reads them."""
        kept = len([one for one in self.sitting.decided if one.final is not None]) if self.sitting else 0
        if self.written is not None:
            said = f"Interrupted after the write: the rows stand in {escape(display(self.written))}."
        else:
            said = "Interrupted: nothing was written, the ledger is as it was."
            said += f" Kept for later: {_many(kept, 'confirmed decision')}; `shadow signoff` offers to go on." if kept else ""
        with contextlib.suppress(terminal.HungUpError):
            self._say()
            self._say(said)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
