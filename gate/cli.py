"""Commands of the gate: parse, one call, print, exit. `prelabel.cli` composes them with the rest into one app.

`commands` takes what the gate must not import itself: how things are shown where everybody reads them, and formats.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.terminal import emit, reader, screen_width, shown_path, write_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.report.model import Report
    from gate.terminal import Reader

Text = str | None
Command = Callable[..., None]

BaselineOption = Annotated[Text, typer.Option(help="pin: git:<40 hex>, dir:<path>, wheel:<file>#sha256=<hex>, requirements:<file>")]
CandidateOption = Annotated[Text, typer.Option(help="the same kinds, or patch:<file>; default: a copy of the working tree")]
CorpusOption = Annotated[Text, typer.Option(help="folder of fixtures", metavar="DIR")]
LedgerOption = Annotated[Text, typer.Option(help="ledger of classified divergences", metavar="FILE")]
ReportOption = Annotated[Text, typer.Option("--report", help="report to write", metavar="FILE")]
ReportArgument = Annotated[Path | None, typer.Argument(help="report.json of a `shadow compare`; default: the last one", metavar="[REPORT]")]
EntryOption = Annotated[Text, typer.Option(help="package.module:callable")]
AdapterOption = Annotated[Text, typer.Option(help="Python file that turns a fixture into a call", metavar="FILE")]
PayloadOption = Annotated[Text, typer.Option(help="json, text or bytes")]
TimeoutOption = Annotated[float | None, typer.Option(help="seconds a fixture and side may take")]
PythonOption = Annotated[Text, typer.Option(help="interpreter of both sides: a version or a path")]
OnlyOption = Annotated[list[str] | None, typer.Option(help="run this fixture (an id or a pattern; repeatable)", metavar="ID")]
ConfigOption = Annotated[Text, typer.Option(help="shadow.toml to use instead of the one found by walking up", metavar="FILE")]


def load_report(path: Path | None, *, raw: bool = False) -> tuple[Path, Report]:
    """The report at `path`, or the last one of this folder. `raw`: for what works with the texts, which a redacted one does not have."""
    from gate.config import default_report
    from gate.report.read import read_raw_report, read_report

    found = path or default_report(Path.cwd())
    return found, read_raw_report(found) if raw else read_report(found)


def init(entry: Annotated[Text, typer.Option(help="package.module:callable to compare")] = None) -> None:
    """Scaffold shadow/ here: config, a hostile minimum corpus, an empty ledger, a CI workflow. Never overwrites."""
    from gate.config import find_folder
    from gate.errors import UsageError
    from gate.scaffold import init as scaffold

    if not Path(".git").exists() and (other := find_folder(Path.cwd().parent)) is not None:
        raise UsageError(
            f"this folder is under the contract in {shown_path(other)} already", remedy="run shadow there, or add a [[target]] to it"
        )
    for line in scaffold(Path.cwd(), entry=entry):
        emit(line)
    emit("next: commit these files, then `shadow freeze`, then `shadow compare`")


def freeze(
    rev: Annotated[Text, typer.Argument(help="commit to freeze; default: the merge base with the default branch", metavar="[REV]")] = None,
    *,
    wheel: Annotated[bool, typer.Option("--wheel", help="build a wheel of that commit and pin it by digest")] = False,
) -> None:
    """Pin the baseline: write shadow/BASELINE_SHA (and, with --wheel, BASELINE_WHEEL.sha256)."""
    from gate.freeze import freeze as pin

    frozen = pin(Path.cwd(), rev, wheel=wheel)
    for notice in frozen.notices:
        emit(f"note: {notice}")
    for path in frozen.written:
        emit(f"wrote {shown_path(path)}")
    emit(f"the baseline is {frozen.commit}\nnext: commit what was written, then `shadow compare` on a change")


def lint(ledger: LedgerOption = None, config: ConfigOption = None) -> None:
    """Say every fault of the ledger at once, each with file:line and remedy."""
    from gate.config import ledger_paths
    from gate.errors import LedgerError
    from gate.ledger.life import lint as faults_of

    file, folder = ledger_paths(ledger=ledger, config=config, cwd=Path.cwd())
    faults = faults_of(file, folder)
    if faults:
        raise LedgerError(faults)
    emit(f"{shown_path(file)}: no faults")


def commands(*, public: Callable[[str | None], Reader], formats: Mapping[str, Callable[[Report, Path], None]]) -> dict[str, Command]:
    """The gate's commands by name, words apart (`ledger lint`).

    `public` gives the reader where logs are public; `formats` print further views of a report.
    """

    def compare(
        *,
        baseline: BaselineOption = None,
        candidate: CandidateOption = None,
        corpus: CorpusOption = None,
        ledger: LedgerOption = None,
        report: ReportOption = None,
        entry: EntryOption = None,
        adapter: AdapterOption = None,
        payload: PayloadOption = None,
        timeout: TimeoutOption = None,
        python: PythonOption = None,
        only: OnlyOption = None,
        attribute: Annotated[
            Text, typer.Option(help="run what diverges at this commit too: yours, or there already", metavar="COMMIT")
        ] = None,
        purity: Annotated[
            str, typer.Option(help="run the baseline against itself on what is `diverging`, or `full`: on all")
        ] = "diverging",
        reuse: Annotated[
            bool, typer.Option("--reuse", help="take what an earlier run saw the baseline do, where nothing that it hangs on has changed")
        ] = False,
        strict: Annotated[bool, typer.Option("--strict", help="a process of its own for every fixture")] = False,
        require: Annotated[Text, typer.Option(help="what the sandbox must hold, else exit 3: net, fs, signals", metavar="WORDS")] = None,
        config: ConfigOption = None,
        redact: Annotated[bool, typer.Option("--redact", help="write a redacted report beside it too: report.public.json")] = False,
        quiet: Annotated[bool, typer.Option("--quiet", help="print nothing; the exit code and the report say it")] = False,
    ) -> None:
        """Run baseline and candidate on the corpus and decide. The gate: exit 0 only if every divergence is accepted."""
        from gate.compare_command import compare as decide
        from gate.config import Flags

        flags = Flags(
            baseline=baseline,
            candidate=candidate,
            corpus=corpus,
            ledger=ledger,
            report=report,
            entry=entry,
            adapter=adapter,
            payload=payload,
            timeout=timeout,
            python=python,
            only=tuple(only or ()),
            reuse=reuse,
            purity=purity,
            attribute=attribute,
            strict=strict,
            require=require,
            redact=redact,
            config=config,
        )
        raise typer.Exit(decide(flags, quiet=quiet, public=public))

    def show(
        which: Annotated[Text, typer.Argument(help="fixture id, fingerprint or its first digits", metavar="[ID]")] = None,
        *,
        report: Annotated[Text, typer.Option(help="report to read; default: the last one", metavar="FILE")] = None,
        output_format: Annotated[str, typer.Option("--format", help="terminal, json or markdown")] = "terminal",
    ) -> None:
        """Render the last report, or answer for one divergence: why this verdict, and how to run it here."""
        view(Path(report) if report else None, which, output_format, reader(public), formats)

    def corpus_check(
        *,
        baseline: BaselineOption = None,
        corpus: CorpusOption = None,
        entry: EntryOption = None,
        adapter: AdapterOption = None,
        payload: PayloadOption = None,
        timeout: TimeoutOption = None,
        python: PythonOption = None,
        only: OnlyOption = None,
        config: ConfigOption = None,
    ) -> None:
        """Run the baseline against itself under another hash seed, time, zone, locale, temp path, umask and order. Exit 0 or 3."""
        from gate.config import Flags, settings
        from gate.corpus_check import check
        from gate.report.layout import safe

        flags = Flags(
            baseline=baseline,
            corpus=corpus,
            entry=entry,
            adapter=adapter,
            payload=payload,
            timeout=timeout,
            python=python,
            only=tuple(only or ()),
            config=config,
        )
        checked = check(settings(flags=flags, cwd=Path.cwd(), alone=True))
        here = reader(public, config)
        for line in checked.lines(safe(here.text), safe(here.change)):
            emit(line)
        raise typer.Exit(checked.exit_code())

    return {"init": init, "freeze": freeze, "compare": compare, "show": show, "ledger lint": lint, "corpus check": corpus_check}


def view(
    path: Path | None,
    which: str | None,
    output_format: str,
    here: Reader,
    formats: Mapping[str, Callable[[Report, Path], None]],
) -> None:
    """Print what `shadow show` is asked for."""
    from gate.errors import UsageError
    from gate.report.explain import explain
    from gate.report.screen import render
    from gate.report.write import to_json

    if output_format not in {"terminal", "json", *formats}:
        raise UsageError(f"--format {output_format} is unknown", remedy=f"known formats: terminal, json, {', '.join(formats)}")
    found, report = load_report(path)
    if output_format == "json":
        write_out(to_json(report, only=which, view=here.report, leaving=here.leaving))
    elif which is not None:
        if output_format != "terminal":
            raise UsageError(f"--format {output_format} shows a whole report", remedy="leave out ID, or use --format json")
        emit(explain(report, which, reader=here, report_path=shown_path(found)))
    elif output_format in formats:
        formats[output_format](report, found)
    else:
        emit(render(report, reader=here, width=screen_width(), report_path=shown_path(found)))
