"""A baseline that differs from itself: whatever moved it is named, no row is made of it, and nothing is passed (real workers)."""

import pytest

from tests.e2e.command import EMPTY, FLAGS, report, shadow, two_sides, write

CHECK = tuple(one for at, one in enumerate(FLAGS) if not {"--candidate", "--ledger", "--report"} & set(FLAGS[max(0, at - 1) : at + 1]))
CHANCE = "chance: it differs from run to run"
ORDER = "order: what ran before it in the same process"

SOURCES = {
    "hash seed": "def run(p): return ['v1', str({'alpha', 'beta', 'gamma', 'delta', 'eps', 'zeta', 'eta', 'theta'})]\n",
    "time": "import time\ndef run(p): return ['v1', time.time()]\n",
    "time, time zone": "import datetime\ndef run(p): return ['v1', datetime.datetime.now().isoformat()]\n",
    "time zone": "import time\ndef run(p): return ['v1', time.strftime('%H:%M %z', time.localtime(86400 * 365))]\n",
    "locale": "import os\ndef run(p): return ['v1', os.environ['LC_ALL']]\n",
    "temp path": "import os\ndef run(p): return ['v1', len(os.getcwd())]\n",
    "umask": "import os\ndef run(p):\n    open('f', 'w').close()\n    return ['v1', os.stat('f').st_mode]\n",
    CHANCE: "import os\ndef run(p): return ['v1', os.getpid()]\n",
    "several perturbations together": (
        "import os, time\ndef run(p): return ['v1', os.environ['LC_ALL'] == 'C' and time.localtime(0).tm_min == 45]\n"
    ),
    "hash seed, locale": "import os\ndef run(p): return ['v1', os.environ['LC_ALL'], hash('a')]\n",
}
CLOCK = "import time\ndef run(p): return ['v1', time.time()]\n"
COUNTER = "n = [0]\ndef run(p):\n    n[0] += 1\n    return ['v1', n[0]]\n"


@pytest.mark.parametrize(("cause", "source"), SOURCES.items(), ids=SOURCES)
def test_what_moves_the_baseline_is_named_and_makes_no_row(tmp_path, cause, source):
    two_sides(tmp_path, source, source.replace("v1", "v2"), {"a.json": "1", "b.json": "2"})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert (done.returncode, found["divergences"], found["passed"]) == (3, [], False), done.stdout
    assert [(one["id"], one["field"], one["cause"]) for one in found["impure"]] == [(name, "value", cause) for name in ("a.json", "b.json")]
    assert all(one["paths"][0].startswith("/1") for one in found["impure"])
    assert (found["counts"]["impure"], found["counts"]["diverging"]) == (2, 0)
    assert f"impure a.json value: {cause}" in " ".join(done.stdout.split())
    assert "2 impure" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(("cause", "source"), [*SOURCES.items(), (ORDER, COUNTER)], ids=[*SOURCES, "order"])
def test_the_corpus_check_needs_no_candidate(tmp_path, cause, source):
    two_sides(tmp_path, source, source, {"a.json": "1", "b.json": "2"})
    done = shadow("corpus", "check", *CHECK, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert f"impure  a.json value: {cause}\n" in done.stdout
    assert "2 fixtures: 0 pure, 2 impure" in done.stdout


def test_a_pure_corpus_passes_the_check(tmp_path):
    two_sides(tmp_path, "def run(p): return {'a': p}\n", "", {"a.json": "1", "b.json": "2"})
    done = shadow("corpus", "check", *CHECK, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "2 fixtures: 2 pure\n")


def test_what_cannot_be_encoded_is_said_by_the_check(tmp_path):
    two_sides(tmp_path, "import threading\ndef run(p): return threading.Lock()\n", "")
    done = shadow("corpus", "check", *CHECK, cwd=tmp_path)
    assert done.returncode == 3
    assert "error   a.json: " in done.stdout
    assert "1 fixture: 0 pure, 1 error" in done.stdout


def test_agreement_of_an_impure_baseline_shows_only_where_all_are_checked(tmp_path):
    source = SOURCES["hash seed"]
    two_sides(tmp_path, source, source + "# a patch\n")
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 0
    done = shadow("compare", *FLAGS, "--purity", "full", cwd=tmp_path)
    found = report(tmp_path)
    assert (done.returncode, found["impure"], found["counts"]["impure"], found["counts"]["match"]) == (
        3,
        found["impure"],
        1,
        0,
    )
    assert found["run"]["purity"]["scope"] == "full"


def test_other_fields_of_an_impure_fixture_keep_their_rows(tmp_path):
    source = "import os\ndef run(p):\n    print('one')\n    return os.getpid()\n"
    two_sides(tmp_path, source, source.replace("one", "two"))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert [(one["id"], one["field"]) for one in found["divergences"]] == [("a.json", "stdout")]
    assert (done.returncode, [one["field"] for one in found["impure"]], found["counts"]["impure"]) == (1, ["value"], 1)


def test_an_impure_value_is_not_pinned_in_an_outcome_row(tmp_path):
    two_sides(tmp_path, "import os\ndef run(p): return os.getpid()\n", "def run(p): raise ValueError\n")
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, report(tmp_path)["divergences"]) == (3, [])


