"""Signs only save time: with them and without them, the same spans are found in every text."""

import json
from functools import partial

import pytest
from hypothesis import example, given, settings

from redaction import BALANCED, STRICT
from redaction import scan as module
from redaction.detectors.names import WORDS
from redaction.detectors.pack import RULES
from redaction.detectors.tokens import _find
from redaction.scan import Scanner, merged
from redaction.signs import Signs
from redaction.spread import Known
from redaction.types import Span
from redaction.vocabulary import _LAST
from tests.property.test_redaction_laws import JSON, TEXTS


class Everything(Scanner):
    """Runs every detector on every part of every text."""

    def _look_at(self, text, depth, *, forms):
        detectors = [partial(_find, RULES), *(detector for detector, _ in module._DETECTORS)]
        if self._policy.profile == "strict":
            detectors.append(module.opaque_tokens)
        return module._Look(
            detectors=tuple(detectors) if self._detect else (), names=("",) if self._detect else (), known=True, blobs=True, readings=True
        )

    def _look(self, text, depth):
        return None if module.fold(text) else self._look_at(module.walls(text), depth, forms=True)


def known(values):
    found = Known()
    found.add(Span(0, 0, "password", value) for value in values)
    return found


def same(text, policy, *, values=(), detect=True):
    one = Scanner(known(values), policy, detect=detect, until=float("inf")).scan(text)
    all_ = Everything(known(values), policy, detect=detect, until=float("inf")).scan(text)
    assert merged(text, one) == merged(text, all_)


@pytest.mark.no_cover
@settings(max_examples=400)
@given(TEXTS)
@example("api key: a1b2c3d4e5f6")
@example("?sig=abc1234567890abcdef")
@example("-u jo:hunter2")
def test_texts(text):
    same(text, BALANCED)
    same(text, STRICT)


@pytest.mark.no_cover
@settings(max_examples=400)
@given(JSON)
@example({"API Key": "hunter2hunter2"})
@example({"pässword": "hunter2"})
@example({"x" * 90 + ".password": "hunter2"})
@example({"a": {"!str": [106, 111, 64, 101, 120, 46, 111, 114, 103]}})
def test_json(tree):
    for text in (json.dumps(tree), json.dumps(tree, ensure_ascii=False)):
        same(text, BALANCED)
        same(text, STRICT)


@pytest.mark.no_cover
@given(JSON, TEXTS)
def test_known_values(tree, text):
    values = [part for part in text.split() if len(part) >= 8]
    same(json.dumps([tree, text]), BALANCED, values=values, detect=False)
    same(json.dumps([tree, text]), BALANCED, values=values, detect=True)


def test_a_harmless_text_shows_no_sign():
    text = json.dumps({"id": "cd613e30-d8f1-6adf-91b7-584a2265b1f5", "status": "shipped", "max_tokens": 3, "at": "2026-11-25T10:28:00Z"})
    assert Signs(text).names == ()
    assert not Scanner(Known(), BALANCED, detect=True, until=float("inf"))._look(text, 0).anything()


@pytest.mark.parametrize(
    "name",
    [
        "date of birth",
        "Birth Date",
        "bank account",
        "credit-card",
        "national insurance",
        "driver's license",
        "driving licence",
        "codice fiscale",
        "security answer",
        "seed words",
        "wallet seed",
        "SAML response",
        "laravel session",
        "github oauth",
        "API key",
    ],
)
def test_a_name_of_several_words_is_a_sign(name):
    assert Signs(json.dumps({name: "x", "n": 1})).names == ("",)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_word_in_two_is_a_sign_where_its_last_part_is_a_word_of_its_own(word):
    parts = [last for last in _LAST if word.endswith(last) and len(word) - len(last) > 1]
    for last in parts:
        assert Signs(f'"{word.removesuffix(last)} {last}": "x"').names
