"""One digest, whoever makes it."""

import hashlib

import pytest

from gate import digest


@pytest.fixture(params=[0, digest._WORTH_LOADING], ids=["few", "many"])
def hashed(request, monkeypatch):
    """How much was hashed before."""
    monkeypatch.setattr(digest, "_hashed", [request.param])


@pytest.mark.usefixtures("hashed")
@pytest.mark.parametrize("data", [b"", b"abc", b"x" * 200, bytes(digest._WORTH_LOADING)])
def test_it_is_what_hashlib_says(data):
    made = digest.sha256(data)
    made.update(b"more")
    assert made.hexdigest() == made.digest().hex() == hashlib.sha256(data + b"more").hexdigest()


def test_much_is_hashed_by_openssl(monkeypatch):
    monkeypatch.setattr(digest, "_hashed", [0])
    assert type(digest.sha256(b"x")) is not type(hashlib.sha256())
    assert type(digest.sha256(more=digest._WORTH_LOADING)) is type(hashlib.sha256())
    assert type(digest.sha256(b"x")) is type(hashlib.sha256())


def test_a_python_without_one_of_its_own_loads_openssl(monkeypatch):
    monkeypatch.setattr(digest, "_NAMES", ("_nowhere",))
    assert digest._own() is None
