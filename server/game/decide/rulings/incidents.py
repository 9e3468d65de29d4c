"""Settle an incident as one thing: all its acts at once or none, and back again until the clocks run (12.2).

The steps are existing commands, each decided by its own rule on top of those before it. What the Laws prescribe for an
incident is in `prescribed.py`; nothing here asks what kind it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.claims.draws import play_is_over
from server.game.decide.draft import Draft
from server.game.decide.rule import decide_body, decides
from server.game.decide.rulings.board_setting import ask_first, squares_to_set
from server.game.decide.rulings.seal import refuse_while_sealed
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import Role, Seat, Station

OPENED: Mapping[str, str] = {
    "illegal": "irregularity_claimed",
    "touch": "touch_move",
    "phone": "device_found",
    "clock": "clock_wrong",
    "set_up": "set_up_wrong",
    "medical": "medical_call",
    "late": "late_arrival",
    "absent": "default_time_over",
    "crash": "interrupted",
    "adjourn": "session_over",
    "boards": "board_differs",
}
"""By which alert each kind of incident is told that the arbiter opens."""
CLOCKS_GO_ON = ("late", "absent", "adjourn")
"""Kinds for which no clock stops: the time of a player who is not there runs (6.6, 6.7), and so does the sealer's."""


@decides(cmd.OpenIncident)
def open_incident(draft: Draft, body: cmd.OpenIncident) -> Refusal | None:
    """Record that what was only heard did happen, or what the arbiter saw, and stop the clocks."""
    if body.kind is None:
        numbers = _open_alerts(draft.state, body.numbers)
        if not numbers:
            return Refusal("alert_settled", "12.2")
        draft.emit(ev.IncidentOpened(at=draft.now, numbers=numbers))
        _stop(draft)
        return None
    if body.kind == "medical":
        _stop(draft, cmd.Pause(medical=body.seat))
    elif body.kind not in CLOCKS_GO_ON:
        _stop(draft)
    said = saying("opened", who=body.seat) if body.seat is not None else saying("opened_alone")
    draft.alert(OPENED[body.kind], _ply_of(draft.state, body), said, grey=False)
    draft.emit(ev.IncidentOpened(at=draft.now, numbers=(draft.state.rulings.alerts,)))
    return None


def _ply_of(state: GameState, body: cmd.OpenIncident) -> int:
    """Return the ply that an incident is about: the last one of its player, where it is about a move."""
    last = state.made_plies
    about_a_move = body.kind in ("illegal", "touch") and body.seat is not None
    return last - 1 if about_a_move and last > 1 and state.seat_of(last) is not body.seat else last


@decides(cmd.SettleIncident)
def settle_incident(draft: Draft, station: Station | None, body: cmd.SettleIncident) -> Refusal | None:
    """Carry out all acts of an incident in their order; where one is refused, none of them counts."""
    numbers = _open_alerts(draft.state, body.numbers)
    if not numbers:
        return Refusal("alert_settled", "12.2")
    steps = body.steps
    if any(isinstance(step, cmd.Pause) for step in steps):
        _stop(draft, next(step for step in steps if isinstance(step, cmd.Pause)))
        steps = tuple(step for step in steps if not isinstance(step, cmd.Pause))
    draft.emit(ev.IncidentBegun(at=draft.now, numbers=numbers))
    for step in steps:
        if (refusal := _decide_step(draft, station, step)) is not None:
            return refusal
    draft.emit(ev.IncidentSettled(at=draft.now, numbers=numbers))
    return None


@decides(cmd.UndoIncident)
def undo_incident(draft: Draft) -> Refusal | None:
    """Take back what settled the last incident, and tell both players so: the clocks, and the squares to set."""
    state = draft.state
    before, after = state.incidents.before, state.incidents.after
    if before is None or after is None or not _stands_as(state, after):
        return Refusal("nothing_to_undo", "12.2")
    draft.emit(ev.IncidentUndone(at=draft.now, numbers=state.incidents.numbers))
    draft.emit(ev.ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason="undone"))
    _set_boards_again(draft, state)
    return None


def _open_alerts(state: GameState, numbers: tuple[int, ...]) -> tuple[int, ...]:
    open_ = {one.number for one in state.rulings.unsettled if one.how != "filed" and "settled" not in one.done}
    return tuple(number for number in dict.fromkeys(numbers) if number in open_)


def _stop(draft: Draft, body: cmd.Pause | None = None) -> None:
    """Stop the clocks unless they stand."""
    if draft.state.time.clock.running is None and draft.state.time.held is None:
        return
    medical, reason = (body.medical, body.reason) if body is not None else (None, "incident")
    draft.emit(ev.ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason=reason, medical=medical))


def _decide_step(draft: Draft, station: Station | None, step: cmd.AnyAct) -> Refusal | None:
    """Decide one act on top of those before it: each is the arbiter's own, who speaks for no seat."""
    state, seat = draft.state, draft.state.on_move
    if state.over and not step.rights.after_the_end:
        return Refusal("game_over", "11.4")
    return (
        refuse_while_sealed(state, seat, step) or play_is_over(state, step) or decide_body(draft, step, seat, station)
    )


def _stands_as(state: GameState, after: GameState) -> bool:
    """Return whether nothing of the game was decided or played since; boards may have been set meanwhile."""
    same = (state.moves.plies, state.moves.line, state.time.clock, state.time.given, state.draws, state.ending)
    was = (after.moves.plies, after.moves.line, after.time.clock, after.time.given, after.draws, after.ending)
    ruled, ruled_then = (one.rulings for one in (state, after))
    return (
        same == was
        and (ruled.illegals, ruled.ruled, ruled.touches) == (ruled_then.illegals, ruled_then.ruled, ruled_then.touches)
        and state.desk == after.desk
        and state.adjournment == after.adjournment
        and state.table.started == after.table.started
    )


def _set_boards_again(draft: Draft, stood: GameState) -> None:
    """Tell each player which squares stand otherwise than before the acts that are undone.

    `stood`: the state up to now, with the boards as the arbiter may have read them since.
    """
    on_white, on_black = (_stands_on(draft.state, seat) for seat in Seat)
    white, black = (
        squares_to_set(stood.board_of(seat).position.placement, wanted.placement)
        for seat, wanted in zip(Seat, (on_white, on_black), strict=True)
    )
    if not white and not black:
        return
    draft.emit(
        ev.BoardsToSet(
            at=draft.now,
            because="restored",
            ply=on_white.ply,
            placement=on_white.placement,
            turn=on_white.turn,
            white=white,
            black=black,
            on_black=on_black if on_black != on_white else None,
        )
    )
    ask_first(draft)


def _stands_on(state: GameState, seat: Seat) -> ev.BoardWanted:
    """Return the position on a player's board, and the last ply that was made or carried out on that board."""
    board = state.board_of(seat).position
    there = (
        record.index
        for record in state.moves.plies
        if (record.own_board_moved if record.seat is seat else record.executed_ms is not None)
    )
    return ev.BoardWanted(placement=board.placement, turn=board.turn, ply=max(there, default=0))
