"""Corpora on disk, listed as the gate lists them."""

import pytest

from gate.corpus import list_fixtures
from gate.errors import CorpusError
from gate.types import Target


def target(payload="json", name="t", corpus=""):
    return Target(name=name, entry="a:b", payload=payload, corpus=corpus)


def put(corpus, files):
    for name, data in files.items():
        path = corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


def listed(corpus, *targets):
    return list_fixtures(corpus, targets or (target(),))


def faults_of(corpus, *targets):
    with pytest.raises(CorpusError) as caught:
        listed(corpus, *targets)
    assert caught.value.exit_code == 2
    return [(str(fault.place), fault.what) for fault in caught.value.faults]
