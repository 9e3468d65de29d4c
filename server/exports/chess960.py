"""The start of a Chess960 game is read here as it is written, thrown or drawn (II.1, II.2; L226).

Chance stays outside the core: the caller supplies it, and the record holds the position.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from server.game.laws.chess960 import START_POSITIONS, from_dice, from_letters, start_position
from server.game.values.position import Position
from speech.complaint import Complaint, Phrase, told_by

DRAWN = "draw"


def start_of(text: str, draw: Callable[[int], int]) -> Position:
    """Return the initial position that a text names. Raises Complaint for any other text.

    It is a number (0 to 959), White's eight letters from a to h, five throws of a die ("3-1-4-2-2"), or a drawn one
    ("draw"; `draw(n)` gives a number below n).
    """
    written = text.strip()
    try:
        if written.lower() == DRAWN:
            return start_position(draw(START_POSITIONS))
        if re.fullmatch(r"\d{1,4}", written, re.ASCII):
            return start_position(int(written))
        if re.fullmatch(r"\d(?:[ ,-]+\d)+", written, re.ASCII):
            return from_dice(tuple(int(throw) for throw in re.findall(r"\d", written)))
        return from_letters(written)
    except ValueError as wrong:
        raise Complaint(Phrase("start.none", start=written[:40], why=told_by(wrong))) from wrong
