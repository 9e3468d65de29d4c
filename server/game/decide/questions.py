"""Answers on request, to the asker alone (D.2.6.1, D.2.10.4, L192, L203)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import Answered
from server.game.decide.adaptations import adapted
from server.game.decide.draft import Draft
from server.game.decide.helping import help_told
from server.game.laws.adaptations import ON
from server.game.state.state import GameState, ScoreCell
from server.game.values.clock import ClockReading
from server.game.values.words import ClockMaster, Role, Seat, SeatKind, Station


def answer(draft: Draft, seat: Seat, station: Station | None, body: cmd.Ask) -> Refusal | None:
    """Time, moves, the last announcement as it was said, or the player's own score; nothing is said unasked.

    The opponent's score where the arbiter lends it to him (8.5.2).
    His own board where the arbiter approved it, as its own events tell: never what the server believes (G9).
    The set-up (2.3, L010) before the start; from the start on it would be a position read out.
    """
    state, now = draft.state, draft.now
    refusal = _not_for_him(state, seat, station, body)
    if refusal is not None:
        return refusal
    reading, age = state.clock.reading(now), None
    leads = state.clock_master is ClockMaster.SERVER  # of another clock only what was read off is known
    if state.clock_read is not None and not leads:
        at, white, black = state.clock_read
        reading, age = ClockReading(white, black, None), now - at
    if body.what == "opponent_score" and state.lent is not seat:
        return Refusal("not_lent", "8.5.2")
    body = reading_on(state, seat, body)
    words, more = help_told(state, seat, now) if body.what == "help" else ((), False)
    if body.what == "last":
        words = _last_words(state, seat)
    draft.emit(
        Answered(
            at=now,
            seat=seat,
            station=station.id if station is not None else "",
            what=body.what,
            white_ms=reading.white_ms,
            black_ms=reading.black_ms,
            white_used_ms=state.clock.used(Seat.WHITE, now),
            black_used_ms=state.clock.used(Seat.BLACK, now),
            moves=sum(record.completed for record in state.plies if record.seat is seat),
            running=reading.running,
            age_ms=age,
            words=words,
            placement=_placement(state, seat, body.what),
            score=_score(state, seat, body),
            move=body.move if body.what == "score" else None,
            to_control=state.clock.moves_to_control(seat) if leads else None,
            period=state.clock.side(seat).period + 1 if leads else None,
            periods=len(state.clock.control.periods) if leads else 0,
            first_flag=state.clock.first_flag if leads else None,
            refused=body.refused if body.what == "article" else "",
            article=body.article if body.what == "article" else "",
            more=more,
        )
    )
    return None


def reading_on(state: GameState, seat: Seat, body: cmd.Ask) -> cmd.Ask:
    """The move of his own score after or before the one that he had read last, or that again; at first an end of it.

    Past an end he is told the empty place there, and stays at it.
    """
    if body.what not in ("score_next", "score_previous", "score_here"):
        return body
    moves = (len(state.score_of(seat)) + 1) // 2
    read = state.read_to[0 if seat is Seat.WHITE else 1]
    if body.what == "score_next":
        move = min(read, moves) + 1
    elif body.what == "score_here":
        move = read or max(1, moves)
    else:
        move = max(1, min(read, moves + 1) - 1) if read else max(1, moves)
    return cmd.Ask(what="score", move=move)


def _not_for_him(state: GameState, seat: Seat, station: Station | None, body: cmd.Ask) -> Refusal | None:
    arbiter = station is not None and station.role is Role.ARBITER
    if arbiter and body.what != "set_up":
        return Refusal("only_the_player", "12.6")
    if body.what == "position":
        by_touch = state.plan(seat).kind is SeatKind.TACTILE
        return None if by_touch and adapted(state, "position_readout") == ON else Refusal("no_readout", "D.2.10")
    if body.what == "set_up" and station is not None and station.role is Role.PLAYER and state.started:
        return None if state.trains else Refusal("set_up_before_the_start", "2.3")
    return None


def _placement(state: GameState, seat: Seat, what: str) -> str:
    if what == "position":
        return state.board_of(seat).position.placement
    return state.positions[0].placement if what == "set_up" else ""


def _score(state: GameState, seat: Seat, body: cmd.Ask) -> tuple[str, ...]:
    if body.what == "opponent_score":
        return lent_cells(state, seat.other)
    cells = texts_of(state.score_of(seat)) if body.what == "score" else ()
    return cells if body.move is None else cells[2 * body.move - 2 : 2 * body.move]


def lent_cells(state: GameState, seat: Seat) -> tuple[str, ...]:
    """A score as the opponent may have it read: up to the last made move, so nothing intended (9.2.1, L104)."""
    return texts_of(state.score_of(seat)[: state.made_plies])


def _last_words(state: GameState, seat: Seat) -> tuple[str, ...]:
    """The opponent's last announcement, by the opponent's words or else by this player's own echo of them.

    Never a move that only stands on a board; nothing where nothing is known of a move that the opponent pressed.
    """
    for record in reversed(state.plies):
        if record.seat is seat:
            continue
        words = record.words or record.echo_words
        if words or record.completed:
            return words
    return ()


def texts_of(score: tuple[ScoreCell | None, ...]) -> tuple[str, ...]:
    """A score as its texts, "" where nothing is written or only the sound is kept."""
    return tuple(cell.text if cell else "" for cell in score)
