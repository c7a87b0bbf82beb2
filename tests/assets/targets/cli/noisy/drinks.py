import sys

DATA = sys.stdin.read()
