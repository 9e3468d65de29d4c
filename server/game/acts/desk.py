"""Commands and events of the reconciliation desk, which settles a game (D.2.9).

They record the boards as they stand, the scores as written, the decision and the confirmation.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from server.game.acts.base import Act, Event, Ms, Placement, Text, Uci
from server.game.acts.scores import Snapshot
from server.game.values.words import Role, Seat

PlyNumber = Annotated[int, msgspec.Meta(ge=1, le=1200)]


class OpenDesk(Act, by=Role.ARBITER, group="irregular", article="D.2.9"):
    """The arbiter opens the desk: boards, times, side to move, counters and scores are recorded (D.2.9).

    Both clocks stand.
    """

    reason: Text = ""


class ShowBoard(
    Act,
    by=Role.ARBITER,
    part="desk.show",
    article="D.2.9",
    form={"placement": {"sort": "squares", "label": "desk.piece"}},
):
    """The arbiter enters what stands on one board; the board of the record is not changed by it.

    While the boards are being set, the player at this board is told the squares again.
    """

    board: Seat
    placement: Placement


class TypeCell(
    Act,
    by=Role.ARBITER,
    part="desk.lines",
    article="D.2.9",
    form={
        "seat": {"sort": "cell", "label": "desk.entry"},
        "ply": {"hidden": True},
        "text": {"sort": "cell_text", "label": "desk.as_written"},
        "language": {"hidden": True},
    },
):
    """One cell of a player's score as the arbiter read it there.

    "-" for a blank one, "" takes it back. `language`: the language whose letters are used, where it is not the player's
    own.
    """

    seat: Seat
    ply: PlyNumber
    text: Text
    language: Annotated[str, msgspec.Meta(max_length=8, pattern=r"^[a-z]*\Z")] = ""


class HearCell(
    Act,
    by=Role.ARBITER,
    part="desk.heard",
    article="D.2.9",
    form={"seat": {"sort": "cell_heard", "label": "desk.entry"}, "ply": {"hidden": True}},
):
    """The arbiter has listened to what was dictated into this cell: it is no longer provisional (D.2.7)."""

    seat: Seat
    ply: PlyNumber


class AcceptUnread(Act, by=Role.ARBITER, part="desk.accept", article="D.2.9", form={"plies": {"hidden": True}}):
    """The arbiter lets what the desk found stand, though these plies were read in no score (D.2.9).

    It counts for what was read and seen so far: whatever is typed or shown after it takes it back.
    """

    plies: Annotated[tuple[PlyNumber, ...], msgspec.Meta(min_length=1, max_length=1200)]


class DecideDesk(
    Act,
    by=Role.ARBITER,
    part="desk.decide",
    article="D.2.9",
    form={
        "kind": {"sort": "decision", "words": "desk."},
        "verdict": {"hidden": True},
        "ply": {"hidden": True},
        "placement": {"hidden": True},
        "turn": {"hidden": True},
        "moves": {"hidden": True},
        "position_alone": {"label": "desk.position_alone", "when": {"kind": ("mend",)}},
        "times": {"sort": "desk_times", "label": "desk.times", "when": {"kind": ("back",)}, "optional": False},
        "white_ms": {"when": {"times": ("typed",)}, "optional": False},
        "black_ms": {"when": {"times": ("typed",)}, "optional": False},
        "reason": {"hidden": True},
    },
):
    """The arbiter's decision at the desk.

    `adjust`: the scores agree; a player whose board deviates sets it to `placement`, and the clocks stay. `back`: both
    boards go back to after `ply`. `mend`: only the server is wrong, and nobody at the table does anything. `moves`: the
    whole game up to there as both scores have it (UCI). Without them the server looks for the moves: where it finds
    none, or several ways, the decision is refused, unless the arbiter takes the `position_alone`. `times`: those of
    that position (`stored`), `typed` (`white_ms`, `black_ms`), or as they are (`leave`); None: those of that position
    for `back`, otherwise as they are. `verdict`: what the scores said by the Laws, as it was shown to the arbiter.
    """

    kind: Literal["adjust", "back", "mend"]
    verdict: Literal["same_record", "differ", "illegal_in_both", "incomplete", "out_of_step", ""] = ""
    ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None
    placement: Placement | None = None
    turn: Seat | None = None
    moves: Annotated[tuple[Uci, ...], msgspec.Meta(max_length=1200)] | None = None
    position_alone: bool = False
    times: Literal["stored", "typed", "leave"] | None = None
    white_ms: Ms | None = None
    black_ms: Ms | None = None
    reason: Text = ""


class ConfirmBoard(Act, by=Role.ARBITER, part="desk.confirm", article="D.2.9", form={"board": {"sort": "awaited"}}):
    """A board was read square by square and stands as decided.

    When both boards are confirmed, the clocks may be started.
    """

    board: Seat


class CloseDesk(Act, by=Role.ARBITER, part="desk.close", article="D.2.9"):
    """The arbiter closes the desk without a decision."""

    reason: Text = ""


class DeskOpened(Event):
    """The desk is open: boards, times, side to move, counters and scores are recorded as they were.

    The clocks stand.
    """

    snapshot: Snapshot
    reason: str


class BoardRead(Event):
    """The arbiter saw this placement on one board; the board of the record is as it was."""

    board: Seat
    placement: str


class CellTyped(Event):
    """A cell of a score as the arbiter read it; the player's own score is not changed."""

    seat: Seat
    ply: int
    text: str
    language: str


