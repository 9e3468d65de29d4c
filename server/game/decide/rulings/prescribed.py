"""This file says what the Laws prescribe for an incident: its numbered steps, each an act with its values filled in.

Nothing is decided here: the arbiter changes what they like, and gives all of it with one act (`incidents.py`).
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from server.game import acts as cmd
from server.game.decide.rulings.irregular_ply import penalty_of, ply_ruled_on, queen_forced, result_of
from server.game.state.rulings import TAKEN_BACK, TOUCH, AlertKept
from server.game.state.state import GameState
from server.game.values.words import ClockMaster, Seat


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of an incident: its name (of its words), its act, whom it is about, and whether it is done already.

    `body` None: there is no act for it, as for a board that its player sets. `uci`: the move that it is about.
    """

    name: str
    body: cmd.AnyAct | None
    who: Seat | None = None
    done: bool = False
    uci: str | None = None


def steps_of(state: GameState, kept: AlertKept) -> tuple[Step, ...]:
    """Return the steps of an alert's incident, but the last, which lets the clocks run; () where it is none."""
    prescribe = PRESCRIBED.get(kept.alert.kind)
    return () if prescribe is None or state.over else prescribe(state, kept)


def _stop(state: GameState) -> tuple[Step, ...]:
    """Return the stop of both clocks, which another clock than ours does not need from here."""
    if state.time.clock_master is not ClockMaster.SERVER:
        return ()
    return (Step(name="stop", body=cmd.Pause(reason="incident"), done=state.time.clock.running is None),)


def _irregular(kind: str) -> Callable[[GameState, AlertKept], tuple[Step, ...]]:
    """Return what is prescribed for a ply that is irregular in this way (7.5, 4.3)."""

    def steps(state: GameState, kept: AlertKept) -> tuple[Step, ...]:
        ply, done = kept.alert.ply, kept.done
        seat = state.seat_of(ply)
        about = ply_ruled_on(state, ply, seat, kind) if ply else None
        if about is None:
            return ()
        ruled = "ruled" in done
        penalty = penalty_of(state, seat, kind, ruled=ruled)
        queen = queen_forced(state, about, kind)
        ruling = cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind, give=False)  # type: ignore[arg-type]
        found = [*_stop(state), Step(name=f"rule_{kind}", body=ruling, who=seat, done=ruled, uci=about.uci)]
        if kind in TAKEN_BACK and not penalty.loses:
            back = cmd.RestoreTo(ply=ply - 1)
            found.append(Step(name="back", body=back, who=seat, done="back" in done, uci=about.uci))
        if penalty.loses:
            _, result = result_of(about, queen=queen)
            found.append(
                Step(name="result", body=cmd.RuleResult(result=result, reason="illegal_move", article=penalty.article))  # type: ignore[arg-type]
            )
        elif penalty.bonus_ms:
            reason = "illegal_move" if kind != TOUCH else ""
            give = cmd.AddTime(seat=seat.other, ms=penalty.bonus_ms, reason=reason, article=penalty.article)
            found.append(Step(name="give", body=give, who=seat.other, done="given" in done))
        return tuple(found)

    return steps


PRESCRIBED: dict[str, Callable[[GameState, AlertKept], tuple[Step, ...]]] = {
    "not_legal": _irregular("illegal"),
    "takes_king": _irregular("illegal"),
    "unpromoted": _irregular("unpromoted"),
    "press_without_move": _irregular("no_move"),
    "touch_move": _irregular("touch"),
    "irregularity_claimed": _irregular("illegal"),
}
"""What is prescribed, by the kind of alert that opened the incident."""
