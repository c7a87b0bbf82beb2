"""Laws of the report: what is written is what is read, and no report makes a screen too large or unsafe."""

import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.canonical.visible_json import escape
from gate.report.causes import kind_of, split
from gate.report.layout import columns, crop, pair, wrap
from gate.report.read import read_report
from gate.report.screen import render
from gate.report.write import write_report
from gate.terminal import Reader
from tests.unit.gate.report_values import entry, make

# Half characters too, but no high half before a low one: in JSON that is one character.
TEXT = st.text(max_size=40).map(lambda text: re.sub("[\ud800-\udbff](?=[\udc00-\udfff])", "", text))
FIELD = st.sampled_from(["ok", "value", "stdout", "exc.type", "effects.env", "arg", "type"])
ENTRY = st.builds(
    lambda fixture_id, field, one, other, verdict, texts: entry(
        fixture_id, field, one, other, verdict=verdict, near=texts[0], why=texts[1] or "", reason=texts[2], row=texts[3], paths=tuple(filter(None, texts))
    ),
    TEXT, FIELD, TEXT, TEXT, st.sampled_from(["accept", "reject", "unclassified"]), st.tuples(*[st.none() | TEXT] * 4),
)  # fmt: skip
ABOUT = st.lists(st.fixed_dictionaries({"id": TEXT, "cause": TEXT, "why": TEXT, "row": TEXT}), max_size=3).map(tuple)
REPORT = st.builds(
    lambda entries, notices, errors, impure, stale: make(*entries, notices=notices, errors=errors, impure=impure, stale=stale),
    st.lists(ENTRY, max_size=12, unique_by=lambda one: one.fingerprint), st.lists(TEXT, max_size=5).map(tuple), ABOUT, ABOUT, ABOUT,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(REPORT)
def test_what_is_written_is_what_is_read(report):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.json"
        write_report(report, path)
        assert read_report(path) == report
        assert path.read_bytes().decode("utf-8")  # strict: any reader of JSON can read it


@settings(max_examples=60, deadline=None)
@given(REPORT, st.integers(40, 120), st.sampled_from(["report.json", "a b/r.json"]))
def test_no_report_makes_a_screen_too_large_or_unsafe(report, width, path):
    text = render(report, reader=Reader(), width=width, report_path=path)
    lines = text.split("\n")
    assert len(lines) <= 24
    assert max(map(columns, lines)) <= width
    assert escape(text).replace("\\n", "\n") == text.replace("\\n", "\n")
    assert lines[-1].startswith(f"exit {report.exit_code()}: ")
    assert ("signoff" in text) == bool(report.unclassified)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(0, 50))
def test_cuts_fit_and_change_nothing_that_fits(one, other, width):
    assert columns(crop(one, width)) <= width
    assert columns(pair(one, other, width)) <= width
    if columns(one) <= width:
        assert crop(one, width) == one


@given(st.text(alphabet="ab \u65e5", max_size=60), st.integers(3, 20), st.integers(1, 4))
def test_wrapped_lines_fit_and_lose_no_word_while_there_is_room(text, width, most):
    lines = wrap(text, width, most)
    assert len(lines) <= most
    assert all(columns(line) <= width for line in lines)
    if not any("\u2026" in line for line in lines):
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(ENTRY)
def test_every_divergence_has_a_kind_and_it_is_short(one):
    assert 0 < len(kind_of(one)) <= 200


@given(
    st.text(max_size=20),
    st.sampled_from(["null", "1", '"a"', "[]", "(absent)"]),
    st.sampled_from(["true", "-2.5", '"b"', '{"a":1}', "(absent)"]),
)
def test_a_change_that_hides_no_arrow_is_split_where_it_was_joined(at, left, right):
    if " -> " not in at and ": " not in at:
        assert split(f"{at}: {left} -> {right}") == (at, left, right)
