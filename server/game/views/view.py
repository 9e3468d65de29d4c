"""Who may see what is decided here by role, and of a seat in `seats`, event by event. Pure.

`view(event, state, station) -> Message | None`: `web`, the voice queues and the braille displays send nothing else. In
a rated game nothing here depends on the position for a player: no "illegal", no "your move", no time or move number
unasked (12.6, D.2.10.4, 11.3.1).
"""

from __future__ import annotations

import msgspec

from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.restore import complained_of
from server.game.decide.scores import exempt_now
from server.game.decide.set_up.table import quickplay_holds
from server.game.decide.touch import obligation_of
from server.game.laws.results import RESULTS, points_of
from server.game.state.line import PlyRecord, fits, last_completed
from server.game.state.state import GameState
from server.game.values.words import Duty, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.scores import claim_looked, offer_shown, reconstruction_shown, sheet_shown
from server.game.views.seats import (
    adjournment,
    clock,
    conduct,
    desk,
    endings,
    moves,
    questions,
    rulings,
    schedule,
    scores,
    sound,
    stations,
    table,
)
from server.game.views.seats.clock import clock_shown, sees_clock
from server.game.views.seats.moves import sees_own_board
from server.game.views.seats.questions import answer_shown
from server.game.views.seats.shown import check_shown, is_shown_everywhere, message_for
from server.game.views.seats.sound import sound_shown
from server.game.views.seats.stations import press_keys_shown
from server.game.views.seats.table import next_game_shown
from server.game.views.table import table_shown

SUBJECTS = (
    *(adjournment, clock, conduct, desk, endings, moves, questions, rulings, schedule, scores, sound, stations, table),
)
"""The files of what a seat is told, whose functions are registered once they are imported."""
check_shown(ev.events())

CLOCK_EVENTS = (
    ev.GameStarted,
    ev.ClockPressed,
    ev.AnnouncementWaited,
    ev.ClockPaused,
    ev.ClockResumed,
    ev.ClockSet,
    ev.FlagFell,
    ev.TimeAdded,
    ev.IncrementSet,
    ev.PeriodBegun,
    ev.Interrupted,
    ev.ClockMasterChanged,
    ev.ClockSetUp,
    ev.ClockRead,
)
PICTURE_EVENTS = (
    *CLOCK_EVENTS,
    ev.TableOpened,
    ev.Announced,
    ev.Made,
    ev.Completed,
    ev.Echoed,
    ev.Executed,
    ev.BoardMoved,
    ev.BoardSet,
    ev.ScoreWritten,
    ev.ModeChanged,
    ev.GameMended,
    ev.BeliefRevised,
    ev.OutOfStep,
    ev.GameEnded,
    ev.ResultApproved,
    ev.TouchReported,
    ev.TouchRuled,
    ev.EvidenceOpened,
    ev.Restored,
    ev.SetUpRuled,
    ev.RecordingExempted,
    ev.DrawOffered,
    ev.DrawAnswered,
    ev.DrawClaimed,
    ev.ClaimKindStated,
    ev.IntendedStated,
    ev.ClaimRuled,
    ev.ScoresheetRecorded,
    ev.ScoreDue,
    ev.ScoreLent,
    ev.ScoreReturned,
    ev.ReconstructionBegun,
    ev.ReconstructionMoved,
    ev.ReconstructionUndone,
    ev.ReconstructionEnded,
    *ev.DESK_EVENTS,
)


def changes_picture(event: ev.AnyEvent) -> bool:
    """Say whether the arbiter is told of this event, and sees the whole game differently after it."""
    return isinstance(event, PICTURE_EVENTS) and not (isinstance(event, ev.TouchReported) and event.sealed)


def view(event: ev.AnyEvent, state: GameState, station: Station) -> msg.AnyMessage | None:
    """Return what a station is told of an event, given the state after it; None for most events.

    The arbiter is told all of it without a picture: that goes with one event of a command (`changes_picture`).
    """
    match station.role:
        case Role.ARBITER if isinstance(event, ev.TouchReported) and event.sealed:
            return None
        case Role.ARBITER if isinstance(event, ev.Answered) and event.station == station.id:
            return answer_shown(event, event.seat, state.time.clock.control)
        case Role.ARBITER:
            return msg.Recorded(event=event, alerts=state.rulings.alert_changes)
        case Role.DISPLAY if not is_shown_everywhere(event):
            return _for_display(event, state)
        case Role.OBSERVER if not is_shown_everywhere(event):
            return _for_observer(event, state)
    return message_for(event, state, station)


