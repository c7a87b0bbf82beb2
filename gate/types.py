"""The values that flow through the gate, in the order of the design's section 1.

    Pin -> Side x2 -> Fixture -> Wire x2 -> Comparison (Divergence ..) -> Judged (+ LedgerRow) -> Report

All are frozen, slotted and keyword-only: a step makes new values, it never edits one. Texts called
"canonical" are visible JSON (``gate.canonical.visible_json``); raw wire records are described in the
docstring of ``gate/worker/worker.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import ClassVar

SideName = Literal["baseline", "candidate"]
# What a side's folders are called: as long on both sides, so that lengths and line breaks of what holds a path are no difference.
FOLDERS: Mapping[SideName, str] = {"baseline": "base", "candidate": "cand"}
PinKind = Literal["git", "dir", "wheel", "requirements", "patch", "tree"]
PayloadKind = Literal["json", "text", "bytes", "call"]
TargetKind = Literal["function", "command", "asgi", "wsgi"]
Decision = Literal["accept", "reject"]
VerdictWord = Literal["accept", "reject", "unclassified"]
PurityScope = Literal["diverging", "full"]
Status = Literal["match", "trivial", "diverging", "impure", "undecided", "error"]
TrustLevel = Literal["none", "named"]

# Worst first: a fixture has exactly one status, the first of these that holds (design, section 12).
STATUSES: tuple[Status, ...] = ("error", "undecided", "impure", "diverging", "trivial", "match")

# Fields that make a divergence row unless `[compare] gated` says otherwise (design, section 6).
GATED: tuple[str, ...] = (
    "ok",
    "value",
    "type",
    "exc.type",
    "exc.module",
    "stdout",
    "exit",
    "arg",
    "effects.env",
    "effects.net",
    "effects.files",
    "effects.process",
)
# Fields that are compared and listed, but never gate by default.
NOTED: tuple[str, ...] = ("exc.msg", "exc.chain", "stderr", "warnings")
FIELDS: tuple[str, ...] = (*GATED, *NOTED)
# Noted for functions, gated for commands: what a command says of its errors stands only there.
OF_COMMANDS: tuple[str, ...] = ("stderr",)

# The id under which what happened while the target was imported is compared.
IMPORT_ID = "@import"


_V = TypeVar("_V", bound="Value")
_set = object.__setattr__


class _Kind(type):
    """Makes classes of values: what is annotated becomes a slot, and a default is kept beside it."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _Kind:
        fields = tuple(space.get("__annotations__", ()))
        space["_defaults"] = {field: space.pop(field) for field in fields if field in space}
        space["__slots__"] = fields
        return super().__new__(cls, name, bases, space)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value(metaclass=_Kind):
    """Base of the values here: frozen, slotted, keyword-only; equal where class and fields are.

    `dataclass` would load `inspect` and compile methods for each class anew, which is felt at every start (docs/adr/0017).
    """

    if TYPE_CHECKING:
        __slots__: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[Mapping[str, Any]]
    else:  # a type checker takes each class for a dataclass

        def __init__(self, **given: Any) -> None:
            slots = self.__slots__
            if len(given) < len(slots):
                given = {**self._defaults, **given}
            try:
                for name in slots:
                    _set(self, name, given[name])
            except KeyError:
                raise self._misfit(given) from None
            if len(given) > len(slots):
                raise self._misfit(given)

    def _misfit(self, given: Mapping[str, Any]) -> TypeError:
        unknown = given.keys() - self.__slots__ or set(self.__slots__) - given.keys()
        has = "has no" if unknown <= given.keys() else "lacks its"
        return TypeError(f"{type(self).__qualname__} {has} field {min(unknown)!r}")

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete field {name!r}")

    def _fields(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__slots__])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._fields() == self._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__qualname__}({shown})"


def replace(value: _V, /, **changes: Any) -> _V:
    """The same value with other fields."""
    return type(value)(**{**{name: getattr(value, name) for name in value.__slots__}, **changes})


