"""Draw offers: when they may be made, how long they stand, how many there were (5.2.3, 9.1; L047, L100-L103)."""

from __future__ import annotations

from server.game.acts.commands import Refusal
from server.game.acts.events import ClockPaused, DrawAnswered, DrawOffered, GameEnded
from server.game.decide.draft import Draft
from server.game.decide.endings import first_end, tell_void
from server.game.decide.scores import mark_own_offer
from server.game.laws.draw_offers import OfferMoment, agreement_refused, offer_finding, offer_moment
from server.game.state.state import GameState
from server.game.values.words import Role, Seat


def moves_each(state: GameState) -> int:
    """How many moves both sides have made, the one that is announced and not yet pressed included."""
    return sum(record.made or record.announcement is not None for record in state.plies) // 2


def moment_of(state: GameState, seat: Seat) -> OfferMoment:
    """Where in the life of a move this side offers. Who has announced his move and not pressed has made it."""
    if state.adjournment is not None and state.adjournment.closed and seat is state.adjournment.seat:
        return OfferMoment.AFTER_MOVE  # his move lies in the envelope (I.4)
    coming = state.ply(state.ply_to_make)
    if coming is not None and coming.seat is seat:
        return OfferMoment.AFTER_MOVE
    last = state.ply(state.made_plies)
    return offer_moment(seat, state.on_move, completed=last is None or last.completed)


def offer(
    draft: Draft, seat: Seat, *, at: int | None = None, after: int | None = None, moment: OfferMoment | None = None
) -> Refusal | None:
    """An offer stands when spoken. It cannot be withdrawn and has no conditions (9.1.2.1).

    Spoken earlier than now (and confirmed since): `at` then, with the last ply `after` and at the `moment` of then.
    """
    state = draft.state
    moment = moment or moment_of(state, seat)
    if state.offer_by is seat.other:
        return Refusal("offer_stands", "9.1.2.1")
    finding = offer_finding(state.regulations, state.rules, moment, moves_each(state))
    if not finding.valid:
        return Refusal("draw_restricted", finding.article)
    draft.emit(DrawOffered(at=draft.now if at is None else at, seat=seat, ply=state.made_plies, after=after))
    mark_own_offer(draft, seat, "offer")
    count = draft.state.offers[0 if seat is Seat.WHITE else 1]
    if finding.look == "move_first":
        draft.alert("offer_out_of_place", state.made_plies, "the opponent may demand the move first", grey=False)
    elif finding.look or count > 1:
        when = moment.value.replace("_", " ")
        draft.alert(
            "offer_out_of_place",
            state.made_plies,
            f"{seat.value} offers a draw, {when}; it stands (9.1.2.1). His offers so far: {count} (11.5)",
            grey=False,
        )
    if after is not None and any(one.seat is seat.other and one.made for one in state.plies[after:]):
        draft.emit(DrawAnswered(at=draft.now, seat=seat.other, accepted=False, by_move=True))  # (9.1.2.1)
    return None


def answer_offer(draft: Draft, seat: Seat, *, accept: bool) -> Refusal | None:
    """The opponent's answer; an agreement ends the game at once (5.2.3).

    Where the game was won before, by a mate (5.1.1) or by a flag that was claimed or called (6.8), there was nothing
    left to agree on: the clocks stand, and the arbiter gives the result.
    """
    state = draft.state
    if state.offer_by is not seat.other:
        return Refusal("no_offer", "9.1.2.1")
    if accept:
        article = agreement_refused(state.regulations, moves_each(state))
        if article:
            return Refusal("a_move_each_first" if article == "5.2.3" else "draw_restricted", article)
    draft.emit(DrawAnswered(at=draft.now, seat=seat, accepted=accept))
    if not state.offer_by_claim:
        mark_own_offer(draft, seat, "answer")
    if accept:
        earlier, loser = first_end(draft.state), state.flag_seen
        if earlier is not None and earlier.result != "1/2-1/2":
            draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="draw_agreed"))
            tell_void(draft, earlier, "a draw is agreed")
        elif earlier is None and loser is not None:
            detail = f"a draw is agreed; rule first on {loser.value}'s flag, it was claimed or called before (6.8, 6.9)"
            draft.alert("ended_before", state.made_plies, detail, grey=False)
        else:
            draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="draw_agreed", article="5.2.3"))
    return None
