"""The decision table as a file: strict to load, fit to show, and the docs page is made from it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import prompts
from gate.types import FIELDS
from prelabel.table_page import page
from prelabel.types import one_line

ROOT = Path(__file__).parents[3]
ROW = """
  - id: a
    observation: it differs
    cause: somebody
    action: reject
    fields: [value]
    why: it matters
"""
GOOD = f"version: 1\nrows:{ROW}"


def test_the_articles_rows_are_there():
    assert {row.id: row.action for row in prompts.load_table()} == {
        "exception-type": "reject",
        "null-empty": "reject",
        "key-order": "abstain",
        "unicode-form": "abstain",
        "newline-function": "reject",
        "newline-command": "abstain",
        "environment-read": "reject",
        "float-text": "abstain",
    }


def test_fields_are_those_of_the_gate():
    assert {field for row in prompts.load_table() for field in row.fields} <= set(FIELDS)


@pytest.mark.parametrize("row", prompts.load_table(), ids=lambda row: row.id)
def test_reasons_can_be_shown_as_they_stand(row):
    assert row.reason == one_line(row.reason)
    assert ("?" in row.reason) == (row.action == "abstain")


def test_digest_is_over_the_shipped_bytes():
    shipped = resources.files("prompts").joinpath("decision_table.yaml").read_bytes()
    assert prompts.table_digest() == hashlib.sha256(shipped).hexdigest()
    assert prompts.parse_table(shipped) == prompts.load_table()


def test_a_good_table_loads():
    (row,) = prompts.parse_table(GOOD.encode())
    assert row == prompts.TableRow(id="a", observation="it differs", cause="somebody", action="reject", fields=("value",), why="it matters")


def test_words_stay_words():
    (row,) = prompts.parse_table(GOOD.replace("somebody", "no").encode())
    assert row.cause == "no"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        pytest.param("cause:", "couse:", "a row has", id="unknown key"),
        pytest.param("    cause: somebody\n", "", "a row has", id="missing key"),
        pytest.param("cause: somebody", "cause: somebody\n    cause: nobody", "duplicate key", id="duplicate key"),
        pytest.param("action: reject", "action: refuse", "unknown action 'refuse'", id="unknown action"),
        pytest.param("action: reject", "action: abstain", "a question belongs", id="abstain without question"),
        pytest.param("why: it matters", "why: it matters\n    question: does it?", "a question belongs", id="question without abstain"),
        pytest.param("fields: [value]", "fields: value", "list of texts", id="fields as text"),
        pytest.param("fields: [value]", "fields: []", "list of texts", id="no fields"),
        pytest.param("fields: [value]", "fields: [[value]]", "list of texts", id="nested fields"),
        pytest.param("cause: somebody", "cause:", "everything is text", id="empty text"),
        pytest.param("cause: somebody", "cause: [a]", "everything is text", id="list for text"),
        pytest.param("id: a", "id: [a]", "everything is text", id="list for id"),
        pytest.param("it matters", "x" * 121, "at most 120", id="long line"),
        pytest.param("it matters", '"two\\nlines"', "printable line", id="two lines"),
        pytest.param("version: 1", "version: 2", "version '2'", id="version"),
        pytest.param("version: 1\n", "", "exactly `version`", id="no version"),
        pytest.param("version: 1", "version: 1\nmore: 1", "exactly `version`", id="unknown top key"),
        pytest.param(ROW, ROW + ROW.lstrip("\n"), "two rows with one id", id="duplicate id"),
        pytest.param(ROW, " []", "no rows", id="no rows"),
        pytest.param(ROW, " a", "exactly `version`", id="rows as text"),
        pytest.param("  - id: a", "  - id: a\n    [x]: b", "no text", id="key that is no text"),
        pytest.param("[value]", "[value", "not YAML", id="no YAML"),
        pytest.param(GOOD, "", "empty", id="empty file"),
        pytest.param(GOOD, "a", "exactly `version`", id="a word"),
    ],
)
def test_a_bad_table_is_refused(old, new, says):
    assert old in GOOD
    with pytest.raises(prompts.TableError, match=".*" + says.replace("[", r"\[")):
        prompts.parse_table(GOOD.replace(old, new).encode())


def test_the_docs_page_is_the_one_made_from_the_table():
    on_disk = (ROOT / "docs/reference/decision-table.md").read_text(encoding="utf-8")
    assert on_disk == page(prompts.load_table()), "run: python -m prelabel.table_page > docs/reference/decision-table.md"


def test_the_docs_page_says_every_row_in_full():
    made = page(prompts.load_table())
    for row in prompts.load_table():
        assert all(text in made for text in (f"## {row.id}\n", row.observation, row.cause, row.why, row.reason, *row.fields))


def test_loading_the_package_reads_no_yaml():
    script = "import sys, prompts, prelabel.rules, prelabel.advise; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
