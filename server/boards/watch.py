"""One board's events become what it tells the table: touches, moves, and that it stands strangely.

The driver's events go in; what comes out is told to the table by `server/boards/watched_board.py`. `board` and `before`
are what the record says of this physical board: its position, and the one before the last move on it. Pure.

A board that knows occupancy alone cannot tell a pawn from a queen: after a lost message two half-moves look like one
other move, or what was left over from before looks like an arrival. So a move counts there only where every square of
it was seen to be emptied and filled, one after the other, and nothing else was exchanged meanwhile (`is_shown`); else
the arbiter is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import chess
import msgspec

from server.boards.debounce import Settling
from server.boards.event import BoardEvent, Lifted, Link, Placed, Snapshot
from server.boards.move_seen import Same, SeenMoves, Strange, Unclear, Unfinished, move_seen, squares_filled_again
from server.boards.result_signal import Result, Signal, signal_seen
from server.boards.squares import EMPTY, UNKNOWN, alike, differing_squares, of_board
from server.game.values.position import Position
from server.game.values.words import Seat

LONGEST_HISTORY = 64


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Times (ms) for which a board must stand before it is read.

    `wobble_ms`: a shorter lift is a wobble in the hole. `steady_ms`: for this long nothing may move before a move is
    read, so that a piece slid over squares stands where it was let go. `hand_ms`: replaces `steady_ms`, without a
    press, where a piece may still be held: over its square while the program would announce it, or in the hand where
    one man fewer stands on a board that knows occupancy alone. `strange_ms`: for this long a board may stand so that
    no move leads there (pieces knocked over are set up again) before the arbiter is told.
    """

    wobble_ms: int = 150
    steady_ms: int = 700
    hand_ms: int = 3_000
    strange_ms: int = 8_000


class TouchSensed(msgspec.Struct, frozen=True):
    """A piece was lifted, put down on another square (released), or newly placed."""

    at: int
    square: str
    how: Literal["lifted", "released", "placed"]
    piece: str | None


class MoveSensed(msgspec.Struct, frozen=True):
    """A move stands on the board.

    `instead`: it replaces the last move that the record has on this board. `on`: the placement that the record had
    where the move was read.
    """

    at: int
    uci: str
    instead: bool = False
    on: str = ""


class UnexpectedBoard(msgspec.Struct, frozen=True):
    """No move, or more than one, leads to how the board stands.

    No player is told any of it.
    """

    at: int
    squares: tuple[str, ...]
    moves: tuple[str, ...] = ()


class ResultShown(msgspec.Struct, frozen=True):
    """The kings were set down in the middle, and show this result (None: one king so far).

    No squares: they stand there no more.
    """

    at: int
    squares: tuple[str, ...] = ()
    result: Result | None = None


class LinkChanged(msgspec.Struct, frozen=True):
    """The line to the board was lost, or is back."""

    at: int
    state: Literal["up", "down", "stale"]
    detail: str


Found = TouchSensed | MoveSensed | UnexpectedBoard | ResultShown | LinkChanged


