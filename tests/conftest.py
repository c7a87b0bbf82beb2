import pytest
from hypothesis import settings

from tests.covered import hand_over

# CI machines are slow in spurts: a law holds or does not, whatever the clock says.
settings.register_profile("shadow", deadline=None)
settings.load_profile("shadow")


@pytest.fixture(scope="session", autouse=True)
def _coverage_of_children() -> None:
    hand_over()
