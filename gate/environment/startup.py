"""What a usual start of Python would run or add to the path, and a worker's does not: ``.pth`` files, ``sitecustomize``.

The rule (design, section 7): start-up code is never executed, only listed. How a line reads is what ``site`` does with it:
``import`` runs, any other text is a folder that would come onto the path (an editable install is made of these).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_CUSTOM = ("sitecustomize", "usercustomize")
_LINES, _WIDTH = 10, 200
_MOST = 1 << 16


def startup(folders: Iterable[Path]) -> list[dict[str, Any]]:
    """Each file that would count, by name: ``file``, the lines that it would have run (``runs``), folders it would add (``paths``)."""
    found = []
    for folder in folders:
        for name in sorted(os.listdir(folder)):  # noqa: PTH208
            if name.endswith(".pth"):
                found.append(_pth(folder / name))
            elif name.partition(".")[0] in _CUSTOM:
                found.append({"file": name, "runs": [f"import {name.partition('.')[0]}"], "paths": []})
    return found


def _pth(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST).decode("utf-8-sig", "backslashreplace")
    except OSError:  # a broken link, a folder: `site` passes over them too
        text = ""
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    runs = [line for line in lines if line.startswith(("import ", "import\t"))]
    return {"file": file.name, "runs": _short(runs), "paths": _short(line for line in lines if line not in runs)}


def _short(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    shown = [line if len(line) <= _WIDTH else f"{line[:_WIDTH]} .. ({len(line)} characters)" for line in every[:_LINES]]
    return [*shown, f".. and {len(every) - _LINES} more"] if len(every) > _LINES else shown
