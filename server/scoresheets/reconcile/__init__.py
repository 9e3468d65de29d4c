"""Two scores of one game, aligned and compared, and what explains where they differ."""
