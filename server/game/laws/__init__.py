"""This folder holds the Laws as values and pure functions.

They are rule sets, obligations, draws, irregularities and results (docs/rules.md).
"""
