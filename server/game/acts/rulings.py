"""Alerts to the arbiter, and the arbiter's rulings and notes.

Their subjects are alerts, touches, irregularities, penalties and incidents.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Event, Ms, Name, Placement, Square, Text
from server.game.values.saying import Saying
from server.game.values.words import Origin, Role, Seat


class RuleClaim(Act, by=Role.ARBITER, group="claims", article="9.5", sure={"ruling": ("correct",)}):
    """The arbiter rules on the open claim (9.5, III.4, III.5).

    `correct`: the draw, or the 5 s of III.4. `wrong`: no draw, or the request is refused. `postponed`: III.5.2. `bonus`
    False: no time for the opponent, where a postponement leaves that to the arbiter (III.5.2).
    """

    ruling: Literal["correct", "wrong", "postponed"]
    bonus: bool = True


class RuleTouch(Act, by=Role.ARBITER, group="irregular", article="4.2.2", form={"counts": {"value": True}}):
    """The arbiter rules whether a touch binds; accidental contact does not (4.2.2)."""

    number: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    counts: bool
    reason: Text = ""


class OpenEvidence(Act, by=Role.ARBITER, group="irregular", article="4.8"):
    """The arbiter opens the sealed touches in a dispute and gives the reason."""

    reason: Text


Irregularity = Literal["illegal", "unpromoted", "no_move", "two_hands", "touch"]


class RuleIrregularity(
    Act,
    by=Role.ARBITER,
    group="irregular",
    article="7.5",
    form={"ply": {"label": "half_move"}, "kind": {"words": "choice.irregular."}, "line": {"hidden": True}},
    sure={"confirm": (True,)},
):
    """The arbiter rules on a completed ply (7.5), or on a touched piece that was not moved (`touch`; 4.3).

    `confirm` False: it is no irregularity. `give`: the opponent gets the extra time. `line`: the ply is one that was
    taken back, on this discarded line (counted from 1; 0: on the present one); None: on the present line, or where it
    cannot be meant there, on the last line that was taken back.
    """

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)]
    seat: Seat
    kind: Irregularity
    confirm: bool = True
    give: bool = True
    line: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | None = None


class RestoreTo(
    Act,
    by=Role.ARBITER,
    of_play=True,
    sealed="all",
    group="game",
    article="7.1",
    form={"ply": {"before": 1}},
    sure={},
):
    """The arbiter takes the game back to after this ply (7.1, 7.5.1).

    None: to before the ply complained of last, which was claimed, told or ruled to be irregular, else the last one
    made. `times`: left as they are, or those stored with that ply and what rulings gave since. `placement`: given where
    the server does not know the position. `agreed`: both players agreed, where the illegal move would stand (A.5.2).
    """

    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    times: Literal["leave", "stored"] = "leave"
    placement: Placement | None = None
    agreed: bool = False
    reason: Text = ""


class TakeBack(
    Act,
    by=Role.ARBITER,
    of_play=True,
    sealed="all",
    group="irregular",
    article="7.5",
    form={
        "ply": {"before": 0, "label": "half_move"},
        "kind": {"words": "choice.irregular."},
        "to": {"label": "ply"},
        "give_to": {"empty": "opponent"},
    },
    sure={},
):
    """The arbiter rules a ply irregular, takes it back and gives the opponent time, all in one act (4.3, 7.5.1, 7.5.5).

    `ply`: the one complained of; None: the last one (as in `restore_to`). `to`: after which ply the game goes on; None:
    the one before it. A pawn becomes a queen and stays where it is (7.5.2), unless `to` is given. `give_ms`: how much
    time, to whom `give_to` names; None: as the rule set says, to the opponent. A touched piece that was not moved
    (`touch`) is no illegal move, and gives no time by itself; `touched`: its square, where no report says so. `resume`:
    the clocks run again at once, unless the game is lost by the ruling or a board must be set. Of a ply that was taken
    back already all but that is done. `times`, `placement`, `agreed`: as in `restore_to`.
    """

    ply: Annotated[int, msgspec.Meta(ge=1, le=1200)] | None = None
    kind: Irregularity = "illegal"
    to: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    times: Literal["leave", "stored"] = "leave"
    give_ms: Ms | None = None
    give_to: Seat | None = None
    touched: Square | None = None
    resume: bool = False
    placement: Placement | None = None
    agreed: bool = False
    reason: Text = ""


class DecideGap(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    group="irregular",
    article="D.2",
    form={
        "gap": {
            "sort": "choice",
            "values": ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14"],
            "words": "choice.gap.",
        }
    },
):
    """The arbiter decides a point that the Laws leave open; `ply` None: about the last move made."""

    gap: Annotated[str, msgspec.Meta(pattern=r"^G(?:[1-9]|1[0-4])\Z")]
    decision: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    article: Name = ""


class Penalise(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    group="conduct",
    article="12.9",
    form={"amount": {"sort": "amount"}},
    sure={"penalty": ("loss", "expulsion", "exclusion_from_rounds")},
):
    """The arbiter gives one of the nine penalties of 12.9.

    `amount`: ms, half points, rounds, or whole units of a fine.

    `opponents`: the score of the opponent of a player who loses by penalty (11.7).
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


