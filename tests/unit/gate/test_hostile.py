import hashlib
import json
import unicodedata

from gate.corpus import list_fixtures, read
from gate.hostile import MINIMUM
from gate.types import Target

BY_NAME = {fixture.name: fixture.payload for fixture in MINIMUM}


def value(name):
    return json.loads(BY_NAME[name])


def depth(tree):
    return 0 if not isinstance(tree, dict) else 1 + max((depth(inner) for inner in tree.values()), default=0)


def test_the_set_covers_every_assumption_of_the_article():
    assert [value("001_empty_object.json"), value("002_empty_array.json"), value("003_null.json")] == [{}, [], None]
    assert value("004_missing_key.json") == {"unrelated": 1}
    assert set(value("005_null_value.json").values()) == {None}
    assert json.loads(BY_NAME["006_duplicate_keys.json"], object_pairs_hook=list) == [("id", 1), ("id", 2)]
    assert [value(f"0{at}_int_{name}_2_53.json")["n"] - 2**53 for at, name in ((10, "below"), (11, "at"), (12, "above"))] == [-1, 0, 1]
    assert value("013_int_negative.json") == {"n": -(2**53) - 1}
    assert (depth(value("014_depth_20.json")), depth(value("015_depth_2.json"))) == (20, 2)
    assert value("016_looks_like_a_date.json") == {"s": "2026-09-05"}
    assert value("017_no_date.json") == {"s": "2026-13-45"}


def test_both_unicode_forms_stand_raw_in_the_files():
    (nfc,), (nfd,) = value("007_nfc_identifier.json"), value("008_nfd_identifier.json")
    assert nfc != nfd
    assert unicodedata.normalize("NFC", nfd) == nfc
    assert nfc.encode() in BY_NAME["007_nfc_identifier.json"]
    assert nfd.encode() in BY_NAME["008_nfd_identifier.json"]
    assert list(value("009_nfc_and_nfd.json")) == [nfc, nfd]


def test_the_bytes_are_the_same_everywhere():
    made = hashlib.sha256()
    for fixture in MINIMUM:
        assert fixture.payload.endswith(b"\n")
        assert not fixture.payload.endswith(b"\n\n")
        assert fixture.why
        made.update(fixture.name.encode() + b"\0" + fixture.payload)
    # Whoever changes a fixture changes the digests that ledgers refer to: then change this on purpose.
    assert made.hexdigest() == "438456dc27a1d1218f5d2ee61210e730179f36eef9b78d18816f53abfb86045e"


def test_the_set_is_a_sound_corpus(tmp_path):
    for fixture in MINIMUM:
        (tmp_path / fixture.name).write_bytes(fixture.payload)
    listing = list_fixtures(tmp_path, (Target(name="t", entry="a:b"),))
    assert {item.id: read(item).payload for item in listing} == BY_NAME
    assert list(listing.ids) == [fixture.name for fixture in MINIMUM]