class CellHeard(Event):
    """The arbiter has listened to the sound of this cell (D.2.7)."""

    seat: Seat
    ply: int
    utterance: str | None


class UnreadAccepted(Event):
    """The arbiter lets the answer of the desk stand, though these plies were read in no score (D.2.9)."""

    plies: tuple[int, ...]


class SquareToSet(msgspec.Struct, frozen=True, kw_only=True):
    """One square of a board and what must stand there: a FEN letter, None for nothing."""

    square: str
    should_be: str | None


class BoardWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Board as it shall stand: its placement, whose turn it is there, and the last ply that stands on it."""

    placement: str
    turn: Seat
    ply: int


class StillDiffers(msgspec.Struct, frozen=True, kw_only=True):
    """A difference that a decision, or a desk that was closed, leaves open. `what`: line, white or black.

    "line": from this ply on the server does not know which moves led here. A board: its squares that still differ.
    """

    what: str
    ply: int
    squares: tuple[str, ...] = ()


class LineSettled(Event):
    """The arbiter settled which game was played, up to `ply` (D.2.9). `fen`: the position after it.

    `moves` None: only that position is known. `records`: for each ply, the number that its record (announcement, echo,
    times, sounds) had before; 0 for a ply of which the server had none. Records after `ply` stay after it. Records that
    no longer belong to the line are kept as a discarded line.
    """

    ply: int
    moves: tuple[str, ...] | None
    records: tuple[int, ...]
    fen: str


class DeskDecided(Event):
    """The arbiter's decision; `white`, `black`: what each player sets on their board.

    `times`: stored (of that ply), read (off another clock), typed, or leave; "" in older records. `white_ms`,
    `black_ms`: what was set, None where the times stay. `differs`: what the decision leaves open.
    """

    kind: str
    verdict: str
    ply: int | None
    placement: str
    turn: Seat
    reason: str
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()
    moves: tuple[str, ...] | None = None
    times: str = ""
    white_ms: int | None = None
    black_ms: int | None = None
    differs: tuple[StillDiffers, ...] = ()


class BoardsToSet(Event):
    """The squares that each player must set on their board.

    They are given again after the arbiter has read a board, or after a position was restored (7.5.1). `because`: desk
    or restored. `ply`: the ply after which this placement stands. `read`: which board was read. `on_black`: what shall
    stand on Black's board, where that is something else; in older records Black was then told of no square.
    """

    because: str
    ply: int
    placement: str
    turn: Seat
    white: tuple[SquareToSet, ...] = ()
    black: tuple[SquareToSet, ...] = ()
    read: Seat | None = None
    on_black: BoardWanted | None = None


class BoardConfirmed(Event):
    """A board was read square by square and stands as decided."""

    board: Seat


class SquareAsked(Event):
    """A player is told the next square to set, `number` of `of`.

    The player's yes asks for the one after it.
    """

    seat: Seat
    number: int
    of: int
    square: str
    should_be: str | None


class BoardSaidSet(Event):
    """A player says that the board stands as decided; the arbiter reads it all the same."""

    seat: Seat


class DeskClosed(Event):
    """The desk is closed: both boards are confirmed, or the arbiter closed it.

    `differs`: what was left open then.
    """

    reason: str
    differs: tuple[StillDiffers, ...] = ()


DeskEvent = (
    DeskOpened
    | BoardRead
    | CellTyped
    | CellHeard
    | UnreadAccepted
    | LineSettled
    | DeskDecided
    | BoardsToSet
    | SquareAsked
    | BoardSaidSet
    | BoardConfirmed
    | DeskClosed
)
DESK_EVENTS = get_args(DeskEvent)
