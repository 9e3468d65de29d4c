"""`decide(state, command, now) -> events`, or a refusal with its article. Pure: the same inputs, the same answer."""

from __future__ import annotations

import chess

from server.play import commands as cmd
from server.play.arbiting import arbitrate
from server.play.asking import answer
from server.play.commands import Command, Refusal
from server.play.deciding import Draft
from server.play.ending import end
from server.play.events import (
    Adjusting,
    AnyEvent,
    BoardMoved,
    BoardSet,
    FlagFell,
    Interrupted,
    SoundKept,
    SpokenPrivately,
    StationAdmitted,
    TableOpened,
)
from server.play.position import Position
from server.play.roles import refused, seat_spoken_for
from server.play.speaking import own_words_left_as_echo, speak
from server.play.state import GameState
from server.play.values import ClockMaster, Origin, Seat, SeatKind, Station

AFTER_THE_END = (cmd.Ask, cmd.WriteScore, cmd.KeepSound, cmd.NoteSpoken, cmd.Press, cmd.Admit, cmd.SetBoard, cmd.Mend)


def decide(state: GameState, command: Command, now: int) -> tuple[AnyEvent, ...] | Refusal:
    """The events that a command brings about at `now` (ms of this run), or why it is refused, with the article.

    A press is never refused (6.2.2, L052); a press about a ply that is completed already is acknowledged and ignored.
    """
    body = command.body
    station = None if command.station == cmd.PROGRAM else state.station(command.station)
    if command.station != cmd.PROGRAM and station is None:
        return Refusal("not_admitted", "11.3.2")
    if isinstance(body, cmd.OpenTable):
        return _open(state, body, now)
    if not state.opened:
        return Refusal("no_table", "6.6")
    refusal = refused(station, body)
    if refusal is not None:
        return refusal
    if state.over and not isinstance(body, AFTER_THE_END):
        return Refusal("game_over", "11.4")
    draft = Draft(state, now)
    return _decided(draft, command, station) or draft.done()


def _decided(draft: Draft, command: Command, station: Station | None) -> Refusal | None:
    body, state, now = command.body, draft.state, draft.now
    named = getattr(body, "seat", None)
    seat = seat_spoken_for(state, station, named if isinstance(named, Seat) else None)
    match body:
        case cmd.Press():
            _press(draft, seat, command.about_ply)
        case cmd.Say():
            if not state.started:
                return Refusal("not_started", "6.6")
            speak(draft, seat, body)
        case cmd.EnterMove():
            return _enter(draft, seat, body)
        case cmd.Execute():
            return _execute(draft, body.board or seat, body)
        case cmd.WriteScore():
            if body.index > state.made_plies:
                return Refusal("not_in_advance", "8.1.2")
            draft.write(seat, body.index, body.text, "station", None)
        case cmd.Ask():
            answer(draft, seat, station, body)
        case cmd.OfferDraw() | cmd.AnswerDraw() | cmd.Resign() | cmd.ClaimTime() | cmd.CallArbiter():
            return end(draft, seat, body)
        case cmd.Adjust():
            draft.emit(Adjusting(at=now, seat=seat))
        case cmd.Admit():
            draft.emit(
                StationAdmitted(at=now, station=body.station, role=body.role, seat=body.seat, duties=body.duties)
            )
        case cmd.KeepSound():
            draft.emit(
                SoundKept(
                    at=now,
                    seat=body.seat,
                    utterance=body.utterance,
                    sha256=body.sha256,
                    length_ms=body.length_ms,
                    fault=body.fault,
                )
            )
        case cmd.NoteSpoken():
            draft.emit(
                SpokenPrivately(
                    at=now,
                    seat=body.seat,
                    text=body.text,
                    utterance=body.utterance,
                    sha256=body.sha256,
                    length_ms=body.length_ms,
                )
            )
        case cmd.NoteFlag():
            if state.clock.running is body.seat and state.clock.flag_at() is not None:
                draft.emit(FlagFell(at=now, seat=body.seat))
                draft.alert("flag", state.made_plies, f"{body.seat.value}'s display stands at zero (6.8)", grey=False)
        case cmd.NoteInterruption():
            _interrupted(draft, body)
        case _:
            return arbitrate(draft, body)
    return None


def _open(state: GameState, body: cmd.OpenTable, now: int) -> tuple[AnyEvent, ...] | Refusal:
    if state.opened:
        return Refusal("already_open", "2.2")
    try:
        Position.from_fen(body.start_fen, chess960=body.chess960)
    except ValueError:
        return Refusal("no_position", "2.2")
    return (
        TableOpened(
            at=now,
            white=body.white,
            black=body.black,
            start_fen=body.start_fen,
            control=body.control,
            rated=body.rated,
            mode=body.mode,
            clock_master=body.clock_master,
            chess960=body.chess960,
            event_name=body.event_name,
        ),
    )