def earlier(event: ev.AnyEvent) -> msg.Recorded | None:
    """Return what a device of the arbiter is told of an event that happened before it came.

    It is told the same as another device was, without picture and rules.
    """
    if isinstance(event, ev.TableOpened):  # rules, checklist and adaptations are in its greeting
        event = msgspec.structs.replace(event, rules=None, adaptations=(), checklist=())
    return None if isinstance(event, ev.TouchReported) and event.sealed else msg.Recorded(event=event)


def view_refusal(command_id: str, refusal: Refusal | None) -> msg.OutcomeShown:
    """Return the answer to a command, in the same words whatever the position."""
    if refusal is None:
        return msg.OutcomeShown(id=command_id, ok=True)
    return msg.OutcomeShown(id=command_id, ok=False, code=refusal.code, article=refusal.article)


def _for_display(event: ev.AnyEvent, state: GameState) -> msg.AnyMessage | None:
    if isinstance(event, CLOCK_EVENTS):
        return clock_shown(state, event.at)
    if isinstance(event, ev.Completed):
        return board_displayed(state)
    if isinstance(event, ev.BoardMoved | ev.BoardSet):
        last = last_completed(state.moves.plies)
        return board_displayed(state) if last is None or event.board is last.seat else None
    if isinstance(event, ev.LineSettled):
        return board_displayed(state)
    return None


def _for_observer(event: ev.AnyEvent, state: GameState) -> msg.AnyMessage | None:
    """Return what anybody standing at the table sees (12.4): both boards and the clocks.

    No words are shown, and nothing is judged.
    """
    if isinstance(event, ev.BoardMoved | ev.BoardSet):
        return _boards(state)
    if isinstance(event, CLOCK_EVENTS):
        return clock_shown(state, event.at)
    return None


def _boards(state: GameState) -> msg.BoardsShown:
    white, black = state.moves.white_board.position.placement, state.moves.black_board.position.placement
    return msg.BoardsShown(white=white, black=black)


def board_displayed(state: GameState) -> msg.Shown:
    """Return the mover's own board after the last completed move.

    Players look at a display too, so it never shows the server's belief: that depends on what is legal, and a knight's
    move would show that the other knight is pinned.
    """
    last = last_completed(state.moves.plies)
    if last is None:
        return msg.Shown(placement=state.moves.positions[0].placement, words=(), text="")
    board = state.board_of(last.seat)
    coming = state.ply(last.index + 1)
    stands = board.before if coming is not None and coming.executed_ms is not None else board.position
    slipped = last.placed is not None and last.hand_differs  # what stands there was not announced: an arbiter's matter
    placement = stands.placement if last.own_board_moved and not slipped else None
    if not said_what_was_played(state, last):  # the words were misheard, as the arbiter found (D.2.9)
        return msg.Shown(placement=placement, words=(), text="")
    return msg.Shown(placement=placement, words=last.words, text=last.text)


def said_what_was_played(state: GameState, record: PlyRecord) -> bool:
    """Return whether the words of a move may be shown.

    They may, unless the arbiter settled that another move was played.
    """
    if not record.settled:
        return True
    before, said = state.position_after(record.index - 1), record.announcement
    if before is None or said is None or record.mended is None:
        return False
    return fits(said, before.board(), record.mended)


def _behind(state: GameState) -> Seat | None:
    """Return the board that lacks only the last move, which already stands on the other board."""
    record = next(
        (one for one in reversed(state.moves.plies) if one.own_board_moved or one.executed_ms is not None), None
    )
    if record is None or record.own_board_moved == (record.executed_ms is not None):
        return None
    behind = record.seat.other if record.own_board_moved else record.seat
    ahead = state.board_of(behind.other)
    lacks = state.board_of(behind).position.placement == ahead.before.placement != ahead.position.placement
    return behind if lacks else None


def _points(state: GameState) -> tuple[str, str] | None:
    """Return the points of the result by the scheme of the event (10.1, L115)."""
    if state.ending.result not in RESULTS:
        return None
    points = points_of(state.ending.result, state.table.regulations.points)
    return str(points.white), str(points.black)


