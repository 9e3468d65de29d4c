"""Settling two boards with the few lines that were read in both scores.

The law of the house: what a player is told to do rests on cells that were read. The first ply that explains a differing
square, the one before it and all after it are read in both scores, and every differing square follows from them. What
lies earlier and was not read is taken as the server has it; it is named, and the verdict is provisional until the
arbiter says that it will do. Otherwise the next lines worth reading are asked for. The lines go through the same exact
comparison as whole scores (`agreement`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import chess
import msgspec

from server.scoresheets.cell import Cell
from server.scoresheets.forms import Form
from server.scoresheets.reconcile.agreement import AgreedLine, Agreement, Verdict, compare_scores
from server.scoresheets.reconcile.boards import (
    BoardDifference,
    Followed,
    History,
    compare_board,
    effects,
    follow,
    legal_move,
    shown_on,
    shown_where_differing,
    steps_back,
    unlike,
)
from server.scoresheets.reconcile.explanations import ExplainingCosts, Explanation, Where, board_wrong
from server.scoresheets.reconcile.suppositions import Lines, Supposition, recorded_at, suppose

SIDES: tuple[Where, Where] = ("white", "black")
FAR = 3.0
"""An account that is less likely than the likeliest by this much (nats) is not asked about."""


class Settlement(msgspec.Struct, frozen=True):
    """Verdict of the lines by the Laws, with the boards compared against it.

    `asks`: the plies to be read next in both scores; empty where none would change the answer. `settled`: the scores
    answer it, and every ply up to there was read. `provisional`: it rests on what was read, and on other plies
    (`unread`) that were taken as the server has them: the arbiter says whether that will do. `out_of_step` as
    verdict: both scores and both boards agree, only the server is wrong. `agree_plies`, `position`, `boards`, `back`:
    as in `Reconciliation`. `explanations`: what the scores bear out, the server's own error first, and no account that
    they contradict; where the scores differ it is that line. `game`: the game as both scores have it (UCI), up to the
    agreement; behind it the last move, where it was made and neither has written it yet (8.1.3). `likely`: the game
    that is taken to be behind the scores while not all is read.
    """

    verdict: Verdict
    settled: bool
    provisional: bool
    agree_plies: int
    position: str
    game: tuple[str, ...]
    boards: tuple[BoardDifference, BoardDifference]
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    explanations: tuple[Explanation, ...]
    unread: tuple[int, ...]
    asks: tuple[int, ...]
    likely: tuple[str, ...]


def settle(history: History, placements: tuple[str, str], lines: Lines, costs: ExplainingCosts) -> Settlement:
    """Answer from the lines read. Raises Complaint for a placement or a start that is none."""
    followed = follow(history)
    shown = (shown_on(placements[0]), shown_on(placements[1]))
    supposed = suppose(history, followed, shown, lines)
    scores = [_score(history, followed, supposed, lines, side) for side in (0, 1)]
    found = compare_scores(scores[0], scores[1], followed.boards[0])
    line = _nearest(found, shown, followed.boards[0].chess960)
    game, position = line.moves, chess.Board(line.fen, chess960=followed.boards[0].chess960)
    unwritten = None
    if found.verdict == "same_record" and _leaves_out_the_last(found, supposed, followed, lines):
        unwritten = not_yet_written(followed, position, placements)
    if unwritten is not None:
        game = (*game, unwritten)
        position.push(unwritten)
    boards = (
        compare_board(placements[0], position, "White's board"),
        compare_board(placements[1], position, "Black's board"),
    )
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]] = ((), ())
    if unwritten is None:
        back = (steps_back(scores[0], found.plies, position), steps_back(scores[1], found.plies, position))
    verdict: Verdict = found.verdict
    off = any(board.deviates for board in boards)
    if verdict == "same_record" and game != followed.moves and not off:
        verdict = "out_of_step"
    explanations: tuple[Explanation, ...] = ()
    if verdict in ("same_record", "out_of_step"):
        explanations = _borne_out(history, game, boards, placements, costs)
    elif verdict == "differ":
        explanations = (_written_otherwise(found.plies + 1, back),)
    asking = _Asking(history, followed, supposed, lines, shown, costs)
    asks = asking.next(verdict, game, position, back)
    to_the_end = verdict in ("same_record", "out_of_step")
    needed = max(len(game), supposed.plies) if to_the_end else found.plies + 1
    unread = tuple(ply for ply in range(1, needed + 1) if ply not in lines)
    return Settlement(
        verdict=verdict,
        settled=not asks and not unread and (to_the_end or verdict == "differ"),
        provisional=not asks and bool(unread),
        agree_plies=found.plies,
        position=position.fen(),
        game=tuple(move.uci() for move in game),
        boards=boards,
        back=back,
        explanations=explanations,
        unread=unread,
        asks=asks,
        likely=tuple(move.uci() for move in supposed.moves),
    )


def _leaves_out_the_last(found: Agreement, supposed: Supposition, followed: Followed, lines: Lines) -> bool:
    """Return whether both scores were read to their ends, one ply before the server's last move."""
    read = found.plies == supposed.plies and found.plies + 1 in lines
    return read and supposed.source(found.plies + 1) == followed.plies


