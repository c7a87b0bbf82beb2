"""`canonicalize.py` as a user meets it: the page's own example, what the report says, every exit code, and sign-off."""

import json
import re
from pathlib import Path

import pytest

from tests.e2e.command import EMPTY, shadow, write

PAGE = Path(__file__).parents[2] / "docs/how-to/write-a-project-rule.md"
TARGET = """
class Bad(Exception): pass
def run(p):
    if p == "raise": raise Bad("ticket %d is closed" % N)
    return {"meta": {"build": "b%d" % N}, "p": p}
"""
TOML = 'version = 1\n[[target]]\nname = "normalise"\nentry = "m:run"\n'
FLAGS = ("--baseline", "b", "--candidate", "c")
CONSTANT = 'from shadow_rules import rule\n@rule("all")\ndef everything(value): return None\n'


def project(root, rules=None, toml=TOML, **more):
    files = {"b/m.py": "N = 1" + TARGET, "c/m.py": "N = 22" + TARGET, "shadow/shadow.toml": toml, "shadow/delta_ledger.yaml": EMPTY}
    files |= {"shadow/corpus/one.json": "1", "shadow/corpus/two.json": '"raise"', ".git/HEAD": ""}
    return write(root, files | ({} if rules is None else {"shadow/canonicalize.py": rules}) | more)


def report(root, name="report.json"):
    return json.loads((root / "shadow/out" / name).read_text(encoding="utf-8"))


