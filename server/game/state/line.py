"""The record of each ply, the moves derived from it, and what words mean.

The belief reads announcements, echoes, entries and corrections of the plies; it never changes a board or a score (G13).
It is for the record and the arbiter, never for a player's ear.
"""

from __future__ import annotations

import chess
import msgspec

from server.game.acts import Contested, Echoed
from server.game.values.announcement import Announcement
from server.game.values.candidates import UtteranceHeard
from server.game.values.position import UNKNOWN, Position, onto_own, passed_pawn
from server.game.values.speech import Speech
from server.game.values.words import Origin, Seat


class PlyRecord(msgspec.Struct, frozen=True):
    """One ply of the game as played: its moments, each with time (ms of its run) and origin."""

    index: int
    seat: Seat
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    announced_origin: Origin | None = None
    utterance: str | None = None
    announced_ms: int | None = None
    made_ms: int | None = None
    completed_ms: int | None = None
    white_ms: int | None = None
    black_ms: int | None = None
    given: tuple[int, int] = (0, 0)  # what rulings had given White and Black by then (ms), which these times hold
    used_ms: int | None = None  # how long the mover's time had run in the game when it was completed
    periods: tuple[int, int] | None = None  # the periods in which White and Black were when it was completed
    echo: Announcement | None = None
    echo_words: tuple[str, ...] = ()
    echo_text: str = ""
    echo_agrees: bool | None = None
    echo_utterance: str | None = None
    echoed_ms: int | None = None
    echo_origin: Origin | None = None
    echo_again: Echoed | None = None  # a right echo, said once more; perhaps the player's own move in the same words
    executed_ms: int | None = None
    repeated: Announcement | None = None
    entered: str | None = None
    seen_on_other_board: str | None = None
    own_board_moved: bool = False
    mended: str | None = None
    unknown: bool = False  # the arbiter says that nobody knows which move it was, whatever was said or entered (G13)
    contested: bool = False
    left_over: Contested | None = None  # the last contested words; of an opponent whom we do not hear they are the echo
    scored_own: bool = False
    scored_echo: bool = False
    utterances: tuple[UtteranceHeard, ...] = ()  # what each may have been; for the record and the arbiter alone
    believed: str | None = None  # what all the words together say, where the words alone said something else
    announced_by_board: bool = False  # the program announced what was entered or sensed; the player said nothing
    placed: str | None = None  # the move that was seen on the player's own board and stands there
    hand_differs: bool = False  # the player announced another move than that one
    settled: bool = False  # the arbiter settled at the desk what this ply was (D.2.9); `mended` is the move, if known
    anchor: Position | None = None  # the position that stood after it, as the arbiter decided, whatever moves led there

    @property
    def said_as_echo(self) -> Speech:
        """Return the words that were taken for the echo, without what they may have been."""
        return Speech(announcement=self.echo, words=self.echo_words, text=self.echo_text, utterance=self.echo_utterance)

    @property
    def made(self) -> bool:
        """Return whether the move is made (the turn has passed)."""
        return self.made_ms is not None

    @property
    def completed(self) -> bool:
        """Return whether the move is completed (pressed)."""
        return self.completed_ms is not None

    @property
    def by_hand(self) -> str | None:
        """Return the player's move made by hand, where it outweighs words.

        It does not where the opponent echoed that the player announced another one. That is a conflict for the arbiter
        (D.2.9).
        """
        return None if self.hand_differs and self.echo_agrees else self.entered

    @property
    def rests_on_words(self) -> bool:
        """Return whether only recognised words say which move it was.

        There is no entry, no correction and no echo that agrees.
        """
        confirmed = self.announcement is not None and self.echo_agrees is True
        return self.by_hand is None and self.mended is None and not confirmed

    def has_said(self, words: Announcement) -> bool:
        """Return whether these words say nothing but what its player announced, at once or when repeating it."""
        said = (self.announcement, self.repeated)
        return any(one is not None and one.says_all_of(words) for one in said)

    @property
    def echoed(self) -> bool:
        """Return whether the opponent has echoed the move without contradiction."""
        return self.echoed_ms is not None and self.echo_agrees is not False


