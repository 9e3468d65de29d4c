"""This package reads and compares written scores (D.2.9). Pure."""
