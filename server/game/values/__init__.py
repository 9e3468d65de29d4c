"""This folder holds the values that everything in the game is made of.

Examples are seats, positions, clocks and announcements.
"""
