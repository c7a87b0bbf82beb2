"""Laws of the corpus: a line's payload is its exact text, and listings do not depend on the order of files."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config.toml_lines import lines_of
from gate.corpus import CorpusDigest, list_fixtures, read
from gate.types import Target

TARGET = (Target(name="t", entry="a:b"),)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
SPACE = st.text(alphabet=" \t", max_size=2)
PAIRS = st.dictionaries(st.text(alphabet="abc#/\u00e9 \u0301", min_size=1, max_size=5), JSON, min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.lists(SPACE, min_size=9, max_size=9), st.booleans(), st.booleans())
def test_a_payload_is_the_exact_text_of_its_line(pairs, spaces, ascii_only, id_first):
    a, b, c, d, e, f, g, h, end = spaces
    texts = {key: json.dumps(value, ensure_ascii=ascii_only, separators=(f"{a},{b}", f"{c}:{d}")) for key, value in pairs.items()}
    texts = {key: text for key, text in texts.items() if not any("\ud800" <= char <= "\udfff" for char in text)}

    def members(key):
        return [f'"id"{e}:{f}{json.dumps(key)}', f'"payload"{g}:{h}{texts[key]}']

    lines = [f"{a}{{{b}{f'{c},{d}'.join(members(key) if id_first else members(key)[::-1])}{e}}}{end}" for key in texts]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "f.jsonl").write_bytes("\n".join(lines).encode())
        got = {item.id: read(item).payload.decode() for item in list_fixtures(Path(folder), TARGET)}
    assert got == {f"f.jsonl#{key}": text for key, text in texts.items()}


@settings(max_examples=30, deadline=None)
@given(
    st.dictionaries(st.text(alphabet="abc1-_\u00e9", min_size=1, max_size=6), st.binary(max_size=10), max_size=6),
    st.randoms(use_true_random=False),
)
def test_listing_and_digest_do_not_depend_on_the_order_of_writing(files, random):
    names = list(files)
    digests = set()
    for _ in range(2):
        random.shuffle(names)
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                (Path(folder) / f"{name}.json").write_bytes(files[name])
            listing, made = list_fixtures(Path(folder), TARGET), CorpusDigest()
            for item in listing:
                made.add(item.id, read(item).sha256)
            assert list(listing.ids) == sorted(f"{name}.json" for name in files)
            digests.add(made.hexdigest())
    assert len(digests) == 1


KEY = st.text(alphabet="abc_-", min_size=1, max_size=4)
VALUE = st.sampled_from(["1", '"[x]"', "'''\n[t]\nk = 1'''", '"""\nx = 2\n"""', "[1,\n 2, # ]\n]", "{y = 1, z = '}'}", "[[1], [2]]"])


@given(st.dictionaries(KEY, st.dictionaries(KEY, VALUE, max_size=3), max_size=4))
def test_every_key_of_a_toml_text_has_the_line_it_was_written_on(tables):
    text, want = "", {}
    for table, keys in tables.items():
        want[(table,)] = text.count("\n") + 1
        text += f"[{table}]\n"
        for key, value in keys.items():
            want[table, key] = text.count("\n") + 1
            text += f"{key} = {value}\n"
    import tomllib

    assert set(tomllib.loads(text)) == set(tables)  # the text is what we mean
    assert lines_of(text) == want
