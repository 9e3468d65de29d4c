"""The likeliest game behind the lines read, the server's own line and the placement of both boards.

Most of a game is read in no score while the clocks stand, and is taken as the server has it. Where that cannot be,
since a line read is no move of that game or neither board shows where it leads, the server misheard a move, missed some
or has some that nobody played. Each such way is tried at every ply that was not read. Whatever is supposed here is
asked of both scores before anything rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import chess
import msgspec

from server.scoresheets.cell import Cell, legal_readings
from server.scoresheets.reconcile.boards import Followed, History, unlike

Lines = Mapping[int, tuple[Cell, Cell]]
"""Lines that were read in the scores: ply -> White's cell, Black's cell."""

Break = Literal["", "unknown", "illegal", "incomplete", "differ"]

MOST_STEPS = 40_000
"""The most moves tried; more would take longer than an arbiter waits while the clocks stand."""
MOST_TWICE = 8
"""Number of games with one move put right from which a second one is tried."""

# What each supposition costs beforehand, in nats, stated by hand; they only order what is asked first.
MISHEARD, UNHEARD, UNLIKE_MOVE, NOT_PLAYED, NOT_HEARD, DOUBTFUL, AGO = 1.5, 0.5, 1.0, 2.0, 3.5, 0.5, 0.02
BOARD, SQUARE, MOST_SQUARES, SAME_ON_BOTH = 2.0, 0.6, 16, 8.0
DIFFER, INCOMPLETE, BROKEN, LEFT = 4.0, 12.0, 25.0, 0.3


class Supposition(msgspec.Struct, frozen=True):
    """One game that may have been played, by the numbers of the scores.

    `moves`: as far as both scores can be followed together. `plies`: how many it has in all. `broken`: why it cannot be
    followed to the end, at the ply after `moves`: nothing is known of it (`unknown`), both scores have a move that is
    not legal there (`illegal`), one has none (`incomplete`), or they `differ`. `doubtful`: the plies that were not read
    and are taken otherwise than the server has them. `shift_at`, `shift`: from which ply on the server counts so many
    more. `fits`: where it leads is seen on a board. `cost`: in nats.
    """

    moves: tuple[chess.Move, ...]
    plies: int
    broken: Break = ""
    doubtful: tuple[int, ...] = ()
    shift_at: int = 0
    shift: int = 0
    fits: bool = False
    cost: float = 0.0
    changes: float = 0.0

    def source(self, ply: int) -> int:
        """Return the server's number of this ply."""
        return ply + self.shift if self.shift and ply >= self.shift_at else ply


class _Recorded(msgspec.Struct, frozen=True):
    """One ply of the server: its move, which piece made it there, and what was said."""

    move: chess.Move | None
    piece: chess.PieceType | None
    words: Cell | None


def suppose(
    history: History, followed: Followed, shown: tuple[chess.BaseBoard, chess.BaseBoard], lines: Lines
) -> Supposition:
    """Return the likeliest game; that of the server where nothing speaks against it."""
    return _Search(history, followed, shown, lines).likeliest()


def recorded_at(history: History, followed: Followed, ply: int) -> Cell | None:
    """Return the words said of a ply of the server; None where nothing is known but the move."""
    return history.heard[ply - 1] if 1 <= ply <= len(history.heard) else None


