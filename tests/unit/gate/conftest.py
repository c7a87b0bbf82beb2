import pytest


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """An empty corpus in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus").mkdir()
    return tmp_path / "corpus"
