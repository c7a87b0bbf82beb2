"""How redaction looks in this project: the profile, what is known to be secret beforehand, and the detectors that the contract names.

    public(config)     strict: what leaves the machine, or is read by everybody
    local(config)      balanced: reports on one's own machine
    last_resort()      strict, for an error that has to be said whatever is wrong with the contract: never raises

Known beforehand are the secret values of environment variables and of ``.env`` files; ``gate.config`` reads both.
Source: design, section 9; study of redaction, sections 5 and 6.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from redaction import MissingDetectorError, Policy, detector, secret_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gate.config.looking import Looking

    Extra = Callable[[str], Iterable[tuple[int, int, str]]]


def public(config: str | None = None) -> Policy:
    """``config`` is what ``--config`` says. Raises ``ConfigError``, ``EnvFileError`` or ``DetectorError``."""
    return _policy(config)


def local(config: str | None = None) -> Policy:
    """As ``public``, with the other profile."""
    return _policy(config).with_profile("balanced")


def last_resort() -> Policy:
    """As much of ``public`` as can be had. What cannot is what the error is about, or would be said by the next command."""
    from gate.config import environ
    from gate.config.looking import Looking, looking
    from gate.errors import ShadowError

    pairs = list(environ().variables.items())
    try:
        here = looking(Path.cwd())
    except (ShadowError, OSError):
        here = None
    with suppress(ShadowError, OSError):
        pairs += _env_files(here or Looking(root=Path.cwd()))
    try:
        extras = tuple(map(_detector, here.detectors)) if here else ()
        return Policy(exact=_known(pairs), extras=extras)
    except ShadowError:
        return Policy(exact=_known(pairs))


def _policy(config: str | None) -> Policy:
    from gate.config import environ
    from gate.config.looking import looking

    here = looking(Path.cwd(), config)
    return Policy(exact=_known([*environ().variables.items(), *_env_files(here)]), extras=tuple(map(_detector, here.detectors)))


def _known(pairs: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """In the order of names: the environment has none of its own, and the same policy shall be the same value."""
    return secret_values(sorted(pairs))


def _env_files(here: Looking) -> Sequence[tuple[str, str]]:
    from gate.config.envfiles import read_env_files

    return read_env_files(here.root, here.env_files)


def _detector(name: str) -> Extra:
    from gate.config import cache_home
    from gate.errors import DetectorError

    try:
        return detector(name, folder=cache_home())
    except MissingDetectorError as error:
        raise DetectorError(error.what, remedy=error.remedy) from error
