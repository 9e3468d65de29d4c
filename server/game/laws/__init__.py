"""The Laws as values and pure functions.

Rule sets, obligations, draws, irregularities and results (docs/rules.md).
"""
