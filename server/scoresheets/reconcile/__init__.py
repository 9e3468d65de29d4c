"""This package aligns and compares two scores of one game, and explains where they differ."""
