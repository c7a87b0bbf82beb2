"""What a public log may show: nothing secret, nothing that a terminal or a CI runner obeys, and everything else as it is."""

from __future__ import annotations

import pytest

from prelabel.public import Public
from prelabel.publish.log import public_log

SECRET = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("shadow.toml:3: unknown key `x`\n  delete it", "shadow.toml:3: unknown key `x`\n  delete it", id="plain"),
        pytest.param("tests/test_a.py::test_b failed", "tests/test_a.py::test_b failed", id="colons-inside"),
        pytest.param("::error::no", "\\::error::no", id="command-at-the-start"),
        pytest.param("a\n  ::add-mask::a", "a\n  \\::add-mask::a", id="command-on-a-later-line"),
        pytest.param("a ##[error]b", "a #\\#[error]b", id="old-command-anywhere"),
        pytest.param("## [title] # [x]", "## [title] # [x]", id="heading"),
        pytest.param("\x1b[2Ja", "\\u001b[2Ja", id="terminal"),
        pytest.param("a\r::error::b", "a\\r::error::b", id="carriage-return"),
    ],
)
def test_a_log_shows_the_text_and_commands_nobody(text, shown):
    assert str(public_log(text)) == shown


def test_a_log_shows_no_secret():
    assert SECRET not in str(public_log(f"import failed: token={SECRET}\nValueError: {SECRET}"))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/a: 1 -> 2", "/a: 1 -> 2", id="plain"),
        pytest.param('/log: "\u2026ey-dishwasher-sunshine-363" -> "\u2026ey-dishwasher-sunshine-364"', "/log: \u2026 -> \u2026", id="cut"),
        pytest.param('/date of birth: "1980-02-28" -> "1980-02-15"', "1980", id="named"),
    ],
)
def test_a_changed_place_is_read_as_in_an_entry(tmp_path, monkeypatch, path, shown):
    monkeypatch.chdir(tmp_path)
    out = Public().change(path)
    assert (shown not in out) if shown == "1980" else (out == shown)
