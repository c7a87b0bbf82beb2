import hashlib
import os
import re

import pytest

from gate.corpus import CorpusDigest, read
from gate.errors import CorpusError, UsageError
from tests.unit.gate.corpora import faults_of, listed, put, target


def test_ids_are_paths_below_the_corpus_sorted_at_any_depth(corpus):
    put(corpus, {"b.json": "1", "a/z/deep.json": "2", "a.json": "3", "A/x.JSON": "4", "é.json": "5"})
    listing = listed(corpus)
    assert [item.id for item in listing] == ["A/x.JSON", "a.json", "a/z/deep.json", "b.json", "é.json"]
    assert [read(item).payload for item in listing] == [b"4", b"3", b"2", b"1", b"5"]
    assert len(listing) == 5
    assert "a/z/deep.json" in listing
    assert "a/z" not in listing
    assert listing.find("zzz") is None


def test_a_fixture_is_its_exact_bytes_and_their_digest(corpus):
    raw = b'{"a":1,"a":2}\r\n\xff'
    put(corpus, {"a.json": raw})
    got = read(listed(corpus).find("a.json"))
    assert (got.id, got.payload, got.sha256, got.kind) == ("a.json", raw, hashlib.sha256(raw).hexdigest(), "json")


def test_dot_files_and_documentation_are_no_fixtures(corpus):
    put(corpus, {".gitattributes": "x", ".keep": "", ".git/x.json": "1", "README.md": "x", "sub/notes.MD": "x", "a.json": "1"})
    assert list(listed(corpus).ids) == ["a.json"]


def test_an_empty_corpus_is_an_empty_listing(corpus):
    assert len(listed(corpus)) == 0
    put(corpus, {".keep": ""})
    assert list(listed(corpus)) == []


KINDS = {
    "json takes json": ("json", ["a.json"], ["b.txt", "c.bin", "d", "e.yaml"]),
    "text takes all": ("text", ["a.json", "b.txt", "c.bin", "d", "e.yaml"], []),
    "bytes take all": ("bytes", ["a.json", "b.txt", "c.bin", "d", "e.yaml"], []),
}


@pytest.mark.parametrize(("kind", "taken", "faulty"), KINDS.values(), ids=KINDS)
def test_what_a_target_takes(corpus, kind, taken, faulty):
    put(corpus, dict.fromkeys([*taken, *faulty], "x"))
    if faulty:
        assert [place for place, _ in faults_of(corpus, target(kind))] == [f"corpus/{name}" for name in faulty]
    else:
        listing = listed(corpus, target(kind))
        assert list(listing.ids) == taken
        assert {item.kind for item in listing} == {kind}


def test_markdown_is_a_fixture_of_a_text_target_but_not_the_readme(corpus):
    put(corpus, {"a.md": "x", "README.md": "x"})
    assert list(listed(corpus, target("text")).ids) == ["a.md"]


def test_every_fault_at_once(corpus, tmp_path):
    put(tmp_path, {"out.json": "1", "outside/x.json": "1"})
    put(
        corpus,
        {"@import": "1", "@a/x.json": "1", "new\nline.json": "1", "bell\x07.json": "1", "A.json": "1", "a.json": "1", "real/x.json": "1"},
    )
    (corpus / "link.json").symlink_to(tmp_path / "out.json")
    (corpus / "gone.json").symlink_to(corpus / "nowhere.json")
    (corpus / "folder").symlink_to(tmp_path / "outside")
    (corpus / "around").symlink_to(corpus / "real")
    os.mkfifo(corpus / "pipe.json")
    (corpus / os.fsdecode(b"caf\xe9.json")).write_bytes(b"1")
    assert faults_of(corpus) == [
        ("corpus/@a", "ids that start with @ are taken for what no fixture did, like @import"),
        ("corpus/@import", "ids that start with @ are taken for what no fixture did, like @import"),
        ("corpus/a.json", "the id a.json is A.json but for upper and lower case"),
        ("corpus/around", "is a link to a folder"),
        ("corpus/bell\\x07.json", "the name holds a control character"),
        ("corpus/caf\\udce9.json", "the name is not UTF-8"),
        ("corpus/folder", "is a link to a folder"),
        ("corpus/gone.json", "is a link to nothing that can be read"),
        ("corpus/link.json", "is a link that leads out of the corpus"),
        ("corpus/new\\nline.json", "the name holds a control character"),
        ("corpus/pipe.json", "is no regular file"),
    ]


def test_a_link_inside_the_corpus_is_a_fixture_and_an_at_sign_below_is_fine(corpus):
    put(corpus, {"a.json": "1", "sub/@x.json": "2"})
    (corpus / "b.json").symlink_to("a.json")
    assert {item.id: read(item).payload for item in listed(corpus)} == {"a.json": b"1", "b.json": b"1", "sub/@x.json": b"2"}


