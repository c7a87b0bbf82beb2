"""Rules of the project: ``shadow/canonicalize.py``, functions registered by name for a field, a path and a target.

    from shadow_rules import rule

    @rule("build-id", path="/meta/build", target="normalise")
    def build_id(value):
        return "<build>" if isinstance(value, str) else value

A rule is on by being registered (docs/adr/0021). What is wrong with the file is exit 2, all of it at once; what a
function does wrong later is a ``RuleError`` of the fixture that it was asked about. The functions run in processes of
their own (``rule_process.py``), which are started when there is a file, and asked only about fields that differ.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gate.canonical.paths import found, parse_path, replaced
from gate.canonical.rule_process import Runner, Setup
from gate.canonical.rules import PROJECT_PHASE, Rule, contradiction, known_words, make_rules
from gate.canonical.visible_json import visible_raw
from gate.config.words import did_you_mean, shown
from gate.errors import ProjectRulesError, RuleError
from gate.types import FIELDS, Fault, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from gate.types import Settings

OPTIONS = ("field", "path", "target")
# Fields that are texts or values; the others are names, kinds and codes, which no function may rewrite.
PROJECT_FIELDS = (
    "value",
    "arg",
    "stdout",
    "stderr",
    "exc.msg",
    "exc.chain",
    "warnings",
    "effects.net",
    "effects.files",
    "effects.process",
)
_ONE_TEXT = frozenset({"stdout", "stderr", "exc.msg"})
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_MOST = 60
_EXAMPLE = 'write @rule("build-id", path="/meta/build") above a function of one argument'


@contextmanager
def opened(settings: Settings, file: Path, scratch: Path) -> Iterator[tuple[Rule, ...]]:
    """The rules of ``file``, ready to be applied. Raises ProjectRulesError; the processes end with the context."""
    from gate.environment.interpreters import find_interpreter

    name, source = shown(file), file.read_bytes()
    if sha256(source).hexdigest() != settings.canonicalize:
        raise _whole(name, "was changed since this run was set up", "run `shadow compare` again")
    folder = scratch / "rules"
    folder.mkdir()
    runner = Runner(
        Setup(
            interpreter=find_interpreter(settings.python, near=file.parent.parent).executable,
            name=name,
            source=source,
            folder=folder,
            seconds=settings.limits.seconds,
            memory=settings.limits.memory_mib << 20,
        )
    )
    try:
        yield _rules(runner, name, settings)
    finally:
        runner.close()


def _rules(runner: Runner, name: str, settings: Settings) -> tuple[Rule, ...]:
    """Every rule that the file registered, or all faults of the file at once."""
    said = runner.load()
    read = _Reading(name, runner, settings)
    for at, entry in enumerate(said["rules"]):
        read.take(at, entry)
    failed = said["failed"]
    if failed is not None:
        read.faults.append(Fault(what=failed["what"], place=Place(file=name, line=failed["line"]), remedy=_remedy(failed["what"])))
    if read.faults:
        raise ProjectRulesError(read.faults)
    return tuple(read.rules)


def _remedy(what: str) -> str:
    if "ModuleNotFoundError" in what or "ImportError" in what:
        return "a rule imports the standard library only: what it says must not hang on what is installed"
    return "mend this line; `from shadow_rules import rule` is the only import that is not the standard library's"


def _whole(name: str, what: str, remedy: str) -> ProjectRulesError:
    return ProjectRulesError([Fault(what=what, place=Place(file=name), remedy=remedy)])


class _Reading:
    """Registrations in, rules and faults out."""

    def __init__(self, name: str, runner: Runner, settings: Settings) -> None:
        self.name, self.runner = name, runner
        self.named = make_rules(settings.rules)
        self.targets = [target.name for target in settings.targets]
        self.lines: dict[str, int] = {}
        self.rules: list[Rule] = []
        self.faults: list[Fault] = []

    def take(self, at: int, entry: Mapping[str, Any]) -> None:
        """One call of ``rule``; ``at`` is its number."""
        line = entry["line"]
        problems = [*self._name(entry["names"], line), *self._options(entry["options"]), *self._function(entry)]
        self.faults += [Fault(what=what, place=Place(file=self.name, line=line), remedy=remedy) for what, remedy in problems]
        if not problems:
            self.rules.append(self._made(at, entry))

    def _name(self, names: Sequence[Any], line: int) -> Iterator[tuple[str, str]]:
        if len(names) != 1 or not isinstance(names[0], str):
            yield "a rule has one name, a text", _EXAMPLE
            return
        name = names[0]
        if _NAME.fullmatch(name) is None or len(name) > _MOST:
            yield f"{ascii(name)[:80]} is no name for a rule", f"use lower-case letters, digits and single hyphens, at most {_MOST}"
        elif name in known_words():
            yield f"{name} is a rule that shadow has itself", "give yours another name"
        elif name in self.lines:
            yield f"{name} is the rule of line {self.lines[name]} already", "give each rule a name of its own"
        else:
            self.lines[name] = line

    def _options(self, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        for key, value in options.items():
            if key not in OPTIONS:
                yield f"unknown option {key}", did_you_mean(key, OPTIONS)
            elif not isinstance(value, str) and not (key == "target" and value is None):
                yield f"{key} should be a text", f"found: {value.get('repr') if isinstance(value, dict) else value}"
        field, path, target = options.get("field", "value"), options.get("path", ""), options.get("target")
        if isinstance(field, str) and field not in PROJECT_FIELDS:
            is_field = field in FIELDS
            what = f"no rule speaks about {field}: it is a name, a kind or a code" if is_field else f"{ascii(field)[:80]} is no field"
            yield what, did_you_mean(field, PROJECT_FIELDS)
        if isinstance(path, str) and path and field in _ONE_TEXT:
            yield f"{field} is one text, without places inside", "take `path` out"
        elif isinstance(path, str):
            yield from self._path(path, str(field))
        if isinstance(target, str) and target not in self.targets:
            yield f"there is no target {ascii(target)[:80]}", did_you_mean(target, self.targets)

    def _path(self, path: str, field: str) -> Iterator[tuple[str, str]]:
        try:
            tokens = parse_path(path)
        except ValueError as error:
            yield str(error), "write a JSON pointer, with `*` for any key or index: /items/*/id"
            return
        others = [one for one in self.named if field in one.fields]
        probe = Rule(name=path, fields=frozenset({field}), phase=(0, 0), may=_always, apply=_same, path=tokens)
        if (said := contradiction(probe, others)) is not None:
            yield said.replace("rule ", "the path ", 1), "write `*` for the index"

    def _function(self, entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        if not entry["applied"]:
            yield "this rule has no function", _EXAMPLE
        elif not entry["takes_one"]:
            yield "the function of a rule takes one argument, the value", "def build_id(value): return ..."

    def _made(self, at: int, entry: Mapping[str, Any]) -> Rule:
        name, options = entry["names"][0], entry["options"]
        field, tokens = options.get("field", "value"), parse_path(options.get("path", ""))
        place = Place(file=self.name, line=entry["line"])

        def apply(tree: Any, _text: str, _context: object) -> Any:
            values = found(tree, tokens)
            if not values:
                return tree
            answers = self.runner.ask(at, name, place, values)
            made = replaced(tree, tokens, answers)
            if field.startswith("effects.") and not (isinstance(made, list) and all(isinstance(item, str) for item in made)):
                raise RuleError(f"rule {name} made {visible_raw(made)[:100]} of {field}, which is a list of texts", place=place)
            return made

        return Rule(
            name=name,
            fields=frozenset({field}),
            phase=(PROJECT_PHASE, -len(tokens)),
            may=_always,
            apply=apply,
            path=tokens,
            place=place,
            target=options.get("target"),
            runner=self.runner,
        )


_always: Callable[..., bool] = lambda *_: True  # noqa: E731  # typed as the fields of Rule are
_same: Callable[..., Any] = lambda tree, *_: tree  # noqa: E731