def test_an_outcome_that_moves_makes_no_row_of_any_kind(tmp_path):
    source = "import os\ndef run(p):\n    if os.environ['LC_ALL'] == 'C': raise ValueError\n    return 1\n"
    two_sides(tmp_path, source, source.replace("return 1", "return 2"))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert (done.returncode, found["divergences"]) == (3, [])
    assert [(one["id"], one["field"], one["cause"]) for one in found["impure"]] == [("a.json", "ok", "locale")]


def test_instability_of_the_candidate_alone_is_a_divergence(tmp_path):
    two_sides(tmp_path, "def run(p): return 1\n", SOURCES["hash seed"])
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, len(report(tmp_path)["divergences"]), report(tmp_path)["impure"]) == (1, 1, [])


def test_what_moves_at_import_is_impure_too(tmp_path):
    source = "import os\nprint('v1', os.getpid())\ndef run(p): return p\n"
    two_sides(tmp_path, source, source.replace("v1", "v2"))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert (done.returncode, found["divergences"]) == (3, [])
    assert [(one["id"], one["field"], one["cause"]) for one in found["impure"]] == [("@import", "stdout", CHANCE)]
    assert "an impure import" in done.stdout


READS = """import os, time
def run(p):
    if time.tzname[0] != 'UTC' or os.environ['LC_ALL'] == 'C':
        open('/etc/hostname').close()
        os.environ.get('OTHER')
    return {}
"""


@pytest.mark.parametrize(
    ("answers", "impure"),
    [("1", []), ("time.tzname[0]", [("value", "time zone")]), ("os.getpid()", [("value", CHANCE)])],
    ids=["what is read alone", "what is made of it", "beside chance"],
)
def test_another_zone_or_locale_may_read_other_files_and_names(tmp_path, answers, impure):
    source = READS.format(answers)
    two_sides(tmp_path, source, source + "# a patch\n")
    done = shadow("compare", *FLAGS, "--purity", "full", cwd=tmp_path)
    assert [(one["field"], one["cause"]) for one in report(tmp_path)["impure"]] == impure
    assert done.returncode == (3 if impure else 0)


def test_only_the_perturbation_that_moves_the_import_is_named_for_it(tmp_path):
    """Beside a fixture that needs several at once, the import is looked at again; its cause is known by then."""
    source = "import os, time\nprint('v1', time.tzname)\n" + SOURCES["several perturbations together"].partition("\n")[2]
    two_sides(tmp_path, source, source.replace("v1", "v2"))
    shadow("compare", *FLAGS, cwd=tmp_path)
    causes = [(one["id"], one["cause"]) for one in report(tmp_path)["impure"]]
    assert causes == [("@import", "time zone"), ("a.json", "several perturbations together")]


def test_a_smoothed_difference_is_not_impure(tmp_path):
    source = "import os\ndef run(p): return ['v1', os.getcwd(), object()]\n"
    two_sides(tmp_path, source, source.replace("v1", "v2"))
    done = shadow("compare", *FLAGS, "--purity", "full", cwd=tmp_path)
    assert (done.returncode, report(tmp_path)["impure"]) == (1, [])


def test_a_row_of_the_ledger_neither_covers_an_impure_field_nor_goes_stale(tmp_path):
    source = SOURCES["hash seed"]
    ledger = (
        "version: 1\nentries:\n- id: a.json\n  field: value\n  baseline: '1'\n  candidate: '2'\n"
        "  decision: accept\n  reason: it is only the order\n"
    )
    two_sides(tmp_path, source, source.replace("v1", "v2"), ledger=ledger)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, report(tmp_path)["stale"], report(tmp_path)["counts"]["impure"]) == (3, [], 1)


