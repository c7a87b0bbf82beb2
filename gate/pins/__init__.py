"""Pins: immutable references to one side, and the two fresh roots that they become.

``parse`` reads the text of a pin, ``fetch`` brings each kind into a root (``git`` and ``snapshot`` help), ``sides`` makes
the two sides and refuses to compare a thing with itself. Parts are loaded when first used: start-up is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gate.pins.parse import parse_pin
    from gate.pins.sides import Sides, materialise, materialise_baseline

__all__ = ["Sides", "materialise", "materialise_baseline", "parse_pin"]


def __getattr__(name: str) -> Any:
    if name == "parse_pin":
        from gate.pins.parse import parse_pin

        return parse_pin
    if name in __all__:
        from gate.pins import sides

        return getattr(sides, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