def last_completed(plies: tuple[PlyRecord, ...]) -> PlyRecord | None:
    """Return the newest completed one of these plies."""
    return next((record for record in reversed(plies) if record.completed), None)


def believed_move(record: PlyRecord, position: Position) -> str | None:
    """Return the move a ply most probably was.

    A correction outweighs an entry, also where it says that the move is not known. An entry outweighs all words, except
    another announcement that the opponent echoed.
    What all words say together, as weighed outside the decision (`server/game/belief.py`), outweighs the announcement
    alone, and the announcement outweighs an echo alone. An announced illegal move stays the move that was announced.
    Where the words leave two pieces open, what was seen or said by the other side settles it; otherwise the move stays
    unknown.
    """
    if record.mended is not None or record.unknown:
        return record.mended
    if record.by_hand is not None:
        return record.by_hand
    if record.believed is not None:
        return record.believed
    board = position.board()
    said = record.announcement if record.announcement is not None else record.echo
    if said is None:
        return record.seen_on_other_board
    meant = resolve(said, board)
    if meant.uci is not None:
        return meant.uci
    later = [record.seen_on_other_board]
    if record.repeated is not None:
        later.append(resolve(record.repeated, board).uci)
    if record.echo is not None and record.echo_agrees is not False:
        later.append(resolve(record.echo, board).uci)
    return next((uci for uci in later if uci is not None and uci in meant.candidates), None)


def has_same_grounds(record: PlyRecord, before: PlyRecord) -> bool:
    """Return whether the belief rests on the same of both records of a ply."""
    return _grounds(record) == _grounds(before)


def _grounds(record: PlyRecord) -> tuple[object, ...]:
    return (
        record.announcement,
        record.repeated,
        record.echo,
        record.echo_agrees,
        record.by_hand,
        record.seen_on_other_board,
        record.mended,
        record.unknown,
        record.believed,
    )


def believed_line(start: Position, plies: tuple[PlyRecord, ...]) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
    """Return the believed moves and the positions they lead through.

    The positions end where the server no longer knows the game. Where the arbiter has decided what stands after a ply
    (its `anchor`, D.2.9), the game goes on from there; the positions in between are `UNKNOWN`.
    """
    line: list[str | None] = []
    positions = [start]
    for record in plies:
        followed = len(positions) == len(line) + 1
        uci = believed_move(record, positions[-1]) if followed else record.mended
        after = _after(positions[-1], uci) if followed else None
        line.append(uci if after is not None or not followed else None)
        anchor = record.anchor
        if anchor is None:
            positions.extend(() if after is None else (after,))
            continue
        if after is not None and (after.placement, after.turn) != (anchor.placement, anchor.turn):
            line[-1] = None  # it does not lead to the position that the arbiter found
        positions.extend([UNKNOWN] * (len(line) - len(positions)))
        positions.append(anchor)
    return tuple(line), tuple(positions)


def _after(position: Position, uci: str | None) -> Position | None:
    try:
        return None if uci is None else position.after(uci)
    except ValueError:
        return None


def announced_on(record: PlyRecord, position: Position, *, by_echo: bool) -> str | None:
    """Return the move that the words mean on one physical board.

    They are the announcer's own words, or the other side's echo. A player who echoed other words carried out those.
    Where the words that count leave two pieces open, the other words about this move may settle it, and on the
    announcer's board also what was seen on the other. Only geometry counts: a sighted player looks at their board on a
    screen, and what they see there must not tell them which piece is pinned.
    """
    own, echo = [record.announcement, record.repeated], [record.echo]
    first, others = (echo, own) if by_echo else (own, echo)
    said = first if record.echo_agrees is False else [*first, *others]
    board = position.board(record.seat)
    open_: tuple[str, ...] = ()
    for words in said:
        if words is None:
            continue
        meant = resolve(words, board, by_geometry=True)
        if meant.uci is not None and (not open_ or meant.uci in open_):
            return meant.uci
        open_ = open_ or meant.candidates
    return record.seen_on_other_board if not by_echo and record.seen_on_other_board in open_ else None


