"""`shadow compare` as a user runs it: every exit code, every way in which nothing could be decided, and nothing left behind."""

import hashlib
import json
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

from tests.e2e.command import EMPTY, FLAGS, commit, environment, git, report, repository, shadow, two_sides, write

SAME = "def run(p): return p\n"
OTHER = "def run(p): return [p]\n"


def row(divergence, decision="accept", **more):
    values = {key: divergence[key] for key in ("id", "field", "baseline", "candidate")}
    return "  - " + json.dumps(values | {"decision": decision, "reason": "meant so"} | more) + "\n"


def test_pass_with_and_without_rows(tmp_path):
    two_sides(tmp_path, SAME, "def run(p): return p  # the same\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert report(tmp_path)["passed"] is True
    two_sides(tmp_path, SAME, OTHER)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    (divergence,) = report(tmp_path)["divergences"]
    write(tmp_path, {"ledger.yaml": "version: 1\nentries:\n" + row(divergence)})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert report(tmp_path)["counts"]["accept"] == 1
    write(tmp_path, {"ledger.yaml": "version: 1\nentries:\n" + row(divergence, "reject")})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, report(tmp_path)["counts"]["reject"]) == (1, 1)
    assert "meant so" in done.stdout


def test_the_red_screen_is_short_and_ends_with_the_exit_code(tmp_path):
    corpus = {f"{i:03}.json": str(i) for i in range(60)}
    two_sides(tmp_path, SAME, "def run(p): return p if p % 2 else None if p % 3 else [p]\n", corpus)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("exit 1: 30 unclassified")


USAGE = {
    "no flags": ((), {}, "--baseline"),
    "unknown option": (("--nope",), {}, "--nope"),
    "bad entry": ((*FLAGS[:-1], "m"), {}, "--entry"),
    "bad rule of the ledger": (FLAGS, {"ledger.yaml": "version: 1\nentries:\n  - id: x\n"}, "ledger.yaml:3"),
    "missing ledger": ((*FLAGS, "--ledger", "nope.yaml"), {}, "nope.yaml"),
    "bad fixture": (FLAGS, {"corpus/@x.json": "1"}, "@x.json"),
    "only matches nothing": ((*FLAGS, "--only", "zzz"), {}, "zzz"),
    "image": (("--baseline", "image:x@sha256:" + "0" * 64, *FLAGS[2:]), {}, "image"),
    "patch without a commit below": ((*FLAGS[:2], "--candidate", "patch:x", *FLAGS[4:]), {"x": ""}, "patch"),
    "time out below zero": ((*FLAGS, "--timeout", "-1"), {}, "--timeout"),
}


