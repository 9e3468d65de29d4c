"""The Laws as values and pure functions: rule sets, obligations, draws, irregularities, results (docs/rules.md)."""
