"""These modules run one live game: its queue, its record, its connections, and what works beside it."""