def picture(state: GameState, at: int) -> msg.Picture:
    """Return everything at a glance, for the arbiter."""
    clock = clock_shown(state, at)
    position = state.position
    obliged = obligation_of(state, state.ply_to_make)
    return msg.Picture(
        white_board=state.moves.white_board.position.placement,
        black_board=state.moves.black_board.position.placement,
        game=position.placement if position is not None else None,
        made_plies=state.made_plies,
        line=state.moves.line,
        white_score=tuple(cell.text if cell else None for cell in state.scores.white),
        black_score=tuple(cell.text if cell else None for cell in state.scores.black),
        white_ms=clock.white_ms,
        black_ms=clock.black_ms,
        running=clock.running,
        first_flag=clock.first_flag,
        mode=state.table.mode,
        out_of_step=state.moves.out_of_step,
        points=_points(state),
        behind=_behind(state),
        obliged=obliged.moves if obliged is not None and not obliged.free else (),
        obliged_by=obliged.article if obliged is not None else "",
        exempt=exempt_now(state),
        white_sheet=sheet_shown(state, Seat.WHITE),
        black_sheet=sheet_shown(state, Seat.BLACK),
        offers=tuple(offer_shown(state, ply) for ply in dict.fromkeys(state.draws.offers_at)),
        reconstruction=reconstruction_shown(state),
        claim=claim_looked(state),
        ended=_end_shown(state),
        complained=complained_of(state),
        age_ms=clock.age_ms,
    )


def _end_shown(state: GameState) -> msg.EndShown | None:
    """Return the result with its reason and article, and what the players have approved (8.7)."""
    if state.ending.result is None:
        return None
    approved = {seat.value: result for seat, result in state.ending.approvals}
    return msg.EndShown(
        result=state.ending.result, reason=state.ending.reason, article=state.ending.ended_by, **approved
    )


def greeting(state: GameState, station: Station, now: int) -> msg.Greeting:
    """Return what a station sees when it connects or comes back.

    A tactile player sees no clock and no board.
    """
    plan = state.plan(station.seat) if station.seat is not None else None
    arbiter, display = station.role is Role.ARBITER, station.role is Role.DISPLAY
    observer = station.role is Role.OBSERVER
    own = state.scores.of(station.seat) if station.seat is not None else ()
    return msg.Greeting(
        station=station.id,
        role=station.role.value,
        seat=station.seat,
        seat_kind=plan.kind.value if plan else None,
        duties=tuple(duty.value for duty in station.duties),
        mode=state.table.mode,
        rated=state.table.rated,
        started=state.table.started,
        result=state.ending.result,
        language=state.language_of(station.seat) if station.seat is not None else "en",
        scheme=plan.scheme if plan else "d21",
        names=(state.table.white.name, state.table.black.name),
        own_score=tuple(cell.text if cell else "" for cell in own),
        clock=clock_shown(state, now) if arbiter or display or observer or sees_clock(state, station) else None,
        picture=picture(state, now) if arbiter else None,
        table=table_shown(state) if arbiter else None,
        shown=board_displayed(state) if display else None,
        board=state.board_of(station.seat).position.placement
        if station.seat is not None and sees_own_board(state, station)
        else None,
        boards=_boards(state) if observer else None,
        sound=sound_shown(state, station.seat, station) if station.seat is not None else None,
        training=state.table.trains,
        chess960=state.moves.positions[0].chess960,
        press_keys=press_keys_shown(state, station),
        next_game=next_game_shown(state, station),
        follows=state.table.follows if arbiter else "",
        quickplay=quickplay_holds(state),
        unsupervised=state.table.regulations.unsupervised,
        before=_stood_before(state, station),
        offer_unread=_offer_unread(state, station),
    )


def _offer_unread(state: GameState, station: Station) -> bool:
    """Return whether an offer stands that the player of this station, who does not hear, has not acknowledged (D.2.11).

    An assistant is told of it who brings the player the words.
    """
    draws, seat = state.draws, station.seat
    if seat is None or state.over or draws.offer_by is not seat.other or draws.offer_delivered:
        return False
    return station.role is Role.PLAYER or Duty.ANNOUNCE in station.duties


def _stood_before(state: GameState, station: Station) -> tuple[str, ...]:
    """Return how the boards that a station is shown stood before their last move, so that its page can mark that move.

    A display is told where that board became the one that it shows by the last move and by nothing else.
    """
    boards = state.moves.white_board, state.moves.black_board
    if station.role in (Role.ARBITER, Role.OBSERVER):
        return tuple(board.before.placement for board in boards)
    if station.seat is not None:
        return (state.board_of(station.seat).before.placement,) if sees_own_board(state, station) else ()
    last = last_completed(state.moves.plies) if station.role is Role.DISPLAY else None
    move = state.moves.line[last.index - 1] if last is not None else None
    if last is None or move is None:
        return ()
    board = state.board_of(last.seat)
    try:
        by_this_move = board.before.after(move).placement
    except ValueError:  # that board lacks the piece: it became what it is by something else
        return ()
    made = board_displayed(state).placement == board.position.placement == by_this_move
    return (board.before.placement,) if made else ()
