"""This folder holds the values that everything in the game is made of.

That is: seats, positions, clocks, announcements.
"""