def test_a_corpus_that_is_a_link_itself_is_fine(corpus, tmp_path):
    put(corpus, {"a.json": "1"})
    (corpus / "b.json").symlink_to("a.json")
    (tmp_path / "linked").symlink_to(corpus)
    assert list(listed(tmp_path / "linked").ids) == ["a.json", "b.json"]


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("A.json", "a.json", True),
        ("straße.json", "STRASSE.json", True),
        ("a/X.json", "A/x.json", True),
        ("a/x.json", "A/y.json", False),
        ("x.json", "x.JSON", True),
    ],
)
def test_ids_are_unique_under_case_folding(corpus, one, other, clash):
    put(corpus, {one: "1", other: "2"})
    if clash:
        assert "but for upper and lower case" in faults_of(corpus)[0][1]
    else:
        assert len(listed(corpus)) == 2


def test_a_folder_that_is_not_there_and_one_that_is_a_file(corpus):
    put(corpus, {"a.json": "1"})
    for path in (corpus / "none", corpus / "a.json"):
        assert "no such folder" in faults_of(path)[0][1]


def test_the_wrong_folder_gives_a_bounded_number_of_faults(corpus):
    put(corpus, {f"{at:04d}.py": "" for at in range(250)})
    got = faults_of(corpus)
    assert len(got) == 201
    assert got[-1][1] == "and 50 more faults"


def test_several_targets_have_a_folder_each(corpus):
    put(corpus, {"one/a.json": "1", "one/sub/b.json": "2", "two/c.txt": "x"})
    listing = listed(corpus, target(name="one", corpus="one"), target("text", name="two", corpus="two"))
    assert [(item.id, item.target.name, item.kind) for item in listing] == [
        ("one/a.json", "one", "json"),
        ("one/sub/b.json", "one", "json"),
        ("two/c.txt", "two", "text"),
    ]


def test_what_belongs_to_no_target_and_targets_without_fixtures_are_faults(corpus, tmp_path):
    put(corpus, {"one/a.json": "1", "lost.json": "2", "three/x.json": "1", "README.md": "x", "empty/.keep": ""})
    put(tmp_path, {"away/x.json": "1"})
    (corpus / "linked").symlink_to(tmp_path / "away")
    got = faults_of(corpus, *(target(name=name, corpus=name) for name in ("one", "two", "empty", "linked")))
    assert got == [
        ("corpus/empty", "the target has no fixtures"),
        ("corpus/linked", "is a link to a folder"),
        ("corpus/lost.json", "belongs to no target"),
        ("corpus/three", "belongs to no target"),
        ("corpus/two", "the target has no fixtures"),
    ]


# -- picking and digests --------------------------------------------------------------------------------------


def test_picking_ids(corpus):
    put(corpus, {"001_empty.json": "1", "002_full.json": "2", "003.json": "3"})
    listing = listed(corpus)
    assert [item.id for item in listing.pick(["003.json", "001_empty.json", "003.json"])] == ["001_empty.json", "003.json"]
    with pytest.raises(
        UsageError, match=re.escape("there is no fixture 001_emty.json (did you mean 001_empty.json?); there is no fixture zzz")
    ):
        listing.pick(["001_emty.json", "zzz"])


def test_a_fixture_that_vanished_is_a_corpus_error(corpus):
    put(corpus, {"a.json": "1"})
    item = listed(corpus).find("a.json")
    (corpus / "a.json").unlink()
    with pytest.raises(CorpusError, match="cannot be read") as caught:
        read(item)
    assert str(caught.value.place) == "corpus/a.json"


def digest(*pairs):
    made = CorpusDigest()
    for fixture_id, sha256 in pairs:
        made.add(fixture_id, sha256)
    return made.hexdigest()


def test_the_corpus_digest_tells_lists_apart():
    one, other = "a" * 64, "b" * 64
    different = [
        (),
        (("a", one),),
        (("b", one),),
        (("a", other),),
        (("a", one), ("b", one)),
        (("b", one), ("a", one)),
        (("ab", one),),
        (("a", one), ("b", other)),
        ((f"a{one}b", other),),
        ((f"a:{one}1", one),),
    ]
    assert len({digest(*pairs) for pairs in different}) == len(different)
    assert digest(("a", one)) == digest(("a", one))


def test_a_large_corpus_is_listed_lean(corpus):
    import tracemalloc

    for at in range(3000):
        os.close(os.open(f"{corpus}/{at:06d}_a_fixture_of_some_name.json", os.O_CREAT | os.O_WRONLY))
    tracemalloc.start()
    listing = listed(corpus)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(listing) == 3000
    assert peak / len(listing) < 200  # 100,000 fixtures below 20 MB
