"""This package fits how voices differ, from synthetic speakers."""
