"""Restoring an earlier position: the game goes back to after a ply.

See 7.1, 7.5.1, 7.6; L074, L080, L085. The plies after it are kept as a discarded line. Both boards go back, and with
them the move counters; the times are set as the arbiter chooses. Scores belong to the players and stay as they are.
"""

from __future__ import annotations

import msgspec

from server.game import acts as cmd
from server.game.acts import ClockPaused, ClockSet, Keeps, ProposalSettled, Refusal, Restored
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.rulings.board_setting import set_restored
from server.game.decide.rulings.irregularities import illegal, illegal_ply_stands
from server.game.decide.touch import obligation_of
from server.game.state.rulings import ABOUT_A_MOVE
from server.game.state.state import GameState
from server.game.values.clock import ChessClock, ClockReading
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Role, Seat


@decides(cmd.RestoreTo)
def restore(draft: Draft, body: cmd.RestoreTo) -> Refusal | None:
    """Take the game back to after ply `body.ply` (0: the start).

    Each board that deviates is set square by square.
    """
    state = draft.state
    ply = complained_of(state) - 1 if body.ply is None else body.ply
    if not 0 <= ply <= state.made_plies:
        return Refusal("no_such_ply", "7.1")
    if state.draws.claim is not None:  # the claim is about what would be taken back
        return Refusal("claim_open", "9.5.1")
    if not body.agreed and _takes_back_what_stands(state, ply):
        return Refusal("illegal_move_stands", state.table.rules.article("basic_illegal") or "A.5.2")
    placement = _placement(state, ply, body.placement)
    if placement is None:
        return Refusal("position_not_known", "7.5.1")
    draft.release(draft.now)  # a press that waits for its announcement counts before the times are read
    times = times_of(draft.state, ply, body.times, draft.now)
    if isinstance(times, Refusal):
        return times
    if draft.state.time.clock.running is not None:  # no player sets a board on their own time (6.11.3)
        draft.emit(ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason="restored"))
    stood = (state.moves.white_board.position.placement, state.moves.black_board.position.placement)
    take_back(draft, ply, placement, times, body.reason)
    set_restored(draft, ply, stood)
    return None


def complained_of(state: GameState) -> int:
    """Return the ply complained of last, before which a take-back ends by default; 0 where nothing was made.

    It is the one of a player's claim that nobody has answered, else the one ruled on since the last move was made, else
    the later of the last two made that the arbiter was told of, else the last one made.
    """
    made = state.made_plies
    left = (one for one in state.rulings.unsettled if one.how != "filed" and "ruled" not in one.done)
    open_ = [one.alert for one in left if 0 < one.alert.ply <= made]
    claimed = [alert.ply for alert in open_ if alert.kind == "irregularity_claimed"]
    if claimed:
        return claimed[-1]
    ruled = state.rulings.last_ruled
    if ruled is not None and ruled[1] == made and any(ply == ruled[0] for ply, _ in state.rulings.ruled):
        return ruled[0]
    return max((alert.ply for alert in open_ if alert.kind in ABOUT_A_MOVE and alert.ply >= made - 1), default=made)


def take_back(draft: Draft, ply: int, placement: str, times: TimesChosen, reason: str) -> None:
    """Take the game back to after this ply: both boards, the times as chosen, and the move counters."""
    state = draft.state
    seat = state.seat_of(ply).other
    moves = moves_made(state, ply)
    periods = None if times.how == "leave" else _periods(state, ply, moves, stored=times.how == "stored")
    for one in state.ending.pending:  # the next yes is about a square of the board
        draft.emit(ProposalSettled(at=draft.now, seat=one.seat, what=one.what, outcome="dropped"))
    draft.emit(
        Restored(
            at=draft.now,
            ply=ply,
            discarded=state.moves.line[ply:],
            reason=reason,
            keeps=_keeps(state, ply),
            exempt=_exempt(state, periods),
        )
    )
    for board in Seat:
        draft.set_board(board, placement, seat, ply)
    if times.reading is None:
        return
    draft.emit(
        ClockSet(
            at=draft.now,
            white_ms=times.reading.white_ms,
            black_ms=times.reading.black_ms,
            turn=seat,
            reason="restored",
            moves=moves,
            periods=periods,
            anew=True,
            by_hand=times.how != "leave",
        )
    )
    if times.how == "stored" and ply < state.time.corrected:  # whether it belongs to them, only the arbiter can say
        draft.alert("clock_wrong", ply, saying("times_of_then"), grey=False)


