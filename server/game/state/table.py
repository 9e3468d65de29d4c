"""The slice of the table: seats, rules, regulations, and its setting up."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.adaptations import Adaptation, ChecklistItem
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import UNSTATED, RuleSet
from server.game.state.reducer import applies
from server.game.values.position import Position
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, Mode, Seat, SeatKind, SeatPlan


class NextGame(msgspec.Struct, frozen=True):
    """New game that replaces a cancelled one.

    `exchanged`: the players change colours; `open`: its table is open.
    """

    table: str
    exchanged: bool
    open: bool = False


class TableState(msgspec.Struct, frozen=True):
    """Settings of the table when it was opened and set up, and whether its game has started."""

    opened: bool = False
    white: SeatPlan = SeatPlan(SeatKind.TACTILE)
    black: SeatPlan = SeatPlan(SeatKind.SIGHTED)
    rated: bool = True
    training: bool = False
    mode: Mode = Mode.TABLE
    rule_set: str = "fide2023"
    event_name: str = ""
    round: str = ""
    board_number: int = 0  # in the round
    starts: str = ""  # the time of day at which the round begins, "15:00"
    way: str = ""  # to the table, in the organiser's words
    rules: RuleSet = UNSTATED
    regulations: EventOptions = EventOptions()
    boards: Boards = Boards.TWO
    checklist: tuple[ChecklistItem, ...] = ()
    ticks: tuple[ev.ChecklistTicked, ...] = ()  # the last entry on each item that was looked at
    known_adaptations: tuple[Adaptation, ...] = ()  # what may be adapted here; none in records older than that
    adaptations: tuple[ev.AdaptationRecorded, ...] = ()  # the last entry on each that was recorded
    names_swapped: bool = False  # the colours were reversed and stay so (7.3)
    started: bool = False
    begun: tuple[Position, TimeControl] | None = None  # the initial position and the setting of the clock at the start
    follows: str = ""  # the table of the cancelled game that this one replaces
    next_game: NextGame | None = None  # this one is cancelled

    @property
    def trains(self) -> bool:
        """Return whether the players may be asked and told about the position.

        They may at a table that is opened for training and not rated.
        """
        return self.training and not self.rated

    def plan(self, seat: Seat) -> SeatPlan:
        """Return who sits at this seat."""
        return self.white if seat is Seat.WHITE else self.black

    def with_names(self, white: str, black: str) -> TableState:
        """Return the table with these names of its players."""
        return replace(self, white=replace(self.white, name=white), black=replace(self.black, name=black))


@applies(ev.ModeChanged)
def _mode_changed(table: TableState, event: ev.ModeChanged) -> TableState:
    return replace(table, mode=event.mode)


@applies(ev.PairingChanged)
def _pairing_changed(table: TableState, event: ev.PairingChanged) -> TableState:
    named = table.with_names(event.white, event.black)
    return replace(named, board_number=event.board, starts=event.starts, way=event.way)


@applies(ev.PlayerDescribed)
def _described(table: TableState, event: ev.PlayerDescribed) -> TableState:
    said = {name: getattr(event, name) for name in ("hearing_impaired", "needs", "echo_scores")}
    plan = replace(table.plan(event.seat), **{name: value for name, value in said.items() if value is not None})
    return replace(table, white=plan) if event.seat is Seat.WHITE else replace(table, black=plan)


@applies(ev.GuidelinesSettled)
def _guidelines(table: TableState, event: ev.GuidelinesSettled) -> TableState:
    regulations = replace(table.regulations, guidelines=event.guidelines, unsupervised=event.unsupervised)
    return replace(table, regulations=regulations)


@applies(ev.ChecklistTicked)
def _ticked(table: TableState, event: ev.ChecklistTicked) -> TableState:
    others = tuple(tick for tick in table.ticks if (tick.item, tick.seat) != (event.item, event.seat))
    return replace(table, ticks=(*others, event))


@applies(ev.AdaptationRecorded)
def _adapted(table: TableState, event: ev.AdaptationRecorded) -> TableState:
    others = tuple(one for one in table.adaptations if one.name != event.name)
    return replace(table, adaptations=(*others, event))


@applies(ev.TwoBoardsDemanded)
def _two_boards(table: TableState, event: ev.TwoBoardsDemanded) -> TableState:
    return replace(table, boards=Boards.TWO) if table.boards is Boards.ONE else table


@applies(ev.NextGameOrdered, ev.NextGameOpened)
def _next_game(table: TableState, event: ev.NextGameOrdered | ev.NextGameOpened) -> TableState:
    opened = isinstance(event, ev.NextGameOpened)
    return replace(table, next_game=NextGame(event.table, event.exchanged, opened))
