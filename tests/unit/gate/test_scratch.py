"""Our folder is gone afterwards, whatever a run has made of it."""

import os
from pathlib import Path

import pytest

from gate.scratch import scratch_folder


@pytest.mark.parametrize("depth", [3, 1100], ids=["shallow", "deeper than Python goes"])
def test_a_folder_of_any_depth_is_gone(depth):
    with scratch_folder() as scratch:
        at = os.open(scratch, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir("d", dir_fd=at)
            below = os.open("d", os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = below
        os.close(at)
    assert not scratch.exists()


def test_links_go_and_what_they_lead_to_stays(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").touch()
    with scratch_folder() as scratch:
        (scratch / "d").mkdir()
        (scratch / "d/folder").symlink_to(tmp_path / "kept")
        (scratch / "d/file").symlink_to(tmp_path / "kept/file")
        (scratch / "broken").symlink_to("nowhere")
    assert (scratch.exists(), (tmp_path / "kept/file").exists()) == (False, True)


def test_it_is_made_where_temporary_files_go(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    monkeypatch.setenv("TEMP", str(tmp_path))
    with scratch_folder() as scratch:
        assert (scratch.parent, scratch.stat().st_mode & 0o777) == (tmp_path, 0o700)


def test_where_none_can_be_made_that_is_the_error(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    monkeypatch.setattr(Path, "mkdir", lambda path, _mode: (path / "below").touch())
    with pytest.raises(FileNotFoundError, match="/nowhere/at/all"), scratch_folder():
        pass
