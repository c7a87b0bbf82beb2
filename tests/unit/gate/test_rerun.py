"""Fixtures once more, in fresh sides: what `signoff` and `--attribute` ask for."""

import pytest

from gate.config import Flags, settings
from gate.dual_run import rerun
from tests.e2e.command import EMPTY, write

TOML = "version = 1\n" + "".join(f'[[target]]\nname = "{name}"\nentry = "m:{name}"\n' for name in ("one", "two"))
BASELINE = "def one(p): return p\ndef two(p): return p\n"
CANDIDATE = "import os\nos.environ.get('AT_IMPORT')\ndef one(p): return -p\ndef two(p): return p\n"


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        (["two/b.json"], {"two/b.json": []}),
        (["one/a.json"], {"one/a.json": ["value"]}),
        (["@import", "one/a.json"], {"@import": ["effects.env", "effects.env"], "one/a.json": ["value"]}),
    ],
    ids=["one that matches", "one that diverges", "what the import of both targets does"],
)
def test_only_what_was_asked_for_runs_again(tmp_path, monkeypatch, ids, found):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    corpus = {"shadow/corpus/one/a.json": "1", "shadow/corpus/two/b.json": "2"}
    files = {"shadow/shadow.toml": TOML, "shadow/delta_ledger.yaml": EMPTY, "b/m.py": BASELINE, "c/m.py": CANDIDATE, ".git/HEAD": ""}
    write(tmp_path, files | corpus)
    got = rerun(settings(flags=Flags(baseline=str(tmp_path / "b"), candidate=str(tmp_path / "c")), cwd=tmp_path), ids)
    assert {name: [row.field for row in one.divergences] for name, one in got.items()} == found