class NoteIncident(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    group="conduct",
    article="11",
    form={"kind": {"sort": "choice", "words": "choice.incident."}, "seat": {"empty": "nobody"}},
):
    """The arbiter makes an entry in the incident log."""

    kind: Name
    text: Text
    seat: Seat | None = None
    article: Name = ""


class RegisterDevice(
    Act,
    by=Role.ARBITER,
    group="conduct",
    article="11.3.2",
    form={"approved": {"value": True}, "seat": {"empty": "nobody"}},
):
    """The arbiter approves or refuses a device in the venue (11.3.2, 12.8)."""

    device: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    approved: bool
    seat: Seat | None = None
    note: Text = ""


class PermitLeaving(Act, by=Role.ARBITER, group="conduct", article="11.2"):
    """The arbiter grants or refuses leave from the venue or the playing area (11.2).

    `person`: another person who asks for access on the side of this seat (an assistant, a guide).
    """

    seat: Seat
    granted: bool = True
    place: Literal["venue", "area"] = "venue"
    person: Text = ""
    reason: Text = ""


class NoteAppeal(
    Act, by=Role.ARBITER, after_the_end=True, group="conduct", article="11.10", form={"seat": {"empty": "nobody"}}
):
    """A player appeals against a decision, possibly after the end (11.10)."""

    against: Text
    text: Text = ""
    seat: Seat | None = None


class RuleSetUp(Act, by=Role.ARBITER, group="irregular", article="7.2", form={"board": {"empty": "both"}}):
    """The arbiter asks what becomes of a wrong initial position, a wrong orientation or reversed colours.

    See 7.2, 7.3. `placement`: how the men stood at the start, where a wrong set-up stands after ten moves (A.5.1.2).
    `board`: on which board; None on both. `names`: whether the players' names change sides where reversed colours stay
    (7.3).
    """

    what: Literal["position", "orientation", "colours"]
    placement: Placement | None = None
    board: Seat | None = None
    names: Literal["swap", "keep"] = "swap"


Standing = Literal["acknowledged", "put_off", "filed", "misheard"]
AlertNumbers = Annotated[
    tuple[Annotated[int, msgspec.Meta(ge=1, le=100_000)], ...], msgspec.Meta(min_length=1, max_length=1000)
]


class SettleAlert(Act, by=Role.ARBITER, after_the_end=True):
    """The arbiter settles alerts: seen, put off for later, filed for the report (12.2), or heard by the server alone.

    `numbers`: which alerts, counted in the order in which they were given, from 1. `misheard`: nothing of it happened.
    """

    numbers: AlertNumbers
    how: Standing


IncidentKind = Literal[
    "illegal", "touch", "phone", "clock", "set_up", "medical", "late", "absent", "crash", "adjourn", "boards"
]


class OpenIncident(
    Act,
    by=Role.ARBITER,
    group="conduct",
    article="12.2",
    form={
        "numbers": {"hidden": True},
        "kind": {"words": "choice.opened.", "optional": False},
        "seat": {"sort": "buttons", "empty": "nobody"},
    },
):
    """The arbiter says that something happened: the clocks stop, unless it is about who is not there (12.2).

    `numbers`: of alerts that told it as heard, as in `settle_alert`. Without them: its `kind`, and whom it is about.
    """

    numbers: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=100_000)], ...], msgspec.Meta(max_length=1000)] = ()
    kind: IncidentKind | None = None
    seat: Seat | None = None


class UndoIncident(Act, by=Role.ARBITER, sealed="all", group="irregular", article="12.2"):
    """The arbiter takes back all that settling the last incident did, until the clocks run again (12.2)."""


class IncidentOpened(Event):
    """The arbiter said that what these alerts told as heard did happen."""

    numbers: tuple[int, ...]


class IncidentBegun(Event):
    """The arbiter gave all acts of an incident at once: they follow, up to `IncidentSettled`."""

    numbers: tuple[int, ...]


