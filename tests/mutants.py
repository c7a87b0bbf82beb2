"""What `make mutants` runs: mutation testing of the code that decides, and the figures of docs/explanation/mutation.md.

mutmut imports the code once, runs the tests once, and forks: it cannot reach what is made at import or kept from then on, so
such mutants get a process each. A survivor that the page does not explain is exit 1.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/explanation/mutation.md"
MEMORY = 2 << 30  # bytes; a loop that no longer ends must not take the machine with it
# What is made at import or kept from one test to the next, before mutmut forks.
ALONE = ("gate.canonical.rules._texts", "gate.canonical.visible_json._encoder", "gate.canonical.escapes._Shown.__missing__")
MISSING = """
#####################################################################
#  MUTATION TESTING DID NOT RUN: mutmut is not installed.           #
#  .venv/bin/python -m pip install --group mutants                  #
#####################################################################
"""


def place(mutant):
    """The function that a mutant is in: ``gate.canonical.texts._Repr.quote``."""
    module, _, name = mutant.rpartition("__mutmut_")[0].rpartition(".")
    return f"{module}.{name.removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')}"


def results():
    """{mutant: status} as mutmut keeps it."""
    said = subprocess.run(
        [sys.executable, "-m", "mutmut", "results", "--all", "true"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return dict(line.strip().rsplit(": ", 1) for line in said.stdout.splitlines() if "__mutmut_" in line)


class Ids:
    """A plugin of pytest that keeps the ids of what would run."""

    def pytest_collection_finish(self, session):
        self.found = [item.nodeid for item in session.items]


def unsteady():
    """Ids that change when one process collects twice: mutmut would not find these tests, and count every mutant that they reach as killed."""
    import pytest

    seen = []
    for _ in range(2):
        ids = Ids()
        pytest.main(["--collect-only", "-qqq", *arguments()], plugins=[ids])
        seen.append(set(ids.found))
    return sorted(seen[0] ^ seen[1])


def arguments():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    return [*config["pytest_add_cli_args"], *config["pytest_add_cli_args_test_selection"]]


def survives_alone(mutant):
    """The verdict of a process that imports the mutant."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "--rootdir=.", *arguments()],
        cwd=ROOT / "mutants",
        env={**os.environ, "MUTANT_UNDER_TEST": mutant},
        check=False,
        capture_output=True,
    )
    return done.returncode == 0


def explained():
    """{function: how many survivors the page explains}, from its table."""
    rows = re.findall(r"^\| `(gate\.[\w.]+)` \| ([0-9]+) \|", PAGE.read_text().partition("## Survivors")[2], re.MULTILINE)
    made = Counter()
    for name, count in rows:
        made[name] += int(count)
    return made


def main():
    if find_spec("mutmut") is None:
        print(MISSING, file=sys.stderr)
        return 2
    os.chdir(ROOT)
    if changing := unsteady():
        print("these tests have other ids when one process collects twice (a backslash in `ids=`?):", *changing, sep="\n", file=sys.stderr)
        return 2
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if "--keep" not in sys.argv:  # what an earlier run said may be of other tests
        shutil.rmtree(ROOT / "mutants", ignore_errors=True)
        subprocess.run([sys.executable, "-m", "mutmut", "run", "--max-children", os.environ.get("JOBS", "1")], cwd=ROOT, check=True)
    status = results()
    for mutant in status:
        if place(mutant) in ALONE:
            status[mutant] = "survived" if survives_alone(mutant) else "killed"
    lived = [mutant for mutant, word in status.items() if word not in {"killed", "timeout"}]
    return report(status, lived)


def report(status, lived):
    modules, left = (Counter(mutant.rpartition(".")[0] for mutant in some) for some in (status, lived))
    print("\n| module | mutants | killed | survived |\n|---|---:|---:|---:|")
    for name in sorted(modules):
        print(f"| `{name}` | {modules[name]} | {modules[name] - left[name]} | {left[name]} |")
    print(f"| all | {len(status)} | {len(status) - len(lived)} | {len(lived)} |")
    found, known = Counter(map(place, lived)), explained()
    for name in sorted(found.keys() | known.keys()):
        if found[name] != known[name]:
            print(f"\n{name}: {found[name]} survived, {PAGE.name} explains {known[name]}")
            for mutant in lived:
                if place(mutant) == name:
                    subprocess.run([sys.executable, "-m", "mutmut", "show", mutant], cwd=ROOT, check=False)
    return int(found != known)


if __name__ == "__main__":
    sys.exit(main())