def test_the_example_of_the_page_does_what_the_page_says(tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    source = re.search(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
    wanted = re.search(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
    project(tmp_path, source)
    done, shown = shadow("compare", *FLAGS, cwd=tmp_path), shadow("show", "one.json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"$ shadow compare {' '.join(FLAGS)}\n{done.stdout}$ shadow show one.json\n{shown.stdout}" == wanted
    canonical = report(tmp_path)["canonical"]
    assert canonical["project"]["rules"] == ["build-id", "ticket-number"]
    assert canonical["fired"] == {"key-order": 0, "object-ids": 0, "temp-root": 0, "build-id": 1, "ticket-number": 1}


def test_the_digest_of_the_file_is_in_the_report_and_moves_the_canonical_digest(tmp_path):
    project(tmp_path)
    shadow("compare", *FLAGS, cwd=tmp_path)
    without = report(tmp_path)["canonical"]
    project(tmp_path, CONSTANT)
    shadow("compare", *FLAGS, cwd=tmp_path)
    one = report(tmp_path)["canonical"]
    project(tmp_path, CONSTANT + "#\n")
    shadow("compare", *FLAGS, cwd=tmp_path)
    other = report(tmp_path)["canonical"]
    assert without["project"] is None
    assert len({without["digest"], one["digest"], other["digest"]}) == 3
    assert one["project"]["digest"] != other["project"]["digest"]


def test_a_rule_that_makes_everything_equal_is_seen(tmp_path):
    project(tmp_path, CONSTANT)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, "1 smoothed by all" in done.stdout) == (0, True), done.stdout
    assert {"id": "one.json", "field": "value", "rules": ["all"], "paths": ['/meta/build: "b1" -> "b22"']} in report(tmp_path)["smoothed"]


IDLE = 'from shadow_rules import rule\n@rule("mine", path="/nowhere")\ndef f(v): return v\n'


def test_rules_that_somebody_asked_for_and_that_touched_nothing_are_named(tmp_path):
    project(tmp_path, IDLE, TOML + '[compare]\nrules = ["key-order", "newlines", "drop:/meta"]\n')
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    (notice,) = report(tmp_path)["notices"]
    assert notice == "no difference of this run was touched by the rules newlines, mine; mend the path, or take it out"
    shadow("compare", *FLAGS, "--only", "one.json", cwd=tmp_path)
    assert report(tmp_path, "partial.json")["notices"] == ["a partial run: no row was called stale"]
    project(tmp_path, IDLE, TOML)
    shadow("compare", *FLAGS, cwd=tmp_path)
    assert "by the rule mine;" in report(tmp_path)["notices"][0]


def test_a_function_that_fails_is_exit_3_and_the_rest_is_judged(tmp_path):
    rules = 'from shadow_rules import rule\n@rule("wrong", path="/meta/build")\ndef f(v): return v["x"]\n'
    project(tmp_path, rules)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    result = report(tmp_path)
    assert (result["passed"], result["counts"]["error"], result["counts"]["match"], result["smoothed"]) == (False, 1, 1, [])
    (error,) = result["errors"]
    assert error["id"] == "one.json"
    assert error["cause"].startswith("shadow/canonicalize.py:2: rule wrong raised TypeError: ")
    assert "shadow/canonicalize.py:2: rule wrong" in done.stdout


def test_many_fixtures_in_groups_and_a_divergence_among_them(tmp_path):
    lines = "".join(json.dumps({"id": str(at), "payload": at}) + "\n" for at in range(600))
    rules = 'from shadow_rules import rule\n@rule("build", path="/meta/build")\ndef f(v): return "b"\n'
    differs = "N = 22" + TARGET.replace('"p": p}', '"p": p if p != 300 else -1}')
    project(tmp_path, rules, **{"shadow/corpus/many.jsonl": lines, "c/m.py": differs})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    result = report(tmp_path)
    assert [(one["id"], one["paths"]) for one in result["divergences"]] == [("many.jsonl#300", ["/p: 300 -> -1"])]
    assert (result["counts"]["match"], result["counts"]["smoothed"], result["canonical"]["fired"]["build"]) == (601, 601, 601)


def test_what_a_rule_smooths_is_not_impure(tmp_path):
    target = "import os\ndef run(p): return [os.getcwd().count('elsewhere') + len(str(os.umask(0o22))), p, N]\n"
    files = {"b/m.py": "N = 1\n" + target, "c/m.py": "N = 1\n" + target + "#\n"}
    project(tmp_path, None, **files)
    impure = shadow("corpus", "check", "--baseline", "b", cwd=tmp_path)
    assert (impure.returncode, "one.json value" in impure.stdout) == (3, True), impure.stdout + impure.stderr
    rules = 'from shadow_rules import rule\n@rule("place", path="/0")\ndef f(v): return "place"\n'
    project(tmp_path, rules, **files)
    pure = shadow("corpus", "check", "--baseline", "b", cwd=tmp_path)
    assert pure.returncode == 0, pure.stdout + pure.stderr
    assert shadow("compare", *FLAGS, "--purity", "full", cwd=tmp_path).returncode == 0


INVALID = {
    "a fault of the file": {"shadow/canonicalize.py": "from shadow_rules import rul\n"},
    "a folder": {"shadow/canonicalize.py/x": ""},
}


@pytest.mark.parametrize("files", INVALID.values(), ids=INVALID)
def test_what_is_invalid_is_exit_2_before_anything_runs(tmp_path, files):
    project(tmp_path)
    write(tmp_path, files)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, "canonicalize.py" in done.stderr) == (2, True), done.stdout + done.stderr
    assert not (tmp_path / "shadow/out/report.json").exists()


@pytest.mark.parametrize("goal", ["elsewhere.py", "nowhere.py"])
def test_a_link_out_of_the_contract_is_refused(tmp_path, goal):
    project(tmp_path)
    write(tmp_path, {"elsewhere.py": CONSTANT})
    (tmp_path / "shadow/canonicalize.py").symlink_to(tmp_path / goal)
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert (done.returncode, "links out of the contract" in done.stderr) == (2, True), done.stdout + done.stderr


def test_flags_alone_know_no_project_rules(tmp_path):
    project(tmp_path, CONSTANT)
    (tmp_path / "shadow/shadow.toml").unlink()
    done = shadow("compare", *FLAGS, "--corpus", "shadow/corpus", "--ledger", "shadow/delta_ledger.yaml", "--entry", "m:run", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
