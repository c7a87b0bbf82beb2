import pytest

from gate.ledger.life import lint

HEAD = "version: 1\nentries:\n"
ROW = "  - id: {}\n    field: value\n    baseline: '1'\n    candidate: '2'\n    decision: accept\n    reason: meant\n"


def test_a_sound_ledger_has_nothing_to_say(tmp_path):
    (tmp_path / "l.yaml").write_text(HEAD + ROW.format("a"))
    (tmp_path / "d").mkdir()
    (tmp_path / "d/1.yaml").write_text(HEAD + ROW.format("b"))
    assert lint(tmp_path / "l.yaml", None) == ()
    assert lint(tmp_path / "l.yaml", tmp_path / "d") == ()
    assert lint(tmp_path / "l.yaml", tmp_path / "none") == ()


def test_every_fault_of_every_file_sorted_by_file_and_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    (tmp_path / "l.yaml").write_text(
        "entries:\n" + ROW.format("a").replace("reason", "raeson") + ROW.format("a").replace("value", "valeu") + "version: 2\n"
    )
    (tmp_path / "d/2.yaml").write_text(HEAD + ROW.format("b") + ROW.format("b"))
    (tmp_path / "d/1.yaml").write_text(HEAD + "<<<<<<< a\n=======\n>>>>>>> b\n")
    got = lint(tmp_path / "l.yaml", tmp_path / "d")
    assert [str(fault.place) for fault in got] == ["d/1.yaml:3", "d/2.yaml:9", "l.yaml:7", "l.yaml:9", "l.yaml:14"]
    assert all(fault.remedy for fault in got)


@pytest.mark.parametrize("folder", [False, True])
def test_no_ledger_at_all(folder, tmp_path):
    if folder:
        (tmp_path / "d").mkdir()
    got = lint(tmp_path / "l.yaml", tmp_path / "d")
    assert [(fault.what, fault.place.line) for fault in got] == ([] if folder else [("there is no such ledger", None)])


def test_linting_changes_nothing(tmp_path):
    file = tmp_path / "l.yaml"
    file.write_text(HEAD + "  - x\n")
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    assert lint(file, None)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert len(list(tmp_path.iterdir())) == 1
