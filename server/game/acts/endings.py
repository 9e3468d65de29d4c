"""Offers, answers, resignation, claims, approval of the result."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Text
from server.game.values.announcement import Announcement


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
