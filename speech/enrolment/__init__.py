"""Getting to know a voice: readings of known words -> a profile. Nothing of it runs while a game is heard."""
