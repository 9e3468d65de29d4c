"""A wrong initial position, orientation or colours: what becomes of the game (7.2, 7.3, A.5.1.2; L075-L077, L152)."""

from __future__ import annotations

from typing import Literal

import chess

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rulings.conduct import made_by_each, moves_of_each
from server.game.laws.irregular import castling_rights_of_set_up, reversed_colours
from server.game.laws.supervision import set_up_claim_open
from server.game.laws.time_class import classify
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat


def rule_set_up(draft: Draft, body: cmd.RuleSetUp) -> Refusal | None:
    """What the rule set says, and what follows from it in the records."""
    state = draft.state
    white, black = moves_of_each(state)
    kind, supervision = classify(state.clock.control), state.regulations.supervision
    if body.what != "colours" and not set_up_claim_open(kind, supervision, white, black):
        article = state.rules.article("basic_set_up") or "A.5.1.2"
        if body.what == "orientation" or body.placement is None:
            return Refusal("set_up_stands", article)
        return _goes_on(draft, body.placement, body.board, article)
    says: Literal["new_game", "continue", "arbiter"]
    names: tuple[str, str] | None = None
    transfer: tuple[str, ...] = ()
    match body.what:
        case "position":
            says, article = "new_game", "7.2.1"
        case "orientation":
            says, article = "continue", "7.2.2"
            transfer = men_to_transfer(state, body.board)
        case _:
            says, article = reversed_colours(state.rules, *made_by_each(state)), "7.3"
            if says == "continue" and body.names == "swap" and not state.names_swapped:
                names = (state.black.name, state.white.name)
    draft.emit(
        ev.SetUpRuled(
            at=draft.now,
            what=body.what,
            says=says,
            article=article,
            board=body.board,
            names=names,
            transfer=transfer,
        )
    )
    return None


def men_to_transfer(state: GameState, board: Seat | None) -> tuple[str, ...]:
    """What stands where, for a board that is turned (7.2.2): "Ke1", "pe7", White's men first, from a1 on.

    What stands on the board named; without one, the position that the server believes, else White's board.
    """
    position = state.position if board is None else state.board_of(board).position
    men = (position or state.white_board.position).board().piece_map()
    return tuple(
        f"{men[square].symbol()}{chess.square_name(square)}"
        for color in (chess.WHITE, chess.BLACK)
        for square in sorted(men)
        if men[square].color == color
    )


def _goes_on(draft: Draft, placement: str, board: Seat | None, article: str) -> Refusal | None:
    """The set-up stands after ten moves: no castling with a misplaced king or rook (A.5.1.2, L152).

    `board` None: both were set up so, and the game is read again from there; else the rights alone change.
    """
    state, start = draft.state, draft.state.positions[0]
    try:
        set_up = Position.from_fen(f"{placement} w - - 0 1")
    except ValueError:
        return Refusal("no_position", article)
    castling = castling_rights_of_set_up(set_up, start)
    draft.emit(
        ev.SetUpRuled(
            at=draft.now,
            what="position",
            says="continue",
            article=article,
            placement=placement,
            castling=castling,
            board=board,
        )
    )
    known = draft.state.position
    if board is None and known is not None:
        for seat in Seat:
            draft.set_board(seat, known.placement, known.turn, draft.state.made_plies)
    where = "both boards" if board is None else f"the {board.value} board"
    left = castling if castling != "-" else "none"
    draft.alert(
        "set_up_goes_on",
        state.made_plies,
        f"{where} set up as {placement}: the game goes on; castling rights of that set-up: {left} ({article})",
        grey=False,
    )
    return None
