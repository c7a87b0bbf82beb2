"""Fixtures in: which files below ``corpus/`` are inputs, under which ids, with which bytes (design, section 3).

A fixture is a file, or one line of a ``.jsonl`` file. Its id is the path below the corpus, ``/``-separated, for a line
``file.jsonl#id``. Files that start with a dot and ``README.md`` are no fixtures, for a ``json`` target no ``*.md`` is;
everything else that a target does not take is a fault, so that nothing a person put there is skipped in silence.

A line is ``{"id": text, "payload": any JSON}``. Its payload is the exact text between the colon and the comma or brace:
nothing is parsed and written again, so duplicate keys, ``1e400`` and escapes reach the target as they stand. Its digest
is over that text. For a ``text`` or ``bytes`` target the payload is a JSON string, and the target gets its characters.

The listing keeps one ``str`` an id (and three integers a line where there are ``.jsonl`` files); bytes are read one
fixture at a time.

Parts: ``scan`` (files to ids), ``lines`` (one ``.jsonl`` file), ``listing`` (ids to items), ``read`` (items to bytes).
"""

from gate.corpus.listing import Item, Listing, list_fixtures
from gate.corpus.read import CorpusDigest, read

__all__ = ["CorpusDigest", "Item", "Listing", "list_fixtures", "read"]