def hand_differs(record: PlyRecord, uci: str, position: Position) -> bool:
    """Return whether the move placed on the mover's own board differs from the announced one.

    `position`: that board before the move. Where nothing was announced to us, the opponent's echo says what was
    (D.2.1). Touching a board and announcing a move are different acts (1.3, D.2.3): neither replaces the other.
    """
    unheard = record.announcement is None
    words = (record.echo,) if unheard else (record.announcement, record.repeated)
    board = position.board(record.seat)
    if any(one is not None and not fits(one, board, uci) for one in words):
        return True
    meant = announced_on(record, position, by_echo=unheard)
    return meant is not None and meant != uci


PIECES = {
    "pawn": chess.PAWN,
    "knight": chess.KNIGHT,
    "bishop": chess.BISHOP,
    "rook": chess.ROOK,
    "queen": chess.QUEEN,
    "king": chess.KING,
}


class Resolution(msgspec.Struct, frozen=True):
    """Move meant (UCI), or None with the possibilities.

    `candidates`: every move that fits the words.
    """

    uci: str | None
    candidates: tuple[str, ...] = ()


def resolve(announcement: Announcement, board: chess.Board, *, by_geometry: bool = False) -> Resolution:
    """Return the move meant by an announcement.

    It is the one from the said departure square; else that of the only own piece of that kind that can legally arrive;
    else of the only one by geometry (pins and checks ignored); else of the only one on the board; else none, with the
    possibilities. `by_geometry` leaves legality out altogether, for everything that a player may see: a knight that
    moves by itself on the player's screen would tell them that the other knight is pinned.

    >>> resolve(Announcement(piece="knight", to_square="f3"), chess.Board()).uci
    'g1f3'
    """
    if announcement.castling is not None:
        return _castling(announcement.castling, board, by_geometry=by_geometry)
    if announcement.to_square is None:
        return Resolution(None)
    target = chess.parse_square(announcement.to_square)
    promotion = PIECES[announcement.promotion] if announcement.promotion else None
    if announcement.from_square is not None:
        return _from_said(announcement, board, target, promotion)
    kind = PIECES[announcement.piece or "pawn"]
    own = [square for square in board.pieces(kind, board.turn) if square != target]
    moves = [move for square in own if not _reads_as_castling(board, move := chess.Move(square, target, promotion))]
    ways = (
        [] if by_geometry else [move for move in moves if board.is_legal(move) and not onto_own(board, move)],
        [move for move in moves if _arrives(board, move)],
        moves,
    )
    for fitting in ways:
        if len(fitting) == 1:
            return Resolution(fitting[0].uci(), (fitting[0].uci(),))
        if fitting:
            return Resolution(None, tuple(move.uci() for move in fitting))
    return Resolution(None)


def fits(announcement: Announcement, board: chess.Board, uci: str) -> bool:
    """Return whether the words may be said of this move of the piece that stands there, legal or not.

    >>> fits(Announcement(piece="knight", to_square="f3"), chess.Board(), "g1f3")
    True
    >>> fits(Announcement(to_square="f3"), chess.Board(), "g1f3")
    False
    """
    move = chess.Move.from_uci(uci)
    if _reads_as_castling(board, move) or (announcement.castling is not None and board.is_castling(move)):
        return announcement.castling == ("short" if board.is_kingside_castling(move) else "long")
    piece = board.piece_type_at(move.from_square)
    shown = {
        "piece": chess.piece_name(piece) if piece is not None else None,
        "from_square": uci[:2],
        "to_square": uci[2:4],
        "promotion": chess.piece_name(move.promotion) if move.promotion is not None else None,
    }
    return announcement.agrees_with(msgspec.convert(shown, Announcement))


