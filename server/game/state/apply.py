"""`apply(state, event) -> state`: how each event changes the state. Pure, and total over every event.

An event that changes one slice of the state has its reducer beside that slice. Those that change several are here, but
for those of an adjournment (`adjournment.py`).
"""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import UNSTATED
from server.game.laws.scoresheet import usual_sheet
from server.game.laws.touch import touches_of_move
from server.game.state import (
    adjournment,
    clock,
    desk,
    endings,
    moves,
    rulings,
    schedule,
    scores,
    sound,
    stations,
    table,
)
from server.game.state.desk import Desk, Setting, when_play_goes_on
from server.game.state.line import PlyRecord, believed_line
from server.game.state.reducer import applies, change_of
from server.game.state.state import GameState, IncidentsState
from server.game.values.clock import ChessClock
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Seat, SeatKind

SLICES = (adjournment, clock, desk, endings, moves, rulings, schedule, scores, sound, stations, table)
"""The files of the slices, whose reducers are registered once they are imported."""


def apply(state: GameState, event: ev.AnyEvent) -> GameState:
    """The state after an event. Events that only concern a channel or the record leave it as it was.

    An alert that the event answers is settled by it.
    """
    change = change_of(type(event))
    after: GameState = state if change is None else change(state, event)
    rulings_after = after.rulings.after(event)
    if rulings_after is not after.rulings:
        after = replace(after, rulings=rulings_after)
    return replace(after, incidents=IncidentsState()) if isinstance(event, GOES_ON) else after


GOES_ON = (ev.ClockResumed, ev.GameEnded, ev.Made)
"""After these what settled an incident cannot be undone any more."""


# The table opens; its set-up was wrong; its game starts, is interrupted, ends


@applies(ev.TableOpened)
def _opened(state: GameState, event: ev.TableOpened) -> GameState:
    start = Position.from_fen(event.start_fen, chess960=event.chess960)
    board = moves.BoardState(start, start)
    return GameState(
        table=table.TableState(
            opened=True,
            white=event.white,
            black=event.black,
            rated=event.rated,
            training=event.training,
            follows=event.follows,
            mode=event.mode,
            rule_set=event.rule_set,
            rules=event.rules or UNSTATED,
            regulations=event.regulations or EventOptions(),
            event_name=event.event_name,
            round=event.round,
            board_number=event.board,
            boards=event.boards,
            checklist=event.checklist,
            known_adaptations=event.adaptations,
            starts=event.starts,
            way=event.way,
        ),
        time=clock.TimeState(
            clock=replace(ChessClock.set_to(event.control), turn=start.turn), clock_master=event.clock_master
        ),
        moves=moves.MovesState(positions=(start,), white_board=board, black_board=board),
        scores=scores.ScoresState(sheets=(usual_sheet(event.white.kind), usual_sheet(event.black.kind))),
    )


@applies(ev.SetUpRuled)
def _set_up_ruled(state: GameState, event: ev.SetUpRuled) -> GameState:
    """Exchange the names of reversed colours (7.3).

    Take the castling rights that a wrong set-up loses, on every board (A.5.1.2).
    """
    if event.names is not None:
        white, black = event.names
        state = replace(state, table=replace(state.table.with_names(white, black), names_swapped=True))
    if event.castling is None:
        return state
    played = state.moves
    start = played.positions[0]
    left = replace(start, castling=event.castling).board().castling_rights
    anchors = (None if one.anchor is None else _with_castling_rights(one.anchor, left) for one in played.plies)
    plies = tuple(replace(one, anchor=anchor) for one, anchor in zip(played.plies, anchors, strict=True))
    played = replace(played, plies=plies)
    if event.board is None:
        begun = replace(start, placement=event.placement, castling=event.castling, en_passant="-")
        line, positions = believed_line(begun, played.plies)
        played = replace(played, line=line, positions=positions)
    else:
        played = replace(
            played, positions=tuple(_with_castling_rights(position, left) for position in played.positions)
        )
    for seat in Seat if event.board is None else (event.board,):
        board = played.board_of(seat)
        changed = moves.BoardState(
            _with_castling_rights(board.position, left), _with_castling_rights(board.before, left)
        )
        played = played.with_board(seat, changed)
    return replace(state, moves=played)