def _press(draft: Draft, seat: Seat, about: int | None) -> None:
    """The press completes the player's made move and starts the opponent's clock (6.2.1).

    Nothing understood is no reason to hold it up: without sensors the tactile player's press is his declaration that
    D.2.3.1-3 are done.
    """
    state = draft.state
    record = state.ply(about) if about is not None else None
    if record is not None and record.seat is seat and record.completed:
        return
    clock_stands = state.clock_master is ClockMaster.SERVER and state.clock.running is None
    if not state.started or state.over or clock_stands:
        draft.press(seat, state.made_plies)
        return
    if seat is state.on_move:
        ply = state.ply_to_make
        coming = state.ply(ply)
        if coming is None or coming.announcement is None:
            own_words_left_as_echo(draft, seat, ply)
        tactile = state.plan(seat).kind is SeatKind.TACTILE
        draft.make(ply, Origin.DECLARED if tactile else Origin.INFERRED)
        draft.press(seat, ply)
        draft.complete(ply, Origin.DECLARED)
        return
    last = state.ply(state.made_plies)
    if last is not None and last.seat is seat and not last.completed:
        draft.press(seat, last.index)
        draft.complete(last.index, Origin.DECLARED)
        return
    late = state.ply(state.made_plies - 1)
    if late is not None and late.seat is seat and not late.completed:
        draft.press(seat, late.index)
        draft.complete(late.index, Origin.DECLARED)
        return
    draft.press(seat, state.made_plies)


def _enter(draft: Draft, seat: Seat, body: cmd.EnterMove) -> Refusal | None:
    """A move released on the player's own board and entered at his station (4.7)."""
    state = draft.state
    if not state.started:
        return Refusal("not_started", "6.6")
    if body.announcement is None:
        return Refusal("no_announcement", "D.2.1")
    ply = state.ply_to_make
    last = state.ply(state.made_plies)
    if last is not None and last.seat is seat and not last.completed and last.entered is not None:
        ply = last.index  # entered wrongly and put right before the press
        before = state.board_of(seat).before
        draft.emit(
            BoardSet(at=draft.now, board=seat, placement=before.placement, turn=before.turn, origin=Origin.ENTERED)
        )
    elif seat is not state.on_move:
        coming = state.ply(ply)
        if coming is None or coming.announcement is None:
            draft.alert("entry_out_of_turn", ply, f"{body.uci} entered by the player not on move")
            return None
        draft.make(ply, Origin.INFERRED)  # his own entry means that the announced move was made
        ply = draft.state.ply_to_make
    say = cmd.Say(
        announcement=body.announcement, words=body.words, text=body.text, origin=Origin.ENTERED, act="announce"
    )
    speak(draft, seat, say)
    record = draft.state.ply(ply)
    if record is None or not record.made:
        draft.make(ply, Origin.ENTERED)
    board = draft.state.board_of(seat).position.board()
    if board.piece_at(chess.parse_square(body.uci[:2])) is None:
        draft.alert("board_not_followed", ply, f"{body.uci} cannot be moved on the {seat.value} board")
        return None
    draft.emit(BoardMoved(at=draft.now, board=seat, ply=ply, uci=body.uci, origin=Origin.ENTERED))
    return None


def _execute(draft: Draft, board: Seat, body: cmd.Execute) -> Refusal | None:
    """The opponent's move carried out on this board (D.2.1, D.2.10.1)."""
    state = draft.state
    waiting = [record for record in state.plies[-2:] if record.seat is not board and record.executed_ms is None]
    if not waiting:
        return Refusal("nothing_to_execute", "D.2.1")
    draft.execute(waiting[0], board, body.uci, Origin(body.origin))
    return None


def _interrupted(draft: Draft, body: cmd.NoteInterruption) -> None:
    """Clocks stand paused at the last witness; what is uncertain is shown to the arbiter (6.10.1, L066)."""
    clock = draft.state.clock
    if clock.since is None:
        return
    at = max(clock.since, body.witness_ms if body.witness_ms is not None else clock.since)
    draft.emit(
        Interrupted(
            at=draft.now,
            white_ms=clock.remaining(Seat.WHITE, at),
            black_ms=clock.remaining(Seat.BLACK, at),
            turn=clock.turn,
            uncertain_ms=body.uncertain_ms,
            reason=body.reason,
        )
    )
    draft.alert("interrupted", draft.state.made_plies, f"{body.reason}; up to {body.uncertain_ms} ms are uncertain")
