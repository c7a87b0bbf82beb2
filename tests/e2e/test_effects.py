"""The article's row "candidate reads os.environ the baseline did not", and its kin, as a user meets them: through `shadow compare`."""

import json

import pytest

from tests.e2e.command import FLAGS, report, shadow, two_sides, write

QUIET = "def run(p): return None\n"
ACTS = "import os, pathlib, shutil, socket, subprocess, tempfile, zoneinfo\ndef run(p): exec(p)\n"

# {what the candidate does and the baseline does not: (field, what the row says)}
ROWS = {
    "os.environ.get('A')": ("effects.env", ["A"]),
    "os.environ['PATH']": ("effects.env", ["PATH"]),
    "'A' in os.environ": ("effects.env", ["A"]),
    "os.getenv('A')": ("effects.env", ["A"]),
    "os.getenvb(b'A')": ("effects.env", ["A"]),
    "os.environb.get(b'A')": ("effects.env", ["A"]),
    "for name in os.environ: pass": ("effects.env", ["*"]),
    "dict(os.environ)": ("effects.env", ["*"]),
    "os.environ.copy()": ("effects.env", ["*"]),
    "os.environ | {}": ("effects.env", ["*"]),
    "os.environ['A'] = '1'": ("effects.env", ["A="]),
    "pathlib.Path.home()": ("effects.env", ["HOME"]),
    "shutil.get_terminal_size()": ("effects.env", ["COLUMNS", "LINES"]),
    "tempfile.gettempdir()": ("effects.env", ["TEMP", "TMP", "TMPDIR"]),
    "tempfile.mkdtemp()": ("effects.env", ["TEMP", "TMP", "TMPDIR"]),
    "open('/etc/hostname').close()": ("effects.files", ["read /etc/hostname"]),
    "os.listdir('/etc')": ("effects.files", ["list /etc"]),
    "os.chdir('/etc')": ("effects.files", ["chdir /etc"]),
    "socket.getaddrinfo('127.0.0.1', 80)": ("effects.net", ["getaddrinfo ('127.0.0.1', 80)"]),
    "subprocess.run(['/bin/true'], env={})": ("effects.process", ["subprocess.Popen /bin/true"]),
}


def corpus(texts):
    return {f"{at:03}.json": json.dumps(text) for at, text in enumerate(texts)}


def test_each_way_is_one_row_and_nothing_else(tmp_path):
    two_sides(tmp_path, QUIET, ACTS, corpus(ROWS))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    rows = [(one["id"], one["field"], one["baseline"], json.loads(one["candidate"])) for one in report(tmp_path)["divergences"]]
    rows = [row for row in rows if row[0] != "@import"]
    assert rows == [(f"{at:03}.json", field, "[]", found) for at, (field, found) in enumerate(ROWS.values())]
    assert report(tmp_path)["counts"]["unclassified"] >= len(ROWS)


def test_what_both_sides_do_is_no_row_whoever_does_it_first(tmp_path):
    """Caches make only the first reader of a fork read; both sides have the same first reader, and no fixture is blamed."""
    acts = [*ROWS, "zoneinfo.ZoneInfo('UTC')", "zoneinfo.ZoneInfo('UTC')", *ROWS]
    two_sides(tmp_path, ACTS, ACTS + "# patched\n", corpus(acts))
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert report(tmp_path)["counts"]["match"] == len(acts)


@pytest.mark.parametrize("way", ["os.environ.get('A')", "'A' in os.environ", "os.getenv('A')", "os.environb.get(b'A')"])
def test_a_read_at_import_has_the_id_of_the_import(tmp_path, way):
    two_sides(tmp_path, "import os\n" + QUIET, f"import os\nDEBUG = {way}\n" + QUIET)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    (row,) = report(tmp_path)["divergences"]
    assert (row["id"], row["field"], row["baseline"], row["candidate"]) == ("@import", "effects.env", "[]", '["A"]')


def test_what_the_candidate_no_longer_does_is_noted(tmp_path):
    two_sides(tmp_path, ACTS, "import os, pathlib, shutil, socket, subprocess, tempfile, zoneinfo\n" + QUIET, corpus(["os.getenv('A')"]))
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 0
    (note,) = report(tmp_path)["noted"]
    assert (note["field"], note["baseline"], note["candidate"]) == ("effects.env", '["A"]', "[]")


def test_a_fixture_does_not_answer_for_the_environment_that_another_left(tmp_path):
    """Only the candidate writes; without putting it back, the second fixture would be red too."""
    acts = {"a.json": "\"os.environ.update(LEFT='1')\"", "b.json": "\"print(os.environ.get('LEFT'))\""}
    two_sides(tmp_path, ACTS.replace("exec(p)", "exec(p if 'print' in p else '')"), ACTS, acts)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    assert [(one["id"], one["candidate"]) for one in report(tmp_path)["divergences"]] == [("a.json", '["LEFT="]')]
    assert report(tmp_path)["notices"] == []