def _with_castling_rights(position: Position, rights: int) -> Position:
    """Return the position with castling only with the rooks on these squares (a bit board); an unknown one as it is."""
    if not position.known:
        return position
    board = position.board()
    board.castling_rights &= rights
    return replace(position, castling=board.fen().split()[2])


@applies(ev.GameStarted)
def _started(state: GameState, event: ev.GameStarted) -> GameState:
    time, due = state.time, state.schedule.default_due(event.at, state.table.regulations.default_time_s * 1000)
    begun = (state.moves.positions[0], time.clock.control)
    if time.clock_master is ClockMaster.SERVER:
        time = replace(time, clock=time.clock.after_start(event.at))
    return replace(
        state,
        table=replace(state.table, started=True, begun=begun),
        time=replace(time, choosing=()),
        schedule=replace(state.schedule, default_due_ms=due, appointed_ms=None),
    )


@applies(ev.Interrupted)
def _interrupted(state: GameState, event: ev.Interrupted) -> GameState:
    stood = state.time.clock.stood_at(event.white_ms, event.black_ms, event.turn, event.move_ms)
    return _of_an_earlier_run(replace(state, time=replace(state.time, clock=stood, announcing=())))


@applies(ev.InstantsVoided)
def _voided(state: GameState, event: ev.InstantsVoided) -> GameState:
    void = replace(state.schedule, appointed_ms=None, default_due_ms=None, session_due_ms=None)
    time = replace(state.time, announcing=(), clock_read=None)
    return _of_an_earlier_run(replace(state, schedule=void, time=time))


def _of_an_earlier_run(state: GameState) -> GameState:
    """Forget when a resumption began in an earlier run: nobody can be called late because of it."""
    if state.adjournment is None:
        return state
    return replace(state, adjournment=replace(state.adjournment, began_ms=None))


@applies(ev.GameEnded)
def _ended(state: GameState, event: ev.GameEnded) -> GameState:
    ending = replace(state.ending, result=event.result, reason=event.reason, ended_by=event.article)
    return replace(state, ending=ending, time=replace(state.time, clock=state.time.clock.after_pause(event.at)))


# A move is made, pressed, touched, written down


@applies(ev.Made)
def _made(state: GameState, event: ev.Made) -> GameState:
    made = state.moves.with_record(replace(state.moves.record(event.ply), made_ms=event.at))
    draws = state.draws
    if draws.rejects(event.seat, event.ply):
        draws = draws.without_offer()
    return replace(state, moves=made, setting=when_play_goes_on(state.setting), draws=draws)


@applies(ev.Completed)
def _completed(state: GameState, event: ev.Completed) -> GameState:
    ticking, intended = state.time.clock, state.draws.intended
    record = replace(
        state.moves.record(event.ply),
        completed_ms=event.at,
        white_ms=event.white_ms,
        black_ms=event.black_ms,
        given=_given_by(state, event),
        used_ms=ticking.time_used(event.seat, event.at) if event.white_ms is not None else None,
        periods=(ticking.white.period, ticking.black.period),
    )
    state = replace(state, moves=state.moves.with_record(record))
    if intended is not None and event.seat is intended.seat and event.ply > intended.ply:
        return replace(state, draws=replace(state.draws, intended=None))
    return state


def _given_by(state: GameState, event: ev.Completed) -> tuple[int, int]:
    """Return what rulings had given when the times of a move were kept: those of a sealed one, at the sealing."""
    sealed = state.adjournment
    label = sealed.label if sealed is not None and sealed.ply == event.ply else None
    times = (event.white_ms, event.black_ms)
    if sealed is not None and label is not None and times == (label.white_ms, label.black_ms):
        return sealed.given
    return state.time.given


@applies(ev.AnnouncementWaited)
def _waited(state: GameState, event: ev.AnnouncementWaited) -> GameState:
    """Let the held press take effect; the times kept with its ply are those after it."""
    ticking = state.time.clock
    ticking = ticking.after_start(event.at) if event.charge == "none" else ticking.after_press(event.seat, event.at)
    state = replace(state, time=replace(state.time, clock=ticking, held=None))
    record = state.ply(event.ply)
    if record is None or not record.completed:
        return state
    reading = ticking.reading(event.at)
    periods = (ticking.white.period, ticking.black.period)
    used = ticking.time_used(event.seat, event.at)
    timed = replace(record, white_ms=reading.white_ms, black_ms=reading.black_ms, used_ms=used, periods=periods)
    return replace(state, moves=state.moves.with_note(replace(timed, given=state.time.given)))


