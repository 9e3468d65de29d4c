"""The slice of the record of each ply, the line that is believed, and the two physical boards."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.line import PlyRecord, announced_on, believed_line, has_same_grounds
from server.game.state.reducer import applies
from server.game.state.table import TableState
from server.game.values.candidates import UtteranceHeard, with_utterance, without_utterance
from server.game.values.position import Position
from server.game.values.words import Mode, Origin, Seat, SeatKind

START = Position.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


class BoardState(msgspec.Struct, frozen=True):
    """One physical board by its own events: its position, and the one before the last move on it."""

    position: Position
    before: Position


class PlyGone(msgspec.Struct, frozen=True):
    """A ply of a line that was taken back: the believed move, and the position before it.

    None where it is not known.
    """

    ply: int
    uci: str | None
    before: Position | None


class MovesState(msgspec.Struct, frozen=True):
    """Moves announced, made and carried out.

    `line`, `positions`: what the server believes, never a board or a score.
    """

    plies: tuple[PlyRecord, ...] = ()
    line: tuple[str | None, ...] = ()
    positions: tuple[Position, ...] = (START,)
    white_board: BoardState = BoardState(START, START)
    black_board: BoardState = BoardState(START, START)
    discarded: tuple[tuple[PlyRecord, ...], ...] = ()  # lines that the arbiter took back (7.1)
    gone: tuple[tuple[PlyGone, ...], ...] = ()  # what the plies of each of these lines were
    out_of_step: bool = False
    set_aside: tuple[UtteranceHeard, ...] = ()  # about the move to be made, of which nothing else is known yet

    @property
    def made_plies(self) -> int:
        """Return how many moves are made: every record but a last one that is only announced."""
        return len(self.plies) - (1 if self.plies and self.plies[-1].made_ms is None else 0)

    @property
    def completed_by_each(self) -> tuple[int, int]:
        """Return how many moves White and Black have completed."""
        white = sum(record.completed for record in self.plies if record.seat is Seat.WHITE)
        return white, sum(record.completed for record in self.plies) - white

    @property
    def made_by_each(self) -> tuple[int, int]:
        """Return how many moves White and Black have made, pressed or not (1.3)."""
        white = sum(record.made for record in self.plies if record.seat is Seat.WHITE)
        return white, sum(record.made for record in self.plies) - white

    @property
    def ply_to_make(self) -> int:
        """Return the number (from 1) of the ply that is to be made next."""
        return self.made_plies + 1

    @property
    def on_move(self) -> Seat:
        """Return who has the move (1.3, L005)."""
        return self.seat_of(self.ply_to_make)

    def seat_of(self, ply: int) -> Seat:
        """Return who makes ply number `ply`."""
        first = self.positions[0].turn
        return first if ply % 2 == 1 else first.other

    def ply(self, index: int) -> PlyRecord | None:
        """Return the record of a ply, None where nothing is known of it yet."""
        return self.plies[index - 1] if 1 <= index <= len(self.plies) else None

    def board_of(self, seat: Seat) -> BoardState:
        """Return the physical board of a seat."""
        return self.white_board if seat is Seat.WHITE else self.black_board

    def position_after(self, ply: int) -> Position | None:
        """Return where the server believes the game stood after this ply (0: the start).

        None where it does not know.
        """
        known = 0 <= ply < len(self.positions) and self.positions[ply].known
        return self.positions[ply] if known else None

    def record(self, index: int) -> PlyRecord:
        """Return the record of a ply, a new one where nothing is known of it yet."""
        aside = self.set_aside if index == len(self.plies) + 1 else ()
        return self.ply(index) or PlyRecord(index, self.seat_of(index), utterances=aside)

    def with_note(self, record: PlyRecord) -> MovesState:
        """Return the moves with another record of a ply, of which nothing changes what is believed."""
        return replace(self, plies=(*self.plies[: record.index - 1], record, *self.plies[record.index :]))

    def with_record(self, record: PlyRecord) -> MovesState:
        """Return the moves with another record of a ply, and with the line that is believed now."""
        before = self.ply(record.index)
        moves = self.with_note(record)
        if before is None:
            moves = replace(moves, set_aside=())  # the ply now has a record that holds it
        elif has_same_grounds(record, before):
            return moves
        line, positions = self._line_after(moves.plies, record.index)
        return replace(moves, line=line, positions=positions)

    def _line_after(
        self, plies: tuple[PlyRecord, ...], changed: int
    ) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
        """Return the believed line after the record of ply `changed` has changed.

        Everything before it is kept. The start is always known.
        """
        keep = changed - 1
        if self.position_after(keep) is None and not any(record.anchor is not None for record in plies[keep:]):
            return (*self.line[:keep], *(record.mended for record in plies[keep:])), self.positions
        keep = next(ply for ply in reversed(range(changed)) if self.position_after(ply) is not None)
        line, positions = believed_line(self.positions[keep], plies[keep:])
        return (*self.line[:keep], *line), (*self.positions[:keep], *positions)

    def with_board(self, seat: Seat, board: BoardState) -> MovesState:
        """Return the moves with another physical board of a seat."""
        return replace(self, white_board=board) if seat is Seat.WHITE else replace(self, black_board=board)

    def gone_of(self, line: int, ply: int) -> PlyGone | None:
        """Return what a ply was on a discarded line, counted from 1."""
        behind = len(self.discarded) - line + 1
        plies = self.gone[-behind] if 0 < behind <= len(self.gone) else ()
        return next((one for one in plies if one.ply == ply), None)

    def as_gone(self, records: tuple[PlyRecord, ...]) -> tuple[PlyGone, ...]:
        """Return what these plies of the present line are, before they go."""
        plies = (record.index for record in records)
        return tuple(PlyGone(ply, self.line[ply - 1], self.position_after(ply - 1)) for ply in plies)

    def taken_back(self, ply: int) -> MovesState:
        """Return the moves after the game went back to this ply; what is taken back is kept as a discarded line.

        Positions end with a known one, as always.
        """
        known = next(at for at in range(ply, -1, -1) if self.position_after(at) is not None)
        return replace(
            self,
            plies=self.plies[:ply],
            set_aside=(),
            line=self.line[:ply],
            positions=self.positions[: known + 1],
            discarded=(*self.discarded, self.plies[ply:]),
            gone=(*self.gone, self.as_gone(self.plies[ply:])),
        )


def left_over_echo(moves: MovesState, mode: Mode) -> tuple[ev.Contested | None, PlyRecord | None]:
    """Return words of the other player that may be the echo of the last made move, and that move.

    This holds where nothing of it was announced to us and nothing was echoed since; only at a table, because in relay
    the program announces.
    """
    record, before = moves.ply(moves.made_plies), moves.ply(moves.made_plies - 1)
    if record is None or before is None or before.left_over is None or mode is not Mode.TABLE:
        return None, None
    known = (record.announcement, record.utterance, record.echo, record.echo_utterance)
    return (before.left_over, record) if known == (None,) * 4 else (None, None)


@applies(ev.Announced)
def _announced(moves: MovesState, event: ev.Announced, table: TableState) -> MovesState:
    before = moves.record(event.ply)
    record = replace(
        before,
        announcement=event.announcement,
        words=event.words,
        text=event.text,
        announced_origin=event.origin,
        utterance=event.utterance,
        announced_ms=event.at,
        utterances=with_utterance(before.utterances, event.seat, event.utterance, event.candidates),
        announced_by_board=event.by_board,
        hand_differs=event.differs is True,
    )
    if before.announcement is not None and not before.announcement.agrees_with(event.announcement):
        # What the other side echoed or carried out answered other words.
        entered = before.placed if event.differs is False else None
        record = replace(
            _without_echo(record), entered=entered, repeated=None, executed_ms=None, seen_on_other_board=None
        )
        own = with_utterance((), event.seat, event.utterance, event.candidates)
        record = replace(record, utterances=own, believed=None)
    elif record.echo is not None:
        record = replace(record, echo_agrees=event.announcement.agrees_with(record.echo))
    board = moves.board_of(record.seat).before
    if before.own_board_moved and record.entered and _otherwise_said(table, record, board, record.entered):
        record = replace(record, entered=None)
    return moves.with_record(record)


def _without_echo(record: PlyRecord) -> PlyRecord:
    return replace(
        record,
        echo=None,
        echo_words=(),
        echo_text="",
        echo_agrees=None,
        echoed_ms=None,
        echo_utterance=None,
        echo_origin=None,
        echo_again=None,
    )


@applies(ev.EchoRecalled)
def _echo_recalled(moves: MovesState, event: ev.EchoRecalled) -> MovesState:
    record = moves.record(event.ply)
    utterances = without_utterance(record.utterances, record.echo_utterance)
    return moves.with_record(replace(_without_echo(record), utterances=utterances))


@applies(ev.AnnouncementRepeated)
def _repeated(moves: MovesState, event: ev.AnnouncementRepeated) -> MovesState:
    record = moves.ply(event.ply)
    if record is None or event.announcement is None or record.announcement is None:
        return moves
    utterances = with_utterance(record.utterances, event.seat, event.utterance, event.candidates)
    fuller = not record.announcement.says_all_of(event.announcement)
    repeated = event.announcement if fuller else record.repeated
    by_board = record.announced_by_board and not event.joins
    record = replace(record, repeated=repeated, utterances=utterances, announced_by_board=by_board)
    return moves.with_record(record)


@applies(ev.NotUnderstood)
def _not_understood(moves: MovesState, event: ev.NotUnderstood) -> MovesState:
    """Keep a sound that was not understood with its ply, as the mover's own or as the other side's echo."""
    record = moves.record(event.ply)
    if event.ply > len(moves.plies) + 1 or event.utterance is None:
        return moves
    either = bool(event.speech.either)
    known = with_utterance(record.utterances, event.seat, event.utterance, event.candidates, either=either)
    record = replace(record, utterances=known)
    if record.seat is not event.seat:
        if event.ply > len(moves.plies):
            return moves
        if record.echo is None:
            record = replace(record, echo_utterance=event.utterance)
    elif record.announcement is None and not record.completed:
        record = replace(record, utterance=event.utterance)
    return moves.with_record(record)


@applies(ev.SetAside)
def _set_aside(moves: MovesState, event: ev.SetAside) -> MovesState:
    """Keep a sound that was set aside with its ply.

    Before anything is known of that ply, keep it until something is.
    """
    if not 1 <= event.ply <= len(moves.plies) + 1:
        return moves
    known = moves.record(event.ply).utterances
    utterances = with_utterance(known, event.seat, event.utterance, event.candidates, aside=True)
    record = moves.ply(event.ply)
    if record is None:
        return replace(moves, set_aside=utterances)
    return moves.with_record(replace(record, utterances=utterances))


@applies(ev.Contested)
def _contested(moves: MovesState, event: ev.Contested) -> MovesState:
    return moves.with_record(replace(moves.record(event.ply), contested=True, left_over=event))


@applies(ev.Echoed)
def _echoed(moves: MovesState, event: ev.Echoed) -> MovesState:
    before = moves.record(event.ply)
    if event.again:
        utterances = with_utterance(before.utterances, event.seat, event.utterance, event.candidates)
        return moves.with_record(replace(before, echo_again=event, utterances=utterances))
    record = replace(
        before,
        echo=event.announcement,
        echo_words=event.words,
        echo_text=event.text,
        echo_agrees=event.agrees,
        echo_utterance=event.utterance,
        echo_origin=event.origin,
        echoed_ms=event.at,
        utterances=with_utterance(before.utterances, event.seat, event.utterance, event.candidates),
    )
    return moves.with_record(record)


@applies(ev.Executed)
def _executed(moves: MovesState, event: ev.Executed) -> MovesState:
    return moves.with_record(replace(moves.record(event.ply), executed_ms=event.at))


@applies(ev.OutOfStep)
def _out_of_step(moves: MovesState, event: ev.OutOfStep) -> MovesState:
    return replace(moves, out_of_step=True)


@applies(ev.BoardMoved)
def _board_moved(moves: MovesState, event: ev.BoardMoved, table: TableState) -> MovesState:
    mine = replace(moves.board_of(event.board).position, turn=moves.seat_of(event.ply))
    moves = moves.with_board(event.board, BoardState(mine.after(event.uci), mine))
    record = moves.record(event.ply)
    seen = event.origin in (Origin.ENTERED, Origin.SENSED)
    if record.seat is event.board:
        entered = event.uci if seen else record.entered
        if event.origin is Origin.SENSED and _otherwise_said(table, record, mine, event.uci):
            entered = None  # a tactile player's board does not overrule the words: the arbiter compares them
        record = replace(record, own_board_moved=True, entered=entered)
        if seen:
            record = replace(record, placed=event.uci, hand_differs=event.differs)
    elif seen:
        record = replace(record, seen_on_other_board=event.uci)
    return moves.with_record(record)


def _otherwise_said(table: TableState, record: PlyRecord, board: Position, uci: str) -> bool:
    if table.plan(record.seat).kind is not SeatKind.TACTILE:
        return False
    meant = announced_on(record, board, by_echo=False)
    return meant is not None and meant != uci


@applies(ev.BoardSet)
def _board_set(moves: MovesState, event: ev.BoardSet) -> MovesState:
    """Set a board; what was placed there by hand before stands there no longer."""
    last = next((record for record in reversed(moves.plies) if record.seat is event.board), None)
    if last is not None and last.placed is not None:
        moves = moves.with_record(replace(last, placed=None))
    stood = moves.board_of(event.board).position
    if event.through is None:  # an older record, or a board set back to before its last move
        return moves.with_board(event.board, BoardState(stood.with_placement(event.placement, event.turn), stood))
    now = _as_known(moves, event.through, event.placement, event.turn) or stood.with_placement(
        event.placement, event.turn
    )
    before = now
    if event.before is not None:
        turn = event.turn.other
        before = _as_known(moves, event.through - 1, event.before, turn) or stood.with_placement(event.before, turn)
    plies = tuple(_stands(record, event, event.through) for record in moves.plies)
    return replace(moves, plies=plies).with_board(event.board, BoardState(now, before))


def _as_known(moves: MovesState, ply: int, placement: str, turn: Seat) -> Position | None:
    """Return the game's own position after a ply, with its rights, if a board was set to exactly that."""
    known = moves.position_after(ply)
    return known if known is not None and (known.placement, known.turn) == (placement, turn) else None


def _stands(record: PlyRecord, event: ev.BoardSet, through: int) -> PlyRecord:
    """Mark a move as standing on a board that was set, or not.

    Then nothing is left to carry out there (D.2.1).
    """
    on_it = record.index <= through
    if record.seat is event.board:
        return replace(record, own_board_moved=on_it)
    if (record.executed_ms is not None) is on_it:
        return record
    return replace(record, executed_ms=event.at if on_it else None)
