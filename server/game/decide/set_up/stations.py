"""Two buttons on one device press the clock for both players: whoever has no station presses a key all the same (L049).

The arbiter says at which device they are, each is pressed once there, and from then on its key is its player's press.
A browser cannot tell two keyboards apart: the keys are told by their place alone, so the two must differ.
"""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import PressKeysAsked, PressKeysTold
from server.game.decide.draft import Draft
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, Station


def bind_press_keys(
    draft: Draft, station: Station | None, body: cmd.LearnPressKeys | cmd.TellPressKeys
) -> Refusal | None:
    """The arbiter asks for both buttons, and the device tells them, never while a clock runs (6.11).

    Nobody's press is lost so, and who presses in a game that began too early does not choose whose key it is by that.
    """
    state, keys = draft.state, draft.state.press_keys
    clock_runs = state.clock.running is not None or state.held is not None
    stands = not state.started or state.over or not clock_runs
    if isinstance(body, cmd.LearnPressKeys):
        if not stands:
            return Refusal("clocks_must_stand", "6.11")
        draft.emit(PressKeysAsked(at=draft.now, where=body.at))
        return None
    if not keys.learning or keys.where is None or not is_at(station, keys.where):
        return Refusal("no_press_keys", "")
    if not stands:
        return Refusal("clocks_must_stand", "6.11")
    if body.white == body.black:
        return Refusal("same_press_key", "")
    draft.emit(PressKeysTold(at=draft.now, where=keys.where, white=body.white, black=body.black))
    return None


def seat_of_key(state: GameState, station: Station | None, key: str) -> Seat | Refusal:
    """Whose press a key is, at this device. `station` None: the server's own machine."""
    keys = state.press_keys
    if keys.where is None or keys.learning or not is_at(station, keys.where):
        return Refusal("no_press_keys", "")
    for seat, own in ((Seat.WHITE, keys.white), (Seat.BLACK, keys.black)):
        if own == key:
            return seat
    return Refusal("no_press_keys", "")


def warn_of_learning(draft: Draft, before: GameState) -> None:
    """A clock was started before both buttons were told: until then nothing pressed there counts, and he must know."""
    state = draft.state
    if state.press_keys.learning and state.clock.running is not None and before.clock.running is None:
        detail = f"the buttons at {state.press_keys.where} have not both been pressed once: they press no clock yet"
        draft.alert("press_keys_unknown", state.made_plies, detail, grey=False)


def is_at(station: Station | None, where: str) -> bool:
    """Whether a station stands where the buttons are."""
    if station is None or where == "server":
        return station is None and where == "server"
    if where == "display":
        return station.role is Role.DISPLAY
    return station.role is Role.PLAYER and station.seat is Seat(where)
