"""Whether a player can ever mate by any series of legal moves.

See 5.1.2, 5.2.2, 6.9; L008, L044, L046, L065, L084, L154.
"""

from __future__ import annotations

import chess

from server.game.mating.answer import DEFAULT, Answer, Budget, why_never
from server.game.mating.helpmate import WALLS_COST, Cooperation
from server.game.mating.heuristics import Measure, net, plan, shut_in, strip, unlock
from server.game.mating.patterns import shut_out
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Seat

_OUTSIDE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)


def can_ever_mate(position: Position, side: Seat, budget: Budget = DEFAULT) -> Answer:
    """Return whether `side` can mate from here by any series of legal moves, both players helping.

    "yes" comes with a line that was replayed move by move to the mate; "no" rests on an argument that excludes every
    line; everything else is "unknown". The draws that end a game without a claim (fivefold repetition, 75 moves, 9.6)
    do not count as an end here; no position comes twice in a line. The same question has the same answer on every
    machine.

    >>> can_ever_mate(Position.from_fen("8/8/8/8/8/3k4/8/3K3q w - - 0 1"), Seat.WHITE).verdict
    'no'
    """
    board = position.board()
    color = chess.WHITE if side is Seat.WHITE else chess.BLACK
    if board.status() & _OUTSIDE:
        return Answer("unknown", said=saying("mate_outside"))
    if not any(board.generate_legal_moves()):
        if not board.is_check():
            return Answer("no", said=saying("mate_is_stalemate"))
        if board.turn == color:
            return Answer("no", said=saying("mate_is_mated"))
        return Answer("yes", said=saying("mate_there"))
    never = why_never(board, color)
    if never:
        return Answer("no", said=never)
    if shut_out(board, color):
        return Answer("no", said=saying("mate_locked"))
    return _search(board, color, budget.nodes - WALLS_COST)


def dead_position(position: Position, budget: Budget = DEFAULT) -> Answer:
    """Return whether the position is dead: neither player can mate by any series of legal moves.

    See 1.5, 5.2.2. "yes" where both are shown to be unable, "no" where one of them can (that player's line is the
    witness). The budget holds for each player.
    """
    unknown: Answer | None = None
    for seat in (Seat.WHITE, Seat.BLACK):
        answer = can_ever_mate(position, seat, budget)
        if answer.verdict == "yes":
            return Answer("no", answer.witness)
        if answer.verdict == "unknown":
            unknown = unknown or answer
    return unknown or Answer("yes")


def _measures(board: chess.Board, color: chess.Color) -> list[Measure]:
    """Return the measures to try, the most promising first."""
    mine = board.occupied_co[color]
    if mine & (board.queens | board.rooks):
        return [net, strip]
    if not mine & board.pawns:
        return [shut_in, net]
    return [plan, strip, unlock, shut_in]


def _search(board: chess.Board, color: chess.Color, nodes: int) -> Answer:
    """Search under several measures in turns, each turn longer.

    The last search drops what the walls shut out.
    """
    searches = [Cooperation(board, color, measure) for measure in _measures(board, color)]
    searches.append(Cooperation(board, color, net, again=1, walls=True))
    turn = 400
    while nodes > 0:
        for search in searches:
            before = search.spent
            over = search.run(min(turn, nodes))
            nodes -= search.spent - before
            if over:
                return _answer_of_search(board, search)
            if nodes <= 0:
                break
        turn *= 3
    return Answer("unknown", said=saying("mate_budget"))


def _answer_of_search(board: chess.Board, search: Cooperation) -> Answer:
    if search.mate is None:
        return Answer("no", said=saying("mate_all_lines"))
    replayed = board.copy(stack=False)
    for uci in search.mate:
        replayed.push(replayed.parse_uci(uci))
    if not replayed.is_checkmate() or replayed.turn == search.side:
        raise AssertionError("a line that does not mate was found")
    return Answer("yes", search.mate)
