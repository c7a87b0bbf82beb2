"""The docs page of the decision table, made from the table itself: ``python -m prelabel.table_page > docs/reference/decision-table.md``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import prompts

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD = """\
<!-- Made from prompts/decision_table.yaml by `python -m prelabel.table_page`; edit the table, not this page. -->

# Decision table

`shadow prelabel` compares every unclassified divergence with the rows below. Where several rows apply, the strictest label wins:
reject, then abstain, then accept. Where none applies the label is abstain and no rule is named. Labels are advice: they change
neither the report nor the ledger, and a named person decides at `shadow signoff`.

| rule | label | what the texts show | usual cause | fields |
|---|---|---|---|---|
"""


def page(table: Sequence[prompts.TableRow]) -> str:
    """Markdown: one overview, then each rule with its reason and, where it abstains, its question."""
    overview = "".join(
        f"| [`{row.id}`](#{row.id}) | {row.action} | {row.observation} | {row.cause} | {', '.join(f'`{name}`' for name in row.fields)} |\n"
        for row in table
    )
    return HEAD + overview + "".join(_section(row) for row in table)


def _section(row: prompts.TableRow) -> str:
    question = f"\nTo be answered by a person: {row.question}\n" if row.question else ""
    return f"\n## {row.id}\n\n{row.why}\n{question}"


if __name__ == "__main__":
    sys.stdout.write(page(prompts.load_table()))
