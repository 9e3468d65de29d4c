"""The acts of the game: commands that are asked for and events that happened, one file a subject."""
