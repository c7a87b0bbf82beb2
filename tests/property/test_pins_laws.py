"""Laws of pins and of plain requirements: what is written reads back, and different code never shares a digest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.environment.requirements import parse_requirements
from gate.errors import PinError, RequirementsError
from gate.pins import parse_pin
from gate.pins.snapshot import code_digest, within

PATHS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), min_size=1).filter(str.strip)
HEX = "0123456789abcdef"
NAMES = st.lists(st.sampled_from(["a", "b", "a.py", "src", "..x"]), min_size=1, max_size=3).map("/".join)
ENTRIES = st.dictionaries(NAMES, st.sampled_from(["f 0", "f 1", "x 0", "l 0", "m 0"]), max_size=5)


@given(
    st.one_of(
        st.text(HEX, min_size=40, max_size=40).map("git:{}".format),
        PATHS.map("dir:{}".format),
        PATHS.map("requirements:{}".format),
        PATHS.map("patch:{}".format),
        st.tuples(PATHS, st.text(HEX, min_size=64, max_size=64)).map(lambda it: "wheel:{}.whl#sha256={}".format(*it)),
    )
)
def test_a_pin_reads_back_from_its_own_text(text):
    pin = parse_pin(text, side="candidate")
    assert parse_pin(str(pin), side="candidate") == pin
    assert str(pin) == text


@given(st.text(), st.sampled_from(["baseline", "candidate"]))
def test_any_text_is_a_pin_or_a_pin_error_with_a_remedy(text, side):
    try:
        pin = parse_pin(text, side=side)
    except PinError as error:
        pin, remedy = None, error.remedy
    else:
        remedy = "none is needed"
    assert remedy
    assert pin is None or parse_pin(str(pin), side=side) == pin


@given(ENTRIES, ENTRIES, st.lists(st.sampled_from(["a==1", "b==1"]), max_size=2), st.lists(st.sampled_from(["a==1", "b==1"]), max_size=2))
def test_digests_are_equal_exactly_where_code_and_lines_are(left, right, left_lines, right_lines):
    def code(entries):
        return {name: what for name, what in entries.items() if within(name, "src")}

    equal = code(left) == code(right) and left_lines == right_lines
    assert (code_digest(left, below=["src"], more=left_lines) == code_digest(right, below=["src"], more=right_lines)) is equal


WORD = st.from_regex(r"[a-z0-9]([a-z0-9._-]{0,5}[a-z0-9])?", fullmatch=True)
VERSION = st.from_regex(r"[0-9]{1,2}(\.[0-9]{1,2}){0,2}(rc1|\.post2)?", fullmatch=True)
HASH = st.text(HEX, min_size=64, max_size=64).map("sha256:{}".format)


@given(
    st.lists(st.tuples(WORD, VERSION, st.lists(HASH, min_size=1, max_size=2)), max_size=4),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", " # why\n"]),
)
def test_normalised_requirements_read_back_as_themselves(rows, hashed, end):
    lines = [
        f"{name}=={version}" + (" ".join(["", *(f"--hash={one}" for one in hashes)]) if hashed else "") for name, version, hashes in rows
    ]
    try:
        found = parse_requirements("".join(line + end for line in lines).encode(), file="r.txt")
    except RequirementsError as error:
        found, faults = None, error.faults
    else:
        faults = ()
    assert all("is listed again" in fault.what for fault in faults)  # two spellings of one name
    if found is None:
        return
    assert parse_requirements("\n".join(map(str, reversed(found))).encode(), file="r.txt") == found
    assert len(found) == len(rows)