@applies(ev.ClockRead)
def _clock_read(state: GameState, event: ev.ClockRead) -> GameState:
    """Record what another clock shows, also as the times of the move after which it was read."""
    state = replace(state, time=replace(state.time, clock_read=(event.at, event.white_ms, event.black_ms)))
    record = state.ply(event.ply)
    if record is None:
        return state
    timed = replace(record, white_ms=event.white_ms, black_ms=event.black_ms, given=state.time.given)
    return replace(state, moves=state.moves.with_note(timed))


@applies(ev.ClockResumed)
def _resumed(state: GameState, event: ev.ClockResumed) -> GameState:
    state = replace(state, ending=state.ending.when_resumed(), setting=when_play_goes_on(state.setting))
    if state.time.clock_master is not ClockMaster.SERVER:
        return state
    return replace(state, time=replace(state.time, clock=state.time.clock.after_start(event.at)))


@applies(ev.TouchReported)
def _touch_reported(state: GameState, event: ev.TouchReported) -> GameState:
    """Record a touch; the opponent's touch rejects an open offer (9.1.2.1), at the tactile board a lift.

    See D.2.2.
    """
    state = replace(state, rulings=replace(state.rulings, touches=(*state.rulings.touches, event)))
    rejects = event.rejects
    if rejects is None:
        felt = event.how == "touched" and state.plan(event.seat).kind is not SeatKind.TACTILE
        binds = not event.because and not event.sealed and (event.how == "lifted" or felt)
        rejects = binds and state.draws.lapses(event.seat, event.ply)
    return replace(state, draws=state.draws.after_touch(event.number)) if rejects else state


@applies(ev.TouchRuled)
def _touch_ruled(state: GameState, event: ev.TouchRuled) -> GameState:
    """Record whether a touch binds, and what that makes of a draw offer (9.1.2.1)."""
    touches, index = state.rulings.touches, event.number - 1
    ruled = replace(touches[index], because="" if event.counts else "accident")
    rulings = replace(state.rulings, touches=(*touches[:index], ruled, *touches[index + 1 :]))
    return replace(state, rulings=rulings, draws=state.draws.after_ruling(event.number, event.offer))


@applies(ev.ScoreWritten)
def _score_written(state: GameState, event: ev.ScoreWritten) -> GameState:
    state = replace(state, scores=state.scores.with_cell(event))
    record = state.ply(event.index)
    if record is None or event.source not in scores.BY_THE_PROGRAM:
        return state
    mark = "scored_own" if event.source == "announcement" else "scored_echo"
    return replace(state, moves=state.moves.with_note(replace(record, **{mark: True})))


# Another line is believed, settled or gone back to


@applies(ev.BeliefRevised)
def _belief_revised(state: GameState, event: ev.BeliefRevised) -> GameState:
    believed = state.moves.with_record(replace(state.moves.record(event.ply), believed=event.uci))
    return replace(state, moves=believed, rulings=state.rulings.told_through(event.ply - 1))


@applies(ev.GameMended)
def _mended(state: GameState, event: ev.GameMended) -> GameState:
    mended = state.moves.with_record(replace(state.moves.record(event.ply), mended=event.uci, unknown=event.unknown))
    return replace(state, moves=replace(mended, out_of_step=False), rulings=state.rulings.told_through(event.ply - 1))


