import pytest
from hypothesis import Phase, settings

from tests.covered import hand_over
from tests.traced import hand_in

# CI machines are slow in spurts: a law holds or does not, whatever the clock says.
settings.register_profile("shadow", deadline=None)
# `make mutants`: the same examples each time, and a failure says enough without its shortest example.
settings.register_profile(
    "mutants", deadline=None, max_examples=30, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("shadow")


@pytest.fixture(scope="session", autouse=True)
def _coverage_of_foreign_interpreters():
    yield
    hand_in()


@pytest.fixture(autouse=True)
def _coverage_of_children():
    """For each test: coverage sets its variable anew when it goes on behind one that is not measured (`no_cover`)."""
    hand_over()
