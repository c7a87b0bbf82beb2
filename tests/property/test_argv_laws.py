"""Two readers of `compare`'s flags: what the plain one takes, typer reads as the same values (docs/adr/0030)."""

import subprocess
import sys

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from gate.config.argv import SWITCHES, plain
from gate.config.flags import Flags
from prelabel.cli import make_app

COMPARE = typer.main.get_command(make_app("compare")).commands["compare"]  # type: ignore[attr-defined]
NAMES = sorted({option for parameter in COMPARE.params for option in parameter.opts} - {"--help"})
VALUES = st.sampled_from(
    ["a", "a=b", "", "-", "--", "-x", "--only", "--quiet", "5", "5.5", ".5", "5.", "1e3", "nan", "\u0665", "é", "\udcff", "a b"]
)
WORDS = st.one_of(
    st.sampled_from(NAMES),
    VALUES,
    st.builds("{}={}".format, st.sampled_from(NAMES), VALUES),
    st.sampled_from(["--onl", "-q", "--help", "--no-quiet"]),
)


def by_typer(arguments):
    """Flags and quietness as typer reads them."""
    found = COMPARE.make_context("compare", list(arguments)).params
    quiet = found.pop("quiet")
    return Flags(**{**found, "only": tuple(found["only"] or ())}), quiet


def test_every_flag_that_typer_has_is_taken():
    for name in NAMES:
        words = [name] if name in SWITCHES else [name, "5"]
        assert plain(words) == by_typer(words) != plain([]), name


@given(st.lists(WORDS, max_size=6))
def test_what_is_taken_is_what_typer_reads(words):
    found = plain(words)
    if found is not None:
        assert found == by_typer(words)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["x"],
        ["--corpus"],
        ["--corpus", "-"],
        ["--entry", ""],
        ["--entry", "a", "--entry", "b"],
        ["--timeout", "x"],
        ["--quiet=1"],
        ["--"],
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_left_to_typer(words):
    assert plain(words) is None


def test_a_plain_compare_loads_no_typer(tmp_path):
    program = "import sys; from prelabel.__main__ import run; run(sys.argv[1:]); print('typer' in sys.modules)"
    for words, loaded in ((["--entry", "m:f"], "False"), (["--entry", ""], "True")):
        done = subprocess.run(
            [sys.executable, "-c", program, "compare", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.stdout.split()[-1] == loaded, done
