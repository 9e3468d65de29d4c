"""The slice of time: clock, presses, cues, low time, a clock that is being set.

The slice is called `time`, since `clock` is the chess clock in it.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.line import last_completed
from server.game.state.moves import MovesState
from server.game.state.reducer import applies
from server.game.values.clock import ChessClock, ClockReading
from server.game.values.time_control import ClockPeriod, TimeControl
from server.game.values.words import ClockMaster, Seat

# The Laws have the player stop it, or the game is over (6.11.4).
NO_REASON_NEEDED = ("sealed", "arrived", "resigned", "draw_agreed")
ADJOURNED_EARLY = "I.1.2"
"""The article of time that is used up, not given or taken by a ruling: it goes back with the times of a position."""
COUNTED_S = 10
"""The countdown of the last seconds begins at this many seconds."""


class SpokenNow(msgspec.Struct, frozen=True):
    """Announcement of the machine in a player's ear, since when and until when (ms of the run).

    `until_ms` None: not known yet.
    """

    seat: Seat
    utterance: str
    since: int
    until_ms: int | None = None


class HeldPress(msgspec.Struct, frozen=True):
    """Press that waits for the end of its announcement.

    `charge`: whose time that is, mover or none.
    """

    seat: Seat
    ply: int
    since: int
    charge: str


class TimeState(msgspec.Struct, frozen=True):
    """Clock, everything that waits for it, and what was told of it."""

    clock: ChessClock = ChessClock.set_to(TimeControl((ClockPeriod(None, 5_400_000, 30_000),)))
    clock_master: ClockMaster = ClockMaster.SERVER
    clock_read: tuple[int, int, int] | None = None  # another clock: when it was read (ms of this run), White, Black
    given: tuple[int, int] = (0, 0)  # what rulings have given White and Black since the start (ms; taken: below zero)
    corrected: int = 0  # the first ply whose stored times have in them what the arbiter set by hand last (6.10.2)
    held: HeldPress | None = None  # a press that waits for an announcement (announcement_on_movers_time)
    announcing: tuple[SpokenNow, ...] = ()  # what the machine announces into each player's ear
    owed: Seat | None = None  # who pressed without announcing and has their time run until they speak (G1)
    stopped_by: Seat | None = None  # the last player who stopped the clock, until the reason is ruled on (6.11.4)
    low_told: tuple[tuple[Seat, int], ...] = ()  # thresholds (s) of which the arbiter has been told (12.3)
    cues: tuple[ev.CuesAsked, ...] = ()  # what each player wants to be told of their time unasked (D.2.6.1)
    cued: tuple[tuple[Seat, int], ...] = ()  # the times left (s) that each player has been told
    proposed_clock: tuple[Seat, TimeControl] | None = None  # a player set it; the arbiter has not approved it yet
    choosing: tuple[ev.ClockChoiceAsked, ...] = ()  # who has the usual clock settings read to them, and which one now

    def with_what_was_given(self, reading: ClockReading, then: tuple[int, int]) -> ClockReading:
        """Return stored times with what rulings have given or taken since; `then`: what they had given by that time.

        A flag that was down stays down, and nobody's flag falls by going back.
        """

        def add_given(stored: int, given: int, before: int) -> int:
            return max(1, stored + given - before) if stored > 0 else 0

        white, black = map(add_given, (reading.white_ms, reading.black_ms), self.given, then)
        return replace(reading, white_ms=white, black_ms=black)

    def choice_of(self, seat: Seat) -> ev.ClockChoiceAsked | None:
        """Return the setting of the clock that this seat is asked about."""
        return next((one for one in self.choosing if one.seat is seat), None)


def told_again(cued: tuple[tuple[Seat, int], ...], seat: Seat, *, all_of_them: bool) -> tuple[tuple[Seat, int], ...]:
    """Return the cues that still count as told for this seat.

    After its move the countdown may begin again; after a new time on its display every cue may be told again.
    """
    return tuple((one, s) for one, s in cued if one is not seat or not (all_of_them or s <= COUNTED_S))


@applies(ev.ClockPressed)
def _pressed(time: TimeState, event: ev.ClockPressed) -> TimeState:
    if not event.effective:
        return time
    time = replace(time, cued=told_again(time.cued, event.seat, all_of_them=False))
    if not event.held:
        return replace(time, clock=time.clock.after_press(event.seat, event.at))
    held = HeldPress(event.seat, event.ply, event.at, event.held)
    if event.held == "none":  # both stand until the announcement has been heard
        return replace(time, held=held, clock=time.clock.after_press(event.seat, event.at).after_pause(event.at))
    return replace(time, held=held)


@applies(ev.AnnouncementSpoken)
def _announcement(time: TimeState, event: ev.AnnouncementSpoken) -> TimeState:
    known = next((one for one in time.announcing if one.seat is event.seat), None)
    others = tuple(one for one in time.announcing if one.seat is not event.seat)
    if known is not None and event.utterance != known.utterance and (event.over or event.until_ms is not None):
        return time  # an older announcement: another has begun since
    if event.over:
        return replace(time, announcing=others)
    since = known.since if known is not None and known.utterance == event.utterance else event.at
    return replace(time, announcing=(*others, SpokenNow(event.seat, event.utterance, since, event.until_ms)))


@applies(ev.AnnouncementOwed)
def _owed(time: TimeState, event: ev.AnnouncementOwed) -> TimeState:
    return replace(time, owed=event.seat)


@applies(ev.ClockPaused)
def _paused(time: TimeState, event: ev.ClockPaused) -> TimeState:
    asks = event.seat is not None and event.reason not in NO_REASON_NEEDED
    stopped_by = event.seat if asks else time.stopped_by
    if event.medical is not None and stopped_by is event.medical:
        stopped_by = None  # the reason was valid (6.11.4)
    return replace(time, clock=time.clock.after_pause(event.at), stopped_by=stopped_by)


@applies(ev.StopRuled)
def _stop_ruled(time: TimeState, event: ev.StopRuled) -> TimeState:
    return replace(time, stopped_by=None)


@applies(ev.ClockSet)
def _clock_set(time: TimeState, event: ev.ClockSet, moves: MovesState) -> TimeState:
    clock = time.clock.with_times(
        event.white_ms,
        event.black_ms,
        event.turn,
        event.at,
        moves=event.moves,
        periods=event.periods,
        move_ms=event.move_ms,
    )
    time = replace(time, clock=clock, owed=None, cued=())
    last = last_completed(moves.plies)
    coming = 1 if last is None else last.index + 1
    if not event.anew:
        return replace(time, corrected=coming) if event.by_hand else time
    left = {Seat.WHITE: event.white_ms, Seat.BLACK: event.black_ms}
    below = tuple((seat, seconds) for seat, seconds in time.low_told if left[seat] <= seconds * 1000)
    return replace(time, clock=replace(clock, this_move_ms=0), low_told=below, corrected=min(time.corrected, coming))


@applies(ev.TimeAdded)
def _time_added(time: TimeState, event: ev.TimeAdded) -> TimeState:
    cued = told_again(time.cued, event.seat, all_of_them=True)
    white, black = time.given
    if event.article != ADJOURNED_EARLY:
        white, black = (white + event.ms, black) if event.seat is Seat.WHITE else (white, black + event.ms)
    return replace(
        time, clock=time.clock.with_time_added(event.seat, event.ms, event.at), cued=cued, given=(white, black)
    )


@applies(ev.IncrementSet)
def _increment_set(time: TimeState, event: ev.IncrementSet) -> TimeState:
    return replace(time, clock=time.clock.with_increment(event.increment_ms, event.at))


@applies(ev.PeriodBegun)
def _period_begun(time: TimeState, event: ev.PeriodBegun) -> TimeState:
    return replace(time, clock=time.clock.next_period(event.seat, event.at), cued=())


@applies(ev.FlagFell)
def _flag_fell(time: TimeState, event: ev.FlagFell) -> TimeState:
    return replace(time, clock=time.clock.with_flag_fallen(event.seat, event.at))


@applies(ev.ClockMasterChanged)
def _master_changed(time: TimeState, event: ev.ClockMasterChanged, moves: MovesState) -> TimeState:
    """Change which clock counts; when ours counts again, it stands for the player whose time it is.

    Presses of another clock did not move ours, and nothing is owed to it. Ours counts the moves made meanwhile (6.4,
    L059); its times are the arbiter's to set.
    """
    clock = time.clock
    if event.clock_master is not ClockMaster.SERVER:
        clock = clock.after_pause(event.at)
    elif time.clock_master is not ClockMaster.SERVER:
        last = moves.ply(moves.made_plies)
        white, black = moves.completed_by_each
        of_white, of_black = clock.control.periods_reached((white, black)) or (clock.white.period, clock.black.period)
        clock = replace(
            clock,
            turn=last.seat if last is not None and not last.completed else moves.on_move,
            white=replace(clock.white, moves=white, period=of_white),
            black=replace(clock.black, moves=black, period=of_black),
        )
    return replace(time, clock_master=event.clock_master, clock=clock, owed=None)


@applies(ev.LowTime)
def _low_time(time: TimeState, event: ev.LowTime) -> TimeState:
    return replace(time, low_told=(*time.low_told, (event.seat, event.threshold_s)))


@applies(ev.CuesAsked)
def _cues_asked(time: TimeState, event: ev.CuesAsked) -> TimeState:
    others = tuple(one for one in time.cues if one.seat is not event.seat)
    wants = event.at_s or event.countdown != "off"
    return replace(time, cues=(*others, event) if wants else others)


@applies(ev.TimeCued)
def _cued(time: TimeState, event: ev.TimeCued) -> TimeState:
    return replace(time, cued=(*time.cued, (event.seat, event.left_s)))


@applies(ev.ClockProposed)
def _proposed(time: TimeState, event: ev.ClockProposed) -> TimeState:
    return replace(time, proposed_clock=(event.seat, event.control))


@applies(ev.ClockSetUp)
def _set_up(time: TimeState, event: ev.ClockSetUp) -> TimeState:
    return replace(time, clock=ChessClock.set_to(event.control), proposed_clock=None, given=(0, 0))


@applies(ev.ClockKept)
def _kept(time: TimeState, event: ev.ClockKept) -> TimeState:
    return replace(time, proposed_clock=None)


@applies(ev.ClockChoiceAsked, ev.ClockChoiceEnded)
def _choosing(time: TimeState, event: ev.ClockChoiceAsked | ev.ClockChoiceEnded) -> TimeState:
    others = tuple(one for one in time.choosing if one.seat is not event.seat)
    return replace(time, choosing=(*others, event) if isinstance(event, ev.ClockChoiceAsked) else others)
