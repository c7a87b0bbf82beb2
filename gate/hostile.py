"""The hostile minimum corpus: the smallest set of fixtures that names what a patch most often gets wrong.

For a target that takes JSON and gives JSON. Each is one file with exact bytes, so that a digest means the same
everywhere; non-ASCII stands raw in the files, as users send it, and escaped here, where both Unicode forms would look
alike. Source: the article's step 5 and its minimum set; the design keeps it (section 4, ``shadow init``).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """One fixture file of the set. ``why`` is the assumption that it breaks."""

    name: str
    payload: bytes
    why: str


def _nested(depth: int) -> str:
    """Objects within objects; the innermost is empty, so ``depth`` counts every brace."""
    return '{"child":' * (depth - 1) + "{}" + "}" * (depth - 1)


def _fixture(name: str, text: str, why: str) -> Hostile:
    return Hostile(name=name, payload=f"{text}\n".encode(), why=why)


_NFC = "caf\u00e9"
_NFD = "cafe\u0301"

MINIMUM: tuple[Hostile, ...] = (
    _fixture("001_empty_object.json", "{}", "an object without any key"),
    _fixture("002_empty_array.json", "[]", "an array without any element"),
    _fixture("003_null.json", "null", "null in place of the payload"),
    _fixture("004_missing_key.json", '{"unrelated":1}', "the keys that the target reads are missing, which is not the same as null"),
    _fixture("005_null_value.json", '{"items":null,"name":null}', "null where a list or a text is expected: null is not empty"),
    _fixture("006_duplicate_keys.json", '{"id":1,"id":2}', "the same key twice: Python keeps the last"),
    _fixture("007_nfc_identifier.json", f'{{"{_NFC}":"{_NFC}"}}', "an accented letter as one code point"),
    _fixture("008_nfd_identifier.json", f'{{"{_NFD}":"{_NFD}"}}', "the same letter as two code points"),
    _fixture("009_nfc_and_nfd.json", f'{{"{_NFC}":1,"{_NFD}":2}}', "both forms as keys: two keys, or one"),
    _fixture("010_int_below_2_53.json", f'{{"n":{2**53 - 1}}}', "the last integer that JavaScript keeps apart from its neighbours"),
    _fixture("011_int_at_2_53.json", f'{{"n":{2**53}}}', "2 to the power of 53"),
    _fixture("012_int_above_2_53.json", f'{{"n":{2**53 + 1}}}', "becomes its neighbour where numbers are floats"),
    _fixture("013_int_negative.json", f'{{"n":{-(2**53) - 1}}}', "the same below zero"),
    _fixture("014_depth_20.json", _nested(20), "nested twenty deep"),
    _fixture("015_depth_2.json", _nested(2), "nested two deep"),
    _fixture("016_looks_like_a_date.json", '{"s":"2026-09-05"}', "a text that something may turn into a date"),
    _fixture("017_no_date.json", '{"s":"2026-13-45"}', "a text that has a date's shape and is none"),
)
