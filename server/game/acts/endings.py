"""Commands and events by which a game ends or may end (Articles 5, 6.8, 9).

Draw offers and answers, claims, called flags, resignation, the result and its approval; what a player said
that waits for that player's own yes, and what was said to the arbiter alone (9.2.1, 9.5.1); the question whether a
player can ever mate, asked by a decision and answered outside it (5.1.2, 6.9, 7.5.5); and a claim in a game that no
arbiter supervises (Guidelines III.6).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Event, Text
from server.game.acts.moves import SpeechEvent
from server.game.acts.scores import Snapshot
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.saying import Saying
from server.game.values.words import Duty, Role, Seat


class OfferDraw(Act, by=Role.PLAYER, ends_game=True, of_play=True):
    """A player offers a draw (9.1)."""


class AnswerDraw(Act, by=Role.PLAYER, ends_game=True, of_play=True):
    """A player answers the opponent's offer."""

    accept: bool


class Acknowledge(Act, by=Role.PLAYER, duty=Duty.ANNOUNCE):
    """A hearing-impaired player has seen the opponent's draw offer (D.2.11)."""


class Resign(Act, by=Role.PLAYER, ends_game=True, of_play=True):
    """A player resigns (5.1.2). Stations ask twice before they send it."""


class ClaimTime(Act, by=Role.PLAYER, duty=Duty.CLAIM_AND_REPORT, ends_game=True, of_play=True):
    """A player claims that the opponent's flag has fallen (6.8)."""


class ClaimDraw(Act, by=Role.PLAYER, ends_game=True, of_play=True):
    """A player claims a draw (9.2, 9.3), or asks for one in a quickplay finish.

    The kinds of the quickplay finish are `increment` (III.4) and `quickplay` (III.5). `unstated`: the player did not
    say whether by 9.2 or 9.3. The clocks stop and the claim cannot be withdrawn (9.5.1). `intended`: the move that the
    player has written and not made, for the arbiter alone. `ground`: of a claim under III.5. `words` and `text` are
    filled in by the server. `evidence`: what the player bases it on; a display alone is no evidence (6.12.2). `awaits`:
    the intended move, or the word that there is none, is still to be written or said to the arbiter alone (9.2.1,
    9.3.1).
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


class ApproveResult(Act, by=Role.PLAYER, after_the_end=True):
    """A player approves the result after the end, which stands for signing it on paper (8.7)."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"]


class VerifyPosition(Act, by=Role.PLAYER, after_the_end=True):
    """The opponent verifies the final position and the submitted score, where no arbiter is there.

    See III.6.1.
    """

    agrees: bool
    note: Text = ""


Proposal = Literal["draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw"]


class Propose(Act, by=Role.PLAYER, ends_game=True, of_play=True):
    """A player said a word that binds them.

    What was recognised beyond doubt (`sure`) stands, else the player is asked. About what ends the game (`resign`,
    `draw_accept`) the player is always asked. `at_ms`: the time of the sound, from which it stands (ms of this run);
    that and `utterance` are given by the server, never by a client.
    """

    what: Proposal
    sure: bool = True
    utterance: str | None = None
    at_ms: int | None = None


class Confirm(Act, by=Role.PLAYER, ends_game=True):
    """A player says yes or no to what they were asked.

    Where their intended move is awaited, no means: without a move. Where nothing is asked, it answers the opponent's
    offer (9.1.2.1): a `typed` no counts at once; otherwise the player is asked about a yes, and about a no that is
    not `sure`. `voice_alone`: an open microphone heard it; then it binds nobody. All but `yes`
    is given by the server, never by a client; `at_ms` as in `propose`: by that a yes is in time.
    """

    yes: bool
    typed: bool = False
    sure: bool = True
    voice_alone: bool = False
    utterance: str | None = None
    at_ms: int | None = None


class DrawOffered(Event):
    """A player offered a draw; the offer stands until it is accepted or rejected and cannot be withdrawn.

    See 9.1.2.1. `by_claim`: a claim of a draw is an offer too (9.1.2.3, III.4). `after`: the last ply announced or made
    when it was spoken, where it was confirmed later.
    """

    seat: Seat
    ply: int
    by_claim: bool = False
    after: int | None = None


class OfferAcknowledged(Event):
    """The hearing-impaired opponent has seen the offer: only now can their move reject it.

    See D.2.11, 9.1.2.1.
    """

    seat: Seat
    ply: int


class DrawAnswered(Event):
    """The opponent accepted or rejected the offer; `by_move`: by the move made since then, not by a word.

    `after_touch`: a touch had rejected it before. No player hears of it, and no ruling on that touch brings it back.
    """

    seat: Seat
    accepted: bool
    by_move: bool = False
    after_touch: bool = False


