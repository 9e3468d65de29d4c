"""Touches of pieces and the obligations that follow from them, for the arbiter alone.

See 4.2-4.8, D.2.2. A touch comes from a sensing board, from an assistant (D.2.10.5) or from the arbiter. Nothing here
reaches a player.
"""

from __future__ import annotations

from typing import Literal

import chess

from server.game import acts as cmd
from server.game.acts import (
    ArbiterCalled,
    CastlingMeant,
    ClockPaused,
    EvidenceOpened,
    Refusal,
    TouchReported,
    TouchRuled,
)
from server.game.decide.adaptations import adaptation_value
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.adaptations import ON
from server.game.laws.legality import legal_moves
from server.game.laws.supervision import basic, classify, illegal_move_stands
from server.game.laws.touch import Obligation, Touch, TouchHow, counts, obliged_moves, touches_of_move, with_promotion
from server.game.state.line import PlyRecord, announced_on
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Origin, Role, Seat, SeatKind, Station

ONE_SIDED = "touch_evidence_one_sided"
_COLOR = {Seat.WHITE: chess.WHITE, Seat.BLACK: chess.BLACK}
PROMOTIONS = ("q", "r", "b", "n")


@decides(cmd.ReportTouch, cmd.RuleTouch, cmd.OpenEvidence)
def take_touch(draft: Draft, station: Station | None, body: cmd.AnyAct) -> Refusal | None:
    """Take a report of a touch, a ruling on one, or the arbiter's order to open the sealed ones."""
    state, now = draft.state, draft.now
    match body:
        case cmd.ReportTouch():
            return _report(draft, station, body)
        case cmd.RuleTouch():
            if not 1 <= body.number <= len(state.rulings.touches) or state.rulings.touches[body.number - 1].sealed:
                return Refusal("no_such_touch", "4.2.2")
            offer = _offer_after(state, body)
            draft.emit(TouchRuled(at=now, number=body.number, counts=body.counts, reason=body.reason, offer=offer))
        case cmd.OpenEvidence():
            if not body.reason.strip():
                return Refusal("reason_needed", "D.1")
            sealed = tuple(touch for touch in state.rulings.touches if touch.sealed)
            draft.emit(EvidenceOpened(at=now, reason=body.reason, touches=sealed))
    return None


def _report(draft: Draft, station: Station | None, body: cmd.ReportTouch) -> Refusal | None:
    """Record a touch under the next number: 4.3 depends on the order of arrival."""
    state, seat = draft.state, body.seat
    if station is not None and station.role is Role.ASSISTANT and station.seat is seat:
        return Refusal("not_your_duty", "D.2.10.5")
    if not state.table.started:
        return Refusal("not_started", "6.6")
    if body.ply is not None and (body.ply > state.ply_to_make or state.seat_of(body.ply) is not seat):
        return Refusal("no_such_ply", "4.3")
    if body.ply is not None and body.ply < state.ply_to_make:
        report_touch(draft, seat, body.ply, body.square, body.how, body.piece)
        return None
    # Only the program itself can say that a board sensed it.
    origin = Origin(body.origin) if station is None else Origin.ENTERED
    because = _why_it_does_not_bind(state, seat, body)
    sealed = origin is Origin.SENSED and not _evidence_of_both(state, seat)
    draft.emit(
        TouchReported(
            at=draft.now,
            number=len(state.rulings.touches) + 1,
            seat=seat,
            ply=state.ply_to_make,
            square=body.square,
            how=body.how,
            piece=body.piece,
            origin=origin,
            because=because,
            sealed=sealed,
            rejects=not sealed and because in ("", "execution") and _rejects(state, seat, body),
        )
    )
    return None


def report_touch(draft: Draft, seat: Seat, ply: int, square: str, how: str, piece: str | None = None) -> None:
    """Record a touch in a ply that was made since: it rejects no offer now, and binds the mover of that ply."""
    draft.emit(
        TouchReported(
            at=draft.now,
            number=len(draft.state.rulings.touches) + 1,
            seat=seat,
            ply=ply,
            square=square,
            how=how,
            piece=piece,
            origin=Origin.ENTERED,
            rejects=False,
        )
    )