def not_yet_written(followed: Followed, position: chess.Board, placements: tuple[str, str]) -> chess.Move | None:
    """Return the server's last move, where both scores end one ply before it (8.1.3).

    None where it is no move of their position, or where both boards show that it was not made.
    """
    move = followed.moves[-1] if followed.moves else None
    if move is None or not position.is_legal(move):
        return None
    not_made = all(not shown_where_differing(shown_on(placement), position) for placement in placements)
    return None if not_made else move


def reading_positions(history: History, settlement: Settlement) -> tuple[chess.Board, ...]:
    """Return the position in which each ply's cell is read, from ply 1.

    The plies are those that the scores agree on so far, then those that are likely, then those recorded.
    """
    followed = follow(history)
    board = followed.boards[0].copy(stack=False)
    boards = [board]
    agreed = settlement.game[: settlement.agree_plies]
    for uci in agreed if len(agreed) >= len(settlement.likely) else settlement.likely:
        board = board.copy(stack=False)
        board.push(board.parse_uci(uci))
        boards.append(board)
    return (*boards, *followed.boards[len(boards) :])


def _nearest(found: Agreement, shown: tuple[chess.BaseBoard, chess.BaseBoard], chess960: bool) -> AgreedLine:
    """Return of several lines that both scores can mean the one that the boards are nearest to."""
    if len(found.lines) == 1:
        return found.lines[0]

    def off(line: AgreedLine) -> int:
        end = chess.Board(line.fen, chess960=chess960)
        return sum(unlike(board, end).bit_count() for board in shown)

    return min(found.lines, key=off)


def _score(history: History, followed: Followed, supposed: Supposition, lines: Lines, side: int) -> list[Cell]:
    """Return one score: the lines read, and between them the moves that are taken as made."""
    board = followed.boards[0].copy(stack=False)
    cells = []
    for ply in range(1, supposed.plies + 1):
        move = supposed.moves[ply - 1] if ply <= len(supposed.moves) else None
        if ply in lines:
            cells.append(lines[ply][side])
        elif move is not None:
            cells.append(_cell_of_move(board, move))
        else:
            cells.append(recorded_at(history, followed, supposed.source(ply)) or NO_CELL)
        if move is not None:
            board.push(move)
    return cells


NO_CELL = Cell(None, True, ())


def _cell_of_move(board: chess.Board, move: chess.Move) -> Cell:
    """Return a cell that names a recorded move by both its squares."""
    if board.is_castling(move):
        return Cell(move.uci(), False, (Form(castling="short" if board.is_kingside_castling(move) else "long"),))
    form = Form(
        piece=board.piece_type_at(move.from_square),
        from_file=chess.square_file(move.from_square),
        from_rank=chess.square_rank(move.from_square),
        to_file=chess.square_file(move.to_square),
        to_rank=chess.square_rank(move.to_square),
        promotion=move.promotion,
    )
    return Cell(move.uci(), False, (form,))


