"""Bad input, said in one plain sentence."""

from __future__ import annotations


class Complaint(Exception):
    """What was wrong and what to do, in one plain sentence: shown to the person, never with a traceback."""
