"""`.env` files as the common readers take them; what cannot be read is a fault with its line and without its text."""

import os

import pytest

from gate.config.envfiles import LARGEST, parse, read_env_files
from gate.config.looking import looking
from gate.errors import ConfigError, EnvFileError

READ = {
    "plain": ("A=one two ", [("A", "one two")]),
    "export": ("export A=1\n", [("A", "1")]),
    "spaces": ("  A = 1\n", [("A", "1")]),
    "comment behind": ("A=1#2 # three\n", [("A", "1#2")]),
    "single quotes": ("A='x # y' # z\n", [("A", "x # y")]),
    "double quotes": ('A="x\\"y"\n', [("A", 'x"y'), ("A", 'x\\"y')]),
    "back quotes": ("A=`x'y`\n", [("A", "x'y")]),
    "several lines": ("A='1\n2'\nB=3", [("A", "1\n2"), ("B", "3")]),
    "escaped newline": ('A="1\\n2"', [("A", "1\n2"), ("A", "1\\n2")]),
    "empty": ("A=\nB=''\n", [("A", ""), ("B", "")]),
    "name alone": ("A\nexport B # why\nC=1", [("C", "1")]),
    "colon": ("A: 1\n", [("A", "1")]),
    "commented out": ("# A='1'\n#just words\n", [("A", "1")]),
    "windows": ("\ufeffA=1\r\nB=2\r\n", [("A", "1"), ("B", "2")]),
    "an apostrophe": ("A=it's\n", [("A", "it's")]),
    "equals inside": ("A=b=c==\n", [("A", "b=c==")]),
    "nothing": ("\n\n  # c\n", []),
}
FAULTS = {
    "no assignment": ("A=1\n\n!!! s3cret\n", 3, "NAME=value"),
    "open quote": ("A=1\nB='s3cret\n", 2, "not closed"),
    "behind the quote": ("A='1'\nB='1's3cret\n", 2, "closing quote"),
    "behind several lines": ("A='\n\n'\nB='1's3cret\n", 4, "closing quote"),
}


@pytest.mark.parametrize(("text", "pairs"), READ.values(), ids=READ)
def test_what_is_read(text, pairs):
    assert parse(text, ".env") == pairs


@pytest.mark.parametrize(("text", "line", "what"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_read_is_a_fault_without_its_text(text, line, what):
    with pytest.raises(EnvFileError) as caught:
        parse(text, ".env")
    said = "\n".join(caught.value.lines())
    assert said.startswith(f".env:{line}: ")
    assert what in said
    assert "s3cret" not in said


def test_files_of_the_project(tmp_path):
    for name, text in {".env": "A=1", ".env.local": "B=2", ".env.example": "C=3", "deploy/x.env": "D=4"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert read_env_files(tmp_path, (".env", ".env.*")) == (("A", "1"), ("B", "2"))
    assert read_env_files(tmp_path, ("deploy/*.env", ".env.example", "gone.env")) == (("D", "4"), ("C", "3"))
    assert read_env_files(tmp_path, (".env", ".env.*", "!.env.l?cal")) == (("A", "1"),)
    with pytest.raises(EnvFileError, match="is no ordinary file"):
        read_env_files(tmp_path, ("deploy",))
    (tmp_path / ".env").unlink()
    (tmp_path / ".env").mkdir()  # a virtual environment, as some name it
    assert read_env_files(tmp_path, (".env",)) == ()


def test_faults_of_all_files_come_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"A=1\nB=\xff")
    (tmp_path / ".env.big").write_bytes(b"#" * (LARGEST + 1))
    os.mkfifo(tmp_path / ".env.pipe")
    with pytest.raises(EnvFileError) as caught:
        read_env_files(tmp_path, (".env", ".env.*"))
    assert [str(fault.place) for fault in caught.value.faults] == [".env:2", ".env.big", ".env.pipe"]


def test_what_the_contract_says(tmp_path):
    assert (looking(tmp_path).root, looking(tmp_path).env_files) == (tmp_path, (".env", ".env.*"))
    folder = tmp_path / "shadow"
    folder.mkdir()
    base = 'version = 1\n[[target]]\nname = "m"\nentry = "m:run"\n'
    (folder / "shadow.toml").write_text(base + '[redaction]\ndetectors = ["secrets"]\nenv_files = ["my.env", "!.env"]\n')
    found = looking(tmp_path)
    assert (found.root, found.detectors, found.env_files) == (tmp_path, ("secrets",), (".env", ".env.*", "my.env", "!.env"))
    (folder / "shadow.toml").write_text(base + '[redaction]\ndetectors = ["a b"]\nenv_files = ["../x"]\nenv = 1\n')
    with pytest.raises(ConfigError) as caught:
        looking(tmp_path)
    assert [fault.place.line for fault in caught.value.faults] == [6, 7, 8]


@pytest.mark.parametrize("pattern", ["", ".", "!", "!.", "!/etc/passwd", "/etc/passwd", "! .env", "!!.env", "!.env/", "../x", "!../x"])
def test_a_pattern_that_names_no_file_of_the_project_is_a_fault(tmp_path, pattern):
    (tmp_path / "shadow").mkdir()
    base = 'version = 1\n[[target]]\nname = "m"\nentry = "m:run"\n'
    (tmp_path / "shadow" / "shadow.toml").write_text(base + f'[redaction]\nenv_files = ["{pattern}"]\n')
    with pytest.raises(ConfigError) as caught:
        looking(tmp_path)
    assert [fault.place.line for fault in caught.value.faults] == [6]
