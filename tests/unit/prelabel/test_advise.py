"""Advice from a report, and the file that says nothing more than it must."""

from __future__ import annotations

import inspect
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

import prelabel.advise
import prelabel.rules
import prelabel.subject
import prelabel.types
from gate import types
from gate.errors import ReportError
from gate.report.model import COUNT_KEYS, Entry, Report
from prelabel.advise import advise, read_advice, summary, write_advice
from prelabel.types import Advice
from tests.timing import within

ADVICE = Advice(
    id="a.json", field="value", fingerprint="0123456789ab", label="reject", rule="null-empty", reason="Missing is not empty.", source="rule"
)


def entry(number, field, baseline, candidate, verdict="unclassified"):
    return Entry(
        id=f"{number:04}.json",
        field=field,
        baseline=baseline,
        candidate=candidate,
        verdict=verdict,
        fingerprint=f"{number:012x}",
        fixture_sha256=None,
        row=None,
        reason=None,
        paths=(),
    )


def report(*entries):
    empty = {key: {} for key in ("baseline", "candidate", "corpus", "canonical", "config", "trust")}
    return Report(passed=False, counts=dict.fromkeys(COUNT_KEYS, 0), divergences=entries, **empty)


# from a report

ENTRIES = (
    entry(3, "value", '{"a":null}', '{"a":[]}'),
    entry(1, "exc.type", '"ValueError"', '"AssertionError"', verdict="reject"),
    entry(1, "exc.type", '"ValueError"', '"TypeError"'),
    entry(9, "value", '"secret-of-the-payload"', '"other"'),
    entry(2, "stdout", r'"line\n"', r'"line\n\n"', verdict="accept"),
    entry(2, "stdout", r'"line\n"', r'"line\n\n"'),
)


def test_unclassified_only_in_the_order_of_the_report():
    assert [(one.id, one.field, one.label, one.rule, one.source) for one in advise(report(*ENTRIES))] == [
        ("0003.json", "value", "reject", "null-empty", "rule"),
        ("0001.json", "exc.type", "reject", "exception-type", "rule"),
        ("0009.json", "value", "abstain", None, "none"),
        ("0002.json", "stdout", "reject", "newline-function", "rule"),
    ]


def test_fingerprint_is_the_reports():
    assert [one.fingerprint for one in advise(report(*ENTRIES))] == [f"{number:012x}" for number in (3, 1, 9, 2)]


def test_the_kind_of_target_is_asked_by_fixture():
    (one,) = advise(report(ENTRIES[-1]), kind_of=lambda fixture: "command" if fixture == "0002.json" else "function")
    assert (one.label, one.rule) == ("abstain", "newline-command")


@pytest.mark.parametrize(
    ("run", "rule"),
    [
        ({"settings": {"targets": [{"kind": "command", "corpus": ""}]}}, "newline-command"),
        ({"settings": {"targets": [{"kind": "function", "corpus": "a"}, {"kind": "command", "corpus": "0002.json"}]}}, "newline-command"),
        ({"settings": {"targets": [{"kind": "command", "corpus": "a"}, {"kind": "wsgi", "corpus": "0002.json"}]}}, "newline-function"),
        ({"settings": {"targets": [{"kind": "asgi", "corpus": ""}]}}, "newline-function"),
        ({"settings": {"targets": ["command", {"kind": "command"}]}}, "newline-function"),
        ({"settings": {"targets": {"kind": "command", "corpus": ""}}}, "newline-function"),
        ({"settings": None}, "newline-function"),
        ({}, "newline-function"),
    ],
)
def test_the_kind_of_target_is_what_the_report_says_of_its_run(run, rule):
    (one,) = advise(types.replace(report(ENTRIES[-1]), run=run))
    assert one.rule == rule


def test_nothing_to_advise():
    assert advise(report()) == ()
    assert advise(report(ENTRIES[1])) == ()


def test_no_payload_is_kept(tmp_path):
    write_advice(tmp_path / "advice.json", advise(report(*ENTRIES)))
    assert "secret-of-the-payload" not in (tmp_path / "advice.json").read_text()


