"""At a training table a player may ask about the position by voice: "help", and then a question.

The questions use words that the recognisers know already, so that nothing is heard differently in a rated game: after
"help" a square asks what stands there, a piece and a square where that piece may go, two squares what attacks the
second, and "help" once more asks for the whole board.
"""

from __future__ import annotations

from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.words import Role, Station
from speech.words.said import Heard, Said

WAIT_MS = 15_000
"""How long after "help" the next words are taken as the question."""


def question_of(said: Said) -> cmd.Explore | None:
    """Return the question that an announcement's words ask; None for castling.

    >>> question_of(Said("knight", None, "g1")).about
    'moves'
    """
    if said.to_square is None:
        return None
    if said.from_square is not None:
        return cmd.Explore(about="attackers", square=said.to_square)
    return cmd.Explore(about="square" if said.piece is None else "moves", square=said.to_square)


class TrainingByVoice:
    """Record of who has said "help" at one table, and until when the next words are the question."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}

    def takes(self, state: GameState, station: Station, heard: Heard, at_ms: int) -> tuple[bool, cmd.Explore | None]:
        """Say whether these words are a question or its beginning, and return the question.

        Never at a table that is not for training.
        """
        if not state.table.trains or station.role is not Role.PLAYER:
            return False, None
        asked = at_ms <= self._until.pop(station.id, -1)
        if heard.kind == "command" and heard.command == "help":
            if asked:
                return True, cmd.Explore(about="board")
            self._until[station.id] = at_ms + WAIT_MS
            return True, None
        question = question_of(heard.said) if asked and heard.kind == "move" and heard.said is not None else None
        return question is not None, question
