"""The games to demonstrate are read from PGN.

Only the simulated players see them; server and recogniser never do.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import chess
import msgspec

from server.exports import pgn_reader
from speech.complaint import Complaint, Phrase

LARGEST_PGN = 2_000_000


class GameScript(msgspec.Struct, frozen=True):
    """Game to play.

    Its name, the start, the moves (UCI), the result, and which colour plays by touch.
    """

    name: str
    start_fen: str
    moves: tuple[str, ...]
    result: str
    tactile: str


def built_in_games() -> tuple[GameScript, ...]:
    """Return the sample game of the Laws with White by touch, then a game with Black by touch."""
    folder = resources.files("config").joinpath("games")
    return (
        read_games(folder.joinpath("appendix-c.pgn").read_text(encoding="utf-8"), "appendix-c.pgn", "white")[0],
        read_games(folder.joinpath("opera.pgn").read_text(encoding="utf-8"), "opera.pgn", "black")[0],
    )


def games_of_file(path: Path) -> tuple[GameScript, ...]:
    """Return the games of a PGN file, White by touch.

    Raises Complaint where it cannot be read as such a file.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_PGN + 1)
        if len(raw) > LARGEST_PGN:
            raise Complaint(Phrase("demo.too_large", name=path.name, most=LARGEST_PGN // 1000000))
        text = raw.decode("utf-8-sig")
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=path, why=wrong.strerror)) from wrong
    except UnicodeDecodeError as wrong:
        raise Complaint(Phrase("demo.no_text", name=path.name)) from wrong
    return read_games(text, path.name, "white")


def read_games(text: str, name: str, tactile: str) -> tuple[GameScript, ...]:
    """Return every game of a PGN text.

    Raises Complaint where there is none or one cannot be read to its end.
    """
    games = []
    for reading in pgn_reader.read_games(text):
        if reading.fault is not None:
            raise Complaint(f"{name}: {reading.fault}")
        played = reading.played
        if played.moves:
            title = dict(played.headers).get("Event", name)
            start = played.start_fen or chess.STARTING_FEN
            games.append(GameScript(title, start, played.moves, played.result or "*", tactile))
    if not games:
        raise Complaint(Phrase("demo.no_game", name=name))
    return tuple(games)


def misexecution(board: chess.Board, move: chess.Move) -> chess.Move | None:
    """Return a slip of the hand for the same piece: another free square near the right one.

    `board`: before the move. None where there is no such slip.
    """
    piece = board.piece_at(move.from_square)
    if piece is None or board.is_capture(move) or board.is_castling(move) or move.promotion is not None:
        return None
    near = (
        other.to_square
        for other in board.legal_moves
        if other.from_square == move.from_square
        and other.to_square != move.to_square
        and not board.is_capture(other)
        and chess.square_distance(other.to_square, move.to_square) <= 2
    )
    square = next(near, None)
    return chess.Move(move.from_square, square) if square is not None else None
