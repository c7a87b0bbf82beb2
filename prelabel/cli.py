"""The whole command line: the gate's commands, and those around it. Parse, one call, print, exit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli import ReportArgument, emit, load_report, register, shown_path

if TYPE_CHECKING:
    from gate.report.model import Report

app = typer.Typer(
    name="shadow",
    help="Shadow-compare an agent's patch with a frozen baseline; fail on every divergence that no named person has classified.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def public_payload(text: str) -> str:
    """A payload where logs are public: redacted."""
    from gate.canonical.visible_json import escape
    from redaction import redact_text

    return escape(str(redact_text(text)))


def markdown(report: Report, path: Path) -> str:
    """The report as the pull-request block."""
    from prelabel.annotate import block

    return str(block(report, path))


register(app, public=public_payload, formats={"markdown": markdown})


@app.callback(invoke_without_command=True)
def root(*, version: Annotated[bool, typer.Option("--version", help="print the version and exit", is_eager=True)] = False) -> None:
    """Shadow-compare an agent's patch with a frozen baseline; fail on every divergence that no named person has classified."""
    if version:
        from gate import __version__

        emit(f"shadow {__version__}")
        raise typer.Exit


@app.command()
def prelabel(report: ReportArgument = None, output: Annotated[Path | None, typer.Option(help="advice file to write")] = None) -> None:
    """Apply the decision table to the unclassified divergences; writes advice.json. Advice is never evidence."""
    from prelabel.advise import advise, summary, write_advice

    path, loaded = load_report(report)
    advice = advise(loaded)
    written = output or path.parent / "advice.json"
    write_advice(written, advice)
    emit(summary(advice))
    emit(f"wrote {shown_path(written)} (advisory: the gate never reads it); next: `shadow signoff`, a named person")


@app.command()
def annotate(
    report: ReportArgument = None,
    output: Annotated[Path | None, typer.Option(help="write the block into this file instead of printing it")] = None,
) -> None:
    """Print the pull-request block, or write it to --output or $GITHUB_STEP_SUMMARY. Redacted; advisory."""
    from prelabel.annotate import annotate as publish

    path, loaded = load_report(report)
    for line in publish(loaded, path, output=output):
        emit(line)


@app.command()
def signoff(
    report: ReportArgument = None,
    *,
    signer: Annotated[str | None, typer.Option("--as", help='who signs: "Name <mail>"; default: your git identity', metavar="WHO")] = None,
) -> None:
    """A named person decides each unclassified divergence, on a terminal; confirmed rows enter the ledger."""
    from gate.config import default_report
    from prelabel.signoff import run

    raise typer.Exit(run(report_path=report or default_report(Path.cwd()), as_name=signer, cwd=Path.cwd()))


@app.command()
def demo(
    keep: Annotated[Path | None, typer.Option(help="play it in this new folder and keep it", metavar="DIR")] = None,
) -> None:
    """Play the whole flow on a bundled example in a temporary folder: no network, no model."""
    from prelabel.demo import play

    raise typer.Exit(play(keep))