def _keeps(state: GameState, ply: int) -> tuple[Keeps, ...]:
    """Return the things that stay valid when the game goes back (9.1.2.1, 9.5.3, 4.3, 8.5).

    An offer ends by an answer, by a touch or with the game. What was touched in the coming move still obliges where no
    move is taken back: the pieces are only put right (7.4, 7.6).
    """
    standing: dict[Keeps, bool] = {
        "offer": (state.draws.offer_by or state.draws.touched_off) is not None,
        "intended": state.draws.intended is not None and state.draws.intended.ply <= ply,
        "touches": ply == state.made_plies,
        "touched": _touched_still(state, ply),
        "due": bool(state.scores.due),
    }
    return tuple(name for name, stands in standing.items() if stands)


def _touched_still(state: GameState, ply: int) -> bool:
    """Return whether what was touched for the first ply that goes back binds the move that replaces it.

    It does where that ply was ruled irregular (7.5.1), where it broke what the touches oblige to (4.3 to 4.7), and
    where no move goes back.
    """
    first = ply + 1
    if ply == state.made_plies or any(ruled == first for ruled, _ in state.rulings.ruled):
        return True
    obligation, uci = obligation_of(state, first), state.moves.line[ply]
    return obligation is not None and not obligation.free and uci is not None and uci not in obligation.moves


def _exempt(state: GameState, periods: tuple[int, int] | None) -> tuple[int | None, int | None]:
    """Return the periods in which White and Black still need not record (8.4, L094).

    A player who is exempt in a period stays exempt for the rest of it, even with more time. Where moves are taken back
    by the scores (D.2.9), recording begins again with the times that are set (L198).
    """
    if state.desk is not None:
        return None, None
    white, black = periods if periods is not None else (state.time.clock.white.period, state.time.clock.black.period)
    return (
        white if state.scores.exempt[0] == white else None,
        black if state.scores.exempt[1] == black else None,
    )


def _takes_back_what_stands(state: GameState, ply: int) -> bool:
    """Return whether a ply to be discarded is an illegal move that stands (A.5.2): only by agreement."""
    for index in range(ply + 1, state.made_plies + 1):
        uci = state.moves.line[index - 1]
        before = state.position_after(index - 1)
        if uci is not None and before is not None and illegal_ply_stands(state, index) and illegal(before, uci):
            return True
    return False


def _placement(state: GameState, ply: int, given: str | None) -> str | None:
    """Return the placement after that ply, as the server believes, else as the arbiter says.

    The arbiter gives the last identifiable position.
    """
    known = state.position_after(ply)
    if known is not None:
        return known.placement
    if given is None:
        return None
    try:
        Position.from_fen(f"{given} w - - 0 1")
    except ValueError:
        return None
    return given


class TimesChosen(msgspec.Struct, frozen=True):
    """Choice of the times that stand now.

    `how`: stored (of that ply), read (off another clock), typed, or leave (as they are). `reading` None: nothing is
    set, since nobody read the clock that counts.
    """

    how: str
    reading: ClockReading | None


def times_of(state: GameState, ply: int, choice: str, now: int) -> TimesChosen | Refusal:
    """Return the times left as they are, or those of that ply with what rulings gave since (7.1, 7.5.5, 12.5, 12.9).

    Those of another clock are known only where they were read off.
    """
    clock = state.time.clock
    ours = state.time.clock_master is ClockMaster.SERVER
    read = None if ours or state.time.clock_read is None else ClockReading(*state.time.clock_read[1:], None)
    if choice == "leave":
        if ours:
            read = ClockReading(clock.remaining(Seat.WHITE, now), clock.remaining(Seat.BLACK, now), None)
        return TimesChosen("leave", read)
    if ply == 0:
        begun = ChessClock.set_to(clock.control).reading(now)
        return TimesChosen("stored", state.time.with_what_was_given(begun, (0, 0)))
    record = state.ply(ply)
    if record is not None and record.white_ms is not None and record.black_ms is not None:
        stored = ClockReading(record.white_ms, record.black_ms, None)
        return TimesChosen("stored", state.time.with_what_was_given(stored, record.given))
    return Refusal("no_stored_times", "7.1") if read is None else TimesChosen("read", read)


def moves_made(state: GameState, ply: int) -> tuple[int, int]:
    """Return how many moves White and Black had made by that ply."""
    white = sum(state.seat_of(index) is Seat.WHITE for index in range(1, ply + 1))
    return white, ply - white


def _periods(state: GameState, ply: int, moves: tuple[int, int], *, stored: bool) -> tuple[int, int] | None:
    """Return the periods that those moves had reached; with stored times also those in which the ply was completed.

    The arbiter may have begun a period before its moves were counted (8.6): these times have its time already. Where
    periods end at zero, they are always those of the ply.
    """
    record, reached = state.ply(ply), state.time.clock.control.periods_reached(moves)
    then = (0, 0) if record is None else record.periods
    if reached is None or then is None or not stored:
        return reached or then
    white, black = map(max, then, reached)
    return white, black
