import sys

VERBOSE = "-v" in sys.argv
