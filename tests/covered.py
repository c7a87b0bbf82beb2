"""Coverage of child processes: only those that play the command line are measured.

Tests that look at what a fresh interpreter imports, or how long it takes, must not find coverage in it; so the
variable by which coverage follows into children is taken out once coverage has set it, and handed on where it is wanted.
"""

import os

VARIABLES: dict[str, str] = {}


def hand_over() -> None:
    """Move the variable from the environment to `VARIABLES`."""
    name = "COVERAGE_PROCESS_CONFIG"
    if name in os.environ:
        VARIABLES[name] = os.environ.pop(name)