@pytest.mark.parametrize("text", ["not json", '"' + "\\u0301" * 500 + '"', "[" * 3_000 + "]" * 3_000, r'"\ud800"', '{"a":1,"a":2}', ""])
def test_any_text_is_advised_on(text):
    one, two = advise(report(entry(1, "value", text, "1"), entry(2, "value", "null", text)))
    assert {one.label, two.label} == {"abstain"}


def test_a_thousand_divergences_take_no_time():
    texts = [(entry_.field, entry_.baseline, entry_.candidate) for entry_ in ENTRIES]
    big = json.dumps({f"key{number}": [number, "some text", None] for number in range(20)}, separators=(",", ":"))
    texts.append(("value", big, big.replace("null", "[]")))
    many = report(*(entry(number, *texts[number % len(texts)]) for number in range(1_000)))
    advise(report(*ENTRIES))  # the table is read once a process
    with within(40):
        assert len(advise(many)) == 1_000


def test_summary_counts_labels_strictest_first():
    assert summary(advise(report(*ENTRIES, *ENTRIES))) == (
        "advice on 8 unclassified: reject 6 (exception-type 2, newline-function 2, null-empty 2); abstain 2 (no rule 2)"
    )
    assert summary(()) == "nothing is unclassified: no advice"


# the file


def test_the_file_is_what_the_design_says(tmp_path):
    write_advice(tmp_path / "out" / "advice.json", [ADVICE])
    assert json.loads((tmp_path / "out" / "advice.json").read_bytes()) == {
        "version": 1,
        "advice": [
            {
                "id": "a.json",
                "field": "value",
                "fingerprint": "0123456789ab",
                "label": "reject",
                "rule": "null-empty",
                "reason": "Missing is not empty.",
                "source": "rule",
            }
        ],
    }


@pytest.mark.parametrize("name", ["a.json", "café/x.json", "cafe\u0301.json", "\ud800.json", 'q"\\\n.json', "\u202e.json"])
def test_what_is_written_is_read(tmp_path, name):
    advice = (replace(ADVICE, id=name), replace(ADVICE, label="abstain", rule=None, source="none"))
    write_advice(tmp_path / "advice.json", advice)
    assert read_advice(tmp_path / "advice.json") == advice
    assert (tmp_path / "advice.json").read_bytes().isascii()


def test_equal_advice_makes_equal_bytes(tmp_path):
    for name in ("one", "two"):
        write_advice(tmp_path / name, advise(report(*ENTRIES)))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_writing_replaces_and_leaves_nothing_else(tmp_path):
    file = tmp_path / "advice.json"
    file.write_text('{"advice": "old"}')
    write_advice(file, [ADVICE])
    assert [path.name for path in tmp_path.iterdir()] == ["advice.json"]
    assert read_advice(file) == (ADVICE,)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "advice.json"
    write_advice(file, [ADVICE])
    before = file.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_advice(file, [])
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["advice.json"]


@pytest.mark.parametrize("old", ["rows:\n", "{", "[]", '{"version": 2}', '"advice"'])
def test_what_is_no_advice_is_never_overwritten(tmp_path, old):
    file, link = tmp_path / "delta_ledger.yaml", tmp_path / "advice.json"
    file.write_text(old)
    link.symlink_to(file.name)
    for path in (file, link):
        with pytest.raises(ReportError, match="is not overwritten") as raised:
            write_advice(path, [ADVICE])
        assert raised.value.exit_code == 2
        assert "--output" in raised.value.remedy
    assert file.read_text() == old
    assert link.is_symlink()


def test_a_folder_is_not_written_over(tmp_path):
    with pytest.raises(ReportError, match="is not overwritten"):
        write_advice(tmp_path, [ADVICE])