class _Asking:
    """Choice of the plies that are worth reading next."""

    def __init__(
        self,
        history: History,
        followed: Followed,
        supposed: Supposition,
        lines: Lines,
        shown: tuple[chess.BaseBoard, chess.BaseBoard],
        costs: ExplainingCosts,
    ) -> None:
        self.history, self.followed, self.supposed = history, followed, supposed
        self.lines, self.shown, self.costs = lines, shown, costs

    def next(
        self,
        verdict: Verdict,
        game: tuple[chess.Move, ...],
        position: chess.Board,
        back: tuple[tuple[str | None, ...], tuple[str | None, ...]],
    ) -> tuple[int, ...]:
        """Return the plies to be read next in both scores; none where the answer stands, or reading does not help."""
        supposed = self.supposed
        if supposed.doubtful:
            return self._unread(self._with_the_one_before(supposed.doubtful))
        failing = len(supposed.moves) + 1
        if supposed.broken == "unknown":
            return self._unread((failing - 1, failing))
        if supposed.broken == "illegal":
            return self._suspects(failing - 1, self._around(failing))
        if supposed.broken == "incomplete":
            return ()
        if verdict == "differ":
            return self._where_they_differ(failing, position, back)
        return self._where_they_agree(game, position)

    def _where_they_agree(self, game: tuple[chess.Move, ...], position: chess.Board) -> tuple[int, ...]:
        off = [unlike(board, position) for board in self.shown]
        last = len(game)
        if not any(off):
            same = next(
                (ply for ply, pair in enumerate(zip(game, self.followed.moves, strict=False), 1) if pair[0] != pair[1]),
                None,
            )
            if same is None and len(game) != self.followed.plies:
                same = min(len(game), self.followed.plies) + 1
            return () if same is None else self._unread((same - 1, min(same, last)))
        on_both = off[0] & off[1] & ~unlike(*self.shown)
        if on_both:  # the server is likelier wrong there than both players
            return self._suspects(last, on_both) or self._resting_on(
                [self._plies_explaining(game, side) for side in self._sides(off)], last
            )
        explained = [self._plies_explaining(game, side) for side in self._sides(off)]
        unseen = off[0] & off[1]  # on the other squares the other board stands as the scores say
        return self._followed_from([*explained, *self._last_touching(game, unseen)], last, off[0] | off[1])

    def _where_they_differ(
        self, failing: int, position: chess.Board, back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    ) -> tuple[int, ...]:
        """Return the plies to read where the scores differ: each board must stand where its own score leads."""
        last = self.supposed.plies
        plies: list[tuple[int, ...]] = [(failing,)]
        agreed = self.supposed.moves
        off = chess.BB_EMPTY
        for side, steps in enumerate(back):
            end = _played_out(steps, position)
            if end is None:
                plies.append(())
                continue
            squares = unlike(self.shown[side], end[0])
            off |= squares
            if squares:
                plies.append(self._plies_explaining((*agreed, *end[1]), side))
            to_set = unlike(self.shown[side], position) & ~_said_by(end[1], position)
            plies += self._last_touching(agreed, to_set)
        return self._followed_from(plies, last, off, up_to=failing)

    def _followed_from(
        self, explained: Sequence[tuple[int, ...]], last: int, off: chess.Bitboard, up_to: int = 0
    ) -> tuple[int, ...]:
        """Return the plies to read so that every differing square follows from cells that were read.

        `explained`: for each board the plies that may explain it, the likeliest first; empty where no one ply does.
        """
        rest = self._resting_on([plies for plies in explained if plies], last)
        if rest or all(explained):
            return rest
        return self._suspects((up_to or last + 1) - 1, off)

    def _resting_on(self, explained: Sequence[tuple[int, ...]], last: int) -> tuple[int, ...]:
        """Return the plies that the order rests on: the likeliest first, then from the earliest to the end."""
        if not explained:
            return ()
        likeliest = self._unread(self._with_the_one_before(min(plies[0], last) for plies in explained if plies))
        if likeliest:
            return likeliest
        earliest = min(min(plies) for plies in explained if plies)
        return self._unread(range(min(earliest, last) - 1, last + 1))

    def _plies_explaining(self, game: tuple[chess.Move, ...], side: int) -> tuple[int, ...]:
        """Return each ply that may explain all that one board shows, the likeliest first.

        Left out is only what is far less likely, and no move that a score might have instead.
        """
        played = follow(History(tuple(move.uci() for move in game), self.history.start, self.history.chess960))
        found = board_wrong(played, self.shown[side], SIDES[side], self.costs)
        return tuple(
            each.ply
            for each in found
            if each.cost <= found[0].cost + FAR or legal_move(played.boards[each.ply - 1], each.instead) is not None
        )

    def _last_touching(self, game: tuple[chess.Move, ...], squares: chess.Bitboard) -> list[tuple[int, ...]]:
        """Return for each square the last ply that put or took anything there: what must stand there rests on it."""
        board = self.followed.boards[0].copy(stack=False)
        last: dict[chess.Square, int] = {}
        for ply, move in enumerate(game, 1):
            for square in effects(board, move):
                if chess.BB_SQUARES[square] & squares:
                    last[square] = ply
            board.push(move)
        return [(ply,) for ply in sorted(set(last.values()))]

    def _sides(self, off: Sequence[chess.Bitboard]) -> list[int]:
        return [side for side in (0, 1) if off[side]]

    def _with_the_one_before(self, plies: Iterable[int]) -> list[int]:
        return [each for ply in plies for each in (ply - 1, ply)]

    def _unread(self, plies: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({ply for ply in plies if ply >= 1 and ply not in self.lines}))

    def _suspects(self, through: int, squares: chess.Bitboard) -> tuple[int, ...]:
        """Return the next plies up to this one that were not read: of those that touched these squares, the last."""
        unread = self._unread(range(1, through + 1))
        board = self.followed.boards[0].copy(stack=False)
        touching = []
        for ply, move in enumerate(self.supposed.moves[:through], 1):
            if ply in unread and any(chess.BB_SQUARES[square] & squares for square in effects(board, move)):
                touching.append(ply)
            board.push(move)
        first = touching[-1] if touching else unread[-1] if unread else 0
        pair = first - (first + 1) % 2
        return self._unread((pair, pair + 1)) if first else ()

    def _around(self, failing: int) -> chess.Bitboard:
        """Return the squares that both cells of this ply name."""
        squares = chess.BB_EMPTY
        for cell in self.lines[failing]:
            for form in cell.forms:
                for file, rank in ((form.from_file, form.from_rank), (form.to_file, form.to_rank)):
                    if file is not None and rank is not None:
                        squares |= chess.BB_SQUARES[chess.square(file, rank)]
        return squares


