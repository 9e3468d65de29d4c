"""Assistants and players who need one: who may have whom, for what (4.9, 6.2.6, 8.1.6, D.2.10, D.2.11)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import OfferAcknowledged, StationAdmitted
from server.game.decide.draft import Draft
from server.game.state.state import GameState
from server.game.values.words import Duty, Role, Seat

BOTH_PLAYERS = frozenset((Duty.EXECUTE, Duty.ANNOUNCE))  # D.2.11: for D.2.10.1 and D.2.10.2 only
ARTICLE_OF = {duty: f"D.2.10.{number}" for number, duty in enumerate(Duty, 1)}
DUTIES_UNDER = {
    "4.9": frozenset((Duty.EXECUTE,)),
    "6.2.6": frozenset((Duty.SCORE_AND_CLOCK,)),
    "8.1.6": frozenset((Duty.SCORE_AND_CLOCK,)),
}


def assistants(state: GameState, seat: Seat) -> tuple[str, ...]:
    """The stations of the assistants of a seat under Appendix D, those with a duty."""
    found = (one for one in state.stations if one.role is Role.ASSISTANT and one.seat is seat)
    return tuple(one.id for one in found if one.duties and not one.under)


def assistant_refused(state: GameState, body: cmd.Admit) -> Refusal | None:
    """Why this assistant is not admitted; None where he may be.

    A visually disabled player's has any of the six duties (D.2.10). The sighted opponent has one only where the other
    has none, for two duties (D.2.11, L206). Who cannot move, press or write has one for that alone (4.9, 6.2.6, 8.1.6).
    """
    seat = body.seat
    if body.role is not Role.ASSISTANT or seat is None:
        return None
    if body.under:
        return None if set(body.duties) <= DUTIES_UNDER[body.under] else Refusal("not_his_duty", body.under)
    if state.plan(seat).visually_disabled or not state.plan(seat.other).visually_disabled:
        return None
    if assistants(state, seat.other):
        return Refusal("has_an_assistant", "D.2.11")
    return None if set(body.duties) <= BOTH_PLAYERS else Refusal("two_duties_only", "D.2.11")


def note_assistant(draft: Draft, event: StationAdmitted) -> None:
    """What the arbiter may think of when an assistant comes: the clock, and an assistant who is one too many."""
    if event.role is not Role.ASSISTANT or event.seat is None:
        return
    state, seat = draft.state, event.seat
    if event.under in ("6.2.6", "8.1.6") and not state.plan(seat).disabled:
        detail = f"{seat.value} has an assistant: his clock may be adjusted equitably, as you decide ({event.under})"
        draft.alert("adjustment_offered", state.made_plies, detail, grey=False)
    other = assistants(state, seat.other)
    against_sighted = state.plan(seat).visually_disabled and not state.plan(seat.other).visually_disabled
    if other and against_sighted and event.duties and not event.under:
        detail = f"{seat.value} has an assistant now; {seat.other.value} had {', '.join(other)} (D.2.11)"
        draft.alert("second_assistant", state.made_plies, detail, grey=False)


def deduction_refused(state: GameState, body: cmd.AddTime) -> Refusal | None:
    """No time is taken from a player with a disability for his assistant (6.2.6, 8.1.6)."""
    taken = body.ms < 0 and body.article in ("6.2.6", "8.1.6") and state.plan(body.seat).disabled
    return Refusal("no_time_for_assistant", body.article) if taken else None


def assistant_missing(state: GameState) -> bool:
    """Whether a visually disabled player meets a hearing-impaired one and nobody is there to assist (D.2.11, L207).

    The moves must reach who does not hear them: by an assistant under D.2.10 with one of the first two duties. One for
    adjournment alone (D.2.10.6), or for who cannot move, press or write (4.9, 6.2.6, 8.1.6), passes on no move.
    """
    meet = any(state.plan(seat).visually_disabled and state.plan(seat.other).hearing_impaired for seat in Seat)
    helping = (one for one in state.stations if one.role is Role.ASSISTANT and not one.under)
    return meet and not any(BOTH_PLAYERS & set(one.duties) for one in helping)


def note_assistant_gone(draft: Draft, before: GameState) -> None:
    """In the game the arbiter is told what nobody does any more since an assistant went or has fewer duties (D.2.10).

    `before`: the table as it was before the command. Nobody else is told, and nothing stops.
    """
    state = draft.state
    if not state.started or state.over:
        return
    for seat in Seat:
        left = [one for one in _done_for(before, seat) if one not in _done_for(state, seat)]
        if not left:
            continue
        what = ", ".join(f"{duty.value.replace('_', ' ')} ({under or ARTICLE_OF[duty]})" for duty, under in left)
        detail = f"nobody does this for {seat.value} any more: {what}"
        if assistant_missing(state):
            detail += "; an assistant must be used (D.2.11)"
        draft.alert("assistant_gone", state.made_plies, detail, grey=False)


def _done_for(state: GameState, seat: Seat) -> list[tuple[Duty, str]]:
    """Which duties assistants have for a seat, each with the article where it is not Appendix D; in order."""
    there = {
        (duty, one.under)
        for one in state.stations
        if one.role is Role.ASSISTANT and one.seat is seat
        for duty in one.duties
    }
    return sorted(there, key=lambda one: (list(Duty).index(one[0]), one[1]))


def acknowledge(draft: Draft, seat: Seat) -> Refusal | None:
    """The offer has reached the hearing-impaired player; a second acknowledgement adds nothing."""
    state = draft.state
    if state.offer_by is not seat.other:
        return Refusal("no_offer", "9.1.2.1")
    if not state.offer_delivered:
        draft.emit(OfferAcknowledged(at=draft.now, seat=seat, ply=state.made_plies))
    return None
