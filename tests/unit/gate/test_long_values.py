"""Values that are too long to cross: what rules still reach, and what they cost the gate."""

import subprocess
import sys

import pytest

from gate.canonical.rules import DEFAULT_RULES, Context, make_rules
from gate.canonical.visible_json import parse
from gate.compare import compare
from gate.rows import LONGEST, is_long
from gate.types import GATED, Limits, Wire
from tests.e2e.command import FLAGS, environment, report, two_sides
from tests.unit.gate.pairing import PLAIN, fixture, open_pair, records

pytestmark = pytest.mark.no_cover  # so large, and nothing that smaller values do not reach
LIMITS = Limits(seconds=20.0)
# {name: (what the baseline returns, what the candidate returns, the rules that hide the difference)}
ALIKE = {
    "order of keys": ("{str(i): i for i in range(80_000)}", "{str(i): i for i in reversed(range(80_000))}", ("key-order",)),
    "addresses": ("['<x at 0x7f00000%05x>' % i for i in range(70_000)]", "['<x at 0x7f11111%05x>' % i for i in range(70_000)]", ("object-ids",)),
    "temp root": ("[os.getcwd() + '/a'] * 70_000", "[os.getcwd() + '/a'] * 70_000", ("temp-root",)),
}  # fmt: skip
DIFFERENT = {
    "an item": ("[*range(300_000), 1]", "[*range(300_000), 2]", "/300000: 1 -> 2"),
    "beside an order of keys": ("{str(i): i for i in range(80_000)}", "{str(i): i or -1 for i in reversed(range(80_000))}", "/0: 0 -> -1"),
}


def compared(pair, rules=DEFAULT_RULES, batch=1):
    contexts = tuple(Context(temp_root=str(worker.temp_root)) for worker in pair.workers)
    ((one, left, right),) = pair.run([fixture("a", 1)], batch=batch)
    wires = [Wire(record=record, stdout=out, stderr=err) for record, out, err in (left, right)]
    return compare(fixture=one, baseline=wires[0], candidate=wires[1], rules=make_rules(rules), gated=frozenset(GATED), contexts=contexts)


def target(expression):
    return f"import os\ndef run(p): return {expression}\n"


@pytest.mark.parametrize(("baseline", "candidate", "rules"), ALIKE.values(), ids=ALIKE)
def test_rules_reach_into_a_long_value_that_runs_alone(tmp_path, baseline, candidate, rules):
    with open_pair(tmp_path, target(baseline), target(candidate), limits=LIMITS, interpreter=PLAIN) as pair:
        in_company, alone, without = compared(pair, batch=64), compared(pair), compared(pair, ())
    assert all(map(is_long, in_company.divergences))
    assert in_company.status == without.status == "diverging"
    assert (alone.status, [one.rules for one in alone.smoothed]) == ("match", [rules])


