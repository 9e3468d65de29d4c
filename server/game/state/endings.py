"""The slices of how a game ends: by a draw (`draws`), or by anything else (`ending`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.scoresheet import Scoresheet
from server.game.state.clock import TimeState
from server.game.state.moves import MovesState
from server.game.state.reducer import applies
from server.game.state.rulings import RulingsState
from server.game.state.scores import ScoresState
from server.game.state.table import TableState
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.saying import Saying
from server.game.values.words import ClockMaster, Seat


class OpenClaim(msgspec.Struct, frozen=True):
    """Claim of a draw, or request in a quickplay finish.

    `seat`, `ply`: by whom and after which ply; `announcement`: the intended move.
    """

    seat: Seat
    ply: int
    kind: str
    announcement: Announcement | None = None
    text: str = ""
    ground: str | None = None
    awaits: bool = False  # the intended move, or the word that there is none, is still to come
    asks: tuple[str, ...] = ()  # the claims of Guidelines III the player is asked about, the first one now


class Concluded(msgspec.Struct, frozen=True):
    """Claim that ended play without an arbiter (III.6).

    `snapshot`: the position, times and scores of that moment; `agrees`: the word of the opponent.
    """

    seat: Seat
    ground: str
    snapshot: ev.Snapshot
    agrees: bool | None = None


class DrawsState(msgspec.Struct, frozen=True):
    """Offers and claims of a draw."""

    offer_by: Seat | None = None
    touched_off: Seat | None = None  # whose offer was rejected by touches alone: a ruling may bring it back
    rejecting: tuple[int, ...] = ()  # the numbers of those touches
    touches_before: int = 0  # how many touches were on record when the standing offer was made: none of them rejects it
    offer_after: int = 0  # the last ply announced or made when the standing offer was made
    offer_by_claim: bool = False  # whether the standing offer was made by claiming a draw (9.1.2.3)
    offer_delivered: bool = True  # for a hearing-impaired opponent only when they have seen it (D.2.11)
    offers: tuple[int, int] = (0, 0)  # how many offers White and Black have made (11.5)
    offers_at: tuple[int, ...] = ()  # the plies at which a draw was offered (8.1.5)
    offer_marks: tuple[tuple[Seat, int], ...] = ()  # who spoke of an offer there and keeps score by voice
    claim: OpenClaim | None = None  # waits for the arbiter's ruling
    postponed: tuple[OpenClaim, ...] = ()  # III.5.2: they survive the fall of a flag, the oldest first
    intended: OpenClaim | None = None  # 9.5.3: this move must be made
    increment_request: Literal["open", "granted", "refused"] = "open"  # III.4
    concluded: Concluded | None = None  # by a claim without an arbiter (III.6)

    @property
    def offer_ply(self) -> int:
        """Return the ply at which the last draw offer belongs in both scores (8.1.5); 0 where there was none."""
        return self.offers_at[-1] if self.offers_at else 0

    def lapses(self, seat: Seat, ply: int) -> bool:
        """Return whether the opponent's standing offer lapses when this player moves or touches in this ply (9.1.2.1).

        It does not before they have been told of it.
        """
        return self.offer_by is seat.other and self.offer_delivered and ply > self.offer_after

    def rejects(self, seat: Seat, ply: int) -> bool:
        """Return whether a touch of this player in this ply rejects an offer, or one more touch rejects it.

        Then accidental contact in one of them does not bring it back (9.1.2.1).
        """
        standing = replace(self, offer_by=self.offer_by or self.touched_off)
        return standing.lapses(seat, ply)

    def after_touch(self, number: int) -> DrawsState:
        """Return the draws after a touch that rejects the offer."""
        whose = self.offer_by or self.touched_off
        return replace(self, offer_by=None, touched_off=whose, rejecting=(*self.rejecting, number))

    def without_offer(self) -> DrawsState:
        """Return the draws without any offer: it was answered in words or by a move, and no ruling brings it back."""
        return replace(self, offer_by=None, touched_off=None, rejecting=())

    def after_ruling(self, number: int, offer: str) -> DrawsState:
        """Return the draws after a ruling on a touch."""
        if offer == "rejected":
            return self.after_touch(number)
        left = replace(self, rejecting=tuple(one for one in self.rejecting if one != number))
        return replace(left, offer_by=left.touched_off, touched_off=None, rejecting=()) if offer == "back" else left

    def spoken_of(self, seat: Seat, scores: ScoresState) -> DrawsState:
        """Return the draws after this player spoke of the last offer; one who dictates the score has it marked."""
        if scores.sheet(seat) is not Scoresheet.DICTATED or self.offer_ply == 0:
            return self
        return replace(self, offer_marks=(*self.offer_marks, (seat, self.offer_ply)))

    def taken_back(self, event: ev.Restored) -> DrawsState:
        """Return the draws after the game went back to a ply: the marks of the remaining plies stay.

        An offer that stays open stands from the present move on (9.1.2.1).
        """
        kept = replace(
            self,
            offers_at=tuple(at for at in self.offers_at if at <= event.ply),
            offer_marks=tuple(one for one in self.offer_marks if one[1] <= event.ply),
            intended=self.intended if "intended" in event.keeps else None,
        )
        if "offer" not in event.keeps:
            return kept.without_offer()
        if not self.offer_by_claim and self.offer_ply > event.ply:
            kept = replace(kept, offers_at=(*kept.offers_at, max(1, event.ply)))
        return replace(kept, offer_after=min(self.offer_after, event.ply))

    def with_new_numbers(self, now: Callable[[int], int]) -> DrawsState:
        """Return the draws after the plies of the line were renumbered; `now`: the last ply up to an old one."""
        return replace(
            self,
            offers_at=tuple(dict.fromkeys(now(ply) for ply in self.offers_at)),
            offer_marks=tuple((seat, now(ply)) for seat, ply in self.offer_marks),
            offer_after=now(self.offer_after),
            claim=replace(self.claim, ply=now(self.claim.ply)) if self.claim is not None else None,
            postponed=tuple(replace(one, ply=now(one.ply)) for one in self.postponed),
            intended=replace(self.intended, ply=now(self.intended.ply)) if self.intended is not None else None,
        )


@applies(ev.DrawOffered)
def _offered(
    draws: DrawsState,
    event: ev.DrawOffered,
    table: TableState,
    moves: MovesState,
    scores: ScoresState,
    rulings: RulingsState,
) -> DrawsState:
    white, black = draws.offers
    more = 0 if event.by_claim else 1
    after = len(moves.plies) if event.after is None else event.after
    draws = replace(
        draws,
        offer_by=event.seat,
        touched_off=None,
        rejecting=(),
        offer_by_claim=event.by_claim,
        offer_after=after,
        touches_before=len(rulings.touches),
        offers=(white + more, black) if event.seat is Seat.WHITE else (white, black + more),
        offer_delivered=not table.plan(event.seat.other).hearing_impaired,
    )
    if event.by_claim:  # 8.1.5 asks for the mark of an offer, not of a claim
        return draws
    known = min(after, len(moves.plies))  # a move that is sealed has no cell yet
    last = moves.ply(known)
    ply = known - 1 if last is not None and last.seat is not event.seat and not last.made else known
    return replace(draws, offers_at=(*draws.offers_at, max(1, ply))).spoken_of(event.seat, scores)


@applies(ev.OfferAcknowledged)
def _acknowledged(draws: DrawsState, event: ev.OfferAcknowledged, moves: MovesState) -> DrawsState:
    """Record that the offer was seen; what was announced before that does not reject it."""
    return replace(draws, offer_delivered=True, offer_after=max(draws.offer_after, len(moves.plies)))


@applies(ev.DrawAnswered)
def _offer_answered(draws: DrawsState, event: ev.DrawAnswered, scores: ScoresState) -> DrawsState:
    draws = draws.without_offer()
    unheard = event.by_move or event.after_touch
    return draws if draws.offer_by_claim or unheard else draws.spoken_of(event.seat, scores)


@applies(ev.DrawClaimed)
def _draw_claimed(draws: DrawsState, event: ev.DrawClaimed) -> DrawsState:
    claim = OpenClaim(
        event.seat, event.ply, event.kind, event.announcement, event.text, event.ground, event.awaits, event.asks
    )
    return replace(draws, claim=claim)


@applies(ev.ClaimKindAsked)
def _kind_asked(draws: DrawsState, event: ev.ClaimKindAsked) -> DrawsState:
    return draws if draws.claim is None else replace(draws, claim=replace(draws.claim, asks=event.asks))


@applies(ev.ClaimKindStated)
def _kind_stated(draws: DrawsState, event: ev.ClaimKindStated) -> DrawsState:
    if draws.claim is None:
        return draws
    awaits = event.kind == "unstated"
    return replace(draws, claim=replace(draws.claim, kind=event.kind, ground=event.ground, awaits=awaits, asks=()))


@applies(ev.IntendedStated)
def _intended_stated(draws: DrawsState, event: ev.IntendedStated) -> DrawsState:
    if draws.claim is None:
        return draws
    stated = replace(draws.claim, announcement=event.announcement, text=event.text, awaits=False, asks=())
    return replace(draws, claim=stated)


@applies(ev.ClaimRuled)
def _claim_ruled(draws: DrawsState, event: ev.ClaimRuled) -> DrawsState:
    """Record a ruling on the open claim, or else on the oldest one that was postponed (III.5.2, L238)."""
    claim = draws.claim
    if claim is None:
        return draws if event.ruling == "postponed" else replace(draws, postponed=draws.postponed[1:])
    if event.ruling == "postponed":
        return replace(draws, claim=None, postponed=(*draws.postponed, claim))
    if event.kind == "increment":
        return replace(draws, claim=None, increment_request="granted" if event.ruling == "correct" else "refused")
    wrong = event.ruling == "wrong" and event.kind != "quickplay" and claim.announcement is not None
    return replace(draws, claim=None, intended=claim if wrong else draws.intended)


@applies(ev.PlayConcluded)
def _concluded(draws: DrawsState, event: ev.PlayConcluded) -> DrawsState:
    return replace(draws, concluded=Concluded(event.seat, event.ground, event.snapshot))


@applies(ev.PositionVerified)
def _verified(draws: DrawsState, event: ev.PositionVerified) -> DrawsState:
    if draws.concluded is None:
        return draws
    return replace(draws, concluded=replace(draws.concluded, agrees=event.agrees))


class MateQuestion(msgspec.Struct, frozen=True):
    """Open question: can this seat ever mate from the position after this ply?

    None: it is unknown.
    """

    number: int
    seat: Seat
    ply: int
    position: Position | None
    why: str
    note: str = ""
    said: Saying | None = None
    announced: int = 0


class Pending(msgspec.Struct, frozen=True):
    """Words of a player that wait for their own yes.

    `sound_ms`, `until_ms`: since when and until when they stand (ms of the run).
    """

    seat: Seat
    what: str
    sound_ms: int
    until_ms: int
    after: int  # the last ply announced or made when it was said
    found: str = ""


class EndingState(msgspec.Struct, frozen=True):
    """Result of the game, and what may become one."""

    result: str | None = None
    reason: str = ""
    ended_by: str = ""  # the article of the result; "" in older records
    approvals: tuple[tuple[Seat, str], ...] = ()  # the result that each player has approved (8.7)
    resigned: Seat | None = None
    flag_seen: Seat | None = None  # whose flag was claimed or called, until play goes on (6.8)
    mates_asked: int = 0
    mate_questions: tuple[MateQuestion, ...] = ()  # answered outside the decision
    pending: tuple[Pending, ...] = ()  # waits for the player's own yes

    def mate_question(self, number: int) -> MateQuestion | None:
        """Return the open question of that number."""
        return next((one for one in self.mate_questions if one.number == number), None)

    def pending_of(self, seat: Seat) -> Pending | None:
        """Return this player's words that wait for their own yes."""
        return next((one for one in self.pending if one.seat is seat), None)

    def taken_back(self) -> EndingState:
        """Return the ending after the game went back: only what follows from a ruling is still asked (7.5.5)."""
        asked = tuple(one for one in self.mate_questions if one.why == "illegal")
        return replace(self, mate_questions=asked, resigned=None, flag_seen=None, pending=())

    def when_resumed(self) -> EndingState:
        """Return the ending when play goes on; a resignation that still waited for its result no longer counts."""
        if self.resigned is None:
            return replace(self, flag_seen=None)
        left = tuple(one for one in self.mate_questions if one.why != "resigned")
        return replace(self, flag_seen=None, resigned=None, mate_questions=left)


