"""Rules about one string: what each hides, and above all what it must leave alone."""

import pytest

from gate.canonical.rules import Context, canonicalise, make_rules
from gate.canonical.visible_json import parse, visible, visible_raw
from tests.timing import within

ROOT = "/tmp/shadow-x1/baseline/tmp"


def apply(names, wire, field="value", root=ROOT):
    """Canonical text and fired rules; and the second time changes nothing."""
    rules = make_rules([names] if isinstance(names, str) else names)
    tree, fired = canonicalise(parse(wire), field, rules, Context(temp_root=root))
    again, fired_again = canonicalise(tree, field, rules, Context(temp_root=root))
    assert (visible_raw(again), fired_again) == (visible_raw(tree), ())
    return visible_raw(tree), fired


def text_after(name, text, root=ROOT):
    shown, fired = apply(name, visible(text), root=root)
    made = parse(shown)
    assert fired == ((name,) if made != text else ())
    return made


ADDRESSES = [
    "<pkg.Foo object at 0x7f12ab34cd56>",
    "<pkg.Foo object at 0x00007F12AB34CD56>",
    "<Foo at 0xabcdef>",
    "<bound method Foo.f of <pkg.Foo object at 0x7f12ab34cd56>>",
    "<built-in method upper of str object at 0x7f12ab34cd56>",
    "<function <lambda> at 0x7f12ab34cd56>",
    "<function f.<locals>.g at 0x7f12ab34cd56>",
    "<generator object <genexpr> at 0x7f12ab34cd56>",
    '<code object f at 0x7f12ab34cd56, file "a.py", line 3>',
    "<Element 'a' at 0x7f12ab34cd56>",
    "<Element {http://www.w3.org/1999/xhtml}a at 0x7f12ab34cd56>",
    "<Foo name='<Bar object at 0x7f12ab34cd56>'>",
    "<p>&lt;Foo object at 0x7f12ab34cd56&gt;</p>",
    '<p title="&lt;Foo object at 0x7f12ab34cd56&gt;">',
    "Object of type Foo is <Foo object at 0x7f12ab34cd56>.",
    "[<Foo object at 0x7f12ab34cd56>, 1]",
    "a < b, <Foo object at 0x7f12ab34cd56>",
    "it's <Foo object at 0x7f12ab34cd56>",
    "> <Foo object at 0x7f12ab34cd56>",
    "<Ünit object at 0x7f12ab34cd56>",
    "<Foo 'it' says \"<x>\" at 0x7f12ab34cd56 with\nmore lines>",
]  # fmt: skip


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_inside_a_repr_is_hidden(text):
    made = text_after("object-ids", text)
    assert "0x7f" not in made.lower()
    assert "0xab" not in made
    assert made.count("0x...") == 1
    assert made.replace("0x...", "") == text[: made.index("0x...")] + made[made.index("0x...") + 5 :]


def test_every_address_of_a_repr_is_hidden():
    assert text_after("object-ids", "<weakref at 0x7f12ab34cd56; to 'Foo' at 0x7f12ab34cd99>") == "<weakref at 0x...; to 'Foo' at 0x...>"
    assert text_after("object-ids", "<cell at 0x7f12ab34cd56: int object at 0x7f12ab34cd99>") == "<cell at 0x...: int object at 0x...>"
    jinja = "<built-in method upper of str object at 0x7f0000000001> <built-in method append of list object at 0x7f0000000002>"
    assert (
        text_after("object-ids", jinja) == "<built-in method upper of str object at 0x...> <built-in method append of list object at 0x...>"
    )


NO_ADDRESSES = [
    "0x1f2f3f4f",
    "0x7f12ab34cd56",
    "value at 0x7f12ab34cd56",
    "jump at 0x7f12ab34cd56>",
    "<main+4> jumps at 0x7f12ab34cd56",
    "<p>value at 0x7f12ab34cd56</p>",
    "&lt;p&gt;value at 0x7f12ab34cd56&lt;/p&gt;",
    "<a href='jump at 0x7f12ab34cd56'>",
    '<a href="jump at 0x7f12ab34cd56">',
    "<Foo object at 0x7f12a>",
    "<Foo object at 0x12345678901234567>",
    "<Foo object at 0x7f12ab34cd56z>",
    "<Foo object at 0x7f12ab34_cd56>",
    "<Flag.A: 0x1f2f3f4f>",
    "<Colour value=0xff00ff>",
    "<Colour 0xff00ff>",
    "if a <b and c at 0x7f12ab34cd56 is free",
    "a < b at 0x7f12ab34cd56 > c",
    "<Foo\nobject at 0x7f12ab34cd56>",
    "<Foo object at 7f12ab34cd56>",
    "",
]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_any_other_hex_number_stays(text):
    assert text_after("object-ids", text) == text


def test_addresses_are_hidden_in_keys_bytes_and_every_depth():
    text, fired = apply("object-ids", '[{"a":{"!bytes":"<F object at 0x7f12ab34cd56>"}},{"<F object at 0x7f12ab34cd56>":1}]')
    assert text == '[{"a":{"!bytes":"<F object at 0x...>"}},{"<F object at 0x...>":1}]'
    assert fired == ("object-ids",)


