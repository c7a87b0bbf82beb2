"""`append.py LEDGER`: one row into a ledger by the product's own function; prints JSON.

`ms` is CPU beyond one load of the same ledger, which every command that reads it pays anyway. `kept` says whether the
bytes that were there are all there still, in their order, around one new block.
"""

import gc
import json
import sys
import time
from pathlib import Path

from gate.ledger.insert import insert_rows
from gate.ledger.read import read_ledger
from gate.types import LedgerRow, Place

ROW = LedgerRow(
    id="gone/005000_zebra.json",
    field="value",
    baseline='{"a":null}',
    candidate='{"a":[]}',
    decision="reject",
    reason="null is not empty",
    place=Place(file="-"),
)


def timed(call):
    gc.collect()
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1000


def kept(old: bytes, new: bytes):
    same = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(old))
    return len(new) > len(old) and new.endswith(old[same:])


def main():
    file = Path(sys.argv[1])
    read_ledger(file, None)  # imports and caches are paid here
    load = timed(lambda: read_ledger(file, None))
    old = file.read_bytes()
    insert = timed(lambda: insert_rows(file=file, folder=None, rows=[ROW], sitting="bench"))
    print(json.dumps({"ms": insert - load, "load_ms": load, "kept": kept(old, file.read_bytes())}))


if __name__ == "__main__":
    main()
