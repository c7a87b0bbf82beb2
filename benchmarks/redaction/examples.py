"""The public examples of kingfisher's rules: a foreign set that is read where it lies and of which nothing is kept here."""

import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from benchmarks.redaction.contestants.interface import Contestant
from benchmarks.redaction.measure import LONG


def examples(place: Path) -> list[tuple[str, str]]:
    """(rule, example) of all rule files below a checkout or in a git directory without one."""
    return [
        (str(rule.get("id", "?")), example)
        for text in _rule_files(place)
        for rule in (yaml.safe_load(text) or {}).get("rules", [])
        for example in _texts(rule)
    ]


def _texts(rule: dict[str, Any]) -> list[str]:
    return [example for example in rule.get("examples") or [] if isinstance(example, str)]


def _is_rule(path: str) -> bool:
    return "/rules/" in f"/{path}" and path.endswith((".yml", ".yaml")) and "test" not in path


def _rule_files(place: Path) -> Iterator[str]:
    if not (place / "HEAD").is_file():
        yield from (path.read_text("utf-8") for path in sorted(place.rglob("*.y*ml")) if _is_rule(path.relative_to(place).as_posix()))
        return
    listed = subprocess.run(["git", "-C", place, "ls-tree", "-r", "--name-only", "HEAD"], check=True, capture_output=True, text=True).stdout
    paths = [path for path in listed.splitlines() if _is_rule(path)]
    archive = subprocess.run(["git", "-C", place, "archive", "--format=tar", "HEAD", *paths], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            if (file := files.extractfile(member)) is not None:
                yield file.read().decode("utf-8")


def measure_examples(contestant: Contestant, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The examples in which the contestant finds nothing at all."""
    outs = contestant.redact([text for _, text in found], limit=LONG).outs
    return [(rule, text) for (rule, text), out in zip(found, outs, strict=True) if text == out]
