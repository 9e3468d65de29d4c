"""What the arbiter rules and notes in his book."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Name, Placement, Text
from server.game.values.words import Seat


class RuleClaim(Body, frozen=True, kw_only=True):
    """The arbiter rules on the open claim (9.5, III.4, III.5).

    `correct`: the draw, or the 5 s of III.4. `wrong`: no draw; the request refused. `postponed`: III.5.2.
    `bonus` False: no time for the opponent where a postponement leaves it to the arbiter (III.5.2).
    """

    ruling: Literal["correct", "wrong", "postponed"]
    bonus: bool = True


class RuleTouch(Body, frozen=True, kw_only=True):
    """The arbiter rules whether a touch binds: accidental contact does not (4.2.2)."""

    number: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    counts: bool
    reason: Text = ""


class OpenEvidence(Body, frozen=True, kw_only=True):
    """The arbiter opens the sealed touches, in a dispute: with his reason."""

    reason: Text


class RuleIrregularity(Body, frozen=True, kw_only=True):
    """The arbiter rules on a completed ply (7.5). `confirm` False: none. `give`: the time for the opponent."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    seat: Seat
    kind: Literal["illegal", "unpromoted", "no_move", "two_hands"]
    confirm: bool = True
    give: bool = True


class RestoreTo(Body, frozen=True, kw_only=True):
    """The game goes back to after this ply (7.1, 7.5.1). `times`: left as they are, or those stored with that ply.

    `placement`: where the server does not know the position. `agreed`: by both players, where it would stand (A.5.2).
    """

    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)]
    times: Literal["leave", "stored"] = "leave"
    placement: Placement | None = None
    agreed: bool = False
    reason: Text = ""


class DecideGap(Body, frozen=True, kw_only=True):
    """The arbiter decides where the Laws have a gap; `ply` None: the last made."""

    gap: Annotated[str, msgspec.Meta(pattern=r"^G(?:[1-9]|1[0-4])\Z")]
    decision: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    article: Name = ""


class Penalise(Body, frozen=True, kw_only=True):
    """One of the nine penalties of 12.9. `amount`: ms, half points, rounds, or whole units of a fine.

    `opponents`: what the opponent of a player who loses by penalty has (11.7).
    """

    seat: Seat
    penalty: Literal[
        "warning",
        "more_time_for_opponent",
        "less_time_for_offender",
        "more_points_for_opponent",
        "fewer_points_for_offender",
        "loss",
        "fine",
        "exclusion_from_rounds",
        "expulsion",
    ]
    amount: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0
    opponents: Literal["win", "draw", "loss"] = "win"
    reason: Text = ""


class NoteIncident(Body, frozen=True, kw_only=True):
    """An entry of the arbiter's incident log."""

    kind: Name
    text: Text
    seat: Seat | None = None
    article: Name = ""


class RegisterDevice(Body, frozen=True, kw_only=True):
    """The arbiter approves or refuses a device in the venue (11.3.2, 12.8)."""

    device: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    approved: bool
    seat: Seat | None = None
    note: Text = ""


class PermitLeaving(Body, frozen=True, kw_only=True):
    """The arbiter grants or refuses leave from the venue or the playing area (11.2).

    `person`: somebody else who asks for access, on the side of this seat (an assistant, a guide).
    """

    seat: Seat
    granted: bool = True
    reason: Text = ""
    place: Literal["venue", "area"] = "venue"
    person: Text = ""


class NoteAppeal(Body, frozen=True, kw_only=True):
    """An appeal against a decision, also after the end (11.10)."""

    against: Text
    text: Text = ""
    seat: Seat | None = None


class RuleSetUp(Body, frozen=True, kw_only=True):
    """The arbiter asks what becomes of a wrong initial position, orientation or of reversed colours (7.2, 7.3).

    `placement`: how the men stood at the start, where a wrong set-up stands after ten moves (A.5.1.2). `board`: on
    which board, None on both. `names`: whether the players' names change sides where reversed colours stay (7.3).
    """

    what: Literal["position", "orientation", "colours"]
    placement: Placement | None = None
    board: Seat | None = None
    names: Literal["swap", "keep"] = "swap"
