"""The rules that make two observations comparable, and the function that applies them.

Rule (design, section 6): named, scoped to fields, conservative, each firing counted. Raw is compared first; a rule
only ever speaks about texts that differ, and what it hides is listed as smoothed. Rules run in one fixed order,
whatever the order in the config: texts, the order of keys, then paths (deepest first), of these the order of lists last:
items are put in order by their texts, so these must be settled. So applying all of them twice equals once. Rules of the
project (``project.py``) come behind the rules for texts. Nothing is trimmed by default.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from gate.canonical.paths import MAX_FLOAT_DIGITS, clash, dropped, parse_path, rounded, unordered
from gate.canonical.texts import SIDE_ROOT, TEMP_ROOT, newlines, object_ids, temp_root, trailing_space
from gate.canonical.visible_json import parse, visible, visible_raw
from gate.canonical.walk import fold, has_sets, rewrite_texts, sort_sets, sorted_pairs, tagged
from gate.types import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gate.canonical.paths import Tokens
    from gate.canonical.rule_process import Runner
    from gate.types import Place

PROJECT_PHASE = 4  # behind the rules for texts, before the order of keys
DEFAULT_RULES = ("key-order", "object-ids", "temp-root")

# Texts that targets write. Names of types and variables are no such texts.
# `ok` stands for the text of a SystemExit; a value pinned in an `ok` row has been through the rules for `value`.
_WRITTEN = frozenset({"ok", "value", "arg", "stdout", "stderr", "exc.msg", "exc.chain", "warnings"})


class Context(Value):
    """What a rule may know about the side that it works on. Each side has its own temp root."""

    temp_root: str = ""
    side_root: str = ""
    marks: tuple[str, str] = (TEMP_ROOT, SIDE_ROOT)  # what stands for these two

    def beside(self, *texts: str) -> Context:
        """The same with marks that stand in none of these canonical texts: a target that writes a mark itself is no path of the run's."""
        if not any(mark in text for mark in self.marks for text in texts):
            return self
        more = "'"
        while any(f"{mark[:-1]}{more}>" in text for mark in self.marks for text in texts):
            more += "'"
        temp, side = (f"{mark[:-1]}{more}>" for mark in self.marks)
        return Context(temp_root=self.temp_root, side_root=self.side_root, marks=(temp, side))


class Rule(Value):
    """One rule. ``apply`` takes a tree and its text; ``may`` is a cheap test on the text: False where nothing would change.

    A rule of the project has the ``place`` where it is written, and speaks about one ``target`` or (None) about all; its
    ``runner`` is what asks its function, and can do so for many fixtures at once.
    """

    name: str
    fields: frozenset[str]
    phase: tuple[int, int]
    may: Callable[[str, Context], bool]
    apply: Callable[[Any, str, Context], Any]
    path: Tokens | None = None
    place: Place | None = None
    target: str | None = None
    runner: Runner | None = None


def _texts(name: str, phase: int, mark: str, change: Callable[[str], str]) -> Rule:
    return Rule(
        name=name,
        fields=_WRITTEN,
        phase=(phase, 0),
        may=lambda text, _: mark in text,
        apply=lambda tree, _, __: rewrite_texts(tree, change),
    )


def _roots(context: Context) -> list[str]:
    """The folders that the run made for this side: where it works, and where its code lies."""
    return [root for root in (context.temp_root.rstrip("/"), context.side_root.rstrip("/")) if root]


def _unroot(text: str, context: Context) -> str:
    if context.temp_root:
        text = temp_root(text, context.temp_root.rstrip("/"), context.marks[0])
    return temp_root(text, context.side_root.rstrip("/"), context.marks[1]) if context.side_root else text


_PLAIN = (
    _texts("newlines", 0, "\\r", newlines),
    Rule(
        name="trailing-space",
        fields=_WRITTEN,
        phase=(1, 0),
        may=lambda text, _: " " in text or "\\t" in text,
        apply=lambda tree, _, __: rewrite_texts(tree, trailing_space),
    ),
    _texts("object-ids", 2, " at 0x", object_ids),
    Rule(
        name="temp-root",
        fields=_WRITTEN | {"effects.files", "effects.net", "effects.process"},
        phase=(3, 0),
        may=lambda text, context: any(visible(root)[1:-1] in text for root in _roots(context)),
        apply=lambda tree, _, context: rewrite_texts(tree, lambda text: _unroot(text, context)),
    ),
    Rule(
        name="key-order",
        fields=_WRITTEN,
        phase=(5, 0),
        may=lambda text, _: "{" in text,
        apply=lambda tree, text, _: _sort_keys(tree, text),
    ),
)
_NAMED = {rule.name: rule for rule in _PLAIN}
_ORDERED = '["collections.OrderedDict",'
_PATH_FORMS = {"unordered": "unordered:<path>", "float": "float:<digits>:<path>", "drop": "drop:<path>"}


