"""A claim in a game without an arbiter is handed over to the designated arbiter here (III.6).

It says what stood when play ended, and whether the opponent agrees.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from server.game.acts import AnyEvent, ClaimRuled, PlayConcluded, PositionVerified, Snapshot
from server.game.game import Game
from server.game.values.words import Seat
from speech.complaint import Complaint, Phrase


class Verification(msgspec.Struct, frozen=True):
    """One answer of the opponent to the claim; the last one comes last."""

    agrees: bool
    note: str


class ClaimHandedOver(msgspec.Struct, frozen=True):
    """Claim as it is handed over.

    `missing`: the half-moves that the claimant's score lacks. `ruling`, `result`: set once the arbiter has decided.
    """

    table: str
    event: str
    white: str
    black: str
    claimant: Seat
    ground: str
    stood: Snapshot
    missing: tuple[int, ...]
    verified: tuple[Verification, ...]
    ruling: str | None
    result: str | None


def claim_of(table: str, events: Iterable[AnyEvent]) -> ClaimHandedOver:
    """Return the claim that ended play. Raises Complaint where none did."""
    recorded = tuple(events)
    state = Game.replay(recorded)
    concluded = next((event for event in recorded if isinstance(event, PlayConcluded)), None)
    if concluded is None:
        raise Complaint(Phrase("export.no_claim", table=repr(table)))
    rulings = [event.ruling for event in recorded if isinstance(event, ClaimRuled) and event.article == "III.6.2"]
    said = [event for event in recorded if isinstance(event, PositionVerified)]
    return ClaimHandedOver(
        table=table,
        event=state.table.event_name,
        white=state.table.white.name,
        black=state.table.black.name,
        claimant=concluded.seat,
        ground=concluded.ground,
        stood=concluded.snapshot,
        missing=concluded.missing,
        verified=tuple(Verification(event.agrees, event.note) for event in said),
        ruling=rulings[-1] if rulings else None,
        result=state.ending.result,
    )
