"""The record in SQLite, a file in the data folder."""
