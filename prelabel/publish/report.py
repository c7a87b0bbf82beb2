"""A report as everybody may read it: the same values, with every text of the target, the corpus and this machine redacted.

One scope for each divergence, as everywhere; one more for all that names or explains (ids, notices, causes, rows, sides, the run),
so that different ids stay different and a notice names a fixture by the same placeholder. Facts stay: verdicts, counts, fields,
fingerprints. Folders of this machine become ``<project>``, ``<home>`` or ``<machine>``; how to run it again (``run.settings``) and
digests of fixtures are left out. Source: design, sections 9 and 12.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import redaction
from gate.report import causes
from gate.report.write import LISTS, OBJECTS
from gate.types import replace
from prelabel.publish.names import public_names
from prelabel.publish.release import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.report.model import Entry, Report
    from redaction import Policy, Redacted

_LINE = re.compile(r" line \d+$")
_FOLDERS = re.compile(r"(?<![\w./<>])/(?:[^/\s\"':]+/)+")
_OF_TARGET = frozenset({"baseline", "candidate", "paths"})
_CUT = "\u2026"
_EXPLAINS = frozenset({"cause", "why", "row"})


def public_report(report: Report, policy: Policy, *, home: str = "") -> Report:
    """``home`` is the user's home folder, empty where it has none."""
    placed = _placer(report, home)
    objects = {key: _tree(getattr(report, key), placed.machine) for key in OBJECTS}
    run = {key: _tree(value, placed.machine) for key, value in report.run.items() if key != "settings"}
    lists = {key: [_placed(item, placed.project) for item in getattr(report, key)] for key in LISTS}
    notices = [placed.project(notice) for notice in report.notices]
    ids = [entry.id for entry in report.divergences]
    names = public_names([*_leaves([objects, run]), *ids, *(text for key in LISTS for text in _named_texts(lists[key])), *notices], policy)
    named = names.__getitem__
    return replace(
        report,
        divergences=tuple(replace(public_entry(entry, policy), id=named(entry.id), fixture_sha256=None) for entry in report.divergences),
        notices=tuple(map(named, notices)),
        run=_tree(run, named),
        redacted=True,
        **{key: tuple(_item(item, named, policy) for item in lists[key]) for key in LISTS},
        **{key: _tree(value, named) for key, value in objects.items()},
    )


def public_entry(entry: Entry, policy: Policy) -> Entry:
    """One divergence, all its texts in one scope."""
    texts = _Texts(policy, [entry.id, entry.baseline, entry.candidate, entry.row, entry.reason, entry.near, entry.why], entry.paths)
    public = replace(
        entry,
        id=texts(entry.id),
        baseline=texts(entry.baseline),
        candidate=texts(entry.candidate),
        row=texts.maybe(entry.row),
        reason=texts.maybe(entry.reason),
        near=texts.maybe(entry.near),
        why=texts(entry.why),
        paths=tuple(map(texts.path, entry.paths)),
    )
    texts.check()
    return public


def public_change(path: str, policy: Policy) -> str:
    """One changed place by itself, as in an entry."""
    texts = _Texts(policy, (), (path,))
    shown = texts.path(path)
    texts.check()
    return shown


class _Texts:
    """The texts of one scope, raw to redacted."""

    def __init__(self, policy: Policy, texts: Iterable[str | None], paths: Iterable[str]) -> None:
        self._policy = policy
        changes = [change for change in map(causes.split, paths) if change is not None]
        self._raw = [text for text in texts if text is not None]
        self._raw += [text for change in changes for text in change] + [path for path in paths if causes.split(path) is None]
        self._scope = redaction.Scope(self._raw, policy=policy)
        self._out: list[Redacted] = []
        for pointer, left, right in changes:  # what stands at a name that says so is secret in the other texts too
            for side in (left, right):
                self._at(side, pointer)

    def __call__(self, text: str) -> str:
        return self._at(text, "")

    def _at(self, text: str, pointer: str) -> str:
        out = self._scope.redact(text, at=_LINE.sub("", pointer))
        self._out.append(out)
        return out.text

    def maybe(self, text: str | None) -> str | None:
        """The same; None stays."""
        return None if text is None else self(text)

    def path(self, path: str) -> str:
        """A changed place, each part by itself: what its pointer names is secret on both sides."""
        change = causes.split(path)
        if change is None:
            return self(path) if _CUT not in path else _CUT
        pointer, left, right = change
        if _CUT in left + right:  # cut before anything was hidden in it: what is left of a secret has no shape. The whole texts stand above
            left = right = _CUT
        at, shown = ("", _CUT) if _CUT in pointer else (pointer, self(pointer))
        whole = f"{shown}: {self._at(left, at)} -> {self._at(right, at)}"
        # Beside each other both sides may read like a secret that was handed over: then the place alone is named.
        return f"{shown}: {_CUT} -> {_CUT}" if redaction.finds(whole, policy=self._policy) else whole

    def check(self) -> None:
        """The last look with the raw texts at hand, where anything was hidden at all."""
        if any(out.kinds for out in self._out):
            check([out.text for out in self._out], "report", policy=self._policy, raw=self._raw)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)


def _tree(value: Any, change: Callable[[str], str]) -> Any:
    """The same with every text and name changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): _tree(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_tree(inner, change) for inner in value]
    return value


def _placed(item: Mapping[str, Any], project: Callable[[str], str]) -> dict[str, Any]:
    """An entry of a list, folders taken out of what explains; an id is no path of this machine."""
    return {key: project(value) if key in _EXPLAINS and isinstance(value, str) else value for key, value in item.items()}


def _named_texts(items: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for item in items:
        yield from _leaves({key: value for key, value in item.items() if key not in _OF_TARGET})


def _item(item: Mapping[str, Any], named: Callable[[str], str], policy: Policy) -> dict[str, Any]:
    """An entry of another list; what it holds of the target's texts is a scope of its own."""
    texts = _Texts(policy, [item[key] for key in ("baseline", "candidate") if key in item], item.get("paths") or ())
    out: dict[str, Any] = {}
    for key, value in item.items():
        if key == "paths":
            out[key] = [texts.path(path) for path in value]
        else:
            out[key] = texts(value) if key in _OF_TARGET else _tree(value, named)
    texts.check()
    return out


class _Placer(NamedTuple):
    """Takes folders out of texts: ``project`` those of the project and the home, ``machine`` those of all absolute paths."""

    roots: Mapping[str, str]

    def project(self, text: str) -> str:
        for root, name in self.roots.items():
            text = re.sub(re.escape(root) + r"(?![\w.-])", name, text)
        return text

    def machine(self, text: str) -> str:
        return _FOLDERS.sub("<machine>/", self.project(text))


def _placer(report: Report, home: str) -> _Placer:
    settings = report.run.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    folder, checkout = settings.get("folder"), settings.get("checkout")
    roots = {os.path.dirname(folder): "<project>"} if folder else {}  # noqa: PTH120  # a text of a file, whatever machine wrote it
    roots |= {checkout: "<project>"} if checkout and not roots else {checkout: "<checkout>"} if checkout and checkout not in roots else {}
    roots |= {home.rstrip("/"): "<home>"}
    return _Placer({root: name for root, name in sorted(roots.items(), key=lambda one: -len(one[0])) if len(root) > 1})
