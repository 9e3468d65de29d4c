"""Alerts to the arbiter about irregularities after the press, and the rulings on them.

See 7.5, A.5, D.2.4, G1, G2. Alerts are for the arbiter alone; an alert becomes an irregularity only by the arbiter
(12.6). In rapid and blitz under basic supervision an illegal move stands once the opponent has made the next one
(A.5.2).
"""

from __future__ import annotations

import chess

from server.game import acts as ev
from server.game.decide.adaptations import adaptation_value, machine_announces_for
from server.game.decide.draft import Draft
from server.game.decide.touch import obligation_of, senses
from server.game.laws.adaptations import ON
from server.game.laws.legality import captures_king, drawn_after_waiting, irregularities
from server.game.laws.supervision import basic, classify, illegal_move_stands
from server.game.state.line import PlyRecord
from server.game.state.state import GameState
from server.game.values.position import Position, legal
from server.game.values.saying import Saying, saying
from server.game.values.words import ClockMaster, Mode, Origin, Seat, SeatKind

SPOKEN = (ev.Announced, ev.AnnouncementRepeated, ev.Contested, ev.NotUnderstood)
WITHOUT_ANNOUNCING = "sighted_press_without_announcement"
NEEDS_ANNOUNCEMENT = "sighted_press_needs_announcement"


IRREGULAR = {
    "both_kings_in_check": saying("irregular_kings"),
    "pawn_on_last_rank": saying("irregular_pawn"),
}


def illegal_ply_stands(state: GameState, ply: int) -> bool:
    """Return whether an illegal move of this ply stands, because the opponent has made the next move.

    See A.5.2, L153.
    """
    kind, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    return illegal_move_stands(kind, supervision, reply_made=state.made_plies > ply) == "stands"


def illegal(position: Position, uci: str) -> bool:
    """Return whether a move is illegal; the capture of a king is illegal too (1.4.1)."""
    return not legal(position, uci) or captures_king(position, uci)


def leaves_unpromoted(state: GameState, ply: int) -> bool:
    """Return whether the believed move leaves a pawn on the last rank (7.5.2)."""
    uci, before = state.moves.line[ply - 1], state.position_after(ply - 1)
    if uci is None or before is None or uci[3:] not in ("1", "8"):  # no change of rank, or a promotion is named
        return False
    return before.board().piece_type_at(chess.parse_square(uci[:2])) == chess.PAWN


# What follows from a command


def watch_moves(draft: Draft) -> None:
    """Look at what a command brought about, and tell the arbiter what they may want to rule on."""
    for event in tuple(draft.events):
        match event:
            case ev.Completed():
                _look_at_completed(draft, event)
            case ev.Made():
                _look_at_made(draft, event)
            case ev.TouchReported():
                _touch_told_late(draft, event)
            case ev.TouchRuled(counts=True):
                _touch_told_late(draft, draft.state.rulings.touches[event.number - 1])
            case ev.Adjusting() if event.seat is not draft.state.on_move:
                _adjusts(draft, "adjusting_out_of_turn", saying("adjusts_turn", who=event.seat))
            case ev.Adjusting() if draft.state.time.clock.running is event.seat.other:
                _adjusts(draft, "adjusting_out_of_turn", saying("adjusts_clock", who=event.seat))
            case ev.Adjusting() if draft.state.table.rules.options.adjust_needs_opponent:
                _adjusts(draft, "adjusting_presence", saying("adjusts_presence", who=event.seat))
            case _ if isinstance(event, SPOKEN) and draft.state.time.owed == event.seat:
                settle_owed(draft, event.seat)
            case ev.Echoed() | ev.Made() if draft.state.time.owed == event.seat.other:
                settle_owed(draft, event.seat.other)  # the opponent repeats the move, or has answered it
            case ev.ModeChanged() | ev.AdaptationRecorded() if draft.state.time.owed is not None:
                _owe_nothing(draft, draft.state.time.owed)


def _adjusts(draft: Draft, kind: str, said: Saying) -> None:
    draft.alert(kind, draft.state.made_plies, said, grey=False)


def _look_at_completed(draft: Draft, event: ev.Completed) -> None:
    record = draft.state.moves.plies[event.ply - 1]
    if event.origin is Origin.DECLARED:
        _press_alone(draft, record)
    uci, before = draft.state.moves.line[event.ply - 1], draft.state.position_after(event.ply - 1)
    if draft.state.table.mode is Mode.CLOCK or uci is None or before is None:
        return
    grey = record.rests_on_words
    if leaves_unpromoted(draft.state, event.ply):
        draft.alert("unpromoted", event.ply, saying("not_replaced", uci=uci), grey=grey)
    if captures_king(before, uci):
        draft.alert("takes_king", event.ply, saying("takes_king", uci=uci), grey=grey)
    _touch_move(draft, event.ply, before, uci, grey)
    _irregular_position(draft, event.ply, grey)