class TimeClaimed(Event):
    """A player or the assistant claims that the opponent's flag has fallen (6.8, D.2.10.5)."""

    seat: Seat


class DrawClaimed(Event):
    """A player claimed a draw, or asked for it in a quickplay finish.

    The clocks stand and the claim cannot be withdrawn (9.5.1). `announcement`: the intended move, for the arbiter
    alone: neither announced nor made (9.2.1). `awaits`: that move, or the word that there is none, is still to come.
    `evidence`: what the player bases the claim on (6.12.2). `asks`: in a quickplay finish, the requests and claims of
    Guidelines III about which the player is asked one after the other; the first one is asked about now.
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


class ClaimKindAsked(Event):
    """A claimant is asked, by voice, whether the claim is the first of these (III.4, III.5).

    After a no the next one is asked about.
    """

    seat: Seat
    asks: tuple[str, ...]


class ClaimKindStated(Event):
    """The claimant said what the claim is.

    `increment` (III.4), `quickplay` on a ground (III.5), or `unstated`: 9.2 or 9.3.
    """

    seat: Seat
    kind: str
    ground: str | None = None


class ClaimRuled(Event):
    """The arbiter ruled on a claim: correct, wrong or postponed, with the article.

    See 9.5.2, 9.5.3, III.4, III.5.
    """

    seat: Seat
    kind: str
    ruling: str
    article: str


class FlagCalled(Event):
    """The arbiter has observed that this side's flag has fallen (6.8, A.4.5, A.5.5).

    `both`: both flags (III.3.1).
    """

    seat: Seat
    both: bool = False


class Resigned(Event):
    """A player resigned (5.1.2). The result follows, or waits for the arbiter (G11)."""

    seat: Seat


class ResultApproved(Event):
    """A player has signed or approved the result after the end (8.7)."""

    seat: Seat
    result: str


class GameEnded(Event):
    """The game is over: the result is "1-0", "0-1", "1/2-1/2" or one set by the arbiter (11.8).

    `reason` and `article` say why.
    """

    result: str
    reason: str
    article: str


class Proposed(Event):
    """A player is asked whether they said this. With a yes said by `until_ms` it stands from `sound_ms` on.

    `after`: the last ply announced or made when it was said. `found`: what was true at that time and counts with the
    yes: the moment of an offer; "flag" where the opponent's display stood at zero; how many moves were made, of what
    ends the game.
    """

    seat: Seat
    what: Literal["draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw"]
    sound_ms: int
    until_ms: int
    after: int
    found: str = ""
    utterance: str | None = None


class ProposalSettled(Event):
    """The words that waited for a player's yes are settled.

    They were confirmed, refused by the player's no, dropped for something else, or lapsed when its time was over.
    """

    seat: Seat
    what: str
    outcome: Literal["confirmed", "refused", "dropped", "lapsed"]


class IntendedStated(SpeechEvent):
    """The claimant named the intended move, for the arbiter and the player's own score.

    Without an announcement the claim is about the position as it stands.
    """


class SaidToArbiter(SpeechEvent):
    """A player said words while the microphone went to the arbiter alone.

    They are no announcement, no echo and no move of the game.
    """


class MateAsked(Event):
    """The question is whether this seat can ever mate from the position after this ply.

    None: the position is unknown.

    `why`: resigned, time_claimed, flag_called, illegal or sealed. `said`: what the arbiter has been told of it (in old
    records `note`, in English). `note`: the answer for the other player, where it was asked of that one before.
    `announced`: the ply that was announced and not made then; 0 where none was, and in older records.
    """

    number: int
    seat: Seat
    ply: int
    position: Position | None
    why: str
    note: str = ""
    said: Saying | None = None
    announced: int = 0


class MateAnswered(Event):
    """The answer is whether this seat can ever mate; a yes comes with its proof, moves (UCI) that mate.

    It is for the arbiter alone (11.12). `said`: what it rests on (in old records `reason`, in English).
    """

    number: int
    seat: Seat
    ply: int
    verdict: Literal["yes", "no", "unknown"]
    witness: tuple[str, ...] = ()
    reason: str = ""
    said: Saying | None = None


class PlayConcluded(Event):
    """The claim ended play (III.6.1).

    Both boards, both times and both scores are kept as they stood then. `missing`: the plies that are missing in the
    claimant's score; a claim that no effort is made needs a complete one.
    """

    seat: Seat
    ground: str
    snapshot: Snapshot
    missing: tuple[int, ...] = ()


class PositionVerified(Event):
    """The opponent verified the final position, and the score where it was submitted, or disagreed.

    See III.6.1.
    """

    seat: Seat
    agrees: bool
    note: str
