"""`ready.py BASELINE CANDIDATE ENTRY SCRATCH`: both workers, until each has imported the target; prints CPU seconds of one.

Their byte code is kept in SCRATCH, as `shadow` keeps it in the user's cache.
"""

import resource
import sys
from pathlib import Path

from gate.runner import Pair
from gate.types import Interpreter, Limits, Pin, Side, Target


def main():
    *roots, entry, scratch = sys.argv[1:]
    scratch = Path(scratch)
    interpreter = Interpreter(executable=Path(sys.executable).resolve(), version=sys.version.split()[0])
    sides = [
        Side(
            name=name,
            pin=Pin(kind="dir", value=root),
            root=Path(root),
            roots=(Path(root),),
            packages=(),
            interpreter=interpreter,
            code_digest="",
            facts={},
        )
        for name, root in zip(("baseline", "candidate"), roots, strict=True)
    ]
    with Pair(tuple(sides), Target(name="t", entry=entry), Limits(), scratch / "run", scratch / "pycache"):
        pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print((used.ru_utime + used.ru_stime) / 2)


if __name__ == "__main__":
    main()
