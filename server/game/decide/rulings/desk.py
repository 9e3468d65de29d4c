"""The reconciliation of two boards that have drifted apart, step by step, under the arbiter.

See D.2.9, L196-L198. The desk tells the arbiter what the scores say; here only what the arbiter does is recorded. It
writes no score, and changes a board only by the arbiter's decision. The server's own game becomes what the desk found,
or the arbiter is told what still differs. The game goes on when both boards are confirmed square by square.
"""

from __future__ import annotations

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.endings import WORDS
from server.game.decide.rule import decides
from server.game.decide.rulings.board_setting import ask_first, board_of_men, confirm_board, set_anew, squares_to_set
from server.game.decide.rulings.restore import TimesChosen, moves_made, take_back, times_of
from server.game.decide.rulings.settled_line import (
    SettledLine,
    line_of_moves,
    line_to_position,
    line_with_moves,
    records_kept,
)
from server.game.decide.scores import stop_with_snapshot
from server.game.state.desk import Desk
from server.game.state.state import GameState
from server.game.values.clock import ChessClock, ClockReading
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Seat


@decides(
    cmd.OpenDesk,
    cmd.ShowBoard,
    cmd.TypeCell,
    cmd.HearCell,
    cmd.AcceptUnread,
    cmd.DecideDesk,
    cmd.ConfirmBoard,
    cmd.CloseDesk,
)
def reconcile(draft: Draft, body: cmd.AnyAct) -> Refusal | None:
    """Carry out a step at the desk: open, look, read, hear, accept, decide, confirm, close.

    Boards are also set, read and confirmed after a restoration.
    """
    state, now = draft.state, draft.now
    desk = state.desk
    if isinstance(body, cmd.OpenDesk):
        if not state.table.started:
            return Refusal("not_started", "6.6")
        if desk is not None:
            return Refusal("desk_open", "D.2.9")
        if state.adjournment is not None and state.adjournment.stage != "resumed":
            return Refusal("adjourned", "I.7")  # the resumption would start a clock behind an open desk
        snapshot = stop_with_snapshot(draft, "desk")
        draft.emit(ev.DeskOpened(at=now, snapshot=snapshot, reason=body.reason))
        return None
    if isinstance(body, cmd.ShowBoard) and state.boards_being_set:
        if board_of_men(body.placement) is None:
            return Refusal("no_position", "D.2.9")
        draft.emit(ev.BoardRead(at=now, board=body.board, placement=body.placement))
        set_anew(draft, body.board, body.placement)
        return None
    if isinstance(body, cmd.ConfirmBoard) and state.boards_being_set:
        return _confirm(draft, body.board)
    if desk is None:
        return Refusal("no_desk", "D.2.9")
    match body:
        case cmd.TypeCell():
            draft.emit(ev.CellTyped(at=now, seat=body.seat, ply=body.ply, text=body.text, language=body.language))
        case cmd.HearCell():
            cell = state.scores.cell(body.seat, body.ply)
            if cell is None:
                return Refusal("no_such_ply", "D.2.7")
            draft.emit(ev.CellHeard(at=now, seat=body.seat, ply=body.ply, utterance=cell.utterance))
        case cmd.AcceptUnread():
            draft.emit(ev.UnreadAccepted(at=now, plies=tuple(sorted(set(body.plies)))))
        case cmd.DecideDesk():
            return _decide(draft, desk, body)
        case cmd.CloseDesk():
            _close(draft, desk, body.reason or "closed")
    return None


def _decide(draft: Draft, desk: Desk, body: cmd.DecideDesk) -> Refusal | None:
    """Make the server's line what the scores say, have the boards set to it, and set the times as chosen."""
    before = draft.state
    if body.kind == "back" and before.draws.claim is not None:  # the claim is about what would be taken back
        return Refusal("claim_open", "9.5.1")
    line = _line_found(before, desk, body)
    if isinstance(line, Refusal):
        return line
    _settle(draft, line, back=body.kind == "back")
    times = _times_chosen(draft.state, line.ply, body, draft.now)  # by the plies' numbers after the decision
    if isinstance(times, Refusal):
        return times
    placement, turn = line.position.placement, line.position.turn
    if body.kind == "back":
        take_back(draft, line.ply, placement, times, body.reason or "D.2.9")
    else:
        _put_clock(draft, before, times)
    if body.kind == "mend":
        _boards_as_seen(draft, desk, line)
    differs = _still_differs(draft.state, desk, line) if body.kind == "mend" else _unknown_moves(draft.state, line)
    set_to = times.reading if times.how != "leave" else None
    squares = [() if body.kind == "mend" else squares_to_set(desk.board(seat), placement) for seat in Seat]
    draft.emit(
        ev.DeskDecided(
            at=draft.now,
            kind=body.kind,
            verdict=body.verdict,
            ply=line.ply,
            placement=placement,
            turn=turn,
            reason=body.reason,
            white=squares[0],
            black=squares[1],
            moves=line.moves,
            times=times.how,
            white_ms=set_to.white_ms if set_to is not None else None,
            black_ms=set_to.black_ms if set_to is not None else None,
            differs=differs,
        )
    )
    _say_what_differs(draft, differs)
    if body.kind == "mend":  # nobody at the table does anything (G13)
        draft.emit(ev.DeskClosed(at=draft.now, reason="mended", differs=differs))
    else:
        ask_first(draft)
    return None


