"""This package fits the thresholds and curves of hearing."""
