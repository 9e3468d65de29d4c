"""One live game: its queue, its record, its connections, and the workers beside it."""
