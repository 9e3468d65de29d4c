"""A player sets the clock by voice before the game (D.2.6.1): usual settings are read to him until he says yes. Pure.

Numbers are no words of the scheme and need not be: a command begins, and yes, no (the next one), repeat and stop do the
rest. What he chooses goes the way of the keys (`set_up_clock`): it waits for the arbiter unless he has said otherwise
before. Silence sets nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.acts.own_clock import ClockChoiceEnd
from server.game.decide.draft import Draft
from server.game.decide.time.clock import set_up_clock
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, Station

ANSWER_MS = 30_000
"""So long he may take with his answer; half of it is the reading itself at the slowest speed."""


def choose_clock(draft: Draft, seat: Seat, body: cmd.ChooseClock) -> Refusal | None:
    """Begin to read the settings, from the first one; or stop it."""
    state = draft.state
    if body.stop:
        if state.choice_of(seat) is None:
            return Refusal("nothing_asked", "")
        _end(draft, seat, "stopped")
        return None
    if state.started:
        return Refusal("clock_is_fixed", "6.3.1")
    try:
        controls = tuple(TimeControl.parse(text) for text in body.controls)
    except ValueError:
        return Refusal("no_time_control", "6.3.1")
    if not controls:
        return Refusal("no_time_control", "6.3.1")
    _ask(draft, seat, controls, 0)
    return None


def answer_choice(draft: Draft, seat: Seat, station: Station | None, *, yes: bool) -> Refusal | None:
    """Yes: the clock is set up as with keys. No: the next setting, and after the last one nothing is set."""
    asked = draft.state.choice_of(seat)
    assert asked is not None
    if not yes:
        if asked.number == len(asked.controls):
            _end(draft, seat, "none_left")
        else:
            _ask(draft, seat, asked.controls, asked.number)
        return None
    _end(draft, seat, "chosen")
    return set_up_clock(draft, seat, station, cmd.SetUpClock(control=asked.control.text))


def ask_again(draft: Draft, seat: Seat) -> None:
    """The same setting once more."""
    asked = draft.state.choice_of(seat)
    assert asked is not None
    _ask(draft, seat, asked.controls, asked.number - 1)


def drop_choice(draft: Draft, seat: Seat) -> None:
    """He said something that asks for another yes or no: one answer never serves two questions."""
    if draft.state.choice_of(seat) is not None:
        _end(draft, seat, "dropped")


def lapse_choices(draft: Draft) -> None:
    """What waited too long is gone, and so is what waited in an earlier run of the program (whose times are others)."""
    for asked in draft.state.choosing:
        if not asked.at <= draft.now < asked.until_ms:
            _end(draft, asked.seat, "lapsed")


def lapse_choice(draft: Draft, at: int, seat: Seat) -> None:
    """His time for the answer is over."""
    draft.emit(ev.ClockChoiceEnded(at=at, seat=seat, outcome="lapsed"))


def choices_due(state: GameState) -> Iterator[tuple[int, Seat]]:
    """Until when (ms of this run) each player may answer."""
    for asked in state.choosing:
        yield asked.until_ms, asked.seat


def _ask(draft: Draft, seat: Seat, controls: tuple[TimeControl, ...], index: int) -> None:
    draft.emit(
        ev.ClockChoiceAsked(
            at=draft.now, seat=seat, controls=controls, number=index + 1, until_ms=draft.now + ANSWER_MS
        )
    )


def _end(draft: Draft, seat: Seat, outcome: ClockChoiceEnd) -> None:
    draft.emit(ev.ClockChoiceEnded(at=draft.now, seat=seat, outcome=outcome))
