"""64 pairs of texts: the two sides of a divergence, where the difference lies inside, beside or far from a secret."""

import json
from collections.abc import Callable
from functools import partial
from random import Random

from benchmarks.redaction import makers, vendors
from benchmarks.redaction import values as v
from benchmarks.redaction.items import PairItem

Made = tuple[str, str, tuple[str, ...]]

_SPECS = ("github-pat", "pw", "aws-id", "mail")
_FRAMES = {"github-pat": "value", "pw": "password", "aws-id": "id", "mail": "to"}


def _draw(spec: str, rng: Random) -> str:
    return makers.fill(vendors.PREFIXED.get(spec, spec), rng)


def _doc(spec: str, secret: str, **more: object) -> str:
    return json.dumps({_FRAMES[spec]: secret, "n": 1, **more})


def _last_changed(text: str) -> str:
    """The last character replaced by one of the same class, so that the form is kept."""
    last = text[-1]
    first, second = ("2", "3") if last.isdigit() else ("A", "B") if last.isupper() else ("a", "b")
    return text[:-1] + (second if last == first else first)


def _kinds(spec: str, rng: Random) -> dict[str, Made]:
    """Sixteen relations of two sides, for one kind of secret."""
    a, b = _draw(spec, rng), _draw(spec, rng)
    doc = partial(_doc, spec)
    near = _last_changed(a) if spec != "mail" else "x" + a
    return {
        "equal": (doc(a), doc(a), (a,)),
        "different": (doc(a), doc(b), (a, b)),
        "last-character": (doc(a), doc(near), (a, near)),
        "outside": (doc(a, total=1), doc(a, total=1.0), (a,)),
        "before": (doc(a).replace("{", '{"x":1,', 1), doc(a).replace("{", '{"x":2,', 1), (a,)),
        "adjacent": (f"<{doc(a)}>", f"<{doc(a)}}}>", (a,)),
        "one-lacks": (doc(a), json.dumps({_FRAMES[spec]: None, "n": 1}), (a,)),
        "one-empty": (doc(""), doc(a), (a,)),
        "swapped": (f"{doc(a)}\n{doc(b)}", f"{doc(b)}\n{doc(a)}", (a, b)),
        "twice-and-once": (f"{doc(a)}\n{doc(a)}", f"{doc(a)}\n{doc(b)}", (a, b)),
        "other-form": (
            doc(a),
            doc("@@").replace("@@", "".join(f"\\u{ord(c):04x}" for c in a)),
            (a, "".join(f"\\u{ord(c):04x}" for c in a)),
        ),
        "in-base64": (v.b64(doc(a)), v.b64(doc(b)), (v.b64(doc(a))[8:], v.b64(doc(b))[8:])),
        "key-order": (f'{{"n":1,"{_FRAMES[spec]}":"{a}"}}', f'{{"{_FRAMES[spec]}":"{a}","n":1}}', (a,)),
        "white-space": (doc(a), doc(a).replace(": ", ":"), (a,)),
        "longer": (doc(a), doc(a + "Zq9x") if spec != "mail" else doc("zq9" + a), (a,)),
        "class": (f"ValueError: {doc(a)}", f"KeyError: {doc(a)}", (a,)),
    }


def pairs(seed: int) -> list[PairItem]:
    """All of four kinds of secret and sixteen relations."""
    rng = Random(f"{seed}/pairs")
    made = []
    for spec in _SPECS:
        for kind, (baseline, candidate, secrets) in _kinds(spec, rng).items():
            made.append(PairItem(id=f"pair/{spec}/{kind}", kind=kind, baseline=baseline, candidate=candidate, secrets=secrets))
    return made


def kept(item: PairItem, redact: Callable[[str, str], tuple[str, str]]) -> bool:
    """Whether the sides stay equal or different, and no secret stands in them any more."""
    left, right = redact(item.baseline, item.candidate)
    hidden = not any(secret in side for secret in item.secrets for side in (left, right))
    return hidden and (left == right) == (item.baseline == item.candidate)