def _borne_out(
    history: History,
    game: tuple[chess.Move, ...],
    boards: tuple[BoardDifference, BoardDifference],
    placements: tuple[str, str],
    costs: ExplainingCosts,
) -> tuple[Explanation, ...]:
    """Return the explanations that the scores confirm.

    They are where the server has another move, and for each board that deviates its likeliest one.
    """
    found = list(_server_otherwise(history.moves, tuple(move.uci() for move in game)))
    played = follow(History(tuple(move.uci() for move in game), history.start, history.chess960))
    for where, board, placement in zip(SIDES, boards, placements, strict=True):
        if board.deviates:
            found += board_wrong(played, shown_on(placement), where, costs)[:1]
    return tuple(found)


def _server_otherwise(recorded: Sequence[str | None], written: Sequence[str]) -> tuple[Explanation, ...]:
    """Return the first ply at which the server has another move than both scores.

    It was misheard, not heard, or not played.
    """
    same = 0
    while same < min(len(recorded), len(written)) and recorded[same] == written[same]:
        same += 1
    mine, theirs = tuple(recorded[same:]), tuple(written[same:])
    if not mine and not theirs:
        return ()
    for many in (1, 2):
        if len(theirs) >= many and theirs[many:] == mine:
            return (Explanation("not_heard", "server", same + 1, None, theirs[0], 0.0),)
        if len(mine) >= many and mine[many:] == theirs:
            return (Explanation("not_played", "server", same + 1, mine[0], None, 0.0),)
    heard, played = mine[0] if mine else None, theirs[0] if theirs else None
    return (Explanation("misheard" if heard else "not_heard", "server", same + 1, heard, played, 0.0),)


def _written_otherwise(ply: int, back: tuple[tuple[str | None, ...], tuple[str | None, ...]]) -> Explanation:
    """Return the line at which the scores differ: White's move first, then Black's."""
    white, black = (steps[-1] if steps else None for steps in back)
    return Explanation("written_otherwise", "scores", ply, white, black, 0.0)


def _said_by(moves: Sequence[chess.Move], position: chess.Board) -> chess.Bitboard:
    """Return the squares of which these moves, as written, say what stood there.

    A pawn left them, or the king and the rook that castled, or something went where nothing was. Where another piece
    came from is not written.
    """
    board, touched, said = position.copy(stack=False), chess.BB_EMPTY, chess.BB_EMPTY
    for move in moves:
        says = board.is_castling(move) or board.piece_type_at(move.from_square) == chess.PAWN
        for square in effects(board, move):
            bit = chess.BB_SQUARES[square]
            left = board.color_at(square) == board.turn
            if not touched & bit and ((left and says) or board.piece_at(square) is None):
                said |= bit
            touched |= bit
        board.push(move)
    return said


def _played_out(
    steps: Sequence[str | None], position: chess.Board
) -> tuple[chess.Board, tuple[chess.Move, ...]] | None:
    """Return where one score leads after the agreed plies, with its moves; None where a cell names no move.

    `steps`: the last one first.
    """
    board, moves = position.copy(stack=False), []
    for uci in reversed(steps):
        if uci is None:
            return None
        moves.append(board.parse_uci(uci))
        board.push(moves[-1])
    return board, tuple(moves)