def make_rules(names: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of a config, in the order in which they are applied. Unknown or malformed: ``ValueError`` that says what is known."""
    made = [_NAMED[name] if name in _NAMED else _path_rule(name) for name in dict.fromkeys(names)]
    for rule in made:
        if (said := contradiction(rule, made)) is not None:
            raise ValueError(said)
    return in_order(made)


def in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """In the order in which they are applied."""
    return tuple(sorted(rules, key=lambda rule: (rule.phase, rule.name)))


def contradiction(rule: Rule, others: Iterable[Rule]) -> str | None:
    """Why a rule cannot be used beside the others; None where it can."""
    for first in others:
        if first.name.startswith("unordered:") and first.path is not None and rule.path and clash(first.path, rule.path):
            return f"rule {rule.name!r} names a place in the list that {first.name!r} puts in order; use * there"
    return None


def _path_rule(name: str) -> Rule:
    kind, _, rest = name.partition(":")
    if kind not in _PATH_FORMS or kind == name:
        raise ValueError(f"unknown rule {name!r}; the nearest is {_nearest(name)}")
    digits, path = 0, rest
    if kind == "float":
        count, colon, path = rest.partition(":")
        digits = int(count) if count.isascii() and count.isdigit() and len(count) < 4 else 0
        if not colon or not 1 <= digits <= MAX_FLOAT_DIGITS:
            raise ValueError(f"rule {name!r} must read {_PATH_FORMS[kind]} with 1 to {MAX_FLOAT_DIGITS} significant digits")
    try:
        tokens = parse_path(path)
    except ValueError as error:
        raise ValueError(f"rule {name!r} must read {_PATH_FORMS[kind]}: {error}") from None
    if kind == "drop" and not tokens:
        raise ValueError(f"rule {name!r} would drop the whole value, and then nothing is compared; name a path below it")
    apply: dict[str, Callable[[Any, str, Context], Any]] = {
        "drop": lambda tree, _, __: dropped(tree, tokens),
        "float": lambda tree, _, __: rounded(tree, tokens, digits),
        "unordered": lambda tree, _, __: unordered(tree, tokens),
    }
    phase = (6 + ["drop", "float", "unordered"].index(kind), -len(tokens))
    return Rule(name=name, fields=frozenset({"value"}), phase=phase, may=lambda _, __: True, apply=apply[kind], path=tokens)


def known_words() -> frozenset[str]:
    """Names and beginnings of names that rules of the project may not have."""
    return frozenset(_NAMED) | frozenset(_PATH_FORMS)


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    known = [*_NAMED, *_PATH_FORMS.values()]
    close = get_close_matches(name, known, n=1, cutoff=0.4) or get_close_matches(name.partition(":")[0], list(_PATH_FORMS), n=1)
    return _PATH_FORMS.get(close[0], close[0]) if close else "one of " + ", ".join(known)


def _sort_keys(tree: Any, text: str) -> Any:
    """Every object's keys in order; the pairs of a ``!dict`` by canonical text. Lists and tuples are never touched.

    An ``OrderedDict`` has an order that ``==`` looks at: it becomes its pairs, in their order.
    """
    if _ORDERED in text:
        tree = fold(tree, lambda scalar: scalar, _protected_node)
        tree = fold(tree, lambda scalar: scalar, _sorted_node)
        return fold(tree, lambda scalar: scalar, _unprotected_node)
    if '"!dict"' in text:
        return fold(tree, lambda scalar: scalar, _sorted_node)
    in_order = visible(tree)
    return tree if in_order == text else parse(in_order)  # a round trip through C beats a walk in Python


def _sorted_node(here: Any, items: list[Any]) -> Any:
    if isinstance(here, list):
        return items
    made = dict(sorted(zip(here, items, strict=True), key=itemgetter(0)))
    if tagged(made) == "!dict" and isinstance(made["!dict"], list):
        made["!dict"] = sorted_pairs(made["!dict"])
    return made


def _protected_node(here: Any, items: list[Any]) -> Any:
    if isinstance(here, list):
        return items
    made = dict(zip(here, items, strict=True))
    inner = made.get("!sub")
    if tagged(made) == "!sub" and isinstance(inner, list) and len(inner) > 1 and inner[0] == "collections.OrderedDict":
        tag = tagged(inner[1])
        pairs = [list(pair) for pair in inner[1].items()] if tag is None and isinstance(inner[1], dict) else None
        pairs = inner[1]["!dict"] if tag == "!dict" else pairs
        return made if pairs is None else {"!sub": [inner[0], {"!ordered": pairs}, *inner[2:]]}
    return made


def _unprotected_node(here: Any, items: list[Any]) -> Any:
    if isinstance(here, list):
        return items
    made = dict(zip(here, items, strict=True))
    return {"!dict": made["!ordered"]} if tagged(made) == "!ordered" else made


def raw(tree: Any) -> tuple[Any, str]:
    """The tree and its text in the form in which raw observations are compared: sets have no order, objects keep theirs."""
    text = visible_raw(tree)
    if not has_sets(text):
        return tree, text
    tree = sort_sets(tree)
    return tree, visible_raw(tree)


def apply_rules(tree: Any, text: str, field: str, rules: Sequence[Rule], context: Context) -> tuple[Any, str, tuple[str, ...]]:
    """``canonicalise`` for a tree and text that ``raw`` made; the canonical text comes back too."""
    fired: list[str] = []
    for rule in rules:
        if field not in rule.fields or not rule.may(text, context):
            continue
        changed = rule.apply(tree, text, context)
        if changed is tree:
            continue
        changed, new_text = raw(changed)
        if new_text != text:
            tree, text = changed, new_text
            fired.append(rule.name)
    return tree, text, tuple(fired)


def canonicalise(tree: Any, field: str, rules: Sequence[Rule], context: Context) -> tuple[Any, tuple[str, ...]]:
    """The tree after the rules for this field, and the names of those that changed it, in the order applied.

    Its canonical text is ``visible_raw`` of it: with ``key-order`` its keys are in order, without they stay as given.
    """
    made, _, fired = apply_rules(*raw(tree), field, rules, context)
    return made, fired
