"""Offers, claims, flags called, resignation, the result (Articles 5, 6.8, 9)."""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.values.announcement import Announcement
from server.game.values.words import Seat


class DrawOffered(Event, frozen=True, kw_only=True):
    """An offer that stands until accepted or rejected; it cannot be withdrawn (9.1.2.1).

    `by_claim`: a claim of a draw is an offer too (9.1.2.3, III.4). `after`: the last ply announced or made when it was
    spoken, where that was confirmed later.
    """

    seat: Seat
    ply: int
    by_claim: bool = False
    after: int | None = None


class OfferAcknowledged(Event, frozen=True, kw_only=True):
    """The hearing-impaired opponent has seen the offer: only now can his move reject it (D.2.11, 9.1.2.1)."""

    seat: Seat
    ply: int


class DrawAnswered(Event, frozen=True, kw_only=True):
    """The opponent accepted or rejected the offer; `by_move`: by the move that he had made since, not by a word."""

    seat: Seat
    accepted: bool
    by_move: bool = False


class TimeClaimed(Event, frozen=True, kw_only=True):
    """A player or the assistant claims that the opponent's flag has fallen (6.8, D.2.10.5)."""

    seat: Seat


class DrawClaimed(Event, frozen=True, kw_only=True):
    """A draw is claimed, or asked for in a quickplay finish; the clocks stand and it cannot be withdrawn (9.5.1).

    `announcement`: the intended move, for the arbiter alone: neither announced nor made (9.2.1). `awaits`: it, or the
    word for none, is still to come. `evidence`: on what the player bases it (6.12.2). `asks`: in a quickplay finish,
    about which requests and claims of Guidelines III the player is asked one after the other, the first one now.
    """

    seat: Seat
    ply: int
    kind: str
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    ground: str | None = None
    awaits: bool = False
    evidence: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


class ClaimKindAsked(Event, frozen=True, kw_only=True):
    """A claimant is asked, by voice, whether the claim is the first of these (III.4, III.5); the others follow a no."""

    seat: Seat
    asks: tuple[str, ...]


class ClaimKindStated(Event, frozen=True, kw_only=True):
    """What the claimant said it is: `increment` (III.4), `quickplay` on a ground (III.5), or `unstated`: 9.2 or 9.3."""

    seat: Seat
    kind: str
    ground: str | None = None


class ClaimRuled(Event, frozen=True, kw_only=True):
    """The arbiter's ruling on a claim: correct, wrong or postponed, with the article (9.5.2, 9.5.3, III.4, III.5)."""

    seat: Seat
    kind: str
    ruling: str
    article: str


class FlagCalled(Event, frozen=True, kw_only=True):
    """The arbiter has observed that this side's flag has fallen (6.8, A.4.5, A.5.5); `both`: both (III.3.1)."""

    seat: Seat
    both: bool = False


class Resigned(Event, frozen=True, kw_only=True):
    """A player resigned (5.1.2). The result follows, or waits for the arbiter (G11)."""

    seat: Seat


class ResultApproved(Event, frozen=True, kw_only=True):
    """A player has signed or approved the result after the end (8.7)."""

    seat: Seat
    result: str


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: "1-0", "0-1", "1/2-1/2" (or others by the arbiter, 11.8) and why, with the article."""

    result: str
    reason: str
    article: str


EndingEvent = (
    DrawOffered
    | DrawAnswered
    | TimeClaimed
    | DrawClaimed
    | ClaimKindAsked
    | ClaimKindStated
    | ClaimRuled
    | FlagCalled
    | Resigned
    | ResultApproved
    | GameEnded
    | OfferAcknowledged
)
