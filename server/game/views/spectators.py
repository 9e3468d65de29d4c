"""The game as spectators may be shown it: as displays have shown it, move by move. Pure.

A display shows the last completed move, in its player's words, and that player's own board after it (`displayed`).
Spectators are shown the same and nothing beyond it, kept as a list. So nothing here rests on what the server believes
was played, or on what is legal: a move is written down from two boards that displays have shown one after the other. A
sealed move, an offer, a claim and an alert are on no display, and so they are not here either.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import chess
import msgspec
from msgspec.structs import replace

from server.game.state.line import last_completed
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from server.game.views.view import board_displayed, said_what_was_played

LETTERS = {chess.KNIGHT: "N", chess.BISHOP: "B", chess.ROOK: "R", chess.QUEEN: "Q", chess.KING: "K"}
Men = dict[chess.Square, chess.Piece]

MOST_CHANGED = 4
"""No move changes more squares: castling."""


class MoveShown(msgspec.Struct, frozen=True):
    """A completed move as displays showed it.

    `words`: as its player said it, none where nothing was heard or it was misheard. `placement`: the player's own board
    after it, None where it was not shown. What the boards before and after it tell, where they do: `squares`, from
    where to where; `notation`, as it is written; `announcement`, as it would be announced.
    """

    ply: int
    seat: Seat
    words: tuple[str, ...] = ()
    placement: str | None = None
    squares: tuple[str, ...] = ()
    notation: str = ""
    announcement: Announcement | None = None


class GameShown(msgspec.Struct, frozen=True):
    """A game as displays have shown it so far."""

    start: str = ""
    moves: tuple[MoveShown, ...] = ()
    started: bool = False
    adjourned: bool = False
    result: str | None = None

    @property
    def placement(self) -> str:
        """Return the last position that was shown."""
        return next((move.placement for move in reversed(self.moves) if move.placement), self.start)

    def placement_after(self, ply: int) -> str | None:
        """Return the position that was shown after a move, the start for 0; None where none was."""
        placements = (self.start, *(move.placement for move in self.moves))
        return placements[ply] if 0 <= ply < len(placements) else None


def delay_for_spectators(state: GameState) -> int | None:
    """Return by how much later spectators are shown this table, in ms; None where they may not see it.

    It is never less than the delay of all the table's displays.
    """
    choice = state.stations.spectators
    if choice is None or not choice.show or state.table.training:
        return None
    return 1_000 * max(choice.delay_s, dict(state.stations.display_delays).get("", 0))


def shown_after(game: GameShown, state: GameState) -> GameShown:
    """Return what spectators may know of a game once it has come to this state.

    `game`: what they could know before it.
    """
    now = GameShown(
        start=state.moves.positions[0].placement,
        moves=_moves(game, state),
        started=state.table.started,
        adjourned=state.adjournment is not None and state.adjournment.closed,
        result=state.ending.result,
    )
    return game if now == game else now


def _moves(game: GameShown, state: GameState) -> tuple[MoveShown, ...]:
    last = last_completed(state.moves.plies)
    if last is None:
        return ()
    earlier, shown = _earlier(game, state, last.index - 1), board_displayed(state)
    match game.moves[: last.index]:
        case (*same, known) if (tuple(same), known.words, known.placement) == (earlier, shown.words, shown.placement):
            return (*earlier, known)
    before = (earlier[-1].placement if earlier else state.moves.positions[0].placement) or ""
    written = written_move(before, shown.placement, last.seat) if before and shown.placement else None
    return (*earlier, MoveShown(last.index, last.seat, shown.words, shown.placement, *(written or ())))


def _earlier(game: GameShown, state: GameState, count: int) -> tuple[MoveShown, ...]:
    """Return the first moves as they were shown.

    Changed are those of which the words came late, and those of which the arbiter found that they were others.
    """
    moves = []
    for record in state.moves.plies[:count]:
        unseen = MoveShown(record.index, record.seat)
        known = game.moves[record.index - 1] if record.index <= len(game.moves) else unseen
        if not said_what_was_played(state, record):
            known = unseen
        elif not known.words and record.completed:
            known = replace(known, words=record.words)
        moves.append(known)
    return tuple(moves)


class Written(NamedTuple):
    """A move between two boards: its squares, and as it is written without signs of check and mate."""

    squares: tuple[str, str]
    notation: str
    announcement: Announcement


def written_move(before: str, after: str, mover: Seat) -> Written | None:
    """Return the one move by which one board became the other; None where there is none.

    Where several pieces of the kind could arrive, the departure is written, whether they are pinned or not: what is
    legal is left out of it, and so are the signs of check and mate, which nobody announces.

    >>> written_move("8/8/8/8/8/8/8/R6R", "8/8/8/8/8/8/8/R2R4", Seat.WHITE).notation
    'Rhd1'
    """
    old, new = _men(before), _men(after)
    colour = mover is Seat.WHITE
    changed = {square for square, _ in old.items() ^ new.items()}
    if len(changed) > MOST_CHANGED:
        return None
    castled = _castling(old, new, changed, colour)
    if castled is not None:
        return castled
    stood, stand = ({one for one in changed & men.keys() if men[one].color is colour} for men in (old, new))
    left, arrived = stood - stand, stand - stood
    if len(left) != 1 or len(arrived) != 1 or stood & stand:
        return None
    (come,), (gone,) = left, arrived
    man, is_now = old[come], new[gone]
    promoted = man.piece_type == chess.PAWN and is_now.piece_type != chess.PAWN
    if man.piece_type != is_now.piece_type and not promoted:
        return None
    taken = changed - left - arrived
    if taken and not _in_passing(old, come, gone, taken):
        return None
    takes = bool(taken) or gone in old
    departure = _departure(old, come, gone, takes=takes)
    becomes = f"={LETTERS.get(is_now.piece_type, '')}" if promoted else ""
    text = f"{LETTERS.get(man.piece_type, '')}{departure}{'x' if takes else ''}{chess.square_name(gone)}{becomes}"
    said = msgspec.convert(
        {
            "piece": chess.piece_name(man.piece_type),
            "from_square": chess.square_name(come) if departure else None,
            "to_square": chess.square_name(gone),
            "promotion": chess.piece_name(is_now.piece_type) if promoted else None,
        },
        Announcement,
    )
    return Written((chess.square_name(come), chess.square_name(gone)), text, said)


@lru_cache(maxsize=2)
def _men(placement: str) -> Men:
    """Return which man stands on which square, not to be changed: it is kept, as the men before the next move.

    Most ranks are known from an earlier position.
    """
    ranks = enumerate(placement.split("/"))
    return {chess.square(file, 7 - down): man for down, men in ranks for file, man in _rank(men).items()}


@lru_cache(maxsize=4_096)
def _rank(men: str) -> Men:
    """Return the men of one rank of a placement, as if it were the first."""
    return chess.BaseBoard(f"8/8/8/8/8/8/8/{men}").piece_map()


def _castling(old: Men, new: Men, changed: set[chess.Square], colour: chess.Color) -> Written | None:
    """Return the castling of a king and a rook that alone changed their places, on their own rank."""
    king, rook, rank = chess.Piece(chess.KING, colour), chess.Piece(chess.ROOK, colour), 0 if colour else 7
    there = {(men[one], chess.square_rank(one)) for men in (old, new) for one in changed & men.keys()}
    kings = [one for men in (old, new) for one in changed if men.get(one) == king]
    if there != {(king, rank), (rook, rank)} or len(kings) != 2:
        return None
    come, gone = kings
    if chess.square_file(gone) not in (2, 6):
        return None
    short = chess.square_file(gone) == 6
    said = Announcement(castling="short" if short else "long")
    return Written((chess.square_name(come), chess.square_name(gone)), "O-O" if short else "O-O-O", said)


def _in_passing(old: Men, come: chess.Square, gone: chess.Square, taken: set[chess.Square]) -> bool:
    """Return whether the one man that is gone from elsewhere was taken en passant."""
    beside = chess.square(chess.square_file(gone), chess.square_rank(come))
    men = (old.get(square) for square in (come, beside))
    return taken == {beside} and all(man is not None and man.piece_type == chess.PAWN for man in men)


def _departure(old: Men, come: chess.Square, gone: chess.Square, *, takes: bool) -> str:
    """Return as much of the departure square as tells the piece from others of its kind that reach the same square."""
    man, name = old[come], chess.square_name(come)
    if man.piece_type == chess.PAWN:
        return name[0] if takes else ""
    board = chess.BaseBoard.empty()
    board.set_piece_map(old)
    like = board.attackers(man.color, gone) & board.pieces(man.piece_type, man.color) - {come}
    if not like:
        return ""
    if all(chess.square_file(one) != chess.square_file(come) for one in like):
        return name[0]
    if all(chess.square_rank(one) != chess.square_rank(come) for one in like):
        return name[1]
    return name
