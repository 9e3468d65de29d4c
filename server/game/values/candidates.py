"""Candidates: the announcements that an utterance may have been, in the opinion of the recognisers.

They are evidence for what the server believes, never for a player.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.values.announcement import Announcement, Square
from server.game.values.words import Seat

MOST_CANDIDATES = 40
MOST_UTTERANCES = 6
"""How many utterances of one ply are kept; the last ones stay."""
MOST_ASIDE = 2
"""How many of those that were set aside are kept."""


class Candidate(msgspec.Struct, frozen=True, array_like=True):
    """One announcement that the sound may have been, with its cost: -log P (nats).

    It is sent as a list.
    """

    piece: Literal["king", "queen", "rook", "bishop", "knight", "pawn"] | None
    from_square: Square | None
    to_square: Square | None
    promotion: Literal["queen", "rook", "bishop", "knight"] | None
    castling: Literal["short", "long"] | None
    cost: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)]

    @classmethod
    def of(cls, said: Announcement, cost: float) -> Candidate:
        """Return a candidate made of an announcement and its cost."""
        return cls(said.piece, said.from_square, said.to_square, said.promotion, said.castling, cost)

    @property
    def announcement(self) -> Announcement:
        """Return the announcement without its cost."""
        return Announcement(self.piece, self.from_square, self.to_square, self.promotion, self.castling)


Candidates = Annotated[tuple[Candidate, ...], msgspec.Meta(max_length=MOST_CANDIDATES)]


class UtteranceHeard(msgspec.Struct, frozen=True):
    """One utterance about a ply: whose voice it is, its sound, and what it may have been.

    `aside`: it was not taken as meant for us, and what it may have been counts for little. `either`: the player was
    asked which of the two likeliest it was.
    """

    seat: Seat
    utterance: str | None
    candidates: tuple[Candidate, ...]
    aside: bool = False
    either: bool = False


def with_utterance(
    known: tuple[UtteranceHeard, ...],
    seat: Seat,
    utterance: str | None,
    candidates: tuple[Candidate, ...],
    *,
    aside: bool = False,
    either: bool = False,
) -> tuple[UtteranceHeard, ...]:
    """Return the utterances of a ply with one more.

    The same sound counts once; without candidates nothing is added. An utterance that was set aside never displaces one
    that was taken.
    """
    if not candidates:
        return known
    others = tuple(one for one in known if utterance is None or one.utterance != utterance)
    found = (*others, UtteranceHeard(seat, utterance, candidates, aside, either))
    taken = tuple(one for one in found if not one.aside)[-MOST_UTTERANCES:]
    kept = [one for one in found if one.aside][-MOST_ASIDE:]
    return tuple(one for one in found if one in taken or one in kept)


def without_utterance(known: tuple[UtteranceHeard, ...], utterance: str | None) -> tuple[UtteranceHeard, ...]:
    """Return the utterances of a ply without this one."""
    return tuple(one for one in known if utterance is None or one.utterance != utterance)
