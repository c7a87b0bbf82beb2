"""``Settings`` to and from JSON: kept in the report's ``run`` object, so that ``signoff`` and ``show`` can run a fixture again.

``run`` is the part of the report that may name this machine; paths stand there as they were.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import ReportError
from gate.types import Conditions, Limits, Pin, Settings, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATHS = ("corpus", "ledger", "ledger_folder", "report", "folder", "checkout")
_TARGET_TUPLES = ("command", "types", "gated")
_TUPLES = ("side_paths", "gated", "rules", "only", "enforce", "notices")
# Kinds whose value is a path; a relative one means the folder in which the command ran.
_PATH_PINS = frozenset({"dir", "wheel", "requirements", "patch"})


def settings_json(settings: Settings, *, cwd: Path | None = None) -> dict[str, Any]:
    """Plain data for JSON. ``cwd`` is where the command ran."""
    here = Path.cwd() if cwd is None else cwd
    plain: dict[str, Any] = {name: getattr(settings, name) for name in settings.__slots__}
    plain |= {name: _text(plain[name]) for name in _PATHS}
    plain |= {name: list(plain[name]) for name in _TUPLES}
    plain |= {side: {"kind": pin.kind, "value": _value(pin, here), "sha256": pin.sha256} for side, pin in _pins(settings)}
    plain["targets"] = [
        {"name": one.name, "entry": one.entry, "adapter": _text(one.adapter), "payload": one.payload, "corpus": one.corpus}
        | {"kind": one.kind, "command": list(one.command), "types": list(one.types), "gated": list(one.gated)}
        for one in settings.targets
    ]
    limits = settings.limits
    plain["limits"] = {"seconds": limits.seconds, "memory_mib": limits.memory_mib, "output_kib": limits.output_kib}
    plain["conditions"] = {name: getattr(settings.conditions, name) for name in settings.conditions.__slots__}
    return plain


def settings_from_json(plain: Mapping[str, Any]) -> Settings:
    """The ``Settings`` of an earlier run. What is no such object raises ``ReportError``."""
    try:
        values = dict(plain)
        values |= {name: None if values[name] is None else Path(values[name]) for name in _PATHS}
        values |= {name: tuple(values[name]) for name in _TUPLES}
        values |= {side: Pin(**values[side]) for side in ("baseline", "candidate")}
        values["targets"] = tuple(
            Target(
                **{**one, "adapter": None if one["adapter"] is None else Path(one["adapter"])}
                | {name: tuple(one[name]) for name in _TARGET_TUPLES}
            )
            for one in values["targets"]
        )
        values["limits"] = Limits(**values["limits"])
        values["conditions"] = Conditions(**values["conditions"])
        return Settings(**values)
    except (KeyError, TypeError, AttributeError) as error:
        what = f"the report does not say how to run a fixture again ({type(error).__name__}: {error})"
        raise ReportError(what, remedy="run `shadow compare` with this version first") from None


def _pins(settings: Settings) -> tuple[tuple[str, Pin], ...]:
    return (("baseline", settings.baseline), ("candidate", settings.candidate))


def _value(pin: Pin, here: Path) -> str:
    return str(here / Path(pin.value).expanduser()) if pin.kind in _PATH_PINS else pin.value


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