class _Search:
    def __init__(
        self, history: History, followed: Followed, shown: tuple[chess.BaseBoard, chess.BaseBoard], lines: Lines
    ) -> None:
        self.shown, self.lines = shown, lines
        self.start = followed.boards[0]
        self.made = followed.plies
        self.recorded = [self._line_recorded(history, followed, ply) for ply in range(1, self.made + 1)]
        self.left = MOST_STEPS
        self.found: list[Supposition] = []

    @staticmethod
    def _line_recorded(history: History, followed: Followed, ply: int) -> _Recorded:
        move, uci = followed.moves[ply - 1], history.moves[ply - 1]
        words = recorded_at(history, followed, ply)
        if move is not None:
            return _Recorded(move, followed.boards[ply - 1].piece_type_at(move.from_square), words)
        try:
            move = chess.Move.from_uci(uci) if uci is not None else None
        except ValueError:
            move = None
        return _Recorded(move or None, None, words)

    def likeliest(self) -> Supposition:
        plain = self._plain()
        if plain.fits:
            return plain
        self.found = [plain]
        boards = self._positions(plain)
        self._put_right(plain, boards)
        self._leave_out(plain, boards)
        self._put_in_last(plain, boards)
        if not self._best.fits:
            promising = sorted((one for one in self.found if one.doubtful and not one.shift), key=lambda one: one.cost)
            for one in promising[:MOST_TWICE]:
                self._put_right(one, self._positions(one))
        if not self._best.fits:
            self.left = MOST_STEPS // 4
            self._put_in_two(plain, boards)
        return self._best

    @property
    def _best(self) -> Supposition:
        return min(self.found, key=lambda one: one.cost)

    # One game and what speaks against it.

    def _plain(self) -> Supposition:
        base = Supposition((), self._plies(0))
        return self._follow_to_end(base, (), self.start.copy(stack=False))

    def _plies(self, shift: int) -> int:
        """Return how many plies the game has, if the server counts so many more."""
        written = [ply for ply, pair in self.lines.items() if not all(cell.blank for cell in pair)]
        last = max([self.made - shift, *written])
        while last in self.lines and all(cell.blank for cell in self.lines[last]):
            last -= 1
        return last

    def _positions(self, one: Supposition) -> list[chess.Board]:
        boards = [self.start.copy(stack=False)]
        for move in one.moves:
            board = boards[-1].copy(stack=False)
            board.push(move)
            boards.append(board)
        return boards

    def _follow_to_end(self, base: Supposition, moves: tuple[chess.Move, ...], board: chess.Board) -> Supposition:
        """Follow a game from here to its end; `board` is used up."""
        followed = list(moves)
        while len(followed) < base.plies:
            ply = len(followed) + 1
            move = self._step(board, ply, base.source(ply))
            if move is None:
                break
            board.push(move)
            followed.append(move)
        broken, cost, fits = self._against(base, board, len(followed) + 1)
        return msgspec.structs.replace(
            base, moves=tuple(followed), broken=broken, fits=fits, cost=round(base.changes + cost, 3)
        )

    def _step(self, board: chess.Board, ply: int, source: int) -> chess.Move | None:
        """Return the move that both scores have there, or of a ply not read what the server has."""
        self.left -= 1
        known = self.recorded[source - 1] if 1 <= source <= self.made else _Recorded(None, None, None)
        pair = self.lines.get(ply)
        if pair is not None:
            theirs = legal_readings(board, pair[1])
            ways = [move for move in legal_readings(board, pair[0]) if move in theirs]
            return known.move if known.move in ways else ways[0] if ways else None
        move = known.move
        if move is not None and board.is_legal(move) and known.piece in (None, board.piece_type_at(move.from_square)):
            return move
        ways = list(legal_readings(board, known.words)) if known.words is not None else []
        return ways[0] if ways else None

    def _against(self, base: Supposition, board: chess.Board, ply: int) -> tuple[Break, float, bool]:
        """Return why a game breaks off at this ply, what speaks against it, and whether a board shows its end."""
        if ply > base.plies:
            cost, fits = self._of_boards(board, board)
            unwritten = self._unwritten(base, board)
            if unwritten is not None:
                with_it, fits_with = self._of_boards(unwritten, unwritten)
                return ("", with_it, fits_with) if with_it <= cost else ("", cost, fits)
            return "", cost, fits
        rest = LEFT * (base.plies - ply)
        pair = self.lines.get(ply)
        if pair is None:
            return "unknown", BROKEN + rest, False
        if not all(cell.readable for cell in pair):
            return "incomplete", INCOMPLETE + rest, False
        if any(one.alike(other) for one in pair[0].forms for other in pair[1].forms):
            return "illegal", BROKEN + rest, False
        white, black = (self._alone(base, board, ply, side) for side in (0, 1))
        cost, _ = self._of_boards(white, black)
        return "differ", DIFFER + cost, cost == 0

    def _unwritten(self, base: Supposition, board: chess.Board) -> chess.Board | None:
        """Return the position after the server's last move, where neither has written it yet (8.1.3)."""
        last = base.plies + 1
        if last not in self.lines or base.source(last) != self.made:
            return None
        move = self.recorded[-1].move
        if move is None or not board.is_legal(move):
            return None
        after = board.copy(stack=False)
        after.push(move)
        return after

    def _alone(self, base: Supposition, board: chess.Board, ply: int, side: int) -> chess.Board:
        """Return where one score leads by itself from a ply on."""
        alone = board.copy(stack=False)
        for at in range(ply, base.plies + 1):
            if at in self.lines:
                ways = legal_readings(alone, self.lines[at][side])
                move = ways[0] if len(ways) == 1 else None
            else:
                move = self._step(alone, at, base.source(at))
            alone.push(move or chess.Move.null())
        return alone

    def _of_boards(self, white: chess.BaseBoard, black: chess.BaseBoard) -> tuple[float, bool]:
        off = [unlike(self.shown[0], white), unlike(self.shown[1], black)]
        cost = sum(BOARD + SQUARE * min(squares.bit_count(), MOST_SQUARES) for squares in off if squares)
        if off[0] & off[1] & ~unlike(*self.shown):
            cost += SAME_ON_BOTH
        return cost, not all(off)

    # What may be otherwise.

    def _note(self, one: Supposition) -> None:
        if one.cost < self.found[0].cost:
            self.found.append(one)

    def _put_right(self, base: Supposition, boards: list[chess.Board]) -> None:
        """Suppose another move at each ply that was not read."""
        for ply in range(min(len(base.moves) + 1, base.plies), 0, -1):
            if ply in self.lines or ply in base.doubtful:
                continue
            had = base.moves[ply - 1] if ply <= len(base.moves) else None
            source = base.source(ply)
            heard = self.recorded[source - 1].move if 1 <= source <= self.made else None
            for move in boards[ply - 1].legal_moves:
                if move == had:
                    continue
                if self.left < 0:
                    return
                near = heard is None or heard.from_square == move.from_square or heard.to_square == move.to_square
                cost = UNHEARD if heard is None else MISHEARD + (0 if near else UNLIKE_MOVE)
                changed = self._with_change(base, cost, ply, (ply,))
                board = boards[ply - 1].copy(stack=False)
                board.push(move)
                self._note(self._follow_to_end(changed, (*base.moves[: ply - 1], move), board))

    def _leave_out(self, base: Supposition, boards: list[chess.Board]) -> None:
        """Suppose that the server has two moves too many somewhere, or one at its end."""
        for first in range(min(len(boards), self.made), 0, -1):
            extra = 2 if first < self.made else 1
            plies = self._plies(extra)
            changed = self._with_change(base, NOT_PLAYED, first, range(first, first + extra), first, extra)
            changed = msgspec.structs.replace(changed, plies=plies)
            if self.left < 0 or plies < first - 1:
                return
            self._note(self._follow_to_end(changed, base.moves[: first - 1], boards[first - 1].copy(stack=False)))

    def _put_in_last(self, base: Supposition, boards: list[chess.Board]) -> None:
        """Suppose that the server missed the last move."""
        if len(base.moves) < base.plies or base.plies != self.made or boards[-1].is_game_over():
            return
        changed = self._with_change(base, NOT_HEARD, base.plies + 1, (base.plies + 1,))
        changed = msgspec.structs.replace(changed, plies=base.plies + 1)
        for move in boards[-1].legal_moves:
            board = boards[-1].copy(stack=False)
            board.push(move)
            self._note(self._follow_to_end(changed, (*base.moves, move), board))

    def _put_in_two(self, base: Supposition, boards: list[chess.Board]) -> None:
        """Suppose that the server missed two moves somewhere, one of each side, which both boards show."""
        same = ~unlike(*self.shown) & chess.BB_ALL
        plies = self._plies(-2)
        for first in range(len(boards), 0, -1):
            read = [ply for ply in (first, first + 1) if ply in self.lines]
            for pair in self._two_moves(boards[first - 1], first, same):
                if self.left < 0:
                    return
                changed = self._with_change(base, 2 * NOT_HEARD, first, (first, first + 1), first + 2, -2)
                changed = msgspec.structs.replace(changed, plies=plies)
                board = boards[first - 1].copy(stack=False)
                for move in pair:
                    board.push(move)
                self._note(self._follow_to_end(changed, (*base.moves[: first - 1], *pair), board))
            if read and self.left < 0:
                return

    def _two_moves(
        self, before: chess.Board, first: int, same: chess.Bitboard
    ) -> Iterator[tuple[chess.Move, chess.Move]]:
        """Yield two moves in turn of which both boards still show that the piece has gone."""
        for one in self._shown_gone(before, first, same):
            after = before.copy(stack=False)
            after.push(one)
            for other in self._shown_gone(after, first + 1, same):
                yield one, other

    def _shown_gone(self, before: chess.Board, ply: int, same: chess.Bitboard) -> Iterator[chess.Move]:
        off = unlike(self.shown[0], before) & same
        pair = self.lines.get(ply)
        if pair is not None:
            theirs = legal_readings(before, pair[1])
            yield from (move for move in legal_readings(before, pair[0]) if move in theirs)
            return
        for move in list(before.legal_moves):
            if off & chess.BB_SQUARES[move.from_square] and off & chess.BB_SQUARES[move.to_square]:
                yield move

    def _with_change(
        self,
        base: Supposition,
        cost: float,
        ply: int,
        plies: range | tuple[int, ...],
        shift_at: int = 0,
        shift: int = 0,
    ) -> Supposition:
        unread = tuple(one for one in plies if one not in self.lines)
        doubtful = (*base.doubtful, *unread)
        ago = DOUBTFUL * len(unread) if shift else AGO * max(0, base.plies - ply)
        return msgspec.structs.replace(
            base,
            changes=base.changes + cost + ago,
            doubtful=tuple(sorted(doubtful)),
            shift_at=shift_at or base.shift_at,
            shift=shift or base.shift,
        )
