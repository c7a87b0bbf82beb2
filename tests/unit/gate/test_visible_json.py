"""Visible JSON: golden vectors, the strict reader, and what a person could miss."""

import json
import subprocess
import sys
import unicodedata

import pytest

from gate.canonical import escapes, visible_json
from gate.canonical.visible_json import Unparsable, ascii_json, digest, escape, parse, parse_or_text, visible, visible_raw
from tests.timing import within

# What a target returned -> what the worker sends (ASCII, order as given) -> what stands in reports and ledgers.
GOLDEN = [
    ("None", "null", "null"),
    ("the text None", '"None"', '"None"'),
    ("True", "true", "true"),
    ("1", "1", "1"),
    ("1.0", "1.0", "1.0"),
    ("0.0", "0.0", "0.0"),
    ("-0.0", "-0.0", "-0.0"),
    ("0.1 + 0.2", "0.30000000000000004", "0.30000000000000004"),
    ("1e22", "1e+22", "1e+22"),
    ("smallest float", "5e-324", "5e-324"),
    ("2**64", "18446744073709551616", "18446744073709551616"),
    ("nan", '{"!float":"nan"}', '{"!float":"nan"}'),
    ("-inf", '{"!float":"-inf"}', '{"!float":"-inf"}'),
    ("empty text", '""', '""'),
    ("empty list", "[]", "[]"),
    ("empty dict", "{}", "{}"),
    ("empty tuple", '{"!tuple":[]}', '{"!tuple":[]}'),
    ("list", "[1,2]", "[1,2]"),
    ("tuple", '{"!tuple":[1,2]}', '{"!tuple":[1,2]}'),
    ("dict, keys out of order", '{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}'),
    ("keys sort by code point", '{"a":1,"B":2,"\\u00e9":3,"_":4}', '{"B":2,"_":4,"a":1,"é":3}'),
    ("dict with integer keys", '{"!dict":[[1,2],["1",2]]}', '{"!dict":[[1,2],["1",2]]}'),
    ("dict whose key looks like a tag", '{"!dict":[["!tuple",[]]]}', '{"!dict":[["!tuple",[]]]}'),
    ("bytes", '{"!bytes":"a\\\\\\\\b\\\\x00\\\\xff"}', '{"!bytes":"a\\\\\\\\b\\\\x00\\\\xff"}'),
    ("complex", '{"!complex":[1.0,-0.0]}', '{"!complex":[1.0,-0.0]}'),
    (
        "datetime",
        '{"!datetime":"2026-01-01T00:00:00+00:00[datetime.timezone UTC]"}',
        '{"!datetime":"2026-01-01T00:00:00+00:00[datetime.timezone UTC]"}',
    ),
    ("object", '{"!object":["pkg.Foo",{"b":1,"a":2}]}', '{"!object":["pkg.Foo",{"a":2,"b":1}]}'),
    ("NFC text", '"caf\\u00e9"', '"café"'),
    ("NFD text", '"cafe\\u0301"', '"cafe\\u0301"'),
    ("CJK and emoji", '"\\u6f22\\ud83d\\ude00"', '"漢😀"'),
    ("quote and backslash", '"\\"\\\\"', '"\\"\\\\"'),
    ("a backslash-u that is six characters", '"\\\\u0301"', '"\\\\u0301"'),
    ("newline, tab, carriage return", '"\\n\\t\\r"', '"\\n\\t\\r"'),
    ("backspace, form feed, NUL, ESC, DEL", '"\\b\\f\\u0000\\u001b\\u007f"', '"\\b\\f\\u0000\\u001b\\u007f"'),
    ("a plain space", '"a b "', '"a b "'),
    ("no-break spaces", '"a\\u00a0\\u202f\\u3000b"', '"a\\u00a0\\u202f\\u3000b"'),
    ("zero width, bidi, BOM", '"\\u200b\\u200d\\u202e\\u2066\\ufeff"', '"\\u200b\\u200d\\u202e\\u2066\\ufeff"'),
    ("line and paragraph separators, NEL", '"\\u2028\\u2029\\u0085"', '"\\u2028\\u2029\\u0085"'),
    ("soft hyphen, grapheme joiner, variation selector", '"\\u00ad\\u034f\\ufe0f"', '"\\u00ad\\u034f\\ufe0f"'),
    ("Hangul fillers and braille blank", '"\\u115f\\u1160\\u3164\\uffa0\\u2800"', '"\\u115f\\u1160\\u3164\\uffa0\\u2800"'),
    ("Hangul and braille letters", '"\\u1100\\u3131\\u2801"', '"ᄀㄱ⠁"'),
    ("spacing mark, enclosing mark", '"\\u0903\\u20dd"', '"\\u0903\\u20dd"'),
    ("private use, unassigned", '"\\ue000\\uffff\\u0378"', '"\\ue000\\uffff\\u0378"'),
    ("a tag character, beyond the basic plane", '"\\udb40\\udc41"', '"\\udb40\\udc41"'),
    ("a variation selector beyond the basic plane", '"\\udb40\\udd00"', '"\\udb40\\udd00"'),
    ("lone high and low surrogates", '["\\ud800","\\udfff","\\udc00\\ud800"]', '["\\ud800","\\udfff","\\udc00\\ud800"]'),
    ("two surrogates that are no pair: tagged by the worker", '{"!str":[55357,56832]}', '{"!str":[55357,56832]}'),
    ("invisible key", '{"a\\u200b":1,"a":2}', '{"a":2,"a\\u200b":1}'),
    ("nesting", '[[[{"a":[{}]}]]]', '[[[{"a":[{}]}]]]'),
]
TEXTS = [pytest.param(wire, shown, id=what) for what, wire, shown in GOLDEN]