def _offer_after(state: GameState, body: cmd.RuleTouch) -> Literal["", "back", "rejected"]:
    """Return the effect of a ruling on a touch on the opponent's draw offer (9.1.2.1).

    Accidental contact rejects nothing: the offer is back where no other touch, no word and no move has rejected it. A
    touch that counts after all rejects the offer that stands.
    """
    draws, touch = state.draws, state.rulings.touches[body.number - 1]
    if not body.counts:
        return "back" if draws.rejecting == (body.number,) else ""
    again = (
        body.number not in draws.rejecting
        and body.number > draws.touches_before
        and touch.ply == state.ply_to_make
        and touch.seat is state.on_move
    )
    return "rejected" if again and draws.rejects(touch.seat, touch.ply) and _is_taken_up(state, touch) else ""


def _is_taken_up(state: GameState, touch: cmd.ReportTouch | TouchReported) -> bool:
    """Return whether a piece is touched as Article 4 means it: at the tactile board only a lift counts (D.2.2)."""
    tactile = state.plan(touch.seat).kind is SeatKind.TACTILE
    return touch.how in (("lifted",) if tactile else ("lifted", "touched"))


def _why_it_does_not_bind(state: GameState, seat: Seat, body: cmd.ReportTouch) -> str:
    """Return why a touch does not bind; "" where it may bind.

    Only the player on move is bound (4.3), not while adjusting (4.2.1) or carrying out the opponent's move. Who sets a
    board as the arbiter decides adjusts it.
    """
    if seat is not state.on_move:
        return "not_on_move"
    while_set = state.boards_being_set and body.origin == Origin.SENSED.value
    if while_set or state.rulings.adjusting == (seat, state.ply_to_make):
        return "adjusting"
    return "execution" if _carries_out(state, seat, body) else ""


def _rejects(state: GameState, seat: Seat, body: cmd.ReportTouch) -> bool:
    """Return whether this touch rejects the opponent's offer (9.1.2.1).

    At the tactile board a lift does (D.2.2). While the opponent's move is still to be carried out, the offer is
    rejected only by touching a man that is none of the opponent's and that the announced words cannot take. The answer
    to an accepted offer must not show which move the server takes the words for (design: Silence): so it depends on the
    words and on what stands on the player's own board.
    """
    if not _is_taken_up(state, body) or not state.draws.rejects(seat, state.ply_to_make):
        return False
    last = state.ply(state.made_plies)
    if last is None or last.executed_ms is not None:
        return True
    color = _color_at(state, seat, body.square)
    return color is not _COLOR[seat.other] and not _may_be_taken(last, body.square)


def _carries_out(state: GameState, seat: Seat, body: cmd.ReportTouch) -> bool:
    """Return whether the touch may belong to carrying out the opponent's last move (D.2.1)."""
    last = state.ply(state.made_plies)
    if last is None or last.executed_ms is not None:
        return False
    position = state.board_of(seat).position
    meant = announced_on(last, position, by_echo=True)
    if meant is None or meant[:2] not in _squares_occupied(state, seat):
        return not _own_and_not_taken(state, seat, last, body.square)
    arrival = meant[2:4]
    if body.square == arrival:
        # The player takes off the captured piece and sets down the opponent's; lifting that one again may mean to
        # capture it.
        earlier = (touch for touch in state.rulings.touches if touch.ply == state.ply_to_make and touch.seat is seat)
        once = any(touch.square == arrival and touch.how == body.how for touch in earlier)
        return not once and (body.how in ("placed", "released") or arrival in _squares_occupied(state, seat))
    return body.square in {touch.square for touch in touches_of_move(position, meant)}


