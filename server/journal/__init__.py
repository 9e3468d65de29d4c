"""This package keeps the durable record: append-only events, in SQLite by default."""
