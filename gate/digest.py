"""SHA-256 that starts without OpenSSL: loading it (`hashlib` does) takes 3 ms, and a short run hashes for a tenth of one.

Python's own is six times slower a byte. So it is used until a process has hashed as much as takes as long as loading;
both give the same digests.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash as Hash

_WORTH_LOADING = 1 << 20  # bytes
_NAMES = ("_sha2", "_sha256")  # from 3.12 on, and before


def _own() -> Callable[[bytes], Hash] | None:
    """Python's own; None in a build that was made without."""
    for name in _NAMES:
        try:
            found: Callable[[bytes], Hash] = importlib.import_module(name).sha256
        except ImportError:
            continue
        return found
    return None


_plain = _own()
_hashed = [0]


def sha256(data: bytes = b"", *, more: int = 0) -> Hash:
    """As `hashlib.sha256`; ``more`` is about how much will be added later, where that may be much."""
    _hashed[0] += len(data) + more
    if _plain is not None and _hashed[0] < _WORTH_LOADING:
        return _plain(data)
    import hashlib

    return hashlib.sha256(data)
