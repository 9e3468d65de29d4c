"""The durable record: append-only events, SQLite by default."""
