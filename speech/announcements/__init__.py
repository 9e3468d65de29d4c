"""This package turns moves into words, and words into moves."""
