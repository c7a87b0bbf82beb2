"""Flags on top of ``shadow.toml``: the one place where a command learns what to work with (design, sections 3 and 4).

With a contract, the baseline is its pin file unless ``--baseline`` says otherwise, and the candidate the working tree.
Without one, flags must name baseline, candidate, corpus, ledger and entry; the report goes to ``report.json``.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gate import enforcement
from gate.config.find import CONFIG_NAME, PARTIAL_NAME, REPORT_NAME, RULES_NAME, config_path, find_checkout, ledger_paths
from gate.config.words import did_you_mean, entry_fault, shown
from gate.errors import PinError, ProjectRulesError, UsageError
from gate.types import (
    GATED,
    NOW,
    OF_COMMANDS,
    Conditions,
    Fault,
    Limits,
    PayloadKind,
    Pin,
    Place,
    PurityScope,
    Settings,
    SideName,
    Target,
    TargetKind,
    TrustLevel,
    replace,
)

if TYPE_CHECKING:
    from gate.config.flags import Flags
    from gate.config.load import Config
    from gate.config.schema import TargetTable

SHA_NAME = "BASELINE_SHA"
WHEEL_NAME = "BASELINE_WHEEL.sha256"
WHEEL_FOLDER = "baseline_wheel"
PAYLOADS: dict[str, PayloadKind] = {"json": "json", "text": "text", "bytes": "bytes"}
PURITY: dict[str, PurityScope] = {"diverging": "diverging", "full": "full"}
_NEEDED = ("baseline", "candidate", "corpus", "ledger", "entry")
_SHA = re.compile(rb"[0-9a-f]{40}\n")
_SUM = re.compile(r"(?P<sha>[0-9a-f]{64}) [ *](?P<name>[^\\\n]+)")


def settings(*, flags: Flags, cwd: Path, alone: bool = False) -> Settings:
    """Everything one ``compare`` needs. ``cwd`` is what relative paths in flags are relative to.

    ``alone``: for what runs the baseline only; nothing has to name a candidate or a ledger then, and the baseline stands for it.
    """
    path = config_path(flags.config, cwd)
    _check(flags, cwd)
    if path is None:
        return _by_flags(replace(flags, candidate=flags.baseline, ledger=os.devnull) if alone else flags, cwd)
    from gate.config.load import load_file

    return _by_file(load_file(path, cwd=cwd), flags, cwd, alone=alone)


def _check(flags: Flags, cwd: Path) -> None:
    """Values of flags that are wrong whatever the file says, all at once."""
    wrong: list[str] = []
    if flags.entry is not None and (fault := entry_fault(flags.entry)) is not None:
        wrong.append(f"--entry {flags.entry!a} {fault}")
    if flags.payload is not None and flags.payload not in PAYLOADS:
        wrong.append(f"--payload {flags.payload!a} is unknown; {did_you_mean(flags.payload, PAYLOADS)}")
    if flags.purity not in PURITY:
        wrong.append(f"--purity {flags.purity!a} is unknown; {did_you_mean(flags.purity, PURITY)}")
    if flags.timeout is not None and not 0 < flags.timeout <= 86_400:
        wrong.append(f"--timeout {flags.timeout} should be seconds above 0, at most a day")
    if flags.adapter is not None and not (cwd / flags.adapter).is_file():
        wrong.append(f"--adapter {flags.adapter!a}: there is no such file")
    wrong += enforcement.faults(flags.require)
    wrong += [f"--{name} is empty" for name in (*_NEEDED, "report", "python") if getattr(flags, name) == ""]
    if wrong:
        raise UsageError("; ".join(wrong), remedy="see `shadow compare --help`")


def _pin(text: str, side: SideName) -> Pin:
    from gate.pins import parse_pin

    return parse_pin(text, side=side)


def _by_flags(flags: Flags, cwd: Path) -> Settings:
    missing = [f"--{name}" for name in _NEEDED if getattr(flags, name) is None]
    if missing:
        what = f"there is no {CONFIG_NAME} here or above, and without one these flags are needed too: {' '.join(missing)}"
        raise UsageError(what, remedy="add the flags, or run `shadow init` in the root of the repository")
    baseline, candidate, corpus, ledger, entry = (str(getattr(flags, name)) for name in _NEEDED)
    target = Target(
        name=entry,
        entry=entry,
        adapter=None if flags.adapter is None else cwd / flags.adapter,
        payload=PAYLOADS[flags.payload or "json"],
    )
    return Settings(
        baseline=_pin(baseline, "baseline"),
        candidate=_pin(candidate, "candidate"),
        corpus=cwd / corpus,
        ledger=cwd / ledger,
        ledger_folder=None,
        report=_report(cwd, flags, cwd),
        targets=(target,),
        checkout=find_checkout(cwd),
        python=flags.python,
        limits=Limits() if flags.timeout is None else Limits(seconds=flags.timeout),
        only=flags.only,
        reuse=flags.reuse,
        purity=PURITY[flags.purity],
        attribute=flags.attribute,
        strict=flags.strict,
        enforce=enforcement.words(flags.require),
    )


def _report(folder: Path, flags: Flags, cwd: Path) -> Path:
    """Where the report goes. A partial run has a file of its own: the last full report is what people sign from."""
    if flags.report is not None:
        return cwd / flags.report
    return folder / (PARTIAL_NAME if flags.only else REPORT_NAME)


def _by_file(config: Config, flags: Flags, cwd: Path, *, alone: bool) -> Settings:
    folder, file = config.path.parent, config.file
    limits = Limits(seconds=file.limits.seconds, memory_mib=file.limits.memory_mib, output_kib=file.limits.output_kib)
    level: TrustLevel = "none" if file.trust.require == "none" else "named"
    ledger, ledger_folder = ledger_paths(ledger=flags.ledger, config=str(config.path), cwd=cwd)
    checkout = find_checkout(folder)
    source = Place(file=config.path.name, line=config.require_line) if config.require_line else f"default with a {CONFIG_NAME}"
    baseline = _pinned(folder, cwd) if flags.baseline is None else _pin(flags.baseline, "baseline")
    return Settings(
        baseline=baseline,
        candidate=baseline if alone else _tree(checkout) if flags.candidate is None else _pin(flags.candidate, "candidate"),
        corpus=folder / "corpus" if flags.corpus is None else cwd / flags.corpus,
        ledger=ledger,
        ledger_folder=ledger_folder,
        report=_report(folder / "out", flags, cwd),
        targets=_targets(config, flags, cwd),
        folder=folder,
        checkout=checkout,
        side_paths=tuple(file.sides.path),
        python=file.sides.python if flags.python is None else flags.python,
        python_source=str(Place(file=shown(config.path, cwd=cwd), line=config.python_line)) if flags.python is None else "",
        requirements=file.sides.requirements,
        gated=GATED if file.compare.gated is None else tuple(file.compare.gated),
        rules=("key-order", "object-ids", "temp-root") if file.compare.rules is None else tuple(file.compare.rules),
        limits=limits if flags.timeout is None else replace(limits, seconds=flags.timeout),
        conditions=_conditions(config),
        require=level,
        require_source=str(source),
        only=flags.only,
        reuse=flags.reuse,
        purity=PURITY[flags.purity],
        attribute=flags.attribute,
        strict=flags.strict,
        enforce=enforcement.words(flags.require),
        config_digest=config.digest,
        canonicalize=_canonicalize(folder, cwd),
        notices=_notices(config),
    )


def contract_corpus(config: str | None, cwd: Path) -> tuple[Path, tuple[Target, ...]]:
    """The corpus of the contract and its targets: for what adds to it. No pin needs to be there."""
    path = config_path(config, cwd)
    if path is None:
        raise UsageError(f"there is no {CONFIG_NAME} here or above", remedy="run `shadow init` first, or name one with --config")
    from gate.config.flags import Flags
    from gate.config.load import load_file

    return path.parent / "corpus", _targets(load_file(path, cwd=cwd), Flags(), cwd)


def _conditions(config: Config) -> Conditions:
    inject = config.file.inject
    return Conditions(now=NOW if inject.now is None else inject.now.timestamp(), seed=inject.seed)


def _targets(config: Config, flags: Flags, cwd: Path) -> tuple[Target, ...]:
    from shlex import join

    tables = config.file.target
    named = [f"--{name}" for name in ("entry", "adapter", "payload") if getattr(flags, name) is not None]
    if named and len(tables) > 1:
        names = ", ".join(table.name for table in tables)
        what = f"{' and '.join(named)} would change one target, but {shown(config.path, cwd=cwd)} has {len(tables)}: {names}"
        raise UsageError(what, remedy="change the [[target]] table, or run by flags alone outside the repository")
    if named and tables[0].entry is None:
        what = f"{' and '.join(named)} goes with a function, but the target of {shown(config.path, cwd=cwd)} is none"
        raise UsageError(what, remedy="change the [[target]] table, or run by flags alone outside the repository")
    return tuple(
        Target(
            name=table.name,
            entry=flags.entry or table.entry or table.asgi or table.wsgi or join(table.command or ()),
            adapter=cwd / flags.adapter if flags.adapter else config.path.parent / table.adapter if table.adapter else None,
            payload="bytes" if table.command else PAYLOADS[flags.payload or table.payload],
            corpus=table.name if len(tables) > 1 else "",
            kind=kind,
            command=tuple(table.command or ()),
            types=tuple(table.types),
            gated=OF_COMMANDS if kind == "command" and config.file.compare.gated is None else (),
        )
        for table in tables
        for kind in (_kind(table),)
    )


def _kind(table: TargetTable) -> TargetKind:
    return "command" if table.command else "asgi" if table.asgi else "wsgi" if table.wsgi else "function"


def _tree(checkout: Path | None) -> Pin:
    if checkout is None:
        raise UsageError(
            "the default candidate is the git work tree around shadow/, and there is none",
            remedy="name one: --candidate dir:PATH, wheel:FILE#sha256=HEX or requirements:FILE",
        )
    return Pin(kind="tree", value=".")


def _pinned(folder: Path, cwd: Path) -> Pin:
    """The baseline that ``shadow freeze`` wrote. Where both pins exist the wheel is the baseline."""
    wheel, sha = folder / WHEEL_NAME, folder / SHA_NAME
    if wheel.exists():
        return _wheel(wheel, cwd)
    try:
        data = sha.read_bytes()
    except FileNotFoundError:
        what = f"there is no baseline: {shown(sha, cwd=cwd)} does not exist"
        raise UsageError(what, remedy="pin one with `shadow freeze`, or name it with --baseline") from None
    except OSError as error:
        raise PinError(f"cannot be read: {error.strerror}", place=Place(file=shown(sha, cwd=cwd))) from None
    if _SHA.fullmatch(data) is None:
        raise PinError(
            "should be exactly 40 lower-case hex digits and a newline",
            place=Place(file=shown(sha, cwd=cwd), line=1),
            remedy="write it again with `shadow freeze`",
        )
    return Pin(kind="git", value=data[:40].decode("ascii"))


def _wheel(path: Path, cwd: Path) -> Pin:
    """``sha256sum`` format. The wheel lies in ``baseline_wheel/`` whatever folder the line was written from.

    The pin's path is relative: it stands in the report, where no path of this machine belongs.
    """
    name = shown(path, cwd=cwd)
    again = "write it again with `shadow freeze --wheel`"
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PinError(f"cannot be read: {error}", place=Place(file=name), remedy=again) from None
    if len(lines) != 1:
        what = f"should name one wheel, and has {len(lines)} lines"
        raise PinError(
            what, place=Place(file=name), remedy="keep the line of your own package; its dependencies belong into `[sides] requirements`"
        )
    found = _SUM.fullmatch(lines[0])
    if found is None:
        raise PinError("should be 64 hex digits, two spaces and the wheel's name", place=Place(file=name, line=1), remedy=again)
    wheel = path.parent / WHEEL_FOLDER / Path(found["name"]).name
    if not wheel.is_file():
        what = f"the wheel is not there: {shown(wheel, cwd=cwd)}"
        raise PinError(
            what,
            place=Place(file=name, line=1),
            remedy="build it again with `shadow freeze --wheel`, or remove this file to use BASELINE_SHA",
        )
    return Pin(kind="wheel", value=os.path.relpath(wheel, cwd), sha256=found["sha"])


def _canonicalize(folder: Path, cwd: Path) -> str | None:
    """The sha256 of the rules of the project; None where there are none."""
    from hashlib import sha256

    file = folder / RULES_NAME
    if not os.path.lexists(file):
        return None
    wrong = "links out of the contract" if not file.resolve().is_relative_to(folder.resolve()) else "is no file that can be read"
    try:
        if file.is_file() and not wrong.startswith("links"):
            return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        wrong = f"cannot be read: {error.strerror}"
    raise ProjectRulesError(
        [Fault(what=wrong, place=Place(file=shown(file, cwd=cwd)), remedy="put the file itself there, or take it away")]
    )


def _notices(config: Config) -> tuple[str, ...]:
    """What the contract says and this build does not do, where leaving it out can only make the gate stricter."""
    found: list[str] = []
    if config.file.prelabel.url is not None:
        found.append("[prelabel] url is set, but this build advises by rules only; no model is asked")
    return tuple(found)
