"""Imports nothing but what is told apart by whether it was loaded before."""
