"""This folder holds the acts of the game.

They are commands that are asked for and events that happened, with a file for each subject.
"""
