"""What a player said that waits for his own yes, and what he said to the arbiter alone (9.2.1, 9.5.1)."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.announcement import Announcement
from server.game.values.words import Seat


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
