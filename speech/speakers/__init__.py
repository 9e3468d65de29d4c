"""Whose voice it is."""
