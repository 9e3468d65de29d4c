"""Questions about the position, at a table opened unrated and for training alone (12.6, D.2.10.4). Pure.

Everything that lichess's blind mode answers, and more. At any other table the command is refused, whatever it asks.
"""

from __future__ import annotations

import chess
import msgspec

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import Explored
from server.game.decide.draft import Draft
from server.game.state.state import GameState
from server.game.values.words import Seat, Station

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")


class Found(msgspec.Struct, frozen=True):
    """What a question about a position finds. Men are FEN letter and square, "Ng1"; nothing where all is empty.

    `takes`: who may take on which square; `squares`: where to; `words`: of the last move.
    """

    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


def explore(draft: Draft, seat: Seat, station: Station | None, body: cmd.Explore) -> Refusal | None:
    """Answer in training; refuse in every other game, before the position is looked at."""
    state = draft.state
    if not state.trains:
        return Refusal("training_only", "11.3.1")
    position = state.position or state.board_of(seat).position
    found = (
        Found(words=_last_words(state))
        if body.about == "last"
        else find(position.board(), body.about, square=body.square, file=body.file, rank=body.rank, piece=body.piece)
    )
    if found is None:
        return Refusal("explore_what", "")
    draft.emit(
        Explored(
            at=draft.now,
            seat=seat,
            station=station.id if station is not None else "",
            about=body.about,
            white=found.white,
            black=found.black,
            squares=found.squares,
            takes=found.takes,
            words=found.words,
        )
    )
    return None


def find(
    board: chess.Board,
    about: str,
    *,
    square: str | None = None,
    file: str | None = None,
    rank: str | None = None,
    piece: str | None = None,
) -> Found | None:
    """What a question finds on this board; None where it lacks its square, file, rank or piece.

    `rays`: where the piece on `square` reaches, up to and with the first man of the other side; `moves`: its legal
    moves, as if it were its side's turn; `captures`: of the side to move.

    >>> find(chess.Board(), "moves", square="g1").squares
    ('f3', 'h3')
    """
    at = chess.parse_square(square) if square is not None else None
    match about:
        case "board":
            return _men(board, chess.SquareSet(board.occupied))
        case "white" | "black":
            return _men(board, chess.SquareSet(board.occupied_co[about == "white"]))
        case "rank" if rank is not None:
            return _men(board, chess.SquareSet(chess.BB_RANKS[int(rank) - 1]))
        case "file" if file is not None:
            return _men(board, chess.SquareSet(chess.BB_FILES[chess.FILE_NAMES.index(file)]))
        case "piece" if piece is not None:
            kind = KINDS.index(piece) + 1
            return _men(board, board.pieces(kind, chess.WHITE) | board.pieces(kind, chess.BLACK))
        case "square" if at is not None:
            return _men(board, chess.SquareSet([at]))
        case "attackers" if at is not None:
            return _men(board, board.attackers(chess.WHITE, at) | board.attackers(chess.BLACK, at))
        case "rays" if at is not None:
            man = board.piece_at(at)
            reached = board.attacks(at) - chess.SquareSet(board.occupied_co[man.color]) if man else chess.SquareSet()
            return Found(squares=tuple(chess.square_name(one) for one in reached))
        case "moves" if at is not None:
            return Found(squares=_arrivals(board, at))
        case "captures":
            taking = sorted({(one.from_square, one.to_square) for one in board.legal_moves if board.is_capture(one)})
            return Found(takes=tuple((_man(board, start), chess.square_name(end)) for start, end in taking))
    return None


def _men(board: chess.Board, squares: chess.SquareSet) -> Found:
    """The men on these squares; each side's king first, its pawns last."""
    men = sorted((-man.piece_type, square, man.color) for square, man in board.piece_map(mask=int(squares)).items())
    white, black = ([_man(board, square) for _, square, color in men if color is side] for side in chess.COLORS)
    return Found(white=tuple(white), black=tuple(black))


def _man(board: chess.Board, square: int) -> str:
    return f"{board.piece_at(square)}{chess.square_name(square)}"


def _arrivals(board: chess.Board, square: int) -> tuple[str, ...]:
    man = board.piece_at(square)
    if man is None:
        return ()
    own = board.copy(stack=False)
    if own.turn is not man.color:
        own.turn, own.ep_square = man.color, None
    found = {one.to_square for one in own.generate_legal_moves(chess.BB_SQUARES[square])}
    return tuple(chess.square_name(one) for one in sorted(found))


def _last_words(state: GameState) -> tuple[str, ...]:
    return next((ply.words for ply in reversed(state.plies) if ply.words), ())
