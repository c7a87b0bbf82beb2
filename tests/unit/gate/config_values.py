"""A sound contract on disk, for the tests of the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SHA = "0123456789abcdef0123456789abcdef01234567"
HEAD = 'version = 1\n[[target]]\nname = "main"\nentry = "pkg.mod:run"\n'


def write_contract(root: Path) -> Path:
    """Make ``root`` a checkout with a contract in it."""
    (root / ".git").mkdir()
    (root / "shadow").mkdir()
    (root / "shadow/shadow.toml").write_text(HEAD)
    (root / "shadow/BASELINE_SHA").write_text(SHA + "\n")
    return root
