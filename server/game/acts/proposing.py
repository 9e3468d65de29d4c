"""What binds a player and is said in a word: offers, answers, claims, resignation; and his yes or no to it."""

from __future__ import annotations

from typing import Literal

from server.game.acts.base import Body

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
