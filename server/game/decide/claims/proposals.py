"""Words that bind a player, and words that go to the arbiter alone.

While a claim is open, nothing that the claimant says may reach the opponent (9.2.1, L104): the intended move is not
said aloud, and the claimant's words are no announcement, no echo and no move. The messages and their numbers are the
same for everybody else whether the claimant spoke or not.

Words that bind are an offer, an answer, a claim, a resignation by voice (5.1.2, 6.8, 9.1, 9.5.1). What is said stands
when it is said. A confirmation guards against misrecognition and against another person's voice: with the player's yes
the words stand from the moment of the sound. That yes needs the player's own key, also the talk key held for it, or is
typed: a recording, or the neighbour, binds nobody. Whether it came in time is decided by when it was said.
"""

from __future__ import annotations

from typing import Literal

from server.game import acts as cmd
from server.game.acts import ProposalSettled, Proposed, Refusal, SaidToArbiter, Say
from server.game.acts.endings import Proposal
from server.game.decide.claims.draws import (
    MovesThen,
    answer_kind,
    answer_offer,
    asks_to_verify,
    claim_draw,
    moment_of,
    offer,
    resign,
    state_intended,
    verify,
)
from server.game.decide.claims.flags import claim_time
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.time.clock import drop_choice
from server.game.laws.draws import OfferMoment
from server.game.state.endings import Pending
from server.game.state.state import GameState
from server.game.values.speech import Speech
from server.game.values.words import Seat, Station


def private_ear(state: GameState, seat: Seat) -> bool:
    """Return whether what this seat says or enters goes to the arbiter alone."""
    return state.draws.claim is not None and state.draws.claim.seat is seat


def tell_arbiter(draft: Draft, seat: Seat, said: Say) -> None:
    """Record words of such a seat.

    The intended move where it is awaited, otherwise words for the arbiter.
    """
    claim = draft.state.draws.claim
    awaited = claim is not None and claim.seat is seat and claim.awaits
    if awaited and said.announcement is not None and said.announcement.complete:
        state_intended(draft, seat, said.speech)
        return
    draft.emit(SaidToArbiter(at=draft.now, seat=seat, speech=said.speech))


CONFIRM_MS = 10_000
HEARD_MS = 5_000
"""Time after those ten seconds in which a yes that was said in them may still be recognised; then it counts no more."""
ACTS_SEEN = (cmd.SenseMove, cmd.ReportTouch, cmd.NotePress)
"""Acts of players that a board or another clock has seen; what else the program itself tells is no act of theirs."""
QUESTIONS = (cmd.Ask, cmd.ChooseEar)
"""Acts that change nothing of the game: a yes that was said before them binds all the same."""
ENDS_THE_GAME = ("resign", "draw_accept")


@decides(cmd.Propose)
def propose(draft: Draft, seat: Seat, body: cmd.Propose) -> Refusal | None:
    """Take such a word: it stands, or the player is asked whether they said it."""
    drop_choice(draft, seat)
    sound_ms = min(draft.now, body.at_ms if body.at_ms is not None else draft.now)
    pending = Pending(
        seat,
        body.what,
        sound_ms,
        draft.now + CONFIRM_MS,
        len(draft.state.moves.plies),
        _facts_then(draft.state, seat, body.what),
    )
    if body.sure and body.what not in ENDS_THE_GAME:
        return _stands(draft, pending)
    draft.emit(
        Proposed(
            at=draft.now,
            seat=seat,
            what=body.what,
            sound_ms=pending.sound_ms,
            until_ms=pending.until_ms,
            after=pending.after,
            found=pending.found,
            utterance=body.utterance,
        )
    )
    return None


def confirm(draft: Draft, seat: Seat, body: cmd.Confirm) -> Refusal | None:
    """Take the player's yes or no to what they were asked."""
    state = draft.state
    pending = state.ending.pending_of(seat)
    if body.voice_alone and _binds(state, seat, yes=body.yes):
        return Refusal("own_key_needed", "")
    if pending is not None and body.at_ms is not None and body.at_ms < pending.sound_ms:
        return Refusal("nothing_asked", "")  # it was said before that, to something else
    if pending is None and state.draws.claim is not None and state.draws.claim.seat is seat and state.draws.claim.asks:
        answer_kind(draft, seat, yes=body.yes)
        return None
    if pending is None and asks_to_verify(state, seat):
        return verify(draft, seat, cmd.VerifyPosition(agrees=body.yes))
    if pending is None:
        awaited = state.draws.claim is not None and state.draws.claim.seat is seat and state.draws.claim.awaits
        if state.draws.offer_by is seat.other and state.draws.offer_delivered and not awaited:
            return _answer(draft, seat, body)
        if body.yes or not awaited:
            return Refusal("nothing_asked", "")
        state_intended(draft, seat, Speech())
        return None
    _settle(draft, pending, "confirmed" if body.yes else "refused")
    return _stands(draft, pending) if body.yes else None