class Place(Value):
    """Where in a user's file something stands. ``line`` counts from 1; None means the whole file."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Fault(Value):
    """One thing that is wrong with a user's file: what, where, and the edit or command that mends it."""

    what: str
    place: Place
    remedy: str


class Pin(Value):
    """An immutable reference to one side, as written by the user or made from ``BASELINE_SHA``.

    ``value`` is the commit (40 hex digits), the path, or the wheel's path; ``sha256`` only for wheels.
    ``tree`` is the default candidate: the working tree's tracked and unignored files.
    """

    kind: PinKind
    value: str
    sha256: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}" + (f"#sha256={self.sha256}" if self.sha256 else "")


class Interpreter(Value):
    """A Python that both sides run under. ``packages`` are its plain site-packages folders, ``build`` its ``sys.version`` in one line."""

    executable: Path
    version: str
    packages: tuple[Path, ...] = ()
    implementation: str = "cpython"
    build: str = ""


class Side(Value):
    """One side, materialised into a fresh root that nothing else uses.

    ``roots`` are the import roots in order; ``packages`` the plain site-packages folders that follow
    them. ``code_digest`` is over every file below the import roots plus the resolved requirements: two
    sides with equal digests run the same code. ``facts`` is what the report says of the pin.
    """

    name: SideName
    pin: Pin
    root: Path
    roots: tuple[Path, ...]
    packages: tuple[Path, ...]
    interpreter: Interpreter
    code_digest: str
    facts: Mapping[str, Any]


class Target(Value):
    """What is called. ``entry`` is ``package.module:callable``; ``corpus`` the folder of its fixtures below the corpus ("" = all).

    ``command`` are the words of a command, and ``entry`` is then what they read as in messages. ``types`` are the classes
    (``module:Class``) that fixtures may name. ``gated`` are fields that gate for this target beside those of the settings.
    """

    name: str
    entry: str
    adapter: Path | None = None
    payload: PayloadKind = "json"
    corpus: str = ""
    kind: TargetKind = "function"
    command: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    gated: tuple[str, ...] = ()


class Fixture(Value):
    """One input. ``id`` is its path below the corpus, ``/``-separated; ``sha256`` is over the raw bytes."""

    id: str
    payload: bytes
    sha256: str
    kind: PayloadKind


class Wire(Value):
    """What one side's worker said of one fixture: a raw record (JSON, never pickle) and captured output."""

    record: bytes
    stdout: bytes = b""
    stderr: bytes = b""


class Change(Value):
    """Where inside two JSON texts the sides differ. ``at`` is a JSON pointer; texts are visible JSON, None = absent there."""

    at: str
    baseline: str | None
    candidate: str | None

    def __str__(self) -> str:
        left = "(absent)" if self.baseline is None else self.baseline
        right = "(absent)" if self.candidate is None else self.candidate
        return f"{self.at or '/'}: {left} -> {right}"


class Divergence(Value):
    """A difference in one field of one fixture. The first four are its identity; texts are canonical.

    ``paths`` says where the texts differ, and ``more`` how many such places it leaves out.
    """

    id: str
    field: str
    baseline: str
    candidate: str
    fixture_sha256: str | None = None
    paths: tuple[Change, ...] = ()
    more: int = 0


class Smoothed(Value):
    """Raw texts differ, canonical texts agree: in the whole field, or, where that diverges, at ``paths``.

    ``rules`` names what hid the difference, ``paths`` holds the raw texts of both sides where they differ.
    """

    id: str
    field: str
    rules: tuple[str, ...]
    paths: tuple[Change, ...] = ()


class Impure(Value):
    """A field in which the baseline differs from itself, the perturbation that moved it, and where (as ``Divergence.paths``)."""

    field: str
    cause: str
    paths: tuple[Change, ...] = ()


