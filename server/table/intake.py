"""A command comes in here: with its time, and with what only the server may say in it.

A client is never believed about origin, words, times and sounds. Each player's last refusal is also kept here, to
answer their question "which article"; it is forgotten at a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec

from server.game import acts as cmd
from server.game.acts import Command, Refusal
from server.game.decide.moves.boards import corrected_by_entry
from server.game.decide.roles import seat_spoken_for
from server.game.state.state import GameState
from server.game.values.words import Seat, Station
from server.machine.clock import Clock
from server.protocol import Outcome
from server.wording.laws import law_words
from server.wording.refusals import Refused
from server.wording.rules import control_in_signs, load_incident_kinds, load_usual_clocks
from server.wording.words import canonical, cell_words, check_ear, check_words, move_entered, scheme_for
from speech.complaint import Complaint
from speech.words.catalogue import MEASURE


class Arrival:
    """Moment a command came off its line, and how far it is on its way through the table.

    `queued`: the table has it, so that what the same line says next comes after it. `carried_out`: all its work is
    done; what it tells leaves at a later instant.
    """

    def __init__(self, clock: Clock) -> None:
        self.mono_ms = clock.mono_ms()
        self.wall_ms = clock.wall_ms()
        self.queued = asyncio.Event()
        self.carried_out = asyncio.Event()


class Asker(msgspec.Struct, frozen=True):
    """An asker is the device for which the program carries a command out: the record names it, and not the program.

    `stands`: whether it is still admitted; a command that was asked for is not carried out once it was sent away.
    """

    name: str
    stands: Callable[[], bool]

    def as_it_was(self) -> Asker:
        """Return it for the record of what is done already, whatever becomes of the device meanwhile."""
        return Asker(self.name, lambda: True)


class Waiting(msgspec.Struct, frozen=True):
    """Command in the queue of a table, with the time that counts for it (ms of the table, and wall)."""

    command: Command
    came: Arrival
    now: int
    wall: int
    answer: asyncio.Future[Outcome]
    fill: bool
    asker: Asker | None = None

    def not_before(self, latest: int) -> Waiting:
        """Return it with its time, or with `latest` (ms of this run), that of the last event, where that is later."""
        late = max(0, latest - self.now)
        return msgspec.structs.replace(self, now=self.now + late, wall=self.wall + late) if late else self


def next_name(table: str) -> str:
    """Return the name of the table for the new game that replaces a cancelled one.

    >>> next_name("r1-b2"), next_name("r1-b2-game2")
    ('r1-b2-game2', 'r1-b2-game3')
    """
    base, _, number = table.rpartition("-game")
    again = bool(base) and number.isascii() and number.isdecimal()
    return f"{(base if again else table)[:56]}-game{int(number) + 1 if again else 2}"


def check_promotion(command: Command, *, trusted: bool) -> None:
    """Check that the words of a command name what a pawn becomes, also those that are to be sealed (3.7.3.3, L183).

    Raises Refused: by their form alone, whatever stands on a board. `trusted`: the command comes from the program
    itself; what was typed or said so is asked about before.
    """
    said = command.body.announcement if isinstance(command.body, cmd.Say | cmd.SealMove) else None
    if not trusted and said is not None and said.leaves_promotion_open:
        raise Refused("name_the_piece", "3.7.3.3")


def fill_in(state: GameState, command: Command) -> Command:
    """Return the command with what only the server may say in it filled in.

    Raises Complaint where that cannot be said, Refused for an article that has no words.
    """
    station = state.stations.find(command.station)
    body = command.body
    seat = station.seat if station is not None else None
    match body:
        case cmd.Say() if seat is not None:
            scheme = scheme_for(state, seat_spoken_for(state, station, body.seat))
            words, text = canonical(body.announcement, scheme) if body.announcement else ((), "")
            body = cmd.Say(announcement=body.announcement, words=words, text=text, seat=body.seat, act=body.act)
        case cmd.ClaimDraw() if seat is not None:
            words, text = canonical(body.intended, scheme_for(state, seat)) if body.intended else ((), "")
            body = msgspec.structs.replace(body, words=words, text=text)
        case cmd.ChooseClock():
            body = cmd.ChooseClock(stop=body.stop, controls=() if body.stop else load_usual_clocks())
        case cmd.SetUpClock():
            body = cmd.SetUpClock(control=control_in_signs(body.control))
        case cmd.Confirm():
            body = cmd.Confirm(yes=body.yes)
        case cmd.Propose():
            body = cmd.Propose(what=body.what, sure=body.sure)
        case cmd.EnterMove() if seat is not None:
            body = _with_its_words(state, seat, body.uci)
        case cmd.WriteScore():
            words = cell_words(body.text, scheme_for(state, seat_spoken_for(state, station, None)))
            body = cmd.WriteScore(index=body.index, text=body.text, words=words)
        case cmd.NoteIncident():
            body = _with_its_article(body)
        case cmd.CancelGame():
            body = msgspec.structs.replace(body, table=next_name(command.table))
        case cmd.ReleaseLaw():
            if not law_words(body.article, state.table.rule_set, MEASURE)[0]:
                raise Refused("no_law_words", body.article)
        case cmd.Execute():
            origin: Literal["declared", "entered"] = "declared" if body.uci is None else "entered"
            body = cmd.Execute(uci=body.uci, board=body.board, origin=origin)
        case cmd.RecordAdaptation():
            check_words(state, body.name, body.value)
        case cmd.ChooseEar() | cmd.AllowRoom() | cmd.ChooseAlerts() if body.language:
            check_ear(state, body.language)
        case _:
            return command
    return msgspec.structs.replace(command, body=body)


def _with_its_words(state: GameState, seat: Seat, uci: str) -> cmd.EnterMove:
    """Return the entry of a move with the words that announce it where the player's board stands."""
    board = state.board_of(seat)
    wrong = corrected_by_entry(state, seat)
    position = board.before if wrong is not None and wrong.placed is not None else board.position
    announcement, words, text = move_entered(position, uci, scheme_for(state, seat))
    return cmd.EnterMove(uci=uci, announcement=announcement, words=words, text=text)


def _with_its_article(noted: cmd.NoteIncident) -> cmd.NoteIncident:
    """Return the incident with the article of its kind, where none was given. Raises Complaint for an unknown kind."""
    kinds = load_incident_kinds()
    if noted.kind not in kinds:
        raise Complaint(f'"{noted.kind}" is no kind of incident; choose one of {", ".join(kinds)}.')
    return msgspec.structs.replace(noted, article=noted.article or kinds[noted.kind].article)


class LastRefusals:
    """Last refusal of each seat of one table, from whichever of its stations it came."""

    def __init__(self) -> None:
        self._last: dict[Seat, Refusal] = {}

    def note(self, station: Station | None, refusal: Refusal) -> None:
        """Note that a command of this station was refused."""
        if station is not None and station.seat is not None:
            self._last[station.seat] = refusal

    def fill_in(self, station: Station | None, command: Command) -> Command:
        """Return the command with the last refusal put in where it asks for its article.

        A client's own word about it is never taken.
        """
        body = command.body
        if not isinstance(body, cmd.Ask):
            return command
        last = self._last.get(station.seat) if station is not None and station.seat is not None else None
        wanted = last if body.what == "article" else None
        code, article = (wanted.code, wanted.article) if wanted is not None else ("", "")
        return msgspec.structs.replace(command, body=msgspec.structs.replace(body, refused=code, article=article))
