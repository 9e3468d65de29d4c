"""This file decides in one place who may see what: `view(event, state, station) -> Message | None`.

Pure.

`web`, the voice queues and the braille displays send nothing else. In a rated game nothing here depends on the position
for a player: no "illegal", no "your move", no time or move number unasked (12.6, D.2.10.4, 11.3.1).
"""

from __future__ import annotations

import msgspec

from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.adaptations import adapted
from server.game.decide.moves.touch import obligation_of
from server.game.decide.questions import lent_cells
from server.game.decide.rulings.conduct import exempt_now
from server.game.decide.rulings.next_game import seat_in_next
from server.game.decide.rulings.restore import complained_of
from server.game.decide.set_up.table import quickplay_holds
from server.game.laws.adaptations import ON
from server.game.laws.results import RESULTS, points_of
from server.game.state.line import PlyRecord, fits
from server.game.state.state import GameState
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.clock import (
    answer_shown,
    choice_shown,
    clock_shown,
    clock_told,
    sees_clock,
    setting_shown,
)
from server.game.views.press_keys import press_keys_shown, press_keys_told
from server.game.views.scores import (
    board_to_set,
    claim_looked,
    claim_shown,
    offer_shown,
    reconstruction_shown,
    sheet_shown,
)
from server.game.views.sound import about_sound, sound_shown
from server.game.views.table import table_shown

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
)
OF_EVERY_MOVE = (ev.Made, ev.Completed, ev.Executed, ev.ClockPressed)
"""Of these a seat is told what its clock shows, and nothing else."""
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
    if isinstance(event, ev.PressKeysAsked | ev.PressKeysTold) and station.role is not Role.ARBITER:
        return press_keys_told(event, state, station)
    if isinstance(event, ev.NextGameOpened) and station.role is not Role.ARBITER:
        return _next_game_shown(state, station)
    match station.role:
        case Role.ARBITER if isinstance(event, ev.TouchReported) and event.sealed:
            return None
        case Role.ARBITER if isinstance(event, ev.Answered) and event.station == station.id:
            return answer_shown(event, event.seat, state.time.clock.control)
        case Role.ARBITER:
            return msg.Recorded(event=event, alerts=state.rulings.alert_changes)
        case Role.DISPLAY:
            return _for_display(event, state)
        case Role.OBSERVER:
            return _for_observer(event, state)
        case _:
            return _for_seat(event, state, station)


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


