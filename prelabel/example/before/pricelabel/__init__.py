"""Shelf labels for a small shop."""
