"""Moves that are entered at a station, carried out on a board, or sensed by one.

See 4.7, D.2.1, D.2.3.1, D.2.3.2, D.2.10.1. A board's own squares say what stands on it, independently of the words.
They never say what was announced, and a tactile player's words are not overruled by the player's board: where the two
differ the arbiter is told, and nobody else (design: Silence).
"""

from __future__ import annotations

import chess

from server.game import acts as cmd
from server.game.acts import AlertSettled, BoardMoved, Executed, Refusal
from server.game.decide.adaptations import machine_announces_for
from server.game.decide.draft import Draft, stands_by
from server.game.decide.moves.speech import announce_from_board, own_words_by_hand
from server.game.decide.rule import decides
from server.game.state.line import PlyRecord, resolve
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Origin, Role, Seat, SeatKind, Station


def corrected_by_entry(state: GameState, seat: Seat) -> PlyRecord | None:
    """Return the seat's own made move that a further entry corrects: not pressed yet, and not replied to."""
    last = state.ply(state.made_plies)
    if last is None or last.seat is not seat or last.completed or state.ply(state.ply_to_make) is not None:
        return None
    return last


def enter(draft: Draft, seat: Seat, body: cmd.EnterMove) -> Refusal | None:
    """Take a move that the player made on their own board and entered at their station (4.7).

    It says what stands on that board and no more. Where the program carries the announcements (relay) it is also how a
    sighted player announces, unless that player announced in words: then the arbiter is told where the two differ.
    """
    state = draft.state
    if not state.table.started:
        return Refusal("not_started", "6.6")
    if body.announcement is None or not body.announcement.complete:
        return Refusal("no_announcement", "D.2.1")
    ply = state.ply_to_make
    wrong = corrected_by_entry(state, seat)
    if wrong is not None:
        ply = wrong.index
        if wrong.placed is not None:
            draft.set_back(seat, Origin.ENTERED)
    elif seat is not state.on_move:
        if state.ply(ply) is None:
            draft.alert("entry_out_of_turn", ply, saying("entered_out_of_turn", uci=body.uci))
            return None
        draft.make(ply, Origin.INFERRED)  # this player's own entry means that the opponent's move was made
        ply = draft.state.ply_to_make
    own_words_by_hand(draft, seat, ply, _as_announced(draft.state, seat, seat, body.announcement, body.uci))
    if board_announces_now(draft.state, seat, ply):
        announce_from_board(draft, seat, ply, cmd.Say(announcement=body.announcement, words=body.words, text=body.text))
    record = draft.state.ply(ply)
    if record is None or not record.made:
        draft.make(ply, Origin.ENTERED)
    uci = _as_announced(draft.state, seat, seat, body.announcement, body.uci)
    try:
        draft.place(seat, ply, uci, Origin.ENTERED)
    except ValueError:
        draft.alert("board_not_followed", ply, saying("cannot_be_moved", uci=uci, who=seat))
    return None


def board_announces_now(state: GameState, seat: Seat, ply: int) -> bool:
    """Return whether a move seen on this player's own board is announced by being seen.

    That is so only where the program announces for the player, and not where the player has said or typed an
    announcement. Touching a board announces nothing (1.3, D.2.1).
    """
    record = state.ply(ply)
    said = record is not None and record.announcement is not None and not record.announced_by_board
    return machine_announces_for(state, seat) and not said


def _as_announced(state: GameState, on: Seat, mover: Seat, announcement: Announcement | None, uci: str) -> str:
    """Return the announced castling where a board shows it in another way, as by the king on its rook.

    In Chess960 there is only that way, and it names the rook.
    """
    board = state.board_of(on).position.board(mover)
    if announcement is None or announcement.castling is None or board.chess960:
        return uci
    return resolve(announcement, board).uci or uci


def _king_onto_own_rook(position: Position, uci: str) -> bool:
    board = position.board()
    king, rook = (board.piece_at(chess.parse_square(square)) for square in (uci[:2], uci[2:4]))
    return (
        king is not None
        and rook is not None
        and king.color is rook.color
        and (king.piece_type, rook.piece_type) == (chess.KING, chess.ROOK)
    )