def _for_seat(event: ev.AnyEvent, state: GameState, station: Station) -> msg.AnyMessage | None:
    seat = station.seat
    assert seat is not None
    if isinstance(event, OF_EVERY_MOVE):  # looked at first, because most events are these
        return clock_shown(state, event.at) if isinstance(event, CLOCK_EVENTS) and sees_clock(state, station) else None
    if isinstance(event, ev.Alerted) and event.kind != "echo_differs":
        return None
    match event:
        case ev.Announced() | ev.AnnouncementRepeated() | ev.Contested():
            if event.seat is seat:
                doubtful = isinstance(event, ev.Announced) and event.doubtful
                return msg.Understood(words=event.words, text=event.text, utterance=event.utterance, doubtful=doubtful)
            if (
                (state.table.mode is Mode.RELAY or _reads(state, seat) or _announces(station))
                and not isinstance(event, ev.Contested)
                and event.words
                and not getattr(event, "joins", False)
            ):
                return msg.Relayed(words=event.words, text=event.text)
        case ev.Echoed():
            if event.seat is seat:
                return msg.Understood(
                    words=event.words,
                    text=event.text,
                    utterance=event.utterance,
                    doubtful=event.doubtful,
                    echo=_perhaps_own(event, state),
                )
        case ev.Alerted(kind="echo_differs") if state.table.mode is Mode.RELAY:
            record = state.ply(event.ply)
            if record is not None and record.seat is not seat and record.words:
                return msg.Relayed(words=record.words, text=record.text, again=True)
        case ev.NotUnderstood():
            if event.seat is seat and event.ask and may_ask(state, seat, event.at):
                ask = event.unclear or ("either" if event.either else "repeat")
                return msg.Question(ask=ask, utterance=event.utterance, either=event.either or _completed(event))
        case ev.TrainingAsked():
            if event.seat is seat and state.table.trains and may_ask(state, seat, event.at):
                return msg.Question(
                    ask=event.ask,
                    utterance=event.utterance,
                    piece=event.piece,
                    choices=event.choices,
                    either=_from_each(event, state),
                )
        case ev.Answered():
            if event.station == station.id:
                return answer_shown(event, seat, state.time.clock.control)
        case ev.Explored():
            if event.station == station.id and state.table.trains:
                return _position_told(event)
        case ev.CommandRefused():
            if event.station == station.id:
                return msg.NotDone(code=event.code, article=event.article)
        case ev.ScoreWritten():
            if event.seat is seat:
                return msg.ScoreLine(index=event.index, text=event.text, source=event.source)
        case ev.ScoreLent():
            if event.to is seat and station.role is Role.PLAYER:
                return msg.OpponentScore(lent=True, cells=lent_cells(state, seat.other))
        case ev.ScoreReturned():
            if event.seat is seat and station.role is Role.PLAYER:
                return msg.OpponentScore(lent=False)
        case ev.BoardMoved() | ev.BoardSet():
            if event.board is seat and _sees_own_board(state, station):
                board = state.board_of(seat)
                moved = isinstance(event, ev.BoardMoved) or event.before is not None
                return msg.BoardShown(
                    placement=board.position.placement, before=board.before.placement if moved else ""
                )
        case ev.DeskDecided() | ev.BoardsToSet() | ev.SquareAsked() | ev.BoardSaidSet():
            return board_to_set(event, station)
        case ev.FlagFell() if not sees_clock(state, station):
            if adapted(state, "flag_cue_private") == ON:
                return msg.FlagShown(own=event.seat is seat)
        case ev.TimeCued() if station.role is Role.PLAYER and not sees_clock(state, station):
            if event.seat is seat and not event.late:
                return msg.TimeCue(left_s=event.left_s, way=event.way)
        case ev.IncrementSet():
            return msg.IncrementShown(increment_ms=event.increment_ms)
        case ev.IncidentUndone():
            return msg.RulingShown(own=False, what="undone", article="")
        case ev.ClaimRuled() | ev.IrregularityRuled() | ev.Penalised():
            return _ruling_shown(event, seat)
        case ev.ClockProposed() | ev.ClockKept() | ev.ClockSetUp():
            return setting_shown(event, state, station)
        case ev.ClockChoiceAsked() | ev.ClockChoiceEnded() if station.role is Role.PLAYER and event.seat is seat:
            return choice_shown(event, state)
        case ev.ModeChanged():
            return msg.ModeShown(mode=event.mode, in_game=state.table.started)
        case ev.Proposed():
            if event.seat is seat:
                within_ms = max(0, event.until_ms - event.at)
                return msg.Question(ask=event.what, utterance=event.utterance, within_ms=within_ms)
        case ev.ProposalSettled(outcome="refused"):
            return msg.NoTaken(what=event.what) if event.seat is seat else None
        case ev.DrawClaimed(awaits=True) | ev.ClaimKindAsked() | ev.ClaimKindStated(kind="unstated"):
            if event.seat is seat:
                asks = () if isinstance(event, ev.ClaimKindStated) else event.asks
                return msg.Question(ask=f"claim_{asks[0]}" if asks else "intended", utterance=None)
        case ev.DrawClaimed(kind="quickplay") | ev.ClaimKindStated(kind="quickplay"):
            mine = event.seat is seat and station.role is Role.PLAYER
            return msg.ActTaken(what="claim") if mine and not state.table.regulations.unsupervised else None
        case ev.IntendedStated() | ev.SaidToArbiter():
            return _read_back(event, state, station)
        case ev.SessionStarted():
            return msg.SessionShown(length_ms=event.length_ms)
        case ev.StationAdmitted():
            return guidelines_shown(state) if event.station == station.id and quickplay_holds(state) else None
        case ev.ReviewReleased() if station.role is Role.PLAYER:
            return msg.ReviewShown(released=event.released)
        case ev.PairingTold():
            return (
                msg.PairingShown(pairing=event.pairing, changed=event.changed) if event.station == station.id else None
            )
        case ev.GuidelinesSettled():
            return None if state.table.started else guidelines_shown(state)
        case ev.PlayConcluded() if station.role is Role.PLAYER:
            return claim_shown(event, state, seat)
        case ev.LawReleased():
            if event.seat is seat:
                return msg.LawRead(article=event.article)
        case ev.DrawOffered():
            own, claim = event.seat is seat, state.draws.claim
            if own and event.by_claim and claim is not None and claim.awaits:
                return None  # the question of the intended move tells it, and is the last that is said
            return msg.DrawOffer(
                own=own, by_claim=event.by_claim, acknowledge=not own and not state.draws.offer_delivered
            )
        case ev.TouchRuled(offer="back"):  # the arbiter has ruled that it was never rejected (9.1.2.1)
            return msg.DrawOffer(own=state.draws.offer_by is seat, by_claim=state.draws.offer_by_claim)
        case ev.SoundLost():
            return msg.LinkShown(what=event.what) if event.seat is seat and station.role is Role.PLAYER else None
        case _ if about_sound(event, seat):
            return sound_shown(state, seat, station, event)
        case ev.DrawAnswered() if not event.after_touch:
            return msg.DrawReply(accepted=event.accepted, own=event.seat is seat, by_move=event.by_move)
        case ev.SealOrdered():
            return msg.AdjournmentShown(stage="ordered", own=event.seat is seat)
        case ev.Adjourned():
            return msg.AdjournmentShown(stage="sealed", own=event.seat is seat)
        case ev.EnvelopeOpened() | ev.EnvelopeMissing():
            return msg.AdjournmentShown(stage="resumed", own=event.seat is seat)
        case ev.Resigned():
            return msg.ResignationShown(own=event.seat is seat)
        case ev.GameEnded():
            return msg.Ended(result=event.result, reason=event.reason, article=event.article)
        case ev.ArbiterCalled() | ev.TimeClaimed() | ev.ResultApproved():
            return _act_taken(event, station)
        case _:
            told = clock_told(event, state, station)
            if not sees_clock(state, station):
                return told
            if isinstance(event, CLOCK_EVENTS):
                return msgspec.structs.replace(clock_shown(state, event.at), told=told)
    return None