class BoardWatch(msgspec.Struct, frozen=True):
    """Watch over one board; make it with `BoardWatch(patience=...)`.

    `occupancy`: the board knows only where something stands. `announced`: a sensed move is announced at once, so a
    piece that was not let go must not count. `kings_said`: where a king was announced to go, in the last two moves.
    """

    patience: Patience = Patience()
    occupancy: bool = False
    settling: Settling | None = None
    history: tuple[Lifted | Placed, ...] = ()
    moved_ms: int = 0
    odd_since: int | None = None
    odd_told: bool = False
    pressed: bool = False
    link: Literal["up", "down", "stale"] = "up"
    held: tuple[str, ...] = ()
    announced: bool = False
    held_perhaps: bool = False  # what stands there now may be a piece in the hand
    kings_said: frozenset[str] = frozenset()
    signal: Signal | None = None  # what the arbiter was told that the kings show
    recorded: Position | None = None  # the record's position when it was last compared
    expected: tuple[Position, ...] = ()  # the record's next positions, once it has taken what was read here

    def take(self, event: BoardEvent, board: Position) -> tuple[BoardWatch, tuple[Found, ...]]:
        """Take an event of the driver.

        A board that is not known yet begins as the record has it, where nothing else is said.
        """
        if isinstance(event, Link):
            if event.state == self.link:
                return self, ()
            seen = () if event.state == "down" else self.history  # what happened meanwhile was not seen
            watch = msgspec.structs.replace(self, link=event.state, history=seen)
            return watch, (LinkChanged(event.at, event.state, event.detail),)
        settling = self.settling
        if settling is None:
            squares = of_board(board.board())
            settling = Settling.at_rest(squares)
        # What stood long enough before this is settled first: `look` may not have run meanwhile.
        settling, events = settling.settle(event.at, self.patience.wobble_ms)
        if isinstance(event, Snapshot) and _only_occupied(event.squares):
            event = Snapshot(event.at, _with_known_names(event.squares, settling.settled))
        found: list[Found] = []
        watch = msgspec.structs.replace(self, settling=settling, recorded=self.recorded or board)
        for earlier in events:
            watch = watch._after_touch(earlier, found)
        after = settling.after(event)
        if after == settling and self.settling is not None:
            return watch, tuple(found)
        moved = max(self.moved_ms, event.at)
        return msgspec.structs.replace(watch, settling=after, moved_ms=moved, held_perhaps=False), tuple(found)

    def press(self, at: int) -> BoardWatch:
        """Note that this board's player pressed the clock: no piece may be in the hand any more (D.2.3.2)."""
        return msgspec.structs.replace(self, pressed=True, held_perhaps=False, moved_ms=max(self.moved_ms, at))

    def hear_of_kings(self, at: int, squares: frozenset[str]) -> BoardWatch:
        """Note where kings were announced to go: one that stands there has made that move, legal or not (D.2.3)."""
        if squares == self.kings_said:
            return self
        return msgspec.structs.replace(self, kings_said=squares, moved_ms=max(self.moved_ms, at))

    def compare(self, at: int, board: Position) -> BoardWatch:
        """Compare the board with its record, which is `board` now.

        What was odd before may be told again. Where the record has only taken what was read here, everything the hands
        did since (the disk may be slow) is evidence for the next move; where the record knows more, evidence counts
        from now on. A board that knows occupancy alone took its pieces' names from the record: names that differ from
        the record now are forgotten.
        """
        watch = msgspec.structs.replace(self, moved_ms=max(self.moved_ms, at))
        if board == self.recorded:
            return watch
        if board in self.expected:
            return msgspec.structs.replace(watch, recorded=board, odd_since=None, odd_told=False)
        settling = self.settling
        if settling is not None and self.occupancy:
            settling = settling.without_names_of(of_board(board.board()))
        anew = msgspec.structs.replace(watch, recorded=board, settling=settling, expected=(), history=())
        return msgspec.structs.replace(anew, odd_since=None, odd_told=False)

    def due(self) -> int | None:
        """Return the next instant (ms of the run) at which `look` may find something new."""
        if self.settling is None:
            return None
        instants = [self.settling.due(self.patience.wobble_ms)]
        steady = self.moved_ms + self._steady_ms if self.moved_ms else 0
        if steady:
            instants.append(steady)
        if self.odd_since is not None and not self.odd_told:
            instants.append(max(steady, self.odd_since + self.patience.strange_ms))
        return min((one for one in instants if one is not None), default=None)

    def look(self, now: int, board: Position, before: Position) -> tuple[BoardWatch, tuple[Found, ...]]:
        """Return the watch with all that has settled by now, and the findings."""
        if self.settling is None:
            return self, ()
        settling, events = self.settling.settle(now, self.patience.wobble_ms)
        found: list[Found] = []
        watch = msgspec.structs.replace(self, settling=settling)
        for event in events:
            watch = watch._after_touch(event, found)
        if not settling.still or now - watch.moved_ms < watch._steady_ms:
            return watch, tuple(found)
        read = msgspec.structs.replace(watch, moved_ms=0)._read(now, board, before, found)
        if watch.signal is not None and watch.signal != watch._signal(board, before, settling.settled):
            found.insert(len(events), ResultShown(now))  # what was told of before stands there no more
            read = msgspec.structs.replace(read, signal=None if read.signal == watch.signal else read.signal)
        if read.held_perhaps and not watch.held_perhaps:
            read = msgspec.structs.replace(read, moved_ms=watch.moved_ms)  # look again when it has stood longer
        return read, tuple(found)

    @property
    def _steady_ms(self) -> int:
        """Return how long nothing may have moved before a move is read."""
        long = self.held_perhaps or (self.announced and not self.pressed)
        return max(self.patience.hand_ms, self.patience.steady_ms) if long else self.patience.steady_ms

    def _after_touch(self, event: Lifted | Placed, found: list[Found]) -> BoardWatch:
        held = list(self.held)
        if isinstance(event, Lifted):
            held.append(event.square)
            found.append(TouchSensed(event.at, event.square, "lifted", event.piece))
        elif event.square in held:
            # Put back or exchanged here: a piece is released only if another one is in the hand.
            held.remove(event.square)
            if held and self._exchange(event):
                found.append(TouchSensed(event.at, event.square, "released", event.piece))
        else:
            found.append(TouchSensed(event.at, event.square, "released" if held else "placed", event.piece))
        history = (*self.history, event)[-LONGEST_HISTORY:]
        return msgspec.structs.replace(self, history=history, held=tuple(held)[-LONGEST_HISTORY:])

    def _exchange(self, event: Placed) -> bool:
        lifted = next((one for one in reversed(self.history) if one.square == event.square), None)
        return event.piece is None or lifted is None or lifted.piece != event.piece

    def _read(self, now: int, board: Position, before: Position, found: list[Found]) -> BoardWatch:
        assert self.settling is not None
        squares = self.settling.settled
        if not differing_squares(squares, of_board(board.board())):
            return self._at_rest(board)
        if before != board and not differing_squares(squares, of_board(before.board())):
            return msgspec.structs.replace(self, odd_since=None, odd_told=False)  # not carried out yet
        signal = self._signal(board, before, squares)
        if signal is not None:
            return self._shows(now, signal, found)
        reading = move_seen(board, squares, self.history, occupancy=self.occupancy)
        instead = False
        if before != board and not (isinstance(reading, SeenMoves) and _next_to_move(board, reading.moves[0])):
            again = move_seen(before, squares, self.history, occupancy=self.occupancy)
            if isinstance(again, SeenMoves) and len(again.moves) == 1:
                if before.after(again.moves[0].rstrip("?")) == board:
                    return self  # the recorded move, of which a second piece must still be moved
                reading, instead = again, True
        if self.occupancy and isinstance(reading, SeenMoves):
            recorded = of_board(board.board())
            if len(reading.moves) > 1 or not is_shown(recorded, squares, self.history, reading.moves[0]):
                reading = Strange(tuple(chess.square_name(s) for s in differing_squares(squares, recorded)))
            elif not (self.pressed or self.held_perhaps) and may_be_in_the_hand(recorded, squares):
                return msgspec.structs.replace(self, held_perhaps=True)
        match reading:
            case SeenMoves(moves):
                base = before if instead else board
                expected: list[Position] = []
                for uci in moves:
                    found.append(MoveSensed(self._last_at(now), uci, instead, base.placement))
                    after = _after(base, uci)
                    base = after[0]
                    expected += after
                return msgspec.structs.replace(self._read_out(), expected=tuple(expected))
            case Unfinished(names) if self.pressed:
                return self._odd(now, names, (), found)
            case Unfinished():
                return msgspec.structs.replace(self, odd_since=None, odd_told=False)
            case Unclear(moves):
                return self._odd(now, (), moves, found)
            case Strange(names):
                return self._odd(now, names, (), found)
            case Same():
                return self._at_rest(board)

    def _signal(self, board: Position, before: Position, squares: str) -> Signal | None:
        """Return the result that the kings show here, as far as it is one.

        One king may have made a move that was announced so, or a move of one step in place of its last one. A step
        beside the other king is a move once its player presses, legal or not: nobody presses after a result.
        """
        signal = signal_seen(board, squares)
        if signal is None or set(signal.moved) <= self.kings_said or (signal.step and self.pressed):
            return None
        if signal.result is None and before != board and signal_seen(before, squares) is None:
            return None
        return signal

    def _shows(self, now: int, signal: Signal, found: list[Found]) -> BoardWatch:
        """Hold the kings from the line and tell the arbiter: of one king when no other has come for long."""
        if signal == self.signal:
            return msgspec.structs.replace(self, odd_since=None, odd_told=False)
        since = self.odd_since if self.odd_since is not None else now
        if signal.result is None and now - since < self.patience.strange_ms:
            return msgspec.structs.replace(self, odd_since=since, odd_told=False)
        found.append(ResultShown(self._last_at(now), signal.squares, signal.result))
        return msgspec.structs.replace(self, odd_since=None, odd_told=False, signal=signal)

    def _at_rest(self, board: Position) -> BoardWatch:
        assert self.settling is not None
        settling = self.settling.with_names_of(of_board(board.board()))
        return msgspec.structs.replace(self._read_out(), settling=settling)

    def _read_out(self) -> BoardWatch:
        """Return the watch with nothing waiting any more."""
        return msgspec.structs.replace(
            self, history=(), held=(), odd_since=None, odd_told=False, pressed=False, held_perhaps=False
        )

    def _odd(self, now: int, squares: tuple[str, ...], moves: tuple[str, ...], found: list[Found]) -> BoardWatch:
        since = self.odd_since if self.odd_since is not None else now
        if self.odd_told or now - since < self.patience.strange_ms:
            return msgspec.structs.replace(self, odd_since=since)
        found.append(UnexpectedBoard(since, squares, moves))
        return msgspec.structs.replace(self, odd_since=since, odd_told=True)

    def _last_at(self, now: int) -> int:
        return self.history[-1].at if self.history else now