@pytest.mark.parametrize(("wire", "shown"), TEXTS)
def test_golden_vectors(wire, shown):
    tree = parse(wire.encode("ascii"))
    assert visible(tree) == shown
    assert visible(parse(shown)) == shown
    assert ascii_json(parse(shown)) == ascii_json(tree)
    assert ascii_json(tree).isascii()


def test_golden_vectors_never_collide():
    assert len({shown for _, _, shown in GOLDEN}) == len(GOLDEN)
    assert len({digest(shown) for _, _, shown in GOLDEN}) == len(GOLDEN)


@pytest.mark.parametrize(("wire", "shown"), TEXTS)
def test_the_iterative_reader_and_writer_say_the_same(wire, shown):
    tree = visible_json._Reader(wire).read()
    assert ascii_json(tree) == ascii_json(parse(wire))
    assert escape(visible_json._write(tree, visible_json.encode_basestring, in_order=True)) == shown
    assert escape(visible_json._write(tree, visible_json.encode_basestring, in_order=False)) == visible_raw(tree)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")], ids=str)
@pytest.mark.parametrize("write", [visible, visible_raw, ascii_json])
def test_what_json_cannot_say_is_never_written(write, number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write([number])


def test_raw_keeps_the_order_of_keys():
    assert visible_raw(parse('{"b":1,"a":{"d":1,"c":2}}')) == '{"b":1,"a":{"d":1,"c":2}}'


NOT_JSON = [
    "", " ", "nul", "NaN", "Infinity", "-Infinity", "[NaN]", "01", "+1", "1.", ".5", "1e", "'a'", '"a', '"a\nb"', '"\\x41"', '"\\u12"', "[1,]", "[1 2]", "[", "]", "{", "}",
    '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", '{"a":1 "b":2}', "{1:2}", "1 2", "[]]", "null,", "\ufeff1", '{"a":1,"a":2}', '[{"b":{"a":1,"\\u0061":1}}]', "١", '"\\\ud83d"', "\u00a01",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_not_strict_json_is_refused_by_both_readers(text):
    with pytest.raises(ValueError) as said:
        parse(text)
    assert not isinstance(said.value, Unparsable)
    with pytest.raises(ValueError) as said_too:
        visible_json._Reader(text).read()
    assert str(said_too.value) == str(said.value)
    assert parse_or_text(text) == text


def test_a_constant_that_is_not_json_is_named():
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(json.JSONDecodeError, match=rf"^{word} is not JSON: line 1 column 1 \(char 0\)$"):
            parse(f"[{word}]")


def test_bytes_that_are_not_utf8_are_refused():
    with pytest.raises(ValueError):
        parse(b'"\xff"')


@pytest.mark.parametrize("text", [' {"a" : [ 1 , 2 ] }\r\n', "\t[ ]", "{ }", ' "a" '])
def test_space_around_tokens_means_nothing(text):
    assert visible_json._Reader(text).read() == parse(text) == json.loads(text)


def test_a_duplicate_key_is_named():
    with pytest.raises(ValueError, match=r"duplicate key: k\\u0301"):
        parse('{"a":1,"k\u0301":2,"k\\u0301":3}')


def test_what_is_named_is_cut():
    for text, said in (
        ("1" * 400 + ".0", "number out of range: " + "1" * 80),
        ('{"KEY":1,"KEY":1}'.replace("KEY", "k" * 99), "duplicate key: " + "k" * 80),
    ):
        with pytest.raises(ValueError) as error:
            parse(text)
        assert str(error.value) == said


def test_many_duplicate_keys_cost_no_quadratic_time():
    with within(60), pytest.raises(ValueError, match="duplicate"):
        parse("{" + ",".join(f'"{i}":1' for i in range(100_000)) + ',"99999":1}')


DEPTH = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEPTH + "]" * DEPTH,
        '{"b":0,"a":' * DEPTH + "1" + "}" * DEPTH,
        '[{"a":' * DEPTH + '"\u0301"' + "}]" * DEPTH,
        '{"!tuple":[1,' * DEPTH + "2" + "]}" * DEPTH,
    ],
    ids=["lists", "objects", "both", "tuples"],
)
def test_depth_10_000_passes(text):
    tree = parse(text)
    shown = visible(tree)
    assert visible(parse(shown)) == shown
    assert shown.count("[") == text.count("[")
    assert shown.count("{") == text.count("{")
    assert len(digest(text)) == 64


