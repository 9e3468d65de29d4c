"""This folder holds the Laws as values and pure functions.

That is: rule sets, obligations, draws, irregularities, results (docs/rules.md).
"""