@decides(cmd.Execute)
def carry_out(draft: Draft, seat: Seat, station: Station | None, body: cmd.Execute) -> Refusal | None:
    """Carry out the opponent's move on a board: a player's own, an assistant's on either.

    See D.2.1, D.2.10.1.
    """
    free = station is None or station.role is Role.ASSISTANT
    board = body.board if free and body.board is not None else seat
    uci, record = body.uci, next((one for one in reversed(draft.state.moves.plies) if one.seat is not board), None)
    if record is None or record.executed_ms is not None:
        return Refusal("nothing_to_execute", "D.2.1")
    if uci is not None and _king_onto_own_rook(draft.state.board_of(board).position, uci):
        uci = _as_announced(draft.state, board, record.seat, record.announcement, uci)
    draft.execute(record, board, uci, Origin(body.origin))
    if uci is not None and draft.state.moves.plies[record.index - 1].seen_on_other_board == uci:
        draft.compare_board(board, record.index, uci, draft.state.board_of(board).before)
    return None


@decides(cmd.PutBack)
def put_back(draft: Draft, seat: Seat) -> Refusal | None:
    """Set a player's own board back to before the move that they entered on it last (4.7).

    The ply stays: it is what the player says or enters next. Whether it was announced decides alone on the note.
    """
    state = draft.state
    board, last = state.board_of(seat), state.ply(state.made_plies)
    own = corrected_by_entry(state, seat)
    uci = own.placed if own is not None else None
    if own is None and last is not None and last.seat is not seat and state.ply(state.ply_to_make) is None:
        uci = last.seen_on_other_board if last.executed_ms is not None else None
    if uci is None or last is None or not stands_by(board, uci):
        return Refusal("nothing_to_put_back", "4.7")
    if own is not None and own.announcement is not None:
        draft.alert("board_odd", own.index, saying("put_back", who=seat, uci=uci), grey=False)
    draft.set_board(seat, board.before.placement, board.before.turn, last.index - 1)
    return None


LINKS = {
    "up": saying("board_back"),
    "down": saying("board_down"),
    "stale": saying("board_silent"),
}


@decides(cmd.SenseMove)
def sense(draft: Draft, body: cmd.SenseMove) -> Refusal | None:
    """Take a move that stands on a board: its own player's, or the opponent's carried out there."""
    state, seat = draft.state, body.seat
    if not state.table.started:
        return Refusal("not_started", "6.6")
    if state.boards_being_set:
        return None
    board = state.board_of(seat)
    base = board.before if body.instead else board.position
    if body.on is not None and body.on != base.placement:
        return None  # a press or an entry came first: what stands there is compared with the record as it is now
    mover = _mover(base, body.uci)
    if mover is None:
        draft.alert("board_not_followed", state.made_plies, saying("cannot_be_moved", uci=body.uci, who=seat))
        return None
    ply = _ply_meant(state, seat, mover, instead=body.instead)
    if ply is None:
        said = saying("board_not_on_move", uci=body.uci, who=seat, mover=mover)
        draft.alert("board_odd", state.made_plies, said)
        return None
    if body.instead and mover is seat and _shifted_after_the_press(draft, seat, ply, body.uci):
        return None
    if body.instead:
        draft.set_back(seat, Origin.SENSED)
    if mover is seat:
        _own(draft, seat, ply, body)
    else:
        _carried_out(draft, seat, ply, body.uci)
        draft.compare_board(seat, ply, body.uci, base)
    return None


def _shifted_after_the_press(draft: Draft, seat: Seat, ply: int, uci: str) -> bool:
    """Alert the arbiter where a completed move now stands otherwise; return whether that is so.

    It is a displaced piece (7.4), and no other move.
    """
    record = draft.state.ply(ply)
    if record is None or not record.completed or record.entered is None:
        return False
    draft.alert("board_differs", ply, saying("board_at_press", uci=uci, who=seat, entered=record.entered))
    return True


def _mover(position: Position, uci: str) -> Seat | None:
    color = position.board().color_at(chess.parse_square(uci[:2]))
    return None if color is None else Seat.WHITE if color is chess.WHITE else Seat.BLACK


def _ply_meant(state: GameState, seat: Seat, mover: Seat, *, instead: bool) -> int | None:
    """Return which ply a move of this side on this board belongs to; None where it belongs to none."""
    if instead:
        return next((one.index for one in reversed(state.moves.plies) if one.seat is mover), None)
    if state.on_move is mover:
        return state.ply_to_make
    last = state.ply(state.made_plies)
    if last is None or last.seat is not mover or _stands_on(last, seat):
        return None
    return last.index