def test_what_a_package_reads_of_itself_is_no_effect(tmp_path):
    """Its data lies beside its code, on either side, and is pinned with it; what lies elsewhere is an effect, also inside a checkout."""
    data = """import importlib.resources, os, pkgutil
HERE = os.path.dirname(__file__)
def run(p):
    names = sorted(name for name in os.listdir(os.path.join(HERE, 'pkg')) if name[0] != '_')
    text = importlib.resources.files('pkg').joinpath('words.txt').read_text()
    return [names, text, pkgutil.get_data('pkg', 'words.txt').decode(), open(os.path.join(HERE, 'pkg/words.txt')).read()]
"""
    plain = "import pkg\ndef run(p): return [['words.txt'], 'a', 'a', 'a']\n"
    files = {f"{side}/{name}": text for side in "bc" for name, text in (("pkg/__init__.py", ""), ("pkg/words.txt", "a"))}
    write(two_sides(tmp_path, plain, data), files)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 0
    assert (report(tmp_path)["counts"]["match"], report(tmp_path)["noted"]) == (1, [])
    write(tmp_path, {"c/m.py": data + "open('/etc/hostname').close()\n"})
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    assert [(one["id"], one["candidate"]) for one in report(tmp_path)["divergences"]] == [("@import", '["read /etc/hostname"]')]


SEARCH = """import os
def run(p):
    folder = os.getcwd()
    while True:
        try:
            open(os.path.join(folder, 'setup.cfg')).close()
        except OSError:
            os.listdir(folder)
        if folder == os.path.dirname(folder):
            return 'v1'
        folder = os.path.dirname(folder)
"""


def test_who_looks_for_settings_in_all_folders_above_does_not_meet_ours(tmp_path):
    """They have another name in each run; what lies above them is no business of ours."""
    two_sides(tmp_path, SEARCH, SEARCH.replace("v1", "v2"))
    shadow("compare", *FLAGS, cwd=tmp_path)
    found = report(tmp_path)
    assert ([one["field"] for one in found["divergences"]], found["impure"], found["noted"]) == (["value"], [], [])
    write(tmp_path, {"b/m.py": QUIET.replace("None", "'v1'"), "c/m.py": SEARCH})
    shadow("compare", *FLAGS, cwd=tmp_path)
    ((field, rows),) = [(one["field"], json.loads(one["candidate"])) for one in report(tmp_path)["divergences"]]
    assert field == "effects.files"
    assert {"list /", "read /setup.cfg"} <= set(rows)
    assert not [row for row in rows if "shadow-" in row]


ODD_PATHS = {
    "a path that is no text": "import pathlib, sys\nsys.path.insert(0, pathlib.Path(__file__).parent)\n",
    "odd and absent ones": "import os, sys\nsys.path[:0] = [b'/', None, '', 'pkg', os.path.join(os.path.dirname(__file__), 'pkg', '..'), sys.path[0]]\n",
}


@pytest.mark.parametrize("head", ODD_PATHS.values(), ids=ODD_PATHS)
def test_odd_entries_of_sys_path_hide_no_file(tmp_path, head):
    act = (
        head
        + "HERE = __import__('os').path.dirname(__file__)\ndef run(p): return [open(f'{HERE}/{name}').read() for name in ('%s', 'pkg/a')]\n"
    )
    files = {f"{side}/{name}": "" for side in "bc" for name in ("a.txt", "b.txt", "pkg/__init__.py", "pkg/a")}
    write(two_sides(tmp_path, act % "a.txt", act % "b.txt"), files)
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    rows = [(one["field"], one["baseline"], one["candidate"]) for one in report(tmp_path)["divergences"]]
    assert rows == [("effects.files", '["read <side>/a.txt"]', '["read <side>/b.txt"]')]


def test_files_that_cannot_be_placed_are_not_all_one(tmp_path):
    """The current folder is gone: where a name leads from there nobody can say. Where a whole path leads, one can."""
    act = """import os
def run(p):
    os.mkdir('x'); os.chdir('x'); os.rmdir('../x')
    for name in %r:
        try: open(name).close()
        except OSError: pass
"""
    two_sides(tmp_path, act % (("a.txt", "/etc/hostname"),), act % (("b.txt", "/etc/passwd"),))
    assert shadow("compare", *FLAGS, cwd=tmp_path).returncode == 1
    rows = [(one["field"], json.loads(one["baseline"]), json.loads(one["candidate"])) for one in report(tmp_path)["divergences"]]
    assert rows == [("effects.files", ["read /etc/hostname", "unreadable open a.txt"], ["read /etc/passwd", "unreadable open b.txt"])]


# What the standard library reads for itself, and the same names where the target asks for them.
ITS_OWN = {
    "import": ("import zoneinfo, sysconfig, optparse, wsgiref.simple_server\n", "pass", []),
    "import, late": ("", "import zoneinfo, sysconfig, optparse, wsgiref.simple_server", []),
    "gettext": ("import gettext\n", "gettext.gettext('yes'); gettext.ngettext('a', 'b', 2)", []),
    "asked for": ("import os\n", "os.environ.get('LANGUAGE'); os.getenv('PYTHONTZPATH')", ["LANGUAGE", "PYTHONTZPATH"]),
    "a function of it": ("import sysconfig, os\n", "os.path.expanduser('~')", ["HOME"]),
    "a module of the target": ("", "import sub", ["A"]),
}


@pytest.mark.parametrize(("head", "act", "found"), ITS_OWN.values(), ids=ITS_OWN)
def test_what_the_library_reads_for_itself_is_not_the_targets(tmp_path, head, act, found):
    two_sides(tmp_path, QUIET, f"{head}def run(p):\n    {act}\n")
    write(tmp_path, {"c/sub.py": "import os\nA = os.environ.get('A')\n"})
    done = shadow("compare", *FLAGS, cwd=tmp_path)
    rows = [(one["id"], one["field"], json.loads(one["candidate"])) for one in report(tmp_path)["divergences"]]
    assert (done.returncode, rows) == ((1, [("a.json", "effects.env", found)]) if found else (0, []))
