"""The only reader of environment variables in the product, so that what can change a run is in one list.

Variables say *where* we run (continuous integration, a coding agent, colours, cache), never *what the verdict is*:
no variable turns red into green (design, sections 4 and 11).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gate.errors import UsageError
from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

CACHE_NAME = "shadow-prelabel"

# Each is set by the service of its name; `CI` by nearly all.
CI_VARIABLES = (
    "CI",
    "APPVEYOR",
    "BITBUCKET_BUILD_NUMBER",
    "BUILDKITE",
    "CIRCLECI",
    "CIRRUS_CI",
    "CODEBUILD_BUILD_ID",
    "CONTINUOUS_INTEGRATION",
    "DRONE",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "JENKINS_URL",
    "TEAMCITY_VERSION",
    "TF_BUILD",
    "TRAVIS",
    "WOODPECKER",
)
# Set by coding agents in the shells that they open; exact names. Others that begin alike are settings of people
# (CODEX_HOME, CLAUDE_CODE_USE_BEDROCK, GEMINI_CLI_SYSTEM_SETTINGS_PATH ..) or of editors, in whose terminals people type.
AGENT_VARIABLES = frozenset(
    (
        "AGENT",
        "AI_AGENT",
        "AMP_CURRENT_THREAD_ID",
        "ANTIGRAVITY_AGENT",
        "AUGMENT_AGENT",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLINE_ACTIVE",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "GOOSE_TERMINAL",
        "OPENCODE",
        "OPENCODE_PID",
        "TRAE_AI_SHELL_ID",
    )
)
_OFF = frozenset({"", "0", "false", "no", "off"})


class Environ(Value):
    """The variables that the product looks at. ``variables`` are all, for the environment of child processes."""

    variables: Mapping[str, str]

    def _on(self, name: str) -> bool:
        return self.variables.get(name, "").strip().lower() not in _OFF

    def ci(self) -> str | None:
        """The first variable that says we run in continuous integration."""
        return next((name for name in CI_VARIABLES if self._on(name)), None)

    def is_ci(self) -> bool:
        """Whether logs are public and nobody sits at the keyboard."""
        return self.ci() is not None

    def agent(self) -> str | None:
        """The first variable, in the order of names, by which a coding agent marks its shell."""
        return next((name for name in sorted(AGENT_VARIABLES) if self._on(name)), None)

    @property
    def step_summary(self) -> Path | None:
        """The file that GitHub shows as the summary of a step."""
        name = self.variables.get("GITHUB_STEP_SUMMARY", "")
        return Path(name) if name else None

    @property
    def no_color(self) -> bool:
        """Whether colours are unwanted: ``NO_COLOR`` with any text, or a terminal that has none."""
        return bool(self.variables.get("NO_COLOR")) or self.variables.get("TERM") == "dumb"

    def cache_home(self) -> Path:
        """The folder of our caches. A relative ``XDG_CACHE_HOME`` is ignored, as its specification says."""
        named = self.variables.get("XDG_CACHE_HOME", "")
        if named and Path(named).is_absolute():
            return Path(named) / CACHE_NAME
        home = self.variables.get("HOME", "")
        try:
            root = Path(home) if home else Path.home()
        except RuntimeError:
            root = Path()
        if not root.is_absolute():
            raise UsageError("there is no home folder for caches", remedy="set HOME or XDG_CACHE_HOME to a folder")
        return root / ".cache" / CACHE_NAME


def environ() -> Environ:
    """The environment as it is now."""
    return Environ(variables=dict(os.environ))


def is_ci() -> bool:
    """Whether this process runs in continuous integration."""
    return environ().is_ci()


def cache_home() -> Path:
    """The folder of this user's caches; not made here."""
    return environ().cache_home()
