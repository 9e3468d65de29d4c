"""One live game: its queue, its record, its connections, and what works beside it."""
