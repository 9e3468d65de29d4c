"""Damage in the files of SQLite: finding it, and reading what is whole of them."""
