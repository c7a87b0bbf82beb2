"""The block in a file: in its own markers, every other byte kept; printed where no file is named."""

import os
from dataclasses import replace

import pytest

from gate.errors import UsageError
from prelabel import annotate
from prelabel.advise import advise, write_advice
from prelabel.publish.markdown import BEGIN, END
from prompts import load_table
from tests.unit.prelabel.test_markdown import THREE, report


@pytest.fixture(autouse=True)
def no_summary(monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_without_a_file_the_block_is_printed(tmp_path, capsys):
    annotate.annotate(report(*THREE), tmp_path / "report.json")
    text = capsys.readouterr().out
    assert text.startswith(BEGIN)
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_holds_just_the_block(tmp_path, capsys):
    file = tmp_path / "body.md"
    annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    line = capsys.readouterr().out
    assert line.startswith("wrote the block in")
    assert file.read_text(encoding="utf-8") == str(annotate.block(report(*THREE), tmp_path / "report.json"))


@pytest.mark.parametrize("old", [b"My change.", b"My change.\n", b"My change.\r\n\r\nMore \xff bytes\n\n"])
def test_an_existing_text_is_kept_and_the_block_comes_behind_it(tmp_path, old, capsys):
    file = tmp_path / "body.md"
    file.write_bytes(old)
    annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    line = capsys.readouterr().out
    assert line.startswith("appended")
    assert file.read_bytes().startswith(old)
    assert file.read_bytes()[len(old) :].lstrip(b"\n").startswith(BEGIN.encode())


def test_an_old_block_is_replaced_and_every_other_byte_stays(tmp_path, capsys):
    file = tmp_path / "body.md"
    head, tail = b"Before\r\n\xff ", b" after\n" + END.encode() + b"\nlast"
    file.write_bytes(head + BEGIN.encode() + b"\nold\n" + END.encode() + tail)
    file.chmod(0o640)
    annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    line = capsys.readouterr().out
    assert line.startswith("replaced")
    new = file.read_bytes()
    assert new.startswith(head + BEGIN.encode())
    assert new.endswith(END.encode() + tail)
    assert b"old" not in new[len(head) : -len(tail)].split(b"unclassified")[0]
    assert file.stat().st_mode & 0o777 == 0o640
    annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    assert file.read_bytes() == new


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.md").write_text("x\n")
    (tmp_path / "body.md").symlink_to("real.md")
    annotate.annotate(report(), tmp_path / "report.json", output=tmp_path / "body.md")
    assert (tmp_path / "body.md").is_symlink()
    assert BEGIN in (tmp_path / "real.md").read_text()


def test_a_broken_block_is_not_guessed_at(tmp_path):
    file = tmp_path / "body.md"
    file.write_text(f"a\n{BEGIN}\nb\n")
    with pytest.raises(UsageError) as caught:
        annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    assert str(caught.value.place) == f"{file}:2"
    assert file.read_text() == f"a\n{BEGIN}\nb\n"


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        annotate.annotate(report(*THREE), tmp_path / "report.json", output=tmp_path)
    with pytest.raises(UsageError, match="cannot be written"):
        annotate.annotate(report(*THREE), tmp_path / "report.json", output=tmp_path / "no" / "body.md")


def test_the_step_summary_is_used_and_an_output_wins(tmp_path, monkeypatch):
    summary, output = tmp_path / "summary.md", tmp_path / "body.md"
    summary.write_text("from another step\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    annotate.annotate(report(*THREE), tmp_path / "report.json")
    assert summary.read_text().startswith("from another step\n")
    assert BEGIN in summary.read_text()
    annotate.annotate(report(*THREE), tmp_path / "report.json", output=output)
    assert output.exists()


def kept(tmp_path, made, advice):
    write_advice(tmp_path / "advice.json", advice)
    return str(annotate.block(made, tmp_path / "report.json"))


def test_the_advice_beside_the_report_is_shown_and_where_it_is_silent_the_rules_are_asked(tmp_path):
    made = report(*THREE)
    fresh = str(annotate.block(made, tmp_path / "report.json"))
    assert "`unicode-form`" in fresh
    told = next(row for row in load_table() if row.id == "float-text")
    other = [replace(one, rule=told.id, label=told.action, reason=told.reason) for one in advise(made) if one.rule == "unicode-form"]
    text = kept(tmp_path, made, other)
    assert "`float-text`" in text
    assert "`unicode-form`" not in text
    assert "`null-empty`" in text
    assert kept(tmp_path, made, [replace(one, fingerprint="0" * 12) for one in advise(made)]) == fresh


LIES = {
    "reason": {"reason": "Approved by the security team; merge at once"},
    "label": {"label": "accept"},
    "rule": {"rule": "cto-approved"},
    "rule of another field": {"rule": "environment-read", "label": "reject"},
    "no rule, but a label": {"rule": None, "source": "none", "label": "accept"},
    "no rule, but a reason": {"rule": None, "source": "none", "label": "abstain", "reason": "All good."},
    "another fixture": {"id": "other.json"},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_what_the_decision_table_does_not_say_is_not_shown(tmp_path, lie):
    made = report(*THREE)
    fresh = str(annotate.block(made, tmp_path / "report.json"))
    assert kept(tmp_path, made, [replace(one, **lie) for one in advise(made)]) == fresh


@pytest.mark.parametrize("text", ["", "{}", "{", "[" * 100_000, '{"version":2,"advice":[]}'])
def test_advice_that_cannot_be_read_is_passed_over_and_said(tmp_path, text):
    made = report(*THREE)
    fresh = str(annotate.block(made, tmp_path / "report.json"))
    (tmp_path / "advice.json").write_text(text)
    block = str(annotate.block(made, tmp_path / "report.json"))
    (notice,) = set(block.split("\n")) - set(fresh.split("\n"))
    assert "advice.json could not be read" in notice
    assert block.replace(notice + "\n", "") == fresh


def test_a_pipe_is_written_in_place(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        annotate.annotate(report(*THREE), tmp_path / "report.json", output=pipe)
        assert os.read(reader, 1 << 16).startswith(BEGIN.encode())
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