def reaches(announcement: Announcement, board: chess.Board) -> bool:
    """Return whether a man of the side to move can make this move, by the way men move alone.

    Castling always counts: its rights are not asked, because a player may see on their own board what follows.
    """
    if announcement.castling is not None:
        return True
    if announcement.to_square is None:
        return False
    kind, departure = announcement.piece_meant, announcement.from_square
    target = chess.parse_square(announcement.to_square)
    own = chess.SquareSet(board.occupied_co[board.turn] if kind is None else board.pieces(PIECES[kind], board.turn))
    return any(
        departure in (None, chess.square_name(square)) and _arrives(board, chess.Move(square, target)) for square in own
    )


def _arrives(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a piece can arrive by the way it moves and what stands in between.

    Pins, checks and rights are not asked. A capture en passant needs its form alone: whether the double step was the
    move before is a matter for the rules.
    """
    piece = board.piece_at(move.from_square)
    taken = board.piece_at(move.to_square)
    assert piece is not None
    takes = taken is not None and taken.color != piece.color
    if piece.piece_type != chess.PAWN:
        return (taken is None or takes) and move.to_square in board.attacks(move.from_square)
    if chess.square_file(move.from_square) != chess.square_file(move.to_square):
        beside = move.to_square in board.attacks(move.from_square)
        return beside and (takes or passed_pawn(board, move, piece) is not None)
    step = 8 if piece.color == chess.WHITE else -8
    first = move.from_square + step
    if taken is not None or move.to_square == first:
        return taken is None
    at_home = chess.square_rank(move.from_square) == (1 if piece.color == chess.WHITE else 6)
    return at_home and move.to_square == first + step and board.piece_at(first) is None


def _from_said(
    announcement: Announcement, board: chess.Board, target: chess.Square, promotion: chess.PieceType | None
) -> Resolution:
    assert announcement.from_square is not None
    source = chess.parse_square(announcement.from_square)
    if source == target:
        return Resolution(None)
    move = chess.Move(source, target, promotion)
    if _reads_as_castling(board, move):
        return Resolution(None)
    return Resolution(move.uci(), (move.uci(),))


def _reads_as_castling(board: chess.Board, move: chess.Move) -> bool:
    """Return whether the squares are Chess960's way to write castling, which has words of its own.

    See II.3.2.6.
    """
    if not board.chess960 or board.piece_type_at(move.from_square) != chess.KING:
        return False
    return board.piece_at(move.to_square) == chess.Piece(chess.ROOK, board.turn)


def _castling(side: str, board: chess.Board, *, by_geometry: bool) -> Resolution:
    """Return the castling to the c-side or g-side: e1g1 in standard chess, king takes rook in Chess960.

    See II.3.2.6. Where two rooks stand on that side in Chess960, only the rights tell which one castles; by geometry it
    stays open.
    """
    king = board.king(board.turn)
    if king is None:
        return Resolution(None)
    rank = chess.square_rank(king)
    if board.chess960:
        rooks = [s for s in board.pieces(chess.ROOK, board.turn) if chess.square_rank(s) == rank]
        outer = [s for s in rooks if (s > king) == (side == "short")]
        if not outer:
            return Resolution(None)
        if by_geometry and len(outer) > 1:
            return Resolution(None, tuple(chess.Move(king, rook).uci() for rook in outer))
        with_right = [s for s in outer if board.clean_castling_rights() & chess.BB_SQUARES[s]]
        corner = max(with_right or outer) if side == "short" else min(with_right or outer)
        uci = chess.Move(king, corner).uci()
    else:
        to = chess.square(6 if side == "short" else 2, rank)
        if to == king:  # on this board the king stands there already: the words are no move of it
            return Resolution(None)
        uci = chess.Move(king, to).uci()
    return Resolution(uci, (uci,))
