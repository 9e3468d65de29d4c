"""Moves, as a seat is told of them: the words understood, the parts left open, its own score and board.

In a rated game nothing here depends on the position (12.6, D.2.10.4, 11.3.1).
"""

from __future__ import annotations

from itertools import dropwhile

from server.game import acts as ev
from server.game.decide.adaptations import adaptation_value
from server.game.laws.adaptations import ON
from server.game.state.state import GameState
from server.game.values.speech import Speech
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.seats.clock import beside_clock
from server.game.views.seats.questions import may_ask
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.SoundKept, ev.SetAside, ev.Made, ev.Completed, ev.Executed, ev.EchoRecalled, ev.BeliefRevised),
    *(ev.GameMended, ev.OutOfStep, ev.AnnouncementOwed, ev.AnnouncementSpoken),
)


def read_back(said: Speech, *, echo: bool = False) -> msg.Understood:
    """Return what was heard or typed, for the one who said it."""
    doubtful = said.doubtful
    return msg.Understood(words=said.words, text=said.text, utterance=said.utterance, doubtful=doubtful, echo=echo)


@shown(ev.Announced)
def _announced(event: ev.Announced, state: GameState, seat: Seat, station: Station) -> msg.AnyMessage | None:
    return read_back(event.speech) if event.seat is seat else _announcement_relayed(event, state, seat, station)


@shown(ev.AnnouncementRepeated)
def _repeated(event: ev.AnnouncementRepeated, state: GameState, seat: Seat, station: Station) -> msg.AnyMessage | None:
    if event.seat is seat:
        return read_back(event.speech)
    return None if event.joins else _announcement_relayed(event, state, seat, station)


@shown(ev.Contested)
def _contested(event: ev.Contested, seat: Seat) -> msg.Understood | None:
    return read_back(event.speech) if event.seat is seat else None


@shown(ev.Echoed)
def _echoed(event: ev.Echoed, state: GameState, seat: Seat) -> msg.Understood | None:
    if event.seat is not seat:
        return None
    return read_back(event.speech, echo=_perhaps_own(event, state))


@shown(ev.NotUnderstood)
def _not_understood(event: ev.NotUnderstood, state: GameState, seat: Seat) -> msg.Question | None:
    if event.seat is not seat or not event.ask or not may_ask(state, seat, event.at):
        return None
    ask = event.speech.unclear or ("either" if event.speech.either else "repeat")
    return msg.Question(ask=ask, utterance=event.utterance, either=event.speech.either or completions(event))


@shown(ev.TrainingAsked)
def _training_question(event: ev.TrainingAsked, state: GameState, seat: Seat) -> msg.Question | None:
    if event.seat is not seat or not state.table.trains or not may_ask(state, seat, event.at):
        return None
    return msg.Question(
        ask=event.ask,
        utterance=event.utterance,
        piece=event.piece,
        choices=event.choices,
        either=_from_each(event, state),
    )


@shown(ev.Explored)
def _explored(event: ev.Explored, state: GameState, station: Station) -> msg.PositionTold | None:
    """Return the answer as it is recorded, to the asker alone, in training."""
    if event.station != station.id or not state.table.trains:
        return None
    return msg.PositionTold(
        about=event.about,
        white=event.white,
        black=event.black,
        squares=event.squares,
        takes=event.takes,
        words=event.words,
    )


@shown(ev.ScoreWritten)
def _written(event: ev.ScoreWritten, seat: Seat) -> msg.ScoreLine | None:
    return msg.ScoreLine(index=event.index, text=event.text, source=event.source) if event.seat is seat else None


@shown(ev.BoardMoved, ev.BoardSet)
def _own_board(
    event: ev.BoardMoved | ev.BoardSet, state: GameState, seat: Seat, station: Station
) -> msg.BoardShown | None:
    if event.board is not seat or not sees_own_board(state, station):
        return None
    board = state.board_of(seat)
    moved = isinstance(event, ev.BoardMoved) or event.before is not None
    return msg.BoardShown(placement=board.position.placement, before=board.before.placement if moved else "")


@shown(ev.AnnouncementWaited)
def _waited(event: ev.AnnouncementWaited, state: GameState, station: Station) -> msg.AnyMessage | None:
    """Return the displays to those who see them: they change while the clock waits for the announcement."""
    return beside_clock(None, state, station, event.at)


def _announcement_relayed(
    event: ev.Announced | ev.AnnouncementRepeated, state: GameState, seat: Seat, station: Station
) -> msg.Relayed | None:
    """Return the opponent's announcement where the program carries it, or this station may read it (D.2.11)."""
    reads = state.table.mode is Mode.RELAY or _reads(state, seat) or _announces(station)
    return msg.Relayed(words=event.words, text=event.text) if reads and event.words else None


PROMOTED = ("queen", "rook", "bishop", "knight")
PIECES = ("king", *PROMOTED, "pawn")
NOT_HEARD = "?"
"""In the words of a sound: one that was there and was not understood."""


def completions(event: ev.NotUnderstood) -> tuple[tuple[str, ...], ...]:
    """Return the announcements that close what the sound left open, a promotion or the one piece that was not heard.

    They are the same in every position; () where too many could close it.
    """
    from_arrival_on_back = tuple(dropwhile(lambda word: not word.startswith("rank."), reversed(event.words)))
    if event.speech.unclear == "promotion" and from_arrival_on_back:
        return tuple((*reversed(from_arrival_on_back), f"piece.{one}") for one in PROMOTED)
    if event.speech.unclear == "piece" and event.words[:1] == (NOT_HEARD,):
        return tuple((f"piece.{one}", *event.words[1:]) for one in PIECES)
    return ()


def _from_each(event: ev.TrainingAsked, state: GameState) -> tuple[tuple[str, ...], ...]:
    """Return the move that training asks about, from each of the squares in question; () where none is asked for."""
    record = state.ply(event.ply)
    said = record.announcement if record is not None else None
    if said is None or said.to_square is None:
        return ()
    promotion = (f"piece.{said.promotion}",) if said.promotion else ()
    there = (*_words_of(said.to_square), *promotion)
    return tuple((f"piece.{event.piece}", *_words_of(one), *there) for one in event.choices)


def _words_of(square: str) -> tuple[str, str]:
    return f"file.{square[0]}", f"rank.{square[1]}"


def _perhaps_own(event: ev.Echoed, state: GameState) -> bool:
    """Return whether words taken for a right echo might be the player's own move, by words alone.

    They came a second time, or they say more than the opponent's announcement, as by a square of departure.
    """
    record = state.ply(event.ply)
    if event.again or record is None or event.agrees is not True or event.announcement is None:
        return event.again
    return not record.has_said(event.announcement)


def _announces(station: Station) -> bool:
    """Return whether an assistant carries moves between the players, and so is shown those of both (D.2.10.1, .2)."""
    return Duty.ANNOUNCE in station.duties or Duty.EXECUTE in station.duties


def _reads(state: GameState, seat: Seat) -> bool:
    """Return whether this player reads at the table what the other says (D.2.11).

    That is a hearing-impaired player, where the program may announce.
    """
    return (
        state.plan(seat).hearing_impaired
        and state.table.mode is Mode.TABLE
        and adaptation_value(state, "machine_announces") == ON
    )


def sees_own_board(state: GameState, station: Station) -> bool:
    """Return whether this station may show its player's own board: a sighted player looks at it anyway."""
    seat = station.seat
    return station.role is Role.PLAYER and seat is not None and state.plan(seat).kind is SeatKind.SIGHTED
