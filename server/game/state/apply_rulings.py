"""This file says how settings, offers, claims, touches, rulings and the end change the state.

A ruling on the set-up changes names, castling rights and the start of the game (7.3, A.5.1.2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.acts import SetUpRuled
from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import UNSTATED
from server.game.laws.scoresheet import Scoresheet, usual_sheet
from server.game.state.line import believed_line
from server.game.state.state import BoardState, Concluded, GameState, MateQuestion, NextGame, OpenClaim, Pending
from server.game.values.clock import ChessClock
from server.game.values.position import Position
from server.game.values.words import Boards, ClockMaster, Seat, SeatKind, Station


def set_up_ruled(state: GameState, event: SetUpRuled) -> GameState:
    """Exchange the names of reversed colours.

    Take the castling rights that a wrong set-up loses, on every board.
    """
    if event.names is not None:
        white, black = (replace(state.plan(seat), name=name) for seat, name in zip(Seat, event.names, strict=True))
        state = replace(state, white=white, black=black, names_swapped=True)
    if event.castling is None:
        return state
    start = state.positions[0]
    left = replace(start, castling=event.castling).board().castling_rights
    if event.board is None:
        begun = replace(start, placement=event.placement, castling=event.castling, en_passant="-")
        line, positions = believed_line(begun, state.plies)
        state = replace(state, line=line, positions=positions)
    else:
        state = replace(state, positions=tuple(limited(position, left) for position in state.positions))
    for seat in Seat if event.board is None else (event.board,):
        board = state.board_of(seat)
        changed = BoardState(limited(board.position, left), limited(board.before, left))
        name = "white_board" if seat is Seat.WHITE else "black_board"
        state = replace(state, **{name: changed})
    return state


def limited(position: Position, rights: int) -> Position:
    """Return the position with castling only with the rooks on these squares (a bit board)."""
    board = position.board()
    board.castling_rights &= rights
    return replace(position, castling=board.fen().split()[2])


ENDS = ("checkmate", "stalemate", "dead_position", "fivefold", "seventy_five_moves")


def _opened(state: GameState, event: ev.TableOpened) -> GameState:
    start = Position.from_fen(event.start_fen, chess960=event.chess960)
    board = BoardState(start, start)
    clock = replace(ChessClock.set_to(event.control), turn=start.turn)
    return GameState(
        opened=True,
        white=event.white,
        black=event.black,
        rated=event.rated,
        training=event.training,
        follows=event.follows,
        mode=event.mode,
        clock_master=event.clock_master,
        rule_set=event.rule_set,
        rules=event.rules or UNSTATED,
        regulations=event.regulations or EventOptions(),
        event_name=event.event_name,
        round=event.round,
        board_number=event.board,
        boards=event.boards,
        checklist=event.checklist,
        known_adaptations=event.adaptations,
        sheets=(usual_sheet(event.white.kind), usual_sheet(event.black.kind)),
        clock=clock,
        positions=(start,),
        white_board=board,
        black_board=board,
    )


def _guidelines(state: GameState, event: ev.GuidelinesSettled) -> GameState:
    regulations = replace(state.regulations, guidelines=event.guidelines, unsupervised=event.unsupervised)
    return replace(state, regulations=regulations)


def _admitted(state: GameState, event: ev.StationAdmitted) -> GameState:
    others = tuple(station for station in state.stations if station.id != event.station)
    return replace(state, stations=(*others, _station(event)))


def _revoked(state: GameState, event: ev.StationRevoked) -> GameState:
    return replace(state, stations=tuple(one for one in state.stations if one.id != event.station))


def _station(event: ev.StationAdmitted) -> Station:
    return Station(event.station, event.role, event.seat, event.duties, event.under, event.provided_by)


def _adapted(state: GameState, event: ev.AdaptationRecorded) -> GameState:
    others = tuple(one for one in state.adaptations if one.name != event.name)
    return replace(state, adaptations=(*others, event))


def _offered(state: GameState, event: ev.DrawOffered) -> GameState:
    white, black = state.offers
    more = 0 if event.by_claim else 1
    counts = (white + more, black) if event.seat is Seat.WHITE else (white, black + more)
    after = len(state.plies) if event.after is None else event.after
    delivered = not state.plan(event.seat.other).hearing_impaired
    state = replace(
        state,
        offer_by=event.seat,
        offer_by_claim=event.by_claim,
        offer_after=after,
        offers=counts,
        offer_delivered=delivered,
    )
    if event.by_claim:  # 8.1.5 asks for the mark of an offer, not of a claim
        return state
    last = state.ply(after)
    ply = after - 1 if last is not None and last.seat is not event.seat and not last.made else after
    return _spoken_of(replace(state, offers_at=(*state.offers_at, max(1, ply))), event.seat)


def _spoken_of(state: GameState, seat: Seat) -> GameState:
    if state.sheet_of(seat) is not Scoresheet.DICTATED or state.offer_ply == 0:
        return state
    return replace(state, offer_marks=(*state.offer_marks, (seat, state.offer_ply)))


def _acknowledged(state: GameState, event: ev.OfferAcknowledged) -> GameState:
    """Record that the offer was seen; what was announced before that does not reject it."""
    return replace(state, offer_delivered=True, offer_after=len(state.plies))


def _ticked(state: GameState, event: ev.ChecklistTicked) -> GameState:
    others = tuple(tick for tick in state.ticks if (tick.item, tick.seat) != (event.item, event.seat))
    return replace(state, ticks=(*others, event))


def _two_boards(state: GameState, event: ev.TwoBoardsDemanded) -> GameState:
    return replace(state, boards=Boards.TWO) if state.boards is Boards.ONE else state


def _draw_claimed(state: GameState, event: ev.DrawClaimed) -> GameState:
    claim = OpenClaim(
        event.seat, event.ply, event.kind, event.announcement, event.text, event.ground, event.awaits, event.asks
    )
    return replace(state, claim=claim)


def _kind_asked(state: GameState, event: ev.ClaimKindAsked) -> GameState:
    return state if state.claim is None else replace(state, claim=replace(state.claim, asks=event.asks))


def _kind_stated(state: GameState, event: ev.ClaimKindStated) -> GameState:
    if state.claim is None:
        return state
    awaits = event.kind == "unstated"
    return replace(state, claim=replace(state.claim, kind=event.kind, ground=event.ground, awaits=awaits, asks=()))


def _concluded(state: GameState, event: ev.PlayConcluded) -> GameState:
    return replace(state, concluded=Concluded(event.seat, event.ground, event.snapshot))


def _verified(state: GameState, event: ev.PositionVerified) -> GameState:
    if state.concluded is None:
        return state
    return replace(state, concluded=replace(state.concluded, agrees=event.agrees))


def _intended_stated(state: GameState, event: ev.IntendedStated) -> GameState:
    if state.claim is None:
        return state
    stated = replace(state.claim, announcement=event.announcement, text=event.text, awaits=False, asks=())
    return replace(state, claim=stated)


def _proposed(state: GameState, event: ev.Proposed) -> GameState:
    others = tuple(one for one in state.pending if one.seat is not event.seat)
    said = Pending(event.seat, event.what, event.sound_ms, event.until_ms, event.after, event.found)
    return replace(state, pending=(*others, said))


def _mate_asked(state: GameState, event: ev.MateAsked) -> GameState:
    asked = MateQuestion(event.number, event.seat, event.ply, event.position, event.why, event.note, event.said)
    return replace(state, mates_asked=event.number, mate_questions=(*state.mate_questions, asked))


def _mate_answered(state: GameState, event: ev.MateAnswered) -> GameState:
    left = tuple(one for one in state.mate_questions if one.number != event.number)
    return replace(state, mate_questions=left)


def _proposal_settled(state: GameState, event: ev.ProposalSettled) -> GameState:
    return replace(state, pending=tuple(one for one in state.pending if one.seat is not event.seat))


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
    grey = state.grey_alerts + event.grey
    state = replace(state, alerts=state.alerts + 1, last_alert=event.kind, grey_alerts=grey)
    if event.kind not in ENDS:
        return state
    return replace(state, ends_told=(*state.ends_told, (event.kind, event.ply, event.grey)))


def _offer_answered(state: GameState, event: ev.DrawAnswered) -> GameState:
    state = replace(state, offer_by=None)
    return state if state.offer_by_claim or event.by_move else _spoken_of(state, event.seat)


def _adjusting(state: GameState, event: ev.Adjusting) -> GameState:
    """Record that the player on move adjusts pieces; nobody else may (4.2.1)."""
    return replace(state, adjusting=(event.seat, state.ply_to_make)) if event.seat is state.on_move else state


def _touch_reported(state: GameState, event: ev.TouchReported) -> GameState:
    """Record a touch; the opponent's touch rejects an open offer (9.1.2.1), at the tactile board a lift.

    See D.2.2.
    """
    state = replace(state, touches=(*state.touches, event))
    if event.rejects is not None:
        return replace(state, offer_by=None) if event.rejects else state
    tactile = state.plan(event.seat).kind is SeatKind.TACTILE
    binds = not event.because and not event.sealed and event.how in (("lifted",) if tactile else ("lifted", "touched"))
    if binds and state.offer_by is event.seat.other and state.offer_delivered and event.ply > state.offer_after:
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


def _recording_exempted(state: GameState, event: ev.RecordingExempted) -> GameState:
    white, black = state.exempt
    return replace(state, exempt=(event.period, black) if event.seat is Seat.WHITE else (white, event.period))


def _sheet_asked(state: GameState, event: ev.SheetAsked) -> GameState:
    white, black = state.sheet_requests
    return replace(state, sheet_requests=(event.number, black) if event.seat is Seat.WHITE else (white, event.number))


def _device_registered(state: GameState, event: ev.DeviceRegistered) -> GameState:
    return replace(state, devices=(*state.devices, (event.device, event.approved)))


def _flag_seen(state: GameState, seat: Seat) -> GameState:
    """Record a claimed or called flag that has fallen on this clock.

    Another clock is for the arbiter to look at.
    """
    seen = state.clock_master is not ClockMaster.SERVER or state.clock.side(seat).flagged
    return replace(state, flag_seen=seat) if seen else state


def _ended(state: GameState, event: ev.GameEnded) -> GameState:
    clock = state.clock.paused(event.at)
    return replace(state, result=event.result, reason=event.reason, ended_by=event.article, clock=clock)


def _approved(state: GameState, event: ev.ResultApproved) -> GameState:
    others = tuple(one for one in state.approvals if one[0] is not event.seat)
    return replace(state, approvals=(*others, (event.seat, event.result)))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.Adjusting: _adjusting,
    ev.CastlingMeant: lambda state, event: replace(state, castling_meant=(event.seat, event.ply)),
    ev.TouchReported: _touch_reported,
    ev.TouchRuled: _touch_ruled,
    ev.EvidenceOpened: _evidence_opened,
    ev.IrregularityRuled: _irregularity_ruled,
    ev.AnnouncementOwed: lambda state, event: replace(state, owed=event.seat),
    ev.RecordingExempted: _recording_exempted,
    ev.SheetAsked: _sheet_asked,
    ev.SetUpRuled: set_up_ruled,
    ev.DeviceRegistered: _device_registered,
    ev.TableOpened: _opened,
    ev.GuidelinesSettled: _guidelines,
    ev.StationAdmitted: _admitted,
    ev.StationRevoked: _revoked,
    ev.ModeChanged: lambda state, event: replace(state, mode=event.mode),
    ev.AdaptationRecorded: _adapted,
    ev.OutOfStep: lambda state, event: replace(state, out_of_step=True),
    ev.DrawOffered: _offered,
    ev.OfferAcknowledged: _acknowledged,
    ev.TwoBoardsDemanded: _two_boards,
    ev.ChecklistTicked: _ticked,
    ev.DrawClaimed: _draw_claimed,
    ev.ClaimKindAsked: _kind_asked,
    ev.ClaimKindStated: _kind_stated,
    ev.PlayConcluded: _concluded,
    ev.PositionVerified: _verified,
    ev.IntendedStated: _intended_stated,
    ev.MateAsked: _mate_asked,
    ev.MateAnswered: _mate_answered,
    ev.Proposed: _proposed,
    ev.ProposalSettled: _proposal_settled,
    ev.ClaimRuled: _claim_ruled,
    ev.Resigned: lambda state, event: replace(state, resigned=event.seat),
    ev.TimeClaimed: lambda state, event: _flag_seen(state, event.seat.other),
    ev.FlagCalled: lambda state, event: _flag_seen(state, event.seat),
    ev.Alerted: _alerted,
    ev.DrawAnswered: _offer_answered,
    ev.GameEnded: _ended,
    ev.NextGameOrdered: lambda state, event: replace(state, next_game=NextGame(event.table, event.exchanged)),
    ev.NextGameOpened: lambda state, event: replace(state, next_game=NextGame(event.table, event.exchanged, True)),
    ev.ResultApproved: _approved,
}
