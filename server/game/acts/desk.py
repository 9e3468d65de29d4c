"""The arbiter's commands at the reconciliation desk (D.2.9): what stands, is written, is decided, is confirmed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Body, Ms, Placement, Text, Uci
from server.game.values.words import Seat

PlyNumber = Annotated[int, msgspec.Meta(ge=1, le=1200)]


class OpenDesk(Body, frozen=True, kw_only=True):
    """Boards, times, side to move, counters and scores are put down; both clocks stand (D.2.9)."""

    reason: Text = ""


class ShowBoard(Body, frozen=True, kw_only=True):
    """What the arbiter sees on one board; the board of the record is not changed by it.

    While the boards are being set, its player is told the squares anew.
    """

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

    `back`: both boards go back to after `ply`. `mend`: only the server is wrong, nobody at the table does anything.
    `moves`: the whole game up to there as both scores have it (UCI); without them the server looks for the moves, and
    says where it does not know them. `times`: those of that position, `typed` (`white_ms`, `black_ms`), or as they are;
    None: those of that position for `back`, else as they are. `verdict`: what the scores said by the Laws, as it was
    shown to the arbiter.
    """

    kind: Literal["adjust", "back", "mend"]
    verdict: Literal["same_record", "differ", "illegal_in_both", "incomplete", "out_of_step", ""] = ""
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    placement: Placement | None = None
    turn: Seat | None = None
    moves: Annotated[tuple[Uci, ...], msgspec.Meta(max_length=1200)] | None = None
    times: Literal["stored", "typed", "leave"] | None = None
    white_ms: Ms | None = None
    black_ms: Ms | None = None
    reason: Text = ""


class ConfirmBoard(Body, frozen=True, kw_only=True):
    """This board was read square by square and stands as decided."""

    board: Seat


class CloseDesk(Body, frozen=True, kw_only=True):
    """The desk is closed without a decision."""

    reason: Text = ""


DeskBody = OpenDesk | ShowBoard | TypeCell | HearCell | DecideDesk | ConfirmBoard | CloseDesk
