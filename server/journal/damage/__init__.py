"""This package finds damage in the files of SQLite, and reads what is whole of them."""