@pytest.mark.parametrize(("flags", "files", "word"), USAGE.values(), ids=USAGE)
def test_what_is_invalid_is_exit_2_and_is_named(tmp_path, flags, files, word):
    two_sides(tmp_path, SAME, OTHER)
    write(tmp_path, files)
    done = shadow("compare", *flags, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert word in done.stderr
    assert not (tmp_path / "r.json").exists()


UNDECIDED = {
    "nothing to run": (SAME, OTHER, {".keep": ""}, FLAGS, "no fixture"),
    "a path with itself": (SAME, OTHER, {"a.json": "1"}, ("--baseline", "b", "--candidate", "b", *FLAGS[4:]), "same"),
    "equal folders": (SAME, SAME, {"a.json": "1"}, FLAGS, "same code"),
    "no such attribute": (SAME, OTHER, {"a.json": "1"}, (*FLAGS[:-1], "m:nope"), "nope"),
    "no such module": (SAME, OTHER, {"a.json": "1"}, (*FLAGS[:-1], "nope:run"), "nope"),
    "a candidate that does not import": (SAME, "import nothing_here\n", {"a.json": "1"}, FLAGS, "nothing_here"),
    "no such interpreter": (SAME, OTHER, {"a.json": "1"}, (*FLAGS, "--python", "2.1"), "2.1"),
}


@pytest.mark.parametrize(("baseline", "candidate", "corpus", "flags", "word"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_could_not_be_decided_is_exit_3_without_a_report(tmp_path, *, baseline, candidate, corpus, flags, word):
    two_sides(tmp_path, baseline, candidate, corpus)
    done = shadow("compare", *flags, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert word in done.stderr
    assert not (tmp_path / "r.json").exists()


NOT_GREEN = {
    "time-outs only": ("def run(p):\n    while True: pass\n", "undecided", 1),
    "a value that cannot be read": ("import sys\ndef run(p): return sys._getframe()\n", "error", 1),
    "every call is wrong": ("def run(): pass\n", "trivial", 1),
    "nothing ever returns": ("def run(p): raise KeyError(p)\n", "trivial", 1),
}


@pytest.mark.parametrize(("source", "status", "count"), NOT_GREEN.values(), ids=NOT_GREEN)
def test_agreement_that_means_nothing_is_exit_3_with_a_report(tmp_path, source, status, count):
    two_sides(tmp_path, source, source + "# other\n")
    done = shadow("compare", *FLAGS, "--timeout", "0.5", cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    got = report(tmp_path)
    assert got["passed"] is False
    assert got["counts"][status] == count
    assert sum(got["counts"][key] for key in ("match", "trivial", "diverging", "impure", "undecided", "error")) == got["counts"]["fixtures"]
    if "KeyError" in source:
        assert "KeyError: 1" in done.stdout
    if status == "trivial":
        assert "shadow corpus record" in done.stdout


def test_a_failing_fixture_comes_before_an_undecided_one(tmp_path):
    source = "def run(p):\n    while p == 'loop': pass\n    return p\n"
    two_sides(tmp_path, source, source.replace("return p", "return [p]"), {"a.json": '"loop"', "b.json": "1"})
    done = shadow("compare", *FLAGS, "--timeout", "0.5", cwd=tmp_path)
    assert done.returncode == 1
    assert report(tmp_path)["counts"]["undecided"] == 1


def test_a_crash_of_the_target_costs_one_fixture(tmp_path):
    crash = "import ctypes\ndef run(p):\n    if p == 2: ctypes.string_at(0)\n    return p\n"
    two_sides(tmp_path, SAME, crash, {f"{i}.json": str(i) for i in range(5)})
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    got = report(tmp_path)
    assert got["counts"]["match"] == 4
    assert [(d["id"], d["field"], d["baseline"], d["candidate"]) for d in got["divergences"]] == [
        ("2.json", "ok", '{"returned":2}', '{"signalled":"SIGSEGV"}')
    ]


def test_state_that_leaks_between_fixtures_is_no_divergence(tmp_path):
    leaky = "seen = []\ndef run(p):\n    seen.append(p)\n    return len(seen) if p == 'count' else p\n"
    clean = "def run(p):\n    return 1 if p == 'count' else p\n"
    two_sides(tmp_path, clean, leaky, {"a.json": "0", "b.json": '"count"'})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert any("differed in a batch" in notice for notice in report(tmp_path)["notices"])


@pytest.mark.parametrize("last", [pytest.param("3", id="all-of-them"), pytest.param("-1", id="but-the-last")])
def test_failing_alike_only_because_of_the_batch_is_no_match(tmp_path, last):
    source = "used = []\ndef run(p):\n    if used or p < 0: raise RuntimeError('in use')\n    used.append(p)\n    return p * 2\n"
    fixtures = {"0.json": "0", "1.json": "1", "2.json": "2", "3.json": last}
    two_sides(tmp_path, source, source.replace("p * 2", "p * 3"), fixtures)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert [d["id"] for d in report(tmp_path)["divergences"]] == [name for name, p in fixtures.items() if int(p) > 0]


def test_many_failures_alike_that_the_batch_caused_are_all_run_alone(tmp_path):
    source = "used = []\ndef run(p):\n    if used: raise RuntimeError('in use')\n    used.append(p)\n    return p * 2\n"
    two_sides(tmp_path, source, source.replace("p * 2", "p * 3"), {f"{i:03}.json": str(i + 1) for i in range(510)})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert report(tmp_path)["counts"]["diverging"] == 510


def test_what_is_printed_at_import_is_compared(tmp_path):
    two_sides(tmp_path, SAME, "print('debug')\n" + SAME)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    assert [(d["id"], d["field"]) for d in report(tmp_path)["divergences"]] == [("@import", "stdout")]


def test_where_a_side_lies_is_no_difference(tmp_path):
    tells = "import os, traceback\ndef run(p):\n    print(os.getcwd(), __file__)\n    return [__file__, os.path.abspath('x')]\n"
    two_sides(tmp_path, tells, tells + "#\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert {item["field"] for item in report(tmp_path)["smoothed"]} == {"value", "stdout"}


def test_a_module_that_the_patch_removed_is_not_served_from_elsewhere(tmp_path):
    uses = "import wave_helpers\ndef run(p): return wave_helpers.f(p)\n"
    two_sides(tmp_path, uses, uses + "#\n")
    write(tmp_path, {"b/wave_helpers.py": "def f(p): return p\n"})
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env/lib").glob("python*/site-packages")
    write(packages, {"wave_helpers.py": "def f(p): return p\n"})
    done = shadow("compare", *FLAGS, "--python", "env/bin/python", cwd=tmp_path)
    assert (done.returncode, "wave_helpers" in done.stderr) == (3, True), done.stdout


def test_an_adapter_must_not_hide_a_module_of_the_sides(tmp_path):
    two_sides(tmp_path, SAME, OTHER)
    write(tmp_path, {"b/adapter.py": "", "c/adapter.py": "", "adapter.py": "import m\ndef go(p): return m.run(p)\n"})
    done = shadow("compare", *FLAGS[:-1], "adapter:go", "--adapter", "adapter.py", cwd=tmp_path)
    assert (done.returncode, "another name" in done.stderr) == (3, True), done.stdout


def test_closed_outputs_change_no_exit_code(tmp_path):
    two_sides(tmp_path, SAME, SAME + "#\n")
    command = f"{sys.executable} -m prelabel compare {' '.join(FLAGS)}"
    for redirect, code in ((">&-", 0), ("2>&-", 0), (">/dev/full", 0), ("--entry m:nope 2>&-", 3), ("--nope 2>&-", 2)):
        done = subprocess.run(
            ["sh", "-c", f"{command} {redirect}"], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
        )
        assert done.returncode == code, redirect


def test_environment_reads_of_the_candidate_are_rows_and_those_it_dropped_are_notes(tmp_path):
    reads = "import os\nD = os.environ.get('AT_IMPORT')\ndef run(p): return p if os.environ.get('IN_CALL') is None else 1\n"
    two_sides(tmp_path, SAME, reads)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    got = {(d["id"], d["field"], d["candidate"]) for d in report(tmp_path)["divergences"]}
    assert got == {("@import", "effects.env", '["AT_IMPORT"]'), ("a.json", "effects.env", '["IN_CALL"]')}
    two_sides(tmp_path, reads, SAME)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 0
    assert {d["id"] for d in report(tmp_path)["noted"]} == {"@import", "a.json"}


def test_payload_kinds_and_adapters(tmp_path):
    write(tmp_path, {"adapter.py": "import m\ndef go(payload): return m.run(payload)\n"})
    for kind, name, raw in (("text", "a.txt", "é\r\n"), ("bytes", "a.bin", b"\xff")):
        root = tmp_path / kind
        two_sides(root, SAME, OTHER, {name: raw})
        done = shadow("compare", *FLAGS[:-1], "adapter:go", "--adapter", "../adapter.py", "--payload", kind, cwd=root)
        assert done.returncode == 1, done.stderr
        assert len(report(root)["divergences"]) == 1


def test_a_partial_run_calls_nothing_stale(tmp_path):
    gone = '  - {"id": "b.json", "field": "value", "baseline": "1", "candidate": "2", "decision": "accept", "reason": "gone"}\n'
    two_sides(tmp_path, SAME, SAME + "#\n", {"a.json": "1", "b.json": "2"}, "version: 1\nentries:\n" + gone)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    assert report(tmp_path)["counts"]["stale"] == 1
    done = shadow("compare", *FLAGS, "--only", "a.*", cwd=tmp_path)
    assert (done.returncode, report(tmp_path)["counts"]["fixtures"]) == (0, 1)


def test_equal_runs_give_equal_reports_whatever_surrounds_them(tmp_path):
    sets = "def run(p): return [{'alpha', 'beta', 'gamma'}, str({'x', 'y', 'z'})]\n"
    two_sides(tmp_path, sets, sets.replace("gamma", "delta"))
    texts = []
    for env in ({}, {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "LC_ALL": "C"}):
        shadow("compare", *FLAGS, cwd=tmp_path, env=env)
        texts.append((tmp_path / "r.json").read_text("utf-8").partition('"run":')[0])
    assert texts[0] == texts[1]


def test_two_targets_have_folders_of_their_own(tmp_path):
    sha = repository(tmp_path, {"src/pkg/__init__.py": "def one(p): return p\ndef two(p): return p\n"})
    toml = (
        'version = 1\n[[target]]\nname = "one"\nentry = "pkg:one"\n[[target]]\nname = "two"\nentry = "pkg:two"\n[trust]\nrequire = "none"\n'
    )
    write(tmp_path, {"shadow/shadow.toml": toml, "shadow/BASELINE_SHA": sha + "\n", "shadow/delta_ledger.yaml": EMPTY})
    write(tmp_path, {"shadow/corpus/one/a.json": "1", "shadow/corpus/two/a.json": "2"})
    commit(tmp_path, {"src/pkg/__init__.py": "def one(p): return p\ndef two(p): return [p]\n"})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    got = report(tmp_path, "shadow/out/report.json")
    assert [d["id"] for d in got["divergences"]] == ["two/a.json"]
    assert got["counts"]["fixtures"] == 2


def contract(root, sha, **files):
    toml = 'version = 1\n[[target]]\nname = "t"\nentry = "m:run"\n'
    write(
        root,
        {"shadow/shadow.toml": toml, "shadow/BASELINE_SHA": sha + "\n", "shadow/delta_ledger.yaml": EMPTY, "shadow/corpus/a.json": "1"},
    )


def test_a_docs_only_change_is_no_code_change(tmp_path):
    sha = repository(tmp_path, {"src/m.py": SAME, "README.md": "x"})
    contract(tmp_path, sha)
    commit(tmp_path, {"README.md": "y"})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no code change" in done.stdout
    assert report(tmp_path, "shadow/out/report.json")["counts"]["match"] == 1


def test_no_code_change_is_never_said_of_a_target_that_does_not_load(tmp_path):
    sha = repository(tmp_path, {"src/m.py": "def other(p): return p\n", "README.md": "x"})
    contract(tmp_path, sha)
    commit(tmp_path, {"README.md": "y"})
    done = shadow("compare", cwd=tmp_path)
    assert (done.returncode, "m:run" in done.stderr) == (3, True), done.stdout


def test_data_outside_the_import_roots_counts_although_no_code_changed(tmp_path):
    reads = "import json, pathlib\nrates = pathlib.Path(__file__).parent.parent / 'data/rates.json'\ndef run(p): return json.loads(rates.read_text())\n"
    sha = repository(tmp_path, {"src/m.py": reads, "data/rates.json": "1"})
    contract(tmp_path, sha)
    commit(tmp_path, {"data/rates.json": "2"})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "files outside the import roots" in report(tmp_path, "shadow/out/report.json")["notices"][0]


def test_rows_are_not_stale_where_no_code_changed(tmp_path):
    sha = repository(tmp_path, {"src/m.py": SAME, "README.md": "x"})
    contract(tmp_path, sha)
    signed = {"signed_off_by": "Ada <ada@example.org>"}
    divergence = {"id": "a.json", "field": "value", "baseline": "1", "candidate": "2"}
    write(tmp_path, {"shadow/delta_ledger.yaml": "version: 1\nentries:\n" + row(divergence, **signed)})
    commit(tmp_path, {"README.md": "y"})
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_folder_in_the_place_of_a_file_is_the_users_to_mend(tmp_path):
    two_sides(tmp_path, SAME, OTHER)
    shadow("compare", *FLAGS, cwd=tmp_path)
    done = shadow("prelabel", "r.json", "--output", "corpus", cwd=tmp_path)
    assert (done.returncode, "corpus" in done.stderr) == (2, True), done.stderr


def test_a_second_contract_inside_the_first_is_refused(tmp_path):
    contract(tmp_path, repository(tmp_path, {"src/m.py": SAME}))
    done = shadow("init", cwd=tmp_path / "src")
    assert (done.returncode, "shadow" in done.stderr) == (2, True)
    assert not (tmp_path / "src/shadow").exists()


def test_the_articles_checkout_over_the_tree_is_no_pass(tmp_path):
    sha = repository(tmp_path, {"src/m.py": SAME})
    contract(tmp_path, sha)
    commit(tmp_path, {"src/m.py": OTHER})
    git(tmp_path, "checkout", sha, "--", ".")
    done = shadow("compare", cwd=tmp_path)
    assert done.returncode == 3, done.stdout


def test_a_clean_tree_at_the_baseline_has_no_candidate(tmp_path):
    sha = repository(tmp_path, {"src/m.py": SAME})
    contract(tmp_path, sha)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "contract")
    done = shadow("compare", "--baseline", "git:" + git(tmp_path, "rev-parse", "HEAD"), cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    assert "candidate" in done.stderr


def test_a_patch_on_top_of_the_baseline(tmp_path):
    sha = repository(tmp_path, {"src/m.py": SAME})
    contract(tmp_path, sha)
    write(tmp_path, {"src/m.py": OTHER})
    patch = subprocess.run(["git", "diff"], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=True).stdout
    write(tmp_path, {"src/m.py": SAME, "agent.patch": patch})
    done = shadow("compare", "--candidate", "patch:agent.patch", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert report(tmp_path, "shadow/out/report.json")["divergences"][0]["candidate"] == "[1]"


def state(root):
    everything = {}
    for path in root.rglob("*"):
        if path.is_file() and "out" not in path.parts:
            everything[path] = (path.read_bytes(), path.stat().st_mtime_ns)
    return everything


def test_ctrl_c_leaves_tree_index_and_processes_as_they_were(tmp_path):
    source = "import time\ndef run(p):\n    time.sleep(600)\n"
    root = tmp_path / "repo"
    sha = repository(root, {"src/m.py": source})
    contract(root, sha)
    commit(root, {"src/m.py": source + "# patch\n"})
    before = state(root)
    (tmp_path / "tmp").mkdir()
    command = [sys.executable, "-m", "prelabel", "compare", "--timeout", "500"]
    env = environment(root, TMPDIR=str(tmp_path / "tmp"))
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 20
    while len(_sleeping(tmp_path)) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(_sleeping(tmp_path)) == 4  # a worker and its fork on each side
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    deadline = time.monotonic() + 5
    while _sleeping(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _sleeping(tmp_path) == []
    assert list((tmp_path / "tmp").iterdir()) == []
    assert state(root) == before


def _sleeping(tmp_path):
    """Processes whose temp root lies below this test's own TMPDIR: workers and their forks."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(one.startswith(f"HOME={tmp_path}/tmp/".encode()) for one in variables):
                found.append(int(folder.name))
    return found


def test_a_bug_is_exit_70_with_the_traceback_in_a_file(tmp_path):
    two_sides(tmp_path, SAME, OTHER)
    (tmp_path / "r.json").mkdir()
    breaks = "import gate.report.build as b\ndef bad(*a, **k): raise ZeroDivisionError('planted')\nb.build = bad\n"
    code = breaks + "from prelabel.__main__ import run\nimport sys\nsys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "compare", *FLAGS],
        cwd=tmp_path,
        env=environment(tmp_path, TMPDIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70, done.stderr
    (file,) = tmp_path.glob("shadow-bug-*.txt")
    assert str(file) in done.stderr
    assert "planted" in file.read_text()


@pytest.mark.parametrize("name", ["gate", "redaction", "prompts"])
def test_a_foreign_package_of_our_name_is_exit_70(tmp_path, name):
    two_sides(tmp_path, SAME, OTHER)
    write(tmp_path, {f"path/{name}/__init__.py": "raise SystemExit('a foreign package ran')"})
    done = shadow("compare", *FLAGS, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "path")})
    assert done.returncode == 70, done.stderr
    assert f"package `{name}`" in done.stderr
    assert "foreign package ran" not in done.stderr


@pytest.mark.parametrize(
    ("relies_on", "code"),
    [("b/m.py {}", 0), ("b/m.py " + "0" * 64, 1), ("../../x {}", 2), ("/dev/zero {}", 2), ("nope {}", 1)],
    ids=["holds", "another digest", "above the project", "a device", "gone"],
)
def test_a_row_counts_only_while_what_it_relies_on_holds(tmp_path, relies_on, code):
    two_sides(tmp_path, SAME, OTHER)
    shadow("compare", *FLAGS, cwd=tmp_path)
    (divergence,) = report(tmp_path)["divergences"]
    path, _, digest = relies_on.format(hashlib.sha256(SAME.encode()).hexdigest()).partition(" ")
    signed = row(divergence, relies_on=f"{path} sha256:{digest}")
    write(tmp_path, {"ledger.yaml": "version: 1\nentries:\n" + signed})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr


def test_a_report_never_replaces_what_is_no_report(tmp_path):
    two_sides(tmp_path, SAME, OTHER)
    done = shadow("compare", *FLAGS, "--report", "ledger.yaml", cwd=tmp_path)
    assert (done.returncode, "no report of shadow" in done.stderr) == (2, True), done.stdout
    assert (tmp_path / "ledger.yaml").read_text() == EMPTY


def test_a_run_that_leaves_no_report_leaves_no_old_one(tmp_path):
    two_sides(tmp_path, SAME, SAME + "#\n")
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 0
    assert shadow("compare", *FLAGS[:-1], "m:nope", cwd=tmp_path).returncode == 3
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("entry", "adapter"),
    [
        ("json:dumps", ""),
        ("adapter:go", "def go(p): return p\n"),
        ("adapter:go", "def go(p):\n    import json\n    return json.dumps(p)\n"),
    ],
    ids=["the standard library", "an adapter that calls nothing", "an adapter that imports something else"],
)
def test_a_target_that_is_no_code_of_the_sides_is_never_green(tmp_path, entry, adapter):
    two_sides(tmp_path, SAME, OTHER)
    write(tmp_path, {"adapter.py": adapter})
    done = shadow("compare", *FLAGS[:-1], entry, *(["--adapter", "adapter.py"] if adapter else []), cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    assert "no code of its own" in done.stderr


def test_an_adapter_may_import_its_target_late(tmp_path):
    two_sides(tmp_path, SAME, SAME + "#\n")
    write(tmp_path, {"adapter.py": "def go(p):\n    import m\n    return m.run(p)\n"})
    done = shadow("compare", *FLAGS[:-1], "adapter:go", "--adapter", "adapter.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_help_and_version_load_nothing_heavy(tmp_path):
    code = (
        "import sys\nfrom prelabel.__main__ import run\ncode = run([sys.argv[1]])\n"
        "print(code, sorted({'httpx', 'pydantic', 'yaml', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    for flag in ("--help", "--version"):
        done = subprocess.run([sys.executable, "-c", code, flag], env=environment(tmp_path), capture_output=True, text=True, check=True)
        assert done.stderr == "0 []\n"


def test_under_ci_the_screen_is_public_and_the_report_stays_raw(tmp_path):
    secret = "ghp_" + "Ab1" * 12
    two_sides(tmp_path, f"def run(p): return '{secret}'\n", "def run(p): return None\n")
    for ci, shown in (({"CI": "true"}, False), ({}, True)):
        done = shadow("compare", *FLAGS, cwd=tmp_path, env=ci)
        assert done.returncode == 1
        assert (secret in done.stdout) is shown
        assert secret in (tmp_path / "r.json").read_text()
    which = report(tmp_path)["divergences"][0]["fingerprint"]
    assert secret not in shadow("show", which, "--report", "r.json", cwd=tmp_path, env={"CI": "true"}).stdout
    assert secret not in shadow("show", "--report", "r.json", "--format", "markdown", cwd=tmp_path).stdout
    assert json.loads(shadow("show", "--report", "r.json", "--format", "json", cwd=tmp_path).stdout)["unclassified"] == 1


def test_show_answers_why_and_how_to_run_it_here(tmp_path):
    two_sides(tmp_path, SAME, OTHER)
    shadow("compare", *FLAGS, cwd=tmp_path)
    done = shadow("show", "a.json", "--report", "r.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no row" in done.stdout
    line = next(line for line in done.stdout.splitlines() if "--only a.json" in line)
    again = shadow(*line[line.index("compare") :].split(), cwd=tmp_path)
    assert again.returncode == 1, again.stderr
    assert report(tmp_path, "partial.json")["counts"]["fixtures"] == 1
    wrong = shadow("show", "b.json", "--report", "r.json", cwd=tmp_path)
    assert (wrong.returncode, "a.json" in wrong.stderr) == (2, True)


def test_where_most_fixtures_fail_alike_it_is_said(tmp_path):
    same = "def run(p): return p['a']\n"
    for fixtures, said in (({"a.json": "{}", "b.json": "{}", "c.json": '{"a": 1}'}, 1), ({"a.json": "{}", "c.json": '{"a": 1}'}, 0)):
        for file in (tmp_path / "corpus").glob("*") if (tmp_path / "corpus").exists() else ():
            file.unlink()
        two_sides(tmp_path, same, same + "# other\n", fixtures)
        done = shadow("compare", *FLAGS, cwd=tmp_path)
        notices = [notice for notice in report(tmp_path)["notices"] if "fail alike" in notice]
        assert (done.returncode, len(notices)) == (0, said), notices
        assert all("2 of 3 fixtures fail alike on both sides (a.json: KeyError: 'a')" in notice for notice in notices)


def test_of_many_divergences_a_second_batch_in_another_order_confirms(tmp_path):
    """More than 500: those that come out otherwise run alone, and only that counts."""
    hang = "seen = []\ndef run(p):\n    seen.append(p)\n    return p if p % 100 == 7 and len(seen) == 1 else [p, len(seen) if p % 100 == 7 else 0]\n"
    lines = "".join(f'{{"id": "{at:04}", "payload": {at}}}\n' for at in range(520))
    two_sides(tmp_path, "def run(p): return p\n", hang, {"x.jsonl": lines})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    counts = report(tmp_path)["counts"]
    assert (done.returncode, counts["fixtures"], counts["diverging"], counts["match"]) == (1, 520, 514, 6), done.stdout
    assert any("6 fixtures, for example x.jsonl#0107, differed in a batch" in notice for notice in report(tmp_path)["notices"]), report(
        tmp_path
    )["notices"]


def test_a_subclass_that_handlers_of_the_base_still_catch_is_said_once(tmp_path):
    baseline = "class Base(Exception): pass\ndef run(p): raise [Base, ValueError][p]\n"
    candidate = "class Base(Exception): pass\nclass Sub(Base, ValueError): pass\ndef run(p): raise Sub\n"
    two_sides(tmp_path, baseline, candidate, {"a.json": "0", "b.json": "0", "c.json": "1"})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    notes = [
        f"handlers of {name} still catch m.Sub ({ids})"
        for name, ids in (("builtins.ValueError", "c.json"), ("m.Base", "a.json and 1 more"))
    ]
    assert report(tmp_path)["notices"] == notes
    assert f"note      {notes[1]}" in done.stdout
    assert done.returncode == 1
