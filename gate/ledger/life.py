"""The ledger's life cycle. For now its first step: every fault at once, for people and for CI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import LedgerError
from gate.ledger.read import read_ledger

if TYPE_CHECKING:
    from pathlib import Path

    from gate.types import Fault


def lint(file: Path, folder: Path | None) -> tuple[Fault, ...]:
    """Everything that keeps the ledger from being used, sorted by file and line; empty where it is sound."""
    try:
        read_ledger(file, folder)
    except LedgerError as error:
        return error.faults
    return ()
