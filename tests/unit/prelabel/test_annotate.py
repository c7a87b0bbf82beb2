"""The block in a file: in its own markers, every other byte kept; printed where no file is named."""

from dataclasses import replace

import pytest

from gate.errors import ReportError, UsageError
from prelabel import annotate
from prelabel.advise import advise, write_advice
from prelabel.publish.markdown import BEGIN, END
from tests.unit.prelabel.test_markdown import THREE, report


@pytest.fixture(autouse=True)
def no_summary(monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_without_a_file_the_block_is_printed(tmp_path):
    (text,) = annotate.annotate(report(*THREE), tmp_path / "report.json")
    assert text.startswith(BEGIN)
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_holds_just_the_block(tmp_path):
    file = tmp_path / "body.md"
    (line,) = annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    assert line.startswith("wrote the block in")
    assert file.read_text(encoding="utf-8") == str(annotate.block(report(*THREE), tmp_path / "report.json"))


@pytest.mark.parametrize("old", [b"My change.", b"My change.\n", b"My change.\r\n\r\nMore \xff bytes\n\n"])
def test_an_existing_text_is_kept_and_the_block_comes_behind_it(tmp_path, old):
    file = tmp_path / "body.md"
    file.write_bytes(old)
    (line,) = annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
    assert line.startswith("appended")
    assert file.read_bytes().startswith(old)
    assert file.read_bytes()[len(old) :].lstrip(b"\n").startswith(BEGIN.encode())


def test_an_old_block_is_replaced_and_every_other_byte_stays(tmp_path):
    file = tmp_path / "body.md"
    head, tail = b"Before\r\n\xff ", b" after\n" + END.encode() + b"\nlast"
    file.write_bytes(head + BEGIN.encode() + b"\nold\n" + END.encode() + tail)
    file.chmod(0o640)
    (line,) = annotate.annotate(report(*THREE), tmp_path / "report.json", output=file)
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


def test_the_advice_beside_the_report_is_shown_and_where_it_is_silent_the_rules_are_asked(tmp_path):
    made = report(*THREE)
    assert "`unicode-form`" in str(annotate.block(made, tmp_path / "report.json"))
    write_advice(tmp_path / "advice.json", [replace(one, reason="Kept words") for one in advise(made) if one.rule == "null-empty"])
    text = str(annotate.block(made, tmp_path / "report.json"))
    assert "`Kept words`" in text
    assert "`unicode-form`" in text
    write_advice(tmp_path / "advice.json", [replace(one, fingerprint="0" * 12) for one in advise(made)])
    assert str(annotate.block(made, tmp_path / "report.json")).count("`unicode-form`") == 1
    (tmp_path / "advice.json").write_text("{}")
    with pytest.raises(ReportError):
        annotate.block(made, tmp_path / "report.json")
