import json
import stat
from pathlib import Path

import pytest
import yaml

from gate.errors import ReportError
from gate.report.read import from_json, read_report
from gate.report.write import to_json, write_report
from tests.unit.gate.report_values import entry, make

FULL = make(
    entry("a.json", verdict="accept", row="l.yaml:3", reason="meant"),
    entry("b.json", "exc.type", '"A"', '"B"', near="l.yaml:9", why="no row matches; ..", fixture_sha256=None),
    noted=({"id": "n.json", "field": "exc.msg", "baseline": "1", "candidate": "2"},),
    smoothed=({"id": "s.json", "field": "value", "rules": ["key-order"]},),
    impure=({"id": "i.json", "field": "value", "cause": "hash seed"},),
    undecided=({"id": "u.json", "cause": "both timed out"},),
    errors=({"id": "e.json", "cause": "no JSON"},),
    stale=({"id": "o.json", "field": "value", "row": "l.yaml:20", "why": "gone"},),
    standing=({"id": "r.json", "field": "value", "row": "l.yaml:30", "why": "stands"},),
    notices=("a note",),
)


def test_a_report_survives_its_file(tmp_path):
    write_report(FULL, tmp_path / "new/out/report.json")
    assert read_report(tmp_path / "new/out/report.json") == FULL


def test_the_keys_stand_in_the_order_of_the_design(tmp_path):
    write_report(FULL, tmp_path / "r.json")
    raw = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert list(raw) == [
        "version", "passed", "unclassified", "counts", "baseline", "candidate", "corpus", "canonical", "config", "trust",
        "divergences", "noted", "smoothed", "impure", "undecided", "errors", "stale", "standing", "notices", "run",
    ]  # fmt: skip
    assert list(raw["counts"]) == [
        "fixtures", "match", "trivial", "diverging", "impure", "undecided", "error", "accept", "reject", "unclassified", "stale", "smoothed", "noted",
    ]  # fmt: skip
    assert list(raw["divergences"][0])[:10] == [
        "id",
        "field",
        "baseline",
        "candidate",
        "verdict",
        "fingerprint",
        "fixture_sha256",
        "row",
        "reason",
        "paths",
    ]
    assert raw["unclassified"] == 1
    assert type(raw["unclassified"]) is int


def test_equal_reports_are_equal_bytes_and_only_run_may_differ(tmp_path):
    from gate.types import replace

    write_report(FULL, tmp_path / "1.json")
    write_report(FULL, tmp_path / "2.json")
    write_report(replace(FULL, run={"seconds": 9}), tmp_path / "3.json")
    one, two, three = ((tmp_path / f"{at}.json").read_bytes() for at in (1, 2, 3))
    assert one == two
    assert one != three
    assert one.split(b'"run"')[0] == three.split(b'"run"')[0]


TEXTS = {
    "accents raw": ("café", b"caf\xc3\xa9"),
    "an emoji raw": ("😀", "😀".encode()),
    "half of a character": ("a\ud800b", b"a\\ud800b"),
    "a raw C1 control": ("a\x85b\x7f", b"a\\u0085b\\u007f"),
    "a line separator": ("a\u2028b\ufeff", b"a\\u2028b\\ufeff"),
    "a backslash before a half": ("\\\ud800", b"\\\\\\ud800"),
}


@pytest.mark.parametrize(("text", "raw"), TEXTS.values(), ids=TEXTS)
def test_texts_stand_raw_where_json_and_yaml_allow_it(tmp_path, text, raw):
    report = make(entry("a.json", candidate=text))
    write_report(report, tmp_path / "r.json")
    data = (tmp_path / "r.json").read_bytes()
    assert b'"candidate": "' + raw + b'"' in data
    assert read_report(tmp_path / "r.json").divergences[0].candidate == text
    assert yaml.safe_load(b"x: " + data.split(b'"candidate": ')[-1].split(b', "verdict"')[0]) == {"x": text}


def test_one_entry_a_line_and_ten_thousand_need_little_memory(tmp_path):
    import tracemalloc

    report = make(*(entry(f"{at:05d}.json", baseline="x" * 300) for at in range(2000)))
    tracemalloc.start()
    write_report(report, tmp_path / "r.json")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    data = (tmp_path / "r.json").read_bytes()
    assert sum(line.startswith(b'    {"id": ') for line in data.split(b"\n")) == 2000
    assert peak < len(data) / 4


# -- the file system ------------------------------------------------------------------------------------------


