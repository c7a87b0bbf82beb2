"""Wire records by hand, and what `compare` makes of two of them."""

import json

from gate.canonical.rules import DEFAULT_RULES, Context, make_rules
from gate.compare import compare
from gate.types import GATED, Fixture, Wire

ROOTS = ("/tmp/shadow-x/baseline/tmp", "/tmp/shadow-x/candidate/tmp")
FIXTURE = Fixture(id="a.json", payload=b"1", sha256="ab" * 32, kind="json")


def wire(record, stdout=b"", stderr=b""):
    raw = record if isinstance(record, bytes) else (record if isinstance(record, str) else json.dumps(record)).encode()
    return Wire(record=raw, stdout=stdout, stderr=stderr)


def run(baseline, candidate, *, rules=DEFAULT_RULES, gated=GATED):
    left, right = (side if isinstance(side, Wire) else wire(side) for side in (baseline, candidate))
    contexts = (Context(temp_root=ROOTS[0]), Context(temp_root=ROOTS[1]))
    return compare(fixture=FIXTURE, baseline=left, candidate=right, rules=make_rules(rules), gated=frozenset(gated), contexts=contexts)


def returned(value, kind="builtins.x", **more):
    return {"out": "returned", "value": value, "type": kind, **more}


def raised(kind="ValueError", msg="bad", module="builtins", **more):
    return {"out": "raised", "exc": {"type": kind, "module": module, "msg": msg}, **more}


def rows(listed):
    return [(row.field, row.baseline, row.candidate) for row in listed]