@pytest.mark.parametrize(
    "text", ["[" * DEPTH, "[" * DEPTH + "]" * (DEPTH - 1), '{"a":' * DEPTH + "}" * DEPTH, "[" * DEPTH + "]" * (DEPTH + 1)]
)
def test_deep_nonsense_is_refused_and_not_a_crash(text):
    with pytest.raises(ValueError):
        parse(text)
    assert parse_or_text(text) == text


def test_integers_of_10_000_digits_pass_in_a_fresh_process():
    program = (
        "import sys; assert sys.get_int_max_str_digits() == 4300\n"
        "from gate.canonical.visible_json import parse, visible\n"
        "text = '[' + '7' * 10_000 + ',-' + '9' * 10_000 + ']'\n"
        "assert visible(parse(text)) == text\n"
        "deep = '[' * 5000 + '7' * 10_000 + ']' * 5000\n"
        "assert visible(parse(deep)) == deep\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)


@pytest.mark.no_cover
def test_deep_digests_are_over_the_value():
    one, turned, other = (
        start * DEPTH + end + "}" * DEPTH for start, end in (('{"b":0,"a":', "1"), ('{ "b":0,"a":', "1"), ('{"b":0,"a":', "2"))
    )
    mirrored = '{"a":' * DEPTH + "1" + ',"b":0}' * DEPTH
    assert (visible_raw(parse(one)), visible(parse(one))) == (one, mirrored)
    assert digest(one) == digest(turned) == digest(mirrored) != digest(other)


@pytest.mark.parametrize(
    "text", ["9" * 200_000, "[" * 5000 + "9" * 200_000 + "]" * 5000, "1e400", "-1e400", "1" + "0" * 400 + ".0"], ids=lambda text: text[:6]
)
def test_what_python_cannot_hold_exactly_is_unparsable(text):
    for read in (parse, parse_or_text, digest):
        with pytest.raises(Unparsable, match=r"^Exceeds the limit|^number out of range"):
            read(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ValueError", "ValueError"),
        ('"ValueError"', "ValueError"),
        ("null", None),
        ("42", 42),
        ("NaN", "NaN"),
        ("line\n", "line\n"),
        ("", ""),
        ('{"a":1,"a":1}', '{"a":1,"a":1}'),
        ("\ud83d\ude00 smile", "😀 smile"),
        ('"\ud83d\ude00"', "😀"),
        ('"\ud83d\\ude00"', "😀"),
        ("\ud83d alone", "\ud83d alone"),
    ],
)
def test_what_a_ledger_text_stands_for(text, value):
    made = parse_or_text(text)
    assert made == value
    assert type(made) is type(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a":1,"b":"café"}', '{ "b" : "caf\\u00e9", "a":1 }'),
        ("ValueError", '"ValueError"'),
        ('"\\ud83d\\ude00"', '"😀"'),
        ('"\\/"', '"/"'),
    ],
)
def test_digests_are_over_the_value(one, other):
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"), [("1", "1.0"), ("1", "true"), ("0.0", "-0.0"), ("null", '"null"'), ("[]", "{}"), ('"é"', '"e\u0301"')]
)
def test_digests_tell_types_and_forms_apart(one, other):
    assert digest(one) != digest(other)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31mred", "\\u001b[31mred"),
        ("\x7f", "\\u007f"),
        ("cafe\u0301 café", "cafe\\u0301 café"),
        ('"quoted" C:\\path', '"quoted" C:\\path'),
        ("abc\u202edef", "abc\\u202edef"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("😀\U0001f3fd", "😀🏽"),
        ("\ud800", "\\ud800"),
        ("\U00013441\U0001d159", "\\ud80d\\udc41\\ud834\\udd59"),
    ],
)
def test_escape_for_a_terminal_line(text, shown):
    assert escape(text) == shown
    assert escape(shown) == shown
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize("length", [19_999, 20_000, 20_001])
def test_long_texts_are_escaped_as_short_ones(length):
    piece = "漢é😀\u200b\n\U000e0041 a"
    assert escape((piece * length)[:length]) == "".join(map(escape, (piece * length)[:length]))


