"""``shadow demo``: the main job on the bundled example, start to end, by the commands a user would type.

Nothing is staged: the example becomes a real git repository, every ``$ shadow ..`` line is run as another process of this
very shadow, and its real output is shown. Each step states what must come of it; where anything else comes, the demo stops
and is red itself (exit 70). It never signs: it shows the screen that a person would sign at, and stops there.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import EXIT_BUG, EXIT_FAIL, EXIT_PASS
from gate.terminal import emit
from prelabel.stage import WIDTH, UnexpectedError, expect, open_stage

if TYPE_CHECKING:
    from prelabel.stage import Stage

EXAMPLE = Path(__file__).parent / "example"
ENTRY = "pricelabel.label:make_label"
# What the agent's patch changes: (fixture id, field) -> the rule that speaks.
PLANTED = {
    ("102_accents.json", "value"): "unicode-form",
    ("103_allergens_not_stated.json", "value"): "null-empty",
    ("105_price_in_words.json", "exc.type"): "exception-type",
    ("106_printed.json", "stdout"): "newline-function",
}
ON_SCREEN = ("102_accents.json", "value")
SECRET = "orders@bakery.example"  # noqa: S105  # an address in a fixture, to be seen replaced in what is published


def play(keep: Path | None) -> int:
    """Play the demo, in a temporary folder or in the new folder ``keep``. 0 only if every step came out as described."""
    try:
        with open_stage(keep) as stage:
            emit("The whole flow on a small example. Every `$` line is really run, in a new git")
            emit(f"repository in {'a temporary folder' if keep is None else keep}. No network, no model.")
            for step in (_project, _init, _freeze, _patch, _compare, _prelabel, _annotate, _signoff):
                step(stage)
            _close(stage, keep)
    except UnexpectedError as error:
        sys.stdout.flush()
        print(f"the demo did not go as described: {error}", file=sys.stderr)
        print("  please report it, with the output above and that of `shadow --version`", file=sys.stderr)
        return EXIT_BUG
    return EXIT_PASS


def _project(stage: Stage) -> None:
    stage.step(
        "A small project, under git",
        "Shelf labels: a product as JSON in, a label as JSON out. Its tests pass:",
    )
    shutil.copytree(EXAMPLE / "before", stage.project, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    stage.git("init", "--quiet", "--template=")
    stage.git("symbolic-ref", "HEAD", "refs/heads/main")
    stage.commit("Shelf labels")
    stage.tests()


def _init(stage: Stage) -> None:
    stage.step(
        "Put the project under the gate",
        "`init` writes the contract: config, ledger, and fixtures that are hostile to any",
        "function that takes JSON. We add six products of our own and commit.",
    )
    stage.shadow("init", "--entry", ENTRY, head=4)
    shutil.copytree(EXAMPLE / "fixtures", stage.project / "shadow" / "corpus", dirs_exist_ok=True)
    stage.commit("Put labels under shadow")


def _freeze(stage: Stage) -> None:
    stage.step("Freeze the baseline", "The pin is a commit, not a branch: it cannot move.")
    stage.shadow("freeze")
    pinned = (stage.project / "shadow" / "BASELINE_SHA").read_text("ascii")
    expect(pinned == stage.git("rev-parse", "HEAD") + "\n", "BASELINE_SHA does not hold the commit that was frozen")
    stage.commit("Freeze the baseline")


def _patch(stage: Stage) -> None:
    stage.step(
        "A coding agent tidies up",
        "Its patch moves text handling into a helper and modernises the formatting. It",
        "looks harmless, and the project's own tests stay green:",
    )
    stage.git("apply", str(EXAMPLE / "agent.patch"))
    stage.tests()


def _compare(stage: Stage) -> None:
    stage.step(
        "Compare: the gate is red",
        "Both versions run on every fixture. Four fixtures now behave differently, and no",
        "person has said that they may. In CI this exit code stops the merge.",
    )
    before = stage.git("status", "--porcelain")
    stage.shadow("compare", code=EXIT_FAIL)
    report = stage.report()
    found = {(entry.id, entry.field) for entry in report.divergences if entry.verdict == "unclassified"}
    expect(found == set(PLANTED) and len(report.divergences) == len(PLANTED), f"the divergences are {sorted(found)}")
    expect(stage.git("status", "--porcelain") == before, "`shadow compare` changed the working tree")


def _prelabel(stage: Stage) -> None:
    stage.step(
        "Prelabel: what usually lies behind this",
        "Rules, no model here. Advice is a comment for the person who decides; the gate",
        "never reads it.",
    )
    stage.shadow("prelabel")
    advice: list[dict[str, Any]] = json.loads((stage.out / "advice.json").read_bytes())["advice"]
    rules = {(one["id"], one["field"]): one["rule"] for one in advice}
    expect(rules == PLANTED, f"the rules that spoke are {rules}")


def _annotate(stage: Stage) -> None:
    stage.step(
        "Annotate: the block for the pull request",
        "Markdown. Payloads are redacted first: the supplier's address is not in it.",
    )
    block = stage.shadow("annotate", whole=True)
    lost = [fixture for fixture, _ in PLANTED if fixture not in block]
    expect(not lost, f"the block does not name {lost}")
    expect(SECRET not in block, "the block holds an address that redaction should have replaced")


@dataclass(slots=True)
class _Paper:
    """The screen of sign-off on paper: it shows, and cannot answer."""

    width: int = WIDTH
    height: int = 24
    lines: list[str] = field(default_factory=list)

    def say(self, text: str = "") -> None:
        """One line more."""
        self.lines.append(text)

    def ask(self, prompt: str) -> str:
        """No question can be answered here: the demo never signs."""
        raise UnexpectedError(f"sign-off asked {prompt!r} of the demo")


def _signoff(stage: Stage) -> None:
    from gate.canonical.visible_json import escape
    from prelabel import ask, view
    from prelabel.work import plan

    stage.step(
        "Sign off: what a person would see of one row",
        "`shadow signoff` puts each divergence before a named person, at a terminal, and",
        "shows the advice only after they have decided. This is one of its screens:",
    )
    work = plan(stage.report(), stage.out / "report.json")
    entry = next((one for one in work.entries if (one.id, one.field) == ON_SCREEN), None)
    if entry is None:
        raise UnexpectedError(f"sign-off would not ask about {ON_SCREEN[0]}")
    payload = (stage.project / "shadow" / "corpus" / entry.id).read_bytes()
    case = ask.Case(entry=entry, payload=view.payload_text(payload))
    paper = _Paper()
    cut = ask.show(paper, case, ask.Place(number=work.entries.index(entry) + 1, total=len(work.entries)))
    emit("\n".join(paper.lines))
    shown = "".join(line[12:] for line in paper.lines)
    texts = (escape(entry.baseline), escape(entry.candidate))
    expect(not cut and all(text in shown for text in texts), "the sign-off screen does not show both texts in full")


def _close(stage: Stage, keep: Path | None) -> None:
    ledger = "shadow/delta_ledger.yaml"
    expect(stage.git("diff", "HEAD", "--", ledger) == "", "the ledger changed, although nobody signed")
    stage.step(
        "And here the demo stops: no program signs",
        "A person would now type",
        "",
        "  shadow signoff                 accept or reject each row, with a reason",
        f"  git add {ledger}",
        "  shadow compare                 green once every row is accepted",
        "",
        "and for what was not meant, mend the patch instead. Until then the gate is red.",
    )
    if keep is None:
        emit("`shadow demo --keep DIR` keeps the folder, so that you can go on there.")
    else:
        emit(f"The project is kept; go on there: cd {keep}")
