"""This folder holds the acts of the game: commands that are asked for and events that happened, a file per subject."""
