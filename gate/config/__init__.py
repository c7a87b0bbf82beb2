"""What one command works with: ``shadow.toml``, flags and the environment, merged into ``Settings``.

The rule: this package is the only reader of ``shadow.toml`` and of environment variables (design, section 5).
Flags win over the file; without a file, flags alone must name everything. pydantic and tomllib are imported only
when there is a file to read. Parts: ``flags`` (what the command line gave), ``find`` (the ``shadow/`` folder and the
checkout), ``load`` (the file, all faults at once; ``schema`` and ``toml_lines`` help), ``merge`` (the ``Settings``),
``stored`` (``Settings`` to and from JSON), ``environ`` (variables), ``words`` (names for messages).
"""

from gate.config.environ import Environ, cache_home, environ, is_ci
from gate.config.find import default_report, find_checkout, find_folder, ledger_paths
from gate.config.flags import Flags
from gate.config.merge import settings
from gate.config.stored import settings_from_json, settings_json
from gate.config.words import nearest, shown

__all__ = [
    "Environ",
    "Flags",
    "cache_home",
    "default_report",
    "environ",
    "find_checkout",
    "find_folder",
    "is_ci",
    "ledger_paths",
    "nearest",
    "settings",
    "settings_from_json",
    "settings_json",
    "shown",
]
