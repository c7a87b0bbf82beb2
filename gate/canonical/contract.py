"""Which rules a run has: those that the config names, and those of ``canonicalize.py``, where there is one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate.canonical.rules import in_order, make_rules
from gate.config.find import RULES_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gate.canonical.rules import Rule
    from gate.types import Settings


@contextmanager
def contract_rules(settings: Settings, scratch: Path) -> Iterator[tuple[Rule, ...]]:
    """In the order in which they are applied. Rules of the project run in processes that end with the context."""
    named = make_rules(settings.rules)
    if settings.canonicalize is None or settings.folder is None:
        yield named
        return
    from gate.canonical.project import opened

    with opened(settings, settings.folder / RULES_NAME, scratch) as own:
        yield in_order((*named, *own))
