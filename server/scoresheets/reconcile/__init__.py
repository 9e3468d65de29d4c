"""Alignment and comparison of two scores of one game, and explanations of where they differ."""
