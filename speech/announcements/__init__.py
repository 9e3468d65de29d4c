"""Moves into words, and words into moves."""
