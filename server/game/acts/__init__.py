"""This folder holds the acts of the game.

Commands that are asked for and events that happened, a file per subject.
"""
