"""The benchmarks measure what they say: seeded inputs, changes that are met, costs of the right process, red when a bar is missed."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from gate.ledger.read import read_ledger

HERE = Path(__file__).resolve().parents[2] / "benchmarks"
NAMES = sorted(path.stem for path in HERE.glob("*.py"))


@pytest.fixture
def bench(monkeypatch):
    """The scripts as modules, by name; their short names are gone again afterwards."""
    monkeypatch.syspath_prepend(str(HERE))
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield {name: importlib.import_module(name) for name in NAMES}
    for name in NAMES:
        sys.modules.pop(name, None)


def outcomes(source, corpus):
    """Fixture name -> what one side did with it."""
    space = {}
    exec(source, space)  # noqa: S102  # the benchmark's own target
    done = {}
    for path in sorted(corpus.iterdir()):
        try:
            done[path.name] = json.dumps(space["declare"](json.loads(path.read_text(encoding="utf-8"))))
        except Exception as error:  # noqa: BLE001  # its answer
            done[path.name] = type(error).__name__
    return done


def test_the_same_seed_makes_the_same_bytes(bench, tmp_path):
    for name in ("one", "two"):
        bench["workload"].write_corpus(tmp_path / name, 40)
        bench["workload"].write_ledger(tmp_path / f"{name}.yaml", 40)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert len(one) == 40
    assert one == two
    assert (tmp_path / "one.yaml").read_bytes() == (tmp_path / "two.yaml").read_bytes()


@pytest.mark.parametrize(("every", "differ"), [pytest.param(50, 4, id="as in most corpora"), pytest.param(1, 200, id="hostile")])
def test_exactly_the_planned_fixtures_diverge(bench, tmp_path, every, differ):
    corpus = tmp_path / "corpus"
    bench["workload"].write_corpus(corpus, 200, diverging=every)
    one, other = (outcomes(source, corpus) for source in (bench["target"].SOURCE, bench["target"].candidate_source()))
    assert sum(one[name] != other[name] for name in one) == differ
    assert sum(not answer.startswith("{") for answer in one.values()) < 100, "most fixtures return"


def test_each_planted_change_alone_is_met(bench, tmp_path):
    corpus = tmp_path / "corpus"
    bench["workload"].write_corpus(corpus, 60, diverging=1)
    source = bench["target"].SOURCE
    before = outcomes(source, corpus)
    for old, new in bench["target"].CHANGES:
        assert outcomes(source.replace(old, new), corpus) != before, old


@pytest.mark.parametrize("rows", [0, 100])
def test_ledgers_load_and_meet_no_fixture(bench, tmp_path, rows):
    bench["workload"].write_ledger(tmp_path / "ledger.yaml", rows)
    bench["workload"].write_corpus(tmp_path / "corpus", 20)
    ledger = read_ledger(tmp_path / "ledger.yaml", None)
    assert len(ledger.rows) == rows
    assert not {row.id for row in ledger.rows} & {path.name for path in (tmp_path / "corpus").iterdir()}


def test_cost_is_that_of_the_command_and_of_its_children(bench, tmp_path):
    busy = "sum(range(3_000_000))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}], check=True)"
    env = bench["measure"].environment(tmp_path / "home")
    idle, worked = (
        bench["measure"].run([sys.executable, "-I", "-c", code], env=env, stdout=tmp_path / "out") for code in ("import subprocess", nested)
    )
    assert idle.code == worked.code == 0
    assert worked.cpu > idle.cpu
    assert idle.peak_mb > 3
    total = idle + worked
    assert (total.cpu, total.peak_mb) == (idle.cpu + worked.cpu, max(idle.peak_mb, worked.peak_mb))


def test_a_command_that_fails_is_no_measurement(bench, tmp_path):
    env = bench["measure"].environment(tmp_path / "home")
    with pytest.raises(bench["measure"].FailedError, match=r"ended with 1: broken"):
        bench["measure"].run([sys.executable, "-c", "raise SystemExit('broken')"], env=env, stdout=tmp_path / "out")


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        pytest.param(b"a\nnew\nb\n", True, id="block in the middle"),
        pytest.param(b"a\nb\nnew\n", True, id="block at the end"),
        pytest.param(b"a\nb\n", False, id="nothing came"),
        pytest.param(b"a\nnew\nB\n", False, id="a later byte changed"),
        pytest.param(b"A\nnew\nb\n", False, id="an earlier byte changed"),
    ],
)
def test_kept_means_every_old_byte(bench, new, kept):
    assert bench["append"].kept(b"a\nb\n", new) is kept


@pytest.mark.parametrize(("value", "code"), [pytest.param(1.0, 0, id="holds"), pytest.param(1.01, 1, id="missed")])
def test_a_missed_bar_is_exit_1(bench, monkeypatch, capsys, value, code):
    figure = bench["figures"].Figure(name="speed", value=value, bar=1.0, unit="x", about="ours / theirs")
    monkeypatch.setattr(bench["figures"], "ALL", {"speed": lambda _: figure})
    monkeypatch.setattr(bench["figures"].Bench, "compare", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["run.py"])
    with pytest.raises(SystemExit) as left:
        bench["run"].main()
    assert left.value.code == code
    assert ("MISSED" if code else "holds") in capsys.readouterr().out


def test_an_answer_that_misses_divergences_is_no_answer(bench, tmp_path):
    (tmp_path / "diff").write_text("1c1\n< a\n---\n> b\n")
    runs = bench["figures"].Bench(folder=tmp_path, rounds=1)
    (tmp_path / "report.json").write_text('{"counts": {"diverging": 1}}')
    runs.check_answer()
    (tmp_path / "report.json").write_text('{"counts": {"diverging": 0}}')
    with pytest.raises(bench["measure"].FailedError, match="0 diverging fixtures, the yardstick 1"):
        runs.check_answer()
