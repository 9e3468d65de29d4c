"""What a player is told about the position, in training alone."""

from __future__ import annotations

from server.game.acts.events import Explored
from server.game.views.message import Message


class PositionTold(Message, frozen=True, kw_only=True):
    """To the asker alone, at a table for training: what his question about the position found.

    Men are FEN letter and square, "Ng1"; `takes`: who may take on which square; `words`: of the last move. `text`: all
    of it in the asker's words.
    """

    about: str
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""


def position_told(event: Explored) -> PositionTold:
    """The answer as it stands on record."""
    return PositionTold(
        about=event.about,
        white=event.white,
        black=event.black,
        squares=event.squares,
        takes=event.takes,
        words=event.words,
    )
