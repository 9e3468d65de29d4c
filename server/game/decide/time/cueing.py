"""What a player's clock tells him unasked (D.2.6.1): only where the arbiter recorded it, and the player asked. Pure.

A cue depends on the clock alone. A threshold is told once a period; the seconds of the countdown anew in every move.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.adaptations import adapted
from server.game.decide.draft import Draft
from server.game.laws.adaptations import ON
from server.game.state.applying_own_clock import COUNTED_S
from server.game.state.state import GameState
from server.game.values.words import Seat, SeatKind

ADAPTATION = "spoken_time_automatic"
LATEST_MS, LATEST_COUNT_MS = 1_000, 400
"""A cue, or a counted second, noticed later than this is not told: it would not be true any more."""


def ask_for_cues(draft: Draft, seat: Seat, body: cmd.AskForCues) -> Refusal | None:
    """Take down what he wants to be told; to want nothing needs nobody's approval."""
    if (body.at_s or body.countdown != "off") and adapted(draft.state, ADAPTATION) != ON:
        return Refusal("no_cues", "D.2.6.1")
    at_s = tuple(sorted(set(body.at_s), reverse=True))
    draft.emit(ev.CuesAsked(at=draft.now, seat=seat, at_s=at_s, countdown=body.countdown))
    return None


def cues_due(state: GameState, flag: int) -> Iterator[tuple[int, int]]:
    """The instant (ms of this run) and the seconds left of each cue to come, for the side whose flag falls at `flag`.

    What lay behind before the time began to run is not told any more: it was not asked for.
    """
    clock = state.clock
    seat, since = clock.turn, clock.since
    asked = next((one for one in state.cues if one.seat is seat), None)
    if asked is None or since is None or state.plan(seat).kind is not SeatKind.TACTILE:
        return
    if adapted(state, ADAPTATION) != ON:
        return
    counted = () if asked.countdown == "off" else tuple(range(COUNTED_S, 0, -1))
    for seconds in (*asked.at_s, *counted):
        at = flag - seconds * 1000
        if at >= since and seconds * 1000 < clock.base_ms(seat) and (seat, seconds) not in state.cued:
            yield at, seconds


def cue(draft: Draft, due: int, seat: Seat, seconds: int) -> None:
    """Tell the time, or count."""
    asked = next(one for one in draft.state.cues if one.seat is seat)
    way = asked.countdown if asked.countdown != "off" and seconds <= COUNTED_S else "time"
    late = draft.now - due > (LATEST_MS if way == "time" else LATEST_COUNT_MS)
    draft.emit(ev.TimeCued(at=due, seat=seat, left_s=seconds, way=way, late=late))
