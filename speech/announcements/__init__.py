"""Moves become words, and words become moves."""
