"""The arbiter's commands at the reconciliation desk (D.2.9): what stands, is written, is decided, is confirmed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.play.commands.body import Body, Placement, Text
from server.play.values import Seat

PlyNumber = Annotated[int, msgspec.Meta(ge=1, le=1200)]


class OpenDesk(Body, frozen=True, kw_only=True):
    """Boards, times, side to move, counters and scores are put down; both clocks stand (D.2.9)."""

    reason: Text = ""


class ShowBoard(Body, frozen=True, kw_only=True):
    """What the arbiter sees on one board; the board of the record is not changed by it."""

    board: Seat
    placement: Placement


class TypeCell(Body, frozen=True, kw_only=True):
    """One cell of a player's score as the arbiter read it there; "-" for a blank one, "" takes it back.

    `language`: in whose letters it is written, where not the player's own.
    """

    seat: Seat
    ply: PlyNumber
    text: Text
    language: Annotated[str, msgspec.Meta(max_length=8, pattern=r"^[a-z]*\Z")] = ""


class HearCell(Body, frozen=True, kw_only=True):
    """The arbiter has listened to what was dictated into this cell: it is no longer provisional (D.2.7)."""

    seat: Seat
    ply: PlyNumber


class DecideDesk(Body, frozen=True, kw_only=True):
    """The arbiter's decision. `adjust`: the scores agree; whose board deviates sets it to `placement`, the clocks stay.

    `back`: both boards go back to after `ply`; `times` as in `restore_to`. `mend`: only the server is wrong, nobody at
    the table does anything. `verdict`: what the scores said by the Laws, as it was shown to him.
    """

    kind: Literal["adjust", "back", "mend"]
    verdict: Literal["same_record", "differ", "illegal_in_both", "incomplete", "out_of_step", ""] = ""
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    placement: Placement | None = None
    turn: Seat | None = None
    times: Literal["leave", "stored"] = "leave"
    reason: Text = ""


class ConfirmBoard(Body, frozen=True, kw_only=True):
    """This board was read square by square and stands as decided."""

    board: Seat


class CloseDesk(Body, frozen=True, kw_only=True):
    """The desk is closed without a decision."""

    reason: Text = ""


DeskBody = OpenDesk | ShowBoard | TypeCell | HearCell | DecideDesk | ConfirmBoard | CloseDesk
