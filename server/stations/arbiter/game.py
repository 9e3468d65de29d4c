"""Clocks and last move on an arbiter's display, each in one line: in braille cells or in print."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from braille.cells import Written, cells_of_move
from braille.profile import Profile
from server.game.values.words import Seat
from server.game.views.messages import Picture
from server.stations.braille import digits
from server.wording.pages import move_read


def clock_line(times: Mapping[Seat, int], running: Seat | None, words: Mapping[str, str]) -> str:
    """Return both clocks in one line, with a sign after the time that runs.

    >>> clock_line({Seat.WHITE: 3_930_500, Seat.BLACK: 60_000}, Seat.WHITE, {"white": "White", "black": "Black"})
    'White 1:05:30* Black 0:01:00'
    """
    return " ".join(f"{words[seat]} {digits(max(0, times[seat]))}{'*' if seat is running else ''}" for seat in Seat)


def clock_lines(picture: Picture, since_ms: int, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return both clocks so long after the picture; another one that counts as it was read last, and when that was."""
    if picture.white_ms is None or picture.black_ms is None:
        return (words["event.clock_master_changed"],)
    times = {Seat.WHITE: picture.white_ms, Seat.BLACK: picture.black_ms}
    if picture.running is not None:
        times[picture.running] -= since_ms
    clocks = clock_line(times, picture.running, words)
    if picture.age_ms is None:
        return (clocks,)
    return clocks, words["read_ago"].replace("{time}", digits(picture.age_ms + since_ms))


def move_line(picture: Picture, profile: Profile) -> str:
    """Return the last move with its number, in cells; "" before the first, and where it is not known."""
    uci = picture.line[-1] if picture.line else None
    if uci is None:
        return ""
    move = chess.Move.from_uci(uci)
    man = chess.BaseBoard(picture.game).piece_at(move.to_square) if picture.game is not None else None
    if picture.game is not None and man is None:  # Chess960: the king "takes" its own rook, and neither stands there
        castling = Written("king", castling="short" if move.to_square > move.from_square else "long")
        return f"{_number_of_last(picture)} {cells_of_move(castling, profile)}"
    piece = chess.piece_name(man.piece_type) if man is not None and move.promotion is None else "pawn"
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    said = Written(
        piece=piece,
        from_file=start[0],
        from_rank=start[1],
        to_square=end,
        promotion=chess.piece_name(move.promotion) if move.promotion is not None else None,
    )
    return f"{_number_of_last(picture)} {cells_of_move(said, profile)}"


def words_of_move(picture: Picture, words: Mapping[str, str]) -> str:
    """Return the last move with its number in print, as the pages read it; "" before the first."""
    if not picture.line or (uci := picture.line[-1]) is None:
        return ""
    man = chess.BaseBoard(picture.game).piece_at(chess.parse_square(uci[2:4])) if picture.game is not None else None
    name = "pawn" if uci[4:] else chess.piece_name(man.piece_type) if man is not None else ""
    return " ".join(filter(None, (_number_of_last(picture), name and words[f"piece.{name}"], move_read(uci, words))))


def _number_of_last(picture: Picture) -> str:
    """Return the number of the last move, as a score has it ("12." for White's, "12..." for Black's)."""
    return f"{(len(picture.line) + 1) // 2}{'.' if len(picture.line) % 2 else '...'}"