@applies(ev.Restored)
def _restored(state: GameState, event: ev.Restored) -> GameState:
    """Take the game back to after a ply (7.1, 7.5.1).

    What was touched before and in an illegal move still obliges in the move that replaces it (7.5.1), and so does what
    was touched before a move that broke 4.3 to 4.7. Counts, rulings and what they gave stay: a penalty is not undone by
    going back. What else stays valid is named in the event.
    """
    ply, binds = event.ply, "touches" in event.keeps or "touched" in event.keeps
    wrong = event.discarded[0] if event.discarded else None
    known, told = state.position_after(ply), state.rulings.told_through(ply)
    moves_after = state.moves.taken_back(ply)
    touched = told.replacing[1] if told.replacing is not None and told.replacing[0] == ply + 1 else ()
    touched = touched if "touched" in event.keeps else ()
    if wrong is not None and known is not None and any(ruled == ply + 1 for ruled, _ in told.ruled):
        touched = (*touched, *touches_of_move(known, wrong))
    last = ply + 1 if touched or binds else ply
    let_go = tuple(t.number for t in told.touches if t.ply > last and not t.because)
    back = tuple((len(moves_after.discarded), one) for one, _ in told.ruled if one > ply)
    through = state.scores.due_through
    return replace(
        state,
        moves=moves_after,
        scores=replace(
            state.scores, exempt=event.exempt, due_through=min(ply, through) if "due" in event.keeps else through
        ),
        time=replace(state.time, owed=None),
        draws=state.draws.taken_back(event),
        ending=state.ending.taken_back(),
        rulings=replace(
            told,
            touches=tuple(replace(t, because="restored") if t.number in let_go else t for t in told.touches),
            ruled=tuple(one for one in told.ruled if one[0] <= ply),
            ruled_gone=(*told.ruled_gone, *back),
            let_go=(*told.let_go, let_go),
            replacing=(ply + 1, touched) if touched else None,
            adjusting=told.adjusting if "touches" in event.keeps else None,
            castling_meant=told.castling_meant if "touches" in event.keeps else None,
        ),
        setting=None,  # another position was being set
    )


@applies(ev.LineSettled)
def _line_settled(state: GameState, event: ev.LineSettled) -> GameState:
    """Put each record where it belongs now, each settled one with its move.

    Records left over form a discarded line.
    """
    before = state.moves
    plies = tuple(_settled_record(before, event, index) for index in range(1, len(event.records) + 1))
    fallen = tuple(record for record in before.plies if record.index not in event.records)
    line, positions = believed_line(before.positions[0], plies)
    kept = zip(before.line, line, event.records, strict=False)
    same = next((ply for ply, (was, is_, number) in enumerate(kept) if was != is_ or number != ply + 1), len(plies))
    settled = replace(
        before,
        plies=plies,
        line=line,
        positions=positions,
        out_of_step=False,
        set_aside=(),
    )
    told = state.rulings.told_through(same)
    if fallen:
        gone = (*before.gone, before.as_gone(fallen))
        settled = replace(settled, discarded=(*before.discarded, fallen), gone=gone)
        back = tuple((len(settled.discarded), ply) for ply, _ in told.ruled if ply not in event.records)
        told = replace(told, ruled_gone=(*told.ruled_gone, *back), let_go=(*told.let_go, ()))
    state = replace(state, moves=settled, rulings=told)
    identity = tuple(range(1, len(event.records) + 1))
    return (
        state if event.records == identity and not fallen else _renumber_plies(state, event.records, len(before.plies))
    )


def _settled_record(before: moves.MovesState, event: ev.LineSettled, index: int) -> PlyRecord:
    number = event.records[index - 1]
    known = before.ply(number) if number else None
    if known is None:
        record = PlyRecord(index, before.seat_of(index), completed_ms=event.at)
    else:
        record = replace(known, index=index)
    if index > event.ply:
        return record
    record = replace(record, made_ms=record.made_ms if record.made_ms is not None else event.at)
    if event.moves is not None:
        return replace(record, settled=True, mended=event.moves[index - 1], unknown=False, anchor=None)
    if index < event.ply:
        return record
    position = Position.from_fen(event.fen, chess960=before.positions[0].chess960)
    return replace(record, settled=True, anchor=position)


def _renumber_plies(state: GameState, records: tuple[int, ...], before: int) -> GameState:
    """Give everything that names a ply its new number.

    Cells that the program assigned to a ply move with it. `before`: how many plies there were. A ply that was still to
    come follows the last one. Nothing is left of a ply that was dropped, except its cells where no later ply of the
    line was kept (as after a restoration).
    """
    numbers = {number: index for index, number in enumerate(records, 1) if number}
    known = max(numbers, default=0)

    def now(ply: int) -> int:
        return max((index for number, index in numbers.items() if number <= ply), default=0)

    def after(last: int, ply: int) -> int | None:
        return ply - last + len(records) if ply > last else numbers.get(ply)

    pending = tuple(replace(one, after=now(one.after)) for one in state.ending.pending)
    return replace(
        state,
        scores=state.scores.with_new_numbers(partial(after, known), now),
        draws=state.draws.with_new_numbers(now),
        ending=replace(state.ending, pending=pending),
        rulings=state.rulings.with_new_numbers(partial(after, before)),
    )


# An incident is settled by several acts at once, or that is undone