def _stands_on(record: PlyRecord, seat: Seat) -> bool:
    """Return whether a move is known to stand on this board."""
    if record.seat is seat:
        return record.own_board_moved
    return record.executed_ms is not None and record.seen_on_other_board is not None


def _own(draft: Draft, seat: Seat, ply: int, body: cmd.SenseMove) -> None:
    """Take a move on the mover's own board.

    It is made when it stands there (4.7); a tactile player's move must be announced too.
    """
    if (done := draft.state.ply(ply)) is None or not done.completed:
        own_words_by_hand(draft, seat, ply, body.uci)
    state = draft.state
    record = state.ply(ply)
    if ply == state.ply_to_make and not body.instead:
        draft.infer_execution(seat, ply - 1)  # the player's own move shows that the opponent's was carried out
    tactile = state.plan(seat).kind is SeatKind.TACTILE
    late = record is not None and record.completed
    if late:  # what is said now finds the board as it stands
        draft.place(seat, ply, body.uci, Origin.SENSED)
    unsaid = record is None or record.announcement is None or not late
    if board_announces_now(state, seat, ply) and body.announcement is not None and unsaid:
        say = cmd.Say(announcement=body.announcement, words=body.words, text=body.text, origin=Origin.SENSED)
        announce_from_board(draft, seat, ply, say)
        if late:
            draft.heard_late(ply)
    record = draft.state.ply(ply)
    said = record is not None and record.announcement is not None
    if (record is None or not record.made) and (said or not tactile):
        draft.make(ply, Origin.SENSED)
    if not late:
        draft.place(seat, ply, body.uci, Origin.SENSED)


def _carried_out(draft: Draft, board: Seat, ply: int, uci: str) -> None:
    """Take the opponent's move on this board (D.2.1), by what stands there and not by what was said."""
    record = draft.state.ply(ply)
    if record is not None and record.executed_ms is None:
        draft.execute(record, board, uci, Origin.SENSED)
        return
    if record is None:
        draft.emit(BoardMoved(at=draft.now, board=board, ply=ply, uci=uci, origin=Origin.SENSED))
        draft.emit(Executed(at=draft.now, board=board, ply=ply, origin=Origin.SENSED))
        return
    draft.emit(BoardMoved(at=draft.now, board=board, ply=ply, uci=uci, origin=Origin.SENSED))


@decides(cmd.NoteBoard)
def note_board(draft: Draft, body: cmd.NoteBoard) -> None:
    """Tell the arbiter what a sensing board needs; the game goes on without it."""
    ply = draft.state.made_plies
    if body.what == "signal" and draft.state.table.started:
        _note_result_shown(draft, body)
        return
    if body.what in ("odd", "signal"):
        if draft.state.boards_being_set or (body.what == "signal" and not body.squares):
            return  # that is expected: the arbiter is setting this board up
        odd = body.detail or saying("no_move_leads")
        if body.squares:
            odd = saying("on_squares", what=odd, squares=" ".join(body.squares))
        draft.alert("board_odd", ply, saying("board_of", who=body.seat, what=odd))
        return
    link = LINKS[body.what]
    if body.detail:
        link = saying("with_finding", said=link, found=body.detail)
    draft.alert("board_link", ply, saying("board_of", who=body.seat, what=link), grey=False)


def _note_result_shown(draft: Draft, body: cmd.NoteBoard) -> None:
    """Tell the arbiter of the result that the kings on a board show at the end (8.7): no move, and no result yet.

    No player hears of it, and no clock stops; what stood on that board before stands there no more.
    """
    state = draft.state
    old = tuple(
        one.number
        for one in state.rulings.unsettled
        if one.alert.kind == "result_signal" and one.seat is body.seat and one.how != "filed"
    )
    if old:
        draft.emit(AlertSettled(at=draft.now, numbers=old, how="acknowledged"))
    if not body.squares or state.boards_being_set:
        return
    if state.over and body.result in ("", state.ending.result):
        return
    squares, recorded = " ".join(body.squares), state.ending.result
    shown = (
        saying("result_begun", squares=squares)
        if not body.result
        else saying("result_shown", result=body.result, squares=squares)
        if recorded is None
        else saying("result_shown_against", result=body.result, squares=squares, recorded=recorded)
    )
    draft.alert("result_signal", state.made_plies, saying("board_of", who=body.seat, what=shown))
