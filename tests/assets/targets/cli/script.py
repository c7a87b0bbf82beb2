#!/usr/bin/env python3
import sys

from acts import ends

print(__name__, __file__ == sys.argv[0], __spec__, __package__, sys.argv[1:], sorted(name for name in globals() if name[:2] == "__"))
if len(sys.argv) > 1:
    ends.ENDS[sys.argv.pop(1)]()
