"""This package gets to know a voice, from readings of known words to a profile.

None of it runs while a game is heard.
"""
