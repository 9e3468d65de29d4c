"""The commands with which a player prepares alone: teaching the program a voice, and practising."""