def _binds(state: GameState, seat: Seat, *, yes: bool) -> bool:
    """Say whether a yes or a no would bind the player at once; a no to what they seemed to say themselves does not."""
    claim = state.draws.claim
    if state.ending.pending_of(seat) is not None:
        return yes
    return (claim is not None and claim.seat is seat) or asks_to_verify(state, seat)


def _answer(draft: Draft, seat: Seat, body: cmd.Confirm) -> Refusal | None:
    """Take a yes or no to an open draw offer (9.1.2.1).

    A typed no counts at once. The player is asked about a yes, which ends the game, and about a doubtful no.
    """
    if body.typed and not body.yes:
        return answer_offer(draft, seat, accept=False)
    what: Proposal = "draw_accept" if body.yes else "draw_decline"
    return propose(draft, seat, cmd.Propose(what=what, sure=body.sure, utterance=body.utterance, at_ms=body.at_ms))


def lapse_proposals(draft: Draft, station: Station | None, body: cmd.AnyAct) -> None:
    """Let go what waited too long for a yes.

    What waited in an earlier run of the program goes too, because its times do not count in this one.
    """
    for pending in draft.state.ending.pending:
        if not pending.sound_ms <= draft.now <= _open_until(pending, station, body):
            _settle(draft, pending, "lapsed")


def _open_until(pending: Pending, station: Station | None, body: cmd.AnyAct) -> int:
    """Return until when a question is open to this command.

    A yes that was said in time may be recognised later: what the program itself notes, or somebody asks, meanwhile ends
    nothing. But every other act does, so that nothing is accepted over it.
    """
    match body:
        case cmd.Confirm(at_ms=int() as said) if station is not None and station.seat is pending.seat:
            waits = said <= pending.until_ms
        case _:
            waits = isinstance(body, QUESTIONS) or (station is None and not isinstance(body, ACTS_SEEN))
    return pending.until_ms + (HEARD_MS if waits else 0)


def lapsed_by_refusal(state: GameState, seat: Seat, refusal: Refusal, now: int) -> tuple[ProposalSettled, ...]:
    """Return that a question has lapsed where its player was told that nothing is asked: no yes brings it back."""
    pending = state.ending.pending_of(seat)
    if refusal.code != "nothing_asked" or pending is None or now <= pending.until_ms:
        return ()
    return (ProposalSettled(at=now, seat=seat, what=pending.what, outcome="lapsed"),)


def withdraw_proposal(draft: Draft, seat: Seat, body: cmd.AnyAct) -> None:
    """Drop the open question to a player who does something else instead of saying yes.

    This holds for what ends the game; asking for help is no answer.
    """
    pending = draft.state.ending.pending_of(seat)
    if pending is None or isinstance(body, cmd.Confirm) or (isinstance(body, cmd.Ask) and body.what == "help"):
        return
    asks_anew = isinstance(body, cmd.ChooseClock)  # one yes must never answer two questions
    if asks_anew or pending.what in ENDS_THE_GAME:
        _settle(draft, pending, "dropped")


def _settle(draft: Draft, pending: Pending, outcome: Literal["confirmed", "refused", "dropped", "lapsed"]) -> None:
    draft.emit(ProposalSettled(at=draft.now, seat=pending.seat, what=pending.what, outcome=outcome))


def _facts_then(state: GameState, seat: Seat, what: str) -> str:
    """Return the facts at the time of the sound that count later; the confirmation does not change them."""
    if what == "draw_offer":
        return moment_of(state, seat).value
    if what in ENDS_THE_GAME:
        return str(state.made_plies)
    return "flag" if what == "claim_time" and state.time.clock.side(seat.other).flagged else ""


def _stands(draft: Draft, said: Pending) -> Refusal | None:
    """Carry out a word that the player has confirmed.

    Before the start none of them binds: there is no game yet (6.6).
    """
    seat = said.seat
    if not draft.state.table.started:
        return Refusal("not_started", "6.6")
    match said.what:
        case "draw_offer":
            return offer(draft, seat, at=said.sound_ms, after=said.after, moment=OfferMoment(said.found))
        case "draw_accept" | "draw_decline":
            return answer_offer(draft, seat, accept=said.what == "draw_accept", moves=_moves_then(said))
        case "resign":
            resign(draft, seat, at=said.sound_ms, moves=_moves_then(said))
        case "claim_time":
            claim_time(draft, seat, at=said.sound_ms, early=said.found != "flag")
        case "claim_draw":
            return claim_draw(draft, seat, cmd.ClaimDraw(kind="unstated", awaits=True), at=said.sound_ms)
    return None


def _moves_then(said: Pending) -> MovesThen | None:
    """Return the moves that there were when words that end the game were said; None where older records do not say."""
    if not said.found.isdecimal():
        return None
    made = int(said.found)
    return MovesThen(made, said.after if said.after > made else 0)
