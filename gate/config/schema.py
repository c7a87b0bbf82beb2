"""The shape of ``shadow.toml`` for pydantic: strict, no unknown key (design, section 3).

Imported only by ``load``, and only when there is a file: pydantic costs more than a whole small run.
Checks of one value stand here; checks that need the folder or two values stand in ``load``.
"""

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from gate.config.words import did_you_mean, entry_fault
from gate.types import FIELDS

_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def _entry(text: str) -> str:
    if (fault := entry_fault(text)) is not None:
        raise ValueError(fault)
    return text


def _app(text: str) -> str:
    if (fault := entry_fault(text.removesuffix("()"))) is not None:
        raise ValueError(fault)
    return text


def _word(text: str) -> str:
    if not text or "\0" in text:
        raise ValueError("should be a text that is not empty")
    return text


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise ValueError("should be letters, digits, `_`, `-` and `.`: it is the name of a folder below corpus/")
    return text


def _pattern(value: str) -> str:
    bare = value.removeprefix("!")
    if not bare.strip("./") or bare != bare.strip() or bare.startswith("!") or bare.endswith("/"):
        raise ValueError(f"{value!a} names no file: write its path below the project, with `!` right before it to leave it out")
    _inside(bare)
    return value


def _inside(text: str) -> str:
    parts = text.split("/")
    if not text or text.startswith(("/", "~")) or ".." in parts or "\\" in text or not text.isprintable():
        raise ValueError("should be a relative path that stays inside, written with `/`")
    return text


def _field(text: str) -> str:
    if text not in FIELDS:
        raise ValueError(f"{text!r} is no field; {did_you_mean(text, FIELDS)}")
    return text


def _rule(text: str) -> str:
    from gate.canonical.rules import make_rules

    make_rules([text])  # its ValueError names the nearest known rule
    return text


def _detector(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise ValueError("should be `secrets`, `pii`, or the name of an entry point: letters, digits, `_`, `-` and `.`")
    return text


def _moment(value: object) -> object:
    """A text in ISO 8601, or a time of TOML's own, as a datetime with its zone; without one it is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("should be a time like 2026-01-01T00:00:00Z") from None
    if type(value) is date:
        value = datetime.combine(value, time())
    if not isinstance(value, datetime):
        raise ValueError("should be a time like 2026-01-01T00:00:00Z")  # noqa: TRY004  # pydantic takes a ValueError as the message
    value = value if value.tzinfo else value.replace(tzinfo=UTC)
    if not _FIRST <= value <= _LAST:
        raise ValueError("should be a time from 1970 to 9998")
    return value


def _rules(names: list[str]) -> list[str]:
    from gate.canonical.rules import make_rules

    make_rules(names)  # two rules that are right alone may contradict each other
    return names


Entry = Annotated[str, AfterValidator(_entry)]
Name = Annotated[str, AfterValidator(_name)]
Inside = Annotated[str, AfterValidator(_inside)]
Pattern = Annotated[str, AfterValidator(_pattern)]
FieldName = Annotated[str, AfterValidator(_field)]
RuleName = Annotated[str, AfterValidator(_rule)]
App = Annotated[str, AfterValidator(_app)]
Word = Annotated[str, AfterValidator(_word)]
Words = Annotated[str, Field(min_length=1)]
DetectorName = Annotated[str, AfterValidator(_detector)]
Moment = Annotated[datetime, BeforeValidator(_moment)]


class Table(BaseModel):
    """One table: no key that is not named, no value of another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class TargetTable(Table):
    """``[[target]]``. That exactly one of ``entry``, ``command``, ``asgi`` and ``wsgi`` is there is checked by ``load``."""

    name: Name
    entry: Entry | None = None
    adapter: Inside | None = None
    payload: Literal["json", "text", "bytes"] = "json"
    command: Annotated[list[Word], Field(min_length=1)] | None = None
    asgi: App | None = None
    wsgi: App | None = None
    types: list[Entry] = []


class SidesTable(Table):
    """``[sides]``: import roots and the environment of both sides."""

    path: list[Inside] = []
    python: Words | None = None
    requirements: Inside | None = None


class CompareTable(Table):
    """``[compare]``: what gates, and which rules make texts comparable. An empty ``gated`` would pass everything."""

    gated: Annotated[list[FieldName], Field(min_length=1)] | None = None
    rules: Annotated[list[RuleName], AfterValidator(_rules)] | None = None


class LimitsTable(Table):
    """``[limits]``: per fixture and side."""

    seconds: float = Field(default=5.0, gt=0, le=86_400, allow_inf_nan=False)
    memory_mib: int = Field(default=1024, ge=32, le=1 << 40)
    output_kib: int = Field(default=1024, ge=1, le=1 << 40)


class PrelabelTable(Table):
    """``[prelabel]``: where a model could be asked. Never a key."""

    url: Words | None = None
    model: Words | None = None
    protocol: Words | None = None
    budget: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class TrustTable(Table):
    """``[trust]``: what a new accept row must show. Levels above ``named`` are known, and refused by ``load``."""

    require: Literal["none", "named", "signed", "touched"] = "named"


class InjectTable(Table):
    """``[inject]``: the moment at which the targets' clock stands still, and the seed of their random numbers."""

    now: Moment | None = None
    seed: int = Field(default=0, ge=0, lt=1 << 32)


class RedactionTable(Table):
    """``[redaction]``: what looks besides our own detectors, and which files hold values that are secret whatever they look like."""

    detectors: list[DetectorName] = []
    env_files: list[Pattern] = []


class File(Table):
    """The whole file."""

    version: Literal[1]
    target: Annotated[list[TargetTable], Field(min_length=1)]
    sides: SidesTable = SidesTable()
    compare: CompareTable = CompareTable()
    limits: LimitsTable = LimitsTable()
    prelabel: PrelabelTable = PrelabelTable()
    trust: TrustTable = TrustTable()
    inject: InjectTable = InjectTable()
    redaction: RedactionTable = RedactionTable()


KNOWN: dict[str, tuple[str, ...]] = {
    "": tuple(File.model_fields),
    "target": tuple(TargetTable.model_fields),
    "sides": tuple(SidesTable.model_fields),
    "compare": tuple(CompareTable.model_fields),
    "limits": tuple(LimitsTable.model_fields),
    "prelabel": tuple(PrelabelTable.model_fields),
    "trust": tuple(TrustTable.model_fields),
    "inject": tuple(InjectTable.model_fields),
    "redaction": tuple(RedactionTable.model_fields),
}