def _after(base: Position, uci: str) -> tuple[Position, ...]:
    """Return the position after a move; one for each piece where the promotion is not named."""
    ways = [uci[:-1] + piece for piece in "qrbn"] if uci.endswith("?") else [uci]
    return tuple(base.after(way) for way in ways)


def _next_to_move(board: Position, uci: str) -> bool:
    """Say whether the man of this move is of the side that moves next on this board."""
    color = board.board().color_at(chess.parse_square(uci[:2]))
    return color is (board.turn is Seat.WHITE)


def _only_occupied(squares: str) -> bool:
    return not any(sign.isalpha() and sign != UNKNOWN for sign in squares)


def _with_known_names(squares: str, known: str) -> str:
    """Return an occupancy in which what stands unchanged keeps its name."""
    return "".join(there if alike(here, there) else here for here, there in zip(squares, known, strict=True))


History = Sequence[Lifted | Placed]


def is_shown(before: str, squares: str, history: History, uci: str) -> bool:
    """Say whether the events since `before` stood there show this move (UCI), and no other.

    `before`, `squares`: the 64 squares as the record has them and as they are sensed now.
    """
    last = {event.square: event for event in history}
    lifted: list[int] = []
    placed: list[int] = []
    for square in chess.SQUARES:
        was, now = before[square] != EMPTY, squares[square] != EMPTY
        if was is now:
            continue
        event = last.get(chess.square_name(square))
        if event is None or isinstance(event, Placed) is not now:
            return False  # it changed earlier, or unseen
        (placed if now else lifted).append(event.at)
    refilled = {chess.square_name(square) for square in squares_filled_again(history)}
    if refilled - {uci[2:4]}:
        return False  # something else was lifted and put down meanwhile: perhaps that was the capture
    placed += [last[square].at for square in refilled]
    return bool(lifted and placed) and min(placed) > min(lifted) and len(set(lifted + placed)) > 1


def may_be_in_the_hand(before: str, squares: str) -> bool:
    """Say whether one man fewer stands there: taken, or still in a hand; only time or a press tells."""
    return sum(sign != EMPTY for sign in squares) < sum(sign != EMPTY for sign in before)
