"""Where the contract and the checkout are, found by walking up from the current folder. No subprocess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

CONFIG_NAME = "shadow.toml"
FOLDER_NAME = "shadow"
REPORT_NAME = "report.json"
PARTIAL_NAME = "partial.json"
LEDGER_NAME = "delta_ledger.yaml"
LEDGER_FOLDER = "delta_ledger.d"
RULES_NAME = "canonicalize.py"


def find_folder(start: Path) -> Path | None:
    """The ``shadow/`` folder at or above ``start`` that holds a ``shadow.toml``.

    The walk ends at the root of a git checkout: what lies above it is another project's, and nothing there is
    protected by the reviews of this one. A folder named ``shadow`` without a ``shadow.toml`` is somebody's package.
    """
    for folder in (start, *start.parents):
        found = folder / FOLDER_NAME
        if (found / CONFIG_NAME).is_file():
            return found
        if (folder / ".git").exists():
            return None
    return None


def find_checkout(start: Path) -> Path | None:
    """The root of the git work tree around ``start``: the folder that holds ``.git`` (a file in worktrees and submodules)."""
    return next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), None)


def default_report(cwd: Path) -> Path:
    """Where ``compare`` writes its report, and every later command looks for it, when no flag says otherwise.

    With a contract ``shadow/out/report.json``, else ``report.json`` in the current folder.
    """
    folder = find_folder(cwd)
    return cwd / REPORT_NAME if folder is None else folder / "out" / REPORT_NAME


def config_path(given: str | None, cwd: Path) -> Path | None:
    """The ``shadow.toml`` of this command: the one that ``--config`` names (or its folder), else the one found by walking up."""
    if given is None:
        folder = find_folder(cwd)
        return None if folder is None else folder / CONFIG_NAME
    path = cwd / given
    return path / CONFIG_NAME if path.is_dir() else path


def ledger_paths(*, ledger: str | None, config: str | None, cwd: Path) -> tuple[Path, Path | None]:
    """The ledger's file, and its ``delta_ledger.d`` where that exists: as named, else those of the contract. Reads no config."""
    if ledger is not None:
        return cwd / ledger, None
    path = config_path(config, cwd)
    if path is None:
        raise UsageError(f"there is no {CONFIG_NAME} here or above", remedy="name the ledger: --ledger FILE")
    parts = path.parent / LEDGER_FOLDER
    return path.parent / LEDGER_NAME, parts if parts.is_dir() else None
