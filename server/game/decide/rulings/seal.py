"""Adjourning a game: the order to seal, the sealing, the stop of the clock.

See Guidelines I.1-I.6. Also: the acts that are open at the table then. Whether the sealed move is legal, clear or a
move at all is not asked here: the envelope is closed (I.8).
"""

from __future__ import annotations

from server.game import acts as cmd
from server.game.acts import Adjourned, ClockPaused, ClockPressed, MoveSealed, Refusal, SealOrdered, TimeAdded
from server.game.decide.claims.proposals import private_ear
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment, EnvelopeLabel
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Role, Seat


def refuse_while_sealed(state: GameState, seat: Seat, body: cmd.AnyAct) -> Refusal | None:
    """Refuse what is not allowed between the order to seal and the resumption; None for everything else."""
    adjournment = state.adjournment
    if adjournment is None or adjournment.stage == "resumed":
        return None
    if isinstance(body, cmd.Execute) and body.board is not None:
        seat = body.board
    # Nothing is announced, entered or restored between the order and the opening, and the sealer moves nothing.
    waits = body.rights.sealed in ("both", "all") or (body.rights.sealed == "sealer" and seat is adjournment.seat)
    if adjournment.stage == "ordered":
        if private_ear(state, seat) and body.rights.sealed == "both":
            return None  # a claimant's words go to the arbiter alone
        return Refusal("sealing", "I.1.1") if waits else None
    claims = isinstance(body, cmd.ClaimDraw) or (isinstance(body, cmd.Propose) and body.what == "claim_draw")
    if claims or waits or isinstance(body, cmd.Resume):
        return Refusal("adjourned", "I.7")
    return None


@decides(cmd.OrderSeal, cmd.SealMove, cmd.StopSealed)
def adjourn(draft: Draft, seat: Seat, body: cmd.AnyAct) -> Refusal | None:
    """Carry out a step of adjourning: order the seal, seal a move, stop the clock."""
    match body:
        case cmd.OrderSeal():
            return _order(draft, body)
        case cmd.SealMove():
            return _seal(draft, seat, body)
        case cmd.StopSealed():
            return stop(draft, seat)
    return None


def _order(draft: Draft, body: cmd.OrderSeal) -> Refusal | None:
    state = draft.state
    if "I" not in state.table.regulations.guidelines:
        return Refusal("no_adjournment", "I")
    if not state.table.started:
        return Refusal("not_started", "6.6")
    before = state.adjournment
    if before is not None and before.closed:
        return Refusal("adjourned", "I.7")
    if before is not None and before.stage == "ordered" and before.sealed:  # a new key would empty the envelope
        return Refusal("already_sealed", "I.1.1")
    if state.draws.claim is not None:
        return Refusal("claim_open", "9.5.1")
    if state.scores.reconstruction is not None:
        return Refusal("reconstructing", "8.5.3")
    if not body.key:
        return Refusal("no_seal_key", "I.3")
    if body.reply and not _may_seal_reply(state, before):
        return Refusal("no_sealed_reply", "I.9.3")
    last, coming = state.ply(state.made_plies), state.ply(state.ply_to_make)
    if coming is not None or (last is not None and not last.completed):
        return Refusal("move_under_way", "I.1.1")
    draft.emit(
        SealOrdered(
            at=draft.now,
            seat=state.on_move,
            ply=state.ply_to_make,
            key=body.key,
            salt=body.salt,
            session_left_ms=body.session_left_ms,
            reply=body.reply,
        )
    )
    return None


def _may_seal_reply(state: GameState, before: Adjournment | None) -> bool:
    """Return whether a sealed reply is allowed (I.9.3, L219).

    It is only as the first reply after the opening, and only while the sealer is away.
    """
    if before is None or before.stage == "ordered":
        return before is not None and before.reply
    return state.made_plies == before.ply and not before.is_present(before.seat)


def _seal(draft: Draft, seat: Seat, body: cmd.SealMove) -> Refusal | None:
    """Put words, sound or squares into the envelope, in place of what was in it (I.1.1).

    A sound without words is kept only where nothing clearer lies there: a cough does not remove a sealed move.
    """
    adjournment = draft.state.adjournment
    if adjournment is None or adjournment.stage != "ordered":
        return Refusal("not_sealing", "I.1.1")
    if seat is not adjournment.seat:
        return Refusal("not_your_envelope", "I.1.1")
    if not body.sealed:
        return Refusal("no_announcement", "I.1.1")
    if not body.understood and adjournment.sealed and adjournment.understood:
        return None
    draft.emit(
        MoveSealed(
            at=draft.now,
            seat=seat,
            ply=adjournment.ply,
            sealed=body.sealed,
            sha256=body.sha256,
            utterance=body.utterance,
            understood=body.understood,
        )
    )
    return None