def _touch_move(draft: Draft, ply: int, before: Position, uci: str, grey: bool) -> None:
    """Tell the arbiter where another move was made than what was touched obliges to (4.3 to 4.7)."""
    obligation = obligation_of(draft.state, ply)
    if obligation is not None and not obligation.free and uci not in obligation.moves and legal(before, uci):
        said = saying("touched", uci=uci, what=" ".join(obligation.moves), article=obligation.article)
        draft.alert("touch_move", ply, said, grey=grey)


def _touch_told_late(draft: Draft, touch: ev.TouchReported) -> None:
    """Tell the arbiter where a touch that is reported or ruled on after the press speaks against the move."""
    state = draft.state
    record, before = state.ply(touch.ply), state.position_after(touch.ply - 1)
    if state.table.mode is Mode.CLOCK or record is None or not record.completed or before is None:
        return
    if any(one.alert.kind == "touch_move" and one.alert.ply == touch.ply for one in state.rulings.unsettled):
        return
    uci = state.moves.line[touch.ply - 1]
    if uci is not None:
        _touch_move(draft, touch.ply, before, uci, record.rests_on_words)


def _irregular_position(draft: Draft, ply: int, grey: bool) -> None:
    """Tell the arbiter of both kings in check or a pawn on the last rank.

    The next completed move is waited for (A.5.4, L155).
    """
    state = draft.state
    position = state.position_after(ply)
    if not basic(classify(state.time.clock.control), state.table.regulations.supervision) or position is None:
        return
    found = irregularities(position)
    if not found:
        return
    article = state.table.rules.article("basic_wait") or "A.5.4"
    what = tuple(IRREGULAR[one] for one in found)
    before = state.position_after(ply - 1)
    if ply > 1 and before is not None and drawn_after_waiting(before, position):
        draft.alert("draw_irregular", ply, saying("still_irregular", what=what, article=article), grey=grey)
    else:
        draft.alert("irregular_position", ply, saying("wait_irregular", what=what, article=article), grey=grey)


def _look_at_made(draft: Draft, event: ev.Made) -> None:
    """Tell the arbiter that the opponent's next move lets an illegal one stand, under basic supervision.

    See A.5.2.
    """
    ply, state = event.ply - 1, draft.state
    record = state.ply(ply)
    if record is None or not illegal_ply_stands(state, ply) or (ply, record.seat) in state.rulings.ruled:
        return
    uci, before = state.moves.line[ply - 1], state.position_after(ply - 1)
    if uci is None or before is None or not illegal(before, uci):
        return
    article = state.table.rules.article("basic_illegal") or "A.5.2"
    draft.alert("illegal_move_stands", ply, saying("stands_now", uci=uci, article=article))


def _press_alone(draft: Draft, record: PlyRecord) -> None:
    """Tell the arbiter of a press that came too early or alone (6.2.4, 7.5.3, D.2.4; G1, G2)."""
    state = draft.state
    silent = record.announcement is None and record.utterance is None
    tactile = state.plan(record.seat).kind is SeatKind.TACTILE
    lifts = [t for t in state.rulings.touches if t.ply == record.index and t.seat is record.seat and not t.because]
    known = [t for t in lifts if not t.sealed]
    if senses(state, record.seat) and silent and not lifts and not _sealed_board(state, record.seat):
        draft.alert("press_without_move", record.index, saying("pressed_nothing"), grey=False)
    elif tactile and known and known[-1].how == "lifted":
        draft.alert("premature_press", record.index, saying("pressed_lifted"), grey=False)
    elif tactile and silent and _reaches_program(state, record.seat):
        draft.alert("premature_press", record.index, saying("pressed_unheard"))
    against_tactile = not tactile and state.plan(record.seat.other).kind is SeatKind.TACTILE
    unspoken = silent and not _echo_shows_announced(state, record.index)
    if against_tactile and unspoken and not board_announces(state, record.seat, record.index):
        _pressed_without_announcing(draft, record)


def _sealed_board(state: GameState, seat: Seat) -> bool:
    """Return whether what a board sensed may not be told: then its silence may not be told either."""
    return any(t.sealed for t in state.rulings.touches if t.seat is seat)


def _reaches_program(state: GameState, seat: Seat) -> bool:
    """Return whether this seat's announcements reach the program at all."""
    own = (one for one in state.moves.plies if one.seat is seat)
    return any(one.announcement is not None or one.utterance is not None for one in own)


