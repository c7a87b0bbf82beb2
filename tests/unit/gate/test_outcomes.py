"""How two outcomes become one status: outcome rows, limits, faults and trivial fixtures."""

import pytest

from tests.unit.gate.comparing import ROOTS, raised, returned, rows, run, wire

BASE = returned(1)
OUTCOMES = [
    (returned({"a": None}), '{"returned":{"a":null}}'),
    (raised("BadThing", module="pkg.errors"), '{"raised":"pkg.errors.BadThing"}'),
    ({"out": "exited", "code": 1}, '{"exited":1}'),
    ({"out": "exited", "code": 0}, '{"exited":0}'),
    ({"out": "exited", "code": None}, '{"exited":null}'),
    ({"out": "exited", "code": "no\u200b input"}, '{"exited":"no\\u200b input"}'),
    ({"out": "exited", "code": 1, "hard": True}, '{"exited":{"by":"os._exit","code":1}}'),
    ({"out": "signalled", "signal": "SIGSEGV"}, '{"signalled":"SIGSEGV"}'),
    ({"out": "signalled", "signal": "SIGKILL"}, '{"signalled":"SIGKILL"}'),
    ({"out": "timed_out"}, '{"timed_out":true}'),
    ({"out": "over", "limit": "memory"}, '{"over":"memory"}'),
    ({"out": "over", "limit": "output"}, '{"over":"output"}'),
]


NAMES = [shown.replace("\\", "") for _, shown in OUTCOMES]  # pytest escapes backslashes again at each collection in one process


@pytest.mark.parametrize(("candidate", "right"), OUTCOMES, ids=NAMES)
@pytest.mark.parametrize(("baseline", "left"), OUTCOMES, ids=NAMES)
def test_outcomes_of_two_kinds_make_one_row(baseline, left, candidate, right):
    cut = any(side["out"] in {"signalled", "timed_out", "over"} for side in (baseline, candidate))
    result = run(wire({**baseline, "arg": [1], "env": ["A"]}, b"x", b"y"), wire({**candidate, "env": ["B"]}, b"z", b"w"))
    if left != right:
        beside = [] if cut else [("stdout", '"x"', '"z"'), ("effects.env", '["A"]', '["B"]')]
        assert rows(result.divergences) == [("ok", left, right), *beside]
        assert rows(result.noted) == ([] if cut else [("stderr", '"y"', '"w"')])
        assert result.status == "diverging"
    elif baseline["out"] in {"timed_out", "over"}:
        assert (result.status, result.divergences, result.noted, bool(result.cause)) == ("undecided", (), (), True)
    elif baseline["out"] == "signalled":
        assert (result.status, result.divergences, result.noted) == ("match", (), ())
    else:
        assert [field for field, _, _ in rows(result.divergences)] == ["stdout", "arg", "effects.env"]
    assert result.returned == ("returned" in (baseline["out"], candidate["out"]))


def test_rules_reach_into_outcome_rows():
    result = run(returned([f"{ROOTS[0]}/a", {"b": 1, "a": 2}]), raised())
    assert rows(result.divergences) == [("ok", '{"returned":["<temp>/a",{"a":2,"b":1}]}', '{"raised":"builtins.ValueError"}')]
    assert result.fired == ("temp-root", "key-order")


def test_rules_reach_into_exit_texts():
    result = run({"out": "exited", "code": f"no {ROOTS[0]}/a"}, {"out": "exited", "code": f"no {ROOTS[1]}/a"})
    assert (result.status, [(one.field, one.rules) for one in result.smoothed]) == ("match", [("ok", ("temp-root",))])


@pytest.mark.parametrize(
    ("baseline", "candidate", "came_back"),
    [
        ({"code": 0, "done": True}, {"code": 0, "done": True}, True),
        ({"code": 0, "done": True}, {"code": 2}, True),
        ({"code": 2}, {"code": 2}, False),
        ({"code": 0}, {"code": 0}, False),  # a function that raised SystemExit(0)
    ],
)
def test_a_command_that_ends_well_came_back(baseline, candidate, came_back):
    assert run({"out": "exited", **baseline}, {"out": "exited", **candidate}).returned is came_back


AT_CALL = raised("TypeError", "run() takes 0 positional arguments", at_call=True)


@pytest.mark.parametrize(
    ("baseline", "candidate", "status"),
    [
        (AT_CALL, AT_CALL, "trivial"),
        (AT_CALL, raised("TypeError", "other words", at_call=True), "trivial"),
        (AT_CALL, raised("TypeError", "run() takes 0 positional arguments"), "match"),
        (AT_CALL, raised("ValueError", at_call=True), "diverging"),
        (AT_CALL, {**AT_CALL, "env": ["A"]}, "diverging"),
        (raised("TypeError"), raised("TypeError"), "match"),
        (raised("KeyError", at_call=True), raised("KeyError", at_call=True), "match"),
        (BASE, BASE, "match"),
    ],
)
def test_a_call_that_fails_alike_is_trivial(baseline, candidate, status):
    assert run(baseline, candidate).status == status


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ({"out": "timed_out"}, "both sides ran into the time limit"),
        ({"out": "over", "limit": "memory"}, "both sides went over the memory limit"),
        ({"out": "over", "limit": "output"}, "both sides went over the output limit"),
        ({"out": "over", "limit": "disk"}, "both sides went over the disk"),
    ],
)
def test_the_same_limit_on_both_sides_decides_nothing(record, cause):
    result = run(wire(record, b"a"), wire(record, b"b"))
    assert (result.id, result.status, result.cause, result.divergences, result.noted) == ("a.json", "undecided", cause, (), ())


