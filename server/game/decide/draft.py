"""A draft of a decision collects its events one by one and applies each before the next is decided."""

from __future__ import annotations

import chess
from msgspec.structs import replace

from server.game.acts import (
    Adjourned,
    Alerted,
    AnnouncementWaited,
    AnyEvent,
    BoardMoved,
    BoardSet,
    ClockMasterChanged,
    ClockPaused,
    ClockPressed,
    ClockResumed,
    ClockSet,
    Completed,
    Contested,
    Executed,
    GameEnded,
    Made,
    Restored,
    ScoreWritten,
    SealOrdered,
)
from server.game.laws.scoresheet import OFFER, marks_offer
from server.game.state.apply import apply
from server.game.state.line import PlyRecord, announced_on, fits, hand_differs
from server.game.state.moves import BoardState, left_over_echo
from server.game.state.state import GameState
from server.game.values.clock import ClockReading
from server.game.values.position import Position, legal
from server.game.values.saying import Saying, saying
from server.game.values.words import ClockMaster, Mode, Origin, Seat, SeatKind

ENDS_A_WAIT = (
    ClockPaused,
    ClockResumed,
    ClockSet,
    ClockMasterChanged,
    Restored,
    SealOrdered,
    Adjourned,
    GameEnded,
)


JUST_READ_MS = 3_000
"""Times read off another clock count this long for a move completed after them; that clock sends them each second."""


def with_mended_promotion(record: PlyRecord, uci: str | None) -> str | None:
    """Return a pawn's move to the last rank with the piece that the arbiter has put there since.

    A forced queen counts too (7.5.2). Where the player named no piece, nothing else tells the other board which one it
    is.
    """
    mended = record.mended
    return mended if uci is not None and mended is not None and mended[:-1] == uci else uci


def _echo_was_of_another(record: PlyRecord, base: Position, uci: str) -> bool:
    """Return whether a move was carried out as announced, by a player whose words must have been of something else.

    They contradicted the announcement, which the arbiter was told, or name a square where no man of the mover stood:
    perhaps they were the player's own move.
    """
    board = base.board(record.seat)
    if record.echo is None or record.announcement is None or not fits(record.announcement, board, uci):
        return False
    departure = record.echo.from_square
    elsewhere = departure is not None and board.color_at(chess.parse_square(departure)) is not board.turn
    return record.echo_agrees is False or elsewhere


def origin_of(words: Contested) -> Origin:
    """Return whether words were heard or typed: there is a sound of those that were heard."""
    return Origin.ENTERED if words.utterance is None else Origin.HEARD


def stands_by(board: BoardState, uci: str) -> bool:
    """Return whether a board became what it is by this move and by nothing else."""
    try:
        return board.before.after(uci).placement == board.position.placement
    except ValueError:
        return False


