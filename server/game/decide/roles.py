"""Which command each role may give, and the article that refuses the others (D.2.10, D.2.11, L199-L206)."""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, Station

OTHERS = {  # what a role may not do is somebody else's
    Role.PLAYER: Refusal("only_the_arbiter", "12.3"),
    Role.ARBITER: Refusal("only_the_player", "12.6"),
    Role.DISPLAY: Refusal("display_only_shows", "6.12.1"),
    Role.OBSERVER: Refusal("observer_only_reports", "12.4"),
}


def why_refused(station: Station | None, body: cmd.AnyAct) -> Refusal | None:
    """Why this station may not give this command; None where it may. `station` None is the program itself."""
    if station is None:
        return None
    rights = body.rights
    if rights.own:
        return Refusal("not_for_stations", "11.3.1")
    if station.role in rights.by:
        return None
    if station.role is not Role.ASSISTANT:
        return OTHERS[station.role]
    if isinstance(body, cmd.Ask) and body.what == "set_up":
        return None if station.duties else Refusal("not_your_duty", "D.2.10")
    if rights.duty is None:
        return Refusal("not_your_duty", "D.2.10")
    return None if rights.duty in station.duties else Refusal("not_your_duty", rights.duty.article)


def seat_spoken_for(state: GameState, station: Station | None, named: Seat | None) -> Seat:
    """For which seat a station acts: its own; an assistant may name the other (D.2.10.1, D.2.10.2)."""
    if station is None or station.seat is None:
        return named or state.on_move
    if station.role is Role.ASSISTANT and named is not None:
        return named
    return station.seat