def test_the_frozen_table_agrees_with_the_interpreter():
    unseen = {"Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
    table = bytearray(0x110000)
    for first, last in escapes.ranges():
        assert not any(table[first : last + 1]), f"ranges overlap at {first:x}"
        table[first : last + 1] = b"\1" * (last + 1 - first)
    for first, _, last in (piece.partition("-") for piece in escapes.BLANK_LOOKING.split()):
        for code in range(int(first, 16), int(last or first, 16) + 1):
            table[code] = 0
    categories = [unicodedata.category(chr(code)) for code in range(0x110000)]
    differing = [code for code, category in enumerate(categories) if table[code] != (category in unseen and code != 0x20)]
    if unicodedata.unidata_version == "15.1.0":
        assert differing == []
    elif tuple(map(int, unicodedata.unidata_version.split("."))) < (15, 1, 0):
        assert [code for code in differing if categories[code] != "Cn"] == []
    else:  # newer data: what the table does not know is escaped
        assert [code for code in differing if not table[code]] == []


def test_every_character_of_the_table_is_escaped_and_its_neighbours_are_not():
    inside = [code for bounds in escapes.ranges() for code in bounds]
    assert [code for code in inside if not escape(chr(code)).startswith("\\")] == []
    taken = {code for first, last in escapes.ranges() for code in (first, last)}
    outside = [last + 1 for _, last in escapes.ranges() if last + 1 not in taken and last < 0x10FFFF]
    assert [code for code in outside if escape(chr(code)) != chr(code)] == []


def test_long_texts_are_escaped_in_linear_time():
    text = "漢é😀\u200b a" * 50_000
    with within(60):
        assert len(escape(text)) == len(text) + 5 * 50_000


def test_importing_is_cheap():
    program = "import sys; import gate.canonical.visible_json, gate.canonical.rules; print([m for m in ('hashlib', 'unicodedata', 'yaml', 'pydantic', 'difflib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, timeout=30, capture_output=True, text=True)
    assert done.stdout == "[]\n"