def test_what_depends_on_the_order_is_judged_by_its_lone_run(tmp_path):
    two_sides(tmp_path, COUNTER, COUNTER.replace("v1", "v2"), {"a.json": "1", "b.json": "2"})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert (done.returncode, found["impure"]) == (1, [])
    assert {(one["baseline"], one["candidate"]) for one in found["divergences"]} == {('["v1",1]', '["v2",1]')}
    assert shadow("compare", *FLAGS, "--purity", "full", "--strict", cwd=tmp_path).returncode == 1
    assert shadow("compare", *FLAGS, "--purity", "full", cwd=tmp_path).returncode == 3
    assert {one["cause"] for one in report(tmp_path)["impure"]} == {ORDER}


def test_a_timed_out_baseline_agrees_with_itself(tmp_path):
    two_sides(tmp_path, "import time\ndef run(p): time.sleep(60)\n", "def run(p): return 1\n")
    done = shadow("compare", *FLAGS, "--timeout", "0.3", "--purity", "full", cwd=tmp_path)
    assert (done.returncode, [one["field"] for one in report(tmp_path)["divergences"]], report(tmp_path)["impure"]) == (1, ["ok"], [])


def test_unknown_scopes_are_refused(tmp_path):
    two_sides(tmp_path, "def run(p): return 1\n", "def run(p): return 2\n")
    done = shadow("compare", *FLAGS, "--purity", "ful", cwd=tmp_path)
    assert done.returncode == 2
    assert "did you mean `full`" in done.stderr


def test_a_moment_that_the_contract_names_is_an_input(tmp_path):
    write(tmp_path, {"b/m.py": CLOCK, "c/m.py": CLOCK.replace("v1", "v2"), "shadow/delta_ledger.yaml": EMPTY, "shadow/corpus/a.json": "1"})
    toml = '[[target]]\nname = "m"\nentry = "m:run"\n'
    (tmp_path / "shadow/shadow.toml").write_text("version = 1\n" + toml, encoding="utf-8")
    sides = ("--baseline", "dir:b", "--candidate", "dir:c")
    assert shadow("compare", *sides, cwd=tmp_path).returncode == 3
    (tmp_path / "shadow/shadow.toml").write_text("version = 1\n" + toml + '[inject]\nnow = "2026-02-02T02:02:02Z"\n', encoding="utf-8")
    done = shadow("compare", *sides, cwd=tmp_path)
    found = report(tmp_path, "shadow/out/report.json")
    assert (done.returncode, found["impure"], len(found["divergences"])) == (1, [], 1), done.stdout + done.stderr


def test_the_screen_says_where_and_what_to_do(tmp_path):
    two_sides(tmp_path, SOURCES["temp path"], SOURCES["temp path"].replace("v1", "v2"))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert "(at /1: " in " ".join(done.stdout.split())
    assert "shadow corpus check" in done.stdout
    assert "differs at   /1: " in shadow("show", "a.json", "--report", "r.json", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("source", "says"),
    [
        pytest.param("import time\ndef run(p): time.sleep(60)\n", "undecided a.json: both sides ran into the time limit", id="out of time"),
        pytest.param("def run(): pass\n", "target m:run: no fixture comes back", id="only refused calls"),
        pytest.param("def run(p): raise ValueError\n", "target m:run: no fixture comes back", id="only failures"),
    ],
)
def test_agreement_that_means_nothing_is_no_pure_corpus(tmp_path, source, says):
    two_sides(tmp_path, source, "")
    done = shadow("corpus", "check", *CHECK, "--timeout", "0.5", cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    assert says in done.stdout


def test_what_cannot_be_encoded_in_the_second_run_is_an_error(tmp_path):
    source = "import time\ndef run(p): return [p] if time.timezone == 0 else open('f', 'w')\n"
    two_sides(tmp_path, source, source.replace("[p]", "[p, 1]"))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    (error,) = report(tmp_path)["errors"]
    assert (done.returncode, report(tmp_path)["divergences"]) == (3, [])
    assert error["cause"].startswith("in a second run of the baseline: ")
