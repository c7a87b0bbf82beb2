"""The whole command line: the gate's commands, and those around it. Parse, one call, print, exit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gate.cli import Command, ConfigOption, ReportArgument, commands, load_report
from gate.terminal import emit, shown_path
from prelabel.payload import public_reader

if TYPE_CHECKING:
    from gate.report.model import Report


def markdown(report: Report, path: Path) -> None:
    """Print the report as the pull-request block."""
    from prelabel.annotate import annotate as publish

    publish(report, path, printed=True)


def root(*, version: Annotated[bool, typer.Option("--version", help="print the version and exit", is_eager=True)] = False) -> None:
    """Shadow-compare an agent's patch with a frozen baseline; fail on every divergence that no named person has classified."""
    if version:
        from gate import __version__

        emit(f"shadow {__version__}")
        raise typer.Exit


def prelabel(report: ReportArgument = None, output: Annotated[Path | None, typer.Option(help="advice file to write")] = None) -> None:
    """Apply the decision table to the unclassified divergences; writes advice.json. Advice is never evidence."""
    from prelabel import policy
    from prelabel.advise import advise, summary, write_advice

    path, loaded = load_report(report, raw=True)
    advice = advise(loaded)
    written = output or path.parent / "advice.json"
    write_advice(written, advice, policy.public())
    emit(summary(advice))
    emit(f"wrote {shown_path(written)} (advisory: the gate never reads it)\nnext: `shadow signoff`, a named person")


def annotate(
    report: ReportArgument = None,
    output: Annotated[Path | None, typer.Option(help="write the block into this file instead of printing it")] = None,
) -> None:
    """Print the pull-request block, or write it to --output or $GITHUB_STEP_SUMMARY. Redacted; advisory."""
    from prelabel.annotate import annotate as publish

    path, loaded = load_report(report, raw=True)
    publish(loaded, path, output=output)


def redact(
    file: Annotated[Path | None, typer.Argument(help="text, or with --report a report; default: standard input", metavar="[FILE]")] = None,
    *,
    report: Annotated[bool, typer.Option("--report", help="FILE, or the last report: what a model would be sent of it")] = False,
    profile: Annotated[str, typer.Option(help="strict (what leaves the machine) or balanced (reports on it)")] = "strict",
    output_format: Annotated[str, typer.Option("--format", help="text or json")] = "text",
) -> None:
    """Show what would leave the machine: a text with placeholders, or what a model would be sent about a report."""
    from prelabel import redact as shows

    shows.check_words(profile, output_format)
    how = shows.look(profile)
    if report:
        _, loaded = load_report(file, raw=True)
        shows.show_report(loaded, how, output_format)
    else:
        shows.show_text(shows.read_text(file), how, output_format)


def corpus_add(
    file: Annotated[Path, typer.Argument(help="file to copy into the corpus", metavar="FILE")],
    *,
    fixture_id: Annotated[str | None, typer.Option("--id", help="path below the corpus; default: the file's name", metavar="ID")] = None,
    config: ConfigOption = None,
) -> None:
    """Copy a file into the corpus as a fixture. One in which something looks secret is refused, and nothing is written."""
    from prelabel.corpus_add import add

    written = add(file, fixture_id=fixture_id, config=config, cwd=Path.cwd())
    emit(f"wrote {shown_path(written)}\nnext: `shadow corpus check`, then commit it")


def signoff(
    report: ReportArgument = None,
    *,
    signer: Annotated[str | None, typer.Option("--as", help='who signs: "Name <mail>"; default: your git identity', metavar="WHO")] = None,
) -> None:
    """A named person decides each unclassified divergence, on a terminal; confirmed rows enter the ledger."""
    from gate.config import default_report
    from prelabel.signoff import run

    raise typer.Exit(run(report_path=report or default_report(Path.cwd()), as_name=signer, cwd=Path.cwd()))


def demo(
    keep: Annotated[Path | None, typer.Option(help="play it in this new folder and keep it", metavar="DIR")] = None,
) -> None:
    """Play the whole flow on a bundled example in a temporary folder: no network, no model."""
    from prelabel.demo import play

    raise typer.Exit(play(keep))


COMMANDS: dict[str, Command] = {
    **commands(public=public_reader, formats={"markdown": markdown}),
    "prelabel": prelabel,
    "annotate": annotate,
    "redact": redact,
    "corpus add": corpus_add,
    "signoff": signoff,
    "demo": demo,
}
GROUPS = {"ledger": "Look after the ledger.", "corpus": "Look after the corpus."}


def make_app(wanted: str | None = None) -> typer.Typer:
    """The app. Where `wanted` names a command, only that one is built: typer looks at every parameter of all others."""
    app = typer.Typer(
        name="shadow",
        help=root.__doc__,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(root)
    groups = {name: typer.Typer(help=text, no_args_is_help=True, rich_markup_mode=None) for name, text in GROUPS.items()}
    chosen = [name for name in COMMANDS if name.split()[0] == wanted] or list(COMMANDS)
    for name in chosen:
        group, _, leaf = name.rpartition(" ")
        (groups[group] if group else app).command(leaf)(COMMANDS[name])
    for name in dict.fromkeys(name.split()[0] for name in chosen if " " in name):
        app.add_typer(groups[name], name=name)
    return app
