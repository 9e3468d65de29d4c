"""Noting everything that is due before anything else happens, in the order in which it was due."""

from __future__ import annotations

from typing import assert_never

import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.adaptations import adaptation_value
from server.game.decide.arbiter import start
from server.game.decide.claims.flags import call_flag
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.time.clock import cue, lapse_choice
from server.game.decide.time.instants import Instant, next_instant, pending
from server.game.laws.adaptations import ON
from server.game.laws.attendance import absent_after_default, proposed_result
from server.game.state.state import GameState
from server.game.values.saying import Saying, players, saying
from server.game.values.words import Seat

LATEST_START_MS = 2_000  # a start noticed later is not caught up on: the machine was away, the arbiter decides


def note_instants(draft: Draft) -> None:
    """Note everything that is due by now.

    It may be a flag, an appointed start, default time, low time or the end of a session.
    """
    due = next_instant(draft.state)
    while due is not None and due.at <= draft.now:
        _note(draft, due)
        noted, due = due, next_instant(draft.state)
        assert due != noted, due  # what is due but not noted would stay due for ever


def _note(draft: Draft, due: Instant) -> None:
    match due.kind:
        case "flag":
            _flag(draft, due.at)
        case "announcement":
            draft.release(due.at)
        case "start":
            _start(draft, due.at)
        case "default":
            _default_time_over(draft, due.at)
        case "session":
            draft.emit(ev.SessionEnded(at=due.at))
            draft.alert("session_over", draft.state.made_plies, saying("session_over"), grey=False)
        case "cue":
            assert due.seat is not None
            cue(draft, due.at, due.seat, due.threshold_s)
        case "choice":
            assert due.seat is not None
            lapse_choice(draft, due.at, due.seat)
        case "low_time":
            _low_time(draft, due)
        case _:
            assert_never(due.kind)


def _flag(draft: Draft, due: int) -> None:
    """Mark a display that has reached zero before anything else happens: no press takes a flag back.

    See 6.8.
    """
    clock = draft.state.time.clock
    seat, zero, ply = clock.turn, clock.at_zero(clock.turn), draft.state.made_plies
    if zero != "period":
        draft.emit(ev.FlagFell(at=due, seat=seat))
        what = saying("count_moves" if zero == "count" else "no_call")
        said = saying("display_zero", who=seat, what=what, counts=moves_counted(draft.state, seat))
        draft.alert("flag", ply, said, grey=False)
        if zero == "flag" and adaptation_value(draft.state, "flag_called_by_system") == ON:
            call_flag(draft, seat)
    if zero != "flag":
        draft.emit(ev.PeriodBegun(at=due, seat=seat))


def moves_counted(state: GameState, seat: Seat) -> Saying:
    """Return how many moves of a player are in each score and on the clock's counter.

    The arbiter needs them to count (6.4, L059); the program does not say which of them is right.
    """

    def last_written(score: Seat) -> int:
        cells = enumerate(state.scores.of(score), 1)
        return sum(cell is not None and state.seat_of(index) is seat for index, cell in cells)

    white, black = last_written(Seat.WHITE), last_written(Seat.BLACK)
    counter = state.time.clock.side(seat).moves
    return saying("counts", who=seat, clock=counter, white=white, black=black)


def _start(draft: Draft, due: int) -> None:
    """Start White's clock at the appointed time (6.6, L061), as if the arbiter had started it then."""
    late = draft.now - due
    held: Refusal | None = None
    if late <= LATEST_START_MS:
        starting = Draft(draft.state, due)
        held = start(starting)
        if held is None:
            for event in starting.events:
                started = isinstance(event, ev.GameStarted)
                draft.emit(msgspec.structs.replace(event, appointed=True) if started else event)
            return
    draft.emit(ev.StartScheduled(at=draft.now, due_ms=None))
    why = saying("start_late", ms=late)
    if held is not None:
        why = saying("refused", refusal=held.code, article=held.article)
    draft.alert("start_held", 0, saying("start_held", why=why), grey=False)


def _default_time_over(draft: Draft, due: int) -> None:
    """Tell the arbiter at the end of the default time who is missing, and what the Laws say of it.

    See 6.7.1, I.10.
    """
    state = draft.state
    adjournment = state.adjournment
    if adjournment is not None and adjournment.closed:
        _default_time_of_resumption_over(draft, due, tuple(seat for seat in Seat if not adjournment.is_present(seat)))
        return
    moved = tuple(
        seat for seat in Seat if any(record.completed and record.seat is seat for record in state.moves.plies)
    )
    absent = absent_after_default(state.schedule.attendance or (), moved)
    proposed = proposed_result(absent) if absent else ""
    draft.emit(ev.DefaultTimeOver(at=due, absent=absent, proposed=proposed))
    if absent:
        after = state.table.regulations.default_time_s
        said = saying("not_here", who=players(absent), after=after, proposed=proposed)
        draft.alert("default_time_over", state.made_plies, said, grey=False)


def _default_time_of_resumption_over(draft: Draft, due: int, absent: tuple[Seat, ...]) -> None:
    proposed = proposed_result(absent) if absent else ""
    draft.emit(ev.DefaultTimeOver(at=due, absent=absent, proposed=proposed))
    if absent:
        said = saying("not_here_resumption", who=players(absent), proposed=proposed)
        draft.alert("default_time_over", draft.state.made_plies, said, grey=False)


def _low_time(draft: Draft, due: Instant) -> None:
    assert due.seat is not None
    draft.emit(ev.LowTime(at=due.at, seat=due.seat, threshold_s=due.threshold_s))
    said = saying("low_time", who=due.seat, seconds=due.threshold_s)
    draft.alert("low_time", draft.state.made_plies, said, grey=False)


@decides(cmd.NoteNewRun, cmd.NoteFault)
def note_of_program(draft: Draft, body: cmd.NoteNewRun | cmd.NoteFault) -> None:
    """Tell the arbiter of a new run or of a failure in the program."""
    if isinstance(body, cmd.NoteFault):
        said = body.said or saying("as_written", text=body.text)
        draft.alert("fault", draft.state.made_plies, said, grey=False)
    else:
        note_new_run(draft)


@decides(cmd.NoteHandedOver, cmd.NoteTakenOver)
def note_another_server(draft: Draft, body: cmd.NoteHandedOver | cmd.NoteTakenOver) -> None:
    """Note that the table goes from one server to another; no clock stands still for it (6.10.1)."""
    if isinstance(body, cmd.NoteHandedOver):
        common = draft.now + body.common_less_own_ms
        draft.emit(ev.HandedOver(at=draft.now, common_ms=common, uncertain_ms=body.uncertain_ms))
        return
    draft.emit(
        ev.TakenOver(
            at=draft.now,
            own_less_run_ms=body.own_less_run_ms,
            uncertain_ms=body.uncertain_ms,
            detail=f"±{body.uncertain_ms} ms",
        )
    )


PENDING = {
    "appointed_start": saying("appointed_start"),
    "default_time": saying("default_time"),
    "session": saying("session"),
    "clock_reading": saying("clock_reading"),
    "resumption": saying("resumption"),
}


def note_new_run(draft: Draft) -> None:
    """Tell the arbiter what must be set again: instants of an earlier run do not count in this one."""
    names = pending(draft.state)
    if not names:
        return
    draft.emit(ev.InstantsVoided(at=draft.now, what=names))
    said = saying("restarted", what=tuple(PENDING[name] for name in names))
    draft.alert("instants_void", draft.state.made_plies, said, grey=False)
