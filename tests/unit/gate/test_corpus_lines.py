import hashlib

import pytest

from gate.corpus import read
from tests.unit.gate.corpora import faults_of, listed, put, target


def lines(corpus, text, kind="json"):
    put(corpus, {"f.jsonl": text})
    return {item.id: read(item).payload for item in listed(corpus, target(kind))}


PAYLOADS = [
    "1",
    "null",
    '{"a":1,"a":2}',
    "[1, 2,  3]",
    '"}, x"',
    '{"id":"x","payload":[{}]}',
    "1e400",
    "NaN",
    "-0.0",
    '"caf\u00e9"',
    '"\\u00e9"',
    "9" * 5000,
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda text: text[:20])
@pytest.mark.parametrize("shape", ['{"id": "é1", "payload": %s}', '{"payload":%s,"id":"é1"}', ' { "payload" : %s , "id" : "\\u00e91" } '])
def test_a_payload_is_its_exact_text(corpus, payload, shape):
    text = "\n" + shape % payload + "\r\n"
    assert lines(corpus, text) == {"f.jsonl#é1": payload.encode()}
    fixture = read(listed(corpus).find("f.jsonl#é1"))
    assert fixture.sha256 == hashlib.sha256(payload.encode()).hexdigest()


def test_lines_and_files_stand_together_sorted(corpus):
    put(
        corpus,
        {
            "a.json": "1",
            "z.json": "2",
            "m.jsonl": '{"id":"b","payload":3}\n{"id":"a","payload":4}',
            "n/k.jsonl": '{"id":"q","payload":5}\n',
        },
    )
    got = {item.id: read(item).payload for item in listed(corpus)}
    assert list(got) == ["a.json", "m.jsonl#a", "m.jsonl#b", "n/k.jsonl#q", "z.json"]
    assert list(got.values()) == [b"1", b"4", b"3", b"5", b"2"]


def test_any_depth_passes(corpus):
    deep = "[" * 5000 + "]" * 5000
    assert lines(corpus, f'{{"id":"a","payload":{deep}}}') == {"f.jsonl#a": deep.encode()}


def test_text_targets_get_the_characters(corpus):
    assert lines(corpus, '{"id":"a","payload":"caf\\u00e9\\n"}', "text") == {"f.jsonl#a": "café\n".encode()}


BAD_LINES = {
    "no JSON": ("x", "is not JSON"),
    "cut": ('{"id":"a","payload":[1', "is not JSON"),
    "no object": ("[1]", "is no JSON object"),
    "two objects": ('{"id":"a","payload":1} {}', "is not JSON"),
    "trailing comma": ('{"id":"a","payload":1,}', "is not JSON"),
    "no id": ('{"payload":1}', "has no id"),
    "nothing": ("{}", "has no id and no payload"),
    "id twice": ('{"id":"a","id":"b","payload":1}', "has 'id' twice"),
    "payload twice": ('{"id":"a","payload":1,"payload":2}', "has 'payload' twice"),
    "unknown key": ('{"id":"a","paylod":1}', "unknown key: 'paylod'"),
    "more keys": ('{"id":"a","payload":1,"why":2}', "unknown key: 'why'"),
    "number as id": ('{"id":1,"payload":1}', "id should be a text"),
    "empty id": ('{"id":"","payload":1}', "id should be a text"),
    "control character": ('{"id":"a\\nb","payload":1}', "control character"),
    "half a character": ('{"id":"a\\ud800","payload":1}', "half of a character"),
    "too deep and cut": ('{"id":"a","payload":' + "[" * 5000, "is not JSON"),
    "too deep and more": ('{"id":"a","payload":' + "[" * 5000 + "]" * 5000 + "} x", "text behind"),
}


@pytest.mark.parametrize(("line", "what"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named(corpus, line, what):
    put(corpus, {"f.jsonl": '{"id":"ok","payload":1}\n\n' + line + "\n"})
    ((place, said),) = faults_of(corpus)
    assert place == "corpus/f.jsonl:3"
    assert what in said


def test_all_bad_lines_at_once(corpus):
    put(corpus, {"f.jsonl": 'x\n{"id":"a","payload":1}\n{"id":"A","payload":1}\n{"id":"a","payload":1}\n\xff\n'.encode("latin-1")})
    assert faults_of(corpus) == [
        ("corpus/f.jsonl:1", "is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("corpus/f.jsonl:2", "the id f.jsonl#a is f.jsonl#A but for upper and lower case"),
        ("corpus/f.jsonl:4", "the id f.jsonl#a is f.jsonl#A but for upper and lower case"),
        ("corpus/f.jsonl:5", "is not UTF-8"),
    ]


def test_an_id_that_is_a_line_and_a_file(corpus):
    put(corpus, {"f.jsonl": '{"id":"b.json","payload":1}\n{"id":"b.json","payload":2}\n', "f.jsonl#b.json": "3"})
    got = faults_of(corpus)
    assert len(got) == 2
    assert {what for _, what in got} == {"the id f.jsonl#b.json is there twice"}


@pytest.mark.parametrize(("payload", "what"), [("1", "JSON string"), ('{"a":"b"}', "JSON string"), ('"\\ud800"', "half of a character")])
def test_a_text_target_takes_strings_only(corpus, payload, what):
    put(corpus, {"f.jsonl": f'{{"id":"a","payload":{payload}}}'})
    assert what in faults_of(corpus, target("text"))[0][1]
