"""The texts that advice is made from, loaded by name with version and digest.

``decision_table.yaml`` is the article's decision table as data: the single source for the rules, the
docs page and, later, the prompt. It ships inside the package, so a fault in it is a fault of ours: the
loader is strict and raises ``TableError``, never a guess. Nothing here knows the gate (design, section 5).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

Action = Literal["reject", "abstain", "accept"]

TABLE = "decision_table.yaml"
TABLE_VERSION = "1"
LINE_LIMIT = 120


class TableError(ValueError):
    """The decision table is not what this version reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row. ``fields`` are those of an observation that it reads; ``question`` is there exactly with ``abstain``."""

    id: str
    observation: str
    cause: str
    action: Action
    fields: tuple[str, ...]
    why: str
    question: str | None = None

    @property
    def reason(self) -> str:
        """The line that people are shown: the question they must answer, or why not (or why)."""
        return self.question or self.why


@cache
def load_table() -> tuple[TableRow, ...]:
    """The rows in the order of the file."""
    return parse_table(_read(TABLE))


@cache
def table_digest() -> str:
    """sha256 over the bytes of the file, so that advice can say which table it came from."""
    return hashlib.sha256(_read(TABLE)).hexdigest()


def parse_table(text: bytes) -> tuple[TableRow, ...]:
    """Strictly: unknown, missing and duplicate keys, unknown actions, duplicate ids and unfit lines are a ``TableError``."""
    import yaml

    try:
        document = _plain(yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.YAMLError as error:
        raise TableError(f"not YAML: {error}") from error
    if not isinstance(document, dict) or document.keys() != {"version", "rows"} or not isinstance(document["rows"], list):
        raise TableError("the table holds exactly `version` and a list `rows`")
    if document["version"] != TABLE_VERSION:
        raise TableError(f"version {document['version']!r}; this build reads {TABLE_VERSION}")
    rows = tuple(_row(item) for item in document["rows"])
    if not rows or len({row.id for row in rows}) != len(rows):
        raise TableError("no rows, or two rows with one id")
    return rows


def _read(name: str) -> bytes:
    return resources.files(__name__).joinpath(name).read_bytes()


def _plain(node: Any) -> Any:
    """A YAML node as dict, list and text: scalars stay as written (`no` is a word), duplicate keys are refused."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    if not isinstance(node, yaml.MappingNode):
        raise TableError("the table is empty")
    mapping = {_plain(key): _plain(value) for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    if len(mapping) != len(node.value):
        raise TableError(f"line {node.start_mark.line + 1}: a duplicate key, or a key that is no text")
    return mapping


def _row(item: Any) -> TableRow:
    known = {field.name for field in fields(TableRow)}
    if not isinstance(item, dict) or not known - {"question"} <= item.keys() <= known:
        raise TableError(f"a row has {sorted(known)} (question only with abstain), not {item!r}")
    texts = {key: value for key, value in item.items() if key != "fields"}
    reads = item["fields"]
    if not isinstance(reads, list) or not all(isinstance(text, str) and text for text in (*reads, *texts.values())) or not reads:
        raise TableError(f"in {item['id']!r} everything is text, and `fields` a list of texts")
    if item["action"] not in get_args(Action):
        raise TableError(f"unknown action {item['action']!r} in {item['id']!r}; known: {', '.join(get_args(Action))}")
    if ("question" in item) != (item["action"] == "abstain"):
        raise TableError(f"{item['id']!r}: a question belongs to abstain, and only there")
    for key in ("why", "question"):
        line = item.get(key, "")
        if len(line) > LINE_LIMIT or not line.isprintable():
            raise TableError(f"{item['id']!r}: `{key}` is one printable line of at most {LINE_LIMIT} characters")
    return TableRow(**texts, fields=tuple(reads))
