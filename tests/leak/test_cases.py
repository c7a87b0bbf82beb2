"""No piece of a secret leaves, whatever it is, however it is written, and wherever it stands: 2,000 cases of the leak test.

`make leak-test` runs 100,000. A failure names its case: `python -m tests.leak --case SEED:INDEX` shows it again.
"""

import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.leak.__main__ import digest
from tests.leak.canaries import KINDS
from tests.leak.carriers import CARRIERS
from tests.leak.cases import CROSS, make, pick
from tests.leak.forms import FORMS
from tests.leak.holds import EXCLUDED
from tests.leak.judge import faults

CHUNK = 100
FIXED = 20  # chunks of a seed that never changes; `make leak-test` draws seeds that nobody has seen

pytestmark = pytest.mark.no_cover


def failures(seed, first, wanted):
    """The first failures of that many cases which promise something."""
    found, ran, index = [], 0, first
    while ran < wanted:
        case, reason = make(seed, index)
        index += 1
        if reason is None:
            ran += 1
            found += [f"{case.coordinates}: {found_one}" for found_one in faults(case)[:1]]
    return found


@pytest.mark.parametrize("chunk", range(FIXED))
def test_nothing_leaks(chunk):
    found = failures(1, chunk * 160, CHUNK)
    assert not found, f"{len(found)} of {CHUNK}; again: python -m tests.leak --case SEED:INDEX\n" + "\n".join(found)


def test_every_combination_is_met_in_a_cross():
    met = Counter(map(pick, range(CROSS)))
    assert len(met) == len(KINDS) * len(FORMS) * len(CARRIERS)
    assert met.total() == CROSS
    assert {*met.values()} == {1, 2}


def test_the_numbers_of_the_study_are_reached():
    assert len(KINDS) >= 60
    assert len(CARRIERS) >= 30
    assert len(FORMS) == 14


def test_little_is_excluded_and_every_reason_is_needed():
    reasons = [make(5, index)[1] for index in range(0, CROSS, 11)]
    left_out = [reason for reason in reasons if reason is not None]
    assert len(left_out) / len(reasons) < 0.12
    assert set(left_out) == set(EXCLUDED)


def test_another_process_gives_the_same_bytes():
    """Sets and hashes differ from process to process; what is sent must not, or no request is ever found again in a cache."""
    code = "from tests.leak.__main__ import digest; print(digest(2, 0, 60))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": "77"}, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == digest(2, 0, 60), done.stderr
