"""One program, many ends: the first word says which."""

import sys

from acts.ends import ENDS

if __name__ == "__main__":
    name = sys.argv.pop(1)
    ENDS[name]()
