"""`apply(state, event) -> state`: how each event changes the state. Pure, and total over every event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.play import events as ev
from server.play.believing import extended, grounds
from server.play.chess_clock import ChessClock
from server.play.position import Position
from server.play.rules.event_options import EventOptions
from server.play.rules.rule_set import UNSTATED
from server.play.rules.touch import touches_of_move
from server.play.state import BoardState, GameState, OpenClaim, PlyRecord, ScoreCell
from server.play.values import ClockMaster, Origin, Seat, SeatKind, Station


def apply(state: GameState, event: ev.AnyEvent) -> GameState:
    """The state after an event. Events that only concern a channel or the record leave it as it was."""
    change = CHANGES.get(type(event))
    return state if change is None else change(state, event)


def _opened(state: GameState, event: ev.TableOpened) -> GameState:
    start = Position.from_fen(event.start_fen, chess960=event.chess960)
    board = BoardState(start, start)
    clock = replace(ChessClock.set_to(event.control), turn=start.turn)
    return GameState(
        opened=True,
        white=event.white,
        black=event.black,
        rated=event.rated,
        mode=event.mode,
        clock_master=event.clock_master,
        rule_set=event.rule_set,
        rules=event.rules or UNSTATED,
        regulations=event.regulations or EventOptions(),
        event_name=event.event_name,
        clock=clock,
        positions=(start,),
        white_board=board,
        black_board=board,
    )


def _admitted(state: GameState, event: ev.StationAdmitted) -> GameState:
    others = tuple(station for station in state.stations if station.id != event.station)
    return replace(state, stations=(*others, Station(event.station, event.role, event.seat, event.duties)))


def _started(state: GameState, event: ev.GameStarted) -> GameState:
    clock = state.clock.started(event.at) if state.clock_master is ClockMaster.SERVER else state.clock
    return replace(state, started=True, clock=clock)


def _with_ply(state: GameState, record: PlyRecord) -> GameState:
    plies = (*state.plies[: record.index - 1], record, *state.plies[record.index :])
    before = state.ply(record.index)
    if before is not None and grounds(before) == grounds(record):
        return replace(state, plies=plies)
    line, positions = extended(state, plies, record.index)
    return replace(state, plies=plies, line=line, positions=positions)


def _record(state: GameState, index: int) -> PlyRecord:
    return state.ply(index) or PlyRecord(index, state.seat_of(index))


def _announced(state: GameState, event: ev.Announced) -> GameState:
    before = _record(state, event.ply)
    record = replace(
        before,
        announcement=event.announcement,
        words=event.words,
        text=event.text,
        announced_origin=event.origin,
        utterance=event.utterance,
        announced_ms=event.at,
    )
    if before.announcement is not None and not before.announcement.agrees_with(event.announcement):
        # What the other side repeated or carried out answered other words.
        record = replace(_without_echo(record), entered=None, repeated=None, executed_ms=None, seen_on_other_board=None)
    elif record.echo is not None:
        record = replace(record, echo_agrees=event.announcement.agrees_with(record.echo))
    return replace(_with_ply(state, record), last_words=event.words)


def _without_echo(record: PlyRecord) -> PlyRecord:
    return replace(
        record,
        echo=None,
        echo_words=(),
        echo_text="",
        echo_agrees=None,
        echoed_ms=None,
        echo_utterance=None,
        echo_origin=None,
    )


def _echo_recalled(state: GameState, event: ev.EchoRecalled) -> GameState:
    return _with_ply(state, _without_echo(_record(state, event.ply)))


def _repeated(state: GameState, event: ev.AnnouncementRepeated) -> GameState:
    record = state.ply(event.ply)
    if record is None or event.announcement is None or record.announcement is None:
        return state
    if record.announcement.says_all_of(event.announcement):
        return state
    return _with_ply(state, replace(record, repeated=event.announcement))


def _not_understood(state: GameState, event: ev.NotUnderstood) -> GameState:
    """The sound stays with its ply: the mover's own, or the other side's echo of it."""
    record = _record(state, event.ply)
    if event.ply > len(state.plies) + 1 or event.utterance is None:
        return state
    if record.seat is not event.seat:
        known = event.ply <= len(state.plies) and record.echo is None
        return _with_ply(state, replace(record, echo_utterance=event.utterance)) if known else state
    if record.announcement is None and not record.completed:
        return _with_ply(state, replace(record, utterance=event.utterance))
    return state


def _contested(state: GameState, event: ev.Contested) -> GameState:
    return _with_ply(state, replace(_record(state, event.ply), contested=True))


def _made(state: GameState, event: ev.Made) -> GameState:
    state = _with_ply(state, replace(_record(state, event.ply), made_ms=event.at))
    lapsed = state.offer_by is event.seat.other and event.ply > state.offer_after
    return replace(state, offer_by=None) if lapsed else state


def _completed(state: GameState, event: ev.Completed) -> GameState:
    record = replace(_record(state, event.ply), completed_ms=event.at, white_ms=event.white_ms, black_ms=event.black_ms)
    state = _with_ply(state, record)
    if state.intended is not None and event.seat is state.intended.seat and event.ply > state.intended.ply:
        return replace(state, intended=None)
    return state


def _pressed(state: GameState, event: ev.ClockPressed) -> GameState:
    return replace(state, clock=state.clock.pressed(event.seat, event.at)) if event.effective else state


def _echoed(state: GameState, event: ev.Echoed) -> GameState:
    record = replace(
        _record(state, event.ply),
        echo=event.announcement,
        echo_words=event.words,
        echo_text=event.text,
        echo_agrees=event.agrees,
        echo_utterance=event.utterance,
        echo_origin=event.origin,
        echoed_ms=event.at,
    )
    return _with_ply(state, record)


def _executed(state: GameState, event: ev.Executed) -> GameState:
    return _with_ply(state, replace(_record(state, event.ply), executed_ms=event.at))


def _with_board(state: GameState, seat: Seat, board: BoardState) -> GameState:
    return replace(state, white_board=board) if seat is Seat.WHITE else replace(state, black_board=board)


def _board_moved(state: GameState, event: ev.BoardMoved) -> GameState:
    mine = state.board_of(event.board).position
    if mine.turn is not state.seat_of(event.ply):
        mine = replace(mine, turn=state.seat_of(event.ply))
    state = _with_board(state, event.board, BoardState(mine.after(event.uci), mine))
    record = _record(state, event.ply)
    seen = event.origin in (Origin.ENTERED, Origin.SENSED)
    if record.seat is event.board:
        record = replace(record, own_board_moved=True, entered=event.uci if seen else record.entered)
    elif seen:
        record = replace(record, seen_on_other_board=event.uci)
    return _with_ply(state, record)


def _board_set(state: GameState, event: ev.BoardSet) -> GameState:
    before = state.board_of(event.board).position
    return _with_board(state, event.board, BoardState(before.with_placement(event.placement, event.turn), before))


def _score_written(state: GameState, event: ev.ScoreWritten) -> GameState:
    score = list(state.score_of(event.seat))
    score.extend([None] * (event.index - len(score)))
    score[event.index - 1] = ScoreCell(event.text, event.source, event.utterance)
    name = "white_score" if event.seat is Seat.WHITE else "black_score"
    state = replace(state, **{name: tuple(score)})
    record = state.ply(event.index)
    if record is None or event.source not in ("announcement", "echo"):
        return state
    mark = "scored_own" if event.source == "announcement" else "scored_echo"
    changed = replace(record, **{mark: True})
    return replace(state, plies=(*state.plies[: event.index - 1], changed, *state.plies[event.index :]))


def _paused(state: GameState, event: ev.ClockPaused) -> GameState:
    return replace(state, clock=state.clock.paused(event.at))


def _resumed(state: GameState, event: ev.ClockResumed) -> GameState:
    if state.clock_master is not ClockMaster.SERVER:
        return state
    return replace(state, clock=state.clock.started(event.at))


def _clock_set(state: GameState, event: ev.ClockSet) -> GameState:
    clock = state.clock.corrected(
        event.white_ms, event.black_ms, event.turn, event.at, moves=event.moves, periods=event.periods
    )
    return replace(state, clock=clock, owed=None)


def _time_added(state: GameState, event: ev.TimeAdded) -> GameState:
    return replace(state, clock=state.clock.added(event.seat, event.ms, event.at))


def _increment_set(state: GameState, event: ev.IncrementSet) -> GameState:
    return replace(state, clock=state.clock.with_increment(event.increment_ms, event.at))


def _period_begun(state: GameState, event: ev.PeriodBegun) -> GameState:
    return replace(state, clock=state.clock.next_period(event.seat, event.at))


def _flag_fell(state: GameState, event: ev.FlagFell) -> GameState:
    return replace(state, clock=state.clock.flagged(event.seat, event.at))


def _interrupted(state: GameState, event: ev.Interrupted) -> GameState:
    return replace(state, clock=state.clock.stood_at(event.white_ms, event.black_ms, event.turn))


def _master_changed(state: GameState, event: ev.ClockMasterChanged) -> GameState:
    """Another clock's presses did not move ours: when it leads again, it stands for the player whose time it is."""
    clock = state.clock
    if event.clock_master is not ClockMaster.SERVER:
        clock = clock.paused(event.at)
    elif state.clock_master is not ClockMaster.SERVER:
        last = state.ply(state.made_plies)
        clock = replace(clock, turn=last.seat if last is not None and not last.completed else state.on_move)
    return replace(state, clock_master=event.clock_master, clock=clock)


