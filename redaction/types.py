"""The values of this package: ``Redacted``, the only text that may leave the machine, and ``Pair``.

Rule (design, section 9): only ``redaction`` makes a ``Redacted``. Its constructor wants a token that
lives in this module; ``copy`` gives the same object back, ``pickle`` and subclassing are refused, and
nothing that stands in it is assigned or replaced (it is no dataclass: importing those would cost a fifth of
the import). Code outside the package imports from ``redaction`` itself, never from its modules (a test walks
the imports), so ``mint`` stays inside.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, NoReturn, final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redaction.policy import Policy

_MINT = object()


@final
class Redacted:
    """A text from which every found secret was taken. ``kinds`` says how many values of each kind were hidden in it.

    ``policy`` is how it was looked at; whatever is made from it is looked at in the same way.
    """

    __slots__ = ("kinds", "policy", "text")
    text: str
    kinds: Mapping[str, int]
    policy: Policy

    def __init__(self, *, text: str, kinds: Mapping[str, int], policy: Policy, token: object) -> None:
        if token is not _MINT:
            raise TypeError("only `redaction` makes Redacted: call redaction.redact_text or redaction.redact_pair")
        for name, value in (("text", text), ("kinds", kinds), ("policy", policy)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Redacted does not change: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Redacted does not change: {name}")

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if type(other) is Redacted else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Redacted has no subclasses")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Redacted({self.text!r})"

    def __bool__(self) -> bool:
        return bool(self.text)

    def __copy__(self) -> Redacted:
        return self

    def __deepcopy__(self, memo: object) -> Redacted:
        return self

    def __getstate__(self) -> NoReturn:
        raise TypeError("Redacted is not pickled: keep the raw text and redact again")

    def __setstate__(self, state: object) -> NoReturn:
        raise TypeError("Redacted is not unpickled: only `redaction` makes it")

    def __reduce__(self) -> NoReturn:
        raise TypeError("Redacted is not pickled: keep the raw text and redact again")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("Redacted is not pickled: keep the raw text and redact again")


def mint(text: str, kinds: Mapping[str, int], policy: Policy) -> Redacted:
    """Make a ``Redacted``. Only modules of this package call it, on text that was scanned."""
    return Redacted(text=text, kinds=MappingProxyType(dict(kinds)), policy=policy, token=_MINT)


class Pair(NamedTuple):
    """Both sides of a divergence and what belongs to it, redacted in one scope.

    Equal raw texts are equal here and different ones differ, truncated or not. ``scanned`` is False when
    a text could not be scanned (size, fault, a hit in the last look); that text is a fixed placeholder.
    """

    baseline: Redacted
    candidate: Redacted
    more: Mapping[str, Redacted]
    truncated: bool
    scanned: bool
    legend: Redacted


class Span(NamedTuple):
    """One place to hide. ``value`` is what stands there when decoded; ``form`` how it is written if not plainly.

    ``quote`` is put around the placeholder where the place is no string (a JSON number).
    """

    start: int
    end: int
    kind: str
    value: str
    form: str = ""
    quote: str = ""


class ScanLimitError(Exception):
    """A limit of the scan was reached; the text is not sent."""
