"""What the arbiter was told and decided: alerts, touches, irregularities, penalties, his book."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.words import Origin, Seat


class Alerted(Event, frozen=True, kw_only=True):
    """For the arbiter only. `grey`: rests on recognised words alone until a second source agrees."""

    kind: str
    ply: int
    grey: bool
    detail: str
    utterance: str | None = None


class TouchReported(Event, frozen=True, kw_only=True):
    """A piece was lifted, touched, placed or released on a player's board; numbered as they arrive (4.2, D.2.2).

    `because`: why it does not bind ("" where it may): not_on_move, adjusting, execution, accident, restored.
    `sealed`: kept from the arbiter until a dispute, since only one board senses (touch_evidence_one_sided).
    `rejects`: it rejects the offer that stands (9.1.2.1); None in older records, where `because` said so.
    """

    number: int
    seat: Seat
    ply: int
    square: str
    how: str
    origin: Origin
    piece: str | None = None
    because: str = ""
    sealed: bool = False
    rejects: bool | None = None


class TouchRuled(Event, frozen=True, kw_only=True):
    """The arbiter ruled whether a touch binds: accidental contact does not (4.2.2)."""

    number: int
    counts: bool
    reason: str


class EvidenceOpened(Event, frozen=True, kw_only=True):
    """In a dispute the arbiter opened the sealed touches."""

    reason: str
    touches: tuple[TouchReported, ...]


class IrregularityRuled(Event, frozen=True, kw_only=True):
    """The arbiter made an irregularity of an alert, or none (`confirmed`): what the rule set says of it (7.5).

    `number`: the how-manieth that counts together. `counts`, `loses`, `bonus_ms` None: the rule set does not say.
    `proposed`: the result for the arbiter to declare; `opponent_can_mate` is what it rests on.
    """

    seat: Seat
    ply: int
    kind: str
    confirmed: bool
    counts: bool | None
    article: str
    number: int = 0
    loses: bool | None = None
    bonus_ms: int | None = None
    opponent_can_mate: str = ""
    proposed: str | None = None


Keeps = Literal["offer", "intended", "touches", "due"]


class Restored(Event, frozen=True, kw_only=True):
    """The game went back to after this ply; the plies after it are a discarded line (7.1, 7.5.1).

    `keeps`: what stands all the same: an offer that nobody has answered (9.1.2.1), the intended move of a wrong claim
    (9.5.3), what was touched and said of the coming move (4.2, 4.3), the duty to complete a score as far as the line
    now goes (8.5). `exempt`: the period for the rest of which White, Black need not record (8.4).
    """

    ply: int
    discarded: tuple[str | None, ...]
    reason: str
    keeps: tuple[Keeps, ...] = ()
    exempt: tuple[int | None, int | None] = (None, None)


class Decided(Event, frozen=True, kw_only=True):
    """The arbiter decided where the Laws have a gap (G1 to G14)."""

    gap: str
    ply: int
    decision: str
    article: str


class Penalised(Event, frozen=True, kw_only=True):
    """One of the nine penalties of 12.9. `amount`: ms, half points, rounds, or whole units of a fine."""

    seat: Seat
    penalty: str
    article: str
    amount: int
    reason: str


class IncidentNoted(Event, frozen=True, kw_only=True):
    """An entry of the incident log."""

    kind: str
    seat: Seat | None
    ply: int
    text: str
    article: str


class DeviceRegistered(Event, frozen=True, kw_only=True):
    """A device in the venue, approved or refused by the arbiter (11.3.2, 12.8)."""

    device: str
    seat: Seat | None
    approved: bool
    note: str
    after_start: bool


class LeaveRuled(Event, frozen=True, kw_only=True):
    """A player's request to leave the playing venue or area was granted or not (11.2)."""

    seat: Seat
    granted: bool
    reason: str
    place: str = "venue"
    person: str = ""
    article: str = ""


class AppealNoted(Event, frozen=True, kw_only=True):
    """An appeal against a decision; possible also after the end (11.10)."""

    seat: Seat | None
    against: str
    text: str


RulingEvent = (
    Alerted
    | TouchReported
    | TouchRuled
    | EvidenceOpened
    | IrregularityRuled
    | Restored
    | Decided
    | Penalised
    | IncidentNoted
    | DeviceRegistered
    | LeaveRuled
    | AppealNoted
)