def stop(draft: Draft, seat: Seat) -> Refusal | None:
    """Close the envelope and stop the clock (L209).

    A player who adjourns early loses the time up to the nominal end of the session (I.1.2).
    """
    state, now = draft.state, draft.now
    adjournment = state.adjournment
    if adjournment is None or adjournment.stage != "ordered":
        return Refusal("not_sealing", "I.1.1")
    if seat is not adjournment.seat:
        return Refusal("not_your_envelope", "I.1.1")
    if not adjournment.sealed:
        return Refusal("nothing_sealed", "I.1.1")
    early = early_ms(state, adjournment, now)
    # Even where the clock stands (paused, or after a crash) the sealed move counts as made in its period.
    counts = state.time.clock_master is ClockMaster.SERVER and state.time.clock.turn is seat
    draft.emit(ClockPressed(at=now, seat=seat, ply=adjournment.ply, effective=counts))
    if early:
        draft.emit(TimeAdded(at=now, seat=seat, ms=-early, reason="adjourned early", article="I.1.2"))
    if not adjournment.reply:
        draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason="sealed"))
    label = label_of(draft.state, seat, now, early)
    draft.emit(
        Adjourned(
            at=now,
            seat=seat,
            ply=adjournment.ply,
            sha256=adjournment.sha256,
            label=label,
            reply=adjournment.reply,
        )
    )
    if draft.state.time.clock.remaining(seat, now) <= 0:
        draft.alert("sealed_out_of_time", state.made_plies, saying("seal_time", who=seat), grey=False)
    return None


def press_while_adjourned(draft: Draft, seat: Seat) -> bool:
    """Take a press between order and resumption, which is never refused; return whether it was one.

    The sealer's press stops the sealer's clock and closes the envelope; an absent replier's press on arrival stops the
    replier's clock (I.9.2).
    """
    state = draft.state
    adjournment = state.adjournment
    if adjournment is None or adjournment.stage == "resumed":
        return False
    if adjournment.stage == "ordered" and seat is adjournment.seat:
        if stop(draft, seat) is None:
            return True
        draft.alert("nothing_sealed", state.made_plies, saying("seal_empty", who=seat), grey=False)
    draft.emit(ClockPressed(at=draft.now, seat=seat, ply=state.made_plies, effective=False))
    if adjournment.closed and state.time.clock.running is seat:
        draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="arrived"))
        draft.alert("arrived", state.made_plies, saying("seal_stopped", who=seat), grey=False)
    return True


def early_ms(state: GameState, adjournment: Adjournment, now: int) -> int:
    """Return the time (ms) taken from a player who adjourns early: from now to the nominal end (I.1.2)."""
    if adjournment.session_left_ms is None:
        return 0
    return max(
        0, adjournment.session_left_ms - (state.time.clock.time_used(adjournment.seat, now) - adjournment.used_ms)
    )


def label_of(state: GameState, seat: Seat, now: int, early: int) -> EnvelopeLabel:
    """Return the label of the envelope (I.2.1-I.2.6).

    The position is the one that the server knows, else that on the sealer's own board. The times are the server's, or
    none where another clock counts.
    """
    position = state.position
    board = position or state.board_of(seat).position
    clock = state.time.clock
    counts = state.time.clock_master is ClockMaster.SERVER
    left = {one: clock.remaining(one, now) if counts else None for one in Seat}
    used = {one: clock.time_used(one, now) + (early if one is seat else 0) if counts else None for one in Seat}
    start = state.moves.positions[0]
    black_first = start.turn is Seat.BLACK
    return EnvelopeLabel(
        white=state.table.white.name,
        black=state.table.black.name,
        placement=board.placement,
        fen=position.fen if position is not None else "",
        white_ms=left[Seat.WHITE],
        black_ms=left[Seat.BLACK],
        white_used_ms=used[Seat.WHITE],
        black_used_ms=used[Seat.BLACK],
        sealed_by=seat,
        move_number=start.move_number + (state.made_plies + black_first) // 2,
        offer_by=state.draws.offer_by,
    )
