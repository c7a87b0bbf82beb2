"""`compare --reuse`: what is known of the baseline is not run again, and never decides alone that something differs."""

import json
import os
import shutil

import pytest

from gate import reuse
from tests.e2e.command import EMPTY, FLAGS, report, shadow, two_sides, write

BASE = "def run(p): return [p, 'base']\n"
CORPUS = {f"{at:02}.json": str(at) for at in range(12)}


def compare(root, *more, flags=FLAGS):
    done = shadow("compare", *flags, "--reuse", *more, cwd=root, env={"XDG_CACHE_HOME": str(root / "cache")})
    assert done.returncode in {0, 1, 3}, done.stdout + done.stderr
    return done


def reused(root, name="r.json"):
    return [(one["fixtures"], one["note"]) for one in report(root, name)["run"]["reused"]]


def cached(root):
    return sorted((root / "cache/shadow-prelabel/outcomes").iterdir())


def entries(file):
    with file.open("rb") as data:
        reuse._part(data)
        return [entry for part in iter(lambda: reuse._part(data), None) for entry in reuse._entries(*part)]


def without_run(root):
    return {key: value for key, value in report(root).items() if key != "run"}


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A project whose outcomes were kept once."""
    root = tmp_path_factory.mktemp("first")
    two_sides(root, BASE, BASE + "#\n", CORPUS)
    compare(root)
    assert len(cached(root)) == 1
    return root


@pytest.fixture
def kept(first, tmp_path):
    """A copy of it."""
    return shutil.copytree(first, tmp_path / "kept")


def test_the_second_run_says_the_same_without_asking_the_baseline(tmp_path):
    two_sides(tmp_path, BASE, BASE.replace("p,", "p if p != 3 else 4,"), CORPUS)
    first = compare(tmp_path)
    assert (first.returncode, reused(tmp_path)) == (1, [(0, None)])
    before = without_run(tmp_path)
    second = compare(tmp_path)
    assert (second.returncode, reused(tmp_path), without_run(tmp_path)) == (1, [(12, None)], before)
    assert "12 outcomes of the baseline reused from 20" in second.stdout
    assert report(tmp_path)["run"]["reused"][0]["recorded"].startswith("20")
    assert [(one["id"], one["paths"]) for one in before["divergences"]] == [("03.json", ["/0: 3 -> 4"])]


def test_a_matching_run_whose_baseline_ran_nothing_passes(tmp_path):
    two_sides(tmp_path, BASE, BASE + "#\n", CORPUS)
    assert [compare(tmp_path).returncode for _ in range(2)] == [0, 0]
    assert reused(tmp_path) == [(12, None)]


def test_without_the_flag_nothing_is_kept_nor_used(tmp_path):
    two_sides(tmp_path, BASE, BASE + "#\n", CORPUS)
    assert shadow("compare", *FLAGS, cwd=tmp_path, env={"XDG_CACHE_HOME": str(tmp_path / "cache")}).returncode == 0
    assert not (tmp_path / "cache/shadow-prelabel/outcomes").exists()
    assert "reused" not in report(tmp_path)["run"]


CHANGES = {
    "the baseline's code": ({"b/m.py": BASE + "# new\n"}, (), 0),
    "the candidate's code": ({"c/m.py": BASE + "# new\n"}, (), 12),
    "one fixture": ({"corpus/05.json": "50"}, (), 11),
    "a new fixture": ({"corpus/045.json": "50"}, (), 12),
    "the time limit": ({}, ("--timeout", "4"), 0),
    "the kind of payload": ({}, ("--payload", "text"), 0),
    "the adapter": ({"a.py": "def call(target, payload): return target(payload)\n"}, ("--adapter", "a.py"), 0),
    "nothing": ({}, (), 12),
}


@pytest.mark.parametrize(("files", "flags", "known"), CHANGES.values(), ids=CHANGES)
def test_what_the_outcomes_hang_on(kept, files, flags, known):
    write(kept, files)
    assert compare(kept, *flags).returncode == 0
    assert reused(kept) == [(known, None)]
    if known < len(CORPUS):
        compare(kept, *flags)
        assert reused(kept)[0][0] == report(kept)["counts"]["fixtures"]


def test_a_fixture_that_went_away_is_passed_over(kept):
    (kept / "corpus/05.json").unlink()
    compare(kept)
    assert reused(kept) == [(11, None)]


def test_a_part_of_the_corpus_uses_what_is_kept_and_leaves_it_whole(tmp_path):
    two_sides(tmp_path, BASE, BASE + "#\n", CORPUS)
    compare(tmp_path, "--only", "00.json")
    assert not (tmp_path / "cache/shadow-prelabel/outcomes").exists()
    compare(tmp_path)
    compare(tmp_path, "--only", "07.json")
    assert reused(tmp_path) == [(1, None)]
    compare(tmp_path)
    assert reused(tmp_path) == [(12, None)]


def test_what_says_where_the_run_was_or_hung_on_a_limit_is_not_kept(tmp_path):
    base = "import os\ndef run(p):\n    if p == 1: print(os.getcwd())\n    if p == 2: return os.getcwd()\n    if p == 3: os.abort()\n    if p == 4: return raise_(p)\n    return p\ndef raise_(p): raise KeyError(p)\n"
    two_sides(tmp_path, base, base + "#\n", CORPUS)
    for _ in range(2):
        assert compare(tmp_path).returncode == 0
    assert reused(tmp_path) == [(9, None)]
    assert report(tmp_path)["counts"]["match"] == 12
    assert report(tmp_path)["notices"] == []


DAMAGES = {
    "empty": lambda data: b"",
    "no file of ours": lambda data: b"hello",
    "cut in the head": lambda data: data[:20],
    "cut in a part": lambda data: data[: len(data) // 2],
    "cut before its end": lambda data: data[:-9],
    "a flipped bit at the end": lambda data: data[:-30] + bytes([data[-30] ^ 1]) + data[-29:],
    "a flipped bit in the head": lambda data: data[:45] + bytes([data[45] ^ 1]) + data[46:],
    "lengths beyond all measure": lambda data: b"\xff" * 8 + data[8:],
    "another head": lambda data: reuse._packed({"recorded": 1, "reached": True}, b"") + data,
    "no head": lambda data: reuse._LENGTHS.pack(0, 0),
    "entries without a shape": lambda data: reuse._packed({"recorded": "x", "reached": True}, b"") + reuse._packed([["00.json"]], b""),
    "entries that are none": lambda data: reuse._packed({"recorded": "x", "reached": True}, b"") + reuse._packed(3, b""),
    "numbers that are texts": lambda data: (
        reuse._packed({"recorded": "x", "reached": True}, b"") + reuse._packed([["a", "b", "1", 2, 3]], b"")
    ),
    "lengths that do not add up": lambda data: (
        reuse._packed({"recorded": "x", "reached": True}, b"") + reuse._packed([["a", "b", 1, 2, 3]], b"")
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_not_used_and_said(kept, damage):
    (file,) = cached(kept)
    before = entries(file)
    file.write_bytes(damage(file.read_bytes()))
    done = compare(kept)
    ((known, note),) = reused(kept)
    assert done.returncode == 0, done.stdout
    assert "damaged" in note
    assert known == 0
    assert "kept outcomes of the baseline are damaged" in done.stdout
    assert entries(file) == before, "a good one takes its place"


def test_a_false_outcome_is_no_divergence_since_both_sides_run_again(kept):
    (file,) = cached(kept)
    lie = b'{"out":"returned","value":"a lie","type":"builtins.str"}'
    with file.open("rb") as data:
        head, part = reuse._part(data)[0], reuse._part(data)
    entries = [(name, digest, (lie, b"", b"")) for name, digest, _ in reuse._entries(*part)]
    bodies = b"".join(wire[0] for _, _, wire in entries)
    lies = [[name, digest, len(wire[0]), 0, 0] for name, digest, wire in entries]
    file.write_bytes(reuse._packed(head, b"") + reuse._packed(lies, bodies) + reuse._LENGTHS.pack(0, 0))
    done = compare(kept)
    assert (done.returncode, report(kept)["divergences"], reused(kept)) == (0, [], [(12, None)]), done.stdout
    assert any("differed in a batch" in notice for notice in report(kept)["notices"])


def test_what_was_never_kept_is_not_believed(tmp_path):
    two_sides(tmp_path, BASE, BASE + "#\n", {"a.json": "1"})
    compare(tmp_path)
    (file,) = cached(tmp_path)
    with file.open("rb") as data:
        head, ((name, digest, *_),) = reuse._part(data)[0], reuse._part(data)[0]
    lie = b'{"out":"error","where":"worker","why":"a lie"}'
    file.write_bytes(reuse._packed(head, b"") + reuse._packed([[name, digest, len(lie), 0, 0]], lie) + reuse._LENGTHS.pack(0, 0))
    assert (compare(tmp_path).returncode, reused(tmp_path)) == (0, [(0, None)])


def test_the_oldest_files_go(kept):
    (file,) = cached(kept)
    for at in range(reuse.FILES - 1):
        older = shutil.copy(file, file.with_name(f"{at:064x}"))
        os.utime(older, (at, at))
    write(kept, {"b/m.py": BASE + "# another\n"})
    compare(kept)
    names = [one.name for one in cached(kept)]
    assert (len(names), file.name in names, f"{0:064x}" in names, f"{1:064x}" in names) == (reuse.FILES, True, False, True)


def test_a_cache_that_cannot_be_written_is_said_and_changes_nothing(tmp_path):
    two_sides(tmp_path, BASE, BASE + "#\n", CORPUS)
    write(tmp_path, {"cache/shadow-prelabel/outcomes": "a file"})
    assert compare(tmp_path).returncode == 0
    ((known, note),) = reused(tmp_path)
    assert (known, "could not be kept" in note or "damaged" in note) == (0, True)


def test_each_target_has_outcomes_of_its_own(tmp_path):
    toml = "version = 1\n" + "".join(f'[[target]]\nname = "{name}"\nentry = "m:{name}"\n' for name in ("one", "two"))
    code = "def one(p): return p\ndef two(p): return -p\n"
    files = {"shadow/shadow.toml": toml, "shadow/delta_ledger.yaml": EMPTY, "b/m.py": code, "c/m.py": code + "#\n", ".git/HEAD": ""}
    write(tmp_path, files | {f"shadow/corpus/{name}/{at}.json": str(at) for name in ("one", "two") for at in range(3)})
    for _ in range(2):
        assert compare(tmp_path, flags=("--baseline", "b", "--candidate", "c")).returncode == 0
    assert reused(tmp_path, "shadow/out/report.json") == [(3, None), (3, None)]


def test_with_rules_of_the_project_and_many_parts(tmp_path):
    lines = "".join(json.dumps({"id": f"{at:05}", "payload": at}) + "\n" for at in range(2500))
    two_sides(tmp_path, BASE, BASE.replace("'base'", "'cand' if p % 1000 == 7 else 'base'"), {"x.jsonl": lines})
    assert compare(tmp_path).returncode == 1
    before = without_run(tmp_path)
    assert compare(tmp_path).returncode == 1
    assert (reused(tmp_path), without_run(tmp_path)) == ([(2500, None)], before)
    lines = lines.replace('"payload": 1200}', '"payload": -1}')
    write(tmp_path, {"corpus/x.jsonl": lines})
    compare(tmp_path)
    assert reused(tmp_path) == [(2499, None)]
    compare(tmp_path)
    assert reused(tmp_path) == [(2500, None)]


def test_a_helper_beside_the_adapter_is_part_of_what_they_hang_on(tmp_path):
    base = "def run(mode, x): return f'base-{mode}'\n"
    two_sides(tmp_path, base, "def run(mode, x): return 'base-1'\n", CORPUS)
    adapter = "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\nimport helper\ndef call(t, p): return t(helper.MODE, p)\n"
    write(tmp_path, {"ad/a.py": adapter, "ad/helper.py": "MODE = 1\n"})
    assert compare(tmp_path, "--adapter", "ad/a.py").returncode == 0
    write(tmp_path, {"ad/helper.py": "MODE = 22\n"})
    assert compare(tmp_path, "--adapter", "ad/a.py").returncode == 1


def test_data_beside_the_import_roots_is_part_of_what_they_hang_on(tmp_path):
    source = "import pathlib\ndef run(x): return (pathlib.Path(__file__).parent / 'k.txt').read_text()\n"
    two_sides(tmp_path, source, source + "#\n", CORPUS)
    write(tmp_path, {"b/k.txt": "1", "c/k.txt": "1"})
    assert compare(tmp_path).returncode == 0
    write(tmp_path, {"b/k.txt": "2"})
    assert compare(tmp_path).returncode == 1