@pytest.mark.parametrize(
    ("baseline", "candidate", "status"),
    [
        (returned([1]), returned([1]), "undecided"),
        (returned([1]), returned([2]), "diverging"),
        (returned({"a": 1, "b": 2}), returned({"b": 2, "a": 1}), "undecided"),  # smoothed
        (raised("KeyError"), raised("KeyError"), "undecided"),
    ],
)
def test_what_goes_on_unseen_is_no_match(baseline, candidate, status):
    result = run({"cut": True, **baseline}, {"cut": True, **candidate})
    assert (result.status, bool(result.cause)) == (status, status == "undecided")


SHARED = {"cut": False, "shared": ["/dev/shm/a", "/dev/shm/b"]}


@pytest.mark.parametrize(
    ("baseline", "candidate", "status"),
    [
        (SHARED, SHARED, "undecided"),
        (SHARED, {"cut": False, "shared": ["/dev/shm/b"]}, "undecided"),
        (SHARED, {"cut": False, "shared": ["/dev/shm/c"]}, "match"),
        (SHARED, {}, "match"),
        (SHARED, {"shared": "/dev/shm/a"}, "error"),
    ],
)
@pytest.mark.parametrize("value", [1, 2])
def test_sides_that_use_one_file_in_memory_are_not_compared(baseline, candidate, status, value):
    result = run({**baseline, **returned(1)}, {**candidate, **returned(value)})
    assert result.status == ("diverging" if status == "match" and value == 2 else status)
    if status == "undecided":
        assert (result.cause.startswith("both sides use /dev/shm/"), result.divergences) == (True, ())


FAULT = {"out": "error", "where": "value", "why": "cannot encode a lock"}


@pytest.mark.parametrize(
    ("baseline", "candidate", "cause"),
    [
        (FAULT, BASE, "baseline: value: cannot encode a lock"),
        (BASE, FAULT, "candidate: value: cannot encode a lock"),
        (FAULT, FAULT, "both sides: value: cannot encode a lock"),
        (FAULT, {**FAULT, "where": "payload"}, "baseline: value: cannot encode a lock; candidate: payload: cannot encode a lock"),
        (FAULT, {"out": "timed_out"}, "baseline: value: cannot encode a lock"),
        (b"\xff", BASE, "baseline: worker: the record cannot be used: 'utf-8' codec"),
        ("{", BASE, "baseline: worker: the record cannot be used: Expecting"),
        ("[]", BASE, "it names no outcome"),
        ({}, {"out": "sulked"}, "both sides: worker: the record cannot be used: it names no outcome"),
        ({"out": ["returned"]}, BASE, "it names no outcome"),
        ({"out": "returned"}, BASE, "it lacks value"),
        ({"out": "raised"}, BASE, "it lacks exc"),
        ({"out": "raised", "exc": "ValueError"}, BASE, "it lacks exc"),
        ({"out": "raised", "exc": {"type": 1, "module": "m"}}, BASE, "used: exc lacks type or module"),
        ({"out": "raised", "exc": {"type": "A"}}, BASE, "used: exc lacks type or module"),
        (raised(chain={}), BASE, "chain is no list of the right kind"),
        (BASE, returned(1, warnings="W"), "warnings is no list of the right kind"),
        ({"out": "error"}, BASE, "baseline: worker: no reason given"),
        ({"out": "exited"}, BASE, "it lacks code"),
        ({"out": "signalled"}, BASE, "it lacks signal"),
        ({"out": "over"}, BASE, "it lacks limit"),
        (BASE, returned(1, env="A"), "candidate: worker: the record cannot be used: env is no list of"),
        (BASE, returned(1, files=[["a"]]), "candidate: worker: the record cannot be used: files is no list of the right kind"),
        ('{"out":"returned","value":1,"value":2}', BASE, "duplicate key: value"),
        ('{"out":"returned","value":1e999}', BASE, "number out of range"),
        (FAULT | {"why": "x" * 5000}, BASE, "baseline: value: xxx"),
    ],
)
def test_a_fault_of_harness_or_fixture_is_an_error_and_never_compared(baseline, candidate, cause):
    result = run(baseline, candidate)
    assert (result.id, result.status, result.divergences, result.noted, result.smoothed) == ("a.json", "error", (), (), ())
    assert cause in result.cause
    assert len(result.cause) == 1000 if "xxx" in cause else len(result.cause) < 300
