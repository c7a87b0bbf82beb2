"""The yardstick, one side: `golden.py ROOT CORPUS ENTRY > lines`. What a person would write in ten minutes.

One JSON line a fixture: the value, or the exception's type and message. Two of these and `diff` are a golden-diff run.
"""

import importlib
import json
import os
import sys


def main():
    root, corpus, entry = sys.argv[1:]
    sys.path.insert(0, root)
    module, _, name = entry.partition(":")
    call = getattr(importlib.import_module(module), name)
    # Not pathlib: its import would make the yardstick slower than it has to be.
    for name in sorted(os.listdir(corpus)):  # noqa: PTH208
        with open(os.path.join(corpus, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            payload = json.load(file)
        try:
            line = {"id": name, "value": call(payload)}
        except Exception as error:  # noqa: BLE001  # whatever the target raises is its answer
            line = {"id": name, "type": type(error).__qualname__, "message": str(error)}
        sys.stdout.write(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