def _adapted(state: GameState, event: ev.AdaptationRecorded) -> GameState:
    others = tuple((name, value) for name, value in state.adaptations if name != event.name)
    return replace(state, adaptations=(*others, (event.name, event.value)))


def _mended(state: GameState, event: ev.GameMended) -> GameState:
    told = tuple(one for one in state.ends_told if one[1] < event.ply)  # what comes after is another game now
    state = _with_ply(state, replace(_record(state, event.ply), mended=event.uci))
    return replace(state, out_of_step=False, ends_told=told)


def _offered(state: GameState, event: ev.DrawOffered) -> GameState:
    white, black = state.offers
    more = 0 if event.by_claim else 1
    counts = (white + more, black) if event.seat is Seat.WHITE else (white, black + more)
    return replace(state, offer_by=event.seat, offer_after=len(state.plies), offers=counts)


def _draw_claimed(state: GameState, event: ev.DrawClaimed) -> GameState:
    claim = OpenClaim(event.seat, event.ply, event.kind, event.announcement, event.text, event.ground)
    return replace(state, claim=claim)


def _claim_ruled(state: GameState, event: ev.ClaimRuled) -> GameState:
    claim = state.claim or state.postponed
    if claim is None:
        return state
    if event.ruling == "postponed":
        return replace(state, claim=None, postponed=claim)
    if event.kind == "increment":
        return replace(state, claim=None, increment_request="granted" if event.ruling == "correct" else "refused")
    if event.kind == "quickplay":
        return replace(state, claim=None, postponed=None)
    wrong = event.ruling == "wrong" and claim.announcement is not None
    return replace(state, claim=None, intended=claim if wrong else state.intended)