PROMOTED = ("queen", "rook", "bishop", "knight")
PIECES = ("king", *PROMOTED, "pawn")
NOT_HEARD = "?"
"""In the words of a sound: one that was there and was not understood."""


def _completed(event: ev.NotUnderstood) -> tuple[tuple[str, ...], ...]:
    """Return the announcements that close what the sound left open, a promotion or the one piece that was not heard.

    They are the same in every position; () where too many could close it.
    """
    last = max((place for place, word in enumerate(event.words) if word.startswith("rank.")), default=-1)
    if event.unclear == "promotion" and last >= 0:
        return tuple((*event.words[: last + 1], f"piece.{one}") for one in PROMOTED)
    if event.unclear == "piece" and event.words[:1] == (NOT_HEARD,):
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


def _act_taken(event: ev.ArbiterCalled | ev.TimeClaimed | ev.ResultApproved, station: Station) -> msg.ActTaken | None:
    """Return what a player has done, for that player, and for an assistant whose duty it is (D.2.10.5)."""
    assists = Duty.CLAIM_AND_REPORT in station.duties and not isinstance(event, ev.ResultApproved)
    if event.seat is not station.seat or not (station.role is Role.PLAYER or assists):
        return None
    match event:
        case ev.ArbiterCalled(reason=reason):
            return msg.ActTaken(what="medical" if reason == "medical" else "arbiter")
        case ev.TimeClaimed():
            return msg.ActTaken(what="flag")
    return msg.ActTaken(what="approved", result=event.result)


def _position_told(event: ev.Explored) -> msg.PositionTold:
    """Return the answer as it is recorded."""
    return msg.PositionTold(
        about=event.about,
        white=event.white,
        black=event.black,
        squares=event.squares,
        takes=event.takes,
        words=event.words,
    )


def guidelines_shown(state: GameState) -> msg.GuidelinesShown:
    """Return whether a quickplay finish is played here, as the players are told before the start.

    See III.2.1, L232.
    """
    return msg.GuidelinesShown(quickplay=quickplay_holds(state), unsupervised=state.table.regulations.unsupervised)


def _next_game_shown(state: GameState, station: Station) -> msg.NextGameShown | None:
    """Return where a station goes when the game is cancelled and the new one's table is open (7.2.1)."""
    if state.table.next_game is None or not state.table.next_game.open:
        return None
    return msg.NextGameShown(table=state.table.next_game.table, seat=seat_in_next(state, station))


def _ruling_shown(event: ev.ClaimRuled | ev.IrregularityRuled | ev.Penalised, seat: Seat) -> msg.RulingShown | None:
    """Return what the arbiter declares at the board, to both players alike.

    Nobody is told that an alert was unfounded.
    """
    match event:
        case ev.ClaimRuled():
            what = f"claim_{event.ruling}"
        case ev.IrregularityRuled():
            if not event.confirmed:
                return None
            what = event.kind
        case ev.Penalised():
            what = event.penalty
    return msg.RulingShown(own=event.seat is seat, what=what, article=event.article)


def _read_back(
    event: ev.IntendedStated | ev.SaidToArbiter, state: GameState, station: Station
) -> msg.AnyMessage | None:
    """Return the read-back for a player who spoke to the arbiter alone.

    Nobody else gets it, no assistant either (9.2.1).
    """
    if event.seat is not station.seat or station.role is not Role.PLAYER:
        return None
    if event.words and event.announcement is not None:
        return msg.Understood(words=event.words, text=event.text, utterance=event.utterance)
    if isinstance(event, ev.IntendedStated):
        return msg.NoTaken(what="intended")
    awaited = isinstance(event, ev.SaidToArbiter) and state.draws.claim is not None and state.draws.claim.awaits
    return msg.Question(ask="intended", utterance=event.utterance) if awaited else None


