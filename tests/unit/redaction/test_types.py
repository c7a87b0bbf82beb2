"""Only `redaction` makes `Redacted`, the package stands alone, and it starts fast."""

import ast
import copy
import dataclasses
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import redaction
from redaction import Redacted, redact_text

ROOT = Path(redaction.__file__).parent.parent
OUTSIDE = [path for name in ("gate", "prelabel", "prompts") for path in (ROOT / name).rglob("*.py")]
INSIDE = list((ROOT / "redaction").rglob("*.py"))


def sample():
    return redact_text("write to jo@example.org")


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda: Redacted(text="x", kinds={}), id="no-token"),
        pytest.param(lambda: Redacted(text="x", kinds={}, token=None), id="none-token"),
        pytest.param(lambda: Redacted(text="x", kinds={}, token=object()), id="other-token"),
        pytest.param(lambda: Redacted("x", {}, object()), id="positional"),
        pytest.param(lambda: dataclasses.replace(sample(), text="x"), id="replace"),
        pytest.param(lambda: dataclasses.replace(sample(), text="x", token=object()), id="replace-with-a-token"),
        pytest.param(lambda: pickle.dumps(sample()), id="pickle"),
        pytest.param(lambda: sample().__reduce__(), id="reduce"),
        pytest.param(lambda: sample().__getstate__(), id="getstate"),
        pytest.param(lambda: Redacted.__new__(Redacted).__setstate__(["x", {}]), id="setstate"),
        pytest.param(lambda: str(Redacted.__new__(Redacted)), id="new"),
        pytest.param(lambda: str(object.__new__(Redacted)), id="object-new"),
        pytest.param(lambda: type("Mine", (Redacted,), {}), id="subclass"),
        pytest.param(lambda: setattr(sample(), "text", "x"), id="assign"),
        pytest.param(lambda: sample().kinds.update(x=1), id="change-kinds"),
        pytest.param(lambda: sample() + "x", id="add-a-string"),
    ],
)
def test_nothing_outside_makes_or_changes_one(forge):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        forge()


def test_a_copy_is_the_same_object():
    one = sample()
    assert copy.copy(one) is one
    assert copy.deepcopy(one) is one


def test_it_reads_as_its_text():
    one = sample()
    assert str(one) == one.text == f"{one}" == "write to REDACTED-email-1x"
    assert one.kinds == {"email": 1}
    assert one == redact_text("write to jo@example.org")
    assert hash(one) == hash(redact_text("write to jo@example.org"))
    assert not isinstance(one, str)


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module


def test_nobody_outside_reaches_inside():
    assert OUTSIDE
    reached = {(path.name, name) for path in OUTSIDE for name in imports(path) if name.startswith("redaction.")}
    assert not reached


def test_the_token_and_mint_stay_in_their_modules():
    users = {path.name for path in INSIDE if "mint(" in path.read_text("utf-8")}
    assert users == {"types.py", "scope.py", "compose.py"}
    assert {path.name for path in (*INSIDE, *OUTSIDE) if "_MINT" in path.read_text("utf-8")} == {"types.py"}


def test_only_the_standard_library():
    """But for what is installed as an extra, each in one module of its own."""
    foreign = {
        (path.name, name)
        for path in INSIDE
        for name in imports(path)
        if name.partition(".")[0] not in sys.stdlib_module_names | {"redaction"}
    }
    assert foreign == {("secrets.py", "kingfisher_sdk"), ("pii.py", "phonenumbers"), ("fast.py", "ahocorasick_rs")}


def test_import_brings_nothing_heavy():
    code = "import sys, redaction; print(*sorted(m.partition('.')[0] for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    assert "redaction" in loaded
    assert not loaded & {"gate", "prelabel", "prompts", "yaml", "pydantic", "httpx", "rich", "typer", "subprocess", "asyncio", "json"}


def test_import_takes_at_most_six_times_the_start_of_an_interpreter():
    """About 50 ms where an interpreter starts in 10; the figure in milliseconds is a matter of `make bench`."""
    code = "import time; start = time.process_time(); {}; print(time.process_time() - start, start)"
    best = 10.0
    for _ in range(12):
        done = subprocess.run([sys.executable, "-c", code.format("import redaction")], capture_output=True, text=True, check=True, cwd=ROOT)
        spent, began = map(float, done.stdout.split())
        best = min(best, spent / began)
    assert best <= 6


def test_the_surface_is_what_the_package_says():
    modules = {path.stem for path in INSIDE if path.parent.name == "redaction"} - set(redaction.__all__)
    public = {name for name in vars(redaction) if not name.startswith("_")} - modules
    assert public - {"detectors", "extras"} == set(redaction.__all__)
