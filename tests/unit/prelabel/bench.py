"""A report over a real corpus and ledger with both sides played by a function, and a person who answers from a script."""

import hashlib
import json

from gate.config import settings_json
from gate.ledger.read import read_ledger
from gate.report.model import COUNT_KEYS, Entry, Report
from gate.types import Comparison, Divergence, Pin, Settings, Target
from gate.verdict import fingerprint
from prelabel.session import Session
from prelabel.signoff import adviser
from prelabel.work import plan

ADA = "Ada Example <ada@example.org>"
REASON = "the SQL layer binds both alike"
EMPTY = "# ours\nversion: 1\nentries: []\n"
ROWS = (
    ("003_nested_null.json", "value", '{"a":null}', '{"a":[]}'),
    ("004_boom.json", "exc.type", '"ValueError"', '"AssertionError"'),
    ("005_plain.json", "value", '"a"', '"b"'),
)


class Person:
    """Answers questions from a list; a callable is called, an exception raised. Every answer says which question it expects."""

    height = 24

    def __init__(self, *answers, width=400):
        self.answers, self.said, self.width = list(answers), [], width

    @property
    def text(self):
        return "\n".join(self.said)

    def say(self, text=""):
        self.said.append(text)

    def ask(self, prompt):
        self.said.append(prompt)
        if not self.answers:
            raise AssertionError(f"nobody answers: {prompt}")
        expected, answer = self.answers.pop(0)
        assert expected in prompt, (expected, prompt)
        if isinstance(answer, type) and issubclass(answer, BaseException):
            raise answer
        return answer


NAME = ("Type the name", "Ada Example")
WRITE = ("Type write", "write")


def accept(reason=REASON, category="1"):
    return [("decide", "a"), ("why accept", reason), ("keep", "k"), *([("category", category)] if category else [])]


def reject(reason="no: callers break", category="1"):
    return [("decide", "r"), ("why reject", reason), ("keep", "k"), *([("category", category)] if category else [])]


class Bench:
    """A report over a real corpus and ledger, with both sides played by a function."""

    def __init__(self, root, rows=ROWS, ledger=EMPTY, parts=False):
        self.root, self.rows = root, rows
        (root / "corpus").mkdir()
        digests = {}
        for name, *_ in rows:
            if not name.startswith("@"):
                data = b'{"a": 1}'
                (root / "corpus" / name).write_bytes(data)
                digests[name] = hashlib.sha256(data).hexdigest()
        self.ledger = root / "delta_ledger.yaml"
        self.ledger.write_text(ledger, encoding="utf-8")
        if parts:
            (root / "delta_ledger.d").mkdir()
        self.settings = Settings(
            baseline=Pin(kind="git", value="1" * 40),
            candidate=Pin(kind="tree", value=""),
            corpus=root / "corpus",
            ledger=self.ledger,
            ledger_folder=root / "delta_ledger.d",
            report=root / "out" / "report.json",
            targets=(Target(name="t", entry="pkg.mod:run"),),
            require="named",
        )
        self.divergences = [
            Divergence(id=name, field=field, baseline=baseline, candidate=candidate, fixture_sha256=digests.get(name))
            for name, field, baseline, candidate in rows
        ]
        entries = tuple(
            Entry(
                id=d.id,
                field=d.field,
                baseline=d.baseline,
                candidate=d.candidate,
                verdict="unclassified",
                fingerprint=fingerprint(d),
                fixture_sha256=d.fixture_sha256,
                row=None,
                reason=None,
                paths=(),
            )
            for d in self.divergences
        )
        counts = dict.fromkeys(COUNT_KEYS, 0) | {"fixtures": len(rows), "diverging": len(rows), "unclassified": len(rows)}
        self.report = Report(
            passed=False,
            counts=counts,
            baseline={},
            candidate={},
            corpus={},
            canonical={},
            config={},
            trust={},
            divergences=entries,
            run={"settings": settings_json(self.settings), "command": ["shadow", "compare"]},
        )
        self.asked = []

    def rerun(self, settings, ids):
        self.asked.append(list(ids))
        return {
            name: Comparison(id=name, status="diverging", divergences=tuple(d for d in self.divergences if d.id == name)) for name in ids
        }

    def sit(self, *answers, rerun=None, as_name=ADA, width=400):
        person = Person(*answers, width=width)
        session = Session(
            screen=person,
            work=plan(self.report, self.settings.report),
            report=self.report,
            advise=adviser(self.report),
            rerun=rerun or self.rerun,
        )
        code = session.run(as_name=as_name, cwd=self.root)
        assert person.answers == []
        return code, person

    def read(self):
        return read_ledger(self.ledger, self.settings.ledger_folder).rows

    def records(self):
        return [json.loads(path.read_text()) for path in sorted((self.root / "out" / "shadow-out" / "sittings").glob("*.json"))]
