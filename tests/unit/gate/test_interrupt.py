"""What becomes of a signal that somebody in between swallowed, or made another error of."""

import os
import signal
from contextlib import suppress

import pytest

from gate.interrupt import once


def swallowed():
    with suppress(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)


def another_error():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except KeyboardInterrupt:
        raise RuntimeError("Error calling __set_name__") from None


@pytest.mark.parametrize("act", [swallowed, another_error])
def test_an_interrupt_stays_one(act):
    with pytest.raises(KeyboardInterrupt), once():
        act()


def test_an_error_without_a_signal_stays_that_error():
    with pytest.raises(RuntimeError), once():
        raise RuntimeError


def test_an_interrupt_that_is_over_ends_nothing_else():
    with pytest.raises(KeyboardInterrupt), once():
        swallowed()
    with once():
        pass
