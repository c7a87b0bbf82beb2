"""What a public log may show: nothing secret, nothing that a terminal or a CI runner obeys, and everything else as it is."""

from __future__ import annotations

import pytest

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
