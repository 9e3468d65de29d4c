"""Enrolment: from readings of known words to a profile of the voice.

None of it runs while a game is heard.
"""