def _own_and_not_taken(state: GameState, seat: Seat, last: PlyRecord, square: str) -> bool:
    """Return whether the touched piece is the player's own and cannot be what the announced move takes.

    Then it does not belong to carrying out the move, whichever of the opponent's pieces was meant.
    """
    return not _may_be_taken(last, square) and _color_at(state, seat, square) is _COLOR[seat]


def _color_at(state: GameState, seat: Seat, square: str) -> chess.Color | None:
    return state.board_of(seat).position.board().color_at(chess.parse_square(square))


def _may_be_taken(last: PlyRecord, square: str) -> bool:
    """Return whether the words of a move may take what stands on a square.

    Without words anything is possible.
    """
    said = [one for one in (last.announcement, last.repeated, last.echo) if one is not None]
    for one in said:
        if one.to_square is None:
            continue
        behind = int(one.to_square[1]) + (-1 if last.seat is Seat.WHITE else 1)
        passed = f"{one.to_square[0]}{behind}" if one.piece_meant in (None, "pawn") else None
        if square in (one.to_square, passed):
            return True
    return not said


def _squares_occupied(state: GameState, seat: Seat) -> frozenset[str]:
    return frozenset(chess.square_name(square) for square in state.board_of(seat).position.board().piece_map())


def _evidence_of_both(state: GameState, seat: Seat) -> bool:
    """Return whether lifts are sensed on both boards, or the event lets one board's evidence be seen.

    See D.1.
    """
    if adaptation_value(state, ONE_SIDED) == ON:
        return True
    return any(touch.origin is Origin.SENSED and touch.seat is seat.other for touch in state.rulings.touches)


def senses(state: GameState, seat: Seat) -> bool:
    """Return whether a seat's board has ever reported a touch by itself."""
    return any(touch.origin is Origin.SENSED and touch.seat is seat for touch in state.rulings.touches)


def touches_of(state: GameState, ply: int) -> tuple[TouchReported, ...]:
    """Return the touches that may bind the mover of a ply and that the arbiter may see, in their order."""
    seat = state.seat_of(ply)
    return tuple(t for t in state.rulings.touches if t.ply == ply and t.seat is seat and not t.because and not t.sealed)


def as_touch(touch: TouchReported) -> Touch:
    """Return the touch as the rules see it."""
    return Touch(touch.square, TouchHow.LIFTED if touch.how == "lifted" else TouchHow.CONTACT, bool(touch.because))


def obligation_of(state: GameState, ply: int) -> Obligation | None:
    """Return the obligation of a ply's mover from their touches (4.3-4.7, 7.5.1).

    None where nothing is known that binds them.
    """
    position, kind = state.position_after(ply - 1), state.plan(state.seat_of(ply)).kind
    if ply < 1 or position is None:
        return None
    reported = touches_of(state, ply)
    replaced = (
        state.rulings.replacing[1] if state.rulings.replacing is not None and state.rulings.replacing[0] == ply else ()
    )
    taken = tuple(as_touch(touch) for touch in reported if touch.how in ("lifted", "touched"))
    if not replaced and not any(counts(touch, kind) for touch in taken) and not _promotions(reported):
        return None
    if state.rulings.castling_meant == (state.seat_of(ply), ply):
        castling = _castling_said(position, (*taken, *replaced), kind)
        if castling is not None:
            return castling
    obligation = obliged_moves(position, (*taken, *replaced), state.table.rules, kind)
    if kind is not SeatKind.TACTILE:  # at the tactile board a move is made only when it is announced too (D.2.3)
        obligation = _bound_by_release(obligation, reported)
    for square, piece in _promotions(reported):
        obligation = with_promotion(obligation, square, piece)
    return obligation


def _castling_said(position: Position, taken: tuple[Touch, ...], kind: SeatKind) -> Obligation | None:
    """Return the castlings left to a player who said "I am about to castle", where any is legal.

    See II.3.2.7. It is the castling with the rook that was touched; if only the king was touched, either side is
    possible.
    """
    board = position.board()
    touched = {touch.square for touch in taken if counts(touch, kind)}
    castlings = [move.uci() for move in legal_moves(position) if board.is_castling(move)]
    meant = [uci for uci in castlings if uci[2:] in touched] or [uci for uci in castlings if uci[:2] in touched]
    return Obligation(tuple(meant), "II.3.2.7", False) if meant else None


