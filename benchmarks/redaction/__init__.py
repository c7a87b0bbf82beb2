"""How well redaction finds what it must, measured on a set that was written without sight of its rules: `python -m benchmarks.redaction`."""
