"""`gate.types.Value` and `frozen`: what a dataclass promises, by methods that are written once (docs/adr/0017)."""

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import pytest

from gate.types import Conditions, Limits, Pin, Place, Settings, Target


def test_fields_take_what_is_given_and_else_their_default():
    target = Target(name="a", entry="m:f", types=("m:C",))
    assert (target.name, target.entry, target.types, target.adapter, target.payload) == ("a", "m:f", ("m:C",), None, "json")
    assert repr(Place(file="f", line=3)) == "Place(file='f', line=3)"
    assert [one.name for one in fields(Place)] == ["file", "line"]
    assert is_dataclass(Place)


def test_defaults_that_are_made_are_made_anew():
    one, other = (Settings.__dataclass_fields__["limits"].default_factory() for _ in range(2))
    assert one == other == Limits()
    assert one is not other


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: Pin(kind="git"), "Pin lacks its field 'value'", id="one is missing"),
        pytest.param(lambda: Place(file="f", column=1), "Place has no field 'column'", id="one is unknown"),
        pytest.param(lambda: Place("f"), "positional", id="no names"),
    ],
)
def test_other_fields_are_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_nothing_is_changed_or_taken_away():
    place = Place(file="f", line=1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'line'"):
        place.line = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'line'"):
        del place.line
    with pytest.raises(FrozenInstanceError):
        place.column = 2
    assert not hasattr(place, "__dict__")
    assert place == Place(file="f", line=1)


def test_equality_hash_and_replace_go_by_fields():
    place = Place(file="f", line=1)
    assert replace(place, line=2) == Place(file="f", line=2) != place
    assert len({place, Place(file="f", line=1), Place(file="f", line=2)}) == 2
    assert place != Conditions()
    assert place != ("f", 1)