def _alerted(state: GameState, event: ev.Alerted) -> GameState:
    if event.kind not in ENDS:
        return state
    return replace(state, ends_told=(*state.ends_told, (event.kind, event.ply, event.grey)))


def _offer_answered(state: GameState, event: ev.DrawAnswered) -> GameState:
    return replace(state, offer_by=None)


def _adjusting(state: GameState, event: ev.Adjusting) -> GameState:
    """Only who has the move may adjust (4.2.1)."""
    return replace(state, adjusting=(event.seat, state.ply_to_make)) if event.seat is state.on_move else state


def _touch_reported(state: GameState, event: ev.TouchReported) -> GameState:
    """The opponent's touch rejects an offer that stands (9.1.2.1); at the tactile board lifting does (D.2.2)."""
    state = replace(state, touches=(*state.touches, event))
    tactile = state.plan(event.seat).kind is SeatKind.TACTILE
    binds = not event.because and not event.sealed and event.how in (("lifted",) if tactile else ("lifted", "touched"))
    if binds and state.offer_by is event.seat.other and event.ply > state.offer_after:
        return replace(state, offer_by=None)
    return state


def _touch_ruled(state: GameState, event: ev.TouchRuled) -> GameState:
    ruled = replace(state.touches[event.number - 1], because="" if event.counts else "accident")
    return replace(state, touches=(*state.touches[: event.number - 1], ruled, *state.touches[event.number :]))


def _evidence_opened(state: GameState, event: ev.EvidenceOpened) -> GameState:
    return replace(state, touches=tuple(replace(touch, sealed=False) for touch in state.touches))