class Comparison(Value):
    """Two observations of one fixture, compared. ``cause`` is set for error and undecided; an impure field has no divergence.

    ``still_caught`` says that the candidate's exception is another class that handlers of the baseline's catch as well.
    """

    id: str
    status: Status
    divergences: tuple[Divergence, ...] = ()
    noted: tuple[Divergence, ...] = ()
    smoothed: tuple[Smoothed, ...] = ()
    cause: str | None = None
    returned: bool = False
    fired: tuple[str, ...] = ()
    impure: tuple[Impure, ...] = ()
    still_caught: str | None = None


class LedgerRow(Value):
    """One row as written. Optional keys are None where the row does not have them."""

    id: str
    field: str
    baseline: str
    candidate: str
    decision: Decision
    reason: str
    place: Place
    fixture_sha256: str | None = None
    signed_off_by: str | None = None
    signed_off_on: str | None = None
    category: str | None = None
    expires: str | None = None
    relies_on: str | None = None
    signature: str | None = None


class Judged(Value):
    """A divergence with its verdict. ``row`` is the row that decided, ``near`` one with the same id and field but other texts."""

    divergence: Divergence
    verdict: VerdictWord
    fingerprint: str
    row: LedgerRow | None = None
    near: LedgerRow | None = None
    why: str = ""


class StaleRow(Value):
    """An accept row whose divergence no longer reproduces, and why we say so."""

    row: LedgerRow
    why: str


class Limits(Value):
    """Per fixture and side. Units are in the names."""

    seconds: float = 5.0
    memory_mib: int = 1024
    output_kib: int = 1024


# The moment that targets see unless a contract or a fixture says another: 2026-01-01 00:00:00 UTC, in seconds since the epoch.
NOW = 1767225600.0


class Conditions(Value):
    """What surrounds a run and must not show in what a target does; the same on both sides of a comparison.

    ``now``: seconds since the epoch at which the clock stands still; ``seed`` of the random number generators;
    ``zone`` and ``locale`` as in ``TZ`` and ``LC_ALL``; ``temp`` a word that becomes part of the temp root's path.
    The purity check moves one of these at a time.
    """

    hash_seed: str = "0"
    now: float = NOW
    seed: int = 0
    zone: str = "UTC"
    locale: str = "C.UTF-8"
    umask: int = 0o022
    temp: str = ""


class Settings(Value):
    """Everything one `compare` needs, from flags alone or from ``shadow.toml`` with flags on top.

    ``folder`` is the ``shadow/`` folder (None by flags alone), ``checkout`` the git work tree around it
    (None outside git). A run with ``only`` is partial and calls nothing stale. ``purity`` says which fixtures of
    the baseline run against themselves: those that diverge, or all. ``attribute`` names a commit at which the
    diverging ones run as well, to say whose they are.
    ``reuse``: take what an earlier run saw the baseline do, where nothing that it hangs on has changed.
    ``canonicalize`` is the sha256 of ``canonicalize.py``, None where there is none.
    ``strict``: a fork for each fixture. ``enforce``: what the sandbox must hold (words of ``gate.enforcement``).
    """

    baseline: Pin
    candidate: Pin
    corpus: Path
    ledger: Path
    ledger_folder: Path | None
    report: Path
    targets: tuple[Target, ...]
    folder: Path | None = None
    checkout: Path | None = None
    side_paths: tuple[str, ...] = ()
    python: str | None = None
    python_source: str = ""
    requirements: str | None = None
    gated: tuple[str, ...] = GATED
    rules: tuple[str, ...] = ("key-order", "object-ids", "temp-root")
    limits: Limits = Limits()
    conditions: Conditions = Conditions()
    require: TrustLevel = "none"
    require_source: str = "no shadow.toml"
    only: tuple[str, ...] = ()
    purity: PurityScope = "diverging"
    attribute: str | None = None
    reuse: bool = False
    strict: bool = False
    enforce: tuple[str, ...] = ()
    config_digest: str | None = None
    canonicalize: str | None = None
    notices: tuple[str, ...] = ()
