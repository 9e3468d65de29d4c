"""The durable record: append-only events, in SQLite by default."""
