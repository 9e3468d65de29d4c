"""What an utterance may have been, as the ears weigh it: evidence for what the server believes, never for a player."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.values.announcement import Announcement, Square
from server.game.values.words import Seat

MOST_CANDIDATES = 40
MOST_UTTERANCES = 6
"""Of one ply so many are kept, the last ones."""
MOST_ASIDE = 2
"""And so many of those that were set aside."""


class Candidate(msgspec.Struct, frozen=True, array_like=True):
    """One announcement that the sound may have been, and its cost: -log P (nats). On the wire a list."""

    piece: Literal["king", "queen", "rook", "bishop", "knight", "pawn"] | None
    from_square: Square | None
    to_square: Square | None
    promotion: Literal["queen", "rook", "bishop", "knight"] | None
    castling: Literal["short", "long"] | None
    cost: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)]

    @classmethod
    def of(cls, said: Announcement, cost: float) -> Candidate:
        """An announcement with its cost."""
        return cls(said.piece, said.from_square, said.to_square, said.promotion, said.castling, cost)

    @property
    def announcement(self) -> Announcement:
        """Without its cost."""
        return Announcement(self.piece, self.from_square, self.to_square, self.promotion, self.castling)


Candidates = Annotated[tuple[Candidate, ...], msgspec.Meta(max_length=MOST_CANDIDATES)]


class UtteranceHeard(msgspec.Struct, frozen=True):
    """One utterance about a ply: whose voice, its sound, and what it may have been.

    `aside`: it was taken for nothing that was meant for us, and what it may have been counts as little.
    """

    seat: Seat
    utterance: str | None
    candidates: tuple[Candidate, ...]
    aside: bool = False


def with_utterance(
    known: tuple[UtteranceHeard, ...],
    seat: Seat,
    utterance: str | None,
    candidates: tuple[Candidate, ...],
    *,
    aside: bool = False,
) -> tuple[UtteranceHeard, ...]:
    """The utterances of a ply with one more; the same sound counts once, and with nothing weighed nothing is added.

    What was set aside takes the place of nothing that was taken.
    """
    if not candidates:
        return known
    others = tuple(one for one in known if utterance is None or one.utterance != utterance)
    found = (*others, UtteranceHeard(seat, utterance, candidates, aside))
    taken = tuple(one for one in found if not one.aside)[-MOST_UTTERANCES:]
    kept = [one for one in found if one.aside][-MOST_ASIDE:]
    return tuple(one for one in found if one in taken or one in kept)


def without_utterance(known: tuple[UtteranceHeard, ...], utterance: str | None) -> tuple[UtteranceHeard, ...]:
    """The utterances of a ply without this one."""
    return tuple(one for one in known if utterance is None or one.utterance != utterance)
