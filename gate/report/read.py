"""``report.json`` in: checked for version and shape before anything is believed; what is wrong is one ``ReportError``.

Written by hand and without pydantic: every command after ``compare`` starts here, and there is little to check.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gate.config.words import printable, shown
from gate.errors import ReportError
from gate.report.model import COUNT_KEYS, VERSION, Entry, Report
from gate.report.write import KEYS, LISTS, OBJECTS
from gate.types import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_TEXT, _MAYBE = (str,), (str, type(None))
_ENTRY: dict[str, tuple[type, ...]] = {
    "id": _TEXT,
    "field": _TEXT,
    "baseline": _TEXT,
    "candidate": _TEXT,
    "verdict": _TEXT,
    "fingerprint": _TEXT,
    "fixture_sha256": _MAYBE,
    "row": _MAYBE,
    "reason": _MAYBE,
    "paths": (list,),
    "near": _MAYBE,
    "why": _TEXT,
    "attribution": _MAYBE,
}
_VERDICTS = ("accept", "reject", "unclassified")
_MARK = 12
_AGAIN = "run `shadow compare` again to write it"


class _ShapeError(Exception):
    """What is wrong, in a few words."""


def read_report(path: Path) -> Report:
    """The report of an earlier ``shadow compare``."""
    name = shown(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ReportError(f"there is no report: {name} does not exist", remedy="run `shadow compare` first, or name the report") from None
    except OSError as error:
        raise ReportError(f"cannot be read: {error.strerror}", place=Place(file=name), remedy=_AGAIN) from None
    try:
        return from_json(json.loads(data.decode("utf-8", "surrogatepass")))
    except (ValueError, RecursionError) as error:
        raise ReportError(f"is not JSON: {printable(str(error))}", place=Place(file=name), remedy=_AGAIN) from None
    except _ShapeError as error:
        raise ReportError(f"is no report of this version of shadow: {error}", place=Place(file=name), remedy=_AGAIN) from None


def read_raw_report(path: Path) -> Report:
    """The same, for whoever works with the texts: a redacted report is refused."""
    report = read_report(path)
    if report.redacted:
        what = "is a redacted report: it is for reading, and nothing can be advised on or decided from it"
        raise ReportError(what, place=Place(file=shown(path)), remedy="name the raw report that `shadow compare` wrote beside it")
    return report


def from_json(raw: Any) -> Report:
    """The report that the parsed file holds."""
    _check_keys(raw)
    counts = _counts(raw["counts"])
    divergences = tuple(_entry(item, at) for at, item in enumerate(_list(raw, "divergences")))
    _check_sums(raw, counts, divergences)
    if "redacted" not in raw:  # there the texts are not those of the fingerprints
        _check_marks(divergences)
    objects = {key: _object(raw, key) for key in OBJECTS}
    lists = {key: tuple(_about(item, key) for item in _list(raw, key)) for key in LISTS}
    return Report(
        passed=raw["passed"],
        counts=counts,
        baseline=objects["baseline"],
        candidate=objects["candidate"],
        corpus=objects["corpus"],
        canonical=objects["canonical"],
        config=objects["config"],
        trust=objects["trust"],
        divergences=divergences,
        noted=lists["noted"],
        smoothed=lists["smoothed"],
        impure=lists["impure"],
        undecided=lists["undecided"],
        errors=lists["errors"],
        stale=lists["stale"],
        standing=lists["standing"],
        notices=tuple(_texts(raw["notices"], "notices")),
        run=_object(raw, "run"),
        redacted="redacted" in raw,
    )


def _check_keys(raw: Any) -> None:
    if not isinstance(raw, dict):
        raise _ShapeError("it should be an object")
    if type(raw.get("version")) is not int or raw["version"] != VERSION:
        raise _ShapeError(f"its version is {printable(str(raw.get('version')))[:40]}, this build reads {VERSION}")
    for key in KEYS:
        if key not in raw:
            raise _ShapeError(f"`{key}` is missing")
    if "redacted" in raw and raw["redacted"] is not True:
        raise _ShapeError("`redacted` should be true, or left out")
    for key in raw:
        if key not in {*KEYS, "redacted"}:
            raise _ShapeError(f"unknown key `{printable(key)[:60]}`")


def _check_sums(raw: Mapping[str, Any], counts: Mapping[str, int], divergences: Sequence[Entry]) -> None:
    """What the file says twice must agree, or somebody edited one half."""
    if not isinstance(raw["passed"], bool):
        raise _ShapeError("`passed` should be true or false")
    for verdict in _VERDICTS:
        if counts[verdict] != sum(entry.verdict == verdict for entry in divergences):
            raise _ShapeError(f"`counts` and `divergences` disagree about {verdict}; was it edited?")
    if type(raw["unclassified"]) is not int or raw["unclassified"] != counts["unclassified"]:
        raise _ShapeError("`unclassified` and `counts` disagree; was it edited?")
    if raw["passed"] and (counts["unclassified"] or counts["reject"] or counts["stale"]):
        raise _ShapeError("`passed` and `counts` disagree; was it edited?")


def _check_marks(divergences: Sequence[Entry]) -> None:
    """Each entry is of the identity that its fingerprint names, and of one of its own."""
    from gate.verdict import identity  # with a report to check only: it loads OpenSSL

    seen: set[str] = set()
    for at, entry in enumerate(divergences):
        mark = identity(entry)
        if entry.fingerprint != mark[: len(entry.fingerprint)] or len(entry.fingerprint) != _MARK:
            raise _ShapeError(f"the fingerprint of `divergences[{at}]` is not that of its texts; was it edited?")
        if mark in seen:
            raise _ShapeError(f"`divergences[{at}]` stands in the report twice; was it edited?")
        seen.add(mark)


def _counts(raw: Any) -> dict[str, int]:
    if not isinstance(raw, dict) or set(raw) != set(COUNT_KEYS):
        raise _ShapeError("`counts` should have exactly the keys " + ", ".join(COUNT_KEYS))
    for key, number in raw.items():
        if type(number) is not int or number < 0:
            raise _ShapeError(f"`counts.{key}` should be a number of things")
    return {key: raw[key] for key in COUNT_KEYS}


def _entry(raw: Any, at: int) -> Entry:
    where = f"divergences[{at}]"
    if not isinstance(raw, dict) or set(raw) != set(_ENTRY):
        raise _ShapeError(f"`{where}` should have exactly the keys " + ", ".join(_ENTRY))
    for key, kinds in _ENTRY.items():
        if not isinstance(raw[key], kinds):
            raise _ShapeError(f"`{where}.{key}` has the wrong type")
    if raw["verdict"] not in _VERDICTS:
        raise _ShapeError(f"`{where}.verdict` should be one of {', '.join(_VERDICTS)}")
    return Entry(**{**raw, "paths": tuple(_texts(raw["paths"], f"{where}.paths"))})


def _about(raw: Any, key: str) -> Mapping[str, Any]:
    """An entry of one of the other lists: an object about a fixture."""
    if not isinstance(raw, dict) or not isinstance(raw.get("id"), str):
        raise _ShapeError(f"every entry of `{key}` should be an object with a text `id`")
    for name in ("field", "cause", "why", "row"):
        if not isinstance(raw.get(name), _MAYBE):
            raise _ShapeError(f"`{key}`: `{name}` should be a text")
    for name in ("rules", "paths"):
        _texts(raw.get(name, []), f"{key}: {name}")
    return raw


def _object(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    if not isinstance(raw[key], dict):
        raise _ShapeError(f"`{key}` should be an object")
    return dict(raw[key])


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    value = raw[key]
    if not isinstance(value, list):
        raise _ShapeError(f"`{key}` should be a list")
    return value


def _texts(raw: Any, key: str) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(text, str) for text in raw):
        raise _ShapeError(f"`{key}` should be a list of texts")
    return raw
