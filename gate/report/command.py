"""The command lines that a screen tells a person to type: the same flags as the run that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.report.model import Report

# With these the command runs something else, is silent about it, or writes over the report that it was read from.
_DROPPED = ("--only", "--quiet", "--redact", "--report")
_BARE = frozenset({"--quiet", "--redact"})
# Where every command looks by itself (`gate.config.default_report`).
DEFAULT_REPORTS = ("shadow/out/report.json", "report.json")


def flags_of(report: Report) -> list[str]:
    """The flags of the ``compare`` that wrote this report, without those of ``_DROPPED``."""
    command = report.run.get("command", ())
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list | tuple) else []
    if "compare" in words:
        words = words[words.index("compare") + 1 :]
    kept: list[str] = []
    skip = False
    for word in words:
        name = word.partition("=")[0]
        if skip or name in _DROPPED:
            skip = not skip and word == name and name not in _BARE
            continue
        kept.append(word)
    return kept


def run_one(report: Report, fixture_id: str | None) -> str:
    """How to run one fixture here; None for all of them."""
    return line(["shadow", "compare", *flags_of(report), *(() if fixture_id is None else ("--only", fixture_id))])


def line(words: Sequence[str]) -> str:
    """Words as one line for a POSIX shell."""
    from shlex import join

    return join(words)


def is_default(report_path: str) -> bool:
    """Whether commands find this report without being told where it is."""
    return report_path == DEFAULT_REPORTS[1] or ("/" + report_path).endswith("/" + DEFAULT_REPORTS[0])
