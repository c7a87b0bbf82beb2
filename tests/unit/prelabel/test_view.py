"""The difference in words: never empty, never "no difference", every character a person could miss is named."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.canonical.visible_json import escape, visible
from prelabel import view
from prelabel.places import spots
from prelabel.relations import edges, name_of, pieces, relation
from tests.timing import within

# (name, baseline value, candidate value, sentences that are said, kind)
TABLE = [
    (
        "nfd",
        {"s": "café"},
        {"s": "cafe\u0301"},
        ["at /s: U+00E9 became U+0065 U+0301; equal under NFC", "U+0301 COMBINING ACUTE ACCENT"],
        "equal under NFC",
    ),
    ("nfkc", "\ufb01x", "fix", ["U+FB01 became U+0066 U+0069; equal under NFKC, not under NFC"], "equal under NFKC, not under NFC"),
    ("null to list", {"a": None}, {"a": []}, ["at /a: null became an empty list"], "null became an empty list"),
    ("object to null", {"a": {}}, {"a": None}, ["at /a: an empty object became null"], "an empty object became null"),
    ("int to float", 1, 1.0, ["1 became 1.0; type only: an integer became a float"], "type only: an integer became a float"),
    ("int to bool", 1, True, ["1 became true; type only: an integer became a boolean"], "type only: an integer became a boolean"),
    ("tuple to list", {"!tuple": [1]}, [1], ["type only: a tuple became a list"], "type only: a tuple became a list"),
    ("zero", 0.0, -0.0, ["sign of zero only"], "sign of zero only"),
    ("digits", 0.3, 0.30000000000000004, ["equal but for the last digits"], "equal but for the last digits"),
    ("number", 1, 2, ["at /: 1 became 2"], "number changed"),
    ("none to text", None, "None", ['null became "None"; null became a text'], "null became a text"),
    ("newline", "line\n", "line\n\n", ["U+000A added at the end; trailing newlines only", "U+000A LINE FEED"], "trailing newlines only"),
    ("trailing blank", "x", "x ", ["trailing white space only", "U+0020 SPACE"], "trailing white space only"),
    ("inner blank", "a b", "a  b", ["white space only", "U+0020 SPACE"], "white space only"),
    ("nbsp", "a b", "a\u00a0b", ["U+0020 became U+00A0; white space only", "U+00A0 NO-BREAK SPACE"], "white space only"),
    ("crlf", "a\r\nb", "a\nb", ["line endings only", "U+000D CARRIAGE RETURN"], "line endings only"),
    ("case", "abc", "ABC", ['"abc" became "ABC"; letter case only'], "letter case only"),
    (
        "zero width",
        "ab",
        "a\u200bb",
        ["U+200B added after 1 characters; format characters only", "U+200B ZERO WIDTH SPACE"],
        "format characters only",
    ),
    ("hangul filler", "ab", "a\u3164b", ["format characters only", "U+3164 HANGUL FILLER"], "format characters only"),
    ("cyrillic", "pay", "p\u0430y", ["U+0061 became U+0430", "U+0430 CYRILLIC SMALL LETTER A"], "text changed"),
    ("same number", "0.10", "0.1", ["both read as the same number"], "both read as the same number"),
    ("error type", "ValueError", "AssertionError", ['"ValueError" became "AssertionError"'], "text changed"),
    ("key added", {"a": 1}, {"a": 1, "b": None}, ["at /b: only the candidate has null"], "key added"),
    ("key removed", {"a": 1, "b": ""}, {"a": 1}, ['at /b: only the baseline has ""'], "key removed"),
    ("key form", {"é": 1}, {"e\u0301": 1}, ["key", "U+00E9 became U+0065 U+0301; equal under NFC"], "key: equal under NFC"),
    ("item added", [1, 2, 3], [1, 5, 2, 3], ["at /1: only the candidate has 5"], "item added"),
    ("order", [1, 2, 3], [3, 2, 1], ["the same items in another order"], "same items in another order"),
    ("mixed", [1, "a"], [2, "b"], ["at /0: 1 became 2", "at /1: "], "several kinds of difference"),
    ("controls in a key", {"a\x1b[31m": 1}, {"a\x1b[31m": 2}, ["at /a\\u001b[31m: 1 became 2"], "number changed"),
    ("surrogate", "\ud800", "\ud801", ["U+D800 became U+D801", "U+D801 SURROGATE"], "text changed"),
]


@pytest.mark.parametrize(("baseline", "candidate", "said", "kind"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_a_difference_is_said_in_words(baseline, candidate, said, kind):
    texts = visible(baseline), visible(candidate)
    whole = "\n".join(view.words(*texts))
    assert [one for one in said if one not in whole] == []
    assert view.kind(*texts) == kind


@pytest.mark.parametrize(
    ("field", "baseline", "candidate", "said", "kind"),
    [
        (
            "ok",
            '{"returned":null}',
            '{"raised":"builtins.IndexError"}',
            'the baseline returned null; the candidate raised "builtins.IndexError"',
            "returned became raised",
        ),
        (
            "ok",
            '{"timed_out":true}',
            '{"signalled":"SIGSEGV"}',
            'the baseline timed out; the candidate ended by a signal ("SIGSEGV")',
            "timed out became ended by a signal",
        ),
        (
            "arg",
            '{"unchanged":true}',
            "[1]",
            "the candidate changes its payload to [1]; the baseline leaves it alone",
            "only the candidate changes its payload",
        ),
    ],
    ids=["raised", "signalled", "mutated"],
)
def test_fields_whose_texts_are_ours_are_said_as_what_they_mean(field, baseline, candidate, said, kind):
    assert view.words(baseline, candidate, field=field) == (said,)
    assert view.kind(baseline, candidate, field=field) == kind


def test_the_outcome_words_do_not_leak_into_values_that_look_alike():
    assert "only the candidate has 2" in "\n".join(view.words('{"returned":1}', '{"raised":2}', field="value"))


def test_texts_that_only_are_written_differently_are_still_told_apart():
    said = "\n".join(view.words('{"a":1,"b":2}', '{"b":2,"a":1}'))
    assert "only written differently" in said
    assert "after 2 characters" in said
    assert "U+0061 LATIN SMALL LETTER A became U+0062 LATIN SMALL LETTER B" in said


def test_texts_that_cannot_be_parsed_fall_back_to_offsets_and_code_points():
    left, right = "1" * 200_000, "1" * 199_999 + "2"
    said = view.words(left, right)
    assert "after 199,999 characters" in said[0]
    assert "U+0031 DIGIT ONE became U+0032 DIGIT TWO" in said[0]
    assert view.kind(left, right) == "texts beyond what is taken apart"


TEXT = st.text(st.characters(), max_size=12)
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
TREE = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6)


@given(TREE, TREE)
@example(1, True)
@example([], {})
@example("", "\u200b")
@example({"!": 1}, {"!tuple": []})
def test_different_texts_always_have_words_and_a_kind_and_equal_ones_never(left, right):
    baseline, candidate = visible(left), visible(right)
    said = view.words(baseline, candidate)
    assert bool(said) == (baseline != candidate)
    assert all(line and escape(line) == line and "no difference" not in line for line in said)
    if said:
        assert view.kind(baseline, candidate)
        assert view.kind(baseline, candidate) != "written differently"


@given(TEXT, TEXT)
def test_any_two_texts_have_words_even_where_they_are_no_json(left, right):
    assert bool(view.words(left, right)) == (left != right)


@given(st.text("ab\u0301é \n", max_size=20), st.text("ab\u0301é \n", max_size=20))
def test_edges_are_exactly_the_common_head_and_tail(left, right):
    start, end = edges(left, right)
    assert left[:start] == right[:start]
    assert end == 0 or left[-end:] == right[-end:]
    assert start + end <= min(len(left), len(right))
    if start + end < min(len(left), len(right)):
        assert left[start] != right[start]
        assert left[-1 - end] != right[-1 - end]


@given(st.text("abc ", max_size=30), st.text("abc ", max_size=30))
def test_pieces_rebuild_the_candidate(left, right):
    if left == right:
        return
    out, at = "", 0
    for offset, before, after in pieces(left, right):
        assert left[offset : offset + len(before)] == before
        out += left[at:offset] + after
        at = offset + len(before)
    assert out + left[at:] == right


def test_a_relation_is_only_claimed_where_it_explains_everything():
    assert relation("café x", "cafe\u0301 y") == ""
    assert relation("a\u200bb", "ac") == ""
    assert relation("ab\n", "AB\n\n") == ""


@pytest.mark.parametrize("point", [0x00, 0x09, 0x1B, 0x80, 0x9B, 0xAD, 0x200B, 0x202E, 0x3164, 0xD800, 0xE000, 0xFFFF, 0xE0041, 0x10FFFF])
def test_every_character_has_a_name(point):
    number, _, name = name_of(chr(point)).partition(" ")
    assert number == f"U+{point:04X}"
    assert name


def test_deep_and_wide_values_are_walked_without_recursion_and_bounded():
    deep, other = 1, 2
    for _ in range(5_000):
        deep, other = [deep], [other]
    said = view.words(visible(deep), visible(other))
    assert "1 became 2" in said[0]
    assert len(said[0]) < 300
    wide = view.words(visible(list(range(5_000))), visible(list(range(1, 5_001))))
    assert "more places" in wide[-1] or "only the" in wide[0]
    assert len(wide) < 20


@pytest.mark.no_cover
@pytest.mark.parametrize("marks", ["\u0301", "\u064b\u0301", "\U0001d165\u0316"])
def test_long_runs_of_marks_take_no_time(marks):
    with within(60):
        said = view.words(visible("x" + marks * 100_000), visible("x" + marks * 100_000 + "y"))
    assert '"y" added at the end' in said[0]


def test_more_places_are_counted():
    said = view.words(visible([1] * 50), visible([2] * 50))
    assert said[-1] == "and 42 more places"


def test_an_inserted_item_shifts_nothing():
    found = list(spots(list(range(100)), [-1, *range(100)]))
    assert [(spot.pointer, spot.candidate) for spot in found] == [("/0", -1)]


def test_sides_are_whole_where_they_fit():
    both = view.sides('{"s":"café"}', '{"s":"cafe\\u0301"}')
    assert (both.baseline.text, both.candidate.text) == ('{"s":"café"}', '{"s":"cafe\\u0301"}')
    assert not both.truncated


def test_long_sides_keep_the_surroundings_of_the_first_and_the_last_difference_and_count_what_is_left_out():
    left = "a" * 3_000 + "FIRST" + "b" * 3_000 + "LAST" + "c" * 3_000
    right = "a" * 3_000 + "first" + "b" * 3_000 + "last" + "c" * 3_000
    both = view.sides(left, right)
    assert both.truncated
    for shown, words in ((both.baseline, ("FIRST", "LAST")), (both.candidate, ("first", "last"))):
        assert all(word in shown.text for word in words)
        assert "characters omitted" in shown.text
        assert len(shown.text) < 2_000
        assert shown.full in (left, right)
        assert shown.omitted == len(left) - sum(map(len, kept(shown.text)))


def kept(text):
    import re

    return re.split(r" \[\.\. [\d,]+ characters omitted \.\.\] ", text)


@given(st.integers(0, 2_500), st.integers(0, 40))
def test_a_cut_never_splits_an_escape(at, length):
    left = escape("\u0301" * 400 + "x" * at)
    right = escape("\u0301" * 400 + "x" * at + "y" * length)
    for shown in (view.sides(left, right, limit=600).baseline, view.sides(left, right, limit=600).candidate):
        assert all(piece.replace("\\u0301", "").strip("xy") == "" for piece in kept(shown.text))


def test_untrusted_text_is_escaped():
    both = view.sides("\x1b]0;title\x07", "\u202eabc")
    assert both.baseline.text == "\\u001b]0;title\\u0007"
    assert both.candidate.text == "\\u202eabc"
    assert view.bounded("a\nb\x9b").text == "a\\nb\\u009b"


def test_payloads_are_text_or_escaped_bytes():
    assert view.payload_text("é".encode()) == "é"
    assert view.payload_text(b"a\xff") == "a\\xff"


LONG = "x" * 300
ALIKE = {
    "integers beyond 40 digits": ("value", "7" * 60 + "1" + "7" * 60, "7" * 60 + "2" + "7" * 60),
    "integers that end apart": ("value", "7" * 90 + "1", "7" * 90 + "2"),
    "integers of two lengths": ("value", "7" * 90, "7" * 91),
    "an integer and its negative": ("value", "7" * 90, "-" + "7" * 90),
    "names": ("exc.type", f'"{LONG}Error"', f'"{LONG}Fault"'),
    "modules": ("exc.module", f'"{LONG}.a.{LONG}"', f'"{LONG}.b.{LONG}"'),
    "raised": ("ok", f'{{"raised":"{LONG}.A"}}', f'{{"raised":"{LONG}.B"}}'),
    "returned": ("ok", f'{{"returned":"{LONG}A"}}', f'{{"returned":"{LONG}B"}}'),
    "tags": ("value", f'{{"!sub":["m.A","{LONG}"]}}', f'{{"!sub":["m.A","{LONG}y"]}}'),
    "an object and a list": ("value", f'{{"a":"{LONG}"}}', f'["{LONG}"]'),
}


@pytest.mark.parametrize(("field", "left", "right"), ALIKE.values(), ids=ALIKE)
def test_both_sides_read_differently_however_long_they_are(field, left, right):
    (said, *_) = view.words(left, right, field=field)
    assert len(said) < 400
    said = said.split(": ", 1)[-1] if said.startswith("at ") else said
    one, other = (
        said.split("; the candidate ")
        if "; the candidate " in said
        else said.split(";")[0].split(" became ")
        if " became " in said
        else (said, "")
    )
    assert one.removeprefix("the baseline ") != other


@given(st.integers(10**39, 10**60), st.integers(10**39, 10**60))
def test_two_long_integers_never_read_alike(left, right):
    if left != right:
        one, other = view.words(str(left), str(right))[0].removeprefix("at /: ").split(" became ")
        assert one != other
