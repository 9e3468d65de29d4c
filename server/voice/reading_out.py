"""What a player's own page has to say, in his ear: who gets it said, and in which languages there is a voice."""

from __future__ import annotations

from server.game.state.state import GameState
from server.game.values.words import Role, SeatKind, Station
from server.protocol import ReadOut
from speech.words.messages_loading import message_tags


def wants_read_out(state: GameState, station: Station, said: ReadOut) -> bool:
    """Whether this page's words are said: a player at a tactile board who chose it (`read_keys`), in a known language.

    Nothing is added to them: they are what the page shows him anyway, so that nothing depends on the game (12.6).
    """
    seat = station.seat
    if station.role is not Role.PLAYER or seat is None or said.language not in message_tags():
        return False
    return state.plan(seat).kind is SeatKind.TACTILE and state.sound_of(seat).ear.read_keys
