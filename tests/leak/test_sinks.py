"""Whole runs of the command line over a project full of canaries: not one is found in anything that others may read.

And the test of the test: with redaction taken out, every one of those places is full of them.
"""

import pytest

from tests.e2e.command import FLAGS
from tests.leak.oracle import all_shown
from tests.leak.sinks import NEVER, SINKS
from tests.leak.world import build

pytestmark = pytest.mark.no_cover

LEAST = 200  # canaries in a run


def ready(folder, **more):
    root = folder / "project"
    root.mkdir()
    world = build(root, seed=7)
    world.env |= more
    assert len(world.secrets) >= LEAST
    assert b"diverging" in world.run("compare", *FLAGS, CI="", LEAK_RAW="")
    return world


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return ready(tmp_path_factory.mktemp("leak"))


@pytest.fixture(scope="module")
def open_world(tmp_path_factory):
    """Redaction gives back what it is given, and the last look sees nothing."""
    return ready(tmp_path_factory.mktemp("open"), LEAK_RAW="1")


def test_the_raw_report_holds_the_canaries(world):
    """Else nothing that is not found elsewhere would mean anything."""
    text = (world.root / "r.json").read_text(encoding="utf-8")
    assert len(all_shown(world.secrets, text)) > LEAST


@pytest.mark.parametrize("sink", SINKS)
def test_no_canary_leaves(world, sink):
    out = SINKS[sink](world).decode("utf-8", "replace")
    assert all_shown(world.secrets, out) == {}
    assert sink in NEVER or len(out) > 200


@pytest.mark.parametrize("sink", [name for name in SINKS if name not in NEVER])
def test_a_leak_in_any_sink_is_found(open_world, sink):
    out = SINKS[sink](open_world).decode("utf-8", "replace")
    assert all_shown(open_world.secrets, out)
