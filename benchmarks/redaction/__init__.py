"""How well redaction finds what it must, on a set written without sight of its rules: `python -m benchmarks.redaction`."""