class IncidentSettled(Event):
    """All acts of an incident were given; it is open until the clocks run again."""

    numbers: tuple[int, ...]


class IncidentUndone(Event):
    """The arbiter took back what settling an incident did; the clocks stand as they stood."""

    numbers: tuple[int, ...]


class AlertSettled(Event):
    """The arbiter settled these alerts; one that was put off waits apart from the others.

    Or the program did: a board no longer shows the result that it showed.
    """

    numbers: tuple[int, ...]
    how: Standing


class Alerted(Event):
    """The arbiter, and nobody else, is alerted.

    `grey`: it rests on recognised words alone until a second source agrees. `detail`: the English text of an old
    record, which has no `said`.
    """

    kind: str
    ply: int
    grey: bool
    said: Saying | None = None
    detail: str = ""
    utterance: str | None = None


class TouchReported(Event):
    """A piece was lifted, touched, placed or released on a player's board (4.2, D.2.2).

    Reports are numbered in the order of arrival. `because`: why it does not bind ("" where it may): not_on_move,
    adjusting, execution, accident, restored. `sealed`: kept from the arbiter until a dispute, since only one board
    senses (touch_evidence_one_sided). `rejects`: it rejects the open draw offer (9.1.2.1); None in older records, where
    `because` said so.
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


class TouchRuled(Event):
    """The arbiter ruled whether a touch binds: accidental contact does not (4.2.2).

    `offer`: what becomes of the opponent's draw offer, which a touch rejects (9.1.2.1): "back", since no touch rejected
    it after all; "rejected" by this touch; "" where the ruling does not change it, and in older records.
    """

    number: int
    counts: bool
    reason: str
    offer: Literal["", "back", "rejected"] = ""


class EvidenceOpened(Event):
    """In a dispute the arbiter opened the sealed touches."""

    reason: str
    touches: tuple[TouchReported, ...]


class IrregularityRuled(Event):
    """The arbiter ruled whether a completed ply was an irregularity (`confirmed`; 7.5).

    `number`: which one it is of those that count together. `counts`, `loses`, `bonus_ms` None: the rule set does not
    say. `proposed`: the result for the arbiter to declare; `opponent_can_mate` is what it rests on. `line`: the
    discarded line (from 1) that the ply stands on, where it was taken back before; 0: the present one.
    `pawn_goes_back`: the pawn that was not replaced becomes no queen, and its move is to be taken back (7.5.2); older
    records say nothing of that.
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
    line: int = 0
    pawn_goes_back: bool = False


Keeps = Literal["offer", "intended", "touches", "touched", "due"]


class Restored(Event):
    """The game went back to after this ply; the plies after it are a discarded line (7.1, 7.5.1).

    `keeps`: what remains valid all the same: an unanswered draw offer (9.1.2.1), the intended move of a wrong claim
    (9.5.3), what was touched and said of the coming move (4.2, 4.3; `touches`), what was touched before an irregular
    move that goes back and in one that was to be replaced (4.3, 7.5.1; `touched`), the duty to complete a score as far
    as the line now goes (8.5). `exempt`: the period for the rest of which White, Black need not record (8.4).
    """

    ply: int
    discarded: tuple[str | None, ...]
    reason: str
    keeps: tuple[Keeps, ...] = ()
    exempt: tuple[int | None, int | None] = (None, None)


class Decided(Event):
    """The arbiter decided a point that the Laws leave open (G1 to G14)."""

    gap: str
    ply: int
    decision: str
    article: str


class Penalised(Event):
    """The arbiter gave one of the nine penalties of 12.9.

    `amount`: ms, half points, rounds, or whole units of a fine.
    """

    seat: Seat
    penalty: str
    article: str
    amount: int
    reason: str


class IncidentNoted(Event):
    """An entry was made in the incident log."""

    kind: str
    seat: Seat | None
    ply: int
    text: str
    article: str


class DeviceRegistered(Event):
    """The arbiter approved or refused a device in the venue (11.3.2, 12.8)."""

    device: str
    seat: Seat | None
    approved: bool
    note: str
    after_start: bool


class LeaveRuled(Event):
    """A player's request to leave the playing venue or area was granted or not (11.2)."""

    seat: Seat
    granted: bool
    reason: str
    place: str = "venue"
    person: str = ""
    article: str = ""


class AppealNoted(Event):
    """A player appealed against a decision; that is possible also after the end (11.10)."""

    seat: Seat | None
    against: str
    text: str