def test_a_failing_write_leaves_the_old_report_and_no_draft(tmp_path):
    path = tmp_path / "r.json"
    write_report(FULL, path)
    before = path.read_bytes()
    broken = make(run={"x": object()})
    with pytest.raises(TypeError):
        write_report(broken, path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["r.json"]


def test_a_device_is_written_to_and_not_replaced():
    write_report(FULL, Path("/dev/null"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_keeps_being_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real/r.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real/r.json")
    write_report(FULL, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert read_report(tmp_path / "real/r.json") == FULL


@pytest.mark.parametrize("name", [".", "file/r.json"])
def test_where_no_report_can_stand_is_named(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="cannot be written") as caught:
        write_report(FULL, tmp_path / name)
    assert "--report" in caught.value.remedy


# -- reading --------------------------------------------------------------------------------------------------


def test_no_report_names_the_next_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReportError, match=r"out/r\.json does not exist") as caught:
        read_report(tmp_path / "out/r.json")
    assert "shadow compare" in caught.value.remedy


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000], ids=["empty", "cut", "not UTF-8", "too deep"])
def test_what_is_no_json_is_a_report_error(tmp_path, data):
    (tmp_path / "r.json").write_bytes(data)
    with pytest.raises(ReportError, match="is not JSON") as caught:
        read_report(tmp_path / "r.json")
    assert caught.value.exit_code == 2
    assert str(caught.value.place).endswith("r.json")


def set_(*path):
    def change(raw):
        *to, key, value = path
        for step in to:
            raw = raw[step]
        raw[key] = value

    return change


def drop(*path):
    def change(raw):
        *to, key = path
        for step in to:
            raw = raw[step]
        del raw[key]

    return change


BROKEN = {
    "another version": (set_("version", 2), "version is 2, this build reads 1"),
    "version true": (set_("version", True), "version is True"),
    "no version": (drop("version"), "version is None"),
    "no divergences": (drop("divergences"), "`divergences` is missing"),
    "an unknown key": (set_("more", 1), "unknown key `more`"),
    "passed a text": (set_("passed", "yes"), "`passed`"),
    "counts short": (drop("counts", "stale"), "`counts` should have"),
    "counts negative": (set_("counts", "stale", -1), "`counts.stale`"),
    "counts true": (set_("counts", "match", True), "`counts.match`"),
    "unclassified lowered": (set_("unclassified", 0), "was it edited?"),
    "a verdict changed": (set_("divergences", 1, "verdict", "accept"), "was it edited?"),
    "a verdict unknown": (set_("divergences", 1, "verdict", "acept"), "divergences[1].verdict"),
    "passed though red": (set_("passed", True), "was it edited?"),
    "an entry short": (drop("divergences", 0, "field"), "divergences[0]"),
    "an entry with more": (set_("divergences", 0, "more", 1), "divergences[0]"),
    "a text that is a number": (set_("divergences", 0, "baseline", 1), "divergences[0].baseline"),
    "paths of numbers": (set_("divergences", 0, "paths", [1]), "divergences[0].paths"),
    "stale no list": (set_("stale", {}), "`stale` should be a list"),
    "noted without id": (drop("noted", 0, "id"), "`noted`"),
    "paths that are no texts": (set_("smoothed", 0, "paths", [1]), "`smoothed: paths` should be a list of texts"),
    "a cause that is no text": (set_("errors", 0, "cause", 1), "`cause` should be a text"),
    "run no object": (set_("run", []), "`run` should be an object"),
    "notices of numbers": (set_("notices", [1]), "`notices`"),
}


@pytest.mark.parametrize(("change", "what"), BROKEN.values(), ids=BROKEN)
def test_what_has_not_the_shape_is_named(tmp_path, change, what):
    raw = json.loads(to_json(FULL))
    change(raw)
    (tmp_path / "r.json").write_text(json.dumps(raw))
    with pytest.raises(ReportError) as caught:
        read_report(tmp_path / "r.json")
    assert what in caught.value.what


def test_no_object_at_all(tmp_path):
    (tmp_path / "r.json").write_text("[]")
    with pytest.raises(ReportError, match="should be an object"):
        read_report(tmp_path / "r.json")


def test_the_text_of_a_part():
    part = json.loads(to_json(FULL, only="b.json"))
    assert [one["id"] for one in part["divergences"]] == ["b.json"]
    assert part["noted"] == []
    assert json.loads(to_json(FULL, only="n.json"))["noted"] == [{"id": "n.json", "field": "exc.msg", "baseline": "1", "candidate": "2"}]
    assert from_json(json.loads(to_json(FULL))) == FULL


# -- one entry, one identity ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda one: [one[0] | {"candidate": "3"}, one[1]], "the fingerprint of `divergences[0]`"),
        (lambda one: [one[0], one[1] | {"fingerprint": one[0]["fingerprint"]}], "the fingerprint of `divergences[1]`"),
        (lambda one: [one[0], one[1] | {"fingerprint": ""}], "the fingerprint of `divergences[1]`"),
        (lambda one: [one[0], one[0]], "`divergences[1]` stands in the report twice"),
    ],
    ids=["edited text", "borrowed fingerprint", "no fingerprint", "twice"],
)
def test_a_fingerprint_that_is_not_that_of_its_texts_is_refused(tmp_path, edit, said):
    write_report(make(entry("a.json"), entry("b.json")), tmp_path / "r.json")
    raw = json.loads((tmp_path / "r.json").read_text("utf-8"))
    raw["divergences"] = edit(raw["divergences"])
    (tmp_path / "r.json").write_text(json.dumps(raw), "utf-8")
    with pytest.raises(ReportError) as caught:
        read_report(tmp_path / "r.json")
    assert said in caught.value.what
    assert caught.value.exit_code == 2
