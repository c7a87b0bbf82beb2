"""Our folder is gone afterwards, whatever a run has made of it."""

import os
import tempfile

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


def test_where_none_can_be_made_that_is_the_error(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    with pytest.raises(FileNotFoundError, match="/nowhere/at/all"), scratch_folder():
        pass