@pytest.mark.parametrize(("baseline", "candidate", "change"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_long_difference_is_pinned_by_digest_and_shown_by_place(tmp_path, baseline, candidate, change):
    with open_pair(tmp_path, target(baseline), target(candidate), limits=LIMITS, interpreter=PLAIN) as pair:
        (row,) = compared(pair).divergences
        assert compared(pair).divergences == (row,)
    assert [str(one) for one in row.paths] == [change]
    (one, other) = (parse(text)["!long"] for text in (row.baseline, row.candidate))
    assert one[0] > LONGEST
    assert one[1] != other[1]
    assert len(one[2]) == 500


def test_the_text_of_a_long_outcome_keeps_its_kind(tmp_path):
    with open_pair(tmp_path, target("[*range(300_000)]"), target("{}['x']"), limits=LIMITS, interpreter=PLAIN) as pair:
        (row,) = compared(pair).divergences
    assert row.field == "ok"
    assert list(parse(row.baseline)["returned"]) == ["!long"]
    assert row.candidate == '{"raised":"builtins.KeyError"}'


SIZES = {
    "text": "'x' * (64 << 20)",
    "bytes": "b'x' * (64 << 20)",
    "bytes that are shown by their numbers": "bytes(4 << 20)",
    "list": "[7] * (6 << 20)",
    "rows": "[{'a': 1, 'b': 'x'} for _ in range(90_000)]",
    "digits": "1 << 30_000_000",
    "text in a tuple": "('x' * (32 << 20),)",
    "other letters": "'\\u00e9' * (8 << 20)",
}


@pytest.mark.parametrize("batch", [64, 1])
def test_huge_values_cost_a_digest_and_leave_their_neighbours_alone(tmp_path, batch):
    source = "def run(p): return eval(p)\n"
    acts = [fixture(f"{at}{name}", text) for name, text in SIZES.items() for at, text in (("0", "1"), ("1", text), ("2", "2"))]
    with open_pair(tmp_path, source, limits=Limits(seconds=30.0, memory_mib=2048), interpreter=PLAIN) as pair:
        seen = records(pair, acts, batch=batch)
    for name in SIZES:
        assert [seen[f"{at}{name}"][0]["value"] for at in "02"] == [1, 2]
        left, right = seen[f"1{name}"]
        assert left == right
        if batch == 64 or name == "text":  # alone, up to 16 MiB cross whole
            length, digest, head = left["value"]["!long"]
            assert (length > 1 << 20, len(digest), len(head)) == (True, 64, 500)


def test_a_record_that_does_not_fit_is_an_error_of_one_fixture(tmp_path):
    """What is changed in place crosses beside the value: both whole are more than there is room for."""
    source = "def run(p):\n    if p == 1: return 1\n    p[0] = 'x' * 900_000\n    raise ValueError('y' * 900_000) from LONG\n"
    source += "LONG = ValueError('z')\nfor _ in range(12):\n    LONG, before = ValueError('\\u0001' * 2_000_000), LONG\n    LONG.__cause__ = before\n"
    acts = [fixture("a", 1), fixture("b", [1]), fixture("c", 1)]
    with open_pair(tmp_path, source, limits=LIMITS, interpreter=PLAIN) as pair:
        for batch in (64, 1):
            seen = records(pair, acts, batch=batch)
            assert [seen[one][0]["out"] for one in "abc"] == ["returned", "raised" if batch == 64 else "error", "returned"]
    assert "too large" in seen["b"][0]["why"]


def test_a_batch_of_large_answers_crosses_in_parts(tmp_path):
    source = "def run(p): return str(p) * 250_000\n"
    acts = [fixture(str(i), i) for i in range(10, 99)] * 2
    with open_pair(tmp_path, source, limits=LIMITS, interpreter=PLAIN) as pair:
        frames = []
        for worker in pair.workers:
            accept = worker.accept
            worker.accept = lambda frame, accept=accept: (frames.append(len(frame)), accept(frame))
        for number, (one, left, right) in enumerate(pair.run(acts, batch=1024)):
            assert left == right
            assert len(left[0]) > 500_000
            assert left[0].count(one.payload) >= 250_000
            assert all(len(worker.results) <= 89 * 2 for worker in pair.workers), number
    assert len(frames) > 2 * 1
    assert max(frames) < 70 << 20


MEASURE = """
import resource, subprocess, sys
code = subprocess.call([sys.executable, "-m", "prelabel", *sys.argv[1:]], stdout=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_the_gate_holds_no_more_than_a_few_long_values(tmp_path):
    source = "def run(p): return [*range(300_000), p, %d]\n"
    two_sides(tmp_path, source % 1, source % 2, {f"{number}.json": str(number) for number in range(4)})
    command = [sys.executable, "-c", MEASURE, "compare", *FLAGS, "--timeout", "30"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=True, timeout=120)
    code, kib = map(int, done.stdout.split())
    assert code == 1
    seen = report(tmp_path)
    assert seen["counts"]["diverging"] == 4
    assert {path for row in seen["divergences"] for path in row["paths"]} == {"/300001: 1 -> 2"}
    assert (tmp_path / "r.json").stat().st_size < 100_000
    assert not any("batch" in notice for notice in seen["notices"])
    assert kib < 200 << 10
