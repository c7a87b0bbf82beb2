"""Makes sides out of plain source text and runs fixtures on them, with real worker processes."""

import json
import shlex
import sys
from pathlib import Path

from gate.canonical.visible_json import parse
from gate.runner import Pair
from gate.types import Fixture, Interpreter, Limits, Pin, Side, Target, replace
from tests.traced import interpreter as traced

KERNEL = Path(__file__).parents[2] / "kernel.py"
PLAIN = Interpreter(executable=Path(sys._base_executable), version=sys.version.split()[0])
INTERPRETER = replace(PLAIN, executable=traced(PLAIN.executable))


def side(name, root, source, *, module="target", interpreter=INTERPRETER, packages=()):
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    return Side(
        name=name,
        pin=Pin(kind="dir", value=name),
        root=folder,
        roots=(folder,),
        packages=packages,
        interpreter=interpreter,
        code_digest=name,
        facts={},
    )


def lacking(folder, *names, interpreter=INTERPRETER):
    """An interpreter on a kernel that lacks these (``tests/kernel.py``)."""
    wrapper = folder / "python"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(KERNEL), *names, "--", str(interpreter.executable)])} "$@"\n')
    wrapper.chmod(0o755)
    return Interpreter(executable=wrapper, version=interpreter.version)


def fixture(fixture_id, payload, kind="json"):
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Fixture(id=fixture_id, payload=raw, sha256="0" * 64, kind=kind)


def open_pair(
    tmp_path,
    baseline,
    candidate=None,
    *,
    entry="target:run",
    adapter=None,
    limits=None,
    interpreter=INTERPRETER,
    packages=(),
    conditions=None,
    require=(),
    strict=False,
    **more,
):
    both = (("baseline", baseline), ("candidate", candidate or baseline))
    sides = tuple(side(name, tmp_path, source, interpreter=interpreter, packages=packages) for name, source in both)
    target = Target(name="t", entry=entry, adapter=adapter, **more)
    how = {"conditions": conditions, "require": require, "strict": strict}
    return Pair(sides, target, limits or Limits(seconds=2.0), tmp_path / "scratch", tmp_path / "pycache", **how)


def records(pair, fixtures, **how):
    """{id: (baseline record, candidate record)} as parsed JSON, with captured stdout under "stdout"."""
    out = {}
    for one, left, right in pair.run(fixtures, **how):
        out[one.id] = tuple({**parse(record), "stdout": stdout.decode("utf-8", "replace")} for record, stdout, _ in (left, right))
    return out
