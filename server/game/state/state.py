"""The state of a table is what its events so far add up to. It is frozen and changed only by `apply`."""

from __future__ import annotations

import msgspec

from server.game.state.clock import TimeState
from server.game.state.desk import Desk, Setting
from server.game.state.endings import DrawsState, EndingState
from server.game.state.line import PlyRecord
from server.game.state.moves import BoardState, MovesState
from server.game.state.rulings import RulingsState
from server.game.state.schedule import ScheduleState
from server.game.state.scores import ScoresState
from server.game.state.sound import SoundState
from server.game.state.stations import StationsState
from server.game.state.table import TableState
from server.game.values.adjournment import Adjournment
from server.game.values.clock import ClockReading
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Seat, SeatPlan


class IncidentsState(msgspec.Struct, frozen=True):
    """Incident that can still be undone: the game before the acts that settled it, and after them.

    `numbers`: of its alerts. `after` None: they are being carried out. Each game without what could be undone in it.
    `at`: the instant of all its acts (ms of the run).
    """

    numbers: tuple[int, ...] = ()
    before: GameState | None = None
    after: GameState | None = None
    at: int = 0


class GameState(msgspec.Struct, frozen=True):
    """Everything about one table, in slices: most events change one of them.

    What one event changes lies in one slice, as far as it is one subject. `time` is the clock and all that is told of
    it (`time.clock` is the chess clock). `desk`, `setting` and `adjournment` are None while there is none. What nearly
    every rule asks for is answered here, whatever slice it lies in.
    """

    table: TableState = TableState()
    stations: StationsState = StationsState()
    time: TimeState = TimeState()
    schedule: ScheduleState = ScheduleState()
    moves: MovesState = MovesState()
    scores: ScoresState = ScoresState()
    draws: DrawsState = DrawsState()
    ending: EndingState = EndingState()
    rulings: RulingsState = RulingsState()
    sound: SoundState = SoundState()
    desk: Desk | None = None  # the reconciliation desk is open (D.2.9)
    setting: Setting | None = None  # the boards are being set as the arbiter decided (D.2.9, 7.5.1)
    adjournment: Adjournment | None = None  # Guidelines I
    incidents: IncidentsState = IncidentsState()

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.ending.result is not None

    @property
    def boards_being_set(self) -> bool:
        """Return whether the boards are set as the arbiter decides (D.2.9, 7.5.1).

        Nothing done by hand is a move then.
        """
        return self.desk is not None or self.setting is not None

    def plan(self, seat: Seat) -> SeatPlan:
        """Return who sits at this seat."""
        return self.table.plan(seat)

    def language_of(self, seat: Seat) -> str:
        """Return the one language of a seat: as it was chosen, else as the seat was set up.

        What its player's page shows, what the voice says, what is typed and dictated are in it.
        """
        return self.sound.of(seat).ear.language or self.table.plan(seat).language

    def clock_known(self, at: int) -> tuple[ClockReading | None, int | None]:
        """Return the displays of the clock that counts, and how old (ms) they are where they were read off another one.

        None where nobody has read it: ours stands then, and its times are nobody's.
        """
        time, ours = self.time, self.time.clock_master is ClockMaster.SERVER
        if not ours and time.clock_read is not None:
            read_at, white_ms, black_ms = time.clock_read
            return ClockReading(white_ms, black_ms, None), max(0, at - read_at)
        return (time.clock.reading(at) if ours or not self.table.started else None), None

    @property
    def made_plies(self) -> int:
        """Return how many moves are made: every record but a last one that is only announced."""
        return self.moves.made_plies

    @property
    def ply_to_make(self) -> int:
        """Return the number (from 1) of the ply that is to be made next."""
        return self.moves.ply_to_make

    @property
    def on_move(self) -> Seat:
        """Return who has the move (1.3, L005)."""
        return self.moves.on_move

    def seat_of(self, ply: int) -> Seat:
        """Return who makes ply number `ply`."""
        return self.moves.seat_of(ply)

    def ply(self, index: int) -> PlyRecord | None:
        """Return the record of a ply, None where nothing is known of it yet."""
        return self.moves.ply(index)

    def board_of(self, seat: Seat) -> BoardState:
        """Return the physical board of a seat."""
        return self.moves.board_of(seat)

    @property
    def position(self) -> Position | None:
        """Return where the server believes the game stands after the made moves; None where it does not know."""
        return self.moves.position_after(self.moves.made_plies)

    def position_after(self, ply: int) -> Position | None:
        """Return where the server believes the game stood after this ply (0: the start).

        None where it does not know.
        """
        return self.moves.position_after(ply)