class Draft:
    """Draft: the events of one command, collected on top of a state.

    `now`: ms of this run. `before`: the game before any of them; `found`: its clock.
    """

    def __init__(self, state: GameState, now: int) -> None:
        self.state = self.before = state
        self.found = state.time.clock
        self.now = now
        self.events: list[AnyEvent] = []

    def emit(self, event: AnyEvent) -> None:
        """Add an event and apply it to the game.

        A press that is held for an announcement takes effect before the clock stops.
        """
        if self.state.time.held is not None and isinstance(event, ENDS_A_WAIT):
            self.release(event.at)
        self.events.append(event)
        self.state = apply(self.state, event)

    def release(self, at: int) -> None:
        """Let the press take effect that was held for the machine's announcement."""
        held = self.state.time.held
        if held is not None:
            ms = at - held.since
            self.emit(AnnouncementWaited(at=at, seat=held.seat, ply=held.ply, ms=ms, charge=held.charge))

    def done(self) -> tuple[AnyEvent, ...]:
        """Return all events of the command."""
        return tuple(self.events)

    def make(self, ply: int, origin: Origin) -> None:
        """Record that the move is made (1.3): the turn passes.

        The mover has carried out the move before it by then.
        """
        seat = self.state.seat_of(ply)
        self.complete_own_last(seat, ply - 2)
        self.infer_execution(seat, ply - 1)
        self.keep_echo_sound(seat, ply - 1)
        self.emit(Made(at=self.now, seat=seat, ply=ply, origin=origin))

    def infer_execution(self, seat: Seat, ply: int) -> None:
        """Record without a sensor that the opponent's move stands on a player's board (D.2.1).

        The player's next move shows it.
        """
        record = self.state.ply(ply)
        if record is not None and record.seat is not seat and record.executed_ms is None:
            self.execute(record, seat, None, Origin.INFERRED)

    def execute(self, record: PlyRecord, board: Seat, uci: str | None, origin: Origin) -> None:
        """Carry out a move on a board.

        By the squares if they are known, otherwise by what its player repeated or heard.
        """
        before = self.state.ply(record.index - 1)
        if before is not None and before.seat is board:
            self.follow_own_board(before)
        now = self.state.board_of(board).position
        meant = uci or announced_on(record, now, by_echo=True)
        if uci is None and meant is not None and not now.has_man_on(meant[:2], record.seat):
            meant = None  # perhaps it was no echo, but the words of the player's own move
        meant = with_mended_promotion(record, meant)
        self.emit(Executed(at=self.now, board=board, ply=record.index, origin=origin))
        self.move_board(board, record.index, meant, origin)
        self.follow_completed(record.index)

    def move_board(self, board: Seat, ply: int, uci: str | None, origin: Origin) -> None:
        """Move a piece on one board, or tell the arbiter that its move is not known."""
        try:
            if uci is None:
                raise ValueError("not known")
            self.state.board_of(board).position.after(uci)
        except ValueError:
            self.alert("board_not_followed", ply, saying("board_unknown", who=board))
            return
        self.emit(BoardMoved(at=self.now, board=board, ply=ply, uci=uci, origin=origin))

    def set_board(self, board: Seat, placement: str, turn: Seat, through: int) -> None:
        """Set a board as it stands with every move up to ply `through` carried out.

        None of them is executed again.
        """
        state = self.state
        here, before = state.position_after(through), state.position_after(through - 1)
        one_back = (
            here is not None and here.placement == placement and state.moves.line[through - 1 : through] != (None,)
        )
        self.emit(
            BoardSet(
                at=self.now,
                board=board,
                placement=placement,
                turn=turn,
                origin=Origin.ENTERED,
                through=through,
                before=before.placement if one_back and before is not None else None,
            )
        )

    def set_back(self, board: Seat, origin: Origin) -> None:
        """Set a board back to how it stood before its last move."""
        before = self.state.board_of(board).before
        self.emit(BoardSet(at=self.now, board=board, placement=before.placement, turn=before.turn, origin=origin))

    def follow_own_board(self, record: PlyRecord, *, tell: bool = False) -> None:
        """Move a completed move on its own player's board, once the words or the echo say which; never twice."""
        record = self.state.moves.plies[record.index - 1]
        if record.own_board_moved or (record.announcement is None and record.echo is None):
            return
        mine = announced_on(record, self.state.board_of(record.seat).position, by_echo=False)
        if mine is not None or tell:
            origin = Origin.DECLARED if record.announcement is not None else Origin.INFERRED
            self.move_board(record.seat, record.index, with_mended_promotion(record, mine), origin)

    def compare_board(self, board: Seat, ply: int, uci: str, base: Position) -> None:
        """Alert the arbiter where the opponent's move on a board differs from what the words mean on `base` (D.2.9).

        It is grey.
        """
        record = self.state.moves.plies[ply - 1]
        if _echo_was_of_another(record, base, uci):
            return
        meant = announced_on(record, base, by_echo=True)
        if meant is not None and meant != uci:
            said = saying("board_words", uci=uci, who=board, meant=meant)
            self.alert("board_differs", ply, said, utterance=record.utterance)

    def place(self, seat: Seat, ply: int, uci: str, origin: Origin) -> None:
        """Record that a player moved a piece by hand on their own board (4.7). That announces nothing.

        Raises ValueError where no piece stands on the departure square.
        """
        board, record = self.state.board_of(seat).position, self.state.ply(ply)
        board.after(uci)
        said = record is not None and record.announcement is not None
        differs = record is not None and said and hand_differs(record, uci, board)
        self.emit(BoardMoved(at=self.now, board=seat, ply=ply, uci=uci, origin=origin, differs=differs))
        self.compare_hand(ply)

    def compare_hand(self, ply: int, *, pressed: bool = False) -> None:
        """Compare what stands on the mover's own board with what was announced.

        Where they differ only the arbiter is told; both stay as they are (1.3, D.2.1, D.2.9). The alert is grey while
        it rests on recognised words alone.
        """
        record = self.state.ply(ply)
        if record is None or record.placed is None:
            return
        uci, mover, board = record.placed, record.seat, self.state.board_of(record.seat)
        left_over, of = left_over_echo(self.state.moves, self.state.table.mode)
        if of == record:  # repeated before the move was seen
            assert left_over is not None
            record = replace(
                record,
                echo=left_over.announcement,
                echo_text=left_over.text,
                echo_origin=origin_of(left_over),
                echo_utterance=left_over.utterance,
            )
        if not stands_by(board, uci) or not hand_differs(record, uci, board.before):
            return
        words, origin, sound = record.text, record.announced_origin, record.utterance
        # Nothing else was heard; or the announcement fits, and the opponent took it for the move of another piece.
        by_echo = record.announcement is None or not hand_differs(replace(record, echo=None), uci, board.before)
        if by_echo:
            words, origin, sound = record.echo_text, record.echo_origin, record.echo_utterance
        said = saying(
            "hand_pressed" if pressed else "hand_repeated" if by_echo else "hand_announced",
            uci=uci,
            who=mover,
            words=words,
        )
        grey = origin is Origin.HEARD and (by_echo or not record.echo_agrees)
        self.alert("board_differs", ply, said, grey=grey, utterance=sound)

    def follow_completed(self, ply: int) -> None:
        """Let the player's own board follow a completed ply of which more was said or seen."""
        if self.state.moves.plies[ply - 1].completed:
            self.follow_own_board(self.state.moves.plies[ply - 1])

    def press(self, seat: Seat, ply: int, held: str = "") -> bool:
        """Record that this seat pressed the clock, and return whether that completes ply `ply`.

        With the server's clock it does not while the opponent's own press is missing: the presser's time stands, and
        another press after the opponent's will complete the move (6.2.2, L052). `held`: as in `ClockPressed`.
        """
        state = self.state
        effective = (
            state.time.clock_master is ClockMaster.SERVER
            and state.time.clock.running is seat
            and state.table.started
            and not state.over
        )
        held = held if effective else ""
        self.emit(ClockPressed(at=self.now, seat=seat, ply=ply, effective=effective, held=held))
        before = state.ply(ply - 1)
        return (
            effective
            or state.time.clock_master is not ClockMaster.SERVER
            or before is None
            or before.completed
            or not state.stations.has_player(seat.other)
        )

    def times(self) -> tuple[int | None, int | None]:
        """Return White's and Black's time now (ms); of another clock only what was just read off (D.2.6.2)."""
        state = self.state
        if state.time.clock_master is ClockMaster.SERVER:
            reading = state.time.clock.reading(self.now)
            return reading.white_ms, reading.black_ms
        if state.time.clock_read is None or self.now - state.time.clock_read[0] > JUST_READ_MS:
            return None, None
        return state.time.clock_read[1:]

    def complete(self, ply: int, origin: Origin, reading: ClockReading | None = None) -> None:
        """Record that the move is completed (6.2.1).

        Its board, its score cell and the arbiter's alerts follow. `reading`: the times of a move that was completed
        earlier, in an envelope.
        """
        white_ms, black_ms = (reading.white_ms, reading.black_ms) if reading is not None else self.times()
        seat = self.state.seat_of(ply)
        earlier = self.state.ply(ply - 2)
        if earlier is not None and earlier.made and not earlier.completed and self._only_a_press_completes(seat):
            self.complete(ply - 2, Origin.INFERRED)  # the mover's clock has stopped at last
        self.emit(Completed(at=self.now, seat=seat, ply=ply, origin=origin, white_ms=white_ms, black_ms=black_ms))
        record = self.state.ply(ply)
        assert record is not None
        self.follow_own_board(record, tell=True)
        self.score_own(record)
        self.alert_on_completion(ply)
        if self.state.table.mode is not Mode.CLOCK:
            self.compare_hand(ply, pressed=True)

    def heard_late(self, ply: int) -> None:
        """Bring board, score and alerts up to date when the words of a completed move came after its press."""
        record = self.state.moves.plies[ply - 1]
        self.follow_own_board(record)
        if self.state.plan(record.seat).kind is SeatKind.TACTILE:
            self.write(record.seat, ply, record.text, "announcement", record.utterance)
        if record.echo_agrees is False:
            self.alert("echo_differs", ply, saying("echo_differs"), utterance=record.utterance)
        self.alert_on_completion(ply)

    def complete_own_last(self, seat: Seat, ply: int) -> None:
        """Complete a player's earlier move that was never pressed, because they make the next one.

        See 6.2.1.2, L051.
        """
        record = self.state.ply(ply)
        if record is None or record.seat is not seat or not record.made or record.completed:
            return
        if self._only_a_press_completes(seat):
            self.alert("not_finished", ply, saying("not_pressed", who=seat), grey=False)
        else:
            self.complete(ply, Origin.INFERRED)

    def _only_a_press_completes(self, seat: Seat) -> bool:
        """Return whether a move is unfinished until the player presses, as in the short rules (L243).

        A move that ends the game needs no press. This holds only where the server sees the press: with its own clock
        and a station of the player.
        """
        state = self.state
        return (
            state.table.rules.options.completion == "press_only"
            and state.time.clock_master is ClockMaster.SERVER
            and state.stations.has_player(seat)
        )

    def score_own(self, record: PlyRecord) -> None:
        """Write the tactile player's announcement into their score (D.2.7).

        If no words were understood, its sound.
        """
        if record.scored_own or self.state.plan(record.seat).kind is not SeatKind.TACTILE:
            return
        if record.announcement is None and record.utterance is None:
            return
        self.write(record.seat, record.index, record.text, "announcement", record.utterance)

    def score_echo(self, record: PlyRecord, seat: Seat) -> None:
        """Write the tactile player's echo into their score as the opponent's move (D.2.7), if they chose so."""
        if self.state.plan(seat).scores_by_echo:
            self.write(seat, record.index, record.echo_text, "echo", record.echo_utterance)

    def keep_echo_sound(self, seat: Seat, ply: int) -> None:
        """Keep the sound of an echo of which no words were understood as the tactile player's entry (D.2.7)."""
        record = self.state.ply(ply)
        if record is None or record.seat is seat or record.scored_echo or record.echo_utterance is None:
            return
        self.score_echo(record, seat)

    def write(self, seat: Seat, index: int, text: str, source: str, utterance: str | None) -> None:
        """Write one cell of one score, with the offer mark where this player spoke of an offer in that ply.

        See 8.1.5.
        """
        if source != "station" and (seat, index) in self.state.draws.offer_marks and not marks_offer(text):
            text = f"{text} {OFFER}".strip()
        self.emit(ScoreWritten(at=self.now, seat=seat, index=index, text=text, source=source, utterance=utterance))

    def alert(self, kind: str, ply: int, said: Saying, *, grey: bool = True, utterance: str | None = None) -> None:
        """Tell the arbiter, and nobody else."""
        self.emit(Alerted(at=self.now, kind=kind, ply=ply, grey=grey, said=said, utterance=utterance))

    def alert_on_completion(self, ply: int) -> None:
        """Tell the arbiter what the server believes to be wrong with a move, never before its press.

        See 7.5.1, L080.
        """
        state = self.state
        if state.table.mode is Mode.CLOCK:
            return
        record = state.moves.plies[ply - 1]
        uci = state.moves.line[ply - 1]
        grey = record.rests_on_words
        if uci is None:
            if record.announcement is None:
                self.alert("unheard", ply, saying("nothing_understood"), utterance=record.utterance)
            else:
                self.alert("unresolved", ply, saying("no_single_move"), utterance=record.utterance)
            return
        before = state.position_after(ply - 1)
        if before is not None and not legal(before, uci):
            self.alert("not_legal", ply, saying("not_legal_here", uci=uci), grey=grey, utterance=record.utterance)
