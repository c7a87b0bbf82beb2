"""``shadow init``: a contract that can be used at once, written beside what is there and never over it.

Rules (design, sections 3 and 4): every file is created exclusively, an existing one is kept and reported; fixtures are
written only where the corpus has none, so that a set a person trimmed does not grow back; without an entry the config
holds a placeholder that every command refuses at its line.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.config.find import CONFIG_NAME, FOLDER_NAME, LEDGER_NAME, find_checkout
from gate.config.words import PLACEHOLDER, entry_fault, shown
from gate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEDGER = """\
# The ledger: every divergence between baseline and candidate that a person has classified, one row each.
# Owned by people. `shadow signoff` inserts a row after a named person decided; nothing else writes here.
# Row: id, field, baseline, candidate (canonical texts, quoted), decision (accept | reject), reason.
version: 1
entries: []
"""
ATTRIBUTES = """\
* text=auto eol=lf
# Fixtures and wheels are bytes: git must not change one of them.
corpus/** -text
baseline_wheel/** -text
"""
IGNORE = "/out/\n"
_CONFIG = """\
# What `shadow compare` runs and how it judges. Unknown keys are errors.
# This folder is the contract (but out/): one CODEOWNERS line for /{folder}/ protects it,
# and one for /.github/workflows/shadow.yml the job that runs it.
version = 1

[[target]]
name = "main"
entry = "{entry}"{todo}
payload = "json"               # json | text | bytes: how a fixture is decoded for the target
# adapter = "adapter.py"       # beside this file; turns a fixture into a call: def call(entry, payload): return entry(**payload)

# [sides]
# path = ["src"]               # import roots inside a checkout; default: src/ if it exists, else the root
# python = "3.11"              # one interpreter for both sides; default: the one that runs shadow
# requirements = "requirements.lock"   # resolved inside each side's own checkout, so that a bump is a change

# [compare]
# gated = [..]                 # the fields that fail the gate; default: docs/reference/config.md
# rules = ["key-order", "object-ids", "temp-root"]

# [limits]                     # per fixture and side
# seconds = 5.0
# memory_mib = 1024
# output_kib = 1024

[trust]
require = "named"              # an accept row counts only with a signer (signed_off_by) on it
"""
_WORKFLOW = """\
# Fails a change of behaviour that no person has classified in the ledger.
# `shadow` takes the baseline out of git into a folder of its own: this job never checks anything out over the tree.
name: shadow
on:
  pull_request:
  merge_group:                       # a merge queue waits for this check
  push:
    branches: [main]                 # the default branch: what is green alone can be red together
permissions:
  contents: read
jobs:
  compare:
    runs-on: ubuntu-latest
    timeout-minutes: 30
{defaults}    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0             # the baseline's commit must be here
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      # Fails until you say where shadow comes from. Never install it by its name: shadow-prelabel is not published, and nobody owns that.
      - name: Install shadow, apart from the project's own packages
        run: |
          python -m venv "$RUNNER_TEMP/shadow"
          "$RUNNER_TEMP/shadow/bin/python" -m pip install "git+https://<host>/<owner>/<repository>@<40 hex digits>"
          echo "$RUNNER_TEMP/shadow/bin" >> "$GITHUB_PATH"
      # What the target imports is named in shadow.toml below [sides]: requirements = "requirements.lock", which needs
      # no step here, or python = ".venv/bin/python" (with /.venv/ in .gitignore) and this one:
      # - name: Install what the target imports
      #   run: python -m venv .venv && .venv/bin/python -m pip install -r requirements.txt
      - name: Compare baseline and candidate
        run: shadow compare
      - name: Advice on what differs (never changes the verdict)
        if: failure() && hashFiles('{report}') != ''
        run: shadow prelabel && shadow annotate
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaffold:
    """What ``init`` did: paths written, and paths that were there already and were left alone."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]

    def __iter__(self) -> Iterator[str]:
        """One line a path, as the screen says it."""
        yield from (f"wrote {shown(path)}" for path in self.written)
        yield from (f"kept {shown(path)} (it was there)" for path in self.kept)


def init(parent: Path, *, entry: str | None = None) -> Scaffold:
    """Write ``parent/shadow/`` and the workflow of the checkout around it. An invalid ``entry`` writes nothing."""
    if entry is not None and (fault := entry_fault(entry)) is not None:
        raise UsageError(f"--entry {entry!a} {fault}")
    folder = parent / FOLDER_NAME
    written: list[Path] = []
    kept: list[Path] = []
    files = _files(parent, folder, entry)
    if _is_empty(folder / "corpus"):
        from gate.hostile import MINIMUM

        files += [(folder / "corpus" / fixture.name, fixture.payload) for fixture in MINIMUM]
    else:
        kept.append(folder / "corpus")
    for path, data in files:
        _write(path, data, written, kept)
    return Scaffold(written=tuple(written), kept=tuple(kept))


def _files(parent: Path, folder: Path, entry: str | None) -> list[tuple[Path, bytes]]:
    root = find_checkout(parent) or parent
    below = parent.relative_to(root).as_posix()
    texts = [
        (folder / CONFIG_NAME, _config(entry, below)),
        (folder / LEDGER_NAME, LEDGER),
        (folder / ".gitattributes", ATTRIBUTES),
        (folder / ".gitignore", IGNORE),
        (root / ".github" / "workflows" / "shadow.yml", _workflow(below)),
    ]
    return [(path, text.encode()) for path, text in texts]


def _config(entry: str | None, below: str) -> str:
    folder = FOLDER_NAME if below == "." else f"{below}/{FOLDER_NAME}"
    todo = "   # <- name the function to compare, like yourpkg.transform:run" if entry is None else ""
    return _CONFIG.format(folder=folder, entry=entry or PLACEHOLDER, todo=todo)


def _workflow(below: str) -> str:
    defaults = "" if below == "." else f"    defaults:\n      run:\n        working-directory: {_quoted(below)}\n"
    report = "shadow/out/report.json" if below == "." else f"{below}/shadow/out/report.json"
    return _WORKFLOW.format(defaults=defaults, report=report.replace("'", "''"))


def _quoted(text: str) -> str:
    import json

    return json.dumps(text)


def _is_empty(corpus: Path) -> bool:
    """Whether there is no fixture yet. Dot files do not count: they keep a folder in git."""
    try:
        with os.scandir(corpus) as entries:
            return all(entry.name.startswith(".") for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return True  # what is in the way is named when the first file cannot be written
    except OSError as error:
        raise UsageError(f"{shown(corpus)} cannot be read: {error.strerror}", remedy="move it away, then run `shadow init` again") from None


def _write(path: Path, data: bytes, written: list[Path], kept: list[Path]) -> None:
    """Create exclusively: what exists, a dangling link too, is kept."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except (FileExistsError, NotADirectoryError):
        in_the_way = next((folder for folder in path.parents if os.path.lexists(folder) and not folder.is_dir()), None)
        if in_the_way is not None:
            raise UsageError(f"{shown(in_the_way)} is no folder", remedy="move it away, then run `shadow init` again") from None
        kept.append(path)
    except OSError as error:
        what = f"{shown(path)} cannot be written: {error.strerror}"
        raise UsageError(what, remedy="mend what is named, then run `shadow init` again: it goes on where it stopped") from None
    else:
        written.append(path)