def _promotions(touches: tuple[TouchReported, ...]) -> list[tuple[str, str]]:
    """Return the new pieces that have touched a promotion square (4.4.4), each with its square."""
    placed = (touch for touch in touches if touch.how in ("placed", "released") and touch.square[1] in ("1", "8"))
    named = ((touch.square, (touch.piece or "").lower()) for touch in placed)
    return [(square, piece) for square, piece in named if piece in PROMOTIONS]


def _bound_by_release(obligation: Obligation, touches: tuple[TouchReported, ...]) -> Obligation:
    """Leave only the move of a piece that was released on another square: it stays there (4.7)."""
    taken_up: str | None = None
    for touch in touches:
        if touch.how == "lifted":
            taken_up = touch.square
        elif touch.how == "released" and taken_up not in (None, touch.square):
            left = tuple(uci for uci in obligation.moves if uci[:4] == f"{taken_up}{touch.square}")
            if left:
                return Obligation(left, "4.7", False)
    return obligation


def touch_claim_open(state: GameState, seat: Seat) -> bool:
    """Return whether a player may still claim that the opponent broke 4.1 to 4.7.

    That right ends when the player touches a piece (4.8).
    """
    last = next((record for record in reversed(state.moves.plies) if record.seat is seat.other and record.made), None)
    if last is None:
        return True
    own = state.ply(last.index + 1)
    if own is not None and own.made:
        return False
    kind = state.plan(seat).kind
    later = (t for t in state.rulings.touches if t.ply == last.index + 1 and t.seat is seat and not t.because)
    return not any(t.how in ("lifted", "touched") and counts(as_touch(t), kind) for t in later)


@decides(cmd.AboutToCastle)
def about_to_castle(draft: Draft, seat: Seat) -> Refusal | None:
    """Record "I am about to castle" (II.3.2.7; L231) from the player on move, whatever the position."""
    state = draft.state
    if not state.table.started:
        return Refusal("not_started", "6.6")
    if not state.moves.positions[0].chess960:
        return Refusal("only_in_chess960", "II.3.2.7")
    if seat is state.on_move:
        draft.emit(CastlingMeant(at=draft.now, seat=seat, ply=state.ply_to_make))
    return None


CLAIMED = {"touch": saying("touch"), "illegal": saying("illegal"), "other": saying("other")}


@decides(cmd.ClaimIrregularity)
def claim_irregularity(draft: Draft, seat: Seat, body: cmd.ClaimIrregularity) -> None:
    """Take a player's claim of an irregularity to the arbiter, and to nobody else (12.7).

    The alert says whether the claim came in time.
    """
    state = draft.state
    draft.emit(ArbiterCalled(at=draft.now, seat=seat, reason=body.note))
    draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="claim"))
    in_time, article = True, "7.5"
    last = next((record for record in reversed(state.moves.plies) if record.seat is seat.other and record.made), None)
    if body.kind == "touch":
        in_time, article = touch_claim_open(state, seat), "4.8"
    elif body.kind == "illegal":
        kind, supervision = classify(state.time.clock.control), state.table.regulations.supervision
        reply = last is not None and state.made_plies > last.index
        in_time = illegal_move_stands(kind, supervision, reply_made=reply) != "stands"
        if basic(kind, supervision):
            article = state.table.rules.article("basic_illegal") or "A.5.2"
    when = saying("in_time" if in_time else "too_late")
    said = saying("claims_irregular", who=seat, kind=CLAIMED[body.kind], article=article, when=when)
    if body.note.strip():
        said = saying("with_note", said=said, note=body.note.strip())
    draft.alert("irregularity_claimed", last.index if last is not None else state.made_plies, said, grey=False)