def _for_display(event: ev.AnyEvent, state: GameState) -> msg.AnyMessage | None:
    if isinstance(event, CLOCK_EVENTS):
        return clock_shown(state, event.at)
    if isinstance(event, ev.Completed):
        return displayed(state)
    if isinstance(event, ev.BoardMoved | ev.BoardSet):
        last = last_completed(state)
        return displayed(state) if last is None or event.board is last.seat else None
    if isinstance(event, ev.LineSettled):
        return displayed(state)
    if isinstance(event, ev.SessionStarted):
        return msg.SessionShown(length_ms=event.length_ms)
    if isinstance(event, ev.GameEnded):
        return msg.Ended(result=event.result, reason=event.reason, article=event.article)
    return None


def _for_observer(event: ev.AnyEvent, state: GameState) -> msg.AnyMessage | None:
    """Return what anybody standing at the table sees (12.4): both boards and the clocks.

    No words are shown, and nothing is judged.
    """
    if isinstance(event, ev.BoardMoved | ev.BoardSet):
        return _boards(state)
    if isinstance(event, CLOCK_EVENTS):
        return clock_shown(state, event.at)
    if isinstance(event, ev.SessionStarted):
        return msg.SessionShown(length_ms=event.length_ms)
    if isinstance(event, ev.GameEnded):
        return msg.Ended(result=event.result, reason=event.reason, article=event.article)
    return None


def _boards(state: GameState) -> msg.BoardsShown:
    white, black = state.moves.white_board.position.placement, state.moves.black_board.position.placement
    return msg.BoardsShown(white=white, black=black)


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
        and adapted(state, "machine_announces") == ON
    )


def _sees_own_board(state: GameState, station: Station) -> bool:
    """Return whether this station may show its player's own board: a sighted player looks at it anyway."""
    seat = station.seat
    return station.role is Role.PLAYER and seat is not None and state.plan(seat).kind is SeatKind.SIGHTED


def may_ask(state: GameState, seat: Seat, at: int) -> bool:
    """Return whether a player may be asked anything now.

    Not in time trouble, and not where the program is only a clock.
    """
    if state.table.mode is Mode.CLOCK:
        return False
    clock, event = state.time.clock, state.table.regulations
    period = clock.control.periods[clock.side(seat).period]
    long = period.increment_ms >= event.long_increment_s * 1000
    limit_s = event.trouble_with_increment_s if long else event.trouble_s
    return clock.remaining(seat, at) >= limit_s * 1000


def last_completed(state: GameState) -> PlyRecord | None:
    return next((record for record in reversed(state.moves.plies) if record.completed), None)


def displayed(state: GameState) -> msg.Shown:
    """Return the mover's own board after the last completed move.

    Players look at a display too, so it never shows the server's belief: that depends on what is legal, and a knight's
    move would show that the other knight is pinned.
    """
    last = last_completed(state)
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
    before = state.position_after(record.index - 1)
    if not record.settled or record.announcement is None:
        return not record.settled
    return record.mended is not None and before is not None and fits(record.announcement, before.board(), record.mended)


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
    reading = state.time.clock.reading(at)
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
        white_ms=reading.white_ms,
        black_ms=reading.black_ms,
        running=reading.running,
        first_flag=reading.first_flag,
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
        shown=displayed(state) if display else None,
        board=state.board_of(station.seat).position.placement
        if station.seat is not None and _sees_own_board(state, station)
        else None,
        boards=_boards(state) if observer else None,
        sound=sound_shown(state, station.seat, station) if station.seat is not None else None,
        training=state.table.trains,
        chess960=state.moves.positions[0].chess960,
        press_keys=press_keys_shown(state, station),
        next_game=_next_game_shown(state, station),
        follows=state.table.follows if arbiter else "",
        quickplay=quickplay_holds(state),
        unsupervised=state.table.regulations.unsupervised,
        before=_stood_before(state, station),
    )


def _stood_before(state: GameState, station: Station) -> tuple[str, ...]:
    """Return how the boards that a station is shown stood before their last move, so that its page can mark that move.

    A display is told where that board became the one that it shows by the last move and by nothing else.
    """
    boards = state.moves.white_board, state.moves.black_board
    if station.role in (Role.ARBITER, Role.OBSERVER):
        return tuple(board.before.placement for board in boards)
    if station.seat is not None:
        return (state.board_of(station.seat).before.placement,) if _sees_own_board(state, station) else ()
    last = last_completed(state) if station.role is Role.DISPLAY else None
    move = state.moves.line[last.index - 1] if last is not None else None
    if last is None or move is None:
        return ()
    board = state.board_of(last.seat)
    try:
        by_this_move = board.before.after(move).placement
    except ValueError:  # that board lacks the piece: it became what it is by something else
        return ()
    made = displayed(state).placement == board.position.placement == by_this_move
    return (board.before.placement,) if made else ()
