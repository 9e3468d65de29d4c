"""A volunteer is led through recordings: what is to be said, how good a take is, and the folder that keeps it."""
