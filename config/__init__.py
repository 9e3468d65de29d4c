"""Defaults, languages, schemes, pronunciations: data read through importlib.resources. No code lives here."""
