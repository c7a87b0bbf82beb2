"""The deterministic gate: runs a frozen baseline and a candidate on one corpus and decides. No network, no model."""

__version__ = "0.1.0"