def _line_found(state: GameState, desk: Desk, body: cmd.DecideDesk) -> SettledLine | Refusal:
    """Return the game up to where it stands.

    It is found from its moves, else from the position that the arbiter gives.
    """
    if body.moves is not None:
        line = line_of_moves(state.moves.positions[0], body.moves)
        if line is None:
            return Refusal("no_such_move", "D.2.9")
        there = line.position
        same_ply, same_turn = body.ply in (None, line.ply), body.turn in (None, there.turn)
        if not (same_ply and same_turn and body.placement in (None, there.placement)):
            return Refusal("moves_lead_elsewhere", "D.2.9")
        return line
    if body.kind == "back":
        if body.ply is None or body.ply > state.made_plies:
            return Refusal("no_such_ply", "D.2.9")
        known = state.position_after(body.ply)
        placement = body.placement or (known.placement if known is not None else None)
        if placement is None:
            return Refusal("position_not_known", "7.5.1")
    else:
        placement = body.placement or (_seen_on_both(desk) if body.kind == "mend" else None)
    if placement is None or board_of_men(placement) is None:
        return Refusal("no_position", "D.2.9")
    by_number = state.on_move if body.ply is None else state.seat_of(body.ply).other
    turn = body.turn or by_number
    if body.ply is not None and turn is not by_number:
        return Refusal("turn_differs", "D.2.9")
    plies = (body.ply,) if body.kind == "back" else (state.made_plies, body.ply)
    fitting = [ply for ply in plies if ply is not None and state.seat_of(ply) is turn.other]
    if not fitting:
        return Refusal("turn_differs", "D.2.9")
    for ply in fitting:
        known = state.position_after(ply)
        if known is not None and known.placement == placement and (line := line_to_position(state, ply, placement)):
            return line
    found = line_to_position(state, fitting[-1], placement)
    if found is None:
        return Refusal("moves_lead_elsewhere", "D.2.9")
    if line_with_moves(state, fitting[-1], placement) is None and not body.position_alone:
        return Refusal("moves_not_known", "D.2.9")
    return found


def _seen_on_both(desk: Desk) -> str | None:
    """Return the placement that the arbiter saw on both boards, unless the two differ."""
    seen = {placement for placement in desk.boards if placement is not None}
    return seen.pop() if len(seen) == 1 else None


def _times_chosen(state: GameState, ply: int, body: cmd.DecideDesk, now: int) -> TimesChosen | Refusal:
    """Return the times that the decision sets (D.2.9).

    The arbiter readjusts the clocks where moves are taken back; otherwise they stay, unless the arbiter says so.
    """
    choice = body.times or ("stored" if body.kind == "back" else "leave")
    if choice != "typed":
        return times_of(state, ply, choice, now)
    if body.white_ms is None or body.black_ms is None:
        return Refusal("no_typed_times", "D.2.9")
    return TimesChosen("typed", ClockReading(body.white_ms, body.black_ms, None))


def _settle(draft: Draft, line: SettledLine, *, back: bool) -> None:
    """Replace the server's game by the settled line; tell the arbiter alone what no longer holds."""
    before = draft.state
    records = records_kept(before, line, back=back)
    draft.emit(ev.LineSettled(at=draft.now, ply=line.ply, moves=line.moves, records=records, fen=line.position.fen))
    heard, now = before.moves.line, draft.state.moves.line
    for ply, record in enumerate(draft.state.moves.plies[: line.ply], 1):
        if record.completed and now[ply - 1] is not None and now[:ply] != heard[:ply]:
            draft.alert_on_completion(ply)
    for kind, ply, _ in before.rulings.ends_told:
        if not any((kind, ply) == (told, at) for told, at, _ in draft.state.rulings.ends_told):
            draft.alert("belief_revised", ply, saying("earlier_belief", ply=ply, kind=WORDS[kind]))


def _put_clock(draft: Draft, before: GameState, times: TimesChosen) -> None:
    """Set the times as chosen, and the move counters where plies were missed or counted twice."""
    state = draft.state
    counted = {seat: _moves_completed(state, seat) - _moves_completed(before, seat) for seat in Seat}
    last = state.ply(state.made_plies)
    turn = last.seat if last is not None and not last.completed else state.on_move
    if times.how == "leave" and not any(counted.values()) and state.made_plies == before.made_plies:
        return
    clock, ours = state.time.clock, state.time.clock_master is ClockMaster.SERVER
    reading = times.reading
    if reading is None:
        return  # another clock counts, and nobody read it
    white, black = (max(0, clock.side(seat).moves + counted[seat]) for seat in Seat)
    moves = (white, black) if ours else moves_made(state, state.made_plies)
    periods = clock.control.periods_reached(moves)
    white_ms, black_ms = reading.white_ms, reading.black_ms
    if times.how == "leave" and ours and periods is not None:
        white_ms = _with_period_time(clock, Seat.WHITE, periods[0], white_ms)
        black_ms = _with_period_time(clock, Seat.BLACK, periods[1], black_ms)
    draft.emit(
        ev.ClockSet(
            at=draft.now,
            white_ms=white_ms,
            black_ms=black_ms,
            turn=turn,
            reason="D.2.9",
            moves=moves,
            periods=periods,
            by_hand=times.how != "leave",
        )
    )


