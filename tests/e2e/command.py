"""Runs the real command line in a process of its own, and makes the small projects that it runs on."""

import json
import os
import subprocess
import sys

from tests.covered import VARIABLES

QUIET = {"CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "BUILDKITE", "JENKINS_URL", "TF_BUILD"}
EMPTY = "version: 1\nentries: []\n"


def environment(tmp_path, **more):
    """An environment in which nothing of the person or service that runs the tests shows."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH") if key in os.environ}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull} | VARIABLES | more


def shadow(*arguments, cwd, env=None, timeout=120):
    """A finished `shadow`; `returncode`, `stdout`, `stderr`."""
    return subprocess.run(
        [sys.executable, "-m", "prelabel", *map(str, arguments)],
        cwd=cwd,
        env=environment(cwd) | (env or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def write(root, files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def git(cwd, *arguments):
    command = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment(cwd), check=True, capture_output=True, text=True).stdout.strip()


def repository(root, files, message="one"):
    """A git repository on branch main with one commit; its hash."""
    write(root, files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD")


def commit(root, files, message="patch"):
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD")


FLAGS = ("--baseline", "b", "--candidate", "c", "--corpus", "corpus", "--ledger", "ledger.yaml", "--report", "r.json", "--entry", "m:run")


def two_sides(root, baseline, candidate, corpus=None, ledger=EMPTY):
    """Folders b and c with module m, a corpus and a ledger, to be run with FLAGS."""
    files = {"b/m.py": baseline, "c/m.py": candidate, "ledger.yaml": ledger}
    return write(root, files | {f"corpus/{name}": text for name, text in (corpus or {"a.json": "1"}).items()})


def report(root, name="r.json"):
    return json.loads((root / name).read_text(encoding="utf-8"))
