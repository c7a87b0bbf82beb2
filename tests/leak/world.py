"""A project full of canaries: in fixtures, what its code returns, raises and prints, ids, paths, variables and `.env` files.

Only canaries that redaction hides by itself in the form in which they stand are planted: whether it finds them is asked by
`test_cases`, and here, whether every way out leads through it.
"""

import json
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from redaction import Policy, Scope
from tests.e2e.command import EMPTY, environment, repository, write
from tests.leak.canaries import KINDS, word
from tests.leak.carriers import CARRIERS
from tests.leak.forms import CUTS, FORMS
from tests.leak.holds import why_not
from tests.leak.oracle import PIECE, shown

PLAY = Path(__file__).with_name("play.py")
# The modes in which a fixture's text comes out of the two sides of a project.
TARGET = """
import os, sys

def run(p):
    text, other, how = p["text"], p.get("other"), p["how"]
    if how == "both":
        return {"text": text, "n": SIDE}
    if how == "one":
        return {"text": text if SIDE == 1 else None}
    if how == "difference":
        return text if SIDE == 1 else other
    if how == "raise":
        local = text
        raise (ValueError if SIDE == 1 else KeyError)(local)
    if how == "chain":
        try:
            raise ValueError(text)
        except ValueError as error:
            raise (RuntimeError if SIDE == 1 else LookupError)(other) from error
    if how == "print":
        print(text, SIDE)
        print(other, SIDE, file=sys.stderr)
        return None
    if how == "key":
        return {text: SIDE}
    return [text, other][::SIDE]
"""
HOW = ("both", "one", "difference", "raise", "chain", "print", "key", "list")
SHORT = ("aws-key-id", "mailgun-key", "slack-token", "npm-token", "stripe-key", "groq-key", "vault-token", "figma-token")
VARIABLES = ("SERVICE_API_TOKEN", "DB_PASSWORD", "SIGNING_SECRET", "MAIL_PASSWORD", "QUEUE_AUTH_TOKEN", "DEPLOY_SECRET_KEY")


@dataclass(slots=True)
class World:
    """``secrets`` are all that was planted. ``env`` is what a shell here would have: some of them stand in its variables."""

    root: Path
    secrets: tuple[str, ...]
    env: dict[str, str]
    known: dict[str, str]
    texts: tuple[str, ...]
    tokens: tuple[str, ...]  # some that are words, fit for names of files
    signed: int = 3  # rows in a sign-off

    def run(self, *arguments, **more):
        """What a command prints, in CI unless `CI=""` is given."""
        env = self.env | {"CI": "true"} | more
        done = subprocess.run(
            [sys.executable, PLAY, *map(str, arguments)],
            cwd=self.root,
            env={name: value for name, value in env.items() if value},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return done.stdout + b"\n" + done.stderr

    def temporary(self):
        return self.root / "tmp"


def _planted(rng):
    """A canary of every kind in some form, with the text in which it stands."""
    carriers = ("json value", "log line", "exception", "environment", "markdown", "yaml", "sql", "json in json")
    forms = [form for form in FORMS if form not in CUTS]
    for number, make in enumerate(KINDS.values()):
        canary = make(rng)
        if canary.family == "exact" or min(map(len, canary.secrets)) < PIECE:
            continue
        carrier = CARRIERS[carriers[number % len(carriers)]]
        for form in (forms[number % len(forms)], "plain"):
            written = FORMS[form](canary.text, rng)
            text = carrier.wrap(written, canary.name or "note", rng)
            asked = SimpleNamespace(canary=canary, carrier=carrier, form=form, profile="strict", written=written)
            hidden = shown(canary.secrets, Scope((text,), policy=Policy()).redact(text).text) is None
            if hidden and why_not(asked) is None:
                yield canary.secrets, text
                break


def build(root, *, seed, rng_kinds=("github-token", "gitlab-token", "npm-token")):
    """A repository with a baseline in its history and a candidate on top, and everything planted."""
    rng = random.Random(seed)
    planted = list(_planted(rng))
    known = {name: f"{word(rng)}-{word(rng)}-{word(rng)}" for name in VARIABLES}
    named = [KINDS[kind](rng) for kind in rng_kinds]
    # The first of each cause is the example that a screen shows, in few characters: there the secret is all of the text.
    short = [KINDS[kind](rng) for kind in SHORT]
    planted[:0] = [(one.secrets, one.text) for one in short]
    secrets = [secret for some, _ in planted for secret in some] + [*known.values()] + [one.secrets[0] for one in named]
    texts = [text for _, text in planted] + [f"a {value} of the machine" for value in known.values()]
    corpus = {}
    for number, text in enumerate(texts):
        other = texts[(number + 1) % len(texts)]
        corpus[f"{number:03}.json"] = json.dumps({"how": HOW[number % len(HOW)], "text": text, "other": other})
    for number, one in enumerate(named):  # ids are paths
        corpus[f"{one.text}/{number}.json"] = json.dumps({"how": "both", "text": "plain"})
    names = list(known)
    write(root, {"b/m.py": "SIDE = 1\n" + TARGET, "c/m.py": "SIDE = 2\n" + TARGET, "ledger.yaml": EMPTY, ".gitignore": ".env\n"})
    repository(root, {f"corpus/{name}": text for name, text in corpus.items()})
    write(root, {".env": "".join(f"{name}={known[name]}\n" for name in names[3:])})
    env = environment(root) | {"TMPDIR": str(root / "tmp"), "HOME": str(root / "home")}
    for folder in ("tmp", "home"):
        (root / folder).mkdir()
    here = {name: known[name] for name in names[:3]}
    told = {"texts": tuple(texts), "tokens": tuple(one.text for one in (*short, *named))}
    return World(root=root, secrets=tuple(dict.fromkeys(secrets)), env=env | here, known=here, **told)


def files_below(folder):
    """Every byte of every file."""
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def clean(folder):
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def has(path):
    return path.read_bytes() if path.exists() else b""