@applies(ev.IncidentBegun)
def _incident_begun(state: GameState, event: ev.IncidentBegun) -> GameState:
    before, told = replace(state, incidents=IncidentsState()), state.rulings
    begun = tuple(one.after("begun") if one.number in event.numbers else one for one in told.unsettled)
    return replace(
        state, rulings=replace(told, unsettled=begun), incidents=IncidentsState(event.numbers, before, at=event.at)
    )


@applies(ev.IncidentSettled)
def _incident_settled(state: GameState, event: ev.IncidentSettled) -> GameState:
    """Leave the incident open until the clocks run, where they do not run by now."""
    over = state.over or state.time.clock.running is not None or not state.table.started
    told, numbers = state.rulings, event.numbers
    left = tuple(one for one in told.unsettled if not over or one.number not in numbers)
    left = tuple(one.after("settled") if one.number in numbers else one for one in left)
    state = replace(state, rulings=told.with_alerts(left))
    if state.incidents.before is None:
        return state
    after = replace(state, incidents=IncidentsState())
    return replace(state, incidents=replace(state.incidents, after=after))


@applies(ev.IncidentUndone)
def _incident_undone(state: GameState, event: ev.IncidentUndone) -> GameState:
    """Bring back the game as it stood before; what belongs to the stations, and what came since, stays.

    The time that ran until the acts stopped it is used up, and none of that for which the clocks have stood since.
    """
    before, after = state.incidents.before, state.incidents.after
    if before is None or after is None:
        return state
    told = state.rulings
    stood_at = state.incidents.at if after.time.clock.running is None else event.at
    rulings_back = replace(
        before.rulings, alerts=told.alerts, last_alert=told.last_alert, alert_changes=told.alert_changes
    ).with_alerts(_alerts_brought_back(before, after, state))
    time = replace(
        _brought_back(before.time, after.time, state.time),
        clock=before.time.clock.after_pause(stood_at),
        clock_read=state.time.clock_read,
        announcing=state.time.announcing,
        cues=state.time.cues,
    )
    return replace(
        before,
        table=_brought_back(before.table, after.table, state.table),
        stations=state.stations,
        sound=state.sound,
        scores=_brought_back(before.scores, after.scores, state.scores),
        rulings=rulings_back,
        time=time,
        schedule=state.schedule,
        ending=replace(before.ending, mates_asked=state.ending.mates_asked),  # no number is given twice
        setting=None,
        incidents=IncidentsState(),
    )


Slice = TypeVar("Slice", bound=msgspec.Struct)


def _brought_back(before: Slice, after: Slice, now: Slice) -> Slice:
    """Return a slice as it stood before an incident was settled; what was changed since then stays as it is now."""
    since = {name for name in before.__struct_fields__ if getattr(now, name) != getattr(after, name)}
    return replace(before, **{name: getattr(now, name) for name in since})


def _alerts_brought_back(before: GameState, after: GameState, now: GameState) -> tuple[rulings.AlertKept, ...]:
    """Return what is to be settled once an incident is undone.

    What its settling changed is again as before. What the arbiter was told since, as of a player who calls, waits on,
    and what was settled or put off since stays so. Of what the acts of the incident told only what was filed stays.
    """
    settled = {one.number: one for one in after.rulings.unsettled}
    left = {one.number: one for one in now.rulings.unsettled}
    known = before.rulings.unsettled
    back = (left.get(one.number) if settled.get(one.number) == one else one for one in known)
    told_since = (
        one
        for number, one in left.items()
        if number > after.rulings.alerts or (number > before.rulings.alerts and one.how == "filed")
    )
    return (*(one for one in back if one is not None), *told_since)


# The desk opens, decides and closes


@applies(ev.DeskOpened)
def _desk_opened(state: GameState, event: ev.DeskOpened) -> GameState:
    return replace(state, desk=Desk(event.snapshot), setting=None)


@applies(ev.DeskDecided)
def _decided(state: GameState, event: ev.DeskDecided) -> GameState:
    if state.desk is None:
        return state
    ply = event.ply if event.ply is not None else state.made_plies
    setting = Setting("desk", ply, event.placement, event.turn, event.white, event.black)
    return replace(state, desk=replace(state.desk, decided=event), setting=None if event.kind == "mend" else setting)


@applies(ev.DeskClosed)
def _desk_closed(state: GameState, event: ev.DeskClosed) -> GameState:
    return replace(state, desk=None, setting=None)
