"""This package finds out whose voice it is."""