def _with_period_time(clock: ChessClock, seat: Seat, period: int, left: int) -> int:
    """Return the time left, with the time of the periods that a corrected move count adds or takes away."""
    had = clock.side(seat).period
    bases = [one.base_ms for one in clock.control.periods]
    more = sum(bases[had + 1 : period + 1]) - sum(bases[period + 1 : had + 1])
    return max(0, left + more)


def _moves_completed(state: GameState, seat: Seat) -> int:
    return sum(record.completed and record.seat is seat for record in state.moves.plies[: state.made_plies])


def _boards_as_seen(draft: Draft, desk: Desk, line: SettledLine) -> None:
    """Let the server's record of the boards follow what stands there; at the table nothing is done."""
    for seat in Seat:
        placement = desk.placement_seen(seat) or line.position.placement
        kept = draft.state.board_of(seat).position
        carried_out = all(
            record.own_board_moved if record.seat is seat else record.executed_ms is not None
            for record in draft.state.moves.plies[: line.ply]
        )
        if (kept.placement, kept.turn) != (placement, line.position.turn) or not carried_out:
            draft.set_board(seat, placement, line.position.turn, line.ply)


def _unknown_moves(state: GameState, line: SettledLine) -> tuple[ev.StillDiffers, ...]:
    """Return from which ply on the server does not know the moves that led here."""
    if line.moves is not None:
        return ()
    known = next((ply for ply, uci in enumerate(state.moves.line[: line.ply], 1) if uci is None), line.ply)
    return (ev.StillDiffers(what="line", ply=known),)


def _still_differs(state: GameState, desk: Desk, line: SettledLine) -> tuple[ev.StillDiffers, ...]:
    """Return what the arbiter saw on a board that differs from the decision, if no board is to be set."""
    found = list(_unknown_moves(state, line))
    for seat in Seat:
        squares = squares_to_set(desk.placement_seen(seat) or line.position.placement, line.position.placement)
        if squares:
            found.append(ev.StillDiffers(what=seat.value, ply=line.ply, squares=tuple(one.square for one in squares)))
    return tuple(found)


def _say_what_differs(draft: Draft, differs: tuple[ev.StillDiffers, ...]) -> None:
    for one in differs:
        if one.what == "line":
            what = saying("desk_line_unknown", ply=one.ply)
        else:
            what = saying("board_of", who=Seat(one.what), what=" ".join(one.squares))
        draft.alert("desk_differs", one.ply, saying("by_article", what=what, article="D.2.9"), grey=False)


def _confirm(draft: Draft, board: Seat) -> Refusal | None:
    """Confirm a board; when both are confirmed the desk closes.

    The arbiter starts the clocks when both players are ready.
    """
    refusal = confirm_board(draft, board)
    setting = draft.state.setting
    if refusal is None and setting is not None and not setting.awaited and draft.state.desk is not None:
        draft.emit(ev.DeskClosed(at=draft.now, reason="confirmed", differs=_left_open(draft.state)))
    return refusal


def _left_open(state: GameState) -> tuple[ev.StillDiffers, ...]:
    decided = state.desk.decided if state.desk is not None else None
    return decided.differs if decided is not None else ()


def _close(draft: Draft, desk: Desk, reason: str) -> None:
    """Close the desk early and tell the arbiter what is left open.

    That is what was decided and not confirmed, or was seen and differs from the server's position.
    """
    state = draft.state
    setting, position = state.setting, state.position
    found = list(_left_open(state))
    for seat in Seat:
        squares: tuple[ev.SquareToSet, ...] = ()
        if setting is not None:
            squares = setting.squares(seat) if seat in setting.awaited else ()
        elif position is not None:
            squares = squares_to_set(desk.placement_seen(seat) or position.placement, position.placement)
        if squares:
            names = tuple(one.square for one in squares)
            found.append(ev.StillDiffers(what=seat.value, ply=state.made_plies, squares=names))
    differs = tuple(found)
    _say_what_differs(draft, differs[len(_left_open(state)) :])  # the rest was said when it was decided
    both = desk.placement_seen(Seat.WHITE)
    if desk.decided is None and both is not None and both == desk.placement_seen(Seat.BLACK) and differs:
        note = "the desk was closed; both boards stand alike, and the server has another position"
        draft.emit(ev.OutOfStep(at=draft.now, ply=state.made_plies, note=note))
    draft.emit(ev.DeskClosed(at=draft.now, reason=reason, differs=differs))
