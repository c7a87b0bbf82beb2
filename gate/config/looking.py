"""What redaction is to know of this project: ``[redaction]`` of ``shadow.toml``, for whoever composes its policy.

Redaction decides no verdict, so this is no part of ``Settings``: commands that show or publish something ask for it, and a run that
shows everything raw on somebody's own machine never does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.config.find import config_path, find_checkout
from gate.types import Value

if TYPE_CHECKING:
    from pathlib import Path

ENV_FILES = (".env", ".env.*")


class Looking(Value):
    """``detectors`` by name, and ``env_files``: patterns below ``root``, the project's folder; ``!`` leaves some out again."""

    root: Path
    detectors: tuple[str, ...] = ()
    env_files: tuple[str, ...] = ENV_FILES


def looking(cwd: Path, config: str | None = None) -> Looking:
    """What the contract says. Without one: the defaults, in the root of the checkout, or else here."""
    path = config_path(config, cwd)
    if path is None:
        return Looking(root=find_checkout(cwd) or cwd)
    from gate.config.load import load_file

    table = load_file(path, cwd=cwd).file.redaction
    return Looking(root=path.resolve().parent.parent, detectors=tuple(table.detectors), env_files=(*ENV_FILES, *table.env_files))
