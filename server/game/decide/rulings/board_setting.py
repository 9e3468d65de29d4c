"""Setting both boards square by square, to the arbiter's decision or a restored position.

See D.2.9, 7.5.1. A tactile player is told one square, and a yes asks for the next. What the player hears rests on the
decision alone. Their last yes does not end it: the arbiter reads the board and confirms it.
"""

from __future__ import annotations

import chess

from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.values.words import Seat, SeatKind


def board_of_men(placement: str) -> chess.BaseBoard | None:
    """Return the men of a placement; None where the text is no placement."""
    try:
        return chess.BaseBoard(placement)
    except ValueError:
        return None


def squares_to_set(shown: str, wanted: str) -> tuple[ev.SquareToSet, ...]:
    """Return the squares on which a board differs from what must stand there."""
    here, there = chess.BaseBoard(shown), chess.BaseBoard(wanted)
    found = []
    for square in chess.SQUARES:
        piece = there.piece_at(square)
        if here.piece_at(square) != piece:
            name = chess.square_name(square)
            found.append(ev.SquareToSet(square=name, should_be=None if piece is None else piece.symbol()))
    return tuple(found)


def set_restored(draft: Draft, ply: int, stood: tuple[str, str]) -> None:
    """Have each board set that differs from a restored position.

    `stood`: White's and Black's board before.
    """
    position = draft.state.moves.white_board.position
    white, black = (squares_to_set(one, position.placement) for one in stood)
    if not white and not black:
        return
    draft.emit(
        ev.BoardsToSet(
            at=draft.now,
            because="restored",
            ply=ply,
            placement=position.placement,
            turn=position.turn,
            white=white,
            black=black,
        )
    )
    ask_first(draft)


def set_anew(draft: Draft, board: Seat, placement: str) -> None:
    """Tell a player what is left to set, after the arbiter has read the board."""
    setting = draft.state.setting
    if setting is None:
        return
    squares = squares_to_set(placement, setting.board_wanted(board).placement)
    if squares == (() if board in setting.confirmed else setting.squares(board)) and board not in setting.said:
        return
    white, black = (squares if seat is board else setting.squares(seat) for seat in Seat)
    draft.emit(
        ev.BoardsToSet(
            at=draft.now,
            because=setting.because,
            ply=setting.ply,
            placement=setting.placement,
            turn=setting.turn,
            white=white,
            black=black,
            read=board,
            on_black=setting.on_black,
        )
    )
    ask_first(draft)


def ask_first(draft: Draft) -> None:
    """Tell each tactile player whose board differs the first square; a sighted player reads the list."""
    setting = draft.state.setting
    for seat in Seat:
        if setting is None or draft.state.plan(seat).kind is not SeatKind.TACTILE or seat in setting.said:
            continue
        if setting.squares(seat) and setting.asked_of(seat) is None and seat not in setting.confirmed:
            _ask(draft, seat, setting.squares(seat), 1)


def answer_square(draft: Draft, seat: Seat, *, stands: bool) -> None:
    """Take a player's answer about a square.

    Yes: the next square follows, and after the last one the arbiter is told. No, or a wish to hear it again: the same
    square is told again.
    """
    if (setting := draft.state.setting) is None or (asked := setting.asked_of(seat)) is None:
        return
    if stands and asked.number == asked.of:
        draft.emit(ev.BoardSaidSet(at=draft.now, seat=seat))
        return
    _ask(draft, seat, setting.squares(seat), asked.number + stands)


def confirm_board(draft: Draft, board: Seat) -> Refusal | None:
    """Record that the arbiter has read this board square by square.

    It stands as decided, with every move carried out on it.
    """
    setting = draft.state.setting
    if setting is None:
        return Refusal("not_decided", "D.2.9")
    wanted = setting.board_wanted(board)
    draft.set_board(board, wanted.placement, wanted.turn, wanted.ply)
    draft.emit(ev.BoardConfirmed(at=draft.now, board=board))
    return None


def _ask(draft: Draft, seat: Seat, squares: tuple[ev.SquareToSet, ...], number: int) -> None:
    one = squares[number - 1]
    draft.emit(
        ev.SquareAsked(
            at=draft.now, seat=seat, number=number, of=len(squares), square=one.square, should_be=one.should_be
        )
    )
