"""A machine announces on the mover's time: his press takes effect when it has been heard, or at a cap (D.2.4, D.1).

Nothing here looks at the position. The cap is an instant at which the table changes by itself, so that a voice that
falls silent, or a program that is stopped, never leaves a clock as it is.
"""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.events import AnnouncementSpoken
from server.game.decide.adaptations import adapted
from server.game.decide.draft import Draft
from server.game.laws.adaptations import ON, SPOKEN_BEFORE_THE_CLOCK_CAP_MS
from server.game.state.state import GameState, SpokenNow
from server.game.values.words import Mode, Seat


def on_movers_time(state: GameState) -> bool:
    """Whether an announcement by the machine is spoken before the opponent's clock runs at this table."""
    by_machine = state.mode is Mode.RELAY and adapted(state, "machine_announces") == ON
    return by_machine and adapted(state, "announcement_on_movers_time") == ON


def spoken_now(state: GameState, listener: Seat, now: int) -> SpokenNow | None:
    """What is being announced to this player at this moment; what nobody has timed counts no longer than the cap."""
    for one in state.announcing:
        until = one.until_ms if one.until_ms is not None else one.since + SPOKEN_BEFORE_THE_CLOCK_CAP_MS
        if one.seat is listener and one.since <= now < until:  # one that begins later is of an earlier run
            return one
    return None


def charge_of_press(state: GameState, seat: Seat, now: int) -> str:
    """Whose the wait after a press at this moment is: "mover" or "none"; "" where there is nothing to wait for."""
    if not on_movers_time(state) or spoken_now(state, seat.other, now) is None:
        return ""
    return "none" if adapted(state, "announcement_charge") == "none" else "mover"


def note_speaking(draft: Draft, body: cmd.NoteSpeaking) -> None:
    """The voice has begun, knows how long it speaks, or has stopped."""
    if not on_movers_time(draft.state):
        return
    until = None if body.length_ms is None else draft.now + body.length_ms
    draft.emit(
        AnnouncementSpoken(at=draft.now, seat=body.seat, utterance=body.utterance, until_ms=until, over=body.over)
    )
    held = draft.state.held
    if held is not None and spoken_now(draft.state, held.seat.other, draft.now) is None:
        draft.release(draft.now)