def _irregularity_ruled(state: GameState, event: ev.IrregularityRuled) -> GameState:
    if not event.confirmed:
        return state
    illegals = (*state.illegals, (event.seat, event.kind))
    return replace(state, illegals=illegals, ruled=(*state.ruled, (event.ply, event.seat)))


def _restored(state: GameState, event: ev.Restored) -> GameState:
    """What was touched before and in an illegal move obliges in the move that replaces it (7.5.1)."""
    ply, replacing = event.ply, None
    wrong = event.discarded[0] if event.discarded else None
    if wrong is not None and len(state.positions) > ply and any(ruled == ply + 1 for ruled, _ in state.ruled):
        replacing = (ply + 1, touches_of_move(state.positions[ply], wrong))
    last = ply if replacing is None else ply + 1
    return replace(
        state,
        plies=state.plies[:ply],
        line=state.line[:ply],
        positions=state.positions[: ply + 1],
        discarded=(*state.discarded, state.plies[ply:]),
        touches=tuple(t if t.ply <= last or t.because else replace(t, because="restored") for t in state.touches),
        ruled=tuple(one for one in state.ruled if one[0] <= ply),
        replacing=replacing,
        adjusting=None,
        owed=None,
        offer_by=None,
        intended=None,
        ends_told=tuple(one for one in state.ends_told if one[1] <= ply),
    )


def _recording_exempted(state: GameState, event: ev.RecordingExempted) -> GameState:
    white, black = state.exempt
    return replace(state, exempt=(event.period, black) if event.seat is Seat.WHITE else (white, event.period))


def _sheet_asked(state: GameState, event: ev.SheetAsked) -> GameState:
    white, black = state.sheet_requests
    return replace(state, sheet_requests=(event.number, black) if event.seat is Seat.WHITE else (white, event.number))


def _device_registered(state: GameState, event: ev.DeviceRegistered) -> GameState:
    return replace(state, devices=(*state.devices, (event.device, event.approved)))


def _ended(state: GameState, event: ev.GameEnded) -> GameState:
    return replace(state, result=event.result, reason=event.reason, clock=state.clock.paused(event.at))


ENDS = ("checkmate", "stalemate", "dead_position", "fivefold", "seventy_five_moves")
CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.Adjusting: _adjusting,
    ev.TouchReported: _touch_reported,
    ev.TouchRuled: _touch_ruled,
    ev.EvidenceOpened: _evidence_opened,
    ev.IrregularityRuled: _irregularity_ruled,
    ev.Restored: _restored,
    ev.AnnouncementOwed: lambda state, event: replace(state, owed=event.seat),
    ev.RecordingExempted: _recording_exempted,
    ev.SheetAsked: _sheet_asked,
    ev.DeviceRegistered: _device_registered,
    ev.TableOpened: _opened,
    ev.StationAdmitted: _admitted,
    ev.GameStarted: _started,
    ev.Announced: _announced,
    ev.NotUnderstood: _not_understood,
    ev.Contested: _contested,
    ev.Made: _made,
    ev.Completed: _completed,
    ev.ClockPressed: _pressed,
    ev.AnnouncementRepeated: _repeated,
    ev.Echoed: _echoed,
    ev.EchoRecalled: _echo_recalled,
    ev.Executed: _executed,
    ev.BoardMoved: _board_moved,
    ev.BoardSet: _board_set,
    ev.ScoreWritten: _score_written,
    ev.ClockPaused: _paused,
    ev.ClockResumed: _resumed,
    ev.ClockSet: _clock_set,
    ev.TimeAdded: _time_added,
    ev.IncrementSet: _increment_set,
    ev.PeriodBegun: _period_begun,
    ev.FlagFell: _flag_fell,
    ev.Interrupted: _interrupted,
    ev.ModeChanged: lambda state, event: replace(state, mode=event.mode),
    ev.ClockMasterChanged: _master_changed,
    ev.AdaptationRecorded: _adapted,
    ev.GameMended: _mended,
    ev.OutOfStep: lambda state, event: replace(state, out_of_step=True),
    ev.DrawOffered: _offered,
    ev.DrawClaimed: _draw_claimed,
    ev.ClaimRuled: _claim_ruled,
    ev.Resigned: lambda state, event: replace(state, resigned=event.seat),
    ev.Alerted: _alerted,
    ev.DrawAnswered: _offer_answered,
    ev.GameEnded: _ended,
}