def board_announces(state: GameState, seat: Seat, ply: int) -> bool:
    """Return whether this ply is announced by what a board senses.

    The program speaks for the player, and the pieces were touched. What was moved may be read only after the press,
    which shows that the piece was let go.
    """
    speaks = machine_announces_for(state, seat)
    return speaks and any((t.seat, t.ply, t.origin) == (seat, ply, Origin.SENSED) for t in state.rulings.touches)


def _echo_shows_announced(state: GameState, ply: int) -> bool:
    """Return whether the opponent has echoed an announcement of this ply that did not reach us.

    Then the move was announced (D.2.1).
    """
    record, before = state.ply(ply), state.ply(ply - 1)
    early = state.table.mode is Mode.TABLE and before is not None and before.left_over is not None
    return early or (record is not None and (record.echo is not None or record.echo_utterance is not None))


def announces_first(state: GameState, seat: Seat, ply: int) -> bool:
    """Return whether this press starts no clock because its sighted player must announce first (L191).

    The player has not said a word. Where the program does not listen, or another clock counts, it can hold nothing
    back. A sound that was not understood may have been the announcement, even where it was taken for an echo.
    """
    record, before = state.ply(ply), state.ply(ply - 1)
    silent = record is None or (record.announcement is None and record.utterance is None)
    if before is not None and before.echo is None and before.echo_utterance is not None:
        silent = False
    against_tactile = state.plan(seat).kind is SeatKind.SIGHTED and state.plan(seat.other).kind is SeatKind.TACTILE
    silent = silent and not _echo_shows_announced(state, ply) and not board_announces(state, seat, ply)
    listens = state.table.mode is not Mode.CLOCK and state.time.clock_master is ClockMaster.SERVER
    return silent and against_tactile and listens and adaptation_value(state, NEEDS_ANNOUNCEMENT) == ON


def _pressed_without_announcing(draft: Draft, record: PlyRecord) -> None:
    """Treat a press without an announcement as the arbiter settled it before the game (G1).

    It is ignored, noted, or the clock goes back until the player speaks. A player who moves on a screen and speaks at
    the table is never heard by the program: if it has not heard them in the whole game, it notes no silence about a
    move that was put on a board.
    """
    state = draft.state
    settled = adaptation_value(state, WITHOUT_ANNOUNCING)
    if settled not in ("note", "clock_back") or state.table.mode is Mode.CLOCK:
        return
    if settled == "note" and record.placed is not None and not _reaches_program(state, record.seat):
        return
    draft.alert("unannounced_press", record.index, saying("pressed_unannounced", who=record.seat))
    if settled == "note" or state.time.clock_master is not ClockMaster.SERVER or state.time.clock.turn is record.seat:
        return
    _hand_back(draft, record.seat)
    draft.emit(ev.AnnouncementOwed(at=draft.now, seat=record.seat, ply=record.index))


def _hand_back(draft: Draft, seat: Seat) -> None:
    """Let the player's time run on in the move that was pressed.

    Its used delay or extra stays used (6.3.2).
    """
    used = draft.found.in_this_move(draft.now) if draft.found.turn is seat else 0
    _turn_clock(draft, seat, -draft.state.time.clock.comes_back(seat, used), seat, "unannounced_press", used)


def _owe_nothing(draft: Draft, seat: Seat) -> None:
    """Let the clock go on as by the press where the program does not ask for the words any more (6.2.2, L052)."""
    if draft.state.table.mode is Mode.CLOCK or adaptation_value(draft.state, WITHOUT_ANNOUNCING) != "clock_back":
        settle_owed(draft, seat)


def settle_owed(draft: Draft, seat: Seat) -> None:
    """Let the opponent's clock run again once the player has spoken.

    The used extra comes back as by a press.
    """
    clock = draft.state.time.clock
    _turn_clock(draft, seat, clock.comes_back(seat, clock.in_this_move(draft.now)), seat.other, "announced")


def _turn_clock(draft: Draft, mover: Seat, ms: int, turn: Seat, reason: str, move_ms: int | None = None) -> None:
    """Let the other side's time run.

    Both times stay, except for the mover's extra. What was owed is settled.
    """
    clock, now = draft.state.time.clock, draft.now
    left = {seat: clock.remaining(seat, now) + (ms if seat is mover else 0) for seat in Seat}
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=left[Seat.WHITE],
            black_ms=left[Seat.BLACK],
            turn=turn,
            reason=reason,
            move_ms=move_ms,
        )
    )
