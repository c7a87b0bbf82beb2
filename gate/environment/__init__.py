"""Interpreters and environments: what both sides run under, and what is installed for them.

``interpreters`` finds a Python, ``requirements`` reads exact pins, ``install`` turns those into a cached folder of
packages. Nothing here imports a target. Import the parts themselves: most runs need only the first of them.
"""
