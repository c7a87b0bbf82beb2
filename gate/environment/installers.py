"""The user's own installer, with the user's configuration: ``uv`` if it is there, else the interpreter's ``pip``, else ours.

The rule: which index, mirror, proxy or certificate is used is the user's business, so ``PIP_*``, ``UV_*`` and all other
variables pass through, but for those that contradict what is asked here (a target, an interpreter) and those that change
how a Python starts. Where ``uv`` fails, ``pip`` is asked too: an index that stands in ``pip.conf`` is unknown to ``uv``.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from gate.environment.requirements import normalise
from gate.errors import SideError
from gate.files import remove

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gate.types import Interpreter

# Settings that contradict what we ask for. Everything else of the user's configuration stands.
_DROPPED = frozenset(
    {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_REPORT", "PIP_REQUIREMENT", "PIP_EDITABLE", "PIP_ONLY_DEPS", "PIP_GROUP"}
    | {"UV_TARGET", "UV_PREFIX", "UV_PYTHON", "UV_SYSTEM_PYTHON", "UV_PROJECT", "UV_PROJECT_ENVIRONMENT", "UV_REQUIREMENT", "UV_EDITABLE"}
    | {"VIRTUAL_ENV", "CONDA_PREFIX", "__PYVENV_LAUNCHER__"}
)
_FORCED = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_DRY_RUN": "0", "PIP_NO_INPUT": "1"}
# `-m pip` would put the current folder, with the user's own modules, before the standard library.
_PIP = "import sys; sys.path.remove(''); import runpy; sys.argv[0] = 'pip'; runpy.run_module('pip', run_name='__main__', alter_sys=True)"
_NO_PIP = "No module named pip"
_QUIET = ("--disable-pip-version-check", "--quiet")
_INDEX = "check that the package index is reached (pip reads PIP_INDEX_URL and pip.conf, uv reads UV_INDEX)"


def install_into(packages: Path, wanted: Sequence[str], interpreter: Interpreter, *, what: str) -> dict[str, dict[str, str]]:
    """Install ``wanted`` (arguments of an installer) into the empty folder ``packages``; the digests that pip reported, by name."""
    python, report = os.fspath(interpreter.executable), packages.parent / "report.json"
    target = ["--target", os.fspath(packages), "--no-deps"]
    pip = ["install", *target, "--no-compile", *_QUIET, *wanted]
    _try(
        uv=["pip", "install", "--quiet", "--link-mode", "copy", "--python", python, *target, *wanted],
        pip=[*pip, "--report", os.fspath(report)],
        old_pip=pip,  # before 22.2
        python=python,
        folder=packages,
        what=f"{what} could not be installed",
        remedy=f"check the lines; {_INDEX}",
    )
    return _reported(report)


def build_wheel(project: Path, out: Path, interpreter: Interpreter, *, epoch: str) -> Path:
    """Build the wheel of a source tree into the new folder ``out``. ``epoch`` is the time that goes into the archive."""
    python = os.fspath(interpreter.executable)
    out.mkdir()
    pip = ["wheel", "--no-deps", *_QUIET, "--wheel-dir", os.fspath(out), os.fspath(project)]
    _try(
        uv=["build", "--quiet", "--wheel", "--python", python, "--out-dir", os.fspath(out), os.fspath(project)],
        pip=pip,
        old_pip=pip,
        python=python,
        folder=out,
        what="the wheel could not be built",
        remedy=f"build it by hand with `python -m pip wheel --no-deps .` to see more; {_INDEX}",
        more={"SOURCE_DATE_EPOCH": epoch},
    )
    built = sorted(out.glob("*.whl"))
    if len(built) != 1:
        raise SideError(
            f"the build made {len(built)} wheels where one was expected", remedy="build it by hand with `python -m pip wheel --no-deps .`"
        )
    return built[0]


def _try(
    *,
    uv: Sequence[str],
    pip: Sequence[str],
    old_pip: Sequence[str],
    python: str,
    folder: Path,
    what: str,
    remedy: str,
    more: Mapping[str, str] | None = None,
) -> None:
    """Ask one installer after the other until one does it; ``folder`` is emptied after each failure."""
    from gate.config import environ
    from gate.process import find_program, run

    variables = environ().variables
    env = {name: text for name, text in variables.items() if not name.startswith(("PYTHON", "GIT_")) and name not in _DROPPED}
    env |= {**_FORCED, **(more or {})}
    found = find_program("uv", variables.get("PATH", ""))
    tries = [[os.fspath(found), *uv]] if found else []
    tries += [[python, "-c", _PIP, *pip], [sys.executable, "-c", _PIP, "--python", python, *pip]]
    said: list[str] = []
    for argv in tries:
        done = run(argv, env=env)
        if done.code and b"no such option: --report" in done.stderr:
            done = run([*argv[: -len(pip)], *old_pip], env=env)
        if not done.code:
            return
        if _NO_PIP in done.words():
            continue
        said.append(done.words())
        for left in folder.iterdir():
            remove(left) if left.is_dir() else left.unlink()
        if argv[0] == python:
            break  # the pip beside shadow would say the same
    if not said:
        no_installer = f"{what}: neither uv nor a pip for {python} is there to do it"
        raise SideError(no_installer, remedy="install uv, or run `python -m ensurepip` with that interpreter")
    raise SideError(f"{what}: " + "\n  ".join(dict.fromkeys(said)), remedy=remedy)


def _reported(report: Path) -> dict[str, dict[str, str]]:
    """Digests of what pip downloaded, by normalised name; nothing where there is no report."""
    try:
        items: list[Mapping[str, Any]] = json.loads(report.read_bytes())["install"]
        found = {}
        for item in items:
            info = item["download_info"]
            digest = info.get("archive_info", {}).get("hashes", {}).get("sha256")
            if digest:
                kind = "wheel" if info["url"].partition("#")[0].endswith(".whl") else "sdist"
                found[normalise(item["metadata"]["name"])] = {"sha256": digest, "of": kind}
    except (OSError, ValueError, KeyError):
        return {}
    return found
