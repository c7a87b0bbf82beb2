"""Tests of the leak test: each rule and each detector taken out of redaction is noticed.

A copy of the package is imported with one rule less, so it does not matter which of its modules read the table, and when.
Looked at in the profile `balanced`, where no long word is hidden only because it says nothing.
"""

import importlib
import importlib.abc
import importlib.machinery
import random
import sys
from contextlib import contextmanager

import pytest

from redaction.detectors.pack import RULES
from tests.leak.canaries import ALNUM, DIGITS, KINDS, iban, mixed, some
from tests.leak.carriers import CARRIERS
from tests.leak.cases import make
from tests.leak.oracle import shown

pytestmark = pytest.mark.no_cover

PLACES = ("json value", "json in json", "exception", "log line", "markdown", "yaml")


class Changed(importlib.abc.MetaPathFinder):
    """Imports one module of redaction with a change that is made before any other module sees it."""

    def __init__(self, module, change):
        self.module, self.change = module, change

    def find_spec(self, name, path, target=None):
        if name != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        run = spec.loader.exec_module
        spec.loader.exec_module = lambda module: (run(module), self.change(module))
        return spec


@contextmanager
def another_redaction(module="", change=None):
    """The package imported anew, with one of its modules changed."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "redaction"}
    finder = Changed(module, change)
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module("redaction")
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] == "redaction"]:
            del sys.modules[name]
        sys.modules.update(kept)


def without_rule(rule_id):
    def change(pack):
        # Its kind stays: where a kind is missing, redaction closes, and nothing at all would be shown.
        pack.RULES = tuple(rule._replace(pattern="(?!)") if rule.id == rule_id else rule for rule in pack.RULES)

    return "redaction.detectors.pack", change


def leaks_of(package, kind):
    """In which places a canary of that kind shows."""
    found = []
    for place in PLACES:
        canary = KINDS[kind](random.Random(f"{kind}:{place}"))
        text = CARRIERS[place].wrap(canary.text, "note", random.Random(place))
        if shown(canary.secrets, package.redact_text(text, policy=package.BALANCED).text) is not None:
            found.append(place)
    return found


@pytest.mark.parametrize("rule_id", [rule.id for rule in RULES])
def test_a_rule_that_is_taken_out_is_missed(rule_id):
    text = f"x {KINDS[rule_id](random.Random(1)).text} y"
    with another_redaction() as package:
        assert leaks_of(package, rule_id) == []
        whole = package.redact_text(text, policy=package.BALANCED).text
    with another_redaction(*without_rule(rule_id)) as package:
        # Where another rule or detector covers it as well, it goes by another kind or shows its head: that is missed too.
        assert leaks_of(package, rule_id) or package.redact_text(text, policy=package.BALANCED).text != whole


# The detectors of redaction.scan, each with a kind whose canaries nothing else finds, and the form that needs it.
DETECTORS = {
    "addresses": ("redaction.detectors.addresses", "addresses", "postgres url", "json value", "plain"),
    "assignments": ("redaction.detectors.assignments", "assignments", "connection string", "log line", "plain"),
    "blobs": ("redaction.detectors.blobs", "blobs", "github-token", "json value", "base64"),
    "headers": ("redaction.detectors.headers", "headers", "bearer", "log line", "plain"),
    "markup": ("redaction.detectors.markup", "markup", "element", "json value", "plain"),
    "opaque_tokens": ("redaction.detectors.opaque", "opaque_tokens", "github-token", "markdown", "cut head"),
    "identities": ("redaction.detectors.identities", "identities", "national number", "log line", "plain"),
    "pem_tails": ("redaction.detectors.pem", "pem_tails", "private-key", "json value", "cut head"),
    "statements": ("redaction.detectors.statements", "statements", "statement", "log line", "plain"),
    "tables": ("redaction.detectors.tables", "tables", "table", "json value", "plain"),
    "personal": ("redaction.detectors.personal", "personal", "e-mail", "exception", "plain"),
    "prose": ("redaction.detectors.prose", "prose", "netrc", "json value", "plain"),
    "names of JSON": ("redaction.structure", "kind_of_name", "passphrase", "json list", "plain"),
    "services": ("redaction.detectors.services", "services", "service key", "log line", "plain"),
    "spread": ("redaction.spread", "Known.search", "passphrase", "json value", "elsewhere"),
    "fold": ("redaction.views", "fold", "github-token", "json value", "zero width"),
    "line ends": ("redaction.views", "BREAK", "github-token", "json value", "split"),
}

# Those that need a text of their own around the value, and the text that nothing else hides. Some are parts of `apart`.
APART = {
    "apart": ("redaction.detectors.late", "apart", "password:\n  SECRET\n"),
    "compared": ("redaction.detectors.compared", "compared", "if password !== 'SECRET':"),
    "below": ("redaction.detectors.below", "below", "password:\n  SECRET\n"),
    "defaults": ("redaction.detectors.defaults", "defaults", "process.env.DB_PASSWORD || 'SECRET'"),
    "drawn": ("redaction.detectors.drawn", "drawn", " user | password\n------+----------\n jo   | SECRET\n"),
    "dumps": ("redaction.detectors.dumps", "dumps", 's:8:"password";s:16:"SECRET";'),
    "abroad": ("redaction.detectors.late", "abroad", "ваш пароль SECRET"),
    "calls": ("redaction.detectors.late", "calls", "HTTPBasicAuth('jo', 'SECRET')"),
    "codes": ("redaction.detectors.late", "codes", "your code is FIGURES"),
    "commands": ("redaction.detectors.late", "commands", "sshpass -p SECRET ssh h"),
    "dialled": ("redaction.detectors.late", "dialled", "ring 0170 1FIGURES"),
    "small_ibans": ("redaction.detectors.personal", "small_ibans", "to IBAN"),
}


def test_all_detectors_of_the_scan_are_in_that_table():
    import redaction.scan

    held = {name for name, value in vars(redaction.scan).items() if getattr(value, "__module__", "").startswith("redaction.detectors.")}
    helpers = {"secret_parts", "says_abroad", "finder", "tokens", "split_tokens", "Signs"}  # `finder`: the rules, each tested above
    assert held - helpers <= set(DETECTORS) | set(APART)


def hidden(package, kind, place, form, seed):
    """Whether a canary of that kind does not show."""
    from tests.leak.forms import FORMS

    rng = random.Random(f"{kind}:{seed}")
    canary = KINDS[kind](rng)
    policy = package.STRICT if kind == "github-token" and form == "cut head" else package.BALANCED
    written = canary.text if form == "elsewhere" else FORMS[form](canary.text, rng)
    text = CARRIERS[place].wrap(written, canary.name or "note", rng)
    other = f"and then {canary.text} was said" if form == "elsewhere" else ""
    scope = package.Scope((text, other), policy=policy)
    return all(shown(canary.secrets, scope.redact(one).text) is None for one in (text, other))


def nothing(*_, **__):
    return iter(())


INSTEAD = {"BREAK": "(?!)", "fold": lambda _: None, "kind_of_name": lambda _: None}


def without(module, name):
    def change(found):
        owner, _, leaf = name.rpartition(".")
        setattr(getattr(found, owner) if owner else found, leaf, INSTEAD.get(name, nothing))

    return module, change


@pytest.mark.parametrize(("module", "name", "kind", "place", "form"), DETECTORS.values(), ids=DETECTORS)
def test_a_detector_that_is_taken_out_is_missed(module, name, kind, place, form):
    seeds = range(12)
    with another_redaction() as package:
        whole = [hidden(package, kind, place, form, seed) for seed in seeds]
    with another_redaction(*without(module, name)) as package:
        less = [hidden(package, kind, place, form, seed) for seed in seeds]
    assert sum(whole) > sum(less), (whole, less)


@pytest.mark.parametrize(("module", "name", "text"), APART.values(), ids=APART)
def test_one_that_needs_its_own_text_is_missed_too(module, name, text):
    rng = random.Random(name)
    secrets = {"SECRET": mixed(rng, ALNUM, 16), "FIGURES": "4" + some(rng, DIGITS, 5), "IBAN": iban(rng).lower()}
    mark = next(mark for mark in secrets if mark in text)
    with another_redaction() as package:
        assert secrets[mark] not in package.redact_text(text.replace(mark, secrets[mark]), policy=package.BALANCED).text
    with another_redaction(*without(module, name)) as package:
        assert secrets[mark] in package.redact_text(text.replace(mark, secrets[mark]), policy=package.BALANCED).text


def test_a_new_rule_is_a_kind_of_canary_from_its_first_day():
    assert {rule.id for rule in RULES} <= set(KINDS)
    assert all(make(1, index)[0].canary.rule in RULES for index in range(200) if make(1, index)[0].canary.rule)
