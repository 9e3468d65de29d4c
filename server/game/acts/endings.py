"""Offers, answers, resignation, claims, approval of the result.

What binds a player and is said in a word: offers, answers, claims, resignation; and his yes or no to it.

Offers, claims, flags called, resignation, the result (Articles 5, 6.8, 9).

What a player said that waits for his own yes, and what he said to the arbiter alone (9.2.1, 9.5.1).

Whether a player can ever mate: asked by a decision, answered beside the table (5.1.2, 6.9, 7.5.5).

A claim in a game that no arbiter supervises (Guidelines III.6).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Event, Text
from server.game.acts.scores import Snapshot
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.words import Seat


class OfferDraw(Body, frozen=True, kw_only=True):
    """A draw offer (9.1)."""


class AnswerDraw(Body, frozen=True, kw_only=True):
    """The answer to the opponent's offer."""

    accept: bool


class Acknowledge(Body, frozen=True, kw_only=True):
    """A hearing-impaired player has seen the draw offer that was made to him (D.2.11)."""


class Resign(Body, frozen=True, kw_only=True):
    """Resignation (5.1.2). Stations ask twice before they send it."""


class ClaimTime(Body, frozen=True, kw_only=True):
    """The opponent's flag has fallen (6.8)."""


class ClaimDraw(Body, frozen=True, kw_only=True):
    """A draw is claimed (9.2, 9.3), or asked for in a quickplay finish (III.4 `increment`, III.5 `quickplay`).

    `unstated`: he did not say whether by 9.2 or 9.3. The clocks stop and it cannot be withdrawn (9.5.1). `intended`:
    the move that the player has written and not made, for the arbiter alone. `ground`: of a claim under III.5.
    `words` and `text` are filled in by the server. `evidence`: on what he bases it; a display alone is none (6.12.2).
    `awaits`: the intended move follows, written or said to the arbiter alone, or the word for none (9.2.1, 9.3.1).
    """

    kind: Literal["repetition", "fifty_moves", "unstated", "increment", "quickplay"]
    intended: Announcement | None = None
    ground: Literal["cannot_win", "no_effort"] | None = None
    words: tuple[str, ...] = ()
    text: Text = ""
    awaits: bool = False
    evidence: Annotated[
        tuple[Literal["own_score", "opponents_score", "position", "display"], ...], msgspec.Meta(max_length=4)
    ] = ()


class ApproveResult(Body, frozen=True, kw_only=True):
    """A player approves the result after the end, as he signs it on paper (8.7)."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"]


class VerifyPosition(Body, frozen=True, kw_only=True):
    """Without an arbiter: the opponent verifies the final position, and the score submitted with it (III.6.1)."""

    agrees: bool
    note: Text = ""


Act = Literal["draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw"]


class Propose(Body, frozen=True, kw_only=True):
    """A player said a word that binds him. What was recognised beyond doubt (`sure`) stands; else he is asked.

    What ends the game (`resign`, `draw_accept`) is asked always. `at_ms`: the time of the sound, from which it stands
    (ms of this run); that and `utterance` are given by the server, never a client.
    """

    what: Act
    sure: bool = True
    utterance: str | None = None
    at_ms: int | None = None


class Confirm(Body, frozen=True, kw_only=True):
    """The player's yes or no to what they were asked; where their intended move is awaited, no means: without a move.

    Where nothing is asked, it answers the opponent's offer (9.1.2.1): `typed` at once, else a yes is asked about, and
    a no that is not `sure`. All but `yes` is given by the server, never by a client; `at_ms` as in `Propose`.
    """

    yes: bool
    typed: bool = False
    sure: bool = True
    utterance: str | None = None
    at_ms: int | None = None


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


class Proposed(Event, frozen=True, kw_only=True):
    """A player is asked whether he said this. With his yes by `until_ms` it stands from `sound_ms` on.

    `after`: the last ply announced or made when he said it. `found`: what was so then and counts with his yes: the
    moment of an offer; "flag" where the opponent's display stood at zero.
    """

    seat: Seat
    what: Literal["draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw"]
    sound_ms: int
    until_ms: int
    after: int
    found: str = ""
    utterance: str | None = None


class ProposalSettled(Event, frozen=True, kw_only=True):
    """What waited for a player's yes: confirmed, refused by his no, dropped for something else, or lapsed in time."""

    seat: Seat
    what: str
    outcome: Literal["confirmed", "refused", "dropped", "lapsed"]


class IntendedStated(Event, frozen=True, kw_only=True):
    """The move that the claimant intends, for the arbiter and his own score; None: the position as it stands."""

    seat: Seat
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None


class SaidToArbiter(Event, frozen=True, kw_only=True):
    """Words of a player whose microphone goes to the arbiter alone: no announcement, no echo, no move of the game."""

    seat: Seat
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    unclear: str | None = None
    utterance: str | None = None


ProposingEvent = Proposed | ProposalSettled | IntendedStated | SaidToArbiter


class MateAsked(Event, frozen=True, kw_only=True):
    """Can this seat ever mate from the position after this ply? None: the position is not known.

    `why`: resigned, time_claimed, flag_called or illegal; `note`: what the arbiter has been told of it.
    """

    number: int
    seat: Seat
    ply: int
    position: Position | None
    why: str
    note: str = ""


class MateAnswered(Event, frozen=True, kw_only=True):
    """Whether it can; a yes carries its proof, the moves (UCI) that mate. For the arbiter alone (11.12)."""

    number: int
    seat: Seat
    ply: int
    verdict: Literal["yes", "no", "unknown"]
    witness: tuple[str, ...] = ()
    reason: str = ""


class PlayConcluded(Event, frozen=True, kw_only=True):
    """The claim ended play (III.6.1): both boards, both times and both scores as they stood then.

    `missing`: the plies that the claimant's score lacks; the claim that no effort is made needs an up-to-date one.
    """

    seat: Seat
    ground: str
    snapshot: Snapshot
    missing: tuple[int, ...] = ()


class PositionVerified(Event, frozen=True, kw_only=True):
    """The opponent verified the final position, and the score where it was submitted, or did not agree (III.6.1)."""

    seat: Seat
    agrees: bool
    note: str
