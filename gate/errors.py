"""Everything that shadow itself can fail with, and the exit code of each.

    ShadowError                    never raised itself
      UsageError             2     usage, config or ledger is invalid: mend a flag or a file
        ConfigError          2     shadow.toml
        LedgerError          2     delta_ledger.yaml and delta_ledger.d/
        CorpusError          2     files below corpus/
        ProjectRulesError    2     canonicalize.py
        PinError             2     a --baseline or --candidate that is no immutable reference
        RequirementsError    2     a requirements file with a line that is no exact pin
        EnvFileError         2     a .env file that redaction has to know, and cannot read
        DetectorError        2     a detector named in `[redaction] detectors` that is not here, or cannot be loaded
        SecretError          2     something that looks secret in what a command would write into the repository
        ReportError          2     a report or advice file that is missing or not ours
      UndecidedError         3     the gate could not decide; there may be no report
        SideError            3     a side could not be materialised (missing commit, wheel digest, install)
        SameSidesError       3     both sides are the same code: nothing was compared
        WorkerError          3     a side would not start, or its worker broke the protocol
        SandboxError         3     the kernel cannot hold what `--require` names; nothing of the target was run
        ProvenanceError      3     a module came from outside its own side
        RuleError            3     a rule of canonicalize.py failed on what it was asked about
        NothingRanError      3     no fixture was executed, or only trivial ones
      LeakError              3     the last look at what would leave found something: that sink got nothing
      RefusedError           4     an interactive act was refused (no terminal, no named human)

Exit 70 is what is left: a bug, or packages that do not lie beside each other (``prelabel/__main__.py``, before
anything of ours is imported). A failing *target* is never one of these: a crash, exit or time-out of the target is an observation.
Every leaf says what, where and the next command or edit. Source: design, sections 4 and 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gate.types import Fault, Place

EXIT_PASS = 0
EXIT_FAIL = 1
EXIT_INVALID = 2
EXIT_UNDECIDED = 3
EXIT_REFUSED = 4
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


class ShadowError(Exception):
    """Base of all: ``what`` happened, ``place`` in a user's file, ``remedy`` the next command or edit."""

    exit_code: ClassVar[int] = EXIT_BUG
    default_remedy: ClassVar[str] = ""

    def __init__(self, what: str, *, place: Place | None = None, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.remedy = remedy or self.default_remedy

    def lines(self) -> list[str]:
        """The message as lines for a terminal, without colours."""
        where = f"{self.place}: " if self.place else ""
        return [f"{where}{self.what}", *([f"  {self.remedy}"] if self.remedy else [])]


class UsageError(ShadowError):
    """A flag or a file must be mended before anything can run."""

    exit_code = EXIT_INVALID
    default_remedy = "see `shadow --help`"


class ManyFaultsError(UsageError):
    """All faults of one file at once, in the order of their lines."""

    default_remedy = "mend the lines named above"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.place.file, fault.place.line or 0)))
        first = self.faults[0]
        super().__init__(first.what, place=first.place, remedy=first.remedy)

    def lines(self) -> list[str]:
        """One line a fault, each with its remedy behind it."""
        out: list[str] = []
        for fault in self.faults:
            out.append(f"{fault.place}: {fault.what}")
            if fault.remedy:
                out.append(f"  {fault.remedy}")
        return out


class ConfigError(ManyFaultsError):
    """``shadow.toml`` cannot be used."""

    default_remedy = "mend shadow.toml; docs/reference/config.md lists every key"


class LedgerError(ManyFaultsError):
    """The ledger cannot be used; nothing is read from a ledger with one bad row."""

    default_remedy = "mend the rows named above, then run `shadow ledger lint`"


class CorpusError(ManyFaultsError):
    """A file below the corpus is no usable fixture."""

    default_remedy = "mend or remove the fixtures named above"


class ProjectRulesError(ManyFaultsError):
    """``canonicalize.py`` cannot be used."""

    default_remedy = "mend the lines named above; docs/how-to/write-a-project-rule.md has an example"


class PinError(UsageError):
    """A pin that is malformed, or that can move."""

    default_remedy = "pin a commit with `shadow freeze`, or name a folder, wheel or requirements file"


class RequirementsError(ManyFaultsError):
    """A requirements file whose lines are not all ``name==version``."""

    default_remedy = "write every line as name==version"


class EnvFileError(ManyFaultsError):
    """A ``.env`` file that is there and cannot be read whole: what it holds would be hidden nowhere."""

    default_remedy = "mend the lines named above, or leave the file out: `!` before its name in `[redaction] env_files` of shadow.toml"


class DetectorError(UsageError):
    """A detector that the contract names and this installation lacks. Leaving it out would show more than the contract says."""

    default_remedy = "install it beside shadow, or take it out of `[redaction] detectors` in shadow.toml"


class SecretError(ManyFaultsError):
    """What a command would write into the repository looks secret: kinds and places, never the text."""

    default_remedy = "write something made up in its place; `shadow redact FILE` shows the text with placeholders"


class ReportError(UsageError):
    """A report that is not there, or not written by this version of shadow."""

    default_remedy = "run `shadow compare` first"


class UndecidedError(ShadowError):
    """The gate could not decide. Never a pass."""

    exit_code = EXIT_UNDECIDED
    default_remedy = "no verdict was reached; mend what is named above and run `shadow compare` again"


class SideError(UndecidedError):
    """A side could not be materialised."""

    default_remedy = "check the pin; `git fetch --unshallow` brings the commits that a shallow clone lacks"


class SameSidesError(UndecidedError):
    """Both sides hold the same code."""

    default_remedy = "name a candidate that differs: --candidate git:<sha>, dir:<path> or patch:<file>"


class WorkerError(UndecidedError):
    """A side's worker would not start or broke the protocol: a fault of set-up or harness, never of the target's behaviour."""

    default_remedy = "run the entry by hand in that side's folder to see the same error"


class SandboxError(UndecidedError):
    """What ``--require`` names is not enforced here. ``missing``: word -> the reason, as the worker gives it."""

    default_remedy = (
        "run it on Linux 5.13 or newer with Landlock and seccomp (for `signals` 6.12), outside a container whose own profile forbids them, "
        "or leave the word out of --require and take the note on the screen"
    )

    def __init__(self, missing: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{word} cannot be enforced here: {why}" for word, why in missing.items()))


class ProvenanceError(UndecidedError):
    """A module of the target's packages was imported from somewhere else than its own side."""

    default_remedy = "set `[sides] path` to the folders that hold the package, or pin its requirements"


class RuleError(UndecidedError):
    """A rule of ``canonicalize.py`` raised, ran into a limit, or gave an answer that cannot be used: nothing is smoothed by it."""

    default_remedy = "mend the rule, or take it out"


class NothingRanError(UndecidedError):
    """No executed pair, or only trivial ones: green would mean nothing."""

    default_remedy = "add fixtures that reach the code below shadow/corpus/"


class LeakError(ShadowError):
    """The last look found something in what was about to leave. Nothing was written there."""

    exit_code = EXIT_UNDECIDED
    default_remedy = "nothing was written there; this is a fault of shadow: please report the kind and the sink, never the payload"


class RefusedError(ShadowError):
    """An interactive act was refused."""

    exit_code = EXIT_REFUSED
    default_remedy = "a named person runs this on a terminal; read-only: `shadow show --format json`"