@applies(ev.Proposed)
def _proposed(ending: EndingState, event: ev.Proposed) -> EndingState:
    others = tuple(one for one in ending.pending if one.seat is not event.seat)
    said = Pending(event.seat, event.what, event.sound_ms, event.until_ms, event.after, event.found)
    return replace(ending, pending=(*others, said))


@applies(ev.ProposalSettled)
def _proposal_settled(ending: EndingState, event: ev.ProposalSettled) -> EndingState:
    return replace(ending, pending=tuple(one for one in ending.pending if one.seat is not event.seat))


@applies(ev.Resigned)
def _resigned(ending: EndingState, event: ev.Resigned) -> EndingState:
    return replace(ending, resigned=event.seat)


@applies(ev.TimeClaimed, ev.FlagCalled)
def _flag_seen(ending: EndingState, event: ev.TimeClaimed | ev.FlagCalled, time: TimeState) -> EndingState:
    """Record a claimed or called flag that has fallen on this clock.

    Another clock is for the arbiter to look at.
    """
    seat = event.seat.other if isinstance(event, ev.TimeClaimed) else event.seat
    seen = time.clock_master is not ClockMaster.SERVER or time.clock.side(seat).flagged
    return replace(ending, flag_seen=seat) if seen else ending


@applies(ev.MateAsked)
def _mate_asked(ending: EndingState, event: ev.MateAsked) -> EndingState:
    asked = MateQuestion(
        event.number, event.seat, event.ply, event.position, event.why, event.note, event.said, event.announced
    )
    return replace(ending, mates_asked=event.number, mate_questions=(*ending.mate_questions, asked))


@applies(ev.MateAnswered)
def _mate_answered(ending: EndingState, event: ev.MateAnswered) -> EndingState:
    left = tuple(one for one in ending.mate_questions if one.number != event.number)
    return replace(ending, mate_questions=left)


@applies(ev.ResultApproved)
def _approved(ending: EndingState, event: ev.ResultApproved) -> EndingState:
    others = tuple(one for one in ending.approvals if one[0] is not event.seat)
    return replace(ending, approvals=(*others, (event.seat, event.result)))
