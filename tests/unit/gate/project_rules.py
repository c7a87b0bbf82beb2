"""A `canonicalize.py` on disk, opened as a run opens it: real processes, real limits."""

import sys
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from unittest import mock

from gate.canonical.contract import contract_rules
from gate.canonical.rules import Context
from gate.compare import compare
from gate.types import GATED, Limits, Pin, Settings, Target
from tests.traced import interpreter as traced
from tests.unit.gate.comparing import FIXTURE, ROOTS, wire

HEAD = "from shadow_rules import rule\n"
MEASURED = str(traced(Path(sys._base_executable)))  # the default interpreter, and with coverage what the rules' processes do in it


def settings_of(root, source, *, targets=("main",), seconds=5.0, memory_mib=1024, **more):
    folder = root / "shadow"
    folder.mkdir(exist_ok=True)
    data = source if isinstance(source, bytes) else source.encode()
    (folder / "canonicalize.py").write_bytes(data)
    pin = Pin(kind="dir", value="x")
    return Settings(
        baseline=pin,
        candidate=pin,
        corpus=folder / "corpus",
        ledger=folder / "delta_ledger.yaml",
        ledger_folder=None,
        report=folder / "out/report.json",
        targets=tuple(Target(name=name, entry="m:run") for name in targets),
        folder=folder,
        limits=Limits(seconds=seconds, memory_mib=memory_mib),
        **{"canonicalize": sha256(data).hexdigest()} | more,
    )


@contextmanager
def opened(root, source, **more):
    """The rules of a file that consists of `source`, behind the import; line 1 is the import."""
    scratch = root / "scratch"
    scratch.mkdir(exist_ok=True)
    with mock.patch.object(sys, "_base_executable", MEASURED), contract_rules(settings_of(root, HEAD + source, **more), scratch) as rules:
        yield rules
    (scratch / "rules").rmdir()  # nothing may be left in it


def between(rules, baseline, candidate):
    """The comparison of two records under these rules."""
    contexts = (Context(temp_root=ROOTS[0]), Context(temp_root=ROOTS[1]))
    left, right = (side if hasattr(side, "record") else wire(side) for side in (baseline, candidate))
    return compare(fixture=FIXTURE, baseline=left, candidate=right, rules=rules, gated=frozenset(GATED), contexts=contexts)
