"""Adjournment (Guidelines I): what happened to an envelope. The journal holds ciphertext until it is opened."""

from __future__ import annotations

from server.game.acts.event import Event
from server.game.values.adjournment import EnvelopeLabel, SealedMove, SetUpList
from server.game.values.words import Seat


class SealOrdered(Event, frozen=True, kw_only=True):
    """The player on move was required to seal (I.1.1). `key`, `salt`: the public half of the arbiter's key."""

    seat: Seat
    ply: int
    key: str
    salt: str
    session_left_ms: int | None = None
    reply: bool = False


class MoveSealed(Event, frozen=True, kw_only=True):
    """A move lies in the open envelope, encrypted; `sha256` of the ciphertext. `understood`: its words were."""

    seat: Seat
    ply: int
    sealed: str
    sha256: str
    utterance: str | None = None
    understood: bool = True


class Adjourned(Event, frozen=True, kw_only=True):
    """The envelope is closed and the clock stopped (I.1.1). `label`: what stands on it (I.2)."""

    seat: Seat
    ply: int
    sha256: str
    label: EnvelopeLabel
    reply: bool = False


class ResumptionPrepared(Event, frozen=True, kw_only=True):
    """What is to be set up on both boards and the clock before the resumption (I.5)."""

    list: SetUpList


class PresenceMarked(Event, frozen=True, kw_only=True):
    """A player is there for the resumption, or has gone."""

    seat: Seat
    present: bool


class ResumptionBegun(Event, frozen=True, kw_only=True):
    """The time of the resumption has come."""


class EnvelopeOpened(Event, frozen=True, kw_only=True):
    """The envelope was opened; `found`: played, ambiguous, illegal or undeterminable (I.8). `readings`: legal ones."""

    seat: Seat
    ply: int
    content: SealedMove
    found: str
    readings: tuple[str, ...] = ()


class SealedRuled(Event, frozen=True, kw_only=True):
    """The arbiter ruled on a sealed move that could not be played (I.8)."""

    seat: Seat
    ply: int
    lost: bool
    uci: str | None
    reason: str


class EnvelopeMissing(Event, frozen=True, kw_only=True):
    """The envelope is missing; the sealer made the move that he said he had sealed (I.12.1)."""

    seat: Seat
    ply: int
    uci: str


AdjournmentEvent = (
    SealOrdered
    | MoveSealed
    | Adjourned
    | ResumptionPrepared
    | PresenceMarked
    | ResumptionBegun
    | EnvelopeOpened
    | SealedRuled
    | EnvelopeMissing
)