@pytest.mark.parametrize("old", ["", "\n", '{"advice": []}', None])
def test_a_link_stays_a_link(tmp_path, old):
    file, link = tmp_path / "real.json", tmp_path / "advice.json"
    if old is not None:
        file.write_text(old)
    link.symlink_to(file.name)
    write_advice(link, [ADVICE])
    assert link.is_symlink()
    assert read_advice(file) == (ADVICE,)


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_advice(pipe, [ADVICE])
        assert json.loads(os.read(reader, 1 << 16))["version"] == 1
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    write_advice(Path("/dev/null"), [ADVICE])
    assert Path("/dev/null").is_char_device()


def test_no_file_names_the_command(tmp_path):
    with pytest.raises(ReportError) as raised:
        read_advice(tmp_path / "advice.json")
    assert raised.value.exit_code == 2
    assert "shadow prelabel" in raised.value.remedy


def test_a_file_below_the_current_folder_is_named_as_the_user_knows_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReportError) as raised:
        read_advice(tmp_path / "out" / "advice.json")
    assert str(raised.value.place) == "out/advice.json"


ONE = json.loads(json.dumps({name: getattr(ADVICE, name) for name in Advice.__dataclass_fields__}))


def document(version=1, **change):
    return json.dumps({"version": version, "advice": [ONE | change]})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "cannot be read", id="empty"),
        pytest.param("{", "cannot be read", id="half"),
        pytest.param(b"\xff", "cannot be read", id="no UTF-8"),
        pytest.param("[" * 100_000, "cannot be read", id="deep"),
        pytest.param('{"version":1,"version":1,"advice":[]}', "cannot be read", id="duplicate key"),
        pytest.param("[]", "holds no advice", id="a list"),
        pytest.param('{"version":1}', "holds no advice", id="no advice"),
        pytest.param('{"version":1,"advice":{}}', "holds no advice", id="advice is no list"),
        pytest.param('{"version":1,"advice":[],"more":1}', "holds no advice", id="unknown key"),
        pytest.param(document(version=2), "not version 1", id="version"),
        pytest.param(document(version=True), "not version 1", id="version true"),
        pytest.param(document(version="1"), "not version 1", id="version as text"),
        pytest.param(document(label="ignore"), r"advice\[0\]: unknown label", id="label"),
        pytest.param(document(label=None), r"advice\[0\]: every value is text", id="no label"),
        pytest.param(document(id=1), r"advice\[0\]: every value is text", id="id"),
        pytest.param(document(decision="accept"), r"advice\[0\]: expected exactly the keys", id="a decision"),
        pytest.param('{"version":1,"advice":[{"id":"a"}]}', r"advice\[0\]: expected exactly", id="missing keys"),
        pytest.param('{"version":1,"advice":["a"]}', r"advice\[0\]: expected exactly", id="a word"),
        pytest.param(document(reason="<script>"), r"advice\[0\]: a reason", id="markup"),
        pytest.param(document(source="human"), r"advice\[0\]: unknown source", id="source"),
        pytest.param(json.dumps({"version": 1, "advice": [ONE, ONE | {"fingerprint": "x"}]}), r"advice\[1\]", id="second"),
    ],
)
def test_a_broken_file_is_refused(tmp_path, text, says):
    file = tmp_path / "advice.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReportError, match=says) as raised:
        read_advice(file)
    assert raised.value.exit_code == 2
    assert raised.value.place is not None
    assert raised.value.remedy


def test_a_folder_is_no_advice(tmp_path):
    with pytest.raises(ReportError, match="cannot be read"):
        read_advice(tmp_path)


def test_lies_in_the_right_shape_are_read_as_they_stand(tmp_path):
    write_advice(tmp_path / "advice.json", [ADVICE])
    text = (tmp_path / "advice.json").read_text().replace('"reject"', '"accept"')
    (tmp_path / "advice.json").write_text(text)
    (lie,) = read_advice(tmp_path / "advice.json")
    assert lie.label == "accept"


# no way from advice to a row


@pytest.mark.parametrize("module", [prelabel.types, prelabel.subject, prelabel.rules, prelabel.advise], ids=lambda module: module.__name__)
def test_no_function_here_knows_a_ledger_row(module):
    source = inspect.getsource(module)
    assert "LedgerRow" not in source
    assert "gate.ledger" not in source