def test_keys_that_become_equal_lose_no_entry():
    one, _ = apply("object-ids", '{"<F object at 0x7f12ab34cd56>":2,"<F object at 0x7f12ab34cd99>":1}')
    other, _ = apply("object-ids", '{"<F object at 0x7f00000000aa>":1,"<F object at 0x7f00000000bb>":2}')
    assert one == other == '{"!dict":[["<F object at 0x...>",1],["<F object at 0x...>",2]]}'
    by_text, _ = apply("object-ids", '{"<F object at 0x7f12ab34cd56>":9,"<F object at 0x7f12ab34cd99>":10}')
    assert by_text == '{"!dict":[["<F object at 0x...>",10],["<F object at 0x...>",9]]}'


INSIDE_ROOT = [
    (ROOT, "<temp>"),
    (ROOT + "/", "<temp>/"),
    (ROOT + "/a.txt", "<temp>/a.txt"),
    (f"cannot open '{ROOT}/a b.txt': no such file", "cannot open '<temp>/a b.txt': no such file"),
    (f"see {ROOT}.", "see <temp>."),
    (f"file://{ROOT}/x", "file://<temp>/x"),
    (f"--out={ROOT}/x:{ROOT}/y", "--out=<temp>/x:<temp>/y"),
    (f"<td>{ROOT}/x</td>", "<td><temp>/x</td>"),
    (f'{{"p": "{ROOT}/x"}}', '{"p": "<temp>/x"}'),
]
OUTSIDE_ROOT = [
    ROOT + "2",
    ROOT + "2/a",
    ROOT + ".txt",
    ROOT + "-old/a",
    ROOT + "_x",
    ROOT + "é",
    "/private" + ROOT,
    "x" + ROOT,
    ".." + ROOT,
    "/tmp/shadow-x1/baseline",
    "/tmp/other.txt",
    ROOT.upper(),
]


@pytest.mark.parametrize(("text", "made"), INSIDE_ROOT)
def test_the_runs_own_temp_root_is_hidden_and_the_file_name_kept(text, made):
    assert text_after("temp-root", text) == made


@pytest.mark.parametrize("text", OUTSIDE_ROOT)
def test_any_other_path_stays(text):
    assert text_after("temp-root", text) == text


@pytest.mark.parametrize("root", ["", "/", "//"])
def test_without_a_temp_root_nothing_is_hidden(root):
    assert text_after("temp-root", "/tmp/x //", root=root) == "/tmp/x //"


@pytest.mark.parametrize(("root", "made"), [("/t", "<temp>/t"), ("/t/", "<temp>/t"), ("/a b(c)+é", "x <temp>/y")])
def test_odd_temp_roots(root, made):
    text = {"/t": "/t/t", "/t/": "/t/t"}.get(root, f"x {root}/y")
    assert text_after("temp-root", text, root=root) == made


SIDE = "/tmp/shadow-x1/baseline/side"
SIDES = {
    "a file of the side": (ROOT, SIDE, f"{SIDE}/pkg/a.py:3", "<side>/pkg/a.py:3"),
    "both folders": (ROOT, SIDE, f"{ROOT}/x {SIDE}/y {ROOT}", "<temp>/x <side>/y <temp>"),
    "only a side": ("", SIDE, f"in {SIDE}.", "in <side>."),
    "only a temp root": (ROOT, "", f"{ROOT} {SIDE}", f"<temp> {SIDE}"),
    "slashes at the end": (ROOT + "/", SIDE + "//", f"{ROOT}/x {SIDE}/y", "<temp>/x <side>/y"),
    "a temp root with a slash": (ROOT + "/", "", f"see {ROOT}", "see <temp>"),
    "a side with slashes": ("", SIDE + "//", f"see {SIDE}", "see <side>"),
    "names that end in X": ("/tmp/runX", "/tmp/sideX", "/tmp/runX/a /tmp/sideX/b", "<temp>/a <side>/b"),
    "a longer name": (ROOT, SIDE, f"{SIDE}2/x", f"{SIDE}2/x"),
    "slashes alone": ("/", "//", "/ // x", "/ // x"),
}


@pytest.mark.parametrize(("temp", "side", "text", "made"), SIDES.values(), ids=SIDES)
def test_the_folder_of_the_side_is_hidden_too(temp, side, text, made):
    context = Context(temp_root=temp, side_root=side)
    assert canonicalise(text, "value", make_rules(["temp-root"]), context) == (made, ("temp-root",) if made != text else ())
    assert canonicalise(made, "value", make_rules(["temp-root"]), context) == (made, ())


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("newlines", "a\r\nb\rc\n", "a\nb\nc\n"),
        ("newlines", "a\n\r\n", "a\n\n"),
        ("newlines", "a\\r\\n", "a\\r\\n"),
        ("trailing-space", "a  \nb\t \r\nc ", "a\nb\r\nc"),
        ("trailing-space", " a b\n  \n", " a b\n\n"),
        ("trailing-space", "a\u00a0\n\n\n", "a\u00a0\n\n\n"),
    ],
)
def test_rules_about_lines(name, text, made):
    assert text_after(name, text) == made


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trailing-space", " " * 500_000 + "x"),
        ("trailing-space", " x" * 250_000),
        ("object-ids", "<F at 0x7f12ab34cd56 " * 30_000),
        ("object-ids", "<F" * 200_000 + " at 0x7f12ab34cd56"),
        ("object-ids", "<F '" * 100_000 + " at 0x7f12ab34cd56" + "'>" * 100_000),
        ("temp-root", (ROOT + "x") * 20_000),
        ("newlines", "\r" * 500_000),
    ],
    ids=lambda value: value[:8],
)
def test_hostile_texts_cost_linear_time(name, text):
    with within(60):
        canonicalise(text, "stdout", make_rules([name]), Context(temp_root=ROOT))
