"""`gate.types.Value`: what a frozen dataclass promises, without one (docs/adr/0017)."""

import subprocess
import sys

import pytest

from gate.types import Conditions, Limits, Pin, Place, Settings, Target, replace


def test_fields_take_what_is_given_and_else_their_default():
    target = Target(name="a", entry="m:f", types=("m:C",))
    assert (target.name, target.entry, target.types, target.adapter, target.payload) == ("a", "m:f", ("m:C",), None, "json")
    assert repr(Place(file="f", line=3)) == "Place(file='f', line=3)"
    assert Place.__slots__ == ("file", "line")
    assert Settings._defaults["limits"] == Limits()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: Pin(kind="git"), "Pin lacks its field 'value'", id="one is missing"),
        pytest.param(lambda: Place(file="f", column=1), "Place has no field 'column'", id="one is unknown"),
        pytest.param(lambda: Place(file="f", line=1, column=1), "Place has no field 'column'", id="one too many"),
        pytest.param(lambda: Pin(kind="git", kinds="x"), "Pin has no field 'kinds'", id="one for another"),
        pytest.param(lambda: Place("f"), "positional", id="no names"),
    ],
)
def test_other_fields_are_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_nothing_is_changed_or_taken_away():
    place = Place(file="f", line=1)
    with pytest.raises(AttributeError, match="cannot assign to field 'line'"):
        place.line = 2
    with pytest.raises(AttributeError, match="cannot delete field 'line'"):
        del place.line
    with pytest.raises(AttributeError):
        place.column = 2
    assert not hasattr(place, "__dict__")
    assert place == Place(file="f", line=1)


def test_equality_hash_and_replace_go_by_fields():
    place = Place(file="f", line=1)
    assert replace(place, line=2) == Place(file="f", line=2) != place
    assert replace(Pin(kind="git", value="1"), value="2").value == "2"
    assert len({place, Place(file="f", line=1), Place(file="f", line=2)}) == 2
    assert place != Conditions()
    assert place != ("f", 1)


def test_what_a_compare_loads_is_not_heavy():
    modules = "gate.compare_command, gate.config.argv, gate.ledger.events, gate.pins.sides, gate.purity, gate.report.build"
    heavy = ("dataclasses", "hashlib", "inspect", "random", "selectors", "shutil", "subprocess", "tempfile", "threading", "typer")
    program = f"import sys, {modules}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, timeout=30, capture_output=True, text=True)
    assert done.stdout == "[]\n"
